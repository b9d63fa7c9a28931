"""Fidchess Qenqe: stacks that swallow each other round a ring, by Rich Hutnik. Board and notation: `_qenqe_tables`."""

from collections.abc import Mapping, Sequence
from functools import cache

from engine._qenqe_state import (
    DISKS_TAKEN,
    RIGANT_TAKEN,
    Rules,
    State,
    partner,
    winners_over,
)
from engine._qenqe_tables import (
    ADJACENT,
    ARMED,
    CONTROL,
    FULL,
    INDEX,
    LINES,
    LOW,
    MEMORY,
    RIGANTS,
    RING,
    SPACES,
    UPPER,
    Act,
    act,
    board_of,
    division_moves,
    divisions,
    has_rigant,
    landed,
    movement,
    owner,
    pattern,
    piece,
    planes,
    reaches,
    read,
    setup,
    shown,
    slide,
    stack_moves,
    write,
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
    next_seat,
    position_hash,
    tell_draw,
)
from engine.options import OptionError, OptionValue, flag
from engine.stacks import HOW, named, number

_TURNS = tuple(map(Turn, range(6)))

_ROW = (1 << RING) - 1


class Qenqe(HouseGame[State]):
    """The game of Fidchess Qenqe for two to five seats."""

    key = "qenqe"
    title = "Fidchess Qenqe"
    version = 1
    seats = range(2, 6)
    options = (
        *OPTIONS,
        flag("rigant_stacking", "the Rigant joins stacks like a disk"),
        flag("quen", "stacks of five disks"),
        flag("elimination", "every piece removes the stacks of others that it lands on, as the Rigant does"),
        flag("left_wins", "when a seat is out, the seat before it wins, whoever did it"),
        flag("partners", "four players: seats 1 and 3 play against 2 and 4"),
    )
    colours = ("White", "Blue", "Green", "Yellow", "Red")
    notation = "a move is written B2-B5, A30+A29 or C2xC15, dividing a stack B1>1@B2,1@A1, the top part first"

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
        state = State(cells, 0, tuple(range(1, seats + 1)), 0, (), "", (), rules, board_of(cells))
        return state if first == "random" else _begin(state, int(first))

    def pending(self, state: State) -> Pending:
        if state.reason:
            return Over(_result(state))
        return _TURNS[state.to_move] if state.to_move else first_draw(state.playing)

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.reason else state.playing

    def _moves(self, state: State, spaces: int = FULL) -> Sequence[Action]:
        # Never empty, so that no seat is ever skipped: every stack may step to a neighbour that is empty or another
        # seat's, unless it holds the partner's Rigant. The stacks of a seat are eleven at most, too few to cut the
        # ring, so they border on at least two such neighbours.
        cells, board, seat = state.cells, state.board, state.to_move
        occupied = board & FULL
        own = board >> CONTROL[seat] & spaces
        fields = _fields(board, seat, state.rules)
        row_of = (occupied & _ROW, occupied >> RING & _ROW, occupied >> 2 * RING & _ROW, occupied >> 3 * RING)
        moves: list[str] = []
        while own:
            space = (own & -own).bit_length() - 1
            own &= own - 1
            kind, divided = _kind(cells[space])
            field = fields[kind]
            for mask, known, lines in reaches(kind, space):
                case = field & mask
                try:
                    moves += known[case]
                except KeyError:
                    if len(known) >= MEMORY:
                        known.clear()
                    known[case] = stack_moves(space, lines, case)
                    moves += known[case]
            if kind > 1:
                row, column, targets, right, left, joins, takes = slide(space)
                around = row_of[row]
                around = (around >> column | around << RING - column) & _ROW - 1
                if around:
                    near, far = (around & -around).bit_length() - 1, around.bit_length() - 1
                    moves += right[near]
                    moves += left[RING - far]
                    for distance in (near, far) if near != far else (near,):
                        target = targets[distance]
                        if not field >> target + UPPER & 1:
                            moves.append(joins[distance])
                        elif not field >> target & 1:
                            moves.append(takes[distance])
                else:
                    moves += right[RING]
            if divided:
                division = divisions(divided, space)
                case = occupied & division.mask
                try:
                    moves += division.moves[case]
                except KeyError:
                    division.moves[case] = division_moves(division, case)
                    moves += division.moves[case]
        return moves

    def _lawful(self, state: State, action: Action) -> bool:
        # Every move begins with where its stack stands.
        space = INDEX.get(action[:3], INDEX.get(action[:2]))
        return space is not None and action in self._moves(state, 1 << space)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if actor == CHANCE:
            return _over(state, (), AGREED) if action == "draw" else _begin(state, int(action[-1]))
        if action == "resign":
            return _resign(state, actor)
        cells, _, playing, actions, _, _, history, rules, board = state
        origin, target, parts, _ = act(action)
        after = list(cells)
        moving = cells[origin]
        board ^= planes(moving) << origin
        winners: tuple[int, ...] = ()
        reason = ""
        if parts:
            for space, size in parts:
                after[space] = moving[:size]
                board ^= planes(moving[:size]) << space
                moving = moving[size:]
            after[origin] = moving
            board ^= planes(moving) << origin
        else:
            there = cells[target]
            stack = _merged(moving, there, actor, rules) if there else moving
            after[origin] = ""
            after[target] = stack
            board ^= planes(there) << target ^ planes(stack) << target
            if there:
                reason = _out(board, there, actor, playing)
                if reason:
                    winners = winners_over(owner(there), actor, playing, rules)
        seat = _next(playing, actor)
        position = tuple(after)
        if rules.repetition:
            occurred = position_hash((seat, playing, position))
            history += (occurred,)
            if not reason and history.count(occurred) == rules.repetition:
                reason = REPEATED
        if actions + 1 == rules.turn_limit and not reason:
            reason = LIMIT
        return State(position, seat, playing, actions + 1, winners, reason, history, rules, board)

    def worth(self, state: State, seat: int) -> int:
        if state.reason:
            return 0 if not state.winners else WON if seat in state.winners else -WON
        disks = [0] * (state.rules.seats + 1)
        for stack in state.cells:
            if stack:
                # To the seat that controls a stack its own disks count two each, captives one.
                disks[owner(stack)] += len(stack) + stack.count(stack[0].upper())
        team = (seat, partner(seat)) if state.rules.partners else (seat,)
        rivals = [rival for rival in state.playing if rival not in team]
        # So much better off than the rivals on average, times the rivals so that nothing is divided.
        return sum(disks[friend] for friend in team) * len(rivals) - sum(disks[r] for r in rivals) * len(team)

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
        return divisions(pattern(stack), said.origin).canonical.get(written, written) if stack else written

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        canonical = self._read(state, action.strip().lower()) if len(action) <= 100 else None
        if canonical is None:
            return Refusal("notation", "notation", f"That is no move: {self.notation}.")
        if canonical != action and canonical in self._moves(state):
            return Refusal("notation", "notation", f"Write this move {canonical}.")
        said = act(canonical)
        stack, place = state.cells[said.origin], SPACES[said.origin]
        if not stack:
            return Refusal("empty", "moves", f"{place} is empty: there is no piece to move.")
        if owner(stack) != seat:
            holder = self.colours[owner(stack) - 1]
            if owner(stack) not in state.playing:
                return Refusal("neutral", "resigning", f"The {piece(stack)} on {place} is neutral: {holder} resigned.")
            return Refusal("not-yours", "stacks", f"The {piece(stack)} on {place} belongs to {holder}.")
        return self._why_not_divided(state, said) if said.parts else self._why_not_moved(state, said)

    def _why_not_moved(self, state: State, said: Act) -> Refusal:
        cells, highest = state.cells, state.rules.highest
        origin, target = SPACES[said.origin], SPACES[said.target]
        stack, there = cells[said.origin], cells[said.target]
        if said.origin == said.target:
            return Refusal("reach", "moves", f"The {piece(stack)} is on {origin} already: a move ends elsewhere.")
        kind = movement(stack)
        ways = [line[: line.index(said.target)] for line in LINES[kind][said.origin] if said.target in line]
        if not ways:
            return Refusal("reach", "moves", f"{HOW[kind]}: from {origin} it cannot reach {target}.")
        if all(any(cells[space] for space in way) for way in ways):
            blocks = " and ".join(
                f"{SPACES[space]} holds {self._owned(state, cells[space])}"
                for space in (next(space for space in way if cells[space]) for way in sorted(ways, key=len))
            )
            way = "Both ways round" if len(ways) > 1 else "The way"
            text = f"{way} from {origin} to {target} {'are' if len(ways) > 1 else 'is'} blocked: {blocks}."
            return Refusal("blocked", "moves", text)
        if owner(there) != owner(stack):
            return Refusal("partner-rigant", "variants", f"Your partner's Rigant is on {target}: spare it.")
        if has_rigant(there):
            return Refusal("own-rigant", "joining", f"Your Rigant is on {target}: no piece of yours lands on it.")
        if stack.islower() and not state.rules.rigant_stacking:
            return Refusal("rigant-joins", "joining", f"The Rigant joins no stack: {target} holds your {piece(there)}.")
        high = len(stack) + len(there)
        text = f"The {piece(stack)} and your {piece(there)} would be {high} high: {highest} is the most."
        return Refusal("too-high", "joining", text)

    def _why_not_divided(self, state: State, said: Act) -> Refusal:
        stack, place = state.cells[said.origin], SPACES[said.origin]
        if len(stack) == 1:
            text = f"The {piece(stack)} on {place} is a single piece: it cannot be divided."
            return Refusal("single", "dividing", text)
        for space, _ in said.parts:
            if space not in ADJACENT[said.origin]:
                text = f"{SPACES[space]} is not next to {place}: parts go one space, not diagonally."
                return Refusal("reach", "dividing", text)
            if state.cells[space]:
                text = f"{SPACES[space]} holds {self._owned(state, state.cells[space])}: parts go to empty spaces only."
                return Refusal("occupied", "dividing", text)
        if len({space for space, _ in said.parts}) < len(said.parts):
            return Refusal("same-space", "dividing", "Each part goes to a different space.")
        leaving = sum(size for _, size in said.parts)
        if leaving >= len(stack):
            text = f"The {piece(stack)} on {place} is {len(stack)} high: something must stay when {leaving} leave."
            return Refusal("nothing-stays", "dividing", text)
        at = 0
        for _, size in said.parts:
            at += size
            if owner(stack[at]) != owner(stack):
                break
        colour = self.colours[owner(stack[at]) - 1]
        text = f"Cut {at} from the top, the stack on {place} ({shown(stack)}) would show a disk of {colour}:"
        return Refusal("reveals", "dividing", f"{text} each part and what stays needs a piece of yours on top.")

    def _owned(self, state: State, stack: str) -> str:
        neutral = "neutral " * (owner(stack) not in state.playing)
        name = neutral + piece(stack)
        return f"{'an' if name[0] == 'O' else 'a'} {name} of {self.colours[owner(stack) - 1]}"

    def story(self, before: State, actor: int, action: Action) -> tuple[Event, ...]:
        after = self.apply(before, actor, action)
        if actor == CHANCE:
            told = () if action == "draw" else (Event(f"{self.colours[int(action[-1]) - 1]} begins."),)
        elif action == "resign":
            text = f"{self.colours[actor - 1]} resigns"
            told = (Event(f"{text}." if after.reason else f"{text}: its pieces stay as neutral stacks."),)
        else:
            said = act(action)
            told = (self._tell_division(before, said) if said.parts else self._tell_move(before, after, said),)
        return (*told, Event(self._ending(before, after, action))) if after.reason else told

    def _tell_move(self, before: State, after: State, said: Act) -> Event:
        stack, there = before.cells[said.origin], before.cells[said.target]
        becomes = after.cells[said.target]
        origin, target = SPACES[said.origin], SPACES[said.target]
        text = f"{self.colours[owner(stack) - 1]} moves {named(piece(stack))} from {origin}"
        if not there:
            return Event(f"{text} to {target}.", (origin, target))
        neutral = "neutral " * (owner(there) not in before.playing)
        holder = "its" if owner(there) == owner(stack) else f"{self.colours[owner(there) - 1]}'s"
        landed_on = f"{holder} {neutral}{piece(there)}"
        if said.mark == "x" and becomes == stack:
            deed = f"captures {landed_on}" if has_rigant(there) else f"removes {landed_on} from the game"
            return Event(f"{text} to {target} and {deed}.", (origin, target))
        text += f" onto {landed_on} on {target}, making {_described(becomes)}"
        lost = len(stack) + len(there) - len(becomes)
        if said.mark == "x":
            text += "; the Rigant leaves the game"
            lost -= 1
        if lost:
            text += f"; {number(lost)} at the bottom leave{'s' * (lost == 1)} the game"
        return Event(text + ".", (origin, target))

    def _tell_division(self, before: State, said: Act) -> Event:
        stack, origin = before.cells[said.origin], SPACES[said.origin]
        told, stays = [], stack
        for space, size in said.parts:
            told.append(f"{_described(stays[:size])} goes to {SPACES[space]}")
            stays = stays[size:]
        colour = self.colours[owner(stack) - 1]
        text = f"{colour} divides the {piece(stack)} on {origin}: {', '.join(told)}, {_described(stays)} stays."
        return Event(text, (origin, *(SPACES[space] for space, _ in said.parts)))

    def _ending(self, before: State, after: State, action: Action) -> str:
        if drawn := tell_draw(after.reason, after.actions):
            return drawn
        colours = [self.colours[seat - 1] for seat in after.winners]
        wins = f"{' and '.join(colours)} {'wins' if len(colours) == 1 else 'win'}"
        if after.reason == RESIGNED:
            return f"{wins}."
        loser = self.colours[owner(before.cells[act(action).target]) - 1]
        if after.reason == RIGANT_TAKEN:
            return f"{wins}: {loser}'s Rigant is captured."
        return f"{wins}: {loser} controls no disk of its own."


