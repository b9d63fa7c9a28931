"""Those who watch: what they read and may type, the way to a table, and whole games among real processes."""

import asyncio
import signal
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clubs import ANNA, BEN, EVE, WORDS, Club, answers, club
from net_tables import IDENTITIES, NAMES, Room
from playing import AGREED, Player, leave, people, run
from test_start_page import shown
from transports import free_port

from p2p_stonehenge.cli.start import _watched
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.announced import Announced, read_announced
from p2p_stonehenge.lobby.finding import Found, open_tables, watched_tables
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.watching import WatchLobby, Ways
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.net.roster import MAX_PEERS, MAX_STRANGERS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.pages import Words
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.session import Note, Notice, Ply, RefusedError
from p2p_stonehenge.table.watching import WatchedTable
from p2p_stonehenge.text.style import Settings
from protocol import (
    CLOSED,
    EVERYBODY,
    FULL,
    PRIVATE,
    UNWATCHED,
    Advert,
    Decline,
    Events,
    Form,
    Handshake,
    Identity,
    Send,
    Sight,
    Spectator,
    Store,
    Turned,
    Watch,
    Watching,
    id_text,
    message_bytes,
    whole,
)
from protocol.events import Move, make_event
from protocol.table.gallery import PLACES

__all__ = ["club"]
ALL = Watching(EVERYBODY, 0)
WATCHER = Identity(bytes([77]) * 32)


class Onlooker:
    """Somebody who watches a room: the session, what it has told, and a console to type at."""

    def __init__(self, room: Room, through: int = 1) -> None:
        self.room, self.now = room, 0.0
        room.guests[WATCHER.id] = lambda sender, data: self._hears(IDENTITIES[sender - 1].id, data)
        self.spectator = Spectator(WATCHER.id, IDENTITIES[through - 1].id, Random(1).randbytes)
        self.table: WatchedTable | None = None
        self.told: list[Notice] = []
        self.early: list[Sight] = []
        self._carry(self.spectator.link(self.spectator.player, True))
        self.wait(2)
        assert self.spectator.caught_up
        assert self.spectator.table
        name = self.spectator.table.id.hex()
        journal = Home.open(str(room.folder / f"watcher {through}")).journal(name)
        self.table = WatchedTable(self.spectator, self.spectator.table, journal, self, self._turn)
        self.table.listen(self.told.append)
        self.console = Console(self.table, Settings(), "ascii", redraws=False)

    def send(self, peer: bytes, data: bytes) -> bool:
        seat = next(n for n, one in enumerate(IDENTITIES, 1) if one.id == peer)
        if seat not in self.room.away:
            self.room.tables[seat].receive(WATCHER.id, data)
        return True

    def _turn(self, before: bytes, turned: Turned) -> None:
        assert self.table
        self.table.link(before, up=False)
        seat = next(n for n, one in enumerate(IDENTITIES, 1) if one.id == turned.player)
        if seat not in self.room.away:
            self.table.link(turned.player, up=True)

    def _hears(self, peer: bytes, data: bytes) -> None:
        if self.table:
            self.table.receive(peer, data)
        else:
            self._carry(self.spectator.receive(peer, data, time.monotonic()))

    def _carry(self, sights: Iterable[Sight]) -> None:
        for sight in sights:
            self.early.append(sight)
            if isinstance(sight, Send):
                self.send(sight.peer, sight.data)

    def wait(self, seconds: float) -> None:
        """Let time pass for the players, who serve, and here."""
        for _ in range(round(2 * seconds)):
            self.now += 0.5
            for operator, table in self.room.tables.items():
                if operator not in self.room.away:
                    table.serve(time.monotonic() + self.now, ())
            self.room.carry()
            if self.table:
                self.table.tick(time.monotonic() + self.now)

    def type(self, line: str) -> list[str]:
        return [text_of(part).rstrip() for part in self.console.enter(line)]

    def refused(self, line: str) -> str:
        with pytest.raises(RefusedError) as caught:
            self.type(line)
        return str(caught.value)

    def notes(self) -> list[str]:
        found = [("! " if note.urgent else "- ") + note.text for note in self.told if isinstance(note, Note)]
        self.told.clear()
        return found


