"""How a seat left a game is told as what happened: a cheat has not resigned, nor has who was left behind."""

from pathlib import Path

import pytest
from local_tables import table_of
from looking_back import saved
from net_tables import IDENTITIES, NAMES, Room

from engine import Result
from p2p_stonehenge.cli.replay import lines
from p2p_stonehenge.export import notation
from p2p_stonehenge.lobby.facts import Facts
from p2p_stonehenge.saved import prove
from p2p_stonehenge.table.after import report
from p2p_stonehenge.table.endings import End, outcome_of
from protocol import Exit, message_bytes
from protocol.events import bodies
from protocol.messages import Events

VECTORS = Path(__file__).resolve().parents[2] / "data" / "vectors" / "files"


@pytest.mark.parametrize(
    ("exit", "loser", "other", "told"),
    [
        (Exit.RESIGNED, "by resignation", ": bot 2 resigned", " by resignation"),
        (Exit.OUT_OF_TIME, "you ran out of time", ": bot 2 ran out of time", ": bot 2 ran out of time"),
        (Exit.LEFT_BEHIND, "you were left behind", ": bot 2 was left behind", ": bot 2 was left behind"),
        (Exit.BREACH, "you broke the rules", ": bot 2 broke the rules", ": bot 2 broke the rules"),
    ],
)
def test_the_end_is_told_from_each_side_by_how_the_last_seat_left(
    tmp_path: Path, exit: Exit, loser: str, other: str, told: str
) -> None:
    """Seat 1 was out before, 2 left last, 3 has won."""
    table = table_of(tmp_path, "fidchell", seats=3)
    table.begin()
    table.play(1, "resign")
    table.play(2, "resign")
    log = table.table.fold.log
    log[-1] = log[-1]._replace(exit=exit)
    assert outcome_of(table.table, (1,)) == f"You lost to bot 3{other}."
    assert outcome_of(table.table, (2,)) == f"You lost to bot 3{'' if exit is Exit.RESIGNED else ':'} {loser}."
    assert outcome_of(table.table, (3,)) == f"You won{told}."
    assert outcome_of(table.table) == f"bot 3 won{told}."


@pytest.mark.parametrize("exit", Exit)
def test_an_end_by_two_versions_of_an_event_is_not_told_by_who_had_left_before(tmp_path: Path, exit: Exit) -> None:
    table = table_of(tmp_path, "fidchell", seats=3)
    table.begin()
    table.play(1, "resign")
    last = table.table.fold.log[-1]._replace(exit=exit)
    end = End(Result((2,), (0, 0, 0), "bot 3 signed two versions of an event"), True, last)
    assert outcome_of(table.table, (1,), end=end) == "You lost to bot 2: bot 3 signed two versions of an event."


def test_a_saved_game_does_not_say_that_a_cheat_resigned() -> None:
    game = saved((VECTORS / "wrong-card.stonehenge").read_bytes())
    last = game.steps[-1]
    assert (last.kind, last.told) == ("breach", "ben is out for breaking the rules. anna wins: ben broke the rules.")
    assert prove(game).shown[0] == "anna won: ben broke the rules."
    assert Facts.of(game.table).gone == ("", "breach")
    told = " ".join(" ".join([*lines(game, None), notation(game)]).split())
    assert "6. ben ben is out for breaking the rules." in told
    assert "6. ben resign (this player broke the rules)" in told
    assert "resigned" not in told
    assert "resigns" not in told


def test_a_table_does_not_say_that_a_cheat_resigned(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    cheat = room.tables[1].turn
    other = 3 - cheat
    event = room.tables[cheat].table.own.sign(cheat, bodies.Move("a move"))
    found = message_bytes(Events(room.charter.table, ((event.raw, event.signature),)))
    room.tables[other].receive(IDENTITIES[cheat - 1].id, found)
    table, name = room.tables[other], NAMES[cheat - 1]
    assert (table.plies[-1].exit, table.plies[-1].shown) == (Exit.BREACH, "broke the rules")
    colour = table.game.colours[cheat - 1]
    assert table.plies[-1].story[0].text == f"{colour} is out for breaking the rules."
    assert table.outcome == f"You won: {name} broke the rules."
    assert table.fate(cheat) == "broke the rules"
    told = "\n".join([*report(table), *room.type(other, "log")])
    assert "resign" not in told


def test_who_of_several_broke_the_rules_stands_so_in_the_final_standing(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchell", (1, 2, 3), seats=3)
    table.begin()
    table.play(1, "resign")
    table.roster.leave_game(1, 1, Exit.BREACH)
    table.play(2, "resign")
    standing = "anna 3 (won, 1 point), anna 1 (broke the rules, 0 points), anna 2 (has resigned, 0 points)"
    assert report(table)[1] == f"Final standing: {standing}."
