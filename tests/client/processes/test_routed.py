"""Play where nobody is found: between networks whose router passes no multicast on, by an address typed by hand."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from namespaces import Routed, WireGuard, why_no_router, why_no_wireguard
from playing import Player, agree, leave, people

pytestmark = [pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PORT = "41730"
TWO_HOMES, TAILSCALE = ("10.77.1.2", "10.77.2.2", "10.77.3.2"), ("100.64.0.2", "100.64.0.3", "100.64.0.4")
OVERLAY = ("10.8.0.2/24", "10.8.0.3/24", "10.8.0.4/24")
Start = Callable[..., list[Player]]


def within(network: Routed, folder: Path, number: int) -> list[Player]:
    """Return players at the computers of a network, who see of it what the program finds there."""
    players = people(folder, number)
    for place, player in enumerate(players, 1):
        player.within, player.network = network.within(place), ()
    return players


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that puts so many players behind a router, each at one of these addresses."""
    if reason := why_no_router():
        pytest.skip(reason)
    with ExitStack() as stack:

        def begun(*addresses: str) -> list[Player]:
            players = within(stack.enter_context(Routed(*addresses)), tmp_path, len(addresses))
            stack.callback(leave, players)
            return players

        yield begun


@pytest.fixture
def tunnelled(tmp_path: Path) -> Iterator[list[Player]]:
    """Three players whom WireGuard joins, the first of whom has the one port that can be reached."""
    if reason := why_no_wireguard():
        pytest.skip(reason)
    with WireGuard(3) as network:
        yield (players := within(network, tmp_path, 3))
        leave(players)


def opens(host: Player, game: str, seats: int, *options: str) -> None:
    host.start("host", game, "--name", host.nick, "--players", str(seats), "--port", PORT, *options)
    host.hears("waiting for")


def joins(guest: Player, address: str) -> None:
    guest.start("join", f"{address.partition('/')[0]}:{PORT}", "--name", guest.nick)


@pytest.mark.parametrize("addresses", [TWO_HOMES[:2], TAILSCALE[:2]])
def test_two_players_in_two_networks_play_by_address(start: Start, addresses: tuple[str, str]) -> None:
    anna, ben = start(*addresses)
    opens(anna, "kingamon", 2)
    began = time.monotonic()
    joins(ben, addresses[0])
    ben.read_until(1)
    print(f"\nfrom `join` to the first action: {time.monotonic() - began:.1f} s")
    for player in (anna, ben):
        player.end()
    agree([anna, ben])


def test_guests_of_an_overlay_are_told_by_the_host_where_the_other_guest_is(start: Start) -> None:
    """Nobody sees anybody there; without that the guests would have no link, and each move would go by the host."""
    players = start(*OVERLAY)
    opens(players[0], "fidchell", 3, "-o", "turn_limit=300")
    for guest in players[1:]:
        joins(guest, OVERLAY[0])
    told = [player.end() for player in players]
    assert "not been reached" not in "".join(told)
    agree(players)


def test_three_players_in_three_networks_play_by_the_address_of_the_host(start: Start) -> None:
    """The guests may not be led into networks of others, and have no link: the host passes on what each signs."""
    players = start(*TWO_HOMES)
    opens(players[0], "fidchell", 3, "-o", "turn_limit=60")
    for guest in players[1:]:
        joins(guest, TWO_HOMES[0])
    for player in players:
        player.end()
    agree(players)


def test_somebody_in_another_network_watches_by_address(start: Start) -> None:
    anna, ben, cara = start(*TWO_HOMES)
    for player in (anna, ben, cara):
        player.hands = ("--plain",)
    opens(anna, "fidchess", 2, "-o", "first=1")
    joins(ben, TWO_HOMES[0])
    anna.hears("Your turn")
    cara.start("watch", f"{TWO_HOMES[0]}:{PORT}", "--name", cara.nick)
    cara.hears("You watch through")
    anna.type("A2-A3")
    cara.hears("Yellow moves an Oin from A2 to A3")
    ben.hears("Your turn")
    ben.type("resign", "yes")
    for player in (anna, ben, cara):
        player.end()
    assert cara.report()["result"] == anna.report()["result"]


def test_three_players_play_through_wireguard(tunnelled: list[Player]) -> None:
    """Each is seen in the tunnel alone; the guests reach each other through the host's computer."""
    for place, player in enumerate(tunnelled, 1):
        player.network = ("--interface", f"10.8.0.{place}")
    opens(tunnelled[0], "fidchell", 3, "-o", "turn_limit=100")
    for guest in tunnelled[1:]:
        joins(guest, "10.8.0.1")
    told = [player.end() for player in tunnelled]
    assert "not been reached" not in "".join(told)
    agree(tunnelled)
