"""Going on without a player who is connected and does not move: how long to wait, and what comes of it."""

import re
from pathlib import Path

from net_tables import LEFT, LEFT_BEHIND, NAMES, WITH_ALL, Room, live, refused, room_without

from p2p_stonehenge.table.proposals import ASKED_ENOUGH
from p2p_stonehenge.table.session import Note
from protocol.table.going_on import ANSWER_WITHIN


def sleeping(folder: Path, seat: int) -> Room:
    """A table of three at which `seat` is to move, and has been for as long as a player may think."""
    room = Room(folder)
    while room.tables[1].turn != seat:
        room.play()
    room.wait(ASKED_ENOUGH + 1)
    for operator in room.tables:
        room.notes(operator)
    return room


def test_a_player_who_thinks_is_given_a_minute(tmp_path: Path) -> None:
    """Or is at a question: that is not being gone."""
    room = Room(tmp_path)
    turn = room.tables[1].turn
    other = turn % 3 + 1
    room.type(turn, "quit")  # and sits at the question
    room.wait(20)
    label = room.tables[1].label(turn)
    why = f"{label} is here, and the game has waited 20 s only: give a player at least 1 min."
    assert refused(room, other, f"without {turn}") == why
    room.wait(ASKED_ENOUGH)
    (question,) = room.type(other, f"without {turn}")
    assert question.startswith(f"Go on without {label}, who is here (the game has waited 1 min 20 s)?")
    name = NAMES[turn - 1]
    assert room.type(other, "") == [f"- Not done: `without {name}`."]
    room.play()
    assert room.console(turn).questions.open, "the question is still there"
    room.check()


def test_a_sleeper_is_left_behind_by_one_word_of_each_player(tmp_path: Path) -> None:
    """The link to a player who sleeps is up: the others have time to answer all the same."""
    room = sleeping(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(ANSWER_WITHIN / 2)
    assert room.notes(3) == ["! Red (anna) wants to go on without you: move now."]
    assert room.console(1).status()[0] == "waiting for Green (ben): with all, or without cara"
    assert room.console(3).status() == ["anna would go on without you", "your turn"]
    room.agree_to(2, "agree")
    room.pass_time(ANSWER_WITHIN)
    assert room.notes(1)[-1] == room.notes(2)[-1] == LEFT
    assert LEFT_BEHIND in room.notes(3)
    assert live(room, 1) == live(room, 2) == live(room, 3) == (1, 2)
    room.play()
    room.check()


def test_that_a_player_was_left_behind_has_to_be_seen_no_more_when_the_game_is_over(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.agree_to(2, "agree")
    (left,) = [note for note in room.told[1] if isinstance(note, Note) and LEFT.endswith(note.text)]
    assert left.urgent
    assert left.stands()
    room.agree_to(room.tables[1].turn, "resign")
    assert not left.stands()


def test_a_sleeper_who_wakes_up_moves_and_plays_on(tmp_path: Path) -> None:
    room = sleeping(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(5)
    table = room.tables[3]
    table.play(3, table.game.legal(table.state, 3)[0])
    room.carry()
    room.pass_time(3)
    assert room.notes(1)[-1] == WITH_ALL
    assert room.console(1).status()[0] == "your turn"
    assert live(room, 1) == (1, 2, 3)
    room.play()
    room.check()


def test_where_nobody_agrees_the_game_goes_on_with_all(tmp_path: Path) -> None:
    """A client that has agreed cannot play on until then: it does not stay so for ever."""
    room = sleeping(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(ANSWER_WITHIN + 5)
    assert room.notes(1)[-1] == room.notes(2)[-1] == WITH_ALL
    assert room.console(1).status()[0] == "Blue (cara) to move"
    room.wait(1)
    (question,) = room.type(1, "without cara")
    asked = re.search(r"has waited (\d) min", question)
    assert asked, question
    assert int(asked[1]) >= 1, "an agreement that nobody leaves gives no new minute"
    room.play()
    room.check()
