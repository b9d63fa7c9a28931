"""A game without an end that has gone on, or was decided, at another table comes to no second end unasked."""

import time
from pathlib import Path

import pytest
from forming import agree
from friends import ANNA, BEFORE, home_at, over
from net_tables import IDENTITIES, NAMES, Room

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import host, resume
from p2p_stonehenge.cli.around import going_on
from p2p_stonehenge.lobby.facts import DECIDED, GONE_ON, Saved
from p2p_stonehenge.lobby.naming import unfinished
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import FIRST_GAME, Body, Formation, Series, charter_record, origin_of


def under_way(folder: Path, series: Series) -> tuple[Room, Home]:
    """A game of three in which a move was made, at anna's; and her home, which can go on with it."""
    room = Room(folder / "room", "fidchell", NAMES[:3], series=series)
    turn = room.tables[1].turn
    room.tables[turn].play(turn, room.tables[turn].game.legal(room.tables[turn].state, turn)[0])
    room.carry()
    home = home_at(room.folder / "1", ANNA)
    home.new_secret(room.charter.table, bytes(32))
    for journal in room.journals.values():
        journal.close()
    return room, home


def put(home: Home, body: Body) -> bytes:
    """Put a game that has just begun among the saved ones; return the id of its table."""
    charter = agree([Formation(body, {n: IDENTITIES[n - 1]}, b"s%d" % n) for n in (1, 2, 3)])
    home.new_secret(charter.table, bytes(32))
    home.saved(charter.table).write_bytes(charter_record(charter))
    return charter.table


def decided(home: Home, folder: Path, series: Series) -> None:
    """Put another game of the three that is over among anna's saved games, at the same place of their match."""
    room = Room(folder / "ended", "fidchell", NAMES[:3], turn_time=60, series=series)
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    for journal in room.journals.values():
        journal.close()
    home.saved(room.charter.table).write_bytes(room.tables[1].path.read_bytes())


def shelf(home: Home) -> list[Saved]:
    return list(Shelf(home).games())


@pytest.mark.parametrize("series", [FIRST_GAME, Series(5), BEFORE], ids=["alone", "first of a match", "of a match"])
def test_a_game_that_another_table_has_gone_on_from_is_told_so_and_stands_last(tmp_path: Path, series: Series) -> None:
    room, home = under_way(tmp_path, series)
    (before,) = shelf(home)
    assert not before.elsewhere
    body = room.charter.body._replace(attempt=b"another attempt.", origin=origin_of(room.tables[1].table))
    new = put(home, body)
    there, here = shelf(home)
    assert [there.table, here.table] == [new, room.charter.table]
    assert (there.elsewhere, here.elsewhere) == ("", GONE_ON)
    assert here.told(time.time()).endswith(", goes on at another table")
    assert unfinished([here, there]) == [there]
    assert unfinished([here]) == [here]
    everybody = {one.id: Sighting(one.id, "", (), bytes(8), "") for one in IDENTITIES[1:3]}
    assert [going_on(one, everybody).likely for one in (there, here)] == [True, False]
    assert going_on(here, everybody).state == GONE_ON


def test_a_game_of_a_match_that_was_decided_at_another_table_is_told_so(tmp_path: Path) -> None:
    _, home = under_way(tmp_path, BEFORE)
    decided(home, tmp_path, BEFORE)
    one = next(one for one in shelf(home) if one.unfinished)
    assert one.elsewhere == DECIDED


@pytest.mark.parametrize("line", ["no", "yes"])
def test_whoever_resumes_a_game_that_was_decided_at_another_table_is_asked(
    tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def answer(question: str, _: bool) -> str:
        asked.append(question)
        return line

    asked: list[str] = []
    room, home = under_way(tmp_path, BEFORE)
    decided(home, tmp_path, BEFORE)
    monkeypatch.setattr(resume, "ask", answer)
    monkeypatch.setattr(resume, "can_ask", lambda: True)
    monkeypatch.setattr(resume, "_open", lambda *_: pytest.fail("opened") if line == "no" else 1 / 0)
    words = ["resume", room.charter.table.hex()[:8], "--home", str(home.path), "--interface", "127.0.0.1"]
    if line == "yes":
        with pytest.raises(ZeroDivisionError):
            main(words)
    else:
        assert main(words) == 2
    assert asked == ["Play on at the older table all the same? [y/N]: "]
    told = " ".join(capsys.readouterr().out.split())
    assert "That game of the match is over by another of your saved games: Fidchell with ben, cara, " in told


@pytest.mark.parametrize("what", ["decided", "gone on"])
def test_a_bot_does_not_resume_such_a_game(tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    room, home = under_way(tmp_path, BEFORE)
    if what == "decided":
        decided(home, tmp_path, BEFORE)
        says = "That game of the match is over by another of your saved games: "
    else:
        put(home, room.charter.body._replace(attempt=b"another attempt.", origin=origin_of(room.tables[1].table)))
        says = "One of your saved games has gone on from that table: "
    words = ["resume", room.charter.table.hex()[:8], "--auto", "0", "--interface", "127.0.0.1"]
    assert main([*words, "--home", str(home.path)]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert says in told
    assert told.endswith("saved` lists both.")


def test_a_match_goes_on_from_one_of_two_ends_of_a_game_only(tmp_path: Path) -> None:
    """Once its next game is there, the other end of the game before is none to go on from."""
    room = over(tmp_path)
    home = home_at(room.folder / "1", ANNA)
    decided(home, tmp_path, BEFORE)
    assert [one.between for one in shelf(home)] == [True, True]
    score = Series(BEFORE.match, BEFORE.games + 1, room.charter.table, (1, 1, 1))
    put(home, room.charter.body._replace(attempt=b"another attempt.", series=score))
    assert [one.between for one in shelf(home)] == [False, False, False]


@pytest.mark.parametrize("what", ["decided", "gone on"])
def test_a_host_who_goes_on_with_such_a_game_of_a_match_is_asked(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    room, home = under_way(tmp_path, BEFORE)
    host._check_newest(home, room.tables[1].table, asks=False)
    if what == "decided":
        decided(home, tmp_path, BEFORE)
    else:
        put(home, room.charter.body._replace(attempt=b"another attempt.", origin=origin_of(room.tables[1].table)))
    words = ["host", "--from", str(room.tables[1].path), "--auto", "0", "--interface", "127.0.0.1"]
    assert main([*words, "--home", str(home.path)]) == 2
    assert "tells how the match goes on." in " ".join(capsys.readouterr().err.split())
