"""The way to a table that one may watch: announcements, answers of a player, passphrases."""

import asyncio
import stat
from pathlib import Path
from typing import Any, cast

import pytest
from clubs import ANNA, BEN, EVE, WORDS, Club, answers
from net_tables import IDENTITIES, Room
from onlookers import ALL, WATCHER, Onlooker
from start_pages import shown

from p2p_stonehenge.cli import around
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import watching
from p2p_stonehenge.lobby.finding import Found, open_tables, watched_tables
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.watching import WatchLobby, Ways
from p2p_stonehenge.net.announced import MOST, Announced, read_announced
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.pages import Words
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.storage.home import Home
from protocol import (
    Advert,
    AskNext,
    Attendance,
    Decline,
    DeclineReason,
    Form,
    Handshake,
    Identity,
    Spectator,
    Store,
    Watch,
    id_text,
    message_bytes,
    whole,
)
from protocol.file import EventRecord, records
from protocol.formation import UNWATCHED
from protocol.messages import Events
from protocol.table import spectator


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (Announced("kingamon", "1/2"), "kingamon 1/2"),
        (Announced("celtic-whist", "4/5", "", True, True), "celtic-whist 4/5 passphrase private"),
        (Announced("kingamon", "", "3f9a", True), "kingamon playing 3f9a passphrase"),
        (Announced("kingamon", "1/2", after="3f9a"), "kingamon 1/2 3f9a"),
        (Announced("celtic-whist", "4/5", "", True, True, after="3f9a"), "celtic-whist 4/5 3f9a passphrase private"),
        (Announced("celtic-whist", "4/5", "", True, True, match=999), "celtic-whist 4/5 m999 passphrase private"),
        (Announced("kingamon", "1/2", match=3, origin="3f9a"), "kingamon 1/2 o3f9a m3"),
        (Announced("kingamon", "1/2", "", True, True, origin="3f9a"), "kingamon 1/2 o3f9a passphrase private"),
    ],
)
def test_an_announcement_is_read_as_it_was_made(table: Announced, text: str) -> None:
    assert table.text == text
    assert read_announced(text) == table
    assert len(text) <= MOST


def test_an_announcement_that_would_be_too_long_names_less() -> None:
    table = Announced("kingamon", "1/2", "", True, True, match=999, origin="3f9a")
    assert table.text == "kingamon 1/2 o3f9a passphrase private"
    assert table._replace(game="celtic-whist").text == "celtic-whist 1/2 m999 passphrase private"
    assert len(table._replace(game="celtic-whist").text) == MOST


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
    assert listed in (["anna"], ["ben"]), "the table of wim awaits players"
    awaiting: Any = Seen((WATCHER, "wim", "qenqe 1/2"))
    assert [one.nick for one in watched_tables(awaiting, None)] == ["wim"], "none plays"
    assert [one.nick for one in watched_tables(network, "ben")] == ["ben"]
    assert [one.table for one in watched_tables(network, "3F9A")] == ["kingamon playing 3f9a"]
    namesakes: Any = Seen((ANNA, "anna", "kingamon playing 3f9a"), (BEN, "anna", "kingamon playing 3f9a"))
    assert len(watched_tables(namesakes, "anna")) == 1, "both sit at one table"
    assert watched_tables(network, "eve") == []
    assert [one.nick for one in open_tables(network, "anna")] == []
    assert {one.nick for one in open_tables(network, None)} == {"eve", "wim"}


def test_the_start_page_offers_to_watch_a_table_that_plays() -> None:
    table = Announced("kingamon", "", "3f9a", locked=True)
    sightings = [Sighting(one.id, nick, (), bytes(8), table.text) for one, nick in ((ANNA, "anna"), (BEN, "ben"))]
    anna, ben = (around.Present(one, one.nick, strange=False) for one in sightings)
    entry = around.watched(table, [anna, ben])
    page = StartPage({"watch": "", "join": ""}, {})
    page.know_tables([entry], ())
    (line,) = (line for line in shown(page).splitlines() if "anna, ben" in line)
    assert line.split() == ["1", "Byzantine", "Kingamon", "anna,", "ben", "playing:", "watch", "passphrase"]
    assert page.mark == "h", "Enter alone begins nothing with others unless they wait for a player"
    words = page.enter("1")
    assert isinstance(words, Words)
    assert words.words == ("watch", f"anna/{id_text(ANNA.id)[:16]}")


