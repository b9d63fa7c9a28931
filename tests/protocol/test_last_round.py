"""A round that the end of the game broke off: the winner opens its hand, so that it can be audited."""

from collections.abc import Iterable

import pytest
from fast_deck import PRIME
from kinds import expect
from replicas import Circle, events_of
from verdicts import evidence_of, result_of, verdict
from whist import hands_of, own_cards, play_to, reach, revoke, secrets_of, share, whist

import engine
from engine import OptionValue
from protocol import CheatKind, Report, Secrets, SignedEvent, verify
from protocol.cards import Hands
from protocol.cards.deck import DeckScheme
from protocol.events import SHARE_BYTES, SlotKind, bodies
from protocol.transcript import FoundCheat


def broken_off(
    cards: int = 6,
    *,
    revokes: bool = False,
    fast: bool = True,
    operators: Iterable[int] | None = None,
    **options: OptionValue,
) -> tuple[Circle, list[tuple[SignedEvent, int]]]:
    """A round between two in which so many cards lie on the table, or one more, and seat 1 is to act."""
    circle = play_to(whist(2, fast=fast, operators=operators, **options), 0)
    guilty = revoke(circle, 2, cards) if revokes else []
    while len(circle[1].state.plays) < cards or circle.mover != 1:
        guilty += revoke(circle, 2 if revokes else 0, len(circle[1].state.plays) + 1)
    return circle, guilty


def resigned(circle: Circle) -> Circle:
    """The game is over, and nobody has signed the result."""
    circle.spread(circle[1].own.resign(1))
    circle.step()
    assert expect(engine.Result, circle[1].fold.result).winners == (2,)
    return circle


def kept(circle: Circle, seat: int) -> list[int]:
    """The positions of the cards that a seat still holds."""
    hands = hands_of(circle)
    owners = hands.dealing.deal.owners
    return [at for at, owner in enumerate(owners) if owner == seat and at not in hands.opened]


def shown_by(circle: Circle, seat: int) -> bodies.Result:
    """What a seat signed when the game was over: the shares of what it held, if it had to show them."""
    (body,) = [event.body for event in circle[seat].held.chains[seat - 1] if isinstance(event.body, bodies.Result)]
    return body


def audit(report: Report) -> tuple[tuple[int, ...], bool]:
    """The seats of which the whole hand was opened, and whether another one stayed closed."""
    return evidence_of(report).audited, evidence_of(report).unaudited


@pytest.mark.many
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("cards", [1, 6, 26])
def test_a_winner_opens_its_hand(cards: int, fast: bool) -> None:
    """With its RESULT it shows what it still held, and everybody can tell that it followed suit."""
    circle, _ = broken_off(cards, fast=fast)
    resigned(circle)
    report = verdict(circle)
    assert audit(report) == ((2,), False)
    assert report.cheats == ()
    assert report.signed_by == (1, 2)
    shares = shown_by(circle, 2).shares
    assert len(shares) == SHARE_BYTES * len(kept(circle, 2)) > 0
    hands = hands_of(circle)
    own = own_cards(circle, 2)
    assert hands.shown(2, shares, circle.scheme) == tuple(own[at] for at in kept(circle, 2))


@pytest.mark.parametrize("revokes", [False, True])
def test_the_hand_of_who_resigned_stays_closed(revokes: bool) -> None:
    """All that is in the file, the winner's shares included, opens no card of another seat."""
    circle, _ = broken_off(revokes=revokes)
    resigned(circle)
    verdict(circle)
    hands = hands_of(circle)
    assert shown_by(circle, 1) == bodies.Result(b"")
    shares = shown_by(circle, 2).shares
    for at in kept(circle, 1):
        for start in range(0, len(shares), SHARE_BYTES):
            known = [*hands._others(at), shares[start : start + SHARE_BYTES]]
            assert circle.scheme.open_card(hands.dealing.deck, at, known) is None


