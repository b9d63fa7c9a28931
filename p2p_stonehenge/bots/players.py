"""Players without a person: what a level means, and bots that play seats of a table."""

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from engine import CHANCE, Game, Over, Turn
from p2p_stonehenge.bots import greedy
from p2p_stonehenge.bots.thinking import Running, Thinker, Thought, always
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Notice, RefusedError

LEVELS = ("random", "learner", "casual", "club", "strong", "master")
"""The names of the levels, level 0 first."""
USUAL = 2
"""The level of a bot where none is asked for."""
YOUNG_GAME = 40
"""Plies before which no bot agrees to a draw: anything may still happen."""
LONG_GAME = 300
"""Plies after which a bot thinks that a game which need not end is a draw."""
OFFER_EVERY = 40
"""Plies between two draw offers in a long game."""


def choose(game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always) -> str:
    """Return the action that a bot of this level plays for `seat`, seeing only its `view`."""
    actions = game.legal(view, seat)
    if level == 0 or len(actions) == 1:
        return rng.choice(actions)
    return think(game, view, seat, level, rng, running)[0].action


def think(
    game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always
) -> tuple[Thought, ...]:
    """Return the candidates of `seat`, which has at least two actions, best first as a bot of this level sees them.

    A game without a module of its own in this package is looked at one reply ahead.
    """
    thinker = _thinker(game.key)
    return thinker(view, seat, level, rng, running) if thinker else greedy.think(game, view, seat, rng)


@cache
def _thinker(key: str) -> Thinker | None:
    """Return `think` of the module named after a game, if there is one."""
    name = f"{__package__}.{key.replace('-', '_')}"
    if find_spec(name) is None:
        return None
    found: Thinker = import_module(name).think
    return found


class Bots:
    """Plays seats of a table by itself, one move each `pause` seconds."""

    def __init__(
        self, table: LocalTable | NetTable, seats: Sequence[int], level: int, rng: Random, pause: float = 0.0
    ) -> None:
        self._table = table
        self._seats = tuple(seats)
        self._level = level
        self._rng = rng
        self._pause = pause
        self._next_offer = LONG_GAME
        self._planned: asyncio.TimerHandle | None = None
        table.listen(self._heard)
        if isinstance(table, LocalTable):
            table.bot_agrees = self.agrees

    def start(self) -> None:
        """Play if a seat of the bots is to act."""
        self._plan()

    def agrees(self, seat: int) -> bool:
        """Return whether the bot of `seat` would take a draw: not early, nor while it stands better.

        In a game which need not end it takes any draw once it is long.
        """
        game, state, plies = self._table.game, self._table.seen_by(seat), len(self._table.plies)
        if plies < YOUNG_GAME:
            return False
        own = game.worth(state, seat)
        others = [game.worth(state, other) for other in game.live(state) if other != seat]
        # A partner stands as well as oneself.
        better = min(others, default=own) < own and max(others, default=own) <= own
        return not better or (self._endless and plies >= LONG_GAME)

    @property
    def _endless(self) -> bool:
        """Return whether the game may go on for ever, which is why it has a turn limit as an option."""
        return any(option.name == "turn_limit" for option in self._table.game.options)

    def _heard(self, notice: Notice) -> None:
        del notice
        self._plan()

    def _plan(self) -> None:
        if self._planned is None and self._seats:
            self._planned = asyncio.get_running_loop().call_later(self._pause, self._act)

    def _act(self) -> None:
        self._planned = None
        table = self._table
        try:
            self._answer_wishes()
            # Only now: a draw that was agreed has ended the game.
            due = table.game.pending(table.table.state)
            if isinstance(due, Turn) and due.seat in self._seats:
                action = choose(table.game, table.seen_by(due.seat), due.seat, self._level, self._rng)
                table.play(due.seat, action)
        except RefusedError:
            # The table moved on between the look and the move; the next notice brings another look.
            return

    def _answer_wishes(self) -> None:
        """Accept a standing offer or, in a long game which need not end, make one."""
        table, plies = self._table, len(self._table.plies)
        if table.game.refuse(table.table.state, CHANCE, "draw") is not None:
            return
        long = self._endless and plies >= self._next_offer
        for seat in self._seats:
            wishes = table.wishes()
            if seat in wishes or not table.may_wish(seat) or isinstance(table.game.pending(table.table.state), Over):
                continue
            if long or (wishes and self.agrees(seat)):
                self._next_offer = max(self._next_offer, plies + OFFER_EVERY)
                table.wish_draw(seat)
