"""The story of Celtic Whist: what an action did, in plain sentences."""

from collections.abc import Iterator

from engine.game import Action, Ends, Event
from engine.games.celtic_whist.cards import CARD, COLOURS, NAMES, SPOKEN, UNKNOWN
from engine.games.celtic_whist.revokes import revokes
from engine.games.celtic_whist.scoring import exact
from engine.games.celtic_whist.state import (
    BID,
    COOPERATIVE,
    DEAL,
    EXTRA_ROUNDS,
    GOAL,
    NULL_MAX,
    PLAY,
    REASONS,
    TRUMP,
    State,
    lead_of,
    size,
    taken,
)
from engine.games.celtic_whist.tricks import winning
from engine.words import counted


def told(before: State, after: State, action: Action) -> Iterator[Event]:
    """Yield the sentences about a trump, a deal, a bid or a card, without the end of the game.

    No card is named that is not yet shown.
    """
    if before.phase == TRUMP:
        yield Event(f"Trump is {SPOKEN[after.trump]}: {action.split()[1]} joins the deck.")
    elif before.phase == DEAL:
        yield _dealt(after)
    elif before.phase == BID:
        yield from _bid(before, action, after)
    else:
        yield from _played(before, action, after)


def told_resignation(before: State, after: State, does: str) -> Iterator[Event]:
    """Yield the sentences about a resignation, which `does` tells of, without the end of the game."""
    yield Event(f"{does}.")
    if before.phase > TRUMP and after.phase <= PLAY:
        yield Event("The round is abandoned and does not count.", (), Ends.ABANDONED)


def told_end(after: State, reason: str = "") -> Event:
    """Return the sentence about the end of a game, with the usual `reason` by default."""
    winners = [COLOURS[seat - 1] for seat in after.standing.seats]
    reason = reason or REASONS[after.phase]
    if not winners:
        alone, team = len(after.standing.totals) == 1, after.standing.rules & COOPERATIVE
        loser = f"{COLOURS[0]} loses" if alone else "The team loses" if team else "Nobody wins"
        return Event(f"{loser}: {reason}.")
    return Event(f"{' and '.join(winners)} win{'s' * (len(winners) == 1)}: {reason}.")


def _dealt(after: State) -> Event:
    count, first = size(after.standing), COLOURS[after.seat - 1]
    if len(after.bids) == 1:
        return Event(f"{count} cards each are dealt to {first} and to the dummy.")
    return Event(f"{count} cards are dealt to each; {first} bids first.")


def _bid(before: State, action: Action, after: State) -> Iterator[Event]:
    shown = action.replace("bid ", "")
    yield Event(f"{COLOURS[before.seat - 1]} bids {shown}.")
    if after.phase != PLAY:
        return
    if len(after.bids) == 1:
        yield from _dummy_leads(after)
        return
    if not any(after.bids):
        yield Event("All bids are null: every bid is 0 now, and each trick costs a point.")
    for seat in before.standing.seats:
        if NULL_MAX in (before.bids[seat - 1], (seat == before.seat) * (action == "null max") * NULL_MAX):
            worth = -after.bids[seat - 1]
            if worth:
                yield Event(f"{COLOURS[seat - 1]}'s null max is worth {worth}.")
    yield Event(f"{COLOURS[after.seat - 1]} leads.")


def _played(before: State, action: Action, after: State) -> Iterator[Event]:
    standing, seat, trump = before.standing, before.seat, before.trump
    colour = COLOURS[seat - 1]
    yield Event(f"{colour} plays {action}.", (action,))
    plays = before.plays + bytes((CARD[trump][action],))
    players = len(standing.seats)
    alone = players == 1
    if alone:
        led = lead_of(before)
        winner = int(led != UNKNOWN and winning(trump, plays[-2:]))
        yield Event(f"{colour if winner else 'The dummy'} takes the trick.", (), Ends.TRICK)
    else:
        if len(plays) % players:
            return
        at = standing.seats.index(before.leads[-1]) + winning(trump, plays[-players:])
        winner = standing.seats[at % players]
        yield Event(f"{COLOURS[winner - 1]} takes the trick.", (), Ends.TRICK)
    if after.phase == PLAY:
        if alone:
            yield from _dummy_leads(after)
        return
    yield from _round(before._replace(plays=plays, leads=before.leads + bytes((winner,))), after)


def _dummy_leads(after: State) -> Iterator[Event]:
    led = after.plays[-1]
    if led != UNKNOWN:
        card = NAMES[after.trump][led]
        yield Event(f"The dummy leads {card}.", (card,))


def _round(played: State, after: State) -> Iterator[Event]:
    """Tell how a round came out; `played` is the state when all its cards had been played."""
    standing, trump = played.standing, played.trump
    found = [] if len(played.bids) == 1 else revokes(played)
    for seat, trick, card in found:
        name = NAMES[trump][card]
        yield Event(
            f"{COLOURS[seat - 1]} revoked: {name} in trick {trick}, though it could have followed suit.",
            (name,),
            Ends.ROUND,
        )
    if found:
        for seat in sorted({seat for seat, _, _ in found}):
            yield Event(f"{COLOURS[seat - 1]} leaves the table.", (), Ends.ROUND)
        if after.phase <= PLAY:
            yield Event("The round does not count.", (), Ends.ROUND)
        return
    now = after.standing
    team = standing.rules & COOPERATIVE
    for seat in standing.seats:
        bid, tricks = played.bids[seat - 1], taken(played, seat)
        said = f"{COLOURS[seat - 1]} bid {_worth(bid, size(standing))} and took {tricks}"
        if team:
            yield Event(f"{said}{', as bid' * exact(bid, tricks)}.", (), Ends.ROUND)
        else:
            points = now.won[seat - 1]
            yield Event(f"{said}: {points:+}, now {now.totals[seat - 1]}.", (), Ends.ROUND)
    if team:
        gained = now.totals[0] - standing.totals[0]
        moved = f"The team moves {gained} spaces to {now.totals[0]}." if gained else "The team stays where it is."
        yield Event(moved, (), Ends.ROUND)
    yield Event(f"The timer stands at {now.timer}.")
    if after.phase <= PLAY and now.timer == GOAL and len(now.seats) > 1:
        tied = " and ".join(COLOURS[seat - 1] for seat in now.seats)
        left = EXTRA_ROUNDS - now.extra
        yield Event(f"{tied} are tied and play on, for at most {counted(left, 'more round')}.")


def _worth(bid: int, hand: int) -> str:
    """Return a bid by its worth, as it counts."""
    if bid < 0:
        return f"null {-bid}" if bid != -2 * hand else "null for double"
    return f"{bid}" if bid <= hand else "all for double"
