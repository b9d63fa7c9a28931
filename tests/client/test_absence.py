"""Absence at the prompt: `vote`, `claim` and `adjourn`, what is said about who is missing, and by whom it is heard."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import IDENTITIES, NAMES, Room
from protocol._event import COMMITMENT, KEY, OPENING, REVELATION, SHARES, SHUFFLE

from engine import Turn
from p2p_stonehenge.screen import plain
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.people import RESTLESS, TOLD_AT_MOST
from p2p_stonehenge.table.presence import ADVISE_AFTER, ASKED_ENOUGH
from p2p_stonehenge.table.session import RefusedError, Said
from p2p_stonehenge.text.style import Settings, spell


def refused(room: Room, operator: int, line: str) -> str:
    with pytest.raises(RefusedError) as caught:
        room.type(operator, line)
    return str(caught.value)


def room_without(folder: Path, gone: int, *, seats: int = 3, turn_time: int = 0) -> Room:
    """A table at which the seat to move is gone; what was said about that is forgotten."""
    room = Room(folder, "fidchell" if seats < 4 else "qenqe", NAMES[:seats], turn_time=turn_time)
    while room.tables[1].turn != gone:
        room.play()
    room.leave(gone)
    for operator in room.tables:
        room.notes(operator)
    return room


@pytest.mark.parametrize("line", ["vote ben", "vote BEN", "vote be", "vote green", "vote Gr", "vote 2", "/vote ben"])
def test_a_player_is_named_by_name_colour_or_number(tmp_path: Path, line: str) -> None:
    room = room_without(tmp_path, 2)
    assert refused(room, 1, "vote b") == "Write `vote ben` for Green (ben) or `vote cara` for Blue (cara)."
    room.agree_to(1, line)
    assert room.notes(1) == ["- You vote to go on without Green (ben); 2 of the 3 players have to."]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("vote", "Write vote NAME."),
        ("vote zoe", "Write vote and the name or colour of one player: `who` lists them."),
        ("vote 4", "Write vote and the name"),
        ("vote anna", "You cannot vote against your own seat: `resign` gives it up."),
        ("vote cara", "Only a seat that the game waits for can be voted out."),
        ("claim", "With three or more players you `vote` a seat out instead."),
        ("vo ben", "Write `vote` in full"),
    ],
)
def test_what_is_refused_says_what_can_be_done(tmp_path: Path, line: str, why: str) -> None:
    assert refused(room_without(tmp_path, 2), 1, line).startswith(why)


def test_names_that_are_not_clear_have_numbers(tmp_path: Path) -> None:
    """A player may be called like another one, or like the colour of another one."""
    room = Room(tmp_path, names=("anna", "Red", "anna"))
    assert [room.tables[1].call(seat) for seat in (1, 2, 3)] == ["1", "2", "3"]
    while room.tables[1].turn != 2:
        room.play()
    assert refused(room, 1, "vote red") == "Write `vote 1` for Red (anna) or `vote 2` for Green (Red)."
    room.wait(ASKED_ENOUGH + 1)
    room.agree_to(1, "vote 2")
    told = "! Red (anna) votes to go on without Green (Red) (connected, asked for 1 min 1 s). `vote 2` agrees."
    assert told in room.notes(3)


def test_two_of_three_go_on_without_the_third(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.wait(20)
    question = "Blue (cara): away for 20 s. Go on without? If 2 of 3 players vote so, cara has lost. [y/N]"
    assert room.type(1, "vote cara") == [question]
    room.type(1, "yes")
    told = "! Red (anna) votes to go on without Blue (cara) (away for 20 s). `vote cara` agrees."
    assert room.notes(2) == [told]
    assert room.type(2, "who")[2] == "  Blue    cara  to move  away for 20 s, 1 of 2 needed votes against"
    assert refused(room, 1, "vote cara").startswith("You have voted already")
    room.agree_to(2, "vote cara")
    assert room.notes(2) == [
        "- You vote to go on without Blue (cara); 2 of the 3 players have to.",
        "! Blue (cara) was voted out by Red (anna) and you, which counts as resigning.",
    ]
    assert room.notes(1) == [
        "- You vote to go on without Blue (cara); 2 of the 3 players have to.",
        "! Blue (cara) was voted out by you and Green (ben), which counts as resigning.",
    ]
    assert room.type(2, "who")[2] == "  Blue    cara  was voted out"
    assert room.console(1).status() == ["your turn", "all here"]
    room.play()
    room.check()


def test_who_was_voted_out_sees_it_and_watches_on(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.agree_to(1, "vote cara")
    room.agree_to(2, "vote cara")
    room.play()
    assert room.console(3).prompt() == "place> "
    room.come_back(3)
    assert "! You were voted out by Red (anna) and Green (ben): you may watch on, or `quit`." in room.notes(3)
    console = room.console(3)
    assert console.prompt() == "watch> "
    assert console.status() == ["Green (ben) to move", "all here"]
    assert refused(room, 3, "1A7") == "You are watching: you may look and talk, not play."
    assert refused(room, 3, "vote ben") == "That seat no longer plays."
    room.type(3, "say what a pity")
    assert Said("cara", "what a pity") in room.told[1]
    room.wait(ADVISE_AFTER)
    room.leave(2)
    for _ in range(2):
        room.wait(2 * ADVISE_AFTER)
    assert not any("Still waiting" in note for note in room.notes(3)), "it has no say"
    room.check()


def test_a_vote_against_who_is_there_says_move_now(tmp_path: Path) -> None:
    room = Room(tmp_path)
    turn = room.tables[1].turn
    voter = turn % 3 + 1
    room.wait(ASKED_ENOUGH + 1)
    room.agree_to(voter, f"vote {turn}")
    (note,) = room.notes(turn)
    assert re.fullmatch(r"! \w+ \(\w+\) votes to go on without you: move now\.", note)
    room.play()
    assert room.tables[voter].turn != turn
    room.check()


def test_what_can_be_done_is_said_once(tmp_path: Path) -> None:
    """After a while, and again only when somebody else is missing, or for another turn."""
    room = room_without(tmp_path, 2)
    advice = "! Still waiting for Green (ben): wait, `adjourn` or `vote ben`."
    room.wait(0)
    room.wait(ADVISE_AFTER - 2)
    assert room.notes(1) == []
    room.wait(2.5)
    assert room.notes(1) == room.notes(3) == [advice]
    for _ in range(5):
        room.wait(ADVISE_AFTER)
    assert room.notes(1) == []
    room.come_back(2)
    (told,) = room.notes(1)
    assert told.startswith("- Green (ben) is back, after 3 min")
    room.play()
    while room.tables[1].turn != 2:
        room.play()
    room.leave(2)
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == [
        "! Green (ben) does not answer any more: the laptop or the network is down. The game waits; nothing is lost.",
        advice,
    ]


def test_who_was_never_reached_is_said_to_be_missing(tmp_path: Path) -> None:
    """No link to it breaks, as where it died while the table formed."""
    room = Room(tmp_path, apart=(1, 2))
    room.wait(0)
    room.wait(2)
    assert room.notes(1) == []
    room.wait(2)
    told = "! Green (ben) has not been reached yet: the laptop or the network is down. The game waits; nothing is lost."
    assert (room.notes(1), room.notes(3)) == ([told], [])
    assert room.console(1).status()[1] == "ben not reached yet"
    room.tables[1].link(IDENTITIES[1].id, up=True)
    room.wait(9)
    assert room.notes(1) == ["- Green (ben) is here."]


def test_who_is_there_may_think_as_long_as_it_likes(tmp_path: Path) -> None:
    room = Room(tmp_path)
    for operator in room.tables:
        room.notes(operator)
    for _ in range(5):
        room.wait(ADVISE_AFTER)
    assert [room.notes(operator) for operator in room.tables] == [[], [], []]


def test_who_has_claimed_the_game_is_not_told_to_claim_it(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    room.wait(0)
    room.agree_to(1, "claim")
    room.notes(1)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == ["! Still waiting for Green (ben): wait or `adjourn`; you have claimed the game."]


def test_of_two_one_may_claim_and_the_other_come_back(tmp_path: Path) -> None:
    """Rule 10: honest about being unconfirmed."""
    room = room_without(tmp_path, 2, seats=2)
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == ["! Still waiting for Green (ben): wait, `adjourn` or `claim` the game."]
    assert refused(room, 1, "vote ben") == "Two players cannot vote: wait, `adjourn`, or `claim` the game."
    question = "Green (ben): away for 31 s. Write down that you claim the game? Nobody can confirm it. [y/N]"
    assert room.type(1, "claim") == [question]
    room.type(1, "yes")
    assert room.notes(1) == [
        "- You claim the game. Nobody can confirm it: `quit` leaves it so, or wait for the other player."
    ]
    assert "claims the game, unconfirmed" in room.type(1, "who")[0]
    assert refused(room, 1, "claim").startswith("You have claimed the game already")
    assert "You have left the table." in str(room.console(1).ending())
    room.come_back(2)
    told = "! Red (anna) claims the game, unconfirmed: your next move makes that void. Play on."
    assert told in room.notes(2)
    room.play()
    assert "claims" not in room.type(1, "who")[0]
    room.check()


def test_who_is_waited_for_cannot_claim(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    assert refused(room, 2, "claim") == "It is you the game waits for."


def test_a_resumed_client_is_told_to_wait_for_the_other(tmp_path: Path) -> None:
    """Of two the other one is needed first, so no claim is possible yet, and none is offered."""
    room = room_without(tmp_path, 2, seats=2)
    room.leave(1)
    room.come_back(1)
    assert room.console(1).status()[0] == "waiting for Green (ben) to come back"
    assert refused(room, 1, "claim").startswith("First the others have to say how far the game had come")
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == [
        "! Still waiting for Green (ben): wait, `adjourn` or `newest` if there is no newer copy of this game."
    ]


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
    assert refused(room, 2, move).startswith("It is not your turn (waiting for Red (anna) to come back)")

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

    asyncio.run(asyncio.wait_for(evening(), 30))
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

    asyncio.run(asyncio.wait_for(evening(), 30))
    assert table.plies[-1].action == "resign"
    assert "Not possible" not in capsys.readouterr().out


def test_who_adjourns_is_said_to_have_adjourned_and_comes_back(tmp_path: Path) -> None:
    """By wish: no word of a laptop or a network that is down."""
    room = Room(tmp_path)
    room.play()
    plies = room.tables[2].plies[:]
    for operator in room.tables:
        room.notes(operator)
    room.type(2, "adjourn")
    assert not room.console(2).leaving
    room.type(2, "yes")
    assert room.console(2).leaving
    room.leave(2)
    title = room.tables[1].title
    assert room.notes(1) == [
        "! Green (ben) adjourns the game until another day. The game is kept: "
        f"wait, or `adjourn` too: `p2p-stonehenge resume {title}` brings all back."
    ]
    room.wait(180)
    assert room.console(1).status()[-1] == "ben adjourned 3 min ago"
    assert "adjourned 3 min ago" in room.type(1, "who")[1]
    room.come_back(2)
    assert any(note.startswith("- Green (ben) is back, after 3 min") for note in room.notes(1))
    assert room.tables[2].plies == plies
    for _ in range(3):
        room.play()
    room.check()


@pytest.mark.parametrize(("seats", "ways"), [(2, "`claim` the game"), (3, "`vote ben`")])
def test_who_quits_is_said_to_have_left(tmp_path: Path, seats: int, ways: str) -> None:
    room = Room(tmp_path, names=NAMES[:seats])
    for operator in room.tables:
        room.notes(operator)
    room.agree_to(2, "quit")
    room.leave(2)
    assert room.notes(1) == [f"! Green (ben) has left the table. The game is kept: wait, `adjourn` or {ways}."]
    assert room.console(1).status()[-1] == "ben left 0 s ago"


def test_a_lost_link_a_wanted_leave_and_a_vote_are_told_apart(tmp_path: Path) -> None:
    """Each says what happened, by whose doing, and what can be typed now."""
    lost, left = Room(tmp_path / "lost"), Room(tmp_path / "left")
    lost.leave(3)
    left.agree_to(3, "quit")
    left.leave(3)
    lost.wait(180)
    while lost.tables[1].turn != 3:
        lost.play()
    lost.agree_to(1, "vote cara")
    assert "! Blue (cara) does not answer any more: the laptop" in "".join(lost.notes(1))
    assert "! Blue (cara) has left the table." in "".join(left.notes(1))
    assert "! Red (anna) votes to go on without Blue (cara) (away for 3 min). `vote cara` agrees." in lost.notes(2)


def test_who_goes_away_again_and_again_is_told_a_few_times(tmp_path: Path) -> None:
    """A link may flap, or a peer make it flap: the lines are bounded, and `who` knows all the same."""
    room = Room(tmp_path)
    room.notes(1)
    for _ in range(50):
        room.tables[1].link(IDENTITIES[1].id, up=False)
        room.tables[1].link(IDENTITIES[1].id, up=True)
    told = room.notes(1)
    assert len(told) == TOLD_AT_MOST
    assert told[-1].endswith("That happens often now: `who` tells how it stands.")
    room.tables[1].link(IDENTITIES[1].id, up=False)
    assert "away for" in room.type(1, "who")[1]
    room.wait(RESTLESS + 1)
    room.tables[1].link(IDENTITIES[1].id, up=True)
    assert room.notes(1)[-1].startswith("- Green (ben) is back, after ")


def test_who_says_again_and_again_that_it_leaves_is_told_once(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.notes(1)
    for _ in range(50):
        room.tables[2].leave()
        room.carry()
    assert len(room.notes(1)) == 1


def test_adjourning_alone_needs_nobody(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    room.agree_to(1, "adjourn")
    assert room.console(1).leaving
    assert room.notes(1) == []


def test_who_leaves_while_cards_are_shuffled_need_not_wait(tmp_path: Path) -> None:
    """A thread is at work on the table; to leave needs nothing of it."""

    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        while (working := room.tables[2]._working) is None:
            room.carry()
            await asyncio.sleep(0)
        room.agree_to(2, "quit")
        assert room.console(2).leaving
        assert not working.done()

    asyncio.run(asyncio.wait_for(evening(), 30))


def test_a_seat_that_is_connected_cannot_be_voted_out_at_once(tmp_path: Path) -> None:
    """Its player may be thinking, or at a question: that is not being gone."""
    room = Room(tmp_path)
    turn = room.tables[1].turn
    voter, other = turn % 3 + 1, (turn + 1) % 3 + 1
    room.type(turn, "quit")  # and sits at the question
    room.wait(20)
    label = room.tables[1].label(turn)
    why = f"{label} is connected and has been asked for 20 s. Give a player at least 1 min."
    assert refused(room, voter, f"vote {turn}") == why
    room.wait(ASKED_ENOUGH)
    for operator in room.tables:
        room.notes(operator)
    (question,) = room.type(voter, f"vote {turn}")
    name = NAMES[turn - 1]
    assert question == (
        f"{label} is connected and has been asked for 1 min 20 s. "
        f"Go on without? If 2 of 3 players vote so, {name} has lost. [y/N]"
    )
    assert room.type(voter, "") == [f"- As you were: `vote {name}` is not done."]
    assert (room.notes(turn), room.notes(other)) == ([], [])
    room.play()
    assert room.console(turn).questions.open, "the question is still there"
    room.check()


def test_of_three_the_two_who_are_left_may_claim(tmp_path: Path) -> None:
    """One has resigned and watches on: the claim is against the one that is waited for."""
    room = Room(tmp_path)
    room.agree_to(1, "resign")
    while room.tables[2].turn != 3:
        room.play()
    room.leave(3)
    room.wait(5)
    question = "Blue (cara): away for 5 s. Write down that you claim the game? Nobody can confirm it. [y/N]"
    assert room.type(2, "claim") == [question]
    room.type(2, "yes")
    assert any("You claim the game" in note for note in room.notes(2))


def test_of_two_nobody_claims_the_game_of_a_player_who_thinks(tmp_path: Path) -> None:
    room = Room(tmp_path, names=NAMES[:2])
    turn = room.tables[1].turn
    other = 3 - turn
    assert "is connected and has been asked for" in refused(room, other, "claim")
    room.wait(ASKED_ENOUGH + 1)
    room.notes(turn)
    room.agree_to(other, "claim")
    label = room.tables[1].label(other)
    assert room.notes(turn) == [f"! {label} claims the game, unconfirmed: your next move makes that void. Play on."], (
        "not while it was away"
    )


def test_who_interrupts_the_program_while_cards_are_shuffled_sees_no_error(tmp_path: Path) -> None:
    async def evening() -> list[object]:
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        while (working := room.tables[1]._working) is None:
            room.carry()
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait([working])
        await asyncio.sleep(0)
        return errors

    assert asyncio.run(asyncio.wait_for(evening(), 30)) == []


@pytest.mark.parametrize("event", ["back", "moved"])
def test_a_question_about_who_is_gone_lapses_when_it_is_not_so_any_more(tmp_path: Path, event: str) -> None:
    room = room_without(tmp_path, 2)
    room.type(1, "vote ben")
    assert room.console(1).prompt() == "vote ben? [y/N]> "
    room.come_back(2)
    if event == "moved":
        room.play()
    at = room.console(1)
    shown = [text_of(line) for line in at.lapse()]
    assert shown == ["- `vote ben` is not asked any more: the table has moved on."]
    assert refused(room, 1, "yes") == "Nothing is asked of you now."
    room.play()
    room.check()


def test_after_a_claim_a_typed_n_means_nothing_else(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    room.agree_to(1, "claim")
    for answer in ("n", "no", "y"):
        assert refused(room, 1, answer) == "Nothing is asked of you now."


def test_the_turn_time_is_told_to_who_has_it_and_who_waits(tmp_path: Path) -> None:
    room = Room(tmp_path, turn_time=60)
    turn = room.tables[1].turn
    others = [operator for operator in room.tables if operator != turn]
    room.wait(0)
    for operator in room.tables:
        room.notes(operator)
    room.away = {*others}
    room.wait(61)
    assert room.notes(turn) == ["! Your time for this turn is up: move now, or the others' clients vote you out."]
    assert room.console(turn).status()[0] == "your turn, no time left"
    room.away = {turn}
    room.wait(1)
    label = room.tables[turn].label(turn)
    for operator in others:
        first, *_, last = room.notes(operator)
        assert first == f"! {label} has used up the time for this turn. Your client votes to go on without."
        assert last.startswith(f"! {label} was voted out by ")


@pytest.mark.parametrize(
    ("seats", "limit", "marks"), [(3, 60, (30, 10)), (2, 60, (30, 10)), (3, 38, (10,)), (3, 12, (6,))]
)
def test_who_is_to_move_is_warned_before_the_time_runs_out(
    tmp_path: Path, seats: int, limit: int, marks: tuple[int, ...]
) -> None:
    """At half of it and shortly before its end, once each; the others see it in the status line."""
    room = Room(tmp_path, names=NAMES[:seats], turn_time=limit)
    turn, other = (table := room.tables[1]).turn, table.turn % seats + 1
    room.wait(0)
    for operator in room.tables:
        room.notes(operator)
    told = []
    for left in range(limit, 1, -1):
        assert room.console(turn).status()[0] == f"your turn, {spell(left)} left"
        assert room.console(other).status()[0] == f"{table.label(turn)} to move, {spell(left)} left"
        assert room.type(other, "who")[-2] == f"  the three words: {room.tables[turn].words}"
        assert room.type(other, "who")[-1] == f"  {spell(left)} left for this turn"
        room.wait(1)
        told += room.notes(turn)
        assert room.notes(other) == []
    then = "the other player may claim the game" if seats == 2 else "the others' clients vote you out"
    assert told == [f"! {mark} s left for this turn. Then {then}." for mark in marks]
    room.play()
    assert "left" not in room.console(other).status()[0], "nothing of what the one before had left"
    room.wait(0)
    assert room.console(other).status()[0].endswith(f", {spell(limit)} left")


def test_a_turn_begins_with_its_whole_time_on_a_computer_that_has_just_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that counts from the start shows small numbers, whose sums are rounded where a second begins."""
    clock = next(ms / 1000 for ms in range(10_000) if ms / 1000 + 60 - ms / 1000 > 60)
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    room = Room(tmp_path, names=NAMES[:3], turn_time=60)
    turn = room.tables[1].turn
    room.wait(0)
    for left in range(60, 0, -1):
        assert room.console(turn).status()[0] == f"your turn, {spell(left)} left"
        room.wait(1)