def onlooker(room: Room) -> Onlooker:
    """Return somebody who watches a room, and has read what there was to read."""
    one = Onlooker(room)
    one.wait(1)
    one.notes()
    return one


# At the screen


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
    for line in ("say hello", "resign", "draw", "undraw", "agree", "without ben", "newest", "again", "hint"):
        assert one.refused(line), line
    assert "after 3 of 4 actions" in "\n".join(one.type("back"))
    assert "LOOKING BACK" not in "\n".join(one.type("forth"))
    helped = "\n".join(one.type("help"))
    assert "who sits where" in helped
    assert "resign" not in helped
    assert "say TEXT" not in helped
    assert "  may watch: all" in one.type("who")
    assert room.tables[1].table.fold.position.plies == 4


def test_a_spectator_leaves_without_a_question(tmp_path: Path) -> None:
    one = Onlooker(Room(tmp_path, watching=ALL))
    assert one.type("quit") == []
    assert one.console.leaving


def test_players_read_who_may_watch_and_how_many_do(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=Watching(EVERYBODY, 3))
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
    one.table.link(IDENTITIES[0].id, up=False)
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
    event = make_event(IDENTITIES[4], table.id, 1, *place, Move("1A1"))
    forged = message_bytes(Events(event.table, ((event.raw, event.signature),)))
    assert one.table
    one.table.receive(IDENTITIES[0].id, forged)
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
    one.table.link(IDENTITIES[0].id, up=False)
    one.wait(8)
    assert one.notes() == [], "who has seen the end need not hear who leaves"
    assert one.console.status() == ["the game is over"]
    one.table.stays = True
    assert "You may go on talking" not in "".join(map(text_of, one.console.after()))


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


# The way to a table


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (Announced("kingamon", "1/2"), "kingamon 1/2"),
        (Announced("celtic-whist", "4/5", "", True, True), "celtic-whist 4/5 passphrase private"),
        (Announced("kingamon", "", "3f9a", True), "kingamon playing 3f9a passphrase"),
    ],
)
def test_an_announcement_is_read_as_it_was_made(table: Announced, text: str) -> None:
    assert table.text == text
    assert read_announced(text) == table
    assert len(text) <= 40


@pytest.mark.parametrize("text", ["", "x", "playing", "a playing", "a playing b c", "a 1/2 3/4 passphrase passphrase"])
def test_any_announcement_can_be_read(text: str) -> None:
    table = read_announced(text)
    assert (table is None) == (text == "")
    assert table is None or table.full in (True, False)


class Seen:
    """A network on which these players are seen."""

    def __init__(self, *tables: tuple[Identity, str, str]) -> None:
        self.sightings = {one.id: Sighting(one.id, nick, (), bytes(8), text) for one, nick, text in tables}


def test_a_table_that_plays_is_listed_once_and_not_among_the_open_ones() -> None:
    network: Any = Seen(
        (ANNA, "anna", "kingamon playing 3f9a"),
        (BEN, "ben", "kingamon playing 3f9a"),
        (EVE, "eve", "qenqe 1/2 private"),
        (WATCHER, "wim", "qenqe 1/2 passphrase"),
    )
    listed = [one.nick for one in watched_tables(network, None)]
    assert len(listed) == 2
    assert listed[0] in ("anna", "ben")
    assert listed[1] == "wim"
    assert [one.nick for one in watched_tables(network, "ben")] == ["ben"]
    assert [one.table for one in watched_tables(network, "3F9A")] == ["kingamon playing 3f9a"]
    assert watched_tables(network, "eve") == []
    assert [one.nick for one in open_tables(network, "anna")] == []
    assert {one.nick for one in open_tables(network, None)} == {"eve", "wim"}


