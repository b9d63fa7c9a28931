"""Messages that a high board pushes out of sight: they stand below the prompt until something is typed."""

import pytest
from at_a_board import CAPTURES_WIN
from fake_table import FakeTable, Staying
from window import CTRL_C, ENTER, F1, Window, play

from engine import CHANCE, Event
from p2p_stonehenge.screen.telling import loss
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.session import Note, Ply, Progress, Said

ADJOURNED = (
    "Green (ben) adjourns the game until another day. The game is kept: wait, or `adjourn` too: `p2p-stonehenge resume"
    " 7f3a` brings all back."
)


def below(window: Window) -> list[str]:
    """What stands between the prompt and the status line."""
    lines = window.text.splitlines()
    prompt = max(number for number, line in enumerate(lines) if line.startswith(("wait>", "place>", "resign?")))
    return [line for line in lines[prompt + 1 : -1] if line]


def test_an_urgent_message_is_read_from_its_beginning_until_something_is_typed() -> None:
    """Above the board of Fidchell there is one row in a window of 24."""
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "place>")
        table.tell(Note(ADJOURNED, urgent=True))
        await window.shows("4A  3E", "! Green (ben) adjourns the game", "brings all back.", "your turn")
        await window.types("1")
        await window.shows("6E  1A", "place> 1")
        assert below(window) == []

    play(table, script)


@pytest.mark.parametrize("urgent", [True, False])
def test_no_end_of_a_message_stands_alone_above_the_board(urgent: bool) -> None:
    """A message too long for the rows there stands below the prompt as a whole."""
    end = "brings all back."

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "place>")
        table.tell(Note(ADJOURNED, urgent=urgent))
        await window.until(lambda: len(below(window)) == 2 and end in below(window)[1])
        assert window.text.count(end) == 1

    table = FakeTable("fidchell", first=1)
    play(table, script)


def test_a_message_goes_when_it_is_not_so_any_more_and_is_shown_once_if_told_twice() -> None:
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        away = ["ben"]
        for _ in range(2):
            table.tell(Note(ADJOURNED, urgent=True, stands=lambda: bool(away)))
        await window.shows("! Green (ben) adjourns the game", "your turn")
        assert window.text.count("! Green (ben) adjourns") == 1
        away.clear()
        table.tell(Progress())
        await window.until(lambda: below(window) == [])

    play(table, script)


def test_chat_stays_until_enter_also_when_a_move_comes_behind_it() -> None:
    table = FakeTable("fidchell", first=2)

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "wait>")
        table.tell(Said("ben", "well met"))
        await window.until(lambda: window.text.startswith("ben: well met"))
        assert below(window) == [], "there is room for one row above the board"
        table.act(2, "1A7")
        await window.until(lambda: below(window) == ["ben: well met"])
        await window.types("say " + "thank you " * 12 + ENTER)
        await window.until(lambda: below(window)[:1] and below(window)[0].startswith("anna: thank you"))
        table.tell(Said("ben", "shall we? " * 12))
        await window.shows("anna: thank you", "ben: shall we?")
        await window.types(ENTER)
        await window.until(lambda: below(window) == [])

    play(table, script)


def test_that_a_piece_was_captured_is_read_though_the_turn_goes_on() -> None:
    """In the one row above the board stands what was told last: that it is the same player's turn again."""
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split(), "3C1")

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "wait>")
        table.act(2, "6A5")
        lost = ["- Green places a piece on 6A5 and captures Red's piece on 5E5."]
        await window.until(lambda: below(window) == lost)
        assert "6E  1A" in window.text, "it takes the place of the row above the board"
        table.act(2, "2E7")
        await window.until(lambda: below(window) == ["- Since your move: Green 6A5 (captures) 2E7. `last` tells more."])

    play(table, script)


def test_what_was_taken_is_told_no_more_once_it_is_taken_back() -> None:
    """It read like news: there is a piece again where it told that one was captured."""
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split(), "3C1")

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "wait>")
        table.act(2, "6A5")
        await window.until(lambda: below(window) == ["- Green places a piece on 6A5 and captures Red's piece on 5E5."])
        place = len(table.plies) - 1
        table.now = table.before[place]
        table.tell(Ply(place + 2, CHANCE, f"takeback {place}", (Event("Green's 6A5 is taken back."),)))
        await window.until(lambda: not below(window))

    play(table, script)


