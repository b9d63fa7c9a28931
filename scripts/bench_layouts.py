"""Speed of the layout of states and events, against what else they could be. `bench.py` runs this."""

import dataclasses
import timeit
from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import msgpack
from bench_rows import Row

ROUNDS, TIMES = 25, 20_000

NAMES = ("board", "hands", "seat", "actions", "reason", "history")
FIELDS = (bytes(49), (3, 0, 2), 2, 41, "", ())

COMPARED = (
    ("make a state", "State(*fields)", "Frozen(*fields)", "frozen dataclass", "<= 0.5"),
    ("change it", "state._replace(seat=1)", "replace(frozen, seat=1)", "dataclasses.replace", "<= 0.5"),
    ("compare it", "state == same", "frozen == frozen_same", "frozen dataclass", "<= 0.5"),
    ("read a field", "state.seat", "frozen.seat", "frozen dataclass", "-"),
    ("pack it", "pack(state)", "pack(astuple(frozen))", "dataclasses.astuple", "<= 0.5"),
    ("build(State, fields)", "build(State, fields)", "State(*fields)", "State(*fields)", "< 1"),
    ("state + NOTHING", "a, b, c, d, e, f = state + ()", "a, b, c, d, e, f = state", "state", "< 1"),
    ("Position._replace", "position._replace(slot=1, due=2)", "usual(position, slot=1, due=2)", "NamedTuple's", "< 1"),
)
"""What is measured: its name, ours and the peer's way as Python, what the peer is, the aim."""


def layouts() -> Iterator[Row]:
    """A NamedTuple against a frozen dataclass with slots, and our short ways against the NamedTuple's own."""
    from engine.house import build
    from protocol.table.position import Position

    named: Any = namedtuple  # mypy would have to know the fields
    state_of = named("State", NAMES)
    frozen_of = dataclasses.make_dataclass("Frozen", NAMES, frozen=True, slots=True)
    usual = named("Position", Position._fields)
    known = {
        "State": state_of,
        "Frozen": frozen_of,
        "fields": FIELDS,
        "state": state_of(*FIELDS),
        "same": state_of(*FIELDS),
        "frozen": frozen_of(*FIELDS),
        "frozen_same": frozen_of(*FIELDS),
        "position": build(Position, Position._fields),
        "usual": usual._replace,
        "build": build,
        "pack": msgpack.packb,
        "replace": dataclasses.replace,
        "astuple": dataclasses.astuple,
    }
    for name, *ways, peer, aim in COMPARED:
        timers = [timeit.Timer(way, globals=known) for way in ways]
        rounds = [[timer.timeit(TIMES) / TIMES * 1e9 for timer in timers] for _ in range(ROUNDS)]
        ours, theirs = map(min, zip(*rounds, strict=True))  # so short a work is slower only by what else goes on
        yield Row(name, f"{ours:.0f} ns", f"{theirs:.0f} ns {peer}", ours / theirs, aim)
