"""Names that could be taken for another player's, and the words for each way of not being there."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import IDENTITIES, NAMES, Room, refused

from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.notices import CHAT_LINES
from p2p_stonehenge.table.people import People
from p2p_stonehenge.table.session import Note, RefusedError, Said
from protocol import Exit


def people_at(seats: Sequence[int]) -> People:
    names = ("", "anna", "ben")
    return People(seats, names.__getitem__, ("", "Red (anna)", "Green (ben)").__getitem__)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("anna", "ben"), ("anna", "ben")),
        (("anna", "anna"), ("Yellow (anna)", "Green (anna)")),
        (("anna", "ANNA"), ("Yellow (anna)", "Green (ANNA)")),
        (("anna", "änna"), ("Yellow (anna)", "Green (änna)")),
        (("anna", "\u0430nna"), ("anna", "Green (\u0430nna)")),  # a Cyrillic letter
        (("modern", "rnodern"), ("Yellow (modern)", "Green (rnodern)")),
        (("lisa", "1isa"), ("Yellow (lisa)", "Green (1isa)")),
        (("anna", "an na"), ("Yellow (anna)", "Green (an na)")),
        (("anna", "Yellow (anna)"), ("anna", "Green (Yellow (anna))")),
        (("Green", "ben"), ("Yellow (Green)", "ben")),
    ],
)
def test_whose_name_could_be_confused_has_the_colour_beside_it(names: tuple[str, str], shown: tuple[str, str]) -> None:
    table = FakeTable("fidchess", first=1)
    table.names = names
    assert (table.speaker(1), table.speaker(2)) == shown


def test_two_players_of_one_name_are_told_apart_in_chat(tmp_path: Path) -> None:
    room = Room(tmp_path, names=("anna", "ben", "anna"))
    for operator in (1, 2, 3):
        room.type(operator, "say hello")
    said = [notice for notice in room.told[2] if isinstance(notice, Said)]
    assert said == [Said("Red (anna)", "hello"), Said("ben", "hello"), Said("Blue (anna)", "hello")]


def test_what_was_said_can_be_read_again() -> None:
    table = FakeTable("fidchess", first=1)
    console = Console(table, Settings(), "ascii")
    assert ["Nothing was said while you were here" in text_of(line) for line in console.enter("say")] == [True]
    for number in range(60):
        console.hear(Said("ben", f"line {number}"))
    assert list(map(text_of, console.enter("say"))) == [f"ben: line {number}" for number in range(10, 60)]


def test_who_speaks_is_told_once_for_each_absence_who_does_not_read_that(tmp_path: Path) -> None:
    room = Room(tmp_path, names=("anna", "ben", "cleo"))

    def noted(line: str) -> list[str]:
        room.told[1].clear()
        room.type(1, line)
        return [notice.text for notice in room.told[1] if isinstance(notice, Note)]

    assert noted("say hello") == []
    room.tables[1].link(IDENTITIES[2].id, up=False)
    assert noted("say cleo?") == ["cleo is not here and does not read that."]
    assert noted("say still away") == []
    room.reconnect(1, 3)
    assert noted("say well met") == []
    room.tables[1].link(IDENTITIES[2].id, up=False)
    assert noted("say again?") == ["cleo is not here and does not read that."]


def test_who_says_more_than_the_others_are_shown_is_told_so(tmp_path: Path) -> None:
    """Nothing that a player sees as said is left out at the others."""
    room = Room(tmp_path)
    for number in range(CHAT_LINES - 1):
        room.type(1, f"say line {number}")
    with pytest.raises(RefusedError, match="You have said much at once"):
        room.type(1, "say one more")
    assert [notice.text for notice in room.told[1] if isinstance(notice, Said)] == [
        notice.text for notice in room.told[2] if isinstance(notice, Said)
    ]


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (12.4, "12 s"), (59.4, "59 s"), (61, "1 min"), (3599, "59 min"), (7300, "2 h")]
)
def test_how_long_somebody_has_been_away(seconds: float, told: str) -> None:
    people = people_at([2])
    people.seat(2, 10.0)
    people.lose(2, 20.0, "wait")
    assert people.status([2], 20.0 + seconds) == f"ben away for {told}"
    people.leave(2, 20.0, adjourned=False, ways="wait")
    assert people.status([2], 20.0 + seconds) == f"ben left {told} ago"


def test_of_several_it_is_clear_that_they_are_those_who_have_gone() -> None:
    """`2 left: anna, ben` could be the two who stay."""
    people = people_at([1, 2])
    for seat in (1, 2):
        people.seat(seat, 10.0)
        people.leave(seat, 20.0, adjourned=False, ways="wait")
    assert people.status([1, 2], 20.0) == "2 have left: anna, ben"


def test_who_goes_and_comes_is_called_as_on_the_board(tmp_path: Path) -> None:
    """By the name under which that player is known here, which may be another one than at the table."""
    room = Room(tmp_path, names=NAMES[:3])
    room.tables[1].names = ("anna", "Benjamin", "cara")
    room.leave(2)
    assert room.notes(1)[-1].startswith("! Green (Benjamin) does not answer any more.")
    assert "Benjamin away for" in room.tables[1].links()


def test_a_link_that_breaks_after_a_wanted_leave_is_no_news() -> None:
    people = people_at([2])
    people.seat(2, 0.0)
    assert people.leave(2, 5.0, adjourned=False, ways="wait") == (
        "Green (ben) has left the table. The game is kept: wait."
    )
    assert people.lose(2, 6.0, "wait") == ""
    assert people.arrive(2, 65.0) == "Green (ben) is back, after 1 min."
    assert people.lose(2, 70.0, "wait") != ""


def test_a_link_of_a_player_who_is_out_of_the_game_stops_nothing() -> None:
    people = people_at([2])
    people.seat(2, 0.0)
    assert people.lose(2, 6.0, "") == "Green (ben) does not answer any more. The game goes on."


def test_who_is_out_of_the_game_is_told_how(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.agree_to(1, "resign")
    while room.tables[2].turn not in (2, 3):
        room.play()
    for operator in (1, 2, 3):
        assert room.type(operator, "who")[0].endswith("  has resigned")


def test_what_is_taken_back_puts_nobody_out() -> None:
    people = people_at([1, 2])
    people.leave_game(1, 7, Exit.RESIGNED)
    people.leave_game(2, 9, Exit.LEFT_BEHIND)
    people.take_back(8)
    assert (people[1].exit, people[2].exit) == (Exit.RESIGNED, None)


def test_a_name_is_meant_as_it_is_typed_then_but_for_case_then_but_for_accents() -> None:
    table = FakeTable("fidchess", first=1)
    table.names = ("Anna", "\u00c4nna")
    assert (table.seats_named("Anna"), table.seats_named("\u00e4nna"), table.seats_named("anna")) == ((1,), (2,), (1,))
    table.names = ("Zo\u00eb", "Zora")
    assert table.seats_named("zoe") == (1,)
    assert table.seats_named("Zo") == (1, 2), "only the beginning: the player is asked for more"
    assert table.seats_named("Zoe\u0308") == (1,), "the same letter, composed or not"


def test_nobody_is_gone_on_without_at_the_own_turn_which_is_said(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    told = "The game waits for you now: move first, and ask again when it waits for Green (ben)."
    assert refused(room, 1, "without ben") == told
    assert refused(room, 1, "without anna").startswith("That is your own seat")
    assert refused(room, 2, "without cara").startswith("The game does not wait for that player now")


def test_a_player_who_plays_no_more_is_gone_on_without_already(tmp_path: Path) -> None:
    room = Room(tmp_path, names=("anna", "ben", "cara", "dora"), key="qenqe")
    out, asking, *_ = sorted(room.tables, key=lambda seat: seat != room.tables[1].turn)
    room.agree_to(out, "resign")
    name = room.tables[asking].name_to_type(out)
    told = f"{room.tables[asking].label(out)} plays no more: the game goes on without that player."
    assert refused(room, asking, f"without {name}") == told


def test_a_friend_who_comes_back_under_another_name_is_said_to_once(tmp_path: Path) -> None:
    """The name of the charter stays, and nothing told that it is the same player."""
    room = Room(tmp_path, names=NAMES[:3])
    room.leave(2)
    room.nicks[IDENTITIES[1].id] = "Benny"
    for operator in room.tables:
        room.notes(operator)
    room.come_back(2)
    told = "- Green (ben) goes by Benny now: at this table the name stays."
    assert room.notes(1).count(told) == room.notes(3).count(told) == 1
    room.reconnect(1, 2)
    assert told not in room.notes(1)


@pytest.mark.parametrize("nick", ["ben", "BEN", "Benjamin"])
def test_a_friend_who_comes_back_under_a_name_known_here_is_not_said_to_have_another(tmp_path: Path, nick: str) -> None:
    room = Room(tmp_path, names=NAMES[:3])
    room.tables[1].names = ("anna", "Benjamin", "cara")
    room.leave(2)
    room.nicks[IDENTITIES[1].id] = nick
    room.come_back(2)
    assert not [note for note in room.notes(1) if "goes by" in note]