def test_enter_alone_takes_a_lone_open_seat_but_not_under_a_name_that_somebody_else_had() -> None:
    """On a first evening nobody has met anybody."""
    for seats, strange in (("1/2", False), ("1/2", True), ("2/2", False)):
        sighting = Sighting(ANNA.id, "anna", (), bytes(8), Announced("kingamon", seats, "").text)
        page = StartPage({"watch": "", "join": ""}, {"h": lambda: Words(("page h",))})
        tables, people = around.rows([around.Present(sighting, "anna", strange)], ())
        page.know_tables(tables, people)
        lone = seats == "1/2" and not strange
        assert page.enter("") == Words(("join", f"anna/{id_text(ANNA.id)[:16]}") if lone else ("page h",))


def test_a_table_that_plays_has_one_row_though_one_of_its_players_has_another_key() -> None:
    """Whose name somebody else had before: the row says so, and leads to the player who is known."""
    text = "kingamon playing 3f9a"
    present = [
        around.Present(Sighting(one.id, "anna", (), bytes(8), text), name, strange=strange)
        for one, name, strange in ((BEN, "eve", True), (ANNA, "anna", False))
    ]
    (row,), people = around.rows(present, ())
    assert (row.who, row.state, people) == ("eve, anna", "ANOTHER KEY", ())
    assert row.words == ("watch", f"anna/{id_text(ANNA.id)[:16]}")


class Told:
    """What a start page is told, as clients announce their tables one after the other."""

    def __init__(self) -> None:
        self.now, self.told = 0.0, list[str]()
        self.table_rows = around.TableRows(lambda: self.now)
        self.page = StartPage({"watch": "", "join": ""}, {}, clock=lambda: self.now)
        self.page.held, self.page.tell = True, self.told.append

    def sees(self, after: float = 0.0, **tables: str) -> list[str]:
        """Let these players be seen some seconds later, each with a table or none; return what is told of it."""
        self.now += after
        ids = {"anna": ANNA.id, "ben": BEN.id, "eve": EVE.id}
        seen = [Sighting(ids[nick], nick, (), bytes(8), table) for nick, table in sorted(tables.items())]
        present = [around.Present(one, one.nick, strange=False) for one in seen]
        self.page.know_tables(*around.rows(present, (), self.table_rows))
        told, self.told[:] = [*self.told], []
        return told


def test_a_table_keeps_its_number_and_one_name_from_its_first_free_seat_to_the_end_of_its_game() -> None:
    seen, plays = Told(), "fidchell playing 3f9a"
    assert seen.sees(ben="fidchell 1/3", eve="kingamon 1/2") == [
        "Open now: 1. Fidchell of ben, 1 of 3 seats.",
        "Open now: 2. Byzantine Kingamon of eve, 1 of 2 seats.",
    ]
    eve = "kingamon 1/2"
    assert seen.sees(anna=plays, ben="fidchell 2/3", eve=eve) == [], "a guest may say so before the host does"
    assert seen.sees(0.5, anna=plays, ben=plays, eve=eve) == []
    assert seen.sees(around.SETTLED, anna=plays, ben=plays) == [
        "Now: 1. Fidchell of anna, ben, playing: watch.",
        "Gone: 2. Byzantine Kingamon of eve.",
    ]
    assert seen.sees(anna=plays, ben=plays, eve=plays) == []
    assert seen.sees(60, anna=plays, ben="kingamon 1/2") == ["Open now: 3. Byzantine Kingamon of ben, 1 of 2 seats."]
    assert seen.sees(ben="kingamon 1/2") == ["Gone: 1. Fidchell of anna, ben, eve."]
    assert seen.page.enter("3") == Words(("join", f"ben/{id_text(BEN.id)[:16]}"))


def test_a_table_that_plays_already_is_told_once_all_its_players_are_seen() -> None:
    seen, plays = Told(), "fidchell playing 3f9a"
    assert seen.sees(eve=plays) == []
    assert seen.sees(1, anna=plays, eve=plays) == []
    assert seen.sees(1, anna=plays, ben=plays, eve=plays) == [
        "Open now: 1. Fidchell of anna, ben, eve, playing: watch."
    ]


@pytest.mark.parametrize(
    ("before", "now", "late"),
    [
        ("fidchell playing 3f9a", "fidchell 2/3", True),
        ("fidchell playing 3f9a", "fidchell 2/3 m5", True),
        ("fidchell playing 3f9a", "fidchell 1/3 3f9a", False),  # the next game
        ("fidchell playing 3f9a", "fidchell 1/3 o3f9a", False),
        ("fidchell playing 3f9a", "fidchell playing 7777", False),
        ("fidchell playing 3f9a", "", False),
        ("fidchell watching 3f9a", "fidchell 1/3", False),
        ("fidchell 2/3", "fidchell 1/3", False),
        ("", "fidchell 1/3", False),
    ],
)
def test_a_seat_that_was_free_before_the_game_began_is_not_believed_in_when_that_is_heard_late(
    before: str, now: str, late: bool
) -> None:
    was, one = (Sighting(ANNA.id, "anna", (), bytes(8), table) for table in (before, now))
    assert around.believed(was, one).table == (before if late else now)
    again = one._replace(instance=bytes([1] * 8))
    assert around.believed(was, again) == again, "another start of the program"
    assert around.believed(None, one) == one


