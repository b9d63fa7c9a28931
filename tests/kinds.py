"""What a test takes for granted of the kind of a value: a value of another kind fails the test there."""

from typing import TypeVar

E = TypeVar("E")


def expect(kind: type[E], value: object) -> E:
    """Return `value`, which has to be of a kind: one of several that it may be of, or not None.

    >>> expect(str, "roll").upper()
    'ROLL'
    """
    assert isinstance(value, kind), f"{value!r} is not of kind {kind.__name__}"
    return value
