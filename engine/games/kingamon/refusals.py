"""Why an action of Byzantine Kingamon is not possible, in the words of its rules page."""

from engine.game import Action, Refusal
from engine.games.kingamon.board import COLOURS, DISK, HOME, KING, NEUTRAL, OFF, WAITING, space
from engine.games.kingamon.notation import NOTATION, SHAPE, name
from engine.games.kingamon.plays import OUTSIDE
from engine.games.kingamon.state import ANSWER, BACKGAMMON, BAR_FIRST, CHOOSE, SAFE, State


def explain(state: State, seat: int, action: Action) -> Refusal:
    """Return why `seat`, which is to act, may not do `action`."""
    theirs = COLOURS[2 - seat]
    if state.phase == CHOOSE:
        return Refusal("choose", "cube", "Your turn begins: type roll, or double to offer the cube.")
    if state.phase == ANSWER:
        return Refusal("answer", "cube", f"{theirs} doubles to {2 * state.stake}: type take or drop.")
    if action in ("roll", "double", "take", "drop"):
        return Refusal("dice", "dice", f"The dice are cast: play {_dice(state.dice)} first.")
    match = SHAPE.fullmatch(action)
    if match is None:
        return Refusal("notation", "notation", f"That is no play: {NOTATION}.")
    king, start, large, end = match.groups()
    at = 0 if start == "bar" else space(seat, int(start))
    own = state.white if seat == 1 else state.red
    refusal = _cannot_leave(state, own, start, at, king) or (
        _cannot_bear_off(state, own, theirs, at, int(large or OFF - at))
        if end is None
        else _cannot_land(state, theirs, at, int(end), king == "K")
    )
    canonical = name(state, king == "K", at and int(start), int(end or OFF), int(large or 0))
    return refusal or Refusal("notation", "notation", f"That play is written {canonical}.")


def _dice(dice: bytes) -> str:
    return " and ".join(str(die) for die in dice)


def _cannot_leave(state: State, own: bytes, start: str, at: int, king: str) -> Refusal | None:
    """Return why no piece can leave the place `at`, whatever the die; None if one can."""
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
    """Return why the piece at the place `at` cannot bear off with `die`; None if it can."""
    seat, dice, rule = state.seat, state.dice, "bearing-off"
    home = f"{theirs}'s home, spaces {'24 to 29' if seat == 1 else '1 to 6'}"
    if at < HOME:
        return Refusal("not-home", rule, f"Pieces bear off from {home} only.")
    if state.rules & BACKGAMMON and not own.startswith(OUTSIDE):
        return Refusal("not-all-home", rule, f"First all your pieces must be in {home}.")
    place, needed = f"space {space(seat, at)}", OFF - at
    if die < needed or (die > needed and not state.rules & BACKGAMMON):
        return Refusal("inexact", rule, f"From {place} bearing off takes {_a(needed)}, not {_a(die)}.")
    if die not in dice:
        larger = f"; with a larger die, name it as in {space(seat, at)}/off({max(dice)})"
        offer = larger if state.rules & BACKGAMMON and max(dice) > needed else ""
        return Refusal("die", "dice", f"Bearing off so takes {_a(die)}, but you have {_dice(dice)} to play{offer}.")
    return None


def _cannot_land(state: State, theirs: str, at: int, end: int, king: bool) -> Refusal | None:
    """Return why a piece cannot get from the place `at` to space `end`; None if it can."""
    seat = state.seat
    target = space(seat, end)
    if target <= at:
        return Refusal(
            "direction", "moving", f"Your pieces move {'up' if seat == 1 else 'down'} the spaces, never back."
        )
    if target - at not in state.dice:
        both = _with_both_dice(state, theirs, at, end, king)
        return Refusal("die", "dice", f"That takes {_a(target - at)}, but you have {_dice(state.dice)} to play{both}.")
    facing = (state.red if seat == 1 else state.white)[OFF - target]
    if end in NEUTRAL and facing and not state.rules & SAFE:
        return Refusal("neutral", "neutral", f"Space {end} is held by {theirs}: no piece of yours may land there.")
    if facing not in (0, DISK, KING) and end not in NEUTRAL:
        held = f"Space {end} holds {facing % KING + facing // KING} pieces of {theirs}"
        return Refusal("blocked", "moving", f"{held}: no piece of yours may land there.")
    return None


def _with_both_dice(state: State, theirs: str, at: int, end: int, king: bool) -> str:
    """Return how one piece gets from the place `at` to space `end` with both dice; nothing if it cannot."""
    seat, dice = state.seat, state.dice
    if len(dice) == 2 and space(seat, end) - at == sum(dice):
        for die in dice:
            middle = space(seat, at + die)
            first = name(state, king, at and space(seat, at), middle, 0)
            wins = (state.red if seat == 1 else state.white)[OFF - at - die] == KING  # no second play follows
            if first in state.plays and not wins and _cannot_land(state, theirs, at + die, end, king) is None:
                return f": with both it is {first} {name(state, king, middle, end, 0)}"
    return ""


def _a(number: int) -> str:
    """Return a number of a die with its article."""
    return f"{'an' if number in (8, 11, 18) else 'a'} {number}"
