"""Which palette suits the terminal: it is asked for the colour of its background, where it can be asked at all."""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from p2p_stonehenge.text.palettes import palette_for

PATIENCE = 0.5
"""Seconds that a terminal has for its answer."""
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
"""OSC 11 with a question mark, then a question that every terminal answers: behind its answer nothing more comes."""
_COLOUR = re.compile(rb"\x1b\]11;rgba?:" + rb"/".join([rb"([0-9a-fA-F]{1,4})"] * 3) + rb"[^\x07\x1b]*(?:\x07|\x1b\\)")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[0-9;]*c")
_DARK, _LIGHT = 0.35, 0.65
"""Below and above this lightness the palettes for dark and for light backgrounds can be read."""
_UNASKED = ("dumb", "linux", "")
"""Terminals that would show the question instead of answering it, by TERM."""


class Answer(NamedTuple):
    """What a terminal answered: the lightness of its background, None if it did not tell, and what else was typed."""

    lightness: float | None
    typed: bytes


def palette(wanted: str) -> str:
    """Return the palette that was wanted, or one for the background of the terminal: asked once, if it can be asked.

    What was typed meanwhile goes to the prompt that comes next.
    """
    if wanted != "auto" or not may_query(os.environ):
        return palette_for(wanted)
    return _asked()


def may_query(environ: Mapping[str, str]) -> bool:
    """Return whether somebody sits at a terminal that can be asked and has not told of its background already."""
    told = any(environ.get(name) for name in ("COLORFGBG", "NO_COLOR"))
    if told or sys.platform == "win32" or environ.get("TERM", "") in _UNASKED:
        return False
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() and os.isatty(stream.fileno()) for stream in streams)


@cache
def _asked() -> str:
    answer = ask(PATIENCE)
    if answer.typed:
        _put_back(answer.typed)
    if answer.lightness is None or _DARK <= answer.lightness <= _LIGHT:
        return palette_for("auto")
    return "dark" if answer.lightness < _DARK else "light"


def ask(patience: float) -> Answer:
    """Ask the terminal of standard input, and wait so many seconds for its answer at most."""
    import termios
    import tty

    terminal, got = sys.stdin.fileno(), b""
    before = termios.tcgetattr(terminal)
    until = time.monotonic() + patience
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        os.write(sys.stdout.fileno(), QUESTION)
        while not _ATTRIBUTES.search(got) and (left := until - time.monotonic()) > 0:
            if select.select([terminal], [], [], left)[0]:
                got += os.read(terminal, 1024)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    colour = _COLOUR.search(got)
    typed = _ATTRIBUTES.sub(b"", _COLOUR.sub(b"", got))
    return Answer(_lightness(*colour.groups()) if colour else None, typed)


def _lightness(red: bytes, green: bytes, blue: bytes) -> float:
    """Return how light a colour is, from 0 to 1; each part has as many digits as the terminal likes."""
    parts = (int(part, 16) / (16 ** len(part) - 1) for part in (red, green, blue))
    return float(sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)))


def _put_back(typed: bytes) -> None:
    """Give what was typed during the question to the prompt that comes next."""
    from prompt_toolkit.application import get_app_session
    from prompt_toolkit.input.typeahead import store_typeahead
    from prompt_toolkit.input.vt100_parser import Vt100Parser
    from prompt_toolkit.key_binding import KeyPress

    keys: list[KeyPress] = []
    parser = Vt100Parser(keys.append)
    parser.feed_and_flush(typed.decode(errors="replace"))
    store_typeahead(get_app_session().input, keys)
