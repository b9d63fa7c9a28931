"""Settings: one file, each explained, an option before the environment before the file; palettes; the title."""

import re
import tomllib
from pathlib import Path

import pytest
from contrast import contrast
from fake_table import FakeTable
from window import Window, play

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import arguments as cli
from p2p_stonehenge.cli import config
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.pages import NotUnderstoodError
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.screen.turning import Pages
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import FILE, SETTINGS, Settings, kept
from p2p_stonehenge.text.palettes import PALETTES


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("P2P_STONEHENGE_HOME", str(tmp_path))
    for name in SETTINGS:
        monkeypatch.delenv(f"P2P_STONEHENGE_{name.upper()}", raising=False)


def chosen(*words: str) -> str:
    line = ["solo", "fidchess", *words]
    return str(cli.make_parser(line).parse_args(line).palette)


def test_an_option_wins_over_the_environment_and_that_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen() == "auto"
    assert main(["config", "palette", "dark"]) == 0
    assert chosen() == "dark"
    monkeypatch.setenv("P2P_STONEHENGE_PALETTE", "light")
    assert chosen() == "light"
    assert chosen("--palette", "mono") == "mono"


def test_the_file_is_that_of_the_home_that_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert main(["config", "palette", "safe", "--home", str(other)]) == 0
    assert chosen() == "auto"
    assert chosen("--home", str(other)) == chosen(f"--home={other}") == "safe"


