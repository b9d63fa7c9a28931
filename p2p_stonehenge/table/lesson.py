"""A guided first game: a table at which each step says what to play and what comes of it.

A lesson is a text: first the options of the game, one a line as `first=1`, and what chance does first, as a line `< `;
then steps with blank lines between. A step is

- what it says;
- a line `> ` with the action that the player makes: several, divided by `;`, if any of them will do, `any` for every
  lawful one, nothing for Enter;
- if what follows is not as usual, a line `< ` with the actions of the others and of chance, divided by `;`.

As usual the others make their first lawful action until the player has to act.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine import CHANCE, Chance, Game, Over, Turn
from p2p_stonehenge.table.session import Note, Ply, Question, RefusedError, Session
from p2p_stonehenge.text.program import COMMAND
from protocol import draw_locally

FOLDER = Path(__file__).parent.parent / "rules" / "lessons"
SEED = bytes(32)
"""Of what chance draws where a lesson does not say it: the same each time."""
LEARNER = 1
ANY = ("any",)
"""What a step wants where every lawful action will do."""
READ_ON = "First read on: Enter goes on."
OVER = "The lesson is over: `quit` leaves."


class Step(NamedTuple):
    """What a step says, the actions that fit (none for Enter), and what follows (None for the usual)."""

    text: str
    actions: tuple[str, ...]
    follows: tuple[str, ...] | None


class Lesson(NamedTuple):
    """A guided game."""

    options: dict[str, str]
    opening: tuple[str, ...] | None
    """What chance does before the first step; None for the usual."""
    steps: tuple[Step, ...]


def lessons() -> list[str]:
    """Return the keys of the games that have a lesson."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def read(key: str) -> Lesson:
    """Return the lesson of a game."""
    head, *blocks = (FOLDER / f"{key}.txt").read_text("utf-8").strip().split("\n\n")
    pairs = (line.partition("=") for line in head.splitlines() if line[0] != "<")
    opening = [_parts(line[1:]) for line in head.splitlines() if line[0] == "<"]
    options = {name: value for name, _, value in pairs}
    return Lesson(options, opening[0] if opening else None, tuple(map(_step, blocks)))


def _step(block: str) -> Step:
    lines = block.splitlines()
    told = " ".join(line for line in lines if line[0] not in "<>")
    (wanted,) = (line[1:] for line in lines if line[0] == ">")
    follows = [_parts(line[1:]) for line in lines if line[0] == "<"]
    return Step(told, _parts(wanted), follows[0] if follows else None)


def _parts(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split(";") if part.strip())


class LessonTable(Session):
    """A table for one learner, in seat 1; the script plays all else."""

    advises = True

    def __init__(self, game: Game[Any], lesson: Lesson, name: str, players: int) -> None:
        super().__init__()
        self.game = game
        self.people = (LEARNER,)
        self.names = (name, *(f"bot {seat}" for seat in range(2, players + 1)))
        self.title = "lesson"
        self.stays = True
        self._steps = lesson.steps
        self.step = 0
        self._now = game.start(lesson.options, players)
        self._follow(lesson.opening)
        self.guide = self._told()

    @property
    def state(self) -> Any:
        return self.game.view(self._now, LEARNER)

    def _told(self) -> str:
        """Return what the step says, and how to go on."""
        if self.step >= len(self._steps):
            return (
                f"That was the lesson: you know how {self.game.title} goes. `quit` leaves;"
                f" {COMMAND} solo {self.game.key} plays a whole game, `rules` tells all."
            )
        step = self._steps[self.step]
        end = "" if step.actions else " Enter goes on."
        return f"{self.step + 1}/{len(self._steps)}: {step.text}{end}"

    def waiting(self) -> str:
        return "read on and press Enter"

    def wishes(self) -> tuple[int, ...]:
        return ()

    def links(self) -> str:
        return ""

    def next_step(self) -> bool:
        if self.step < len(self._steps) and not self._steps[self.step].actions:
            self._done()
            return True
        return False

    def wanted(self) -> str:
        if self.step >= len(self._steps):
            return OVER
        actions = self._steps[self.step].actions
        if not actions:
            return READ_ON
        ways = " or ".join(actions)
        return "" if actions == ANY else f"For the lesson play {ways}: `why {actions[0]}` tells what it does."

    def question(self, command: str, seat: int = 0) -> Question:
        if command in ("quit", "adjourn"):
            return Question(f"Leave the lesson? `{COMMAND} learn {self.game.key}` begins it again.")
        return super().question(command, seat)

    def play(self, seat: int, action: str) -> None:
        if self.step >= len(self._steps):
            raise RefusedError(OVER)
        step = self._steps[self.step]
        if not step.actions:
            raise RefusedError(READ_ON)
        if step.actions != ANY and action not in step.actions:
            raise RefusedError(f"That is lawful, but for the lesson play {' or '.join(step.actions)}.")
        self._act(seat, action)
        self._done()

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        raise RefusedError("A lesson is not drawn: `quit` leaves it.")

    def say(self, text: str) -> None:
        raise RefusedError("Nobody else sits here who could hear you.")

    def _done(self) -> None:
        step = self._steps[self.step]
        self.step += 1
        if step.actions:
            self._follow(step.follows)
        self.guide = self._told()
        self.tell(Note(self.guide, urgent=True))

    def _follow(self, actions: Sequence[str] | None) -> None:
        """Let the others and chance do these actions, or what is usual."""
        for action in actions or ():
            due = self.game.pending(self._now)
            actor = due.seat if isinstance(due, Turn) else CHANCE
            self._act(actor, action)
        while actions is None and not isinstance(due := self.game.pending(self._now), Over):
            if isinstance(due, Chance):
                self._act(CHANCE, draw_locally(due.draw, SEED))
            elif due.seat == LEARNER:
                return
            else:
                self._act(due.seat, self.game.legal(self.game.view(self._now, due.seat), due.seat)[0])

    def _act(self, actor: int, action: str) -> None:
        refusal = self.game.refuse(self._now, actor, action)
        if refusal:
            raise RefusedError(refusal.text)
        viewer = LEARNER
        before = self._now if actor == CHANCE else self.game.view(self._now, viewer)
        story = self.game.story(before, actor, action)
        self._now = self.game.apply(self._now, actor, action)
        self.tell(Ply(len(self.plies) + 1, actor, action, story))
