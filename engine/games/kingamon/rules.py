"""The rules of Byzantine Kingamon: how a game starts, goes on and ends."""

from collections.abc import Iterable, Mapping, Sequence

from engine.codec import encode
from engine.game import CHANCE, Action, Chance, Dice, Event, Over, Pending, Refusal, Result
from engine.games.kingamon.board import COLOURS, DISK, DISKS, KING, OFF, START, WAITING
from engine.games.kingamon.notation import NOTATION, lone_space, no_space, read
from engine.games.kingamon.plays import STEPS, SinglePlay, moves, plays
from engine.games.kingamon.refusals import explain
from engine.games.kingamon.state import (
    ACEY,
    AGREED,
    ALL_OFF,
    ANSWER,
    BACKGAMMON,
    BAR_FIRST,
    CAPTURED,
    CHOOSE,
    CUBE,
    DROPPED,
    FIRST,
    KING_BAR,
    KING_OFF,
    PLAY,
    QUICK,
    REASONS,
    REMOVED,
    RESIGNED,
    ROLL,
    SAFE,
    TOP_STAKE,
    State,
)
from engine.games.kingamon.story import told, told_end
from engine.games.kingamon.worth import worth
from engine.house import FIRST as FIRST_OPTION
from engine.house import TURNS, HouseGame, build, first_draw, outcomes
from engine.options import Option, OptionError, OptionValue, flag

FLAGS = {
    "quick": QUICK,
    "captured_disks": REMOVED,
    "captured_king": KING_BAR,
    "bearing_off": BACKGAMMON,
    "bar_first": BAR_FIRST,
    "safe_spaces": SAFE,
    "acey_ducey": ACEY,
    "cube": CUBE,
}
"""The bit in `State.rules` that each option sets where it is not at its default."""

FIRST_DRAW, DICE = first_draw((1, 2)), Chance(Dice(2, 6))
ROLLS = outcomes(DICE)
ROLLED = {roll: bytes((int(roll[0]), int(roll[2]))) for roll in ROLLS}


