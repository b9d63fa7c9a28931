"""A player who was cut off comes back to a game that the others have ended, and left for another table."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from net_tables import IDENTITIES, Room
from playing import Player, run
from three_players import leave_behind, sit_down

from p2p_stonehenge.lobby import latecomers
from p2p_stonehenge.lobby.latecomers import Latecomers
from p2p_stonehenge.storage.home import Home
from protocol import Chat, Identity, Join, Leave, LeaveReason, Watch, message_bytes, read_message, table_named
from protocol.events import Head
from protocol.file import records
from protocol.messages import Events, Have

ANNA, BEN, CARA, _, EMMA = IDENTITIES
NOTHING = (Head(0, b""),) * 3
"""How much a client holds that has the charter alone."""


def ends_without(cara: Player, anna: Player, ben: Player) -> None:
    """Let the two who stayed go on without the third, and end the game."""
    leave_behind(cara, anna, ben)
    anna.type("1B7", "resign", "yes")
    ben.type("2B7")
    anna.end()
    ben.end()


def check(cara: Player, played: Path) -> None:
    """The one who was gone has read what became of the game, and has a whole file of it."""
    told = run(cara.home, "verify", str(played), "--details")
    assert told.returncode == 0, told.stdout
    assert f"The others went on without {cara.nick}: everybody who stayed signed that." in " ".join(told.stdout.split())
    assert "won by resignation" in told.stdout


def begin(trio: list[Player]) -> None:
    anna, ben, _ = trio
    sit_down(trio, "fidchell", "-o", "first=1")
    anna.type("1A7")
    ben.type("2A7")
    for player in trio:
        player.hears("Green places a piece on 2A7.")


@pytest.mark.network
@pytest.mark.slow
def test_who_was_frozen_learns_the_end_from_a_player_who_opens_another_table(trio: list[Player]) -> None:
    anna, ben, cara = trio
    begin(trio)
    assert cara.process
    os.kill(cara.process.pid, signal.SIGSTOP)
    try:
        ends_without(cara, anna, ben)
        played = cara.file
        anna.start("host", "fidchell", "--name", anna.nick, "--players", "2")
        anna.hears("waiting for")
    finally:
        os.kill(cara.process.pid, signal.SIGCONT)
    assert f"{cara.nick} is at a game that is over" in anna.hears("has its end now")
    cara.hears("The others go on without you")
    told = cara.end()
    assert told.index("Red resigns.") < told.index(f"You were left behind. {ben.nick} won by resignation.")
    assert "You lost" not in told
    assert "you may watch on" not in told
    check(cara, played)


@pytest.mark.network
@pytest.mark.slow
def test_who_was_killed_learns_the_end_from_players_in_the_middle_of_another_game(trio: list[Player]) -> None:
    anna, ben, cara = trio
    begin(trio)
    assert cara.kill()
    played = cara.file
    ends_without(cara, anna, ben)
    sit_down([anna, ben], "fidchess", "-o", "first=1")
    anna.type("a2 a3")
    ben.hears("Yellow moves")
    cara.start("resume")
    cara.one_hears((anna, ben), "has its end now")  # the player that the client of cara reached first
    cara.hears("The others go on without you")
    cara.end()
    check(cara, played)
    ben.type("a7 a6")
    anna.hears("Green moves")


# What one client answers


class Asked:
    """The client of seat 1, which is at another table now, and what it answers about the game of a room."""

    def __init__(self, room: Room) -> None:
        self.room, self.sent, self.told = room, list[tuple[bytes, Any]](), list[str]()
        self.stands: Callable[[], bool] = lambda: False
        """Whether what was told last still stands."""
        home = Home.open(str(room.folder / "1"))
        (home.path / "identity.key").write_bytes(bytes([21]) * 32)
        self.network = SimpleNamespace(
            table=bytes(32),
            again=b"",
            identity=ANNA,
            handler=SimpleNamespace(trouble=self._trouble),
            transport=SimpleNamespace(send=lambda peer, data: self.sent.append((peer, read_message(data)))),
        )
        self.latecomers = Latecomers(self.network, home)  # type: ignore[arg-type]

    def _trouble(self, _: bytes | None, text: str, stands: Callable[[], bool]) -> None:
        self.told.append(text)
        self.stands = stands

    def asks(self, *peers: Identity, heads: tuple[Head, ...] = NOTHING) -> None:
        """Let peers ask that hold so much of the game; each is answered before the next one asks."""
        asyncio.run(self._ask(peers, message_bytes(Have(self.room.charter.table, heads))))

    async def _ask(self, peers: Sequence[Identity], data: bytes) -> None:
        for peer in peers:
            assert self.latecomers.receive(peer.id, data)
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    def events(self) -> int:
        return sum(len(message.events) for _, message in self.sent if isinstance(message, Events))


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A game that two of three have ended."""
    monkeypatch.setattr(latecomers, "READ_EVERY", 0.0)
    room = Room(tmp_path)
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    room.journals[1].close()  # as a client does that leaves a table
    return room


