"""Questions before there is a table, at a real terminal: Ctrl-D leaves, Ctrl-C interrupts, no traceback is shown."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_network_games import free_port_pair

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

from real_terminal import RealTerminal

pytestmark = pytest.mark.network

CTRL_C, CTRL_D = "\x03", "\x04"
SCRIPT = """
import asyncio, sys
from p2p_stonehenge import __main__, asking, finding
from p2p_stonehenge.discovery import Sighting

async def find_table(network, wanted, report, choose, *, locked=False):
    question = sys.argv.pop()
    await asyncio.sleep(0)
    if question == "table":
        tables = [Sighting(bytes([n]) * 32, nick, (), b"", "fidchess 1/2") for n, nick in enumerate(("anna", "ben"), 1)]
        print("you chose", choose(tables).nick)
    elif question == "warning":
        asking.ask_whether_to_sit_down()
        print("you sit down")
    else:
        # As in the lobby: from a callback of the event loop.
        asked = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(lambda: asked.set_result(asking.ask_passphrase("anna")))
        print("you typed", await asked)
    raise asking.LeavingError

finding.find_table = find_table
port, home, question = sys.argv[1:]
sys.argv = sys.argv[:1] + [question]
sys.exit(__main__.main(["join", "--interface", "127.0.0.1", "--port", port, "--home", home]))
"""
QUESTIONS = {
    "table": "Which table? 1-2:",
    "warning": "Sit down there all the same?",
    "passphrase": "passphrase of anna",
}


class Asked(RealTerminal):
    def __init__(self, home: Path, question: str) -> None:
        super().__init__([sys.executable, "-c", SCRIPT, str(free_port_pair()), str(home), question])


@pytest.fixture(params=QUESTIONS)
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealTerminal]:
    terminal = Asked(tmp_path, request.param)
    terminal.shows(QUESTIONS[request.param])
    yield terminal
    terminal.close()


def test_ctrl_d_leaves_without_a_traceback(asked: RealTerminal) -> None:
    asked.types(CTRL_D)
    assert asked.ends() == 0
    assert "You sat down nowhere." in asked.text
    assert "Traceback" not in asked.text
    assert "Error" not in asked.text


def test_ctrl_c_interrupts_at_once(asked: RealTerminal) -> None:
    asked.types(CTRL_C)
    assert asked.ends() == 130
    assert "Traceback" not in asked.text
    assert "Error" not in asked.text
    assert "exception" not in asked.text


def test_a_table_is_chosen_by_its_number(tmp_path: Path) -> None:
    asked = Asked(tmp_path, "table")
    asked.shows("1. anna (", "2. ben (", "Which table?")
    asked.types("7\r")
    asked.shows("Type a number from 1 to 2; Ctrl-D leaves.")
    asked.types("2\r")
    asked.shows("you chose ben")
    asked.close()


@pytest.mark.parametrize(("answer", "told"), [("y", "you sit down"), ("", "You sat down nowhere"), ("n", "nowhere")])
def test_only_a_yes_sits_down_beside_a_stranger(tmp_path: Path, answer: str, told: str) -> None:
    asked = Asked(tmp_path, "warning")
    asked.shows("[y/N]")
    asked.types(f"{answer}\r")
    asked.shows(told)
    asked.close()


def test_a_passphrase_is_not_shown(tmp_path: Path) -> None:
    asked = Asked(tmp_path, "passphrase")
    asked.shows("passphrase of anna")
    asked.types("three old")
    asked.types(" stones\r")
    asked.shows("you typed three old stones")
    assert asked.text.count("three old stones") == 1
    asked.close()


def test_ctrl_z_gives_the_shell_back_and_fg_the_board(tmp_path: Path) -> None:
    """With what was half typed."""
    shell = RealTerminal(["/bin/sh", "-i"])
    shell.shows("$")
    shell.types(f"{sys.executable} -m p2p_stonehenge solo fidchess --hot-seat -o first=1 --home {tmp_path}\r")
    shell.shows("Yellow, move>")
    shell.types("a2 ")
    shell.shows("move> a2")
    shell.types("\x1a")
    shell.shows("Stopped")
    shell.types("echo shell $((20 + 1))\r")
    shell.shows("shell 21")
    shell.types("fg\r")
    shell.until(lambda: "Yellow, move> a2" in shell.text.split("shell 21")[-1])
    shell.types("a3\r")
    shell.shows("Yellow moves an Oin from A2 to A3.", "Green, move>")
    shell.close()
