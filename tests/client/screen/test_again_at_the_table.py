"""Another game, asked for at the table where one is over: what Enter does, what is asked first, who sits where."""

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fake_table import FakeTable, Staying
from friends import CARA, over
from net_tables import Room
from saved_games import ANNA
from window import ENTER, SETTINGS, Window, opened

from engine import all_games
from p2p_stonehenge.cli.solo import following
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.screen.at_the_end import after
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.another_game import GONE_AFTER, STAYS_AFTER, AnotherGame
from p2p_stonehenge.table.session import After, AskedFirst, RefusedError
from protocol import LOCAL, Join, Seat, Table, local_charter, make_body, message_bytes


def test_again_and_result_are_for_games_that_are_over() -> None:
    table = Staying("fidchess", first=1)
    at = Console(table, Settings(), "ascii")
    with pytest.raises(RefusedError):
        at.enter("again")
    assert not [choice for choice in at.choices("ag") if choice.text == "again"]
    table.act(1, "resign")
    assert [choice.text for choice in at.choices("ag")] == ["again"]
    assert text_of(at.enter("result")[0]) == "You lost to ben by resignation."
    assert at.prompt() == "again or quit> "
    at.enter("")
    assert (table.asked, at.leaving) == (1, True)


def test_among_friends_talk_goes_on_and_another_game_says_how() -> None:
    table = FakeTable("fidchess", first=1)
    table.stays = True
    table.act(1, "resign")
    at = Console(table, Settings(), "ascii")
    assert at.prompt() == "over> "
    assert at.enter("") == []
    assert not at.leaving
    with pytest.raises(RefusedError, match="one of you hosts it"):
        at.enter("again")
    at.enter('"well played')
    at.enter("log")
    at.enter("quit")
    assert at.leaving


def test_enter_plays_again_also_where_a_refused_line_stands_selected() -> None:
    async def play() -> None:
        table = Staying("fidchess", first=1)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            table.act(1, "resign")
            await window.shows("again or quit>", "`again`: another game, sides changed.", "Enter shows")
            await window.types("zzz" + ENTER)
            await window.shows("again or quit> zzz", "Enter: again")
            await window.types(ENTER)
            await asyncio.wait_for(shown, 60)
            assert table.asked == 1

    asyncio.run(play())