def held(room: Room) -> tuple[Head, ...]:
    return room.tables[1].table.held.heads


def test_players_are_sent_the_end_until_they_hold_it(ended: Room) -> None:
    asked = Asked(ended)
    asked.asks(CARA)
    assert {peer for peer, _ in asked.sent} == {CARA.id}
    assert asked.events() == sum(head.length for head in held(ended)) > 0
    assert not asked.told
    asked.asks(CARA, CARA, heads=held(ended))
    assert [message for _, message in asked.sent if isinstance(message, Leave)] == [
        Leave(ended.charter.table, LeaveReason.QUIT)
    ]
    assert asked.told == ["cara is at a game that is over, Fidchell, and has its end now."]


def test_a_player_whose_program_starts_again_is_told_again_who_has_left(ended: Room) -> None:
    asked = Asked(ended)
    asked.asks(CARA, heads=held(ended))
    asked.latecomers.link(CARA.id, up=False)
    asked.asks(CARA, heads=held(ended))
    assert sum(isinstance(message, Leave) for _, message in asked.sent) == 2
    assert {*asked.told} == {"cara is still at the table of a game that is over, Fidchell."}, "cara had the end before"


def test_who_comes_back_to_a_game_after_which_this_player_waits_for_another_one_learns_that(ended: Room) -> None:
    """Nobody else answers about that game any more: its players sit in the lobby of the next one."""
    asked = Asked(ended)
    asked.network.table, asked.network.again = b"", ended.charter.table
    asked.asks(CARA)
    assert asked.events() > 0
    asked.asks(CARA, CARA, heads=held(ended))
    assert [message for _, message in asked.sent if isinstance(message, Leave | Join)] == [Join()]
    assert not asked.told


def test_who_has_no_seat_is_sent_nothing(ended: Room) -> None:
    asked = Asked(ended)
    asked.asks(EMMA, CARA, EMMA)
    assert {peer for peer, _ in asked.sent} == {CARA.id}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.timeout(10)
@pytest.mark.parametrize("known", [False, True], ids=["at first", "later"])
def test_a_named_pipe_in_the_place_of_a_file_holds_nobody_up(ended: Room, known: bool) -> None:
    asked = Asked(ended)
    path = ended.tables[1].path
    if known:
        asked.latecomers._charter_of(path)
    path.unlink()
    os.mkfifo(path)
    asked.asks(CARA)
    assert asked.sent == []


