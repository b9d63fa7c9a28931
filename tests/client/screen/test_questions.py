"""What is asked first: everything that costs a player something or cannot be taken back, and how a question ends."""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fake_table import FakeTable
from local_tables import table_of, whist_table
from net_tables import NAMES, Room

from engine import all_games
from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.screen.asking import LEAVES
from p2p_stonehenge.screen.commands import COMMANDS, commands_at
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, Notice, RefusedError, Said, Session
from protocol.events import Head


def sitting(table: Session) -> Console:
    return Console(table, Settings(), "ascii", redraws=False)


def typed(console: Console, line: str) -> str:
    return "\n".join(text_of(part) for part in console.enter(line))


def refused(console: Console, line: str) -> str:
    with pytest.raises(RefusedError) as caught:
        console.enter(line)
    return str(caught.value)


def offered() -> FakeTable:
    """Anna is offered the doubled stake."""
    table = FakeTable("kingamon", first=1, cube=True).replay("6-5", "3/9", "3/8")
    table.act(2, "double")
    return table


ROOT = Path(__file__).resolve().parents[3]
LOCAL = ("draw", "resign", "adjourn", "quit")


@pytest.mark.parametrize("command", LOCAL)
def test_nothing_is_done_before_a_yes(command: str) -> None:
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    assert typed(console, command).endswith(" [y/N]")
    assert console.prompt() == f"{command}? [y/N]> "
    assert (table.draws, table.result, console.leaving) == (set(), None, False)
    console.enter("y")
    assert (table.draws, table.result, console.leaving) != (set(), None, False)


def test_to_show_the_cards_lets_a_question_go_which_is_told_where_the_board_is_redrawn() -> None:
    console = Console(FakeTable("fidchess", first=1), Settings(), "ascii")
    console.enter("quit")
    console.enter("hand")
    assert (console.questions.open, console.deciding.let_go) == (None, "Not done: `quit`.")


@pytest.mark.parametrize("command", LOCAL)
@pytest.mark.parametrize("answer", ["n", "no", "N", "", "  ", "who", "say wait", "a2 a3"])
def test_whatever_is_not_a_yes_lets_the_question_go(command: str, answer: str) -> None:
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    console.enter(command)
    assert f"Not done: `{command}`." in typed(console, answer)
    assert (table.draws, table.result, console.leaving) == (set(), None, False)
    assert refused(console, "yes") == "Nothing is asked of you now: `help` lists what you can type."
    assert [ply.action for ply in table.plies] == (["A2-A3"] if answer == "a2 a3" else [])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("yep", "yep is no answer: type `yes` to do it, `no` or Enter to let it go."),
        ("Sure", "Sure is no answer: type `yes`"),
        ("hlep", "There is no command hlep: did you mean `help`? As to `resign`: type `yes` to do it, `no`"),
        ("a2 a9", "As to `resign`: type `yes` to do it, `no` or Enter to let it go."),
    ],
)
def test_a_typo_at_a_question_is_told_what_can_be_answered_and_the_question_stays(answer: str, told: str) -> None:
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    console.enter("resign")
    assert told in refused(console, answer)
    assert console.prompt() == "resign? [y/N]> "
    console.enter("yes")
    assert table.result


@pytest.mark.parametrize("line", ["rules nothing", "why who", "without zoe", "log x", "takeback", "a2 a9"])
def test_a_line_that_is_refused_leaves_the_question_open(line: str) -> None:
    """Whether it is refused as it is read, or as it is obeyed: no question goes without a word."""
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    console.enter("resign")
    told = refused(console, line)
    assert told.endswith(" As to `resign`: type `yes` to do it, `no` or Enter to let it go.")
    console.enter("yes")
    assert table.result


def test_a_question_that_another_one_takes_the_place_of_is_told_where_the_board_is_redrawn() -> None:
    console = Console(FakeTable("fidchess", first=1), Settings(), "ascii")
    console.enter("quit")
    assert [text_of(line) for line in console.enter("resign")] == ["- Not done: `quit`."]
    assert console.prompt() == "resign? [y/N]> "
    console.enter("no")
    assert console.deciding.let_go == "Not done: `resign`."


