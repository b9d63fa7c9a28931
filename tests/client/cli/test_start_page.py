"""The start page: what stands there and what a line means."""

import re

import pytest
from start_pages import DAI, EVE, GAMES, SIZES, opened, shown, wizard

from engine import all_games
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.cli.completing import offered
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.join_page import join_page
from p2p_stonehenge.screen.pages import BACK, Item, ListPage, NotUnderstoodError, TextPage, Words
from p2p_stonehenge.screen.start_page import GONE_FOR, JUST_MOVED, StartPage
from p2p_stonehenge.screen.start_rows import BEGIN, Entry
from p2p_stonehenge.screen.turning import Pages
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.text.program import command_here, started_with
from p2p_stonehenge.text.widths import cells


def test_it_shows_what_to_go_on_with_what_is_open_and_what_can_be_begun() -> None:
    text = shown(opened(None, DAI, EVE))
    assert " >  1  Byzantine Kingamon  anna (here)              yesterday 19:40  your turn" in text
    assert "    4  Fidchess            eve                         1 of 2 seats  passphrase" in text
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


@pytest.mark.parametrize("width", range(30, 100))
def test_its_title_is_never_cut(width: int) -> None:
    title = shown(opened(), width).splitlines()[0]
    assert title.startswith(" STONEHENGE")
    assert title.endswith("you are gwen")
    assert "~" not in title
    assert ("five games for friends on one network" in title) == (width >= 65)


def test_enter_takes_the_game_whose_people_are_here_else_the_only_open_table_else_hosts() -> None:
    assert opened(None, DAI).enter("") == Words(("resume", "7f3a"))
    friend = DAI._replace(likely=True)
    assert opened(GAMES[1:], friend).enter("") == Words(("join", "dai"))
    assert opened(GAMES[1:], friend, EVE).enter("") == Words(("join", "dai")), "eve's table is for others"
    several = opened(GAMES[1:], friend, EVE._replace(likely=True))
    assert several.enter("") == Words(("page j",)), "which asks for one of the tables"
    several.know_tables([], ())
    assert several.enter("") == Words(("page h",))
    assert opened(GAMES[1:], DAI).enter("") == Words(("page h",)), "a table for others is not chosen by Enter alone"
    assert "Enter: Byzantine Kingamon" in opened().status()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("2", ("resume", "8888")),
        ("3", ("join", "dai")),
        ("h", ("page h",)),
        ("ho", ("page h",)),
        ("alone", ("page a",)),
        ("settings", ("page o",)),
        ("look", ("page b",)),
        ("solo", ("page a",)),
        ("doc", ("page d",)),
        ("host qenqe --players 3", ("host", "qenqe", "--players", "3")),
        ("HOST qenqe", ("host", "qenqe")),
        ("alone fidchess", ("solo", "fidchess")),
        ("join dai", ("join", "dai")),
        ("name Ben", ("config", "name", "Ben")),
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


def test_what_is_told_of_a_table_takes_no_room_of_the_people_of_a_game() -> None:
    left = Entry("9", "Fidchess Qenqe", "anna, ben (all here)", "today 19:40", "left behind", ("resume", "9"))
    match = GAMES[0]._replace(who="anna (at the table)", when="today 14:18", score="match 2-0")
    table = EVE._replace(state="passphrase, match to 7")
    text = shown(opened([left, match], table))
    assert "Fidchess Qenqe      anna, ben (all here)  " in text
    assert "Byzantine Kingamon  anna (at the ta~, match 2-0 today" in text
    assert "passphrase, match to 7" in text
    moved = left._replace(state="goes on at another table")
    assert "anna, ben (all here)  today 19:40  goes on at another" in shown(opened([moved]))


