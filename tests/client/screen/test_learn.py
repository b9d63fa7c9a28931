"""`learn`: a guided first game, each step shown on the board and done by the player."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from lesson_tables import begun, table
from window import ENTER, SETTINGS, opened

from engine import all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.screen.at_the_end import after
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import row, text_of, wrap
from p2p_stonehenge.table.lesson import OVER, READ_ON, lessons, read
from p2p_stonehenge.table.session import Note, RefusedError


def printed(console: Console, line: str) -> str:
    return " ".join("".join(text for _, text, *_ in part) for part in console.enter(line))


def test_every_lesson_is_of_a_game_and_the_five_have_one() -> None:
    assert len(lessons()) == 5
    assert set(lessons()) <= set(all_games())


@pytest.mark.parametrize("key", lessons())
def test_a_lesson_can_be_played_to_its_end_by_typing_what_its_words_say(key: str) -> None:
    at, console = begun(key)
    steps = read(key).steps
    assert 8 <= len(steps) <= 12
    for number, step in enumerate(steps, 1):
        assert at.guide.text.startswith(f"{number}/{len(steps)}: ")
        assert f"{step.typed}." in step.text or not step.typed or f"{step.typed} and win." in step.text, step
        if number < len(steps) or step.typed:
            console.enter(step.typed)
    assert "That was the lesson" in at.guide.text
    with pytest.raises(RefusedError, match="The lesson is over"):
        console.enter("")
    console.enter("quit")
    assert console.leaving, "at the end nothing is asked before it is left"


@pytest.mark.parametrize("key", lessons())
def test_each_step_leaves_the_board_its_place(key: str) -> None:
    at, console = begun(key)
    for step in read(key).steps:
        assert len(step.text) <= 185, step.text
        assert step.text.isascii()
        guide = len(wrap(row(f" {at.guide.text}"), 79))
        shown = "\n".join(map(text_of, console.board(80, 24 - terminal.FURNITURE - guide)))
        assert "Page Down" not in shown, shown
        assert "YOUR HAND" in shown or key != "celtic-whist", "the whole table of cards fits"
        if step.typed or step != read(key).steps[-1]:
            console.enter(step.typed)


@pytest.mark.parametrize("key", lessons())
def test_no_text_of_a_lesson_takes_more_rows_than_the_board_leaves_it(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at its end, where the program is named, by a long name here."""
    monkeypatch.setattr("p2p_stonehenge.text.program.COMMAND", "python3 scripts/play.py")
    at, console = begun(key)
    for step in (*read(key).steps, None):
        assert len(wrap(row(f" {at.guide.text}"), 79)) <= terminal.GUIDED, at.guide.text
        if step and (step.typed or step != read(key).steps[-1]):
            console.enter(step.typed)


def test_a_wrong_move_in_a_lesson_leaves_the_whole_board_in_sight() -> None:
    async def lesson() -> None:
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table("fidchess"), SETTINGS))
            await window.shows("1/9: ")
            await window.types(ENTER)
            await window.shows("2/9: ")
            await window.types("A2 A3" + ENTER)
            await window.shows("A2-A3 is lawful, but not what this lesson shows.", "as a knight does in chess.")
            assert re.search(r"^ +A +B +C +D", window.text, re.M), window.text
            await window.types("quitt" + ENTER)
            await window.shows("did you mean `quit`?", "2/9: ")
            assert re.search(r"^ +A +B +C +D", window.text, re.M), window.text
            await window.types("quit" + ENTER)
            await window.shows("[y/N]")
            await window.types("yes" + ENTER)
            await shown

    asyncio.run(lesson())


