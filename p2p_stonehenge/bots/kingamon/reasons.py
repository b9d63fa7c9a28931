"""Why a roll of Byzantine Kingamon is played so, in a few words."""

from collections.abc import Collection

from engine import counted, listed
from engine.games.kingamon import BACKGAMMON, DISK, GAME, HOME, KING, KING_BAR, NEUTRAL, OFF, PLAY, ROLL, State, space
from p2p_stonehenge.bots.kingamon.race import COUNT, faced_by, king_left, king_runs, racing, settled, turns_left
from p2p_stonehenge.bots.kingamon.search import ends, rolled
from p2p_stonehenge.bots.kingamon.shots import shots
from p2p_stonehenge.bots.thought import Kind, Part, Reason

TOLD = 2
"""So many things are told of a roll, those that matter most."""
FEWER = 3
"""So many rolls fewer that take a disk are worth telling."""
HELD = bytes(ord("x" if count > 1 else " ") for count in COUNT)
"""By the byte of a place: whether two pieces or more stand there."""
WALL = 3
"""So many spaces in a row that a side holds are worth telling."""
RISKY = 6
"""Rolls of 36: plays that leave the king open to so many more than another one would are asked about. Beginners come to
that less than once a game, careful players never."""


def reason(before: State, seat: int, first: State, after: State, shared: Collection[Part] = ()) -> Reason:
    """Return what a roll does that is played so that `after` follows, but not what is `shared` by all plays of it.

    First what matters most: a win, the kings, captures, bearing off. `first` is the state after the first of its plays,
    whose own text tells what that play captures or bears off.
    """
    if after.phase > PLAY:
        return (Part("wins the game", Kind.WIN_NOW),)
    found = [*_kings(before, seat, after), *_pieces(before, seat, first, after)]
    if len(found) < TOLD:
        found += [part for part in plans(before, seat, after) if part not in shared]
    return tuple(found[:TOLD])


def plans(before: State, seat: int, after: State) -> list[Part]:
    """Return what a roll is good for later on, what matters most first."""
    own, other = _sides(after, seat)
    old, old_other = _sides(before, seat)
    if racing(after.white, after.red):
        return []
    rival, found = GAME.colours[2 - seat], []
    king, came_from = (OFF - king_left(side) for side in (own, old))
    if passed := sum(_count(other[OFF - way]) for way in range(came_from + 1, king)):
        found.append(f"brings the king past {counted(passed, 'piece')} of {rival}")
    if came_from < HOME <= king < OFF and not before.rules & BACKGAMMON:
        found.append("brings the king to where it bears off")
    if 0 < king < OFF and _count(own[king]) > 1 == _count(old[came_from]) and king not in NEUTRAL:
        found.append("covers the king with a disk")
    for way in NEUTRAL:
        if own[way] and not old[way]:
            piece = "the king" if own[way] >= KING else "a piece"
            found.append(f"brings {piece} to space {space(seat, way)}, where nothing is captured")
    if (wall := _wall(own, other)) >= WALL and wall > _wall(old, other):
        found.append(f"holds {wall} spaces in a row, where {rival} cannot land")
    if (aimed := shots(before.rules, own, other)).disks > shots(before.rules, old, old_other).disks and not aimed.rolls:
        found.append(f"threatens a disk with {aimed.disks} of 36 rolls")
    guards, guarded = faced_by(other, own), faced_by(other, old)
    if guards == guarded and 0 < king_left(other) < OFF:
        found.append(f"keeps {counted(guards, 'piece')} before the king of {rival}")
    return [Part(told) for told in found]


def _wall(own: bytes, other: bytes) -> int:
    """Return how many spaces in a row, before a piece of the other side, a side holds with two pieces or more."""
    last = OFF - len(other[:OFF].lstrip(b"\0"))
    return max(map(len, own[1 : OFF - last].translate(HELD).split(b" ")), default=0)


def _kings(before: State, seat: int, after: State) -> list[Part]:
    """Return what becomes of the kings."""
    own, other = _sides(after, seat)
    old, old_other = _sides(before, seat)
    rules, found = before.rules, list[Part]()
    open_to, was = shots(rules, other, own).rolls, shots(rules, old_other, old).rolls
    if open_to and after.seat != seat:
        found.append(Part(f"leaves the king open to {open_to} of 36 rolls"))
    elif was and not open_to:
        found.append(Part("brings the king out of danger"))
    if aimed := shots(rules, own, other).rolls:
        found.append(Part(f"threatens the opposing king with {aimed} of 36 rolls", Kind.HARM))
    return found