@cache
def _kind(stack: str) -> tuple[int, str]:
    """Return the kind of movement of a stack, and its pattern if it can be divided."""
    return movement(stack), pattern(stack) if stack[0].upper() in stack[1:] else ""


def _fields(board: int, seat: int, rules: Rules) -> tuple[int, ...]:
    """Return by kind of movement what landing on each space would be for a stack of `seat`: see `stack_moves`."""
    occupied, own, rigants = board & FULL, board >> CONTROL[seat] & FULL, board >> RIGANTS & FULL
    closed = own | (rigants & board >> CONTROL[partner(seat)] if rules.partners else 0)
    removing = closed | occupied << UPPER
    joining = removing if rules.elimination else closed | occupied & ~rigants | (closed | rigants) << UPPER
    highest = rules.highest
    sizes = [joining ^ (own & board >> LOW[highest - size]) << UPPER for size in range(1, highest)]
    return (sizes[0] if rules.rigant_stacking else removing, *sizes, joining)


@cache
def _next(playing: tuple[int, ...], seat: int) -> int:
    return next_seat(playing, seat)


def _begin(state: State, seat: int) -> State:
    return _with_history(state._replace(to_move=seat))


def _resign(state: State, seat: int) -> State:
    playing = tuple(other for other in state.playing if other != seat)
    left = state._replace(playing=playing)
    if state.rules.partners:
        return _over(left, tuple(other for other in playing if other != partner(seat)), RESIGNED)
    if len(playing) == 1:
        return _over(left, playing, RESIGNED)
    return _with_history(left._replace(to_move=_next(playing, seat)) if state.to_move == seat else left)


