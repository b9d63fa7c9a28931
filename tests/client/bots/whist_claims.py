"""What each sentence of a reason claims of a bid or a card of Celtic Whist, in terms of the engine."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from engine import Turn
from engine.games.celtic_whist import (
    BLACK,
    CARD,
    COOPERATIVE,
    GAME,
    SPOKEN,
    SUIT_OF,
    State,
    deck,
    members,
    number,
    score,
    size,
    taken,
    winning,
)

if TYPE_CHECKING:
    from claims import Claim


def trick_end(claim: "Claim") -> tuple[str, bool]:
    """Return the colour that takes the trick if the others play what they first may, and whether the card was last."""
    game = claim.game
    state = game.complete(claim.view, Random(1))
    told: list[str] = []
    count, action = 0, claim.thought.action
    while not (done := [text for text in told if text.endswith("takes the trick.")]):
        due = game.pending(state)
        assert isinstance(due, Turn)
        action = action if not count else game.legal(state, due.seat)[0]
        told += [event.text for event in game.story(state, due.seat, action)]
        state, count = game.apply(state, due.seat, action), count + 1
    return done[0].removesuffix(" takes the trick."), count == 1


# The cards, as the seat sees them


def played(claim: "Claim") -> int:
    """Return the card that is spoken of."""
    card: int = CARD[claim.view.trump][claim.thought.action]
    return card


def on_table(claim: "Claim") -> list[tuple[int, int]]:
    """Return the trick before the card as (seat, card), seat 0 for the dummy."""
    view = claim.view
    seats = [*view.standing.seats]
    if len(seats) == 1:
        return [(0, view.plays[-1])]
    held = len(view.plays) % len(seats)
    leader = seats.index(view.leads[-1])
    return [(seats[(leader + at) % len(seats)], view.plays[len(view.plays) - held + at]) for at in range(held)]


def legal(claim: "Claim") -> list[int]:
    return [CARD[claim.view.trump][name] for name in claim.game.legal(claim.view, claim.seat)]


def own(claim: "Claim") -> set[int]:
    """Return the cards that stay in the hand."""
    return {*members(claim.view.hands[claim.seat - 1])} - {played(claim)}


def unseen(claim: "Claim") -> set[int]:
    return {*deck(claim.view.standing)} - {*claim.view.plays} - own(claim) - {played(claim)}


def suit(claim: "Claim", card: int) -> int:
    found: int = SUIT_OF[claim.view.trump][card]
    return found


def is_trump(claim: "Claim", card: int) -> bool:
    trump: int = claim.view.trump
    return suit(claim, card) == trump


def takes_so_far(claim: "Claim", *cards: int) -> bool:
    """Return whether the last of some cards wins the trick when they are played to it one after the other."""
    trick = [*(card for _, card in on_table(claim)), *cards]
    best: int = winning(claim.view.trump, bytes(trick))
    return best == len(trick) - 1


def beaten_by(claim: "Claim") -> set[int]:
    """Return the unseen cards that beat the card."""
    return {card for card in unseen(claim) if takes_so_far(claim, played(claim), card)}


def is_last(claim: "Claim") -> bool:
    return len(on_table(claim)) + 1 == max(len(claim.view.standing.seats), 2)


# What the seat aims at


def wanted(view: State, seat: int, more: int = 0) -> int:
    """Return how many tricks a seat wants when it has taken so many `more`; less than 0 if it has too many."""
    short: int = min(max(view.bids[seat - 1], 0), size(view.standing)) - taken(view, seat) - more
    return short


def points(view: State, seat: int, more: int) -> int:
    """Return the total of a seat if it takes so many more tricks in this round."""
    standing = view.standing
    won = score(standing.rules, size(standing), view.bids[seat - 1], taken(view, seat) + more)
    return max(0, standing.totals[seat - 1] + won)


def aim(claim: "Claim", taker: int | None = None) -> str:
    """Return what the seat aims at, now or when `taker`, 0 for the dummy, has the trick: `take`, `avoid` or neither."""
    view, seat = claim.view, claim.seat
    left = len(own(claim)) + (taker is None)
    if view.standing.rules & COOPERATIVE:
        short = {one: wanted(view, one, one == taker) for one in view.standing.seats}
        possible = left and min(short.values()) >= 0 and sum(short.values()) == left
        return "" if not possible else "take" if short[seat] else "avoid"
    more = int(taker == seat)
    if 0 < wanted(view, seat, more) <= left:
        return "take"
    lost = wanted(view, seat, more) > 0
    return "avoid" if left and not lost and points(view, seat, more + 1) < points(view, seat, more) else ""


def aims_after(claim: "Claim") -> set[str]:
    """Return what the seat may aim at when the trick is over, whoever may take it; without nothing."""
    seats, trick, card = [*claim.view.standing.seats], on_table(claim), played(claim)
    at = seats.index(claim.seat)
    later = [] if len(seats) == 1 else [seats[(at + on) % len(seats)] for on in range(1, len(seats) - len(trick))]
    if takes_so_far(claim, card):
        takers = [claim.seat, *(later if beaten_by(claim) else [])]
    else:
        takers = [trick[winning(claim.view.trump, bytes(one for _, one in trick))][0], *later]
    return {aim(claim, taker) for taker in takers} - {""}


# What each sentence means


def takes_trick(claim: "Claim", *_: str) -> None:
    assert trick_end(claim) == (claim.game.colours[claim.seat - 1], True)


def only_taker(claim: "Claim", *_: str) -> None:
    takes_trick(claim)
    assert [card for card in legal(claim) if takes_so_far(claim, card)] == [played(claim)]
    assert len(legal(claim)) > 1
    assert aim(claim) == "take"


def with_lowest(claim: "Claim", *_: str) -> None:
    takes_trick(claim)
    others = [card for card in legal(claim) if takes_so_far(claim, card) and card != played(claim)]
    assert others
    assert all(takes_so_far(claim, played(claim), card) for card in others)
    assert aim(claim) == "take"
    assert aims_after(claim) == {"take"}


def with_highest(claim: "Claim", *_: str) -> None:
    takes_trick(claim)
    others = [card for card in legal(claim) if takes_so_far(claim, card) and card != played(claim)]
    assert others
    assert not any(takes_so_far(claim, played(claim), card) for card in others), "its second copy is no higher"
    assert aim(claim) == "take" or len(others) + 1 == len(legal(claim))
    assert aims_after(claim) == {"avoid"}


def keeps_from_bid(claim: "Claim", colour: str) -> None:
    """The rival could make the bid with all tricks that are left, and this seat takes one of them for sure."""
    rival, left = GAME.colours.index(colour) + 1, len(own(claim)) + 1
    assert trick_end(claim)[0] == claim.game.colours[claim.seat - 1] != colour
    assert is_last(claim) or not beaten_by(claim)
    assert not claim.view.standing.rules & COOPERATIVE
    assert left - 1 < wanted(claim.view, rival) <= left


def beats(claim: "Claim", *_: str) -> None:
    """Nobody who has played in this trick takes it."""
    assert on_table(claim)
    assert not is_last(claim)
    assert trick_end(claim)[0] not in {GAME.colours[seat - 1] for seat, _ in on_table(claim)}


def not_to_be_beaten(claim: "Claim", *_: str) -> None:
    assert takes_so_far(claim, played(claim))
    assert not is_last(claim)
    assert not beaten_by(claim)
    assert trick_end(claim)[0] == claim.game.colours[claim.seat - 1]
    assert aim(claim) == "take"


def takes_unbeaten(claim: "Claim", *_: str) -> None:
    assert takes_so_far(claim, played(claim))
    assert not is_last(claim)
    assert not beaten_by(claim)
    assert trick_end(claim)[0] == claim.game.colours[claim.seat - 1]
    assert aim(claim) != "take"


def beaten_by_trumps(claim: "Claim", *_: str) -> None:
    card, led = played(claim), (on_table(claim) or [(claim.seat, played(claim))])[0][1]
    assert takes_so_far(claim, card)
    assert not is_last(claim)
    assert beaten_by(claim)
    assert all(is_trump(claim, one) for one in beaten_by(claim))
    assert not is_trump(claim, card)
    assert suit(claim, led) != BLACK, "where it is led trumps are mere numbers"
    assert aim(claim) == "take"


def lowest_of_suit(claim: "Claim", colour: str) -> None:
    card = played(claim)
    same = {one for one in unseen(claim) if suit(claim, one) == suit(claim, card)}
    assert not on_table(claim)
    assert SPOKEN[suit(claim, card)] == colour != "black"
    assert same
    assert same <= beaten_by(claim)
    assert aim(claim) == "avoid"


def beaten_by_some(claim: "Claim", some: str = "", of: str = "") -> None:
    assert takes_so_far(claim, played(claim))
    assert not is_last(claim)
    many, all_ = len(beaten_by(claim)), len(unseen(claim))
    assert many
    assert (many, all_) == (int(some), int(of)) if some else many == all_


def loses_trick(claim: "Claim", *_: str) -> None:
    assert trick_end(claim)[0] != claim.game.colours[claim.seat - 1]
    assert not takes_so_far(claim, played(claim))


def leaves_trick(claim: "Claim", colour: str) -> None:
    assert trick_end(claim) == ("The dummy" if colour == "the dummy" else colour, True)
    assert colour != claim.game.colours[claim.seat - 1]


def leaves_to_partner(claim: "Claim", colour: str, short: str) -> None:
    leaves_trick(claim, colour)
    assert claim.view.standing.rules & COOPERATIVE
    assert wanted(claim.view, GAME.colours.index(colour) + 1) == int(short) > 0
    assert aim(claim)


def too_many_for(claim: "Claim", colour: str) -> None:
    leaves_trick(claim, colour)
    rival = GAME.colours.index(colour) + 1
    assert wanted(claim.view, rival) <= 0
    assert points(claim.view, rival, 1) < points(claim.view, rival, 0)
    assert not claim.view.standing.rules & COOPERATIVE
    could = any(takes_so_far(claim, card) for card in legal(claim))
    assert aims_after(claim) == {aim(claim)} - {""} or not could, "it does not give the own bid up"


def losing(claim: "Claim") -> list[int]:
    return [card for card in legal(claim) if not takes_so_far(claim, card)]


def only_loser(claim: "Claim", *_: str) -> None:
    assert losing(claim) == [played(claim)]
    assert len(legal(claim)) > 1
    assert aim(claim) == "avoid"
    assert aims_after(claim) == {"avoid"}


def rid_of_trump(claim: "Claim", *_: str) -> None:
    loses_trick(claim)
    assert is_trump(claim, played(claim))
    assert not all(is_trump(claim, card) for card in losing(claim))
    assert aim(claim) == "avoid"
    assert aims_after(claim) == {"avoid"}


def rid_of_highest(claim: "Claim", *_: str) -> None:
    loses_trick(claim)
    assert number(played(claim)) == max(map(number, losing(claim)))
    assert len(losing(claim)) > 1
    assert aim(claim) == "avoid"
    assert aims_after(claim) == {"avoid"}


def gives_up_lowest(claim: "Claim", *_: str) -> None:
    loses_trick(claim)
    cards = legal(claim)
    assert losing(claim) == cards
    assert number(played(claim)) == min(map(number, cards))
    assert not is_trump(claim, played(claim)) or all(is_trump(claim, card) for card in cards)
    assert aim(claim) == "take"
    assert aims_after(claim) == {"take"}


def saves_trump(claim: "Claim", *_: str) -> None:
    assert on_table(claim)
    assert not is_trump(claim, played(claim))
    assert any(is_trump(claim, card) for card in legal(claim))
    assert aims_after(claim) == {"take"}


def is_void(claim: "Claim", colour: str) -> None:
    """The hand has no more card of the colour, which others may lead and which must be followed."""
    gone = suit(claim, played(claim))
    assert SPOKEN[gone] == colour != "black"
    assert gone != claim.view.trump
    assert not any(suit(claim, card) == gone for card in own(claim))
    assert any(suit(claim, card) == gone for card in unseen(claim))


def void_to_trump(claim: "Claim", colour: str, later: str) -> None:
    assert colour == later
    is_void(claim, colour)
    assert any(is_trump(claim, card) for card in own(claim))
    assert aims_after(claim) == {"take"}


def void_to_throw(claim: "Claim", colour: str, later: str) -> None:
    assert colour == later
    is_void(claim, colour)
    assert not all(is_trump(claim, card) for card in own(claim))
    assert aims_after(claim) == {"avoid"}


def wants(claim: "Claim", count: str) -> None:
    assert wanted(claim.view, claim.seat) == (0 if count == "no" else int(count)) <= len(own(claim)) + 1


def has_too_many(claim: "Claim") -> None:
    assert wanted(claim.view, claim.seat) < 0


def cannot_be_made(claim: "Claim") -> None:
    assert wanted(claim.view, claim.seat) > len(own(claim)) + 1


def team_wants(claim: "Claim", count: str) -> None:
    others = [seat for seat in claim.view.standing.seats if seat != claim.seat]
    assert sum(max(0, wanted(claim.view, seat)) for seat in others) == (0 if count == "none" else int(count))


def brings_points(claim: "Claim", others: str) -> None:
    assert (len(claim.view.standing.seats) == 2) == (others == "the other player")


def all_come_out(claim: "Claim", came_out: str, deals: str) -> None:
    assert int(came_out) <= int(deals)
    held = claim.view.hands[claim.seat - 1].bit_count()
    assert not int(came_out) or sum(max(0, wanted(claim.view, seat)) for seat in claim.view.standing.seats) <= held


def tried(claim: "Claim", came_out: str, deals: str, tricks: str) -> None:
    said = claim.thought.action.split()
    assert (0 if said[0] == "null" else int(said[1])) == (0 if tricks == "no" else int(tricks))
    assert int(came_out) <= int(deals)


def null_brings(claim: "Claim", worth: str, unless: str | None = None) -> None:
    assert claim.thought.action == f"null {worth}"
    rivals = [bid for seat, bid in enumerate(claim.view.bids, 1) if seat != claim.seat]
    assert bool(unless) == (bool(rivals) and max(rivals) <= 0)


def null_costs(claim: "Claim", cost: str) -> None:
    standing = claim.view.standing
    total = standing.totals[claim.seat - 1]
    if claim.thought.action.startswith(("bid ", "double")):
        assert (total, cost) == (0, "costs nothing, since there are no points to lose")
        assert len(standing.seats) > 1
        assert not standing.rules & COOPERATIVE
        return
    after = max(total - int(claim.thought.action.split()[1]), 0)
    if cost == "loses the game":
        assert (len(standing.totals), after) == (1, 0)
    else:
        assert total - after == (0 if cost == "costs nothing, since there are no points to lose" else int(cost[6:]))
        assert after or len(standing.totals) > 1


def lost_for_nothing(claim: "Claim") -> None:
    """Whatever follows, the bid fails, and the total is 0 as before."""
    cannot_be_made(claim)
    standing, seat = claim.view.standing, claim.seat
    assert standing.totals[seat - 1] == 0
    assert len(standing.seats) > 1
    assert not standing.rules & COOPERATIVE


def spoilt(claim: "Claim", some: str, of: str) -> None:
    """So many bids of those that came out, a larger part of null bids; of a team, and of two players, none."""
    null, seats = claim.thought.action.startswith("null"), len(claim.view.standing.seats)
    assert int(some) / int(of) == {(True, True): 0.6, (False, False): 0.15}.get((null, seats == 3), 0.3)
    assert not claim.view.standing.rules & COOPERATIVE
    assert seats > 2


def said(claim: "Claim", *_: str) -> None:
    """It names nothing but what follows."""


WHIST: dict[str, Callable[..., None]] = {
    r"takes the trick": takes_trick,
    r"is the only card that takes the trick": only_taker,
    r"takes the trick with the lowest card that does": with_lowest,
    r"takes the trick with the highest card that does": with_highest,
    r"keeps (\w+) from making the bid": keeps_from_bid,
    r"beats the cards that lie there": beats,
    r"cannot be beaten any more": not_to_be_beaten,
    r"takes the trick, since no unseen card beats it": takes_unbeaten,
    r"can only be beaten by a trump": beaten_by_trumps,
    r"is lower than every unseen (\w+) card": lowest_of_suit,
    r"can be beaten by every unseen card": beaten_by_some,
    r"can be beaten by (\d+) of the (\d+) unseen cards": beaten_by_some,
    r"cannot take the trick": loses_trick,
    r"leaves the trick to (the dummy|\w+)": leaves_trick,
    r"leaves the trick to (\w+), who still wants (\d+)": leaves_to_partner,
    r"gives (\w+) a trick too many": too_many_for,
    r"is the only card that cannot take the trick": only_loser,
    r"gets rid of a trump": rid_of_trump,
    r"gets rid of the highest number that cannot take the trick": rid_of_highest,
    r"gives up the lowest number that may be played": gives_up_lowest,
    r"saves a trump": saves_trump,
    r"leaves no (\w+) card in the hand, so that (\w+) can be trumped later": void_to_trump,
    r"leaves no (\w+) card in the hand, so that other cards can be thrown on (\w+) later": void_to_throw,
    r"(no|\d+) more tricks? (?:is|are) wanted": wants,
    r"too many tricks are taken already": has_too_many,
    r"the bid cannot be made any more": cannot_be_made,
    r"which costs nothing without points to lose": lost_for_nothing,
    r"the others of the team (none|\d+)": team_wants,
    r"brings -?[\d.]+ points on average, (each other player|the other player) -?[\d.]+": brings_points,
    r"lets all bids come out in (\d+) of (\d+) deals that were played out": all_come_out,
    r"comes out in (\d+) of (\d+) deals played for (?:exactly )?(no|\d+) tricks?": tried,
    r"but rivals who think spoil about (\d+) in (\d+) of these": spoilt,
    r"to a team all null bids count alike": said,
    r"brings (\d+) points? then(, unless all bid null)?": null_brings,
    r"stands first by the points that (?:it wins and costs|all players then have) on average": said,
    r"otherwise it (costs \d+|costs nothing, since there are no points to lose|loses the game)": null_costs,
}
"""Every sentence that the reason of a bid or a card may be made of, but that it goes for every card."""
