"""Learns what a stack is worth on each space of Fidchess: `python scripts/learn_fidchess.py --games 3000 --seed 1`.

Bots play themselves; a logistic regression then fits the worth of every kind of stack on every space to who won.
The weights in use are where it starts, and what holds it back where little is seen. The result is written to
p2p_stonehenge/bots/weights/fidchess.json. Only matches tell whether it plays better: `scripts/arena.py`.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine.games.fidchess import CONTENT, GAME, RIGANT, SEAT_SHIFT, State  # noqa: E402  after the path is set
from p2p_stonehenge.bots import fidchess  # noqa: E402
from p2p_stonehenge.bots.search import Budget, Search  # noqa: E402
from p2p_stonehenge.bots.thought import always  # noqa: E402

SCALE = 160.0
"""Hundredths of a disk that raise the odds of a win e times."""
NODES = 700
QUIET = 60
"""A position counts whose search says no more than this beside its table: nothing hangs there."""
LONGEST = 120

Sample = tuple[list[tuple[int, int]], float]
"""Features of a position for Yellow, each with its sign, and how well Yellow did in the end."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop playing after so long")
    parser.add_argument("--out", type=Path, default=ROOT / "p2p_stonehenge/bots/weights/fidchess.json")
    args = parser.parse_args()
    samples: list[Sample] = []
    began = time.monotonic()
    for number in range(args.games):
        samples += played(Random(f"{args.seed}/{number}"))
        if time.monotonic() - began > args.seconds:
            break
        if number % 100 == 99:
            print(f"{number + 1} games, {len(samples)} positions", file=sys.stderr)
    weights = fit(samples, Random(args.seed))
    rows = {
        str(content): [round(w) for w in weights[32 * content : 32 * content + 32]] for content in (1, 2, 3, 4, RIGANT)
    }
    args.out.parent.mkdir(exist_ok=True)
    args.out.write_text("{\n" + ",\n".join(f' "{key}": {json.dumps(row)}' for key, row in rows.items()) + "\n}\n")


def played(rng: Random) -> list[Sample]:
    """Play a game from a random opening, now and then by a random move; return its quiet positions."""
    state = GAME.start({"repetition": "3"}, 2)
    state = GAME.apply(state, 0, f"first {rng.choice((1, 2))}")
    found: list[list[tuple[int, int]]] = []
    guesses: list[float] = []
    for ply in range(LONGEST):
        if state.reason:
            break
        if ply < 4 or rng.random() < 0.04:
            state = GAME.apply(state, state.to_move, rng.choice(GAME.legal(state, state.to_move)))
            continue
        moves = list(GAME.legal(state, state.to_move))
        rng.shuffle(moves)
        search = Search(fidchess.POSITION, Budget(NODES), always)
        best = search.best(GAME.bare(state), moves, GAME.repeating(state, moves))[0]
        if abs(best.worth - fidchess.POSITION.worth(state)) <= QUIET:
            found.append(features(state))
            guesses.append(best.worth if state.to_move == 1 else -best.worth)
        state = GAME.apply(state, state.to_move, best.action)
    score = 0.5 if not state.winner else float(state.winner == 1)
    return [
        (each, 0.75 * score + 0.25 / (1 + math.exp(-guess / SCALE))) for each, guess in zip(found, guesses, strict=True)
    ]


def features(state: State) -> list[tuple[int, int]]:
    """Return the stacks of a position, each as its kind and space as its own seat sees them; Green's count against."""
    return [
        (32 * (stack & CONTENT) + fidchess.seen_from(stack >> SEAT_SHIFT, space), 1 if stack >> SEAT_SHIFT == 1 else -1)
        for space, stack in enumerate(state.cells)
        if stack & CONTENT
    ]


def fit(samples: list[Sample], rng: Random) -> list[float]:
    """Return the weights that fit the samples, by stochastic gradient descent from those in use."""
    prior = [float(fidchess.WEIGHTS[content][space]) for content in range(16) for space in range(32)]
    weights = list(prior)
    for epoch in range(12):
        rng.shuffle(samples)
        rate = 14.0 / (1 + epoch)
        loss = 0.0
        for found, score in samples:
            lead = sum(weights[index] * sign for index, sign in found)
            chance = 1 / (1 + math.exp(-max(min(lead / SCALE, 30), -30)))
            error = score - chance
            loss += error * error
            for index, sign in found:
                weights[index] += rate * (error * sign - 0.0015 * (weights[index] - prior[index]) / 100)
        print(f"epoch {epoch}: {loss / max(len(samples), 1):.4f}", file=sys.stderr)
    # The Rigant is always there: only differences between its spaces mean something.
    home = weights[32 * RIGANT]
    weights[32 * RIGANT : 32 * RIGANT + 32] = [w - home for w in weights[32 * RIGANT : 32 * RIGANT + 32]]
    return weights


if __name__ == "__main__":
    main()
