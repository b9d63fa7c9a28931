"""A round that the end of the game broke off: the winner opens its hand, so that it can be audited."""

import pytest
from fast_deck import PRIME
from protocol._event import KEYING, MOVE, RESULT, SHARE_BYTES
from replicas import events_of
from whist import play_to, reach, restarted, revoke, share, verdict, whist

from protocol import Secrets

NOT_AUDITED = "last round not audited"


def broken_off(cards=6, *, revokes=False, fast=True, operators=None, **options):
    """A round between two in which so many cards lie on the table, or one more, and seat 1 is to act."""
    circle = play_to(whist(2, fast=fast, operators=operators, **options), 0)
    guilty = revoke(circle, 2, cards) if revokes else []
    while len(circle[1].state.plays) < cards or circle.mover != 1:
        guilty += revoke(circle, 2 if revokes else 0, len(circle[1].state.plays) + 1)
    return circle, guilty


def resigned(circle):
    """The game is over, and nobody has signed the result."""
    circle.spread(circle[1].resign(1))
    assert circle[1].fold.position.result.winners == (2,)
    return circle


def kept(circle, seat):
    """The positions of the cards that a seat still holds."""
    hands = circle[1].fold.position.hands
    owners = hands.dealing.deal.owners
    return [at for at, owner in enumerate(owners) if owner == seat and at not in hands.opened]


def result_of(circle, seat):
    (event,) = [event for event in circle[seat].chains[seat - 1] if event.kind == RESULT]
    return event


def said(report, words):
    return [line for line in report.lines if words in line]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("cards", [1, 6, 28])
def test_a_winner_opens_its_hand(cards, fast):
    """Rule 15: with its RESULT it shows what it still held, and everybody can tell that it followed suit."""
    circle, _ = broken_off(cards, fast=fast)
    resigned(circle)
    report = verdict(circle)
    assert said(report, "last round audited for seat 2")
    assert not said(report, NOT_AUDITED)
    assert report.cheats == ()
    assert report.signed_by == (1, 2)
    (shares,) = result_of(circle, 2).body
    assert len(shares) == SHARE_BYTES * len(kept(circle, 2)) > 0
    hands = circle[1].fold.position.hands
    own = hands.own(2, circle[2].secrets, circle.scheme)
    assert hands.shown(2, shares, circle.scheme) == tuple(own[at] for at in kept(circle, 2))


@pytest.mark.parametrize("revokes", [False, True])
def test_the_hand_of_who_resigned_stays_closed(revokes):
    """Rule 15: all that is in the file, the winner's shares included, opens no card of another seat."""
    circle, _ = broken_off(revokes=revokes)
    resigned(circle)
    verdict(circle)
    hands = circle[2].fold.position.hands
    assert result_of(circle, 1).body == ()
    (shares,) = result_of(circle, 2).body
    for at in kept(circle, 1):
        for start in range(0, len(shares), SHARE_BYTES):
            known = [*hands._others(at), shares[start : start + SHARE_BYTES]]
            assert circle.scheme.open_card(hands.dealing.deck, at, known) is None


def test_a_winner_that_revoked_is_named():
    """Rule 15: with trick and card, by the very event; the result stands, as those who could have won it left."""
    circle, guilty = broken_off(10, revokes=True)
    assert guilty
    resigned(circle)
    report = verdict(circle)
    assert set(report.cheats) == {
        f"seat 2 signed a revoke: {event.body[0]} in trick {trick} (its number {event.number})"
        for event, trick in guilty
    }
    assert (report.result.winners, report.result.reason) == ((2,), "resigned")
    assert said(report, "last round audited for seat 2")
    assert {cheat.event for audit in circle[1].last_round.audits() for cheat in audit.cheats} == {
        event.hash for event, _ in guilty
    }


def test_a_winner_that_shows_nothing_is_not_audited():
    """Rule 15: its result counts all the same, a revoke in its hand or not."""
    circle, _ = broken_off(revokes=True)
    resigned(circle)
    circle.spread(circle.forge(2, RESULT, ()))
    report = verdict(circle)
    assert said(report, NOT_AUDITED)
    assert not said(report, "last round audited")
    assert report.cheats == ()
    assert report.signed_by == (1, 2)


def test_a_hand_is_open_as_soon_as_the_result_is_there():
    """What is known before it is not what is known after it."""
    circle, _ = broken_off()
    resigned(circle)
    assert [audit.whole for audit in circle[1].last_round.audits()] == [False]
    circle.settle()
    assert [audit.whole for audit in circle[1].last_round.audits()] == [True]


@pytest.mark.parametrize("seat", [1, 2])
def test_a_hand_of_which_no_card_was_played_stays_closed(seat):
    """Rule 15: nobody can have revoked in a round that has not begun."""
    circle = play_to(whist(2), 0)
    circle.spread(circle[seat].resign(seat))
    report = verdict(circle)
    assert report.result.winners == (3 - seat,)
    assert result_of(circle, 3 - seat).body == ()
    assert not said(report, "last round")


