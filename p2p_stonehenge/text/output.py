"""What the terminal is like to which a program writes: its characters, its width, whether it can be redrawn."""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

from p2p_stonehenge.text.widths import lines_of


def charset(wanted: str, environ: Mapping[str, str] = os.environ, out: TextIO | None = None) -> str:
    """Return `unicode` or `ascii`: what was wanted, or what the terminal is sure to show."""
    if wanted != "auto":
        return wanted
    encoding = (getattr(out or sys.stdout, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    return "ascii" if encoding != "utf8" or environ.get("TERM") in ("dumb", "linux") else "unicode"


def columns(out: TextIO | None = None) -> int:
    """Return how wide the terminal is to which `out` (standard output by default) writes, 0 if it is none."""
    return max(shutil.get_terminal_size().columns, 21) if (out or sys.stdout).isatty() else 0


def folded(text: str, out: TextIO | None = None, indent: int = 0) -> str:
    """Return a line as several for a terminal that would break it within words; elsewhere as it is.

    `indent`: how many columns all but the first stand to the right.
    """
    if not (width := columns(out)):
        return text
    return "\n".join(lines_of(text, width - 1, indent))


def plain_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether only the append-only mode can work: no terminal on either side, or a dumb one."""
    return environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())