def test_a_hint_at_the_end_of_a_lesson_promises_no_larger_board() -> None:
    async def lesson() -> None:
        with opened() as window:
            at = table("fidchess")
            shown = asyncio.create_task(terminal.run(at, SETTINGS))
            await window.shows("1/9: ")
            for step in read("fidchess").steps[:-1]:
                await window.types(step.typed + ENTER)
            await window.shows("9/9: ", "Enter shows the larger board")
            await window.types(ENTER)
            await window.shows("├")  # the board with lines
            for _ in range(2):
                await window.types("hint" + ENTER)
                await window.shows("The lesson is over")
                assert "larger" not in window.text or "├" not in window.text
                await window.types(ENTER)
                await window.until(lambda: "├" in window.text)
            await window.types("quit" + ENTER)
            await shown

    asyncio.run(lesson())


def test_the_lesson_of_fidchell_tells_the_truth_about_its_first_move_and_the_layouts() -> None:
    """A real game does not begin with 1C1; a window of 27 rows has two layouts for the board, a lower one has not."""
    game = all_games()["fidchell"]
    captured = game.apply(game.apply(game.start({"first": 1}, 2), 1, "1C1"), 2, "1C2")
    assert not captured.men[0]
    texts = " ".join(step.text for step in read("fidchell").steps)
    assert "do not begin a real game with 1C1: 1C2 would capture it at once" in texts
    assert "In a window of 27 rows or more F5, or `view`, draws the board in another way" in texts
    for rows, told in ((26, True), (27, False)):
        _, console = begun("fidchell")
        console.drawing.window = rows - terminal.FURNITURE - terminal.GUIDED
        assert ("larger" in printed(console, "view")) == told


@pytest.mark.parametrize("key", lessons())
def test_enter_and_hint_say_what_to_type_and_why(key: str) -> None:
    at, console = begun(key)
    for step in read(key).steps:
        over = not step.typed and step == read(key).steps[-1]
        if step.typed:
            told = f"Type {step.typed}: {step.why}"
            assert step.why.endswith("."), step
            assert printed(console, "hint") == f"- {told}"
            with pytest.raises(RefusedError) as refused:
                console.enter("")
            assert str(refused.value) == told
        else:
            assert printed(console, "hint") == f"- {OVER if over else READ_ON}"
        if not over:
            console.enter(step.typed)
    assert printed(console, "hint") == "- The lesson is over: `quit` leaves."
    told = "lesson is over: `quit`" if at.result else "The game is not over yet"
    with pytest.raises(RefusedError, match=told):
        console.enter("again")


def test_another_move_than_the_lessons_is_answered_with_what_to_type() -> None:
    _, console = begun("fidchess")
    with pytest.raises(RefusedError, match=READ_ON):
        console.enter("b2 c4")
    console.enter("")
    with pytest.raises(RefusedError, match=r"A2-A3 is lawful, but not what this lesson shows\. Type b2 c4: the Oin"):
        console.enter("a2 a3")
    with pytest.raises(RefusedError, match="cannot reach"):
        console.enter("b2 b8")
    with pytest.raises(RefusedError, match="Nobody else sits here"):
        console.enter('"hello')


def test_the_log_of_a_card_game_calls_players_by_name_and_colours_are_suits_alone() -> None:
    _, console = begun("celtic-whist")
    for step in read("celtic-whist").steps[:-1]:
        console.enter(step.typed)
    told = printed(console, "log 999")
    for text in ("gwen bids 3.", "bot 3 takes the trick.", "bot 4 leads.", "bot 2 bid 1 and took 1"):
        assert text in told
    assert not re.search(r"White|Blue|Green|Yellow", told), told


def test_what_a_card_would_do_is_told_with_names_for_the_colours_of_seats() -> None:
    _, console = begun("celtic-whist")
    for step in read("celtic-whist").steps[:6]:
        console.enter(step.typed)
    assert "Y28            gwen takes the trick" in printed(console, "moves")
    assert [choice.meaning for choice in console.choices("k6")] == ["bot 3 takes the trick"]


def test_a_lesson_offers_no_command_that_needs_others_and_shows_earlier_positions() -> None:
    at, console = begun("fidchess")
    for line in ("", "b2 c4"):
        console.enter(line)
    told = printed(console, "help")
    assert not [name for name in ("draw", "resign", "adjourn", "say") if f"  {name} " in told], told
    console.enter("back 2")
    assert at.past(0) == at.game.start({"first": "1"}, 2)
    console.enter("forth")
    for step in read("fidchess").steps[2:-1]:
        console.enter(step.typed)
    assert "You may go on talking" not in "".join(text_of(line) for line in after(console.session, redraws=True))


