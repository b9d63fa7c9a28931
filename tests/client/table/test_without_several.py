"""Going on without players where several are gone, or where too few are left to agree."""

from pathlib import Path

from net_tables import NAMES, Room, live, refused, room_without

from p2p_stonehenge.table.comings import ADVISE_AFTER
from p2p_stonehenge.table.proposals import ASKED_ENOUGH
from protocol import ANSWER_WITHIN
from protocol.events import EventKind, Leaving, bodies


def test_two_wishes_against_different_players_come_to_one_agreement(tmp_path: Path) -> None:
    """Of five two are gone; each of two others names another one of them, and `agree` agrees to both."""
    withheld = {2: (EventKind.COMMITMENT,), 4: (EventKind.COMMITMENT,)}
    room = Room(tmp_path, "qenqe", NAMES, withheld=withheld)
    room.leave(2)
    room.leave(4)
    assert room.console(1).status()[0] == "waiting for Blue (ben) and Yellow (dora) to take part in the roll"
    room.agree_to(1, "without ben")
    room.agree_to(3, "without dora")
    room.pass_time(10)
    (question,) = room.type(5, "agree")
    assert question.endswith("? As soon as anna and cara agree, ben and dora have lost, as by resigning. [y/N]")
    room.type(5, "yes")
    for operator in (1, 3):
        room.agree_to(operator, "agree")
    room.pass_time(15)
    for operator in (1, 3, 5):
        told = room.notes(operator)
        for label in ("Blue (ben)", "Yellow (dora)"):
            assert f"! You and the others go on without {label}, which counts as resigning." in told
    assert live(room, 1) == live(room, 3) == live(room, 5) == (1, 3, 5)
    room.play()
    room.check()


def test_of_five_two_are_gone_of_whom_the_table_waits_for_one(tmp_path: Path) -> None:
    """The other one cannot agree, which is said; then all can go on without that player as well."""
    room = room_without(tmp_path, 4, seats=5)
    room.leave(5)
    room.agree_to(1, "without dora")
    for operator in (1, 2, 3):
        room.notes(operator)
    for operator in (2, 3):
        room.agree_to(operator, "agree")
    assert "! Blue (ben) agrees to go on without Yellow (dora)." in room.notes(1)
    assert "anna, ben and cara would go on without" in room.type(2, "who")[3]
    assert max(map(len, room.type(2, "who"))) < 80
    room.pass_time(ADVISE_AFTER + 1)
    assert "! Still waiting for Red (emma) to agree: wait, `adjourn` or `without emma`." in room.notes(1)
    for operator in (1, 2, 3):
        room.agree_to(operator, "without emma")
    room.pass_time(10)
    assert live(room, 1) == live(room, 2) == live(room, 3) == (1, 2, 3)
    room.play()
    room.check()


def test_of_three_one_who_has_resigned_does_not_count(tmp_path: Path) -> None:
    """Two play, and of two nobody can leave the other behind."""
    room = Room(tmp_path)
    room.agree_to(1, "resign")
    while room.tables[2].turn != 3:
        room.play()
    room.leave(3)
    assert refused(room, 2, "without cara").startswith("Of two players nobody can go on without the other")


def test_bots_are_no_players_who_could_agree(tmp_path: Path) -> None:
    """Four seats, two people: nobody reads of two players at that table."""
    room = Room(tmp_path, "qenqe", NAMES[:4], operators=(1, 1, 3, 3))
    while room.tables[1].turn != 3:
        room.play()
    room.leave(3)
    told = "Bots have no vote, and of two people nobody can go on without the other: wait, `adjourn`, or `quit`."
    assert refused(room, 1, f"without {NAMES[2]}") == told


def test_the_game_waits_for_the_player_whose_bot_is_to_act(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES[:4], operators=(1, 2, 3, 2))
    while room.tables[1].turn != 3:
        room.play()
    room.leave(2)
    room.notes(1)
    room.play()
    assert room.tables[1].turn == 4
    room.wait(0)
    (told,) = room.notes(1)
    names = "Yellow (dora) on the computer of Blue (ben)"
    assert told.startswith(f"! The game waits for {names} now:")


def test_a_player_who_resigned_before_the_others_left_is_not_asked(tmp_path: Path) -> None:
    """The resignation waits for its place, and the player whose client gives it one is gone."""
    room = room_without(tmp_path, 2)
    room.agree_to(3, "resign")
    assert refused(room, 1, "without ben").startswith("Of two players nobody can go on without the other")


