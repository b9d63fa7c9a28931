"""Players without a person: who bots are, and how they play seats of a table."""

import asyncio
from collections.abc import Iterator, Sequence
from contextvars import copy_context
from functools import partial
from itertools import count, islice
from random import Random
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

from engine import CHANCE, Game, Over, Turn
from p2p_stonehenge.bots.game_bot import AS_GOOD, GameBot
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Notice, Progress, RefusedError
from p2p_stonehenge.table.takebacks import TAKEN_BACK_UNASKED, times_taken_back
from protocol import latest

LEVELS = ("random", "learner", "casual", "club", "strong", "master")
"""The names of the levels, level 0 first."""


def level_named(text: str) -> int | None:
    """Return the level that a name or a number means; None for another text.

    >>> level_named("Club"), level_named("3"), level_named("6")
    (3, 3, None)
    """
    word = text.strip().lower()
    return next((level for level, name in enumerate(LEVELS) if word in (name, str(level))), None)


def levels_told(beside: Sequence[str] = (), least: int = 0) -> str:
    """Return the numbers and names of the levels from `least` on in words, and what else could be typed there."""
    return ", ".join([*(f"{level} ({name})" for level, name in enumerate(LEVELS) if level >= least), *beside])


class Character(NamedTuple):
    """Who a bot is. Of moves that are equally good it prefers those whose text has one of `marks`."""

    name: str
    style: str
    marks: str


CHARACTERS = (
    Character("Aoife", "an all-rounder", ""),
    Character("Brigid", "a raider, glad to capture", "x*"),
    Character("Cormac", "a builder of stacks", "+"),
    Character("Dara", "a divider of stacks", ">"),
    Character("Emer", "a wanderer", "-"),
)
"""The bots at a table, that of seat 1 first."""
USUAL = 2
"""The level of a bot where none is asked for."""
YOUNG_GAME = 40
"""Plies before which no bot agrees to a draw: anything may still happen."""
LONG_GAME = 300
"""Plies after which a bot thinks that a game which need not end is a draw."""
OFFER_EVERY = 40
"""Plies between two draw offers in a long game."""
LASTING = 3
"""Turns of a bot over which it must have stood as it did, to resign or to agree to a draw."""
MEMORY = 60
"""Plies that a bot looks back over, so as not to play to and fro."""
LONG, LONGEST = 1.0, 3.0
"""Seconds after which a bot stops thinking, and one of the highest level. On most machines it never takes so long."""
WORTH_SHOWING = 1.0
"""Seconds that a bot thinks before the screen says so."""


def bot_name(seat: int) -> str:
    """Return the name of the bot that plays a seat.

    >>> bot_name(2)
    'bot Brigid'
    """
    return f"bot {CHARACTERS[seat - 1].name}"


def bot_names() -> Iterator[str]:
    """Yield names for bots, all of them different: those of the characters first.

    >>> from itertools import count, islice
    >>> [*islice(bot_names(), 4, 6)]
    ['bot Emer', 'bot 6']
    """
    yield from map(bot_name, range(1, len(CHARACTERS) + 1))
    yield from (f"bot {number}" for number in count(len(CHARACTERS) + 1))


def introduced(game: Game[Any], seats: Sequence[int], level: int) -> str:
    """Return who the bots of some seats are, in sentences; a style only where the game's moves show one."""
    if bot_of(game).has_styles:
        told = "; ".join(f"{bot_name(seat)} is {CHARACTERS[seat - 1].style}" for seat in seats)
    else:
        told = f"At the table: {', '.join(map(bot_name, seats))}"
    return f"{told}. Level: {LEVELS[level]}."


def in_style(game: Game[Any], thoughts: Sequence[Thought], name: str, last: str = "") -> Thought:
    """Return the thought that the bot of this name acts on: the best, or one as good that is more to its liking.

    It does not move a piece back to where its `last` action took it from, if another action is as good.
    """
    marks = next((one.marks for one in CHARACTERS if name == f"bot {one.name}"), "")
    origin, _, target = last.partition("-")
    least = thoughts[0].worth - AS_GOOD * bot_of(game).unit.size
    good = [one for one in thoughts if one.worth >= least]
    onward = [one for one in good if one.action != f"{target}-{origin}"] or good
    return next((one for one in onward if any(mark in one.action for mark in marks)), onward[0])


