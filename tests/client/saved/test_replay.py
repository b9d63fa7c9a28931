"""`replay`: by arrows on a real screen, by typed words line by line, printed whole in a pipe."""

import gc
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from looking_back import VARIANTS, played_alone, played_together, saved

from engine import PUBLIC, OptionValue
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import reading
from p2p_stonehenge.saved import prove
from p2p_stonehenge.screen.playback import COMMANDS, Playback
from p2p_stonehenge.screen.replaying import plain
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.notes import Notes
from p2p_stonehenge.table.session import RefusedError
from protocol import TranscriptError


def playback(file: bytes, ply: int = 0, path: Path | None = None) -> Playback:
    one = saved(file)
    notes = Notes(path or Path("/nowhere/game.stonehenge"), one.table.id)
    return Playback(one, prove(one), ply, "ascii", notes)


@pytest.fixture
def dice() -> Playback:
    return playback(played_together("kingamon", 2, (), 40))


@pytest.fixture
def cards() -> Playback:
    return playback(played_together("celtic-whist", 2, (), 50))


def board(one: Playback) -> str:
    return "\n".join(text_of(line) for line in one.board(80, 21))


# What can be typed


def test_the_name_of_a_file_that_is_noted_in_sends_nothing_to_the_terminal(tmp_path: Path) -> None:
    file = played_together("kingamon", 2, (), 4)
    for folder in (tmp_path, tmp_path / "missing"):
        one = playback(file, path=folder / "\x1b]0;title\x07\u202e.stonehenge")
        try:
            told = one.enter("note a good move")
        except RefusedError as refusal:
            told = [str(refusal)]
        assert told
        assert all(line.isprintable() for line in told)


def test_words_and_numbers_lead_through_the_game(dice: Playback) -> None:
    forward = (("forth", 1), ("", 2), ("next", 3), ("forth 4", 7))
    for typed, ply in (*forward, ("back", 6), ("bac 2", 4), ("goto 9", 9), ("12", 12)):
        dice.enter(typed)
        assert dice.ply == ply, typed
    dice.enter("end")
    assert dice.ply == len(dice.saved)
    dice.enter("next")
    assert dice.ply == len(dice.saved)
    dice.enter("START")
    assert dice.ply == 0
    dice.enter("turn")
    actors = {step.actor for step in dice.saved.steps[: dice.ply]} - {0}
    assert len(actors) == 1
    assert dice.saved.steps[dice.ply].actor not in actors


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("goto 999", "There is no action 999: the game has"),
        ("goto", "That takes a number"),
        ("next x", "That takes a number"),
        ("bakc", "did you mean `back`?"),
        ("\x1b[2J zz", "`help` lists"),
        ("seat nobody", "`seat` takes anna, ben"),
        ("seat 3", "`seat` takes"),
        ("play 0", "0.1 to 60"),
        ("play nan", "0.1 to 60"),
    ],
)
def test_what_cannot_be_done_says_what_can(dice: Playback, typed: str, told: str) -> None:
    with pytest.raises(RefusedError) as refused:
        dice.enter(typed)
    assert told in str(refused.value)
    assert "\x1b" not in str(refused.value)
    assert dice.ply == 0