def test_who_is_alone_reads_that_nobody_is_there_to_agree(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.leave(2)
    room.wait(20)
    away = "ben (away for 20 s)"
    (first,) = room.type(1, "without cara")
    assert first.endswith(f"? As soon as {away} agrees, cara has lost, as by resigning. [y/N]")
    room.type(1, "yes")
    room.wait(10)
    (second,) = room.type(1, "without ben")
    assert second.endswith("? You are too few then: this waits until another player is back, and agrees. [y/N]")
    assert room.console(1).status()[0] == "waiting for Green (ben) to agree"
    room.type(1, "yes")
    assert room.console(1).status()[0] == "you are too few: waiting for a player to come back and agree"
    room.come_back(2)
    assert room.console(1).status()[0] == "waiting for Green (ben) to agree"


def room_with_one_who_refuses(folder: Path, seats: int) -> Room:
    """A table at which the last seat's client wants to go on without the player on move, and signs nothing more."""
    room = Room(folder, "qenqe", NAMES[:seats], options={"first": 1})
    node = room.tables[seats]._node
    own, heads = node.table.own, node.table.held.heads
    node.going_on.due = lambda *_: []  # type: ignore[method-assign]
    signed = own.sign(seats, bodies.Epoch(1, (Leaving(1, *heads[0]),)))
    room.tables[seats]._jobs.carry_out(node._publish([signed]))
    room.carry()
    return room


def test_who_is_here_and_does_not_sign_that_all_stay_is_named_to_the_others(tmp_path: Path) -> None:
    """Nobody could move any more: they read what they can do, and that of nobody else."""
    room = room_with_one_who_refuses(tmp_path, 3)
    room.pass_time(ANSWER_WITHIN + ASKED_ENOUGH + ADVISE_AFTER)
    for operator in (1, 2):
        advice = [note for note in room.notes(operator) if "Still waiting" in note]
        assert advice == ["! Still waiting for Green (cara) to agree: wait, `adjourn` or `without cara`."]
        room.agree_to(operator, "without cara")
    room.pass_time(5)
    assert live(room, 1) == live(room, 2) == (1, 2)
    room.play()
    room.check()


def test_clients_that_nobody_attends_do_not_wait_for_ever_for_a_player_who_does_not_sign(tmp_path: Path) -> None:
    room = room_with_one_who_refuses(tmp_path, 5)
    for operator in (1, 2, 3, 4):
        room.tables[operator].people = ()
    room.pass_time(ANSWER_WITHIN + ASKED_ENOUGH + ADVISE_AFTER)
    assert live(room, 1) == live(room, 4) == (1, 2, 3, 4)
    room.play()
    room.check()


def test_clients_that_nobody_attends_do_not_turn_against_a_player_who_wants_such_a_one_out(tmp_path: Path) -> None:
    room = room_with_one_who_refuses(tmp_path, 5)
    for operator in (1, 3, 4):
        room.tables[operator].people = ()
    room.pass_time(ASKED_ENOUGH)
    room.agree_to(2, "without emma")
    room.pass_time(2 * ASKED_ENOUGH)
    assert live(room, 1) == live(room, 2) == live(room, 4) == (1, 2, 3, 4)
    room.play()
    room.check()


def test_clients_that_nobody_attends_do_not_turn_against_a_player_whose_wish_has_just_lapsed(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES, options={"first": 1})
    for operator in (3, 4, 5):
        room.tables[operator].people = ()
    room.pass_time(2 * ASKED_ENOUGH)
    room.agree_to(2, "without anna")
    room.pass_time(2 * ASKED_ENOUGH)
    assert live(room, 1) == live(room, 2) == live(room, 3) == (1, 2, 3, 4, 5)
    room.play()
    room.check()


def test_clients_that_nobody_attends_let_a_player_who_is_here_choose_whether_another_one_leaves(tmp_path: Path) -> None:
    """Of five anna is gone, ben wants to go on without her, and emma waits, as emma's client says that she may."""
    room = room_without(tmp_path, 1, seats=5)
    for operator in (3, 4):
        room.tables[operator].people = ()
    room.agree_to(2, "without anna")
    for _ in range(20):  # as the clients look at their clocks
        room.pass_time(10)
    assert not [note for note in room.notes(5) if "without you" in note]
    for operator in (2, 3, 5):
        assert 5 in live(room, operator)


def test_who_is_to_agree_and_not_to_move_reads_that(tmp_path: Path) -> None:
    room = room_without(tmp_path, 1, seats=5)
    for operator in (2, 3, 4):
        room.agree_to(operator, "without anna")
    room.pass_time(ASKED_ENOUGH)
    room.agree_to(2, "without emma")
    room.pass_time(1)
    assert "! Blue (ben) wants to go on without you: `agree`, or the others may do so." in room.notes(5)


def test_clients_that_nobody_attends_do_not_wait_for_ever_for_a_second_one_who_is_gone(tmp_path: Path) -> None:
    """The turn time of the one is up, whom the other would have to agree to go on without."""
    room = room_without(tmp_path, 4, seats=5, turn_time=20)
    room.leave(5)
    for operator in (1, 2, 3):
        room.tables[operator].people = ()
    for _ in range(round(ASKED_ENOUGH + 2 * ADVISE_AFTER)):
        if live(room, 1) == (1, 2, 3):  # from here on time runs for the next turn
            break
        room.pass_time(1)
    assert live(room, 1) == live(room, 2) == live(room, 3) == (1, 2, 3)
    room.play()
    room.check()
