"""Players without a person: what a level means, and bots that play seats of a table."""

import asyncio
import math
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from random import Random
from threading import Thread
from time import monotonic
from types import ModuleType
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine import CHANCE, Game, Over, Turn
from p2p_stonehenge.bots import greedy
from p2p_stonehenge.bots.thinking import Running, Thought, always
from p2p_stonehenge.bots.threats import Threat
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Notice, Progress, RefusedError
from protocol import latest

LEVELS = ("random", "learner", "casual", "club", "strong", "master")
"""The names of the levels, level 0 first."""


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
AS_GOOD = 0.1
"""In the game's unit: moves that differ by no more are a matter of style."""
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


@runtime_checkable
class Recalling(Protocol):
    """A game whose states can be told which positions have been before."""

    def recalled(self, state: Any, past: Sequence[Any]) -> Any:
        """Return a state that counts repetitions, with the positions of `past` as its history."""


def bot_name(seat: int) -> str:
    """Return the name of the bot that plays a seat.

    >>> bot_name(2)
    'bot Brigid'
    """
    return f"bot {CHARACTERS[seat - 1].name}"


def introduced(game: Game[Any], seats: Sequence[int], level: int) -> str:
    """Return who the bots of some seats are, in sentences; a style only where the game's moves show one."""
    if getattr(_module(game.key), "STYLES", False):
        told = "; ".join(f"{bot_name(seat)} is {CHARACTERS[seat - 1].style}" for seat in seats)
    else:
        told = f"Against you: {', '.join(map(bot_name, seats))}"
    return f"{told}. Level: {LEVELS[level]}."


def in_style(game: Game[Any], thoughts: Sequence[Thought], name: str) -> Thought:
    """Return the thought that the bot of this name acts on: the best, or one as good that is more to its liking."""
    marks = next((one.marks for one in CHARACTERS if name == f"bot {one.name}"), "")
    least = thoughts[0].worth - AS_GOOD * unit(game)[1]
    liked = (one for one in thoughts if one.worth >= least and any(mark in one.action for mark in marks))
    return next(liked, thoughts[0])


def choose(game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always) -> str:
    """Return the action that a bot of this level plays for `seat`, seeing only its `view`."""
    return think(game, view, seat, level, rng, running)[0].action


def think(
    game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always
) -> tuple[Thought, ...]:
    """Return the candidates of `seat`, which is to act, best first as a bot of this level sees them.

    A game without a module of its own in this package is looked at one reply ahead.
    """
    actions = game.legal(view, seat)
    if level == 0 or len(actions) == 1:
        return (Thought(rng.choice(actions), 0.0),)
    module = _module(game.key)
    if module is None:
        return greedy.think(game, view, seat, rng)
    thoughts: tuple[Thought, ...] = module.think(view, seat, level, rng, running)
    return thoughts


def weigh(game: Game[Any], view: Any, seat: int, action: str, level: int, running: Running = always) -> float:
    """Return what one action of `seat` is worth to a bot of this level; -infinity if the bot would not look at it."""
    module = _module(game.key)
    if module is not None and hasattr(module, "weigh"):
        worth: float = module.weigh(view, seat, action, level, running)
        return worth
    thoughts = think(game, view, seat, level, Random(0), running)
    return next((thought.worth for thought in thoughts if thought.action == action), -math.inf)


