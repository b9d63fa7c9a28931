"""The story of Byzantine Kingamon: what an action did, in plain sentences."""

from collections.abc import Iterator

from engine.game import Action, Event
from engine.games.kingamon.board import COLOURS, DISK, KING, OFF, space
from engine.games.kingamon.plays import STEPS, SinglePlay
from engine.games.kingamon.state import AGREED, CAPTURED, CHOOSE, PLAY, REASONS, REMOVED, ROLL, State
from engine.words import counted


def told(before: State, after: State, action: Action) -> Iterator[Event]:
    """Yield the sentences about a roll, a play or a word to the cube, without the end of the game."""
    mine, theirs = COLOURS if before.seat != 2 else COLOURS[::-1]
    if before.phase == ROLL:
        yield Event(f"{mine} rolls {action[0]} and {action[2]}.")
    elif before.phase == PLAY:
        yield _play(before, after, mine, theirs, STEPS[before.seat][action])
    elif action == "double":
        yield Event(f"{mine} offers to double the stake to {2 * before.stake}.")
    elif action == "take":
        yield Event(f"{mine} takes: the stake is {after.stake} and the cube is {mine}'s.")
    elif action == "drop":
        yield Event(f"{mine} drops.")
    else:
        yield Event(f"{mine} rolls without doubling.")
    if before.phase in (ROLL, PLAY) and after.phase in (ROLL, CHOOSE):
        yield from _lapses(before, after, mine, action)


def told_end(after: State, reason: str = "") -> Event:
    """Return the sentence about the end of a game, with the usual `reason` by default."""
    if after.phase == AGREED:
        return Event("Both sides agree to a draw.")
    return Event(f"{COLOURS[after.seat - 1]} wins {counted(after.stake, 'point')}: {reason or REASONS[after.phase]}.")


def _play(before: State, after: State, mine: str, theirs: str, step: SinglePlay) -> Event:
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
    takes = (3 - seat,)
    victim = (before.red if seat == 1 else before.white)[OFF - step.target]
    if victim == DISK and before.rules & REMOVED:
        return Event(f"{text} and captures a disk, which leaves the game.", places, takes=takes)
    captured = f"captures {theirs}'s king" if victim == KING else "captures a disk"
    tail = "." if after.phase == CAPTURED else ", which goes to the bar."
    return Event(f"{text} and {captured}{tail}", (*places, "bar"), takes=takes)


def _lapses(before: State, after: State, mine: str, action: Action) -> Iterator[Event]:
    """Yield what follows when no die is left to play: dice that lapse, an extra roll."""
    if before.phase == ROLL:
        yield Event(f"{mine} can play neither die.", lapses=True)
    elif len(before.dice) == 2:
        used = STEPS[before.seat][action].die
        left = before.dice[before.dice[0] == used]
        yield Event(f"{mine} cannot play the {'other ' * (left == used)}{left}.", lapses=True)
    if after.seat == before.seat:
        yield Event(f"{mine} rolls again.")