@pytest.mark.parametrize("harm", ["unfinished", "torn", "altered", "of another player"])
def test_other_files_are_not_served(ended: Room, tmp_path: Path, harm: str) -> None:
    asked = Asked(ended)
    path = ended.tables[1].path
    data = path.read_bytes()
    if harm == "unfinished":
        data = data[: [end for end, _ in records(data)][1]]
    path.write_bytes({"torn": data[:-1], "altered": data[:-1] + bytes([data[-1] ^ 1])}.get(harm, data))
    if harm == "of another player":
        (tmp_path / "1" / "identity.key").write_bytes(bytes(32))
    asked.asks(CARA)
    assert not asked.sent


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What whole files are read for."""
    found = list[object]()
    real: Any = Latecomers._open

    def counted(self: Latecomers, *table: object) -> Any:
        found.append(table)
        return real(self, *table)

    monkeypatch.setattr(Latecomers, "_open", counted)
    return found


def test_a_file_without_an_end_is_read_again_only_when_it_has_changed(ended: Room, read: list[object]) -> None:
    """Whoever asks, and however often: to read it takes the time in which another game is played."""
    asked = Asked(ended)
    path = ended.tables[1].path
    data = path.read_bytes()
    path.write_bytes(data[: [end for end, _ in records(data)][1]])
    asked.asks(EMMA)
    assert not read, "of no player of that table"
    asked.asks(CARA, CARA, BEN, CARA)
    assert len(read) == 1
    assert not asked.sent
    path.write_bytes(data)
    asked.asks(CARA)
    assert len(read) == 2
    assert asked.events()


@pytest.mark.parametrize("at", ["no table", "a lesser id", "a greater id", "a lesser id, over"])
def test_two_who_sit_at_different_games_of_theirs_are_told_who_goes_to_the_other(ended: Room, at: str) -> None:
    """Each has gone on with another game: both would wait for each other."""
    asked = Asked(ended)
    table, path = ended.charter.table, ended.tables[1].path
    path.write_bytes(path.read_bytes()[: [end for end, _ in records(path.read_bytes())][1]])
    asked.latecomers._home.new_secret(table.hex(), b"secret")
    own = {"no table": b"", "a greater id": bytes([255]) * 32}.get(at, bytes(32))
    asked.network.table = own
    if own and "over" not in at:
        asked.latecomers._home.new_secret(own.hex(), b"secret")
    asked.asks(CARA, CARA)
    assert asked.stands()
    if own:
        asked.latecomers.receive(CARA.id, message_bytes(Have(own, NOTHING)))
        assert not asked.stands(), "cara has come here"
    asked.latecomers.link(CARA.id, up=False)
    assert not asked.stands()
    asked.asks(CARA)
    here = "cara reads how to come here."
    there = f"Leave here, then `p2p-stonehenge resume {table.hex()[:4]}` leads there."
    then = here if at == "a lesser id" else there
    assert asked.told == [f"cara is at another game of yours, Fidchell. {then}"]
    asked.asks(BEN)
    assert asked.told[1:] == [f"ben is at another game of yours, Fidchell. {then.replace('cara', 'ben')}"]


def test_a_game_that_cannot_be_gone_on_with_here_is_none_to_meet_at(ended: Room) -> None:
    asked = Asked(ended)
    path = ended.tables[1].path
    path.write_bytes(path.read_bytes()[:-1])
    asked.asks(CARA)
    assert not asked.told


def test_what_is_read_for_a_peer_is_charged_to_that_peer(
    ended: Room, read: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A peer that asks for the ends of many games, each read anew, waits; the others are answered meanwhile."""
    monkeypatch.setattr(latecomers, "AT_ONCE", 0.0)
    asked = Asked(ended)
    asked.asks(CARA)
    asked.latecomers.close()  # as when four other games were asked for meanwhile
    asked.sent.clear()
    asked.asks(CARA, CARA, BEN)
    assert len(read) == 1 + 1
    assert {peer for peer, _ in asked.sent} == {BEN.id}


def test_a_table_whose_id_begins_like_that_of_a_saved_game_is_not_looked_for(ended: Room, read: list[object]) -> None:
    asked = Asked(ended)
    table = ended.charter.table[:8] + bytes(24)
    asyncio.run(asked._ask([CARA], message_bytes(Have(table, NOTHING))))
    assert not read
    assert not asked.sent


def test_what_is_about_the_present_table_or_about_none_is_left_to_that_table(ended: Room) -> None:
    asked = Asked(ended)
    table = ended.charter.table
    unknown = message_bytes(Have(bytes([1]) * 32, NOTHING))
    others = [message_bytes(one) for one in (Join(), Chat(table, "hello"), Watch(table))]
    assert not any(asked.latecomers.receive(CARA.id, data) for data in [*others, unknown])
    asked.network.table = table
    assert not asked.latecomers.receive(CARA.id, message_bytes(Have(table, NOTHING)))


def test_the_table_is_named_without_reading_the_rest() -> None:
    table = bytes(range(32))
    for message in (Have(table, NOTHING), Have(table, (), ((1, 2),), b"a", b"b", (1,)), Events(table, ())):
        assert table_named(message_bytes(message)) == table
    for other in (Chat(table, "hello"), Watch(table), Leave(table, LeaveReason.QUIT), Join()):
        assert table_named(message_bytes(other)) == b""
    for length in range(len(message_bytes(Events(table, ()))) - 1):
        assert table_named(message_bytes(Events(table, ()))[:length]) == b"", "cut within the id"
    assert table_named(b"") == b""
