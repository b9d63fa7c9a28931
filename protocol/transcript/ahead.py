"""Signatures of a file checked many at a time, ahead of the fold: several threads can share that work."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from protocol.identity import Claim, Verifier

BATCH = 256
"""Records read ahead: as many are checked in vain where the first of them is wrong."""
_PART = 16
"""Signatures checked in one go, so that handing them to a thread costs little beside them."""

T = TypeVar("T")
Spread = Callable[[Callable[[list[Claim]], list[bool]], list[list[Claim]]], Iterable[list[bool]]]
"""`map`, or the `map` of a pool of threads: calls a function for each item and returns the answers in order."""


def judged(claims: list[Claim], verifier: Verifier, spread: Spread) -> list[bool]:
    """Return for each claim whether it is true; `spread` may share the work: a check lets go of the lock of threads."""

    def judge(part: list[Claim]) -> list[bool]:
        return [verifier.verify(*claim) for claim in part]

    parts = [claims[at : at + _PART] for at in range(0, len(claims), _PART)]
    return [answer for part in spread(judge, parts) for answer in part]


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
