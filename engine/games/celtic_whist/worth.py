"""The worth of a state of Celtic Whist, for simple bots, in hundredths of a point."""

from engine.games.celtic_whist.cards import BLACK, SUIT_OF, TRILITHON, TRUMPS, members, number
from engine.games.celtic_whist.state import BID, COOPERATIVE, HARD, NULL_MAX, PLAY, State, size, taken
from engine.games.celtic_whist.tricks import winning

WIN = 100_000


def _chances(trump: int, rivals: int) -> tuple[int, ...]:
    """Return for each card the chance, in hundredths, that it takes a trick against so many others."""
    found = []
    for card in range(TRILITHON + 1):
        value, suit = number(card), SUIT_OF[trump][card]
        if suit == trump:
            one = 55 + 3 * value // 2
        elif suit == BLACK:
            one = value + max(0, value - 18) * 3
        else:
            one = value * 3
        chance = min(one, 100)
        for _ in range(rivals - 1):
            chance = chance * (40 + min(one, 100) * 6 // 10) // 100
        found.append(chance)
    return tuple(found)


CHANCES = tuple(tuple(_chances(trump, rivals) for rivals in range(1, 5)) for trump in TRUMPS)


def worth(state: State, seat: int) -> int:
    """Return the lead of `seat` over its best rival, with what it may hope for from the round in progress."""
    standing = state.standing
    totals, rivals = standing.totals, [one for one in standing.seats if one != seat]
    if state.phase > PLAY:
        return WIN * (1 if seat in standing.seats else -1)
    if standing.rules & COOPERATIVE or len(totals) == 1:
        lead = totals[seat - 1] - standing.timer
    else:
        lead = totals[seat - 1] - max((totals[one - 1] for one in rivals), default=0)
    if seat not in standing.seats:
        return -WIN
    hope = _hope(state, seat) if state.phase in (BID, PLAY) else 0
    return 100 * lead + hope


def _hope(state: State, seat: int) -> int:
    """Return what the bid of `seat` may bring, judged by the tricks it has and those that its cards may take."""
    bid = state.bids[seat - 1]
    if state.phase == BID and bid == 0:
        return 0
    hand = size(state.standing)
    tricks = 100 * taken(state, seat) + _expected(state, seat)
    value = hand if bid == NULL_MAX else abs(bid)
    if bid < 0:
        return -100 * value - tricks if taken(state, seat) else value * (100 - 2 * min(tricks, 150))
    need = 100 * min(value, hand)
    if tricks < need:
        return 100 * value - (need - tricks) * (value + 1)
    extra = tricks - need
    if state.standing.rules & HARD and value:
        return 100 * value - min(extra, 100) * value
    return 100 * value - extra


def _expected(state: State, seat: int) -> int:
    """Return the tricks that a seat may still take, in hundredths."""
    seats, plays = state.standing.seats, state.plays
    players = max(len(seats), 2)
    chances = CHANCES[state.trump][players - 2]
    cards = members(state.hands[seat - 1])
    left = len(cards) + state.unknown[seat - 1]
    expected = sum(chances[card] for card in cards) + 100 * state.unknown[seat - 1] // players
    down = len(plays) % players
    if down and len(seats) > 1:
        trick = plays[-down:]
        best = seats[(seats.index(state.leads[-1]) + winning(state.trump, trick)) % players]
        if best == seat:
            waiting = players - down
            expected += chances[trick[winning(state.trump, trick)]] if waiting else 100
            left += 1
    return min(expected, 100 * left)
