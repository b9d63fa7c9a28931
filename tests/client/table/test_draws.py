"""Draws at a table among three: who has offered one, who has agreed, and for whom that waits."""

from pathlib import Path

from local_tables import at_one_keyboard
from net_tables import NAMES, Room, refused

from p2p_stonehenge.table.session import Note, Said


def test_each_player_reads_who_offers_who_agrees_and_who_is_waited_for(tmp_path: Path) -> None:
    room = Room(tmp_path)
    for operator in room.tables:
        room.notes(operator)
    assert room.type(1, "draw") == ["Offer a draw? [y/N]"]
    room.type(1, "y")
    assert room.notes(1) == ["- You offer a draw; `draw off` takes it back."]
    offered = "! Red (anna) offers a draw: `draw` accepts; or play on: it is off after two actions of anna."
    assert room.notes(2) == room.notes(3) == [offered]
    for operator in (2, 3):
        assert room.console(operator).status()[1] == "anna offers a draw: `draw` accepts"
        off = "it is off after two actions of who offered it."
        told = f"`draw` accepts the offer of a draw; or play on: {off}"
        assert refused(room, operator, "y") == f"What others want is answered by a command, not by `y`: {told}"
        for answer in ("accept", "agree"):
            assert room.type(operator, answer) == ["Agree to the draw that Red (anna) offers? [y/N]"]
            room.type(operator, "n")
        assert told.endswith(refused(room, operator, "draw off"))
    for answer in ("no", "decline", "refuse"):
        assert room.type(3, answer) == []
        assert room.told[1][-1] == Said(
            "cara", "No draw, please: let us play on. (The offer is off after two actions of who made it.)"
        )
        assert room.console(3).status()[1] == "anna offers a draw: `draw` accepts", "the offer stands all the same"
    for operator in (2, 3):
        room.notes(operator)
    assert refused(room, 1, "no").endswith("now: `help` lists what you can type.")
    assert room.type(2, "draw") == ["Agree to the draw that Red (anna) offers? [y/N]"]
    room.type(2, "y")
    assert room.notes(1) == ["- Green (ben) agrees to the draw: waiting for Blue (cara)."]
    assert room.notes(2) == ["- You agree to the draw: waiting for Blue (cara); `draw off` takes it back."]
    assert room.notes(3) == [
        "! Green (ben) agrees to the draw: `draw` accepts; or play on: it is off after two actions of ben."
    ]
    assert room.type(3, "draw") == ["Agree to the draw that Red (anna) and Green (ben) offer? [y/N]"]
    room.type(3, "y")
    for operator, console in room.consoles.items():
        assert room.tables[operator].result
        assert not [part for part in console.status() if "draw" in part], "an offer outlives the game"


def test_at_one_keyboard_too_an_offer_lapses_with_its_second_move_or_its_player(tmp_path: Path) -> None:
    table = at_one_keyboard(tmp_path, "fidchell", 3)
    seats = [table.turn]
    table.wish_draw(seats[0])
    for _ in range(4):
        assert table.wishes() == (seats[0],)
        table.play(table.turn, table.game.legal(table.state, table.turn)[0])
        seats.append(table.turn)
    assert table.wishes() == ()
    table.wish_draw(table.turn)
    table.play(table.turn, "resign")
    assert table.wishes() == ()
    for seat in table.game.live(table.state):
        table.wish_draw(seat)
    assert table.result
    assert not table.result.winners