def played_on(plies: int) -> Staying:
    """A game of Fidchess after so many moves, none of which captures."""
    table = Staying("fidchess", first=1)
    for _ in range(plies // 2):
        for seat in (1, 2):
            table.act(seat, next(one for one in table.game.legal(table.state, seat) if "-" in one))
    return table


async def plays_on_after_a_look(window: Window, table: Staying, shown: "asyncio.Task[None]") -> None:
    """Enter shows the board that a text covers, and only the next Enter plays again."""
    await window.types(ENTER)
    await window.shows("├──────┼", "Enter: again")
    assert table.asked == 0
    await window.types(ENTER)
    await asyncio.wait_for(shown, 60)
    assert table.asked == 1


@pytest.mark.parametrize("plies", [8, 40])
def test_what_enter_does_is_told_where_a_text_covers_the_board_at_the_end(plies: int) -> None:
    """It shows the board, and the line at the bottom says that only the next one plays again."""

    async def play() -> None:
        table = played_on(plies)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            await window.types("log" + ENTER)
            await window.shows("Enter shows the larger board")
            table.act(1, "resign")
            await window.shows("again or quit>", "Enter shows the larger board", "Enter twice: again")
            await plays_on_after_a_look(window, table, shown)

    asyncio.run(play())


@pytest.mark.parametrize("plies", [8, 40])
def test_enter_shows_the_board_first_where_a_text_covers_it(plies: int) -> None:
    """A text that is printed above the prompt, or one in the board's place: only the next Enter plays again."""

    async def play() -> None:
        table = played_on(plies)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            table.act(1, "resign")
            await window.shows("again or quit>", "Enter shows the larger board")
            await window.types(ENTER)
            await window.shows("again or quit>", "Enter: again")
            await window.types("log" + ENTER)
            await window.shows("Enter shows the larger board")
            await window.until(lambda: "Enter: again" not in window.text)
            await plays_on_after_a_look(window, table, shown)

    asyncio.run(play())


def test_at_the_table_again_asks_first_where_a_player_has_left(tmp_path: Path) -> None:
    room = over(tmp_path)
    table, at = room.tables[1], room.console(1)
    table.stays = True
    room.tables[2].stays = True
    room.tables[3].dismiss(0.0)
    room.carry()
    room.leave(3)
    (asked,) = room.type(1, "again")
    assert asked.startswith("cara has left")
    assert asked.endswith("Play again without cara? [y/N]")
    assert at.prompt() == "again? [y/N]> "
    room.type(1, "")
    assert (table.wants_again, at.leaving) == (False, False)
    room.agree_to(1, "again")
    assert (table.wants_again, at.leaving, {*table.plays_without}) == (False, False, {CARA.id}), "ben is awaited"
    room.agree_to(2, "again")
    assert (table.wants_again, table.closed, room.tables[2].wants_again) == (True, True, True)


def test_who_wants_to_play_again_waits_for_the_others_at_the_table(tmp_path: Path) -> None:
    """Board, chat and `analyse` are there until the next game begins, and two times Enter do no harm."""
    room = over(tmp_path)
    for table in room.tables.values():
        table.stays = True
    assert room.type(2, "again") == []
    (told,) = room.notes(2)[-1:]
    assert told == (
        "- You want to play again: waiting for Red (anna) and Blue (cara). You may go on talking; `quit` leaves"
        " the table."
    )
    table, at = room.tables[2], room.console(2)
    assert (table.wants_again, table.closed, at.leaving, at.prompt()) == (False, False, False, "over> ")
    assert "waiting for anna and cara to play again" in at.status()
    assert room.type(2, "") == []
    with pytest.raises(RefusedError, match=r"You want to play again already: waiting for Red \(anna\) and Blue"):
        at.enter("again")
    room.type(2, "say take your time")
    for word in ("n", "no", "y"):
        with pytest.raises(
            RefusedError, match=r"a command, not by `\w+`: `again` begins another game with Green \(ben\)"
        ):
            room.console(1).enter(word)
    room.type(1, "again")
    assert "- Red (anna) wants to play again, too." in room.notes(2)
    assert (table.wants_again, room.tables[1].wants_again) == (False, False)
    room.type(3, "again")
    assert [one.wants_again for one in room.tables.values()] == [True, True, True]
    assert table.plays_without == frozenset()


def test_where_the_last_one_who_was_awaited_leaves_the_others_play_again(tmp_path: Path) -> None:
    room = over(tmp_path)
    for table in room.tables.values():
        table.stays = True
    for operator in (1, 2):
        room.type(operator, "again")
    room.tables[3].dismiss(0.0)
    room.carry()
    assert [room.tables[one].wants_again for one in (1, 2)] == [True, True]
    assert room.tables[1].plays_without == frozenset(), "without cara? That is asked where the next game is formed"


def test_nobody_waits_elsewhere_for_another_game_that_nobody_else_wants(tmp_path: Path) -> None:
    room = over(tmp_path)
    for table in room.tables.values():
        table.stays = True
    room.type(1, "again")
    for other in (2, 3):
        room.tables[other].dismiss(0.0)
        room.carry()
        room.leave(other)
    table, at = room.tables[1], room.console(1)
    assert (table.wants_again, at.leaving, at.prompt()) == (False, False, "over> ")
    assert "There is nobody to play again with: `quit` leaves." in room.notes(1)[-1]


def test_a_player_who_was_out_of_reach_learns_who_wants_to_play_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at once: a program that has begun anew, and opens a table, would take that for the wish for a seat there."""
    room = over(tmp_path)
    everybody_stays(room)
    room.leave(3)
    room.agree_to(1, "again")
    room.come_back(3)
    table, wanted = room.tables[1], "anna wants to play again: `again`"
    table.look(back := table._presence.now())
    room.carry()
    assert wanted not in room.console(3).status()
    monkeypatch.setattr(table._presence, "now", lambda: back + STAYS_AFTER)
    table.look(back + STAYS_AFTER)
    room.carry()
    assert wanted in room.console(3).status()
    table.look(back + STAYS_AFTER)
    assert not room.mail, "once"


@pytest.mark.parametrize("wants", [True, False])
def test_nobody_is_left_out_who_wants_to_play_again_and_is_out_of_reach_now(tmp_path: Path, wants: bool) -> None:
    """As after this computer has slept while the others asked for another game."""
    room = over(tmp_path)
    table = room.tables[1]
    table.stays = True
    for other in (2, 3):
        if wants:
            room.tables[other].again()
            room.carry()
        table.roster.expect(other, 0.0)
    assert table.after().may_again == wants
    table.roster.arrive(2, 0.0)
    asked = ["cara not reached again. Play again without cara? [y/N]"]
    assert room.type(1, "again") == ([] if wants else asked)
    assert (table.wants_again, table.plays_without) == (wants, frozenset())


class Deserted(Staying):
    """A table that is over and that one player has left."""

    def question(self, capability: AskedFirst, seat: int = 0) -> Any:
        asked = super().question(capability, seat)
        return asked._replace(text="ben left 3 s ago. Play again without ben?") if capability == "again" else asked


def test_the_question_stands_on_the_screen_though_the_result_does() -> None:
    """It took the place of the question: `again? [y/N]` said nothing of what the yes was for."""

    async def play() -> None:
        table: FakeTable = Deserted("fidchess", first=1)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows("move>")
            table.act(1, "resign")
            await window.shows("again or quit>", "You lost to ben by resignation.")
            await window.types("again\r")
            await window.shows("again? [y/N]>", "Play again without ben? [y/N]")
            await window.types("yes\r")
            await asyncio.wait_for(shown, 60)
            assert isinstance(table, Deserted)
            assert table.asked == 1

    asyncio.run(play())


def body(*names: str) -> list[str]:
    seats = tuple(Seat(ANNA.id, name, 1) for name in names)
    made = make_body(LOCAL, all_games()["qenqe"], {}, seats, bytes(16))
    last = Table(local_charter(made, ANNA, bytes(32)), {1: ANNA})
    return [seat.name for seat in following(last).seats]


def test_sides_are_changed_and_everybody_keeps_the_name() -> None:
    assert body("anna", "bot Brigid") == ["bot Brigid", "anna"]
    assert body("anna", "bot Brigid", "bot Conall") == ["bot Conall", "anna", "bot Brigid"]
    assert body("player 1", "player 2") == ["player 2", "player 1"]


def test_again_is_asked_no_more_and_says_why_where_the_player_is_back(tmp_path: Path) -> None:
    room = over(tmp_path)
    room.tables[1].stays = True
    cara = CARA.id
    room.tables[1].link(cara, up=False)
    assert room.type(1, "again")[0].endswith("Play again without cara? [y/N]")
    room.tables[1].link(cara, up=True)
    room.carry()
    (told,) = [text_of(line) for line in room.console(1).lapse()]
    assert told == "- `again` is not asked any more. All are here now: type `again`."


def test_where_the_sides_stay_the_end_of_a_game_does_not_say_that_they_change() -> None:
    table = Staying("fidchess", first=1)
    table.act(1, "resign")
    assert "another game, sides changed." in text_of(after(table, redraws=True)[-1])
    table.follows = After(may_again=True, sides_change=False)
    assert "another game, sides as now." in text_of(after(table, redraws=True)[-1])


@pytest.mark.parametrize(
    ("people", "clients", "change"), [((1,), "a", False), ((2,), "a", True), ((1,), "ab", True), ((2,), "ab", True)]
)
def test_among_bots_alone_the_first_seat_stays(people: tuple[int, ...], clients: str, change: bool) -> None:
    body = SimpleNamespace(clients=dict.fromkeys(clients))
    table: Any = SimpleNamespace(people=people, table=SimpleNamespace(charter=SimpleNamespace(body=body)))
    presence: Any = None
    assert AnotherGame(table, presence).sides_change is change


def test_the_line_at_the_bottom_says_who_wants_to_play_again(tmp_path: Path) -> None:
    """What is told of it above the board scrolls by."""
    room, told = over(tmp_path), "wants to play again: `again`"
    for table in room.tables.values():
        table.stays = True
    assert not [part for part in room.console(1).status() if told in part]
    room.type(2, "again")
    assert [f"ben {told}" in room.console(operator).status() for operator in (1, 2, 3)] == [True, False, True]
    room.type(3, "again")
    assert "ben and cara want to play again: `again`" in room.console(1).status()


def everybody_stays(room: Room) -> None:
    for table in room.tables.values():
        table.stays = True


def test_who_comes_back_before_the_next_game_plays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others read that they waited for that player, and left it out all the same."""
    room = over(tmp_path)
    everybody_stays(room)
    room.leave(3)
    room.agree_to(1, "again")
    assert {*room.tables[1].plays_without} == {CARA.id}
    room.come_back(3)
    room.tables[3].stays = True
    later = room.tables[1]._presence.now() + STAYS_AFTER
    monkeypatch.setattr(room.tables[1]._presence, "now", lambda: later)
    room.tables[1].look(later)
    room.type(2, "again")
    assert not room.tables[1].wants_again, "cara is awaited now"
    room.type(3, "again")
    assert [(table.wants_again, table.plays_without) for table in room.tables.values()] == [(True, frozenset())] * 3


def test_a_link_that_breaks_for_a_moment_takes_no_board_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = over(tmp_path)
    everybody_stays(room)
    for operator in (1, 2):
        room.type(operator, "again")
    table = room.tables[1]
    table.link(CARA.id, up=False)
    assert not table.wants_again
    later = table._presence.now() + GONE_AFTER
    monkeypatch.setattr(table._presence, "now", lambda: later)
    table.look(later)
    assert table.wants_again


def test_who_has_left_after_all_is_not_taken_into_another_game(tmp_path: Path) -> None:
    """The signatures under the result are still awaited then, and the others hear of it only behind these."""
    room = over(tmp_path)
    everybody_stays(room)
    room.type(1, "again")
    room.type(1, "quit")
    assert room.console(1).leaving
    room.tables[1].forgo()
    for operator in (2, 3):
        room.type(operator, "again")
    assert not room.tables[1].wants_again


def test_the_wish_for_another_game_reaches_nobody_who_is_not_at_the_table(tmp_path: Path) -> None:
    """A table that such a player opens elsewhere would take it for a guest."""
    room = over(tmp_path)
    everybody_stays(room)
    room.type(1, "again")
    room.leave(3)
    room.mail.clear()
    room.tables[1].link(CARA.id, up=True)
    assert not [data for _, peer, data in room.mail if peer == CARA.id and data == message_bytes(Join())]


def test_a_player_who_crashes_long_after_the_end_is_told_to_be_away(tmp_path: Path) -> None:
    """Nobody looked at the clock any more, so that this computer seemed to have slept."""
    room = over(tmp_path)
    everybody_stays(room)
    table = room.tables[1]
    clock = time.monotonic() + 600
    for seconds in range(3):
        table.look(clock + seconds)
    table.link(CARA.id, up=False)
    assert "Blue (cara) does not answer any more." in " ".join(room.notes(1))
    assert table.links() == "cara is away"
