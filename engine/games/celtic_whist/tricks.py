"""The tricks of a round of Celtic Whist: who takes one, and how a solitaire round goes on after it."""

from engine.games.celtic_whist.cards import BYTES, STRENGTH_AFTER, UNKNOWN
from engine.games.celtic_whist.scoring import score_alone
from engine.games.celtic_whist.state import State, follows


def winning(trump: int, trick: bytes) -> int:
    """Return the place of the highest card in a trick, its cards in the order played."""
    values = trick.translate(STRENGTH_AFTER[trump][trick[0]])
    return values.index(max(values))


def answered(state: State) -> State:
    """Return the state when a solitaire player has answered: the dummy leads again, or the round is scored."""
    led, answer = state.plays[-2:]
    won = led != UNKNOWN and winning(state.trump, bytes((led, answer)))
    state = state._replace(leads=state.leads + BYTES[won])
    if state.dummy:
        follow = follows(state.standing.rules, state.trump, state.dummy[0])
        return state._replace(plays=state.plays + state.dummy[:1], dummy=state.dummy[1:], follow=follow)
    return score_alone(state)
