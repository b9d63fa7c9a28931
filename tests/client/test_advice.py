"""`hint` and `why`: what bots tell a player, in words, at a table where nobody else plays."""

import asyncio
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from command_lines import python
from fake_table import FakeTable
from suite_proofs import good, position
from test_bots import notes, table_of
from test_suites import GAMES, entries

from engine import CHANCE, Chance, Over, Turn, all_games
from p2p_stonehenge.bots import advice
from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.cards import Tried
from p2p_stonehenge.bots.kingamon.search import after
from p2p_stonehenge.bots.search import SURE, WIN
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought, Weighed, always
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note, RefusedError
from p2p_stonehenge.text.style import Settings
from protocol import draw_locally


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


SECOND_DIE_CAPTURES = (
    "5-6",
    "4/10",
    "3/8",
    "3-6",
    "27/24",
    "28/22",
    "1-1",
    "6/7",
    "10/11",
    "5-6",
    "3/8",
    "7/13",
    "6-6",
)


def test_what_the_second_die_captures_is_not_told_of_the_first() -> None:
    table = FakeTable("kingamon", people=(2,), first=1).replay(*SECOND_DIE_CAPTURES)
    best = bot_of(table.game).think(table.state, 2, 3, Random(1))[0]
    assert (best.action, best.because) == ("25/19", "captures 1 piece, with 19/13* played after it")


def test_the_same_turn_the_other_way_round_is_no_second_advice() -> None:
    table = FakeTable("kingamon", first=1).replay("3-4")
    best, *others = advice.hint(table.game, table.state, 1, always)
    turn = re.fullmatch(r"Hint: (\S+): .* followed by (\S+)\. No roll of Red captures anything then\. You win .*", best)
    assert turn
    first, then = turn.groups()
    assert {first, then} <= {*table.game.legal(table.state, 1)}
    assert not any(line.split(": ")[1] == then and f" {first}. " in line for line in others)


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


NUMBER = r"You win about \d+ of 100 games from there\."
ROLLS = r"(No roll of Red captures anything then|Of the 36 rolls of Red .* a disk)\."


def test_why_tells_of_a_die_how_often_it_wins_and_what_the_rolls_of_the_rival_take() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    worst = bot_of(table.game).think(table.state, 1, 4, Random(0))[-1].action
    asked, best = advice.why(table.game, table.state, 1, (worst,), always)
    assert re.fullmatch(rf"{worst}: White .*\. {NUMBER} {ROLLS}", asked)
    assert re.fullmatch(rf"A bot would play \S+: White moves .* {NUMBER} {ROLLS}", best)


def test_why_says_so_where_a_move_is_as_good_as_that_of_a_bot() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    _, best = advice.why(table.game, table.state, 1, ("6/8",), always)
    assert re.fullmatch(r"\S+, which a bot would play, is as good\.", best)


def test_the_answer_to_a_move_is_told_though_time_is_up() -> None:
    """On a busy computer `why` of a move kept silent about what captures the piece."""
    table = FakeTable("fidchess", first=2).replay("D7-D6", "C2-B4", "D6+C8", "B1-C3", "D8-C6")
    told = advice.why(table.game, table.state, 1, ("B4-A6",), lambda: False)
    assert any(line.startswith("The answer may be C7xA6: ") for line in told), told


def test_why_tells_of_both_dice_that_are_typed() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    first, second, best = advice.why(table.game, table.state, 1, ("6/8", "8/14"), always)
    assert first == "6/8: White moves a disk from space 6 to space 8."
    assert re.fullmatch(rf"8/14: White moves a disk from space 8 to space 14\..* {NUMBER} {ROLLS}", second)
    assert best.startswith("A bot would play ")


def test_why_tells_of_the_cube_what_it_is_worth_in_points() -> None:
    table = FakeTable("kingamon", first=1, cube=True).replay("2-6", "2/8", "4/6", "roll", "3-1", "27/24", "28/27")
    asked, answer, best = advice.why(table.game, table.state, 1, ("double",), always)
    assert answer.startswith("The answer may be ")
    assert re.fullmatch(r"double: .* It is worth about [+-]\d\.\d\d points to you\.", asked)
    assert re.fullmatch(r"A bot would play roll: .* It is worth about [+-]\d\.\d\d points to you\.", best)


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


