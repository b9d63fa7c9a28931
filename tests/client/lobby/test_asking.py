"""Questions before there is a table, at a real terminal: Ctrl-D leaves, Ctrl-C interrupts, no traceback is shown."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clubs import answers
from loopback import free_port_pair

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import termios

from real_terminal import RealTerminal
from saved_games import home_of, solo

from p2p_stonehenge.screen.asking import ask_new_passphrase, choose

pytestmark = pytest.mark.network

CTRL_C, CTRL_D = "\x03", "\x04"
SCRIPT = """
import asyncio, sys
from p2p_stonehenge import __main__
from p2p_stonehenge.screen import asking
from p2p_stonehenge.lobby import finding
from p2p_stonehenge.net.discovery import Sighting

async def find_table(network, wanted, report, choose, **more):
    question = sys.argv.pop()
    if question == "table":
        tables = [Sighting(bytes([n]) * 32, nick, (), b"", "fidchess 1/2") for n, nick in enumerate(("anna", "ben"), 1)]
        print("you chose", (await choose(tables, True)).nick)
    elif await asking.agrees(asking.ask, "Sit down there all the same?"):
        print("you sit down")
    raise asking.LeavingError

finding.find_table = find_table
port, home, question = sys.argv[1:]
sys.argv = sys.argv[:1] + [question]
sys.exit(__main__.main(["join", "--interface", "127.0.0.1", "--port", port, "--home", home, "--name", "ann"]))
"""
QUESTIONS = {"table": "Which table? 1-2:", "warning": "Sit down there all the same?"}
WORDS = "three old stones"


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
    assert "You left before a table began." in asked.text
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
    asked.asks_again("Type a number from 1 to 2, or a word that only one line has; Ctrl-D leaves.", "Which table?")
    asked.types("2\r")
    asked.shows("you chose ben")
    asked.close()


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [("qenqe", 1), ("Celtic", 2), ("anna", 1), ("whist ben", 2), ("aoife", 2), ("with", 0), ("zoe", 0), ("1", 1)],
)
def test_what_is_listed_is_chosen_by_a_word_that_only_one_line_has(typed: str, chosen: int) -> None:
    lines = ["Fidchess Qenqe with anna, today 13:18, your turn", "Celtic Whist with ben, bot Aoife, today 13:15"]
    answers = iter((typed, ""))

    async def put(question: str, hidden: bool) -> str:
        return next(answers)

    assert asyncio.run(choose(put, lines, "go on with the first")) == chosen


@pytest.mark.parametrize("typed", ["ben", "BEN", "be"])
def test_a_table_is_chosen_by_the_name_that_was_offered(tmp_path: Path, typed: str) -> None:
    asked = Asked(tmp_path, "table")
    asked.shows("1. anna (", "2. ben (", "Which table?")
    asked.types(f"{typed}\r")
    asked.shows("you chose ben")
    asked.close()


@pytest.mark.parametrize(("answer", "told"), [("y", "you sit down"), ("", "You left before"), ("n", "You left before")])
def test_only_a_yes_sits_down_beside_a_stranger(tmp_path: Path, answer: str, told: str) -> None:
    asked = Asked(tmp_path, "warning")
    asked.shows("[y/N]")
    asked.types(f"{answer}\r")
    asked.shows(told)
    asked.close()


def test_a_typo_before_a_table_is_told_what_can_be_answered(tmp_path: Path) -> None:
    asked = Asked(tmp_path, "warning")
    asked.shows("[y/N]")
    asked.types("yep\r")
    asked.asks_again("Type `yes`, or `no` or Enter.", "[y/N]")
    asked.types("yes\r")
    asked.shows("you sit down")
    asked.close()


class Playing(RealTerminal):
    """The client itself, beside others of its kind."""

    def __init__(self, home: Path, port: int, *words: str) -> None:
        command = [sys.executable, "-m", "p2p_stonehenge", *words, "--interface", "127.0.0.1", "--port", str(port)]
        named = () if "--name" in words else ("--name", "anna")
        super().__init__([*command, *named, "--plain", "--home", str(home)], columns=120)


def at_the_question(folder: Path) -> tuple[Playing, Playing]:
    """Return a host of a table with a passphrase, and a guest who is asked for it."""
    port = free_port_pair()
    anna = Playing(folder / "anna", port, "host", "fidchess", "--name", "anna", "--passphrase")
    anna.shows("A passphrase for your table (Enter alone leaves):")
    anna.types(f"{WORDS}\r")
    anna.shows("The same once more (Enter alone leaves):")
    anna.types(f"{WORDS}\r")
    anna.shows("They are asked for the passphrase")
    return anna, Playing(folder / "ben", free_port_pair(), "join", f"127.0.0.1:{port}", "--name", "ben")


def test_a_passphrase_is_asked_for_unseen_and_again_after_a_mistake(tmp_path: Path) -> None:
    anna, ben = at_the_question(tmp_path)
    for number, line in enumerate(("three odd stones", "three new stones", WORDS), 1):
        ben.until(lambda: ben.text.count("The passphrase of anna's table (Enter alone leaves):") == number)  # noqa: B023
        ben.types(f"{line}\r")
    ben.shows("That is not the passphrase of anna's table")
    for one in (anna, ben):
        one.shows("is signed by all")
        assert WORDS not in one.text
        one.close()
    assert "odd stones" not in ben.text


def test_a_passphrase_that_is_made_up_is_asked_for_until_it_is_the_same_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask, asked = answers("three odd stones", WORDS, WORDS, f" {WORDS} ")
    assert asyncio.run(ask_new_passphrase(ask, "A passphrase")) == WORDS
    assert asked == ["A passphrase (Enter alone leaves): ", "The same once more (Enter alone leaves): "] * 2
    assert capsys.readouterr().out == "These were two different ones: type it anew.\n"


def test_a_host_who_waits_reads_what_the_others_type_and_what_ends_the_waiting(tmp_path: Path) -> None:
    anna = Playing(tmp_path / "anna", free_port_pair(), "host", "fidchess")
    anna.shows("They type: p2p-stonehenge join --interface 127.0.0.1")
    anna.shows("What you type meanwhile is not read. Ctrl-C closes the table.")
    anna.types(CTRL_C)
    anna.shows("Your table is closed: it had not begun.")
    anna.close()


def test_ctrl_c_at_a_table_line_by_line_tells_where_the_game_is_kept_and_how_it_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "p2p_stonehenge", "solo", "fidchess", "--plain", "--home", str(tmp_path)]
    at = RealTerminal(words, columns=200)
    at.shows("Type help for help.")
    at.types(CTRL_C)
    at.shows("Ctrl-C once more leaves the table.")
    at.types(CTRL_C)
    assert at.ends() == 130
    (saved,) = (tmp_path / "games").glob("*.stonehenge")
    resume = f"`p2p-stonehenge --home {tmp_path} resume {saved.name[:4]}`"
    for told in ("You have left the table.", "The table is saved in", str(saved), f"{resume} goes on with it."):
        assert told in " ".join(at.text.split())
    at.close()


LEAVES = pytest.mark.parametrize(
    ("key", "status"), [(CTRL_C, 130), (CTRL_D, 0), ("\r", 0)], ids=["Ctrl-C", "Ctrl-D", "Enter"]
)


@LEAVES
def test_the_passphrase_can_be_left(tmp_path: Path, key: str, status: int) -> None:
    """And the terminal shows again what is typed."""
    anna = Playing(tmp_path, free_port_pair(), "host", "fidchess", "--passphrase")
    anna.shows("A passphrase for your table (Enter alone leaves):")
    anna.types(key)
    assert anna.ends() == status
    assert termios.tcgetattr(anna.terminal)[3] & termios.ECHO
    assert "Traceback" not in anna.text


@LEAVES
def test_the_passphrase_can_be_left_after_a_wrong_one(tmp_path: Path, key: str, status: int) -> None:
    anna, ben = at_the_question(tmp_path)
    ben.shows("The passphrase of anna's table (Enter alone leaves):")
    ben.types("three odd stones\r")
    ben.until(lambda: ben.text.count("(Enter alone leaves):") == 2)
    ben.types(key)
    assert ben.ends() == status
    assert termios.tcgetattr(ben.terminal)[3] & termios.ECHO
    anna.close()


@pytest.mark.parametrize(
    ("words", "waits", "says"),
    [
        (("join", "no-such-friend"), "No open table of", "You left before a table began."),
        (("watch", "no-such-friend"), "No table of", "You left before a table to watch was found."),
        (("host", "fidchess"), "May watch: all.", "Your table is closed: it had not begun."),
    ],
)
def test_ctrl_c_ends_the_wait_with_a_sentence_and_drops_what_was_typed_ahead(
    tmp_path: Path, words: tuple[str, ...], waits: str, says: str
) -> None:
    port = free_port_pair()
    shell = RealTerminal(["/bin/sh", "-i"])
    shell.shows("$")
    command = (sys.executable, "-m", "p2p_stonehenge", *words, "--interface", "127.0.0.1", "--home", str(tmp_path))
    shell.types(f"{' '.join(command)} --port {port} --name anna; echo status $?\r")
    shell.shows(waits)
    shell.types("echo ahead $((20 + 1))\r")
    shell.shows("echo ahead")
    shell.types(CTRL_C)
    shell.shows("status 130")
    assert says in shell.text
    shell.types("echo then $((20 + 2))\r")
    shell.shows("then 22")
    assert "ahead 21" not in shell.text
    shell.close()


def test_the_start_page_stands_whole_after_ctrl_c(tmp_path: Path) -> None:
    page = RealTerminal(
        [sys.executable, "-m", "p2p_stonehenge", "--interface", "127.0.0.1", "--home", str(tmp_path), "--name", "anna"]
    )
    page.shows("anna, where to>")
    page.types(f"join no-such-friend --port {free_port_pair()}\r")
    page.shows("Looking for 'no-such-friend'")
    page.types(CTRL_C)
    page.shows("You left before a table began.", "anna, where to>")
    (title,) = (line for line in page.text.splitlines() if "five games for friends" in line)
    assert title.startswith(" STONEHENGE")
    page.close()


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


def test_of_several_unfinished_games_the_player_chooses_one(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, ((1, "B2-B3"),), 2000.0)
    solo(home, ((1, "C2-C3"),), 1000.0, nonce=1)
    command = [sys.executable, "-m", "p2p_stonehenge", "resume", "--plain", "--home", str(home.path)]
    asked = RealTerminal(command, columns=120)
    asked.shows(
        "1. Fidchess with bot 2, 1 Jan 1970", "2. Fidchess with bot 2, 1 Jan 1970", "Enter to go on with the first:"
    )
    asked.types("2\r")
    asked.shows("Yellow moves an Oin from C2 to C3.")
    asked.close()
    named = RealTerminal([*command, "fidchess"], columns=120)
    named.shows("2. Fidchess with bot 2, 1 Jan 1970", "Enter to go on with the first:")
    named.types("\r")
    named.shows("Yellow moves an Oin from B2 to B3.")
    named.close()
    piped = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    assert piped.returncode == 0
    assert "Yellow moves an Oin from B2 to B3." in piped.stdout, "the last one, where nobody can be asked"


def test_who_leaves_while_waiting_for_another_game_has_left_the_table(tmp_path: Path) -> None:
    port = free_port_pair()
    anna = Playing(tmp_path / "anna", port, "host", "fidchess", "--name", "anna", "-o", "first=1")
    anna.shows("waiting for")
    ben = Playing(tmp_path / "ben", free_port_pair(), "join", f"127.0.0.1:{port}", "--name", "ben")
    anna.shows("Your turn")
    anna.agrees("resign")
    ben.shows("`result` tells more")
    ben.types("again\r")
    ben.shows("You want to play again: waiting for Yellow (anna). You may go on talking")
    anna.shows("wants to play again")
    ben.types("say no hurry\r")
    anna.shows("no hurry")
    anna.types("who\r")
    anna.shows("ben  wants to play again")
    ben.types("quit\r")
    assert ben.ends() == 0
    anna.shows("(ben) has left the table. There is nobody to play again with")
    anna.types("who\r")
    anna.shows("ben  has left")
    assert "does not answer" not in anna.text
    anna.close()


def test_ctrl_c_clears_a_line_at_a_plain_table_and_leaves_it_the_second_time(tmp_path: Path) -> None:
    """As on the drawn screen, where it never leaves: whoever clears a line is not thrown out."""
    words = [sys.executable, "-m", "p2p_stonehenge", "--plain", "solo", "fidchess", "--players", "2"]
    at = RealTerminal([*words, "-o", "first=1", "--home", str(tmp_path)])
    try:
        at.shows("Your turn")
        at.types("B2-B3 xx")
        at.shows("B2-B3 xx")
        at.types(CTRL_C)
        at.shows("The line is cleared. Ctrl-C once more leaves the table.")
        at.types("B2-B3\r")
        at.shows("moves an Oin from B2 to B3")
        at.types(CTRL_C)
        at.until(lambda: at.text.count("The line is cleared.") == 2)
        at.types(CTRL_C)
        at.shows("You have left the table.")
        assert at.ends() == 130
    finally:
        at.close()