def another(scheme, hands, at, right):
    """A share that opens another card of the stand-in's deck; its proof is that of the right one."""
    for step in (1, -1):
        lie = ((int.from_bytes(right[:32], "little") + step) % PRIME).to_bytes(32, "little") + right[32:]
        if scheme.open_card(hands.dealing.deck, at, [*hands._others(at), lie]) is not None:
            return lie
    raise AssertionError("a deck has more than one card")


def test_a_false_share_that_opens_another_card_hides_nothing():
    """Rule 15: not what a share opens counts, but what it is proven to be."""
    circle, guilty = broken_off(10, revokes=True)
    resigned(circle)
    assert guilty
    hands = circle[2].fold.position.hands
    lies = [another(circle.scheme, hands, at, share(circle, 2, at)) for at in kept(circle, 2)]
    circle.spread(circle.forge(2, RESULT, (b"".join(lies),)))
    (cheat,) = verdict(circle).cheats
    assert "a wrong share of a card that it still held" in cheat


def false_shares(circle):
    """Shares that do not open what seat 2 held, and what is said of them."""
    right = [share(circle, 2, at) for at in kept(circle, 2)]
    played = circle[2].fold.position.hands.plays[0].body[2]
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
def test_false_shares_with_a_result_are_named(which):
    """Rule 15: a false proof is evidence; the round is not audited, and the result stands and is confirmed."""
    circle, _ = broken_off()
    resigned(circle)
    shares, words = false_shares(circle)[which]
    event = circle.forge(2, RESULT, (b"".join(shares),))
    circle.spread(event)
    report = verdict(circle)
    assert report.cheats == (f"seat 2 signed {words} (its number {event.number})",)
    assert said(report, NOT_AUDITED)
    assert (report.result.winners, report.signed_by) == ((2,), (1, 2))


def test_the_first_result_is_the_one_that_shows():
    """Rule 15: who confirms again later, with other shares or with none, changes nothing."""
    circle, _ = broken_off()
    resigned(circle)
    circle.settle()
    for body in ((), (bytes(SHARE_BYTES),)):
        circle.spread(circle.forge(2, RESULT, body))
    report = verdict(circle)
    assert said(report, "last round audited for seat 2")
    assert report.cheats == ()


def test_a_restart_before_the_result_shows_the_same_bytes():
    """Rule 15: shares follow from the secrets and from what they are of; without the secrets none are shown."""
    circle, _ = broken_off()
    resigned(circle)
    events = events_of(circle[2])
    secrets = Secrets.unpacked(circle[2].secrets.packed())
    before = circle[2].duties()
    assert [event.kind for event in before] == [RESULT]
    assert [event.raw for event in restarted(circle, circle[2], events, secrets).duties()] == [before[0].raw]
    forgotten = restarted(circle, circle[2], events, secrets.moved_on(secrets.deal + 1))
    assert [event.body for event in forgotten.duties()] == [()]


def test_a_game_that_a_cheat_ends_is_audited():
    """Rule 15: being condemned for a card that one does not hold is resigning."""
    circle, _ = broken_off()
    theirs = kept(circle, 2)[0]
    mine = circle[2]._cards(2, circle[2].fold.position.hands)[theirs]
    circle.spread(circle.forge(1, MOVE, (mine, theirs, share(circle, 1, theirs))))
    report = verdict(circle)
    assert len(report.cheats) == 1
    assert said(report, "last round audited for seat 2")


def test_a_round_abandoned_before_stays_closed():
    """Rule 15: where the game ended later, or two left at once, nobody opens a hand of a round that did not count."""
    later = play_to(whist(), 7)
    later.spread(later[3].resign(3))
    reach(later, KEYING)
    later.spread(later[1].resign(1))
    both = play_to(whist(), 7)
    for event in [both[seat].resign(seat) for seat in (1, 2)]:
        both.spread(event)
    for ended in (later, both):
        report = verdict(ended)
        assert len(report.result.winners) == 1
        assert result_of(ended, report.result.winners[0]).body == ()
        assert not said(report, "last round audited")
        assert said(report, NOT_AUDITED)


def test_a_team_that_is_left_with_one_shows_nothing():
    """Nobody has won, so nobody can have won by a revoke."""
    circle, _ = broken_off(cooperative=True)
    circle.spread(circle[1].resign(1))
    report = verdict(circle)
    assert report.result.winners == ()
    assert result_of(circle, 2).body == ()
    assert said(report, NOT_AUDITED)


def test_a_bot_that_wins_is_audited():
    """Rule 15: its operator's client signs for it."""
    circle = play_to(whist(3, operators=(1, 1, 3)), 0)
    circle.spread(circle[1].resign(1))
    circle.settle()
    play_to(circle, 4)
    circle.spread(circle[3].resign(3))
    report = verdict(circle)
    assert report.result.winners == (2,)
    assert said(report, "last round audited for seat 2")
