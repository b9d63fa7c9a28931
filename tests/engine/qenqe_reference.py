"""Fidchess Qenqe a second time, slow and obvious: what the engine is compared with. It shares no code with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

ROWS = "ABCD"
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]
COLUMNS = {
    2: ["30 1 2", "15 16 17"],
    3: ["30 1 2", "10 11 12", "20 21 22"],
    4: ["30 1 2", "8 9 10", "15 16 17", "23 24 25"],
    5: ["29 30 1", "5 6 7", "11 12 13", "17 18 19", "23 24 25"],
}

Space = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    seat: int
    rigant: bool = False


Stack = tuple[Piece, ...]  # the top first


@dataclass(frozen=True)
class Options:
    seats: int
    rigant_stacking: bool = False
    quen: bool = False
    elimination: bool = False
    left_wins: bool = False
    partners: bool = False

    @property
    def highest(self) -> int:
        return 5 if self.quen else 4


@dataclass(frozen=True)
class Position:
    """`board` maps (row 0-3, column 1-30) to the stack there; spaces that are empty are missing."""

    options: Options
    board: dict[Space, Stack]
    turn: int
    playing: tuple[int, ...]
    winners: tuple[int, ...] = ()


def name(space: Space) -> str:
    return f"{ROWS[space[0]]}{space[1]}"


def start(options: Options, first: int = 1) -> Position:
    board: dict[Space, Stack] = {}
    for seat, columns in enumerate(COLUMNS[options.seats], 1):
        x, y, z = map(int, columns.split())
        disk = Piece(seat)
        for row in range(3):
            board[row, x] = board[row, z] = (disk,)
            board[row, y] = (disk, disk) if row else (Piece(seat, rigant=True),)
    return Position(options, board, first, tuple(range(1, options.seats + 1)))


def step(space: Space, rows: int, columns: int) -> Space | None:
    row, column = space[0] + rows, (space[1] + columns - 1) % 30 + 1
    return (row, column) if 0 <= row <= 3 else None


def jumps(space: Space, steps: list[Space]) -> set[Space]:
    return {there for rows, columns in steps if (there := step(space, rows, columns))}


def slides(position: Position, space: Space, directions: list[Space], most: int) -> set[Space]:
    """Spaces reached in straight lines, the first occupied one of each line included, the origin never."""
    found = set()
    for rows, columns in directions:
        there = space
        for _ in range(most):
            beyond = step(there, rows, columns)
            if beyond is None or beyond == space:
                break
            there = beyond
            found.add(there)
            if there in position.board:
                break
    return found


def destinations(position: Position, space: Space) -> set[Space]:
    stack = position.board[space]
    if stack == (Piece(stack[0].seat, rigant=True),):
        return jumps(space, STRAIGHT)
    if len(stack) == 1:
        return jumps(space, STRAIGHT) | jumps(space, KNIGHT)
    found = slides(position, space, STRAIGHT, 30)
    if len(stack) >= 3:
        found |= jumps(space, KNIGHT)
    if len(stack) == 4:
        found |= jumps(space, DIAGONAL)
    if len(stack) == 5:
        found |= slides(position, space, DIAGONAL, 3)
    return found


def partner(position: Position, seat: int) -> int:
    return {1: 3, 2: 4, 3: 1, 4: 2}[seat] if position.options.partners else 0


def land(position: Position, moving: Stack, there: Stack) -> tuple[str, Stack] | None:
    """The sign and the stack that results, or None if `moving` may not land on `there`."""
    options, seat = position.options, moving[0].seat
    if not there:
        return "-", moving
    lone_rigant = len(moving) == 1 and moving[0].rigant
    if there[0].seat == seat:
        if there[0].rigant or (lone_rigant and not options.rigant_stacking):
            return None
        return ("+", moving + there) if len(moving + there) <= options.highest else None
    if there[0].rigant and there[0].seat == partner(position, seat):
        return None
    if options.elimination or (lone_rigant and not options.rigant_stacking):
        return "x", moving
    rest = tuple(piece for piece in there if not piece.rigant)
    mine = [piece for piece in moving + rest if piece.seat == seat]
    others = [piece for piece in moving + rest if piece.seat != seat]
    return "x" if there[0].rigant else "+", tuple(mine + others)[: options.highest]


def moves(position: Position) -> dict[str, Position]:
    """Every lawful action of the seat to act, with the position it leads to."""
    found: dict[str, Position] = {}
    for space, stack in position.board.items():
        if stack[0].seat == position.turn:
            found.update(regular_moves(position, space, stack))
            found.update(divisions(position, space, stack))
    return found


def regular_moves(position: Position, space: Space, stack: Stack) -> dict[str, Position]:
    found = {}
    for there in destinations(position, space):
        landing = land(position, stack, position.board.get(there, ()))
        if landing:
            sign, result = landing
            board = {**position.board, there: result}
            del board[space]
            found[f"{name(space)}{sign}{name(there)}"] = after(position, board)
    return found


def divisions(position: Position, space: Space, stack: Stack) -> dict[str, Position]:
    empty = sorted(there for there in jumps(space, STRAIGHT) if there not in position.board)
    shortest: dict[frozenset[tuple[Space, Stack]], str] = {}
    for parts in cut(stack):
        if any(part[0].seat != position.turn for part in parts):
            continue
        *leaving, stays = parts
        for spaces in permutations(empty, len(leaving)):
            sizes = [f"{len(part)}@{name(there)}" for part, there in zip(leaving, spaces, strict=True)]
            text = f"{name(space)}>{','.join(sizes)}"
            result = frozenset([(space, stays), *zip(spaces, leaving, strict=True)])
            shortest[result] = min(text, shortest.get(result, text))
    return {text: after(position, {**position.board, **dict(result)}) for result, text in shortest.items()}


def cut(stack: Stack) -> list[list[Stack]]:
    """Every way to cut a stack into two or more parts, the top one first."""
    found = []
    for size in range(1, len(stack)):
        top, below = stack[:size], stack[size:]
        found.append([top, below])
        found += [[top, *parts] for parts in cut(below)]
    return found


def is_out(board: dict[Space, Stack], seat: int) -> bool:
    stacks = list(board.values())
    if not any(Piece(seat, rigant=True) in stack for stack in stacks):
        return True
    return not any(stack[0].seat == seat and Piece(seat) in stack for stack in stacks)


def after(position: Position, board: dict[Space, Stack]) -> Position:
    """The position once the seat to act has changed the board: is somebody out?"""
    options, seat = position.options, position.turn
    winners: tuple[int, ...] = ()
    for loser in position.playing:
        if is_out(board, loser):
            if options.partners:
                winners = (2, 4) if loser in (1, 3) else (1, 3)
            elif options.left_wins:
                winners = (next(s for s in position.playing if to_the_left(position, s) == loser),)
            else:
                winners = (seat,)
    return replace(position, board=board, turn=to_the_left(position, seat), winners=winners)


def to_the_left(position: Position, seat: int) -> int:
    """The next seat still playing."""
    while True:
        seat = seat % position.options.seats + 1
        if seat in position.playing:
            return seat


def resign(position: Position, seat: int) -> Position:
    """The position when a seat has resigned and others play on."""
    playing = tuple(s for s in position.playing if s != seat)
    left = replace(position, playing=playing)
    if position.options.partners:
        return replace(left, winners=(2, 4) if seat in (1, 3) else (1, 3))
    if len(playing) == 1:
        return replace(left, winners=playing)
    return replace(left, turn=to_the_left(left, seat)) if position.turn == seat else left


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.winners:
        return 0
    return sum(perft(child, depth - 1) for child in moves(position).values())
