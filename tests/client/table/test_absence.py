"""A player is missing: what is said of that and when, and what is advised."""

import time
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, Room, refused, room_without

from p2p_stonehenge.screen.status import KEYS
from p2p_stonehenge.table.comings import ADVISE_AFTER
from p2p_stonehenge.table.people import RESTLESS, TOLD_AT_MOST
from p2p_stonehenge.table.presence import WAKING
from p2p_stonehenge.table.proposals import ASKED_ENOUGH
from p2p_stonehenge.table.session import Note


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
    assert room.tables[1].after().may_again


def test_a_player_who_is_gone_when_this_computer_wakes_after_the_end_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that breaks then is of this computer's doing, and may come up again; that it did not was never told."""
    room = Room(tmp_path, "fidchess", NAMES[:2])
    table = room.tables[1]
    table.stays = True
    room.agree_to(table.turn, "resign")
    now, real = time.monotonic(), time.monotonic
    table.look(now)
    room.notes(1)
    monkeypatch.setattr(time, "monotonic", lambda: real() + 200)
    table.look(now + 200)
    table.link(IDENTITIES[1].id, up=False)
    for seconds in (4, 8, 12):
        table.look(now + 200 + seconds)
    assert room.notes(1) == []
    assert room.type(1, "who")[1].endswith("ben  not reached again")
    for later in (WAKING + 1, WAKING + 2):
        table.look(now + 200 + later)
    (told,) = room.notes(1)
    assert "(ben) has not been reached again. There is nobody to play again with" in told
    table.link(IDENTITIES[1].id, up=True)
    room.carry()
    assert [note.endswith("(ben) is back.") for note in room.notes(1)] == [True]


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
    (note,) = [told for told in room.told[1] if isinstance(told, Note)]
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
    assert missed.startswith("! Blue (cara) has not been reached again. Nothing is lost: wait")
    assert note.stands()
    table.link(cara.id, up=True)
    room.carry()
    assert not note.stands(), "all are reached again"


def test_while_a_computer_slept_nobody_was_waited_for(tmp_path: Path) -> None:
    """A player who wakes cannot go on at once without another one, who was connected and may think."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.pass_time(2)
    for table in room.tables.values():
        table.tick(time.monotonic() + room.ahead + 2 * ASKED_ENOUGH)
    room.ahead += 2 * ASKED_ENOUGH
    assert "give a player at least" in refused(room, 1, "without ben")
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


def test_what_is_said_about_absence_fits_a_narrow_screen(tmp_path: Path) -> None:
    """With names of seven letters; longer ones are wrapped."""
    room = Room(tmp_path, names=("annabel", "benjamin", "carolin"), turn_time=600)
    while room.tables[1].turn != 3:
        room.play()
    room.leave(3)
    room.wait(0)
    room.wait(ADVISE_AFTER + 1)
    room.agree_to(1, "without carolin")
    lines = [*room.type(2, "who"), f" {'  '.join(room.console(2).status())}"]
    assert max(map(len, lines)) < 80, max(lines, key=len)
    room.agree_to(2, "agree")
    told = room.notes(1) + room.notes(2)
    assert any("Still waiting" in line for line in told)
    assert any("go on without" in line for line in told)
    assert max(map(len, told)) < 160, "two lines at most"


def test_a_link_that_breaks_for_a_moment_names_no_time(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.pass_time(2)
    room.notes(1)
    room.reconnect(1, 2)
    assert room.notes(1)[-1] == "- Green (ben) is back."


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
    assert refused(room, 1, "without ben").startswith("First Green (ben) has to say how far the game had come")
    room.wait(0)
    room.wait(ADVISE_AFTER - 1)
    assert room.notes(1) == []
    room.wait(ADVISE_AFTER + 1)
    ways = "wait, `adjourn` or, if you have always played it on this computer, `newest`."
    told = f"! Still waiting for Green (ben): {ways}"
    told += " If the game has ended without you, ask Green (ben) to host a table of any game: you read the end here."
    assert room.notes(1) == [told]


def test_a_resumed_client_that_reaches_nobody_is_told_when_it_hears_how_the_game_went_on(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2)
    room.leave(1)
    room.leave(3)
    room.come_back(1)
    room.pass_time(ADVISE_AFTER + 2)
    then = "If the game has ended without you, ask one of them to host a table of any game: you read the end here."
    assert room.notes(1)[-1].endswith(f"if you have always played it on this computer, `newest`. {then}")
    room.come_back(3)
    room.pass_time(ADVISE_AFTER + 2)
    assert then not in " ".join(room.notes(1)), "cara would have said so"


def test_who_goes_on_from_an_own_copy_is_told_what_can_be_done_then(tmp_path: Path) -> None:
    """The same player is missing at the same slot, but the advice is another one."""
    room = room_without(tmp_path, 3)
    room.leave(1)
    room.come_back(1)
    room.pass_time(ADVISE_AFTER + 2)
    assert room.notes(1)[-1].startswith("! Still waiting for Blue (cara): wait, `adjourn` or, if")
    room.agree_to(1, "newest")
    room.pass_time(ADVISE_AFTER + 2)
    assert room.notes(1)[-1] == "! Still waiting for Blue (cara): wait, `adjourn` or `without cara`."