def test_the_start_page_offers_to_watch_a_table_that_plays() -> None:
    table = Announced("kingamon", "", "3f9a", locked=True)
    sightings = [Sighting(one.id, nick, (), bytes(8), table.text) for one, nick in ((ANNA, "anna"), (BEN, "ben"))]
    entry = _watched(table, False, [(sightings[0], "anna"), (sightings[1], "ben")])
    page = StartPage({"watch": "", "join": ""}, {})
    page.know_tables([entry], ())
    (line,) = (line for line in shown(page).splitlines() if "anna, ben" in line)
    assert line.split() == ["1", "Byzantine", "Kingamon", "anna,", "ben", "playing:", "watch", "passphrase"]
    assert page.mark == "h", "Enter alone begins nothing with others unless they wait for a player"
    words = page.enter("1")
    assert isinstance(words, Words)
    assert words.words == ("watch", f"anna/{id_text(ANNA.id)[:16]}")


def test_a_host_tells_spectators_to_wait_or_that_nobody_may_watch(club: Club) -> None:
    host = club.host(2)
    watcher = club.client(EVE)
    club.say(EVE, ANNA, Watch())
    (told,) = watcher.heard[-1:]
    assert isinstance(told, Advert)
    host.setup = host.setup._replace(watching=UNWATCHED)
    club.say(EVE, ANNA, Watch())
    assert watcher.heard[-1] == Decline(PRIVATE)
    assert Setup(host.setup.game, {}, 2).watching == ALL


class Links:
    """The network of a spectator who looks for a table."""

    def __init__(self) -> None:
        self.identity, self.interface = WATCHER, "127.0.0.1"
        self.sightings: dict[bytes, Sighting] = {}
        self.dialled: list[tuple[bytes, tuple[str, ...]]] = []
        self.sent: list[bytes] = []
        self.transport = self
        self.handler: Any = None

    def dial(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        self.dialled.append((peer, addresses))

    def hang_up(self, peer: bytes) -> None:
        self.dialled.append((peer, ()))

    def send(self, peer: bytes, data: bytes) -> bool:
        self.sent.append(data)
        return True

    def linked(self) -> list[bytes]:
        return [ANNA.id]


def asked(message: Any, ask: Any = None, passphrase: str | None = None) -> tuple[list[str], str, Links]:
    """Let a player answer a spectator so; return what is printed, how it fails, and the network."""
    told: list[str] = []
    network: Any = Links()
    home: Any = None  # nothing is shown that could be kept

    async def main() -> str:
        lobby = WatchLobby(network, home, told.append, Found(ANNA.id, "anna", ("127.0.0.1:1",)), passphrase, ask)
        gathering = asyncio.ensure_future(lobby.gather())
        await asyncio.sleep(0)
        lobby.receive(ANNA.id, message_bytes(message))
        done, _ = await asyncio.wait([gathering], timeout=0.2)
        if not done:
            gathering.cancel()
            return ""
        with pytest.raises(Failure) as caught:
            gathering.result()
        return str(caught.value)

    return told, asyncio.run(main()), network


@pytest.mark.parametrize("spoilt", [False, True])
def test_who_watches_a_table_again_has_what_was_seen_before_and_a_damaged_file_is_put_aside(
    tmp_path: Path, spoilt: bool
) -> None:
    room = Room(tmp_path, watching=ALL)
    for _ in range(3):
        room.play()
    seen = b"".join(sight.data for sight in Onlooker(room).early if isinstance(sight, Store))
    home = Home.open(str(tmp_path / "again"))
    path = home.saved(room.charter.table.hex())
    path.write_bytes(seen[:-1] if not spoilt else seen[:-1] + b"!")
    told: list[str] = []
    network: Any = Links()

    async def main() -> Spectator:
        lobby = WatchLobby(network, home, told.append, Found(ANNA.id, "anna", ()), None, None)
        form = Form((room.charter.body.packed(), (), room.charter.nonces, room.charter.signatures), ())
        lobby.spectator.player = IDENTITIES[0].id
        lobby.receive(lobby.spectator.player, message_bytes(form))
        return lobby.spectator

    spectator = asyncio.run(main())
    assert spectator.table
    if spoilt:
        assert spectator.table.fold.position.plies == 0
        assert path.with_suffix(".damaged").read_bytes() == seen[:-1] + b"!"
        assert "is damaged" in told[0]
        assert seen.startswith(path.read_bytes())
    else:
        assert spectator.table.fold.position.plies == 3
        assert path.read_bytes() == seen[: whole(seen[:-1])]


QUESTION = Handshake(bytes(32), b"", b"")


def test_a_spectator_goes_only_to_places_nearby_on_a_players_word() -> None:
    """What a player says of the others leads to no server elsewhere, and to no port that needs rights."""
    network: Any = Links()
    network.handler = network
    ways = Ways(network, Found(ANNA.id, "anna", ("127.0.0.1:4000",)))

    async def main() -> None:
        ways.turn(ANNA.id, Turned(BEN.id, ("8.8.8.8:4000", "127.0.0.1:80", "127.0.0.1:4002"), 0.0))
        await asyncio.sleep(0.01)
        network.handler = None
        ways.dial(ANNA.id)

    asyncio.run(main())
    assert network.dialled == [(ANNA.id, ()), (BEN.id, ("127.0.0.1:4002",))]


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (
            Decline(PRIVATE),
            "anna's table admits no spectators: its host opened it so, or asks them for a passphrase that anna's"
            " program does not have. Ask another player of it; `p2p-stonehenge watch` lists tables that may be"
            " watched.",
        ),
        (Decline(CLOSED), "anna has closed the table before the game began."),
        (QUESTION, "anna's table is watched with its passphrase: add --passphrase."),
    ],
)
def test_a_spectator_reads_why_it_cannot_watch(answer: Any, failure: str) -> None:
    told, failed, network = asked(answer)
    assert failed == failure
    assert told == []
    assert message_bytes(Watch()) in network.sent


