"""How a game ended is told from the side of whoever plays: won, lost or drawn, with why and by how much."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from fake_table import FakeTable
from local_tables import table_of
from window import SETTINGS

from engine import Over, Result, Turn, all_games, points_reached
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.cli.play import print_until_over
from p2p_stonehenge.screen.at_the_end import farewell
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.endings import outcome, outcome_of
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note

TWO, THREE = ("anna", "ben"), ("anna", "ben", "cara")
WHIST = all_games()["celtic-whist"]
OFF, TIMER, REACHED = "all pieces borne off", "the timer reached 30", points_reached(WHIST.goal)


@pytest.mark.parametrize(
    ("result", "viewers", "labels", "told"),
    [
        (Result((1,), (2, 0), OFF), (1,), TWO, "You won: all pieces borne off, 2 points."),
        (Result((1,), (2, 0), OFF), (2,), TWO, "You lost to anna: all pieces borne off, 2 points."),
        (Result((1,), (1, 0), "Rigant captured"), (1,), TWO, "You won: Rigant captured."),
        (Result((2,), (0, 1), "resigned"), (1,), TWO, "You lost to ben by resignation."),
        (
            Result((1,), (3, 3, 2), "resigned"),
            (1,),
            THREE,
            "You won by resignation; the points stood at you 3, ben 3 and cara 2.",
        ),
        (
            Result((2,), (3, 0), "resigned"),
            (2,),
            TWO,
            "You won by resignation; the points stood at anna 3 and you 0.",
        ),
        (Result((1,), (5, 3, 2), "resigned"), (1,), THREE, "You won by resignation, 5 points to 3 and 2."),
        (Result((), (0, 0), "draw agreed"), (1,), TWO, "Drawn by agreement."),
        (Result((), (0, 0), "nobody can move"), (), TWO, "Drawn: nobody can move."),
        (
            Result((3,), (22, 27, 31), REACHED),
            (3,),
            THREE,
            "You reached 30 points first and won, 31 to 27 and 22.",
        ),
        (Result((2,), (14, 30), REACHED), (), TWO, "ben reached 30 points first and won, 30 to 14."),
        (Result((2,), (14, 30), REACHED), (1,), TWO, "You lost to ben, who reached 30 points first, 30 to 14."),
        (Result((2,), (31, 33), REACHED), (2,), TWO, "You won with the most points, 33 to 31."),
        (Result((2,), (31, 33), REACHED), (1,), TWO, "You lost to ben, who had the most points, 33 to 31."),
        (Result((1, 3), (1, 0, 1), "Rigant captured"), (1,), THREE, "You and cara won: Rigant captured."),
        (Result((1, 3), (1, 0, 1), "Rigant captured"), (2,), THREE, "You lost to anna and cara: Rigant captured."),
        (Result((1,), (2, 0), OFF), (1, 2), TWO, "anna won: all pieces borne off, 2 points."),
        (Result((1,), (2, 0), OFF), (), TWO, "anna won: all pieces borne off, 2 points."),
    ],
)
def test_each_sees_how_it_went_for_itself(
    result: Result, viewers: Sequence[int], labels: Sequence[str], told: str
) -> None:
    assert outcome(result, viewers, labels, goal=WHIST.goal) == told


@pytest.mark.parametrize(
    ("result", "viewers", "labels", "team", "told"),
    [
        (Result((), (24, 24, 24), TIMER), (2,), THREE, True, "The team lost: the timer reached 30, 24 points."),
        (
            Result((1, 2, 3), (30, 30, 30), REACHED),
            (),
            THREE,
            True,
            "The team reached 30 points and won.",
        ),
        (Result((), (11,), TIMER), (1,), ("anna",), False, "You lost: the timer reached 30, 11 points."),
        (Result((1,), (31,), REACHED), (1,), ("anna",), False, "You reached 31 points and won."),
        (Result((), (11,), TIMER), (), ("bot 1",), False, "bot 1 lost: the timer reached 30, 11 points."),
        (Result((), (0, 0), "suit not followed"), (1,), TWO, False, "You lost: suit not followed."),
    ],
)
def test_a_game_without_draws_that_nobody_wins_is_lost(
    result: Result, viewers: Sequence[int], labels: Sequence[str], team: bool, told: str
) -> None:
    assert outcome(result, viewers, labels, draws=False, goal=WHIST.goal, team=team) == told


def play_out(table: LocalTable) -> list[str]:
    """Play a table to its end by bots' choices; return what the screens say then."""
    table.begin()
    rng = Random(3)
    while isinstance(due := table.game.pending(table.table.state), Turn):
        table.play(due.seat, bot_of(table.game).think(table.seen_by(due.seat), due.seat, 0, rng)[0].action)
    assert isinstance(due, Over)
    assert due.result.winners == ()
    told = [text_of(line) for line in farewell(table, "")]
    return told + [event.text for event in table.plies[-1].story]


