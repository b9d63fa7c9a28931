"""The one canonical encoding: msgpack arrays of int, bytes, str and None, nothing else.

Equal values have equal bytes, so bytes can be signed, hashed and compared. msgpack itself accepts several
encodings of one value (long ints, maps in any order, floats), so `decode` refuses all but the canonical one.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import msgpack

Value: TypeAlias = "int | bytes | str | tuple[Value, ...] | None"

MAX_DEPTH = 8
"""Levels of arrays within arrays; the deepest value in use (an event inside a message) needs 6."""
HASH_BYTES = 32
"""Of every hash that is signed, shown or named: see `blake`."""


class MalformedError(ValueError):
    """Bytes that are not the canonical encoding of any value."""


_LEAVES = frozenset((int, bytes, str, type(None)))
_pack: Callable[[Value], bytes] = msgpack.Packer(use_bin_type=True).pack


def encode(value: Value) -> bytes:
    """Return the canonical bytes of `value`: tuples, also named ones, become arrays.

    >>> encode((1, "A2-A3", None)).hex()
    '9301a541322d4133c0'
    """
    return _pack(value)


def decode(data: bytes, limit: int = 1 << 20) -> Value:
    """Return the value that `data` encodes, arrays as tuples.

    Raises MalformedError for more than `limit` bytes, and for bytes that `encode` would not have written.

    >>> decode(bytes.fromhex("9301a541322d4133c0"))
    (1, 'A2-A3', None)
    """
    value: Value = unpack(data, limit)
    checked((value,), MAX_DEPTH)
    return value


def unpack(data: bytes, limit: int) -> Any:
    """Return what `data` encodes as `decode` does, for a caller that checks the exact type of each entry itself.

    Floats, booleans, empty maps and extensions may be among the entries. Raises MalformedError.
    """
    size = len(data)
    if size > limit:
        raise MalformedError(f"{size} bytes, at most {limit} allowed")
    try:
        # msgpack itself refuses strings and arrays that claim to be longer than the data.
        value = msgpack.unpackb(data, use_list=False, max_map_len=0, max_ext_len=0)
        canonical = _pack(value)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise MalformedError("not canonical msgpack") from error
    if canonical != data:
        raise MalformedError("not canonical msgpack")
    return value


def checked(values: tuple[Any, ...], depth: int = MAX_DEPTH) -> tuple[Value, ...]:
    """Return `values` if all are leaves or nested tuples of leaves, by exact type: a bool is no int.

    Raises MalformedError.
    """
    for value in values:
        if type(value) is tuple and depth:
            if not _LEAVES.issuperset(map(type, value)):
                checked(value, depth - 1)
        elif type(value) not in _LEAVES:
            raise MalformedError("a value of a kind that is not allowed" if depth else "nested too deeply")
    return values


def blake(person: str, *parts: bytes) -> bytes:
    """Return the 32-byte BLAKE2b hash (RFC 7693) of `parts` joined; `person` is at most 16 ASCII characters.

    `person` is BLAKE2b's personalization: hashes of one domain never equal those of another.
    """
    state = _blank(person).copy()
    for part in parts:
        state.update(part)
    return state.digest()


@cache
def _blank(person: str) -> "hashlib.blake2b":
    # Copying a hash object takes a fraction of the time of setting one up.
    return hashlib.blake2b(digest_size=HASH_BYTES, person=person.encode("ascii"))