def last_action(table: TableSession, seat: int) -> str:
    """Return the last action of a seat, "" if it has not acted of late."""
    log = table.log
    recent_actions = (log[place] for place in islice(latest(log), MEMORY))
    return next((done.action for done in recent_actions if done.actor == seat), "")


def recent(table: TableSession) -> list[Any]:
    """Return the last positions before the present one, oldest first: what a bot, or an adviser, looks back over."""
    log = table.log
    return [log[place].before for place in islice(latest(log), MEMORY)][::-1]


class Bots:
    """Plays seats of a table by itself; where people look on, at a pace that they can follow.

    A bot thinks in a thread of its own, so that links, prompt and Ctrl-C never wait for it.
    """

    def __init__(
        self, table: LocalTable | NetTable, seats: Sequence[int], level: int, rng: Random, pause: float = 0.0
    ) -> None:
        """`pause`: the seconds that a move takes at least, where it is the only one; 0 to play as fast as possible."""
        self._table = table
        self._seats = tuple(seats)
        self._level = level
        self._rng = rng
        self._pause = pause
        self._next_offer = LONG_GAME
        self._planned: asyncio.TimerHandle | None = None
        self._thinking: _Thinking | None = None
        self._outlooks: dict[int, list[float]] = {}
        """By seat: what the bot thought of its position each time it was to act."""
        table.listen(self._heard)
        if isinstance(table, LocalTable):
            table.bot_agrees = self.agrees

    def start(self) -> None:
        """Play if a seat of the bots is to act."""
        self._plan()

    def stop(self) -> None:
        """Think no more."""
        if self._planned:
            self._planned.cancel()
        self._forget()
        self._seats = ()

    def agrees(self, seat: int) -> bool:
        """Return whether the bot of `seat` would take a draw: not early, nor while it stands better.

        In a game which need not end it takes any draw once it is long.
        """
        game, state, plies = self._table.game, self._table.seen_by(seat), len(self._table.plies)
        if plies < YOUNG_GAME:
            return False
        if self._endless and plies >= LONG_GAME:
            return True
        if any(outlook > 0 for outlook in self._outlooks.get(seat, [])[-LASTING:]):
            return False
        own = game.worth(state, seat)
        others = [game.worth(state, other) for other in game.live(state) if other != seat]
        # A partner stands as well as oneself.
        better = min(others, default=own) < own and max(others, default=own) <= own
        return not better

    @property
    def _endless(self) -> bool:
        """Return whether games of this kind may go on for ever."""
        return bool(self._table.game.finite_with)

    def _heard(self, notice: Notice) -> None:
        del notice
        if self._thinking and (len(self._table.plies) != self._thinking.plies or self._is_asked()):
            self._forget()
        self._plan()

    def _plan(self) -> None:
        if self._planned is None and self._thinking is None and self._seats:
            self._planned = asyncio.get_running_loop().call_later(self._pause, self._act)

    def _act(self) -> None:
        self._planned = None
        table = self._table
        try:
            if self._is_asked():
                table.take_back(min({*self._seats} & {*table.game.live(table.position.state)}))
            self._answer_wishes()
            # Only now: a draw that was agreed has ended the game.
            due = table.game.pending(table.position.state)
            if isinstance(due, Turn) and due.seat in self._seats:
                self._consider(due.seat)
        except RefusedError:
            # The table moved on between the look and the move; the next notice brings another look.
            return

    def _consider(self, seat: int) -> None:
        """Play what is forced or drawn by lot at once; think about the rest."""
        table = self._table
        bot, seen = bot_of(table.game), table.seen_by(seat)
        actions = table.game.legal(seen, seat)
        if self._level == 0 or len(actions) == 1:
            table.play(seat, bot.think(seen, seat, self._level, self._rng)[0].action)
            return
        view = bot.remembering(seen, recent(table))
        thinking = _Thinking(self, bot, view, seat, len(table.plies))
        self._thinking = thinking
        # A bot that moves a piece seems to think for a while. A card is read at a glance, and a game has hundreds.
        least = 0.0 if table.game.suits else self._pause * self._rng.uniform(1.0, 2.5)
        thinking.begin(self._level, Random(self._rng.getrandbits(64)), least)

    def shows(self, thinking: "_Thinking") -> None:
        """Let the screen say that a bot thinks."""
        self._table.thinks = thinking.seat
        self._table.tell(Progress())

    def decides(self, thinking: "_Thinking", thoughts: Sequence[Thought]) -> None:
        """Play what a bot has thought of, unless the table has moved on."""
        if thinking is not self._thinking:
            return
        self._forget()
        table, seat = self._table, thinking.seat
        due = table.game.pending(table.position.state)
        if not isinstance(due, Turn) or due.seat != seat:
            return
        outlooks = self._outlooks.setdefault(seat, [])
        outlooks.append(thoughts[0].worth)
        try:
            played = thoughts[0]
            if self._level > 1:
                played = in_style(table.game, thoughts, table.names[seat - 1], last_action(table, seat))
            table.play(seat, "resign" if self._gives_up(seat) else played.action)
        except RefusedError:
            self._plan()

    def _gives_up(self, seat: int) -> bool:
        """Return whether a bot resigns: against one other, far behind whenever it was to act of late."""
        game, latest = self._table.game, self._outlooks[seat][-LASTING:]
        margin = bot_of(game).hopeless
        live = game.live(self._table.position.state)
        if self._level < 2 or margin is None or len(live) != 2 or len(latest) < LASTING:
            return False
        return max(latest) <= margin

    def _forget(self) -> None:
        """Stop thinking, if a bot does."""
        thinking, self._thinking = self._thinking, None
        if thinking:
            thinking.stop()
            if self._table.thinks:
                self._table.thinks = 0
                self._table.tell(Progress())

    def _is_asked(self) -> bool:
        """Return whether a bot is to agree that another player takes a turn back: no person here answers for it."""
        table, log = self._table, self._table.log
        asking, live = {*table.asking()}, {*table.game.live(table.position.state)}
        own = {*table.table.own.signers}
        asked = asking and not asking & own and not live & {*table.people} and live & {*self._seats}
        return bool(asked) and all(times_taken_back(log, seat) < TAKEN_BACK_UNASKED for seat in asking)

    def _answer_wishes(self) -> None:
        """Accept a standing offer or, in a long game which need not end, make one."""
        table, plies = self._table, len(self._table.plies)
        if table.game.refuse(table.position.state, CHANCE, "draw") is not None:
            return
        long = self._endless and plies >= self._next_offer
        for seat in self._seats:
            wishes = table.wishes()
            if seat in wishes or not table.may_wish(seat) or isinstance(table.game.pending(table.position.state), Over):
                continue
            if long or (wishes and self.agrees(seat)):
                self._next_offer = max(self._next_offer, plies + OFFER_EVERY)
                table.wish_draw(seat)


