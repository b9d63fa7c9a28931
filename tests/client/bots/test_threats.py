"""Threats: what bots warn a player of, once or at each turn."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from at_a_board import CAPTURES_WIN
from fake_table import FakeTable
from local_tables import notes, table_of

from engine import Over, Turn, all_games
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, RefusedError


def warned(folder: Path, moves: list[str], *typed: str) -> list[str]:
    """What a player with `--threats on`, or who has typed that, reads of these moves until a note stays in sight."""

    async def evening() -> list[str]:
        table = table_of(folder, "fidchess")
        table.begin()
        told = notes(table)
        heard = asyncio.Event()
        table.listen(
            lambda notice: heard.set() if isinstance(notice, Note) and (notice.answers or notice.urgent) else None
        )
        console = Console(table, Settings(threats=not typed), "ascii")
        for line in typed:
            console.enter(line)
            await console.advised()
        told.clear()
        heard.clear()
        for move in moves:
            turn = table.game.pending(table.table.state)
            assert isinstance(turn, Turn)
            table.play(turn.seat, move)
        async with asyncio.timeout(60):
            await heard.wait()
        return told

    return asyncio.run(evening())


def test_a_player_is_warned_once_of_what_the_rival_threatens(tmp_path: Path) -> None:
    moves = ["D1+B2", "C7-D5", "B2-B5", "A7xB5", "B1xB5", "D7-C7"]
    threat = "Green (bot 2) threatens C7xB5, which takes 3 disks: all in all worth about 5 disks."
    assert warned(tmp_path / "option", moves) == [threat]
    assert warned(tmp_path / "typed", moves, "threats on", "threats off", "threats on") == [threat]


def test_threats_are_told_at_once_and_at_no_later_action_of_the_same_turn(tmp_path: Path) -> None:
    async def evening() -> None:
        table = table_of(tmp_path, "fidchess")
        table.begin()
        told, console = notes(table), Console(table, Settings(), "ascii")
        for seat, move in enumerate(["D1+B2", "C7-D5", "B2-B5", "A7xB5", "B1xB5", "D7-C7"]):
            line = text_of(console.enter("threats on")[0])
            assert line == "- Your turns begin with what is threatened: `threats off` ends that."
            await console.advised()
            table.play(seat % 2 + 1, move)
        assert told == ["Nothing to warn of now."] * 3
        told.clear()
        for _ in range(2):  # also where it is told already
            console.enter("threats")
            await console.advised()
        assert told == ["Green (bot 2) threatens C7xB5, which takes 3 disks: all in all worth about 5 disks."] * 2

    asyncio.run(evening())


def test_threats_alone_are_told_once_and_no_later_turn_begins_with_them(tmp_path: Path) -> None:
    async def evening() -> None:
        table = table_of(tmp_path, "fidchess")
        table.begin()
        told, console = notes(table), Console(table, Settings(), "ascii")

        def said(line: str) -> str:
            return text_of(console.enter(line)[0])

        once = "- This is told once: with `threats on` each of your turns begins with it."
        assert said("threats") == once
        await console.advised()
        assert told == ["Nothing to warn of now."]
        table.play(1, "D1+B2")
        with pytest.raises(RefusedError, match="ot your turn"):
            console.enter("threats")
        table.play(2, "C7-D5")
        await asyncio.gather(*console._advising._warnings)
        assert told == ["Nothing to warn of now."]
        begins = "- Your turns begin with what is threatened: `threats off` ends that."
        assert said("threats on") == begins
        await console.advised()
        assert said("threats off") == "- Your turns no longer begin with threats: `threats` tells them once."
        assert said("threats") == once
        with pytest.raises(RefusedError, match="Write `threats`, `threats on` or `threats off`"):
            console.enter("threats maybe")

    asyncio.run(evening())


def test_where_bots_know_no_threats_none_are_promised(tmp_path: Path) -> None:
    table = table_of(tmp_path, "celtic-whist")
    table.begin()
    for line in ("threats", "threats on", "threats off"):
        with pytest.raises(RefusedError, match=r"no threats in Celtic Whist: `hint` says what to play, and `why` "):
            Console(table, Settings(), "ascii").enter(line)


@pytest.mark.parametrize("key", list(all_games()))
def test_threats_are_offered_where_bots_know_some(key: str) -> None:
    """The help of Celtic Whist named the command, which answered that there are none."""
    table = FakeTable(key, first=1)
    table.advises = True
    console = Console(table, Settings(), "ascii")
    helped = [text_of(line) for line in console.enter("help")]
    assert any(line.startswith("  threats ") for line in helped) == bot_of(table.game).knows_threats
    assert [one.text for one in console.choices("thr")] == ["threats"] * bot_of(table.game).knows_threats


def test_the_five_games_but_celtic_whist_have_threats() -> None:
    known = {key for key, game in all_games().items() if bot_of(game).knows_threats}
    assert {"fidchess", "qenqe", "fidchell", "kingamon"} <= known
    assert "celtic-whist" not in known


@pytest.mark.parametrize("key", ["fidchess", "qenqe"])
def test_a_threat_to_win_is_one(key: str) -> None:
    game, rng, seen = all_games()[key], Random(3), 0
    state = game.start({"first": 1, "repetition": 3}, 2)
    while seen < 3:
        due = game.pending(state)
        if not isinstance(due, Turn):
            state = game.start({"first": 1, "repetition": 3}, 2)
            continue
        found = bot_of(game).threat(state, due.seat)
        if found and found.does.endswith(", which wins at once"):
            rival, move = 3 - due.seat, found.does.split()[1].rstrip(",")
            end = game.pending(game.apply(state._replace(to_move=rival), rival, move))
            assert found.rival == rival
            assert isinstance(end, Over)
            assert end.result.winners == (rival,)
            seen += 1
        state = game.apply(state, due.seat, bot_of(game).think(state, due.seat, 1, rng)[0].action)


def test_at_the_start_nothing_is_threatened() -> None:
    for key in ("fidchess", "qenqe", "fidchell"):
        game = all_games()[key]
        assert bot_of(game).threat(game.start({"first": 1}, 2), 1) is None


def test_a_king_that_can_be_hit_is_told_by_the_rolls() -> None:
    """White's king stands alone; a red disk six spaces before it hits with a six, 1-5, 2-4 and 3-3."""
    table = FakeTable("kingamon", first=1)
    white, red = bytearray(31), bytearray(31)
    white[10], red[30 - 16] = 16, 1
    found = bot_of(table.game).threat(table.state._replace(white=bytes(white), red=bytes(red), seat=1), 1)
    assert found == (2, "takes your king with 16 of 36 rolls, as the pieces stand")