def test_config_lists_explains_and_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    out = capsys.readouterr().out
    for name, setting in SETTINGS.items():
        assert f"{name:9}{setting.usual:10}default" in out
        assert " ".join(setting.about.split()[:4]) in out
    assert all(len(line) <= 80 for line in out.splitlines() if str(tmp_path) not in line)
    assert main(["config", "bell", "off"]) == 0
    assert main(["config", "name", "gwen"]) == 0
    capsys.readouterr()
    assert main(["config", "bell"]) == 0
    assert capsys.readouterr().out.startswith("bell is off, set in config.toml.")
    assert main(["config", "path"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / FILE)
    assert Home.open(None).nick() == "gwen"


def test_a_name_that_is_too_long_is_refused_wherever_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "Gwendolyn of the Nine Stones"
    told = f"A name has 24 characters at most, and {long!r} has 28."
    before = Home.open(str(tmp_path)).nick()
    for words in (["config", "name", *long.split()], ["solo", "fidchess", "--auto", "random", "--name", long]):
        assert main([*words, "--home", str(tmp_path)]) == 2
        assert told in capsys.readouterr().err
    at = page(tmp_path)
    with pytest.raises(NotUnderstoodError, match=re.escape(told)):
        at.enter(f"1 {long}")
    assert {at.values["name"], Home.open(str(tmp_path)).nick()} == {before}
    assert main(["config", "name", "Gwen", "--home", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "name is Gwen now.\n"


def test_the_file_is_toml_that_explains_every_setting(tmp_path: Path) -> None:
    main(["config", "bell", "off"])
    text = (tmp_path / FILE).read_text()
    assert tomllib.loads(text) == {"bell": "off"}
    for name, setting in SETTINGS.items():
        assert f"# {setting.about}\n" in text
        assert f'{name} = "' in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pallete", "dark"), "did you mean palette?"),
        (("palette", "pink"), "palette can be auto, dark, light, mono, safe, not 'pink'"),
        (("name", "?"), "`?` is no name: write how friends are to see you. On the start page `name` changes it later."),
        (("name", "\u200b"), "The name is empty: write how others are to see you, 1 to 24 letters"),
        (("name", "bot", "2"), "'bot 2' would be taken for a bot: only a bot's name begins with 'bot '"),
        (("zzz",), "There is no setting 'zzz'"),
    ],
)
def test_what_cannot_be_set_is_answered_with_what_can(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", *words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pallete = 'dark'", "There is no setting 'pallete': did you mean palette?"),
        ("palette = 'pink'", "palette can be auto, dark, light, mono, safe, not 'pink'"),
        (
            "palette = dark",
            "line 1, 'palette = dark', cannot be read: each setting has one line, as in palette = \"dark\"",
        ),
        ('bell = "on"\npalette "dark"', "line 2, 'palette \"dark\"', cannot be read"),
        ("palette = [", "cannot be read"),
        ("\x00", "line 1, '\\x00', cannot be read"),
        (f"palette = {'[' * 20_000}", "cannot be read"),
        (f"palette = 0x{'f' * 6_000}", "palette can be auto, dark, light, mono, safe, not 'what cannot be written'"),
    ],
    ids=lambda text: text[:30],
)
def test_a_bad_line_is_told_and_the_rest_holds(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_text(f"{text}\nbell = false\n")
    found = kept(tmp_path)
    assert complaint in found.complaints[0]
    assert found.values == ({} if "cannot be read" in complaint else {"bell": "off"})
    assert chosen() == "auto"
    assert complaint in capsys.readouterr().err.replace("\n", " ")


def test_config_tells_of_bad_lines_and_overwrites_no_file_that_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, home = tmp_path / FILE, ("--home", str(tmp_path))
    file.write_text("palette = 'pink'\n")
    assert main(["config", *home]) == 0
    assert "not 'pink'" in " ".join(capsys.readouterr().err.split())
    file.write_text("palette = [\n")
    assert main(["config", "bell", "off", *home]) == 2
    assert "line 1, 'palette = [', cannot be read" in " ".join(capsys.readouterr().err.split())
    assert file.read_text() == "palette = [\n"
    file.unlink()
    assert main(["config", "bell", "off", *home]) == 0
    assert kept(tmp_path).values == {"bell": "off"}


def page(tmp_path: Path) -> ConfigPage:
    home = Home.open(str(tmp_path))

    def change(name: str, value: str) -> str:
        try:
            return config.change(home, name, value)
        except Failure as failure:
            raise NotUnderstoodError(str(failure)) from failure

    return ConfigPage({name: value for name, value, _ in config.in_force(home)}, change)


def test_the_page_of_settings_changes_them_at_once(tmp_path: Path) -> None:
    at = page(tmp_path)
    assert at.enter("palette dark") is None
    assert at.enter("bell") is None
    at.mark = 2
    at.turn(1)
    at.enter("1 gwen")
    assert kept(tmp_path).values == {"palette": "dark", "bell": "off", "charset": "unicode"}
    assert Home.open(str(tmp_path)).nick() == "gwen"
    at.mark = 3
    assert at.enter("") is None, "Enter changes the marked row"
    assert kept(tmp_path).values["bell"] == "notify"
    at.mark = 0
    with pytest.raises(NotUnderstoodError, match="Enter asks for your name"):
        at.turn(1)
    with pytest.raises(NotUnderstoodError, match="not 'pink'"):
        at.enter("palette pink")
    with pytest.raises(NotUnderstoodError, match="no row"):
        at.enter("zzz")
    for width, height in ((40, 12), (80, 24)):
        lines = at.render(width, height)
        assert len(lines) <= height
        assert all(len(text_of(line)) <= width for line in lines)


@pytest.mark.parametrize(("typed", "nick"), [("ben of york", "ben of york"), ("", "gwen")])
@pytest.mark.parametrize("row", ["1", "name", ""])
def test_the_row_of_the_name_asks_for_it(tmp_path: Path, row: str, typed: str, nick: str) -> None:
    at = page(tmp_path)
    at.enter("1 gwen")
    pages = Pages(StartPage({}, {}))
    pages.go(at)
    assert pages.enter(row)
    assert pages.top.prompt() == "name> "
    assert "gwen" in " ".join(pages.top.told())
    assert pages.enter(typed)
    assert pages.top is at
    assert (at.values["name"], Home.open(str(tmp_path)).nick()) == (nick, nick)


def test_a_name_that_cannot_be_is_asked_for_again(tmp_path: Path) -> None:
    pages = Pages(page(tmp_path))
    pages.enter("1")
    assert not pages.enter("bot Finn")
    assert "would be taken for a bot" in pages.answer
    assert pages.top.prompt() == "name> "


# Colours for all eyes.


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


BLIND = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes, 2009, severity 1, in linear RGB."""


def lab(linear_rgb: list[float]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part)) for part in linear_rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def grounds() -> dict[str, str]:
    styles = PALETTES["safe"]
    return {name: styles[name].split("bg:")[1][:7] for name in styles if name.startswith("side-")}


@pytest.mark.parametrize("eyes", [None, *BLIND])
def test_the_safe_palette_tells_all_sides_apart_for_all_eyes(eyes: str | None) -> None:
    seen = {}
    for name, colour in grounds().items():
        light = linear(colour)
        matrix = BLIND[eyes] if eyes else ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        seen[name] = lab([sum(a * b for a, b in zip(line, light, strict=True)) for line in matrix])
    names = list(seen)
    for number, one in enumerate(names):
        for other in names[:number]:
            distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
            assert distance > 20, (one, other, distance)


def test_letters_of_the_safe_palette_can_be_read_on_their_ground() -> None:
    for name, ground in grounds().items():
        letters = PALETTES["safe"][name].rsplit("#", 1)[1][:6]
        assert contrast(f"#{letters}", ground) >= 4.5, name


@pytest.mark.parametrize("wanted", [True, False])
def test_the_title_of_the_window_says_whose_turn_it_is(wanted: bool) -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")

    written = play(FakeTable("fidchess", first=1), script, Settings(charset="ascii", title=wanted)).written
    assert ("\x1b]2;Fidchess: your turn\x07" in written) is wanted