def test_a_winner_that_revoked_is_named() -> None:
    """With trick and card, by the very event; the result stands, as those who could have won it left."""
    circle, guilty = broken_off(10, revokes=True)
    assert guilty
    resigned(circle)
    report = verdict(circle)
    assert {*report.cheats} == {
        FoundCheat(
            2, event.number, CheatKind.REVOKE, f"a revoke: {expect(bodies.Play, event.body).card} in trick {trick}"
        )
        for event, trick in guilty
    }
    assert result_of(report)[::2] == ((2,), "resigned")
    assert audit(report) == ((2,), False)
    assert {cheat.event for audit in circle[1].own.last_round.audits() for cheat in audit.cheats} == {
        event.hash for event, _ in guilty
    }


def test_a_winner_that_shows_nothing_is_not_audited() -> None:
    """Its result counts all the same, a revoke in its hand or not."""
    circle, _ = broken_off(revokes=True)
    resigned(circle)
    circle.spread(circle.forge(2, bodies.Result(b"")))
    report = verdict(circle)
    assert audit(report) == ((), True)
    assert report.cheats == ()
    assert report.signed_by == (1, 2)


def test_a_hand_is_open_as_soon_as_the_result_is_there() -> None:
    """What is known before it is not what is known after it."""
    circle, _ = broken_off()
    resigned(circle)
    assert [audit.whole for audit in circle[1].own.last_round.audits()] == [False]
    circle.settle()
    assert [audit.whole for audit in circle[1].own.last_round.audits()] == [True]


@pytest.mark.parametrize("seat", [1, 2])
def test_a_hand_of_which_no_card_was_played_stays_closed(seat: int) -> None:
    """Nobody can have revoked in a round that has not begun."""
    circle = play_to(whist(2), 0)
    circle.spread(circle[seat].own.resign(seat))
    report = verdict(circle)
    assert result_of(report).winners == (3 - seat,)
    assert shown_by(circle, 3 - seat) == bodies.Result(b"")
    assert audit(report) == ((), False)


def another(scheme: DeckScheme, hands: Hands, at: int, right: bytes) -> bytes:
    """A share that opens another card of the stand-in's deck; its proof is that of the right one."""
    for step in (1, -1):
        lie = ((int.from_bytes(right[:32], "little") + step) % PRIME).to_bytes(32, "little") + right[32:]
        if scheme.open_card(hands.dealing.deck, at, [*hands._others(at), lie]) is not None:
            return lie
    raise AssertionError("a deck has more than one card")


def test_a_false_share_that_opens_another_card_hides_nothing() -> None:
    """Not what a share opens counts, but what it is proven to be."""
    circle, guilty = broken_off(10, revokes=True)
    resigned(circle)
    assert guilty
    hands = hands_of(circle)
    lies = [another(circle.scheme, hands, at, share(circle, 2, at)) for at in kept(circle, 2)]
    circle.spread(circle.forge(2, bodies.Result(b"".join(lies))))
    (cheat,) = verdict(circle).cheats
    assert "a wrong share of a card that it still held" in cheat.reason


def false_shares(circle: Circle) -> dict[str, tuple[list[bytes], str]]:
    """Shares that do not open what seat 2 held, and what is said of them."""
    right = [share(circle, 2, at) for at in kept(circle, 2)]
    played = expect(bodies.Play, hands_of(circle).plays[0].body).share
    first = kept(circle, 2)[0] + 1
    wrong = f"a wrong share of a card that it still held, position {first} of the deck"
    number = "too few or too many shares of the cards that it still held"
    return {
        "of other cards": ([right[1], right[0], *right[2:]], wrong),
        "of a card played": ([played, *right[1:]], wrong),
        "nonsense": ([bytes(SHARE_BYTES), *right[1:]], wrong),
        "one less": (right[1:], number),
        "one more": ([*right, played], number),
        "one twice": ([right[0], *right], number),
    }


FALSE = ("of other cards", "of a card played", "nonsense", "one less", "one more", "one twice")


@pytest.mark.parametrize("which", FALSE)
def test_false_shares_with_a_result_are_named(which: str) -> None:
    """A false proof is evidence; the round is not audited, and the result stands and is confirmed."""
    circle, _ = broken_off()
    resigned(circle)
    shares, words = false_shares(circle)[which]
    event = circle.forge(2, bodies.Result(b"".join(shares)))
    circle.spread(event)
    report = verdict(circle)
    assert report.cheats == (FoundCheat(2, event.number, CheatKind.REVOKE, words),)
    assert audit(report) == ((), True)
    assert (result_of(report).winners, report.signed_by) == ((2,), (1, 2))


