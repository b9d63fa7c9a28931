"""`analyse` at a table whose game is over: what it tells, and that prompt and players go on meanwhile."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from local_tables import notes, table_of
from net_tables import NAMES, Room
from onlookers import ALL, Onlooker
from window import CTRL_C, CTRL_D, ENTER, SETTINGS, opened

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.analysis import Played
from p2p_stonehenge.bots.thought import Running
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen import analysing, plain, terminal
from p2p_stonehenge.screen.analysing import Analysis
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import RefusedError
from protocol import Exit

MOVES = ("D2-D3", "A7-A6", "D3-D4", "A6-A5", "D4-C6", "B8-A6", "C6-B8", "D7-D6", "B8xA8")
"""A game of Fidchess that Yellow wins."""
WARNED = "This can take minutes: `analyse club` is several times as quick, and sees less."


def won(folder: Path, key: str = "fidchess") -> LocalTable:
    """A table of one player at which a game is over, and that stays open."""
    table = table_of(folder, key)
    table.stays = True
    table.begin()
    for seat, move in enumerate(MOVES):
        table.play(seat % 2 + 1, move)
    return table


def give_up_after(table: LocalTable, actions: int) -> None:
    """Play the first lawful action so many times; then the player resigns, and the table stays open."""
    table.stays = True
    table.begin()
    for _ in range(actions):
        seat = table.turn
        table.play(seat, table.game.legal(table.seen_by(seat), seat)[0])
    table.play(1, "resign")


def told_at(table: Any, line: str) -> list[str]:
    """What a player reads after typing a line at a table of any kind, but for what is said at once."""

    async def evening() -> list[str]:
        told, console = notes(table), Console(table, Settings(), "ascii")
        console.enter(line)
        await console.advised()
        return told

    return asyncio.run(evening())


def told_in_a_shell(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["analyse", str(path), "--level", "casual"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_at_the_table_the_same_is_told_as_in_a_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = won(tmp_path)
    told = told_at(table, "analyse casual")
    assert told[0].startswith("anna 1: 5 choices, ")
    assert told_in_a_shell(table.path, capsys) == " ".join(["Fidchess: anna 1, bot 2", *told])


def test_a_level_that_is_named_while_a_bot_looks_through_takes_the_place_of_the_other(tmp_path: Path) -> None:
    """Who does not want to wait any longer typed the quicker command, as it was offered, and was told to end it."""
    table = won(tmp_path)

    async def evening() -> list[str]:
        told, console = notes(table), Console(table, Settings(), "ascii")
        console.enter("analyse master")
        with pytest.raises(RefusedError, match="Analysing: 0%; `analyse off` ends that"):
            console.enter("analyse")
        console.enter("analyse casual")
        await console.advised()
        return told

    assert [*asyncio.run(evening())] == told_at(table, "analyse casual")


def test_a_player_who_is_called_like_a_colour_is_told_by_that_name_here_too(tmp_path: Path) -> None:
    """Blue sits on the white seat: at the table the line about that player had the name of the other one."""
    table = table_of(tmp_path, "celtic-whist")
    table.names = ("Blue", "bot 2")
    give_up_after(table, 40)
    told = told_at(table, "analyse casual")
    assert re.match("Blue: .* choices", told[0])
    assert re.match("bot 2: .* choices", told[1])


def test_of_a_game_of_cards_without_a_whole_round_it_is_said_that_nothing_can_be_told(tmp_path: Path) -> None:
    """Every player had a choice: what it cost lies in hands that stay closed."""
    table = table_of(tmp_path, "celtic-whist")
    give_up_after(table, 4)
    broken_off = "No round was played to its end: what a choice cost in one broken off a bot cannot tell."
    assert told_at(table, "analyse casual")[0] == broken_off


def test_a_player_who_resigned_at_the_turn_of_another_is_named(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchess")
    table.stays = True
    table.begin()
    table.play(1, MOVES[0])
    table.play(1, "resign")
    assert table.turn == 0
    told = told_at(table, "analyse casual")
    assert f"{len(table.plies)}. anna 1 resigned: what that cost a bot cannot tell." in told


@pytest.mark.parametrize(("key", "actions"), [("celtic-whist", 40), ("kingamon", 12)])
def test_luck_is_told_from_skill_at_the_table_too(
    key: str, actions: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(tmp_path, key)
    give_up_after(table, actions)
    told = told_at(table, "analyse casual")
    assert "average ones." in told[0]
    if key == "celtic-whist":
        assert f"{len(table.plies)}. anna 1 resigned: what that cost a bot cannot tell." in told
    heading = f"{table.game.title}: anna 1, bot 2"
    assert told_in_a_shell(table.path, capsys) == " ".join([heading, *told])


def play_first_moves(room: Room, number: int) -> None:
    """Play as many moves, each the first that is lawful."""
    for _ in range(number):
        seat = room.tables[1].turn
        room.tables[seat].play(seat, room.tables[seat].game.legal(room.tables[seat].state, seat)[0])
        room.carry()


def test_friends_look_through_their_game_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    play_first_moves(room, 4)
    with pytest.raises(RefusedError, match=r"^`analyse` looks through a game that is over: type it then\.$"):
        room.console(1).enter("analyse")
    room.agree_to(room.tables[1].turn, "resign")
    for seat in (1, 2):
        told = told_at(room.tables[seat], "analyse casual")
        assert told_in_a_shell(room.journals[seat].path, capsys) == " ".join(["Fidchess: anna, ben", *told])


def test_who_watches_reads_where_a_game_is_looked_through(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    onlooker = Onlooker(room)
    assert onlooker.table
    with pytest.raises(RefusedError, match="looks through a game that is over: type it then"):
        onlooker.console.enter("analyse")
    play_first_moves(room, 2)
    room.agree_to(room.tables[1].turn, "resign")
    onlooker.wait(2)
    with pytest.raises(RefusedError, match=f"In a shell, `p2p-stonehenge analyse {onlooker.table.short_id}` looks"):
        onlooker.console.enter("analyse")


class Looking:
    """A bot that looks through a game as far as it `may`, and then waits until it may not go on."""

    def __init__(self) -> None:
        self.may = threading.Semaphore(0)
        self.ended = threading.Event()

    def __call__(self, _game: object, entries: list[Any], _level: int, running: Running) -> Iterator[Played]:
        try:
            for entry in entries:
                while not self.may.acquire(timeout=0.01):
                    if not running():
                        return
                yield Played(entry.number, entry.actor, entry.action, entry.action, "", 0.0)
        finally:
            self.ended.set()


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Looking:
    looking = Looking()
    monkeypatch.setattr(analysing, "judged", looking)
    return looking


@pytest.mark.parametrize("stops", [CTRL_C, "analyse off" + ENTER])
def test_the_prompt_goes_on_while_a_game_is_looked_through(bot: Looking, stops: str, tmp_path: Path) -> None:
    async def evening() -> None:
        with opened() as window:
            shown = asyncio.create_task(terminal.run(won(tmp_path), SETTINGS))
            await window.shows("again or quit>", "`analyse` tells where the game turned.")
            await window.types("analyse" + ENTER)
            await window.shows(WARNED[:60], "Ctrl-C ends the analysis.", " analysing: 0%")
            bot.may.release(3)
            await window.shows(" analysing: 33%")
            await window.types("look A1" + ENTER)
            await window.shows("A1 holds Yellow's Rigant")
            await window.types("analyse" + ENTER)
            await window.shows("Analysing: 33%; `analyse off` ends that.")
            await window.types("x" + CTRL_C + stops)
            await window.shows(" Stopped.")
            await window.shows(" the game is over ")
            assert bot.ended.wait(60)
            assert "choices" not in window.written
            await window.types("analyse" + ENTER)
            bot.may.release(len(MOVES))
            await window.shows("- anna 1: 5 choices, 5 as good as the bot's.")
            await window.types(CTRL_D)
            await shown

    asyncio.run(evening())


def test_how_far_it_is_fits_a_narrow_window(bot: Looking, tmp_path: Path) -> None:
    async def evening() -> None:
        with opened() as window:
            window.screen.resize(24, 40)
            shown = asyncio.create_task(terminal.run(won(tmp_path), SETTINGS))
            await window.shows("again or quit>")
            await window.types("analyse club" + ENTER)
            bot.may.release(3)
            await window.until(lambda: window.line(" analysing: 33% ").endswith("Enter: again  quit"))
            await window.types(CTRL_D)
            await shown

    asyncio.run(evening())


def test_who_leaves_does_not_wait_for_the_end_of_the_look(bot: Looking, tmp_path: Path) -> None:
    async def evening() -> None:
        with opened() as window:
            shown = asyncio.create_task(terminal.run(won(tmp_path), SETTINGS))
            await window.shows("again or quit>")
            await window.types("analyse" + ENTER)
            await window.shows(" analysing: 0%")
            await window.types("again" + ENTER)
            await shown
            assert await asyncio.to_thread(bot.ended.wait, 60)

    asyncio.run(evening())


def test_line_by_line_the_player_asks_how_far_it_is(
    bot: Looking, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = won(tmp_path)

    async def evening() -> None:
        console = Console(table, Settings(), "ascii", redraws=False)
        (told,) = console.enter("analyse")
        assert text_of(told) == f"- {WARNED} `analyse` tells how far it is, `analyse off` ends it."
        with pytest.raises(RefusedError, match="Analysing: 0%; `analyse off` ends that"):
            console.enter("analyse")
        assert list(map(text_of, console.enter("analyse off"))) == ["- Stopped."]
        await console.advised()
        with pytest.raises(RefusedError, match=r"^No game is being looked through\.$"):
            console.enter("analyse off")

    async def typed() -> AsyncIterator[str]:
        yield "analyse club"
        yield "quit"

    asyncio.run(evening())
    bot.may.release(len(MOVES))
    asyncio.run(plain.run(table, Settings(), typed()))
    assert "\nanna 1: 5 choices, 5 as good as the bot's.\n" in capsys.readouterr().out, "the next line waits"


def test_only_a_game_with_moves_is_looked_through_and_only_by_a_level_that_there_is(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchess")
    table.stays = True
    table.begin()
    console = Console(table, Settings(), "ascii")
    with pytest.raises(RefusedError, match="type it then; `why` tells of the best move now"):
        console.enter("analyse")
    assert "analyse" not in [choice.text for choice in console.choices("a")]
    table.play(1, "resign")
    assert isinstance(table, TableSession)
    with pytest.raises(RefusedError, match="No move was played that could be looked at"):
        console.enter("analyse")
    console = Console(won(tmp_path / "won"), Settings(), "ascii")
    assert "analyse" in [choice.text for choice in console.choices("a")]
    for line in ("analyse grandmaster", "analyse 6", "analyse random"):
        with pytest.raises(RefusedError, match=r"the level of a bot: 1 \(learner\), .*5 \(master\)"):
            console.enter(line)
    with pytest.raises(RefusedError, match="did you mean `analyse`"):
        console.enter("analyze")


@pytest.mark.parametrize(
    ("exit", "told"),
    [
        (Exit.LEFT_BEHIND, "anna was left behind."),
        (Exit.OUT_OF_TIME, "anna ran out of time."),
        (Exit.BREACH, "anna broke the rules."),
    ],
)
def test_who_did_not_resign_has_chosen_nothing(exit: Exit, told: str, tmp_path: Path) -> None:
    table = table_of(tmp_path, "qenqe", (1,), 3)
    table.begin()
    table.play(1, "resign")
    log = table.table.fold.log
    log[-1] = log[-1]._replace(exit=exit)
    lines = Analysis(SavedGame(table.table), ["anna", "ben", "cleo"], 1).lines(lambda: True, lambda _: None)
    assert lines[-1] == f"{len(log):4}. {told}"
    assert not any("resigned" in line or line.startswith("anna") for line in lines)
