"""The rules of the games as pages for a terminal: each option, example of notation and topic is there, and fits."""

import ast
import re
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from engine import all_games, option_text
from p2p_stonehenge.rules import page, pages


def test_every_game_has_a_page() -> None:
    assert set(pages()) == set(all_games())


@pytest.mark.parametrize("key", pages())
@pytest.mark.parametrize("width", [50, 72, 80])
def test_a_page_fits_the_screen_and_loses_no_word(key: str, width: int) -> None:
    text = page(key, "", width)
    assert text is not None
    assert text.isascii()
    assert "`" not in text
    tables = re.findall(r"(?:^\|.*\n)+", _source(key), re.MULTILINE)
    table_words = {word for table in tables for word in _words(table)}
    for line in text.splitlines():
        assert len(line) <= width or set(_words(line)) <= table_words
    assert Counter(_words(text)) == Counter(_words(_source(key)))
    assert all(len(line) <= 80 for line in (page(key, "", 80) or "").splitlines())


@pytest.mark.parametrize("key", pages())
def test_the_page_explains_every_option_and_value(key: str) -> None:
    options = page(key, "options", 80) or ""
    for option in all_games()[key].options:
        line = re.search(rf"^{option.name} .*", options, re.MULTILINE)
        assert line, option.name
        for value in option.values:
            assert re.search(rf"\b{option_text(value)}\b", line[0]), (option.name, value)


@pytest.mark.parametrize("key", pages())
def test_the_examples_of_the_notation_are_read(key: str) -> None:
    game = all_games()[key]
    start = game.start({}, game.seats[0])
    section = _source(key).split("\n## Notation\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    examples = [example for cell in cells for example in re.findall("`(.+?)`", cell)]
    assert len(examples) > 5
    for example in examples:
        bare = game.parse(start, example).translate(_MARKS)
        # The start may not know of a king or a captive: what the marks are follows from the position.
        assert bare.removeprefix("K") == example.translate(_MARKS).removeprefix("K")


ROOT = Path(__file__).resolve().parents[3]
_MARKS = str.maketrans("", "", "*+-x")


@pytest.mark.parametrize("key", pages())
def test_every_refusal_names_a_topic_of_the_page(key: str) -> None:
    name = key.replace("-", "_")
    files = (ROOT / "engine" / "house.py", *(ROOT / "engine" / "games" / name).glob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    named = {
        call.args[1].value
        for call in calls
        if getattr(call.func, "id", "") == "Refusal" and isinstance(call.args[1], ast.Constant)
    }
    assert named > {"end", "turn"}, "those that all games share, and its own"
    for topic in named:
        assert page(key, str(topic), 80), topic


def _source(key: str) -> str:
    return (ROOT / "p2p_stonehenge" / "rules" / f"{key}.md").read_text("utf-8")


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9/@>=*']+", text.lower().replace("`", ""))


if sys.platform != "win32":
    from real_terminal import RealTerminal

    @pytest.mark.parametrize("leave", ["q\r", "\x04", "\r"])
    def test_on_a_terminal_a_long_page_comes_in_parts(leave: str) -> None:
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", "rules", "fidchess"])
        try:
            at.shows("1-20 of ", "Enter goes on", "A game in the manner of chess")
            assert at.text.splitlines()[0] == "FIDCHESS"
            at.types("help\r")
            at.shows("Enter turns the page", "Ctrl-D goes back.")
            while leave == "\r" and "Enter goes back" not in at.text:
                before = at.text.splitlines()[-1]
                at.types("\r")
                at.until(lambda before=before: at.text.splitlines()[-1:] not in ([before], []))  # type: ignore[misc]
            at.types(leave)
            assert at.ends() == 0
        finally:
            at.close()

    @pytest.mark.parametrize(
        ("words", "term"),
        [(("fidchess", "aim"), "xterm"), (("fidchess", "--plain"), "xterm"), (("fidchess",), "dumb")],
    )
    def test_what_fits_plain_text_and_a_page_on_a_dumb_terminal_is_printed(words: tuple[str, ...], term: str) -> None:
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", "rules", *words], TERM=term)
        try:
            assert at.ends() == 0
        finally:
            at.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
@pytest.mark.parametrize("by", ["", "environment", "file", "unknown"])
def test_a_page_that_is_turned_has_the_palette_that_is_set(by: str, tmp_path: Path) -> None:
    from real_terminal import RealTerminal

    if by == "file":
        (tmp_path / "config.toml").write_text('palette = "light"\n')
    palette = {"environment": "light", "unknown": "pink"}.get(by, "")
    environ = {"P2P_STONEHENGE_HOME": str(tmp_path), "P2P_STONEHENGE_PALETTE": palette}
    words = (sys.executable, "-m", "p2p_stonehenge", "rules", "kingamon")
    with closing(RealTerminal(words, 80, 24, **environ)) as at:
        at.shows("A race of eleven", "Enter goes on")
        at.types("zzz\r")
        at.shows("'zzz' is not in this text")
        cells = [cell for line in at.screen.buffer.values() for cell in line.values()]
        assert ({cell.fg for cell in cells} != {"default"}) == (by in ("environment", "file"))
