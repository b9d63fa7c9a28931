"""What a player types to start this program."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = os.environ.get("P2P_STONEHENGE_COMMAND", "p2p-stonehenge")
"""What starts it on any computer: `scripts/play.py` sets the variable, where no command is installed."""
_options = ContextVar("options", default="")
_page = ContextVar("page", default=False)
_STARTS = r"((python|py)[\d.]*\s+)?(-m\s+p2p_stonehenge|(\S*[/\\])?(p2p-stonehenge|play\.py))(?!\S)"
"""What starts the program on some computer: players copy commands from each other."""


def command_here() -> str:
    """Return what starts this program as it was started now, as in `p2p-stonehenge --home DIR`.

    Each command that the player is to type begins with it: in another home that command would not find the game, and
    on another network not the players. A command that is for other players begins with COMMAND.
    """
    return COMMAND + _options.get()


def behind_program(line: str) -> str:
    """Return a line without what starts this program, if it begins with that: `p2p-stonehenge join anna`."""
    line = line.strip()
    here = command_here()
    return line.removeprefix(here) if f"{line} ".startswith(f"{here} ") else re.sub(f"(?i)^{_STARTS}", "", line)


@contextmanager
def started_with(home: str | None, interface: str | None) -> Iterator[None]:
    """Let told commands name the home and the interface that the command line gives, where it gives them."""
    given = (("--home", home), ("--interface", interface))
    before = _options.set("".join([f" {option} {shell_word(value)}" for option, value in given if value]))
    try:
        yield
    finally:
        _options.reset(before)


@contextmanager
def begun_on_page() -> Iterator[None]:
    """Let `on_page` say that a command was chosen on the start page, and leads back there."""
    before = _page.set(True)
    try:
        yield
    finally:
        _page.reset(before)


def on_page() -> bool:
    """Return whether the command that is carried out was chosen on the start page."""
    return _page.get()


def told_on_page(text: str) -> str:
    """Return a sentence as the start page shows it: a command is typed there without what starts the program."""
    return text.replace(f"`{command_here()} ", "`").replace(f"`{COMMAND} ", "`")


def shell_word(text: str) -> str:
    """Return one word of a command line so that a shell of this system reads it as one."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline([text])
    from shlex import quote

    return quote(text)