def test_a_spectator_of_a_table_that_has_not_begun_waits() -> None:
    told, failed, _ = asked(Advert("qenqe", 1, (), ("anna",), 3, 0, 0, b"", 0, ALL))
    assert failed == ""
    assert told == ["anna's table has not begun: 1 of 3 seats are taken. You watch when it does; Ctrl-C leaves."]


def test_a_spectator_for_whom_there_is_no_place_asks_again_later() -> None:
    told, failed, network = asked(Decline(FULL))
    assert failed == ""
    assert told == ["anna has no place for another spectator: asking the next player."]
    assert network.dialled == [(ANNA.id, ("127.0.0.1:1",)), (ANNA.id, ())]


def test_a_spectator_is_asked_for_the_passphrase() -> None:
    ask, questions = answers(WORDS)
    _, failed, network = asked(QUESTION, ask)
    assert failed == ""
    assert questions == ["The passphrase of anna's table: "]
    assert network.sent.count(message_bytes(Watch())) >= 2, "the player puts its question again"


def test_the_passphrase_of_a_table_is_kept_as_long_as_its_secrets(tmp_path: Path) -> None:
    home, table = Home.open(str(tmp_path)), "ab" * 32
    assert home.kept_passphrase(table) is None
    home.new_secret(table, bytes(32))
    home.keep_passphrase(table, "dr\u00e9i st\u00e9ng")
    assert Home.open(str(tmp_path)).kept_passphrase(table) == "dr\u00e9i st\u00e9ng"
    (kept,) = (tmp_path / "secrets").glob("*.passphrase")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    home.forget_secret(table)
    assert list((tmp_path / "secrets").iterdir()) == []


# Real processes


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
    wim.process.wait(60)
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
    assert "That is not the passphrase" in wrong.stdout
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
