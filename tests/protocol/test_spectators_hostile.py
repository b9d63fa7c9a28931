"""Hostile spectators, and players who deceive or keep out those who watch."""

from random import Random

import pytest
from clients import Clients
from replicas import FAST_SIGNERS, charter_of, summary
from spectating import WORDS, circle_for, house_of
from watched import ALL, door

from protocol import (
    Advert,
    AskNext,
    Blame,
    Decline,
    DeclineReason,
    Form,
    Gathering,
    Join,
    PassphraseNeeded,
    Watch,
    Watchers,
    Watching,
    message_bytes,
    read_message,
)
from protocol.events import bodies
from protocol.messages import Events
from protocol.table import spectator
from protocol.table.gallery import PLACES
from protocol.table.node import GUEST_MESSAGE
from protocol.table.spectator import LONGEST_PAUSE, PAUSE, REACHED_WITHIN


def test_what_a_spectator_sends_besides_changes_nothing_at_a_table() -> None:
    clients = Clients(charter_of("pebbles", 2, {"first": 1}, fast=True, watching=ALL))
    stranger = FAST_SIGNERS[4].id
    heard = []
    clients.guests[stranger] = lambda player, data: heard.append(read_message(data))
    before = summary(clients[1].table)
    forged = clients.forger.forge(1, bodies.Move("take 1"))
    for data in (
        message_bytes(Events(forged.table, ((forged.raw, forged.signature),))),
        message_bytes(Form((b"x", (), (), ()), ())),
        b"nonsense",
        message_bytes(Watch(forged.table, (5, 5), tuple((1, number) for number in range(64)))) + b"x",
        message_bytes(Watch(bytes(32))),
        bytes(GUEST_MESSAGE + 1),
        message_bytes(Join()),
    ):
        clients.do(1, clients[1].receive(stranger, data, clients.now))
    assert summary(clients[1].table) == before
    assert heard == [Decline(DeclineReason.PRIVATE), Decline(2)]
    assert not clients.told[1]


def test_spectators_cost_a_move_no_message() -> None:
    """What a player does and is sent is the same with spectators as without; they are served between moves."""

    def played(watched: bool) -> list[type]:
        clients = Clients(charter_of("pebbles", 2, {"first": 1}, fast=True, watching=ALL))
        for number in range(PLACES if watched else 0):
            id = FAST_SIGNERS[4].id[:-1] + bytes([number])
            clients.guests[id] = lambda player, data: None
            clients.do(1, clients[1].receive(id, message_bytes(Watch(clients.charter.table, (0, 0))), clients.now))
        return [type(effect) for effect in clients[1].play(1, "take 1")]

    assert played(True) == played(False)


def test_a_spectator_takes_no_move_that_was_not_signed() -> None:
    """A player's client that shows its spectators moves of its own is left, and the next player is asked."""
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    first, second, _ = house.galleries
    circle.play(Random(1), 2)
    watcher = house.come()
    house.pass_time(1)
    seat = circle.mover
    event = circle.forge(seat, bodies.Move("take 1"))
    forged = Events(event.table, ((event.raw, bytes(64)),))
    house._do(watcher, watcher.spectator.receive(first, message_bytes(forged), house.now))
    assert [blame.reason for blame in watcher.of(Blame)] == [f"an event that seat {seat} did not sign"]
    house.pass_time(6)
    assert watcher.spectator.player == second
    assert summary(watcher.table) == summary(circle[1])


def test_a_spectator_keeps_no_more_events_than_a_game_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds all seats of a table can sign events without an end; those who watch would keep them all."""
    circle = circle_for("pebbles", 2, pile=60)
    house = house_of(circle)
    watcher = house.come()
    circle.play(Random(1), 4)
    house.pass_time(6)
    kept = sum(len(event.raw) for chain in watcher.table.held.chains for event in chain)
    monkeypatch.setattr(spectator, "KEPT_LIMIT", kept)
    circle.play(Random(2), 20)
    house.pass_time(20)
    stored = sum(len(event.raw) for chain in watcher.table.held.chains for event in chain)
    assert kept < stored <= kept + 1000
    assert {blame.reason for blame in watcher.of(Blame)} == {"more events than a client that watches keeps"}


def test_a_spectator_is_told_where_the_other_players_are() -> None:
    """And remembers of nobody else where it is, whatever a player says."""
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    first, second, third = house.galleries
    house.hints = ((second, "10.0.0.2:4000"), (bytes(32), "10.0.0.9:4000"), (third, "10.0.0.3:4000"))
    watcher = house.come()
    house.pass_time(1)
    house.lose(first)
    house.pass_time(REACHED_WITHIN + 1)
    assert watcher.of(AskNext) == [AskNext(first, second, ("10.0.0.2:4000",), 0.0)]
    assert watcher.spectator._hints.keys() == {second, third}


def test_a_spectator_waits_for_a_game_that_has_not_begun() -> None:
    """The host answers with what it offers; that is no silence, so nobody else is asked."""
    circle = circle_for()
    house = house_of(circle)
    host = next(iter(house.galleries))
    house.galleries[host].serve = lambda *_: iter(())  # type: ignore[method-assign]  # it falls silent
    watcher = house.come()
    advert = Advert("pebbles", 1, (), ("anna",), 2, 0, 0, b"", 0, ALL)
    for _ in range(10):
        house.pass_time(4)
        house._do(watcher, watcher.spectator.receive(host, message_bytes(advert), house.now))
    assert watcher.of(Gathering) == [Gathering(advert)] * 10
    assert not watcher.of(AskNext)
    assert watcher.file == b""


def test_a_spectator_whom_another_player_asks_for_another_passphrase_tries_the_next() -> None:
    circle = circle_for("pebbles", 3, Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    first, second, third = house.galleries
    house.galleries[second]._door = door("other words", 2)
    watcher = house.come(passphrase=WORDS)
    house.pass_time(4)
    house.lose(first)
    house.pass_time(REACHED_WITHIN + 12)
    assert not watcher.of(PassphraseNeeded)
    assert watcher.spectator.player == third
    assert watcher.spectator.admitted


def test_a_client_that_leaves_its_table_lets_its_spectators_go() -> None:
    circle = circle_for()
    house = house_of(circle)
    first = next(iter(house.galleries))
    watchers = [house.come(number) for number in range(3)]
    house.pass_time(1)
    house._players_do(first, house.galleries[first].close())
    assert not house.kept
    assert len(house.galleries[first]) == 0
    assert watchers


def test_a_spectator_whom_nobody_lets_in_pauses_between_rounds() -> None:
    """Longer each time: many who wait for a place cost the players little."""
    circle = circle_for(watching=Watching(Watchers.NOBODY, 0))
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(240)
    assert [turned.pause for turned in watcher.of(AskNext)] == [10, 20, 40, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


def test_a_spectator_asks_often_for_a_player_who_is_not_reached() -> None:
    circle = circle_for()
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(1)
    for player in list(house.galleries):
        house.lose(player)
    house.pass_time(60)
    assert {turned.pause for turned in watcher.of(AskNext)} == {0.0, PAUSE}
    house.gone.clear()
    house.pass_time(2 * (PAUSE + REACHED_WITHIN) + 1)
    assert watcher.spectator.admitted
