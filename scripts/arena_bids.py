"""How many bids of Celtic Whist bots meet: `python scripts/arena_bids.py 4 --players 4 --rounds 100 [--cooperative]`.

Bots of one level, a number or a name such as `club`, play whole games against each other. It prints the shares of
bids met exactly and of those with too many tricks, the points a round and seat, and the shares of rounds whose bids
add up to the tricks of a hand and in which every bid was met, with 95 % intervals over rounds.

With a level for each seat, as `python scripts/arena_bids.py 5 3 1 0 --rounds 100`, the levels move on by a seat after
each game, and bids met and points are those of each level.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena import interval  # noqa: E402  after the path is set

from engine import CHANCE, Chance, Over  # noqa: E402
from engine.games.celtic_whist import CARD, GAME, PLAY, State, score, size, taken, winning  # noqa: E402
from p2p_stonehenge.bots.players import level_named, levels_told  # noqa: E402
from p2p_stonehenge.bots.thinking import bot_of  # noqa: E402
from protocol import draw_locally  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", type=level, nargs="+", metavar="LEVEL", help="one for all seats, or one for each")
    parser.add_argument("--players", type=int, default=4, help="the number of seats, where one level is named")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cooperative", action="store_true")
    args = parser.parse_args()
    alike = len(args.levels) == 1
    levels = args.levels * args.players if alike else args.levels
    found: dict[str, list[float]] = defaultdict(list)
    for state, seated, tricks in islice(rounds(levels, args.cooperative, args.seed), args.rounds):
        hand, seats = size(state.standing), len(tricks)
        wanted = [max(0, min(bid, hand)) for bid in state.bids]
        exact = [took == want for want, took in zip(wanted, tricks, strict=True)]
        scores = [score(state.standing.rules, hand, bid, took) for bid, took in zip(state.bids, tricks, strict=True)]
        if not alike:
            for played, met, points in sorted(zip(seated, exact, scores, strict=True), reverse=True):
                found[f"level {played}, bids met"].append(float(met))
                found[f"level {played}, points a round"].append(points)
            continue
        found["bids met"].append(sum(exact) / seats)
        over = sum(took > want for want, took in zip(wanted, tricks, strict=True))
        found["bids with too many tricks"].append(over / seats)
        found["points a round"].append(sum(scores) / seats)
        found["rounds whose bids add up to the tricks"].append(float(sum(wanted) == hand))
        found["rounds with all bids met"].append(float(all(exact)))
    for what, values in found.items():
        mean, half = interval(values)
        print(f"{what}: {mean:.2f} ±{half:.2f} ({len(values)})")


def level(text: str) -> int:
    """Return the level that an argument names."""
    found = level_named(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"no level is called {text!r}; there are {levels_told()}")
    return found


def rounds(levels: Sequence[int], cooperative: bool, seed: int) -> Iterator[tuple[State, list[int], list[int]]]:
    """Yield of each round its last state before its last card, the levels of the seats, and the tricks that they took.

    The levels begin on seats 1, 2 and so on, and move on by a seat after each game.
    """
    players = len(levels)
    for number in count():
        # Deals are the same for every level and every way of thinking, as long as the games last equally long.
        chance, rng = Random(f"{seed}/{number}/chance"), Random(f"{seed}/{number}")
        seated = [levels[(seat - number) % players] for seat in range(players)]
        state = GAME.start({"cooperative": cooperative}, players)
        while not isinstance(due := GAME.pending(state), Over):
            if isinstance(due, Chance):
                state = GAME.apply(state, CHANCE, draw_locally(due.draw, chance.randbytes(32)))
                continue
            action = bot_of(GAME).think(GAME.view(state, due.seat), due.seat, seated[due.seat - 1], rng)[0].action
            after = GAME.apply(state, due.seat, action)
            if state.phase == PLAY != after.phase:
                trick = state.plays[1 - players :] + bytes((CARD[state.trump][action],))
                last = (state.leads[-1] - 1 + winning(state.trump, trick)) % players + 1
                yield state, seated, [taken(state, seat) + (seat == last) for seat in range(1, players + 1)]
            state = after


if __name__ == "__main__":
    main()
