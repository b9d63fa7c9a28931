"""Those who watch, at the screen: what they read and may type, and what players read of them."""

import asyncio
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from net_tables import IDENTITIES, NAMES, Room, play_and_sign_another
from onlookers import ALL, WATCHER, Onlooker, onlooker

from p2p_stonehenge.cli import watch
from p2p_stonehenge.net.roster import MAX_PEERS, MAX_STRANGERS
from p2p_stonehenge.screen.at_the_end import after
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.session import Notice, Ply
from p2p_stonehenge.table.watching import WatchedTable
from protocol import Watchers, Watching, message_bytes
from protocol.events import EventKind, bodies, make_event
from protocol.messages import Events
from protocol.table.gallery import PLACES


def test_a_spectator_reads_each_move_and_through_whom_it_comes(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    room.play()
    one = Onlooker(room)
    assert one.table
    assert len(one.table.plies) == len(room.tables[1].plies)
    for _ in range(3):
        room.play()
    one.wait(1)
    assert [ply for ply in one.told if isinstance(ply, Ply)] == room.tables[1].plies[-3:]
    assert one.notes() == ["- You watch through Red (anna)."]
    assert one.console.status()[1] == "through anna"
    assert one.table.waiting() == room.tables[1].waiting()
    assert one.console.prompt() == "watch> "


def test_a_spectator_reads_two_names_of_usual_length_whole_in_the_bottom_line(tmp_path: Path) -> None:
    names = ("annabelle-marie", "benjamin-lucian-iv", "caroline-amelie")
    room = Room(tmp_path, names=names, watching=ALL)
    turn = room.tables[1].turn
    one = Onlooker(room, through=turn % 3 + 1)
    one.wait(1)
    line = "  ".join(one.console.status())
    assert line == f"{room.tables[1].label(turn)} to move  through {names[turn % 3]}"
    assert all(name in line for name in (names[turn - 1], names[turn % 3]))
    assert len(f" {line}  F1 help  Tab moves ") <= 80


def test_a_spectator_may_look_and_do_nothing_else(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = Onlooker(room)
    for _ in range(3):
        room.play()
    one.wait(1)
    looking = "You are watching: you may look, not play."
    assert one.refused("1A7") == one.refused("moves 1A7") == looking
    for line in ("say hello", "resign", "draw", "draw off", "agree", "without ben", "newest", "again", "hint"):
        assert one.refused(line), line
    assert "after 3 of 4 actions" in "\n".join(one.type("back"))
    assert "LOOKING BACK" not in "\n".join(one.type("forth"))
    helped = "\n".join(one.type("help"))
    assert "who sits where" in helped
    assert "resign" not in helped
    assert helped.endswith("  quit             leave the table"), "nothing is asked"
    assert "say [TEXT]" not in helped
    assert "  may watch: all" in one.type("who")
    assert room.tables[1].table.fold.position.plies == 4


def test_a_spectator_leaves_without_a_question(tmp_path: Path) -> None:
    one = Onlooker(Room(tmp_path, watching=ALL))
    assert one.type("quit") == []
    assert one.console.leaving


def test_players_read_who_may_watch_and_how_many_do(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=Watching(Watchers.EVERYBODY, 3))
    assert "  may watch: all, 3 actions behind the players" in room.type(1, "who")
    one = Onlooker(room)
    assert "  may watch: all, 3 actions behind the players; 1 now through you" in room.type(1, "who")
    assert "  may watch: all, 3 actions behind the players" in room.type(2, "who")
    assert room.kept == {(1, WATCHER.id)}
    for _ in range(5):
        room.play()
    one.wait(1)
    assert one.table
    assert len(one.table.plies) == len(room.tables[1].plies) - 3 > 0
    assert "3 actions behind" in one.console.status()[1]
    assert "  may watch: nobody" in Room(tmp_path / "other").type(1, "who")


def test_a_spectator_is_told_when_it_goes_on_through_another_player(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    room.leave(1)
    assert one.table
    one.table.looking_on.link(IDENTITIES[0].id, up=False)
    assert one.notes() == ["- Red (anna) is not reached any more: asking the other players."]
    one.wait(8)
    away = "- Red (anna) does not answer Green (ben)."
    assert one.notes() == ["- You watch through Green (ben).", away]


def test_a_spectator_is_told_of_a_player_who_sends_what_was_never_signed(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = Onlooker(room)
    room.play()
    table = room.tables[1].table
    place = table.held.heads, table.fold.position.slot, table.fold.position.digest
    event = make_event(IDENTITIES[4], table.id, 1, *place, bodies.Move("1A1"))
    forged = message_bytes(Events(event.table, ((event.raw, event.signature),)))
    assert one.table
    one.table.looking_on.receive(IDENTITIES[0].id, forged)
    blame = "! Red (anna) sent an event that seat 1 did not sign; it was dropped: asking the next player."
    assert blame in one.notes()
    one.wait(2)
    assert one.notes() == ["- You watch through Green (ben)."]
    assert one.table.plies == room.tables[1].plies


def test_a_spectator_sees_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    one = Onlooker(room)
    room.agree_to(1, "resign")
    assert room.tables[1].result
    one.wait(1)
    assert one.table
    assert one.table.result == room.tables[1].result
    one.notes()
    one.table.looking_on.link(IDENTITIES[0].id, up=False)
    one.wait(8)
    assert one.notes() == [], "who has seen the end need not hear who leaves"
    assert one.console.status() == ["the game is over"]
    one.table.stays = True
    assert "You may go on talking" not in "".join(map(text_of, after(one.console.session, redraws=False)))


def test_a_spectator_is_told_that_a_game_goes_on_which_two_versions_of_an_event_had_ended(tmp_path: Path) -> None:
    """As the player is through whom the spectator sees it: cara's answers reach neither until later."""
    room = Room(tmp_path, watching=ALL)
    while room.tables[1].turn != 1:
        room.play()
    show = play_and_sign_another(room)
    room.play()
    room.withheld = {3: (EventKind.MOVE,)}
    room.play()
    one = Onlooker(room, through=2)
    show()
    one.wait(1)
    assert one.table
    assert one.table.outcome == "Nobody has won: anna signed two versions of an event."
    one.notes()
    room.withheld = {}
    room.reconnect(3, 2)
    room.pass_time(2)
    one.wait(1)
    assert one.table.result is None
    assert one.notes() == ["! The game goes on: all others had played on after what was signed twice."]


def test_what_comes_before_the_screen_listens_is_told_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler of the lobby takes it in until then; a note that the table told would be lost."""
    room = Room(tmp_path, watching=ALL)
    one = Onlooker(room)
    assert one.table
    network = SimpleNamespace(identity=WATCHER, transport=one, handler="the lobby", announce=quiet)
    lobby = SimpleNamespace(journal=one.table.looking_on.journal, ways=SimpleNamespace(turn=one._turn))
    told: list[Notice] = []

    async def at_table(_args: object, table: WatchedTable, begin: Callable[[], None], _bots: object) -> None:
        assert network.handler == "the lobby"
        one.table = None
        monkeypatch.setattr(one, "_hears", lambda peer, data: [*one.spectator.receive(peer, data, time.monotonic())])
        room.play()
        one.wait(1)
        table.listen(told.append)
        begin()
        assert network.handler is table.looking_on

    monkeypatch.setattr(watch, "at_table", at_table)
    home = Home.open(str(tmp_path / "watching"))
    asyncio.run(watch._watch(Namespace(), home, network, one.spectator, lobby))  # type: ignore[arg-type]
    assert [notice for notice in told if isinstance(notice, Ply)] == room.tables[1].plies[-1:]


async def quiet(_text: str) -> None:
    """Announce nothing."""


def test_a_player_who_leaves_keeps_nobody_who_watched(tmp_path: Path) -> None:
    """Or else they would take the room of friends at the next table."""
    room = Room(tmp_path, watching=ALL)
    one = Onlooker(room)
    room.play()
    assert room.kept == {(1, WATCHER.id)}
    room.tables[1].dismiss(time.monotonic() + 99)
    room.carry()
    assert room.kept == set()
    assert one.table
    assert one.table.plies == room.tables[1].plies


def test_those_who_watch_leave_room_for_friends() -> None:
    """With every place taken there is room for all players, those that have a seat among them twice, and strangers."""
    assert 4 + 4 + PLACES + MAX_STRANGERS <= MAX_PEERS
