"""The start page and the wizard: what stands there, what a line means, at a real terminal and through a pipe."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from saved_games import ANNA, BEN, CLEO, among_friends, home_of, solo

from engine import all_games
from p2p_stonehenge.cli.arguments import COMMANDS, make_parser, parse
from p2p_stonehenge.cli.start import _aim, _Start
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.pages import BACK, Item, ListPage, NotUnderstoodError, Page, TextPage, Words
from p2p_stonehenge.screen.start_page import BEGIN, Entry, StartPage, join_page
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.screen.wizard import Wizard
from p2p_stonehenge.text.style import cells

ROOT = Path(__file__).resolve().parents[2]
SIZES = [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)]
GAMES = [
    Entry("7f3a", "Byzantine Kingamon", "anna (here)", "yesterday 19:40", "your turn", ("resume", "7f3a"), likely=True),
    Entry("8888", "Celtic Whist", "anna, ben, cleo", "3 May", "ben's turn", ("resume", "8888")),
]
DAI = Entry(b"dai", "Fidchess Qenqe", "dai", "2 of 4 seats", "", ("join", "dai"))
EVE = Entry(b"eve", "Fidchess", "eve", "1 of 2 seats", "passphrase", ("join", "eve"))


def opened(games: list[Entry] | None = None, *tables: Entry) -> StartPage:
    letters = {begin.letter: lambda letter=begin.letter: Words((f"page {letter}",)) for begin in BEGIN}
    page = StartPage(dict.fromkeys(COMMANDS, "does that"), letters)
    page.nick, page.place = "gwen", "192.168.1.20:41730"
    page.know_games(GAMES if games is None else games)
    page.know_tables(list(tables), ())
    return page


def shown(page: Page, width: int = 80, height: int = 21) -> str:
    return "\n".join(text_of(line).rstrip() for line in page.render(width, height))


def test_it_shows_what_to_go_on_with_what_is_open_and_what_can_be_begun() -> None:
    text = shown(opened(None, DAI, EVE))
    assert " >  1  Byzantine Kingamon  anna (here)           yesterday 19:40  your turn" in text
    assert "    4  Fidchess            eve                   1 of 2 seats     passphrase" in text
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
        ("verify 1", ("verify", "1")),
        ("q", ()),
    ],
)
def test_a_number_a_letter_and_words_are_understood(typed: str, words: tuple[str, ...]) -> None:
    assert opened(None, DAI).enter(typed) == Words(words)


@pytest.mark.parametrize(("typed", "says"), [("9", "no row 9"), ("zzz", "zzz is no command"), ("9" * 99, "no row 999")])
def test_what_means_nothing_is_answered_with_what_does(typed: str, says: str) -> None:
    with pytest.raises(NotUnderstoodError, match=says):
        opened().enter(typed)


@pytest.mark.parametrize("typed", ["help", "?"])
def test_help_tells_what_can_be_typed_and_lists_the_commands(typed: str) -> None:
    page = opened().enter(typed)
    assert isinstance(page, TextPage)
    told = page.told()
    assert told[0].startswith("Up and Down choose a row, Enter takes it.")
    assert all(f"  {name:<12}does that" in told for name in COMMANDS)
    assert page.enter("q") is BACK


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
    assert "3  Fidchess Qenqe with dai" in shown(page)
    assert page.enter("4") == Words(EVE.words)
    assert page.enter("da") == Words(DAI.words)
    assert page.enter("192.168.1.20:41730") == Words(("join", "192.168.1.20:41730"))
    with pytest.raises(NotUnderstoodError, match="no such row"):
        page.enter("7")
    start.know_tables([EVE], ())
    assert "dai" not in shown(page)
    assert "  4  " in shown(page), "a number stays with its table"


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


def test_a_number_stays_with_its_row_while_tables_come_and_go() -> None:
    page = opened(None, DAI, EVE)
    told: list[str] = []
    page.tell = told.append
    page.know_tables([EVE], ())
    assert "    3  Fidchess Qenqe      dai                   2 of 4 seats     gone" in shown(page)
    assert page.enter("4") == Words(("join", "eve"))
    with pytest.raises(NotUnderstoodError, match="is gone"):
        page.enter("3")
    page.know_tables([EVE, DAI], ())
    assert page.enter("3") == Words(("join", "dai"))
    assert told == ["Gone: 3. Fidchess Qenqe of dai.", "Open now: 3. Fidchess Qenqe of dai, 2 of 4 seats."]


def test_a_friend_whose_table_is_gone_and_who_is_here_is_shown_once() -> None:
    page = opened(None, DAI)
    page.know_tables([], ("dai",))
    assert shown(page).count("dai") == 1
    assert "also here, at no table:  dai" in shown(page)


def test_a_friend_of_an_unfinished_game_who_is_here_is_shown_once(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    start._show(home, [Sighting(one.id, nick, (), bytes(8), "") for one, nick in ((BEN, "ben"), (CLEO, "cleo"))])
    assert "ben (here)" in shown(start.page)
    assert "also here, at no table:  cleo\n" in shown(start.page)


def test_a_game_to_go_on_with_is_not_shown_a_second_time_as_a_table_of_those_who_wait_there(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    own = start.shelf[0].table[:4]
    seen = ((BEN, "ben", f"fidchess playing {own}"), (CLEO, "cleo", "fidchess playing ffff"))
    start._show(home, [Sighting(one.id, nick, (), bytes(8), table) for one, nick, table in seen])
    assert [table.who for table in start.page.tables.values()] == ["cleo"]
    assert shown(start.page).count("ben (here)") == 1


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
    page.looking, page.asked = 3.0, 1
    assert "nobody yet: asked 1 time in 3 s" in shown(page)
    assert "join 192" not in shown(page)
    page.looking = 12.0
    assert "the other one types:  join 192.168.1.20:41730" in shown(page)
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
    page.note = "there is no game 'zzz': " + ", ".join(all_games()) + ", and this is more than one line can hold"
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
    assert page.enter("back") == BACK
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
    assert page.enter("q") == BACK


# The wizard.


def wizard(command: str = "host", key: str = "qenqe", kept: list[dict[str, str]] | None = None, **last: str) -> Wizard:
    return Wizard(
        command, all_games()[key], ("0", "1", "2", "adaptive"), last, (kept if kept is not None else []).append
    )


@pytest.mark.parametrize(
    ("command", "key", "typed", "words"),
    [
        ("host", "qenqe", [], "host qenqe"),
        ("host", "qenqe", ["players 4", "partners", "bots 2"], "host qenqe --players 4 -o partners=true --bots 2"),
        (
            "host",
            "qenqe",
            ["1 3", "2 3", "turn-time 90", "passphrase"],
            "host qenqe --players 3 -o first=3 --turn-time 90 --passphrase",
        ),
        ("host", "qenqe", ["players 4", "bots 2", "level 0"], "host qenqe --players 4 --bots 2 --level 0"),
        ("host", "qenqe", ["players 4", "bots 2", "level 0", "bots 0"], "host qenqe --players 4"),
        ("host", "fidchess", ["watch nobody"], "host fidchess --watch nobody"),
        ("host", "fidchess", ["turn-time 10+5"], "host fidchess --turn-time 10+5"),
        ("host", "fidchess", ["delay 7", "watch nobody"], "host fidchess --watch nobody"),
        (
            "host",
            "fidchess",
            ["passphrase", "watch all", "delay 5"],
            "host fidchess --passphrase --watch all --delay 5",
        ),
        ("host", "fidchess", ["passphrase", "watch all", "watch passphrase"], "host fidchess --passphrase"),
        ("host", "fidchess", ["passphrase asked", "passphrase none", "watch"], "host fidchess --watch nobody"),
        ("solo", "kingamon", ["quick yes", "captured_king=bar"], "solo kingamon -o quick=true -o captured_king=bar"),
        ("solo", "fidchess", ["against people", "first 1"], "solo fidchess --hot-seat -o first=1"),
        ("solo", "fidchess", ["level 0"], "solo fidchess --level 0"),
        ("solo", "fidchess", ["level adaptive"], "solo fidchess --level adaptive"),
        ("solo", "celtic-whist", ["players 1", "hand 15"], "solo celtic-whist --players 1 -o hand=15"),
        ("host", "fidchell", ["pieces 20", "sheet"], "host fidchell"),
        ("host", "qenqe", ["players 4", "partners", "players 3"], "host qenqe --players 3 -o partners=true"),
    ],
)
def test_a_wizard_amounts_to_a_command_line(command: str, key: str, typed: list[str], words: str) -> None:
    page = wizard(command, key)
    for line in typed:
        page.enter(line)
    assert " ".join(page.words()) == words
    make_parser(page.words()).parse_args(page.words())
    assert "the same as: " in shown(page)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("players 9", "players is 2-5"),
        ("first 9", "first is random or 1-2"),
        ("99", "rows 1 to"),
        ("oak", "no row 'oak'"),
    ],
)
def test_what_is_not_possible_says_what_is(typed: str, says: str) -> None:
    page = wizard()
    with pytest.raises(NotUnderstoodError, match=says):
        page.enter(typed)


def test_options_that_do_not_go_together_are_refused_before_a_table_is_opened() -> None:
    page = wizard("host", "kingamon")
    page.enter("captured_king bar")
    with pytest.raises(NotUnderstoodError, match="quick"):
        page.enter("")
    page.enter("quick yes")
    assert page.enter("") == Words(("host", "kingamon", "-o", "quick=true", "-o", "captured_king=bar"))


def test_it_remembers_the_last_choice_as_far_as_it_is_possible() -> None:
    kept: list[dict[str, str]] = []
    page = wizard("host", "qenqe", kept)
    for line in ("players 4", "partners yes", ""):
        page.enter(line)
    assert wizard("host", "qenqe", None, **kept[0]).words() == page.words()
    assert wizard("host", "qenqe", None, players="99", oak="1", first="x", partners="true").words()[:2] == (
        "host",
        "qenqe",
    )


@pytest.mark.parametrize("key", list(all_games()))
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_option_is_explained_in_a_line_and_fits(key: str, width: int, height: int) -> None:
    page = wizard("solo", key)
    for _ in page.settings():
        lines = page.render(width, height - 3)
        assert len(lines) <= height - 3
        assert all(cells(text_of(line)) <= width for line in lines)
        if height > 12:
            assert page.settings()[page.mark].allows in " ".join(shown(page, width, height - 3).split())
        page.move(1)
    for option in all_games()[key].options:
        if option.players is None:
            assert any(option.help in line for line in page.told())


@pytest.mark.parametrize("key", list(all_games()))
@pytest.mark.parametrize("command", ["host", "solo"])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 24), (40, 24)])
def test_no_line_of_a_wizard_is_cut_and_the_marked_row_is_explained_whole(
    command: str, key: str, width: int, height: int
) -> None:
    page = wizard(command, key)
    for number in range(len(page.settings())):
        lines = [text_of(line).rstrip() for line in page.render(width, height - 3)]
        assert not [line for line in lines if line.endswith("~")]
        marked = page.settings()[number]
        assert f"{marked.name}: {marked.help} (" in " ".join(" ".join(lines).split())
        page.move(1)


@pytest.mark.parametrize("key", [key for key, game in all_games().items() if len(game.seats) > 1])
@pytest.mark.parametrize("command", ["host", "solo"])
def test_a_row_of_the_wizard_keeps_its_number_when_others_come_and_go(command: str, key: str) -> None:
    page = wizard(command, key)
    rows = []
    for players in page.settings()[0].values:
        page.enter(f"1 {players}")
        rows.append([setting.name for setting in page.settings()])
    always = [name for name in rows[0] if all(name in names for names in rows)]
    assert all(names[: len(always)] == always for names in rows)


def test_hot_seat_leaves_every_row_where_it_is_and_asks_for_no_level() -> None:
    page = wizard("solo", "fidchess")
    before = [setting.name for setting in page.settings()]
    for line in ("level 1", "against people"):
        page.enter(line)
    assert [setting.name for setting in page.settings()] == before
    assert page.words() == ("solo", "fidchess", "--hot-seat")


@pytest.mark.parametrize("command", ["host", "solo"])
def test_at_80_by_24_the_choice_of_a_game_is_cut_nowhere(command: str, tmp_path: Path) -> None:
    page = _Start(parse(("--home", str(tmp_path))), "")._games(command)
    text = shown(page)
    assert "~" not in text
    for key in all_games():
        assert " ".join(_aim(key).split()) in " ".join(text.split())


@pytest.mark.parametrize("key", list(all_games()))
def test_where_there_is_room_each_option_is_told_in_full(key: str) -> None:
    page = wizard("host", key)
    text = " ".join(shown(page, 80, 40).split())
    assert "~" not in text
    assert all(setting.help in text for setting in page.settings())


def test_it_shows_the_board_that_it_makes() -> None:
    page = wizard("host", "fidchell")
    page.enter("sections 3")
    board = page.enter("board")
    assert isinstance(board, TextPage)
    assert "FIDCHELL" in shown(board, 80, 40)


# The program.


def piped(home: Path, *lines: str, folder: Path = ROOT) -> str:
    command = [sys.executable, "-m", "p2p_stonehenge", "--plain", "--interface", "127.0.0.1", "--home", str(home)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input="\n".join(lines) + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.network
def test_an_evening_through_a_pipe(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    lines = ("rules kingamon aim", "oak", "solo fidchess -o first=1", "a2 a3", "quit", "yes", "1", "resign", "yes")
    out = piped(tmp_path, *lines)
    assert "You win by bearing off" in out
    assert "Yellow moves an Oin from A2 to A3." in out
    assert re.search(r"1\. Fidchess with a bot, today \d\d:\d\d, (your|bot Brigid.s) turn\.", out)
    assert "You lost to bot Brigid" in out
    assert "oak is no command" in out
    assert out.count("Unfinished games: 0.") == 3
    assert home.nick() == "anna"


@pytest.mark.network
@pytest.mark.parametrize(("form", "name"), [("html", "*.html"), ("film", "*.film.svg"), ("json", "*.json")])
def test_looking_back_at_a_saved_game_offers_to_show_it_to_others(tmp_path: Path, form: str, name: str) -> None:
    solo(home_of(tmp_path / "home"), ((1, "B2-B3"), (2, "resign")), 1.7e9)
    out = piped(tmp_path / "home", "b", "1", "export", form, "q", folder=tmp_path)
    assert "3. show it to others: a web page, a film, pictures, text." in out
    (page,) = tmp_path.glob(f"stonehenge-{name}")
    assert f"written to '{page.name}'" in out
    assert "fidchess" in page.read_text("utf-8").lower()
    piped(tmp_path / "home", "b", "1", "export", form, "q", folder=tmp_path)
    assert {page.name, page.name.replace(".", "-2.", 1)} == {one.name for one in tmp_path.glob("stonehenge-*")}


@pytest.mark.network
def test_what_a_command_complains_of_stands_on_the_page(tmp_path: Path) -> None:
    out = piped(tmp_path, "solo oak", "host", "kingamon", "captured_king bar", "", "back", "back", "verify zoe", "q")
    assert "there is no game 'oak'" in out
    assert "No game is saved yet" in out or "No saved game fits 'zoe'" in out


@pytest.mark.network
def test_why_a_command_line_is_refused_stands_on_the_page_and_not_above_it(tmp_path: Path) -> None:
    told = " ".join(piped(tmp_path, "host kingamon --port 99999", "host kingamon --delay -3", "q").split())
    assert "'99999' is not a port from 1 to 65534; see p2p-stonehenge host --help" in told
    assert "'-3' is not possible: a delay has 0 to 1000 actions" in told


def test_in_a_pipe_without_plain_it_helps_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2p_stonehenge", "--home", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "doctor" in done.stderr


HEAVY = ("engine", "protocol", "zmq", "zeroconf", "nacl", "msgpack")
FIRST_PROMPT = """
import sys
from p2p_stonehenge.screen import turning

