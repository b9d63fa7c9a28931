"""What the commands that look at a saved game have in common: reading the file, checking it, saying how far that is."""

from __future__ import annotations

import gc
import sys
import time
from contextlib import contextmanager

from engine import counted
from p2p_stonehenge.cli.common import shown
from p2p_stonehenge.failure import NOT_A_TRANSCRIPT, NOT_FOUND, USAGE, Failure

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2p_stonehenge.saved import SavedGame
    from protocol import Table


def open_saved(path: str) -> SavedGame:
    """Return the game in a file, every record of it checked. Raises Failure."""
    return checked_game(read_transcript(path))


def checked_game(content: bytes) -> SavedGame:
    """Return the game in the bytes of a file, every record of it checked. Raises Failure."""
    from p2p_stonehenge.saved import SavedGame
    from protocol import TranscriptError

    try:
        return SavedGame(checked(content))
    except TranscriptError as error:
        raise Failure(f"This is not a valid saved game: {error}; `verify` tells more", NOT_A_TRANSCRIPT) from error


def checked(content: bytes) -> Table:
    """Return the table that the bytes of a file tell of; a longer check is shown. Raises TranscriptError."""
    from concurrent.futures import ThreadPoolExecutor

    from protocol import load

    with Meter("checking") as meter, ThreadPoolExecutor() as pool, uncollected():
        return load(content, progress=meter, spread=pool.map)


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch the garbage collector of this process off meanwhile: it would look at every event again and again.

    It would find nothing: what a file makes does not refer to itself, so it is freed when nobody needs it any more.
    For a command that does nothing else in the meantime.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def read_transcript(path: str) -> bytes:
    """Return the bytes of a saved game. Raises Failure if the file cannot be read or cannot be one."""
    from p2p_stonehenge.storage.files import at_once
    from p2p_stonehenge.storage.home import SAVED_LIMIT

    try:
        with open(path, "rb", opener=at_once) as file:
            content = file.read(SAVED_LIMIT + 1)
    except FileNotFoundError:
        raise Failure(f"There is no file {shown(path)}: saved games end in .stonehenge", NOT_FOUND) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{shown(path)} cannot be read ({reason}): name a file that ends in .stonehenge") from None
    if len(content) > SAVED_LIMIT:
        raise Failure(f"{shown(path)} is too large to be a transcript: name a saved game", NOT_A_TRANSCRIPT)
    return content


def ply_of(saved: SavedGame, at: int | None) -> int | None:
    """Return the ply that `--at` names, None without it. Raises Failure if the game has fewer."""
    if at is not None and at > len(saved):
        raise Failure(f"--at {at} is not possible: the game has {counted(len(saved), 'action')}.", USAGE)
    return at


class Meter:
    """Says on the error stream, if that is a terminal, how far a longer piece of work is.

    `wait`: the seconds of work of which nothing is said.
    """

    def __init__(self, what: str, wait: float = 1.0) -> None:
        self._what = what
        self._next = time.monotonic() + wait
        self._width = 0

    def __enter__(self) -> Meter:
        return self

    def __call__(self, part: float) -> None:
        """Note that `part` of the work, from 0 to 1, is done."""
        now = time.monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next = now + 0.2
            text = f"{self._what}: {part:4.0%}"
            self._width = len(text)
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_error: object) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