def test_the_first_result_is_the_one_that_shows() -> None:
    """Who confirms again later, with other shares or with none, changes nothing."""
    circle, _ = broken_off()
    resigned(circle)
    circle.settle()
    for body in (bodies.Result(b""), bodies.Result(bytes(SHARE_BYTES))):
        circle.spread(circle.forge(2, body))
    report = verdict(circle)
    assert audit(report) == ((2,), False)
    assert report.cheats == ()


def test_a_restart_before_the_result_shows_the_same_bytes() -> None:
    """Shares follow from the secrets and from what they are of; without the secrets none are shown."""
    circle, _ = broken_off()
    resigned(circle)
    events = events_of(circle[2])
    secrets = Secrets.unpacked(secrets_of(circle, 2).packed())
    (before,) = circle[2].own.duties()
    assert len(expect(bodies.Result, before.body).shares) == SHARE_BYTES * len(kept(circle, 2))
    assert [event.raw for event in circle.client(2, events, secrets).own.duties()] == [before.raw]
    for without in (secrets.moved_on(secrets.deal + 1), Secrets.from_seed(b"another")):
        assert [event.body for event in circle.client(2, events, without).own.duties()] == [bodies.Result(b"")]


def test_a_game_that_a_cheat_ends_is_audited() -> None:
    """Being condemned for a card that one does not hold is resigning."""
    circle, _ = broken_off()
    theirs = kept(circle, 2)[0]
    circle.spread(circle.forge(1, bodies.Play(own_cards(circle, 2)[theirs], theirs, share(circle, 1, theirs))))
    report = verdict(circle)
    assert [(one.seat, one.kind) for one in report.cheats] == [(1, "breach")]
    assert audit(report) == ((2,), False)


def test_a_round_abandoned_before_stays_closed() -> None:
    """Where the game ended later, or two left at once, nobody opens a hand of a round that did not count."""
    later = play_to(whist(), 7)
    later.spread(later[3].own.resign(3))
    reach(later, SlotKind.KEY)
    later.spread(later[1].own.resign(1))
    both = play_to(whist(), 7)
    for event in [both[seat].own.resign(seat) for seat in (1, 2)]:
        both.spread(event)
    for ended, begun in ((later, False), (both, True)):
        report = verdict(ended)
        assert len(result_of(report).winners) == 1
        assert shown_by(ended, result_of(report).winners[0]) == bodies.Result(b"")
        assert audit(report) == ((), begun), "in the round that was dealt anew no card was played"


@pytest.mark.parametrize("shares", [b"", bytes(SHARE_BYTES)])
def test_a_result_is_withheld_or_shows_what_nobody_asked_for(shares: bytes) -> None:
    """A winner that signs no result, or another seat that shows a share with its own, changes nothing."""
    circle, _ = broken_off()
    resigned(circle)
    if shares:
        circle.spread(circle.forge(1, bodies.Result(shares)))
    else:
        circle.spread(circle.owed(circle[1])[0])
    report = verify(circle.files[0], circle.verifier, scheme=circle.scheme)
    assert (report.ok, result_of(report).winners, report.signed_by) == (True, (2,), (1,))
    assert report.cheats == ()
    assert audit(report) == ((), True)
    assert circle[1].fold.owing() == (2,)


def test_a_team_that_is_left_with_one_shows_nothing() -> None:
    """Nobody has won, so nobody can have won by a revoke."""
    circle, _ = broken_off(cooperative=True)
    circle.spread(circle[1].own.resign(1))
    report = verdict(circle)
    assert result_of(report).winners == ()
    assert shown_by(circle, 2) == bodies.Result(b"")
    assert audit(report) == ((), True)


def test_a_bot_that_wins_is_audited() -> None:
    """Its operator's client signs for it."""
    circle = play_to(whist(3, operators=(1, 1, 3)), 0)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    play_to(circle, 4)
    circle.spread(circle[3].own.resign(3))
    report = verdict(circle)
    assert result_of(report).winners == (2,)
    assert audit(report) == ((2,), False)
