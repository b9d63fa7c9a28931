"""Byzantine Kingamon, by Rich Hutnik: backgammon with a king, on the outer ring of Stonehenge.

A piece is kept by its side's own way, from 0 (the bar) to 30 (off): see `engine._kingamon_plays`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine._kingamon_plays import (
    ACEY,
    BACKGAMMON,
    BAR_FIRST,
    CUBE,
    DISK,
    DISKS,
    HOME,
    KINDS,
    KING,
    KING_BAR,
    NEUTRAL,
    OFF,
    OUTSIDE,
    QUICK,
    REMOVED,
    SAFE,
    START,
    STEPS,
    WAITING,
    Step,
    plays,
    space,
)
from engine.game import CHANCE, Action, Chance, Dice, Event, Over, Pending, Refusal, Result, Turn
from engine.house import FIRST as FIRST_OPTION
from engine.house import HouseGame, first_draw, outcomes
from engine.options import Option, OptionError, OptionValue, flag

FIRST, CHOOSE, ANSWER, ROLL, PLAY = range(5)
"""Phases: draw who begins; roll or double; take or drop; roll; play a die."""
ALL_OFF, KING_OFF, CAPTURED, DROPPED, RESIGNED, AGREED = range(5, 11)
"""Phases of a game that is over."""
REASONS = {
    ALL_OFF: "all pieces borne off",
    KING_OFF: "king borne off",
    CAPTURED: "king captured",
    DROPPED: "double dropped",
    RESIGNED: "resigned",
    AGREED: "draw agreed",
}


class State(NamedTuple):
    """A position. `white` and `red` hold 31 bytes, one for each stage of the side's own way."""

    rules: int
    phase: int
    seat: int
    """Who acts or rolls; when the game is over, who won; 0 before the first draw and after a draw."""
    white: bytes
    red: bytes
    dice: bytes
    """The dice still to play, in the order rolled; only in the phase PLAY."""
    again: int
    """1 if `seat` rolls again when it has played."""
    stake: int
    owner: int
    """The seat that holds the cube, 0 for both."""


TOP_STAKE = 64
ONLY_KING = 2
"""In KINDS."""

FIRST_DRAW, DICE = first_draw((1, 2)), Chance(Dice(2, 6))
ROLLS = outcomes(DICE)
ROLLED = {roll: bytes((int(roll[0]), int(roll[2]))) for roll in ROLLS}
TURNS = (Turn(0), Turn(1), Turn(2))
CUBE_WORDS = {CHOOSE: ("roll", "double"), ANSWER: ("take", "drop")}

SHAPE = re.compile(r"(K?)(bar|[1-9]|[12][0-9])/(?:off(?:\(([1-6])\))?|([1-9]|[12][0-9])\*?)")


