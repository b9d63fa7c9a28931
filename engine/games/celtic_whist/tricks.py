"""The tricks of a round of Celtic Whist: what may be played, and what a card does."""

from engine.game import Action
from engine.games.celtic_whist.cards import (
    BYTES,
    PLAYED,
    STRENGTH_AFTER,
    SUITED,
    UNKNOWN,
    texts,
)
from engine.games.celtic_whist.deals import unseen
from engine.games.celtic_whist.scoring import score_alone, score_round
from engine.games.celtic_whist.state import ORDER, PLAY, State, follows
from engine.house import build


def playable(state: State) -> tuple[Action, ...]:
    """Return the cards that the seat to act may play."""
    _, _, seat, trump, _, hands, unknown, _, _, _, follow = state
    hand = hands[seat - 1]
    if unknown[seat - 1]:
        return texts(trump, hand | unseen(state))
    suited = hand & follow
    return SUITED[trump][suited] if suited else texts(trump, hand)


def play(state: State, action: Action) -> State:
    """Return the state after the seat to act has played a card; the last card of a round scores it."""
    standing, _, seat, trump, bids, hands, unknown, plays, leads, dummy, follow = state
    bit, card = PLAYED[trump][action]
    left = hands[seat - 1]
    if left & bit:
        changed = list(hands)
        left = changed[seat - 1] = left ^ bit
        hands = tuple(changed)
    else:
        unknown = bytes((*unknown[: seat - 1], unknown[seat - 1] - 1, *unknown[seat:]))
    plays += card
    seats = standing.seats
    players = len(seats)
    if players == 1:
        return _answer(state._replace(hands=hands, unknown=unknown, plays=plays))
    leader = leads[-1]
    if seat == leader:
        follow = follows(standing.rules, trump, plays[-1])
    order = ORDER[seats]
    after = order[seat][1]
    if after != leader:
        return build(State, (standing, PLAY, after, trump, bids, hands, unknown, plays, leads, dummy, follow))
    winner = order[leader][winning(trump, plays[-players:])]
    leads += BYTES[winner]
    state = build(State, (standing, PLAY, winner, trump, bids, hands, unknown, plays, leads, dummy, 0))
    return state if left or unknown[seat - 1] else score_round(state)


def winning(trump: int, trick: bytes) -> int:
    """Return the place of the highest card in a trick, its cards in the order played."""
    values = trick.translate(STRENGTH_AFTER[trump][trick[0]])
    return values.index(max(values))


def _answer(state: State) -> State:
    """Return the state when a solitaire player has answered: the dummy leads again, or the round is scored."""
    led, answer = state.plays[-2:]
    won = led != UNKNOWN and winning(state.trump, bytes((led, answer)))
    state = state._replace(leads=state.leads + BYTES[won])
    if state.dummy:
        follow = follows(state.standing.rules, state.trump, state.dummy[0])
        return state._replace(plays=state.plays + state.dummy[:1], dummy=state.dummy[1:], follow=follow)
    return score_alone(state)
