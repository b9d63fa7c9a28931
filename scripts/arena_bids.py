"""How many bids of Celtic Whist bots meet: `python scripts/arena_bids.py 4 --players 4 --rounds 100 [--cooperative]`.

Bots of one level play whole games against each other. It prints the shares of bids met exactly and of those with
too many tricks, the points a round and seat, and the shares of rounds whose bids add up to the tricks of a hand and
in which every bid was met, with 95 % intervals over rounds.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena import interval  # noqa: E402  after the path is set

from engine import CHANCE, Chance, Over  # noqa: E402
from engine.games.celtic_whist import CARD, GAME, PLAY, State, score, size, taken, winning  # noqa: E402
from p2p_stonehenge.bots.thinking import choose  # noqa: E402
from protocol import draw_locally  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("level", type=int)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cooperative", action="store_true")
    args = parser.parse_args()
    met: list[float] = []
    over: list[float] = []
    fitting: list[float] = []
    points: list[float] = []
    every: list[float] = []
    for state, tricks in rounds(args.level, args.players, args.cooperative, args.seed):
        hand, seats = size(state.standing), len(tricks)
        wanted = [max(0, min(bid, hand)) for bid in state.bids]
        exact = [took == want for want, took in zip(wanted, tricks, strict=True)]
        scores = [score(state.standing.rules, hand, bid, took) for bid, took in zip(state.bids, tricks, strict=True)]
        met.append(sum(exact) / seats)
        over.append(sum(took > want for want, took in zip(wanted, tricks, strict=True)) / seats)
        fitting.append(float(sum(wanted) == hand))
        points.append(sum(scores) / seats)
        every.append(float(all(exact)))
        if len(met) == args.rounds:
            break
    for what, values in (
        ("bids met", met),
        ("bids with too many tricks", over),
        ("points a round", points),
        ("rounds whose bids add up to the tricks", fitting),
        ("rounds with all bids met", every),
    ):
        mean, half = interval(values)
        print(f"{what}: {mean:.2f} ±{half:.2f} ({len(values)} rounds)")


def rounds(level: int, players: int, cooperative: bool, seed: int) -> Iterator[tuple[State, list[int]]]:
    """Yield each round's last state before its last card, and the tricks that the seats have taken with that card."""
    number = 0
    while True:
        # Deals are the same for every level and every way of thinking, as long as the games last equally long.
        chance, rng = Random(f"{seed}/{number}/chance"), Random(f"{seed}/{number}")
        number += 1
        state = GAME.start({"cooperative": cooperative}, players)
        while not isinstance(due := GAME.pending(state), Over):
            if isinstance(due, Chance):
                state = GAME.apply(state, CHANCE, draw_locally(due.draw, chance.randbytes(32)))
                continue
            action = choose(GAME, GAME.view(state, due.seat), due.seat, level, rng)
            after = GAME.apply(state, due.seat, action)
            if state.phase == PLAY != after.phase:
                trick = state.plays[1 - players :] + bytes((CARD[state.trump][action],))
                last = (state.leads[-1] - 1 + winning(state.trump, trick)) % players + 1
                yield state, [taken(state, seat) + (seat == last) for seat in range(1, players + 1)]
            state = after


if __name__ == "__main__":
    main()
