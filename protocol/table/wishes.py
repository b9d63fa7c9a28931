"""Wishes for a draw: for each seat, seat 1 first, how many of its own moves its wish still outlives; 0 for no wish."""

from collections.abc import Iterable

from protocol.table.position import put

WISH_OUTLIVES = 2
"""A draw wish lapses with its author's second own move after it."""


def with_wish(wishes: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the wishes after a seat has wished a draw."""
    return put(wishes, seat, WISH_OUTLIVES)


def without_wish(wishes: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the wishes after a seat has taken its wish back."""
    return put(wishes, seat, 0)


def after_move(wishes: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the wishes after an own move of a seat."""
    return put(wishes, seat, max(0, wishes[seat - 1] - 1))


def wishing(wishes: tuple[int, ...], live: Iterable[int]) -> tuple[int, ...]:
    """Return those of the `live` seats that wish a draw: no wish stands of a seat that plays no more."""
    return tuple([seat for seat in live if wishes[seat - 1]])
