"""Take-backs in a log of actions: the action of chance `takeback N` brings back the state after the first N actions.

The log keeps what was taken back. So a number of an action means the same before and after.
"""

import re
from collections.abc import Iterable
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


def in_effect(log: Iterable[Done]) -> list[int]:
    """Return the actions of a log that led to its last state, by their places from 0: no take-backs, nor taken back."""
    stand: list[int] = []
    for place, done in enumerate(log):
        to = takeback_target(done.actor, done.action)
        if to is None:
            stand.append(place)
            continue
        while stand and stand[-1] >= to:
            stand.pop()
    return stand
