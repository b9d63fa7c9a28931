"""What every bot promises: lawful actions in every variant, the same from the same seed, and an end when told."""

import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest

from engine import CHANCE, Chance, OptionValue, Over, Turn, all_games
from p2p_stonehenge.bots.players import LEVELS
from p2p_stonehenge.bots.thinking import bot_of
from protocol import draw_locally

VARIANTS: dict[str, dict[int, list[dict[str, OptionValue]]]] = {
    "fidchess": {2: [{}, {"rigant_stacking": True, "quen": True}]},
    "qenqe": {
        2: [{}, {"rigant_stacking": True}, {"elimination": True, "quen": True}],
        3: [{}, {"left_wins": True}],
        4: [{"partners": True}, {"partners": True, "left_wins": True}, {"rigant_stacking": True}],
        5: [{"elimination": True}, {"left_wins": True, "quen": True}],
    },
    "fidchell": {
        2: [{"pieces": 8}, {"dormant_king": True}, {"layout": "101", "sections": 5, "pieces": 9}],
        3: [{"pieces": 8}, {}],
    },
}
CASES = [
    (key, seats, options) for key, tables in VARIANTS.items() for seats, some in tables.items() for options in some
]


def turns(key: str, seats: int, options: dict[str, OptionValue], seed: int, plies: int) -> Iterator[tuple[object, int]]:
    """The positions of a game in which a bot is asked now and then, and moves are random otherwise."""
    game, rng = all_games()[key], Random(seed)
    state = game.start(options, seats)
    for ply in range(plies):
        due = game.pending(state)
        if isinstance(due, Over):
            return
        if isinstance(due, Chance):
            state = game.apply(state, CHANCE, draw_locally(due.draw, rng.randbytes(32)))
            continue
        assert isinstance(due, Turn)
        if seats > 2 and ply == plies // 2 and not options.get("partners"):
            state = game.apply(state, due.seat, "resign")
            continue
        yield state, due.seat
        state = game.apply(state, due.seat, rng.choice(game.legal(state, due.seat)))


@pytest.mark.parametrize(("key", "seats", "options"), CASES)
def test_what_bots_think_of_is_lawful(key: str, seats: int, options: dict[str, OptionValue]) -> None:
    game = all_games()[key]
    asked = 0
    for number, (state, seat) in enumerate(turns(key, seats, options, 3, 60)):
        for level in {3: (1, 2), 12: (3,), 20: (1,), 36: (2,)}.get(number, ()):
            thoughts = bot_of(game).think(state, seat, level, Random(number))
            assert all(thought.action in game.legal(state, seat) for thought in thoughts[:5])
            asked += 1
    assert asked > 1


@pytest.mark.parametrize("level", range(1, len(LEVELS)))
@pytest.mark.parametrize("key", VARIANTS)
def test_a_bot_that_is_told_to_stop_stops_with_a_lawful_action(key: str, level: int) -> None:
    game = all_games()[key]
    asked: list[int] = []

    def running() -> bool:
        asked.append(1)
        return False

    state = game.start({"first": 1}, 2)
    assert bot_of(game).think(state, 1, level, Random(1), running)[0].action in game.legal(state, 1)
    assert len(asked) <= 2  # the search, and what looks for a win with the next turn


def test_a_seed_replays_a_game_in_another_process() -> None:
    """Hashes of texts differ from process to process: nothing may depend on them."""
    code = (
        "from random import Random\n"
        "from engine import all_games\n"
        "from p2p_stonehenge.bots.thinking import bot_of\n"
        "for key in ('fidchess', 'qenqe', 'fidchell'):\n"
        "    game, rng = all_games()[key], Random(2)\n"
        "    state = game.start({'first': 1}, 2)\n"
        "    for level in (1, 2, 3, 3, 2, 1, 3):\n"
        "        if state.reason: break\n"
        "        action = bot_of(game).think(state, state.to_move, level, rng)[0].action\n"
        "        print(key, action)\n"
        "        state = game.apply(state, state.to_move, action)\n"
    )
    played = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(played) == 1
    assert played.pop().count(b"\n") > 15