@pytest.mark.parametrize("width", [72, 80, 120])
def test_the_score_of_a_match_is_read_beside_a_long_name(width: int) -> None:
    """Two matches with one friend may differ by it alone."""
    rows = [
        GAMES[0]._replace(
            key=points, who="Maximiliane-Charlotte (at the table)", state="next game", score=f"match {points}"
        )
        for points in ("1-0", "0-2")
    ]
    page = opened(rows)
    for points in ("1-0", "0-2"):
        assert f", match {points} " in shown(page, width)
    assert "1. Byzantine Kingamon with Maximiliane-Charlotte (at the table), match 1-0, yesterday" in " ".join(
        page.told()
    )


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
    assert shown(page).startswith("Up and Down choose a row, Enter takes it.")
    assert told[0].startswith("Type what stands before a row")
    assert all(f"{name}: does that." in told for name in COMMANDS)
    rows = shown(page, 80, 60).splitlines()
    assert all(f"  {name:<12}does that" in rows for name in COMMANDS)


def test_help_keeps_what_each_command_does_in_one_column_and_says_first_what_b_is_for() -> None:
    page = StartPage({name: command.summary for name, command in COMMANDS.items()}, {}).enter("help")
    assert isinstance(page, TextPage)
    rows = shown(page, 80, 60).splitlines()
    assert any(line.startswith("`b` looks back at saved games") for line in rows)
    commands = [line for line in rows if line.startswith("  ")]
    assert {line[2:14].strip() for line in commands} <= {*COMMANDS, ""}
    assert len(commands) > len(COMMANDS), "some are too long for a row"


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
    assert "3  Fidchess Qenqe of dai" in shown(page), "with the number of the start page"
    assert page.enter("4") == Words(EVE.words)
    assert page.enter("da") == Words(DAI.words)
    assert page.enter("192.168.1.20:41730") == Words(("join", "192.168.1.20:41730"))
    assert page.enter("p2p-stonehenge join finn") == page.enter("join finn") == Words(("join", "finn"))
    for other in ("7", "1", "01", "2", "0"):  # the start page has rows 1 and 2: games to go on with
        with pytest.raises(NotUnderstoodError, match=f"There is no row {other} here"):
            page.enter(other)
    assert page.enter("04") == Words(EVE.words)
    page.move(1)
    page.held = True  # something is typed
    start.know_tables([EVE], ())
    assert "3  Fidchess Qenqe of dai" in shown(page)
    with pytest.raises(NotUnderstoodError, match="Fidchess Qenqe of dai is gone"):
        page.enter("3")
    page.held = False
    assert "dai" not in shown(page)
    start.know_tables([EVE], ("dai",))
    assert ">  3  Fidchess of eve" in shown(page), "the mark stays on its table"


@pytest.mark.parametrize("typed", ["join A", "join a", "join an", "join Anna/ab"])
def test_tab_completes_a_name_with_a_capital_letter(typed: str) -> None:
    page = opened()
    page.offered = lambda _command, _words: {"Anna/abcd": "Fidchess", "ben": "Qenqe"}
    assert page.choices(typed) == [("join Anna/abcd", "Fidchess")]


@pytest.mark.parametrize(
    ("command", "words", "has", "lacks"),
    [
        ("host", ["celtic", "whist", ""], {"--players", "-o"}, {"kingamon"}),
        ("host", ["celtic", "whist", "-o", ""], {"cooperative="}, {"--players"}),
        ("rules", ["celtic", "whist", ""], {"aim"}, {"kingamon"}),
        ("host", [""], {"kingamon"}, {"--players"}),
    ],
)
def test_tab_knows_a_game_by_its_title(command: str, words: list[str], has: set[str], lacks: set[str]) -> None:
    known = {*offered(command, words, {}, {})}
    assert has <= known
    assert not lacks & known


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
    assert "of dai" in shown(page)
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


def test_enter_pressed_as_a_table_comes_first_says_that_it_has_come() -> None:
    time = [0.0]
    page = opened([], clock=lambda: time[0])
    assert "> h" in " ".join(shown(page).split())
    page.know_tables([DAI._replace(likely=True)], ())
    time[0] = JUST_MOVED / 2
    with pytest.raises(
        NotUnderstoodError, match=r"^Just come: Fidchess Qenqe with dai, 2 of 4 seats\. Enter once more"
    ):
        page.enter("")
    assert page.enter("") == Words(("join", "dai"))


