"""The one canonical encoding: msgpack arrays of int, bytes, str and None, nothing else.

Equal values have equal bytes, so bytes can be signed, hashed and compared. msgpack itself accepts several
encodings of one value (long ints, maps in any order, floats), so `decode` refuses all but the canonical one.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import msgpack

Value: TypeAlias = "int | bytes | str | tuple[Value, ...] | None"

MAX_DEPTH = 8
"""Arrays within arrays; the deepest value in use (an event inside a message) needs 6."""


class MalformedError(ValueError):
    """Bytes that are not the canonical encoding of any value."""


_LEAVES = frozenset((int, bytes, str, type(None)))
_pack: Callable[[Value], bytes] = msgpack.Packer(use_bin_type=True).pack


def encode(value: Value) -> bytes:
    """Return the canonical bytes of `value` (tuples, also named ones, become arrays)."""
    return _pack(value)


def decode(data: bytes, limit: int = 1 << 20) -> Value:
    """Return the value that `data` encodes, arrays as tuples.

    Raises MalformedError for anything longer than `limit` bytes or that `encode` would not have written.
    """
    size = len(data)
    if size > limit:
        raise MalformedError(f"{size} bytes, at most {limit} allowed")
    try:
        # What is longer than the data is refused without limits of its own.
        value: Value = msgpack.unpackb(data, use_list=False, max_map_len=0, max_ext_len=0)
        _check((value,), MAX_DEPTH)
        canonical = encode(value)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise MalformedError("not canonical msgpack") from error
    if canonical != data:
        raise MalformedError("not canonical msgpack")
    return value


def _check(values: tuple[Value, ...], depth: int) -> None:
    """Raise MalformedError unless all are leaves or nested tuples of leaves, by exact type: a bool is no int."""
    for value in values:
        if type(value) is tuple and depth:
            if not _LEAVES.issuperset(map(type, value)):
                _check(value, depth - 1)
        elif type(value) not in _LEAVES:
            raise MalformedError("a value of a kind that is not allowed" if depth else "nested too deeply")


def blake(person: str, *parts: bytes) -> bytes:
    """Return the 32-byte blake2b of `parts` joined, under the domain `person` (16 bytes of ASCII at most)."""
    state = _blank(person).copy()
    for part in parts:
        state.update(part)
    return state.digest()


@cache
def _blank(person: str) -> "hashlib.blake2b":
    # A copy of one that is set up takes a fraction of setting it up.
    return hashlib.blake2b(digest_size=32, person=person.encode("ascii"))