def test_no_wish_makes_a_turn_longer(tmp_path: Path) -> None:
    """Neither that of whom the others wait for, nor that of another."""
    room = Room(tmp_path, names=NAMES[:3], turn_time=60)
    turn = room.tables[1].turn
    other = turn % 3 + 1
    room.wait(0)
    for operator, wish in ((turn, "draw"), (other, "draw"), (turn, "undraw"), (other, "undraw")):
        room.wait(10)
        room.type(operator, wish)
        if wish == "draw":
            room.type(operator, "yes")
    assert room.tables[other].wishes() == ()
    room.wait(1)
    assert room.console(turn).status()[0] == f"your turn, {spell(19)} left"


def test_of_two_the_turn_time_leads_to_a_claim(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2, turn_time=60)
    room.wait(0)
    room.wait(61)
    told = "! Green (ben) has used up the time for this turn. `claim` claims the game."
    assert told in room.notes(1)


@pytest.mark.parametrize(
    ("key", "kinds", "status"),
    [
        ("fidchell", (COMMITMENT, OPENING), "waiting for the commitment of {ben}"),
        ("fidchell", (REVELATION, OPENING), "waiting for the share in the roll of {ben}"),
        ("celtic-whist", (KEY,), "cards shuffled by 0 of 3, waiting for the key of {ben}"),
        ("celtic-whist", (SHUFFLE,), "cards shuffled by 1 of 3, waiting for the shuffle of {ben}"),
        ("celtic-whist", (SHARES,), "cards shuffled by 3 of 3, waiting for the shares of {ben}"),
    ],
)
def test_what_is_withheld_is_named_and_voted_out(tmp_path: Path, key: str, kinds: tuple[int, ...], status: str) -> None:
    """Rule 8: a client gives its part by itself. Where that does not come, its link being up, it is the same case."""

    async def evening() -> None:
        room = Room(tmp_path, key, NAMES[:3], withheld=kinds)

        async def until(shown: str) -> None:
            while room.console(1).status()[0] != shown or room.console(3).status()[0] != shown:
                room.carry()
                await asyncio.sleep(0.005)

        async with asyncio.timeout(30):
            await until(status.format(ben=room.tables[1].label(2)))
            while not any("Still waiting" in note for note in room.notes(3)):
                room.wait(ASKED_ENOUGH + 1)
                await asyncio.sleep(0.005)
            for voter in (1, 3):
                voted = False
                while not voted:
                    try:
                        room.agree_to(voter, "vote ben")
                        voted = True
                    except RefusedError:  # a thread is at work: wait a moment, it says
                        await asyncio.sleep(0.005)
            while not {room.tables[1].turn, room.tables[3].turn} <= {1, 3}:
                room.carry()
                await asyncio.sleep(0.005)
        assert any(f"! {room.tables[1].label(2)} was voted out by" in note for note in room.notes(1))
        room.play()

    asyncio.run(evening())


