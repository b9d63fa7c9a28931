"""Signatures of a file checked many at a time, ahead of the fold: several threads can share that work."""

from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from typing import TypeVar

from protocol.identity import Claim, Verifier

BATCH = 256
"""Records read ahead: as many are checked in vain where the first of them is wrong."""
_PART = 16
"""Signatures checked in one go, so that handing them to a thread costs little beside them."""

T = TypeVar("T")
Spread = Callable[[Callable[[list[Claim]], list[bool]], list[list[Claim]]], Iterable[list[bool]]]
"""`map`, or the `map` of a pool of threads: calls a function for each item and returns the answers in order."""


class Ahead:
    """A verifier that checks claims ahead, in several threads if `spread` has them: a check lets go of the lock."""

    def __init__(self, verifier: Verifier, spread: Spread) -> None:
        self._verifier = verifier
        self._spread = spread
        self._true: set[Claim] = set()

    def look(self, claims: list[Claim]) -> None:
        """Check these claims, and forget those checked before."""
        parts = [claims[at : at + _PART] for at in range(0, len(claims), _PART)]
        answers = [answer for part in self._spread(self._judge, parts) for answer in part]
        self._true = set(compress(claims, answers))

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        """Return what the verifier returns, from what was checked ahead where possible."""
        return (id, message, signature) in self._true or self._verifier.verify(id, message, signature)

    def _judge(self, claims: list[Claim]) -> list[bool]:
        return [self._verifier.verify(*claim) for claim in claims]


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield the items many at a time, the first one alone. Those before an error are yielded before it is raised."""
    batch: list[T] = []
    most = 1
    try:
        for item in items:
            batch.append(item)
            if len(batch) == most:
                yield batch
                batch, most = [], BATCH
    except ValueError:
        yield batch
        raise
    yield batch
