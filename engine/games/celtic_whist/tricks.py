"""The tricks of a round of Celtic Whist: what may be played, and what a card does."""

from engine.game import Action
from engine.games.celtic_whist.cards import (
    BYTES,
    FOLLOW,
    FOLLOW_FREELY,
    PLAYED,
    STRENGTH_AFTER,
    SUITED,
    UNKNOWN,
    texts,
)
from engine.games.celtic_whist.deals import unseen
from engine.games.celtic_whist.scoring import score_alone, score_round
from engine.games.celtic_whist.state import BLACK_FOLLOWS, ORDER, PLAY, State
from engine.house import build

_FOLLOW = {0: FOLLOW_FREELY, BLACK_FOLLOWS: FOLLOW}
"""The cards that follow suit, by the option."""


def playable(state: State) -> tuple[Action, ...]:
    """Return the cards that the seat to act may play."""
    standing, _, seat, trump, _, hands, unknown, plays, _, _ = state
    hand = hands[seat - 1]
    if unknown[seat - 1]:
        return texts(trump, hand | unseen(state))
    players = len(standing.seats)
    held = len(plays) % players if players > 1 else 1
    if held and (led := plays[-held]) != UNKNOWN:
        suited = hand & _FOLLOW[standing.rules & BLACK_FOLLOWS][trump][led]
        if suited:
            return SUITED[trump][suited]
    return texts(trump, hand)


def play(state: State, action: Action) -> State:
    """Return the state after the seat to act has played a card; the last card of a round scores it."""
    standing, _, seat, trump, bids, hands, unknown, plays, leads, dummy = state
    bit, card = PLAYED[trump][action]
    changed = list(hands)
    left = changed[seat - 1] = changed[seat - 1] & ~bit
    if left != hands[seat - 1]:
        hands = tuple(changed)
    else:
        unknown = bytes((*unknown[: seat - 1], unknown[seat - 1] - 1, *unknown[seat:]))
    plays += card
    seats = standing.seats
    players = len(seats)
    if players == 1:
        return _answer(state._replace(hands=hands, unknown=unknown, plays=plays))
    order = ORDER[seats][leads[-1]]
    if down := len(plays) % players:
        return build(State, (standing, PLAY, order[down], trump, bids, hands, unknown, plays, leads, dummy))
    winner = order[winning(trump, plays[-players:])]
    leads += BYTES[winner]
    state = build(State, (standing, PLAY, winner, trump, bids, hands, unknown, plays, leads, dummy))
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
        return state._replace(plays=state.plays + state.dummy[:1], dummy=state.dummy[1:])
    return score_alone(state)
