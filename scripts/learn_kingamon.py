"""Learns the corrections to the hand-made value of Byzantine Kingamon, in p2p_stonehenge/bots/weights.

Two copies play against each other and after each roll move the weights towards what the next position says, TD(0.7).
The one sum of kingamon.bin begins at 0, which is the hand-made value, so that play makes sense from the first game; the
units of kingamon-units.bin are added to that sum. Every so many games the weights play a match against the best so far,
seats swapped on equal dice, and replace it if they win that.

    python scripts/learn_kingamon.py                              learns and writes kingamon.bin (ten minutes)
    python scripts/learn_kingamon.py --units 32 --games 16000 --every 16000 --match 120 --again 4
                                                then kingamon-units.bin (more than two hours)
    python scripts/learn_kingamon.py --games 500 --out /tmp/w     less of it, for a look

It may be stopped: begun again with the same arguments it goes on where it last noted how far it was.
The files in the repository are of Python 3.11; later ones round sums otherwise, so that games come to differ.
"""

import argparse
import math
import pickle
import sys
import time
from array import array
from collections import deque
from collections.abc import Callable
from operator import add
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine import CHANCE  # noqa: E402  after the path is set
from engine.games.kingamon import GAME, PLAY, ROLL, State  # noqa: E402
from p2p_stonehenge.bots import weights as folder  # noqa: E402
from p2p_stonehenge.bots.kingamon.learned import LINEAR_FILE, UNITS_FILE, WEIGHTS, Learned, learned  # noqa: E402
from p2p_stonehenge.bots.kingamon.race import settled  # noqa: E402
from p2p_stonehenge.bots.kingamon.search import ends, outlook  # noqa: E402
from p2p_stonehenge.bots.kingamon.value import chance, features  # noqa: E402

LAMBDA = 0.7
CAP = 400
"""Rolls after which a game is left: a few go on for long and teach little."""
KEPT = 1500
"""The latest games, which are learned from again."""
START = 0.1
"""How far from 0 the weights of a unit begin."""
MARGIN = 0.51
"""What a checkpoint must score against the best so far."""
NOTED = 250
"""Games after which the script notes how far it is."""

Value = Callable[[int, bytes, bytes], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2400)
    parser.add_argument("--every", type=int, default=600, help="games between two matches")
    parser.add_argument("--match", type=int, default=200, help="games of a match")
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--units", type=int, default=0, help="add so many units to kingamon.bin")
    parser.add_argument("--again", type=int, default=0, help="after each game learn from so many earlier ones again")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    options = {"first": "1", **dict(option.split("=", 1) for option in args.option)}
    out = args.out or Path(folder.__path__[0]) / (UNITS_FILE if args.units else LINEAR_FILE)
    best = learned(LINEAR_FILE) if args.units else Learned([0.0] * WEIGHTS)
    learner = Learned(with_units(best.row(), args.units, Random(args.seed)))
    games, done = deque[list[State]](maxlen=KEPT), 0
    noted = out.with_suffix(".so-far")
    if noted.exists() and (found := pickle.loads(noted.read_bytes()))[0] == vars(args):
        _, done, row, best_row, games = found
        learner, best = Learned(row), Learned(best_row)
        print(f"going on after {done} games", flush=True)
    for number in range(done + 1, args.games + 1):
        rate = args.rate * (1 - 0.9 * number / args.games)
        rng = Random(f"{args.seed}/{number}")
        games.append(played(with_weights(learner), GAME.start(options, 2), rng))
        for positions in (games[-1], *rng.choices(games, k=args.again)):
            learn(learner, positions, rate)
        if number % args.every == 0:
            score, half = match(with_weights(learner), with_weights(best), args.match, options, f"{args.seed}/{number}")
            print(f"{number} games, {time.process_time():.0f} s: {score:.3f} ±{half:.3f} against the best", flush=True)
            if score >= MARGIN:
                best = Learned(learner.row())
                save(best, out)
        if number % NOTED == 0:
            noted.write_bytes(pickle.dumps((vars(args), number, learner.row(), best.row(), games)))
    noted.unlink(missing_ok=True)
    score, half = match(with_weights(best), chance, 2 * args.match, options, f"{args.seed}/last")
    print(f"the best against the hand-made value: {score:.3f} ±{half:.3f}")