def _pieces(before: State, seat: int, first: State, after: State) -> list[Part]:
    """Return what becomes of the other pieces."""
    own, other = _sides(after, seat)
    old, old_other = _sides(before, seat)
    told, told_other = _sides(first, seat)
    found = []
    if _on_spaces(told_other) > (left := _on_spaces(other)):
        found.append(Part(f"captures {counted(_on_spaces(old_other) - left, 'piece')}", Kind.HARM))
    if not king_runs(before.rules) and _count(told[OFF]) < (off := _count(own[OFF])):
        found.append(Part(f"bears off {counted(off - _count(old[OFF]), 'piece')}"))
    safe = [
        Part(f"makes space {space(seat, way)} safe")
        for way in range(OFF - 1, 0, -1)
        if _count(own[way]) > 1 >= _count(old[way]) and way not in NEUTRAL
    ]
    rules, rival = before.rules, GAME.colours[2 - seat]
    faces, faced = (shots(rules, *both) for both in ((other, own), (old_other, old)))
    saved = faced.disks - faces.disks
    if after.seat != seat and not faces.rolls and (saved >= FEWER or (saved > 0 and not faces.disks)):
        rolls = f"{faces.disks} of 36 rolls that take a disk instead of {faced.disks}"
        safer = [Part(f"leaves {rival} {rolls if faces.disks else 'no roll that takes a disk'}")]
    else:
        safer = []
    alone, were = _alone(own), _alone(old)
    # That more disks are alone is no reason for a play: it is told where another space is said to be safe.
    if (alone < were or (safe and alone > were)) and not racing(after.white, after.red):
        safer.append(Part(f"leaves {counted(alone, 'disk') if alone else 'no disks'} alone instead of {were}"))
    return [*found, *safe, *safer]


def prospect(seat: int, after: State) -> str:
    """Return in a sentence what may come next once `seat` has played a roll: what the rival's rolls take, or the race.

    "" if the game is over.
    """
    if after.phase > PLAY:
        return ""
    rival = GAME.colours[2 - seat]
    own, other = _sides(after, seat)
    if settled(after.rules, own, other):
        turns, theirs = (turns_left(after.rules, side) for side in (own, other))
        passed = "Nothing can be captured any more" if racing(own, other) else "The kings have passed the other side"
        return f"{passed}: you need about {turns:.1f} turns, {rival} {theirs:.1f}."
    if after.seat == seat:
        return "You roll again before the other side does."
    king, disk = _rolls_that_take(after, own)
    if not king and not disk:
        return f"No roll of {rival} captures anything then."
    told = [f"{king} {_take(king)} your king"] if king else []
    told += (
        [f"{disk} {f'{_take(disk)} a disk' if not king else 'others a disk' if disk > 1 else 'other a disk'}"]
        if disk
        else []
    )
    return f"Of the 36 rolls of {rival} {listed(told)}."


def _take(rolls: int) -> str:
    return "takes" if rolls == 1 else "take"


def _rolls_that_take(state: State, own: bytes) -> tuple[int, int]:
    """Return how many rolls of the side that is to roll take the king of the side `own`, and how many others a disk.

    Each roll is played in every way that there is.
    """
    rival, king, disk = state.seat, 0, 0
    kings, pieces = _kings_on_spaces(own), _on_spaces(own)
    for weight, after in rolled(state):
        left = [_sides(end, 3 - rival)[0] for end in after]
        if any(_kings_on_spaces(side) < kings for side in left):
            king += weight
        elif any(_on_spaces(side) < pieces for side in left):
            disk += weight
    return king, disk


def king_faced(state: State, seat: int) -> int:
    """Return how many of the 36 rolls take the king of `seat` and win, when the other side is to roll."""
    if state.rules & KING_BAR or state.phase > PLAY:
        return 0
    own, other = _sides(state, seat)
    return shots(state.rules, other, own).rolls


def pieces_faced(state: State, seat: int) -> int:
    """Return how many of the 36 rolls take a piece of `seat`, if the other side were to roll now."""
    if state.phase > PLAY:
        return 0
    own, _ = _sides(state, seat)
    return sum(_rolls_that_take(state._replace(phase=ROLL, seat=3 - seat, dice=b"", again=0, plays=()), own))


def risked(before: State, seat: int, after: State) -> str:
    """Return what the other side may roll when `seat` has played dice so, in words that go on from that side's name.

    "" if the king need be in little more danger than after the safest plays of these dice.
    """
    if before.phase != PLAY:
        return ""
    faced = _least_faced(after, seat)
    if faced < RISKY or faced - (least := _least_faced(before, seat)) < RISKY:
        return ""
    return f"takes your king and wins with {faced} of 36 rolls then, with {least or 'none'} after another play"


def _least_faced(state: State, seat: int) -> int:
    """Return `king_faced` at the end of the turn of `seat` if the dice that are left are played for fewest rolls."""
    found = ends(state) if state.phase == PLAY else ()
    after = [end.state for end in found] or [state]
    return min(king_faced(one, seat) if one.seat != seat else 0 for one in after)


def _sides(state: State, seat: int) -> tuple[bytes, bytes]:
    return (state.white, state.red) if seat == 1 else (state.red, state.white)


def _count(byte: int) -> int:
    return COUNT[byte]


def _on_spaces(side: bytes) -> int:
    """Return how many pieces a side has between the bar and the end of its way: the other side takes only those."""
    return sum(side[1:OFF].translate(COUNT))


def _kings_on_spaces(side: bytes) -> int:
    return sum(byte >= KING for byte in side[1:OFF])


def _alone(side: bytes) -> int:
    """Return how many disks of a side stand alone where they can be captured."""
    return sum(byte == DISK and way not in NEUTRAL for way, byte in enumerate(side[1:OFF], 1))
