"""The program without a command: an evening through a pipe and at a terminal, and how soon its prompt is there."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from looking_back import played_alone
from saved_games import ANNA, BEN, among_friends, home_of, solo
from start_pages import ROOT


def piped(home: Path, *lines: str, folder: Path = ROOT) -> str:
    command = [sys.executable, "-m", "p2p_stonehenge", "--plain", "--interface", "127.0.0.1", "--home", str(home)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input="\n".join(lines) + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.network
def test_an_evening_through_a_pipe(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    lines = ("rules kingamon aim", "oak", "solo fidchess -o first=1", "a2 a3", "quit", "yes", "1", "resign", "yes")
    out = piped(tmp_path, *lines)
    assert "You win by bearing off" in out
    assert "Yellow moves an Oin from A2 to A3." in out
    assert re.search(r"1\. Fidchess with bot Brigid, today \d\d:\d\d, (your|bot Brigid.s) turn\.", out)
    assert "You lost to bot Brigid" in out
    assert "oak is no command" in out
    assert out.count("Unfinished games: 0.") == 3
    assert home.nick() == "anna"


@pytest.mark.network
@pytest.mark.parametrize(
    ("form", "name"), [("html", "*.html"), ("film", "*.film.svg"), ("strip", "*.strip.svg"), ("json", "*.json")]
)
def test_looking_back_at_a_saved_game_offers_to_show_it_to_others(tmp_path: Path, form: str, name: str) -> None:
    solo(home_of(tmp_path / "home"), ((1, "B2-B3"), (2, "resign")), 1.7e9)
    out = piped(tmp_path / "home", "b", "1", "export", form, "q", folder=tmp_path)
    assert "3. show it to others: a web page, a film, pictures, text." in out
    (page,) = tmp_path.glob(f"stonehenge-{name}")
    assert f"SHOW IT TO OTHERS: as what? The file comes into {tmp_path}" in " ".join(out.split())
    assert f"written to {page.absolute()}\n" in out
    assert "fidchess" in page.read_text("utf-8").lower()
    piped(tmp_path / "home", "b", "1", "export", form, "q", folder=tmp_path)
    assert {page.name, page.name.replace(".", "-2.", 1)} == {one.name for one in tmp_path.glob("stonehenge-*")}


@pytest.mark.network
def test_looking_back_at_a_finished_game_offers_to_tell_where_it_turned(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, ((1, "B2-B3"), (2, "B7-B6")), 1.6e9)
    solo(home, ((1, "B2-B3"), (2, "resign")), 1.7e9, nonce=1)
    out = piped(tmp_path, "b", "1", "back", "2", "analyse", "q")
    assert "4. go on with it." in out, "nobody is told what to play in a game that goes on"
    assert "4. where it turned: what a bot would have played." in out
    assert "anna: 1 choice" in out


@pytest.mark.network
def test_what_a_command_complains_of_stands_on_the_page(tmp_path: Path) -> None:
    out = piped(tmp_path, "solo oak", "host", "kingamon", "captured_king bar", "", "back", "back", "verify zoe", "q")
    assert "There is no game 'oak'" in out
    assert "No game is saved yet" in out or "No saved game fits 'zoe'" in out


@pytest.mark.network
def test_why_a_command_line_is_refused_stands_on_the_page_and_not_above_it(tmp_path: Path) -> None:
    told = " ".join(piped(tmp_path, "host kingamon --port 99999", "host kingamon --delay -3", "q").split())
    assert "'99999' is not a port from 1 to 65534; see p2p-stonehenge host --help" in told
    assert "'-3' is not possible: a delay has 0 to 1000 actions" in told


def test_in_a_pipe_without_plain_it_helps_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2p_stonehenge", "--home", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "doctor" in done.stderr


HEAVY = ("engine", "protocol", "zmq", "zeroconf", "nacl", "msgpack")
FIRST_PROMPT = """
import sys
from p2p_stonehenge.screen import turning

class Seen(Exception):
    pass

async def run(self):
    self._message()
    self._status()
    print(*sorted({name.partition(".")[0] for name in sys.modules}))
    return ()

