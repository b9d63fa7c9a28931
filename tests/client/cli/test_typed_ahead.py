"""What is typed before a question, or before a game, was shown: it answers nothing there, and does nothing there.

At real terminals, line by line and with a board. What a script pipes in was written for what comes: it keeps its place.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import termios

from real_terminal import ROOT, RealTerminal, Terminals

SCREENS = pytest.mark.parametrize("screen", [("--plain",), ()], ids=["line by line", "with a board"])
AHEAD = "What you typed ahead is dropped."
TURN = {("--plain",): "Your turn: move.", (): "move>"}


class Alone:
    """A player at a terminal, alone against a bot."""

    def __init__(self, folder: Path, screen: tuple[str, ...]) -> None:
        self.home, self.asked = folder, TURN[screen]
        Home.open(str(folder)).set_nick("anna")
        words = ("solo", "fidchess", "-o", "first=1", "--home", str(folder), *screen)
        self.at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words], 100, 60)
        self.at.shows(self.asked)

    def unfinished(self) -> list[bool]:
        return [game.unfinished for game in Shelf(Home.open(str(self.home))).games()]


@pytest.fixture
def alone(tmp_path: Path, screen: tuple[str, ...]) -> Iterator[Alone]:
    player = Alone(tmp_path, screen)
    yield player
    player.at.close()


@SCREENS
def test_a_yes_that_was_typed_before_the_question_does_not_answer_it(alone: Alone) -> None:
    """Both lines are there before the program reads the first of them, as on a computer that is busy."""
    alone.at.types("resign\ry\r")
    alone.at.shows(AHEAD, "[y/N]")
    alone.at.types("\r")
    alone.at.shows("Not done: `resign`.")
    assert "You lost" not in alone.at.text
    alone.at.agrees("resign")
    alone.at.shows("You lost")


@SCREENS
def test_what_was_typed_for_the_game_before_does_nothing_in_the_next_one(alone: Alone) -> None:
    alone.at.agrees("resign")
    alone.at.shows("You lost")
    alone.at.types("again\rresign\ry\r")
    alone.at.shows("Green (anna)", AHEAD)
    alone.at.agrees("quit")
    assert alone.at.ends() == 0
    assert alone.unfinished() == [True, False]


@SCREENS
def test_what_was_typed_behind_a_line_that_is_refused_is_dropped(alone: Alone) -> None:
    """As several lines that are pasted at once: else it could not be told which of them was played."""
    alone.at.types("zzz\ra2 a3\r")
    alone.at.shows("not a move", "What you typed behind", "is dropped.")
    alone.at.types("b2 b3\r")
    alone.at.shows("Yellow moves an Oin from B2 to B3.")
    assert "from A2 to A3" not in alone.at.text


BUSY = """
import asyncio, select, sys
from p2p_stonehenge.cli.start import _pause
print("busy", flush=True)
select.select([sys.stdin], [], [])
line = asyncio.run(_pause())
print(f"typed: {line!r}")
"""


KEYS_AND_LINES = [
    ("\r", ""),
    ("\x04", ""),
    ("rules\r", "rules"),
    ("y\r", ""),
    ("No\r", ""),
    ("\x1b\x04", ""),
    ("rules\x04", "rules"),
]


@pytest.mark.parametrize(("keys", "line"), KEYS_AND_LINES)
def test_an_enter_typed_while_a_command_is_busy_does_not_go_back_to_the_start_page(keys: str, line: str) -> None:
    """What a command has told is read first; what comes then begins on a line of its own."""
    with closing(RealTerminal([sys.executable, "-c", BUSY])) as at:
        at.shows("busy")
        at.types("\r")
        at.shows(AHEAD, "Enter goes back to the start page.")
        at.types(keys)
        at.shows(f"typed: {line!r}")
        assert f"\ntyped: {line!r}" in at.text


INTERRUPTED = """
import asyncio, signal
from p2p_stonehenge.screen import asking

async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, asking.tell, "a friend is here")
    print(repr(await asking.ask("where to> ", False)))

