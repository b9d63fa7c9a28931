"""`hint` and `why`: what bots tell a player, in words, at a table where nobody else plays."""

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from at_a_board import CAPTURES_WIN
from command_lines import python
from fake_table import FakeTable
from local_tables import notes, table_of
from suite_proofs import GAMES, entries, good, position

from engine import Turn, all_games
from p2p_stonehenge.bots import advice
from p2p_stonehenge.bots.search import SURE, WIN
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Kind, Part, Thought, Weighed, always
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note, RefusedError


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    ("kind", "told"), [("win in one", "wins at once"), ("win in two", "wins by force within 2 turns")]
)
def test_a_hint_says_that_a_move_wins(key: str, kind: str, told: str) -> None:
    game = all_games()[key]
    state = position(entries(key, kind, True)[0], key)
    due = game.pending(state)
    assert isinstance(due, Turn)
    lines = advice.hint(game, state, due.seat, always)
    assert told in lines[0]


@pytest.mark.parametrize(("number", "best"), [(0, "loses later"), (1, "does not")])
def test_why_tells_the_answer_to_a_move_that_leaves_the_rigant(number: int, best: str) -> None:
    game = all_games()["fidchess"]
    entry = entries("fidchess", "keep", True)[number]
    state = position(entry, "fidchess")
    seat = state.to_move
    bad = next(action for action in game.legal(state, seat) if action not in good(entry))
    lines = advice.why(game, state, seat, (bad,), always)
    assert lines[0].startswith(f"{bad}: ")
    assert lines[0].endswith(" It loses at once.")
    assert lines[1].startswith("The answer may be ")
    assert "wins at once" in lines[1]
    assert lines[2] == f"That loses by force; {lines[-1].split()[4].rstrip(':')} {best}."
    assert lines[-1].split()[4].rstrip(":") in good(entry)


def test_a_reason_says_what_a_move_takes() -> None:
    game = all_games()["fidchess"]
    state = game.start({"first": 1}, 2)
    for action in ("D2-D3", "A7-A6", "D3-D4", "A6-A5", "D4-C6", "B8-A6"):
        state = game.apply(state, state.to_move, action)
    thoughts = {
        thought.action: thought.reason for thought in bot_of(game).think(state, 1, bot_of(game).adviser, Random(1))
    }
    assert thoughts["C6xD8"].startswith("takes 1 disk")


def told_at(table: LocalTable, line: str) -> list[str]:
    """What a player reads after typing a line at a table of its own."""

    async def evening() -> list[str]:
        table.begin()
        told = notes(table)
        heard = asyncio.Event()
        table.listen(lambda notice: heard.set() if isinstance(notice, Note) else None)
        Console(table, Settings(), "ascii").enter(line)
        await heard.wait()
        return told

    return asyncio.run(evening())


def test_a_player_asks_for_a_hint(tmp_path: Path) -> None:
    assert told_at(table_of(tmp_path, "fidchess"), "hint")[0].startswith("Hint: ")


def test_a_player_asks_why_not(tmp_path: Path) -> None:
    told = told_at(table_of(tmp_path, "fidchess"), "why b2-b3")
    assert told[0].startswith("B2-B3: Yellow moves an Oin from B2 to B3.")


@pytest.mark.parametrize("line", ["why who", "why B2-B9"])
def test_why_is_asked_of_a_move(tmp_path: Path, line: str) -> None:
    table = table_of(tmp_path, "fidchess")
    table.begin()
    with pytest.raises(RefusedError):
        Console(table, Settings(), "ascii").enter(line)


def test_why_alone_tells_of_the_best_move_and_the_answer_to_it(tmp_path: Path) -> None:
    best, answer, *more = told_at(table_of(tmp_path, "fidchess"), "why")
    assert re.fullmatch(
        r"\S+: Yellow .*\. (The game is level|The bot reckons you about [\d.]+ disks? (ahead|behind)) then\.", best
    )
    assert answer.startswith("The answer may be ")
    assert not more


def test_why_says_so_where_a_move_is_as_good_as_that_of_a_bot() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    _, best = advice.why(table.game, table.state, 1, ("6/8",), always)
    assert re.fullmatch(r"\S+, which a bot would play, is as good\.", best)


def test_the_answer_to_a_move_is_told_though_time_is_up() -> None:
    """On a busy computer `why` of a move kept silent about what captures the piece."""
    table = FakeTable("fidchess", first=2).replay("D7-D6", "C2-B4", "D6+C8", "B1-C3", "D8-C6")
    told = advice.why(table.game, table.state, 1, ("B4-A6",), lambda: False)
    assert any(line.startswith("The answer may be C7xA6: ") for line in told), told


