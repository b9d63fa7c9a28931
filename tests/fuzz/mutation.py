"""Small random changes to inputs: of their bytes, and of the values, records and events that the bytes stand for.

Bytes changed blindly are hardly ever canonical; so most changes here are made to decoded values, encoded again.
"""

from random import Random

from engine import MalformedError, Value, decode, encode
from protocol.file import MAGIC

LONGEST = 1 << 17
"""Bytes of an input; what is longer is cut."""
_NUMBERS = (-(2**63), -(2**31), -1, 0, 1, 2, 3, 5, 6, 127, 255, 256, 2**31 - 1, 2**31, 2**32, 2**63, 2**64 - 1)
_TEXTS = ("", " ", "resign", "draw", "\x1b[2J", "\u202e", "A1-A1", "9" * 300, "\U0001f0a1", "\u0000")
_BYTES = (b"", b"\0", bytes(32), b"\xff" * 32, bytes([1, *bytes(31)]), bytes(64), b"\xff" * 96)
_LEAVES = (*_NUMBERS, *_TEXTS, *_BYTES, None, ())


def mutated(data: bytes, rng: Random) -> bytes:
    """Return `data` with one to three changes."""
    for _ in range(rng.randint(1, 3)):
        data = _file(data, rng) if data.startswith(MAGIC) and rng.random() < 0.9 else _input(data, rng)
    return data[:LONGEST]


def _input(data: bytes, rng: Random) -> bytes:
    """Change a canonical value, also one that stands after a byte that selects something; else change bytes."""
    if rng.random() < 0.8:
        for start in (0, 1):
            value = _decoded(data[start:])
            if isinstance(value, tuple):
                return data[:start] + encode(_changed(value, rng))
    return _bytes(data, rng)


def _decoded(data: bytes) -> Value:
    try:
        return decode(data)
    except MalformedError:
        return None


def _file(data: bytes, rng: Random) -> bytes:
    """Drop, repeat, swap or change a record of a transcript."""
    records, at = [], len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        records.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    if records:
        one, other = rng.randrange(len(records)), rng.randrange(len(records))
        match rng.randrange(8):
            case 0:
                del records[one]
            case 1:
                records.insert(other, records[one])
            case 2:
                records[one], records[other] = records[other], records[one]
            case _:
                records[one] = _input(records[one], rng)
    return MAGIC + b"".join(len(record).to_bytes(4, "big") + record for record in records)


def _changed(value: Value, rng: Random) -> Value:
    match value:
        case tuple() if value and rng.random() < 0.85:
            at = rng.randrange(len(value))
            return (*value[:at], _changed(value[at], rng), *value[at + 1 :])
        case tuple():
            at = rng.randint(0, len(value))
            return rng.choice(
                (
                    (*value[:at], *value[at + 1 :]),
                    (*value[:at], *value[max(0, at - 1) :]),
                    (*value[:at], rng.choice(_LEAVES), *value[at:]),
                    tuple(rng.sample(value, len(value))),
                )
            )
        case bytes() if isinstance(inner := _decoded(value), tuple):
            return encode(_changed(inner, rng))
        case bytes() if rng.random() < 0.7:
            return _bytes(value, rng)
        case str() if rng.random() < 0.7:
            return _bytes(value.encode(), rng).decode("utf-8", "ignore")
        case int() if rng.random() < 0.6:
            return min(max(value + rng.choice((-2, -1, 1, 2)), -(2**63)), 2**64 - 1)
    return rng.choice(_LEAVES)


def _bytes(data: bytes, rng: Random) -> bytes:
    start = rng.randint(0, len(data))
    end = min(len(data), start + rng.randint(1, 8))
    match rng.randrange(6):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:end] + data[start:]
        case 2:
            return data[:start]
        case 3:
            return data[:start] + rng.randbytes(rng.randint(1, 4)) + data[start:]
        case 4 if data:
            at = rng.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data[:start] + rng.randbytes(end - start) + data[end:]
