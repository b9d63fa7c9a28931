"""Colours that can be seen on the terminals they are for, and the settings of the screen."""

import pytest
from contrast import contrast
from fake_table import FakeTable
from prompt_toolkit.styles.defaults import COLORS_STYLE, PROMPT_TOOLKIT_STYLE, WIDGETS_STYLE
from window import Window, play

from p2p_stonehenge.cli import arguments as cli
from p2p_stonehenge.cli.run import run
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.text.palettes import PALETTES, palette_for, rules

DARK = ("#000000", "#1e1e1e", "#2e3440", "#002b36")
LIGHT = ("#ffffff", "#fdf6e3", "#eeeeee")


@pytest.mark.parametrize(
    ("palette", "backgrounds", "least"), [("dark", DARK, 4.5), ("light", LIGHT, 4.4), ("either", DARK + LIGHT, 2.7)]
)
def test_every_piece_can_be_seen_on_the_backgrounds_it_is_for(
    palette: str, backgrounds: tuple[str, ...], least: float
) -> None:
    for name, style in PALETTES[palette].items():
        colour = next((part for part in style.split() if part.startswith("#")), None)
        if not name.startswith(("side-", "suit-", "dim")) or not colour:
            assert not name.startswith(("side-", "suit-")) or style == "bold", "else it has the terminal's own colour"
            continue
        for background in backgrounds:
            assert contrast(colour, background) >= least, (name, background)


def test_no_style_of_ours_is_one_of_prompt_toolkit_s() -> None:
    """`white` is: pieces of that style were white in every palette."""
    taken = {name for name, _ in (*COLORS_STYLE, *PROMPT_TOOLKIT_STYLE, *WIDGETS_STYLE)}
    for palette in PALETTES:
        own = {name for name in rules(palette) if not name.startswith(("completion-menu", "bottom-toolbar"))}
        assert not own & taken


@pytest.mark.parametrize(
    ("palette", "colour"), [("light", "6c6c6c"), ("dark", "ffffff"), ("auto", "default"), ("mono", "default")]
)
def test_white_pieces_have_the_colour_of_their_palette_on_a_real_screen(
    palette: str, colour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLORFGBG", raising=False)
    table = FakeTable("kingamon", first=1).replay("6-5")
    seen: set[str] = set()

    async def script(window: Window) -> None:
        await window.shows("KINGAMON")
        board = [line for line in window.screen.buffer.values() if line[1].data == "│"]
        cells = [line[at] for line in board for at in range(2, 58)]
        seen.update(cell.fg for cell in cells if cell.data == "W")

    play(table, script, Settings(charset="unicode", palette=palette))
    assert seen == {colour}


@pytest.mark.parametrize(
    ("wanted", "environ", "palette"),
    [
        ("auto", {}, "either"),
        ("auto", {"COLORFGBG": "15;0"}, "dark"),
        ("auto", {"COLORFGBG": "0;15"}, "light"),
        ("auto", {"COLORFGBG": "0;default;7"}, "light"),
        ("auto", {"COLORFGBG": "rubbish"}, "either"),
        ("light", {"COLORFGBG": "15;0"}, "light"),
    ],
)
def test_the_palette_follows_the_background_that_a_terminal_tells_of(
    wanted: str, environ: dict[str, str], palette: str
) -> None:
    assert palette_for(wanted, environ) == palette


def chosen(*words: str) -> tuple[str, str, str, str]:
    line = ["solo", "fidchess", *words]
    args = cli.make_parser(line).parse_args(line)
    return args.palette, args.charset, args.bell, args.board


def test_an_option_wins_over_the_environment_and_that_over_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PALETTE", "CHARSET", "BELL", "BOARD"):
        monkeypatch.delenv(f"P2P_STONEHENGE_{name}", raising=False)
    assert chosen() == ("auto", "auto", "on", "asked")
    monkeypatch.setenv("P2P_STONEHENGE_PALETTE", "light")
    monkeypatch.setenv("P2P_STONEHENGE_BELL", "off")
    monkeypatch.setenv("P2P_STONEHENGE_CHARSET", "unicode")
    monkeypatch.setenv("P2P_STONEHENGE_BOARD", "")
    assert chosen() == ("light", "unicode", "off", "asked")
    assert chosen("--palette", "mono", "--bell", "on", "--ascii") == ("mono", "ascii", "on", "asked")


@pytest.mark.parametrize("by", ["option", "environment"])
def test_a_wrong_setting_is_refused_before_anything_begins(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["solo", "fidchess"]
    if by == "option":
        words += ["--palette", "pink"]
    else:
        monkeypatch.setenv("P2P_STONEHENGE_PALETTE", "pink")
    with pytest.raises(Failure, match="--palette: 'pink' is none of auto, dark, light, mono, safe") as stopped:
        run(words)
    assert stopped.value.code == 2


@pytest.mark.parametrize("wanted", [True, False])
def test_a_notification_of_the_desktop_can_be_had(wanted: bool) -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.shows("wait>")
        table.act(2, "A7-A6")
        await window.shows("move>")

    written = play(table, script, Settings(charset="ascii", notify=wanted)).written
    assert ("\x1b]9;Fidchess: your turn\a" in written) is wanted


def test_the_bell_can_be_silenced() -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        table.act(2, "A7-A6")
        await window.shows("move>")

    assert "\a" in play(table, script, Settings(charset="ascii", title=False)).written
    table = FakeTable("fidchess", first=2)
    assert "\a" not in play(table, script, Settings(charset="ascii", bell=False, title=False)).written
