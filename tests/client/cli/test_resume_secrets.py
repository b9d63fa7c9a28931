"""`resume` signs by no wrong secrets, and writes to no other table's file: an honest player would look like a cheat."""

from pathlib import Path
from typing import Any

import pytest
from forming import agree
from friends import ANNA, BEN, home_at
from net_tables import NAMES, Room

from engine import all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import resume
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.storage.home import Home
from protocol import NET, Formation, Seat, Secrets, Series, bot_identity, charter_record, make_body
from protocol.events import EventKind

SECRETS = Secrets.from_seed(b"seed1")


@pytest.fixture
def rolling(tmp_path: Path) -> tuple[Room, Home]:
    """A table where anna, whose client has just ended, has committed to a salt and has not shown it; and her home."""
    room = Room(tmp_path / "room", "kingamon", NAMES[:2], withheld={2: (EventKind.REVELATION,)})
    room.journals[1].close()
    return room, home_at(room.folder / "1", ANNA)


def flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("how", ["right", "older form", "flipped", "another table", "cut", "empty", "older, flipped"])
def test_a_table_is_resumed_with_the_secrets_by_which_it_was_played(
    rolling: tuple[Room, Home], how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    room, home = rolling
    id = room.charter.table
    kept = SECRETS.kept(id)
    changed = SECRETS._replace(chance=flipped(SECRETS.chance))
    contents = {
        "right": kept,
        "older form": SECRETS.packed(),
        "flipped": flipped(kept),
        "another table": SECRETS.kept(bytes(32)),
        "cut": kept[:-1],
        "empty": b"",
        "older, flipped": changed.packed(),
    }
    home.new_secret(id, contents[how])
    file = room.tables[1].path
    before = file.read_bytes()
    if how in ("right", "older form"):
        table, journal = resume._open(home, file, room.charter)
        journal.close()
        assert table.own.secrets == SECRETS
        return
    assert main(["resume", "--auto", "0", "--plain", "--interface", "127.0.0.1", "--home", str(home.path)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"{home.secret(id)} is damaged: " in said
    assert f"host --from {id.hex()[:4]}` opens another table that goes on from there" in said
    assert file.read_bytes() == before
    assert not home.is_open(id)


def test_a_game_without_an_end_whose_secrets_are_missing_is_not_called_ended(rolling: tuple[Room, Home]) -> None:
    room, home = rolling
    with pytest.raises(Failure, match=r"is not there, and the game has no end\. Put a copy of that file back"):
        resume._open(home, room.tables[1].path, room.charter)


def test_a_file_under_the_name_of_another_table_is_not_played_on(tmp_path: Path) -> None:
    rooms = [Room(tmp_path / str(n), "kingamon", NAMES[:2], series=Series(n)) for n in (2, 3)]
    home = home_at(tmp_path / "home", ANNA)
    for room, other in (rooms, rooms[::-1]):
        home.new_secret(room.charter.table, SECRETS.kept(room.charter.table))
        home.saved(room.charter.table).write_bytes(other.tables[1].path.read_bytes())
    path, charter = resume._find(home, "", asks=False)
    with pytest.raises(Failure, match=r"holds another table than its name says: call that file \w+\.stonehenge"):
        resume._open(home, path, charter)
    assert not home.is_open(charter.table)


@pytest.mark.parametrize("seed", [b"another", b"seed1"])
def test_a_bot_of_the_host_signs_with_the_key_of_its_seat(tmp_path: Path, seed: bytes) -> None:
    """What is signed with another key is in no other client's file, and the own file would be invalid."""
    home = home_at(tmp_path / "home", ANNA)
    bot = bot_identity(SECRETS.bots, 2)
    seats = Seat(ANNA.id, "anna", 1), Seat(bot.id, "bot Brigid", 1), Seat(BEN.id, "ben", 3)
    body = make_body(NET, all_games()["qenqe"], {}, seats, bytes(16))
    charter = agree([Formation(body, {1: ANNA, 2: bot}, b"a"), Formation(body, {3: BEN}, b"b")])
    path = home.saved(charter.table)
    path.write_bytes(charter_record(charter))
    home.new_secret(charter.table, Secrets.from_seed(seed).packed())
    if seed == b"seed1":
        table, journal = resume._open(home, path, charter)
        journal.close()
        assert [*table.own.signers] == [1, 2]
        return
    with pytest.raises(Failure, match="your bots had other keys"):
        resume._open(home, path, charter)


def test_a_player_is_told_once_that_the_secrets_are_damaged(tmp_path: Path) -> None:
    """As where an older file of the game, which says nothing of the commitments, was resumed."""
    room = Room(tmp_path / "room", "kingamon", NAMES[:2])
    own: Any = room.tables[1].table.own
    own.secrets = Secrets.from_seed(b"another")
    room.notes(1)
    while not any(owing == 1 for owing in room.tables[2].table.fold.owing() if room.tables[2].turn == 0):
        turn = room.tables[2].turn
        mover = room.tables[turn]
        mover.play(turn, mover.game.legal(mover.state, turn)[0])
        room.carry()
    room.pass_time(3)
    told = [note for note in room.notes(1) if "The secrets of this table are damaged" in note]
    assert len(told) == 1
    assert room.tables[2].table.fold.position.cheats == ()
