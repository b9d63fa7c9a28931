"""Make the README's pictures from real games: python scripts/pictures.py

Each text in docs/pictures/games is a game that was played, as `export --format txt` wrote it. From it come a board as
`export --format svg` draws it, and the table as a terminal of 80x24 shows it to the player to act. The same games give
the same bytes; `--check` writes nothing and names the pictures that are not current. Exit codes: 1 some are not; 2 bad
usage.
"""

import argparse
import asyncio
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout that is not installed

import pyte  # noqa: E402
from prompt_toolkit.application import create_app_session  # noqa: E402
from prompt_toolkit.data_structures import Size  # noqa: E402
from prompt_toolkit.input import create_pipe_input  # noqa: E402
from prompt_toolkit.output import ColorDepth  # noqa: E402
from prompt_toolkit.output.vt100 import Vt100_Output  # noqa: E402

from engine import CHANCE, Chance, Deal, Turn, all_games  # noqa: E402
from p2p_stonehenge.export import picture  # noqa: E402
from p2p_stonehenge.export.svg import element, number  # noqa: E402
from p2p_stonehenge.saved import SavedGame  # noqa: E402
from p2p_stonehenge.screen import terminal  # noqa: E402
from p2p_stonehenge.storage.home import Journal  # noqa: E402
from p2p_stonehenge.storage.settings import Settings  # noqa: E402
from p2p_stonehenge.table.local import LocalTable  # noqa: E402
from protocol import LOCAL, Identity, Seat, Table, local_charter, make_body  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
FAILED = 1
SHOWN = {"fidchess": 20, "qenqe": 24, "fidchell": 110, "kingamon": 159, "celtic-whist": 14}
"""After how many plies each game is pictured."""
COLUMNS, ROWS = 80, 24
LETTER, LINE, SIZE = 8.4, 18.0, 14.0
"""Of the picture of a terminal: how wide a letter is, how high a line, and how large the letters."""
GROUND, INK = "#16181a", "#d8d5cc"
PATIENCE = 20.0
"""Seconds within which a screen has drawn itself."""


class Script(NamedTuple):
    """A game as its text tells it."""

    key: str
    names: tuple[str, ...]
    options: dict[str, str]
    actions: tuple[str, ...]


def read(path: Path) -> Script:
    """Return the game in a text that `export` wrote."""
    text = path.read_text("utf-8")
    key = re.search(r"^Game: .*\((\S+), ", text, re.MULTILINE)
    options = re.search(r"^Options: (.*)$", text, re.MULTILINE)
    assert key
    assert options
    names = re.findall(r"^Seat \d, \w+: (.*)$", text, re.MULTILINE)
    actions = re.findall(r"^ *\d+\. \S+ +(.*)$", text, re.MULTILINE)
    return Script(key[1], tuple(names), dict(pair.split("=") for pair in options[1].split()), tuple(actions))


def played(script: Script, plies: int) -> Table:
    """Return a table at which the first plies of a game were played again."""
    owner = Identity(bytes(32))
    seats = tuple(Seat(owner.id, name, 1) for name in script.names)
    body = make_body(LOCAL, all_games()[script.key], script.options, seats, bytes(16))
    table = Table(local_charter(body, owner, bytes(32)), {1: owner})
    for action in script.actions[:plies]:
        due = table.game.pending(table.state)
        whole = _whole(due.draw, action) if isinstance(due, Chance) and isinstance(due.draw, Deal) else action
        table.act(due.seat if isinstance(due, Turn) else CHANCE, whole)
    return table


def _whole(deal: Deal, action: str) -> str:
    """Return a deal with a card in place of each that stayed closed: whichever are left, in their order."""
    words = action.split()
    left = iter([card for card in deal.deck if card not in words])
    return " ".join(next(left) if word == "?" else word for word in words)


# The terminal


class _Window(io.StringIO):
    """A terminal window that nobody sees."""

    encoding = "utf-8"

    def __init__(self) -> None:
        super().__init__()
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self.stream.feed(text)
        return len(text)

    def isatty(self) -> bool:
        return True


