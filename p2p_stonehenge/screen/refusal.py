"""Why a line was refused, below the board that is redrawn: how long that is told, and what becomes of the line."""

from prompt_toolkit.buffer import Buffer

from p2p_stonehenge.screen import refused
from p2p_stonehenge.screen.console import Console, Meant
from p2p_stonehenge.table.questions import NO, YES
from p2p_stonehenge.text.safe import safe

BEHIND = "What you typed behind it is dropped."
"""What is told of lines that were typed, or pasted, before it was shown that the one before them is refused."""


class RefusedLine:
    """The line that was refused last at one screen, until something else is typed."""

    def __init__(self, console: Console, buffer: Buffer) -> None:
        """`buffer`: what stands on the prompt."""
        self._console, self._buffer = console, buffer
        self.told = ""
        """Why the line was refused, or what Enter does with it now; nothing if that need not be told."""
        self.unseen = False
        """Whether a line was refused since the screen was drawn last: what follows it was typed ahead."""
        self._line = ""
        """The line, as long as something is told of it; an answer does not stay on the prompt."""
        self._meant: Meant | None = None
        """What the line was for when it was refused."""

    @property
    def stands(self) -> bool:
        """Return whether a refused line stands on the prompt, or something is told of one."""
        return bool(self.told) or self._meant is not None

    def say(self, text: str) -> None:
        """Tell why a key does nothing, which concerns no line."""
        self.told = safe(text)

    def forget(self) -> None:
        """Tell no more that a line was refused."""
        self.told, self._line, self._meant, self.unseen = "", "", None, False

    def refuse(self, why: str) -> bool:
        """Note why the line on the prompt is refused; return whether it stays there."""
        self.told, self._line, self.unseen = safe(why), self._buffer.text, True
        self._meant = self._console.meant(self._line)
        return self._keep()

    def drop_behind(self) -> bool:
        """Drop the line on the prompt, typed before it was shown that another one is refused, which stands instead."""
        if self._buffer.text != self._line and BEHIND not in self.told:
            self.told = f"{self.told} {BEHIND}"
        self._buffer.text = self._line
        return self._keep()

    def _keep(self) -> bool:
        """Leave the refused line on the prompt, unless it is an answer, in which there is nothing to mend."""
        if self._line.strip().lower() in (*YES, *NO):
            self._meant = None
            return False
        refused.select(self._buffer)
        return True

    def look_again(self) -> None:
        """Tell why the line is refused now: that may tell of what was so before."""
        if self.told and self._line:
            self.told = safe(self._console.refuse(self._line)) or self.told

    def offer(self, *, ended: bool) -> None:
        """Say what Enter does now with the refused line, if it is for what is asked now; drop it if not.

        `ended`: the game has just ended, for which the line was.
        """
        line, meant, self.told, self._line = self._buffer.text, self._meant, "", ""
        if ended:
            self._buffer.reset()
        elif meant and line and self._console.seat:
            told = self._console.offer(line, meant)
            if not told:
                self._buffer.reset()
                self._meant = None
            self.told, self._line = safe(told), line
