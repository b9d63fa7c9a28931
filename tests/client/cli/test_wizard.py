"""The wizard: which questions it asks about a table, what a line means there, and what it remembers."""

import json
from pathlib import Path

import pytest
from start_pages import ROOT, SIZES, shown, wizard

from engine import all_games
from p2p_stonehenge.cli.arguments import make_parser, parse
from p2p_stonehenge.cli.letters import _aim, games
from p2p_stonehenge.screen.pages import NotUnderstoodError, TextPage, Words
from p2p_stonehenge.screen.views import text_of, view_of
from p2p_stonehenge.screen.wizard import Wizard
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.widths import cells


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
        ("host", "qenqe", ["players 3", "bots 1", "level 0", "players 2"], "host qenqe"),
        ("host", "qenqe", ["players 5", "bots 3", "players 4", "players 5"], "host qenqe --players 5"),
        ("host", "fidchess", ["watch nobody"], "host fidchess --watch nobody"),
        ("host", "fidchess", ["turn-time 10+5"], "host fidchess --turn-time 10+5"),
        ("host", "fidchess", ["turn-time 090"], "host fidchess --turn-time 90"),
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
        ("host", "fidchell", ["pieces 20", "reset"], "host fidchell"),
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
        ("turn-time 5", "turn-time is none, 10-86400 seconds"),
        ("10 5", "turn-time is none, 10-86400 seconds"),
        ("turn-time " + "9" * 5000, "turn-time is none, 10-86400 seconds"),
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


def test_that_options_do_not_go_together_is_read_where_they_are_chosen() -> None:
    page, told = wizard("host", "qenqe"), list[str]()
    page.tell = told.append
    why = "That does not go together yet: partners yes is only for 4 players: else partners is no."
    for line, fits in (("players 4", True), ("partners yes", True), ("players 3", False), ("partners no", True)):
        page.enter(line)
        for text in (shown(page), told[-1], page.told()[-2]):
            assert (why in " ".join(text.split())) != fits
            assert ("the same as: " in " ".join(text.lower().split())) == fits
    for line in ("partners yes", "players 3"):
        page.enter(line)
    assert " ".join(page.words()) == "host qenqe --players 3 -o partners=true", "the row is not dropped unasked"


def test_an_option_that_needs_so_many_players_seats_them() -> None:
    page, told = wizard("host", "qenqe"), list[str]()
    page.tell = told.append
    page.enter("partners yes")
    assert " ".join(page.words()) == "host qenqe --players 4 -o partners=true"
    assert told[-1].startswith("partners: yes. players: 4.")
    page.enter("bots 1")
    assert " ".join(page.words()) == "host qenqe --players 4 -o partners=true --bots 1"
    arrows = wizard("host", "celtic-whist")
    arrows.mark = [setting.name for setting in arrows.settings()].index("all_cards")
    arrows.turn(1)
    assert " ".join(arrows.words()) == "host celtic-whist --players 5 -o all_cards=true"


def test_the_row_of_bots_is_there_for_two_players_and_says_why_it_takes_none() -> None:
    page = wizard("host", "qenqe")
    with pytest.raises(NotUnderstoodError, match="bots is 0 with 2 players: with more a bot plays along"):
        page.enter("bots 1")
    assert "bots" not in [setting.name for setting in wizard("host", "kingamon").settings()]


def test_a_number_alone_is_a_value_of_the_marked_row_where_that_takes_it() -> None:
    page = wizard("host", "fidchell")
    page.enter("3")
    assert " ".join(page.words()) == "host fidchell --players 3"
    page.enter("3")
    assert " ".join(page.words()) == "host fidchell --players 3 -o repetition=3", "3 is the value already: the row"
    page.enter("3")
    assert " ".join(page.words()) == "host fidchell --players 3", "a row that is marked changes by its own number"
    page.mark = 6
    page.enter("12")
    assert " ".join(page.words()) == "host fidchell --players 3 -o pieces=12"


def test_who_reads_line_by_line_sees_no_mark_and_a_number_is_a_row() -> None:
    page = wizard("host", "fidchell")
    page.told()
    page.enter("3")
    assert " ".join(page.words()) == "host fidchell -o repetition=3"