def _with_history(state: State) -> State:
    """Return the state as the first that counts for repetition: who plays on has never been so before."""
    if not state.rules.repetition or not state.to_move:
        return state
    return state._replace(history=(position_hash((state.to_move, state.playing, state.cells)),))


def _removes(stack: str, rules: Rules) -> bool:
    """Return whether a stack removes the stacks of others that it lands on."""
    return bool(rules.elimination) or (stack.islower() and not rules.rigant_stacking)


def _merged(stack: str, there: str, seat: int, rules: Rules) -> str:
    """Return what stands where a stack of `seat` has landed on another."""
    if owner(there) == seat:
        return stack + there
    return stack if _removes(stack, rules) else landed(stack, there, rules.highest)


def _out(board: int, there: str, seat: int, playing: tuple[int, ...]) -> str:
    """Return why the owner of a stack that `seat` has landed on is out, or nothing; `board` is the one after it."""
    loser = owner(there)
    if loser == seat or loser not in playing:
        return ""
    if has_rigant(there):
        return RIGANT_TAKEN
    return "" if board >> CONTROL[loser] & board >> ARMED & FULL else DISKS_TAKEN


def _over(state: State, winners: tuple[int, ...], reason: str) -> State:
    return state._replace(winners=winners, reason=reason)


def _result(state: State) -> Result:
    points = tuple(int(seat in state.winners) for seat in range(1, state.rules.seats + 1))
    return Result(state.winners, points, state.reason)


def _mark(state: State, origin: int, target: int) -> str:
    """Return the sign of a move, by what stands on its two spaces."""
    stack, there = state.cells[origin], state.cells[target]
    if not there:
        return "-"
    if owner(there) == (owner(stack) if stack else state.to_move):
        return "+"
    return "x" if has_rigant(there) or _removes(stack, state.rules) else "+"


def _described(stack: str) -> str:
    """Return a stack with its article, and what lies in it if that is not one colour."""
    disks = stack.upper()
    return named(piece(stack)) + (f" ({shown(stack)})" if disks.strip(disks[0]) else "")


GAME = Qenqe()
