"""Lines that come through a pipe while a player is missing: which of them wait until the game goes on."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import refused, room_without

from engine import Turn
from p2p_stonehenge.screen import plain
from p2p_stonehenge.storage.settings import Settings


def test_a_piped_move_waits_until_a_table_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """News may come before the other one has said how far the game had come; until then it is nobody's turn."""
    room = room_without(tmp_path, 2, seats=2)
    room.leave(1)
    room.come_back(2)
    table = room.tables[2]
    due = table.game.pending(table.state)
    assert isinstance(due, Turn)
    move = table.game.legal(table.state, due.seat)[0]
    assert room.console(2).prompt() == "wait> "
    assert refused(room, 2, move).startswith("Not your turn: waiting for Red (anna) to come back.")

    async def lines() -> AsyncIterator[str]:
        yield move

    async def evening() -> None:
        playing = asyncio.create_task(plain.run(table, Settings(), lines()))
        for _ in range(10):
            await asyncio.sleep(0)
        assert "Your turn" not in capsys.readouterr().out
        room.come_back(1)
        while not table.plies or table.plies[-1].action != move:
            await asyncio.sleep(0)
        playing.cancel()

    asyncio.run(asyncio.wait_for(evening(), 60))
    assert capsys.readouterr().out.count("Your turn") == 1
    room.check()


def test_a_piped_resignation_waits_until_a_table_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It needs no turn, but until the others have been heard nothing can be signed, and it would be lost."""
    room = room_without(tmp_path, 2, seats=2)
    room.leave(1)
    room.come_back(2)
    table = room.tables[2]

    async def lines() -> AsyncIterator[str]:
        yield "resign"
        yield "yes"

    async def evening() -> None:
        playing = asyncio.create_task(plain.run(table, Settings(), lines()))
        for _ in range(10):
            await asyncio.sleep(0)
        room.come_back(1)
        await playing

    asyncio.run(asyncio.wait_for(evening(), 60))
    assert table.plies[-1].action == "resign"
    assert "Not possible" not in capsys.readouterr().out


def test_in_plain_mode_what_is_typed_about_who_is_gone_does_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves that are piped in wait for their turn; a word about absence would wait for ever."""
    table = FakeTable("fidchess", first=2)

    async def lines() -> AsyncIterator[str]:
        for line in ("without ben", "agree", "adjourn", "yes", "a2 a3"):
            yield line

    asyncio.run(asyncio.wait_for(plain.run(table, Settings(), lines()), 60))
    told = capsys.readouterr().out.splitlines()
    assert told[1:] == [
        "Not possible: Everybody at this table plays here: there is nobody to go on without.",
        "Not possible: Everybody at this table plays here: there is nobody to go on without.",
        "Leave until another day? The game is kept: `p2p-stonehenge resume 7f3a` goes on with it. [y/N]",
        "You have left the table.",
    ]
    assert table.plies == []
