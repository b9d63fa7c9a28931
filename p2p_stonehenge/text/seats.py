"""How players are called: by name, and by the colour of the seat where a name could be taken for another player's.

A name that could be taken for words of the program is in quotes, see `names.quoted`.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from engine import Game, listed
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.safe import safe

_ALIKE = str.maketrans("015|i", "olsll")
"""Letters and digits that look alike in many fonts."""


def has_suits(game: Game[Any]) -> bool:
    """Return whether colours of seats are suits of cards as well: then no seat is called by its colour."""
    return not {*game.colours}.isdisjoint(game.suits)


def label(game: Game[Any], names: Sequence[str], seat: int) -> str:
    """Return how a seat is called in full: `Yellow (anna)`; where colours are suits `anna`, or `anna (seat 4)`."""
    if not has_suits(game):
        return f"{game.colours[seat - 1]} ({quoted(names[seat - 1])})"
    return quoted(names[seat - 1]) if _is_clear(game, names, seat) else f"{quoted(names[seat - 1])} (seat {seat})"


def speaker(game: Game[Any], names: Sequence[str], seat: int) -> str:
    """Return the name of a seat's player, in full where it could be taken for another player's."""
    return quoted(names[seat - 1]) if _is_clear(game, names, seat) else label(game, names, seat)


def speakers(game: Game[Any], names: Sequence[str]) -> list[str]:
    """Return the names of all players, seat 1 first; see `speaker`."""
    return [speaker(game, names, seat) for seat in range(1, len(names) + 1)]


def teams_told(game: Game[Any], names: Sequence[str], teams: Sequence[Sequence[int]], own: Sequence[int] = ()) -> str:
    """Return who plays together in a sentence, to a player at one seat of `own` who the partners are.

    Nothing where each seat plays for itself, or all play together.
    """
    if len(teams) < 2:
        return ""
    if len(own) == 1:
        mine = next(team for team in teams if own[0] in team)
        others = [label(game, names, seat) for seat in mine if seat != own[0]]
        return f"Your partner is {listed(others)}: you win or lose together."
    sides = [listed([label(game, names, seat) for seat in team]) for team in teams]
    return f"{' play against '.join(sides)}."


def in_names(game: Game[Any], names: Sequence[str], text: str) -> str:
    """Return a sentence about a game with names in place of the colours of seats, where these are suits as well.

    `Blue plays B9` becomes `ben plays B9`. Suits are written in small letters, as in `Trump is blue`, and stay.
    """
    if not has_suits(game):
        return text
    called = dict(zip(game.colours, map(safe, speakers(game, names)), strict=False))
    return re.sub(rf"\b({'|'.join(called)})\b", lambda found: called[found[1]], text)


def _is_clear(game: Game[Any], names: Sequence[str], seat: int) -> bool:
    """Return whether a name can be taken for no other player's, and for no colour."""
    own, alike = _skeleton(names[seat - 1]), [*map(_skeleton, names), *map(_skeleton, game.colours)]
    return own != "" and alike.count(own) == 1


def _skeleton(name: str) -> str:
    """Return what is left of a name when letters that look alike are taken for one; empty if that cannot be said.

    Names with letters of other alphabets, or with brackets as around a colour, are never clear.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    if not plain.isascii() or set("()[]") & {*plain}:
        return ""
    bare = "".join(letter for letter in plain if letter.isalnum())
    return bare.translate(_ALIKE).replace("rn", "m").replace("vv", "w")