def test_pieces_that_can_be_taken_are_told_where_no_king_is_in_danger() -> None:
    """A disk stands alone eight spaces before one of the rival: 2-6, 3-5 and 4-4 take it."""
    table = FakeTable("kingamon", first=1)
    white, red = bytearray(31), bytearray(31)
    white[10], red[30 - 18] = 1, 1
    alone = table.state._replace(white=bytes(white), red=bytes(red), seat=1)
    assert bot_of(table.game).threat(alone, 1) == (2, "takes a piece with 5 of 36 rolls, as the pieces stand")
    white[10] = 2
    assert bot_of(table.game).threat(alone._replace(white=bytes(white)), 1) is None


def test_a_threat_says_what_the_rival_does_with_it() -> None:
    """The chain that is spoken of is that of the rival, whose move it is, not that of the player who is to act."""
    table = FakeTable("fidchell", first=1).replay("6C3", "5C2", "5C1")
    chain = "leaves Red's chain to the king 5 fields short instead of 6"
    does = f"threatens 5C3, which captures 5C2 and {chain}: all in all worth about 1 piece"
    assert bot_of(table.game).threat(table.state, 2) == (1, does)


def test_a_threat_to_win_by_captures_is_one_of_the_same_turn() -> None:
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    assert bot_of(table.game).threat(table.state, 1) == (
        2,
        "threatens 6A5, which wins in the same turn, with 5E5 and 5E6 after it",
    )


def test_of_hidden_cards_no_threat_is_told() -> None:
    game = all_games()["celtic-whist"]
    assert bot_of(game).threat(game.start({}, 4), 1) is None
