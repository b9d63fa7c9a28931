"""Fidchess a second time, slow and obvious: what the engine is compared with. It shares no code with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

ROWS = "ABCD"
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]

Space = tuple[int, int]


@dataclass(frozen=True)
class Stack:
    owner: int
    disks: int
    rigant: bool = False

    @property
    def size(self) -> int:
        return self.disks + (1 if self.rigant else 0)


@dataclass(frozen=True)
class Position:
    """`board` maps (row 0-3, column 1-8) to the stack there; spaces that are empty are missing."""

    board: dict[Space, Stack]
    turn: int = 1
    stacking: bool = False
    quen: bool = False
    winner: int = 0


def name(space: Space) -> str:
    return f"{ROWS[space[0]]}{space[1]}"


def place(text: str) -> Space:
    return ROWS.index(text[0]), int(text[1])


def on_board(space: Space) -> bool:
    return 0 <= space[0] <= 3 and 1 <= space[1] <= 8


def back_column(seat: int) -> int:
    return 8 if seat == 1 else 1


def start(stacking: bool = False, quen: bool = False) -> Position:
    board = {}
    for row, disks in enumerate((0, 3, 2, 1)):
        board[row, 1] = Stack(1, disks, rigant=row == 0)
        board[row, 2] = Stack(1, 1)
        board[row, 7] = Stack(2, 1)
        board[row, 8] = Stack(2, disks, rigant=row == 0)
    return Position(board, stacking=stacking, quen=quen)


def disks_on_board(position: Position, seat: int) -> int:
    return sum(stack.disks for stack in position.board.values() if stack.owner == seat)


def jumps(space: Space, steps: list[Space]) -> list[Space]:
    return [there for r, c in steps if on_board(there := (space[0] + r, space[1] + c))]


def slides(position: Position, space: Space, directions: list[Space], most: int) -> list[Space]:
    """Spaces reached in straight lines, the first occupied one of each line included."""
    found = []
    for r, c in directions:
        for n in range(1, most + 1):
            there = (space[0] + n * r, space[1] + n * c)
            if not on_board(there):
                break
            found.append(there)
            if there in position.board:
                break
    return found


def destinations(position: Position, space: Space) -> list[Space]:
    stack = position.board[space]
    if stack.rigant and stack.disks == 0:
        return jumps(space, STRAIGHT)
    if stack.size == 1:
        return jumps(space, STRAIGHT) + jumps(space, KNIGHT)
    found = slides(position, space, STRAIGHT, 7)
    if stack.size >= 3:
        found += jumps(space, KNIGHT)
    if stack.size == 4:
        found += jumps(space, DIAGONAL)
    if stack.size == 5:
        found += slides(position, space, DIAGONAL, 3)
    return found


def may_join(position: Position, stack: Stack, friend: Stack) -> bool:
    if friend.rigant or (stack.rigant and not position.stacking):
        return False
    return stack.size + friend.size <= (5 if position.quen else 4)


def may_promote(position: Position, seat: int, moved: Stack, there: Space) -> bool:
    single = moved.disks == 1 and not moved.rigant
    return single and there[1] == back_column(seat) and disks_on_board(position, seat) < 10


def moves(position: Position) -> dict[str, Position]:
    """Every lawful action of the seat to act, with the position it leads to."""
    found: dict[str, Position] = {}
    for space, stack in position.board.items():
        if stack.owner == position.turn:
            found.update(regular_moves(position, space, stack))
            found.update(divisions(position, space, stack))
    return found


def after(position: Position, board: dict[Space, Stack]) -> Position:
    """The position once the seat to act has changed the board: has it won?"""
    seat, other = position.turn, 3 - position.turn
    theirs = [stack for stack in board.values() if stack.owner == other]
    won = not any(stack.rigant for stack in theirs) or sum(stack.disks for stack in theirs) == 0
    return replace(position, board=board, turn=other, winner=seat if won else 0)


def regular_moves(position: Position, space: Space, stack: Stack) -> dict[str, Position]:
    found = {}
    for there in destinations(position, space):
        board = dict(position.board)
        del board[space]
        target = board.get(there)
        if target is not None and target.owner == stack.owner:
            if may_join(position, stack, target):
                board[there] = Stack(stack.owner, stack.disks + target.disks, stack.rigant or target.rigant)
                found[f"{name(space)}+{name(there)}"] = after(position, board)
            continue
        text = f"{name(space)}{'x' if target else '-'}{name(there)}"
        found[text] = after(position, {**board, there: stack})
        if may_promote(position, stack.owner, stack, there):
            found[text + "=D"] = after(position, {**board, there: Stack(stack.owner, 2)})
    return found


def divisions(position: Position, space: Space, stack: Stack) -> dict[str, Position]:
    if stack.size < 2 or space[1] == back_column(stack.owner):
        return {}
    empty = sorted(there for there in jumps(space, STRAIGHT) if there not in position.board)
    contents = [Stack(stack.owner, n, r) for n in range(stack.disks + 1) for r in (False, True)]
    found = {}
    for parts in product(contents, repeat=len(empty)):
        disks = stack.disks - sum(part.disks for part in parts)
        rigants = int(stack.rigant) - sum(part.rigant for part in parts)
        if disks < 0 or rigants < 0 or disks + rigants == 0 or disks + rigants == stack.size:
            continue
        leaving = [(there, part) for there, part in zip(empty, parts, strict=True) if part.size]
        for choices in product((False, True), repeat=len(leaving)):
            chosen = list(zip(leaving, choices, strict=True))
            if any(yes and not may_promote(position, stack.owner, part, there) for (there, part), yes in chosen):
                continue
            board = {**position.board, space: Stack(stack.owner, disks, bool(rigants))}
            texts = []
            for (there, part), promoted in chosen:
                board[there] = Stack(stack.owner, 2) if promoted else part
                content = ("R" if part.rigant else "") + (str(part.disks) if part.disks else "")
                texts.append(f"{content}@{name(there)}{'=D' if promoted else ''}")
            found[f"{name(space)}>{','.join(texts)}"] = after(position, board)
    return found


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.winner:
        return 0
    return sum(perft(child, depth - 1) for child in moves(position).values())
