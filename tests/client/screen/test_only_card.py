"""Enter alone plays the only card that may be played, where that is told; it plays no bid, and nothing typed ahead."""

from random import Random

import pytest
from fake_table import FakeTable
from window import ENTER, Window, play

from engine import CHANCE, Chance, Turn
from p2p_stonehenge.screen import only_card
from protocol import draw_locally


def last_trick(leads: int = 1) -> FakeTable:
    """A table of two at the last trick of a round, which seat `leads` leads; anna is to play, or ben leads."""
    for seed in range(99):
        table, rng = FakeTable("celtic-whist", first=1), Random(seed)
        while True:
            due = table.game.pending(table.state)
            if isinstance(due, Chance):
                table.act(CHANCE, draw_locally(due.draw, rng.randbytes(16)))
                continue
            assert isinstance(due, Turn)
            if all(hand.bit_count() == 1 for hand in table.state.hands) and table.state.leads:
                break
            table.act(due.seat, rng.choice(table.game.legal(table.state, due.seat)))
        if table.turn == leads:
            return table
    raise AssertionError("no such round")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(only_card, "PAUSE", 0)


@pytest.mark.usefixtures("at_once")
def test_enter_plays_the_only_card_and_no_bid_after_it() -> None:
    table = last_trick()
    (card,) = table.game.legal(table.state, 1)

    async def script(window: Window) -> None:
        await window.shows(f" Enter plays {card}: no other card may be played.", "card>")
        await window.types(ENTER)
        await window.until(lambda: table.plies[-1].action == card)
        await window.shows("wait>")
        assert "Enter plays" not in window.text
        plies = len(table.plies)
        await window.types(ENTER + "x")
        await window.shows("> x")
        assert len(table.plies) == plies

    play(table, script)


@pytest.mark.usefixtures("at_once")
def test_enter_plays_no_card_behind_a_line_or_over_a_text_or_at_an_earlier_position() -> None:
    table = last_trick()

    async def script(window: Window) -> None:
        await window.shows("Enter plays")
        await window.types("quit" + ENTER)
        await window.shows("[y/N]")
        assert "Enter plays" not in window.text
        plies = len(table.plies)
        await window.types(ENTER)
        await window.until(lambda: "[y/N]" not in window.text)
        await window.types("back" + ENTER)
        await window.shows("LOOKING BACK")
        assert "Enter plays" not in window.text
        await window.types(ENTER + "forth" + ENTER)
        await window.until(lambda: "LOOKING BACK" not in window.text)
        await window.types("log" + ENTER)
        await window.shows("Enter shows the")
        assert "Enter plays" not in window.text
        await window.types(ENTER)
        await window.shows("Enter plays")
        assert len(table.plies) == plies

    play(table, script)


def test_what_was_typed_ahead_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that were pasted come before it is drawn, and those of an impatient player soon after."""
    monkeypatch.setattr(only_card, "PAUSE", 60)
    table = last_trick(leads=2)

    async def script(window: Window) -> None:
        await window.shows("wait>")
        await window.types(3 * ENTER)
        (led,) = table.game.legal(table.state, 2)
        table.act(2, led)
        plies = len(table.plies)
        await window.types(3 * ENTER)
        await window.shows("Enter plays")
        await window.types(3 * ENTER + "x")
        await window.shows("> x")
        assert len(table.plies) == plies

    play(table, script)


def test_a_game_of_boards_and_a_bid_offer_nothing() -> None:
    table = FakeTable("celtic-whist", first=1)
    while table.turn != 1:
        due = table.game.pending(table.state)
        action = draw_locally(due.draw, bytes(16)) if isinstance(due, Chance) else "bid 2"
        table.act(due.seat if isinstance(due, Turn) else CHANCE, action)

    async def script(window: Window) -> None:
        await window.shows("bid>")
        assert "Enter plays" not in window.text

    play(table, script)
