"""Take-backs in a log of actions: the action of chance `takeback N` brings back the state after the first N actions.

The log keeps what was taken back. So a number of an action means the same before and after.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from engine import CHANCE, Action

_TAKEBACK = re.compile(r"takeback (0|[1-9][0-9]{0,9})")


class Done(Protocol):
    """An action of a log, with its actor."""

    @property
    def actor(self) -> int:
        """Return the seat, or CHANCE."""

    @property
    def action(self) -> Action:
        """Return the canonical text."""


def takeback(to: int) -> Action:
    """Return the action that brings back the state after the first `to` actions."""
    return f"takeback {to}"


def takeback_target(actor: int, action: Action) -> int | None:
    """Return how many actions come before what an action takes back, None if it is no take-back.

    >>> takeback_target(CHANCE, "takeback 12"), takeback_target(1, "takeback 12"), takeback_target(CHANCE, "3-5")
    (12, None, None)
    """
    found = _TAKEBACK.fullmatch(action) if actor == CHANCE else None
    return int(found[1]) if found else None


def latest(log: Sequence[Done], until: int | None = None, since: int = 0) -> Iterator[int]:
    """Yield the actions that led to the last state of a log, by their places from 0, the last one first.

    Take-backs are left out, and what they took back: before a take-back comes the last action of the state it restored.
    `until`: look at the first so many actions only. `since`: leave out what lies before that place, at no cost.
    """
    place = len(log) if until is None else until
    while place > since:
        place -= 1
        to = takeback_target(log[place].actor, log[place].action)
        if to is None:
            yield place
        else:
            place = to


def in_effect(log: Sequence[Done]) -> list[int]:
    """Return the actions that led to the last state of a log, by their places from 0, the first one first."""
    return [*latest(log)][::-1]
