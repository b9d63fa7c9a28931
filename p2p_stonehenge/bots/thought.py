"""What comes of a bot's thinking: candidates, the reasons for them, and how far they were looked at."""

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from engine import listed


class Kind(Enum):
    """What a part of a reason tells, as far as something depends on it."""

    PLAIN = auto()
    HARM = auto()
    """What hurts another side: something is taken, or it comes close to losing."""
    WIN_NOW = auto()
    """The turn wins the game."""
    WIN = auto()
    """It wins by force, later."""
    LOSS = auto()
    """It loses by force."""
    PREVENTS = auto()
    """It takes one capture from the others."""
    GUARDS = auto()
    """It names the pieces that it guards."""


HARMFUL = (Kind.HARM, Kind.WIN_NOW, Kind.WIN)
"""Kinds which show, said of an answer, what was wrong with the move before it."""


class Part(NamedTuple):
    """One thing that a reason says."""

    text: str
    """In words that go on from "it", as `takes 2 disks`; if it is a `clause`, with a subject of its own."""
    kind: Kind = Kind.PLAIN
    clause: bool = False


Reason: TypeAlias = tuple[Part, ...]
"""Why a candidate is good or bad, what matters most first; empty if there is nothing to say."""


class Thought(NamedTuple):
    """One candidate."""

    action: str
    worth: float
    """For the seat that thinks, in the game's own unit."""
    parts: Reason = ()
    """Why it is worth that."""
    then: str = ""
    """The action of the same turn that the bot would let follow: only both together do what the reason says."""
    answer: str = ""
    """What another seat plays next to win, where a search has found that this loses by force and by which action."""

    @property
    def reason(self) -> str:
        """Return why, in words for a player that go on from "it"; "" if there is nothing to say."""
        return together(self.parts)

    @property
    def because(self) -> str:
        """Return the reason, and what is to follow in the same turn, in words that go on from "it"."""
        if not self.then:
            return self.reason
        return f"{self.reason}, with {self.then} played after it" if self.parts else f"is best followed by {self.then}"

    def tells(self, *kinds: Kind) -> bool:
        """Return whether a part of the reason is of one of some kinds."""
        return any(part.kind in kinds for part in self.parts)


def together(parts: Reason) -> str:
    """Return the parts of a reason as one; where one is long enough to be read wrongly, each is a sentence."""
    if any(part.clause or any(mark in part.text for mark in (",", ";", " and ", " that ")) for part in parts):
        told = "; ".join(part.text if part.clause else f"it {part.text}" for part in parts)
        return told if parts[0].clause else told.removeprefix("it ")
    return listed([part.text for part in parts])


def further(parts: Reason, known: Iterable[Part]) -> Reason:
    """Return the parts of a reason that are not among those `known`, which have been told or go for all."""
    told = {*known}
    return tuple(part for part in parts if part not in told)


class Weighed(NamedTuple):
    """Candidates weighed against each other: the true worth of each, all looked at equally far."""

    thoughts: tuple[Thought, ...]
    """Best first; empty if there was no time."""
    depth: int
    """How many plies far, for a game whose bot searches; else 0."""


Running: TypeAlias = Callable[[], bool]
"""Asked every few hundred nodes: whether to go on thinking."""


class Interrupted(Exception):  # noqa: N818 - a way out of a search, not a fault
    """Raised inside a search that is no longer to go on; what it had found by then is played."""


def always() -> bool:
    """Return True: go on thinking until the budget of the level is spent."""
    return True
