"""Makes the suites of Byzantine Kingamon and Celtic Whist in tests/data/suites: positions found by exhaustive search.

Kingamon, one rolled position a line, as white's and red's places in hex, the seat, the dice:
  king      the roll can be played so that no roll of the other side takes the king, and also so that one does
  bear off  both sides are home; the roll can be played without waste, and with it

Celtic Whist, as options, trump, deal, bids and cards; the seat to play holds four cards and all cards are known:
  two       two seats: the best card against the best answers, and some card is worse
  sure      three and four seats: the card with the best lead that no play of the others can lessen; some card is worse
  team      the team can still make the round, and some card spoils it

    python scripts/make_suites_chance.py             writes both files (a quarter of an hour or more)
    python scripts/make_suites_chance.py --out DIR   writes them into another folder
    python scripts/make_suites_chance.py --check     writes nothing, says whether the files are what this script makes

Exit codes: 1 a file differs from what this script makes, 2 bad usage.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from make_bear_off import expected  # noqa: E402

from engine import CHANCE, Chance  # noqa: E402  after the path is set
from engine.games import celtic_whist as whist  # noqa: E402
from engine.games import kingamon  # noqa: E402
from protocol import draw_locally  # noqa: E402

COUNT = 300
CARDS = 4
FOLDER = ROOT / "tests" / "data" / "suites"
WASTE = 0.01
"""Turns by which a play must be worse than the best to be waste; the table is rounded to a thousandth."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="default: tests/data/suites")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the files are as made")
    args = parser.parse_args()
    differing = 0
    if not args.check:
        args.out.mkdir(parents=True, exist_ok=True)
    turns = expected(exact=True, pieces=kingamon.DISKS + 1)
    for name, kinds in (
        ("kingamon", {"king": kings(Random("king")), "bear off": races(Random("race"), turns)}),
        (
            "celtic-whist",
            {"two": rounds(Random("two"), (2,)), "sure": rounds(Random("sure"), (3, 4)), "team": teams(Random("team"))},
        ),
    ):
        suites = {kind: [next(found) for _ in range(COUNT)] for kind, found in kinds.items()}
        lines = [
            f"{json.dumps(kind)}: [\n" + ",\n".join(map(json.dumps, rows)) + "\n]" for kind, rows in suites.items()
        ]
        path, made = args.out / f"{name}.json", "{\n" + ",\n".join(lines) + "\n}\n"
        if args.check:
            same = path.read_text() == made
            differing += not same
            print(f"{path.name}: {'as made' if same else 'differs from what this script makes'}", flush=True)
        else:
            path.write_text(made)
            print(f"{name}: {', '.join(f'{len(rows)} {kind}' for kind, rows in suites.items())}", flush=True)
    return int(differing > 0)


# Byzantine Kingamon.


def position(row: list[Any]) -> kingamon.State:
    """Return the rolled position of a line of a suite."""
    white, red, seat, dice = row
    state = kingamon.State(0, kingamon.ROLL, seat, bytes.fromhex(white), bytes.fromhex(red), b"", 0, 1, 0)
    return kingamon.GAME.apply(state, CHANCE, dice)


def played_out(state: kingamon.State) -> set[kingamon.State]:
    """Return every state in which the roll has been played out."""
    seat, waiting, found = state.seat, [state], set()
    while waiting:
        now = waiting.pop()
        if now.phase == kingamon.PLAY:
            waiting += [kingamon.GAME.apply(now, seat, play) for play in now.plays]
        else:
            found.add(now)
    return found


def takes_a_king(state: kingamon.State, a: int, b: int) -> bool:
    """Return whether a roll of the side to roll can win at once, extra rolls apart."""
    rolled = kingamon.GAME.apply(state, CHANCE, f"{a}-{b}")
    return rolled.phase == kingamon.PLAY and any(end.phase > kingamon.PLAY for end in played_out(rolled))


def king_in_danger(state: kingamon.State) -> bool:
    """Return whether some roll of the side that is to roll takes the other side's king."""
    return any(takes_a_king(state, a, b) for a, b in product(range(1, 7), range(1, 7)) if a <= b)


def kings(rng: Random) -> Iterator[list[Any]]:
    """Yield lines of the suite `king`, out of games in which kings go for walks."""
    while True:
        state = kingamon.GAME.start({"first": 1}, 2)
        while state.phase <= kingamon.PLAY:
            if state.phase == kingamon.ROLL:
                dice = rng.choice(kingamon.GAME.legal(state, CHANCE))
                row = [state.white.hex(), state.red.hex(), state.seat, dice]
                state = kingamon.GAME.apply(state, CHANCE, dice)
                if dice[0] == dice[2] or state.phase != kingamon.PLAY or rng.random() > 0.2:
                    continue
                ends = played_out(state)
                if any(end.phase > kingamon.PLAY for end in ends):
                    continue
                if len({king_in_danger(end) for end in ends}) == 2:
                    yield row
            else:
                walks = [play for play in state.plays if play[0] == "K"]
                state = kingamon.GAME.apply(
                    state, state.seat, rng.choice(walks if walks and rng.random() < 0.5 else state.plays)
                )


def home_of(state: kingamon.State, seat: int) -> bytes:
    """Return how many pieces of a seat stand on each place of its last six."""
    side = state.white if seat == 1 else state.red
    return bytes((byte & 15) + (byte >= kingamon.KING) for byte in side[kingamon.HOME : kingamon.OFF])


