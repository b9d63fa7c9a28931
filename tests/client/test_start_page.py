"""The start page: what stands there and what a line means; lists and texts that are read like it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from friends import over
from looking_back import played_together
from saved_games import ANNA, BEN, CLEO, among_friends, home_of, keep
from start_pages import DAI, EVE, GAMES, SIZES, opened, shown, wizard

from engine import all_games
from p2p_stonehenge.cli import letters
from p2p_stonehenge.cli import start as program
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.cli.start import _Start
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.shelf import Saved, Shelf
from p2p_stonehenge.net import discovery
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.pages import BACK, HELP, LEAVE, Item, ListPage, NotUnderstoodError, Page, TextPage, Words
from p2p_stonehenge.screen.start_page import BEGIN, GONE_FOR, Entry, join_page
from p2p_stonehenge.screen.turning import Pages
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.program import command_here, started_with
from p2p_stonehenge.text.style import cells
from protocol import first_record, id_bytes


def test_it_shows_what_to_go_on_with_what_is_open_and_what_can_be_begun() -> None:
    text = shown(opened(None, DAI, EVE))
    assert " >  1  Byzantine Kingamon  anna (here)              yesterday 19:40  your turn" in text
    assert "    4  Fidchess            eve                      1 of 2 seats     passphrase" in text
    assert "you are gwen" in text
    assert all(f"  {begin.letter}  {begin.text}" in text for begin in BEGIN)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_fits_every_window_and_keeps_the_marked_row_in_sight(width: int, height: int) -> None:
    games = [GAMES[1]._replace(key=str(number), words=("resume", str(number))) for number in range(30)]
    page = opened(games, DAI, EVE)
    for _ in range(40):
        lines = page.render(width, height - 3)
        assert len(lines) <= height - 3
        assert all(cells(text_of(line)) <= width for line in lines)
        assert any(style == "class:ask" for line in lines for style, _ in line), page.mark
        page.move(1)


def test_enter_takes_the_game_whose_people_are_here_else_the_only_open_table_else_hosts() -> None:
    assert opened(None, DAI).enter("") == Words(("resume", "7f3a"))
    friend = DAI._replace(likely=True)
    assert opened(GAMES[1:], friend).enter("") == Words(("join", "dai"))
    assert opened(GAMES[1:], friend, EVE).enter("") == Words(("page h",))
    assert opened(GAMES[1:], DAI).enter("") == Words(("page h",)), "a stranger's table is not chosen by Enter alone"
    assert "Enter: Byzantine Kingamon" in opened().status()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("2", ("resume", "8888")),
        ("3", ("join", "dai")),
        ("h", ("page h",)),
        ("ho", ("page h",)),
        ("alone", ("page a",)),
        ("solo", ("page a",)),
        ("doc", ("page d",)),
        ("host qenqe --players 3", ("host", "qenqe", "--players", "3")),
        ("HOST qenqe", ("host", "qenqe")),
        ("alone fidchess", ("solo", "fidchess")),
        ("join dai", ("join", "dai")),
        ("p2p-stonehenge join dai", ("join", "dai")),
        ("python3 scripts/play.py join dai", ("join", "dai")),
        (r"py .\scripts\play.py Join dai", ("join", "dai")),
        ("python3 -m p2p_stonehenge 3", ("join", "dai")),
        ("verify 1", ("verify", "1")),
        ("q", ()),
        ("leave", ()),
        ("lea", ("page l",)),
    ],
)
def test_a_number_a_letter_and_words_are_understood(typed: str, words: tuple[str, ...]) -> None:
    assert opened(None, DAI).enter(typed) == Words(words)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("9", "no row 9"),
        ("zzz", "zzz is no command"),
        ("Celtic-Whist", "celtic-whist is a game: `host celtic-whist` plays with friends, `solo celtic-whist` alone"),
        ("9" * 99, "no row 999"),
        ("p2p-stonehenge", "the start page already"),
        ("python3 x", "python3 is no command"),
    ],
)
def test_what_means_nothing_is_answered_with_what_does(typed: str, says: str) -> None:
    with pytest.raises(NotUnderstoodError, match=says):
        opened().enter(typed)


def test_the_words_of_a_row_mean_that_row_where_they_fit_one_alone() -> None:
    bots = [
        Entry(str(n), "Fidchess", f"bot {name}", "", "", ("resume", name)) for n, name in enumerate(("Finn", "Una"))
    ]
    page = opened([*GAMES, *bots], DAI, EVE)
    assert page.enter("Fidchess Qenqe") == Words(DAI.words)
    assert page.enter("fidchess bot una") == Words(bots[1].words)
    assert page.enter("Byzantine Kingamon anna (here)") == Words(GAMES[0].words)
    with pytest.raises(NotUnderstoodError, match="Several rows fit that: type the number, 3, 4"):
        page.enter("fidchess bot")
    with pytest.raises(NotUnderstoodError, match="fidchess is a game: `host fidchess` plays"):
        page.enter("fidchess zoe")


def test_a_row_takes_the_room_that_its_columns_leave() -> None:
    many = Entry("9", "Celtic Whist", "ben (here), cleo (busy), dai", "today 19:40", "ben's turn", ("resume", "9"))
    assert "Celtic Whist  ben (here), cleo (busy), dai" in shown(opened([many]))
    long = Entry(b"eve", "x" * 200, "eve", "y" * 200, "z" * 200, ("join", "eve"))
    for width, height in SIZES:
        assert all(cells(text_of(line)) <= width for line in opened([many], long).render(width, height))
    assert "~ eve  " in shown(opened([many], long), 72)


def test_all_who_are_seen_are_counted_and_nobody_is_said_to_be_missing_whom_a_row_shows() -> None:
    page = opened()
    page.looking, page.here = 13.0, 2
    page.know_tables([], ())
    assert "others here: 2" in page.status()
    assert "nobody found" not in shown(page)
    assert "nobody but the players of your games above, and no other table yet" in shown(page)


def test_a_command_is_understood_as_it_was_told_with_the_home_before_it() -> None:
    with started_with("/tmp/a home", None):
        assert opened().enter(f"{command_here()} join dai") == Words(("join", "dai"))


@pytest.mark.parametrize("typed", ["help", "?"])
def test_help_tells_what_can_be_typed_and_lists_the_commands(typed: str) -> None:
    page = opened().enter(typed)
    assert isinstance(page, TextPage)
    told = page.told()
    assert told[0].startswith("Up and Down choose a row, Enter takes it.")
    assert all(f"  {name:<12}does that" in told for name in COMMANDS)


def test_a_misspelt_word_in_a_menu_is_answered_with_the_word_that_was_meant() -> None:
    game = ListPage("WHICH?", [Item("1", "Kingamon", lambda: BACK, ("kingamon",))], "game")
    settings = ConfigPage({"name": "anna", "palette": "auto"}, lambda _name, value: value)
    pages = ((opened(), "hsot", "host"), (game, "kingmon", "kingamon"), (settings, "palete", "palette"))
    for page, typed, meant in (*pages, (wizard(), "plyaers", "players")):
        with pytest.raises(NotUnderstoodError, match=rf"did you mean {meant}\?"):
            page.enter(typed)


def test_join_leads_to_the_only_open_table_and_asks_which_of_several() -> None:
    start = opened(None, DAI)
    assert join_page(start) == Words(("join", "dai"))
    start.know_tables([DAI, EVE], ())
    page = join_page(start)
    assert isinstance(page, ListPage)
    assert "1  Fidchess Qenqe with dai" in shown(page)
    assert page.enter("2") == Words(EVE.words)
    assert page.enter("da") == Words(DAI.words)
    assert page.enter("192.168.1.20:41730") == Words(("join", "192.168.1.20:41730"))
    assert page.enter("p2p-stonehenge join finn") == page.enter("join finn") == Words(("join", "finn"))
    with pytest.raises(NotUnderstoodError, match="no such row"):
        page.enter("7")
    page.move(1)
    page.held = True  # something is typed
    start.know_tables([EVE], ())
    assert "1  Fidchess Qenqe with dai" in shown(page)
    with pytest.raises(NotUnderstoodError, match="Fidchess Qenqe of dai is gone"):
        page.enter("1")
    page.held = False
    assert "dai" not in shown(page)
    assert ">  1  Fidchess with eve" in shown(page), "rows begin at 1, and the mark stays on its table"


def test_where_no_table_is_open_join_says_so_and_shows_the_one_that_opens() -> None:
    start = opened()
    page = join_page(start)
    assert isinstance(page, ListPage)
    assert "No table is open here yet" in shown(page)
    assert "No table is open here yet" in page.told()[0]
    with pytest.raises(NotUnderstoodError, match="Type an address"):
        page.enter("")
    assert page.enter("192.168.1.20") == Words(("join", "192.168.1.20"))
    start.know_tables([DAI], ())
    assert "with dai" in shown(page)
    assert page.enter("") == Words(("join", "dai"))


def test_the_line_at_the_bottom_names_the_key_that_leads_to_a_table_on_which_enter_does_not_stand() -> None:
    page = opened()
    assert "j:" not in page.status()
    page.know_tables([DAI._replace(likely=True)], ())
    assert page.enter("") == Words(GAMES[0].words)
    assert page.status() == "Enter: Byzantine Kingamon   j: join dai"
    page.know_tables([DAI, EVE], ())
    assert page.status() == "Enter: Byzantine Kingamon   j: 2 open tables"
    page.move(2)
    assert page.status() == "Enter: Fidchess Qenqe"


def test_the_mark_never_moves_to_another_table_when_the_list_changes() -> None:
    """Enter is pressed for what was read: not for what has come in its place."""
    page = opened([], friend := DAI._replace(likely=True))
    assert page.mark == DAI.key
    page.know_tables([EVE._replace(likely=True)], ())
    assert page.mark == DAI.key
    with pytest.raises(NotUnderstoodError, match="is gone"):
        page.enter("")
    page.know_tables([EVE._replace(likely=True)], (DAI.who,))
    assert page.enter("") == Words(("page h",))
    page.know_tables([friend, EVE], ())
    page.move(-1)
    assert page.mark == EVE.key
    page.know_tables([friend], (EVE.who,))
    assert page.enter("") == Words(("page h",))


def test_a_table_that_has_begun_is_shown_once() -> None:
    page = opened([], DAI)
    playing = Entry("table", DAI.what, "dai, eve", "playing: watch", "", ("watch", "dai"))
    page.know_tables([playing], ())
    assert shown(page).count("dai") == 1


def test_rows_are_numbered_from_1_without_gaps_and_a_table_that_is_gone_leaves_after_a_while() -> None:
    time = [0.0]
    page = opened(None, DAI, EVE, clock=lambda: time[0])
    page.know_tables([EVE], ())
    assert "    3  Fidchess Qenqe      dai                      2 of 4 seats     gone" in shown(page)
    time[0] = GONE_FOR - 1
    page.know_tables([EVE], ())
    assert "gone" in shown(page)
    time[0] = GONE_FOR
    page.know_tables([EVE], ())
    assert "dai" not in shown(page)
    assert "    3  Fidchess            eve" in shown(page)
    assert page.enter("3") == Words(("join", "eve"))
    page.know_games(GAMES[:1])
    assert "    2  Fidchess            eve" in shown(page)
    with pytest.raises(NotUnderstoodError, match="There is no row 3"):
        page.enter("3")


def test_a_number_that_is_being_typed_means_the_row_that_was_on_the_screen() -> None:
    time = [0.0]
    page = opened(None, DAI, EVE, clock=lambda: time[0])
    page.held = True
    page.know_tables([EVE], ())
    time[0] = 10 * GONE_FOR
    page.know_tables([EVE, DAI._replace(key="other", who="finn", words=("join", "finn"))], ())
    assert "    4  Fidchess            eve" in shown(page)
    assert "    5  Fidchess Qenqe      finn" in shown(page)
    assert page.enter("4") == Words(("join", "eve"))
    with pytest.raises(NotUnderstoodError, match="dai is gone"):
        page.enter("3")
    page.held = False
    page.know_tables([EVE], ("finn",))
    assert "    3  Fidchess            eve" in shown(page)


def test_while_a_line_is_typed_no_number_is_missing_though_the_host_of_a_table_that_is_gone_is_here() -> None:
    page = opened(None, DAI, EVE)
    page.held = True
    page.know_tables([EVE], ("dai",))
    assert "    3  Fidchess Qenqe      dai                      2 of 4 seats     gone" in shown(page)
    assert page.enter("4") == Words(("join", "eve"))
    page.held = False
    page.know_tables([EVE], ("dai",))
    assert "    3  Fidchess            eve" in shown(page)


def test_a_table_that_is_gone_is_not_told_among_those_that_are_open() -> None:
    page = opened(None, DAI, EVE)
    page.held = True
    page.know_tables([EVE], ())
    head, *lines = page.told()
    assert "Open tables: 1." in head
    assert "3. Fidchess of eve, 1 of 2 seats, passphrase." in lines
    assert not any("dai" in line for line in lines)


def test_who_reads_line_by_line_may_type_the_number_that_was_told() -> None:
    page = opened(None, DAI, EVE)
    page.held = True
    told: list[str] = []
    page.tell = told.append
    page.know_tables([EVE], ())
    assert "    3  Fidchess Qenqe      dai                      2 of 4 seats     gone" in shown(page)
    assert page.enter("4") == Words(("join", "eve"))
    with pytest.raises(NotUnderstoodError, match="is gone"):
        page.enter("3")
    page.know_tables([EVE, DAI], ())
    assert page.enter("3") == Words(("join", "dai"))
    assert told == ["Gone: 3. Fidchess Qenqe of dai.", "Open now: 3. Fidchess Qenqe of dai, 2 of 4 seats."]
    page.know_tables([EVE], ("dai",))
    assert "3. Fidchess of eve, 1 of 2 seats, passphrase." in page.told()
    assert page.enter("3") == Words(("join", "eve"))


def test_a_friend_whose_table_is_gone_and_who_is_here_is_shown_once() -> None:
    page = opened(None, DAI)
    page.know_tables([], ("dai",))
    assert shown(page).count("dai") == 1
    assert "also here:  dai" in shown(page)


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
            assert await asyncio.wait_for(announced.get(), 20) == "gwen"
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


def test_a_game_to_go_on_with_is_not_shown_a_second_time_as_a_table_of_those_who_wait_there(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    own = start.shelf[0].table[:4]
    seen = ((BEN, "ben", f"fidchess playing {own}"), (CLEO, "cleo", "fidchess playing ffff"))
    start._show(home, [Sighting(one.id, nick, (), bytes(8), table) for one, nick, table in seen])
    assert [table.who for table in start.page.tables.values()] == ["cleo"]
    assert shown(start.page).count("ben (waiting)") == 1


def test_an_open_table_says_of_which_match_it_is_and_that_a_next_game_is_kept_for_its_players(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    known.meet(home, BEN.id, "ben")
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = []
    tables = ((BEN, "ben", "fidchess 1/2 ffff"), (CLEO, "cleo", "fidchess 1/2 m5 passphrase"))
    start._show(home, [Sighting(one.id, nick, (), bytes(8), table) for one, nick, table in tables])
    ben, cleo = shown(start.page).splitlines()[3:5]
    assert ben.endswith("1 of 2 seats  next game")
    assert cleo.endswith("1 of 2 seats  passphrase, match to 5")
    assert start.page.mark == "h", "ben is a friend, but nobody else can sit down there"
    assert "Fidchess of cleo, 1 of 2 seats, passphrase, match to 5." in " ".join(start.page.told())


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
    assert "leave its match" in shown(game)
    left = game.enter("leave")
    assert isinstance(left, Page)
    assert "You have left the match" in shown(left)
    assert "next game" not in shown(start.page)
    assert start.news.is_set(), "a friend's table for that game stands in another part of the page now"
    for page in (game, games.enter("1")):
        assert isinstance(page, Page)
        assert "match" not in shown(page), "neither to go on with nor to leave"
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
    ben = Sighting(id_bytes(over.others[0]), "ben", (), bytes(8), f"fidchess playing {over.table[:4]}")
    start._show(home, [ben])
    assert not start.page.tables
    assert "also here:  ben (at a game that is over: host, and ben reads how)" in shown(start.page)


def test_tables_that_flap_neither_fill_the_page_nor_the_screen_of_a_reader() -> None:
    page = opened()
    told: list[str] = []
    page.tell = told.append
    for number in range(200):
        page.know_tables([DAI._replace(key=number)] if number % 2 else [], ())
    assert len(page.tables) <= 4
    assert len(told) < 10


def test_while_nobody_is_found_it_says_what_it_tries_and_then_what_to_do() -> None:
    page = opened([])
    assert "looking for friends..." in shown(page)
    page.looking = 3.0
    assert "nobody found yet, in 3 s of looking" in shown(page)
    assert "join 192" not in shown(page)
    page.looking = 12.0
    assert "the other types:  join ADDRESS" in shown(page)
    page.trouble = "No network: connect to one."
    assert "No network: connect to one." in shown(page)
    assert page.trouble in page.told()


def test_a_saved_game_may_not_move_the_rows_that_are_read_line_by_line() -> None:
    lines = opened(None, DAI).told()
    assert lines[0] == "You are gwen. Unfinished games: 2. Open tables: 1."
    assert lines[1] == "1. Byzantine Kingamon with anna (here), yesterday 19:40, your turn."
    assert lines[3] == "3. Fidchess Qenqe of dai, 2 of 4 seats."


def test_what_came_of_the_last_command_is_told_in_full() -> None:
    page = opened()
    page.note = "There is no game 'zzz': " + ", ".join(all_games()) + ", and this is more than one line can hold"
    for width, height in SIZES[1:]:
        assert page.note in " ".join(shown(page, width, height - 3).split())
    page.enter("2")
    assert page.note == ""


# Lists and texts.


def test_a_list_is_chosen_from_by_number_or_word() -> None:
    page = ListPage(
        "WHICH?",
        [Item(str(n), word, partial(Words, (word,)), (word,)) for n, word in ((1, "oak"), (2, "ash"))],
        "tree",
    )
    assert page.enter("2") == page.enter("as") == Words(("ash",))
    page.move(5)
    assert page.enter("") == Words(("ash",))
    with pytest.raises(NotUnderstoodError):
        page.enter("elm")


def test_a_long_text_is_read_a_window_at_a_time_and_searched() -> None:
    page = TextPage("rules", "\n".join(f"line {number}" for number in range(100)))
    assert shown(page, 80, 11).splitlines() == [f"line {number}" for number in range(10)]
    assert page.enter("") is None
    assert shown(page, 80, 11).startswith("line 10\n")
    assert page.enter("/LINE 77") is None
    assert shown(page, 80, 11).startswith("line 77\n")
    with pytest.raises(NotUnderstoodError, match="is not in this text"):
        page.enter("/oak")
    assert [page.enter(""), page.enter(""), page.enter("")][-1] == BACK


PAGES: dict[str, Callable[[], Page]] = {
    "list": lambda: ListPage("WHICH?", [Item("1", "oak", lambda: BACK, ("oak",))], "tree"),
    "nothing": lambda: ListPage("WHICH?", [], "tree"),
    "join": lambda: join_of_two(),
    "text": lambda: TextPage("rules", "line\n" * 100),
    "settings": lambda: ConfigPage({"name": "anna", "palette": "auto"}, lambda _name, value: value),
    "host": lambda: wizard("host", "celtic-whist"),
    "alone": lambda: wizard("solo", "kingamon"),
}


def join_of_two() -> Page:
    page = join_page(opened([], DAI, EVE))
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("typed", ["back", "q", "Quit", "exit", "help", "?", "", "99", "zzz", "0", "-1", "2 ?", "? ?"])
def test_whatever_a_newcomer_types_on_a_page_is_answered(name: str, typed: str) -> None:
    first, page = opened(), PAGES[name]()
    pages = Pages(first)
    pages.go(page)
    pages.enter(typed)
    if typed.lower() in LEAVE:
        assert pages.top is first
    elif typed in HELP:
        assert pages.top is page
        assert "`back` or Ctrl-D goes back." in pages.answer
    elif typed in ("99", "0", "-1"):
        assert pages.answer or pages.left or name == "text", "refused with words, or an address to join"
    assert first.enter("exit") is BACK


@pytest.mark.parametrize("typed", ["/help", "HELP", "?"])
def test_help_is_found_with_a_slash_and_in_capitals(typed: str) -> None:
    assert isinstance(opened().enter(typed), TextPage)


def test_the_line_at_the_bottom_says_what_enter_does_with_what_is_typed() -> None:
    page = opened()
    assert page.status_of("a") == "Enter: alone, or two at this keyboard"
    assert page.status_of("2") == "Enter: Celtic Whist"
    assert page.status_of("solo fidchess") == "Enter: solo fidchess"
    assert page.status_of("") == page.status() == "Enter: Byzantine Kingamon"


def test_the_list_of_games_says_how_celtic_whist_is_won(tmp_path: Path) -> None:
    from p2p_stonehenge.cli import letters
    from p2p_stonehenge.storage.home import Home

    rows = shown(letters.games(Home.open(str(tmp_path)), "solo"))
    assert "Most points win when a player or the timer" in rows
