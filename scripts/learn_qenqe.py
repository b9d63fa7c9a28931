"""Learns what stacks of Fidchess Qenqe are worth: `python scripts/learn_qenqe.py --games 1000 --seed 1`.

Bots play themselves, two seats; a logistic regression then fits the worth of every kind of stack in every row to which
seat won. It starts from the weights in use, and they hold it back where little is seen. The result is written to
p2p_stonehenge/bots/weights/qenqe.json. Only matches tell whether it plays better: `scripts/arena.py`.
"""

import argparse
import json
import math
import sys
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine.games.qenqe import GAME, RING, State, owner  # noqa: E402  after the path is set
from p2p_stonehenge.bots import qenqe  # noqa: E402
from p2p_stonehenge.bots.search import SURE, Budget, Search  # noqa: E402
from p2p_stonehenge.bots.thinking import always  # noqa: E402

SCALE = 160.0
"""Hundredths of a disk that raise the odds of a win e times."""
NODES = 500
QUIET = 60
"""A position counts whose search says no more than this beside its worth: nothing hangs there."""
LONGEST = 120
SEEN = 40
"""A weight is changed only if its kind was seen this often."""

Features = dict[tuple[str, int], int]
"""By kind of stack and row: how many more seat 1 has than seat 2."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "p2p_stonehenge/bots/weights/qenqe.json")
    args = parser.parse_args()
    samples: list[tuple[Features, float]] = []
    for number in range(args.games):
        samples += played(Random(f"{args.seed}/{number}"))
        if number % 50 == 49:
            print(f"{number + 1} games, {len(samples)} positions", file=sys.stderr)
    weights = fit(samples, Random(args.seed))
    kinds = sorted({kind for kind, _ in weights})
    rows = {kind: [round(weights.get((kind, row), prior(kind, row))) for row in range(4)] for kind in kinds}
    args.out.write_text("{\n" + ",\n".join(f' "{kind}": {json.dumps(row)}' for kind, row in rows.items()) + "\n}\n")


def played(rng: Random) -> list[tuple[Features, float]]:
    """Play a game from a random opening, now and then by a random move; return its quiet positions."""
    state = GAME.start({"repetition": "3"}, 2)
    state = GAME.apply(state, 0, f"first {rng.choice((1, 2))}")
    found: list[Features] = []
    guesses: list[float] = []
    for ply in range(LONGEST):
        if state.reason:
            break
        if ply < 3 or rng.random() < 0.04:
            state = GAME.apply(state, state.to_move, rng.choice(GAME.legal(state, state.to_move)))
            continue
        moves = list(GAME.legal(state, state.to_move))
        rng.shuffle(moves)
        root = qenqe.bare(state)
        sides = qenqe.Sides(root)
        best = Search(sides, Budget(NODES), always).best(root, moves, qenqe.drawn(state, moves))[0]
        if abs(best.worth) < SURE and abs(best.worth - sides.worth(root)) <= QUIET:
            found.append(features(state))
            guesses.append(best.worth if state.to_move == 1 else -best.worth)
        state = GAME.apply(state, state.to_move, best.action)
    score = float(1 in state.winners) if state.winners else 0.5
    return [
        (each, 0.75 * score + 0.25 / (1 + math.exp(-guess / SCALE))) for each, guess in zip(found, guesses, strict=True)
    ]


def features(state: State) -> Features:
    """Return the stacks of a position by kind and row; those of seat 2 count against."""
    found: Counter[tuple[str, int]] = Counter()
    for space, stack in enumerate(state.cells):
        if stack:
            seat, row = owner(stack), space // RING
            sign = 1 if seat == 1 else -1
            found[qenqe.kind(stack), row] += sign
            captives = sum(letter.isupper() for letter in stack) - stack.count(stack[0].upper())
            found["held", row] -= sign * captives
    return {index: number for index, number in found.items() if number}


def prior(kind: str, row: int) -> float:
    return float(qenqe.held(row) if kind == "held" else qenqe.weight(kind, row))


def fit(samples: list[tuple[Features, float]], rng: Random) -> dict[tuple[str, int], float]:
    """Return the weights that fit the samples, by stochastic gradient descent from those in use."""
    seen = Counter(index for found, _ in samples for index in found)
    known = {index: prior(*index) for index, times in seen.items() if times >= SEEN}
    weights = dict(known)
    for epoch in range(15):
        rng.shuffle(samples)
        rate, loss = 12.0 / (1 + epoch), 0.0
        for found, score in samples:
            lead = sum((weights[index] if index in weights else prior(*index)) * n for index, n in found.items())
            error = score - 1 / (1 + math.exp(-max(min(lead / SCALE, 30), -30)))
            loss += error * error
            for index, number in found.items():
                if index in weights:
                    weights[index] += rate * (error * number - 0.00003 * (weights[index] - known[index]))
        print(f"epoch {epoch}: {loss / max(len(samples), 1):.4f}", file=sys.stderr)
    return weights


if __name__ == "__main__":
    main()