def test_that_a_table_has_just_come_is_not_left_standing_when_it_is_gone() -> None:
    pages = Pages(page := opened([]))
    shown(page)
    page.know_tables([DAI._replace(likely=True)], ())
    assert not pages.enter("")
    pages.look()
    assert pages.answer.startswith("Just come: Fidchess Qenqe with dai")
    page.know_tables([], ())
    pages.look()
    assert pages.answer == ""
    assert not pages.enter("no such thing")
    pages.look()
    assert pages.answer, "what else is refused stands until something is typed"


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
    page.move(1)
    assert page.mark == EVE.key
    page.know_tables([friend], (EVE.who,))
    assert page.enter("") == Words(("page h",))


@pytest.mark.parametrize("how", ["at once", "moved", "typed", "a table"])
def test_the_mark_goes_where_friends_wait_until_the_player_has_chosen_a_row(how: str) -> None:
    """After a crash the friends at the table are seen later than the games against bots are read."""
    time = [0.0]
    page = opened(clock=lambda: time[0])
    assert page.mark == GAMES[0].key
    if how == "moved":
        page.move(1)
        page.move(-1)
    if how == "typed":
        with pytest.raises(NotUnderstoodError):
            page.enter("no such thing")
    there = GAMES[1]._replace(who="anna (at the table)", awaited=True)
    if how == "a table":
        page.know_tables([there := DAI._replace(likely=True, awaited=True)], ())
    else:
        page.know_games([GAMES[0], there])
    stays = how in ("moved", "typed")
    assert page.mark == (GAMES[0] if stays else there).key
    with pytest.raises(NotUnderstoodError, match=r"^Friends wait at 2\." if stays else r"^Just come: "):
        page.enter("")
    assert page.enter("") == Words((GAMES[0] if stays else there).words)


@pytest.mark.parametrize("how", ["marked before", "marked after"])
def test_enter_says_first_that_friends_have_come_to_another_game_than_the_marked_one(how: str) -> None:
    page = opened()
    page.move(1)
    page.move(-1)
    there = GAMES[1]._replace(who="anna (at the table), ben, cleo", awaited=True)
    page.know_games([GAMES[0], there])
    if how == "marked after":
        page.move(1)
        page.move(-1)
    else:
        told = r"^Friends wait at 2\. Celtic Whist with anna \(at the table\), .* Enter once more takes Byzantine"
        with pytest.raises(NotUnderstoodError, match=told):
            page.enter("")
    assert page.enter("") == Words(GAMES[0].words)
    assert opened([GAMES[0], there]).enter("2") == Words(there.words)
    assert opened([GAMES[0]._replace(awaited=True), there]).enter("") == Words(GAMES[0].words)


def test_a_table_that_has_begun_is_shown_once() -> None:
    page = opened([], DAI)
    playing = Entry("table", DAI.what, "dai, eve", "playing: watch", "", ("watch", "dai"))
    page.know_tables([playing], ())
    assert shown(page).count("dai") == 1


def test_rows_are_numbered_from_1_without_gaps_and_a_table_that_is_gone_leaves_after_a_while() -> None:
    time = [0.0]
    page = opened(None, DAI, EVE, clock=lambda: time[0])
    page.know_tables([EVE], ())
    assert re.search(r"    3  Fidchess Qenqe      dai +2 of 4 seats  gone", shown(page))
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


def test_tables_stand_in_one_order_whichever_was_found_first() -> None:
    """Friends who sit beside each other speak of numbers."""
    plays = Entry("table", "Fidchell", "anna, ben", "playing: watch", "", ("watch", "anna"))
    first, second = opened([], EVE, plays), opened([], DAI)
    first.know_tables([EVE, DAI, plays], ())
    second.know_tables([plays, DAI, EVE], ())
    assert shown(first) == shown(second)
    assert [first.enter(number) for number in "123"] == [Words(one.words) for one in (DAI, EVE, plays)]


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
    assert re.search(r"    3  Fidchess Qenqe      dai +2 of 4 seats  gone", shown(page))
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
    assert re.search(r"    3  Fidchess Qenqe      dai +2 of 4 seats  gone", shown(page))
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
