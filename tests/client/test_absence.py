"""Absence at the prompt: what is said about a player who is missing, and what can be done meanwhile."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import IDENTITIES, NAMES, Room, refused, room_without

from engine import Turn
from p2p_stonehenge.screen import plain
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import KEYS
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.people import RESTLESS, TOLD_AT_MOST
from p2p_stonehenge.table.presence import ADVISE_AFTER, ASKED_ENOUGH, WAKING
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.style import Settings


def test_what_can_be_done_is_said_once(tmp_path: Path) -> None:
    """After a while, and again only when somebody else is missing, or for another turn."""
    room = room_without(tmp_path, 2)
    advice = "! Still waiting for Green (ben): wait, `adjourn` or `without ben`."
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
    lost = "! Green (ben) does not answer any more."
    assert room.notes(1) == [f"{lost} Nothing is lost: wait, `adjourn` or `without ben`.", advice]


def test_who_was_never_reached_is_said_to_be_missing(tmp_path: Path) -> None:
    """No link to it breaks, as where it died while the table formed."""
    room = Room(tmp_path, apart=(1, 2))
    room.wait(0)
    room.wait(2)
    assert room.notes(1) == []
    room.wait(2)
    told = "! Green (ben) has not been reached yet."
    told += " Nothing is lost: wait or `adjourn`."
    assert (room.notes(1), room.notes(3)) == ([told], [])
    assert room.console(1).status()[1] == "ben not reached yet"
    room.tables[1].link(IDENTITIES[1].id, up=True)
    room.wait(9)
    assert room.notes(1) == ["- Green (ben) is here."]


@pytest.mark.parametrize("resumed", [False, True])
def test_a_player_who_is_at_another_table_is_not_here(tmp_path: Path, resumed: bool) -> None:
    """The link with that player's key comes up all the same; only what is said of this table tells of presence."""
    room = room_without(tmp_path, 2)
    if resumed:
        room.leave(1)
        room.come_back(1)
        room.tables[1].begin([IDENTITIES[1].id])
    else:
        room.tables[1].link(IDENTITIES[1].id, up=True)
    room.carry()
    assert not any("ben" in told for told in room.notes(1))
    room.wait(9)
    away = "not reached yet" if resumed else "away for 9 s"
    assert room.console(1).session.remark(2) == away
    room.come_back(2)
    assert any(told.startswith(f"- Green (ben) is {'here' if resumed else 'back'}") for told in room.notes(1))


def test_going_on_without_a_player_is_offered_only_where_the_game_waits_for_that_player(tmp_path: Path) -> None:
    """What is offered is taken; at the turn of another player nobody is told to type what would be refused."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.notes(1)
    room.leave(3)
    assert room.notes(1) == ["! Blue (cara) does not answer any more. Nothing is lost: wait or `adjourn`."]
    assert refused(room, 1, "without cara").startswith("The game does not wait for that player now")
    room.play()
    assert room.tables[1].turn == 3
    room.wait(0)
    told = "! The game waits for Blue (cara) now: wait, `adjourn` or `without cara`."
    assert room.notes(1) == [told], "what was told when she went was to wait, and is not left standing"
    room.wait(2 * ADVISE_AFTER)
    assert room.notes(1) == []
    room.type(1, "without cara")
    assert room.console(1).questions.open


def test_a_player_who_comes_back_after_the_end_is_told_of(tmp_path: Path) -> None:
    """That there is nobody to play again with is not left standing."""
    room = Room(tmp_path, "fidchess", NAMES[:2])
    for table in room.tables.values():
        table.stays = True
    room.agree_to(room.tables[1].turn, "resign")
    room.notes(1)
    ben = IDENTITIES[1].id
    room.tables[1].link(ben, up=False)
    (lost,) = room.notes(1)
    assert "(ben) does not answer any more. There is nobody to play again with" in lost
    assert room.type(1, "who")[1].endswith("ben  is away")
    room.tables[1].link(ben, up=True)
    room.carry()
    (back,) = room.notes(1)
    assert back.endswith("(ben) is back.")
    assert room.tables[1].may_again


@pytest.mark.parametrize("looked_first", [False, True])
@pytest.mark.parametrize("counts_sleep", [False, True])
def test_a_player_whose_computer_slept_reads_that_and_not_that_the_others_were_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looked_first: bool, counts_sleep: bool
) -> None:
    """Links break only when the computer wakes; some clocks stand still while it sleeps."""
    room = Room(tmp_path)
    room.pass_time(2)
    room.notes(1)
    clock = "monotonic" if counts_sleep else "time"
    real = getattr(time, clock)
    monkeypatch.setattr(time, clock, lambda: real() + 200)
    table, (_, ben, cara, *_) = room.tables[1], IDENTITIES
    if looked_first:
        table.tick(time.monotonic() + room.ahead)
    for peer in (ben.id, cara.id):
        table.link(peer, up=False)
    (slept,) = room.notes(1)
    assert slept.startswith("! This computer was asleep, or this program stopped, for 3 min ")
    assert slept.endswith(": reaching the others again.")
    assert room.console(1).status()[1] == "2 away: ben, cara"
    table.link(ben.id, up=True)
    room.carry()
    assert room.notes(1) == ["- Green (ben) is here."]
    room.pass_time(WAKING - 4)
    assert room.notes(1) == []
    room.pass_time(6)
    (missed,) = room.notes(1)
    assert missed.startswith("! Blue (cara) has not been reached yet. Nothing is lost: wait")


def test_while_a_computer_slept_nobody_was_waited_for(tmp_path: Path) -> None:
    """A player who wakes cannot go on at once without another one, who was connected and may think."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.pass_time(2)
    for table in room.tables.values():
        table.tick(time.monotonic() + room.ahead + 2 * ASKED_ENOUGH)
    room.ahead += 2 * ASKED_ENOUGH
    assert "Give a player at least" in refused(room, 1, "without ben")
    room.pass_time(ASKED_ENOUGH + 1)
    room.type(1, "without ben")
    assert room.console(1).questions.open


