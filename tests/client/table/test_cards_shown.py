"""What players are told where a resignation broke off the last round of a game with cards."""

import asyncio
from pathlib import Path

from net_tables import NAMES, Room

from protocol.events import EventKind


async def broken_off(folder: Path, withheld: dict[int, tuple[EventKind, ...]] | None = None) -> Room:
    """A game between two in which anna resigns in a turn of hers after a trick; its cards are dealt in threads."""
    room = Room(folder, "celtic-whist", NAMES[:2], withheld=withheld)
    anna = room.tables[1]
    await room.rest()
    while not (anna.state.leads[1:] and anna.turn == 1):
        room.play()
        await room.rest()
    anna.play(1, "resign")
    room.carry()
    return room


def after(folder: Path, withheld: dict[int, tuple[EventKind, ...]] | None = None) -> dict[int, list[str]]:
    """What each player is told at the end."""

    async def evening() -> Room:
        async with asyncio.timeout(60):
            return await broken_off(folder, withheld)

    room = asyncio.run(evening())
    assert room.tables[1].result is not None
    assert room.tables[1].result.winners == (2,)
    room.check()
    return {operator: table.audited() for operator, table in room.tables.items()}


def test_both_are_told_that_the_winner_opened_its_hand(tmp_path: Path) -> None:
    """What it still held fits what it played; it may know that its cards were shown."""
    told = after(tmp_path)
    assert told[1] == ["The last round is audited: the cards that ben played fit those left in hand."]
    assert told[2] == ["The last round is audited: the cards left in your hand were shown with the result."]


def test_who_gets_no_cards_to_see_is_told(tmp_path: Path) -> None:
    """The result stands, but nobody can say how it was played."""
    told = after(tmp_path, withheld={2: (EventKind.RESULT,)})
    assert told[1] == ["The last round is not audited: ben did not show the cards left in hand."]