@pytest.mark.parametrize("people", [(1,), (1, 2)], ids=["alone", "at one screen"])
def test_where_all_play_here_nobody_is_absent(people: tuple[int, ...]) -> None:
    console = Console(FakeTable("fidchess", people=people, first=1), Settings(), "ascii")
    for line, why in (("vote ben", "there is nobody to vote out"), ("claim", "nobody to claim the game from")):
        with pytest.raises(RefusedError, match=f"^Everybody at this table plays here: .*{why}"):
            console.enter(line)
    console.enter("adjourn")
    assert not console.leaving, "it asks first"
    console.enter("yes")
    assert console.leaving


@pytest.mark.parametrize("line", ["vote ben", "claim"])
def test_who_only_watches_has_no_say(line: str) -> None:
    with pytest.raises(RefusedError, match="You are watching"):
        Console(FakeTable("fidchess", people=(), first=1), Settings(), "ascii").enter(line)


def test_in_plain_mode_what_is_typed_about_who_is_gone_does_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves that are piped in wait for their turn; a vote would wait for ever."""
    table = FakeTable("fidchess", first=2)

    async def lines() -> AsyncIterator[str]:
        for line in ("vote ben", "claim", "adjourn", "yes", "a2 a3"):
            yield line

    asyncio.run(asyncio.wait_for(plain.run(table, Settings(), lines()), 10))
    told = capsys.readouterr().out.splitlines()
    assert told[1:] == [
        "Not possible: Everybody at this table plays here: there is nobody to vote out.",
        "Not possible: Everybody at this table plays here: there is nobody to claim the game from.",
        "Leave until another day? The game is kept: `p2p-stonehenge resume 7f3a` goes on with it. [y/N]",
        "You have left the table.",
    ]
    assert table.plies == []


def test_help_fits_a_narrow_screen() -> None:
    console = Console(FakeTable("fidchess"), Settings(), "ascii")
    lines = [text_of(line).rstrip() for line in console.enter("help")]
    assert max(map(len, lines)) < 80
    assert len(lines) < 24
    for command in COMMANDS.keys() - {"vote", "claim", "newest", "undraw", "help", "board"}:
        assert any(line.startswith(f"  {command}") for line in lines), command


def test_what_is_said_about_absence_fits_a_narrow_screen(tmp_path: Path) -> None:
    """With names of seven letters; longer ones are wrapped."""
    room = Room(tmp_path, names=("annabel", "benjamin", "carolin"), turn_time=60)
    while room.tables[1].turn != 3:
        room.play()
    room.leave(3)
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    room.agree_to(1, "vote carolin")
    lines = [*room.type(2, "who"), f" {'  '.join(room.console(2).status())}"]
    assert max(map(len, lines)) < 80, max(lines, key=len)
    room.agree_to(2, "vote carolin")
    told = room.notes(1) + room.notes(2)
    assert any("Still waiting" in line for line in told)
    assert any("voted out" in line for line in told)
    assert max(map(len, told)) < 160, "two lines at most"
