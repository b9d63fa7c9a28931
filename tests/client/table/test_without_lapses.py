"""Going on without a player who comes back in time: nobody is left behind, and what was asked is asked no more."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, WITH_ALL, Room, refused, room_without

from p2p_stonehenge.screen import plain
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note
from protocol.events import EventKind
from protocol.table.going_on import ANSWER_WITHIN


def test_the_missing_player_comes_back_before_all_have_agreed(tmp_path: Path) -> None:
    """The one who had typed `without` is told that it came to nothing, and the game goes on with all."""
    room = room_without(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(3)
    for operator in room.tables:
        room.notes(operator)
    room.come_back(3)
    room.pass_time(3)
    assert WITH_ALL in room.notes(1)
    assert WITH_ALL in room.notes(2)
    told, end = room.notes(3)[-2:]
    assert told.startswith("! Red (anna) proposed to go on without you while you were away: unless the others agree")
    assert end == WITH_ALL
    assert [room.console(operator).status()[0] for operator in (1, 3)] == ["Blue (cara) to move", "your turn"]
    assert room.type(2, "who")[2] == "  Blue    cara  to move", "nobody would go on without her any more"
    table = room.tables[3]
    table.play(3, table.game.legal(table.state, 3)[0])
    room.carry()
    assert {table.turn for table in room.tables.values()} == {1}
    room.check()


def test_what_was_told_of_a_missing_player_is_so_until_she_is_back_or_moves(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn != 3:
        room.play()
    room.leave(3)
    room.agree_to(1, "without cara")
    told = [note for note in room.told[2] if isinstance(note, Note) and note.urgent]
    assert ["wants to go on without" in note.text for note in told] == [False, True], "she is gone, and unwanted"
    room.pass_time(3)
    assert all(note.stands() for note in told)
    room.come_back(3)
    told += [note for note in room.told[3] if isinstance(note, Note) and "without you" in note.text][-1:]
    assert [note.stands() for note in told] == [False, False, True], "she is back, and has to move"
    room.pass_time(3)
    table = room.tables[3]
    table.play(3, table.game.legal(table.state, 3)[0])
    room.carry()
    assert [note.stands() for note in told] == [False, False, False]


def test_a_question_lapses_when_the_player_comes_back_and_moves(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2)
    room.type(1, "without ben")
    assert room.console(1).prompt() == "without ben? [y/N]> "
    room.come_back(2)
    room.play()
    shown = [text_of(line) for line in room.console(1).lapse()]
    why = "The game does not wait for that player now: ask again when it does."
    assert shown == [f"- `without ben` is not asked any more. {why}"]
    assert refused(room, 1, "yes") == f"Nothing is asked of you now: {shown[0][2:]}"
    room.play()
    room.check()


def test_a_question_lapses_with_a_reason_when_the_player_only_comes_back(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2)
    room.type(1, "without ben")
    room.come_back(2)
    (shown,) = [text_of(line) for line in room.console(1).lapse()]
    why = "Green (ben) is back: give a player at least 1 min."
    assert shown == f"- `without ben` is not asked any more. {why}"


def test_a_question_outlives_that_another_player_starts_again_while_cards_are_dealt(tmp_path: Path) -> None:
    """A thread is at work then, and nobody can look at what was asked about: that is no reason to ask no more."""

    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:4], withheld={2: (EventKind.SHARES,)})

        await room.rest()
        room.leave(2)
        await room.rest()
        room.type(1, "without ben")
        told: list[str] = []
        room.tables[1].listen(lambda notice: told.extend(map(text_of, room.console(1).hear(notice))))
        room.tables[1].link(IDENTITIES[2].id, up=False)
        room.tables[1].link(IDENTITIES[2].id, up=True)
        assert room.tables[1]._jobs.working
        assert refused(room, 1, "yes").startswith("The cards are being shuffled: wait a moment")
        await room.rest()
        assert told == ["! cara does not answer any more. Nothing is lost: wait or `adjourn`.", "- cara is back."]
        room.notes(1)
        room.type(1, "yes")
        assert room.notes(1) == ["- You want to go on without ben: now the others who stay have to agree."]

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_a_question_to_agree_lapses_when_another_player_is_named(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(1)
    room.type(2, "agree")
    room.come_back(3)
    room.pass_time(3)
    room.play()
    (shown,) = [text_of(line) for line in room.console(2).lapse()]
    assert refused(room, 2, "yes") == f"Nothing is asked of you now: {shown[2:]}"


def test_a_move_made_while_the_others_agree_waits_until_they_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player is back, and its client has just agreed that nobody leaves: until all have, it can sign no move."""
    room = room_without(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(1)
    room.come_back(3)
    table = room.tables[3]
    move = table.game.legal(table.state, 3)[0]

    async def lines() -> AsyncIterator[str]:
        yield move

    async def evening() -> None:
        playing = asyncio.create_task(plain.run(table, Settings(), lines()))
        while not table.table.own.has_agreed:
            room.away = {1}  # whose signature does not come yet
            room.pass_time(0.5)
            await asyncio.sleep(0)
        assert table.turn == 0
        assert refused(room, 3, move).startswith("Not your turn: waiting for ")
        room.away = set()
        for operator in (2, 3):
            room.reconnect(1, operator)
            room.reconnect(operator, 1)
        while table.turn != 1:
            room.pass_time(0.5)
            await asyncio.sleep(0)
        playing.cancel()

    asyncio.run(asyncio.wait_for(evening(), 60))
    assert table.plies[-1].action == move
    assert "Not possible" not in capsys.readouterr().out
    room.check()


def gone_and_back(folder: Path) -> Room:
    """A table of three: ben was to move, and was gone like cara when anna proposed to go on without; both are back."""
    room = room_without(folder, 2)
    room.leave(3)
    room.pass_time(5)
    room.agree_to(1, "without ben")
    room.pass_time(5)
    room.notes(1)
    for operator in (2, 3):
        room.come_back(operator)
    return room


def test_while_it_is_put_off_that_all_stay_the_screens_agree(tmp_path: Path) -> None:
    """The client of cara has heard of the proposal with ben there, and gives its player time to agree."""
    room = gone_and_back(tmp_path)
    room.pass_time(3)
    assert [room.console(operator).status()[0] for operator in (1, 2, 3)] == [
        "waiting for Blue (cara): with all, or without ben",
        "waiting for Blue (cara): with all, or without you",
        "all go on in up to 30 s, then Green (ben) to move",
    ]
    move = room.tables[2].game.legal(room.tables[2].state, 2)[0]
    assert refused(room, 2, move).startswith("Not your turn: waiting for Blue (cara): with all, or without you")
    room.pass_time(10)  # by now anna's client has proposed it again
    assert room.console(3).status()[0] == "anna would go on without ben"
    assert "  agree " not in "\n".join(room.type(3, "help")), "it would be refused"
    assert refused(room, 3, "agree").endswith(" only: give a player at least 1 min.")
    room.pass_time(ANSWER_WITHIN)
    assert [room.console(operator).status()[0] for operator in (1, 2, 3)] == [
        "Green (ben) to move",
        "your turn",
        "Green (ben) to move",
    ]
    room.play()
    room.check()


def test_each_player_reads_once_what_comes_of_a_proposal_whose_player_is_back(tmp_path: Path) -> None:
    room = gone_and_back(tmp_path)
    room.pass_time(ANSWER_WITHIN + 10)
    goes_on = "the game goes on with all"
    notes = {
        operator: [note for note in room.notes(operator) if goes_on in note or "without" in note]
        for operator in room.tables
    }
    proposed = "! Red (anna) proposed to go on without you while you were away"
    wants = "! Red (anna) wants to go on without Green (ben), who is here"
    assert notes == {
        1: [f"! Green (ben) is back: unless the others agree with you, {goes_on} within about 30 s.", WITH_ALL],
        2: [f"{proposed}: unless the others agree, {goes_on}, about 30 s after all are back at the latest.", WITH_ALL],
        3: [f"{wants}: you need do nothing; unless all others agree, {goes_on} within about 30 s.", WITH_ALL],
    }