def warned(folder: Path, moves: list[str], *typed: str) -> list[str]:
    """What a player with `--threats on`, or who has typed that, reads of these moves until a note stays in sight."""

    async def evening() -> list[str]:
        table = table_of(folder, "fidchess")
        table.begin()
        told = notes(table)
        heard = asyncio.Event()
        table.listen(lambda notice: heard.set() if isinstance(notice, Note) and notice.answers else None)
        console = Console(table, Settings(threats=not typed), "ascii")
        for line in typed:
            console.enter(line)
            await console.advised()
        told.clear()
        heard.clear()
        for move in moves:
            turn = table.game.pending(table.table.state)
            assert isinstance(turn, Turn)
            table.play(turn.seat, move)
        async with asyncio.timeout(60):
            await heard.wait()
        return told

    return asyncio.run(evening())


def test_a_player_is_warned_once_of_what_the_rival_threatens(tmp_path: Path) -> None:
    moves = ["D1+B2", "C7-D5", "B2-B5", "A7xB5", "B1xB5", "D7-C7"]
    threat = "Green (bot 2) threatens C7xB5, which takes 3 disks: a bot reckons that worth about 5 disks."
    assert warned(tmp_path / "option", moves) == [threat]
    assert warned(tmp_path / "typed", moves, "threats on", "threats off", "threats on") == [threat]


def test_threats_are_told_at_once_and_at_no_later_action_of_the_same_turn(tmp_path: Path) -> None:
    async def evening() -> None:
        table = table_of(tmp_path, "fidchess")
        table.begin()
        told, console = notes(table), Console(table, Settings(), "ascii")
        for seat, move in enumerate(["D1+B2", "C7-D5", "B2-B5", "A7xB5", "B1xB5", "D7-C7"]):
            line = text_of(console.enter("threats on")[0])
            assert line == "- Your turns begin with what is threatened: `threats off` ends that."
            await console.advised()
            table.play(seat % 2 + 1, move)
        assert told == ["Nothing to warn of now."] * 3
        told.clear()
        for _ in range(2):  # also where it is told already
            console.enter("threats")
            await console.advised()
        assert (
            told == ["Green (bot 2) threatens C7xB5, which takes 3 disks: a bot reckons that worth about 5 disks."] * 2
        )

    asyncio.run(evening())


def test_threats_alone_are_told_once_and_no_later_turn_begins_with_them(tmp_path: Path) -> None:
    async def evening() -> None:
        table = table_of(tmp_path, "fidchess")
        table.begin()
        told, console = notes(table), Console(table, Settings(), "ascii")

        def said(line: str) -> str:
            return text_of(console.enter(line)[0])

        once = "- Once, now: with `threats on` each of your turns begins with this."
        assert said("threats") == once
        await console.advised()
        assert told == ["Nothing to warn of now."]
        table.play(1, "D1+B2")
        with pytest.raises(RefusedError, match="not your turn"):
            console.enter("threats")
        table.play(2, "C7-D5")
        await asyncio.gather(*console._advising._warnings)
        assert told == ["Nothing to warn of now."]
        begins = "- Your turns begin with what is threatened: `threats off` ends that."
        assert said("threats on") == begins
        await console.advised()
        assert said("threats off") == "- Your turns no longer begin with threats: `threats` tells them once."
        assert said("threats") == once
        with pytest.raises(RefusedError, match="Write `threats`, `threats on` or `threats off`"):
            console.enter("threats maybe")

    asyncio.run(evening())


def test_where_bots_know_no_threats_none_are_promised(tmp_path: Path) -> None:
    table = table_of(tmp_path, "celtic-whist")
    table.begin()
    for line in ("threats", "threats on", "threats off"):
        with pytest.raises(RefusedError, match=r"no threats in Celtic Whist: `hint` says what to play, and `why` "):
            Console(table, Settings(), "ascii").enter(line)