class Kingamon(HouseGame[State]):
    """The game of Byzantine Kingamon for two seats, White and Red."""

    key = "kingamon"
    title = "Byzantine Kingamon"
    version = 1
    seats = range(2, 3)
    colours = COLOURS
    stakes = True
    notation = NOTATION
    options = (
        FIRST_OPTION,
        flag("quick", "bearing off the king wins"),
        Option("captured_disks", "bar", ("bar", "removed"), "removed: out of the game (needs quick)"),
        Option("captured_king", "loses", ("loses", "bar"), "bar: it has to enter again (needs quick)"),
        Option("bearing_off", "exact", ("exact", "backgammon"), "backgammon: with all home, higher dice too"),
        flag("bar_first", "pieces on the bar have to enter first"),
        flag("safe_spaces", "12 and 18 hold both sides, none captured"),
        flag("acey_ducey", "a roll of 1 and 2 also rolls again"),
        flag("cube", "the doubling cube"),
    )

    def resolve(self, options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
        chosen = super().resolve(options, seats)
        for name, only in (("captured_disks", "bar"), ("captured_king", "loses")):
            if chosen[name] != only and not chosen["quick"]:
                raise OptionError(name, f"{name}={chosen[name]} goes with quick=true only: else {name} is {only}")
        if chosen["bearing_off"] == "backgammon" and chosen["captured_disks"] == "removed":
            raise OptionError(
                "bearing_off",
                "bearing_off=backgammon does not go with captured_disks=removed: there bearing_off is exact",
            )
        return chosen

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        first = chosen["first"]
        rules = sum(FLAGS[one.name] for one in self.options if one.name in FLAGS and chosen[one.name] != one.default)
        phase, seat = (FIRST, 0) if first == "random" else (ROLL, int(first))
        return State(rules, phase, seat, START, START, b"", 0, 1, 0)

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.phase > PLAY else (1, 2)

    def pending(self, state: State) -> Pending:
        phase = state.phase
        if phase == ROLL:
            return DICE
        if phase == FIRST:
            return FIRST_DRAW
        if phase <= PLAY:
            return TURNS[state.seat]
        winner = state.seat
        points = (state.stake * (winner == 1), state.stake * (winner == 2))
        return Over(Result((winner,) if winner else (), points, REASONS[phase]))

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        # The two phases that make up a game, without the way through `pending`.
        if state.phase == ROLL:
            return ROLLS if actor == CHANCE else ()
        if state.phase == PLAY:
            return state.plays if actor == state.seat else ()
        return super().legal(state, actor)

    def _moves(self, state: State) -> Sequence[Action]:
        return moves(state)

    def apply(self, state: State, actor: int, action: Action) -> State:
        phase, seat = state.phase, state.seat
        if phase == PLAY and (step := STEPS[seat].get(action)):
            return _play(state, step)
        if phase == ROLL and (dice := ROLLED.get(action)):
            return _roll(state, dice)
        if action == "roll":
            return state._replace(phase=ROLL)
        if action == "double":
            return state._replace(phase=ANSWER, seat=3 - seat)
        if action == "take":
            return state._replace(phase=ROLL, seat=3 - seat, stake=2 * state.stake, owner=seat)
        if action == "drop":
            return _over(state, 3 - seat, DROPPED)
        return super().apply(state, actor, action)

    def _begin(self, state: State, seat: int) -> State:
        return state._replace(phase=ROLL, seat=seat)

    def _resign(self, state: State, seat: int) -> State:
        return _over(state, 3 - seat, RESIGNED)

    def _draw(self, state: State) -> State:
        return _over(state, 0, AGREED)

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode(state[:-1])

    def _how(self, state: State, text: str) -> str:
        return no_space(text) or lone_space(text) or self.notation

    def _read(self, state: State, text: str) -> Action | None:
        return read(state, text)

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        return explain(state, seat, action)

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return told(before, after, action)

    def _tell_end(self, before: State, after: State, action: Action) -> Iterable[Event]:
        return (told_end(after),)

    def _tell_end_by_resignation(self, before: State, after: State, did: str) -> Iterable[Event]:
        return (told_end(after, did),)


def _roll(state: State, dice: bytes) -> State:
    rules, _, seat, white, red, _, _, stake, owner, _ = state
    again = int(dice[0] == dice[1] or (rules & ACEY > 0 and dice[0] + dice[1] == 3))
    own, other = (white, red) if seat == 1 else (red, white)
    if found := plays(rules, seat, own, other, dice):
        return build(State, (rules, PLAY, seat, white, red, dice, again, stake, owner, found))
    return _next(state, white, red, again)


def _play(state: State, step: SinglePlay) -> State:
    rules, _, seat, white, red, dice, again, stake, owner, _ = state
    origin, target, die, king, hits = step
    own, other = (white, red) if seat == 1 else (red, white)
    cells = bytearray(own)
    if king:
        cells[origin] &= 15
        cells[target] += KING
    else:
        cells[origin] -= DISK
        cells[target] += DISK
    own = bytes(cells)
    if hits:
        cells = bytearray(other)
        piece = cells[OFF - target]
        cells[OFF - target] = 0
        if piece == KING or not rules & REMOVED:
            cells[0] += piece
        other = bytes(cells)
    white, red = (own, other) if seat == 1 else (other, own)
    if (hits or target == OFF) and (end := _won(rules, own, other)):
        return State(rules, end, seat, white, red, b"", 0, stake, owner)
    if len(dice) == 2:
        left = dice[1:] if dice[0] == die else dice[:1]
        if found := plays(rules, seat, own, other, left):
            return build(State, (rules, PLAY, seat, white, red, left, again, stake, owner, found))
    return _next(state, white, red, again)


def _next(state: State, white: bytes, red: bytes, again: int) -> State:
    """Return the state when a roll is done with: an extra roll, or the other side's turn."""
    rules, _, seat, _, _, _, _, stake, owner, _ = state
    phase = ROLL
    if not again:
        seat = 3 - seat
        if rules & CUBE and _access(seat, stake, owner):
            phase = CHOOSE
    return build(State, (rules, phase, seat, white, red, b"", 0, stake, owner, ()))


def _won(rules: int, own: bytes, other: bytes) -> int:
    """Return how the side with `own` has won by its play, 0 if it has not."""
    if not rules & KING_BAR and KING <= other[0] < WAITING:
        return CAPTURED
    if rules & QUICK and own[OFF] >= KING:
        return KING_OFF
    return ALL_OFF if own[OFF] == KING + DISKS else 0


def _over(state: State, winner: int, phase: int) -> State:
    return state._replace(phase=phase, seat=winner, dice=b"", again=0, plays=())


def _access(seat: int, stake: int, owner: int) -> bool:
    """Return whether the seat may double."""
    return owner in (0, seat) and stake < TOP_STAKE


GAME = Kingamon()
