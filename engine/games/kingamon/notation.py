"""The notation of Byzantine Kingamon: plays `4/9`, `K4/9*`, `bar/3`, `26/off`, rolls `3-5`, words to the cube."""

import re

from engine.game import Action
from engine.games.kingamon.board import DISK, KING, NEUTRAL, OFF, space
from engine.games.kingamon.plays import KINDS, KING_HERE, moves
from engine.games.kingamon.state import PLAY, State

NOTATION = (
    "write 4/9, K4/9 for the king, bar/3 to enter, 26/off to bear off; Red counts down, as 26/21, bar/27 and 4/off"
)
"""The hint for text that is no play."""

SHAPE = re.compile(r"(K?)(bar|[1-9]|[12][0-9])/(?:off(?:\(([1-6])\))?|([1-9]|[12][0-9])\*?)")
"""A play in canonical form: the king's mark, where it begins, the larger die of bearing off, where it ends."""


def read(state: State, text: str) -> Action | None:
    """Return the action that lower-case text names, or None."""
    if text in ("roll", "double", "take", "drop"):
        return text
    if state.phase != PLAY and (dice := re.fullmatch(r"([1-6])[ -]*([1-6])", text)):
        return f"{dice[1]}-{dice[2]}"
    if re.search(r"[^0-9a-z /*+>:,.()-]", text):
        return None
    words = " ".join(word for word in re.findall(r"[0-9]+|[a-z]+", text) if word not in ("x", "to"))
    if match := re.fullmatch(r"(k|king)? ?([0-9]{2,4})", words):
        if int(match[2]) < OFF:  # one space, where another one could be meant to follow
            return None
        return _split(state, match[1] is not None, match[2])
    if match := re.fullmatch(r"(k|king)? ?(off|o)", words):
        found = [move for move in moves(state) if "/off" in move and (move[0] == "K" or not match[1])]
        return found[0] if len(found) == 1 else None
    match = re.fullmatch(r"(k|king)? ?(b|bar|[0-9]{1,2}) ?(?:(?:o|off|0|30)(?: ([1-6]))?|([0-9]{1,2}))", words)
    if match is None:
        return None
    origin = 0 if match[2][0] == "b" else int(match[2])
    target = OFF if match[4] is None else int(match[4])
    if (origin == 0) != (match[2][0] == "b") or origin >= OFF or not 0 < target <= OFF:
        return None
    return name(state, match[1] is not None, origin, target, int(match[3] or 0))


def no_space(text: str) -> str:
    """Return which space that lower-case text names is not on the board, and which are; empty if it has all.

    >>> no_space("4/35"), no_space("26/off")
    ('there is no space 35; spaces are 1-29, besides `bar` and `off`', '')
    """
    match = re.fullmatch(r"(?:k|king)?\s*+(bar|[0-9]{1,3})\s*+[/>-]\s*+(off|[0-9]{1,3})\*?", text)
    named = [int(place) for place in match.groups() if place.isdigit()] if match else []
    missing = next((space for space in named if not 0 < space < OFF), None)
    return "" if missing is None else f"there is no space {missing}; spaces are 1-{OFF - 1}, besides `bar` and `off`"


def lone_space(text: str) -> str:
    """Return that lower-case text names one space and no play, and how two are written; empty where it does not.

    >>> lone_space("28"), lone_space("k9"), lone_space("49")
    ('28 alone is one space: a play names two, as 2/8', '9 alone is one space: a play names two, as 4/9', '')
    """
    match = re.fullmatch(r"(?:k|king)?\s*+([0-9]{1,2})", text)
    if match is None or not 0 < int(match[1]) < OFF:
        return ""
    digits = match[1]
    example = f"{digits[0]}/{digits[1]}" if len(digits) == 2 and digits[1] != "0" else "4/9"
    return f"{digits} alone is one space: a play names two, as {example}"


def _split(state: State, king: bool, digits: str) -> Action | None:
    """Return the play that two spaces written together name, if there is one or only one is lawful."""
    pairs = ((int(digits[:cut]), int(digits[cut:])) for cut in (1, 2) if digits[cut : cut + 1] not in ("", "0"))
    found = [name(state, king, *pair, 0) for pair in pairs if 0 < pair[0] < OFF and pair[1] < OFF]
    lawful = [action for action in found if action in moves(state)] or found
    return lawful[0] if len(lawful) == 1 else None


def name(state: State, king: bool, origin: int, target: int, die: int) -> Action:
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
    piece = "K" if king or KINDS[own[at]] == KING_HERE else ""
    names = [f"{piece}{start}/{end}" for end in ends]
    lawful = moves(state)
    return next((text for text in names if text in lawful), names[0])
