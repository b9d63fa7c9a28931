"""Lines of standard input, read when somebody waits for one and at no other time.

What a script pipes in was written for what comes, and stays until it is read. What somebody has typed before a question
or a board was shown is dropped by `forget`. A reader that stops waiting takes nothing away from a screen that reads the
terminal itself.

A terminal shows to nobody what is half typed there. Where something has to be told meanwhile, `lift` takes that over,
and until the line ends it is edited here.
"""

import asyncio
import os
import select
import sys
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from p2p_stonehenge.text.widths import cells

_CHUNK = 4096
_LONGEST = 1 << 16
"""Bytes of a line; what is longer is several."""
_GLANCE = 0.2
"""Seconds after which a reader that nobody waits for any more gives up."""
_END, _ALL, _WORD = 0x04, 0x15, 0x17
"""Keys: Ctrl-D, and Ctrl-U and Ctrl-W, which erase the line and a word of it."""
_ERASES = (0x08, 0x7F, _ALL, _WORD)
FORGOTTEN = "What you typed ahead is dropped."


class Keyboard:
    """Standard input, line by line. There is one, as `KEYBOARD`, for what is not yet read must not get lost."""

    def __init__(self) -> None:
        self.question = ""
        """The question at which the player is, shown again below what is told meanwhile."""
        self._rest = b""
        self._lock = Lock()
        self._is_awaited = False
        self._lifted: list[Any] | None = None
        """How the terminal was set before a half-typed line was taken from it; None while the terminal edits it."""

    async def line(self) -> str | None:
        """Return the next line without its end, or None at the end of the input, as at Ctrl-D.

        A daemon thread waits for it, so that neither the event loop waits nor, after Ctrl-C, the end of the program.
        """
        self._is_awaited = True
        try:
            return await self._line()
        finally:
            self._is_awaited = False
            self._let_go()

    async def _line(self) -> str | None:
        while b"\n" not in self._rest and len(self._rest) < _LONGEST:
            chunk = await self._chunk()
            if self._lifted and chunk:
                if self._edit(chunk):
                    return None
                continue
            if not chunk:
                break
            self._rest += chunk
            if sys.stdin.isatty() and not chunk.endswith(b"\n"):  # Ctrl-D behind some letters sends them
                self._rest += b"\n"
                if sys.stdout.isatty():  # what comes next begins on a line of its own
                    print(flush=True)
        if not self._rest:
            return None
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r")

    def lift(self) -> str:
        """Take over what is half typed at a terminal, to be shown again below what is told; return it.

        Nothing where nobody waits for a line, where it is typed unseen, and on Windows.
        """
        if sys.platform == "win32" or not (self._is_awaited and sys.stdin.isatty() and sys.stdout.isatty()):
            return ""
        import termios

        source = sys.stdin.fileno()
        with self._lock, suppress(OSError, termios.error):
            if self._lifted is None and os.tcgetpgrp(source) == os.getpgrp() and not _readable(source, 0):
                before = termios.tcgetattr(source)
                if not before[3] & termios.ECHO:
                    return ""
                taken = [*before[:6], [*before[6]]]
                taken[3] &= ~(termios.ICANON | termios.ECHO)
                taken[6][termios.VMIN], taken[6][termios.VTIME] = 1, 0
                termios.tcsetattr(source, termios.TCSANOW, taken)
                self._lifted = before
                if _readable(source, 0):
                    self._rest += os.read(source, _CHUNK)
        if not self._rest:
            self._let_go()
        return self._rest.decode(sys.stdin.encoding or "utf-8", "replace")

    def _let_go(self) -> None:
        """Let the terminal edit lines again."""
        before, self._lifted = self._lifted, None
        if before is not None and sys.platform != "win32":
            import termios

            with suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, before)

    def _edit(self, chunk: bytes) -> bool:
        """Do what keys do to a line at a terminal; return whether they end the input, as Ctrl-D does."""
        encoding = sys.stdin.encoding or "utf-8"
        for at, key in enumerate(chunk):
            text = self._rest.decode(encoding, "replace")
            if key == _END and not text:
                return True
            if key in (*b"\r\n", _END):
                self._rest += b"\n" + chunk[at + 1 :]
                print(flush=True)
                self._let_go()
                break
            if key >= ord(" ") and key not in _ERASES:
                self._rest += bytes([key])
                os.write(sys.stdout.fileno(), bytes([key]))
            elif key in _ERASES:
                left = {_ALL: "", _WORD: text.rstrip().rpartition(" ")[0]}.get(key, text[:-1])
                self._rest = left.encode(encoding, "replace")
                print("\b \b" * cells(text[len(left) :]), end="", flush=True)
        return False

    def put_back(self, line: str) -> None:
        """Let the next reader have a line that was read too early."""
        self._rest = f"{line}\n".encode(sys.stdin.encoding or "utf-8", "replace") + self._rest

    def forget(self) -> bool:
        """Drop what was typed at a terminal and is not read yet; return whether a whole line was among it."""
        if sys.stdin is None or not sys.stdin.isatty():
            return False
        typed, self._rest = bool(self._rest), b""
        self._let_go()
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                typed |= msvcrt.getwch() == "\r"
        else:
            import termios

            # A program in the background would be stopped for touching the terminal.
            with suppress(OSError):
                if os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp():
                    typed |= _readable(sys.stdin.fileno(), 0)
                    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        return typed

    def interrupted(self) -> None:
        """Drop what was typed before Ctrl-C, which nobody waits for any more; what follows begins on a new line."""
        self.forget()
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():  # where the terminal shows `^C`
            print(flush=True)

    async def _chunk(self) -> bytes:
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[bytes] = loop.create_future()
        unwanted = Event()

        def deliver(chunk: bytes) -> None:
            if not arrived.done():
                arrived.set_result(chunk)
            else:
                self._rest += chunk

        def read() -> None:
            source = sys.stdin.fileno()
            while not unwanted.is_set():
                if not _readable(source):
                    continue
                with self._lock:
                    if unwanted.is_set():
                        return
                    if not _readable(source, 0):  # it was lifted meanwhile
                        continue
                    try:
                        chunk = os.read(source, _CHUNK)
                    except OSError:  # the terminal is gone
                        chunk = b""
                try:
                    loop.call_soon_threadsafe(deliver, chunk)
                except RuntimeError:  # the loop is gone
                    self._rest += chunk
                return

        Thread(target=read, name="keyboard", daemon=True).start()
        try:
            return await arrived
        finally:
            unwanted.set()


def _readable(source: int, patience: float = _GLANCE) -> bool:
    """Return whether something can be read within so many seconds; on Windows, where that cannot be asked, True."""
    if sys.platform == "win32":
        return True
    try:
        return bool(select.select([source], [], [], patience)[0])
    except (OSError, ValueError):  # closed: the read says so
        return True


KEYBOARD = Keyboard()
