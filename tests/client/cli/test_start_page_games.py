"""The start page and what is saved: games and matches to go on with, the name that others see."""

import asyncio
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from friends import over
from looking_back import played_together
from saved_games import ANNA, BEN, CLEO, LOST, among_friends, home_of, keep, solo
from start_pages import DAI, shown

from p2p_stonehenge.cli import around, letters
from p2p_stonehenge.cli import start as program
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.cli.start import UNSEEN, _Start
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net import discovery
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.pages import NotUnderstoodError, Page
from p2p_stonehenge.screen.start_rows import BEGIN
from p2p_stonehenge.storage.home import Home
from protocol import first_record, id_bytes


def test_a_friend_of_an_unfinished_game_who_is_here_is_shown_once(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    start._show(home, [Sighting(one.id, nick, (), bytes(8), "") for one, nick in ((BEN, "ben"), (CLEO, "cleo"))])
    assert "ben (here)" in shown(start.page)
    assert "also here:  cleo\n" in shown(start.page)


def test_a_name_that_is_changed_on_the_page_is_announced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unheard:
        warning = ""

        def __init__(self, *_: object) -> None:
            self.nicks = announced

        async def start(self) -> None:
            """Look at no interface."""

        async def announce(self, _id: bytes, nick: str, *_: object) -> None:
            self.nicks.put_nowait(nick)

        async def close(self) -> None:
            """Nothing is open."""

    async def rename() -> None:
        start._find_out()
        try:
            assert await announced.get() == "anna"
            settings = letters.settings(start.home, start._changed)
            settings.enter("1 gwen")
            assert await asyncio.wait_for(announced.get(), 60) == "gwen"
            assert start.page.nick == "gwen"
        finally:
            for task in start.tasks:
                task.cancel()
            await asyncio.gather(*start.tasks, return_exceptions=True)

    announced: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(discovery, "Discovery", Unheard)
    monkeypatch.setattr(program, "_unheard", lambda _interface: nullcontext(40000))
    home_of(tmp_path)
    start = _Start(parse(("--home", str(tmp_path), "--interface", "127.0.0.1")), "")
    asyncio.run(rename())


def test_a_name_that_is_changed_while_the_saved_games_are_read_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, changed = _Start(parse(("--home", str(tmp_path))), ""), threading.Event()

    def read() -> tuple[str, list[Saved]]:
        assert changed.wait(20)
        return "anna", []

    async def rename() -> None:
        knowing = asyncio.create_task(start._know())
        await asyncio.sleep(0)
        letters.settings(start.home, start._changed).enter("1 gwen")
        changed.set()
        await knowing

    monkeypatch.setattr(start, "_read", read)
    asyncio.run(rename())
    assert start.page.nick == "gwen"


def test_a_game_to_go_on_with_is_not_shown_a_second_time_as_a_table_of_those_who_wait_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    monkeypatch.setattr(around, "SETTLED", 0.0)
    own = start.shelf[0].letters[:4]
    seen = ((BEN, "ben", f"fidchess playing {own}"), (CLEO, "cleo", "fidchess playing ffff"))
    start._show(home, [Sighting(one.id, nick, (), bytes(8), table) for one, nick, table in seen])
    assert [table.who for table in start.page.tables.values()] == ["cleo"]
    assert shown(start.page).count("ben (at the table)") == 1


def test_after_a_command_the_page_shows_whom_it_showed_before_until_it_must_have_seen_them_again(
    tmp_path: Path,
) -> None:
    home_of(tmp_path)
    ben, cleo = (Sighting(one.id, nick, (), bytes(8), "fidchess 1/2") for one, nick in ((BEN, "ben"), (CLEO, "cleo")))
    start = _Start(parse(("--home", str(tmp_path))), "", before={ben.id: ben, cleo.id: cleo})
    asyncio.run(start._know())
    assert {table.who for table in start.page.tables.values()} == {"ben", "cleo"}
    began = time.monotonic()
    start.seen.sighted(cleo)
    assert start.seen.now(began) == [ben, cleo]
    assert start.seen.now(began + UNSEEN + 1) == [cleo]


def test_an_open_table_says_of_which_match_it_is_and_that_a_next_game_is_kept_for_its_players(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    known.meet(home, BEN.id, "ben")
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = []
    tables = ((BEN, "ben", "fidchess 1/2 ffff"), (CLEO, "cleo", "fidchess 1/2 m5 passphrase"))
    start._show(home, [Sighting(one.id, nick, (), bytes(8), table) for one, nick, table in tables])
    ben, cleo = shown(start.page).splitlines()[3:5]
    assert ben.endswith("1 of 2 seats  kept for others")
    assert cleo.endswith("1 of 2 seats  passphrase, match to 5")
    assert start.page.mark == CLEO.id, "ben is a friend, but nobody else can sit down there"
    assert "Fidchess of cleo, 1 of 2 seats, passphrase, match to 5." in " ".join(start.page.told())


def test_the_next_game_of_players_among_whom_this_one_was_is_where_enter_leads(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    last = among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9, going=False)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    start._show(home, [Sighting(BEN.id, "ben", (), bytes(8), f"fidchess 1/2 {last.stem[:4]}")])
    (row,) = start.page.tables.values()
    assert (row.state, row.likely, row.awaited) == ("next game", True, True)
    assert start.page.mark == BEN.id


def test_an_open_table_that_goes_on_from_another_one_says_so(tmp_path: Path) -> None:
    start = _Start(parse(("--home", str(tmp_path))), "")
    home_of(tmp_path)
    start.shelf = []
    start._show(start.home, [Sighting(BEN.id, "ben", (), bytes(8), "fidchess 1/2 offff m5")])
    assert shown(start.page).splitlines()[3].endswith("1 of 2 seats  goes on, match to 5")


@pytest.mark.parametrize("own", [True, False])
def test_a_friend_who_has_opened_a_table_that_goes_on_with_a_game_is_joined_from_the_row_of_that_game(
    tmp_path: Path, own: bool
) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    table = start.shelf[0].letters[:4] if own else "ffff"
    start._show(home, [Sighting(BEN.id, "ben", (), bytes(8), f"fidchess 1/2 o{table}")])
    assert start.page.games
    row = start.page.games[0]
    told = (row.words[0], row.when == "goes on: open", row.awaited)
    assert told == (("join", True, True) if own else ("resume", False, False))
    assert len(start.page.tables) == (not own), "shown once"


def test_a_game_that_another_window_has_played_on_is_told_as_it_stands_now(tmp_path: Path) -> None:
    """It is looked at again when it is left there, not after each move."""
    home, path = home_of(tmp_path), solo(home_of(tmp_path), LOST[:1], 1.6e9)
    moved = solo(home_of(tmp_path / "other"), LOST[:2], 1.7e9)
    start = _Start(parse(("--home", str(tmp_path))), "")

    def row() -> tuple[str, ...]:
        asyncio.run(start._know_anew())
        return tuple(one.state for one in start.page.games or ())

    asyncio.run(start._know())
    assert row() == ("bot 2's turn",)
    path.write_bytes(moved.read_bytes())
    assert row() == ("your turn",)
    journal = home.journal(start.shelf[0].table, resume=True)  # type: ignore[index]
    path.write_bytes(path.read_bytes()[: len(moved.read_bytes()) - 1])
    assert row() == ("open elsewhere",)
    path.write_bytes(moved.read_bytes())
    before = start.shelf
    assert row() == ("open elsewhere",)
    assert start.shelf is before, "nothing was read"
    journal.close()
    assert row() == ("your turn",)
    among_friends(home, "fidchess", [(ANNA, "anna"), (BEN, "ben")], 1.6e9)
    assert len(row()) == 2


def test_a_match_is_left_between_two_of_its_games_and_the_game_is_kept(tmp_path: Path) -> None:
    over(tmp_path)
    home = Home.open(str(tmp_path / "room" / "1"))
    (home.path / "identity.key").write_bytes(bytes([21]) * 32)
    start = _Start(parse(("--home", str(home.path))), "")
    start.shelf = list(Shelf(home).games())
    start._show_games()
    assert "next game" in shown(start.page)
    games = letters.saved(lambda: start.shelf or (), start._leave)
    game = games.enter("1")
    assert isinstance(game, Page)
    for tells in (games, game):
        assert "lost. Match to 5, after 3 games: ben 2, cara 1, anna 0" in shown(tells, 200)
    assert "leave its match" in shown(game)
    left = game.enter("leave")
    assert isinstance(left, Page)
    assert "You have left the match" in shown(left)
    assert "next game" not in shown(start.page)
    assert start.news.is_set(), "a friend's table for that game stands in another part of the page now"
    for page in (game, games.enter("1")):
        assert isinstance(page, Page)
        assert "its match" not in shown(page), "neither to go on with nor to leave"
    (kept,) = Shelf(home).games()
    assert not kept.between
    assert kept.facts.result


def test_a_row_of_a_saved_game_takes_nothing_behind_it(tmp_path: Path) -> None:
    over(tmp_path)
    page = letters.saved(lambda: list(Shelf(Home.open(str(tmp_path / "room" / "1"))).games()), lambda _: None).enter(
        "1"
    )
    assert isinstance(page, Page)
    with pytest.raises(NotUnderstoodError, match=r"^Type `export` alone: nothing stands behind it here\.$"):
        page.enter("export x.png")


def test_a_game_is_chosen_by_a_title_of_two_words(tmp_path: Path) -> None:
    page = letters.games(Home.open(str(tmp_path)), "solo")
    assert "CELTIC WHIST" in shown(page.enter("celtic whist"))  # type: ignore[arg-type]


@pytest.mark.parametrize(("live", "way"), [((1, 2, 3), "`resign` ends it"), ((2, 3), "when the others are there")])
def test_why_the_match_of_an_unfinished_game_cannot_be_left_is_said(
    tmp_path: Path, live: tuple[int, ...], way: str
) -> None:
    over(tmp_path)
    home = Home.open(str(tmp_path / "room" / "1"))
    (home.path / "identity.key").write_bytes(bytes([21]) * 32)
    (one,) = Shelf(home).games()
    going = one._replace(facts=one.facts._replace(result=None, live=live), unfinished=True, between=False)
    page = letters.saved(lambda: [going], lambda _: None).enter("1")
    assert isinstance(page, Page)
    assert "leave its match: not before this game is over" in shown(page)
    with pytest.raises(NotUnderstoodError, match=f"between two of its games, and this one is not over. .*{way}"):
        page.enter("leave")


def test_a_player_at_a_game_that_is_over_plays_nothing_that_could_be_watched(tmp_path: Path) -> None:
    """It is where a player waits who was away when the game ended."""
    home = home_of(tmp_path)
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    home = Home.open(str(tmp_path))
    content = played_together("fidchess", 2, (), 4, ("ana", "ben"))
    keep(home, first_record(content).table.hex()[:16], content, 2e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    (over,) = start.shelf
    ben = Sighting(id_bytes(over.others[0]), "ben", (), bytes(8), f"fidchess playing {over.letters[:4]}")
    start._show(home, [ben])
    assert not start.page.tables
    assert "also here:  ben (at a game that is over: host, and ben reads how)" in shown(start.page)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("host king", ["host kingamon"]),
        ("ho king", ["ho kingamon"]),
        ("alone fidch", ["alone fidchell", "alone fidchess"]),
        ("p2p-stonehenge learn q", ["p2p-stonehenge learn qenqe"]),
        ("p2p-stonehenge doc", ["p2p-stonehenge doctor"]),
        ("rules fidchell mov", ["rules fidchell moving"]),
        ("host kingamon --wat", ["host kingamon --watch"]),
        ("host kingamon --watch no", ["host kingamon --watch nobody"]),
        ("host kingamon -o cu", ["host kingamon -o cube="]),
        ("host --match 5 king", ["host --match 5 kingamon"]),
        ("join ", ["join dai"]),
        ("watch ", ["watch anna"]),
        ("resume ", ["resume 1"]),
        ("verify ", ["verify 1", "verify 2"]),
        ("host --from ", ["host --from 1", "host --from 2"]),
        ("verify 1 --de", ["verify 1 --details"]),
        ("config pal", ["config palette"]),
        ("config palette m", ["config palette mono"]),
        ("export 1 --format js", ["export 1 --format json"]),
        ("zzz ", []),
        ("", [*{name: "" for begin in BEGIN for name in begin.names[:1]} | dict.fromkeys(COMMANDS, "")]),
    ],
)
def test_tab_offers_what_may_stand_behind_a_command(tmp_path: Path, typed: str, offered: list[str]) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(ANNA, "anna"), (BEN, "ben")], 2e9)
    (one,) = Shelf(home).games()
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = [one._replace(unfinished=True), one._replace(unfinished=False)]
    start.page.know_tables([DAI, DAI._replace(key="table", words=("watch", "anna"))], ())
    assert [choice for choice, _ in start.page.choices(typed)] == offered
