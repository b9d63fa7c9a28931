"""What others did since the own last move: told whole by `last`, and where it scrolled away, said to be."""

import pytest
from fake_table import FakeTable, Staying
from window import ENTER, Window, play

from engine import CHANCE, Chance
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from protocol import draw_locally

DOUBLES = ("Kbar/28", "28/26", "2-2", "28/26", "K28/26", "4-4", "27/23", "27/23", "2-3", "26/24", "26/23")
"""Of Kingamon: what Red plays after 2-2, with each roll that the doubles bring."""

SAID = "- More happened before your turn than stands above: `last` shows all of it."


def rerolled() -> FakeTable:
    """Kingamon after a turn of Red with three rerolls; White has rolled."""
    table = FakeTable("kingamon", first=1).replay("4-3", "2/6", "2/5", "2-2", *DOUBLES)
    return table.replay("5-3")


def last(table: FakeTable) -> list[str]:
    return [text_of(line) for line in Console(table, Settings(), "ascii").enter("last")]


def test_last_tells_a_turn_with_all_its_rolls() -> None:
    told = last(rerolled())
    assert [line.rstrip() for line in told if " rolls " in line] == [
        "   4           Red rolls 2 and 2.",
        "               Red rolls again.",
        "   7           Red rolls 2 and 2.",
        "               Red rolls again.",
        "  10           Red rolls 4 and 4.",
        "               Red rolls again.",
        "  13           Red rolls 2 and 3.",
        "  16           White rolls 5 and 3.",
    ]
    assert [line.split()[1] for line in told if line.split()[0].isdigit() and "/" in line] == [
        action for action in DOUBLES if "/" in action
    ]


def test_last_tells_the_own_turn_with_its_roll_until_another_player_acts() -> None:
    table = FakeTable("kingamon", first=1).replay("4-3", "2/6", "2/5")
    assert [line.split()[0] for line in last(table)] == ["1", "2", "3"]
    assert [line.split()[0] for line in last(table.replay("2-2"))] == ["1", "2", "3"], "what Red rolled is no move yet"
    assert [line.split()[0] for line in last(table.replay(DOUBLES[0]))] == ["4", "5"]
    assert len(last(FakeTable("kingamon", (), first=1).replay("4-3", "2/6", "2/5", "2-2", DOUBLES[0]))) == 2


def test_what_scrolled_away_since_the_own_last_move_is_said_to_be_told_by_last() -> None:
    table = FakeTable("kingamon", first=1).replay("4-3", "2/6")

    async def script(window: Window) -> None:
        await window.shows("KINGAMON", "move>")
        table.play(1, "2/5")
        table.replay("2-2", *DOUBLES, "5-3")
        await window.shows("White rolls 5 and 3.", "your turn", SAID)
        await window.types("last" + ENTER)
        await window.shows("Red rolls 2 and 2.", "Red rolls 4 and 4.", "Enter shows")
        await window.types(ENTER)
        await window.until(lambda: "Enter shows" not in window.text)
        assert SAID not in window.text

    play(table, script)