class Kingamon(HouseGame[State]):
    """Byzantine Kingamon."""

    key = "kingamon"
    title = "Byzantine Kingamon"
    version = 1
    seats = range(2, 3)
    colours = ("White", "Red")
    notation = "write 4/9, K4/9 for the king, bar/3 to enter, 26/off to bear off"
    options = (
        FIRST_OPTION,
        flag("quick", "bearing off the king wins"),
        Option("captured_disks", "bar", ("bar", "removed"), "where a captured disk goes; removed needs quick"),
        Option("captured_king", "loses", ("loses", "bar"), "what becomes of a captured king; bar needs quick"),
        Option("bearing_off", "exact", ("exact", "backgammon"), "backgammon: when all are home, with large dice too"),
        flag("bar_first", "while pieces are on the bar, those on the board wait"),
        flag("safe_spaces", "spaces 12 and 18 hold both sides, nothing is captured there"),
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
        switches = self.options[1:]
        rules = sum(1 << bit for bit, switch in enumerate(switches) if chosen[switch.name] != switch.default)
        phase, seat = (FIRST, 0) if first == "random" else (ROLL, int(first))
        return State(rules, phase, seat, START, START, b"", 0, 1, 0)

    def live(self, state: State) -> tuple[int, ...]:
        return (1, 2)

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
            return self._moves(state) if actor == state.seat else ()
        return super().legal(state, actor)

    def _moves(self, state: State) -> Sequence[Action]:
        rules, phase, seat, white, red, dice = state[:6]
        if phase == PLAY:
            return plays(rules, seat, white, red, dice) if seat == 1 else plays(rules, seat, red, white, dice)
        return CUBE_WORDS.get(phase, ())

    def apply(self, state: State, actor: int, action: Action) -> State:
        phase, seat = state.phase, state.seat
        if phase == PLAY and (step := STEPS[seat].get(action)):
            return _play(state, step)
        if phase == ROLL and (dice := ROLLED.get(action)):
            return _roll(state, dice)
        if action == "resign":
            return _over(state, 3 - actor, RESIGNED)
        if action == "draw":
            return _over(state, 0, AGREED)
        if action == "double":
            return state._replace(phase=ANSWER, seat=3 - seat)
        if action == "take":
            return state._replace(phase=ROLL, seat=3 - seat, stake=2 * state.stake, owner=seat)
        if action == "drop":
            return _over(state, 3 - seat, DROPPED)
        return state._replace(phase=ROLL, seat=seat or int(action[-1]))

    def _read(self, state: State, text: str) -> Action | None:
        if text in ("roll", "double", "take", "drop"):
            return text
        if state.phase != PLAY and (dice := re.fullmatch(r"([1-6])[ -]*([1-6])", text)):
            return f"{dice[1]}-{dice[2]}"
        if re.search(r"[^0-9a-z /*+>:,.()-]", text):
            return None
        words = " ".join(word for word in re.findall(r"[0-9]+|[a-z]+", text) if word not in ("x", "to"))
        if match := re.fullmatch(r"(k|king)? ?([0-9]{2,4})", words):
            return self._split(state, match[1] is not None, match[2])
        if match := re.fullmatch(r"(k|king)? ?(off|o)", words):
            found = [move for move in self._moves(state) if "/off" in move and (move[0] == "K" or not match[1])]
            return found[0] if len(found) == 1 else None
        match = re.fullmatch(r"(k|king)? ?(b|bar|[0-9]{1,2}) ?(?:(?:o|off|0|30)(?: ([1-6]))?|([0-9]{1,2}))", words)
        if match is None:
            return None
        origin = 0 if match[2][0] == "b" else int(match[2])
        target = OFF if match[4] is None else int(match[4])
        if (origin == 0) != (match[2][0] == "b") or origin >= OFF or not 0 < target <= OFF:
            return None
        return self._name(state, match[1] is not None, origin, target, int(match[3] or 0))

    def _split(self, state: State, king: bool, digits: str) -> Action | None:
        """Return the play that two spaces written together name, if there is one or only one is lawful."""
        pairs = ((int(digits[:cut]), int(digits[cut:])) for cut in (1, 2) if digits[cut : cut + 1] not in ("", "0"))
        found = [self._name(state, king, *pair, 0) for pair in pairs if 0 < pair[0] < OFF and pair[1] < OFF]
        lawful = [action for action in found if action in self._moves(state)] or found
        return lawful[0] if len(lawful) == 1 else None

    def _name(self, state: State, king: bool, origin: int, target: int, die: int) -> Action:
        """Return the canonical text of a play between spaces (bar 0, off 30), the lawful one if any is.

        `die` is what was written in brackets, 0 for nothing.
        """
        seat = state.seat
        own, other = (state.red, state.white) if seat == 2 else (state.white, state.red)
        start = str(origin) if origin else "bar"
        at = space(seat, origin) if origin else 0
        if target == OFF:
            ends = ["off" if die in (0, OFF - at) else f"off({die})"]
            if die == 0:
                larger = [f"off({n})" for n in sorted(set(state.dice)) if n > OFF - at]
                ends += larger if len(larger) == 1 else []
        else:
            lone = other[OFF - space(seat, target)] in (DISK, KING) and target not in NEUTRAL
            ends = [f"{target}*" if lone and seat else f"{target}"]
        piece = "K" if king or KINDS[own[at]] == ONLY_KING else ""
        names = [f"{piece}{start}/{end}" for end in ends]
        moves = self._moves(state)
        return next((name for name in names if name in moves), names[0])

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        theirs = self.colours[2 - seat]
        if state.phase == CHOOSE:
            return Refusal("choose", "cube", "Your turn begins: type roll, or double to offer the cube.")
        if state.phase == ANSWER:
            return Refusal("answer", "cube", f"{theirs} doubles to {2 * state.stake}: type take or drop.")
        if action in ("roll", "double", "take", "drop"):
            return Refusal("dice", "dice", f"The dice are cast: play {_dice(state.dice)} first.")
        match = SHAPE.fullmatch(action)
        if match is None:
            return Refusal("notation", "notation", f"That is no play: {self.notation}.")
        king, start, large, end = match.groups()
        at = 0 if start == "bar" else space(seat, int(start))
        own = state.white if seat == 1 else state.red
        refusal = _cannot_leave(state, own, start, at, king) or (
            _cannot_bear_off(state, own, theirs, at, int(large or OFF - at))
            if end is None
            else _cannot_land(state, theirs, at, int(end))
        )
        name = self._name(state, king == "K", at and int(start), int(end or OFF), int(large or 0))
        return refusal or Refusal("notation", "notation", f"That play is written {name}.")

    def story(self, before: State, actor: int, action: Action) -> tuple[Event, ...]:
        after = self.apply(before, actor, action)
        mine, theirs = self.colours if before.seat != 2 else self.colours[::-1]
        events = []
        if action == "resign":
            events.append(Event(f"{self.colours[actor - 1]} resigns."))
        elif action == "draw":
            events.append(Event("Both sides agree to a draw."))
        elif before.phase == FIRST:
            events.append(Event(f"{self.colours[after.seat - 1]} begins."))
        elif before.phase == ROLL:
            events.append(Event(f"{mine} rolls {action[0]} and {action[2]}."))
        elif before.phase == PLAY:
            events.append(_told(before, after, mine, theirs, STEPS[before.seat][action]))
        elif action == "double":
            events.append(Event(f"{mine} offers to double the stake to {2 * before.stake}."))
        elif action == "take":
            events.append(Event(f"{mine} takes: the stake is {after.stake} and the cube is {mine}'s."))
        elif action == "drop":
            events.append(Event(f"{mine} drops."))
        else:
            events.append(Event(f"{mine} rolls without doubling."))
        if after.phase > PLAY and after.seat:
            points = f"{after.stake} point{'s' * (after.stake > 1)}"
            events.append(Event(f"{self.colours[after.seat - 1]} wins {points}: {REASONS[after.phase]}."))
        elif before.phase in (ROLL, PLAY) and after.phase in (ROLL, CHOOSE):
            events += _lapses(before, after, mine, action)
        return tuple(events)


def _roll(state: State, dice: bytes) -> State:
    rules, _, seat, white, red, _, _, stake, owner = state
    again = int(dice[0] == dice[1] or (rules & ACEY > 0 and dice[0] + dice[1] == 3))
    own, other = (white, red) if seat == 1 else (red, white)
    if plays(rules, seat, own, other, dice):
        return State(rules, PLAY, seat, white, red, dice, again, stake, owner)
    return _next(state, white, red, again)


def _play(state: State, step: Step) -> State:
    rules, _, seat, white, red, dice, again, stake, owner = state
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
    if end := _won(rules, own, other):
        return State(rules, end, seat, white, red, b"", 0, stake, owner)
    left = dice[1:] if dice[0] == die else dice[:1]
    if left and plays(rules, seat, own, other, left):
        return State(rules, PLAY, seat, white, red, left, again, stake, owner)
    return _next(state, white, red, again)


def _next(state: State, white: bytes, red: bytes, again: int) -> State:
    """Return the state when a roll is done with: an extra roll, or the other side's turn."""
    rules, stake, owner = state.rules, state.stake, state.owner
    if again:
        return State(rules, ROLL, state.seat, white, red, b"", 0, stake, owner)
    seat = 3 - state.seat
    phase = CHOOSE if rules & CUBE and _access(seat, stake, owner) else ROLL
    return State(rules, phase, seat, white, red, b"", 0, stake, owner)


def _won(rules: int, own: bytes, other: bytes) -> int:
    """Return how the side with `own` has won, 0 if it has not."""
    if not rules & KING_BAR and KING <= other[0] < WAITING:
        return CAPTURED
    if rules & QUICK and own[OFF] >= KING:
        return KING_OFF
    return ALL_OFF if own[OFF] == KING + DISKS else 0


def _over(state: State, winner: int, phase: int) -> State:
    return state._replace(phase=phase, seat=winner, dice=b"", again=0)


def _access(seat: int, stake: int, owner: int) -> bool:
    """Return whether the seat may double."""
    return owner in (0, seat) and stake < TOP_STAKE


def _dice(dice: bytes) -> str:
    return " and ".join(str(die) for die in dice)


def _cannot_leave(state: State, own: bytes, start: str, at: int, king: str) -> Refusal | None:
    """Why the piece cannot move from where it is said to stand, whatever the die."""
    place = f"space {start}" if at else "the bar"
    if king and own[at] < KING:
        return Refusal("no-king", "moving", f"Your king is not on {place}.")
    if not king and not own[at] & 15:
        hint = f", only your king: write K{start}" if own[at] else ""
        return Refusal("no-disk", "moving", f"You have no disk on {place}{hint}.")
    if at and state.rules & BAR_FIRST and own[0] % WAITING:
        return Refusal("bar-first", "bar", "You have pieces on the bar: they enter before any other moves.")
    return None


def _cannot_bear_off(state: State, own: bytes, theirs: str, at: int, die: int) -> Refusal | None:
    """Why the piece cannot bear off with `die`."""
    seat, dice, rule = state.seat, state.dice, "bearing-off"
    home = f"{theirs}'s home, spaces {'24 to 29' if seat == 1 else '1 to 6'}"
    if at < HOME:
        return Refusal("not-home", rule, f"Pieces bear off from {home} only.")
    if state.rules & BACKGAMMON and not own.startswith(OUTSIDE):
        return Refusal("not-all-home", rule, f"First all your pieces must be in {home}.")
    place, needed = f"space {space(seat, at)}", OFF - at
    if die < needed or (die > needed and not state.rules & BACKGAMMON):
        return Refusal("inexact", rule, f"From {place} bearing off takes a {needed}, not a {die}.")
    if die not in dice:
        larger = f"; with a larger die, name it as in {space(seat, at)}/off({max(dice)})"
        offer = larger if state.rules & BACKGAMMON and max(dice) > needed else ""
        return Refusal("die", "dice", f"Bearing off so takes a {die}, but you have {_dice(dice)} to play{offer}.")
    return None


def _cannot_land(state: State, theirs: str, at: int, end: int) -> Refusal | None:
    """Why a piece cannot get from way `at` to space `end`."""
    seat = state.seat
    target = space(seat, end)
    if target <= at:
        return Refusal(
            "direction", "moving", f"Your pieces move {'up' if seat == 1 else 'down'} the spaces, never back."
        )
    if target - at not in state.dice:
        return Refusal("die", "dice", f"That takes a {target - at}, but you have {_dice(state.dice)} to play.")
    facing = (state.red if seat == 1 else state.white)[OFF - target]
    if end in NEUTRAL and facing and not state.rules & SAFE:
        return Refusal("neutral", "neutral", f"Space {end} is held by {theirs}: no piece of yours may land there.")
    if facing not in (0, DISK, KING) and end not in NEUTRAL:
        held = f"Space {end} holds {facing % KING + facing // KING} pieces of {theirs}"
        return Refusal("blocked", "moving", f"{held}: no piece of yours may land there.")
    return None


def _told(before: State, after: State, mine: str, theirs: str, step: Step) -> Event:
    """Return the sentence of a play."""
    seat = before.seat
    piece = "the king" if step.king else "a disk"
    start, end = str(space(seat, step.origin)), str(space(seat, step.target))
    if step.target == OFF:
        return Event(f"{mine} bears off {piece} from space {start}.", (start, "off"))
    if step.origin:
        text, places = f"{mine} moves {piece} from space {start} to space {end}", (start, end)
    else:
        text, places = f"{mine} enters {piece} on space {end}", ("bar", end)
    if not step.hits:
        return Event(f"{text}.", places)
    victim = (before.red if seat == 1 else before.white)[OFF - step.target]
    if victim == DISK and before.rules & REMOVED:
        return Event(f"{text} and captures a disk, which leaves the game.", places)
    captured = f"captures {theirs}'s king" if victim == KING else "captures a disk"
    tail = "." if after.phase == CAPTURED else ", which goes to the bar."
    return Event(f"{text} and {captured}{tail}", (*places, "bar"))


def _lapses(before: State, after: State, mine: str, action: Action) -> list[Event]:
    """Return what is said when a roll is done with: dice that lapse, an extra roll."""
    events = []
    if before.phase == ROLL:
        events.append(Event(f"{mine} can play neither die."))
    elif len(before.dice) == 2:
        used = STEPS[before.seat][action].die
        left = before.dice[before.dice[0] == used]
        events.append(Event(f"{mine} cannot play the {'other ' * (left == used)}{left}."))
    if after.seat == before.seat:
        events.append(Event(f"{mine} rolls again."))
    return events


GAME = Kingamon()