class _Thinking:
    """One bot thinking about one position, in a thread."""

    def __init__(self, bots: Bots, bot: GameBot[Any], view: Any, seat: int, plies: int) -> None:
        self.seat = seat
        self.plies = plies
        self._bots, self._bot, self._view = bots, bot, view
        self._loop = asyncio.get_running_loop()
        self._stopped = False
        self._notice = self._loop.call_later(WORTH_SHOWING, bots.shows, self)
        self._handing: asyncio.TimerHandle | None = None

    def begin(self, level: int, rng: Random, least: float) -> None:
        """Think as a bot of this level does; what it decides is handed over after `least` seconds or more."""
        until = self._loop.time() + least
        # What follows from its decision is told in the context of the table, as with the home to name in commands.
        work = partial(copy_context().run, self._think, level, rng, until)
        Thread(target=work, name="bot", daemon=True).start()

    def stop(self) -> None:
        """Stop thinking; nothing is handed over."""
        self._stopped = True
        self._notice.cancel()
        if self._handing:
            self._handing.cancel()

    def _think(self, level: int, rng: Random, until: float) -> None:
        end = monotonic() + (LONGEST if level == len(LEVELS) - 1 else LONG)

        def running() -> bool:
            return not self._stopped and monotonic() < end

        error: Exception | None = None
        try:
            thoughts = self._bot.think(self._view, self.seat, level, rng, running)
        except Exception as fault:  # noqa: BLE001 - told by the loop; the table must not stand still for it
            thoughts, error = (Thought(self._bot.game.legal(self._view, self.seat)[0], 0.0),), fault
        try:
            self._loop.call_soon_threadsafe(self._thought, thoughts, error, until)
        except RuntimeError:  # the loop is closed
            return

    def _thought(self, thoughts: Sequence[Thought], error: Exception | None, until: float) -> None:
        if error:
            self._loop.call_exception_handler({"message": "a bot could not think", "exception": error})
        if not self._stopped:
            self._handing = self._loop.call_at(until, self._bots.decides, self, thoughts)
