"""The plain mode and what can be typed at a table: a sentence an event, nothing redrawn, pipes and their ends."""

import asyncio
import io
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from fake_table import FakeTable
from help_lines import commands_in
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from p2p_stonehenge.screen import plain
from p2p_stonehenge.screen.commands import COMMANDS, commands_at
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, Notice, Ply, RefusedError, Said
from p2p_stonehenge.text.output import charset, plain_wanted
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, fit

ROOT = Path(__file__).parents[3]
NOTHING = Settings()
SELDOM = (
    "analyse",
    "help",
    "takeback",
    "without",
    "agree",
    "newest",
    "again",
    "result",
    "hint",
    "why",
    "threats",
    "words",
    "hand",
    "played",
    "mute",
)
"""Commands that `help` leaves out where they mean nothing."""


async def typing(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def told(
    table: FakeTable,
    capsys: pytest.CaptureFixture[str],
    *lines: str,
    settings: Settings = NOTHING,
    meanwhile: Callable[[], None] = lambda: None,
) -> str:
    async def evening() -> None:
        sitting = asyncio.create_task(plain.run(table, settings, typing(*lines)))
        await asyncio.sleep(0)
        meanwhile()
        await asyncio.wait_for(sitting, 60)

    asyncio.run(evening())
    return capsys.readouterr().out


def test_an_event_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def meanwhile() -> None:
        table.act(2, "A7-A6")
        table.tell(Said("ben", "well\x1b[2J met"))
        table.tell(Note("ben is away"))
        table.tell(Note("ben plays foul", urgent=True))
        table.listen(answered)

    def answered(notice: Notice) -> None:
        if isinstance(notice, Ply) and notice.actor == 1:
            asyncio.get_running_loop().call_soon(table.act, 2, "resign")

    table = FakeTable("fidchess", first=2)
    assert told(table, capsys, "a2 a3", meanwhile=meanwhile).splitlines() == [
        "Fidchess, table 7f3a: Yellow (anna), Green (ben). Type help for help.",
        "Green moves an Oin from A7 to A6.",
        "ben says: well[2J met",
        "Note: ben is away",
        "Attention: ben plays foul",
        "Your turn: move.",
        "Yellow moves an Oin from A2 to A3.",
        "Green resigns.",
        "Yellow wins.",
        "You won by resignation.",
    ]


def test_no_name_makes_a_line_of_chat_look_like_one_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable("fidchess", first=2)
    table.names = ("anna", "Attention: CHEAT")
    said = Said(table.speaker(2), "Blue (dora) signed two versions of its event 5.")
    line = '"Attention: CHEAT" says: Blue (dora) signed two versions of its event 5.'

    def meanwhile() -> None:
        table.tell(said)
        table.act(2, "resign")

    assert line in told(table, capsys, meanwhile=meanwhile).splitlines()
    assert text_of(console(table).hear(said)[0]).startswith('"Attention: CHEAT": Blue')


def test_lines_wait_for_the_turn_and_their_end_leaves_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable("fidchess", people=(1, 2), first=1)
    out = told(table, capsys, "a2 a3", "d7 d6", "a3 b9", "b2 b3")
    assert [ply.action for ply in table.plies] == ["A2-A3", "D7-D6", "B2-B3"]
    assert "Not possible: 'a3 b9' is not a move" in out
    assert "Green (ben), your turn: move." in out
    assert out.splitlines()[-2:] == [
        "There is no more input and it is your turn: leaving the table.",
        "You have left the table.",
    ]


def test_who_types_by_hand_leaves_by_the_end_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-D, also while it is not the player's turn: no turn may come."""
    table = FakeTable("fidchess", first=2)
    asyncio.run(asyncio.wait_for(plain._Reader(table, NOTHING, patient=False).run(typing("last")), 60))
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "There is no more input: leaving the table.",
        "You have left the table.",
    ]


def test_the_game_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable("fidchess", people=(1, 2), first=1)
    out = told(table, capsys, "resign", "no", "resign", "yes", "board", settings=Settings(saved="here"))
    assert out.splitlines()[2:] == [
        "Give the game up for Yellow (anna)? It is lost then. [y/N]",
        "- Not done: `resign`.",
        "Give the game up for Yellow (anna)? It is lost then. [y/N]",
        "Yellow resigns.",
        "Green wins.",
        "ben won by resignation.",
        "The table is saved in",
        "here",
    ]