def test_the_bottom_line_has_room_for_all_who_are_away(tmp_path: Path) -> None:
    """Beside the shortest list of keys, on a screen of 80 columns; `who` tells why and for how long."""
    room = Room(tmp_path, "qenqe", NAMES[:5], turn_time=600)
    room.wait(0)
    for gone in (2, 3, 4):
        room.leave(gone)
    room.wait(200)
    line = f" {'  '.join(room.console(1).status())}"
    assert line.endswith("  3 away: ben, cara, dora")
    assert len(line) + len(KEYS[-1]) + 3 <= 80
    assert [line.split("  ")[-1] for line in room.type(1, "who")[1:4]] == ["away for 3 min"] * 3


def test_a_link_that_breaks_for_a_moment_names_no_time(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.pass_time(2)
    room.notes(1)
    room.reconnect(1, 2)
    assert room.notes(1)[-1] == "- Green (ben) is back."


def test_who_is_there_may_think_as_long_as_it_likes(tmp_path: Path) -> None:
    room = Room(tmp_path)
    for operator in room.tables:
        room.notes(operator)
    for _ in range(5):
        room.wait(ADVISE_AFTER)
    assert [room.notes(operator) for operator in room.tables] == [[], [], []]


def test_of_two_a_player_who_is_missing_is_waited_for(tmp_path: Path) -> None:
    """Of two nobody can leave the other behind: to wait or to adjourn is what is offered."""
    room = room_without(tmp_path, 2, seats=2)
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == ["! Still waiting for Green (ben): wait or `adjourn`."]
    for line in ("without ben", "agree"):
        refused(room, 1, line)
    assert refused(room, 1, "without ben").startswith(
        "Of two players nobody can go on without the other: wait, `adjourn`"
    )
    room.come_back(2)
    room.play()
    room.check()


def test_a_resumed_client_is_told_to_wait_for_the_other(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    room.leave(1)
    room.come_back(1)
    assert room.console(1).status()[0] == "waiting for Green (ben) to come back"
    assert refused(room, 1, "without ben").startswith("First the others have to say how far the game had come")
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    assert room.notes(1) == [
        "! Still waiting for Green (ben): wait, `adjourn` or `newest` if there is no newer copy of this game."
    ]


def test_who_goes_on_from_an_own_copy_is_told_what_can_be_done_then(tmp_path: Path) -> None:
    """The same player is missing at the same slot, but the advice is another one."""
    room = room_without(tmp_path, 3)
    room.leave(1)
    room.come_back(1)
    room.pass_time(ADVISE_AFTER + 2)
    assert room.notes(1)[-1].startswith("! Still waiting for Blue (cara): wait, `adjourn` or `newest` if ")
    room.agree_to(1, "newest")
    room.pass_time(ADVISE_AFTER + 2)
    assert room.notes(1)[-1] == "! Still waiting for Blue (cara): wait, `adjourn` or `without cara`."


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


def test_who_adjourns_is_said_to_have_adjourned_and_comes_back(tmp_path: Path) -> None:
    """By wish: no word of a laptop or a network that is down."""
    room = Room(tmp_path)
    room.play()
    while room.tables[1].turn != 1:
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
        f"play on, or `adjourn` too: `p2p-stonehenge resume {title}` brings all back."
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


def test_all_who_adjourn_are_said_to_have_done_so(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES[:4])
    for operator, left in ((2, "ben adjourned 0 s ago"), (3, "2 adjourned: ben, cara")):
        room.agree_to(operator, "adjourn")
        room.leave(operator)
        assert room.console(1).status()[-1] == left
    room.agree_to(4, "quit")
    assert room.console(1).status()[-1] == "3 away: ben, cara, dora"


@pytest.mark.parametrize(
    ("seats", "turn", "ways"),
    [(2, 2, "wait or `adjourn`"), (3, 2, "wait, `adjourn` or `without ben`"), (2, 1, "play on or `adjourn`")],
)
def test_who_quits_is_said_to_have_left(tmp_path: Path, seats: int, turn: int, ways: str) -> None:
    """A player who is to move is not told to wait."""
    room = Room(tmp_path, names=NAMES[:seats])
    while room.tables[1].turn != turn:
        room.play()
    for operator in room.tables:
        room.notes(operator)
    room.agree_to(2, "quit")
    room.leave(2)
    assert room.notes(1) == [f"! Green (ben) has left the table. The game is kept: {ways}."]
    assert room.console(1).status()[-1] == "ben left 0 s ago"


@pytest.mark.parametrize("over", [False, True])
def test_nobody_reads_that_a_player_who_has_left_cannot_be_reached(tmp_path: Path, over: bool) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    table, ben = room.tables[1], IDENTITIES[1].id
    if over:
        room.agree_to(table.turn, "resign")
        room.tables[2].dismiss(0.0)
        room.carry()
    else:
        room.agree_to(2, "quit")
    room.leave(2)
    room.notes(1)
    table.trouble(ben, "ben is not reached: another program is there now, or one that hangs.")
    assert room.notes(1) == []
    assert table.awaited == (() if over else (ben,)), "one who has left a game that goes on may come back"
    if over:
        room.wait(180)
        assert room.console(1).status()[-1] == "ben has left", "no clock runs on at the end"


def test_a_player_who_has_resigned_leaves_without_an_alarm(tmp_path: Path) -> None:
    """The others need not wait: they are not told that they could."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.agree_to(3, "resign")
    for operator in room.tables:
        room.notes(operator)
    room.agree_to(3, "quit")
    room.leave(3)
    assert room.notes(1) == room.notes(2) == ["- Blue (cara) has left the table; the game goes on."]
    room.play()
    assert room.tables[1].turn == 1
    assert room.type(2, "who")[2] == "  Blue    cara  has resigned"
    room.check()


def test_a_lost_link_and_a_wanted_leave_are_told_apart(tmp_path: Path) -> None:
    """Each says what happened, by whose doing, and what can be typed now."""
    lost, left = Room(tmp_path / "lost"), Room(tmp_path / "left")
    lost.leave(3)
    left.agree_to(3, "quit")
    left.leave(3)
    assert "! Blue (cara) does not answer any more. Nothing is lost" in "".join(lost.notes(1))
    assert "! Blue (cara) has left the table." in "".join(left.notes(1))
    for room, state in ((lost, "away for 3 min"), (left, "left 3 min ago")):
        room.wait(180)
        while room.tables[1].turn != 3:
            room.play()
        room.agree_to(1, "without cara")
        told = f"! Red (anna) wants to go on without Blue (cara) ({state}): `agree`, or wait."
        assert told in room.notes(2)


def test_who_goes_away_again_and_again_is_told_a_few_times(tmp_path: Path) -> None:
    """A link may flap, or a peer make it flap: the lines are bounded, and `who` knows all the same."""
    room = Room(tmp_path)
    room.notes(1)
    for _ in range(50):
        room.reconnect(1, 2)
    told = room.notes(1)
    assert len(told) == TOLD_AT_MOST
    assert told[-1].endswith("That happens often now: `who` tells how it stands.")
    room.tables[1].link(IDENTITIES[1].id, up=False)
    assert "away for" in room.type(1, "who")[1]
    room.wait(RESTLESS + 1)
    room.reconnect(1, 2)
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
        while (working := room.tables[2]._jobs.working) is None:
            room.carry()
            await asyncio.sleep(0)
        room.agree_to(2, "quit")
        assert room.console(2).leaving
        assert not working.done()

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_who_interrupts_the_program_while_cards_are_shuffled_sees_no_error(tmp_path: Path) -> None:
    async def evening() -> list[object]:
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        while (working := room.tables[1]._jobs.working) is None:
            room.carry()
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait([working])
        await asyncio.sleep(0)
        return errors

    assert asyncio.run(asyncio.wait_for(evening(), 60)) == []


@pytest.mark.parametrize("people", [(1,), (1, 2)], ids=["alone", "at one screen"])
def test_where_all_play_here_nobody_is_absent(people: tuple[int, ...]) -> None:
    console = Console(FakeTable("fidchess", people=people, first=1), Settings(), "ascii")
    for line in ("without ben", "agree"):
        with pytest.raises(RefusedError, match="there is nobody to go on without"):
            console.enter(line)
    console.enter("adjourn")
    assert not console.leaving, "it asks first"
    console.enter("yes")
    assert console.leaving


@pytest.mark.parametrize("line", ["without ben", "agree"])
def test_who_only_watches_has_no_say(line: str) -> None:
    with pytest.raises(RefusedError, match="You are watching"):
        Console(FakeTable("fidchess", people=(), first=1), Settings(), "ascii").enter(line)


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


def test_help_fits_a_narrow_screen() -> None:
    console = Console(FakeTable("fidchess"), Settings(), "ascii")
    lines = [text_of(line).rstrip() for line in console.enter("help")]
    assert max(map(len, lines)) < 80
    assert len(lines) < 24
    seldom = {
        "takeback",
        "without",
        "agree",
        "newest",
        "undraw",
        "help",
        "board",
        "again",
        "result",
        "hint",
        "why",
        "threats",
        "words",
        "hand",
        "mute",
    }
    for command in COMMANDS.keys() - seldom:
        assert any(line.startswith(f"  {command}") for line in lines), command