def test_a_lost_solitaire_is_lost(tmp_path: Path) -> None:
    """The cards are drawn anew each time: from 1 nobody comes to 30 in three rounds by chance."""
    table = table_of(tmp_path, "celtic-whist", seats=1, first=None, start=1, timer=27)
    lines = play_out(table)
    assert lines[0].startswith("You lost: ")
    assert lines[-1].startswith("anna 1 loses: ")
    assert not any("draw" in line or "obody" in line for line in lines)


def test_a_lost_cooperative_game_is_lost_by_the_team(tmp_path: Path) -> None:
    lines = play_out(table_of(tmp_path, "celtic-whist", people=(1,), seats=2, cooperative=True))
    assert lines[0].startswith("The team lost: the timer reached 30, ")
    assert lines[-1] == "The team loses: the timer reached 30."


def test_every_screen_and_the_line_of_auto_and_replay_tell_it_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["solo", "celtic-whist", "--players", "2", "-o", "cooperative=true", "--auto", "0"]
    assert main([*command, "--home", str(tmp_path)]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    told, _, saved = last.partition(" Saved in ")
    assert told.startswith("The team lost: the timer reached 30, ")
    assert main(["replay", saved]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == told


def test_a_drawn_game_is_drawn_for_all() -> None:
    table = FakeTable("fidchess", first=1)
    table.act(0, "draw")
    assert table.outcome == "Drawn by agreement."
    assert all(game.draws or key == "celtic-whist" for key, game in all_games().items())


def test_a_game_that_goes_on_has_no_outcome() -> None:
    assert FakeTable("fidchess", first=1).outcome == ""


@pytest.mark.parametrize(("key", "ending"), [("kingamon", "Red wins 1 point"), ("celtic-whist", "bot 2 wins")])
def test_the_end_by_a_resignation_names_the_player_who_resigned_and_not_the_winner_alone(
    tmp_path: Path, key: str, ending: str
) -> None:
    table = table_of(tmp_path, key)
    table.begin()
    table.play(1, "resign")
    loser = "White" if key == "kingamon" else "anna 1"
    assert [event.text for event in table.plies[-1].story][-1] == f"{ending}: {loser} resigned."


def test_who_was_out_before_is_told_whose_resignation_ended_the_game(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchell", seats=3)
    table.begin()
    table.play(1, "resign")
    table.play(2, "resign")
    assert outcome_of(table.table, (1,)) == "You lost to bot 3: bot 2 resigned."
    assert outcome_of(table.table, (2,)) == "You lost to bot 3 by resignation."
    assert outcome_of(table.table, (3,)) == "You won by resignation."


def test_a_client_without_a_person_plays_on_where_a_game_was_not_over_after_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two versions of an event end a game until every other player is known to have named that event."""

    class Table(FakeTable):
        ended, asked = False, 0

        @property
        def result(self) -> Result | None:
            self.asked += 1
            return Result((), (0, 0), "cara signed two versions of an event") if self.ended else None

    async def play() -> None:
        table, confirmed = Table("fidchess", people=(), first=1), asyncio.Event()

        shown = asyncio.create_task(print_until_over(table, SETTINGS, confirmed))
        await asyncio.sleep(0)
        for ended in (True, False, True):
            table.ended, table.asked = ended, 0
            table.tell(Note("so it looks now"))
            while table.asked < 3:  # told of it, and no longer waiting for the other result
                await asyncio.sleep(0.01)
            assert capsys.readouterr().out.count("Saved in") == ended
        assert not shown.done()
        confirmed.set()
        await asyncio.wait_for(shown, 60)

    asyncio.run(play())
