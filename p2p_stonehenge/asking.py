"""Questions on a terminal before there is a table: which one, whether to sit down there, its passphrase.

Ctrl-D leaves, as at a table, and Ctrl-C interrupts the program, as anywhere.
"""

import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from getpass import getpass
from typing import TYPE_CHECKING

from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.style import safe
from protocol import id_text, passphrase_bytes

if TYPE_CHECKING:
    from p2p_stonehenge.discovery import Sighting

FINE = 0
LOOK_EVERY = 0.2
"""Seconds between two looks for a signal while nothing is typed."""
LONGEST_PASSPHRASE = 200
"""Bytes; nobody types more without a mistake."""


class LeavingError(Failure):
    """The player has decided against it, which is no failure."""

    def __init__(self) -> None:
        super().__init__("You sat down nowhere. `p2p-stonehenge peers` lists the open tables.", FINE)


def ask(question: str, *, hidden: bool = False) -> str:
    """Return what is typed, without blanks around it. Raises LeavingError at Ctrl-D, KeyboardInterrupt at Ctrl-C."""
    try:
        with _interruptible():
            return _read(question, hidden).strip()
    except (EOFError, KeyboardInterrupt) as left:
        print(flush=True)  # the shell goes on below
        if isinstance(left, KeyboardInterrupt):
            raise
        raise LeavingError from None


def _read(question: str, hidden: bool) -> str:
    """Return a line of the terminal. Raises EOFError at its end."""
    if sys.platform == "win32":
        return getpass(question) if hidden else input(question)
    with _echo_off() if hidden else nullcontext():
        print(question, end="", flush=True)
        # A signal that comes just before a read does not end it; one that comes while nothing is read is seen soon.
        while not select.select([sys.stdin], [], [], LOOK_EVERY)[0]:
            pass
        line = sys.stdin.readline()
    if hidden:
        print(flush=True)
    if not line:
        raise EOFError
    return line


@contextmanager
def _echo_off() -> Iterator[None]:
    """Do not show what is typed."""
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(terminal, termios.TCSAFLUSH, silent)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt what reads a line: the event loop would note it for later, and nothing would happen."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def choose_table(found: list["Sighting"], warn: Callable[["Sighting"], None]) -> "Sighting":
    """Return which of several tables is meant. `warn` tells what the player has to know of a host."""
    for number, one in enumerate(found, 1):
        print(f"{number}. {one.nick} ({id_text(one.id)[:8]}): {one.table}")
        warn(one)
    while True:
        answer = ask(f"Which table? 1-{len(found)}: ")
        if answer.isdecimal() and 1 <= int(answer) <= len(found):
            return found[int(answer) - 1]
        print(f"Type a number from 1 to {len(found)}; Ctrl-D leaves.")


def ask_whether_to_sit_down() -> None:
    """Ask whether to go on after a warning. Raises LeavingError if not."""
    if ask("Sit down there all the same? [y/N]: ").lower() not in ("y", "yes"):
        raise LeavingError


def ask_passphrase(host: str) -> str:
    """Return the passphrase of a table, which is not shown. Raises Failure if it is none."""
    text = ask(f"The passphrase of {safe(host)}'s table: ", hidden=True)
    check_passphrase(text)
    return text


def check_passphrase(text: str | None) -> None:
    """Raise Failure if a passphrase is none that a table can have; None is no passphrase."""
    if text is not None and not 0 < len(passphrase_bytes(text)) <= LONGEST_PASSPHRASE:
        raise Failure(f"A passphrase has 1 to {LONGEST_PASSPHRASE} letters: three words are a good one.", USAGE)
