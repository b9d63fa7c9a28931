"""Cheats with cards in play, one at a time: another seat's card, another share, a revoke."""

from typing import Any

import pytest
from card_cheats import SECRET, forged
from kinds import expect
from replicas import Circle, circle_of
from verdicts import caught, evidence_of, result_of, verdict
from whist import (
    Truth,
    dealt,
    hands_of,
    own_cards,
    play_to,
    revoke,
    share,
    whist,
)

from protocol import CheatKind, Secrets, SignedEvent
from protocol.cards import Hands
from protocol.events import SHARE_BYTES, bodies
from protocol.table import PeerFaultError
from protocol.transcript import FoundCheat


def turn(cards: int = 0, *, seats: int = 3, fast: bool = True) -> tuple[Circle, int, Hands, dict[int, str]]:
    """A table where a seat is to play a card: the table, the seat, the deal, the cards of the seat by position."""
    circle = play_to(whist(seats, fast=fast), cards)
    seat = circle.mover
    return circle, seat, hands_of(circle), own_cards(circle, seat)


def test_a_card_dealt_to_another_seat() -> None:
    """Its position belongs to somebody else, whatever is played."""
    circle, seat, hands, _ = turn()
    theirs = next(at for at, owner in enumerate(hands.dealing.deal.owners) if owner not in (0, seat))
    card = dealt(circle, hands)[theirs]
    event = forged(circle, seat, bodies.Play(card, theirs, share(circle, seat, theirs)))
    caught(circle, event, words="a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_a_card_of_the_stock(fast: bool) -> None:
    """An undealt position, with a card that nobody has seen."""
    circle, seat, hands, own = turn(seats=3 if fast else 2, fast=fast)
    at = hands.dealing.deal.owners.index(0)
    event = forged(circle, seat, bodies.Play(next(iter(own.values())), at, share(circle, seat, at)))
    caught(circle, event, words="a card that was not dealt to it")


@pytest.mark.parametrize("at", [31, 255])
def test_a_position_that_the_deck_does_not_have(at: int) -> None:
    circle, seat, _, own = turn()
    event = forged(circle, seat, bodies.Play(next(iter(own.values())), at, bytes(SHARE_BYTES)))
    caught(circle, event, words="a card that was not dealt to it")


def played_before() -> tuple[Any, ...]:
    """A table where the seat to play has one card on the table already."""
    circle, seat, hands, own = turn(3)
    mine = next(event for event in hands.plays if event.seat == seat)
    return circle, seat, hands, own, mine


def test_a_card_played_already() -> None:
    circle, seat, _, _, mine = played_before()
    caught(circle, forged(circle, seat, mine.body), words=f"{mine.body.card} has been played already")


def test_a_position_played_already() -> None:
    """One that lies open on the table, named as another card."""
    circle, seat, hands, own, mine = played_before()
    card = next(card for at, card in own.items() if at not in hands.opened)
    caught(circle, forged(circle, seat, bodies.Play(card, *mine.body[1:])), words="a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_another_card_than_the_share_opens(fast: bool) -> None:
    """It names a better card than it has."""
    circle, seat, _, own = turn(seats=3 if fast else 2, fast=fast)
    (at, _), (_, named) = list(own.items())[:2]
    event = forged(circle, seat, bodies.Play(named, at, share(circle, seat, at)))
    caught(circle, event, words="another card than the one dealt to it")


def test_a_card_of_another_seat_named() -> None:
    """The card that a better hand has, at a position of its own."""
    circle, seat, hands, own = turn()
    at = next(iter(own))
    theirs = next(card for place, card in dealt(circle, hands).items() if place not in own)
    caught(
        circle,
        forged(circle, seat, bodies.Play(theirs, at, share(circle, seat, at))),
        words="another card than the one dealt",
    )


def test_a_card_without_its_share() -> None:
    circle, seat, _, own = turn()
    caught(circle, forged(circle, seat, bodies.Move(next(iter(own.values())))), words="a card without its share")


@pytest.mark.many
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("kind", ["another key", "another position", "another seat's", "nothing"])
def test_a_wrong_share_of_the_own_card(fast: bool, kind: str) -> None:
    """With a share of its choice it could make any card of any position."""
    circle, seat, hands, own = turn(seats=3 if fast else 2, fast=fast)
    (at, card), (other, _) = list(own.items())[:2]
    dealing = hands.dealing
    wrong = {
        "another key": circle.scheme.make_share(SECRET, dealing.deck, at, dealing.context(seat)),
        "another position": share(circle, seat, other),
        "another seat's": hands._others(at)[0],
        "nothing": bytes(SHARE_BYTES),
    }[kind]
    caught(circle, forged(circle, seat, bodies.Play(card, at, wrong)), words="a wrong share of its own card")


@pytest.mark.parametrize("size", [0, SHARE_BYTES - 1, SHARE_BYTES + 1])
def test_a_share_of_another_size_is_no_event(size: int) -> None:
    """It is not a move at all: dropped before anything is looked at, and the seat still has to move."""
    circle, seat, _, own = turn()
    at, card = next(iter(own.items()))
    event = circle.forge(seat, bodies.Play(card, at, bytes(size)))
    with pytest.raises(PeerFaultError, match="malformed"):
        circle[seat % 3 + 1].receive(event.raw, event.signature)
    assert circle[seat % 3 + 1].fold.owing() == (seat,)


def test_a_share_where_no_card_is_played() -> None:
    """A bid takes no share: a second spelling of a move would be a second digest of the same game."""
    circle = whist()
    circle.settle()
    seat = circle.mover
    at = next(iter(own_cards(circle, seat)))
    event = forged(circle, seat, bodies.Play("bid 3", at, share(circle, seat, at)))
    caught(circle, event, words="a share where no card is played")


def test_a_share_in_a_game_without_cards() -> None:
    circle = circle_of("fidchess", first=1)
    legal = circle[1].game.legal(circle[1].state, 1)[0]
    caught(circle, forged(circle, 1, bodies.Play(legal, 0, bytes(SHARE_BYTES))), words="a share where no card is dealt")


def test_a_card_before_the_bids_are_made() -> None:
    circle = whist()
    circle.settle()
    seat = circle.mover
    at, card = next(iter(own_cards(circle, seat).items()))
    event = forged(circle, seat, bodies.Play(card, at, share(circle, seat, at)))
    caught(circle, event, words="an unlawful move: First everybody bids")


# Revokes.


def revoked(seats: int, cheat: int) -> tuple[Circle, list[tuple[SignedEvent, int]]]:
    """Play a round in which one seat never follows suit if it can help it; return the plays that were revokes."""
    circle = play_to(whist(seats), 0)
    owners = hands_of(circle).dealing.deal.owners
    cards = len(owners) - owners.count(0)
    guilty = revoke(circle, cheat, cards - 1)
    assert circle[1].fold.position.cheats == (), "nobody can know before the last card"
    return circle, guilty + revoke(circle, cheat, cards)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_revoke_is_found_when_the_last_card_falls(seats: int) -> None:
    """Each is named with trick and card, by the very event; who revoked is out, and the round does not
    count."""
    cheat = 2
    circle, guilty = revoked(seats, cheat)
    assert guilty
    report = verdict(circle)
    assert {*report.cheats} == {
        FoundCheat(
            cheat, event.number, CheatKind.BREACH, f"a revoke: {expect(bodies.Play, event.body).card} in trick {trick}"
        )
        for event, trick in guilty
    }
    assert {cheat.event for cheat in circle[1].fold.position.cheats} == {event.hash for event, _ in guilty}
    if seats == 2:
        assert result_of(report)[::2] == ((1,), "a revoke")
    else:
        assert circle[1].fold.position.live == tuple(seat for seat in range(1, seats + 1) if seat != cheat)
        assert circle[1].state.standing.totals == (0,) * seats
        Truth(circle).check()
    assert not evidence_of(report).unaudited


def test_a_revoke_in_an_abandoned_round_costs_nothing() -> None:
    """Nobody can say who revoked where hands stay closed."""
    circle = play_to(whist(), 4)
    circle.spread(circle[3].own.resign(3))
    assert verdict(circle).cheats == ()


def test_no_revoke_is_told_where_everybody_followed() -> None:
    """The last card of a round in which nobody could be accused."""
    circle = play_to(whist(), 29)
    seat = circle.mover
    table = circle[seat]
    view = table.own.view(seat)
    (last,) = table.game.legal(view, seat)
    assert table.game.revokes(view, seat, last) == ()
    circle.spread(table.own.play(seat, last))
    assert verdict(circle).cheats == ()


def test_another_clients_secrets_are_another_hand() -> None:
    """Who starts again with secrets that are not its own cannot play its hand, nor another's."""
    circle, seat, hands, own = turn()
    assert hands.own(seat, Secrets.from_seed(b"x"), circle.scheme) == {}
    assert own
