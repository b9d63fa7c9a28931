"""Moves that ask first, because they lose at once or by a likely roll."""

from random import Random

import pytest
from at_a_board import CAPTURES_WIN, console
from fake_table import FakeTable
from window import SETTINGS

from engine import Turn, all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table import losing
from p2p_stonehenge.table.losing import losing_reply
from p2p_stonehenge.table.session import Question


def threatened(settings: Settings = SETTINGS, *, anyway: bool = False) -> Console:
    """A Rigant would be lost, `anyway` or by some moves: found by playing until a move allows it."""
    table = FakeTable("fidchess", first=1)
    game = table.game
    for number in range(400):
        seat = table.turn
        if seat == 1:
            losses = {one: losing_reply(game, table.state, 1, one) for one in game.legal(table.state, 1)}
            bad = [one for one, loss in losses.items() if loss and loss.anyway == anyway]
            if len(bad) > 1:
                at = console(table, settings=settings)
                at.bad = bad[0]  # type: ignore[attr-defined]
                return at
        actions = game.legal(table.state, seat)
        table.act(seat, actions[(number * 7) % len(actions)])
    raise AssertionError("no such position came up")


def test_a_move_that_loses_at_once_asks_first() -> None:
    at = threatened()
    plies = len(at.session.plies)
    at.enter(at.bad)  # type: ignore[attr-defined]
    asked = at.questions.open
    assert asked is not None
    assert "can win at once with" in asked.question.text
    assert len(at.session.plies) == plies
    at.enter("yes")
    assert len(at.session.plies) == plies + 1


def test_a_move_asks_once_where_every_move_loses_at_once() -> None:
    """The question says so: another move need not be looked for, and is played unasked."""
    at = threatened(anyway=True)
    game, state, plies = at.session.game, at.session.state, len(at.session.plies)
    first, *_, last = game.legal(state, 1)
    at.enter(first)
    asked = at.questions.open
    assert asked is not None
    loss = losing_reply(game, state, 1, first)
    assert loss is not None
    told = f"Green (ben) {loss.win.told()}. Whatever else you play, Green (ben) can win as well."
    assert asked.question.text == f"Play {first}? {told}"
    at.enter("no")
    assert len(at.session.plies) == plies
    at.enter(last)
    assert at.questions.open is None
    assert len(at.session.plies) == plies + 1


def test_what_every_move_allows_to_several_players_is_told_of_another_player() -> None:
    """Found by playing at random until every move of a player allows somebody to win."""
    game = all_games()["qenqe"]
    draw, state = Random(5), game.start({"first": 1}, 5)
    while isinstance(due := game.pending(state), Turn):
        actions = game.legal(state, due.seat)
        loss = losing_reply(game, state, due.seat, actions[0]) if len(actions) > 1 else None
        if loss and loss.anyway:
            break
        state = game.apply(state, due.seat, draw.choice(actions))
    assert isinstance(due, Turn)
    assert all(losing_reply(game, state, due.seat, one) for one in actions)
    table = FakeTable("qenqe", people=(due.seat,))
    table.names, table.now = ("anna", "ben", "cleo", "dan", "eve"), state
    at = console(table)
    at.enter(actions[0])
    assert at.questions.open is not None
    assert at.questions.open.question.text.endswith(" Whatever else you play, another player can win as well.")


def test_a_move_asks_where_one_move_alone_keeps_the_game() -> None:
    """Of some ninety moves of Fidchell one alone stands in the way of Green's chain, far down the list."""
    table = FakeTable("fidchell", first=1)
    table.replay(*["3A7", "2C2", "3A6", "2C3", "3A5", "2C4", "5A7", "2C5", "5A6", "2C6", "6A7", "2C7"])
    assert losing_reply(table.game, table.state, 1, "6A6") == ((2, ("2C1",)), False)
    saving = [one for one in table.game.legal(table.state, 1) if not losing_reply(table.game, table.state, 1, one)]
    assert saving == ["2C1"]


def test_a_move_asks_where_captures_of_one_turn_win() -> None:
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    at, plies = console(table), len(table.plies)
    at.enter("3C1")
    assert at.questions.open
    asked = "Play 3C1? Green (ben) can win in one turn with 6A5, 5E5 and 5E6."
    assert at.questions.open.question.text == asked
    assert len(table.plies) == plies
    at.enter("6A5")
    assert len(table.plies) == plies + 1


def test_nothing_is_asked_where_the_replies_are_too_many_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    monkeypatch.setattr(losing, "REPLIES_TRIED", 200)
    assert losing_reply(table.game, table.state, 1, "3C1") is None


def test_other_moves_that_are_too_many_to_look_at_are_not_said_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    at = threatened(anyway=True)
    monkeypatch.setattr(losing, "MOVES_TRIED", 0)
    at.enter(at.bad)  # type: ignore[attr-defined]
    assert at.questions.open is not None
    assert "Whatever" not in at.questions.open.question.text


