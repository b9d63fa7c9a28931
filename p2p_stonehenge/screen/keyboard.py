"""Lines of standard input, read when somebody waits for one and at no other time.

What a script pipes in was written for what comes, and stays until it is read. What somebody has typed before a question
or a board was shown is dropped by `forget`. A reader that stops waiting takes nothing away from a screen that reads the
terminal itself.
"""

import asyncio
import os
import select
import sys
from contextlib import suppress
from threading import Event, Lock, Thread

_CHUNK = 4096
_LONGEST = 1 << 16
"""Bytes of a line; what is longer is several."""
_GLANCE = 0.2
"""Seconds after which a reader that nobody waits for any more gives up."""
FORGOTTEN = "What you typed ahead is dropped."


class Keyboard:
    """Standard input, line by line. There is one, as `KEYBOARD`, for what is not yet read must not get lost."""

    def __init__(self) -> None:
        self.question = ""
        """The question at which the player is, shown again below what is told meanwhile."""
        self._rest = b""
        self._lock = Lock()

    async def line(self) -> str | None:
        """Return the next line without its end, or None at the end of the input, as at Ctrl-D.

        A daemon thread waits for it, so that neither the event loop waits nor, after Ctrl-C, the end of the program.
        """
        while b"\n" not in self._rest and len(self._rest) < _LONGEST:
            chunk = await self._chunk()
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

    def put_back(self, line: str) -> None:
        """Let the next reader have a line that was read too early."""
        self._rest = f"{line}\n".encode(sys.stdin.encoding or "utf-8", "replace") + self._rest

    def forget(self) -> bool:
        """Drop what was typed at a terminal and is not read yet; return whether a whole line was among it."""
        if sys.stdin is None or not sys.stdin.isatty():
            return False
        typed, self._rest = bool(self._rest), b""
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
