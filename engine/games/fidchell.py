"""Fidchell: a chain from the king to the rim of a round board. The board and its lines: `_fidchell_tables`."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from engine._fidchell_tables import (
    CHAIN,
    LAYOUT,
    LAYOUTS,
    SECTIONS,
    Actions,
    Board,
    board_of,
    fields_of,
    no_field,
    read,
    size,
)
from engine.codec import encode
from engine.game import CHANCE, Action, Event, Over, Pending, Refusal, Result, Turn
from engine.house import (
    AGREED,
    LIMIT,
    OPTIONS,
    REPEATED,
    RESIGNED,
    WON,
    HouseGame,
    first_draw,
    limits,
    position_hash,
    tell_draw,
)
from engine.options import Option, OptionError, OptionValue, flag

_PIECES = range(CHAIN, 41)
_TURNS = tuple(map(Turn, range(4)))

_CHAINED = "chain to the king"
_REDUCED = "too few pieces"
_STUCK = "nobody can move"

_LONGEST = 60
"""Characters of an action that is looked at to explain why it is refused."""


class _Rules(NamedTuple):
    repetition: int
    turn_limit: int
    layout: str
    sections: int
    pieces: int
    dormant_king: int


class Rules(_Rules):
    """The options that matter during play; 0 is off or false."""

    @cached_property
    def board(self) -> Board:
        """Return the tables of the board."""
        return board_of(self.layout, self.sections)


class State(NamedTuple):
    """A position. Tuples have an entry for each seat. `ways` follows from the rest and is not packed."""

    standing: tuple[int, ...]
    """Each seat's pieces on the board: their fields, which alone are packed, and where they are in the lanes."""
    hands: tuple[int, ...]
    """The pieces in hand."""
    playing: tuple[int, ...]
    """The seats that are neither out nor resigned, in order; the pieces of the others are obstacles."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    actions: int
    winner: int
    """0 while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """If repetition counts, the positions since a piece was last placed or captured, or a seat resigned."""
    rules: Rules
    ways: int = 0
    """What the seat to act may do; 0 if no seat is to act."""

    @property
    def men(self) -> tuple[int, ...]:
        """The fields that hold each seat's pieces."""
        fields = self.rules.board.fields
        return tuple([some & fields for some in self.standing])


