"""Positions of Celtic Whist for tests of what the screen shows of them."""

import re
from random import Random

from engine import CHANCE, Chance, Deal, OptionValue, Over, Turn
from engine.games.celtic_whist import GAME, State

CARD = re.compile(r"\b(?:[WBGYRK]\d{1,2}'?|T[WBGYR]\b)")


def wander(
    seats: int, seed: int, plies: int, viewer: int = 0, rng: Random | None = None, **options: OptionValue
) -> State:
    """The state that some chance plies lead to, as `viewer` sees it."""
    rng = rng or Random(seed)
    state = GAME.start(options if seats == 1 else {"first": 1, **options}, seats)
    for _ in range(plies):
        due = GAME.pending(state)
        if isinstance(due, Over):
            break
        if isinstance(due, Chance) and isinstance(due.draw, Deal):
            deck = list(due.draw.deck)
            rng.shuffle(deck)
            action = f"deal {' '.join(deck)}"
        else:
            actor = due.seat if isinstance(due, Turn) else CHANCE
            action = rng.choice(GAME.legal(state, actor))
        state = GAME.apply(state, due.seat if isinstance(due, Turn) else CHANCE, action)
    return GAME.view(state, viewer)