@pytest.mark.parametrize("key", list(all_games()))
def test_threats_are_offered_where_bots_know_some(key: str) -> None:
    """The help of Celtic Whist named the command, which answered that there are none."""
    table = FakeTable(key, first=1)
    table.advises = True
    console = Console(table, Settings(), "ascii")
    helped = [text_of(line) for line in console.enter("help")]
    assert any(line.startswith("  threats ") for line in helped) == bot_of(table.game).knows_threats
    assert [one.text for one in console.choices("thr")] == ["threats"] * bot_of(table.game).knows_threats


def test_the_five_games_but_celtic_whist_have_threats() -> None:
    known = {key for key, game in all_games().items() if bot_of(game).knows_threats}
    assert {"fidchess", "qenqe", "fidchell", "kingamon"} <= known
    assert "celtic-whist" not in known


@pytest.mark.parametrize("key", ["fidchess", "qenqe"])
def test_a_threat_to_win_is_one(key: str) -> None:
    game, rng, seen = all_games()[key], Random(3), 0
    state = game.start({"first": 1, "repetition": 3}, 2)
    while seen < 3:
        due = game.pending(state)
        if not isinstance(due, Turn):
            state = game.start({"first": 1, "repetition": 3}, 2)
            continue
        found = bot_of(game).threat(state, due.seat)
        if found and found.does.endswith(", which wins at once"):
            rival, move = 3 - due.seat, found.does.split()[1].rstrip(",")
            end = game.pending(game.apply(state._replace(to_move=rival), rival, move))
            assert found.rival == rival
            assert isinstance(end, Over)
            assert end.result.winners == (rival,)
            seen += 1
        state = game.apply(state, due.seat, bot_of(game).think(state, due.seat, 1, rng)[0].action)


def test_at_the_start_nothing_is_threatened() -> None:
    for key in ("fidchess", "qenqe", "fidchell"):
        game = all_games()[key]
        assert bot_of(game).threat(game.start({"first": 1}, 2), 1) is None


def test_a_king_that_can_be_hit_is_told_by_the_rolls() -> None:
    """White's king stands alone; a red disk six spaces before it hits with a six, 1-5, 2-4 and 3-3."""
    table = FakeTable("kingamon", first=1)
    white, red = bytearray(31), bytearray(31)
    white[10], red[30 - 16] = 16, 1
    found = bot_of(table.game).threat(table.state._replace(white=bytes(white), red=bytes(red), seat=1), 1)
    assert found == (2, "takes your king with 16 of 36 rolls, as the pieces stand")


def test_pieces_that_can_be_taken_are_told_where_no_king_is_in_danger() -> None:
    """A disk stands alone eight spaces before one of the rival: 2-6, 3-5 and 4-4 take it."""
    table = FakeTable("kingamon", first=1)
    white, red = bytearray(31), bytearray(31)
    white[10], red[30 - 18] = 1, 1
    alone = table.state._replace(white=bytes(white), red=bytes(red), seat=1)
    assert bot_of(table.game).threat(alone, 1) == (2, "takes a piece with 5 of 36 rolls, as the pieces stand")
    white[10] = 2
    assert bot_of(table.game).threat(alone._replace(white=bytes(white)), 1) is None


def test_plays_that_lead_to_one_position_are_advised_once() -> None:
    table = FakeTable("kingamon", first=1).replay("2-5")
    found = bot_of(table.game).think(table.state, 1, 5, Random(0))
    ends = [(end.white, end.red) for end in (after(table.state, 1, thought) for thought in found)]
    twice = [(one, two) for one, two in combinations(range(len(found)), 2) if ends[one] == ends[two]]
    assert twice
    for one, two in combinations(range(len(found)), 2):
        assert bot_of(table.game).same(table.state, found[one], found[two]) == (ends[one] == ends[two])


def test_a_threat_says_what_the_rival_does_with_it() -> None:
    """The chain that is spoken of is that of the rival, whose move it is, not that of the player who is to act."""
    table = FakeTable("fidchell", first=1).replay("6C3", "5C2", "5C1")
    chain = "leaves Red's chain to the king 5 fields short instead of 6"
    does = f"threatens to capture by 5C3, which {chain}: a bot reckons that worth about 1 piece"
    assert bot_of(table.game).threat(table.state, 2) == (1, does)