def test_a_command_that_is_typed_again_is_asked_again() -> None:
    console = sitting(FakeTable("fidchess", first=1))
    asked = typed(console, "quit")
    assert typed(console, "quit") == asked
    assert typed(console, "resign").startswith("- Not done: `quit`.\nGive the game up?")
    assert console.prompt() == "resign? [y/N]> "


@pytest.mark.parametrize("word", ["hello", "Hi", "thanks", "gg"])
@pytest.mark.parametrize("key", list(all_games()))
def test_a_greeting_at_the_own_turn_is_shown_how_to_be_said(key: str, word: str) -> None:
    console = sitting(FakeTable(key, first=1))
    if console.seat:
        assert (
            refused(console, word) == f"There is no command {word.lower()}: `say {word.lower()}` says it to the table."
        )


def test_a_greeting_is_shown_how_to_be_said_also_where_words_are_played() -> None:
    console = sitting(FakeTable("kingamon", people=(2,), first=1, cube=True).replay("6-5", "3/9", "3/8"))
    assert refused(console, "hello") == "There is no command hello: `say hello` says it to the table."


@pytest.mark.parametrize("key", list(all_games()))
def test_a_greeting_is_no_short_form_of_a_command(key: str) -> None:
    """Where there is advice `hi` asks for none."""
    table = FakeTable(key, first=1)
    table.advises = True
    assert refused(sitting(table), "hi").endswith("There is no command hi: `say hi` says it to the table.")


@pytest.mark.parametrize("key", list(all_games()))
def test_a_command_of_card_games_is_offered_only_there(key: str) -> None:
    table = FakeTable(key, first=1)
    offered = "hand" in [choice.text for choice in sitting(table).choices("han")]
    assert offered == bool(table.game.suits) == (key == "celtic-whist")


@pytest.mark.parametrize("key", list(all_games()))
def test_an_unknown_word_out_of_turn_is_told_apart_and_the_word_that_was_meant_is_named(key: str) -> None:
    table = FakeTable(key, people=(2,), first=1)
    console = sitting(table)
    assert refused(console, "chat").endswith("There is no command chat: did you mean `say`?")
    assert refused(console, "hello").endswith("There is no command hello: `say hello` says it to the table.")
    told = refused(console, "hlep")
    assert told.startswith("Not your turn: ")
    assert told.endswith(" There is no command hlep: did you mean `help`?")
    assert refused(console, "resgin now").endswith("did you mean `resign`?")
    assert refused(console, "zebra").endswith("There is no command zebra: `help` lists them.")


@pytest.mark.parametrize(
    ("key", "move"),
    [
        ("fidchess", "a2 a3"),
        ("kingamon", "roll"),
        ("kingamon", "bar/3"),
        ("kingamon", "take"),
        ("celtic-whist", "null 3"),
        ("fidchell", "5d4"),
    ],
)
def test_a_move_that_comes_too_early_is_no_unknown_word(key: str, move: str) -> None:
    told = refused(sitting(FakeTable(key, people=(2,), first=1)), move)
    assert told.startswith("Not your turn: ")
    assert "no command" not in told


def test_a_misspelt_command_at_the_own_turn_is_no_lesson_in_notation() -> None:
    console = sitting(FakeTable("fidchess", first=1))
    assert refused(console, "resgin") == "There is no command resgin: did you mean `resign`?"
    assert "a move is written" in refused(console, "zebra")


def test_the_three_words_can_be_asked_for_at_any_time(tmp_path: Path) -> None:
    room = Room(tmp_path)
    words = room.tables[1].words
    assert len(words.split()) == 3
    assert typed(room.consoles[1], "words") == f"The three words: {words}. Read them aloud: all must have the same."
    assert typed(room.consoles[2], "words") == typed(room.consoles[1], "words")
    assert words in typed(room.consoles[3], "who")
    assert "  words " in typed(room.consoles[1], "help")
    alone = sitting(FakeTable("fidchess", first=1))
    assert "no words to compare" in refused(alone, "words")
    assert "  words " not in typed(alone, "help")


