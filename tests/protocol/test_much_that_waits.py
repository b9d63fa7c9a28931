"""A table is read in one walk, however much its seats sign that changes nothing."""

from typing import Any

import pytest
from replicas import FAST, Circle, circle_of

from protocol import verify
from protocol.events import bodies
from protocol.table import step
from protocol.table.earlier import Earlier
from protocol.table.path import Path

MUCH = 100
"""So much each of the others signs before the contributions that do not count, and after."""
SEQUENCES = 7


class Ply(int):
    """A number of actions that counts how often it is compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Ply.compared += 1
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        Ply.compared += 1
        return int(self) <= int(other)

    def __gt__(self, other: int) -> bool:
        Ply.compared += 1
        return int(self) > int(other)

    def __ge__(self, other: int) -> bool:
        Ply.compared += 1
        return int(self) >= int(other)


def linked(plies: int) -> tuple[Earlier, dict[int, Earlier]]:
    """The last of so many states, with gaps where some were taken back, and all of them."""
    found, all_of_them = Earlier(1, 0, "start", None), dict[int, Earlier]()
    all_of_them[0] = found
    for ply in range(1, plies):
        if ply % 7 not in (3, 4):
            found = all_of_them[ply] = Earlier(ply % 3, ply, f"after {ply}", found)
    return found, all_of_them


def test_any_earlier_state_is_found_in_few_steps() -> None:
    last, all_of_them = linked(3000)
    Ply.compared = 0
    for ply in range(-1, 3010):
        assert last.at(Ply(ply)) is all_of_them.get(ply)
    assert Ply.compared < 3000 * 2 * 40


def test_earlier_states_are_alike_if_all_before_them_are() -> None:
    last, _ = linked(3000)
    other, all_of_them = linked(3000)
    assert last == other
    assert hash(last) == hash(other)
    all_of_them[5].state = "another"
    assert last != other
    assert last != all_of_them[2995]


def sign_much(circle: Circle, body: bodies.Wish | bodies.Takeback) -> None:
    """Let every seat but the mover sign one thing again and again, and the mover what places nothing of that."""
    table, mover, slot = circle[1], circle.mover, circle[1].fold.position.slot
    for half in (0, MUCH):
        for at in range(half, half + MUCH):
            for seat in {1, 2, 3} - {mover}:
                ahead = slot._replace(step=slot.step + at // 8)
                circle.give(table, circle.forge(seat, body, at=table, slot=ahead))
        for _ in range(0 if half else SEQUENCES):
            circle.give(table, circle.forge(mover, bodies.Sequence(), at=table))


@pytest.mark.parametrize("body", [bodies.Wish(0), bodies.Takeback(10**6)])
def test_what_waits_is_not_looked_at_with_every_event(
    body: bodies.Wish | bodies.Takeback, monkeypatch: pytest.MonkeyPatch
) -> None:
    circle = circle_of("pebbles", 3, first=1, pile=99)
    circle.settle()
    before = verify(circle.files[0], FAST).signed_events
    sign_much(circle, body)
    looks, real = 0, step._changes

    def counted(*of: Any) -> bool:
        nonlocal looks
        looks += 1
        return real(*of)

    monkeypatch.setattr(step, "_changes", counted)
    report = verify(circle.files[0], FAST)
    assert report.ok, report.error
    assert report.signed_events == before + 2 * 2 * MUCH + SEQUENCES
    assert looks <= report.signed_events


def test_agreements_of_who_is_out_are_not_looked_at_with_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    circle = circle_of("pebbles", 3, first=1, pile=99)
    circle.settle()
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    for _ in range(3):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    assert circle[1].fold.position.live == (1, 2)
    table, number = circle[1], 0
    for _ in range(6):
        for _ in range(40):
            number += 1
            circle.spread(circle.forge(3, bodies.Epoch(number, ()), at=table))
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    assert table.fold.position.live == (1, 2)
    looks, real = 0, Path._may_be_in_force

    def counted(path: Path, *of: Any, **how: Any) -> bool:
        nonlocal looks
        looks += 1
        return real(path, *of, **how)

    monkeypatch.setattr(Path, "_may_be_in_force", counted)
    report = verify(circle.files[0], FAST)
    assert report.ok, report.error
    assert looks <= 2 * number, "once each, and not again with every event"
