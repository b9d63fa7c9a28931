"""The rules of Fidchess: how a game starts, goes on and ends."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from engine.board_game import OPTIONS, BoardGame, limits
from engine.codec import Value, encode
from engine.game import CHANCE, Action, Event, Refusal, Result
from engine.games.fidchess.board import (
    COLOURS,
    COLUMNS,
    CONTENT,
    DISKS,
    INDEX,
    PLANES,
    RESERVE,
    RIGANT,
    SEAT_SHIFT,
    START,
    SUPPLY,
    VIEW,
    board_of,
    cells_of,
    disks,
)
from engine.games.fidchess.moves import moves
from engine.games.fidchess.notation import LAWFUL, act, read
from engine.games.fidchess.refusals import why_not
from engine.games.fidchess.state import DISKS_TAKEN, RIGANT_TAKEN, Rules, State
from engine.games.fidchess.story import told, told_win
from engine.games.fidchess.worth import worth
from engine.house import RESIGNED, build, one_point_each
from engine.options import OptionValue, flag
from engine.stacks import no_space


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
        state = State(START, 0, 0, 0, "", (), rules, board_of(START), (0, disks(START, 1), disks(START, 2)))
        return state if first == "random" else self._begin(state, int(first))

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else (1, 2)

    def _result(self, state: State) -> Result:
        return one_point_each((state.winner,) if state.winner else (), 2, state.reason)

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        cells, seat, _, _, reason, _, rules, board, _ = state
        if actor != seat or not actor or reason:
            return super().legal(state, actor)
        return moves(cells, board >> VIEW[seat], rules.reaches)

    def _moves(self, state: State) -> Sequence[Action]:
        return self.legal(state, state.to_move)

    def _lawful(self, state: State, action: Action) -> bool:
        # Every move begins with the space of its stack.
        space = INDEX.get(action[:2])
        if space is None:
            return False
        return action in moves(state.cells, state.board >> VIEW[state.to_move], state.rules.reaches, 1 << space)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE or action == "resign":
            return super().apply(state, actor, action)
        before, _, actions, _, _, history, rules, board, counts = state
        origin, target, promotes, parts = LAWFUL[action]
        moving = before[origin]
        board ^= PLANES[moving][origin]
        other = 3 - actor
        taken = 0
        if parts:
            for space, content, promoted in parts:
                moving -= content
                board ^= PLANES[actor << SEAT_SHIFT | content + promoted][space]
            board ^= PLANES[moving][origin]
        else:
            moving += promotes
            if there := before[target]:
                board ^= PLANES[there][target]
                if there >> SEAT_SHIFT == actor:
                    moving += there & CONTENT
                else:
                    taken = there
            board ^= PLANES[moving][target]

        winner, reason = 0, ""
        if promotes or taken:
            counts = _counted_disks(counts, actor, promotes, taken & DISKS)
            if counts[actor] == SUPPLY:
                board &= ~(RESERVE << VIEW[actor])
            if taken & DISKS:
                board |= RESERVE << VIEW[other]
            if taken & RIGANT:
                winner, reason = actor, RIGANT_TAKEN
            elif not counts[other]:
                winner, reason = actor, DISKS_TAKEN
        after = build(State, (cells_of(board), other, actions + 1, winner, reason, history, rules, board, counts))
        return self._counted(after) if rules.counting else after

    def _resign(self, state: State, seat: int) -> State:
        return state._replace(winner=3 - seat, reason=RESIGNED)

    def _repeatable(self, state: State) -> Value:
        return state.to_move, state.cells

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode(state[:-2])

    def _read(self, state: State, text: str) -> Action | None:
        seat = state.to_move or 1
        marks = tuple("-" if not stack else "+" if stack >> SEAT_SHIFT == seat else "x" for stack in state.cells)
        return read(text, marks)

    def _how(self, state: State, text: str) -> str:
        return no_space(text, len(COLUMNS)) or self.notation

    def _why_not(self, state: State, seat: int, action: Action) -> Refusal:
        return why_not(state, seat, act(action))

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return (told(before.cells, actor, act(action)),)

    def _tell_win(self, before: State, after: State, action: Action) -> str:
        return told_win(after)


@cache
def _counted_disks(counts: tuple[int, int, int], seat: int, promoted: int, taken: int) -> tuple[int, int, int]:
    """Return how many disks each seat has on the board after a move of `seat`."""
    _, yellow, green = counts
    return (0, yellow + promoted, green - taken) if seat == 1 else (0, yellow - taken, green + promoted)


GAME = Fidchess()
