"""Which commands are offered at each kind of table, by Tab and by `help`, and why the others are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from help_lines import commands_in
from local_tables import table_of
from net_tables import NAMES, Room, room_without
from onlookers import ALL, Onlooker

from engine import all_games
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.faults import TOLD
from p2p_stonehenge.table.lesson import LessonTable, read
from p2p_stonehenge.table.session import RefusedError, Session
from protocol import Fault, Watchers, Watching

TALK = Watching(Watchers.EVERYBODY, 0, 1)
EVERYWHERE = "look last log back forth board more position who view rules help quit"
Sit = Callable[[Path], Console]
"""Sits down at a table that is kept in a folder."""


def at(table: Session) -> Console:
    table.stays = True
    return Console(table, Settings(), "ascii", redraws=False)


def on_one_computer(key: str = "fidchess", people: tuple[int, ...] = (1,), *, over: bool = False) -> Sit:
    def sit(folder: Path) -> Console:
        table = table_of(folder, key, people)
        table.begin()
        if over:
            table.play(1, "A2-A3")
            table.play(2, "resign")
        return at(table)

    return sit


def lesson(_: Path) -> Console:
    return at(LessonTable(all_games()["fidchess"], read("fidchess"), "gwen"))


def among_peers(players: int, watching: Watching = ALL, *, over: bool = False) -> Sit:
    def sit(folder: Path) -> Console:
        room = Room(folder, names=NAMES[:players], watching=watching)
        if over:
            end(room)
        return at(room.tables[1])

    return sit


def end(room: Room) -> None:
    room.play()
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")


def proposed(folder: Path) -> Console:
    room = room_without(folder, 3, seats=4)
    room.wait(60)
    room.agree_to(1, "without cara")
    return at(room.tables[2])


def left_behind(folder: Path) -> Console:
    room = room_without(folder, 2)
    room.wait(60)
    room.agree_to(1, "without ben")
    room.agree_to(3, "agree")
    room.away.clear()
    for other in (1, 3):
        room.reconnect(2, other)
        room.reconnect(other, 2)
    room.wait(10)
    assert not room.tables[2].still_playing
    return at(room.tables[2])


def resumed(folder: Path) -> Console:
    room = Room(folder, names=NAMES[:2])
    room.leave(1)
    room.leave(2)
    room.come_back(1)
    return at(room.tables[1])


def watching(by: Watching = ALL, *, over: bool = False) -> Sit:
    def sit(folder: Path) -> Console:
        room = Room(folder, names=NAMES[:2], watching=by)
        one = Onlooker(room)
        if over:
            end(room)
        one.wait(2)
        assert one.table
        return at(one.table)

    return sit


TABLES: dict[str, tuple[Sit, str]] = {
    "a bot": (on_one_computer(), "moves say hint why threats flip draw takeback resign"),
    "a bot, over": (
        on_one_computer(over=True),
        "moves say hint why threats flip draw takeback resign result analyse again",
    ),
    "one keyboard": (on_one_computer(people=(1, 2)), "moves say hint why threats flip draw takeback resign"),
    "cards": (on_one_computer("celtic-whist"), "moves hand played say hint why resign"),
    "lesson": (lesson, "moves hint why threats flip"),
    "two peers": (among_peers(2), "moves words say flip draw takeback resign adjourn"),
    "three peers": (among_peers(3), "moves words say flip draw takeback resign without adjourn"),
    "peers who hear spectators": (among_peers(2, TALK), "moves words say mute flip draw takeback resign adjourn"),
    "peers, over": (
        among_peers(2, over=True),
        "moves words say flip draw takeback resign adjourn result analyse again",
    ),
    "proposed": (proposed, "moves words say flip draw takeback resign without agree adjourn"),
    "left behind": (left_behind, "moves words say flip draw takeback resign adjourn"),
    "resumed": (resumed, "moves words say flip draw takeback resign newest adjourn"),
    "watching": (watching(), "words flip"),
    "watching, heard": (watching(TALK), "words say flip"),
    "watching, over": (watching(over=True), "words flip result again"),
}
"""How one sits down at each kind of table, and what is offered there besides EVERYWHERE."""

ONLY_PLAYERS = "You are watching: only players can do that."
NO_ADVICE = "There is advice only where you play alone, as at a `solo` table."
NOBODY_GONE = "Everybody at this table plays here: there is nobody to go on without."
NOT_OVER = "The game is not over yet: `again` plays another one after it."

REFUSALS = {
    "a bot": {
        "without 2": NOBODY_GONE,
        "agree": NOBODY_GONE,
        "newest": "Nobody has to be heard before this table goes on.",
        "mute": "Nobody who watches can talk here.",
        "words": "Everybody at this table plays here: there are no words to compare.",
        "played": "No cards are played in Fidchess.",
        "analyse": "`analyse` looks through a game that is over: type it then; `why` tells of the best move now.",
        "again": NOT_OVER,
    },
    "cards": {
        "flip": "There is no board here that could be turned round.",
        "threats": "Bots name no threats in Celtic Whist:",
    },
    "lesson": {"takeback": "Nothing is taken back here.", "say hello": "Nobody else sits here who could hear you."},
    "three peers": {
        "hint": NO_ADVICE,
        "why": NO_ADVICE,
        "threats": NO_ADVICE,
        "agree": TOLD[Fault.NOTHING_PROPOSED],
        "newest": "Nobody has to be heard before this table goes on.",
        "mute": "Nobody who watches can talk here.",
        "again": NOT_OVER,
    },
    "left behind": dict.fromkeys(("draw", "takeback", "resign", "without anna", "agree", "newest"), ONLY_PLAYERS)
    | {"moves": "You are watching: you may look and talk, not play."},
    "watching": dict.fromkeys(("draw", "takeback", "resign", "without anna", "agree", "newest"), ONLY_PLAYERS)
    | {
        "moves": "You are watching: you may look, not play.",
        "say hello": "You are watching: you may look, not play or talk.",
        "hint": NO_ADVICE,
        "mute": "Nobody who watches can talk here.",
        "again": NOT_OVER,
    },
    "watching, over": dict.fromkeys(("moves", "draw", "takeback", "resign", "agree", "newest"), "The game is over.")
    | {"analyse": "In a shell, "},
}
"""What is told at a table of a line that it refuses, or how that begins."""


@pytest.mark.parametrize("kind", TABLES)
def test_what_means_something_at_a_table_is_offered_there_and_nothing_else(kind: str, tmp_path: Path) -> None:
    sit, besides = TABLES[kind]
    console, expected = sit(tmp_path), {*EVERYWHERE.split(), *besides.split()}
    assert {name for name in COMMANDS if name in [one.text for one in console.choices(f"/{name}")]} == expected
    told = commands_in([text_of(line).rstrip() for line in console.enter("help")])
    assert told == expected - {"help", "more"}


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in REFUSALS.items() for line in lines])
def test_a_command_that_means_nothing_at_a_table_is_refused_with_the_reason(
    kind: str, line: str, tmp_path: Path
) -> None:
    with pytest.raises(RefusedError) as caught:
        TABLES[kind][0](tmp_path).enter(line)
    assert str(caught.value).startswith(REFUSALS[kind][line])


def test_each_command_is_obeyed_by_the_console(tmp_path: Path) -> None:
    assert {*on_one_computer()(tmp_path)._does} == {*COMMANDS, "yes", "no", ""}