def test_why_is_answered_in_a_lesson_too() -> None:
    async def ask() -> list[str]:
        (at, console), told, heard = begun("celtic-whist"), list[str](), asyncio.Event()
        console.enter("")
        at.listen(lambda notice: told.append(getattr(notice, "text", "")))
        at.listen(lambda notice: heard.set() if isinstance(notice, Note) else None)
        console.enter("why bid 2")
        async with asyncio.timeout(60):
            await heard.wait()
        await asyncio.sleep(0)
        return told

    told = asyncio.run(ask())
    assert any(re.match(r"bid 2\. It comes out in \d+ of \d+ deals played for exactly 2 tricks", one) for one in told)


def test_the_lesson_of_fidchell_says_how_high_a_window_shows_the_board_round() -> None:
    """At 80x24 the words leave too few rows for that."""
    rows = int(re.search(r"A window of (\d+) rows shows", read("fidchell").steps[0].text)[1])  # type: ignore[index]
    at, console = begun("fidchell")
    lowest = []
    for step in read("fidchell").steps:
        used = terminal.FURNITURE + len(wrap(row(f" {at.guide.text}"), 79))
        round_at = (rows for rows in range(24, 40) if "A B C" not in shown(console, rows - used))
        lowest.append(next(round_at))
        if step.typed or at.guide.text.endswith("Enter goes on."):
            console.enter(step.typed)
    assert max(lowest) == rows


def shown(console: Console, rows: int) -> str:
    return "\n".join(map(text_of, console.board(80, rows)))


def test_what_to_do_stands_below_the_board_all_the_time() -> None:
    async def play() -> None:
        at = table("fidchell")
        with opened() as window:
            shown = asyncio.create_task(terminal.run(at, SETTINGS))
            await window.shows("1/12: This is Fidchell", "Enter goes on.", "FIDCHELL")
            await window.types(ENTER)
            await window.shows("2/12: A field is section")
            await window.types("1c1" + ENTER)
            await window.shows("3/12: Green sits beside the king")
            assert window.text.count("3/12:") == 1, "it stands below the board and is not printed above it as well"
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
    assert "There is no lesson of Fidchess Qenqe: there are fidchess." in capsys.readouterr().err


if sys.platform != "win32":
    from real_terminal import RealTerminal

    def test_line_by_line_words_are_not_broken_in_a_narrow_terminal(tmp_path: Path) -> None:
        words = ["learn", "fidchess", "--plain", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words], 40, 200)
        try:
            at.shows("1/9: This is Fidchess.")
            at.types("\r")
            steps = [step.text for step in read("fidchess").steps[:2]]
            at.until(lambda: steps[1] in " ".join(at.text.split()))  # what is typed before would stand among it
            at.types("help\r")
            at.until(
                lambda: COMMANDS["quit"].meaning in " ".join(at.text.split())
            )  # its last line, for the same reason
            at.agrees("quit")
            assert at.ends() == 0
            told = " ".join(at.text.split())
            for text in (*steps, COMMANDS["moves"].meaning):
                assert text in told
            assert max(map(len, at.text.splitlines())) < 40
        finally:
            at.close()

    def test_a_lesson_line_by_line(tmp_path: Path) -> None:
        words = ["learn", "fidchess", "--plain", "--home", str(tmp_path), "--name", "lea"]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words])
        try:
            at.shows("1/9: This is Fidchess.")
            at.types("who\r")
            at.shows("lea (you)")
            at.types("\r")
            at.shows("2/9: One disk, an Oin")
            at.types("b2 c4\r")
            at.shows("Yellow moves an Oin from B2 to C4.", "3/9: Green came within a jump.")
            at.agrees("quit")
            assert at.ends() == 0
        finally:
            at.close()