def test_every_word_does_something_and_is_in_the_help(dice: Playback) -> None:
    told = "\n".join(dice.enter("help"))
    assert "played" not in told, "no cards are played"
    for word in COMMANDS.keys() - {"played"}:
        assert word in told
        if word != "note":
            dice.enter({"goto": "goto 3", "seat": "seat 1"}.get(word, word))
    assert dice.leaving


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_every_position_fits_a_small_window(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    one = playback(played_alone(key, seats, tuple(options.items())))
    for ply in range(0, len(one.saved) + 1, 11):
        one.go(ply)
        for width, height in ((80, 18), (40, 12)):
            assert all(len(text_of(line)) <= width for line in one.board(width, height))
        assert one.told()


# What it shows


def test_a_roll_is_shown_as_what_it_is(dice: Playback) -> None:
    roll = next(step for step in dice.saved.steps if step.kind == "roll")
    dice.go(roll.number)
    assert "Rolled by all: anna's part " in dice.how()
    assert f"which gives {roll.action}" in dice.how()
    told = "\n".join(dice.enter("how"))
    proof = prove(dice.saved).evidence.rolls
    hash = next(one.hash for one in proof if one.ply == roll.number)
    assert hash.hex() in told


def test_a_deal_and_a_card_are_shown_as_what_they_are(cards: Playback) -> None:
    steps = cards.saved.steps
    cards.go(next(step.number for step in steps if step.kind == "deal"))
    assert cards.how() == "Shuffled by anna and ben, each with a proof; 30 shares of cards, each proven."
    cards.go(next(step.number for step in steps if step.kind == "move" and " " not in step.action))
    assert "proven to be the one dealt" in cards.how()
    cards.go(next(step.number for step in steps if step.action.startswith("bid")))
    assert cards.how() == ""


def test_a_game_at_one_computer_says_that_nothing_is_proven() -> None:
    one = playback(played_alone("kingamon", 2))
    one.go(1)
    assert "not proven" in one.how()


def test_hands_are_seen_from_the_seat_chosen(cards: Playback) -> None:
    cards.go(next(step.number for step in cards.saved.steps if step.kind == "deal"))
    cards.enter("seat anna")
    assert cards.state.hands[0]
    assert not cards.state.hands[1]
    assert "YOUR HAND" in board(cards)
    cards.enter("seat public")
    assert cards.state == cards.saved.position(cards.ply, PUBLIC)
    assert "The hands are covered. `seat NAME` shows one, `seat all` all." in board(cards)


def test_the_cards_played_are_told_as_the_seat_chosen_knows_them(cards: Playback) -> None:
    cards.go(next(step.number for step in cards.saved.steps if step.kind == "deal") + 4)
    told = cards.enter("played")
    assert told[0].endswith("; cards played: 2 of 31.")
    assert told[-1] == "Not played: 29 cards, 28 in the hands, 1 face down."
    cards.enter("seat anna")
    assert cards.enter("played")[-1] == "Not seen: 15 cards, 14 in other hands, 1 face down."
    assert "  which cards of the round are played" in "\n".join(cards.enter("help"))


def test_a_hand_that_was_given_up_is_not_said_to_be_covered() -> None:
    """Nothing that could be typed would show it."""
    one = playback(played_together("celtic-whist", 3, (), 12))
    one.go(len(one.saved) - 2)
    one.enter("seat ben")
    assert "ben never showed all of this hand. `seat all` shows what is known." in board(one)
    assert "covered" not in board(one)
    one.enter("seat all")
    assert "closed: not played" in board(one)


def hands_of(one: Playback, lines: Sequence[str]) -> dict[str, set[str]]:
    """Return the cards that stand beside each name below `ALL HANDS`."""
    found: dict[str, set[str]] = {}
    for line in lines[[line.split()[:2] for line in lines].index(["ALL", "HANDS"]) + 1 :]:
        name, colon, cards = line.partition(":")
        cards = cards if colon else line
        seat = name.strip() if colon else [*found][-1]
        found.setdefault(seat, set()).update(re.findall(r"T?[WBGYRK][0-9]*'?", cards))
    return found


@pytest.mark.parametrize("seats", [2, 3, pytest.param(5, marks=pytest.mark.slow)])
def test_all_hands_that_later_play_has_opened_are_seen_at_once(seats: int) -> None:
    one = playback(played_together("celtic-whist", seats, (), 70))
    deal = next(step.number for step in one.saved.steps if step.kind == "deal")
    one.go(deal + seats)  # all have bid
    assert one.enter("seat all") == ["Seen: all hands."]
    played: dict[str, set[str]] = {name: set() for name in one.saved.names}
    for step in one.saved.steps[deal + seats :]:
        if step.kind == "deal":
            break
        if step.kind == "move" and not step.action.startswith("bid"):
            played[step.name].add(step.action)
    lines = board(one).splitlines()
    assert len(lines) <= 18, "so many rows a window of 80x24 leaves to the board"
    assert hands_of(one, lines) == played
    assert hands_of(one, typed(one, "board")) == played
    assert all(played.values())
    told = one.enter("position")
    assert all(any(line.startswith(f"{name}'s hand: ") for line in told) for name in one.saved.names)


def test_no_card_is_marked_as_lawful_in_a_hand_that_is_known_in_part() -> None:
    """Which cards its player had besides is not known, and so not which had to be played."""
    one = playback(played_together("celtic-whist", 3, (), 14))
    for ply in range(len(one.saved) + 1):
        one.go(ply)
        assert not [line for line in board(one).splitlines() if "closed" in line and "[" in line]


# The action that decided it


def test_the_deciding_action_is_found_where_the_winner_was_never_behind_again(dice: Playback) -> None:
    game, saved_game = dice.saved.game, dice.saved
    (winner,) = saved_game.result.winners  # type: ignore[union-attr]
    told = dice.enter("decisive")
    place = dice.ply
    assert place > 0
    assert game.worth(saved_game.position(place - 1), winner) <= 0
    assert all(game.worth(saved_game.position(ply), winner) > 0 for ply in range(place, len(saved_game) + 1))
    assert saved_game.names[winner - 1] in told[0]
    assert any(line.startswith(f"{place}. ") for line in typed(dice, "start", "decisive"))


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (played_alone("kingamon", 2, (), 5), "the game is not finished"),
        (played_alone("fidchess", 2, (("turn_limit", "60"),)), "nobody has won"),
    ],
    ids=["unfinished", "drawn"],
)
def test_a_game_that_nobody_has_won_has_no_deciding_action(file: bytes, why: str) -> None:
    one = playback(file)
    with pytest.raises(RefusedError, match=f"No action has decided this game: {why}"):
        one.enter("decisive")
    assert one.ply == 0