def test_who_leaves_need_not_wait_for_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """The table may wait for somebody who never comes back, and no turn comes either."""
    table = FakeTable("fidchess", first=2)
    assert "You have left the table" in told(table, capsys, "quit", "yes")
    table = FakeTable("fidchess", first=2)
    assert "You lost to ben by resignation." in told(table, capsys, "resign", "yes")


def test_a_line_that_is_refused_holds_up_nothing_that_is_typed_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever is gone has to be named once more after a refusal, and the player's own turn may never come."""
    table = FakeTable("fidchess", first=2)
    out = told(table, capsys, "newest", "yes", "without", "quit", "yes")
    assert out.splitlines()[1:4] == [
        "Not possible: Nobody has to be heard before this table goes on.",
        "Not possible: Nothing is asked of you now: `help` lists what you can type.",
        "Not possible: Write without NAME.",
    ]
    assert "You have left the table" in out


def test_newest_is_for_resumed_tables(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable("fidchess", people=(1, 2), first=1)
    out = told(table, capsys, "newest", "yes", "help")
    assert "Not possible: Nobody has to be heard before this table goes on." in out
    assert "Not possible: Nothing is asked of you now: `help` lists what you can type." in out
    assert "  newest" not in out
    assert not [choice for choice in console(table).choices("ne") if choice.text == "newest"]


def test_a_spectator_watches_on_when_the_lines_end(capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable("fidchess", people=(), first=1)

    async def lines() -> AsyncIterator[str]:
        yield "who"
        asyncio.get_running_loop().call_soon(table.act, 1, "resign")

    asyncio.run(asyncio.wait_for(plain.run(table, NOTHING, lines()), 60))
    out = capsys.readouterr().out
    assert "  Yellow  anna  to move" in out
    assert out.endswith("Yellow resigns.\nGreen wins.\nben won by resignation.\n")


@pytest.mark.parametrize(("board", "shown"), [("asked", False), ("drawn", True), ("told", True)])
def test_the_board_is_shown_at_ones_turn_only_if_wanted(
    board: str, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    out = told(FakeTable("fidchess", first=1), capsys, settings=Settings(board=board))
    assert ("GR" in out or "Rigant on A8" in out) == shown
    assert out.isascii()


def console(table: FakeTable) -> Console:
    return Console(table, Settings(), "ascii", redraws=False)


def answer(table: FakeTable, line: str) -> str:
    return "\n".join(text_of(part).rstrip() for part in console(table).enter(line))


def test_commands_answer() -> None:
    table = FakeTable("fidchess", first=1).replay("A2-A3", "A7-A6")
    assert "B2-C4          moves an Oin from B2 to C4" in answer(table, "moves b2")
    assert "  B1  B1" in answer(table, "moves")
    assert answer(table, "look b1") == "B1 holds Yellow's Teth, 3 disks."
    assert answer(table, "/la") == "   2  A7-A6    Green moves an Oin from A7 to A6."
    assert answer(table, "log 1") == answer(table, "last")
    assert answer(table, "log").count("\n") == 1
    assert answer(table, "board").splitlines()[1].startswith(" 8    GR     G3")
    assert answer(table, "pos").endswith("Yellow is to move.")
    assert answer(table, "who") == "  Yellow  anna (you)  to move\n  Green   ben"
    assert commands_in(answer(table, "help").splitlines()) == {*COMMANDS} - {*SELDOM, "more"}
    assert "AIM" in answer(table, "rules")
    assert answer(table, "rules promotion").startswith("PROMOTION")
    for line, why in (
        ("look", "Write `look` and a place, as in `look a1`."),
        ("log x", "Write log and a number"),
        ("moves z9", "No move begins with z9."),
        ("rules zzz", "The rules have no topic zzz: there are aim, "),
        ("rules promotoin", "The rules have no topic promotoin: did you mean `promotion`?"),
        ("/zzz", "There is no command zzz"),
        ("/", "A command follows the slash"),
        ("l", "l could mean look, last or log."),
        ("zzz", "'zzz' is not a move"),
        ("a6 a5", "The Oin on A6 belongs to Green."),
    ):
        with pytest.raises(RefusedError, match=re.escape(why)):
            console(table).enter(line)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("fidchess", "`rules moves` explains its pieces"),
        ("kingamon", "`rules moving` explains its pieces"),
        ("celtic-whist", "`rules cards` explains its cards"),
    ],
)
def test_help_says_which_topic_of_the_rules_explains_the_names_of_pieces(key: str, told: str) -> None:
    """Oin, Duo and Teth stand in each list of moves."""
    assert f"the rules of the game; {told}" in answer(FakeTable(key), "help")


@pytest.mark.parametrize(("redraws", "needless"), [(True, "board"), (False, "more")])
@pytest.mark.parametrize("key", ["fidchess", "celtic-whist"])
def test_help_and_tab_name_every_command_that_means_something_here(key: str, redraws: bool, needless: str) -> None:
    table = FakeTable(key)
    console = Console(table, Settings(), "ascii", redraws=redraws)
    lines = [text_of(line).rstrip() for line in console.enter("help")]
    assert max(map(len, lines)) < 80
    assert len(lines) <= 24 - FURNITURE
    named = commands_in(lines)
    offered = {command for command in COMMANDS if command in [one.text for one in console.choices(command)]}
    assert named == offered - {"help", needless} == {*commands_at(table)} - {"help", needless}


def test_a_move_wins_over_a_command_unless_that_is_written_in_full() -> None:
    table = FakeTable("kingamon", first=1, cube=True).replay("6-5", "3/9", "3/8")
    table.people = (2,)
    assert console(table).refuse("r") == "", "it is `roll`, though `r` begins `rules` too"
    for word, ways in (("d", "`draw` or `double`"), ("do", "`double`"), ("doubl", "`double`")):
        assert console(table).refuse(word) == f"Write {ways} in full: what binds you has no short form."
    console(table).enter("double")
    table.people = (1,)
    assert console(table).refuse("dr").startswith("Write `draw` or `drop` in full")
    console(table).enter("take")
    assert table.plies[-1].action == "take"
    table.replay("4-3")
    table.people = (2,)
    console(table).enter("b 26")  # a move from the bar, though `b` might begin `board`
    assert table.plies[-1].action == "Kbar/26"
    at = console(table)
    at.enter("draw")
    assert table.draws == set()
    at.enter("yes")
    assert table.draws == {2}
    at.enter("draw off")
    assert table.draws == set()


def test_a_game_that_has_ended_before_the_screen_began_is_told_as_over(capsys: pytest.CaptureFixture[str]) -> None:
    """Another player resigned while this client sat down."""
    table = FakeTable("fidchess", first=2)
    table.stays = True
    table.act(2, "resign")
    assert told(table, capsys, "quit").count("`result` tells more, `quit` leaves the table.") == 1


def test_the_end_is_told_again_where_the_first_one_proved_to_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    """Two versions of an event had ended the game, as it seemed, and all others had played on."""
    table = FakeTable("fidchess", first=2)
    table.stays = True

    def meanwhile() -> None:
        before = table.now
        table.act(2, "resign")
        table.tell(Note("ben has left"))
        table.now = before
        table.tell(Note("The game goes on"))
        table.act(2, "A7-A6")
        table.act(1, "resign")

    out = told(table, capsys, "quit", meanwhile=meanwhile)
    assert out.count("`result` tells more, `quit` leaves the table.") == 2
    assert out.index("You won by resignation.") < out.index("The game goes on") < out.index("You lost")


@pytest.mark.parametrize("line", ["q", "exit", "Leave", "/q", "quit"])
def test_a_table_is_left_by_the_words_that_leave_pages(line: str) -> None:
    on_turn = Console(FakeTable("celtic-whist", players=3), Settings(), "ascii", redraws=False)
    on_turn.enter(line)
    assert on_turn.questions.open, "it asks first"


def test_what_one_may_type_out_of_turn() -> None:
    table = FakeTable("fidchess", first=2)
    assert console(table).refuse("a2 a3") == "Not your turn: ben."
    assert console(table).refuse("moves").strip() == ""
    with pytest.raises(RefusedError, match=r"^Not your turn: ben\.$"):
        console(table).enter("moves")
    assert answer(table, "look a1") == "A1 holds Yellow's Rigant."
    console(table).enter("say hello")
    table.people = ()
    for line in ("draw", "resign"):
        with pytest.raises(RefusedError, match="watching"):
            console(table).enter(line)
    table.people = (1, 2)
    table.now = table.game.start({}, 2)
    with pytest.raises(RefusedError, match="Wait until"):
        console(table).enter("resign")


def test_a_slip_is_answered_in_few_words(capsys: pytest.CaptureFixture[str]) -> None:
    async def types() -> None:
        reader = plain._Reader(FakeTable("fidchess", first=2), NOTHING, patient=False)
        for line in ("a2 a3", "yes"):
            reader._enter(line)

    asyncio.run(types())
    slip, other = capsys.readouterr().out.splitlines()
    assert slip == "Not your turn: ben."
    assert other.startswith("Not possible: Nothing is asked of you now")


def test_the_turn_is_told_with_the_time_that_is_left_on_the_clock(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = FakeTable("fidchess", first=1)
    assert "Your turn: move.\n" in told(table, capsys)
    monkeypatch.setattr(FakeTable, "clock", lambda _table, seat: 58 if seat == 1 else 7)
    assert "Your turn: move. 58 s left.\n" in told(FakeTable("fidchess", first=1), capsys)


def test_of_many_moves_it_is_told_first_how_to_ask_for_few() -> None:
    first, *more = answer(FakeTable("fidchess", first=1), "moves").splitlines()
    assert first == "  `moves A2` lists those of A2, with what each does."
    assert more[0].startswith("  A2  A2-A3")
    assert "moves A2" not in "".join(more)


def test_choices_continue_what_is_typed() -> None:
    table = FakeTable("fidchess", first=1)
    at = console(table)
    starts = at.choices("")
    assert {choice.text for choice in starts} >= {"A2", "C1", "B1"}
    assert all(choice.meaning.endswith(" moves") or len(choice.text) > 2 for choice in starts)
    assert {choice.text for choice in at.choices("C2")} == {
        action for action in table.game.legal(table.state, 1) if action.startswith("C2")
    }
    assert [choice.text for choice in at.choices("c2 c")] == ["C2+C1", "C2-C3"]
    assert [tuple(choice) for choice in at.choices("prom")] == []
    assert [choice.text for choice in at.choices("/fl")] == ["flip"]
    assert {"log", "look"} <= {choice.text for choice in at.choices("lo")}


@limits(deadline=None, max_examples=150)
@given(st.text(max_size=40), st.sampled_from(["fidchess", "kingamon"]), st.booleans())
def test_no_line_breaks_the_console(line: str, key: str, turn: bool) -> None:
    table = FakeTable(key, people=(1,), first=1 if turn else 2)
    if key == "kingamon":
        table.replay("6-5")
    at = console(table)
    list(at.choices(line))
    if at.refuse(line) == "":
        with suppress(RefusedError):
            assert all(text_of(part).isprintable() for part in at.enter(line))


@given(st.text())
def test_safe_text_cannot_drive_a_terminal(text: str) -> None:
    assert safe(text).isprintable()
    assert len(safe(text)) <= 400
    assert cells(fit(safe(text), 20)) == 20


def test_what_the_terminal_is_trusted_with() -> None:
    class Out(io.StringIO):
        encoding = "UTF-8"

    class Old(io.StringIO):
        encoding = "latin-1"

    assert charset("auto", {"TERM": "xterm"}, Out()) == "unicode"
    assert charset("auto", {"TERM": "linux"}, Out()) == "ascii"
    assert charset("auto", {"TERM": "xterm"}, Old()) == "ascii"
    assert charset("unicode", {"TERM": "dumb"}, Old()) == "unicode"
    assert plain_wanted({"TERM": "dumb"})


SCRIPT = """
import asyncio
from fake_table import FakeTable
from p2p_stonehenge.screen import plain
from p2p_stonehenge.storage.settings import Settings
asyncio.run(plain.run(FakeTable("fidchess", people={people}, first=1), Settings()))
"""


def started(people: tuple[int, ...], stdin: int) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parents[1]}"}
    command = [sys.executable, "-c", SCRIPT.format(people=people)]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)


def test_standard_input_may_be_a_pipe() -> None:
    with started((1, 2), subprocess.PIPE) as process:
        out, _ = process.communicate("a2 a3\nsay zoë\nd7 d6".encode(), timeout=60)
    assert process.returncode == 0
    assert b"anna says: zo" in out
    assert b"Green moves an Oin from D7 to D6." in out


def test_leaving_does_not_wait_for_standard_input() -> None:
    with started((1, 2), subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"quit\nyes\n")
        process.stdin.flush()
        assert process.wait(30) == 0  # though the pipe is still open
        process.stdin.close()
