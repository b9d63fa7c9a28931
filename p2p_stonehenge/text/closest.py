"""Which of the known words a misspelt one was meant for."""

from collections.abc import Iterable

ALIKE = 0.66
"""How alike two words have to be, from 0 to 1: `hlep` and `help` are at 0.75."""


def closest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like `word`, or nothing if none is: also by a part between hyphens."""
    from difflib import get_close_matches  # seldom needed, and slow to import

    found = list(known)
    parts = [one for one in found if word in one.split("-")]
    return parts[0] if len(parts) == 1 else next(iter(get_close_matches(word, found, 1, ALIKE)), "")