turning._Window.run = run
sys.stdin.isatty = sys.stdout.isatty = lambda: True
from p2p_stonehenge.__main__ import main
sys.exit(main([]))
"""


def test_the_first_prompt_waits_for_neither_games_nor_network(tmp_path: Path) -> None:
    (tmp_path / "nick").write_text("anna")  # else the name is asked for
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PROMPT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"TERM": "xterm", "P2P_STONEHENGE_HOME": str(tmp_path)},
    )
    loaded = set(done.stdout.split())
    assert "prompt_toolkit" in loaded
    assert not loaded & {*HEAVY}


if sys.platform != "win32":
    from real_terminal import RealTerminal

    @pytest.fixture
    def terminal(tmp_path: Path) -> Iterator[RealTerminal]:
        """Anna's start page: a game with ben and one alone are unfinished."""
        home = home_of(tmp_path)
        solo(home, ((1, "B2-B3"), (2, "B7-B6")), 1.7e9)
        among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
        command = [sys.executable, "-m", "p2p_stonehenge", "--interface", "127.0.0.1", "--home", str(tmp_path)]
        terminal = RealTerminal(command)
        yield terminal
        terminal.close()

    @pytest.mark.network
    @pytest.mark.parametrize("plain", [(), ("--plain",)])
    def test_at_the_first_start_the_name_is_asked_for_once(tmp_path: Path, plain: tuple[str, ...]) -> None:
        command = [sys.executable, "-m", "p2p_stonehenge", "--interface", "127.0.0.1", "--home", str(tmp_path), *plain]
        with closing(RealTerminal(command)) as at:
            at.shows("your name (Enter: ")
            at.types("bot x\r")
            at.asks_again("would be taken for a bot", "your name (Enter: ")
            at.types("host fidchess\r")
            at.asks_again("host is a command, for later: type your name first", "your name (Enter: ")
            at.types("Rosa\r")
            at.shows("Rosa, where to>")
            at.types("\x04")
            assert at.ends() == 0
        (tmp_path / "identity.key").unlink(missing_ok=True)
        with closing(RealTerminal(command)) as at:
            at.shows("Rosa, where to>")
            assert "your name" not in at.text
            at.types("\x04")
            assert at.ends() == 0

    def test_who_types_quit_for_a_name_leaves(tmp_path: Path) -> None:
        with closing(RealTerminal([sys.executable, "-m", "p2p_stonehenge", "--home", str(tmp_path)])) as at:
            at.shows("your name (Enter: ")
            at.types("quit\r")
            assert at.ends() == 0
        assert not (tmp_path / "nick").exists()

    @pytest.mark.network
    def test_enter_keeps_the_name_of_the_login_and_a_name_that_is_given_is_not_asked_for(tmp_path: Path) -> None:
        command = [sys.executable, "-m", "p2p_stonehenge", "--interface", "127.0.0.1", "--home"]
        with closing(RealTerminal([*command, str(tmp_path / "a")], LOGNAME="gwen")) as at:
            at.shows("your name (Enter: gwen)>")
            at.types("\r")
            at.shows("gwen, where to>")
        assert (tmp_path / "a" / "nick").read_text() == "gwen"
        with closing(RealTerminal([*command, str(tmp_path / "b"), "--name", "Gus"])) as at:
            at.shows("Gus, where to>")
            assert "your name" not in at.text

    @pytest.mark.network
    @pytest.mark.parametrize(
        ("words", "goes_on"),
        [(("host", "fidchess"), "waiting for 1 more"), (("join", "ben"), "Looking for"), (("watch",), "Looking for")],
    )
    def test_a_command_by_which_others_see_a_name_asks_for_it_at_first_too(
        tmp_path: Path, words: tuple[str, ...], goes_on: str
    ) -> None:
        command = [sys.executable, "-m", "p2p_stonehenge", *words, "--interface", "127.0.0.1", "--home", str(tmp_path)]
        with closing(RealTerminal(command)) as at:
            at.shows("your name (Enter: ")
            at.types("Rosa\r")
            at.shows(goes_on)
        assert (tmp_path / "nick").read_text() == "Rosa"
        with closing(RealTerminal(command)) as at:
            at.shows(goes_on)
            assert "your name" not in at.text

    @pytest.mark.network
    def test_who_goes_on_from_a_saved_game_in_a_new_home_is_asked_for_a_name_as_well(tmp_path: Path) -> None:
        file = tmp_path / "game.stonehenge"
        file.write_bytes(played_alone("kingamon", 2, (), 9))
        words = ["host", "--from", str(file), "--interface", "127.0.0.1", "--home", str(tmp_path / "home")]
        with closing(RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words])) as at:
            at.shows("your name (Enter: ")
            at.types("Rosa\r")
            at.shows("May watch: ")
        assert (tmp_path / "home" / "nick").read_text() == "Rosa"

    @pytest.mark.network
    def test_at_a_terminal_all_goes_by_arrows_numbers_and_letters(terminal: RealTerminal, tmp_path: Path) -> None:
        terminal.shows(
            "you are anna",
            ">  1  Fidchess ",
            "  bot 2  ",
            "2  Fidchess ",
            "ben's turn",
            "127.0.0.1",
        )
        terminal.types("zzz\r")
        terminal.shows("zzz is no command")
        terminal.types("a")
        terminal.types("\r")
        terminal.shows(" ALONE: which game, for how many players?")
        terminal.types("fidchess\r")
        terminal.shows("SOLO FIDCHESS", "the same as:  solo fidchess")
        terminal.types("\x1b[B\x1b[B\x1b[C")  # down, down, right
        terminal.shows("the same as:  solo fidchess -o first=1")
        terminal.types("zzz\r")
        terminal.shows("There is no row 'zzz'")
        terminal.types("\r")  # the refused line gives way to what Enter does
        terminal.shows("Yellow (anna)", "move>")
        terminal.types("quit\r")
        terminal.shows("[y/N]")
        terminal.types("yes\r")
        terminal.shows("Enter goes back to the start page.")
        terminal.types("python3 scripts/play.py rules fidchess aim\r")  # as a text may have told it
        terminal.shows("capturing the other side's Rigant")
        terminal.until(lambda: terminal.text.rstrip().endswith("Enter goes back to the start page."))
        terminal.types("\r")
        terminal.shows("GO ON WITH", "3  Fidchess ")
        assert json.loads((tmp_path / "last.json").read_text())["solo"]["fidchess"]["first"] == "1"
        terminal.types("rules kingamon aim\r")
        terminal.shows("You win by bearing off")
        terminal.until(lambda: terminal.text.rstrip().endswith("Enter goes back to the start page."))
        terminal.types("host\r")  # which is a page of the start page, and no command without a game
        terminal.shows("HOST A TABLE: which game, for how many players?")
        terminal.types("\x04")
        terminal.types("rules kingamon aim\r")
        terminal.until(lambda: terminal.text.rstrip().endswith("Enter goes back to the start page."))
        terminal.types("b\r")  # for the start page
        terminal.shows("SAVED GAMES")
        terminal.types("1\r")
        terminal.shows("do what>")
        terminal.types("verify\r")
        terminal.until(lambda: terminal.text.rstrip().endswith("Enter goes back to the game's page."))
        terminal.types("\r")
        terminal.shows("do what>")
        terminal.types("\x04")
        terminal.shows("SAVED GAMES")
        terminal.types("\x04")
        terminal.shows("GO ON WITH")
        terminal.types("\x04")
        assert terminal.ends() == 0

    @pytest.mark.network
    def test_line_by_line_what_is_done_with_a_saved_game_leads_back_to_its_page(tmp_path: Path) -> None:
        solo(home_of(tmp_path), ((1, "B2-B3"), (2, "resign")), 1.7e9)
        words = ["--plain", "--interface", "127.0.0.1", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words], 80, 100)
        try:
            at.shows("where to>")
            at.types("b\r")
            at.shows("which game>")
            at.types("1\r")
            at.shows("do what>")
            at.types("1\r")
            at.shows("go>")
            at.types("quit\r")  # which leaves nothing to read
            at.until(lambda: at.text.count("do what>") == 2)
            at.types("verify\r")
            at.shows("Enter goes back to the game's page.")
            assert re.search(r"^  verify [0-9a-f]{4} --details$", at.text, re.MULTILINE), "not by a long path"
            at.types("export\r")  # at once, of that game
            at.shows("SHOW IT TO OTHERS")
            at.types("\x04")
            at.until(lambda: at.text.count("do what>") == 4)
            assert at.text.count("You are anna.") == 1
            at.types("\x04\x04\x04")
            assert at.ends() == 0
        finally:
            at.close()

    @pytest.mark.network
    def test_rules_are_read_page_by_page(terminal: RealTerminal) -> None:
        terminal.shows("you are anna")
        terminal.types("r\r")
        terminal.shows("RULES: of which game?")
        terminal.types("king\r")
        terminal.shows("AIM", "lines  Enter goes on")
        terminal.types("/acey\r")
        terminal.shows("cey")
        terminal.types("q\r")
        terminal.shows("RULES: of which game?")
