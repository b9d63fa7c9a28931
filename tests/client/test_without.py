"""Going on without a player: who is asked, what each screen says meanwhile, and what comes of it."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, Room, refused, room_without

from p2p_stonehenge.cli.replay import lines
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen import plain
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.presence import ADVISE_AFTER, ASKED_ENOUGH, ASLEEP
from p2p_stonehenge.table.session import RefusedError, Said
from p2p_stonehenge.text.style import Settings
from protocol import load
from protocol.events import EventKind
from protocol.table.going_on import ANSWER, STAGGER
from protocol.table.resuming import PATIENCE

LEFT = "! You and the others go on without Blue (cara), which counts as resigning."
LEFT_BEHIND = "! The others go on without you, which counts as resigning: you may watch on, or `quit`."
WITH_ALL = "- Nobody is left behind: the game goes on with all."


def sleeping(folder: Path, seat: int) -> Room:
    """A table of three at which `seat` is to move, and has been for as long as a player may think."""
    room = Room(folder)
    while room.tables[1].turn != seat:
        room.play()
    room.wait(ASKED_ENOUGH + 1)
    for operator in room.tables:
        room.notes(operator)
    return room


def live(room: Room, operator: int) -> tuple[int, ...]:
    return room.tables[operator].table.fold.position.live


# What is typed


def test_who_leaves_for_a_while_is_told_that_the_others_can_go_on(tmp_path: Path) -> None:
    for seats in (3, 2):
        room = Room(tmp_path / str(seats), names=NAMES[:seats])
        (asked,) = room.type(1, "adjourn")
        assert ("If the others do not wait, they can go on without you." in asked) == (seats == 3)


@pytest.mark.parametrize("who", ["ben", "BEN", "be", "green", "Gr", "2"])
def test_a_player_is_named_by_name_colour_or_number(tmp_path: Path, who: str) -> None:
    room = room_without(tmp_path, 2)
    assert refused(room, 1, "without b") == "Write `without ben` for Green (ben) or `without cara` for Blue (cara)."
    room.agree_to(1, f"without {who}")
    assert room.notes(1) == ["- You want to go on without Green (ben): now the others who stay have to agree."]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("without", "Write without NAME."),
        ("without zoe", "Write without and the name or colour of one player: `who` lists them."),
        ("without 4", "Write without and the name"),
        ("without anna", "That is your own seat: `resign` gives it up."),
        ("without cara", "The game does not wait for that player now: ask again when it does."),
        ("agree", "Nobody has proposed to go on without another player."),
        ("with ben", "Write `without` in full"),
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
    assert refused(room, 1, "without red") == "Write `without 1` for Red (anna) or `without 2` for Green (Red)."
    room.wait(ASKED_ENOUGH + 1)
    room.agree_to(1, "without 2")
    told = "! Red (anna) wants to go on without Green (Red) (connected and asked for 1 min 1 s): `agree`, or wait."
    assert told in room.notes(3)


# A player who is away


def test_a_player_who_is_out_is_told_and_not_asked(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES[:4])
    room.agree_to(4, "resign")
    while live(room, 1) != (1, 2, 3) or room.tables[1].turn != 3:
        room.play()
    room.leave(3)
    room.notes(4)
    room.agree_to(1, "without cara")
    (told,) = [note for note in room.notes(4) if "wants to go on" in note]
    assert told.endswith("without Green (cara) (away for 0 s)."), told


def test_two_of_three_go_on_without_the_third(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.wait(20)
    question = "Go on without Blue (cara), away for 20 s? As soon as ben agrees, cara has lost, as by resigning. [y/N]"
    assert room.type(1, "without cara") == [question]
    room.type(1, "yes")
    assert room.notes(2) == ["! Red (anna) wants to go on without Blue (cara) (away for 20 s): `agree`, or wait."]
    assert room.type(2, "who")[2] == "  Blue    cara  to move  away for 20 s, anna would go on without"
    assert room.console(1).status() == ["waiting for Green (ben) to agree", "cara away for 20 s"]
    assert room.console(2).status() == ["go on without cara? `agree`", "Blue (cara) to move"]
    assert "  agree " in "\n".join(room.type(2, "help"))
    asked = "Go on without Blue (cara), away for 20 s?"
    question = f"{asked} All others want that: with your yes cara has lost, as by resigning. [y/N]"
    assert room.type(2, "agree") == [question]
    room.type(2, "yes")
    assert room.notes(2) == ["- You agree to go on without Blue (cara).", LEFT]
    assert room.notes(1) == ["- You want to go on without Blue (cara): now the others who stay have to agree.", LEFT]
    assert room.type(2, "who")[2] == "  Blue    cara  was left behind"
    assert room.console(1).status() == ["your turn", "all who play on are here"]
    room.play()
    room.check()
    (told,) = (one for one in lines(SavedGame(load(room.tables[1].path.read_bytes())), None) if "without Blue" in one)
    assert "resign" not in told, "that player has not"


def test_both_who_stay_may_say_so_at_once(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    for operator in (1, 2):
        room.type(operator, "without cara")
    for operator in (2, 1):
        room.type(operator, "yes")
    room.pass_time(2 * STAGGER)
    assert room.notes(1)[-1] == room.notes(2)[-1] == LEFT
    room.play()
    room.check()


def test_who_has_just_resumed_is_offered_to_agree_when_that_can_be_signed(tmp_path: Path) -> None:
    """Before that the screen says what is awaited; when the wish was told, `agree` would have been refused."""
    room = room_without(tmp_path, 3, seats=4)
    room.leave(2)
    room.agree_to(1, "without cara")
    room.come_back(2)
    wish = "! White (anna) wants to go on without Green (cara) (not reached yet)"
    assert room.notes(2)[-1] == f"{wish}."
    told = ["anna would go on without cara", "waiting for Green (cara) to come back"]
    assert room.console(2).status() == told
    assert "  agree " not in "\n".join(room.type(2, "help"))
    assert refused(room, 2, "agree").startswith("First the others have to say how far the game had come")
    room.pass_time(PATIENCE + 1)
    assert f"{wish}: `agree`, or wait." in room.notes(2)
    assert room.console(2).status()[0] == "go on without cara? `agree`"
    room.leave(1)
    room.come_back(1)
    room.pass_time(PATIENCE + 1)
    assert not any("White (anna) wants" in note for note in room.notes(1)), "who proposed it knows"
    room.notes(2)
    room.agree_to(2, "agree")
    assert room.notes(2) == ["- You agree to go on without Green (cara)."]
    assert "  agree " not in "\n".join(room.type(2, "help"))
    assert refused(room, 2, "agree") == "You have agreed already: waiting for Yellow (dora) to agree."
    room.agree_to(4, "agree")
    assert live(room, 2) == (1, 2, 4)
    room.check()


def test_the_player_who_was_left_behind_sees_it_and_watches_on(tmp_path: Path) -> None:
    room = room_without(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.agree_to(2, "agree")
    room.play()
    assert room.console(3).prompt() == "place> "
    room.come_back(3)
    assert LEFT_BEHIND in room.notes(3)
    console = room.console(3)
    assert console.prompt() == "watch> "
    assert console.status() == ["you were left behind; Green (ben) to move", "all here"]
    assert refused(room, 3, "1A7") == "You are watching: you may look and talk, not play."
    for line in ("without ben", "agree", "resign"):
        assert refused(room, 3, line) == "You are watching: only players can do that."
    room.type(3, "say what a pity")
    assert Said("cara", "what a pity") in room.told[1]
    room.leave(2)
    for _ in range(3):
        room.wait(2 * ADVISE_AFTER)
    assert not any("Still waiting" in note for note in room.notes(3)), "this player has no say"
    room.check()


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
    assert "! Red (anna) wants to go on without you: move now." in room.notes(3)
    assert [room.console(operator).status()[0] for operator in (1, 3)] == ["Blue (cara) to move", "your turn"]
    assert room.type(2, "who")[2] == "  Blue    cara  to move", "nobody would go on without her any more"
    table = room.tables[3]
    table.play(3, table.game.legal(table.state, 3)[0])
    room.carry()
    assert {table.turn for table in room.tables.values()} == {1}
    room.check()


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
    why = "Green (ben) is connected and asked for 0 s. Give a player at least 1 min."
    assert shown == f"- `without ben` is not asked any more. {why}"


def test_a_question_outlives_that_another_player_starts_again_while_cards_are_dealt(tmp_path: Path) -> None:
    """A thread is at work then, and nobody can look at what was asked about: that is no reason to ask no more."""

    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:4], withheld={2: (EventKind.SHARES,)})

        async def rest() -> None:
            while any(table._jobs.working for table in room.tables.values()) or room.mail:
                room.carry()
                await asyncio.sleep(0.005)

        await rest()
        room.leave(2)
        await rest()
        room.type(1, "without ben")
        told: list[str] = []
        room.tables[1].listen(lambda notice: told.extend(map(text_of, room.console(1).hear(notice))))
        room.tables[1].link(IDENTITIES[2].id, up=False)
        room.tables[1].link(IDENTITIES[2].id, up=True)
        assert room.tables[1]._jobs.working
        assert refused(room, 1, "yes").startswith("The cards are being shuffled: wait a moment")
        await rest()
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
        assert refused(room, 3, move).startswith("It is not your turn (waiting for ")
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


# A player who is there


def test_a_player_who_thinks_is_given_a_minute(tmp_path: Path) -> None:
    """Or is at a question: that is not being gone."""
    room = Room(tmp_path)
    turn = room.tables[1].turn
    other = turn % 3 + 1
    room.type(turn, "quit")  # and sits at the question
    room.wait(20)
    label = room.tables[1].label(turn)
    why = f"{label} is connected and asked for 20 s. Give a player at least 1 min."
    assert refused(room, other, f"without {turn}") == why
    room.wait(ASKED_ENOUGH)
    (question,) = room.type(other, f"without {turn}")
    assert question.startswith(f"Go on without {label}, connected and asked for 1 min 20 s?")
    name = NAMES[turn - 1]
    assert room.type(other, "") == [f"- As you were: `without {name}` is not done."]
    room.play()
    assert room.console(turn).questions.open, "the question is still there"
    room.check()


def test_a_sleeper_is_left_behind_by_one_word_of_each_player(tmp_path: Path) -> None:
    """The link to a player who sleeps is up: the others have time to answer all the same."""
    room = sleeping(tmp_path, 3)
    room.agree_to(1, "without cara")
    room.pass_time(ANSWER / 2)
    assert room.notes(3) == ["! Red (anna) wants to go on without you: move now."]
    assert room.console(1).status()[0] == "waiting for Green (ben) to agree"
    assert room.console(3).status() == ["anna would go on without you", "your turn"]
    room.agree_to(2, "agree")
    room.pass_time(ANSWER)
    assert room.notes(1)[-1] == room.notes(2)[-1] == LEFT
    assert LEFT_BEHIND in room.notes(3)
    assert live(room, 1) == live(room, 2) == live(room, 3) == (1, 2)
    room.play()
    room.check()


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
    room.pass_time(ANSWER + 5)
    assert room.notes(1)[-1] == room.notes(2)[-1] == WITH_ALL
    assert room.console(1).status()[0] == "Blue (cara) to move"
    room.wait(1)
    (question,) = room.type(1, "without cara")
    asked = re.search(r"asked for (\d) min", question)
    assert asked, question
    assert int(asked[1]) >= 1, "an agreement that nobody leaves gives no new minute"
    room.play()
    room.check()


# More than one


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


def test_a_player_who_resigned_before_the_others_left_is_not_asked(tmp_path: Path) -> None:
    """The resignation waits for its place, and the player whose client gives it one is gone."""
    room = room_without(tmp_path, 2)
    room.agree_to(3, "resign")
    assert refused(room, 1, "without ben").startswith("Of two players nobody can go on without the other")


@pytest.mark.parametrize(
    ("key", "kinds", "status"),
    [
        ("fidchell", (EventKind.COMMITMENT,), "waiting for {ben} to take part in the roll"),
        ("fidchell", (EventKind.REVELATION,), "waiting for {ben} to take part in the roll"),
        ("celtic-whist", (EventKind.KEY,), "cards shuffled by 0 of 3, waiting for {ben}"),
        ("celtic-whist", (EventKind.SHUFFLE,), "cards shuffled by 1 of 3, waiting for {ben}"),
        ("celtic-whist", (EventKind.SHARES,), "cards shuffled by 3 of 3, waiting for {ben}"),
    ],
    ids=["commitment", "revelation", "key", "shuffle", "shares"],
)
def test_what_is_withheld_is_named_and_its_author_left_behind(
    tmp_path: Path, key: str, kinds: tuple[EventKind, ...], status: str
) -> None:
    """A client gives its part of a roll or deal by itself. Its player is missed if that does not come."""

    async def evening() -> None:
        room = Room(tmp_path, key, NAMES[:3], withheld={2: kinds})

        async def until(shown: str) -> None:
            while room.console(1).status()[0] != shown or room.console(3).status()[0] != shown:
                room.carry()
                await asyncio.sleep(0.005)

        async def type_when_possible(operator: int, line: str) -> None:
            while True:
                try:
                    return room.agree_to(operator, line)
                except RefusedError:  # a thread is at work: wait a moment, it says
                    room.carry()
                    await asyncio.sleep(0.005)

        async with asyncio.timeout(60):
            await until(status.format(ben=room.tables[1].label(2)))
            while not any("Still waiting" in note for note in room.notes(3)):
                room.wait(ASLEEP - 1)
                await asyncio.sleep(0.005)
            await type_when_possible(1, "without ben")
            await type_when_possible(3, "agree")
            while not {room.tables[1].turn, room.tables[3].turn} <= {1, 3}:
                room.carry()
                await asyncio.sleep(0.005)
        told = f"! You and the others go on without {room.tables[1].label(2)}, which counts as resigning."
        assert told in room.notes(1)
        room.play()

    asyncio.run(evening())


def test_the_question_says_what_becomes_of_a_round_of_cards(tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        async with asyncio.timeout(60):
            while not all(table.turn for table in room.tables.values()):
                room.carry()
                await asyncio.sleep(0.005)
        gone = room.tables[1].turn
        one = next(seat for seat in (1, 2, 3) if seat != gone)
        room.leave(gone)
        room.wait(20)
        (question,) = room.type(one, f"without {NAMES[gone - 1]}")
        assert question.endswith(" has lost, as by resigning. The round is abandoned and does not count. [y/N]")
        room.type(one, "no")
        (question,) = room.type(one, "resign")
        assert question == "Give the game up? It is lost then. The round is abandoned and does not count. [y/N]"

    asyncio.run(evening())


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