class Fidchell(HouseGame[State]):
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
            "the innermost circle of each row of a section; 0 reaches the king",
            pattern=LAYOUTS,
            form="1-9 digits 0-7 with just one 0",
        ),
        Option("sections", 6, (), "equal parts of the board", low=SECTIONS[0], high=SECTIONS[-1]),
        Option("pieces", 27, (), "the pieces of each player", low=_PIECES[0], high=_PIECES[-1]),
        flag("dormant_king", "the king captures nothing until a hand was empty"),
    )
    colours = ("Red", "Green", "Blue")
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
        state = State(nowhere, hands, playing, 0, 0, 0, "", (), rules)
        return state if first == "random" else _begin(state, int(first))

    def pending(self, state: State) -> Pending:
        if state.ways:
            return _TURNS[state.to_move]
        return Over(_result(state)) if state.reason else first_draw(state.playing)

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else state.playing

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        ways = state.ways
        if not ways or actor != state.to_move:
            return super().legal(state, actor)
        return Actions(state.rules.board, ways, state.standing[actor - 1])

    def _moves(self, state: State) -> Sequence[Action]:
        return self.legal(state, state.to_move)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE:
            return state._replace(reason=AGREED, ways=0) if action == "draw" else _begin(state, int(action[-1]))
        if action == "resign":
            return _resigned(state, actor)
        standing, hands, playing, _, actions, _, _, history, rules, _ = state
        board = rules.board
        field, moved = board.deed(action)
        pieces = list(standing)
        own = pieces[actor - 1] = pieces[actor - 1] ^ moved
        placed = hands[actor - 1]
        if placed:
            hands = _put(hands, actor, placed - 1)

        near = board.near[field]
        taken = False
        for seat in playing:
            if seat != actor and pieces[seat - 1] & near:
                kings = 0 if rules.dormant_king and 0 not in state.hands else board.kings
                if captured := board.ahead[field] & pieces[seat - 1] & (own | kings) >> 1:
                    taken = True
                    for bit in fields_of(captured):
                        pieces[seat - 1] ^= board.pieces[board.field_at[bit]]
        standing = tuple(pieces)

        winner, reason = 0, ""
        if own & near and board.is_chain(own, field):
            winner, reason = actor, _CHAINED
        elif taken:
            left = [hand + (some & board.fields).bit_count() for hand, some in zip(hands, standing, strict=True)]
            playing = tuple(seat for seat in playing if left[seat - 1] >= CHAIN)
            if len(playing) == 1:
                winner, reason = actor, _REDUCED

        to_move, ways = actor, 0
        if not reason:
            # Who has captured acts again, and can: the captured piece has left an empty field beside its own.
            to_move, ways = _turn(board, standing, hands, (actor,) if taken else _turns(playing, actor))
            if not ways:
                to_move, reason = actor, _STUCK
        if rules.repetition:
            position = position_hash((*_packed(standing, board), hands, playing, to_move))
            history = (position,) if taken or placed else (*history, position)
            if not reason and history.count(position) == rules.repetition:
                reason = REPEATED
        if actions + 1 == rules.turn_limit and not reason:
            reason = LIMIT
        if reason:
            ways = 0
        # State(...) in half the time.
        return tuple.__new__(
            State, (standing, hands, playing, to_move, actions + 1, winner, reason, history, rules, ways)
        )

    def worth(self, state: State, seat: int) -> int:
        if state.reason:
            return 0 if not state.winner else WON if state.winner == seat else -WON
        board, men = state.rules.board, state.men
        occupied = sum(men)

        def strength(seat: int) -> int:
            # A piece counts for more than the pieces on the best row to the king that nobody else blocks.
            own = men[seat - 1]
            spokes = ((own & spoke).bit_count() for spoke in board.spokes if not (occupied ^ own) & spoke)
            return 10 * (state.hands[seat - 1] + own.bit_count()) + max(spokes, default=0)

        rivals = [strength(other) for other in state.playing if other != seat]
        return strength(seat) - max(rivals) if seat in state.playing else -WON

    def pack(self, state: State) -> bytes:
        return encode((_packed(state.standing, state.rules.board), *state[1:-1]))

    def _read(self, state: State, text: str) -> Action | None:
        return read(text)

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        canonical = self._read(state, action.strip().lower()) if len(action) <= _LONGEST else None
        if canonical is None:
            return Refusal("notation", "notation", f"That is no move: {self.notation}.")
        if canonical != action and canonical in self._moves(state):
            return Refusal("notation", "notation", f"Write this move {canonical}.")
        board, hand = state.rules.board, state.hands[seat - 1]
        origin, _, target = canonical.partition("-")
        for name in (origin, target):
            if name and name not in board.named:
                return Refusal("no-field", "board", no_field(name, state.rules.layout, state.rules.sections))
        if not target:
            if not hand:
                return Refusal("hand", "turn", "Your hand is empty: you move a piece now, as in 5D4-5D7.")
            text = f"{origin} holds {self._owned(state, origin)}: a piece is placed on an empty field."
            return Refusal("occupied", "placing", text)
        if hand:
            count = f"{hand} piece{'s' * (hand > 1)}"
            return Refusal("hand", "turn", f"You still have {count} in hand: place one by naming a field, as in 5D4.")
        if not state.men[seat - 1] >> board.named[origin] & 1:
            there = self._owned(state, origin)
            text = f"{origin} holds {there}: move a piece of your own." if there else f"{origin} is empty."
            return Refusal("not-yours" if there else "empty", "moving", text)
        return self._why_not_moved(state, origin, target)

    def _why_not_moved(self, state: State, origin: str, target: str) -> Refusal:
        if origin == target:
            return Refusal("reach", "moving", f"The piece is on {origin} already: a move ends elsewhere.")
        there = self._owned(state, target)
        if there:
            return Refusal("occupied", "moving", f"{target} holds {there}: a piece moves to empty fields only.")
        if origin[-1] == target[-1]:
            text = f"The way from {origin} to {target} is blocked both ways round the circle."
            return Refusal("blocked", "moving", text)
        if origin[:-1] != target[:-1]:
            text = f"A piece moves along its circle or its row: from {origin} it cannot reach {target}."
            return Refusal("reach", "moving", text)
        step = 1 if origin < target else -1
        between = (f"{origin[:-1]}{circle}" for circle in range(int(origin[-1]) + step, int(target[-1]), step))
        name, there = next((name, there) for name in between if (there := self._owned(state, name)))
        return Refusal("blocked", "moving", f"The way from {origin} to {target} is blocked: {name} holds {there}.")

    def _owned(self, state: State, name: str) -> str:
        """What stands on a field, in words; nothing if it is empty."""
        field = state.rules.board.named[name]
        owner = next((seat for seat, some in enumerate(state.men, 1) if some >> field & 1), 0)
        return f"a piece of {self.colours[owner - 1]}" if owner else ""

    def story(self, before: State, actor: int, action: Action) -> tuple[Event, ...]:
        after = self.apply(before, actor, action)
        if actor == CHANCE:
            told = [] if action == "draw" else [Event(f"{self.colours[int(action[-1]) - 1]} begins.")]
        elif action == "resign":
            told = [Event(f"{self.colours[actor - 1]} resigns.")]
        else:
            told = [self._tell_move(before, after, actor, action)]
            for seat in before.playing:
                if seat not in after.playing:
                    count = after.hands[seat - 1] + after.men[seat - 1].bit_count()
                    told.append(Event(f"{self.colours[seat - 1]} has only {count} pieces left and is out."))
        if after.reason:
            return (*told, Event(self._ending(after)))
        if actor != CHANCE and after.to_move:
            told += map(Event, self._tell_turn(before, after, actor, action))
        return tuple(told)

    def _tell_move(self, before: State, after: State, actor: int, action: Action) -> Event:
        places = action.split("-")
        deed = f"moves a piece from {places[0]} to {places[1]}" if len(places) == 2 else f"places a piece on {action}"
        takings = []
        for seat, (had, has) in enumerate(zip(before.men, after.men, strict=True), 1):
            if seat != actor and had != has:
                names = [before.rules.board.names[field] for field in fields_of(had ^ has)]
                pieces = "piece" if len(names) == 1 else "pieces"
                takings.append(f"{self.colours[seat - 1]}'s {pieces} on {_listed(names)}")
                places += names
        captures = f" and captures {_listed(takings)}" if takings else ""
        return Event(f"{self.colours[actor - 1]} {deed}{captures}.", tuple(places))

    def _tell_turn(self, before: State, after: State, actor: int, action: Action) -> Iterator[str]:
        """Who is to act, if it is not simply the next seat."""
        if action == "resign" and before.to_move != actor:
            return
        captured = _put(before.standing, actor, 0) != _put(after.standing, actor, 0)
        for seat in () if captured else _turns(after.playing, actor):
            if seat == after.to_move:
                break
            yield f"{self.colours[seat - 1]} cannot move and is skipped."
        if after.to_move == actor:
            yield f"{self.colours[actor - 1]} has another turn."

    def _ending(self, state: State) -> str:
        if drawn := tell_draw(state.reason, state.actions):
            return drawn
        if state.reason == _STUCK:
            return "The game is drawn: nobody can move."
        winner = self.colours[state.winner - 1]
        if state.reason == _CHAINED:
            return f"{winner} wins: a chain joins the king to the outer circle."
        return f"{winner} wins."


