"""Which name is meant, which names look alike, and what the players at a table are called on this screen.

Names are compared by a skeleton, as in Unicode Technical Standard 39: letters of other scripts, or in other dress, that
look like a plain letter stand for it. The table of letters is that of the library `confusable_homoglyphs`.
"""

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import cache

from p2p_stonehenge.text.widths import cells, cut

_PLAIN = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "o", "5": "s"})
"""Plain letters and digits that look alike."""
_IN_NAMES = " -_.,'()&+"
_LIKE_SIGNS = "\u01c3"
"""Letters that look like signs with which a line of this program begins."""
MEANS_ANOTHER = ("you", "nobody", "everybody")
"""Words with which the program means the reader, or no single player."""
SHORTEST = 5
"""Columns to which a name is cut at most where there is little room."""
LETTERS = 4
"""Letters of a key that tell two players of one name apart."""


class Nearness(IntEnum):
    """How near a name is to what was typed for it, the nearest first."""

    EQUAL = 0
    BUT_FOR_CASE = 1
    BUT_FOR_ACCENTS = 2
    BEGUN = 3
    """What was typed is the beginning of the name, but for case and accents."""
    UNLIKE = 4


def nearness(typed: str, name: str) -> Nearness:
    """Return how near a name is to what was typed for it."""
    pairs = [(read(typed.strip()), read(name)) for read in (_composed, _caseless, _bare)]
    ranks = (rank for rank, (one, other) in zip(Nearness, pairs, strict=False) if one == other)
    bare, name = pairs[-1]
    return next(ranks, Nearness.BEGUN if name.startswith(bare) else Nearness.UNLIKE)


def nearest(typed: str, names: Sequence[str], farthest: Nearness = Nearness.BEGUN) -> tuple[int, ...]:
    """Return the places of the names that are nearest to what was typed, none if all are farther than `farthest`."""
    ranks = [nearness(typed, name) for name in names]
    best = min(ranks, default=Nearness.UNLIKE)
    return tuple(place for place, rank in enumerate(ranks) if rank == best) if best <= farthest else ()


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _caseless(name: str) -> str:
    return _composed(_composed(name).casefold())


def _bare(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", _caseless(name)) if not unicodedata.combining(c))


def alike(one: str, other: str) -> bool:
    """Return whether two names could be taken for each other: equal but for case, accents, spaces and look-alikes."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


def distinct(names: Sequence[str], keys: Sequence[str], since: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with the beginning of its key behind each that looks like another one.

    Of those that look alike the one known longest stays as it is; `since`: when each was first met, empty if never.
    """
    shown = []
    for number, (name, key) in enumerate(zip(names, keys, strict=True)):
        rivals = [other for other in range(len(names)) if other != number and alike(name, names[other])]
        plain = not rivals or (since[number] and all(not since[one] or since[number] < since[one] for one in rivals))
        shown.append(name if plain else f"{name} ({key[:LETTERS]})")
    return tuple(shown)


def quoted(name: str) -> str:
    """Return a name as it stands in a sentence or a list: in quotes if it could be misread.

    Quoted are names with a first character that is no letter or digit, with an unusual sign, such as a colon, and words
    that mean another player (`MEANS_ANOTHER`). Quotes of the name are shown as single ones: none ends it early.
    """
    usual = all(c.isalnum() or c in _IN_NAMES or unicodedata.category(c).startswith("M") for c in name)
    if name[:1].isalnum() and usual and name[0] not in _LIKE_SIGNS and name.casefold() not in MEANS_ANOTHER:
        return name
    return '"{}"'.format(name.replace('"', "'"))


def shortened(text: str, names: Sequence[str], width: int) -> str:
    """Return a text with the names in it cut, the longest most, until it takes `width` columns: it may take more."""
    for letters in range(max(map(cells, names), default=0) - 1, SHORTEST - 1, -1):
        if cells(text) <= width:
            break
        for name in sorted({*names}, key=cells):
            if cells(name) > letters:
                text = text.replace(cut(name, letters + 1), cut(name, letters))
    return text


@cache
def _skeletons(name: str) -> frozenset[str]:
    """Return what a name looks like, read as it stands and in small letters: a capital I is no i to the eye."""
    return frozenset({_skeleton(name).casefold(), _skeleton(name.casefold())})


def _skeleton(name: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.category(c).startswith("M"))
    plain = "".join(c if c.isascii() else _prototype(c) for c in bare).translate(_PLAIN).replace("rn", "m")
    return "".join(c for c in plain if c.isalnum()) or plain


@cache
def _prototype(letter: str) -> str:
    """Return the plain letter that one of another script looks like, or else the first of those that look like it."""
    from confusable_homoglyphs.confusables import confusables_data  # 900 kB, which plain names do not need

    group = [letter, *(entry["c"] for entry in confusables_data.get(letter, ()))]
    return str(min(group, key=lambda one: (not (one.isascii() and one.isalpha()), len(one), one.isupper(), one)))
