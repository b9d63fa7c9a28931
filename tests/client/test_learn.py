"""`learn`: a guided first game, each step shown on the board and done by the player."""

import asyncio
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from test_terminal import ENTER, SETTINGS, opened

from engine import all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.table.lesson import LessonTable, lessons, read
from p2p_stonehenge.table.session import RefusedError


def table(key: str) -> LessonTable:
    game = all_games()[key]
    return LessonTable(game, read(key), "gwen", min(number for number in game.seats if number > 1))


def steps_of(key: str) -> range:
    return range(len(read(key).steps))


def test_every_lesson_is_of_a_game_and_the_five_have_one() -> None:
    assert len(lessons()) == 5
    assert set(lessons()) <= set(all_games())


@pytest.mark.parametrize("key", lessons())
def test_a_lesson_can_be_played_to_its_end_as_its_words_say(key: str) -> None:
    """What a step asks for in small letters is typed as it stands there."""
    at = table(key)
    console = Console(at, SETTINGS, "unicode")
    assert 8 <= len(read(key).steps) <= 12
    for number in steps_of(key):
        step = read(key).steps[number]
        assert at.step == number
        assert at.guide.startswith(f"{number + 1}/{len(read(key).steps)}: ")
        if not step.actions:
            console.enter("")
        elif step.actions == ("any",):
            console.enter(at.game.legal(at.state, 1)[0])
        else:
            words = [word.strip(".,:;?") for word in step.text.split()]
            canonical = []
            for text in (*words, *map(" ".join, pairwise(words))):
                try:
                    canonical.append(at.game.parse(at.state, text))
                except ValueError:
                    continue
            assert step.actions[0] in canonical, (step, canonical)
            console.enter(step.actions[0])
    assert "That was the lesson" in at.guide


@pytest.mark.parametrize("key", lessons())
def test_each_step_leaves_the_board_its_place(key: str) -> None:
    for step in read(key).steps:
        assert len(step.text) <= 185, step.text
        assert step.text.isascii()


def test_another_move_than_the_lessons_is_lawful_but_not_now() -> None:
    at = table("fidchess")
    console = Console(at, SETTINGS, "unicode")
    with pytest.raises(RefusedError, match="First read on: Enter goes on"):
        console.enter("b2 c4")
    console.enter("")
    with pytest.raises(RefusedError, match="for the lesson play B2-C4"):
        console.enter("a2 a3")
    with pytest.raises(RefusedError, match="cannot reach"):
        console.enter("b2 b8")
    with pytest.raises(RefusedError, match="Nobody else sits here"):
        console.enter('"hello')


def printed(console: Console, line: str) -> str:
    return " ".join("".join(text for _, text, *_ in part) for part in console.enter(line))


@pytest.mark.parametrize("key", lessons())
def test_a_hint_in_a_lesson_leads_on_in_the_lesson(key: str) -> None:
    at = table(key)
    console = Console(at, SETTINGS, "unicode")
    for number in steps_of(key):
        actions = read(key).steps[number].actions
        if not actions:
            assert printed(console, "hint") == "- First read on: Enter goes on."
            console.enter("")
        elif actions == ("any",):
            assert at.wanted() == ""
            console.enter(at.game.legal(at.state, 1)[0])
        else:
            assert printed(console, "hint") == (
                f"- For the lesson play {' or '.join(actions)}: `why {actions[0]}` tells what it does."
            )
            console.enter(actions[0])
    assert printed(console, "hint") == "- The lesson is over: `quit` leaves."


def test_why_and_a_hint_where_any_move_will_do_are_answered_in_a_lesson_too() -> None:
    async def ask() -> list[str]:
        at, told, heard = table("celtic-whist"), list[str](), asyncio.Event()
        console = Console(at, SETTINGS, "unicode")
        console.enter("")
        at.listen(lambda notice: told.append(getattr(notice, "text", "")))
        at.listen(lambda notice: heard.set())
        for line in ("hint", "why bid 2"):
            heard.clear()
            console.enter(line)
            async with asyncio.timeout(60):
                await heard.wait()
            await asyncio.sleep(0)
        return told

    told = asyncio.run(ask())
    assert told[0].startswith("Hint: ")
    assert any(line.startswith("bid 2: gwen bids 2") for line in told), told


def test_what_to_do_stands_below_the_board_all_the_time() -> None:
    async def play() -> None:
        at = table("fidchell")
        with opened() as window:
            shown = asyncio.create_task(terminal.run(at, SETTINGS))
            await window.shows("1/10: This is Fidchell", "Enter goes on.", "FIDCHELL")
            await window.types(ENTER)
            await window.shows("2/10: A field is named")
            await window.types("1c1" + ENTER)
            await window.shows("3/10: Green sits beside the king")
            assert window.text.count("3/10:") == 1, "it stands below the board and is not printed above it as well"
            await window.types("rules capture" + ENTER)
            await window.types("/quit" + ENTER)
            await window.shows("[y/N]")
            await window.types("yes" + ENTER)
            await shown

    asyncio.run(play())


def test_without_a_lesson_the_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_stonehenge.cli.learn.lessons", lambda: ["fidchess"])
    assert main(["learn", "qenqe", "--home", str(tmp_path)]) == 5
    assert "there is no lesson of Fidchess Qenqe: there are fidchess." in capsys.readouterr().err


if sys.platform != "win32":
    from real_terminal import RealTerminal

    def test_line_by_line_words_are_not_broken_in_a_narrow_terminal(tmp_path: Path) -> None:
        words = ["learn", "fidchess", "--plain", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words], 40, 200)
        try:
            at.shows("1/9: This is Fidchess.")
            at.types("\r")
            at.shows("2/9: The height of a stack")
            at.types("help\rquit\ryes\r")
            assert at.ends() == 0
            told = " ".join(at.text.split())
            for text in (*(step.text for step in read("fidchess").steps[:2]), COMMANDS["back"][1]):
                assert text in told
            assert max(map(len, at.text.splitlines())) < 40
        finally:
            at.close()

    def test_a_lesson_line_by_line(tmp_path: Path) -> None:
        at = RealTerminal(
            [sys.executable, "-m", "p2p_stonehenge", "learn", "fidchess", "--plain", "--home", str(tmp_path)]
        )
        try:
            at.shows("1/9: This is Fidchess.")
            at.types("\r")
            at.shows("2/9: The height of a stack")
            at.types("b2 c4\r")
            at.shows("Yellow moves an Oin from B2 to C4.", "3/9: Green has come within a jump.")
            at.types("quit\ryes\r")
            assert at.ends() == 0
        finally:
            at.close()
