"""At the board: where a piece can go, what is new, earlier positions, options in force, long texts, moves that lose."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fake_table import FakeTable
from saved_games import ANNA, home_of
from window import ENTER, PAGE_DOWN, PAGE_UP, SETTINGS, Window, opened

from engine import Turn, all_games
from p2p_stonehenge.screen import at_the_end, status, terminal
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.moves import reach
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table import losing
from p2p_stonehenge.table.local import AGAINST_BOTS, LocalTable
from p2p_stonehenge.table.losing import losing_reply
from p2p_stonehenge.table.session import Note, Notice, RefusedError
from p2p_stonehenge.text.style import Settings
from protocol import LOCAL, Seat, Table, local_charter, make_body

CAPTURE = ("D2-D3", "A7-A6", "D3-D4", "A6-A5", "D4-C6", "B8-A6")
"""Of Fidchess: after these Yellow may capture."""


def console(table: Any, charset: str = "unicode", settings: Settings = SETTINGS, redraws: bool = True) -> Console:
    return Console(table, settings, charset, redraws)


def board(at: Console, width: int = 80, height: int = 21) -> str:
    return "\n".join(text_of(line).rstrip() for line in at.board(width, height))


# Where a piece can go.


def test_a_place_that_is_typed_lights_where_its_piece_goes_captures_apart() -> None:
    at = console(FakeTable("fidchess", first=1).replay(*CAPTURE))
    at.drawing.typing = "c6"
    shown = board(at)
    assert "(Y1)" in shown
    assert "<G" in shown
    assert "•" in shown
    assert at.drawing.ways().startswith("C6 captures on ")
    at.drawing.typing = "c6 a"
    assert "(Y1)" not in board(at), "only a place alone is looked at"


def test_what_joins_a_friend_is_between_plus_signs() -> None:
    at = console(FakeTable("fidchess", first=1))
    at.drawing.typing = "b2"
    assert "+Y1+" in board(at)
    assert at.drawing.ways() == "B2 goes to " + ", ".join(
        reach(at.session.game, at.session.state, 1, "b2").targets  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("key", ["fidchess", "qenqe", "fidchell", "kingamon"])
def test_every_target_of_every_piece_is_shown_on_the_board(key: str) -> None:
    """The board with the signs differs from the one without at each place that is named."""
    table = FakeTable(key, first=1)
    if key == "kingamon":
        table.replay("3-5")
    if key == "fidchell":
        for _ in range(54):
            table.act(table.turn, table.game.legal(table.state, table.turn)[0])
    at = console(table, "ascii")
    game, places = table.game, at.view.places
    plain = board(at)
    origins = {places.origin(action) for action in game.legal(table.state, 1)}
    lit = 0
    for origin in origins:
        at.drawing.typing = origin
        found = at.drawing.reach()
        if found:
            lit += 1
            assert {*found.takes} <= {*found.targets}
            assert board(at) != plain
    assert lit > 0 or key == "fidchell"


def test_the_field_that_is_typed_to_place_a_piece_is_marked() -> None:
    at = console(FakeTable("fidchell", first=1).replay("5D4", "6C3"))
    for typed in ("5d", "5d4", "5d5 6", ""):
        at.drawing.typing = typed
        assert "(·)" not in board(at), typed
    at.drawing.typing = "5d5"
    assert board(at).count("(·)") == 1
    assert at.drawing.look(80, 21).origin == "5D5"
    at.drawing.past = 1
    assert not at.drawing.look(80, 21).origin, "what is typed is for the present board"
    table = FakeTable("kingamon", first=1).replay("3-5")
    at = console(table)
    for action in table.game.legal(table.state, 1):
        at.drawing.typing = action
        assert not at.drawing.look(80, 21).origin, "a whole move of a piece on the board"


def test_a_place_alone_is_no_refusal_but_a_list() -> None:
    at = console(FakeTable("fidchess", first=1), redraws=False)
    assert [text_of(line) for line in at.enter("b2")] == [text_of(line) for line in at.enter("moves b2")]
    with pytest.raises(RefusedError):
        at.enter("b5")


# What is new.


def test_all_that_happened_since_the_own_last_move_is_lit() -> None:
    table = FakeTable("qenqe", first=1)
    table.replay("C1-D1")
    at = console(table)
    assert set(at.drawing.look(80, 21).last) == {"C1", "D1"}, "the own move until another one follows"
    actions = table.game.legal(table.state, 2)
    table.act(2, actions[0])
    assert "D1" not in at.drawing.look(80, 21).last


# Below a text.


def test_the_low_board_of_fidchess_has_its_stacks_below_each_other_as_the_high_one() -> None:
    """A text above it leaves no room for lines between the spaces; where to look for a stack stays the same."""
    at = console(FakeTable("fidchess", first=1).replay(*CAPTURE))

    def places(height: int) -> dict[str, list[tuple[int, str]]]:
        lines = [line[:32] for line in board(at, height=height).splitlines()]
        ranks = {line[1]: line for line in lines if line[1:2].isdigit()}
        return {rank: [(one.start(), one[0]) for one in re.finditer(r"[YG]\w", line)] for rank, line in ranks.items()}

    assert len(board(at, height=17).splitlines()) < 12
    assert places(17) == places(21)
    assert len(places(17)) == 8


@pytest.mark.parametrize(("window", "differs"), [(17, False), (21, True)])
def test_where_no_layout_would_look_otherwise_a_larger_window_is_said_to_be_needed(window: int, differs: bool) -> None:
    at = console(FakeTable("fidchell", first=1))
    at.drawing.window = window
    for layout in ("compact", "the largest that fits"):
        (told,) = map(text_of, at.enter("view"))
        assert told.startswith(f"Layout: {layout}.")
        assert ("in a larger one they differ" in told) != differs


# Earlier positions.


def local(tmp_path: Path, key: str = "fidchess", players: int = 2, **options: Any) -> LocalTable:
    home = home_of(tmp_path)
    seats = (Seat(ANNA.id, "anna", 1), *(Seat(ANNA.id, f"bot {seat}", 1) for seat in range(2, players + 1)))
    body = make_body(LOCAL, all_games()[key], {"first": 1, **options}, seats, bytes(16))
    charter = local_charter(body, ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: ANNA}), home.journal(charter.table.hex()), (1,))
    table.begin()
    return table


def test_help_offers_alone_no_way_to_leave_that_tells_others(tmp_path: Path) -> None:
    told = "\n".join(map(text_of, console(local(tmp_path)).enter("help")))
    assert "adjourn" not in told
    assert "  quit " in told


def test_earlier_positions_are_looked_at_while_the_game_goes_on(tmp_path: Path) -> None:
    table = local(tmp_path)
    start = board(console(table))
    for seat, action in ((1, "B2-B3"), (2, "B7-B6"), (1, "A2-A3")):
        table.play(seat, action)
    at = console(table)
    now = board(at)
    at.enter("back 3")
    told = " LOOKING BACK: after 0 of 3 actions; `back`, `forth 1`, `forth` to the present"
    assert board(at).splitlines()[0] == told
    pieces = [line[:32] for line in start.splitlines()]
    assert [line[:32] for line in board(at).splitlines()[1:]] == pieces
    table.play(2, "A7-A6")
    assert "after 0 of 4 actions" in board(at), "what happens meanwhile moves nothing"
    at.enter("forth 1")
    assert "after 1 of 4 actions" in board(at)
    at.enter("forth")
    assert "LOOKING BACK" not in board(at)
    assert board(at) != now
    assert [text_of(line) for line in at.enter("forth 2")] == ["This is the present position."]
    at.enter("back 9")
    assert [text_of(line) for line in at.enter("back")] == ["This is the first position."]


def test_who_is_out_sees_the_latest_move_marked_and_how_to_leave(tmp_path: Path) -> None:
    table = local(tmp_path, "fidchell", 3)
    at = console(table)
    for seat, action in ((1, "1C1"), (2, "2C1")):
        table.play(seat, action)
    table.play(1, "resign")
    for seat, action in ((3, "3C1"), (2, "2C2"), (3, "3C2")):
        table.play(seat, action)
    assert at.drawing.look(80, 21).last == ("3C2",)
    assert status.keys(table, at.seat, again=None, covered=False)[-1] == "quit leaves"


def test_an_earlier_position_lists_no_later_moves(tmp_path: Path) -> None:
    table = local(tmp_path)
    for seat, action in ((1, "B2-B3"), (2, "B7-B6"), (1, "A2-A3")):
        table.play(seat, action)
    at = console(table)
    at.enter("back 2")
    assert "B2-B3" in board(at)
    assert "B7-B6" not in board(at)
    at.enter("forth")
    assert "A2-A3" in board(at)


def test_a_move_typed_while_looking_back_shows_the_present_board_first(tmp_path: Path) -> None:
    table = local(tmp_path)
    for seat, action in ((1, "B2-B3"), (2, "B7-B6")):
        table.play(seat, action)
    at = console(table)
    at.enter("back")
    at.drawing.typing = "b3"
    assert not at.drawing.ways(), "a piece does not stand there any more"
    with pytest.raises(RefusedError, match=r"looking back.*present.*Enter plays it"):
        at.enter("b3 b4")
    assert "LOOKING BACK" not in board(at)
    assert len(table.plies) == 2
    assert at.drawing.ways()
    at.enter("b3 b4")
    assert table.plies[-1].action == "B3-B4"


def test_looking_back_ends_at_the_start_and_wants_a_number(tmp_path: Path) -> None:
    at = console(local(tmp_path))
    at.enter("back 99")
    assert "LOOKING BACK" not in board(at), "there is nothing before the first action"
    with pytest.raises(RefusedError, match="`back 20`"):
        at.enter("back x")


def test_line_by_line_back_shows_the_board(tmp_path: Path) -> None:
    table = local(tmp_path)
    table.play(1, "B2-B3")
    told = [text_of(line) for line in console(table, "ascii", redraws=False).enter("back")]
    assert told[0].startswith(" LOOKING BACK: after 0 of 1")


@pytest.mark.parametrize("redraws", [True, False])
def test_look_and_position_tell_of_the_earlier_position_that_is_shown(redraws: bool, tmp_path: Path) -> None:
    table = local(tmp_path)
    table.play(1, "B2-B3")
    at = console(table, "ascii", redraws=redraws)
    at.enter("back")
    earlier = [] if redraws else [" LOOKING BACK: after 0 of 1 action; `back`, `forth 1`, `forth` to the present"]
    assert list(map(text_of, at.enter("look b2"))) == [*earlier, "B2 holds Yellow's Oin, 1 disk."]
    assert list(map(text_of, at.enter("position")))[-1] == "Yellow is to move."
    at.enter("forth")
    assert list(map(text_of, at.enter("look b2"))) == ["B2 is empty."]
    assert list(map(text_of, at.enter("position")))[-1] == "Green is to move."


def test_moves_are_those_of_the_present_position_which_is_shown(tmp_path: Path) -> None:
    table, told = local(tmp_path), list[Notice]()
    for seat, action in ((1, "B2-B3"), (2, "B7-B6")):
        table.play(seat, action)
    at = console(table)
    table.listen(told.append)
    at.enter("back 2")
    assert at.enter("moves b3")
    assert told == [Note("You were looking back: the answer is about the present position.", answers=True)]
    assert "LOOKING BACK" not in board(at)


@pytest.mark.parametrize("stays", [True, False])
def test_who_resigns_and_leaves_others_playing_reads_that_the_game_is_lost_and_what_can_be_done(
    stays: bool, tmp_path: Path
) -> None:
    table, told = local(tmp_path, "qenqe", 3), list[Notice]()
    table.stays = stays
    table.listen(told.append)
    table.play(1, "resign")
    again = " When it is over, `again` plays another one." * stays
    lost = f"You have lost this game, which goes on without you: watch on, or `quit`.{again}"
    assert told[-1] == Note(lost, urgent=True)
    table.play(2, "resign")
    assert lost not in [getattr(one, "text", "") for one in told[2:]]


@pytest.mark.parametrize("key", all_games())
def test_look_alone_is_answered_with_an_example_of_the_game(key: str, tmp_path: Path) -> None:
    at = console(table := local(tmp_path, key))
    while table.turn and table.game.suits and any(one.startswith(("bid", "null")) for one in bids(table)):
        table.play(table.turn, bids(table)[-1])
    with pytest.raises(RefusedError) as refused:
        at.enter("look")
    found = re.fullmatch(r"Write `look` and a place, as in `(look \w+)`\.", str(refused.value))
    if found:
        assert "There is no" not in text_of(at.enter(found[1])[-1])
    else:
        assert str(refused.value) == "Write `look` and a place."
        assert not any(map(at.view.places.named, bids(table))), "no move names a place"


def bids(table: LocalTable) -> list[str]:
    return [*table.game.legal(table.seen_by(table.turn), table.turn)]


# Options in force.


def test_options_that_are_not_the_usual_ones_stand_above_the_board_and_in_who(tmp_path: Path) -> None:
    at = console(local(tmp_path, quen=True, turn_limit=90))
    told = " options: turn_limit 90, quen"
    assert board(at).splitlines()[0] == told
    assert f" {told}" in [text_of(line) for line in at.enter("who")]
    assert "options" not in board(at, 80, 18), "where there is no room the board comes first"


def test_an_option_that_the_program_has_chosen_against_bots_is_not_told_but_its_change_is(tmp_path: Path) -> None:
    usual = local(tmp_path / "usual", repetition=AGAINST_BOTS["repetition"])
    changed = local(tmp_path / "changed", repetition="off")
    assert "options: repetition 3" in board(console(usual)), "where no bots are known somebody has chosen it"
    usual.levels = changed.levels = {2: "casual"}
    assert "options" not in board(console(usual))
    assert "  options: repetition off" in [text_of(line) for line in console(changed).enter("who")]


# Moves that lose.


def threatened(settings: Settings = SETTINGS, *, anyway: bool = False) -> Console:
    """A Rigant would be lost, `anyway` or by some moves: found by playing until a move allows it."""
    table = FakeTable("fidchess", first=1)
    game = table.game
    for number in range(400):
        seat = table.turn
        if seat == 1:
            losses = {one: losing_reply(game, table.state, 1, one) for one in game.legal(table.state, 1)}
            bad = [one for one, loss in losses.items() if loss and loss.anyway == anyway]
            if len(bad) > 1:
                at = console(table, settings=settings)
                at.bad = bad[0]  # type: ignore[attr-defined]
                return at
        actions = game.legal(table.state, seat)
        table.act(seat, actions[(number * 7) % len(actions)])
    raise AssertionError("no such position came up")


def test_a_move_that_loses_at_once_asks_first() -> None:
    at = threatened()
    plies = len(at.session.plies)
    at.enter(at.bad)  # type: ignore[attr-defined]
    asked = at.questions.open
    assert asked is not None
    assert "can win at once with" in asked.question.text
    assert len(at.session.plies) == plies
    at.enter("yes")
    assert len(at.session.plies) == plies + 1


def test_a_move_asks_once_where_every_move_loses_at_once() -> None:
    """The question says so: another move need not be looked for, and is played unasked."""
    at = threatened(anyway=True)
    game, state, plies = at.session.game, at.session.state, len(at.session.plies)
    first, *_, last = game.legal(state, 1)
    at.enter(first)
    asked = at.questions.open
    assert asked is not None
    loss = losing_reply(game, state, 1, first)
    assert loss is not None
    told = f"Green (ben) {loss.win.told()}. Whatever else you play, Green (ben) can win as well."
    assert asked.question.text == f"Play {first}? {told}"
    at.enter("no")
    assert len(at.session.plies) == plies
    at.enter(last)
    assert at.questions.open is None
    assert len(at.session.plies) == plies + 1


def test_what_every_move_allows_to_several_players_is_told_of_another_player() -> None:
    """Found by playing at random until every move of a player allows somebody to win."""
    game = all_games()["qenqe"]
    draw, state = Random(5), game.start({"first": 1}, 5)
    while isinstance(due := game.pending(state), Turn):
        actions = game.legal(state, due.seat)
        loss = losing_reply(game, state, due.seat, actions[0]) if len(actions) > 1 else None
        if loss and loss.anyway:
            break
        state = game.apply(state, due.seat, draw.choice(actions))
    assert isinstance(due, Turn)
    assert all(losing_reply(game, state, due.seat, one) for one in actions)
    table = FakeTable("qenqe", people=(due.seat,))
    table.names, table.now = ("anna", "ben", "cleo", "dan", "eve"), state
    at = console(table)
    at.enter(actions[0])
    assert at.questions.open is not None
    assert at.questions.open.question.text.endswith(" Whatever else you play, another player can win as well.")


def test_a_move_asks_where_one_move_alone_keeps_the_game() -> None:
    """Of some ninety moves of Fidchell one alone stands in the way of Green's chain, far down the list."""
    table = FakeTable("fidchell", first=1)
    table.replay(*["3A7", "2C2", "3A6", "2C3", "3A5", "2C4", "5A7", "2C5", "5A6", "2C6", "6A7", "2C7"])
    assert losing_reply(table.game, table.state, 1, "6A6") == ((2, ("2C1",)), False)
    saving = [one for one in table.game.legal(table.state, 1) if not losing_reply(table.game, table.state, 1, one)]
    assert saving == ["2C1"]


