"""How typed words name a saved game: by its number in the list, its people, its name, or how it ended."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from p2p_stonehenge.failure import NOT_FOUND, USAGE, Failure
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.text.names import Nearness, nearness
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import safe

LEAST_LETTERS = 4
"""Letters of a table's id that name a saved game; fewer digits are a number of the list."""


class Wanted(Enum):
    """Which of several games that the words fit a command means, if it is the only one of them."""

    UNFINISHED = auto()
    """The one to go on with: a game that is over is of no use, but as one of a match that goes on."""
    FINISHED = auto()
    """The one that is over."""


def choose(games: Sequence[Saved], words: str, now: float, wanted: Wanted, command: str, more: str = "") -> Saved:
    """Return the game that `words` name: a number of the list, or words that all fit it.

    A word fits that begins a friend's name, a word of the game's title, `bot` or a bot's name, how it ended (`won`,
    `lost`, `drawn`), `watched` or the table's id: `anna kingamon`. The games that it fits best are meant: a whole name
    before its beginning, and of several the only one that is `wanted`.

    Raises Failure; the message lists what may be meant, each with `command` before its number and `more` behind. Where
    an unfinished game is wanted it lists only what can be gone on with, or says that nothing can.
    """
    fits = fitting(games, words)
    if wanted is Wanted.UNFINISHED:
        meant = unfinished(fits) or [one for one in fits if one.between] or [one for one in fits if one.bots_play_on]
        which = "unfinished"
    else:
        meant, which = [one for one in fits if one.facts.result is not None], "finished"
    if len(fits) == 1 or len(meant) == 1:
        return (meant or fits)[0]
    if not fits:
        raise Failure(f"No saved game fits {safe(words)[:40]!r}: `{command_here()} saved` lists all.", NOT_FOUND)
    if wanted is Wanted.UNFINISHED and not meant:
        last = max(fits, key=lambda one: one.played)
        none = f"None of the {len(fits)} saved games that fit {safe(words)[:40]!r} can be gone on with"
        ways = f"`{command_here()} saved` lists all, `{command_here()} solo {last.facts.game}` begins another one."
        raise Failure(f"{none}: the last one is {last.told(now)}. {ways}", NOT_FOUND)
    listed = meant or fits
    numbered = [f"`{command} {games.index(one) + 1}{more}` is {one.told(now)}" for one in listed[:4]]
    others = f"; {len(listed) - 4} more" * (len(listed) > 4)
    kind = which if meant else "saved"
    raise Failure(f"{len(listed)} {kind} games fit {safe(words)[:40]!r}: {'; '.join(numbered)}{others}.", USAGE)


def unfinished(games: Iterable[Saved]) -> list[Saved]:
    """Return the unfinished ones of some games, where there is a choice without those that this player has left.

    That is by being out, or by going on at another table.
    """
    found = [one for one in games if one.unfinished]
    return [one for one in found if not (one.out or one.elsewhere)] or found


def fitting(games: Sequence[Saved], words: str) -> list[Saved]:
    """Return the games that `words` fit best; see `choose`. Raises Failure for a number that none has."""
    text = words.strip()
    if text.isascii() and text.isdigit() and len(text) < LEAST_LETTERS:
        if 1 <= int(text) <= len(games):
            return [games[int(text) - 1]]
        raise Failure(f"There is no saved game {text}: `{command_here()} saved` lists {len(games)}.", NOT_FOUND)
    fits = list(games)
    for word in re.sub(r"[,()]", " ", text).split():
        ranks = [_rank(one, word) for one in fits]
        fits = [one for one, rank in zip(fits, ranks, strict=True) if rank == min(ranks) < Nearness.UNLIKE]
    return fits


def taken(games: Sequence[Saved], chosen: Saved, words: str, now: float) -> str:
    """Return in words which game `words` were taken to name, and by which numbers the others go that they fit.

    Without words no others are named.
    """
    others = [one for one in fitting(games, words) if one != chosen] if words else []
    named = "; ".join(f"number {games.index(one) + 1}, {one.told(now)}" for one in others[:4])
    more = f"; {len(others) - 4} more" * (len(others) > 4)
    also = f" {safe(words)[:40]!r} fits other games too: {named}{more}." if others else ""
    return f"This is saved game {games.index(chosen) + 1}, {chosen.told(now)}.{also}"


def _rank(saved: Saved, word: str) -> Nearness:
    """Return how near a word is to the nearest of the names that a saved game goes by; see `nearness`."""
    names = saved.opponents()
    known = [part for name in names for part in re.split(r" \(|\)", name) if part]  # the key too of `anna (n6nm)`
    starts = [*names, *known, saved.score(), saved.facts.game, *saved.title.split(), *saved.facts.game.split("-")]
    starts += [*" ".join(saved.bots).split(), "bots"] if saved.bots else []
    starts += ["watched"] * saved.watched
    by_id = len(word) >= LEAST_LETTERS and saved.letters.startswith(word.lower())
    return Nearness.EQUAL if by_id else min(nearness(word, start) for start in starts)
