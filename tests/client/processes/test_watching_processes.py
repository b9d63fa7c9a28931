"""Whole games that are watched, among real processes that are killed and stopped."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clubs import WORDS
from playing import AGREED, PATIENCE, Player, leave, people, run
from transports import free_port


@pytest.fixture
def trio(tmp_path: Path) -> Iterator[list[Player]]:
    """Two players who make only the moves that are typed, and somebody who watches."""
    players = people(tmp_path, 3)
    for player in players:
        player.hands = ("--plain",)
    yield players
    leave(players)


def begin(players: list[Player], *options: str) -> None:
    """Let anna and ben sit down; it is anna's turn."""
    anna, ben, _ = players
    anna.start("host", "fidchess", "--name", anna.nick, "-o", "first=1", *options)
    anna.hears("waiting for")
    ben.start("join", anna.nick, "--name", ben.nick, *(("--passphrase", WORDS) if "--passphrase" in options else ()))
    anna.hears("Your turn")


@pytest.mark.network
@pytest.mark.slow
def test_a_game_is_watched_to_its_end_though_a_player_is_killed(trio: list[Player]) -> None:
    """All that happens is told to the spectator, and what it keeps is genuine."""
    anna, ben, wim = trio
    begin(trio)
    wim.start("watch", anna.nick, "--name", wim.nick)
    wim.hears("You watch through Yellow")
    anna.type("A2-A3")
    wim.hears("Yellow moves an Oin from A2 to A3")
    anna.kill()
    wim.hears("Yellow (anna")
    wim.hears("You watch through Green")
    anna.start("resume")
    ben.hears("is back")
    ben.type("resign", "yes")
    wim.hears("Yellow wins")
    wim.end()
    anna.end()
    ben.end()
    seen, played = wim.report(), ben.report()
    assert seen["finished"]
    assert {name: seen[name] for name in AGREED} == {name: played[name] for name in AGREED}


@pytest.mark.network
@pytest.mark.slow
def test_what_a_spectator_saw_is_kept_though_its_program_is_killed_and_goes_on_when_it_watches_again(
    trio: list[Player],
) -> None:
    anna, ben, wim = trio
    begin(trio)
    wim.start("watch", anna.nick, "--name", wim.nick)
    wim.hears("You watch through Yellow")
    anna.type("A2-A3")
    wim.hears("Yellow moves an Oin from A2 to A3")
    wim.kill()
    assert wim.report()["events"] == 1
    assert "A2 to A3" in run(wim.home, "replay", "1", "--plain").stdout
    assert "as far as you watched" in run(wim.home, "saved").stdout
    wim.start("watch", anna.nick)
    wim.hears("You watch through Yellow")
    ben.type("resign", "yes")
    wim.hears("Yellow wins")
    for player in trio:
        player.end()
    seen, played = wim.report(), ben.report()
    assert {name: seen[name] for name in AGREED} == {name: played[name] for name in AGREED}


@pytest.mark.network
@pytest.mark.slow
def test_a_player_who_watches_the_own_table_has_seen_it_in_the_own_file_and_can_resume(trio: list[Player]) -> None:
    anna, ben, _ = trio
    begin(trio)
    ben.type("quit", "yes")
    ben.end()
    anna.hears("has left the table")
    anna.type("A2-A3")
    anna.hears("Yellow moves an Oin from A2 to A3")
    ben.start("watch", anna.nick)
    ben.hears("so far; Green")
    ben.type("quit")
    ben.end()
    assert ben.report()["events"] == 1
    ben.start("resume")
    ben.hears("Your turn")
    ben.type("A7-A6")
    anna.hears("Green moves an Oin from A7 to A6")
    ben.type("resign", "yes")
    anna.hears("Yellow wins")
    for player in (anna, ben):
        player.end()
    theirs, own = anna.report(), ben.report()
    assert {name: own[name] for name in AGREED} == {name: theirs[name] for name in AGREED}


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize(("sent", "says"), [("SIGINT", "You watch no longer. The table is saved in"), ("SIGHUP", "")])
def test_what_a_spectator_saw_is_kept_after_ctrl_c_and_when_the_terminal_is_closed(
    trio: list[Player], sent: str, says: str
) -> None:
    number = getattr(signal, sent)
    anna, _, wim = trio
    begin(trio)
    ours = signal.signal(number, signal.SIG_DFL)  # tests that run in the background ignore it: so would what they start
    wim.start("watch", anna.nick, "--name", wim.nick)
    signal.signal(number, ours)
    wim.hears("0 actions so far; Yellow")
    wim.hears("You watch through Yellow")
    anna.type("A2-A3")
    wim.hears("Yellow moves an Oin from A2 to A3")
    assert wim.process
    wim.process.send_signal(number)
    wim.process.wait(PATIENCE)
    wim.reader.join()
    assert says in "".join(wim.told)
    assert wim.report()["events"] == 1


@pytest.mark.network
@pytest.mark.slow
def test_a_table_with_a_passphrase_is_watched_by_those_who_know_it(trio: list[Player]) -> None:
    anna, _, wim = trio
    begin(trio, "--passphrase", WORDS)
    wrong = run(wim.home, "watch", anna.nick, "--plain", "--interface", "127.0.0.1", "--passphrase", "other stones")
    assert wrong.returncode == 4
    told = " ".join((wrong.stdout + wrong.stderr).split())
    assert told.count(f"That is not the passphrase of {anna.nick}'s table: ask {anna.nick} for it.") == 1
    assert told.count(f"ask {anna.nick}") == 1
    wim.start("watch", anna.nick, "--name", wim.nick, "--passphrase", WORDS)
    wim.hears("You watch through")
    wim.type("who", "quit")
    wim.hears("may watch: those who know the passphrase")
    wim.end()


@pytest.mark.network
@pytest.mark.slow
def test_a_table_that_nobody_may_watch_is_not_announced_and_not_shown(trio: list[Player]) -> None:
    anna, _, wim = trio
    port = str(free_port())
    anna.network = (*anna.network, "--port", port)
    begin(trio, "--watch", "nobody")
    for table in (f"127.0.0.1:{port}", anna.nick):
        refused = run(wim.home, "watch", table, "--plain", "--interface", "127.0.0.1")
        assert refused.returncode == 4
        assert "table admits no spectators" in refused.stdout + refused.stderr
    seen = run(wim.home, "peers", "--seconds", "5", "--interface", "127.0.0.1").stdout
    assert any(anna.nick in line and "no open table" in line for line in seen.splitlines())