CAPTURES_WIN = (
    "3C5 6C1 6C4 6C3 6C2 6C6 6C3 6C1 6C5 6C4 5C4 6C7 6C6 1B3 5C6 1B6 4C2 5C3 6B3 5B5 5D3 5B3 5B7 1C3 1B7 5A5 5C5 5D5"
    " 5D7 5D6 5D4 1B5 5E6 4C4 4C3 4C5 5B4 4D4 5C5 5C7 5E7 5E5 5C2"
)
"""A game of Fidchell after which Green can capture two pieces of Red, and close its chain with the turn after them."""


def test_a_move_asks_where_captures_of_one_turn_win() -> None:
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    at, plies = console(table), len(table.plies)
    at.enter("3C1")
    assert at.questions.open
    asked = "Play 3C1? Green (ben) can win in one turn with 6A5, 5E5 and 5E6."
    assert at.questions.open.question.text == asked
    assert len(table.plies) == plies
    at.enter("6A5")
    assert len(table.plies) == plies + 1


def test_nothing_is_asked_where_the_replies_are_too_many_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    monkeypatch.setattr(losing, "REPLIES_TRIED", 200)
    assert losing_reply(table.game, table.state, 1, "3C1") is None


def test_other_moves_that_are_too_many_to_look_at_are_not_said_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    at = threatened(anyway=True)
    monkeypatch.setattr(losing, "MOVES_TRIED", 0)
    at.enter(at.bad)  # type: ignore[attr-defined]
    assert at.questions.open is not None
    assert "Whatever" not in at.questions.open.question.text