def test_the_question_can_be_switched_off() -> None:
    at = threatened(SETTINGS._replace(careful=False))
    plies = len(at.session.plies)
    at.enter(at.bad)  # type: ignore[attr-defined]
    assert len(at.session.plies) == plies + 1


def king_alone(settings: Settings = SETTINGS) -> Console:
    """White's king stands alone on 2, five spaces before a red disk, and White has rolled 1 and 4."""
    table = FakeTable("kingamon", first=1, cube=True).replay("2-6", "2/8", "4/6", "roll", "3-1", "27/24", "28/27")
    white, red = bytearray(31), bytearray(31)
    white[0], white[2], white[5], white[9], red[30 - 7], red[5] = 1, 16, 1, 2, 1, 3
    table.now = table.now._replace(white=bytes(white), red=bytes(red))
    return console(table.replay("roll", "1-4"), settings=settings)


@pytest.mark.parametrize("line", ["5/9 bar/1", "5/9"])
def test_plays_that_leave_the_king_to_many_more_rolls_than_others_ask_first(line: str) -> None:
    """Also the first die alone, where with the second one nothing better is left."""
    at = king_alone()
    at.enter(line)
    assert at.questions.open
    rolls = 15 if " " in line else 14
    told = f"Red (ben) takes your king and wins with {rolls} of 36 rolls then, with none after another play."
    assert at.questions.open.question.text == f"Play {line}? {told}"
    plies = len(at.session.plies)
    at.enter("yes")
    assert len(at.session.plies) == plies + len(line.split())


@pytest.mark.parametrize("typed", [("k2/3", "k3/7"), ("k2/3 k3/7*",), ("5/9", "yes", "bar/1")])
def test_plays_that_save_the_king_or_cannot_ask_nothing(typed: tuple[str, ...]) -> None:
    at = king_alone()
    for line in typed:
        at.enter(line)
    assert at.questions.open is None
    assert at.session.turn == 2


def test_the_question_about_the_king_can_be_switched_off() -> None:
    at = king_alone(SETTINGS._replace(careful=False))
    at.enter("5/9 bar/1")
    assert at.session.turn == 2


OPENS_A_DOOR = """
    5C6 2C3 5C3 2C4 5C4 5C5 5D4 5C7 5D5 5D6 5C6 2C7 5C5 5C6 5B6 5C6 5C2 5C5 5C6 5E6 5B5 5B4 5B5 5A5 5D5 5D3 5D7 5A6
    5C1 5D6 5B6 4E6 5C6 4C2 5C5 5D5 5D6 5C6 2B5 5D6 6A6 5C5 5C6 5B5 5A6 4D6 4E5 5B6 4E6 2C1 2C2 2C1 2D4 5C7-5B7 2B4
    2C7-2C6 5D7-6A7 2B5-6B5 6A7-2C7 2C6-2C5 2C7-1D7 6B5-6B6 4D6-1D6 5E6-5E7
"""
"""Seat 2 begins. By 5D5-1D5 Red lays three pieces open to one turn of Green."""


@pytest.mark.parametrize("careful", [True, False])
def test_a_move_that_lays_several_pieces_open_to_one_turn_asks_first(careful: bool) -> None:
    table = FakeTable("fidchell", first=2).replay(*OPENS_A_DOOR.split())
    at, plies = console(table, settings=SETTINGS._replace(careful=careful)), len(table.plies)
    at.enter("5D5-1D5")
    if not careful:
        assert len(table.plies) == plies + 1
        return
    captures = "5D4-5D5, 5E7-5D7 and 6A6-5D6"
    assert at.questions.open
    told = f"Green (ben) can take 3 of your pieces in one turn, with {captures}."
    assert at.questions.open.question.text == f"Play 5D5-1D5? {told}"
    game, state = table.game, table.game.apply(table.state, 1, "5D5-1D5")
    before = state.men[0].bit_count()
    for action in captures.replace(" and ", ", ").split(", "):
        state = game.apply(state, 2, action)
    assert before - state.men[0].bit_count() == 3


def test_a_move_that_loses_no_more_than_doing_nothing_does_not_ask() -> None:
    table = FakeTable("fidchell", first=2).replay(*OPENS_A_DOOR.split())
    at = console(table)
    at.enter("1D7-1C7")
    assert at.questions.open is None


def test_where_every_move_loses_the_question_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    at = threatened(anyway=True)
    last = next(ply.action for ply in reversed(at.session.plies) if ply.actor == 1)
    monkeypatch.setattr(at.session, "can", lambda capability: capability == "takeback")
    monkeypatch.setattr(at.session, "question", lambda *_: Question(""))
    at.enter(at.bad)  # type: ignore[attr-defined]
    assert at.questions.open
    assert at.questions.open.question.text.endswith(f" can win as well. `takeback` undoes your {last}.")
