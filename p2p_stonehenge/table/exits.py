"""How a seat left a game, in words: whether its player resigned, and what became of it if not."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import Event, Resignation
from protocol import Exit


class Told(NamedTuple):
    """The words for one exit."""

    story: Resignation
    """How it is told where it happens: all of it counts as resigning, and no rules know of it."""
    done: str
    """What the player has done, or what became of it, in words that follow a name."""
    yours: str
    """The same in words that follow "you"."""
    briefly: str
    """The same without a name, in a few letters."""


_TOLD = {
    Exit.RESIGNED: Told(Resignation(), "has resigned", "have resigned", "resigned"),
    Exit.OUT_OF_TIME: Told(
        Resignation("{} ran out of time", "{} ran out of time"), "ran out of time", "ran out of time", "out of time"
    ),
    Exit.LEFT_BEHIND: Told(
        Resignation("The others go on without {}", "{} was left behind"),
        "was left behind",
        "were left behind",
        "left behind",
    ),
    Exit.BREACH: Told(
        Resignation("{} is out for breaking the rules", "{} broke the rules"),
        "broke the rules",
        "broke the rules",
        "broke rules",
    ),
}


def told(exit: Exit) -> Told:
    """Return the words for an exit."""
    return _TOLD[exit]


def was_typed(exit: Exit | None) -> bool:
    """Return whether an action is what its player typed: no resignation, or one by the player's wish."""
    return exit in (None, Exit.RESIGNED)


def captures_unsaid(action: str, story: Iterable[Event]) -> bool:
    """Return whether an action captures and does not say so itself, as one with an `x` or a `*` does."""
    return {*"x*"}.isdisjoint(action) and any(event.takes for event in story)


def listed_as(action: str, exit: Exit | None, *, captures: bool = False) -> str:
    """Return an action as lists of moves show it: of an exit that its player did not type what became of the seat.

    One that `captures` without saying so has an `x` behind it.
    """
    if exit is not None and not was_typed(exit):
        return told(exit).done
    return f"{action}{' x' * captures}"
