"""Finds positions to test bots by: `python scripts/make_suites.py fidchess --number 300 --seed 1`.

Positions come from games of weak bots, at Fidchell of builders of chains (`built`), that make a random move now and
then; what holds of them is proven by trying everything (tests/client/bots/suite_proofs.py). They are written to
tests/data/suites/GAME.json as the actions that lead there, with the actions that are good, so that tests prove them
again whenever the rules change. With `--out FILE` they are written there instead.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client" / "bots")]

from suite_proofs import BETWEEN, KINDS, proven  # noqa: E402  after the path is set

from engine import CHANCE, Over, Turn, all_games  # noqa: E402
from engine.games import fidchell  # noqa: E402
from p2p_stonehenge.bots import fidchell as bots  # noqa: E402
from p2p_stonehenge.bots.thinking import bot_of  # noqa: E402

Entry = dict[str, Any]

SEATS = {"fidchess": (2,), "qenqe": (2, 3, 4, 5), "fidchell": (2,)}
"""The numbers of players of games in turn; a win in two is proven for two."""
OPTIONS: dict[str, tuple[dict[str, int], ...]] = {"fidchess": ({},), "qenqe": ({},), "fidchell": ({"pieces": 15}, {})}
"""By game: the options of games in turn. With fewer pieces they soon move, and captures soon put out."""
RANDOM = 0.2
OWN, CAPTURE = 0.7, 0.3
"""How often a builder of chains at Fidchell thinks of its own one, and captures where it can."""
LONGEST = 80
SCARCE = 10
"""Pieces of Fidchell: a seat that has no more may be put out by one action, which captures four at most."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SEATS)
    parser.add_argument("--kind", choices=KINDS, action="append", help="leave the other kinds as they are")
    parser.add_argument("--number", type=int, default=300, help="positions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: tests/data/suites/GAME.json")
    args = parser.parse_args()
    path = ROOT / "tests" / "data" / "suites" / f"{args.game}.json"
    suite = {} if args.kind is None else json.loads(path.read_text())
    (args.out or path).write_text(written(suite | found(args.game, args.kind or KINDS, args.number, args.seed)))


def written(suite: dict[str, list[Entry]]) -> str:
    """Return a suite as it is kept: a line for each position."""
    kinds = []
    for kind in KINDS:
        lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in suite[kind])
        kinds.append(f"{json.dumps(kind)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def found(key: str, kinds: Sequence[str], number: int, seed: int) -> dict[str, list[Entry]]:
    """Return positions of some kinds, no two of a kind from one game."""
    suite: dict[str, list[Entry]] = {kind: [] for kind in kinds}
    games = 0
    while lacking := [kind for kind in kinds if len(suite[kind]) < number]:
        games += 1
        for kind, entry in from_game(key, lacking, games, Random(f"{seed}/{key}/{games}")).items():
            suite[kind].append(entry)
        if games % 100 == 0:
            counts = ", ".join(f"{kind} {len(entries)}" for kind, entries in suite.items())
            print(f"{key}, {games} games: {counts}", file=sys.stderr)
    return suite


def from_game(key: str, kinds: Sequence[str], number: int, rng: Random) -> dict[str, Entry]:
    """Play the game with this number; return the first position of each of some kinds that is met."""
    game, suite = all_games()[key], dict[str, Entry]()
    seats, options = SEATS[key][number % len(SEATS[key])], OPTIONS[key][number % len(OPTIONS[key])]
    wanted = [kind for kind in kinds if kind != "win in two" or seats == 2]
    state, actions = game.start(options, seats), list[str]()
    early = rng.randrange(4, 12)
    while wanted and not isinstance(due := game.pending(state), Over) and len(actions) < LONGEST:
        if isinstance(due, Turn):
            seat = due.seat
            for kind in [*wanted] if len(actions) >= early else ():
                if likely(key, kind, state) and (good := proven(game, state, kind)):
                    wanted.remove(kind)
                    suite[kind] = {
                        "options": options,
                        "seats": seats,
                        "actions": BETWEEN.join(actions),
                        "good": BETWEEN.join(good),
                    }
            view = game.view(state, seat)
            level = 0 if rng.random() < RANDOM else 1
            builds = level and key == "fidchell"
            action = built(view, rng) if builds else bot_of(game).think(view, seat, level, rng)[0].action
        else:
            seat, action = CHANCE, rng.choice(game.legal(state, CHANCE))
        state = game.apply(state, seat, action)
        actions.append(action)
    return suite


def built(state: fidchell.State, rng: Random) -> str:
    """Return an action of the seat to act at Fidchell, for a chain of its own or in the way of one, or a capture.

    Learners there seldom come near a chain, better bots think long and stop each other's.
    """
    seat = state.to_move if rng.random() < OWN else 3 - state.to_move
    captures, fields = fidchell.captures(state), bots.FidchellPosition(state, seat).lacking(state, seat)
    if captures and rng.random() < CAPTURE:
        return rng.choice(captures)
    names = {state.rules.board.names[field] for field in fidchell.fields_of(fields)}
    actions = fidchell.GAME.legal(state, state.to_move)
    return rng.choice([action for action in actions if action.rpartition("-")[2] in names] or actions)


def likely(key: str, kind: str, state: Any) -> bool:
    """Return whether it is worth trying everything: in Fidchell, whether a chain or the end of the pieces is near."""
    if key != "fidchell":
        return True
    position = bots.FidchellPosition(state, state.to_move)
    own, other = (position.lack(state, seat) for seat in (state.to_move, 3 - state.to_move))
    left = [hand + men.bit_count() for hand, men in zip(state.hands, state.men, strict=True)]
    if kind == "keep":
        return other == 1 or left[state.to_move - 1] <= SCARCE
    return own in {"win in one": (1,), "win in two": (2, 3)}[kind] or left[2 - state.to_move] <= SCARCE


if __name__ == "__main__":
    main()
