"""A guided first game: a table at which each step says what to play and what comes of it.

A lesson is a text. Its head has a line for the players and for each option of the game, `players=2`, `first=1`, and
may have a line `< ` of what happens before the first step. Then come steps with blank lines between. A step is

- what it says;
- a line `> ` with what the player types; a step without it is left by Enter;
- behind that a line `? `: why that, for a player who typed something else or asks for a hint;
- a line `< ` of what happens then, up to the player's next turn.

What happens are actions of the others and of chance, divided by `;`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine import CHANCE, Game, Turn
from p2p_stonehenge.table.session import AskedFirst, Capability, Guide, Note, Ply, Question, RefusedError, Session
from p2p_stonehenge.text.program import command_here

FOLDER = Path(__file__).parent.parent / "rules" / "lessons"
LEARNER = 1
READ_ON = "First read on: Enter on an empty line goes on."
OVER = "The lesson is over: `quit` leaves."


class LessonStep(NamedTuple):
    """What a step says, what the player types (nothing for Enter), why that, and what happens then."""

    text: str
    typed: str
    why: str
    follows: tuple[str, ...]


class Lesson(NamedTuple):
    """A guided game."""

    players: int
    options: dict[str, str]
    opening: tuple[str, ...]
    """What happens before the first step."""
    steps: tuple[LessonStep, ...]


def lessons() -> list[str]:
    """Return the keys of the games that have a lesson."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def read(key: str) -> Lesson:
    """Return the lesson of a game."""
    head, *blocks = (FOLDER / f"{key}.txt").read_text("utf-8").strip().split("\n\n")
    opening = _marked(head.splitlines(), "<")
    pairs = (line.partition("=") for line in head.splitlines() if line[0] != "<")
    options = {name: value for name, _, value in pairs}
    return Lesson(int(options.pop("players")), options, _parts(opening), tuple(map(_step, blocks)))


def _step(block: str) -> LessonStep:
    lines = block.splitlines()
    text = " ".join(line for line in lines if line[0] not in "<>?")
    return LessonStep(text, _marked(lines, ">"), _marked(lines, "?"), _parts(_marked(lines, "<")))


def _marked(lines: Sequence[str], mark: str) -> str:
    """Return the line with a mark in front, without it; nothing if there is none."""
    return next((line[1:].strip() for line in lines if line[0] == mark), "")


def _parts(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split(";") if part.strip())


class LessonTable(Session):
    """A table for one learner, in seat 1; the script plays all else."""

    guide: Guide
    advises = True

    def __init__(self, game: Game[Any], lesson: Lesson, name: str) -> None:
        super().__init__()
        self.game = game
        self.people = (LEARNER,)
        self.names = (name, *(f"bot {seat}" for seat in range(2, lesson.players + 1)))
        self.short_id = "lesson"
        self.stays = True
        self._steps = lesson.steps
        self.step = 0
        self._now = game.start(lesson.options, lesson.players)
        self._before: list[Any] = []
        """The state before each of `plies`."""
        self._follow(lesson.opening)
        self.guide = self._guide()

    @property
    def state(self) -> Any:
        return self.game.view(self._now, LEARNER)

    def past(self, plies: int) -> Any:
        return self.game.view(self._before[plies], LEARNER) if plies < len(self._before) else self.state

    def can(self, capability: Capability) -> bool:
        # Nobody else is at the table, and the game does not count.
        return capability not in ("adjourn", "draw", "resign", "say") and super().can(capability)

    @property
    def _over(self) -> bool:
        """Return whether nothing is left to be done: a last step without a move is there to be read."""
        return self.step >= len(self._steps) - (not self._steps[-1].typed)

    def _told(self) -> str:
        """Return what the step says, and how to go on."""
        end = f"That was the lesson: `quit`, then `{command_here()} solo {self.game.key}`."
        if self.step == len(self._steps):
            return end
        step = self._steps[self.step]
        then = end if self._over else "" if step.typed else "Enter goes on."
        return f"{self.step + 1}/{len(self._steps)}: {step.text} {then}".rstrip()

    def waiting(self) -> str:
        return "the lesson is over" if self._over else "read on and press Enter"

    def to_move(self) -> str:
        return ""

    def wishes(self) -> tuple[int, ...]:
        return ()

    def links(self) -> str:
        return ""

    def _guide(self) -> Guide:
        return Guide(self._told(), self._wanted(), self._next_step)

    def _next_step(self) -> None:
        if self._over or self._steps[self.step].typed:
            raise RefusedError(self.guide.wanted)
        self._done()

    def _wanted(self) -> str:
        if self._over:
            return OVER
        step = self._steps[self.step]
        return f"Type {step.typed}: {step.why}" if step.typed else READ_ON

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        if capability == "quit":
            again = f"`{command_here()} learn {self.game.key}` begins it again."
            return Question("" if self._over else f"Leave the lesson? {again}")
        return super().question(capability, seat)

    def play(self, seat: int, action: str) -> None:
        step = None if self._over else self._steps[self.step]
        if not step or not step.typed:
            raise RefusedError(self.guide.wanted)
        if action != self.game.parse(self.state, step.typed):
            raise RefusedError(f"{action} is lawful, but not what this lesson shows. {self.guide.wanted}")
        self._act(seat, action)
        self._done()

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        raise RefusedError("A lesson is not drawn: `quit` leaves it.")

    def again(self) -> None:
        begins = f"`{command_here()} learn {self.game.key}` begins it again"
        raise RefusedError(
            f"The lesson is over: `quit`, then {begins}, `{command_here()} solo {self.game.key}` a game."
        )

    def say(self, text: str) -> None:
        raise RefusedError("Nobody else sits here who could hear you.")

    def _done(self) -> None:
        step = self._steps[self.step]
        self.step += 1
        self._follow(step.follows)
        self.guide = self._guide()
        self.tell(Note(self.guide.text, urgent=True))

    def _follow(self, actions: Sequence[str]) -> None:
        """Let the others and chance do these actions."""
        for action in actions:
            due = self.game.pending(self._now)
            self._act(due.seat if isinstance(due, Turn) else CHANCE, action)

    def _act(self, actor: int, action: str) -> None:
        refusal = self.game.refuse(self._now, actor, action)
        if refusal:
            raise RefusedError(refusal.text)
        before = self._now if actor == CHANCE else self.game.view(self._now, LEARNER)
        story = self.game.story(before, actor, action)
        self._before.append(self._now)
        self._now = self.game.apply(self._now, actor, action)
        self.tell(Ply(len(self.plies) + 1, actor, action, story))