def terminal_of(table: Table) -> pyte.Screen:
    """Return the screen of the player to act, as it stands while the table waits."""
    due = table.game.pending(table.state)
    seat = due.seat if isinstance(due, Turn) else 1
    window = _Window()

    async def show(journal: Journal) -> pyte.Screen:
        session = LocalTable(table, journal, (seat,), resumed=True)
        sitting = asyncio.create_task(terminal.run(session, Settings(charset="unicode", palette="dark", bell=False)))
        until = asyncio.get_running_loop().time() + PATIENCE
        before = ""
        while (now := "\n".join(window.screen.display)) != before or "F1 help" not in now:
            before = now
            if asyncio.get_running_loop().time() > until:
                raise TimeoutError(now)
            await asyncio.sleep(0.1)
        drawn = deepcopy(window.screen.buffer)
        sitting.cancel()
        await asyncio.gather(sitting, return_exceptions=True)
        window.screen.buffer = drawn
        return window.screen

    with create_pipe_input() as keyboard, tempfile.TemporaryDirectory() as folder:
        window.screen.write_process_input = keyboard.send_text  # type: ignore[method-assign]  # answers where the cursor is
        size, depth = Size(ROWS, COLUMNS), ColorDepth.DEPTH_8_BIT
        output = Vt100_Output(window, lambda: size, term="xterm", default_color_depth=depth)
        path = Path(folder) / "game.stonehenge"
        journal = Journal(path, os.open(path, os.O_CREAT | os.O_RDWR))
        with create_app_session(input=keyboard, output=output):
            shown = asyncio.run(show(journal))
        journal.close()
    return shown


def svg_of(screen: pyte.Screen, title: str) -> str:
    """Return a terminal's screen as an SVG document."""
    width, height = COLUMNS * LETTER + 24, ROWS * LINE + 24
    parts = [f'<rect width="{number(width)}" height="{number(height)}" rx="8" fill="{GROUND}"/>']
    for row in range(ROWS):
        line = screen.buffer[row]
        styles = [_style(line[at]) for at in range(COLUMNS)]
        for (fore, back, bold), group in groupby(range(COLUMNS), styles.__getitem__):
            columns = list(group)
            text = "".join(line[at].data for at in columns)
            x, y = 12 + columns[0] * LETTER, 12 + row * LINE
            if back:
                shade = f'<rect x="{number(x)}" y="{number(y)}" width="{number(len(columns) * LETTER)}"'
                parts.append(f'{shade} height="{number(LINE)}" fill="{back}"/>')
            for word in re.finditer(r"\S+(?: \S+)*", text):
                weight: dict[str, Any] = {"font_weight": "bold"} if bold else {}
                left, long = x + word.start() * LETTER, len(word[0]) * LETTER
                parts.append(
                    element("text", text=word[0], fill=fore, **weight, x=left, y=y + LINE * 0.72, textLength=long)
                )
    face = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{face}" font-size="{number(SIZE)}">'
    return f"{head}{element('title', text=title)}{''.join(parts)}</svg>\n"


def _style(cell: pyte.screens.Char) -> tuple[str, str, bool]:
    """Return the colour of a letter, that of its ground (empty for the window's), and whether it is bold."""
    fore, back = (_colour(name) for name in (cell.fg, cell.bg))
    if cell.reverse:
        return back or GROUND, fore or INK, cell.bold
    return fore or INK, back, cell.bold


def _colour(name: str) -> str:
    return f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else ""


# All of it


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each picture."""
    for key, ply in SHOWN.items():
        script = read(PICTURES / "games" / f"{key}.txt")
        # Hands are drawn open as far as they were played later, so all of the game is played again for the board.
        yield f"{key}.svg", picture(SavedGame(played(script, len(script.actions))), ply)
        title = f"{all_games()[key].title} in a terminal"
        yield f"{key}-terminal.svg", svg_of(terminal_of(played(script, ply)), title)


def main() -> int:
    """Write the pictures, or say which are not current."""
    parser = argparse.ArgumentParser(description="Make the README's pictures from real games.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the pictures that are not current")
    check = parser.parse_args().check
    stale = []
    for name, content in pictures():
        path = PICTURES / name
        if path.exists() and path.read_text("utf-8") == content:
            continue
        stale.append(name)
        if not check:
            path.write_text(content, "utf-8", newline="\n")
    if not stale:
        print("All pictures are current.")
    elif check:
        print(f"Not current: {', '.join(stale)}. Make them anew: python scripts/pictures.py")
    else:
        print(f"Made anew: {', '.join(stale)}.")
    return FAILED if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
