"""Take-backs among peers: who asks and is asked, in which words, why it is too late, clients without people."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from fake_table import FakeTable
from net_tables import NAMES, refused
from taking_back import asked, entered, moved, moved_and_taken_back, room_of, solo, why

from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.lobby.origins import chosen_origin, origin_told
from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, Ply, Said
from p2p_stonehenge.table.takebacks import DICE_SINCE, TAKEN_BACK_UNASKED
from protocol import load
from protocol.table.going_on import STAGGER


def test_a_player_asks_the_other_agrees_and_the_turn_comes_back(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, action, colour = moved(room)
    other = 3 - seat
    before = room.tables[1].past(len(room.tables[1].plies) - 1)
    name, label, others = NAMES[seat - 1], f"{colour} ({NAMES[seat - 1]})", room.tables[1].label(other)
    assert room.type(seat, "takeback") == [f"Take back {colour}'s {action}, if {others} agrees? [y/N]"]
    assert room.notes(other) == [], "nothing is asked of others before a yes"
    room.type(seat, "yes")
    note = room.told[seat][-1]
    assert isinstance(note, Note)
    assert note.stands()
    off = f"It cannot be withdrawn, and is off once {others} plays on."
    assert room.notes(seat) == [f"- You ask to take your turn back: {others} has to agree. {off}"]
    assert refused(room, seat, "takeback") == f"You are for this take-back already. {off}"
    wanted = f"! {label} wants to take back {colour}'s {action}: `takeback` agrees; to refuse it, play on."
    assert room.notes(other) == [wanted]
    assert "you ask for a take-back" in room.console(seat).status()
    assert f"{name} asks for a take-back: `takeback` agrees" in room.console(other).status()
    assert refused(room, other, "yes") == (
        "What others want is answered by a command, not by `yes`: `takeback` agrees to the take-back; to refuse it,"
        " play on."
    )
    room.type(other, "no")
    said = room.told[seat][-1]
    assert isinstance(said, Said)
    assert said.text == "No take-back, please: let us play on. (The take-back is off once somebody plays on.)"
    assert room.type(other, "agree") == [f"Agree to take back {colour}'s {action}? [y/N]"]
    room.type(other, "yes")
    assert not note.stands()
    assert room.notes(seat) == [f"- {others} has agreed: your turn is taken back."]
    for table in room.tables.values():
        assert table.turn == seat, name
        assert table.state == before
        assert [event.text for event in table.plies[-1].story] == [f"{colour}'s {action} is taken back."]
    assert room.console(1).status()[1:] == ["all here"]
    room.play()
    room.check()


def test_who_agrees_to_a_take_back_is_not_said_to_have_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("fidchess", first=1)
    monkeypatch.setattr(table, "asking", lambda: (1, 2))
    (told,) = [part for part in Console(table, Settings(), "ascii").status() if "take-back" in part]
    assert told == "you and ben are for a take-back"


def test_a_player_who_plays_on_declines_and_both_are_told(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, _, _ = moved(room)
    asked(room, seat)
    room.notes(seat)
    moved(room)
    assert room.notes(seat) == ["- The take-back is off: the game has gone on."]
    other = f"{room.tables[1].label(3 - seat)} has acted since: your turn stands."
    assert refused(room, seat, "takeback") == other


def test_a_player_who_was_left_behind_is_not_said_to_have_acted(tmp_path: Path) -> None:
    room = room_of(tmp_path, players=3)
    while room.tables[1].turn != 3 or room.tables[1].plies[-1].actor != 2:
        room.play()
    room.leave(3)
    room.wait(20)
    for seat in (1, 2):
        room.agree_to(seat, "without cara")
    room.pass_time(2 * STAGGER)
    room.play()
    told = "The others have gone on without Blue (cara) since: your turn stands."
    assert refused(room, 2, "takeback") == told


def test_a_player_whose_time_ran_out_is_not_said_to_have_acted(tmp_path: Path) -> None:
    """Of two players, beside a bot of one of them: the game goes on without the late one."""
    room = room_of(tmp_path, players=3, operators=(1, 2, 1), turn_time=60)
    while room.tables[1].turn != 2 or room.tables[1].plies[-1].actor != 1:
        room.play()
    room.wait(0)
    room.pass_time(62)
    assert room.tables[1].plies[-1].action == "resign"
    assert refused(room, 1, "takeback") == "Green (ben) has run out of time since: your turn stands."


def test_all_of_three_have_to_agree_and_hear_of_each_other(tmp_path: Path) -> None:
    room = room_of(tmp_path, players=3)
    seat, _, _ = moved(room)
    second, third = seat % 3 + 1, (seat + 1) % 3 + 1
    asked(room, seat)
    asked(room, second)
    assert f"- {room.tables[1].label(second)} agrees to a take-back." in room.notes(third)
    off = "It cannot be withdrawn, and is off once you play on."
    assert refused(room, second, "takeback") == f"You are for this take-back already. {off}"
    assert len(room.tables[1].plies) == 2
    room.notes(seat)
    asked(room, third)
    assert room.tables[1].plies[-1].action == "takeback 1"
    assert room.notes(seat) == ["- All have agreed: your turn is taken back."]
    assert not any("your turn is taken back" in note for note in room.notes(second) + room.notes(third))


def test_a_question_lapses_where_the_game_goes_on_before_the_answer(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, _, _ = moved(room)
    room.type(seat, "takeback")
    moved(room)
    assert refused(room, seat, "yes").endswith("is not asked any more. Red (anna) has acted since: your turn stands.")


@pytest.mark.parametrize("players", [2, 3])
def test_within_the_own_turn_the_word_is_enough_and_nobody_else_has_to_type(tmp_path: Path, players: int) -> None:
    """The first die of two, say: no other player has acted on it, and no dice were rolled."""
    room, rng = room_of(tmp_path, "kingamon" if players == 2 else "fidchell", players), Random(1)
    seat = 0
    for _ in range(500):
        if room.tables[1].turn == seat and room.tables[1].plies[-1].actor == seat:
            break  # another die, or another capture
        seat = room.tables[1].turn
        table = room.tables[seat]
        legal = table.game.legal(table.state, seat)
        takes = [one for one in legal if "captures" in table.game.story(table.state, seat, one)[0].text]
        table.play(seat, rng.choice(takes or legal))
        room.carry()
    assert room.tables[1].turn == seat, "no turn went on"
    plies = len(room.tables[1].plies)
    before = room.tables[1].past(room.tables[seat].table.fold.position.turn_start(seat) or 0)
    for operator in room.tables:
        room.notes(operator)
    assert room.type(seat, "takeback") == []
    room.carry()
    assert room.notes(seat)[0] == "- You take back what you did in this turn."
    for operator, table in room.tables.items():
        assert table.plies[plies].action.startswith("takeback "), operator
        assert table.turn == seat
        assert table.state == table.game.view(before, operator)
        assert not any("take" in note and "`" in note for note in room.notes(operator)), "nothing is asked"
    room.play()
    room.check()
    proof = prove(SavedGame(load(room.tables[1].path.read_bytes())))
    told = "Within a turn its player took something back once: the clients of the others sign that without asking."
    assert told in proof.shown
    assert not any("turn was taken back" in line for line in proof.shown), "that one was over, and asked the others"


def test_after_eight_take_backs_within_a_turn_the_others_are_asked(tmp_path: Path) -> None:
    """Nobody can make everybody's saved game longer and longer without a word of the others."""
    room = room_of(tmp_path, "kingamon")
    seat = room.tables[1].turn
    for _ in range(TAKEN_BACK_UNASKED):
        room.play()
        assert room.type(seat, "takeback") == []
    room.play()
    plies = len(room.tables[1].plies)
    for operator in room.tables:
        room.notes(operator)
    (question,) = room.type(seat, "takeback")
    assert question.endswith(f"if {room.tables[1].label(3 - seat)} agrees? [y/N]")
    room.type(seat, "yes")
    (told,) = room.notes(3 - seat)
    wait = f"to refuse it, wait: it is off once {room.tables[1].label(seat)} plays on."
    assert told.endswith(f"`takeback` agrees; {wait}")
    assert len(room.tables[1].plies) == plies
    asked(room, 3 - seat)
    assert len(room.tables[1].plies) == plies + 1
    while room.tables[1].turn == seat:
        room.play()
    room.play()
    assert room.type(3 - seat, "takeback") == [], "another turn"
    room.check()