def races(rng: Random, turns: dict[bytes, float]) -> Iterator[list[Any]]:
    """Yield lines of the suite `bear off`."""
    while True:
        sides = []
        for _ in range(2):
            side = bytearray(kingamon.OFF + 1)
            for _ in range(kingamon.DISKS):
                side[rng.choice((*range(kingamon.HOME, kingamon.OFF), kingamon.OFF, kingamon.OFF))] += kingamon.DISK
            side[rng.randrange(kingamon.HOME, kingamon.OFF)] += kingamon.KING
            sides.append(side.hex())
        a, b = rng.sample(range(1, 7), 2)
        seat = rng.choice((1, 2))
        row: list[Any] = [*sides, seat, f"{a}-{b}"]
        state = position(row)
        left = [turns[home_of(end, seat)] for end in played_out(state)]
        if max(left) > min(left) + WASTE:
            yield row


# Celtic Whist.


def standing(row: list[Any]) -> whist.State:
    """Return the state of a line of a suite, with all cards known."""
    options, seats, actions = row
    state = whist.GAME.start({"first": 1, **options}, seats)
    for action in actions:
        state = whist.GAME.apply(state, CHANCE if action.startswith(("trump", "deal")) else state.seat, action)
    return state


def some_round(rng: Random, seats: int, options: dict[str, Any]) -> list[Any]:
    """Return a line with a round played at random down to CARDS cards of the seat that is to play."""
    state = whist.GAME.start({"first": 1, **options}, seats)
    actions: list[str] = []
    while True:
        due = whist.GAME.pending(state)
        if isinstance(due, Chance):
            action, actor = draw_locally(due.draw, rng.randbytes(32)), CHANCE
        elif state.phase == whist.BID:
            action, actor = some_bid(rng, state), state.seat
        elif state.hands[state.seat - 1].bit_count() == CARDS:
            return [options, seats, actions]
        else:
            action, actor = rng.choice(whist.GAME.legal(state, state.seat)), state.seat
        actions.append(action)
        state = whist.GAME.apply(state, actor, action)


def some_bid(rng: Random, state: whist.State) -> str:
    """Return a bid for about a fair share of the tricks, or null; the last of a team bids what is left."""
    hand, seats = whist.size(state.standing), len(state.bids)
    rest = hand - sum(max(bid, 0) for bid in state.bids)
    if state.standing.rules & whist.COOPERATIVE and sum(bid == 0 for bid in state.bids) == 1:
        return f"bid {rest}" if rest > 0 else "null 1"
    return rng.choice([f"bid {max(1, hand // seats + rng.randint(-1, 2))}", "null 2"])


Known = dict[tuple[Any, ...], float]


def lead(state: whist.State, seat: int) -> float:
    """Return by how much a seat leads: over its best rival and over all on average, in equal parts."""
    totals = list(state.standing.totals)
    own = totals.pop(seat - 1)
    return own - (max(totals) + sum(totals) / len(totals)) / 2


def assured(state: whist.State, seat: int, known: Known) -> float:
    """Return the best lead of `seat` after the round, whatever the others play."""
    if state.phase != whist.PLAY:
        return lead(state, seat)
    trick = state.plays[len(state.plays) - len(state.plays) % len(state.bids) :]
    key = (state.hands, state.seat, trick, tuple(whist.taken(state, one) for one in state.standing.seats))
    if key not in known:
        found = [
            assured(whist.GAME.apply(state, state.seat, action), seat, known)
            for action in whist.GAME.legal(state, state.seat)
        ]
        known[key] = max(found) if state.seat == seat else min(found)
    return known[key]


def made(state: whist.State, known: Known) -> float:
    """Return 1 if the team can still make its round, 0 if not."""
    if state.phase != whist.PLAY:
        return float(state.standing.totals[0] > 0)
    trick = state.plays[len(state.plays) - len(state.plays) % len(state.bids) :]
    key = (state.hands, state.seat, trick, tuple(whist.taken(state, one) for one in state.standing.seats))
    if key not in known:
        known[key] = float(
            any(
                made(whist.GAME.apply(state, state.seat, action), known)
                for action in whist.GAME.legal(state, state.seat)
            )
        )
    return known[key]


def worths(state: whist.State) -> dict[str, float]:
    """Return what each card leads to: in a team whether the round can be made, else the assured lead."""
    known: Known = {}
    team = state.standing.rules & whist.COOPERATIVE
    found = {}
    for action in whist.GAME.legal(state, state.seat):
        after = whist.GAME.apply(state, state.seat, action)
        found[action] = made(after, known) if team else assured(after, state.seat, known)
    return found


def rounds(rng: Random, players: tuple[int, ...]) -> Iterator[list[Any]]:
    """Yield lines of the suites `two` and `sure`."""
    while True:
        row = some_round(rng, rng.choice(players), {})
        found = worths(standing(row)).values()
        if max(found) > min(found):
            yield row


def teams(rng: Random) -> Iterator[list[Any]]:
    """Yield lines of the suite `team`."""
    while True:
        row = some_round(rng, rng.choice((2, 3, 4)), {"cooperative": True})
        state = standing(row)
        short = [max(bid, 0) - whist.taken(state, seat) for seat, bid in enumerate(state.bids, 1)]
        if min(short) >= 0 and sum(short) == CARDS and len(set(worths(state).values())) == 2:
            yield row


if __name__ == "__main__":
    sys.exit(main())