def test_the_question_can_be_switched_off() -> None:
    at = threatened(SETTINGS._replace(careful=False))
    plies = len(at.session.plies)
    at.enter(at.bad)  # type: ignore[attr-defined]
    assert len(at.session.plies) == plies + 1


def king_alone(settings: Settings = SETTINGS) -> Console:
    """White's king stands alone on 2, five spaces before a red disk, and White has rolled 1 and 4."""
    table = FakeTable("kingamon", first=1, cube=True).replay("2-6", "2/8", "4/6", "roll", "3-1", "27/24", "28/27")
    white, red = bytearray(31), bytearray(31)
    white[0], white[2], white[5], white[9], red[30 - 7], red[5] = 1, 16, 1, 2, 1, 3
    table.now = table.now._replace(white=bytes(white), red=bytes(red))
    return console(table.replay("roll", "1-4"), settings=settings)


@pytest.mark.parametrize("line", ["5/9 bar/1", "5/9"])
def test_plays_that_leave_the_king_to_many_more_rolls_than_others_ask_first(line: str) -> None:
    """Also the first die alone, where with the second one nothing better is left."""
    at = king_alone()
    at.enter(line)
    assert at.questions.open
    rolls = 15 if " " in line else 14
    told = f"Red (ben) takes your king and wins with {rolls} of 36 rolls then, with none after another play."
    assert at.questions.open.question.text == f"Play {line}? {told}"
    plies = len(at.session.plies)
    at.enter("yes")
    assert len(at.session.plies) == plies + len(line.split())


