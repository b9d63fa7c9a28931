"""The rules of Fidchell: how a game starts, goes on and ends."""

from collections.abc import Iterable, Mapping, Sequence

from engine.board_game import OPTIONS, BoardGame, limits
from engine.codec import Value, encode
from engine.game import Action, Event, Refusal, Result
from engine.games.fidchell.board import (
    CHAIN,
    COLOURS,
    CROWDED,
    LAYOUT,
    LAYOUTS,
    NOBODY,
    SECTIONS,
    Actions,
    Board,
    fields_of,
    size,
)
from engine.games.fidchell.notation import read
from engine.games.fidchell.refusals import no_place, why_not
from engine.games.fidchell.state import CHAINED, REDUCED, STUCK, Rules, State
from engine.games.fidchell.story import told, told_turn, told_win
from engine.games.fidchell.turns import TURNS_AFTER, turn
from engine.games.fidchell.worth import worth
from engine.house import RESIGNED, build, one_point_each
from engine.options import Option, OptionError, OptionValue, flag

_PIECES = range(CHAIN, 41)


class Fidchell(BoardGame[State]):
    """The game of Fidchell for two or three seats, Red, Green and Blue."""

    key = "fidchell"
    title = "Fidchell"
    version = 1
    seats = range(2, 4)
    options = (
        *OPTIONS,
        Option(
            "layout",
            LAYOUT,
            (LAYOUT,),
            "inner end of each row; 0 reaches the king",
            pattern=LAYOUTS,
            form="1-9 digits 0-7 with just one 0",
        ),
        Option("sections", 6, (), "equal parts of the board", low=SECTIONS[0], high=SECTIONS[-1]),
        Option("pieces", 27, (), "the pieces of each player", low=_PIECES[0], high=_PIECES[-1]),
        flag("dormant_king", "the king captures only once a hand is empty"),
    )
    colours = COLOURS
    notation = "a piece is placed by naming a field, 5D4, and moved from one field to another, 5D4-5D7"

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        first = chosen["first"]
        rules = Rules(
            *limits(chosen),
            str(chosen["layout"]),
            int(chosen["sections"]),
            int(chosen["pieces"]),
            int(chosen["dormant_king"]),
        )
        _check_room(rules, seats)
        nowhere, hands, playing = (0,) * seats, (rules.pieces,) * seats, tuple(range(1, seats + 1))
        board = rules.board
        state = State(nowhere, hands, playing, 0, 0, 0, "", (), rules, board.open, NOBODY, (board.gate,) * seats)
        return state if first == "random" else self._begin(state, int(first))

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else state.playing

    def _result(self, state: State) -> Result:
        return one_point_each((state.winner,) if state.winner else (), len(state.hands), state.reason)

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        standing, _, _, to_move, _, _, _, _, rules, _, _, _, ways = state
        if not ways or actor != to_move:
            return super().legal(state, actor)
        actions = Actions()
        actions.board, actions.ways, actions.own = rules.board, ways, standing[actor - 1]
        return actions

    def _moves(self, state: State) -> Sequence[Action]:
        return self.legal(state, state.to_move)

    def apply(self, state: State, actor: int, action: Action) -> State:
        standing, hands, playing, _, actions, _, _, history, rules, empty, crowds, joined, _ = state
        board = rules.board
        field, origin, added = board.deeds[action]
        if field < 0:
            return super().apply(state, actor, action)
        moved = board.pieces[field]
        if origin >= 0:
            moved ^= board.pieces[origin]
        pieces = [*standing]
        own = pieces[actor - 1] = pieces[actor - 1] ^ moved
        empty ^= moved
        crowds += added
        if placed := hands[actor - 1]:
            hands = (*hands[: actor - 1], placed - 1, *hands[actor:])
            history = ()

        taken: list[int] = []
        flanks = board.beyond[field] & (own | board.kings)
        if flanks and (caught := flanks >> 1 & ~(own | empty)):
            if rules.dormant_king and 0 not in state.hands:
                caught &= own >> 1
            taken = _take(board, pieces, playing, caught)
            for lost in taken:
                empty ^= board.pieces[lost]
                crowds -= board.crowd[lost]
        standing = tuple(pieces)

        winner, reason = 0, ""
        if joined[actor - 1] & moved:
            links = board.joined(own)
            joined = (*joined[: actor - 1], links, *joined[actor:])
            if own & links & board.rim:
                winner, reason = actor, CHAINED
        order = TURNS_AFTER[playing][actor]
        if taken:
            history = ()
            joined = tuple(map(board.joined, standing))
            order = (actor,)  # which can act: the captured piece has left an empty field beside its own
            if not reason:
                playing = _not_out(playing, hands, standing, board)
                if len(playing) == 1:
                    winner, reason = actor, REDUCED

        to_move, ways = actor, 0
        if not reason:
            for to_move in order:
                if hands[to_move - 1]:
                    ways = empty & board.fields
                else:  # as `ways_of` has it, in one step
                    ways = (empty + ((standing[to_move - 1] & board.starts) << 1) ^ empty) & empty
                    ways &= board.once[crowds & CROWDED]
                if ways:
                    break
            else:
                reason = STUCK
        actions += 1
        after = build(
            State,
            (standing, hands, playing, to_move, actions, winner, reason, history, rules, empty, crowds, joined, ways),
        )
        return self._counted(after) if rules.counting else after

    def _counted(self, state: State) -> State:
        counted = super()._counted(state)
        return counted._replace(ways=0) if counted.reason else counted

    def _begin(self, state: State, seat: int) -> State:
        _, ways = turn(state, (seat,))
        return super()._begin(state._replace(ways=ways), seat)

    def _draw(self, state: State) -> State:
        return super()._draw(state._replace(ways=0))

    def _resign(self, state: State, seat: int) -> State:
        playing = tuple(other for other in state.playing if other != seat)
        state = state._replace(playing=playing)
        if len(playing) == 1:
            return state._replace(winner=playing[0], reason=RESIGNED, ways=0)
        if state.to_move == seat:
            to_move, ways = turn(state, TURNS_AFTER[playing][seat])
            if not ways:
                return state._replace(reason=STUCK, ways=0)
            state = state._replace(to_move=to_move, ways=ways)
        return self._with_new_history(state)

    def _repeatable(self, state: State) -> Value:
        return (*_packed(state), state.hands, state.playing, state.to_move)

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode((_packed(state), *state[1:9]))

    def _read(self, state: State, text: str) -> Action | None:
        return read(text)

    def _how(self, state: State, text: str) -> str:
        return no_place(state, text) or self.notation

    def _why_not(self, state: State, seat: int, action: Action) -> Refusal:
        return why_not(state, seat, action)

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return told(before, after, actor, action)

    def _tell_resignation(self, before: State, after: State, seat: int, does: str) -> Iterable[Event]:
        yield from super()._tell_resignation(before, after, seat, does)
        if before.to_move == seat and not after.reason:
            yield from told_turn(after, seat, TURNS_AFTER[after.playing][seat])

    def _tell_win(self, before: State, after: State, action: Action) -> str:
        return told_win(after)


