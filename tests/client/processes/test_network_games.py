"""Whole games between real processes on loopback: found by zeroconf, played by bots, proven by their files."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import LOOPBACK, Players, free_port_pair
from playing import PATIENCE, patched

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.storage.home import Home
from protocol import id_text

pytestmark = pytest.mark.network

IMPATIENT = "from protocol.table import ending\nassert ending.RESULT_PATIENCE == 10.0\nending.RESULT_PATIENCE = 1.0\n"
"""A client that waits but a second for the last signatures."""


SHORT = ("-o", "turn_limit=30")
"""A game in which only its beginning and its end matter."""


def report(players: Players, name: str) -> dict[str, object]:
    code, out = players.run(name, "verify", "--json", str(players.saved(name)))
    assert code == 0
    return dict(json.loads(out))


@pytest.mark.parametrize("game", ["fidchess", pytest.param("kingamon", marks=pytest.mark.slow)])
def test_two_processes_find_each_other_and_end_with_the_same_proven_game(players: Players, game: str) -> None:
    anna = players.start("anna", "host", game, "--auto", "1", "--name", players.nick("anna"), *LOOPBACK)
    ben = players.start("ben", "join", players.nick("anna"), "--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    told = [player.communicate(timeout=PATIENCE)[0] for player in (anna, ben)]
    assert [anna.returncode, ben.returncode] == [0, 0], told
    first, second = report(players, "anna"), report(players, "ben")
    assert first == second
    assert first["finished"]
    assert first["signed_by"] == [1, 2]
    assert first["cheats"] == []
    assert first["game"] == game
    # The secrets of a table do not outlive it.
    assert not [file for name in ("anna", "ben") for file in (players.homes / name / "secrets").iterdir()]


def test_a_table_with_the_hosts_bot_needs_no_guest(players: Players) -> None:
    """It is said whose bot it is, and who sees its hand."""
    code, out = players.run(
        "anna", "host", "kingamon", "--bots", "1", "--auto", "0", "--name", players.nick("anna"), *LOOPBACK
    )
    assert code == 0, out
    assert f"bot Aoife is a bot of {players.nick('anna')}, whose computer sees all that it sees." in out
    assert report(players, "anna")["signed_by"] == [1, 2]


def test_who_keeps_silent_at_the_end_is_waited_for_a_while_only(players: Players) -> None:
    """The winner's computer sleeps before it has confirmed the result; the loser's record is complete."""
    words = ("host", "fidchess", "-o", "first=1", "--plain", "--name", players.nick("anna"), *LOOPBACK)
    anna = players.start("anna", *words, program=patched(IMPATIENT))
    assert anna.stdin
    assert anna.stdout
    ben = players.start("ben", "join", players.nick("anna"), "--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    while "is signed by all" not in anna.stdout.readline():
        pass
    assert ben.stdout
    while "three words" not in ben.stdout.readline():
        pass
    ben.send_signal(signal.SIGSTOP)
    told, _ = anna.communicate("resign\nyes\n", timeout=PATIENCE)
    assert anna.returncode == 0, told
    assert f"not confirmed by Green ({players.nick('ben')})" in told
    assert "your own record is complete" in told
    saved = report(players, "anna")
    assert (saved["finished"], saved["signed_by"]) == (True, [1])
    assert not list((players.homes / "anna" / "secrets").iterdir())


def test_a_resumed_game_goes_on_alone_if_the_player_says_that_no_newer_copy_is_about(players: Players) -> None:
    """Both crash and the other computer never comes back: nothing can be signed but on the player's word."""
    anna = players.start(
        "anna", "host", "fidchess", "-o", "first=1", "--name", players.nick("anna"), "--plain", *LOOPBACK
    )
    ben = players.start("ben", "join", players.nick("anna"), "--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    assert anna.stdout
    while "Type help" not in anna.stdout.readline():
        pass
    for player in (anna, ben):
        player.kill()
        player.communicate()
    again = players.start("anna", "resume", "--plain", *LOOPBACK, program=patched(IMPATIENT))
    told, _ = again.communicate("newest\nno\nnewest\nyes\nresign\nyes\n", timeout=PATIENCE)
    assert again.returncode == 0, told
    assert told.count("Is yours the newest? [y/N]") == 2
    assert told.count("Yellow resigns.") == 1
    assert report(players, "anna")["signed_by"] == [1]


def test_an_id_behind_the_address_is_the_only_one_that_will_do(players: Players) -> None:
    """Another player answers there, or the id is none; with the host's own id all is well."""
    port = free_port_pair()
    words = ("host", "fidchess", *SHORT, "--auto", "0", "--name", players.nick("anna"), *LOOPBACK, "--port", str(port))
    anna = players.start("anna", *words)
    assert anna.stdout
    anna.stdout.readline()
    ids = {name: Home.open(str(players.homes / name)).identity().id for name in ("anna", "ben")}
    join = ("--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    code, out = players.run("ben", "join", f"127.0.0.1:{port}/{id_text(ids['ben'])}", *join)
    assert (code, "Another player answers at that address" in out) == (4, True), out
    code, out = players.run("ben", "join", f"127.0.0.1:{port}/{id_text(ids['anna'])[:-1]}", *join)
    assert (code, "not a peer's id" in out) == (2, True), out
    code, out = players.run("ben", "join", f"127.0.0.1:{port}/{id_text(ids['anna'])}", *join)
    anna.communicate(timeout=PATIENCE)
    assert (code, anna.returncode) == (0, 0), out


def test_an_address_typed_by_hand_leads_to_the_table(players: Players) -> None:
    port = free_port_pair()
    anna = players.start(
        *("anna", "host", "fidchess", *SHORT, "--auto", "0", "--name", players.nick("anna"), *LOOPBACK),
        *("--port", str(port), "--turn-time", "90"),
    )
    assert anna.stdout
    anna.stdout.readline()
    code, out = players.run("ben", "join", f"127.0.0.1:{port}", "--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    anna.communicate(timeout=PATIENCE)
    assert (code, anna.returncode) == (0, 0), out
    assert f"It is {players.nick('anna')}" in out
    # The limit is shown with the offer, and again with what was signed.
    assert "options: turn_limit 30; time: 1 min 30 s for each turn" in out
    assert "Time: 1 min 30 s for each turn; when it is up, a connected client resigns: its player has lost." in out
    assert report(players, "anna") == report(players, "ben")


def test_only_friends_get_a_seat_where_a_passphrase_is_asked_for(players: Players) -> None:
    port = free_port_pair()
    words = (
        "--auto",
        "0",
        "--name",
        players.nick("anna"),
        *LOOPBACK,
        "--port",
        str(port),
        "--passphrase",
        "old stones",
    )
    anna = players.start("anna", "host", "fidchess", *SHORT, *words)
    assert anna.stdout
    assert "other users of this computer can read" in anna.stdout.readline()
    anna.stdout.readline()
    join = ("join", f"127.0.0.1:{port}", "--auto", "0", "--name", players.nick("ben"), *LOOPBACK)
    code, out = players.run("eve", *join)
    assert (code, "takes a passphrase: join at a terminal, or add --passphrase" in out) == (4, True)
    code, out = players.run("eve", *join, "--passphrase", "new stones")
    assert (code, "is not the passphrase" in out) == (4, True)
    assert "Traceback" not in out
    code, out = players.run("ben", *join, "--passphrase", "old  stones")
    told, _ = anna.communicate(timeout=PATIENCE)
    assert (code, anna.returncode) == (0, 0), out
    assert set(re.findall(r"(\S+) sits down:", told)) == {players.nick("ben")}, told
    assert report(players, "anna") == report(players, "ben")


def test_peers_sees_an_open_table_and_stays_unseen(players: Players) -> None:
    words = ("--auto", "0", "--name", players.nick("anna"), "--passphrase", "old stones", *LOOPBACK)
    anna = players.start("anna", "host", "kingamon", *words)
    assert anna.stdout
    while "waiting for" not in anna.stdout.readline():
        pass
    code, out = players.run("ben", "peers", "--json", *LOOPBACK)
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == 1
    tables = [(peer["nick"], peer["table"]) for peer in found["peers"]]
    assert (players.nick("anna"), "kingamon 1/2 passphrase") in tables
    # Whoever looked is not there afterwards: the host still waits alone.
    assert anna.poll() is None


def test_a_third_player_is_told_that_the_table_is_full(players: Players) -> None:
    port = free_port_pair()
    anna = players.start("anna", "host", "kingamon", "--name", players.nick("anna"), *LOOPBACK, "--port", str(port))
    assert anna.stdout
    anna.stdout.readline()
    ben = players.start("ben", "join", f"127.0.0.1:{port}", "--name", players.nick("ben"), *LOOPBACK)
    assert ben.stdout
    while "is signed by all" not in ben.stdout.readline():
        pass
    code, out = players.run("eve", "join", f"127.0.0.1:{port}", "--name", players.nick("eve"), *LOOPBACK)
    assert code == 4
    assert "begun its game" in out or "is full" in out


def test_two_programs_with_one_identity_are_refused(players: Players) -> None:
    anna = players.start("anna", "host", "kingamon", "--name", players.nick("anna"), *LOOPBACK)
    assert anna.stdout
    anna.stdout.readline()
    code, out = players.run("anna", "host", "kingamon", *LOOPBACK)
    assert code == 1
    assert "--home DIR" in out


def test_a_port_in_use_is_named(players: Players) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out = players.run("anna", "host", "kingamon", *LOOPBACK, "--port", str(port))
    assert code == 4
    assert f"{port}" in out
    assert "--port" in out


@pytest.mark.parametrize(
    ("words", "expected", "hint"),
    [
        (["host", "chess"], 5, "fidchess"),
        (["host", "kingamon", "-o", "cube=maybe"], 2, "true"),
        (["host", "kingamon", "-o", "dice=3"], 2, "options are"),
        (["host", "kingamon", "-o", "captured_king=bar"], 2, "quick"),
        (["host", "kingamon", "--players", "3"], 2, "2 players"),
        (["host", "kingamon", "--bots", "2"], 2, "0-1"),
        (["host", "kingamon", "--passphrase", " "], 2, "1 to 200"),
        (["join", "--passphrase", "x" * 201], 2, "1 to 200"),
        (["host", "kingamon", "--turn-time", "9"], 2, "10 to 86400"),
        (["host", "kingamon", "--turn-time", "86401"], 2, "10 to 86400"),
        (["host", "kingamon", "--watch", "friends"], 2, "none of nobody, passphrase, all"),
        (["host", "kingamon", "--watch", "passphrase"], 2, "add --passphrase, or choose --watch all"),
        (["host", "kingamon", "--delay", "1001"], 2, "a delay has 0 to 1000 actions"),
        (["host", "kingamon", "--watch", "nobody", "--delay", "3"], 2, "leave one out"),
        (["host", "kingamon", "--auto", "9"], 2, "0 (random)"),
        (["solo", "kingamon", "--level", "x"], 2, "0 (random)"),
        (["host", "kingamon", "--interface", "192.0.2.1"], 4, "--interface"),
        (["join", "127.0.0.1:1", *LOOPBACK], 4, "1"),
        (["join", "999.1.1.1", *LOOPBACK], 4, "no computer called 999.1.1.1"),
        (["join", "127.0.0.1", *LOOPBACK, "--port", "99999"], 2, "port"),
        (["join", "there:port", *LOOPBACK], 2, "HOST:PORT"),
    ],
)
def test_bad_input_is_answered_with_one_line_and_the_documented_status(
    words: list[str], expected: int, hint: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main([*words, "--home", str(tmp_path)])
    except SystemExit as ended:  # as argparse does
        code = ended.code
    out = "".join(capfd.readouterr())
    assert code == expected, out
    assert hint in out
    assert len(out.strip().splitlines()) <= 2


def test_ctrl_c_ends_a_waiting_host(players: Players) -> None:
    # Tests that run in the background of a shell ignore it, and so would what they start.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    anna = players.start("anna", "host", "kingamon", *LOOPBACK)
    signal.signal(signal.SIGINT, ours)
    assert anna.stdout
    anna.stdout.readline()
    anna.send_signal(signal.SIGINT)
    out, _ = anna.communicate(timeout=PATIENCE)
    assert anna.returncode == 130
    assert "Traceback" not in out


def test_a_full_disk_ends_the_game_in_one_line(players: Players) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full to write to")
    script = (
        "import os, sys\n"
        "from p2p_stonehenge.storage import home\n"
        "opened = home.Home.journal\n"
        "def journal(self, table, resume=False):\n"
        "    made = opened(self, table, resume)\n"
        "    os.dup2(os.open('/dev/full', os.O_WRONLY), made._file)\n"
        "    return made\n"
        "home.Home.journal = journal\n"
        "from p2p_stonehenge.__main__ import main\n"
        "sys.exit(main())\n"
    )
    words = ["host", "kingamon", "--bots", "1", "--auto", "0", "--name", players.nick("anna"), *LOOPBACK]
    command = [sys.executable, "-c", script, *words, "--home", str(players.homes / "anna")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_game_ends_when_nobody_reads_it_any_more(players: Players) -> None:
    anna = players.start("anna", "solo", "celtic-whist", "--auto", "0")
    assert anna.stdout
    anna.stdout.readline()
    anna.stdout.close()
    assert anna.wait(PATIENCE) == 1
