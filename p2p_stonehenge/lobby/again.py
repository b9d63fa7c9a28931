"""Another table for the players of the last one: a rematch with the seats moved on, or its last position."""

from collections.abc import Collection
from typing import NamedTuple

from engine import all_games
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby.hosting import HostLobby, Setup
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.lobby import Formed, Report
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import Ask
from p2p_stonehenge.storage.home import Home
from protocol import Table, origin_of

NOBODY_LEFT = "Nobody else of the last table is here any more: `host` opens another table, `solo` plays against bots."


class Rematch(NamedTuple):
    """What is played again and by whom: the ids of the people, by the order of their seats at the last table."""

    people: tuple[bytes, ...]
    setup: Setup


def rematch(last: Table, present: Collection[bytes]) -> Rematch:
    """Return what the players of a table who are still `present` may play next.

    After a game that went to its end each seat moves on by one, and bots fill the table if it would be too small. A
    game that somebody ended by signing two versions of an event goes on from its last position, with bots for that
    player and for the players who are gone.
    """
    body, fold, game = last.charter.body, last.fold, all_games()[last.charter.body.game]
    sitting = [number for number in sorted(set(fold.operators)) if body.seats[number - 1].id in present]
    if fold.broken:
        sitting = [number for number in sitting if number != fold.operators[fold.broken.seat - 1]]
        origin = origin_of(last)
        playing = game.live(body._replace(origin=origin).beginning())
        places = {body.seats[number - 1].id: number for number in sitting if number in playing}
        people, players = tuple(places), len(body.seats)
    else:
        origin = None
        people = tuple(body.seats[number - 1].id for number in sitting)
        bots = len(body.seats) - len(set(fold.operators))
        players = min(count for count in game.seats if count >= len(people) + bots)
        places = {id: seat for seat, id in enumerate((*people[1:], people[0]), 1)}
    setup = Setup(
        game,
        {**dict(body.options)},
        players,
        players - len(people),
        body.turn_time,
        None,
        origin,
        places,
        closed=True,
        watching=body.watching,
    )
    return Rematch(people, setup)


async def gather_again(network: Network, home: Home, report: Report, last: Table, ask: Ask | None) -> Formed:
    """Wait until all who sit at the last table, and can be reached, have signed another one. Raises Failure.

    The player at the lowest seat of those that can be reached is the host; when that player goes, the next one. Where
    another one goes, the table is made anew without that player.
    """
    own = network.identity.id
    while True:
        people, setup = rematch(last, {own, *network.transport.linked()})
        if own not in people:
            raise Failure("The others play on without the player who signed two versions of an event.", NETWORK)
        if len(people) < 2 and len({*last.fold.operators}) > 1:
            raise Failure(NOBODY_LEFT, NETWORK)
        host = people[0]
        if host == own:
            lobby = HostLobby(network, home, report, setup)
            lobby.remake = lambda: rematch(last, {own, *network.transport.linked()}).setup
            return await lobby.gather()
        try:
            return await GuestLobby(network, home, report, host, ask=ask, insists=True).gather(())
        except Failure:
            if host in network.transport.linked():
                raise
            report(f"{network.transport.nick_of(host)} is gone: the next player at the table opens it.")