@pytest.mark.parametrize("command", [name for name, command in COMMANDS.items() if command.asks])
def test_no_abbreviation_reaches_what_is_asked_first(command: str) -> None:
    for length in range(1, len(command)):
        for line in (command[:length], f"/{command[:length]}"):
            if line.strip("/") in LEAVES:  # another name of `quit`, written whole
                continue
            table = FakeTable("fidchess", first=1)
            console = sitting(table)
            try:
                console.enter(line)
            except RefusedError as refusal:
                told = str(refusal)
                known = command in commands_at(table)
                assert "in full" in told or "could mean" in told or "not a move" in told or not known, told
                assert "could mean" not in told or f" {command}" not in told
            assert not console.questions.open
            assert (table.draws, table.result, console.leaving) == (set(), None, False)


@pytest.mark.parametrize("answer", ["y", "yes", "n", "no"])
def test_an_answer_is_nothing_else_when_nothing_is_asked(answer: str) -> None:
    for key in ("fidchess", "kingamon", "fidchell", "celtic-whist", "qenqe"):
        assert (
            refused(sitting(FakeTable(key, first=1)), answer)
            == "Nothing is asked of you now: `help` lists what you can type."
        )


def test_dropping_the_cube_asks_first_and_taking_it_does_not() -> None:
    table = offered()
    console = sitting(table)
    assert refused(console, "dr").startswith("Write `draw` or `drop` in full")
    assert refused(console, "ok") == "There is no command ok: type take or drop; `help` lists what else you can."
    assert typed(console, "drop") == "Drop? That loses the game: 1 point for Red (ben). [y/N]"
    assert table.result is None
    console.enter("take")
    assert table.plies[-1].action == "take"
    table = offered()
    console = sitting(table)
    console.enter("drop")
    console.enter("yes")
    assert table.result is not None


@pytest.mark.parametrize("line", ["t", "ta", "tak", "d", "dro"])
def test_no_answer_to_a_double_has_a_short_form(line: str) -> None:
    """`t` took at once where `d` wanted the whole word: each of the two costs points."""
    table = offered()
    assert " in full: what binds you has no short form." in refused(sitting(table), line)
    assert table.plies[-1].action == "double"


@pytest.mark.parametrize("answer", ["y", "yes", "n", "no"])
def test_an_answer_where_the_game_asks_names_the_words_to_type(answer: str) -> None:
    assert refused(sitting(offered()), answer) == f"`{answer}` is no answer here: type take or drop."
    choosing = sitting(FakeTable("kingamon", people=(2,), first=1, cube=True).replay("6-5", "3/9", "3/8"))
    assert refused(choosing, answer) == f"`{answer}` is no answer here: type roll or double."


def test_an_answer_where_both_the_game_and_another_player_ask_names_all_that_can_be_typed() -> None:
    table = offered()
    table.wish_draw(2)
    told = refused(sitting(table), "yes")
    assert told.startswith("`yes` is no answer here: type take or drop. `draw` accepts the offer of a draw; or play on")


def test_a_move_that_loses_nothing_is_not_asked_about() -> None:
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    assert typed(console, "a2-a3") == ""
    assert len(table.plies) == 1


def test_news_leave_a_question_as_it_is() -> None:
    """Chat, notes, the other's move and losing the turn: it can be answered afterwards, and means the same."""
    table = FakeTable("fidchess", first=1)
    console = sitting(table)

    def hear(notice: Notice) -> None:
        console.hear(notice)

    table.listen(hear)
    console.enter("resign")
    table.tell(Said("ben", "a good game"))
    table.tell(Note("ben is back", urgent=True))
    table.act(1, "A2-A3")
    table.act(2, "A7-A6")
    assert console.prompt() == "resign? [y/N]> "
    console.enter("yes")
    assert table.plies[-1].action == "resign"


def test_a_draw_that_is_no_longer_offered_is_not_agreed_to() -> None:
    table = FakeTable("fidchess", first=1)
    console = sitting(table)
    heard: list[str] = []
    table.listen(lambda notice: heard.extend(map(text_of, console.hear(notice))))
    table.wish_draw(2)
    assert typed(console, "draw") == "Agree to the draw that Green (ben) offers? [y/N]"
    table.wish_draw(2, wish=False)
    assert heard[-1] == "- `draw` is not asked any more. Nobody offers a draw now."
    assert refused(console, "yes") == (
        "Nothing is asked of you now: `draw` is not asked any more. Nobody offers a draw now."
    )
    typed(console, "who")
    assert refused(console, "yes") == "Nothing is asked of you now: `help` lists what you can type."
    assert table.draws == set()


