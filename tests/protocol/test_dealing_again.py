"""Deals of clients that start again: the same bytes from the same secrets, and none from those given up."""

from random import Random

import pytest
from replicas import FAST, Circle, events_of
from verdicts import verdict
from whist import hands_of, move, play_to, reach, secrets_of, whist

from protocol import LocalFaultError, Secrets, SignedEvent, Table, verify
from protocol.events import SlotKind, bodies
from protocol.file import EventRecord, records


def own_events(circle: Circle, table: Table) -> list[SignedEvent]:
    """A client's events in the order in which it stored them."""
    file = circle.files[circle.tables.index(table)]
    order = [record.raw for _, record in records(file) if isinstance(record, EventRecord)]
    return sorted(events_of(table), key=lambda event: order.index(event.raw))


def restarted(circle: Circle, table: Table, events: list[SignedEvent], secrets: Secrets | None = None) -> Table:
    """A client that starts again from these events, with the secrets that it has."""
    return circle.client(table.own.operator, events, secrets or table.own.secrets)


@pytest.mark.parametrize("fast", [True, False])
def test_a_restart_at_any_step_repeats_the_same_bytes(fast: bool) -> None:
    """Before each own event of a deal and a trick: started again from the file, the client signs that very event."""
    circle = play_to(whist(3 if fast else 2, fast=fast), 3)
    kinds = set()
    for table in circle.tables if fast else circle.tables[:1]:
        for event in events_of(table):
            if event.seat in table.own.signers:
                known = [one for one in events_of(table) if one.number <= event.heads[one.seat - 1].length]
                fresh = restarted(circle, table, known)
                body = event.body
                if isinstance(body, bodies.Move | bodies.Play):
                    again = fresh.own.play(event.seat, body[0])
                else:
                    again = fresh.own.duties()[0]
                assert (again.raw, again.signature) == (event.raw, event.signature)
                kinds.add(event.kind)
    assert len(kinds) >= 7


def second_deal(circle: Circle, kind: SlotKind = SlotKind.KEY) -> Circle:
    """A table where the first round is over and the second deal under way."""
    play_to(circle, 29)
    seat = circle.mover
    table = circle[seat]
    circle.spread(table.own.play(seat, table.game.legal(table.own.view(seat), seat)[0]))
    return reach(circle, kind)


def test_another_version_of_a_play_takes_no_round_back() -> None:
    """What all have signed since names every event of a round, so another version of its last play is evidence
    and nothing else; before that it would have ended the game."""
    circle = second_deal(whist(3))
    played = next(event for event in reversed(events_of(circle[1])) if isinstance(event.body, bodies.Play))
    other = circle.forge(played.seat, bodies.Move("bid 0"), heads=played.heads, slot=played.slot, digest=played.digest)
    honest = next(seat for seat in (1, 2, 3) if seat != played.seat)
    unnamed = [one for one in events_of(circle[1]) if one.heads[played.seat - 1].length < played.number]
    early = circle.client(honest, unnamed)
    early.receive(other.raw, other.signature)
    assert early.fold.broken
    reach(circle, SlotKind.SHUFFLE)
    before = circle[honest].fold.position
    circle.spread(other)
    assert circle[honest].fold.position == before
    assert circle[honest].fold.result is None
    for file in circle.files:
        report = verify(file, FAST, scheme=circle.scheme)
        assert report.ok
        (cheat,) = report.cheats
        assert (cheat.seat, cheat.event, cheat.kind) == (played.seat, played.number, "equivocation")


def test_secrets_of_a_round_are_forgotten_when_the_next_deal_has_its_keys() -> None:
    """Whoever steals the computer then cannot open the hands of rounds that are over."""
    circle = whist(3)
    circle.settle()
    first, old = hands_of(circle), secrets_of(circle, 1)
    assert not circle[1].own.forget(), "this round is not over"
    second_deal(circle)
    assert not circle[1].own.forget(), "another seat may not have heard of its last card"
    reach(circle, SlotKind.SHUFFLE)
    own = circle[1].own
    assert first.own(1, secrets_of(circle, 1), circle.scheme)
    assert own.forget()
    assert not own.forget()
    secrets = secrets_of(circle, 1)
    assert first.own(1, secrets, circle.scheme) == {}
    assert Secrets.unpacked(secrets.packed()) == secrets != old
    assert old.cards not in secrets
    assert secrets.for_deal(0, b"") is None
    assert secrets.for_deal(5, b"x") == old.for_deal(5, b"x")


@pytest.mark.parametrize("step", ["shuffle", "share"])
def test_a_seat_goes_on_after_the_ratchet_and_a_restart(step: str) -> None:
    """The new deal needs nothing of the old one; the view of the old round is lost, that of the new one right."""
    circle = second_deal(whist(3), SlotKind.SHUFFLE)
    for table in circle.tables:
        assert table.own.forget()
    reach(circle, SlotKind[step.upper()])
    at = circle.tables.index(circle[2])
    circle.tables[at] = restarted(circle, circle[2], own_events(circle, circle[2]))
    circle.settle()
    view = circle[2].own.view(2)
    assert view.hands[1].bit_count() == 10
    assert view == circle[2].game.view(view, 2)
    rng = Random(9)
    while circle[1].fold.position.deals < 3:
        move(circle, rng)
    assert verdict(circle).cheats == ()


def test_an_older_copy_of_the_file_waits_for_what_it_signed() -> None:
    """Secrets that have moved on do not sign for the deal where an old file ends: peers bring back what was signed."""
    circle = second_deal(whist(3), SlotKind.SHUFFLE)
    table = circle[2]
    table.own.forget()
    events = own_events(circle, table)
    cut = next(at for at, event in enumerate(events) if isinstance(event.body, bodies.Key))
    old = restarted(circle, table, events[:cut])
    assert old.own.duties() == []
    assert 2 in old.fold.owing()
    for event in events:
        old.receive(event.raw, event.signature)
    reach(circle, SlotKind.SHUFFLE, seat=2)
    for event in own_events(circle, circle[1]):
        old.receive(event.raw, event.signature)
    assert [type(event.body) for event in old.own.duties()] == [bodies.Shuffle]


def test_without_secrets_no_card_is_played() -> None:
    """A client that cannot open its hand says so; it would be caught if it played a card without its share."""
    circle = play_to(whist(3), 0)
    mover = circle.mover
    bare = Table(circle.charter, {mover: circle.signers[mover - 1]}, None, FAST, circle.scheme)
    for event in events_of(circle[mover]):
        bare.receive(event.raw, event.signature)
    strange = restarted(circle, circle[mover], events_of(circle[mover]), Secrets.from_seed(b"another"))
    card = circle[mover].game.legal(circle[mover].own.view(mover), mover)[0]
    for table in (bare, strange):
        with pytest.raises(LocalFaultError, match="SECRETS_MISSING"):
            table.own.play(mover, card)
        assert table.held.heads == circle[mover].held.heads


def test_packed_secrets_are_read_back_or_refused() -> None:
    secrets = Secrets.from_seed(b"s").moved_on(7)
    assert Secrets.unpacked(secrets.packed()) == secrets
    assert secrets.moved_on(3) == secrets
    for data in (b"", secrets.packed()[:-1], secrets.packed() + b"\0", secrets._replace(deal=-1).packed()):
        with pytest.raises(ValueError):
            Secrets.unpacked(data)