asyncio.run(main())
"""


def test_the_terminal_still_edits_what_was_half_typed_when_something_was_told() -> None:
    with closing(RealTerminal([sys.executable, "-c", INTERRUPTED])) as at:
        at.shows("where to>")
        usual = termios.tcgetattr(at.terminal)
        at.types("host qenx")
        at.shows("where to> host qenx")
        os.kill(at.process.pid, signal.SIGUSR1)
        at.until(lambda: at.text.rstrip().endswith("where to> host qenx\na friend is here\nwhere to>"))
        assert termios.tcgetattr(at.terminal) == usual
        at.types("\x7fqe\r")
        at.shows("'host qenqe'")
        assert at.ends() == 0


TABLE = """
import asyncio, signal
from fake_table import FakeTable
from p2p_stonehenge.screen import plain
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Said

async def main():
    table = FakeTable("fidchess", first=1)
    hear = lambda: [table.tell(Said("ben", words)) for words in ("hello", "all")]
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, hear)
    await plain.run(table, Settings())

asyncio.run(main())
"""


def test_at_a_table_a_line_that_is_half_typed_when_something_is_told_is_obeyed_whole() -> None:
    beside = os.pathsep.join((str(ROOT), str(Path(__file__).parent.parent)))
    with closing(RealTerminal([sys.executable, "-c", TABLE], PYTHONPATH=beside)) as at:
        at.shows("Your turn: move.")
        usual = termios.tcgetattr(at.terminal)
        at.types("B2-")
        at.shows("B2-")
        os.kill(at.process.pid, signal.SIGUSR1)
        at.shows("ben says: hello", "ben says: all")
        assert termios.tcgetattr(at.terminal) == usual
        at.types("B3\r")
        at.shows("Yellow moves an Oin from B2 to B3.")


FAILS = """
import select, sys
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.start import _obeyed
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.screen.asking import left_early
from p2p_stonehenge.text.program import command_here

def obey(args):
    print("busy", flush=True)
    select.select([sys.stdin], [], [])
    raise Failure(f"Nobody: `{command_here()} watch`. {left_early()}", 4)

note, line = _obeyed(("host", "fidchess"), parse(()), obey)
print(f"{note!r} {line!r}, left: {select.select([sys.stdin], [], [], 0)[0]}")
"""


def test_what_was_typed_while_others_were_awaited_in_vain_is_not_for_the_start_page() -> None:
    """Such as `resign`, typed by who waits for another game with friends who have left."""
    with closing(RealTerminal([sys.executable, "-c", FAILS], 120)) as at:
        at.shows("busy")
        at.types("resign\ry\r")
        told = "Nobody: `watch`. You left before a table began."  # as typed on that page
        at.shows(f"'{told} {AHEAD}' '', left: []")


def test_what_a_script_pipes_in_is_obeyed_line_by_line(tmp_path: Path) -> None:
    """Nobody reads a question there: the script has its answer behind it."""
    command = [sys.executable, "-m", "p2p_stonehenge", "solo", "fidchess", "-o", "first=1", "--plain"]
    told = subprocess.run(
        [*command, "--home", str(tmp_path)],
        input="resign\nyes\n",
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
        cwd=ROOT,
    ).stdout
    assert "You lost to" in told
    assert AHEAD not in told


@pytest.mark.network
@SCREENS
def test_a_line_typed_while_friends_are_awaited_does_not_end_the_game_that_begins(
    tmp_path: Path, screen: tuple[str, ...]
) -> None:
    """Ben answers a question that nobody has asked, while anna has yet to type `again`."""
    anna, ben = (f"{name}-{os.getpid()}" for name in ("anna", "ben"))
    with closing(Terminals(tmp_path, rows=80)) as play:
        play.start(anna, "host", "fidchess", "-o", "first=1", *screen)
        play.shows("waiting for", by=anna)
        play.start(ben, "join", anna, *screen)
        play.shows(TURN[screen], by=anna)
        play.at[anna].agrees("resign")
        play.shows("You lost", by=anna)
        play.shows("You won", by=ben)
        play.at[ben].types("again\r")
        play.shows("You want to play again: waiting for", by=ben)
        play.at[ben].types("resign\r")
        play.shows("The game is over.", by=ben)
        play.at[ben].types("\x15y\r")
        play.at[anna].types("again\r")
        play.shows(f"Yellow ({ben})", by=ben)
        assert "to play again as well" not in play.at[anna].text, "ben was known to play again"
        play.at[ben].types("who\r")
        play.shows("(you)  to move", by=ben)
        assert "You lost" not in play.at[ben].text
