"""Exports: valid documents that stand alone, draw what is there, and let nothing in that players wrote."""

import base64
import hashlib
import html.parser
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from looking_back import VARIANTS, played_alone, played_together, saved

from engine import CHANCE, OptionValue, Turn, all_games, digest
from engine.games.celtic_whist import PLAY
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.export import boards, data, drawing, film, notation, page, picture, strip
from p2p_stonehenge.export.picture import told
from p2p_stonehenge.export.svg import PALETTE, escape
from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.screen.views import view_of
from protocol import Series

LONG = "a" * 300
"""Longer than the name of any file."""

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"
EVIL = ('"><b>x&', "</script><svg", "'};alert(1)//")


def game(key: str, seats: int, options: Mapping[str, OptionValue] | None = None) -> SavedGame:
    return saved(played_alone(key, seats, tuple((options or {}).items())))


# Pictures


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_every_position_is_drawn_within_its_picture(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    one = game(key, seats, options)
    for ply in range(0, len(one) + 1, 7):
        drawn = drawing(one, ply)
        root = ElementTree.fromstring(f"<svg>{drawn.board}{''.join(drawn.pieces)}</svg>")
        for element in root.iter():
            for across, limit in (("cx", drawn.width), ("x", drawn.width), ("cy", drawn.height), ("y", drawn.height)):
                assert 0 <= float(element.get(across, 0)) <= limit, ElementTree.tostring(element)


def test_every_class_of_a_drawing_has_a_rule() -> None:
    known = set()
    for key, seats, options in VARIANTS:
        one = game(key, seats, options)
        sheet = picture(one, len(one) // 2)
        root = ElementTree.fromstring(sheet)
        style = root.findtext(f"{SVG}style", "")
        known = set(re.findall(r"\.([a-z][a-z-]*)", style))
        used = {name for element in root.iter() for name in element.get("class", "").split()}
        assert used <= known, used - known
    assert {f"f-{name}" for name in PALETTE} <= known


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_as_many_pieces_are_drawn_as_there_are(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    """Discs, stacks and cards are counted in the drawing and in the position."""
    one = game(key, seats, options)
    for ply in range(1, len(one) + 1, 9):
        state, drawn = one.position(ply), "".join(drawing(one, ply).pieces)
        match key:
            case "fidchell":
                assert drawn.count("<text") == sum(men.bit_count() for men in state.men)
            case "fidchess":
                assert drawn.count(">Oin<") + drawn.count(">Duo<") + drawn.count(">Teth<") + drawn.count(
                    ">Peth<"
                ) + drawn.count(">Quen<") + drawn.count(">Rigant<") == sum(map(bool, state.cells))
            case "qenqe":
                disks = sum(map(len, state.cells))
                assert drawn.count("<circle") == disks + state.rules.seats
            case "celtic-whist" if state.hands:
                trick = max(seats, 2)
                lying = min(len(state.plays), len(state.plays) % trick or trick)
                unknown = state.plays[len(state.plays) - lying :].count(255)
                cards = sum(hand.bit_count() for hand in state.hands) + lying - unknown + 1
                backs = sum(state.unknown) + unknown + len(state.dummy) * (state.phase == PLAY)
                assert (drawn.count("f-card"), drawn.count("f-back")) == (cards, backs)


def test_the_mark_of_a_move_tells_where_it_began_and_where_it_ended() -> None:
    """In Fidchell: a broken ring on the field that was left, a double one round the piece that moved."""
    one = game("fidchell", 3, {})
    ply = next(at for at, step in enumerate(one.steps, 1) if step.action.count("-") == 1 and step.actor)
    drawn = drawing(one, ply).pieces
    assert sum("dashed" in piece for piece in drawn) == 1
    assert sum("s-ink best" in piece and "last s-mark" in piece for piece in drawn) == 1


def test_a_card_that_is_still_to_come_is_not_a_gap() -> None:
    one = game("celtic-whist", 3, {})
    drawn = ["".join(drawing(one, ply).pieces) for ply in range(1, len(one) + 1)]
    due = [text for text in drawn if "dashed" in text]
    assert due
    assert all(text.count(">?<") == text.count(">to play<") == 1 for text in due)


def test_a_strip_tells_the_game_from_its_start_to_its_end() -> None:
    one = game("fidchess", 2, {"turn_limit": "60"})
    root = ElementTree.fromstring(strip(one))
    told = " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert "The start; 61 actions to follow." in told
    assert "Drawn by the turn limit." in told
    assert len(root.findall(f"{SVG}g")) == 6


def test_a_strip_of_a_part_ends_there_and_no_player_stands_over_a_picture_of_another() -> None:
    one = game("qenqe", 3, {})
    root = ElementTree.fromstring(strip(one, 10))
    words = " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert " 10. " in words
    assert "11." not in words
    names = [
        element for element in root.findall(f"{SVG}text") if re.search(r" \((White|Blue|Green)\)$", element.text or "")
    ]
    places = [float(element.get("x", "")) for element in names]
    assert len(places) == 3
    assert max(places) < float(root.get("width", "")) / 2, "side by side, whatever stands below"


def test_the_picture_of_a_game_is_its_end_with_players_and_result(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = file.with_suffix(".svg")
    assert main(["export", str(file), "--out", str(out)]) == 0
    assert "Fidchess, its end: written to" in capsys.readouterr().out
    root = ElementTree.fromstring(out.read_text("utf-8"))
    words = " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert "Drawn by the turn limit." in words
    assert "The start" not in words
    assert words.count("(Yellow)") == 1
    again = file.with_name("again.svg")
    assert main(["export", str(file), "--at", "61", "--out", str(again)]) == 0
    assert again.read_text("utf-8") == out.read_text("utf-8")


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_a_film_has_every_position_once_and_each_with_its_words(
    key: str, seats: int, options: Mapping[str, OptionValue]
) -> None:
    one = game(key, seats, options)
    end = min(20, len(one))
    root = ElementTree.fromstring(film(one, end))
    frames = [group for group in root.findall(f"{SVG}g") if "frame" in group.get("class", "")]
    assert len(frames) == end + 1
    assert [frame.get("class") for frame in frames][-2:] == ["frame", "frame end"]
    defined = {shape.get("id"): shape for shape in root.findall(f"{SVG}defs/{SVG}g")}
    for ply, frame in enumerate(frames):
        used = [use.get("href", "").removeprefix("#") for use in frame.iter(f"{SVG}use")]
        assert len(used) == 1 + len(drawing(one, ply).pieces)
        assert {*used} <= {*defined}
        words = " ".join(text.text or "" for text in frame.iter(f"{SVG}text"))
        assert "".join(told(one, ply).split()) == "".join(words.split())
    height, width = float(root.get("height", "")), float(root.get("width", ""))
    drawn = [drawing(one, ply) for ply in range(end + 1)]
    assert all(shape.width <= width and shape.height < height for shape in drawn)


def test_a_film_stands_still_for_those_who_want_nothing_to_move() -> None:
    text = film(game("fidchess", 2, {"turn_limit": "60"}), None)
    assert "@media(prefers-reduced-motion:reduce){.frame{animation:none}.end{visibility:visible}}" in text
    assert text.count("animation-delay") == 62


def test_a_picture_is_told_to_those_who_do_not_see_it() -> None:
    one = game("kingamon", 2, {"cube": "true"})
    root = ElementTree.fromstring(picture(one, 3))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Byzantine Kingamon, after 3 actions"
    for sentence in view_of("kingamon").describe(one.position(3)):
        assert sentence in root.findtext(f"{SVG}desc", "")


def test_the_same_game_gives_the_same_bytes() -> None:
    for key, seats, options in VARIANTS[:4]:
        assert strip(game(key, seats, options)) == strip(saved(played_alone(key, seats, tuple(options.items()))))


# What players wrote


def test_text_of_players_is_escaped_and_cleaned() -> None:
    assert escape("<&>\"'") == "&lt;&amp;&gt;&quot;&#39;"
    assert escape("a\x00\x1b[31m\u202eb") == "a[31mb"


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.loaded: list[str] = []
        self.handlers: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._in = tag
        for name, value in attrs:
            self.handlers += [name] if name.startswith("on") else []
            self.loaded += [value or ""] if name in ("src", "href", "action", "data") else []
            self.ids += [value or ""] if name == "id" else []
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, text: str) -> None:
        if self._in == "script":
            self.scripts[-1] += text
        self.text += text


@pytest.mark.parametrize(("key", "seats"), [("kingamon", 2), ("celtic-whist", 3), ("qenqe", 3), ("fidchell", 3)])
def test_names_that_are_code_stay_names(key: str, seats: int) -> None:
    file = played_alone(key, seats, (), 12, EVIL)
    one = saved(file)
    assert one.names == EVIL[:seats]
    sheet = ElementTree.fromstring(picture(one, 5))
    assert not list(sheet.iter(f"{SVG}b"))
    assert not list(sheet.iter("script"))
    tags = _Tags()
    tags.feed(page(one, prove(one), file))
    assert "b" not in tags.tags
    assert tags.handlers == []
    assert len(tags.scripts) == 3
    assert "alert" not in "".join(tags.scripts[1:])
    assert EVIL[0] in tags.text
    json.loads(tags.scripts[0])
    assert "<" not in tags.scripts[0]


# The page


def test_a_page_needs_nothing_but_itself() -> None:
    file = played_together("kingamon", 2, (), 40)
    one = saved(file)
    text = page(one, prove(one), file, 7)
    tags = _Tags()
    tags.feed(text)
    assert all(link.startswith(("#", "data:application/octet-stream;base64,")) for link in tags.loaded)
    assert len(tags.ids) == len(set(tags.ids))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    told = json.loads(tags.scripts[0])
    assert told["at"] == 7
    assert len(told["frames"]) == len(told["words"]) == len(told["told"]) == len(one) + 1
    for ply in range(len(one) + 1):
        assert tuple(told["parts"][at] for at in told["frames"][ply]) == drawing(one, ply).pieces
    assert "that nobody could steer" in tags.text


def test_the_record_in_a_page_is_the_saved_game(tmp_path: Path) -> None:
    file = played_together("kingamon", 2, (), 40)
    one = saved(file)
    tags = _Tags()
    tags.feed(page(one, prove(one), file))
    (link,) = [link for link in tags.loaded if link.startswith("data:")]
    again = tmp_path / "again.stonehenge"
    again.write_bytes(base64.b64decode(link.partition(",")[2]))
    assert main(["verify", str(again)]) == 0
    assert hashlib.sha256(file).hexdigest() in tags.text


def test_a_game_without_a_drawing_is_drawn_by_its_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    one = game("fidchess", 2, {"turn_limit": "60"})
    monkeypatch.setattr(boards, "find_spec", lambda _: None)
    told = "".join(ElementTree.fromstring(picture(one, 4)).itertext())
    assert "FIDCHESS" in told
    assert "G8" not in told
    assert "YR" in told


# Text and data


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_the_notation_leads_through_the_game_again(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    one = game(key, seats, options)
    lines = re.findall(r"^ *(\d+)\. (.{16}) (.+)$", notation(one), re.MULTILINE)
    rules = all_games()[key]
    state = rules.start(options, seats)
    for number, who, action in lines:
        due = rules.pending(state)
        actor = due.seat if isinstance(due, Turn) else CHANCE
        assert who.strip() == (one.names[actor - 1] if actor else "-"), number
        assert rules.parse(state, action) == action
        state = rules.apply(state, actor, action)
    assert digest(rules, state) == digest(rules, one.table.state)


def test_the_data_are_as_documented() -> None:
    text = (ROOT / "docs" / "export.md").read_text("utf-8")
    table = text[text.index("| field |") :]
    documented = set(re.findall(r"^\| `([a-z_.\[\]]+)` \|", table, re.MULTILINE))
    file = played_together("kingamon", 2, (), 40, series=Series(5))
    one = saved(file)
    found = set()

    def collect(value: Any, path: str) -> None:
        if isinstance(value, dict) and path != "options":
            for key, inner in value.items():
                found.add(f"{path}.{key}".lstrip("."))
                collect(inner, f"{path}.{key}".lstrip("."))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            collect(value[0], f"{path}[]")

    told = json.loads(data(one, prove(one)))
    collect(told, "")
    assert found == documented
    assert told["schema"] == 1
    assert [ply["action"] for ply in told["plies"]] == [step.action for step in one.steps]
    assert one.result
    assert told["result"] == one.result._asdict() | {"winners": [1], "points": list(one.result.points)}


def test_data_up_to_a_ply_keep_the_end_back() -> None:
    one = game("fidchess", 2, {"turn_limit": "60"})
    told = json.loads(data(one, prove(one), 5))
    assert (len(told["plies"]), told["result"], told["outcome"]) == (5, None, None)


# The command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_alone("fidchess", 2, (("turn_limit", "60"),)))
    return path


@pytest.mark.parametrize(
    ("format", "starts"),
    [("txt", "Game: "), ("json", "{"), ("svg", "<svg"), ("strip", "<svg"), ("film", "<svg"), ("html", "<!doctype")],
)
def test_export_writes_each_format_to_a_file_or_to_standard_output(
    file: Path, format: str, starts: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = file.with_suffix("." + format)
    assert main(["export", str(file), "--format", format, "--out", str(out)]) == 0
    assert b"written to" in capfdbinary.readouterr().out
    assert out.read_text("utf-8").startswith(starts)
    assert main(["export", str(file), "--format", format]) == 0
    assert capfdbinary.readouterr().out == out.read_bytes()


@pytest.mark.parametrize(
    ("format", "told"),
    [("txt", "5 of 61 actions"), ("svg", "after 5 of 61 actions"), ("html", "61 actions, opened after 5")],
)
def test_which_part_of_a_game_is_exported_is_told(
    file: Path, format: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(file), "--at", "5", "--out", str(file.with_suffix("." + format))]) == 0
    assert f"Fidchess, {told}: written to" in capsys.readouterr().out


def test_without_a_format_a_game_is_exported_as_the_name_of_the_file_ends(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending, starts in (("json", "{"), ("svg", "<svg"), ("HTML", "<!doctype")):
        out = file.with_suffix(f".{ending}")
        assert main(["export", str(file), "--out", str(out)]) == 0
        assert out.read_text("utf-8").startswith(starts)


@pytest.mark.parametrize(("format", "ending"), [("html", "html"), ("film", "film.svg"), ("json", "json")])
def test_what_is_no_text_is_not_poured_into_a_terminal_but_into_a_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], format: str, ending: str
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.chdir(file.parent)
    for number in ("", "-2"):
        assert main(["export", str(file), "--format", format]) == 0
        assert capsys.readouterr().out.rstrip().endswith(f"{number}.{ending}")
    assert len([*file.parent.glob(f"stonehenge-*.{ending}")]) == 2


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["--format", "svg", "--at", "999"], 2, "the game has 61 actions"),
        (["--format", "svg", "--out", "{file}"], 2, "is the saved game itself"),
        (["--format", "svg", "--out", "{file}/x/y"], 1, "cannot be written"),
        (
            ["--out", "{file}.pdf"],
            2,
            "Nothing is exported as 'pdf'. Add `--format` and one of txt, json, svg, strip, film, html.",
        ),
        ([], 2, "Add `--format` and one of txt"),
    ],
)
def test_what_cannot_be_exported_is_said(
    file: Path, words: list[str], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    assert main(["export", str(file), *(word.format(file=file) for word in words)]) == status
    assert told in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="names are refused in other words there")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["verify", LONG], "No saved game fits"),
        (["replay", LONG], "No saved game fits"),
        (["analyse", LONG], "No saved game fits"),
        (["host", "--from", LONG], "No saved game fits"),
        (["export", LONG, "--format", "txt"], "No saved game fits"),
        (["export", "{file}", "--format", "txt", "--out", LONG], "cannot be written (File name too long)"),
        (["watch", "--home", "{file}" + LONG], "File name too long: use --home DIR"),
    ],
)
def test_a_name_that_no_file_can_have_is_an_error_with_words(
    file: Path, words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(tmp_path)] * ("--home" not in words)
    assert main([*(word.format(file=file) for word in words), *home]) in (1, 5)
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_file_that_is_there_is_overwritten_only_when_that_is_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = file.with_name("letter.txt")
    letter.write_text("Dear Ben,")
    words = ["export", str(file), "--format", "txt", "--out", str(letter)]
    assert main(words) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "name another one, or add `--force` to overwrite it" in told
    assert letter.read_text() == "Dear Ben,"
    assert main([*words, "--force"]) == 0
    assert letter.read_text().startswith("Game: ")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("there", [False, True])
def test_a_link_is_written_through_only_when_that_is_asked_for(
    file: Path, there: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may have come with the folder of somebody else, whether or not a file is where it leads."""
    elsewhere, link = file.with_name("profile"), file.with_name("page.html")
    link.symlink_to("profile")
    if there:
        elsewhere.write_text("mine")
    words = ["export", str(file), "--out", str(link)]
    assert main(words) == 2
    assert "leads to 'profile'" in " ".join(capsys.readouterr().err.split())
    assert elsewhere.exists() == there
    assert not there or elsewhere.read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert elsewhere.read_text().startswith("<!doctype")


def test_what_is_no_saved_game_is_not_exported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(file.read_bytes()[:-3])
    assert main(["export", str(file), "--format", "txt"]) == 3
    assert "not a valid saved game" in capsys.readouterr().err
