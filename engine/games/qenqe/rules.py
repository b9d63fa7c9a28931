"""The rules of Fidchess Qenqe: how a game starts, goes on and ends."""

from collections.abc import Iterable, Mapping, Sequence

from engine.board_game import OPTIONS, BoardGame, limits
from engine.codec import Value, encode
from engine.game import CHANCE, Action, Event, Refusal, Result
from engine.games.qenqe.board import (
    COLOURS,
    INDEX,
    RING,
    has_rigant,
    landed,
    owner,
    setup,
)
from engine.games.qenqe.divisions import divisions, pattern
from engine.games.qenqe.moves import moves
from engine.games.qenqe.notation import LAWFUL, act, read, write
from engine.games.qenqe.options import partner
from engine.games.qenqe.planes import ARMED, FULL, VIEW, board_of
from engine.games.qenqe.refusals import why_not
from engine.games.qenqe.state import DISKS_TAKEN, RIGANT_TAKEN, Rules, State, winners_over
from engine.games.qenqe.story import told, told_win
from engine.games.qenqe.worth import worth
from engine.house import RESIGNED, build, next_seat, one_point_each
from engine.options import OptionError, OptionValue, flag, is_on
from engine.stacks import no_space

PARTNERS = flag("partners", "four players: 1 and 3 against 2 and 4")


class Qenqe(BoardGame[State]):
    """The game of Fidchess Qenqe for two to five seats."""

    key = "qenqe"
    title = "Fidchess Qenqe"
    version = 1
    seats = range(2, 6)
    options = (
        *OPTIONS,
        flag("rigant_stacking", "the Rigant joins stacks like a disk"),
        flag("quen", "stacks of five disks"),
        flag("elimination", "landing on others removes the whole stack"),
        flag("left_wins", "the seat before the one put out wins"),
        PARTNERS,
    )
    colours = COLOURS
    notation = "a move is written B2-B5, A30+A29 or C2xC15, dividing a stack B1>1@B2,1@A1, the top part first"

    def teams(self, options: Mapping[str, OptionValue], seats: int) -> tuple[tuple[int, ...], ...]:
        return tuple((seat, partner(seat)) for seat in (1, 2)) if is_on(PARTNERS, options) else ()

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        first = chosen["first"]
        if chosen["partners"] and seats != 4:
            raise OptionError("partners", "partners=true is only for 4 players: else partners is false")
        rules = Rules(
            seats,
            *limits(chosen),
            *(int(chosen[name]) for name in ("rigant_stacking", "quen", "elimination", "left_wins", "partners")),
        )
        cells = setup(seats)
        state = State(cells, 0, tuple(range(1, seats + 1)), 0, (), "", (), rules, board_of(cells, rules))
        return state if first == "random" else self._begin(state, int(first))

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else state.playing

    def _result(self, state: State) -> Result:
        return one_point_each(state.winners, state.rules.seats, state.reason)

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        # Without the way through `pending`.
        if actor and actor == state.to_move and not state.reason:
            return moves(state)
        return super().legal(state, actor)

    def _moves(self, state: State) -> Sequence[Action]:
        return moves(state)

    def _lawful(self, state: State, action: Action) -> bool:
        # Every move begins with the space of its stack.
        space = INDEX.get(action[:3], INDEX.get(action[:2]))
        return space is not None and action in moves(state, 1 << space)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE or action == "resign":
            return super().apply(state, actor, action)
        cells, _, playing, actions, _, _, history, rules, board = state
        origin, target, parts, _ = LAWFUL[action]
        codes = rules.codes
        after = list(cells)
        moving = cells[origin]
        board ^= codes[moving] << origin
        winners: tuple[int, ...] = ()
        reason = ""
        if parts:
            for space, size in parts:
                after[space] = moving[:size]
                board ^= codes[moving[:size]] << space
                moving = moving[size:]
            after[origin] = moving
            board ^= codes[moving] << origin
        else:
            there = cells[target]
            stack = _merged(moving, there, actor, rules) if there else moving
            after[origin] = ""
            after[target] = stack
            board ^= (codes[there] ^ codes[stack]) << target
            if there:
                reason = _out(board, there, actor, playing)
                if reason:
                    winners = winners_over(owner(there), actor, playing, rules)
        following = next_seat(playing, actor)
        state = build(State, (tuple(after), following, playing, actions + 1, winners, reason, history, rules, board))
        return self._counted(state) if rules.repetition or rules.turn_limit else state

    def _resign(self, state: State, seat: int) -> State:
        playing = tuple(other for other in state.playing if other != seat)
        left = state._replace(playing=playing)
        if state.rules.partners:
            return left._replace(winners=tuple(other for other in playing if other != partner(seat)), reason=RESIGNED)
        if len(playing) == 1:
            return left._replace(winners=playing, reason=RESIGNED)
        # Seats that play on have never been so before: older positions cannot come again.
        return self._with_new_history(
            left._replace(to_move=next_seat(playing, seat)) if state.to_move == seat else left
        )

    def _repeatable(self, state: State) -> Value:
        return state.to_move, state.playing, state.cells

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode(state[:-1])

    def _read(self, state: State, text: str) -> Action | None:
        said = read(text)
        if said is None:
            return None
        if not said.parts:
            return write(said._replace(mark=_mark(state, said.origin, said.target)))
        written = write(said)
        stack = state.cells[said.origin]
        return divisions(pattern(stack))[said.origin][1].canonical.get(written, written) if stack else written

    def _how(self, state: State, text: str) -> str:
        return no_space(text, RING) or self.notation

    def _why_not(self, state: State, seat: int, action: Action) -> Refusal:
        return why_not(state, seat, act(action))

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return (told(before, after, act(action)),)

    def _tell_resignation(self, before: State, after: State, seat: int, does: str) -> Iterable[Event]:
        return (Event(f"{does}." if after.reason else f"{does}: its pieces stay as neutral stacks."),)

    def _tell_win(self, before: State, after: State, action: Action) -> str:
        return told_win(before, after, action)


def _removes(stack: str, rules: Rules) -> bool:
    """Return whether a stack removes the stacks of others that it lands on."""
    return bool(rules.elimination) or (stack.islower() and not rules.rigant_stacking)


def _merged(stack: str, there: str, seat: int, rules: Rules) -> str:
    """Return what lies on a space where a stack of `seat` has landed on the stack `there`."""
    if owner(there) == seat:
        return stack + there
    return stack if _removes(stack, rules) else landed(stack, there, rules.highest)


def _out(board: int, there: str, seat: int, playing: tuple[int, ...]) -> str:
    """Return why the owner of the stack `there`, on which `seat` has landed, is out; empty if it is not.

    `board` is the one after the move.
    """
    loser = owner(there)
    if loser == seat or loser not in playing:
        return ""
    if has_rigant(there):
        return RIGANT_TAKEN
    return "" if board >> VIEW[loser] + ARMED & FULL else DISKS_TAKEN


def _mark(state: State, origin: int, target: int) -> str:
    """Return the sign of a move, by what lies on its two spaces."""
    stack, there = state.cells[origin], state.cells[target]
    if not there:
        return "-"
    if owner(there) == (owner(stack) if stack else state.to_move):
        return "+"
    return "x" if has_rigant(there) or _removes(stack, state.rules) else "+"


GAME = Qenqe()