def _put(entries: tuple[int, ...], seat: int, entry: int) -> tuple[int, ...]:
    """Return the entries with that of a seat replaced."""
    return (*entries[: seat - 1], entry, *entries[seat:])


def _packed(standing: tuple[int, ...], board: Board) -> tuple[bytes, ...]:
    length = (len(board.names) + 7) // 8
    return tuple((some & board.fields).to_bytes(length, "little") for some in standing)


@cache
def _turns(playing: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the seats still playing in the order of their turns after that of `seat`."""
    return tuple(sorted(playing, key=lambda other: (other <= seat, other)))


def _turn(board: Board, standing: tuple[int, ...], hands: tuple[int, ...], turns: tuple[int, ...]) -> tuple[int, int]:
    """Return the first of `turns` that can act, and what it may do; (0, 0) if none can."""
    occupied = 0
    for some in standing:
        occupied |= some
    for seat in turns:
        if ways := board.ways(standing[seat - 1], occupied, hands[seat - 1]):
            return seat, ways
    return 0, 0


def _begin(state: State, seat: int) -> State:
    _, ways = _turn(state.rules.board, state.standing, state.hands, (seat,))
    return _with_history(state._replace(to_move=seat, ways=ways))


def _with_history(state: State) -> State:
    """Return the state with a history that begins here, if repetition counts."""
    if not state.rules.repetition or not state.to_move:
        return state
    standing, hands, playing, to_move = state[:4]
    return state._replace(history=(position_hash((*_packed(standing, state.rules.board), hands, playing, to_move)),))


def _resigned(state: State, seat: int) -> State:
    playing = tuple(other for other in state.playing if other != seat)
    state = state._replace(playing=playing)
    if len(playing) == 1:
        return state._replace(winner=playing[0], reason=RESIGNED, ways=0)
    if state.to_move == seat:
        to_move, ways = _turn(state.rules.board, state.standing, state.hands, _turns(playing, seat))
        if not ways:
            return state._replace(reason=_STUCK, ways=0)
        state = state._replace(to_move=to_move, ways=ways)
    return _with_history(state)


def _result(state: State) -> Result:
    points = tuple(int(seat == state.winner) for seat in range(1, len(state.hands) + 1))
    return Result((state.winner,) if state.winner else (), points, state.reason)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
