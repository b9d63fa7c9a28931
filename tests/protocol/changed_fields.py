"""Events of which one field is changed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine import Value


def changes(fields: list[Any], rng: Random) -> Iterator[Any]:
    """The fields of an event, one of them changed."""
    _, _, seat, heads, (epoch, step, kind), _, _, _ = fields
    lower = tuple(() if n == seat - 1 else head for n, head in enumerate(heads))
    yield [*fields[:5], bytes(32), *fields[6:]]
    for slot in (
        (epoch, step, kind % 7 + 1),
        (epoch, step + 1, kind),
        (epoch + 1, step, kind),
        (epoch, step - 1, kind),
    ):
        yield [*fields[:4], slot, *fields[5:]] if slot[1] >= 0 else [*fields[:4], (epoch, 0, kind), *fields[5:]]
    bodies: tuple[tuple[int, Value], ...] = (
        *((1, ("resign",)), (1, ("\u00fc",)), (3, ()), (4, ()), (5, (1,)), (5, (0,)), (6, (bytes(32),))),
        *((7, (bytes(32), bytes(32))), (11, (b"",)), (11, (bytes(96),)), (13, (1, "resign")), (14, ())),
    )
    for number, body in bodies:
        yield [*fields[:6], number, body]
    for number in (epoch, epoch + 1, epoch + 256, epoch + 257):
        yield [*fields[:6], 12, (number, ())]
        others = [(n, *head) for n, head in enumerate(heads, 1) if n != seat]
        yield [*fields[:6], 12, (number, tuple(others[:1]))]
        yield [*fields[:6], 12, (number, tuple(others[1:]))]
    for n, head in enumerate(heads):
        if head != lower[n] or rng.random() < 0.5:
            yield [*fields[:3], (*heads[:n], (0, b""), *heads[n + 1 :]), *fields[4:]]