def with_units(row: list[float], units: int, rng: Random) -> list[float]:
    """Return the weights with so many units added, which begin by chance and count little."""
    return row + [rng.uniform(-START, START) for _ in range(units * (WEIGHTS + 1))]


def with_weights(weights: Learned) -> Value:
    """Return the value with this correction."""
    return lambda rules, own, other: chance(rules, own, other, weights)


def save(weights: Learned, path: Path) -> None:
    """Write the weights as 32-bit numbers."""
    row = array("f", weights.row())
    if sys.byteorder == "big":
        row.byteswap()
    path.write_bytes(row.tobytes())


def played(value: Value, state: State, rng: Random) -> list[State]:
    """Play a game of a value against itself and return its positions, one after each roll."""
    positions = list[State]()
    while state.phase <= PLAY and len(positions) < CAP:
        state = rolled_and_played(state, value, rng)
        positions.append(state)
    return positions


def learn(weights: Learned, positions: list[State], rate: float) -> None:
    """Let the weights learn from a game, by what they say of its positions now."""
    value = with_weights(weights)
    chances = [outlook(state, 1, value) for state in positions]
    target = chances[-1]
    for at in range(len(positions) - 2, -1, -1):
        target = (1 - LAMBDA) * chances[at + 1] + LAMBDA * target
        state = positions[at]
        if not settled(state.rules, state.white, state.red):  # where nothing is corrected
            towards(weights, state, rate, target if state.seat == 1 else 1 - target)


def towards(weights: Learned, state: State, rate: float, target: float) -> None:
    """Move the weights so that the chance of the side to roll comes nearer to `target`."""
    own, other = (state.white, state.red) if state.seat == 1 else (state.red, state.white)
    hit, later, odds, scalars = features(state.rules, own, other)
    rows = weights.rows(own, other)
    sums = weights.sums(rows, scalars)
    units = [(height, max(unit, 0.0)) for height, unit in zip(weights.heights, sums[1:], strict=True)]
    odds += sums[0] + sum([height * unit for height, unit in units])
    rest = (1 - hit) * (1 - later)
    step = rate * (target - hit - rest / (1 + math.exp(-odds))) * rest
    steps = [step] + [step * height if unit else 0.0 for height, unit in units]
    weights.heights = [height + step * unit for height, unit in units]
    for row in rows:
        row[:] = map(add, row, steps)
    for row, scalar in zip(weights.scalars, scalars, strict=True):
        if scalar:
            row[:] = [weight + step * scalar for weight, step in zip(row, steps, strict=True)]


def rolled_and_played(state: State, value: Value, rng: Random) -> State:
    """Return the state after one roll, played for the best of its side."""
    state = GAME.apply(state, CHANCE, f"{rng.randint(1, 6)}-{rng.randint(1, 6)}")
    if state.phase != PLAY:
        return state
    seat = state.seat
    known = {(end.state.white, end.state.red): end.state for end in ends(state)}
    return max(known.values(), key=lambda end: outlook(end, seat, value))


def match(first: Value, second: Value, games: int, options: dict[str, str], source: str) -> tuple[float, float]:
    """Return the score of the first of two values and half its 95 % interval, over pairs of games on equal dice."""
    scores = []
    for number in range(games // 2):
        won = [winner((first, second), options, f"{source}/{number}") == 1]
        won.append(winner((second, first), options, f"{source}/{number}") == 2)
        scores.append(sum(won) / 2)
    mean = sum(scores) / len(scores)
    spread = sum((score - mean) ** 2 for score in scores) / len(scores) / len(scores)
    return mean, 1.96 * math.sqrt(spread)


def winner(values: tuple[Value, Value], options: dict[str, str], source: str) -> int:
    """Return the seat that wins a game; 0 if it goes on for too long."""
    rng, state = Random(source), GAME.start(options, 2)
    for _ in range(CAP):
        if state.phase != ROLL:
            return state.seat
        state = rolled_and_played(state, values[state.seat - 1], rng)
    return 0


if __name__ == "__main__":
    main()
