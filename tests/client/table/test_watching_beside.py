"""Those who watch, beside the game: who is there, the time that is left, what is said, and the players' next game."""

import os
import time
from contextlib import closing
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, Room, refused
from onlookers import ALL, WATCHER, Onlooker, onlooker

from p2p_stonehenge.screen.at_the_end import after
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.notices import SPECTATORS_LINES
from p2p_stonehenge.table.session import Note, RefusedError, Said
from p2p_stonehenge.table.watching import ALL_LEFT
from p2p_stonehenge.text.times import spell
from protocol import (
    SPOKEN_AT_ONCE,
    Advert,
    Attendance,
    Attending,
    Clock,
    Leave,
    LeaveReason,
    Proposed,
    SpectatorChat,
    Talk,
    Watchers,
    Watching,
    message_bytes,
)

TALK = Watching(Watchers.EVERYBODY, 0, 1)


def said(told: list[object]) -> list[str]:
    """What was said of late, and by whom."""
    found = [f"{one.name}: {one.text}" for one in told if isinstance(one, Said)]
    told.clear()
    return found


def hear(room: Room, operator: int) -> list[str]:
    notices: list[object] = [*room.told[operator]]
    room.told[operator].clear()
    return said(notices)


def listen(one: Onlooker) -> list[str]:
    notices: list[object] = [*one.told]
    one.told.clear()
    return said(notices)


