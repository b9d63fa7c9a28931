"""`verify` as people read it: the verdict first, what is not proven second, a lesson whose sums come out."""

import json
import os
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from command_lines import Run, saved_game
from hypothesis import given
from hypothesis import strategies as st
from looking_back import played_alone, played_together, saved
from net_tables import Room
from saved_games import home_of, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import doctor
from p2p_stonehenge.saved import StepKind
from p2p_stonehenge.storage.home import Home

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_together("celtic-whist", 2, (), 50))
    return path


def verify(path: Path, capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["verify", str(path), *words]) == status
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_the_verdict_comes_first_and_what_is_not_proven_second(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = verify(file, capsys)
    first, *rest = told.splitlines()
    assert first == "Genuine. anna won by resignation."
    check = f"  p2p-stonehenge verify {shlex.quote(str(file))}"
    assert rest[-4:] == ["All that was checked:", f"{check} --details", "How it works:", f"{check} --explain"]
    proven, not_proven = told.split("\nIt does not prove\n")
    assert "nobody could steer" in proven
    assert "kept their cards from each other" in not_proven
    assert "chained" not in told
    assert all(len(line) <= 80 for line in rest if check not in line)


@pytest.mark.parametrize("words", [("1",), ("fidchess", "unfinished")])
def test_what_else_verify_tells_is_asked_for_by_the_words_that_named_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    solo(home_of(tmp_path), (), 2e9)
    assert main(["verify", *words, "--home", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()
    for more in ("--details", "--explain"):
        assert f"  p2p-stonehenge --home {tmp_path} verify {' '.join(words)} {more}" in told


def test_two_players_of_one_name_are_told_apart_by_their_seats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(tmp_path, "kingamon", names=("anna", "anna"))
    room.play()
    room.agree_to(1, "resign")
    room.carry()
    told = " ".join(verify(Path(room.tables[1].path), capsys).split())
    assert told.startswith("Genuine. Red (anna) won by resignation.")
    assert "White (anna) and Red (anna) each fixed a secret part" in told
    assert "The result is signed by White (anna) and Red (anna)." in told


def test_details_list_everything_that_was_checked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(verify(file, capsys, "--details").split())
    assert "charter signed by all 2 signers" in told
    assert "2 deals: 4 shuffles and 60 shares of cards proven" in told


def test_an_unfinished_game_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_alone("kingamon", 2, (), 4))
    assert "Not finished yet." in " ".join(verify(path, capsys).split())


def test_the_sums_of_the_lesson_come_out(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands that the lesson prints are run as they stand, and print the hashes that it shows."""
    told = verify(file, capsys, "--explain")
    commands = [line.strip() for line in told.splitlines() if line.strip().startswith("python3")]
    assert len(commands) == 2
    for command in commands:
        _, *words = shlex.split(command)
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
        assert re.fullmatch(r"[0-9a-f]{64}\n", done.stdout)
        assert done.stdout.strip() in told.replace(command, "")


def test_a_changed_file_is_not_genuine_and_says_what_to_do(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray(file.read_bytes())
    content[-40] ^= 1
    file.write_bytes(content)
    told = verify(file, capsys, status=3)
    assert told.startswith("NOT GENUINE: event ")
    assert re.search(r"that (anna|ben) did not sign", " ".join(told.split())), told
    assert "Ask another player" in told
    good = verify(file, capsys, "--details", status=3).partition("\nWhat is good before that:\n")[2]
    assert good.startswith("- anna won by resignation.")
    assert "- charter signed by all" in good
    assert json.loads(verify(file, capsys, "--json", status=3))["ok"] is False


def test_the_json_is_that_of_the_contract_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(verify(file, capsys, "--json", "--details"))
    assert list(told) == [
        *("schema", "ok", "table", "game", "finished", "result", "events", "signed_events"),
        *("digest", "signed_by", "cheats", "error"),
    ]
    assert told["table"] == saved(file.read_bytes()).table.id.hex()


def test_a_game_without_chance_is_explained_by_a_move_that_was_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_together("fidchess", 2, (("first", "1"),), 6))
    told = verify(path, capsys, "--explain")
    assert "A MOVE. How does everybody know that anna played " in told
    assert max(len(line) for line in told.splitlines() if "python3" not in line) <= 80
    (command,) = (line.strip() for line in told.splitlines() if line.strip().startswith("python3"))
    done = subprocess.run([sys.executable, *shlex.split(command)[1:]], capture_output=True, text=True, check=True)
    assert done.stdout.strip() in told.replace(command, "")


def test_a_move_that_nobody_has_answered_needs_no_explanation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_alone("fidchess", 2, (("first", "1"),), 0))
    assert "played on one computer" in verify(path, capsys, "--explain")


def test_a_resignation_is_no_move_and_who_was_left_behind_has_signed_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What follows from an agreement of the others is not said to be signed by the player who was gone."""
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_together("fidchess", 2, (("first", "1"),), 4))
    assert "- 4 moves and 1 resignation, each lawful and signed by its player." in verify(path, capsys)
    left = ROOT / "tests" / "data" / "vectors" / "files" / "leaving.stonehenge"
    proven = saved(left.read_bytes())
    kinds = [step.kind for step in proven.steps]
    assert StepKind.LEFT in kinds
    (gone,) = (step for step in proven.steps if step.kind is StepKind.LEFT)
    assert gone.told.startswith(f"The others go on without {proven.game.colours[gone.actor - 1]}")
    assert "resigns" not in gone.told
    moves, resigned = kinds.count(StepKind.MOVE), kinds.count(StepKind.RESIGN)
    told = f"{moves} move{'s' * (moves != 1)}" + f" and {resigned} resignation{'s' * (resigned != 1)}" * bool(resigned)
    assert f"- {told}, each lawful" in verify(left, capsys)


def test_a_game_with_a_turn_time_does_not_prove_how_long_a_player_took(capsys: pytest.CaptureFixture[str]) -> None:
    timed = ROOT / "tests" / "data" / "vectors" / "files" / "goes-on.stonehenge"
    told = " ".join(verify(timed, capsys).split())
    assert saved(timed.read_bytes()).table.charter.body.turn_time
    assert "how long a player took" in told


# The command, and files that were altered.

FINISHED = saved_game(((1, "B2-B3"), (2, "B7-B6"), (1, "resign")))


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(FINISHED)
    return path


def test_verify_tells_what_holds(finished: Path, run: Run) -> None:
    status, out, err = run("verify", str(finished))
    assert (status, err) == (0, "")
    assert out.startswith("Valid, but a game on one computer: no other player has signed it. stone won by\n")
    assert "It does not prove\n- when the game was played" in out
    assert "each signed by its seat" not in out
    assert "each signed by its seat" in " ".join(run("verify", "--details", str(finished))[1].split())


def test_the_name_of_a_file_sends_nothing_to_the_terminal(tmp_path: Path, run: Run) -> None:
    """It comes with the file, from whoever has packed it."""
    path = tmp_path / "\x1b]0;title\x07\u202e.stonehenge"
    path.write_bytes(FINISHED)
    _, out, err = run("verify", str(path))
    assert out.replace("\n", "").isprintable()
    assert (err, "verify FILE --details" in out) == ("", True)


def test_verify_as_json(finished: Path, run: Run) -> None:
    status, out, _ = run("verify", "--json", str(finished))
    told = json.loads(out)
    assert status == 0
    assert re.fullmatch("[0-9a-f]{64}", told.pop("table"))
    assert re.fullmatch("[0-9a-f]{64}", told.pop("digest"))
    assert told.pop("result")["winners"] == [2]
    effective, signed = told.pop("events"), told.pop("signed_events")
    assert 3 <= effective <= signed
    counted = f"{effective} events with an effect among {signed}, each signed"
    assert counted in run("verify", "--details", str(finished))[1], "counted alike"
    assert told == {
        "schema": 1,
        "ok": True,
        "game": "fidchess",
        "finished": True,
        "signed_by": [1],
        "cheats": [],
        "error": None,
    }


def test_verify_of_an_unfinished_game_is_fine(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(saved_game(((1, "B2-B3"),)))
    status, out, _ = run("verify", "--json", str(path))
    told = json.loads(out)
    assert (status, told["ok"], told["finished"], told["result"]) == (0, True, False, None)


@given(st.integers(0, len(FINISHED) - 1), st.integers(1, 255))
def test_verify_refuses_any_altered_byte(tmp_path_factory: pytest.TempPathFactory, at: int, change: int) -> None:
    path = tmp_path_factory.getbasetemp() / "altered.stonehenge"
    path.write_bytes(FINISHED[:at] + bytes((FINISHED[at] ^ change,)) + FINISHED[at + 1 :])
    assert main(["verify", "--json", str(path)]) == 3


def test_verify_refuses_what_is_no_transcript(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A torn tail, or a file too large to be one."""
    path = tmp_path / "torn.stonehenge"
    path.write_bytes(FINISHED[:-1])
    status, out, _ = run("verify", str(path))
    assert status == 3
    assert out.startswith("NOT GENUINE: the file ends inside a record")
    monkeypatch.setattr("p2p_stonehenge.storage.home.SAVED_LIMIT", len(FINISHED) - 2)
    status, out, err = run("verify", str(path))
    assert (status, out) == (3, "")
    assert "too large" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_nobody_at_the_other_end_of_a_named_pipe_is_waited_for(tmp_path: Path) -> None:
    pipe, game = tmp_path / "pipe.stonehenge", tmp_path / "game.stonehenge"
    os.mkfifo(pipe)
    game.write_bytes(FINISHED)

    def runs(*words: str, said: bytes = b"") -> tuple[int, bytes]:
        command = [sys.executable, "-m", "p2p_stonehenge", *words, "--home", str(tmp_path)]
        done = subprocess.run(command, input=said, capture_output=True, timeout=60, check=False)
        return done.returncode, done.stderr

    assert runs("verify", str(pipe))[0] == 3
    status, told = runs("export", str(game), "--out", str(pipe), "--format", "txt")
    assert status == 1
    assert b"cannot be written" in told
    assert runs("verify", "/dev/stdin", said=FINISHED)[0] == 0  # a pipe with a game in it is as good as a file


def test_what_is_no_saved_game_is_not_called_a_fraud(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing of a game")
    status, out, _ = run("verify", str(path), "--details")
    assert (status, "NOT GENUINE" in out) == (3, False)
    first, _, *more = out.splitlines()
    assert first == "NO GAME TO CHECK: the charter: not a saved game of this program."
    assert not more, "nothing of it is good"
    assert "name a file that ends in .stonehenge." in " ".join(out.split())


@pytest.mark.parametrize("content", [b"", b"nothing of a game", FINISHED.replace(b"anna", b"anno", 1)])
def test_a_file_with_the_ending_of_saved_games_is_not_asked_for_its_ending(
    tmp_path: Path, run: Run, content: bytes
) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(content)
    status, out, _ = run("verify", str(path))
    told = " ".join(out.split())
    assert (status, "ends in" in told) == (3, False)
    assert "This is not a saved game that can be checked, or it was altered. Ask another player" in told


def test_verify_without_a_file(tmp_path: Path, run: Run) -> None:
    status, out, err = run("verify", str(tmp_path / "none"))
    assert (status, out, err.count("\n")) == (5, "", 1)
    status, out, err = run("verify", str(tmp_path))
    assert (status, out, err.count("\n")) == (1, "", 1)


def test_other_commands_need_no_lock_and_open_no_network(tmp_path: Path, finished: Path, run: Run) -> None:
    """While a table is played with an identity all can be read; tests without a mark open no socket."""
    home = Home.open(str(tmp_path))
    with home.lock():
        for words in (
            ("games",),
            ("rules", "fidchess"),
            ("identity",),
            ("verify", str(finished)),
            ("replay", str(finished)),
            ("solo", "fidchess", "--auto", "0", "-o", "turn_limit=20"),
        ):
            status, _, err = run(*words, "--home", str(tmp_path))
            assert (status, err) == (0, ""), words
        for words in (("host", "fidchess"), ("join",), ("resume",)):
            status, _, err = run(*words, "--home", str(tmp_path))
            assert (status, "already uses this home" in err) == (1, True), words


def test_one_of_a_thing_is_told_in_the_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = solo(home_of(tmp_path), ((1, "resign"),), 1.0)
    assert "; 1 saved game in " in doctor._home(Namespace(home=str(tmp_path))).text
    assert main(["verify", str(path), "--details"]) == 0
    told = capsys.readouterr().out
    assert "1 action of seats" in told
    assert "charter signed by 1 signer" in told