def test_nothing_is_said_to_be_out_of_sight_because_another_message_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The three words stand below the prompt in any case, until something is typed."""
    table = FakeTable("kingamon", first=2)
    monkeypatch.setattr(table, "words", "oak ash elm")

    async def script(window: Window) -> None:
        await window.shows("KINGAMON", "wait>", "oak ash elm")
        table.replay("2-1", "27/25", "28/27", "5-3")
        await window.shows("Red rolls 2 and 1.", "White rolls 5 and 3.", "your turn", "oak ash elm")
        assert SAID not in window.text

    play(table, script)


@pytest.mark.parametrize("ends", [True, False])
def test_what_scrolled_away_is_not_told_of_any_more_after_the_turn_or_the_game(ends: bool) -> None:
    """Where the game goes on, or ends, without a word of the player here."""
    table = Staying("kingamon", first=1)
    table.replay("4-3", "2/6", "2/5", "2-2", *DOUBLES[:-1])

    async def script(window: Window) -> None:
        await window.shows("KINGAMON", "wait>")
        table.replay(DOUBLES[-1], "5-3")
        await window.shows("your turn", SAID)
        while table.turn == 1:
            table.act(1, "resign" if ends else table.game.legal(table.state, 1)[0])
        await window.shows("the game is over" if ends else "the dice")
        assert SAID not in window.text

    play(table, script)


def test_few_moves_that_scrolled_away_stand_below_the_prompt_themselves() -> None:
    """On 24 rows the board of Fidchell leaves no room for what two rivals did, which is so nearly every turn."""
    table = FakeTable("fidchell")
    table.now, table.names = table.game.start({"first": 1}, 3), ("anna", "ben", "cara")
    table.replay("5D4", "1C6", "5C5", "1A7", "1B7", "5C6")

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "place>")
        table.play(1, "5D5")
        table.replay("2C7", "5E5")
        assert table.turn == 3, "a capture brings another turn"
        table.replay("3C3")
        await window.shows("your turn", "- Since your move: Green 2C7, Blue 5E5 (captures) 3C3. `last` tells more.")
        await window.types("last" + ENTER)
        await window.shows("Blue places a piece on 5E5 and captures Red's piece on 5D5.")

    play(table, script)


def test_last_tells_bids_too_where_the_own_last_action_was_a_bid() -> None:
    table = FakeTable("celtic-whist", people=(2,))
    table.now, table.names = table.game.start({"first": 1}, 3), ("anna", "ben", "cara")
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.replay("bid 1", "bid 1", "bid 2")
    table.replay(table.game.legal(table.state, 1)[0])
    first, *_, card = last(table)
    assert "cara bids" in first
    assert "anna plays" in card


def test_last_tells_the_deal_of_a_new_round_as_well() -> None:
    """Nothing is missing between the card that ended the round before and the bids of this one."""
    table = FakeTable("celtic-whist", people=(2,))
    table.now, table.names = table.game.start({"first": 1}, 3), ("anna", "ben", "cara")
    while len(table.plies) < 39:
        if isinstance(due := table.game.pending(table.state), Chance):
            table.act(CHANCE, draw_locally(due.draw, bytes([len(table.plies)]) * 32))
        else:
            table.replay(table.game.legal(table.state, table.turn)[-1])
    told = [line for line in last(table) if line[:4].strip()]
    numbers = [int(line[:4]) for line in told]
    assert table.plies[numbers[0] - 2].actor == 2
    assert numbers == [*range(numbers[0], 40)]
    assert any("Trump is" in line for line in told)


def test_within_a_round_of_cards_nothing_is_said_to_be_out_of_sight() -> None:
    """Bids and the last two tricks stand on the board, however many rivals have acted."""
    table = FakeTable("celtic-whist")
    table.now, table.names = table.game.start({"first": 5}, 5), ("anna", "ben", "cara", "dora", "emil")
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.replay("bid 1", "bid 1", "bid 1", "bid 1", "bid 2")

    async def script(window: Window) -> None:
        await window.shows("emil bids 2.")
        while table.turn != 1:
            table.replay(table.game.legal(table.state, table.turn)[0])
        await window.shows("your turn", "[")
        assert "`last`" not in window.text

    play(table, script)


def test_nothing_is_said_where_all_since_the_own_last_move_stands_above() -> None:
    table = FakeTable("kingamon", first=1).replay("4-3", "2/6")

    async def script(window: Window) -> None:
        await window.shows("KINGAMON", "move>")
        table.play(1, "2/5")
        table.replay("2-1", "Kbar/28", "28/27", "5-3")
        await window.shows("Red rolls 2 and 1.", "White rolls 5 and 3.", "your turn")
        assert "`last`" not in window.text

    play(table, script)
