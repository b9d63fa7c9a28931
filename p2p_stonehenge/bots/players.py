"""Players without a person: level 0 plays at random, level 1 takes what looks best after the reply."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

from engine import CHANCE, Game, Over, Turn
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Notice, RefusedError

LEVELS = (0, 1)
YOUNG_GAME = 40
"""Plies before which no bot agrees to a draw: anything may still happen."""
LONG_GAME = 300
"""Plies after which a bot thinks that a game which need not end is a draw."""
OFFER_EVERY = 40
"""Plies between two draw offers in a long game."""
REPLIES = 60
"""Replies looked at for each move of level 1."""


def choose(game: Game[Any], view: Any, seat: int, level: int, rng: Random) -> str:
    """Return the action that a bot of this level plays for `seat`, seeing only its `view`."""
    actions = game.legal(view, seat)
    if level == 0 or len(actions) == 1:
        return rng.choice(actions)
    world = game.complete(view, rng)
    scored = [(_outlook(game, game.apply(world, seat, action), seat, rng), action) for action in actions]
    best = max(score for score, _ in scored)
    return rng.choice([action for score, action in scored if score == best])


def _outlook(game: Game[Any], state: Any, seat: int, rng: Random) -> int:
    """Return what a state is worth for `seat` after the reply that hurts it most."""
    due = game.pending(state)
    if not isinstance(due, Turn) or due.seat == seat:
        return game.worth(state, seat)
    replies: Sequence[str] = game.legal(state, due.seat)
    if len(replies) > REPLIES:
        replies = rng.sample(list(replies), REPLIES)
    return min(game.worth(game.apply(state, due.seat, reply), seat) for reply in replies)


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
