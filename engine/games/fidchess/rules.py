"""The rules of Fidchess: how a game starts, goes on and ends."""

from collections.abc import Iterable, Mapping, Sequence

from engine.codec import Value, encode
from engine.game import CHANCE, Action, Event, Refusal, Result
from engine.games.fidchess.board import (
    COLOURS,
    CONTENT,
    DISKS,
    INDEX,
    PLANES,
    RESERVE,
    RIGANT,
    SEAT_SHIFT,
    START,
    SUPPLY,
    board_of,
    disks,
)
from engine.games.fidchess.moves import moves
from engine.games.fidchess.notation import act, read
from engine.games.fidchess.refusals import why_not
from engine.games.fidchess.state import DISKS_TAKEN, RIGANT_TAKEN, Rules, State
from engine.games.fidchess.story import told, told_win
from engine.games.fidchess.worth import worth
from engine.house import OPTIONS, RESIGNED, BoardGame, limits, one_point_each
from engine.options import OptionValue, flag


class Fidchess(BoardGame[State]):
    """The game of Fidchess for two seats, Yellow and Green."""

    key = "fidchess"
    title = "Fidchess"
    version = 1
    seats = range(2, 3)
    options = (
        *OPTIONS,
        flag("rigant_stacking", "the Rigant joins stacks like a disk"),
        flag("quen", "stacks of five disks"),
    )
    colours = COLOURS
    notation = "a move is written A2-A3 or C2xC7, joining A2+B2, dividing a stack B1>1@B2,1@C1"

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        first = chosen["first"]
        rules = Rules(*limits(chosen), int(chosen["rigant_stacking"]), int(chosen["quen"]))
        state = State(START, 0, 0, 0, "", (), rules, board_of(START))
        return state if first == "random" else self._begin(state, int(first))

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else (1, 2)

    def _result(self, state: State) -> Result:
        return one_point_each((state.winner,) if state.winner else (), 2, state.reason)

    def _moves(self, state: State) -> Sequence[Action]:
        return moves(state)

    def _lawful(self, state: State, action: Action) -> bool:
        # Every move begins with the space of its stack.
        space = INDEX.get(action[:2])
        return space is not None and action in moves(state, 1 << space)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE or action == "resign":
            return super().apply(state, actor, action)
        origin, target, promotes, parts, _ = act(action)
        cells = bytearray(state.cells)
        moving = cells[origin]
        board = state.board ^ PLANES[moving] << origin
        taken = 0
        if parts:
            for space, content, promoted in parts:
                moving -= content
                arriving = actor << SEAT_SHIFT | content + promoted
                cells[space] = arriving
                board ^= PLANES[arriving] << space
            cells[origin] = moving
            board ^= PLANES[moving] << origin
        else:
            taken = cells[target]
            board ^= PLANES[taken] << target
            moving += promotes
            if taken >> SEAT_SHIFT == actor:
                moving += taken & CONTENT
                taken = 0
            cells[origin] = 0
            cells[target] = moving
            board ^= PLANES[moving] << target
        if promotes and disks(cells, actor) == SUPPLY:
            board ^= RESERVE[actor]

        other = 3 - actor
        winner, reason = 0, ""
        if taken:
            if taken & DISKS:
                board |= RESERVE[other]
            if taken & RIGANT:
                winner, reason = actor, RIGANT_TAKEN
            elif not disks(cells, other):
                winner, reason = actor, DISKS_TAKEN
        _, _, actions, _, _, history, rules, _ = state
        after = State(bytes(cells), other, actions + 1, winner, reason, history, rules, board)
        return self._counted(after) if rules.repetition or rules.turn_limit else after

    def _resign(self, state: State, seat: int) -> State:
        return state._replace(winner=3 - seat, reason=RESIGNED)

    def _repeatable(self, state: State) -> Value:
        return state.to_move, state.cells

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode(state[:-1])

    def _read(self, state: State, text: str) -> Action | None:
        seat = state.to_move or 1
        marks = tuple("-" if not stack else "+" if stack >> SEAT_SHIFT == seat else "x" for stack in state.cells)
        return read(text, marks)

    def _why_not(self, state: State, seat: int, action: Action) -> Refusal:
        return why_not(state, seat, act(action))

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return (told(before.cells, actor, act(action)),)

    def _tell_win(self, before: State, after: State, action: Action) -> str:
        return told_win(after)


GAME = Fidchess()