def test_a_question_about_a_move_lapses_when_the_turn_is_over() -> None:
    table = offered()
    console = sitting(table)
    console.enter("drop")
    table.act(1, "take")
    assert [text_of(line) for line in console.lapse()] == ["- `drop` is not asked any more. The table has moved on."]
    assert not console.questions.open


def test_a_question_outlives_what_cannot_be_read() -> None:
    console = sitting(FakeTable("fidchess", first=1))
    console.enter("resign")
    assert "no answer" in refused(console, "yse")
    assert console.prompt() == "resign? [y/N]> "


def test_tab_offers_the_answers_at_a_question() -> None:
    console = sitting(FakeTable("fidchess", first=1))
    console.enter("resign")
    assert [choice.text for choice in console.choices("")] == ["yes", "no"]


def test_what_means_nothing_here_is_not_offered() -> None:
    """`newest` where nobody has to be heard, `without` where all play here, `draw` where there is none."""
    alone = sitting(FakeTable("celtic-whist"))
    for command in ("newest", "without", "agree", "draw"):
        assert command not in [choice.text for choice in alone.choices(command)]
        assert f"  {command}" not in typed(alone, "help")


def test_what_means_something_among_peers_is_offered(tmp_path: Path) -> None:
    two, three = Room(tmp_path / "two", names=NAMES[:2]), Room(tmp_path / "three")
    told = {2: "\n".join(two.type(1, "help")), 3: "\n".join(three.type(1, "help"))}
    offered = {at: [name for name in ("without", "agree", "newest") if f"  {name}" in told[at]] for at in told}
    assert offered == {2: [], 3: ["without"]}, "of two nobody can go on without the other"
    two.leave(1)
    two.leave(2)
    two.come_back(1)
    assert "  newest" in "\n".join(two.type(1, "help"))
    first, *more = two.type(1, "help newest")
    assert first == "  newest           go on before the others are back (asks first; `help newest`)"
    assert "On the computer on which you have always played, the saved game is the newest one" in " ".join(
        map(str.strip, more)
    )
    assert refused(two.console(1), "help sing") == "There is no command sing: `help` lists them."
    first, *more = two.type(1, "help no")
    assert first == "  no               answers what is asked: it is let go; `n` and Enter too"
    assert "`no` says to the table that you decline" in " ".join(map(str.strip, more))
    first, *more = two.type(1, "help yes")
    assert first == "  yes              answers what is asked: it is done; `y` too"
    assert "not by `yes`" in " ".join(map(str.strip, more))
    asked = two.type(1, "newest")[0]
    assert "Yours is the newest copy of this game if you have always played it on this computer; a backup" in asked
    assert asked.endswith("Is yours the newest? [y/N]")


def test_newest_is_offered_where_what_own_moves_rest_on_is_lost(tmp_path: Path) -> None:
    room = Room(tmp_path, names=NAMES[:2])
    for _ in range(2):
        room.play()
    held = room.tables[1].table.held
    last, lengths = held.chains[0][-1], [len(chain) for chain in held.chains]
    lost = last._replace(number=lengths[0] + 1, heads=tuple(Head(length + 1, b"") for length in lengths))
    held.waiting[1, lost.number] = lost
    room.wait(1)
    assert "  newest" in "\n".join(room.type(1, "help"))
    asked = room.type(1, "newest")[0]
    assert "Nobody here has what you did next. Yours is the newest copy of this game if" in asked
    assert "Is yours the newest? [y/N]" in asked
    room.agree_to(1, "newest")
    room.carry()
    assert not held.waiting
    assert "  newest" not in "\n".join(room.type(1, "help"))


def test_each_command_that_is_asked_about_says_so() -> None:
    assert all(("asks first" in command.meaning) == command.asks for command in COMMANDS.values())


def test_the_manual_lists_what_asks_first_and_that_leaving_asks_only_while_a_game_goes_on() -> None:
    manual = (ROOT / "docs" / "manual.md").read_text("utf-8")
    (told,) = re.findall(r"^## Questions$(.*?)Only `y`", manual, re.DOTALL | re.MULTILINE)
    assert {*re.findall("`([a-z]+)`", told)} == {name for name, command in COMMANDS.items() if command.asks}
    assert "while you play a game that is not over, `quit` and `adjourn`" in " ".join(told.split())
    for command in ("quit", "adjourn"):
        console = sitting(FakeTable("fidchess", first=1).replay("resign"))
        assert typed(console, command) == ""
        assert console.leaving