@pytest.mark.parametrize(
    ("key", "players", "actions", "told"),
    [
        ("fidchess", 2, "A7-A6 D2-D3 A6-A5 D3-D4 B8-A6 D4-C6 A5xC6", "an Oin from A5 to C6 and captures an Oin."),
        ("kingamon", 2, "6-5 26/20 24/19 6-5 2/8 8/13 6-1 19/13*", "and captures a disk, which goes to the bar."),
        ("qenqe", 3, "C10-D12 C21-D21 B30+A2 C12+B10 D21-D13 A2+A10 A11xA10", "removes White's Teth from the game."),
    ],
)
def test_what_was_taken_is_told_in_the_words_of_each_game(key: str, players: int, actions: str, told: str) -> None:
    """Also where a sentence does not say whose piece it was, as there is one other side."""
    table = FakeTable(key)
    table.now, table.names = table.game.start({"first": 2}, players), ("anna", "ben", "cara")[:players]
    table.replay(*actions.split())
    assert table.plies[-1].actor == 2
    assert text_of(loss(table, table.plies[-1])).endswith(told)
    assert [text_of(loss(table, ply)) for ply in table.plies[:-1]] == [""] * (len(table.plies) - 1)
    table.people = (1, 2)
    assert text_of(loss(table, table.plies[-1])) == "", "both have seen it"


def test_of_many_messages_the_newest_are_shown_whole() -> None:
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "place>")
        for number in range(9):
            table.tell(Said("ben", f"{number} {'of a long talk ' * 6}"))
        await window.until(lambda: [line[:6] for line in below(window)] == ["ben: 7", "   tal", "ben: 8", "   tal"])
        assert "5C  ·  ∘" in window.text

    play(table, script)


def test_a_question_and_a_refusal_stand_beside_a_message() -> None:
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.types("resign" + ENTER)
        await window.shows("Give the game up?")
        table.tell(Said("ben", "do not " * 20))
        await window.shows("ben: do not", "Give the game up? It is lost then. [y/N]")
        await window.types("z9" + ENTER)
        await window.shows("As to `resign`")
        table.tell(Said("ben", "I said: do not " * 10))
        await window.shows("ben: I said", "As to `resign`")
        await window.types(CTRL_C)
        await window.shows("Not done: ")

    play(table, script)


class Unheard(Staying):
    """A resumed table: nobody has the turn before the others have said what they hold."""

    turn = 0


def test_a_refusal_gives_way_to_the_end_of_the_game() -> None:
    table = Unheard("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.types("7Z9" + ENTER)
        await window.shows("It is not your turn")
        table.act(2, "resign")
        await window.shows("You won")
        assert "It is not your turn" not in window.text.rpartition(">")[2]

    play(table, script)


def test_a_long_text_hides_a_message_that_is_shown_behind_it() -> None:
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.types("rules" + ENTER)
        await window.shows("Enter goes on")
        table.tell(Said("ben", "are you reading? " * 9))
        await window.until(lambda: "are you reading?" in window.written)
        assert below(window) == []
        await window.types(CTRL_C)
        await window.until(lambda: below(window)[:1] and below(window)[0].startswith("ben: are you reading?"))
        await window.types(F1)
        await window.shows("Enter shows the board")

    play(table, script)


def test_a_message_leaves_a_low_window_its_prompt() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        window.screen.resize(8, 40)
        window.screen.reset()
        table.tell(Said("ben", "a long story " * 40))
        await window.shows("ben: a long story", "move>", "your turn")

    play(table, script)


@pytest.mark.parametrize(
    ("people", "alone", "compared", "shown"),
    [((1,), False, False, True), ((1,), True, False, False), ((), False, False, False), ((1,), False, True, False)],
)
def test_the_three_words_stand_there_where_there_are_others_to_compare_them_with_for_the_first_time(
    people: tuple[int, ...], alone: bool, compared: bool, shown: bool
) -> None:
    """They are told before the board is there, which pushes them out of sight."""
    table = FakeTable("fidchell", people=people, first=1)
    table.words, table.advises, table.compared = "apple river stone", alone, compared

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "all here")
        told = "The three words: apple river stone. Read them aloud: all must have the same."
        assert (told in window.text) == shown
        await window.types(ENTER)
        await window.until(lambda: told not in window.text)

    play(table, script)


def test_the_three_words_go_with_the_end_of_the_game() -> None:
    """As where the others resign before anything is typed here."""
    table = Staying("fidchell", first=2)
    table.words = "apple river stone"

    async def script(window: Window) -> None:
        await window.shows("wait>", "The three words: apple river stone.")
        table.act(2, "resign")
        await window.shows(" You won by resignation.", "the game is over")
        await window.until(lambda: "The three words" not in window.text)

    play(table, script)


def test_that_a_question_was_let_go_is_read_until_something_is_typed() -> None:
    """Printed, it stood above `You have left the table.` after a later yes to the same question."""
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("FIDCHESS", "move>")
        await window.types("quit" + ENTER)
        await window.shows("[y/N]")
        await window.types("n" + ENTER)
        await window.shows(" Not done: `quit`.")
        await window.types("q")
        await window.until(lambda: "Not done: " not in window.text)
        await window.types("uit" + ENTER)
        await window.shows("[y/N]")
        await window.types("log" + ENTER)
        await window.shows(" Not done: `quit`.")
        await window.types("quit" + ENTER)
        await window.shows("[y/N]")
        await window.types("y" + ENTER)
        await window.shows("You have left the table.")

    assert "Not done: " not in play(table, script).text