def explain(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return why a candidate of `seat` is worth what it is, in words that go on from "it"; empty if unknown."""
    module = _module(game.key)
    if module is not None and hasattr(module, "explain"):
        told: str = module.explain(view, seat, thought)
        return told
    return thought.because


def threat(game: Game[Any], view: Any, seat: int) -> Threat | None:
    """Return what a rival of `seat`, which is to act, threatens; None for nothing, or if it is unknown."""
    look: Callable[[Any, int], Threat | None] | None = getattr(_module(game.key), "threat", None)
    return look(view, seat) if look else None


def alike(game: Game[Any]) -> float:
    """Return how much the worth of two candidates may differ that are as good as each other to people.

    Not more than the margin within which searches know the worth of every candidate.
    """
    _, size = unit(game)
    return AS_GOOD * size if size else float(getattr(_module(game.key), "ALIKE", 0.0))


def estimate(game: Game[Any], view: Any, seat: int, thought: Thought) -> float:
    """Return what a bot reckons a candidate of `seat` to be worth; what it acts on may be less, out of caution."""
    found: Callable[[Any, int, Thought], float] | None = getattr(_module(game.key), "estimate", None)
    return found(view, seat, thought) if found else thought.worth


def told_standing(game: Game[Any], view: Any, worth: float) -> str:
    """Return in a sentence how the seat to act stands after a candidate of that worth, where the game's bot says so."""
    told: Callable[[Any, float], str] | None = getattr(_module(game.key), "standing", None)
    return told(view, worth) if told else ""


def told_outcome(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return in a sentence what chance may bring after a candidate of `seat`, where the game's bot says so."""
    told: Callable[[Any, int, Thought], str] | None = getattr(_module(game.key), "outcome", None)
    return told(view, seat, thought) if told else ""


def hopeless(game: Game[Any]) -> float | None:
    """Return the worth, in the unit of the game's thoughts, at which a bot gives a game up; None for never."""
    margin: float | None = getattr(_module(game.key), "HOPELESS", None)
    return margin


def unit(game: Game[Any]) -> tuple[str, float]:
    """Return in what people count the worth of thoughts about a game, and how much that is; 0 where they do not."""
    found: tuple[str, float] = getattr(_module(game.key), "UNIT", ("", 0.0))
    return found


def remembering(game: Game[Any], view: Any, past: Sequence[Any]) -> Any:
    """Return a view that also knows which positions have been before, where that is worth knowing."""
    return game.recalled(view, past) if isinstance(game, Recalling) else view


@cache
def _module(key: str) -> ModuleType | None:
    """Return the module of this package that is named after a game, if there is one."""
    name = f"{__package__}.{key.replace('-', '_')}"
    return None if find_spec(name) is None else import_module(name)


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
        """Return whether the game may go on for ever, which is why it has a turn limit as an option."""
        return any(option.name == "turn_limit" for option in self._table.game.options)

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
                table.take_back(min({*self._seats} & {*table.game.live(table.table.state)}))
            self._answer_wishes()
            # Only now: a draw that was agreed has ended the game.
            due = table.game.pending(table.table.state)
            if isinstance(due, Turn) and due.seat in self._seats:
                self._consider(due.seat)
        except RefusedError:
            # The table moved on between the look and the move; the next notice brings another look.
            return

    def _consider(self, seat: int) -> None:
        """Play what is forced or drawn by lot at once; think about the rest."""
        table = self._table
        actions = table.game.legal(table.seen_by(seat), seat)
        if self._level == 0 or len(actions) == 1:
            table.play(seat, think(table.game, table.seen_by(seat), seat, self._level, self._rng)[0].action)
            return
        log = table.table.fold.log
        past = [log[place].before for place in islice(latest(log), MEMORY)][::-1]
        view = remembering(table.game, table.seen_by(seat), past)
        thinking = _Thinking(self, table.game, view, seat, len(table.plies))
        self._thinking = thinking
        thinking.begin(self._level, Random(self._rng.getrandbits(64)), self._pause * self._rng.uniform(1.0, 2.5))

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
        due = table.game.pending(table.table.state)
        if not isinstance(due, Turn) or due.seat != seat:
            return
        outlooks = self._outlooks.setdefault(seat, [])
        outlooks.append(thoughts[0].worth)
        try:
            played = in_style(table.game, thoughts, table.names[seat - 1]) if self._level > 1 else thoughts[0]
            table.play(seat, "resign" if self._gives_up(seat) else played.action)
        except RefusedError:
            self._plan()

    def _gives_up(self, seat: int) -> bool:
        """Return whether a bot resigns: against one other, far behind whenever it was to act of late."""
        game, latest = self._table.game, self._outlooks[seat][-LASTING:]
        margin = hopeless(game)
        live = game.live(self._table.table.state)
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
        """Return whether another player wants a turn back, and no person plays here who answers for the bots."""
        table = self._table
        asking, live = {*table.asking()}, {*table.game.live(table.table.state)}
        own = {*table.table.own.signers}
        return bool(asking and not asking & own and not live & {*table.people} and live & {*self._seats})

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


class _Thinking:
    """One bot thinking about one position, in a thread."""

    def __init__(self, bots: Bots, game: Game[Any], view: Any, seat: int, plies: int) -> None:
        self.seat = seat
        self.plies = plies
        self._bots, self._game, self._view = bots, game, view
        self._loop = asyncio.get_running_loop()
        self._stopped = False
        self._notice = self._loop.call_later(WORTH_SHOWING, bots.shows, self)
        self._handing: asyncio.TimerHandle | None = None

    def begin(self, level: int, rng: Random, least: float) -> None:
        """Think as a bot of this level does; what it decides is handed over after `least` seconds or more."""
        until = self._loop.time() + least
        Thread(target=self._think, args=(level, rng, until), name="bot", daemon=True).start()

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
            thoughts = think(self._game, self._view, self.seat, level, rng, running)
        except Exception as fault:  # noqa: BLE001 - told by the loop; the table must not stand still for it
            thoughts, error = (Thought(self._game.legal(self._view, self.seat)[0], 0.0),), fault
        try:
            self._loop.call_soon_threadsafe(self._thought, thoughts, error, until)
        except RuntimeError:  # the loop is closed
            return

    def _thought(self, thoughts: Sequence[Thought], error: Exception | None, until: float) -> None:
        if error:
            self._loop.call_exception_handler({"message": "a bot could not think", "exception": error})
        if not self._stopped:
            self._handing = self._loop.call_at(until, self._bots.decides, self, thoughts)
