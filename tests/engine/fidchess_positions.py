"""Positions of Fidchess, written as words."""

from engine import OptionValue
from engine.games.fidchess import GAME, State
from engine.games.fidchess.board import board_of, disks
from engine.games.fidchess.state import Rules


def start(**options: OptionValue) -> State:
    return GAME.start({"first": 1, **options}, 2)


def position(stacks: str, to_move: int = 1, stacking: int = 0, quen: int = 0, limit: int = 0) -> State:
    """A position from words like `Y3@B2 GR@A8 YR2@C1`: seat, Rigant or not, disks, space."""
    cells = bytearray(32)
    for word in stacks.split():
        content, space = word.split("@")
        seat = "?YG".index(content[0])
        rigant = 8 if "R" in content else 0
        number = int(content[1:].removeprefix("R") or 0)
        cells[8 * "ABCD".index(space[0]) + int(space[1]) - 1] = seat << 4 | rigant | number
    after = bytes(cells)
    counts = (0, disks(after, 1), disks(after, 2))
    return State(after, to_move, 0, 0, "", (), Rules(0, limit, stacking, quen), board_of(after), counts)


def play(state: State, *actions: str) -> State:
    for action in actions:
        assert GAME.refuse(state, state.to_move, action) is None, action
        state = GAME.apply(state, state.to_move, action)
    return state


# Far corners for the Rigants and a Green Oin, so that a test looks at one stack only.
REST = " YR@D1 GR@D8 G1@A1"