def test_a_host_tells_spectators_to_wait_or_that_nobody_may_watch(club: Club) -> None:
    host = club.host(2)
    watcher = club.client(EVE)
    club.say(EVE, ANNA, Watch())
    (told,) = watcher.heard[-1:]
    assert isinstance(told, Advert)
    host.setup = host.setup._replace(watching=UNWATCHED)
    club.say(EVE, ANNA, Watch())
    assert watcher.heard[-1] == Decline(DeclineReason.PRIVATE)
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

    def dial(self, peer: bytes, addresses: tuple[str, ...], *, watched: bool) -> None:
        assert watched
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
        lobby.looking_on.receive(ANNA.id, message_bytes(message))
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
    path = home.saved(room.charter.table)
    path.write_bytes(seen[:-1] if not spoilt else seen[:-1] + b"!")
    told: list[str] = []
    network: Any = Links()

    async def main() -> Spectator:
        lobby = WatchLobby(network, home, told.append, Found(ANNA.id, "anna", ()), None, None)
        form = Form((room.charter.body.packed(), (), room.charter.nonces, room.charter.signatures), ())
        lobby.spectator.player = IDENTITIES[0].id
        lobby.looking_on.receive(lobby.spectator.player, message_bytes(form))
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


def test_who_leaves_before_all_has_come_can_watch_from_the_same_program(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    form = message_bytes(Form((room.charter.body.packed(), (), room.charter.nonces, room.charter.signatures), ()))
    home = Home.open(str(tmp_path / "again"))
    network: Any = Links()

    async def main() -> None:
        lobby = WatchLobby(network, home, lambda _: None, Found(IDENTITIES[0].id, "anna", ()), None, None)
        gathering = asyncio.ensure_future(lobby.gather())
        await asyncio.sleep(0)
        lobby.looking_on.receive(IDENTITIES[0].id, form)
        gathering.cancel()
        await asyncio.wait([gathering])

    asyncio.run(main())
    home.journal(room.charter.table, resume=True).close()


def came_so_far(room: Room, told: list[str], leaves: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let a player send the first events of a game to who wants to watch it, and then nothing; return how that ends."""
    monkeypatch.setattr(watching, "TICK_EVERY", 0.02)
    monkeypatch.setattr(watching, "TOLD_EVERY", 0.02)
    seen = b"".join(sight.data for sight in Onlooker(room).early if isinstance(sight, Store))
    some = tuple((one.raw, one.signature) for _, one in records(seen) if isinstance(one, EventRecord))
    player, charter = IDENTITIES[0].id, room.charter
    messages = (
        Form((charter.body.packed(), (), charter.nonces, charter.signatures), ()),
        Events(charter.table, some),
        Attendance(charter.table, 700, None, ()),
    )
    home, network = Home.open(str(room.folder / "again")), cast(Any, Links())

    async def main() -> str:
        found = Found(player, "anna", ())
        lobby = WatchLobby(network, home, told.append, found, None, None, leaves=leaves)
        monkeypatch.setattr(spectator, "CAUGHT_UP", 0)
        gathering = asyncio.ensure_future(lobby.gather())
        await asyncio.sleep(0)
        for message in messages:
            lobby.looking_on.receive(player, message_bytes(message))
        done, _ = await asyncio.wait([gathering], timeout=0.5)
        if done:
            return str(gathering.exception())
        gathering.cancel()
        await asyncio.wait([gathering])
        return ""

    return asyncio.run(main())


def test_who_waits_for_a_long_game_reads_how_much_of_it_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, told = Room(tmp_path, watching=ALL), list[str]()
    for _ in range(3):
        room.play()
    assert came_so_far(room, told, None, monkeypatch) == ""
    assert told == ["Of the game so far 4 of 700 actions have come."], "once, until more has come"


def test_who_waits_for_a_long_game_can_leave_by_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, told = Room(tmp_path, watching=ALL), list[str]()
    for _ in range(3):
        room.play()

    async def leaves() -> None:
        await asyncio.sleep(0.1)

    said = came_so_far(room, told, leaves, monkeypatch)
    assert said.startswith("You left before all of the game so far had come.")
    assert told == ["Of the game so far 4 of 700 actions have come. `quit` leaves."]


def test_who_plays_at_a_table_is_told_how_to_resume_it(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    form = message_bytes(Form((room.charter.body.packed(), (), room.charter.nonces, room.charter.signatures), ()))
    home = Home.open(str(tmp_path / "again"))
    home.new_secret(room.charter.table, bytes(32))
    network: Any = Links()
    network.identity = IDENTITIES[1]
    told: list[str] = []

    async def main() -> None:
        lobby = WatchLobby(network, home, told.append, Found(IDENTITIES[0].id, "anna", ()), None, None)
        lobby.looking_on.receive(IDENTITIES[0].id, form)
        lobby.journal.close()

    asyncio.run(main())
    assert told[0].startswith("That is a game of yours that has not ended: `p2p-stonehenge resume ")
    assert f"resume {room.charter.table.hex()[:4]}` goes on with it." in told[0]


QUESTION = Handshake(bytes(32), b"", b"")


def test_a_spectator_goes_only_to_places_nearby_on_a_players_word() -> None:
    """What a player says of the others leads to no server elsewhere, and to no port that needs rights."""
    network: Any = Links()
    network.handler = network
    ways = Ways(network, Found(ANNA.id, "anna", ("127.0.0.1:4000",)))

    async def main() -> None:
        ways.turn(AskNext(ANNA.id, BEN.id, ("8.8.8.8:4000", "127.0.0.1:80", "127.0.0.1:4002"), 0.0))
        await asyncio.sleep(0.01)
        network.handler = None
        ways.dial(ANNA.id)

    asyncio.run(main())
    assert network.dialled == [(ANNA.id, ()), (BEN.id, ("127.0.0.1:4002",))]


def test_a_spectator_hangs_up_a_player_who_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "TICK_EVERY", 0.01)
    monkeypatch.setattr(spectator, "REACHED_WITHIN", 0.0)
    first, second, *_ = (one.id for one in IDENTITIES)
    charter, network = Room(tmp_path, watching=ALL).charter, cast(Any, Links())

    async def main() -> None:
        found = Found(first, "anna", ())
        lobby = WatchLobby(network, Home.open(str(tmp_path)), lambda _: None, found, None, None, before=charter)
        gathering = asyncio.ensure_future(lobby.gather())
        while len(network.dialled) < 3:
            await asyncio.sleep(0.01)
        gathering.cancel()
        await asyncio.wait([gathering])

    asyncio.run(main())
    assert network.dialled[:3] == [(first, ()), (first, ()), (second, ())]


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (
            Decline(DeclineReason.PRIVATE),
            "anna's table admits no spectators: its host opened it so, or asks them for a passphrase that anna's"
            " program does not have. Ask another player of it; `p2p-stonehenge watch` lists tables that may be"
            " watched.",
        ),
        (Decline(DeclineReason.CLOSED), "anna has closed the table before the game began."),
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
    told, failed, network = asked(Decline(DeclineReason.FULL))
    assert failed == ""
    assert told == ["anna has no place for another spectator: asking the next player."]
    assert network.dialled == [(ANNA.id, ("127.0.0.1:1",)), (ANNA.id, ())]


def test_a_spectator_is_asked_for_the_passphrase() -> None:
    ask, questions = answers(WORDS)
    _, failed, network = asked(QUESTION, ask)
    assert failed == ""
    assert questions == ["The passphrase of anna's table (Enter alone leaves): "]
    assert network.sent.count(message_bytes(Watch())) >= 2, "the player puts its question again"


def test_that_a_passphrase_is_wrong_is_told_once_where_nobody_can_be_asked_for_another(tmp_path: Path) -> None:
    network: Any = Links()
    told: list[str] = []

    async def main() -> str:
        found = Found(ANNA.id, "anna", ())
        lobby = WatchLobby(network, Home.open(str(tmp_path)), told.append, found, "other stones", None)
        lobby._locked(wrong=True)
        return str(lobby._done.exception())

    assert asyncio.run(main()) == "That is not the passphrase of anna's table: ask anna for it."
    assert told == []


def test_the_passphrase_of_a_table_is_kept_as_long_as_its_secrets(tmp_path: Path) -> None:
    home, table = Home.open(str(tmp_path)), bytes(32)
    assert home.kept_passphrase(table) is None
    home.new_secret(table, bytes(32))
    home.keep_passphrase(table, "dr\u00e9i st\u00e9ng")
    assert Home.open(str(tmp_path)).kept_passphrase(table) == "dr\u00e9i st\u00e9ng"
    (kept,) = (tmp_path / "secrets").glob("*.passphrase")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    home.forget_secret(table)
    assert list((tmp_path / "secrets").iterdir()) == []
