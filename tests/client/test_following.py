"""What others did since the own last move: told whole by `last`, and where it scrolled away, said to be."""

from fake_table import FakeTable
from window import ENTER, Window, play

from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.text.style import Settings

DOUBLES = ("Kbar/28", "28/26", "2-2", "28/26", "K28/26", "4-4", "27/23", "27/23", "2-3", "26/24", "26/23")
"""Of Kingamon: what Red plays after 2-2, with each roll that the doubles bring."""


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
    said = "- More happened before your turn than stands above: `last` shows all of it."

    async def script(window: Window) -> None:
        await window.shows("KINGAMON", "move>")
        table.play(1, "2/5")
        table.replay("2-2", *DOUBLES, "5-3")
        await window.shows("White rolls 5 and 3.", "your turn", said)
        await window.types("last" + ENTER)
        await window.shows("Red rolls 2 and 2.", "Red rolls 4 and 4.", "Enter shows")
        await window.types(ENTER)
        await window.until(lambda: "Enter shows" not in window.text)
        assert said not in window.text

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
