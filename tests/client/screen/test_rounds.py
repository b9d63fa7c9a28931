"""Celtic Whist between two rounds: how the last one came out stays in sight, and players are called by their names."""

from random import Random

import pytest
from fake_table import FakeTable
from window import ENTER, Window, play

from engine import CHANCE, Chance, Deal, Turn
from p2p_stonehenge.screen.at_the_end import round_before
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from protocol import draw_locally


def second_round() -> FakeTable:
    """A table at which the second round is dealt, ben has bid, and anna is to bid."""
    table, rng = FakeTable("celtic-whist", first=2), Random(5)
    deals = 0
    while deals < 2 or table.turn != 1:
        due = table.game.pending(table.state)
        if isinstance(due, Turn):
            table.act(due.seat, rng.choice(table.game.legal(table.state, due.seat)))
        else:
            assert isinstance(due, Chance)
            deals += isinstance(due.draw, Deal)
            table.act(CHANCE, draw_locally(due.draw, rng.randbytes(16)))
    return table


def test_how_the_last_round_came_out_stays_in_sight_until_the_player_has_bid() -> None:
    table = second_round()

    async def script(window: Window) -> None:
        await window.shows(" Last round: anna bid ", "ben bid ", "YOUR HAND", "bid>")
        assert all("~" not in line for line in window.text.splitlines() if "Last round" in line)
        await window.types("bid 2" + ENTER)
        await window.until(lambda: "Last round" not in window.text)

    play(table, script)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 16)])
def test_the_last_round_is_told_whole_in_small_windows(size: tuple[int, int]) -> None:
    table = second_round()
    (told,) = round_before(table)

    async def script(window: Window) -> None:
        window.screen.resize(size[1], size[0])
        await window.types("x")
        await window.until(lambda: told in " ".join(window.text.split()))

    play(table, script)


def test_where_nothing_is_redrawn_the_position_tells_of_the_last_round() -> None:
    table = second_round()
    console = Console(table, Settings(), "ascii", redraws=False)
    (told,) = round_before(console.session)
    assert told in [text_of(line) for line in console.enter("position")]
    table.act(1, "bid 2")
    assert round_before(console.session) == []


def test_players_are_called_by_name_where_colours_are_suits() -> None:
    table = second_round()
    console = Console(table, Settings(), "ascii", redraws=False)
    lines = [line for word in ("log 999", "position", "who", "look W1", "last") for line in console.enter(word)]
    told = [text_of(line) for line in (*console.greeting(), *lines)]
    assert any("anna takes the trick." in line for line in told)
    assert any("ben's hand" in line or "anna's hand" in line for line in told)
    seats = ("White", "Blue")
    assert not [line for line in told if any(colour in line for colour in seats)]


def test_players_of_the_same_name_are_told_apart_by_their_seats() -> None:
    table = FakeTable("celtic-whist", first=2)
    table.names = ("anna", "Anna")
    assert [table.label(seat) for seat in (1, 2)] == ["anna (seat 1)", "Anna (seat 2)"]
    assert table.in_names("Blue plays B9. Trump is blue.") == "Anna (seat 2) plays B9. Trump is blue."
    assert table.in_names("B8 was led: follow suit in white with W1.").endswith("follow suit in white with W1.")


def test_a_player_whose_name_is_a_suit_is_told_by_the_seat_as_well() -> None:
    table = FakeTable("celtic-whist", first=2)
    table.names = ("anna", "Green")
    assert table.in_names("Blue bids 2.") == "Green (seat 2) bids 2."


def test_where_pieces_have_the_colours_seats_are_called_by_them() -> None:
    table = FakeTable("fidchess", first=1)
    assert table.label(1) == "Yellow (anna)"
    assert table.in_names("Yellow moves.") == "Yellow moves."


def test_a_round_that_was_abandoned_is_told_in_one_sentence() -> None:
    table = FakeTable("celtic-whist", first=2)
    table.names, table.now = ("anna", "ben", "cara"), table.game.start({"first": 2}, 3)
    while not isinstance(due := table.game.pending(table.state), Turn):
        assert isinstance(due, Chance)
        table.act(CHANCE, draw_locally(due.draw, bytes(16)))
    table.act(3, "resign")
    console = Console(table, Settings(), "ascii")
    assert round_before(console.session) == ["The last round is abandoned and does not count."]


def test_the_round_that_a_player_broke_off_by_resigning_is_told_to_that_player_until_another_one_acts() -> None:
    table = FakeTable("celtic-whist", first=2)
    table.names, table.now = ("anna", "ben", "cara"), table.game.start({"first": 2}, 3)

    def deal() -> None:
        while not isinstance(due := table.game.pending(table.state), Turn):
            assert isinstance(due, Chance)
            table.act(CHANCE, draw_locally(due.draw, bytes(16)))

    deal()
    table.act(1, "resign")
    deal()
    console = Console(table, Settings(), "ascii")
    assert round_before(console.session) == ["The last round is abandoned and does not count."]
    table.act(table.turn, "bid 2")
    assert round_before(console.session) == []
