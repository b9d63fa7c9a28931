"""What comes of a bot's thinking: candidates, the reasons for them, and how far they were looked at."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from engine import listed


class Thought(NamedTuple):
    """One candidate."""

    action: str
    worth: float
    """For the seat that thinks, in the game's own unit."""
    reason: str = ""
    """Why, in words for a player that go on from "it": `takes 2 disks`; empty if there is nothing to say."""
    then: str = ""
    """The action of the same turn that the bot would let follow: only both together do what `reason` says."""

    @property
    def because(self) -> str:
        """Return the reason, and what is to follow in the same turn, in words that go on from "it"."""
        if not self.then:
            return self.reason
        return f"{self.reason}, with {self.then} played after it" if self.reason else f"is best followed by {self.then}"


def together(reasons: Sequence[str]) -> str:
    """Return reasons as one; where a part has parts of its own, each is a sentence about "it"."""
    nested = any("," in one or " and " in one for one in reasons)
    return "; it ".join(reasons) if nested else listed(reasons)


def further(reason: str, known: str) -> str:
    """Return the parts of a reason that are not among those of a `known` one, which has been told or goes for all."""
    told = {part.removeprefix("it ") for part in known.split("; ")}
    left = (part for part in reason.split("; ") if part.removeprefix("it ") not in told)
    return "; ".join(left).removeprefix("it ")


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
