"""Questions at the terminal, put while everything else goes on."""

import asyncio
import contextlib
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence

from engine import counted
from p2p_stonehenge.failure import INTERRUPTED, Failure
from p2p_stonehenge.screen.keyboard import FORGOTTEN, KEYBOARD
from p2p_stonehenge.table.questions import NO, YES
from p2p_stonehenge.text.names import nearest
from p2p_stonehenge.text.program import command_here, on_page
from protocol import passphrase_bytes

Ask = Callable[[str, bool], Awaitable[str]]
"""Puts a question, given also whether the answer is to stay hidden, and returns what was typed."""

LEAVES = ("q", "exit", "leave")
"""What `quit` is called on pages, too: it asks first where that costs something."""
LONGEST_PASSPHRASE = 200
"""Bytes; nobody types more without a mistake."""
LENGTH = f"A passphrase has 1 to {LONGEST_PASSPHRASE} letters: three words are a good one."
SHORT = 30 * 24 * 3600
"""Seconds of guessing, one guess a second, below which a passphrase is called short."""
ALPHABETS = ("0123456789", "abcdefghijklmnopqrstuvwxyz")
"""Of which a passphrase may be made that is short; letters of another alphabet are as many as of these together."""
_FINE = 0


def left_early(before: str = "a table began") -> str:
    """Return what a player reads who leaves before a table begins, or what else was awaited."""
    lists = "" if on_page() else f" `{command_here()} peers` lists the tables that are seen."
    return f"You left before {before}.{lists}"


class LeavingError(Failure):
    """The player has decided against it, which is no failure."""

    def __init__(self, before: str = "a table began") -> None:
        """`before`: as of `left_early`."""
        super().__init__(left_early(before), _FINE)


@contextlib.contextmanager
def interruptible(told: str) -> Iterator[None]:
    """Let Ctrl-C end with a sentence what is done here."""
    try:
        yield
    except asyncio.CancelledError:
        raise Failure(told, INTERRUPTED) from None


def can_ask() -> bool:
    """Return whether somebody sits at a terminal who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


async def ask(question: str, hidden: bool) -> str:
    """Print a question and return the line that is typed, unseen if `hidden`. Raises LeavingError at Ctrl-D.

    What was typed before at a terminal is no answer to it.
    """
    if KEYBOARD.forget():
        print(FORGOTTEN, flush=True)
    if hidden and sys.platform == "win32":  # where a console reads unseen by calls of its own only
        from getpass import getpass

        return (await asyncio.to_thread(getpass, question)).strip()
    with _unseen() if hidden else contextlib.nullcontext(), _at(question):
        print(question, end="", flush=True)
        line = await KEYBOARD.line()
    if hidden or line is None:
        print(flush=True)
    if line is None:
        raise LeavingError
    return line.strip()


async def quit_typed() -> None:
    """Return once somebody types `quit`, or Ctrl-D, where nothing else is read; say so of what else is typed."""
    while (line := await KEYBOARD.line()) is not None and line.strip().lower() not in ("quit", *LEAVES):
        if line.strip():
            print("Of what you type meanwhile only `quit` is read.", flush=True)


@contextlib.contextmanager
def _at(question: str) -> Iterator[None]:
    KEYBOARD.question = question
    try:
        yield
    finally:
        KEYBOARD.question = ""


def tell(text: str) -> None:
    """Print a line. Where the player is at a question, it is put again below that."""
    if KEYBOARD.question:
        print(f"\n{text}\n{KEYBOARD.question}", end="", flush=True)
    else:
        print(text, flush=True)


async def agrees(put: Ask, question: str) -> bool:
    """Return whether the answer to a question is yes; Enter alone means no, and what is neither is asked for again."""
    while True:
        answer = (await put(f"{question} [y/N]: ", False)).lower()
        if answer in YES:
            return True
        if answer in ("", *NO):
            return False
        print("Type `yes`, or `no` or Enter.")


async def choose(put: Ask, names: Sequence[str], otherwise: str = "", lines: Sequence[str] = ()) -> int:
    """Return which of the things listed by these names is meant, from 1 on: by number or name; else it asks again.

    Words that begin words of one of the `lines` alone, as which they are listed, name it too. Where Enter alone does
    something else, which `otherwise` says, it returns 0.
    """
    number = len(names)
    numbers = f"1-{number}" if number > 1 else "1"
    question = f"Type {numbers} to go there, or Enter to {otherwise}: " if otherwise else f"Which table? {numbers}: "
    while True:
        typed = await put(question, False)
        answer = typed.lower()
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= number:
            return int(answer)
        named = nearest(typed, names) or _with_words(answer, lines or names) if typed else []
        if len(named) == 1 and answer not in (*YES, *NO):
            return named[0] + 1
        if otherwise and answer in ("", *NO):
            return 0
        if number == 1 and answer in YES:
            return 1
        a_number = f"a number from 1 to {number}, or a word that only one line has" if number > 1 else "1, or the name"
        print(f"Type {a_number}; Ctrl-D leaves.")


def _with_words(typed: str, lines: Sequence[str]) -> list[int]:
    """Return the places of the lines of which each typed word begins a word."""
    in_line = [re.findall(r"\w+", line.lower()) for line in lines]
    typed_words = re.findall(r"\w+", typed)
    return [
        place
        for place, words in enumerate(in_line)
        if typed_words and all(any(word.startswith(one) for word in words) for one in typed_words)
    ]


async def ask_passphrase(put: Ask, question: str) -> str:
    """Return the passphrase that is typed unseen, within its length. Raises LeavingError at Enter alone."""
    while True:
        words = await put(f"{question} (Enter alone leaves): ", True)
        if not words:
            raise LeavingError
        if is_passphrase(words):
            return words
        print(LENGTH)


async def ask_new_passphrase(put: Ask, question: str) -> str:
    """Return a passphrase that is typed unseen, the same twice. Raises LeavingError at Enter alone."""
    while True:
        words = await ask_passphrase(put, question)
        again = await ask_passphrase(put, "The same once more")
        if passphrase_bytes(words) == passphrase_bytes(again):
            return words
        print("These were two different ones: type it anew.")


def is_passphrase(words: str) -> bool:
    """Return whether `words` can be a passphrase."""
    return 0 < len(passphrase_bytes(words)) <= LONGEST_PASSPHRASE


def worth_told(words: str) -> str:
    """Return in a sentence how soon a short passphrase is guessed; nothing for one that holds for a month or more.

    A host answers one guess a second, of all guests together.
    """
    letters = next((len(one) for one in ALPHABETS if {*words} <= {*one}), sum(map(len, ALPHABETS)))
    seconds = letters ** len(words)
    if seconds >= SHORT:
        return ""
    day, hour = 24 * 3600, 3600
    within = counted(-(-seconds // day), "day") if seconds > day else counted(-(-seconds // hour), "hour")
    tried = f"strangers, who have one guess a second, try all of its length within {within}"
    return f"That passphrase is short: {tried}. Three words are a good one."


@contextlib.contextmanager
def _unseen() -> Iterator[None]:
    """Show nothing of what is typed."""
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    after = [*before]
    after[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSADRAIN, after)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