def test_a_spectator_reads_which_player_is_gone_and_who_says_so(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    room.leave(2)
    one.wait(1)
    assert one.notes() == ["- Green (ben) does not answer Red (anna)."]
    assert one.console.status()[1].startswith("ben away for ")
    assert one.console.status()[1].endswith("; through anna")
    (line,) = (line for line in one.type("who") if "ben" in line)
    assert "away for " in line
    room.come_back(2)
    one.wait(1)
    assert one.notes() == ["- Green (ben) is there again, as Red (anna) sees it."]
    assert one.console.status()[1] == "through anna"


@pytest.mark.parametrize(("reason", "until"), [(LeaveReason.QUIT, ""), (LeaveReason.ADJOURN, " until another day")])
def test_a_spectator_reads_that_a_player_has_left(tmp_path: Path, reason: LeaveReason, until: str) -> None:
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    room.tables[1].receive(IDENTITIES[2].id, message_bytes(Leave(room.charter.table, reason)))
    one.wait(1)
    assert one.notes() == [f"- Blue (cara) has left the table{until}, as Red (anna) sees it."]


def test_a_spectator_reads_of_no_trouble_with_a_player_who_has_left_or_after_the_end(tmp_path: Path) -> None:
    anna, ben = (identity.id for identity in IDENTITIES[:2])
    for words in ("quit", "resign"):
        room = Room(tmp_path / words, "fidchess", NAMES[:2], watching=ALL)
        one = onlooker(room)
        assert one.table
        room.agree_to(2, words)
        if words == "quit":
            room.leave(2)
        one.wait(8)
        one.notes()
        one.table.trouble(ben, "ben is not reached.")
        assert one.notes() == []
        one.table.trouble(anna, "anna is not reached.")
        assert one.notes() == ["! anna is not reached."] * (words == "quit")


def test_what_a_spectator_reads_of_a_player_out_of_reach_stands_until_that_player_is_back(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    assert one.table
    room.leave(2)
    one.table.trouble(IDENTITIES[1].id, "ben is not reached.")
    (note,) = (note for note in one.told if isinstance(note, Note) and note.urgent)
    one.wait(1)
    assert note.stands()
    room.come_back(2)
    one.wait(1)
    assert not note.stands()


def test_a_spectator_reads_that_all_players_have_adjourned(tmp_path: Path) -> None:
    """Also that the player does through whom it watches; who is known to be away is told once."""
    room = Room(tmp_path, names=NAMES[:2], watching=ALL)
    one = Onlooker(room)
    one.wait(1)
    one.notes()
    for operator in (1, 2):
        room.type(operator, "adjourn")
        room.type(operator, "yes")
        room.tables[operator].dismiss(time.monotonic() + one.now)
        room.leave(operator)
        assert one.table
        name = one.table.label(operator)
        assert one.notes() == [f"- {name} has left the table until another day."]
        one.table.looking_on.link(IDENTITIES[operator - 1].id, up=False)
        if operator == 1:
            assert one.notes() == [f"- {name} is not reached any more: asking the other players."]
            assert one.console.status()[1].startswith("anna adjourned ")
            one.wait(8)
            assert one.notes() == [f"- You watch through {one.table.label(2)}."]
    assert one.notes() == ["! All players have left. What you saw is kept: `quit` leaves."]
    one.wait(8)
    assert one.notes() == []
    assert [part.split(" adjourned ")[0] for part in one.console.status()[1].split("; ")] == ["anna", "ben"]


def test_that_all_players_have_left_is_over_when_one_is_back(tmp_path: Path) -> None:
    """Nor is it told again where the client of that player is lost."""
    room = Room(tmp_path, names=NAMES[:2], watching=ALL)
    one = Onlooker(room)
    one.wait(1)
    assert one.table
    for operator in (1, 2):
        room.tables[operator].leave(adjourn=True)
        one.wait(1)
    for operator in (1, 2):
        room.leave(operator)
        one.table.looking_on.link(IDENTITIES[operator - 1].id, up=False)
    *_, told = (note for note in one.told if isinstance(note, Note))
    assert (told.text, told.stands()) == (ALL_LEFT, True)
    one.notes()
    room.tables[1]._leaves = None
    room.come_back(1)
    for _ in range(60):
        if not one.spectator.admitted:
            one.wait(0.5)
    assert f"- You watch through {one.table.label(1)}." in one.notes()
    assert not told.stands()
    room.leave(1)
    one.table.looking_on.link(IDENTITIES[0].id, up=False)
    assert f"! {ALL_LEFT}" not in one.notes()


def test_a_spectator_reads_once_that_a_player_wants_to_go_on_without_another_one(tmp_path: Path) -> None:
    """Each ballot about it says so, and there may be many; when the game has gone on it is another wish."""
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    assert one.table
    told = "- Blue (cara) wants to go on without Green (ben)."
    for notes in ([told], []):
        one.table.looking_on.carry_out([Proposed(3, (2,))])
        assert one.notes() == notes
    one.table.looking_on.carry_out([Proposed(3, ()), Proposed(1, (2,)), Proposed(1, (2,))])
    assert one.notes() == ["- Red (anna) wants to go on without Green (ben)."]
    room.play()
    one.wait(1)
    one.notes()
    one.table.looking_on.carry_out([Proposed(3, (2,))])
    assert one.notes() == [told]


def test_a_spectator_sees_how_much_time_is_left(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL, turn_time=60)
    one = Onlooker(room)
    room.wait(0)
    one.wait(1)
    assert one.table
    assert one.table.seconds_left is not None
    assert 50 < one.table.seconds_left <= 60
    assert " left" in one.console.status()[0]
    assert one.type("who")[-1] == f"  {one.table.label(one.table.turn)}: {spell(one.table.seconds_left)} left"


def test_a_spectator_sees_the_clocks_of_all_who_have_moved(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL, turn_time=Clock(600, 7))
    one = Onlooker(room)
    assert one.table
    for _ in range(2):
        turn = one.table.turn
        room.wait(0)
        one.wait(5)
        before = one.table.clock(turn) or 0
        assert 580 < before < 600
        room.play()
        one.wait(1)
        assert one.table.clock(turn) == before + 7, "with the increment"
    clocks = [line for line in one.type("who") if line.endswith(" on the clock")]
    assert [name in line for name, line in zip(NAMES, clocks, strict=False)] == [True, True]


def test_a_spectator_is_heard_by_all_players_and_reads_what_they_say(tmp_path: Path) -> None:
    """Whose line it is, and by way of which player where nobody can check that, stands before it."""
    room = Room(tmp_path, watching=TALK)
    one = Onlooker(room)
    one.wait(1)
    listen(one)
    for operator in room.tables:
        room.told[operator].clear()
    one.type("say well played")
    room.carry()
    assert listen(one) == ["you (watching): well played"]
    assert [hear(room, operator) for operator in (1, 2, 3)] == [["wim (watching): well played"]] * 3
    room.type(1, "say thank you")
    room.type(2, "say my move")
    one.wait(1)
    assert listen(one) == ["anna: thank you", "ben, by way of anna: my move"]


def test_what_a_spectator_says_reaches_spectators_of_other_players(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=TALK)
    one = Onlooker(room, through=2)
    one.wait(1)
    listen(one)
    room.tables[1].hear(SpectatorChat(b"s" * 32, "", "hello"))
    room.carry()
    one.wait(1)
    assert listen(one) == ["wim (watching), by way of ben: hello"]


def test_where_nobody_may_talk_a_spectator_reads_so_and_players_read_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=ALL)
    one = Onlooker(room)
    one.wait(1)
    assert (
        one.refused("say hello") == "You are watching: you may look, not play or talk. `help` lists what you can type."
    )
    assert refused(room, 1, "mute") == "Nobody who watches can talk here."
    assert "say [TEXT]" not in "\n".join(one.type("help"))
    room.type(1, "say between us")
    room.tables[2].receive(IDENTITIES[0].id, message_bytes(Talk(room.charter.table, 0, "wim", "forged")))
    one.wait(1)
    assert listen(one) == []
    assert hear(room, 2) == ["anna: between us"]


def test_a_table_with_talk_says_so_and_a_spectator_is_offered_to_talk(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=TALK)
    one = Onlooker(room)
    assert "  may watch: all, and may talk" in one.type("who")
    assert "say [TEXT]" in "\n".join(one.type("help"))
    assert one.refused("1A7") == "You are watching: you may look and talk, not play."


def test_a_player_reads_only_so_many_lines_of_spectators_and_can_hide_them(tmp_path: Path) -> None:
    """Whoever passes them on: also another player whose program passes on everything."""
    room = Room(tmp_path, watching=TALK)
    room.told[1].clear()
    room.tables[1]._notices._clock = lambda: 5.0
    line = message_bytes(Talk(room.charter.table, 0, "wim", "look at me"))
    for _ in range(100):
        room.tables[1].receive(IDENTITIES[1].id, line)
    assert len(hear(room, 1)) == SPECTATORS_LINES
    assert room.type(1, "mute") == ["- What spectators say is hidden now: `mute` shows it again."]
    assert room.tables[2].can("mute")
    room.tables[2].receive(IDENTITIES[0].id, line)
    assert hear(room, 2) == ["wim (watching): look at me"]
    room.type(2, "mute")
    room.tables[2].receive(IDENTITIES[0].id, line)
    assert hear(room, 2) == []
    assert room.type(2, "mute") == ["- What spectators say is shown again."]


def test_a_line_between_players_costs_nothing_of_what_spectators_may_say(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=TALK)
    room.told[1].clear()
    for _ in range(3):
        room.tables[1].receive(IDENTITIES[1].id, message_bytes(Talk(room.charter.table, 2, "", "as a player")))
    assert hear(room, 1) == [], "a player says things with a message of its own, which names nobody else"


def test_a_spectator_who_says_much_is_told_to_wait(tmp_path: Path) -> None:
    room = Room(tmp_path, watching=TALK)
    one = Onlooker(room)
    one.wait(1)
    refusals = []
    for _ in range(50):
        try:
            one.type("say hello")
        except RefusedError as refusal:
            refusals.append(str(refusal))
    assert refusals
    assert len(refusals) <= 50 - SPOKEN_AT_ONCE
    assert {line.split(",")[0] for line in refusals} == {"Those who watch may say a few lines only"}


def test_a_player_who_wants_to_play_again_is_told_and_followed(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    one = Onlooker(room)
    assert one.table
    early = Attendance(room.charter.table, 0, None, ((1, Attending.AGAIN, 0), (2, Attending.AGAIN, 0)))
    one.table.looking_on.receive(IDENTITIES[0].id, message_bytes(early))
    assert not one.table.after().may_again, "nobody can wish that before the end"
    room.agree_to(1, "resign")
    one.wait(1)
    one.table.stays = True
    one.notes()
    assert "follows the players" in "".join(map(text_of, after(one.console.session, redraws=False)))
    room.tables[2].again()
    room.carry()
    one.wait(1)
    follow = "`again` follows the players into their next game."
    assert one.notes() == [f"- Green (ben) wants to play again: {follow}"]
    assert one.console.status() == ["the game is over"]
    room.tables[1].again()
    one.table.looking_on.link(IDENTITIES[0].id, up=False)
    one.wait(8)
    told = [note for note in one.notes() if "play again" in note]
    assert told == [f"- Yellow (anna) wants to play again: {follow}"], "the wish of each is told once"
    one.type("")
    assert one.table.wants_again
    assert one.console.leaving


def after_a_game(tmp_path: Path) -> tuple[Room, Onlooker]:
    """Return a table of two at which anna has resigned, and a spectator who stays."""
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    one = Onlooker(room)
    room.agree_to(1, "resign")
    one.wait(1)
    assert one.table
    one.table.stays = True
    return room, one


def test_a_player_who_crashes_after_the_end_is_told_of_and_not_followed(tmp_path: Path) -> None:
    """Also one that wanted to play again: there is no next game to look for then."""
    room, one = after_a_game(tmp_path)
    assert one.table
    room.tables[2].again()
    room.carry()
    one.wait(1)
    assert one.table.after().may_again
    one.notes()
    room.tables[1].link(IDENTITIES[1].id, up=False)
    one.wait(1)
    assert one.notes() == ["- Green (ben) does not answer Yellow (anna)."]
    assert one.console.status() == ["the game is over", "ben is away"]
    assert not one.table.after().may_again
    room.tables[1].link(IDENTITIES[1].id, up=True)
    room.carry()
    one.wait(1)
    assert [note for note in one.notes() if "(ben) wants to play again" in note], "it had only lost the link"
    assert one.console.status() == ["the game is over"]


def test_a_wish_that_comes_before_the_end_of_the_game_is_no_absence_and_is_told_after_it(tmp_path: Path) -> None:
    """Ben was told to be there again, who had not been away."""
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    one = onlooker(room)
    assert one.table
    again = message_bytes(Attendance(room.charter.table, 0, None, ((2, Attending.AGAIN, 0),)))
    one.table.looking_on.receive(IDENTITIES[0].id, again)
    one.wait(8)
    assert one.notes() == []
    one.table.looking_on.receive(IDENTITIES[0].id, again)
    room.agree_to(1, "resign")
    one.wait(0.5)
    assert one.table.result
    one.table.looking_on.receive(IDENTITIES[0].id, again)
    assert "- Green (ben) wants to play again: `again` follows the players into their next game." in one.notes()


def test_a_spectator_is_told_that_a_player_opens_the_next_table(tmp_path: Path) -> None:
    """Where that player was gone from the table before the spectator's client heard of the wish."""
    room = Room(tmp_path, "fidchess", NAMES[:2], watching=ALL)
    one = Onlooker(room)
    room.agree_to(1, "resign")
    one.wait(1)
    one.notes()
    advert = message_bytes(Advert("fidchess", 1, (), ("anna",), 2, 0, 0, b"", 0, ALL))
    assert one.table
    for _ in range(3):
        one.table.looking_on.receive(IDENTITIES[0].id, advert)
    assert one.notes() == ["- Yellow (anna) opens another table: `again` follows the players there."]


@pytest.mark.parametrize("quits", [True, False])
def test_a_spectator_reads_once_that_no_player_is_left_after_the_end(tmp_path: Path, quits: bool) -> None:
    """Whether they quit, or their clients are gone at once; one of them had wanted to play again."""
    room, one = after_a_game(tmp_path)
    assert one.table
    early = Attendance(room.charter.table, 0, None, ((1, Attending.PRESENT, 0), (2, Attending.AGAIN, 0)))
    one.table.looking_on.receive(IDENTITIES[0].id, message_bytes(early))
    one.notes()
    assert one.console.prompt() == "again or quit> "
    for operator in (2, 1):
        if quits:
            room.tables[operator].dismiss(time.monotonic() + one.now)
            one.wait(1)
        room.leave(operator)
    one.table.looking_on.link(IDENTITIES[0].id, up=False)
    one.wait(30)
    left = "! All players have left. What you saw is kept: `quit` leaves."
    gone = "! No player is at this table any more. `again` looks for their next game, `quit` leaves."
    assert one.notes() == (["- Green (ben) has left the table, as Yellow (anna) sees it.", left] if quits else [gone])
    assert one.console.prompt() == ("over> " if quits else "again or quit> ")
    assert one.console.status()[1] == ("all players have left" if quits else "no player is here")
    if quits:
        with pytest.raises(RefusedError, match="All players have left"):
            one.type("again")
    # One of them comes back and opens another table, to which `again` leads then.
    advert = message_bytes(Advert("fidchess", 1, (), ("anna",), 2, 0, 0, b"", 0, ALL))
    for _ in range(3):
        one.table.looking_on.receive(IDENTITIES[0].id, advert)
    opens = "- Yellow (anna) opens another table: `again` follows the players there."
    assert one.notes() == ([opens] if quits else [])
    one.type("again")
    assert one.table.wants_again


def test_what_is_told_of_comings_and_goings_is_bounded(tmp_path: Path) -> None:
    """Whatever a player says of the others, again and again."""
    room = Room(tmp_path, watching=ALL)
    one = onlooker(room)
    began = time.monotonic()
    for _ in range(30):
        room.leave(2)
        one.wait(1)
        room.come_back(2)
        one.wait(1)
    assert len([note for note in one.notes() if "ben" in note]) <= 5 + (time.monotonic() - began) / 15
    assert WATCHER.id in {peer for _, peer in room.kept}


# Real processes

if os.name == "posix":  # terminals of one's own
    from real_terminal import Terminals

    @pytest.mark.network
    @pytest.mark.slow
    def test_a_spectator_follows_the_players_into_their_next_game_and_talks_there(tmp_path: Path) -> None:
        """At a terminal, where the table stays open after the end; the players type line by line."""
        anna, ben, wim = (f"{name}-{os.getpid()}" for name in ("anna", "ben", "wim"))
        with closing(Terminals(tmp_path)) as play:
            play.start(anna, "host", "fidchess", "--talk", "-o", "first=1", "--plain")
            play.shows("waiting for", by=anna)
            play.start(ben, "join", anna, "--plain")
            play.shows("Your turn", by=anna)
            play.start(wim, "watch", anna)
            play.shows("You watch through", by=wim)
            play.at[anna].agrees("resign")
            play.shows("`again` follows", by=wim)
            for name in (ben, wim, anna):
                play.at[name].types("again\r")
            play.shows("Your turn", by=ben)
            play.shows("You watch through", f"Yellow ({ben})", by=wim)
            play.at[wim].types("say the sides have changed\r")
            for name in (anna, ben):
                play.shows("(watching)", "says: the sides have changed", by=name)
            play.at[ben].types("A2-A3\r")
            play.shows("A2-A3", by=wim)
