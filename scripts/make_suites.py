"""Finds positions to test bots by: `python scripts/make_suites.py fidchess --number 300 --seed 1`.

Positions come from games of weak bots that make a random move now and then; what holds of them is proven by trying
everything (tests/client/suite_proofs.py). They are written to tests/data/suites/GAME.json as the actions that lead
there, with the actions that are good, so that tests prove them again whenever the rules change.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client")]

from suite_proofs import BETWEEN, KINDS, proven  # noqa: E402  after the path is set

from engine import CHANCE, Over, Turn, all_games  # noqa: E402
from p2p_stonehenge.bots import fidchell  # noqa: E402
from p2p_stonehenge.bots.thinking import choose  # noqa: E402

SEATS: dict[str, dict[str, tuple[int, ...]]] = {
    "fidchess": dict.fromkeys(KINDS, (2,)),
    "qenqe": {"win in one": (2, 3, 4, 5), "keep": (2, 3, 4, 5), "win in two": (2,)},
    "fidchell": dict.fromkeys(KINDS, (2,)),
}
"""The numbers of players, by game and kind."""
OPTIONS = {"fidchell": {"pieces": 15}}
PLAYERS = {"fidchell": 2}
"""The level of those who play, where it is not the first: games of learners at Fidchell seldom come near a chain."""
RANDOM = 0.2
LONGEST = 80


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SEATS)
    parser.add_argument("--kind", choices=KINDS, action="append", help="leave the other kinds as they are")
    parser.add_argument("--number", type=int, default=300, help="positions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    path = ROOT / "tests" / "data" / "suites" / f"{args.game}.json"
    suite = {} if args.kind is None else json.loads(path.read_text())
    for kind in args.kind or KINDS:
        suite[kind] = found(args.game, kind, args.number, args.seed)
    path.write_text(written(suite))


def written(suite: dict[str, list[dict[str, object]]]) -> str:
    """Return a suite as it is kept: a line for each position."""
    kinds = []
    for kind in KINDS:
        lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in suite[kind])
        kinds.append(f"{json.dumps(kind)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def found(key: str, kind: str, number: int, seed: int) -> list[dict[str, object]]:
    """Return positions of a kind, no two of them from one game."""
    entries: list[dict[str, object]] = []
    games = 0
    while len(entries) < number:
        games += 1
        rng = Random(f"{seed}/{key}/{kind}/{games}")
        seats = SEATS[key][kind][games % len(SEATS[key][kind])]
        if entry := from_game(key, kind, seats, rng):
            entries.append(entry)
            if len(entries) % 20 == 0:
                print(f"{key}, {kind}: {len(entries)} positions out of {games} games", file=sys.stderr)
    return entries


def from_game(key: str, kind: str, seats: int, rng: Random) -> dict[str, object] | None:
    """Play a game; return a position of this kind out of it, if one is met."""
    game = all_games()[key]
    options = OPTIONS.get(key, {})
    state, actions = game.start(options, seats), list[str]()
    early = rng.randrange(4, 12)
    while not isinstance(due := game.pending(state), Over) and len(actions) < LONGEST:
        if isinstance(due, Turn):
            seat = due.seat
            if len(actions) >= early and likely(key, kind, state) and (good := proven(game, state, kind)):
                return {
                    "options": options,
                    "seats": seats,
                    "actions": BETWEEN.join(actions),
                    "good": BETWEEN.join(good),
                }
            view = game.view(state, seat)
            action = choose(game, view, seat, 0 if rng.random() < RANDOM else PLAYERS.get(key, 1), rng)
        else:
            seat, action = CHANCE, rng.choice(game.legal(state, CHANCE))
        state = game.apply(state, seat, action)
        actions.append(action)
    return None


def likely(key: str, kind: str, state: Any) -> bool:
    """Return whether it is worth trying everything: in Fidchell, whether chains are near enough."""
    if key != "fidchell":
        return True
    position = fidchell.Position(state, state.to_move)
    own, other = (position.lack(state, seat) for seat in (state.to_move, 3 - state.to_move))
    return {"win in one": own == 1, "keep": other == 1, "win in two": 1 < own < 4}[kind]


if __name__ == "__main__":
    main()