def test_a_draw_that_a_bot_would_agree_to_says_so_before_it_is_offered(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchess")
    console = Console(table, Settings(), "ascii", redraws=False)
    table.begin()
    table.bot_agrees = lambda _seat: True
    assert typed(console, "draw") == "Offer a draw? Green (bot 2) would agree. [y/N]"
    console.enter("y")
    assert table.result is not None


def test_a_draw_against_a_bot_asks_and_tells_the_answer_as_the_bots(tmp_path: Path) -> None:
    """At move 1 it ended the game, unasked."""
    table = table_of(tmp_path, "fidchess")
    console = Console(table, Settings(), "ascii", redraws=False)
    heard: list[str] = []

    async def evening() -> None:
        table.begin()
        Bots(table, [2], 1, Random(1))
        table.listen(lambda notice: heard.extend(map(text_of, console.hear(notice))))
        assert "in full" in refused(console, "dr")
        assert typed(console, "draw") == "Offer a draw? [y/N]"
        console.enter("y")

    asyncio.run(evening())
    assert table.result is None
    assert heard == ["- Yellow (anna 1) offers a draw.", "- Green (bot 2) declines the draw and plays on."]


def test_cards_are_not_turned_round_and_nothing_says_they_were() -> None:
    console = sitting(FakeTable("celtic-whist", first=1))
    assert refused(console, "flip") == "There is no board here that could be turned round."
    assert "flip" not in typed(console, "help")
    assert "flip" in typed(sitting(FakeTable("fidchess", first=1)), "help")


def test_a_bid_written_with_its_first_letter_is_told_how_to_bid(tmp_path: Path) -> None:
    """It could mean `back` or `board`, it said."""
    console = sitting(whist_table(tmp_path, 2, (1, 2), first=1))
    null = "null 1 to null 15: the points that you win with no trick and lose with any"
    told = f"There is no card B4: 4 is yellow, Y4; type `bid 1` to `bid 15`, or {null}."
    assert refused(console, "b 4") == told
    assert refused(console, "b 2") == "First everybody bids: type `bid 3`, or `null 2` for no trick; B2 is a card."
    assert refused(console, "b") == "b could mean back or board."


def test_a_place_typed_the_wrong_way_round_is_understood() -> None:
    console = sitting(FakeTable("qenqe", first=1))
    assert refused(console, "moves 1C") == "No move begins with 1C: did you mean C1?"
    assert refused(console, "moves 29C") == "No move begins with 29C. There is no space 29C: spaces are A1 to D30."
    assert refused(console, "moves a1") == "No move begins with a1. A1 holds White's Rigant."
    assert refused(console, "moves a1-a9") == "No move begins with a1-a9."


def test_a_word_of_the_game_wins_over_a_command_that_begins_like_it() -> None:
    """`r` could mean `rules` or `roll`, it said to who was asked to roll or double."""
    table = FakeTable("kingamon", people=(2,), first=1, cube=True).replay("6-5", "3/9", "3/8")
    console = sitting(table)
    assert "BYZANTINE KINGAMON" in typed(console, "rules")
    console.enter("r")
    assert table.plies[-1].action == "roll"


@pytest.mark.parametrize("asks", ["hint", "why"])
def test_an_adviser_knows_which_positions_have_been_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """As bots do at a table: else a hint of a quiet position takes back the move that it praised before."""
    table = table_of(tmp_path, "fidchess")
    console = Console(table, Settings(), "ascii", redraws=False)
    asked: list[Any] = []

    def told(_game: object, state: Any, *_: object) -> list[str]:
        asked.append(state)
        return ["told"]

    monkeypatch.setattr("p2p_stonehenge.bots.advice.hint", told)
    monkeypatch.setattr("p2p_stonehenge.bots.advice.why", told)

    async def evening() -> None:
        table.begin()
        for _ in range(2):
            table.play(table.turn, table.game.legal(table.state, table.turn)[0])
        console.enter(asks)
        await console._advising.answered()

    asyncio.run(evening())
    (state,) = asked
    assert len(state.history) >= 2
    assert not table.state.history
