"""Real faults, longer than the tests have time for: python scripts/faults.py kills --number 200

  kills   kills clients of running games at random moments and resumes them; every file must keep what it held
  heal    cuts the cable between two computers again and again, and takes the time until play goes on
  attack  plays a table that strangers attack in every way that was thought of, then one with a hostile seat
  five    plays whist and Qenqe with five of whom two collude, one is killed for good and one comes back meanwhile;
          then a game that one of five ends by signing two versions of a move, and the one that goes on from it

Ends with status 1 as soon as a promise is broken; 6: this system allows no network namespaces (heal).
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
sys.path[:0] = [str(ROOT), str(TESTS), str(TESTS / "client"), str(TESTS / "client" / "processes")]  # not installed

from attackers import KINDS as STRANGERS  # noqa: E402  after the path is set
from attacking import attack_a_table  # noqa: E402
from five import collusion, two_versions  # noqa: E402
from hostile_seat import KINDS as SEAT  # noqa: E402
from namespaces import Cables, why_not  # noqa: E402
from playing import FIRING_RANGE, agree, begin, games_under_fire, leave, people  # noqa: E402

NOT_ALLOWED = 6
ATTACKS = (*STRANGERS, *(f"seat {kind}" for kind in SEAT))
A_GAME = 10
"""Kills before the next game has its turn."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Real faults, longer than the tests have time for.")
    commands = parser.add_subparsers(dest="command", required=True)
    kills = commands.add_parser("kills", help="kill and resume clients at random moments")
    kills.add_argument("--number", type=int, default=200, metavar="N", help="default: 200")
    kills.add_argument("--seed", default="1", help="of the moments; the machine has its say as well")
    heal = commands.add_parser("heal", help="cut and mend a cable")
    heal.add_argument("--number", type=int, default=30, metavar="N", help="default: 30")
    attack = commands.add_parser("attack", help="attack a table; a line for each attack")
    attack.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(ATTACKS)}; default: all")
    attack.add_argument("--seconds", type=float, default=5, metavar="S", help="of each attack; default: 5")
    attack.add_argument("--times", type=int, default=3, metavar="N", help="of which the median counts; default: 3")
    attack.add_argument("--files", type=int, metavar="N", help="file descriptors that each client may have")
    commands.add_parser("five", help="play among five with two who collude, and with one who signs two versions")
    said = parser.parse_args()
    if said.command == "attack" and (unknown := [kind for kind in said.kinds if kind not in ATTACKS]):
        attack.error(f"no attack is called {unknown[0]!r}; there are {', '.join(ATTACKS)}")
    with tempfile.TemporaryDirectory() as folder:
        done: dict[str, Callable[[], None]] = {
            "kills": lambda: kill(Path(folder), said.number, said.seed),
            "heal": lambda: healed(Path(folder), said.number),
            "five": lambda: among_five(Path(folder)),
            "attack": lambda: attacked(Path(folder), said.kinds, said.seconds, said.times, said.files),
        }
        done[said.command]()


def kill(folder: Path, number: int, seed: str) -> None:
    began, total, games = time.monotonic(), 0, 0
    for turn, game in enumerate(cycle(FIRING_RANGE)):
        if total >= number:
            break
        for toll in games_under_fire(folder / str(turn), game, min(A_GAME, number - total), f"{seed} {turn}"):
            total, games = total + toll.kills, games + 1
            print(f"{time.monotonic() - began:6.0f} s  {game}: {toll}", flush=True)
    print(f"{total} kills in {games} games: 0 lost or changed events")


def attacked(folder: Path, kinds: list[str], seconds: float, times: int, files: int | None) -> None:
    within = () if files is None else ("prlimit", f"--nofile={files}:{files}")
    print(f"{'attack':18} {'ms an action, without and with':30} {'':7} processor  memory longest stop files")
    for kind in kinds or ATTACKS:
        found = [attack_a_table(folder / f"{kind} {n}", kind, seconds, within=within) for n in range(times)]
        middle = sorted(found, key=lambda one: one.slower)[times // 2]
        busy = sorted(one.busy for one in found)[times // 2]
        memory, stop, most = (max(getattr(one, name) for one in found) for name in ("more_memory", "stopped", "files"))
        pace = f"{middle.quiet:13.1f} {middle.attacked:16.1f} {middle.slower:+7.0%}"
        cost = f"{busy:+9.0%} {memory:+4.0f} MB {1000 * stop:9.0f} ms {most:5}"
        print(f"{kind:18} {pace} {cost}   {middle.done}", flush=True)


def among_five(folder: Path) -> None:
    for game, seconds in (("qenqe", 30), ("celtic-whist", 60)):
        print(f"{game}: two collude, one is left behind, one comes back: {collusion(folder / game, game, seconds)}")
    print(f"qenqe: two versions end a game, and it goes on: {two_versions(folder / 'versions')}")


def healed(folder: Path, number: int) -> None:
    if reason := why_not():
        print(f"faults: {reason}", file=sys.stderr)
        raise SystemExit(NOT_ALLOWED)
    rng = Random(1)
    took: list[float] = []
    for game in range(-(-number // 10)):
        with Cables(2) as cables:
            players = people(folder / str(game), 2)
            for place, player in enumerate(players, 1):
                player.within, player.network = cables.within(place), ()
            try:
                begin(players, "fidchess", "-o", "turn_limit=1000")
                for player in players:
                    player.read_until(5)
                for _ in range(min(10, number - len(took))):
                    cut = rng.uniform(0.5, 12)
                    cables.lose(100)
                    time.sleep(cut)
                    cables.lose(0)
                    began = time.monotonic()
                    for player in players:
                        player.next_ply(60)
                    took.append(time.monotonic() - began)
                    print(f"cut for {cut:4.1f} s, back in play after {took[-1]:.2f} s", flush=True)
                for player in players:
                    player.end()
                agree(players)
            finally:
                leave(players)
    print(summed_up(took))


def summed_up(took: list[float]) -> str:
    """Return what cuts took together, in seconds, in words."""
    return f"{len(took)} cuts: half within {median(took):.2f} s, all within {max(took):.2f} s"


if __name__ == "__main__":
    main()