def test_why_of_the_move_that_a_bot_would_play_says_so() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    best = bot_of(table.game).think(table.state, 1, bot_of(table.game).adviser, Random(0))[0]
    for turn in ((best.action,), (best.then,), (best.action, best.then), (best.then, best.action)):
        *_, last = advice.why(table.game, table.state, 1, turn, always)
        assert last.endswith(" A bot would play it too."), turn


def test_there_is_no_advice_where_others_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(tmp_path, "fidchess")
    table.begin()
    monkeypatch.setattr(type(table), "advises", False)
    with pytest.raises(RefusedError, match="only where you play alone"):
        Console(table, Settings(), "ascii").enter("hint")


@pytest.mark.parametrize(("best", "near", "told"), [(9.0, 1.0, "As good"), (106.0, 97.0, "Nearly as good")])
def test_only_moves_of_one_standing_are_called_as_good(
    best: float, near: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In hundredths of a disk: the game is level after both, or one tenth tells them apart."""
    table = FakeTable("fidchess", first=1)
    thoughts = (Thought("A2-A3", best), Thought("B2-B3", near))
    monkeypatch.setattr(bot_of(table.game), "think", lambda *_: thoughts)
    monkeypatch.setattr(bot_of(table.game), "weigh", lambda *_: Weighed(thoughts, 1))
    assert [line.split(":")[0] for line in advice.hint(table.game, table.state, 1, always)] == ["Hint", told]


FIDCHESS = "B7-A5 D2-C4 B8xB2 B1xB2 D8-C6 C4xA5 C6xA5 D1-C3 C7-A6 C1-D1 D7-B6 C3-D5 B6-A4 B2+A2 C8xC2 A2xC2 A5+A4"


@pytest.mark.parametrize(
    ("key", "moves"),
    [pytest.param("fidchell", CAPTURES_WIN.split()[:36], marks=pytest.mark.slow)]
    + [("fidchess", FIDCHESS.split()[:played]) for played in range(2, 17, 2)],
)
def test_why_finds_no_fault_with_a_move_that_a_hint_calls_as_good(key: str, moves: list[str]) -> None:
    """A search that is interrupted knows of many moves no more than that they are not better than the best one."""
    table = FakeTable(key, first=2).replay(*moves)
    for line in advice.hint(table.game, table.state, table.turn, always):
        if not line.startswith("Nearly"):
            asked = line.split(": ")[1]
            told = " ".join(advice.why(table.game, table.state, table.turn, (asked,), always))
            assert not re.search(r"worse than|by force|gives a win away", told), told
            if line.startswith("As good"):
                assert " The bot reckons that as good as " in told


def test_the_only_move_that_does_not_lose_is_weighed_as_far_as_others_are() -> None:
    """All others lose so soon that a search of them all ends before it has seen what this one costs."""
    table = FakeTable("fidchell", first=2).replay(*CAPTURES_WIN.split())
    first, *others = bot_of(table.game).think(table.state, 1, bot_of(table.game).adviser, Random(0))
    assert max(other.worth for other in others) <= -SURE < first.worth
    hint = advice.hint(table.game, table.state, 1, always)[0]
    told = re.fullmatch(r"Hint: 6A5: .* the only move that does not lose; .* about (.*) pieces behind then\.", hint)
    assert told
    assert float(told[1]) > -first.worth / 100 + 1


def test_advice_is_thought_about_no_longer_once_somebody_has_acted(tmp_path: Path) -> None:
    async def evening() -> None:
        table = table_of(tmp_path, "fidchess")
        table.begin()
        console, told = Console(table, Settings(), "ascii"), notes(table)
        console.enter("hint")
        table.play(1, "B2-B3")
        await console.advised()
        assert not told
        table.play(2, "B7-B6")
        console.enter("hint")
        await console.advised()
        assert told[0].startswith("Hint: ")

    asyncio.run(evening())


def test_where_every_move_loses_at_once_a_hint_says_so_first_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("fidchess", first=1)
    thoughts = [Thought(action, 2 - WIN, (Part("loses at once", Kind.LOSS),)) for action in ("A2-A3", "B2-B3")]
    monkeypatch.setattr(bot_of(table.game), "think", lambda *_: thoughts)
    told = "Hint: the position is lost: every move loses at once. A2-A3: Yellow moves an Oin from A2 to A3."
    assert advice.hint(table.game, table.state, 1, always) == [told]


@pytest.mark.parametrize(("best", "near"), [(6 - WIN, 4 - WIN), (WIN - 3, WIN - 5)])
def test_a_move_that_loses_sooner_or_wins_later_is_not_as_good(
    best: int, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = FakeTable("fidchess", first=1)
    thoughts = (Thought("A2-A3", best), Thought("B2-B3", best), Thought("C2-C3", near))
    monkeypatch.setattr(bot_of(table.game), "think", lambda *_: thoughts)
    monkeypatch.setattr(bot_of(table.game), "weigh", lambda *_: Weighed(thoughts, 1))
    lines = advice.hint(table.game, table.state, 1, always)
    assert [line.split(":")[:2] for line in lines] == [["Hint", " A2-A3"], ["As good", " B2-B3"]]


def test_a_hint_names_the_piece_that_a_move_guards_and_not_the_capture_of_it() -> None:
    table = FakeTable("fidchell", first=1, layout=53035)
    moves = "1C3 5C5 1C4 1C6 1C5 1C7 1D6 1E6 5C4 1D6 2A6 1B6 1C6 1B7 1B5 1D7 6D7 5C6 1A6 1A7"
    hint = advice.hint(table.game, table.replay(*moves.split()).state, 1, always)[0]
    reason = "It guards 1A6 from capture."
    then = "Then Green threatens 1D5, which captures 1D6, worth about 1 piece."
    stands = "The bot reckons you about 1 piece behind then."
    assert hint == f"Hint: 1A5: Red places a piece on 1A5. {reason} {then} {stands}"


NOTHING_TO_SAY = "D2-B3", "C7-C6", "A2+C1", "C6-A5"
"""Behind these moves of Fidchess the best one captures, guards and threatens nothing."""


def test_a_hint_of_one_move_without_a_reason_says_what_is_wrong_with_the_next_best() -> None:
    table = FakeTable("fidchess", first=1).replay(*NOTHING_TO_SAY)
    game, state = table.game, table.state
    (line,) = advice.hint(game, state, 1, always)
    told = r"Hint: (\S+): Yellow moves a Teth from B1 to A3\. Then nobody has a capture that pays\. .* then\. "
    worse = r"The next best move that the bot sees, (\S+), is about ([\d.]+) disks worse: then Green threatens (\S+), "
    found = re.fullmatch(f"{told}{worse}which takes 3 disks\\.", line)
    assert found, line
    best, other, much, answer = found.groups()
    thoughts = bot_of(game).think(state, 1, bot_of(game).adviser, Random(0))
    first, second, *_ = advice.weighed(bot_of(game), state, 1, thoughts, bot_of(game).adviser, always).thoughts
    assert (first.action, second.action, f"{(first.worth - second.worth) / 100:.1f}") == (best, other, much)
    after = game.apply(state, 1, other)
    assert "captures a Teth" in game.story(after, 2, answer)[0].text
    assert bot_of(game).threat(state, 1, best) is None


def test_a_hint_of_one_move_without_a_reason_says_that_the_next_best_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("fidchess", first=1).replay(*NOTHING_TO_SAY)
    first, second = Thought("B1-A3", 0.0), Thought("C2-D4", 0.0)
    monkeypatch.setattr(bot_of(table.game), "think", lambda *_: (first, second))
    monkeypatch.setattr(bot_of(table.game), "weigh", lambda *_: Weighed((first, second._replace(worth=4 - WIN)), 4))
    (line,) = advice.hint(table.game, table.state, 1, always)
    assert line.endswith(" The next best move that the bot sees, C2-D4, loses by force within 2 turns.")


def test_a_hint_in_a_lost_position_says_so() -> None:
    """What the search of all moves does not know to lose does so sooner than what it does."""
    table = FakeTable("fidchess", first=2).replay(*FIDCHESS.split())
    table.replay("A1-B1", "A4>1@A3", "C2xA3", "A4xA3", "B1-A1", "A7-B5", "D5-C7", "A6xC7")
    (hint,) = advice.hint(table.game, table.state, 1, always)
    assert hint == (
        "Hint: D1-D8: Yellow moves a Duo from D1 to D8. It loses by force within 4 turns."
        " The position is lost: a bot finds nothing that lasts longer."
    )


def test_of_a_move_that_is_worse_it_is_not_said_what_it_is_good_for() -> None:
    table = FakeTable("fidchess", first=2).replay("D7-D6", "C2-B4", "D6+C8", "B1-C3", "D8-C6")
    asked, answer, worse, best = advice.why(table.game, table.state, 1, ("B4-A6",), always)
    assert asked == "B4-A6: Yellow moves an Oin from B4 to A6."
    assert answer == "The answer may be C7xA6: Green moves an Oin from C7 to A6 and captures an Oin. It takes 1 disk."
    assert worse.startswith("The bot reckons that about 1.9 disks worse than ")
    assert " It brings the piece forward." in best


def test_lines_that_are_piped_in_wait_for_the_advice_that_they_ask_for(tmp_path: Path) -> None:
    words = ("solo", "fidchess", "-o", "first=1", "--plain", "--home", str(tmp_path))
    done = python("-m", "p2p_stonehenge", *words, input="hint\nwhy\nwhy a2-a3\nquit\ny\n", timeout=60)
    asked = [done.stdout.index(text) for text in ("Hint: ", "The answer may be", "A2-A3: ", "Leave the")]
    assert asked == sorted(asked)
    assert "Not possible" not in done.stdout
