"""How much one of the others may say: so much at once, and more as time passes."""

from collections.abc import Hashable

SLACK = 0.001
"""What part of the time for one more may be lacking: sums of seconds are rounded."""


class Allowance:
    """Allows `at_once` things at one time, and one more every so many seconds, never more than `at_once` together."""

    __slots__ = ("_at_once", "_every", "_until")

    def __init__(self, at_once: int, every: float) -> None:
        self._at_once, self._every = at_once, every
        self._until = float("-inf")
        """When all are there again."""

    def has(self, now: float) -> bool:
        """Return whether one more is allowed now."""
        return self._until <= now + (self._at_once - 1 + SLACK) * self._every

    def take(self, now: float) -> bool:
        """Return whether one more is allowed now, and count it if so."""
        if not self.has(now):
            return False
        self._until = max(now, self._until) + self._every
        return True


class Allowances:
    """An `Allowance` for each of at most `most` keys: the one not asked for longest gives way, and is whole again."""

    def __init__(self, at_once: int, every: float, most: int) -> None:
        self._at_once, self._every, self._most = at_once, every, most
        self._by_key: dict[Hashable, Allowance] = {}

    def take(self, key: Hashable, now: float) -> bool:
        """Return whether one more is allowed now for a key, and count it if so."""
        one = self._by_key.pop(key, None) or Allowance(self._at_once, self._every)
        self._by_key[key] = one
        if len(self._by_key) > self._most:
            del self._by_key[next(iter(self._by_key))]
        return one.take(now)
