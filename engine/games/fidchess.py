"""Fidchess: chess with stacks that join and divide, by Rich Hutnik. The board and the notation: `_fidchess_tables`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine._fidchess_tables import (
    ADJACENT,
    BACK,
    CONTENT,
    DISKS,
    FULL,
    INDEX,
    LINES,
    MEMORY,
    OCCUPIED,
    PLANES,
    RESERVE,
    RIGANT,
    SEAT_SHIFT,
    SPACES,
    START,
    SUPPLY,
    Act,
    act,
    board_of,
    disks,
    movement,
    piece,
    reaches,
    read,
    size,
    stack_moves,
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
from engine.options import OptionValue, flag
from engine.stacks import HOW, named, number

_SEATS = (1, 2)
_FIRST = first_draw(_SEATS)
_TURNS = (None, Turn(1), Turn(2))

_RIGANT_TAKEN = "Rigant captured"
_DISKS_TAKEN = "all disks captured"


class Rules(NamedTuple):
    """The options that matter during play; 0 is off or false."""

    repetition: int
    turn_limit: int
    rigant_stacking: int
    quen: int


class State(NamedTuple):
    """A position. `board` follows from `cells` and is not packed."""

    cells: bytes
    """The stack on each of the 32 spaces."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    actions: int
    winner: int
    """0 while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """Every position that occurred, if repetition counts."""
    rules: Rules
    board: int


class Fidchess(HouseGame[State]):
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
    colours = ("Yellow", "Green")
    notation = "a move is written A2-A3 or C2xC7, joining A2+B2, dividing a stack B1>1@B2,1@C1"

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        first = chosen["first"]
        rules = Rules(
            *limits(chosen),
            int(chosen["rigant_stacking"]),
            int(chosen["quen"]),
        )
        state = State(START, 0, 0, 0, "", (), rules, board_of(START))
        return state if first == "random" else _begin(state, int(first))

    def pending(self, state: State) -> Pending:
        if state.reason:
            return Over(_result(state))
        return _TURNS[state.to_move] or _FIRST

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else _SEATS

    def _moves(self, state: State, spaces: int = FULL) -> Sequence[Action]:
        # Never empty: every stack may step to any neighbour that is empty or hostile, and the at most eleven
        # stacks of a seat cannot fill the board, so some stack has such a neighbour. No seat is ever skipped.
        cells, board, rules = state.cells, state.board, state.rules
        stacks = reaches(rules.rigant_stacking, 4 + rules.quen)
        own = board >> OCCUPIED[state.to_move] & spaces
        moves: list[str] = []
        while own:
            space = (own & -own).bit_length() - 1
            own &= own - 1
            for mask, known, lines in stacks[cells[space]][space]:
                case = board & mask
                try:
                    moves += known[case]
                except KeyError:
                    if len(known) >= MEMORY:
                        known.clear()
                    known[case] = stack_moves(cells[space], space, case, lines, rules.rigant_stacking, 4 + rules.quen)
                    moves += known[case]
        return moves

    def _lawful(self, state: State, action: Action) -> bool:
        # Every move begins with where its stack stands.
        space = INDEX.get(action[:2])
        return space is not None and action in self._moves(state, 1 << space)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE:
            return _over(state, 0, AGREED) if action == "draw" else _begin(state, int(action[-1]))
        if action == "resign":
            return _over(state, 3 - actor, RESIGNED)
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
                winner, reason = actor, _RIGANT_TAKEN
            elif not disks(cells, other):
                winner, reason = actor, _DISKS_TAKEN
        _, _, actions, _, _, history, rules, _ = state
        repetition, limit, _, _ = rules
        after = bytes(cells)
        if repetition:
            position = position_hash((other, after))
            history += (position,)
            if not reason and history.count(position) == repetition:
                reason = REPEATED
        if actions + 1 == limit and not reason:
            reason = LIMIT
        return State(after, other, actions + 1, winner, reason, history, rules, board)

    def worth(self, state: State, seat: int) -> int:
        if state.reason:
            return 0 if not state.winner else WON if state.winner == seat else -WON
        worth = 0
        for space, stack in enumerate(state.cells):
            if stack & DISKS:
                # A disk counts ten times a step towards the opponent's back column.
                yellow = stack >> SEAT_SHIFT == 1
                steps = space % 8 if yellow else 7 - space % 8
                worth += (10 * (stack & DISKS) + steps) * (1 if yellow else -1)
        return worth if seat == 1 else -worth

    def pack(self, state: State) -> bytes:
        return encode(state[:-1])

    def _read(self, state: State, text: str) -> Action | None:
        seat = state.to_move or 1
        marks = tuple("-" if not stack else "+" if stack >> SEAT_SHIFT == seat else "x" for stack in state.cells)
        return read(text, marks)

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        canonical = self._read(state, action.strip().lower()) if len(action) <= 100 else None
        if canonical is None:
            return Refusal("notation", "notation", f"That is no move: {self.notation}.")
        if canonical != action and canonical in self._moves(state):
            return Refusal("notation", "notation", f"Write this move {canonical}.")
        said = act(canonical)
        stack = state.cells[said.origin]
        place = SPACES[said.origin]
        if not stack:
            return Refusal("empty", "moves", f"{place} is empty: there is no piece to move.")
        if stack >> SEAT_SHIFT != seat:
            return Refusal("not-yours", "moves", f"The {piece(stack)} on {place} belongs to {self.colours[2 - seat]}.")
        return self._why_not_divided(state, seat, said) if said.parts else self._why_not_moved(state, seat, said)

    def _why_not_moved(self, state: State, seat: int, said: Act) -> Refusal:
        cells, rules = state.cells, state.rules
        origin, target = SPACES[said.origin], SPACES[said.target]
        stack, there = cells[said.origin], cells[said.target]
        if said.origin == said.target:
            return Refusal("reach", "moves", f"The {piece(stack)} is on {origin} already: a move ends elsewhere.")
        kind = movement(stack)
        line = next((line for line in LINES[kind][said.origin] if said.target in line), None)
        if line is None:
            return Refusal("reach", "moves", f"{HOW[kind]}: from {origin} it cannot reach {target}.")
        for space in line[: line.index(said.target)]:
            if cells[space]:
                text = (
                    f"The way from {origin} to {target} is blocked: {SPACES[space]} holds {self._owned(cells[space])}."
                )
                return Refusal("blocked", "moves", text)
        if there >> SEAT_SHIFT == seat:
            if there & RIGANT:
                return Refusal("own-rigant", "joining", f"Your Rigant is on {target}: no piece of yours lands on it.")
            if stack & RIGANT and not rules.rigant_stacking:
                return Refusal(
                    "rigant-joins", "joining", f"The Rigant joins no stack: {target} holds your {piece(there)}."
                )
            high = size(stack) + size(there)
            if high > 4 + rules.quen:
                text = f"The {piece(stack)} and the {piece(there)} would be {high} high: {4 + rules.quen} is the most."
                return Refusal("too-high", "joining", text)
            return Refusal(
                "promotion", "promotion", f"A disk that joins the {piece(there)} on {target} is not promoted."
            )
        return self._why_not_promoted(seat, stack, said.target)

    def _why_not_divided(self, state: State, seat: int, said: Act) -> Refusal:
        stack, place = state.cells[said.origin], SPACES[said.origin]
        if size(stack) == 1:
            return Refusal(
                "single", "dividing", f"The {piece(stack)} on {place} is a single piece: it cannot be divided."
            )
        if said.origin in BACK[seat]:
            return Refusal(
                "back-column", "dividing", f"{place} is in the opponent's back column: no stack divides there."
            )
        for part in said.parts:
            target = SPACES[part.space]
            if part.space not in ADJACENT[said.origin]:
                return Refusal(
                    "reach", "dividing", f"{target} is not next to {place}: parts go one space, not diagonally."
                )
            if state.cells[part.space]:
                text = f"{target} holds {self._owned(state.cells[part.space])}: parts go to empty spaces only."
                return Refusal("occupied", "dividing", text)
        if len({part.space for part in said.parts}) < len(said.parts):
            return Refusal("same-space", "dividing", "Each part goes to a different space.")
        rigants = sum(part.content & RIGANT for part in said.parts)
        if rigants > stack & RIGANT:
            text = (
                "There is but one Rigant" if stack & RIGANT else f"The {piece(stack)} on {place} is without the Rigant"
            )
            return Refusal("rigant-part", "dividing", f"{text}: write a part of disks alone as 1@{target}.")
        leaving = sum(part.content & DISKS for part in said.parts)
        if leaving > stack & DISKS or leaving + rigants == stack & CONTENT:
            text = f"The stack on {place} has {number(stack & DISKS)}"
            text += " and the Rigant" if stack & RIGANT else ""
            return Refusal("nothing-stays", "dividing", f"{text}: something must stay when {number(leaving)} leave.")
        wrong = (part for part in said.parts if part.promotes)
        part = next((part for part in wrong if part.content != 1 or part.space not in BACK[seat]), said.parts[-1])
        return self._why_not_promoted(seat, part.content, part.space)

    def _why_not_promoted(self, seat: int, stack: int, target: int) -> Refusal:
        if stack & CONTENT != 1:
            return Refusal("promotion", "promotion", f"Only a single disk is promoted, not a {piece(stack)}.")
        if target not in BACK[seat]:
            column = 8 if seat == 1 else 1
            return Refusal("promotion", "promotion", f"A disk is promoted in column {column}, not on {SPACES[target]}.")
        return Refusal(
            "no-reserve", "promotion", f"All your {SUPPLY} disks are on the board: none is left to promote with."
        )

    def _owned(self, stack: int) -> str:
        name = piece(stack)
        return f"{'an' if name[0] == 'O' else 'a'} {name} of {self.colours[(stack >> SEAT_SHIFT) - 1]}"

    def story(self, before: State, actor: int, action: Action) -> tuple[Event, ...]:
        after = self.apply(before, actor, action)
        if actor == CHANCE:
            told = () if action == "draw" else (Event(f"{self.colours[int(action[-1]) - 1]} begins."),)
        elif action == "resign":
            told = (Event(f"{self.colours[actor - 1]} resigns."),)
        else:
            said = act(action)
            tell = self._tell_division if said.parts else self._tell_move
            told = (tell(before.cells, self.colours[actor - 1], said),)
        return (*told, Event(self._ending(after))) if after.reason else told

    def _tell_move(self, cells: bytes, colour: str, said: Act) -> Event:
        stack, there = cells[said.origin], cells[said.target]
        origin, target = SPACES[said.origin], SPACES[said.target]
        if said.mark == "+":
            joined = _named((stack & CONTENT) + (there & CONTENT))
            text = f"{colour} moves {_named(stack)} from {origin} onto the {piece(there)} on {target}, making {joined}"
        else:
            deeds = [f"{colour} moves {_named(stack)} from {origin} to {target}"]
            if there:
                deeds.append(f"captures {_named(there)}")
            if said.promotes:
                deeds.append("promotes it to a Duo" if not there else "promotes to a Duo")
            text = " and ".join((", ".join(deeds[:-1]), deeds[-1])) if len(deeds) > 1 else deeds[0]
        return Event(text + ".", (origin, target))

    def _tell_division(self, cells: bytes, colour: str, said: Act) -> Event:
        stack, origin = cells[said.origin], SPACES[said.origin]
        stays = stack - sum(part.content for part in said.parts)
        parts = ", ".join(
            f"{_named(part.content)} goes to {SPACES[part.space]}{' and becomes a Duo' * part.promotes}"
            for part in said.parts
        )
        text = f"{colour} divides the {piece(stack)} on {origin}: {parts}, {_named(stays)} stays."
        return Event(text, (origin, *(SPACES[part.space] for part in said.parts)))

    def _ending(self, state: State) -> str:
        if drawn := tell_draw(state.reason, state.actions):
            return drawn
        winner, loser = self.colours[state.winner - 1], self.colours[2 - state.winner]
        if state.reason == RESIGNED:
            return f"{winner} wins."
        taken = "Rigant" if state.reason == _RIGANT_TAKEN else "last disk"
        return f"{winner} wins: {loser}'s {taken} is captured."


def _begin(state: State, seat: int) -> State:
    history = (position_hash((seat, state.cells)),) if state.rules.repetition else ()
    return state._replace(to_move=seat, history=history)


def _over(state: State, winner: int, reason: str) -> State:
    return state._replace(winner=winner, reason=reason)


def _result(state: State) -> Result:
    points = tuple(int(seat == state.winner) for seat in _SEATS)
    return Result((state.winner,) if state.winner else (), points, state.reason)


def _named(stack: int) -> str:
    return named(piece(stack))


GAME = Fidchess()