def test_a_threat_to_win_by_captures_is_one_of_the_same_turn() -> None:
    table = FakeTable("fidchell", first=2).replay(*FIDCHELL.split())
    assert bot_of(table.game).threat(table.state, 1) == (2, "threatens 6A5, which wins in the same turn")


def test_of_hidden_cards_no_threat_is_told() -> None:
    game = all_games()["celtic-whist"]
    assert bot_of(game).threat(game.start({}, 4), 1) is None


@pytest.mark.parametrize(("behind", "told"), [(0.0, "As good"), (9.0, "As good"), (45.0, "Nearly as good")])
def test_a_card_that_does_worse_is_not_called_as_good(
    behind: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In hundredths of a point: with half a point less a bid may be kept in half as many deals."""
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.replay("bid 1", "bid 1")
    actions = table.game.legal(table.state, table.turn)
    thoughts = (Thought(actions[0], 100.0), Thought(actions[1], 100.0 - behind))
    monkeypatch.setattr(bot_of(table.game), "think", lambda *_: thoughts)
    lines = advice.hint(table.game, table.state, table.turn, always)
    assert [line.split(":")[0] for line in lines] == ["Hint", told]


def test_of_null_bids_that_count_alike_a_hint_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable("celtic-whist", first=1, cooperative=True)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    null = "comes out in 240 of 250 deals played for no tricks"
    thoughts = [Thought(f"null {size}", 90.0, null) for size in (1, 2, 3)]
    monkeypatch.setattr(
        bot_of(table.game), "think", lambda *_: [*thoughts, Thought("bid 1", 89.0, "comes out in 9 of 250 deals")]
    )
    lines = advice.hint(table.game, table.state, table.turn, always)
    assert [line.split(": ")[1].split(".")[0] for line in lines] == ["null 1", "bid 1"]


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


FIDCHELL = (
    "3C5 6C1 6C4 6C3 6C2 6C6 6C3 6C1 6C5 6C4 5C4 6C7 6C6 1B3 5C6 1B6 4C2 5C3 6B3 5B5 5D3 5B3 5B7 1C3 1B7 5A5 5C5 5D5"
    " 5D7 5D6 5D4 1B5 5E6 4C4 4C3 4C5 5B4 4D4 5C5 5C7 5E7 5E5 5C2"
)
FIDCHESS = "B7-A5 D2-C4 B8xB2 B1xB2 D8-C6 C4xA5 C6xA5 D1-C3 C7-A6 C1-D1 D7-B6 C3-D5 B6-A4 B2+A2 C8xC2 A2xC2 A5+A4"


@pytest.mark.parametrize(
    ("key", "moves"),
    [pytest.param("fidchell", FIDCHELL.split()[:36], marks=pytest.mark.slow)]
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
    table = FakeTable("fidchell", first=2).replay(*FIDCHELL.split())
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
    thoughts = [Thought(action, 2 - WIN, "loses at once") for action in ("A2-A3", "B2-B3")]
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
    then = "Then Green threatens to capture by 1D5, which a bot reckons worth about 1 piece."
    stands = "The bot reckons you about 1 piece behind then."
    assert hint == f"Hint: 1A5: Red places a piece on 1A5. {reason} {then} {stands}"


NOTHING_TO_SAY = "D2-B3", "C7-C6", "A2+C1", "C6-A5"
"""Behind these moves of Fidchess the best one captures, guards and threatens nothing."""


def test_a_hint_of_one_move_without_a_reason_says_what_is_wrong_with_the_next_best() -> None:
    table = FakeTable("fidchess", first=1).replay(*NOTHING_TO_SAY)
    game, state = table.game, table.state
    (line,) = advice.hint(game, state, 1, always)
    told = r"Hint: (\S+): Yellow moves a Teth from B1 to A3\. Then no capture that answers it pays\. .* then\. "
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


def test_a_bid_that_no_bot_would_try_is_tried_when_it_is_asked_about() -> None:
    """It was said of every such bid that it wins one game of 100."""
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    view = table.game.view(table.state, table.turn)
    bids = {thought.action for thought in bot_of(table.game).think(view, table.turn, 5, Random(0))}
    bid = next(action for action in table.game.legal(view, table.turn)[::-1] if action not in bids)
    told, *_ = advice.why(table.game, view, table.turn, [bid], always)
    found = re.fullmatch(rf"{bid}\. It comes out in .* played for .*\. You win about (\d+) of 100 games .*", told)
    assert found, told
    assert 20 < int(found[1]) < 50


def test_a_hint_about_a_card_does_not_say_twice_which_one_is_played() -> None:
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.replay("bid 1", "bid 1")
    state = table.game.view(table.state, table.turn)
    best, *others = advice.hint(table.game, state, table.turn, always)
    points = r" brings -?\d+\.\d points on average, the other player -?\d+\.\d\."
    assert re.fullmatch(rf"Hint: [A-Z]+\d*\. It can(not)? be beaten .*; it{points} {NUMBER}", best), best
    assert others
    for line in others:
        near = re.fullmatch(rf"(?:As good|Nearly as good): ([A-Z]+\d*)\.(?: It (?:can|brings) .*\.)? {NUMBER}", line)
        assert near, line
        assert line.count(near[1]) == 1


def test_hints_at_celtic_whist_are_in_the_order_of_the_games_that_they_win() -> None:
    """The most deals in which a bid comes out, or the most points, are not always best for the game."""
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    for played in ("", "bid 4", "bid 6"):
        if played:
            table.replay(played)
        told = [
            re.search(NUMBER, line)
            for line in advice.hint(table.game, table.game.view(table.state, table.turn), table.turn, always)
        ]
        wins = [int(found[0].split()[3]) for found in told if found]
        assert len(wins) == len(told)
        assert wins == sorted(wins, reverse=True)


def test_a_reason_of_a_card_says_what_it_brings_each_side() -> None:
    """White bids 4, Red 5, Green a null of 10: one trick too many costs White a point, and the others all of theirs."""
    game = all_games()["celtic-whist"]
    state = game.start({}, 3)
    while isinstance(due := game.pending(state), Chance):
        state = game.apply(state, CHANCE, draw_locally(due.draw, bytes(32)))
    aims = Aims(state, (4, 5, -10))
    ends: dict[int, Counter[tuple[int, ...]]] = {7: Counter({(-1, 1, -1): 3, (0, 0, 0): 1})}
    told = Tried({7: 0.0}, ends).told(7, aims, 0)
    assert aims.gains((-1, 1, -1)) == [3, 0, 0]
    assert aims.gains((0, 0, 0)) == [4, 5, 10]
    assert told == "; it brings 3.2 points on average, each other player 1.9"


def test_a_hint_at_the_first_die_says_how_often_that_wins() -> None:
    """As at the last one: the same chance, within what the bot rounds."""
    table = FakeTable("kingamon", people=(2,), first=1).replay(*SECOND_DIE_CAPTURES)
    found = []
    for _ in range(2):
        (line, *_) = advice.hint(table.game, table.state, 2, always)
        told = re.search(r" You win about (\d+) of 100 games from there\.$", line)
        assert told, line
        found.append(int(told[1]))
        table.replay(bot_of(table.game).think(table.state, 2, bot_of(table.game).adviser, Random(0))[0].action)
    assert abs(found[0] - found[1]) <= 2


def test_lines_that_are_piped_in_wait_for_the_advice_that_they_ask_for(tmp_path: Path) -> None:
    words = ("solo", "fidchess", "-o", "first=1", "--plain", "--home", str(tmp_path))
    done = python("-m", "p2p_stonehenge", *words, input="hint\nwhy\nwhy a2-a3\nquit\ny\n", timeout=60)
    asked = [done.stdout.index(text) for text in ("Hint: ", "The answer may be", "A2-A3: ", "Leave the")]
    assert asked == sorted(asked)
    assert "Not possible" not in done.stdout