def test_no_client_agrees_by_itself_to_more_than_the_turn_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seats of one operator act one after the other: only what the last one did is part of its turn."""
    room, rng = room_of(tmp_path, "fidchell", 3, operators=(1, 1, 3)), Random(1)
    while True:
        table = room.tables[1].table
        found = table.fold.position.earlier
        if found and found.seat == room.tables[1].turn == 2 and found.before and found.before.seat == 1:
            break
        session = room.tables[table.operator(room.tables[1].turn)]
        legal = table.game.legal(table.state, session.turn)
        takes = [one for one in legal if "captures" in table.game.story(table.state, session.turn, one)[0].text]
        session.play(session.turn, rng.choice(takes or legal))
        room.carry()
    plies = len(room.tables[3].plies)
    room.notes(3)
    to = found.before.ply
    monkeypatch.setattr(table.own, "check_take_back", lambda _seat: to)
    room.tables[1].take_back(2)
    room.carry()
    assert len(room.tables[3].plies) == plies
    (told,) = room.notes(3)
    assert "`takeback` agrees; to refuse it, wait: it is off once " in told


def test_dice_make_it_too_late(tmp_path: Path) -> None:
    room = room_of(tmp_path, "kingamon")
    assert refused(room, 1, "takeback") == "You have done nothing yet that could be taken back."
    seat = room.tables[1].turn
    while room.tables[1].turn == seat:
        room.play()
    assert refused(room, seat, "takeback") == DICE_SINCE


def test_with_cards_dealt_nothing_is_taken_back(tmp_path: Path) -> None:
    table, console = solo(tmp_path, "celtic-whist", people=(1, 2), seats=2)
    table.play(table.turn, table.game.legal(table.table.state, table.turn)[0])
    told = "Cards have been dealt, and what is shown of a closed hand stays shown: nothing is taken back in this game."
    assert why(console, "takeback") == told
    assert "takeback" not in entered(console, "help")


def test_no_short_form_asks_for_a_take_back(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, _, _ = moved(room)
    for word in ("take", "takeb", "ta"):
        assert refused(room, seat, word) == "Write `takeback` in full: what binds you has no short form."
    assert "takeback" in " ".join(room.type(seat, "help"))


def test_nobody_who_watches_or_after_the_end_takes_anything_back(tmp_path: Path) -> None:
    room = room_of(tmp_path, players=3)
    seat, _, _ = moved(room)
    room.agree_to(seat, "resign")
    assert refused(room, seat, "takeback") == "You are watching: only players can do that."
    room.agree_to(seat % 3 + 1, "resign")
    assert refused(room, (seat + 1) % 3 + 1, "takeback") == "The game is over."


def test_a_host_takes_its_turn_back_with_that_of_its_bot(tmp_path: Path) -> None:
    room = room_of(tmp_path, "qenqe", 3, operators=(1, 1, 3))
    while room.tables[1].turn != 1:
        room.play()
    plies = len(room.tables[1].plies)
    for _ in (1, 2):
        room.play()
    asked(room, 1)
    asked(room, 3)
    assert room.tables[3].plies[-1].action == f"takeback {plies}"
    assert room.tables[3].plies[-1].story[0].text.endswith(" are taken back.")
    assert room.tables[1].turn == 1


def test_what_was_taken_back_is_not_the_last_turn_any_more(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    first, _, action = moved_and_taken_back(room)
    console = room.console(first)
    assert action not in "".join(room.type(first, "last"))
    assert [made for _, made in console.drawing.look(80, 24).recent] == [room.tables[1].plies[1].action]
    kept = room.tables[1].plies[1].story[0].places
    assert console.drawing.look(80, 24).last == kept != (), "it is marked what led to the position"
    console.enter("back")
    assert console.drawing.look(80, 24).last == room.tables[1].plies[2].story[0].places
    assert f"{action} is taken back." in room.type(first, "log")[-1]


def test_a_table_that_goes_on_from_another_one_tells_which_actions_do_not_count(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, _, _ = moved(room)
    asked(room, seat)
    asked(room, 3 - seat)
    moved(room)
    table = room.tables[1].table
    told = [origin_told(table, ply, chosen_origin(table, ply)) for ply in (2, 3, 4, None)]
    assert [one.partition(" after ")[2] for one in told] == [
        "2 actions.",
        "1 action: 2 of the 3 are take-backs and what they took back.",
        "2 actions: 2 of the 4 are take-backs and what they took back.",
        "2 actions: 2 of the 4 are take-backs and what they took back.",
    ]


def test_a_table_that_is_resumed_tells_the_same(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    seat, _, _ = moved(room)
    asked(room, seat)
    room.leave(3 - seat)
    room.come_back(3 - seat)
    asked(room, 3 - seat)
    assert room.tables[3 - seat].plies[-1].action == "takeback 1"
    assert [one.action for one in room.tables[1].plies] == [one.action for one in room.tables[2].plies]
    room.check()


def test_a_client_without_people_agrees_at_once(tmp_path: Path) -> None:
    """A bot that plays for nobody has nothing against it, also while it thinks."""
    room = room_of(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    room.tables[2].people = ()

    async def evening() -> None:
        done = asyncio.Event()
        room.tables[1].listen(lambda notice: done.set() if isinstance(notice, Ply) else None)
        bots = Bots(room.tables[2], [2], 0, Random(1), pause=60.0)
        room.play()
        done.clear()
        asked(room, 1)
        bots._act()
        room.carry()
        await asyncio.wait_for(done.wait(), 60)
        bots.stop()

    asyncio.run(evening())
    assert room.tables[1].plies[-1].action.startswith("takeback ")
    assert room.tables[1].turn == 1


def test_a_client_without_people_agrees_eight_times_in_one_turn_and_then_plays_on(tmp_path: Path) -> None:
    """A stranger at its table makes its saved game no longer without end."""
    room = room_of(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    room.tables[2].people = ()

    async def evening() -> None:
        bots = Bots(room.tables[2], [2], 0, Random(1), pause=60.0)
        for times in range(TAKEN_BACK_UNASKED + 1):
            room.play()
            asked(room, 1)
            bots._act()
            room.carry()
            assert room.tables[1].plies[-1].action.startswith("takeback ") == (times < TAKEN_BACK_UNASKED)
        bots.stop()

    asyncio.run(evening())
    assert room.tables[1].plies[-1].actor == 2
    room.check()
