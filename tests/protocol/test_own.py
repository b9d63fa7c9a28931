"""What a client signs by itself, what its player may sign, and in which words the rest is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from replicas import Circle, circle_of, events_of, local_table
from whist import play_to, reach, secrets_of, whist

from protocol import LocalFaultError, Secrets, SignedEvent
from protocol.events import EventKind, Leaving, SlotKind, bodies


def pebbles(seats: int = 3, **options: Any) -> Circle:
    return circle_of("pebbles", seats, **({"first": 1, "pile": 60} | options))


def kinds(events: list[SignedEvent]) -> list[EventKind]:
    return [event.kind for event in events]


# What is owed without a choice.


@pytest.mark.parametrize("kind", [kind for kind in SlotKind if kind not in (SlotKind.TURN, SlotKind.END)])
def test_a_client_gives_its_part_once(kind: SlotKind) -> None:
    """In each slot of a roll or deal, and only where the slot takes something of its seat."""
    circle = reach(whist(3) if kind > SlotKind.REVEAL else pebbles(first="random"), kind)
    owing = circle.owed_by()
    for seat in (1, 2, 3):
        given = circle[seat].own.duties()
        assert [event.seat for event in given] == ([seat] if seat in owing else [])
        circle.give(circle[seat], *given)
        if len(owing) > 1 and seat < 3:
            assert circle[seat].own.duties() == []


@pytest.mark.parametrize("kind", [SlotKind.REVEAL, SlotKind.SHUFFLE, SlotKind.SHARE])
def test_a_client_with_the_wrong_secrets_signs_nothing_that_would_condemn_it(kind: SlotKind) -> None:
    """A file that is damaged, or that of another table, makes nobody a cheat: the seat owes its part."""
    circle = reach(whist(3) if kind > SlotKind.REVEAL else pebbles(first="random"), kind)
    (seat, *_) = circle.owed_by()
    damaged = circle.client(seat, events_of(circle[seat]), Secrets.from_seed(b"another"))
    assert not damaged.own.secrets_fit()
    assert damaged.own.duties() == []
    assert damaged.own.secrets_wrong
    right = circle.client(seat, events_of(circle[seat]), circle[seat].own.secrets)
    assert right.own.secrets_fit()
    assert right.own.duties() == circle[seat].own.duties() != []
    assert not right.own.secrets_wrong


@pytest.mark.parametrize("what", ["a commitment", "a hand"])
def test_wrong_secrets_are_noticed_before_anything_is_due(what: str) -> None:
    circle = play_to(whist(3), 2) if what == "a hand" else circle_of("kingamon", 2, first=1)
    circle.settle()
    for seed in (b"another", b"seed1"):
        again = circle.client(1, events_of(circle[1]), Secrets.from_seed(seed))
        assert again.own.secrets_fit() == (seed == b"seed1")


def test_a_client_moves_for_nobody() -> None:
    assert pebbles()[1].own.duties() == []


@pytest.mark.parametrize("body", [bodies.Resign(), bodies.Wish(1)])
def test_the_client_of_the_seat_to_act_gives_others_their_place(body: bodies.Resign | bodies.Wish) -> None:
    circle = pebbles()
    circle.spread(circle.forge(3, body))
    assert [kinds(circle[seat].own.duties()) for seat in (1, 2, 3)] == [[EventKind.SEQUENCE], [], []]
    assert circle[1].own.duties() == [], "once"


def test_what_changes_nothing_is_given_no_place() -> None:
    circle = pebbles()
    circle.spread(circle.forge(3, bodies.Wish(0)))
    assert circle[1].own.duties() == []


def test_the_result_is_signed_once_also_by_those_who_resigned() -> None:
    circle = pebbles(2)
    circle.spread(circle[2].own.resign(2))
    circle.step()
    for seat in (1, 2):
        assert kinds(circle.owed(circle[seat])) == [EventKind.RESULT]
        assert circle[seat].own.duties() == []


def test_nobody_signs_an_agreement_whose_number_leaps() -> None:
    """No other client could take it in, nor anything that is signed after it."""
    circle = pebbles()
    assert circle[1].own.agree(1000, ()) == []
    assert circle[1].held.chains[0] == []
    assert kinds(circle[1].own.agree(200, ())) == [EventKind.EPOCH]


def test_a_client_that_has_agreed_gives_nothing_more_in_this_epoch() -> None:
    circle = reach(pebbles(first="random"), SlotKind.REVEAL)
    table = circle[1]
    circle.give(table, *table.own.agree(1, (Leaving(3, *table.held.heads[2]),)))
    assert table.own.has_agreed
    assert table.own.duties() == []
    circle.give(circle[2], *circle[2].own.agree(1, (Leaving(3, *table.held.heads[2]),)))
    circle.meet()
    assert not table.own.has_agreed
    assert kinds(table.own.duties()) == [EventKind.COMMITMENT]


def test_agreeing_signs_for_every_own_seat_that_plays() -> None:
    circle = circle_of("pebbles", 4, operators=(1, 1, 1, 4), first=4)
    circle.spread(circle[1].own.resign(2))
    circle.settle()
    signed = circle[1].own.agree(1, ())
    assert [event.seat for event in signed] == [1, 3]
    assert {event.body for event in signed} == {bodies.Epoch(1, ())}


def test_parts_that_will_be_due_are_worked_out_while_the_player_thinks() -> None:
    circle = pebbles()
    circle.spread(circle[1].own.play(1, "take 1"))
    circle.settle()
    before = list(circle[1].held.chains[0])
    circle[1].own.prepare()
    assert circle[1].held.chains[0] == before, "nothing is signed by that"


def test_secrets_are_given_up_once_all_have_a_key_for_the_next_deal() -> None:
    circle = play_to(whist(2), 2)
    own = circle[1].own
    assert not own.forget()
    deal = secrets_of(circle, 1).deal
    while circle[1].fold.position.deals < 2 or not getattr(circle[1].fold.position.machine, "keys", ()):
        if circle.step():
            continue
        seat = circle.mover
        circle.spread(circle[seat].own.play(seat, circle[seat].game.legal(circle[seat].own.view(seat), seat)[0]))
    assert own.forget()
    assert secrets_of(circle, 1).deal == deal + 1
    assert not own.forget()


# What players ask for.


REFUSED: dict[str, tuple[Callable[[Circle], object], str]] = {
    "a move out of turn": (lambda c: c[2].own.play(2, "take 1"), "turn"),
    "another client's seat": (lambda c: c[1].own.play(2, "take 1"), "PLAYED_ELSEWHERE"),
    "no move": (lambda c: c[1].own.play(1, "blah"), "is not a move"),
    "an unlawful move": (lambda c: c[1].own.play(1, "take 9"), "Take 1 to 3 pebbles"),
    "a draw as a move": (lambda c: c[1].own.play(1, "draw"), "agreed"),
    "no offer to take back": (lambda c: c[1].own.wish_draw(1, False), "DRAW_NOT_OFFERED"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_client_refuses(name: str) -> None:
    circle = pebbles()
    call, words = REFUSED[name]
    with pytest.raises(LocalFaultError, match=words):
        call(circle)
    assert events_of(circle[1]) == events_of(circle[2]) == []


def test_resign_typed_as_a_move_is_a_resignation() -> None:
    circle = circle_of("fidchess", 2, first=1)
    assert circle[2].own.play(2, "Resign").kind == EventKind.RESIGN


def test_a_seat_that_has_resigned_is_told_that_it_waits_for_its_place() -> None:
    circle = pebbles()
    circle.give(circle[3], circle[3].own.resign(3))
    with pytest.raises(LocalFaultError, match="RESIGNED_ALREADY"):
        circle[3].own.resign(3)


def test_a_seat_that_is_out_signs_nothing() -> None:
    circle = pebbles()
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    own = circle[3].own
    for call in (own.resign, lambda seat: own.play(seat, "take 1"), lambda seat: own.wish_draw(seat, True)):
        with pytest.raises(LocalFaultError, match="OUT_OF_THE_GAME"):
            call(3)


def test_after_the_end_nothing_is_signed() -> None:
    circle = pebbles(2)
    circle.spread(circle[2].own.resign(2))
    circle.settle()
    for call in (circle[1].own.resign, lambda seat: circle[1].own.play(seat, "take 1")):
        with pytest.raises(LocalFaultError, match="GAME_OVER"):
            call(1)


def test_a_second_move_waits_until_the_first_one_counts() -> None:
    circle = pebbles()
    circle[1].own.play(1, "take 1")
    with pytest.raises(LocalFaultError, match="NOT_DUE"):
        circle[1].own.play(1, "take 2")


def test_a_bound_client_says_so() -> None:
    circle = pebbles()
    circle.give(circle[2], *circle[2].own.agree(1, (Leaving(1, 0, b""),)))
    for call in (circle[2].own.resign, lambda seat: circle[2].own.wish_draw(seat, True)):
        with pytest.raises(LocalFaultError, match="AGREED"):
            call(2)


def test_draws_are_offered_once_between_own_moves() -> None:
    circle = pebbles(2)
    circle.spread(circle[1].own.wish_draw(1, True))
    circle.settle()
    with pytest.raises(LocalFaultError, match="DRAW_BEFORE_MOVE"):
        circle[1].own.wish_draw(1, True)
    circle.spread(circle[1].own.play(1, "take 1"))
    circle.settle()
    with pytest.raises(LocalFaultError, match="DRAW_OFFERED"):
        circle[1].own.wish_draw(1, True)


def test_a_card_cannot_be_played_where_its_secrets_are_lost() -> None:
    circle = play_to(whist(3), 1)
    seat = circle.mover
    own = circle[seat].own
    card = circle[seat].game.legal(own.view(seat), seat)[0]
    secrets = secrets_of(circle, seat)
    own.secrets = secrets.moved_on(secrets.deal + 5)
    own._views._cards.clear()
    with pytest.raises(LocalFaultError, match="SECRETS_MISSING"):
        own.play(seat, card)


def test_a_table_with_one_signer_refuses_in_the_games_words() -> None:
    table = local_table("fidchess", {"first": 1})
    with pytest.raises(LocalFaultError):
        table.own.act(1, "A1-A9")
    assert table.own.duties() == []


# What an event that is signed says.


def test_an_event_names_the_open_slot_its_digest_and_all_that_is_held() -> None:
    circle = pebbles()
    circle.spread(circle[2].own.wish_draw(2, True))
    circle.settle()
    table, position, heads = circle[1], circle[1].fold.position, circle[1].held.heads
    event = table.own.play(1, "take 1")
    assert (event.slot, event.digest, event.heads) == (position.slot, position.digest, heads)
    assert table.held.chains[0][-1] == event, "it is in the own chain before it is sent"
    assert event.body == bodies.Move("take 1")


def test_nothing_that_is_signed_contradicts_what_was_signed_before() -> None:
    """What a client signs is taken in by all, also after a seat is out and after an epoch."""
    circle = pebbles(4)
    circle.spread(circle[4].own.resign(4))
    circle.settle()
    circle.agree(1)
    circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
    circle.settle()
    fresh = circle.client(4)
    for event in events_of(circle[1]):
        assert not fresh.held.contradicts(event)
        assert fresh.receive(event.raw, event.signature)
    assert bodies.Sequence() in [event.body for event in events_of(circle[1])]
