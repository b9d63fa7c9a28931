"""Going on without a player who is gone: what is typed, who is asked, what each screen says, and what comes of it."""

import asyncio
from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import IDENTITIES, LEFT, LEFT_BEHIND, NAMES, Room, live, refused, room_without

from p2p_stonehenge.cli.replay import lines
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.comings import ADVISE_AFTER, HEARD_SOON
from p2p_stonehenge.table.presence import ASLEEP
from p2p_stonehenge.table.proposals import ASKED_ENOUGH
from p2p_stonehenge.table.session import RefusedError, Said
from protocol import load, message_bytes
from protocol.events import EventKind
from protocol.messages import Events
from protocol.table.going_on import STAGGER
from protocol.table.resuming import PATIENCE

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
        ("agree", "There is nothing to agree to now. A proposal to go on without a player lapses once"),
        ("with ben", "Write `without` in full"),
    ],
)
def test_what_is_refused_says_what_can_be_done(tmp_path: Path, line: str, why: str) -> None:
    assert refused(room_without(tmp_path, 2), 1, line).startswith(why)


def test_names_that_are_not_clear_have_numbers(tmp_path: Path) -> None:
    """A player may be called like another one, or like the colour of another one."""
    room = Room(tmp_path, names=("anna", "Red", "anna"))
    assert [room.tables[1].name_to_type(seat) for seat in (1, 2, 3)] == ["1", "2", "3"]
    while room.tables[1].turn != 2:
        room.play()
    assert refused(room, 1, "without red") == "Write `without 1` for Red (anna) or `without 2` for Green (Red)."
    room.wait(ASKED_ENOUGH + 1)
    room.agree_to(1, "without 2")
    told = (
        "! Red (anna) wants to go on without Green (Red), who is here (the game has waited 1 min 1 s): `agree`, or wait"
    )
    assert f"{told}; unless all others agree, the game goes on with all within about 30 s." in room.notes(3)


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


# What comes of it


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
    assert not any("White (anna) wants" in note for note in room.notes(2)), "nothing can be answered yet"
    told = ["anna would go on without cara", "waiting for Green (cara) to come back"]
    assert room.console(2).status() == told
    assert "  agree " not in "\n".join(room.type(2, "help"))
    first = "First Green (cara) has to say how far the game had come: wait or, if you have always played it on this"
    assert refused(room, 2, "agree") == f"{first} computer, `newest`."
    room.wait(0)
    proposed = "! White (anna) proposes to go on without a player whom you have to hear first."
    assert room.notes(2)[-1] == f"{proposed} {first} computer, `newest`. Then `agree`."
    room.pass_time(PATIENCE + 1)
    assert room.notes(2).count(f"{wish}: `agree`, or wait.") == 1
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


def test_who_waits_for_a_player_who_came_back_to_agree_reads_what_keeps_that_player(tmp_path: Path) -> None:
    room = room_without(tmp_path, 1)
    room.leave(2)
    room.pass_time(5)
    room.agree_to(3, "without anna")
    room.come_back(2)
    room.pass_time(HEARD_SOON + 1)
    first = "a player who has come back has to hear all others first, or to type `newest`"
    assert f"! Still waiting for Green (ben) to agree: {first}." in room.notes(3)
    room.agree_to(2, "newest")
    room.agree_to(2, "agree")
    assert live(room, 3) == (2, 3)
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


@pytest.mark.parametrize(
    ("key", "kinds", "status"),
    [
        ("fidchell", (EventKind.COMMITMENT,), "waiting for {ben} to take part in the roll"),
        ("fidchell", (EventKind.REVELATION,), "waiting for {ben} to take part in the roll"),
        ("celtic-whist", (EventKind.KEY,), "cards shuffled by 0 of 3, waiting for {ben}"),
        ("celtic-whist", (EventKind.SHUFFLE,), "cards shuffled by 1 of 3, waiting for {ben}"),
        ("celtic-whist", (EventKind.SHARES,), "cards shuffled, dealing them, waiting for {ben}"),
    ],
    ids=["commitment", "revelation", "key", "shuffle", "shares"],
)
def test_what_is_withheld_is_named_and_its_author_left_behind(
    tmp_path: Path, key: str, kinds: tuple[EventKind, ...], status: str
) -> None:
    """A client gives its part of a roll or deal by itself. Its player is missed if that does not come."""

    async def evening() -> None:
        room = Room(tmp_path, key, NAMES[:3], withheld={2: kinds})

        await room.rest()
        shown = status.format(ben=room.tables[1].label(2))
        assert [room.console(operator).status()[0] for operator in (1, 3)] == [shown, shown]
        while not any("Still waiting" in note for note in room.notes(3)):
            room.wait(ASLEEP - 1)
            await room.rest()
        room.agree_to(1, "without ben")
        await room.rest()
        room.agree_to(3, "agree")
        await room.rest()
        assert {room.tables[1].turn, room.tables[3].turn} <= {1, 3}
        told = f"! You and the others go on without {room.tables[1].label(2)}, which counts as resigning."
        assert told in room.notes(1)
        room.play()

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_the_question_says_what_becomes_of_a_round_of_cards(tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        await room.rest()
        gone = room.tables[1].turn
        one = next(seat for seat in (1, 2, 3) if seat != gone)
        room.leave(gone)
        room.wait(20)
        (question,) = room.type(one, f"without {NAMES[gone - 1]}")
        assert question.endswith(" has lost, as by resigning. The round is abandoned and does not count. [y/N]")
        room.type(one, "no")
        (question,) = room.type(one, "resign")
        assert question == "Give the game up? It is lost then. The round is abandoned and does not count. [y/N]"

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_a_player_who_resigned_unheard_and_left_is_gone_by_one_word(tmp_path: Path) -> None:
    """The resignation comes when the turn of that player has begun: nobody could give it its place."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.withheld = {3: {EventKind.RESIGN}}
    room.agree_to(3, "resign")
    room.leave(3)
    room.play()
    cara = room.tables[3].table
    (resignation,) = [event for event in cara.held.chains[2] if event.kind == EventKind.RESIGN]
    heard = message_bytes(Events(cara.id, ((resignation.raw, resignation.signature),)))
    for operator in (1, 2):
        room.tables[operator].receive(IDENTITIES[2].id, heard)
    room.carry()
    assert live(room, 1) == (1, 2, 3)
    room.agree_to(1, "without cara")
    assert live(room, 1) == live(room, 2) == (1, 2)
    for operator in (1, 2):
        assert not [note for note in room.notes(operator) if "Nobody is left behind" in note]
        (told,) = [one for one in room.tables[operator].plies if one.action == "resign"]
        assert told.actor == 3
