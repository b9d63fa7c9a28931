"""Fidchell a second time, slow and obvious: what the engine is compared with. It shares no code with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Field = tuple[int, int, int]
"""Section (from 1), row (from 0), circle (7 the outermost)."""
KING: Literal["king"] = "king"
DIRECTIONS = ("clockwise", "counter-clockwise", "inwards", "outwards")


@dataclass(frozen=True)
class Board:
    layout: str = "53035"
    sections: int = 6

    def fields(self) -> list[Field]:
        return [field for circle in range(7, 0, -1) for field in self.circle(circle)]

    def circle(self, circle: int) -> list[Field]:
        """The fields of one circle, clockwise."""
        every = [(section, row) for section in range(1, self.sections + 1) for row in range(len(self.layout))]
        return [(section, row, circle) for section, row in every if int(self.layout[row]) <= circle]

    def next(self, field: Field, direction: str) -> Field | Literal["king"] | None:
        section, row, circle = field
        if direction in ("clockwise", "counter-clockwise"):
            ring = self.circle(circle)
            step = 1 if direction == "clockwise" else -1
            return ring[(ring.index(field) + step) % len(ring)]
        if direction == "outwards":
            return (section, row, circle + 1) if circle < 7 else None
        if circle > 1 and int(self.layout[row]) < circle:
            return (section, row, circle - 1)
        return KING if int(self.layout[row]) == 0 else None


@dataclass(frozen=True)
class Position:
    """`men` maps each field that holds a piece to its seat; `playing`: the seats neither out nor resigned."""

    board: Board
    men: dict[Field, int]
    hands: dict[int, int]
    playing: frozenset[int]
    turn: int = 1
    dormant_king: bool = False
    winner: int = 0
    stuck: bool = False


def name(field: Field) -> str:
    section, row, circle = field
    return f"{section}{'ABCDEFGHI'[row]}{circle}"


def start(
    layout: str = "53035", sections: int = 6, seats: int = 2, pieces: int = 27, dormant: bool = False
) -> Position:
    everybody = range(1, seats + 1)
    board = Board(layout, sections)
    return Position(board, {}, dict.fromkeys(everybody, pieces), frozenset(everybody), dormant_king=dormant)


def moves(position: Position) -> dict[str, Position]:
    """Every lawful action of the seat to act, with the position it leads to."""
    return {action: play(position, action) for action, _, _ in possible(position, position.turn)}


def play(position: Position, action: str) -> Position:
    """The position after a lawful action of the seat to act."""
    emptied, filled = next((old, new) for text, old, new in possible(position, position.turn) if text == action)
    men = {field: seat for field, seat in position.men.items() if field != emptied}
    men[filled] = position.turn
    hands = dict(position.hands)
    if emptied is None:
        hands[position.turn] -= 1
    return after(position, replace(position, men=men, hands=hands), filled)


def possible(position: Position, seat: int) -> list[tuple[str, Field | None, Field]]:
    """What a seat may do: the action, the field that it empties if it moves a piece, the field that it fills."""
    board, men = position.board, position.men
    if position.hands[seat] > 0:
        return [(name(field), None, field) for field in board.fields() if field not in men]
    found: list[tuple[str, tuple[int, int, int] | None, tuple[int, int, int]]] = []
    for field, owner in men.items():
        if owner != seat:
            continue
        reached = []
        for direction in DIRECTIONS:
            there = board.next(field, direction)
            while there is not None and there != KING and there != field and there not in men:
                if there not in reached:
                    reached.append(there)
                there = board.next(there, direction)
        found += [(f"{name(field)}-{name(there)}", field, there) for there in reached]
    return found


def after(before: Position, position: Position, arrived: Field) -> Position:
    """The position once captures, the end and the next turn are settled. `before` tells whether the king is awake."""
    mover = position.turn
    captured = captures(before, position, arrived)
    men = {field: seat for field, seat in position.men.items() if field not in captured}
    position = replace(position, men=men)
    if has_chain(position, mover):
        return replace(position, winner=mover)
    playing = frozenset(seat for seat in position.playing if pieces_left(position, seat) >= 7)
    position = replace(position, playing=playing)
    if playing == {mover}:
        return replace(position, winner=mover)
    return pass_turn(position, again=bool(captured))


def captures(before: Position, position: Position, arrived: Field) -> set[Field]:
    board, men, mover = position.board, position.men, position.turn
    king_awake = not position.dormant_king or any(hand == 0 for hand in before.hands.values())
    captured = set()
    for direction in DIRECTIONS:
        victim = board.next(arrived, direction)
        if victim is None or victim == KING or men.get(victim) not in position.playing - {mover}:
            continue
        beyond = board.next(victim, direction)
        if (beyond == KING and king_awake) or (beyond != KING and beyond is not None and men.get(beyond) == mover):
            captured.add(victim)
    return captured


def has_chain(position: Position, seat: int) -> bool:
    own = {field for field, owner in position.men.items() if owner == seat}
    reached = {field for field in own if position.board.next(field, "inwards") == KING}
    while True:
        more = {field for field in own - reached if any(there in reached for there in neighbours(position, field))}
        if not more:
            return any(circle == 7 for _, _, circle in reached)
        reached |= more


def neighbours(position: Position, field: Field) -> list[Field | Literal["king"] | None]:
    return [position.board.next(field, direction) for direction in DIRECTIONS]


def pieces_left(position: Position, seat: int) -> int:
    return position.hands[seat] + sum(owner == seat for owner in position.men.values())


def pass_turn(position: Position, again: bool) -> Position:
    """The turn goes on, to the same seat `again` if it can act; a seat that cannot is skipped."""
    seats = len(position.hands)
    turn = position.turn
    clockwise = [(turn - 1 + step) % seats + 1 for step in range(seats + 1)]
    for seat in clockwise if again else clockwise[1:]:
        if seat in position.playing and possible(position, seat):
            return replace(position, turn=seat)
    return replace(position, stuck=True)


def resign(position: Position, seat: int) -> Position:
    playing = position.playing - {seat}
    position = replace(position, playing=playing)
    if len(playing) == 1:
        return replace(position, winner=min(playing))
    return pass_turn(position, again=False) if position.turn == seat else position


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.winner or position.stuck:
        return 0
    return sum(perft(child, depth - 1) for child in moves(position).values())