def _take(board: Board, pieces: list[int], playing: tuple[int, ...], caught: int) -> list[int]:
    """Take what stands on the fields of `caught` from the `pieces` of its seat; return the fields that are empty now.

    The king stays, and so do the pieces of a seat that is not `playing` any more.
    """
    taken = []
    for bit in fields_of(caught):
        field = board.field_at[bit]
        for seat in playing:
            if pieces[seat - 1] & board.pieces[field]:
                pieces[seat - 1] ^= board.pieces[field]
                taken.append(field)
    return taken


def _not_out(
    playing: tuple[int, ...], hands: tuple[int, ...], standing: tuple[int, ...], board: Board
) -> tuple[int, ...]:
    """Return the seats still playing that have enough pieces left for a chain."""
    left = [hand + (some & board.fields).bit_count() for hand, some in zip(hands, standing, strict=True)]
    return tuple(seat for seat in playing if left[seat - 1] >= CHAIN)


def _packed(state: State) -> tuple[bytes, ...]:
    """Return the fields of each seat's pieces, field 0 in the lowest bit of the first byte."""
    board = state.rules.board
    length = (len(board.names) + 7) // 8
    return tuple((some & board.fields).to_bytes(length, "little") for some in state.standing)


def _check_room(rules: Rules, seats: int) -> None:
    """Raise OptionError unless all pieces find room on the board and a field stays empty."""
    fields = size(rules.layout, rules.sections)
    most = (fields - 1) // seats
    if most < CHAIN:
        message = f"layout={rules.layout} with sections={rules.sections} has {fields} fields"
        raise OptionError("layout", f"{message}: {seats} players need {seats * CHAIN + 1} or more")
    if rules.pieces > most:
        message = f"pieces={rules.pieces} is not possible: on {fields} fields with {seats} players"
        raise OptionError("pieces", f"{message} pieces is {CHAIN}-{min(most, _PIECES[-1])}")


GAME = Fidchell()
