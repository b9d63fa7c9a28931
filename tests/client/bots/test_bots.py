"""Bots at tables: what levels mean, draws, the cube, and that a table never hears of a game that is over."""

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from local_tables import notes, table_of

from engine import CHANCE, MOST_SEATS, Chance, OptionValue, Over, Turn, all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots import players as module
from p2p_stonehenge.bots.greedy import Greedy
from p2p_stonehenge.bots.players import CHARACTERS, Bots, in_style, introduced
from p2p_stonehenge.bots.search import FORCED, forced
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Reason, Running, Thought, always
from p2p_stonehenge.table.session import Notice, Ply
from p2p_stonehenge.text.program import command_here, started_with
from protocol import draw_locally


def test_a_bot_thinks_beside_the_table_and_stops_when_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop goes on, the screen is told who thinks, and a bot that is stopped plays nothing."""
    monkeypatch.setattr(module, "WORTH_SHOWING", 0.0)
    monkeypatch.setattr(module, "LONG", 1e9)
    stopped = threading.Event()

    def endless(view: object, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        while running():
            time.sleep(0.001)
        stopped.set()
        return (Thought("resign", 0.0),)

    table = table_of(tmp_path, "fidchess", first=2)
    monkeypatch.setattr(bot_of(table.game), "think", endless)

    async def evening() -> None:
        table.begin()
        shown = asyncio.Event()
        table.listen(lambda notice: shown.set() if table.thinks == 2 else None)
        bots = Bots(table, [2], 3, Random(1))
        bots.start()
        await shown.wait()
        bots.stop()
        assert table.thinks == 0
        await asyncio.to_thread(stopped.wait)

    asyncio.run(evening())
    assert [ply.action for ply in table.plies if ply.actor] == []


@pytest.mark.parametrize(("key", "waits"), [("fidchess", True), ("celtic-whist", False)])
def test_a_bot_seems_to_think_where_it_moves_a_piece_but_not_over_a_card(
    key: str, waits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, least = table_of(tmp_path, key, (), first=2), list[float]()

    async def evening() -> None:
        acts = asyncio.Event()

        def begin(thinking: object, level: int, rng: Random, seconds: float) -> None:
            least.append(seconds)
            acts.set()

        monkeypatch.setattr(module._Thinking, "begin", begin)
        table.begin()
        bots = Bots(table, [1, 2], 2, Random(1), 0.01)
        bots.start()
        await acts.wait()
        bots.stop()

    asyncio.run(evening())
    assert [seconds > 0 for seconds in least] == [waits]


def test_what_follows_from_a_bots_move_names_the_home_in_commands(tmp_path: Path) -> None:
    """The thread in which a bot thinks hands its move over; a move may end the game, which tells what can be typed."""
    table = table_of(tmp_path, "fidchess", first=2)
    here: list[str] = []

    async def evening() -> None:
        table.begin()
        moved = asyncio.Event()

        def hear(notice: Notice) -> None:
            if isinstance(notice, Ply):
                here.append(command_here())
                moved.set()

        table.listen(hear)
        bots = Bots(table, [2], 1, Random(1))
        bots.start()
        await moved.wait()
        bots.stop()

    with started_with("/games/anna", None):
        asyncio.run(evening())
    assert here
    assert all(told.endswith(" --home /games/anna") for told in here)


def test_a_bot_that_fails_to_think_says_so_and_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> tuple[Thought, ...]:
        raise ZeroDivisionError

    table = table_of(tmp_path, "fidchess", first=2)
    monkeypatch.setattr(bot_of(table.game), "think", broken)
    told: list[object] = []

    async def evening() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
        table.begin()
        moved = asyncio.Event()
        table.listen(lambda notice: moved.set() if isinstance(notice, Ply) else None)
        Bots(table, [2], 3, Random(1)).start()
        await moved.wait()

    asyncio.run(evening())
    assert [type(error) for error in told] == [ZeroDivisionError]


@pytest.mark.parametrize(("turns", "resigns"), [(2, False), (3, True)])
def test_a_bot_resigns_only_what_has_been_lost_for_three_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int, resigns: bool
) -> None:
    table = table_of(tmp_path, "fidchess", first=2)

    def lost(view: Any, seat: int, *_: object) -> tuple[Thought, ...]:
        return tuple(Thought(action, -10_000) for action in table.game.legal(view, seat))

    monkeypatch.setattr(bot_of(table.game), "think", lost)

    async def evening() -> None:
        table.begin()
        moved = asyncio.Event()
        table.listen(lambda notice: moved.set() if isinstance(notice, Ply) and notice.actor == 2 else None)
        bots = Bots(table, [2], 3, Random(1))
        bots.start()
        for turn in range(turns):
            if turn:
                table.play(1, table.game.legal(table.state, 1)[0])
            await moved.wait()
            moved.clear()
        bots.stop()

    asyncio.run(evening())
    assert (table.result is not None) == resigns


@pytest.mark.parametrize("key", ["fidchess", "qenqe", "fidchell"])
def test_a_bot_that_is_ahead_does_not_play_to_and_fro(key: str) -> None:
    """Also where the table does not count repetitions: what has been before is worth a draw to a bot."""
    game, rng = all_games()[key], Random(5)
    state = game.start({"first": 1, **({"pieces": 9} if key == "fidchell" else {})}, 2)
    for _ in range(24):
        state = game.apply(state, state.to_move, rng.choice(game.legal(state, state.to_move)))
    seat = state.to_move
    best = bot_of(game).think(state, seat, 3, Random(1))[0].action
    known = bot_of(game).remembering(state, [state, game.apply(state, seat, best)])
    again = bot_of(game).think(known, seat, 3, Random(1))
    assert {thought.action: thought.worth for thought in again}[best] <= 0
    if again[0].worth > 0:
        assert again[0].action != best


def test_a_bot_follows_its_style_only_among_moves_that_are_as_good() -> None:
    game = all_games()["fidchess"]
    thoughts = [Thought("B1-B2", 50.0), Thought("B1+C1", 45.0), Thought("B1xC2", 20.0)]
    assert in_style(game, thoughts, "bot Cormac").action == "B1+C1"
    assert in_style(game, thoughts, "bot Brigid").action == "B1-B2", "the capture is worse by more than a tenth"
    assert in_style(game, thoughts, "bot 2").action == "B1-B2"


def test_a_bot_does_not_move_a_piece_back_where_another_move_is_as_good() -> None:
    game = all_games()["fidchess"]
    thoughts = [Thought("B1-B2", 50.0), Thought("C1-C2", 45.0), Thought("D1xD2", 20.0)]
    assert in_style(game, thoughts, "bot 2", "B2-B1").action == "C1-C2"
    assert in_style(game, thoughts, "bot 2", "B2xB1").action == "B1-B2", "a capture cannot be taken back by a move"
    assert in_style(game, [thoughts[0], thoughts[2]], "bot 2", "B2-B1").action == "B1-B2", "the other is worse"


def test_each_seat_of_the_largest_table_has_a_bot_of_its_own() -> None:
    assert len({one.name for one in CHARACTERS}) == len(CHARACTERS) == MOST_SEATS


def test_bots_are_introduced_by_name_style_and_level() -> None:
    fidchess, whist = all_games()["fidchess"], all_games()["celtic-whist"]
    assert introduced(fidchess, (2,), 2) == "bot Brigid is a raider, glad to capture. Level: casual."
    assert introduced(whist, (2, 3), 5) == "At the table: bot Brigid, bot Cormac. Level: master."


def result(key: str, levels: tuple[int, ...], seed: int, **options: OptionValue) -> tuple[int, ...]:
    """The winners of a game between bots of these levels."""
    game, rng = all_games()[key], Random(seed)
    state = game.start(options, len(levels))
    while not isinstance(due := game.pending(state), Over):
        if isinstance(due, Chance):
            state = game.apply(state, CHANCE, draw_locally(due.draw, rng.randbytes(32)))
        else:
            view = game.view(state, due.seat)
            state = game.apply(state, due.seat, bot_of(game).think(view, due.seat, levels[due.seat - 1], rng)[0].action)
    return due.result.winners


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cube": True},
        {"quick": True},
        pytest.param({"quick": True, "captured_king": "bar"}, marks=pytest.mark.slow),
    ],
)
def test_level_one_of_kingamon_beats_chance(options: dict[str, OptionValue]) -> None:
    won = [result("kingamon", (1, 0), seed, **options) == (1,) for seed in range(10)]
    won += [result("kingamon", (0, 1), seed, **options) == (2,) for seed in range(10)]
    assert sum(won) >= 16  # by chance alone 6 times in 1,000


def test_a_bot_of_kingamon_answers_a_double_by_its_chances(tmp_path: Path) -> None:
    """It takes at the start, where nobody is ahead, and drops where the other side is about to win."""
    game = all_games()["kingamon"]
    start = game.start({"first": 1, "cube": True}, 2)._replace(phase=1)
    offer = game.apply(start, 1, "double")
    assert bot_of(game).think(offer, 2, 1, Random(1))[0].action == "take"
    off = bytearray(31)
    off[29], off[30] = 1, 25
    lost = offer._replace(white=bytes(off))
    assert bot_of(game).think(lost, 2, 1, Random(1))[0].action == "drop"
    assert bot_of(game).think(start, 1, 1, Random(1))[0].action == "roll"


@pytest.mark.parametrize("key", ["kingamon", "fidchess", "fidchell", "qenqe"])
def test_no_bot_agrees_to_a_draw_at_the_first_move(tmp_path: Path, key: str) -> None:
    table = table_of(tmp_path, key)

    async def evening() -> None:
        table.begin()
        Bots(table, [2], 1, Random(1))
        told = notes(table)
        table.wish_draw(1)
        assert told == [
            f"{table.label(1)} offers a draw.",
            f"{table.label(2)} declines the draw and plays on.",
        ]

    asyncio.run(evening())
    assert table.result is None
    assert table.wishes() == (), "a bot has answered: it does not agree later"


def test_a_bot_that_stands_worse_agrees_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "YOUNG_GAME", 0)
    table = table_of(tmp_path, "fidchess")

    async def evening() -> None:
        table.begin()
        for seat, action in ((1, "D2-D3"), (2, "A7-A6"), (1, "D3-D4"), (2, "A6-A5"), (1, "D4-C6"), (2, "B8-A6")):
            table.play(seat, action)
        table.play(1, "C6xD8")
        Bots(table, [2], 1, Random(1))
        told = notes(table)
        table.wish_draw(1)
        assert told == [f"{table.label(1)} offers a draw.", f"{table.label(2)} agrees to the draw."]

    asyncio.run(evening())
    assert table.result is not None
    assert table.result.reason == "draw agreed"


def test_a_bot_that_is_ahead_in_a_race_declines_and_one_behind_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "YOUNG_GAME", 0)
    table = table_of(tmp_path, "kingamon")

    async def evening() -> None:
        table.begin()
        due = table.game.pending(table.state)
        assert isinstance(due, Turn)
        bots = Bots(table, [1, 2], 1, Random(1))
        ahead = max((1, 2), key=lambda seat: table.game.worth(table.state, seat))
        assert not bots.agrees(ahead)
        assert bots.agrees(3 - ahead)

    asyncio.run(evening())


def test_two_players_at_one_keyboard_agree_one_after_the_other(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchess", people=(1, 2))
    told = notes(table)
    table.wish_draw(1)
    assert table.result is None
    table.wish_draw(2)
    assert told == [f"{table.label(1)} offers a draw.", f"{table.label(2)} agrees to the draw."]
    assert table.result is not None


@pytest.mark.parametrize("key", ["fidchell", "kingamon"])
def test_bots_end_a_game_without_an_error_that_can_be_seen(
    tmp_path: Path, key: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they agree to a draw nothing is played after it; Kingamon ends by itself, and they play it out."""
    monkeypatch.setattr(module, "LONG_GAME", 10)
    monkeypatch.setattr(module, "YOUNG_GAME", 10)
    assert main(["solo", key, "--auto", "0", "--plain", "--home", str(tmp_path)]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert ("agreement" in out) == (key == "fidchell")


@pytest.mark.parametrize(
    ("words", "levels"),
    [
        ("--auto 0", [0, 0]),
        ("--auto 1", [1, 1]),
        ("--auto 0 --level 1", [0, 1]),
        ("--auto 1 --level 0", [1, 0]),
    ],
)
def test_level_is_that_of_the_others_beside_auto(
    tmp_path: Path, words: str, levels: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[int, int] = {}
    bot = bot_of(all_games()["fidchess"])
    think = bot.think

    def watched(view: object, seat: int, level: int, rng: Random, *_: object) -> tuple[Thought, ...]:
        seen[seat] = level
        return think(view, seat, 0, rng)

    monkeypatch.setattr(bot, "think", watched)
    command = ["solo", "fidchess", "-o", "turn_limit=6", *words.split(), "--home", str(tmp_path)]
    assert main(command) == 0
    assert [seen[seat] for seat in (1, 2)] == levels


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_learner_at_fidchell_loses_to_a_player_who_looks_one_move_ahead() -> None:
    """The plain bot, one reply ahead by the count of pieces, wins from either side; chance alone wins no game."""
    game, won = all_games()["fidchell"], 0
    for seed in range(2):
        seat, rng = 1 + seed % 2, Random(seed)
        state = game.start({"repetition": 3, "first": 1}, 2)
        while not isinstance(due := game.pending(state), Over):
            assert isinstance(due, Turn)
            if due.seat == seat:
                action = bot_of(game).think(state, seat, 1, rng)[0].action
            else:
                action = Greedy(game).candidates(state, due.seat, 0, rng, always)[0].action
            state = game.apply(state, due.seat, action)
        won += seat in due.result.winners
    assert not won


class Chains:
    """A game in which the rival, once it is to move, moves on and on for ten turns; no side wins before.

    A node is the number of moves made; no two moves lead to the same position.
    """

    skips, forces, others = False, True, "the rival"

    def __init__(self) -> None:
        self.looked_at = 0

    def turn(self, node: int) -> int:
        return 0 if node in (0, 11) else 1

    def key(self, node: int) -> object:
        return object()

    def result(self, node: int) -> int | None:
        self.looked_at += 1
        return None

    def worth(self, node: int) -> int:
        return 0

    def win(self, node: int, captures: Sequence[str]) -> str | None:
        return "win" if node == 11 else None

    def captures(self, node: int) -> list[str]:
        return []

    def moves(self, node: int) -> list[str]:
        return [str(number) for number in range(8)]

    def apply(self, node: int, move: str) -> int:
        return node + 1

    def passed(self, node: int) -> int:
        return node

    def takes(self, node: int) -> list[str]:
        return []

    def remark(self, node: int, child: int) -> Reason:
        return ()

    def aims(self, node: int, child: int, move: str, *, gains: bool) -> Reason:
        return ()


@pytest.mark.parametrize(("turns", "most"), [(10**9, FORCED), (300, 300)], ids=["ample", "short"])
def test_a_rival_who_may_go_on_and_on_keeps_no_bot_from_its_move(turns: int, most: int) -> None:
    """Eight answers in each of ten turns of the rival are a billion positions: neither effort nor clock allow that."""
    game, clock = Chains(), iter(range(turns))
    assert forced(game, 0, ["a"], lambda: next(clock, None) is not None) == ""
    assert game.looked_at == most