def test_who_agreed_to_an_offer_that_is_taken_back_reads_that_it_is_an_offer_now(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn == 3:
        room.play()
    for operator in (1, 2):
        room.agree_to(operator, "draw")
    for operator in room.tables:
        room.notes(operator)
    room.type(1, "draw off")
    gone = "- The draw offer of Red (anna) no longer stands."
    own = "- You agreed to that: now it is an offer of your own; `draw off` takes it back."
    assert room.notes(2) == [gone, own]
    assert room.notes(3) == [gone]


def test_who_agrees_no_longer_leaves_the_offer_standing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    for operator in (3, 2):
        room.agree_to(operator, "draw")
    for operator in room.tables:
        room.notes(operator)
    room.type(2, "draw off")
    assert room.notes(2) == ["- You no longer agree to the draw that Blue (cara) offers."]
    assert room.notes(3) == ["- Green (ben) no longer agrees to the draw; your offer stands."]
    assert room.notes(1) == ["- Green (ben) no longer agrees to the draw."]
    room.type(3, "draw off")
    assert room.notes(3) == ["- Your draw offer no longer stands."]
    assert room.notes(1) == ["- The draw offer of Blue (cara) no longer stands."]


def test_an_offer_that_lapses_is_called_the_players_own(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    room.agree_to(1, "draw")
    (offer,) = [note for note in room.told[2] if isinstance(note, Note)]
    assert offer.stands()
    for operator in room.tables:
        room.notes(operator)
    for _ in range(4):
        room.play()
    assert not offer.stands()
    assert room.notes(1) == ["- Your draw offer no longer stands."]
    assert room.notes(2) == room.notes(3) == ["- The draw offer of Red (anna) no longer stands."]


def test_the_offer_of_a_player_who_is_left_behind_no_longer_stands(tmp_path: Path) -> None:
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.agree_to(2, "draw")
    room.leave(2)
    room.agree_to(1, "without ben")
    both = refused(room, 3, "y")
    assert "`agree` agrees to go on without a player; else wait. `draw` accepts the offer of a draw;" in both
    for operator in room.tables:
        room.notes(operator)
    room.agree_to(3, "agree")
    for operator in (1, 3):
        assert "- The draw offer of Green (ben) no longer stands." in room.notes(operator)
        assert not [part for part in room.console(operator).status() if "draw" in part]
        assert refused(room, operator, "draw off").startswith("You have offered no draw")


def test_a_draw_that_waits_for_a_missing_player_is_noted_and_asked_about_once(tmp_path: Path) -> None:
    """Nothing was said until it counted, and another `draw` was signed as well."""
    room = Room(tmp_path, "kingamon", NAMES[:2])
    mover = room.tables[1].turn
    missing = 3 - mover
    room.leave(missing)
    while room.tables[mover].turn == mover:
        room.play()
    assert room.tables[mover].waiting().endswith("to take part in the roll")
    room.notes(mover)
    noted = "That you want a draw is noted: it counts as soon as the game goes on."
    room.agree_to(mover, "draw")
    assert room.notes(mover) == [f"- {noted}"]
    assert room.tables[mover].wishes() == ()
    assert refused(room, mover, "draw") == refused(room, mover, "draw off") == noted
    room.wait(20)
    assert not [note for note in room.notes(mover) if "noted" in note]
    room.come_back(missing)
    assert room.tables[mover].wishes() == (mover,)
    assert "- You offer a draw; `draw off` takes it back." in room.notes(mover)
    room.check()


def test_a_draw_that_waits_for_a_player_who_seems_to_be_here_is_noted_after_a_second(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    mover = room.tables[1].turn
    other = 3 - mover
    room.kept_from[other] = mover
    room.notes(other)
    room.agree_to(other, "draw")
    assert room.notes(other) == []
    room.wait(0.5)
    assert room.notes(other) == []
    room.wait(1)
    room.wait(1)
    assert room.notes(other) == ["- That you want a draw is noted: it counts as soon as the game goes on."]


def test_that_no_draw_is_wanted_any_more_is_noted_as_well(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    mover = room.tables[1].turn
    other = 3 - mover
    room.agree_to(other, "draw")
    room.leave(mover)
    room.notes(other)
    room.type(other, "draw off")
    noted = "That you want no draw any more is noted: it counts as soon as the game goes on."
    assert room.notes(other) == [f"- {noted}"]
    assert refused(room, other, "draw off") == noted
    assert room.tables[other].wishes() == (other,)