def test_how_long_a_game_lasts_is_what_was_measured() -> None:
    measured: dict[str, dict[int, int]] = {}
    for line in (ROOT / "docs" / "bots.jsonl").read_text().splitlines():
        match = json.loads(line)
        if (match["first"], match["second"], match["options"]) == ("2", "1", {}):
            measured.setdefault(match["game"], {})[match["players"]] = round(match["actions"])
    for key, actions in measured.items():
        assert dict(view_of(key).lasts) == actions
    page = wizard("host", "celtic-whist")
    page.enter("players 4")
    told = f"A game: some {measured['celtic-whist'][4]} bids and cards (of bots), 69 minutes at 5 seconds each."
    assert told in shown(page)
    assert told in page.told()
    page.enter("cooperative yes")
    assert "A game: some" not in shown(page), "of that nothing is measured"


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
        assert f"{marked.name} {marked.about}" in " ".join(" ".join(lines).split())
        page.move(1)


@pytest.mark.parametrize("key", list(all_games()))
@pytest.mark.parametrize("command", ["host", "solo"])
def test_at_80_by_24_each_row_says_in_the_same_line_what_it_does(command: str, key: str) -> None:
    for players in all_games()[key].seats:
        page = wizard(command, key)
        if page.settings()[0].name == "players" and str(players) in page.settings()[0].values:
            page.enter(f"players {players}")
        for setting in [None, *page.settings()]:
            for value in setting.values if setting and setting.name != "players" else ("",):
                if setting and value:
                    page._try(setting.name, value)
                lines = [text_of(line).rstrip() for line in page.render(80, 22 - 1)]
                for row in page.settings():
                    assert any(row.name in line and line.endswith(f" {row.help}") for line in lines), (row, lines)
                assert not [line for line in lines if line.endswith("~") or "more below" in line]


def test_another_number_of_players_is_not_marked_as_the_usual_one() -> None:
    page = wizard("host", "qenqe")
    page.enter("players 3")
    assert "* not as usual: `reset` undoes all" in shown(page)
    assert ">*  1  players          3" in shown(page)
    page.enter("reset")
    assert ">   1  players          2" in shown(page)


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
    page = games(Home.open(str(tmp_path)), command)
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


def test_against_bots_a_position_may_not_come_again_and_again_unless_the_player_says_so() -> None:
    page = Wizard("solo", all_games()["qenqe"], ("0", "1"), {}, lambda _: None, {"repetition": "3"})
    assert any(line.split()[1:3] == ["repetition", "3"] for line in shown(page).splitlines())
    assert page.words() == ("solo", "qenqe")
    page.enter("repetition off")
    assert page.words() == ("solo", "qenqe", "-o", "repetition=off")
    page.enter("repetition 3")
    page.enter("against people")
    assert page.words() == ("solo", "qenqe", "--hot-seat")


def test_a_level_is_named_by_its_number_as_well() -> None:
    page = Wizard("solo", all_games()["qenqe"], ("random", "learner", "casual", "adaptive"), {}, lambda _: None)
    page.enter("level 1")
    assert page.words() == ("solo", "qenqe", "--level", "learner")
    with pytest.raises(NotUnderstoodError, match="no bot of level 3: type random or learner or casual or adaptive"):
        page.enter("level 3")
    with pytest.raises(NotUnderstoodError, match=r"^There is no bot of level casul: did you mean casual\?$"):
        page.enter("level casul")


@pytest.mark.parametrize("key", list(all_games()))
def test_what_a_row_shows_can_be_typed_there_and_behind_the_option_of_its_name(key: str) -> None:
    page = wizard("host", key)
    game_options = {option.name for option in all_games()[key].options}
    for row, setting in enumerate(page.settings(), 1):
        shown_there = [text.removeprefix(f"{row} ") for text, _ in page.choices(f"{row} ")]
        assert len(shown_there) == len(setting.values)
        for value, typed in zip(setting.values, shown_there, strict=True):
            page.enter(f"{row} {typed}")
            assert page.value(setting) == value
            option = ["-o", f"{setting.name}={typed}"] if setting.name in game_options else [f"--{setting.name}", typed]
            if setting.name not in ("passphrase", "talk"):  # which the command line takes without a value
                parse(["host", key, *option])
        page.enter("reset")


def test_none_is_no_time_for_turns_and_no_match() -> None:
    args = parse(["host", "kingamon", "--turn-time", "none", "--match", "none"])
    assert (args.turn_time, args.match) == ((0,), None)