@pytest.mark.parametrize("typed", [("k2/3", "k3/7"), ("k2/3 k3/7*",), ("5/9", "yes", "bar/1")])
def test_plays_that_save_the_king_or_cannot_ask_nothing(typed: tuple[str, ...]) -> None:
    at = king_alone()
    for line in typed:
        at.enter(line)
    assert at.questions.open is None
    assert at.session.turn == 2


def test_the_question_about_the_king_can_be_switched_off() -> None:
    at = king_alone(SETTINGS._replace(careful=False))
    at.enter("5/9 bar/1")
    assert at.session.turn == 2


# On the screen.


def play(table: FakeTable, script: Callable[[Window], Awaitable[None]]) -> None:
    async def run() -> None:
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await script(window)
            table.act(1, "resign")
            await shown

    asyncio.run(run())


def test_the_signs_come_while_the_place_is_typed() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types("b2")
        await window.shows("(Y1)", " B2 goes to ")
        await window.types(" b3" + ENTER)
        await window.shows("Yellow moves an Oin from B2 to B3.")
        assert "(Y1)" not in window.text

    play(FakeTable("fidchess", first=1), script)


def test_a_text_that_is_longer_than_the_window_is_read_in_parts() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types("help" + ENTER)
        await window.shows("Enter shows the board")
        await window.types(ENTER + "rules" + ENTER)
        await window.shows("AIM", ": Enter goes on")
        assert "├──" not in window.text
        await window.until(lambda: not window.text.splitlines()[0].strip())  # what is left of `help` goes
        await window.types(ENTER)
        await window.until(lambda: "AIM" not in window.text)
        await window.types(PAGE_DOWN)
        await window.types("who" + ENTER)
        await window.shows("├──────┼", "anna (you)")

    play(FakeTable("fidchess", first=1), script)


