"""Earlier positions, looked at while the game goes on, and what is told of the one that is shown."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from at_a_board import bids, board, console, local
from net_tables import NAMES, Room

from engine import all_games
from p2p_stonehenge.screen import status
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.session import Note, Notice, RefusedError


def test_help_offers_alone_no_way_to_leave_that_tells_others(tmp_path: Path) -> None:
    told = "\n".join(map(text_of, console(local(tmp_path)).enter("help")))
    assert "adjourn" not in told
    assert "  quit " in told


def test_earlier_positions_are_looked_at_while_the_game_goes_on(tmp_path: Path) -> None:
    table = local(tmp_path)
    start = board(console(table))
    for seat, action in ((1, "B2-B3"), (2, "B7-B6"), (1, "A2-A3")):
        table.play(seat, action)
    at = console(table)
    now = board(at)
    at.enter("back 3")
    told = " LOOKING BACK: after 0 of 3 actions; `back`, `forth 1`, `forth` to the present"
    assert board(at).splitlines()[0] == told
    pieces = [line[:32] for line in start.splitlines()]
    assert [line[:32] for line in board(at).splitlines()[1:]] == pieces
    table.play(2, "A7-A6")
    assert "after 0 of 4 actions" in board(at), "what happens meanwhile moves nothing"
    at.enter("forth 1")
    assert "after 1 of 4 actions" in board(at)
    at.enter("forth")
    assert "LOOKING BACK" not in board(at)
    assert board(at) != now
    assert [text_of(line) for line in at.enter("forth 2")] == ["This is the present position."]
    at.enter("back 9")
    assert [text_of(line) for line in at.enter("back")] == ["This is the first position."]


def test_who_is_out_sees_the_latest_move_marked_and_how_to_leave(tmp_path: Path) -> None:
    table = local(tmp_path, "fidchell", 3)
    at = console(table)
    for seat, action in ((1, "1C1"), (2, "2C1")):
        table.play(seat, action)
    table.play(1, "resign")
    for seat, action in ((3, "3C1"), (2, "2C2"), (3, "3C2")):
        table.play(seat, action)
    assert at.drawing.look(80, 21).last == ("3C2",)
    assert status.keys(table, at.seat, again=None, covered=False)[-1] == "quit leaves"


def test_an_earlier_position_lists_no_later_moves(tmp_path: Path) -> None:
    table = local(tmp_path)
    for seat, action in ((1, "B2-B3"), (2, "B7-B6"), (1, "A2-A3")):
        table.play(seat, action)
    at = console(table)
    at.enter("back 2")
    assert "B2-B3" in board(at)
    assert "B7-B6" not in board(at)
    at.enter("forth")
    assert "A2-A3" in board(at)


def test_a_move_typed_while_looking_back_shows_the_present_board_first(tmp_path: Path) -> None:
    table = local(tmp_path)
    for seat, action in ((1, "B2-B3"), (2, "B7-B6")):
        table.play(seat, action)
    at = console(table)
    at.enter("back")
    at.drawing.typing = "b3"
    assert not at.drawing.ways(), "a piece does not stand there any more"
    with pytest.raises(RefusedError, match=r"looking back.*present.*Enter plays it"):
        at.enter("b3 b4")
    assert "LOOKING BACK" not in board(at)
    assert len(table.plies) == 2
    assert at.drawing.ways()
    at.enter("b3 b4")
    assert table.plies[-1].action == "B3-B4"


@pytest.mark.parametrize("redraws", [True, False])
def test_a_move_that_is_lawful_only_in_the_earlier_position_is_judged_beside_the_board_that_it_is_for(
    redraws: bool, tmp_path: Path
) -> None:
    """It read `B2 is empty` below a board on which a stack stood on B2; a word that is no move leaves the board."""
    table = local(tmp_path)
    for seat, action in ((1, "B2-B3"), (2, "B7-B6")):
        table.play(seat, action)
    at = console(table, redraws=redraws)
    at.enter("back 2")
    with pytest.raises(RefusedError, match="is not a move"):
        at.enter("frobnicate")
    assert at.drawing.past is not None
    with pytest.raises(RefusedError, match=r"Not played: you were looking back.*B2 is empty"):
        at.enter("b2 c4")
    assert at.drawing.past is None


def test_looking_back_ends_at_the_start_and_wants_a_number(tmp_path: Path) -> None:
    at = console(local(tmp_path))
    at.enter("back 99")
    assert "LOOKING BACK" not in board(at), "there is nothing before the first action"
    with pytest.raises(RefusedError, match="`back 20`"):
        at.enter("back x")


def test_line_by_line_back_shows_the_board(tmp_path: Path) -> None:
    table = local(tmp_path)
    table.play(1, "B2-B3")
    told = [text_of(line) for line in console(table, "ascii", redraws=False).enter("back")]
    assert told[0].startswith(" LOOKING BACK: after 0 of 1")


@pytest.mark.parametrize("redraws", [True, False])
def test_look_and_position_tell_of_the_earlier_position_that_is_shown(redraws: bool, tmp_path: Path) -> None:
    table = local(tmp_path)
    table.play(1, "B2-B3")
    at = console(table, "ascii", redraws=redraws)
    at.enter("back")
    earlier = [] if redraws else [" LOOKING BACK: after 0 of 1 action; `back`, `forth 1`, `forth` to the present"]
    assert list(map(text_of, at.enter("look b2"))) == [*earlier, "B2 holds Yellow's Oin, 1 disk."]
    assert list(map(text_of, at.enter("position")))[-1] == "Yellow is to move."
    at.enter("forth")
    assert list(map(text_of, at.enter("look b2"))) == ["B2 is empty."]
    assert list(map(text_of, at.enter("position")))[-1] == "Green is to move."


def test_moves_are_those_of_the_present_position_which_is_shown(tmp_path: Path) -> None:
    table, told = local(tmp_path), list[Notice]()
    for seat, action in ((1, "B2-B3"), (2, "B7-B6")):
        table.play(seat, action)
    at = console(table)
    table.listen(told.append)
    at.enter("back 2")
    assert at.enter("moves b3")
    assert told == [Note("You were looking back: the answer is about the present position.", answers=True)]
    assert "LOOKING BACK" not in board(at)


@pytest.mark.parametrize("stays", [True, False])
def test_who_resigns_and_leaves_others_playing_reads_that_the_game_is_lost_and_what_can_be_done(
    stays: bool, tmp_path: Path
) -> None:
    table, told = local(tmp_path, "qenqe", 3), list[Notice]()
    table.stays = stays
    table.listen(told.append)
    table.play(1, "resign")
    again = " When it is over, `again` plays another one." * stays
    lost = f"You have lost this game, which goes on without you: watch on, or `quit`.{again}"
    note = told[-1]
    assert isinstance(note, Note)
    assert (note.text, note.urgent, note.stands()) == (lost, True, True)
    table.play(2, "resign")
    assert not note.stands()
    assert lost not in [getattr(one, "text", "") for one in told[2:]]


@pytest.mark.parametrize("key", all_games())
def test_look_alone_is_answered_with_an_example_of_the_game(key: str, tmp_path: Path) -> None:
    at = console(table := local(tmp_path, key))
    while table.turn and table.game.suits and any(one.startswith(("bid", "null")) for one in bids(table)):
        table.play(table.turn, bids(table)[-1])
    with pytest.raises(RefusedError) as refused:
        at.enter("look")
    found = re.fullmatch(r"Write `look` and a place, as in `(look \w+)`\.", str(refused.value))
    if found:
        assert "There is no" not in text_of(at.enter(found[1])[-1])
    else:
        assert str(refused.value) == "Write `look` and a place."
        assert not any(map(at.view.places.named, bids(table))), "no move names a place"


def test_the_own_hand_is_shown_in_earlier_positions_among_peers_too(tmp_path: Path) -> None:
    async def evening() -> Room:
        async with asyncio.timeout(60):
            room = Room(tmp_path, "celtic-whist", NAMES[:3])
            while len(room.tables[1].plies) < 9:
                await room.rest()
                seen[len(room.tables[1].plies)] = room.tables[1].state
                room.play()
            return room

    seen: dict[int, Any] = {}
    room = asyncio.run(evening())
    table = room.tables[1]
    assert max(seen) > 6, "cards are played"
    for plies, state in seen.items():
        assert table.past(plies) == state
        assert not any(table.past(plies).hands[1:])
    after_bids = max(plies for plies, state in seen.items() if state.hands and not state.plays)
    room.type(1, f"back {len(table.plies) - after_bids}")
    shown = board(room.console(1))
    assert "LOOKING BACK" in shown
    assert "10 left" in shown or " hand: " in shown
    assert "covered" not in shown
    room.come_back(1)
    assert room.tables[1].past(after_bids) == seen[after_bids]