class Seen(Exception):
    pass

async def run(self):
    self._message()
    self._status()
    print(*sorted({name.partition(".")[0] for name in sys.modules}))
    return ()

turning._Window.run = run
sys.stdin.isatty = sys.stdout.isatty = lambda: True
from p2p_stonehenge.__main__ import main
sys.exit(main([]))
"""


def test_the_first_prompt_waits_for_neither_games_nor_network(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PROMPT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"TERM": "xterm", "P2P_STONEHENGE_HOME": str(tmp_path)},
    )
    loaded = set(done.stdout.split())
    assert "prompt_toolkit" in loaded
    assert not loaded & {*HEAVY}


if sys.platform != "win32":
    from real_terminal import RealTerminal

    @pytest.fixture
    def terminal(tmp_path: Path) -> Iterator[RealTerminal]:
        """Anna's start page: a game with ben and one alone are unfinished."""
        home = home_of(tmp_path)
        solo(home, ((1, "B2-B3"), (2, "B7-B6")), 1.7e9)
        among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], 1.6e9)
        command = [sys.executable, "-m", "p2p_stonehenge", "--interface", "127.0.0.1", "--home", str(tmp_path)]
        terminal = RealTerminal(command)
        yield terminal
        terminal.close()

    @pytest.mark.network
    def test_at_a_terminal_all_goes_by_arrows_numbers_and_letters(terminal: RealTerminal, tmp_path: Path) -> None:
        terminal.shows(
            "you are anna",
            ">  1  Fidchess            a bot",
            "2  Fidchess            ben",
            "ben's turn",
            "127.0.0.1:41730",
        )
        terminal.types("zzz\r")
        terminal.shows("zzz is no command")
        terminal.types("a")
        terminal.types("\r")
        terminal.shows("ALONE: which game?")
        terminal.types("fidchess\r")
        terminal.shows("SOLO FIDCHESS", "the same as:  solo fidchess")
        terminal.types("\x1b[B\x1b[B\x1b[C")  # down, down, right
        terminal.shows("the same as:  solo fidchess -o first=1")
        terminal.types("\r")
        terminal.shows("Yellow (anna)", "move>")
        terminal.types("quit\r")
        terminal.shows("[y/N]")
        terminal.types("yes\r")
        terminal.shows("Enter goes back to the start page.")
        terminal.types("\r")
        terminal.shows("GO ON WITH", "3  Fidchess            ben")
        assert json.loads((tmp_path / "last.json").read_text())["solo"]["fidchess"]["first"] == "1"
        terminal.types("b\r")
        terminal.shows("SAVED GAMES")
        terminal.types("\x04")
        terminal.shows("GO ON WITH")
        terminal.types("\x04")
        assert terminal.ends() == 0

    @pytest.mark.network
    def test_rules_are_read_page_by_page(terminal: RealTerminal) -> None:
        terminal.shows("you are anna")
        terminal.types("r\r")
        terminal.shows("RULES: of which game?")
        terminal.types("king\r")
        terminal.shows("AIM", "lines  Enter goes on")
        terminal.types("/acey\r")
        terminal.shows("cey")
        terminal.types("q\r")
        terminal.shows("RULES: of which game?")
