"""Positions of Fidchess Qenqe for its tests, written as words, and what may be done there."""

from engine import OptionValue, Over, Result
from engine.games.qenqe import GAME
from engine.games.qenqe.planes import board_of
from engine.games.qenqe.state import Rules, State

LETTERS = "WBGYR"
SPACES = [f"{row}{column}" for row in "ABCD" for column in range(1, 31)]
FLAGS = ("rigant_stacking", "quen", "elimination", "left_wins", "partners")


def start(seats: int = 2, **options: OptionValue) -> State:
    return GAME.start({"first": 1, **options}, seats)


def position(
    stacks: str, to_move: int = 1, seats: int = 2, out: tuple[int, ...] = (), limit: int = 0, **flags: bool
) -> State:
    """A position from words like `WWB@B2 wW@A1`: disks as capitals, Rigants small, the top first; seats that are `out`.

    A seat that lacks a Rigant has it in column 20-28 of row A, and one that controls no disk has one below in row C.
    """
    cells = [""] * 120
    for word in stacks.split():
        stack, space = word.split("@")
        cells[SPACES.index(space)] = stack
    playing = tuple(seat for seat in range(1, seats + 1) if seat not in out)
    for seat in playing:
        disk = LETTERS[seat - 1]
        if not any(disk.lower() in stack for stack in cells):
            cells[SPACES.index(f"A{18 + 2 * seat}")] = disk.lower()
        if not any(stack[:1].upper() == disk and disk in stack for stack in cells):
            cells[SPACES.index(f"C{18 + 2 * seat}")] = disk
    rules = Rules(seats, 0, limit, *(int(flags.get(name, False)) for name in FLAGS))
    return State(tuple(cells), to_move, playing, 0, (), "", (), rules, board_of(tuple(cells), rules))


def at(state: State, *spaces: str) -> list[str]:
    return [state.cells[SPACES.index(space)] for space in spaces]


def moves_of(state: State, space: str) -> set[str]:
    return {action for action in GAME.legal(state, state.to_move) if action[: len(space) + 1].strip("-+x>") == space}


def reached(state: State, space: str) -> set[str]:
    """Where the stack on `space` goes as a whole."""
    return {action[len(space) + 1 :] for action in moves_of(state, space) if ">" not in action}


def play(state: State, *actions: str) -> State:
    for action in actions:
        assert GAME.refuse(state, state.to_move, action) is None, action
        state = GAME.apply(state, state.to_move, action)
    return state


def won(*winners: int, seats: int = 2, reason: str = "Rigant captured") -> Over:
    return Over(Result(winners, tuple(int(seat in winners) for seat in range(1, seats + 1)), reason))


CIRCLE = ["A2-A3", "A17-A18", "A3-A2", "A18-A17"]