# Line by line


def typed(one: Playback, *words: str) -> list[str]:
    lines: list[str] = []
    waiting = iter(words)

    def ask() -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    plain(one, ask, lines.append)
    return lines


def test_typed_words_tell_the_game_in_sentences(dice: Playback) -> None:
    steps = dice.saved.steps
    told = typed(dice, "", "", "position", "board", "nonsense", "goto 5", "play", "quit", "next")
    assert told[0].startswith("The start of Byzantine Kingamon, anna and ben.")
    assert f"1. {steps[0].told}" in told
    assert f"2. {steps[1].told}" in told
    assert f"5. {steps[4].told}" in told
    assert any(line.startswith("White: ") for line in told)
    assert any("BAR" in line for line in told)
    assert any(line.startswith("Not possible: There is no 'nonsense'") for line in told)
    assert not any(line.startswith("6. ") for line in told)


def test_in_a_pipe_the_whole_game_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(played_together("kingamon", 2, (), 40))
    assert main(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.rstrip().endswith("anna won by resignation.")
    assert all(f"{number:4}. " in out for number in range(1, len(saved(path.read_bytes())) + 1))
    assert main(["replay", str(path), "--at", "3"]) == 0
    assert "   4. " not in capsys.readouterr().out
    assert main(["replay", str(path), "--at", "999"]) == 2


# On a real terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Any]:
    if sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals on Windows")
    from real_terminal import RealTerminal

    path = tmp_path / "game.stonehenge"
    opened = []

    def open_(
        *words: str, file: bytes = played_together("kingamon", 2, (), 40), environ: Mapping[str, str] = {}
    ) -> RealTerminal:
        path.write_bytes(file)
        command = [sys.executable, "-m", "p2p_stonehenge", "replay", str(path), *words]
        opened.append(RealTerminal(command, 80, 24, **environ))
        return opened[-1]

    yield open_
    for one in opened:
        one.close()


def test_typed_words_are_answered_in_lines_that_break_between_words(terminal: Any) -> None:
    one = terminal("--plain")
    one.shows("go>")
    one.types("\r")
    one.shows("Rolled by all: anna's part", "which gives")
    one.types("board\r")
    one.until(lambda: one.text.count("go>") == 3)
    assert all(len(line) < 80 for line in one.text.splitlines())
    assert " ".join(one.text.split()).count("each fixed before any was shown; together ") == 1


def test_arrows_home_end_and_autoplay_move_the_board_on_the_screen(terminal: Any) -> None:
    steps = saved(played_together("kingamon", 2, (), 40)).steps
    one = terminal("--at", "4")
    one.until(lambda: f"4. {steps[3].told}" in one.text and "action 4 of" in one.text)
    one.types("\x1b[C")
    one.until(lambda: f"5. {steps[4].told}" in one.text)
    one.types("\x1b[D\x1b[D")
    one.until(lambda: f"3. {steps[2].told}" in one.text)
    one.types("\x1b[F")
    one.until(lambda: "anna won by resignation." in one.text)
    one.types("\x1b[17~")  # F6
    one.until(lambda: "anna stayed ahead to the end" in one.text or "decided it" in one.text)
    one.types("\x1b[H")
    one.until(lambda: "The start of Byzantine Kingamon" in one.text)
    one.types("play 0.1\r")
    one.until(lambda: "action 6 of" in one.text and "Esc stops" in one.text)
    one.types("stop\r")
    one.until(lambda: "plays" not in one.text.splitlines()[-1].split("Left")[0])
    one.types("goto 999\r")
    one.until(lambda: "There is no action 999" in one.text and "go> goto 999" in one.text)
    one.types("seat anna\r")
    one.until(lambda: "Seen from anna's seat." in one.text and "KINGAMON" in one.text and "Esc clears" in one.text)
    one.types("\x1b")
    one.until(lambda: "Seen from" not in one.text and "KINGAMON" in one.text and "Esc leaves" in one.text)
    one.types("abc")
    one.until(lambda: "go> abc" in one.text and "Esc clears" in one.text)
    one.types("\x1b")
    one.until(lambda: "go> abc" not in one.text and "KINGAMON" in one.text and "Esc leaves" in one.text)
    one.types("help\r")
    one.until(lambda: "to the position after N actions" in one.text and "Enter goes on" in one.text)
    assert "Esc shows the board" in one.text
    assert f"without TEXT\n{' ' * 10}forget it" in one.text, "what goes on hangs below its text"
    one.types("\r")
    one.until(lambda: "leave; Escape or Ctrl-D" in one.text and "Enter goes on" not in one.text)
    one.types("\r")
    one.until(lambda: "KINGAMON" in one.text)
    one.types("quit\r")
    assert one.ends() == 0


def test_a_refused_line_is_dropped_by_ctrl_u_and_left_by_ctrl_d(terminal: Any) -> None:
    """And Escape takes no letter that is typed soon after it for one typed with Alt."""
    one = terminal("--at", "4")
    one.until(lambda: "action 4 of" in one.text)
    one.types("goto 999\r")
    one.until(lambda: "There is no action 999" in one.text and "go> goto 999" in one.text)
    one.types("\x15")
    one.until(lambda: "There is no action 999" not in one.text and "go> goto" not in one.text)
    one.types("abc")
    one.until(lambda: "go> abc" in one.text)
    one.types("\x1bback 3\r")
    one.until(lambda: "action 1 of" in one.text)
    one.types("goto 999\r")
    one.until(lambda: "There is no action 999" in one.text and "go> goto 999" in one.text)
    one.types("\x04")
    assert one.ends() == 0


def test_the_board_is_shown_from_the_side_of_who_played_there(terminal: Any, tmp_path: Path) -> None:
    home = Home.open(str(tmp_path / "home"))
    (home.path / "identity.key").write_bytes(bytes([2]) * 32)  # ben's
    one = terminal("--home", str(home.path))
    one.until(lambda: "R ben (you)" in one.text and "action 0 of" in one.text)
    assert one.text.index("W anna") < one.text.index("R ben (you)"), "who played is at the bottom"
    one.types("quit\r")
    assert one.ends() == 0


def test_a_window_that_is_high_enough_for_the_board_at_a_table_is_so_here(terminal: Any) -> None:
    """The board takes the rows below it that nothing is told in; a long text takes some of its first lines."""
    one = terminal("--at", "0", file=played_together("fidchell", 2, (), 40))
    one.until(
        lambda: "6E  1A" in one.text and "4A  3E" in one.text and "41 actions to follow, 39 of them moves." in one.text
    )
    one.types("next\r")
    one.until(lambda: "1. Green begins." in one.text and "which gives first" in one.text and "action 1 of" in one.text)
    assert "6E  1A" not in one.text
    assert "4A  3E" in one.text
    one.types("next\r")
    one.until(lambda: "6E  1A" in one.text and "action 2 of" in one.text)
    one.types("quit\r")
    assert one.ends() == 0


def test_the_end_of_a_round_is_told_whole_where_the_board_leaves_room(terminal: Any) -> None:
    """Bids, points and the timer are more than two lines, and say who has won."""
    file = played_together("celtic-whist", 3, (), 70)
    longest = max(saved(file).steps, key=lambda step: len(step.told))
    one = terminal("--at", str(longest.number), file=file)
    one.until(lambda: longest.told.replace(" ", "") in "".join(one.text.split()))
    one.types("quit\r")
    assert one.ends() == 0


def colours_of(one: Any) -> set[str]:
    """Return the colours of letters that stand on the screen."""
    return {cell.fg for line in one.screen.buffer.values() for cell in line.values() if cell.data.strip()}


@pytest.mark.parametrize("by", ["", "option", "environment", "file"])
def test_the_screen_has_the_palette_and_the_characters_that_are_set(by: str, terminal: Any, tmp_path: Path) -> None:
    home = tmp_path / "home"
    words: tuple[str, ...] = ("--home", str(home), "--at", "4")
    environ = {"P2P_STONEHENGE_PALETTE": "", "P2P_STONEHENGE_CHARSET": ""}
    if by == "option":
        words += ("--palette", "mono", "--charset", "ascii")
    elif by == "environment":
        environ = {"P2P_STONEHENGE_PALETTE": "mono", "P2P_STONEHENGE_CHARSET": "ascii"}
    elif by == "file":
        home.mkdir()
        (home / "config.toml").write_text('palette = "mono"\ncharset = "ascii"\n')
    one = terminal(*words, environ=environ)
    one.until(lambda: "KINGAMON" in one.text and "Esc leaves" in one.text)
    assert (colours_of(one) == {"default"}) == bool(by)
    assert one.text.isascii() == bool(by)
    one.types("quit\r")
    assert one.ends() == 0


def test_a_screen_reader_gets_lines(terminal: Any) -> None:
    one = terminal("--plain")
    one.until(lambda: "go>" in one.text)
    one.types("\r")
    one.until(lambda: "1. " in one.text)
    one.types("quit\r")
    assert one.ends() == 0


@pytest.mark.parametrize("whole", [True, False])
def test_the_collector_of_garbage_is_off_only_while_a_file_is_checked(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting = list[bool]()

    class Noting(reading.Meter):
        def __call__(self, behind: float) -> None:
            collecting.append(gc.isenabled())

    monkeypatch.setattr(reading, "Meter", Noting)
    file = played_alone("qenqe", 2, (), 5)
    if whole:
        reading.checked(file)
    else:
        with pytest.raises(TranscriptError):
            reading.checked(file[:-1])
    assert not any(collecting)
    assert collecting
    assert gc.isenabled()


def test_a_replay_marks_captures_among_the_latest_moves(tmp_path: Path) -> None:
    """As Fidchess does: what a placing in Fidchell captures its notation does not say."""
    game = saved(played_alone("fidchell", 2, ()))
    step = next(step for step in game.steps if step.captures)
    at = Playback(game, prove(game), step.number, "ascii", Notes(tmp_path / "none", b"1"))
    assert f"  {step.action} x" in "\n".join(map(text_of, at.board(80, 21)))