def test_a_move_typed_while_looking_back_stays_on_the_prompt() -> None:
    table = FakeTable("fidchess", first=1).replay("A2-A3", "D7-D6")

    async def script(window: Window) -> None:
        await window.types("back" + ENTER)
        await window.shows("LOOKING BACK")
        await window.types("a3-a4" + ENTER)
        await window.shows("Not played: you were looking back", "move> a3-a4")
        assert "LOOKING BACK" not in window.text
        assert len(table.plies) == 2
        await window.types(ENTER)
        await window.shows("Yellow moves an Oin from A3 to A4.")

    play(table, script)


def test_the_board_of_fidchell_stays_round_whatever_is_told_above_and_below_it() -> None:
    """In a window that it fills: what has no room beside a text is cut off above, and nothing of it moves."""
    table = FakeTable("fidchell", first=1)
    middle = "5C  ·  ∘  ·  ∘  ·  ∘  ·  K"

    async def script(window: Window) -> None:
        await window.shows("place>", "6E  1A", middle)
        for number in range(6):
            table.tell(Note(f"advice {number}", answers=True))
        await window.shows("advice 0", "advice 5", "Enter shows the whole board, Page Down its other", "4A  3E")
        assert "6E  1A" not in window.text
        await window.types(PAGE_DOWN)
        await window.shows("advice 0", "advice 5", "6E  1A", middle)
        await window.types(PAGE_UP)
        await window.shows("advice 0", "advice 5", middle, "4A  3E")
        await window.types(ENTER)
        await window.shows("6E  1A", middle)
        table.act(1, "1A7")
        table.act(2, "4A7")
        await window.types("back" + ENTER)
        await window.shows("LOOKING BACK", middle, "4A  3E")
        assert "6E  1A" not in window.text
        await window.types("more" + ENTER)
        await window.shows("LOOKING BACK", middle, "6E  1A")
        assert "4A  3E" not in window.text
        await window.types("more" + ENTER + "who" + ENTER)
        await window.shows("LOOKING BACK", "anna (you)", middle, "Enter shows the whole board")

    play(table, script)


def test_advice_stays_in_sight_where_a_line_stands_above_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as how the last round came out: the first line of the advice was scrolled away."""
    monkeypatch.setattr(at_the_end, "round_before", lambda _: ["Last round: anna made her bid."])
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("move>", "Last round")
        for number in range(4):
            table.tell(Note(f"advice {number}", answers=True))
        await window.shows("advice 0", "advice 3", "Enter shows the larger board")

    play(table, script)
