"""Makes p2p_stonehenge/bots/weights/kingamon-bear-off.bin: the turns that bearing off takes when all pieces are home.

For each way to put up to eleven pieces on the six places of a home, in the order of `race.homes`: the turns that
remain when every die is played to bear off soonest, as a 16-bit number in 1/1024 of a turn. First all positions under
`bearing_off=exact`, then the same under `bearing_off=backgammon`.

    python scripts/make_bear_off.py              writes the file (a few seconds)
    python scripts/make_bear_off.py --out FILE   writes another one
    python scripts/make_bear_off.py --check      writes nothing, says whether the file is what this script makes

Exit codes: 1 the file differs from what this script makes, 2 bad usage.
"""

import argparse
import sys
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from p2p_stonehenge.bots.kingamon.race import BEAR_OFF_FILE, PIECES, SCALE, homes  # noqa: E402  after the path is set

Home = bytes
"""How many pieces stand on each place of the home; they are 6, 5, .. 1 spaces away from bearing off."""
ROLLS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(a, 7)]


FILE = ROOT / "p2p_stonehenge" / "bots" / "weights" / BEAR_OFF_FILE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE", help="default: the file of the package")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is as made")
    args = parser.parse_args()
    made = b"".join(table(exact) for exact in (True, False))
    if args.check:
        same = args.out.read_bytes() == made
        print(f"{args.out.name}: {'as made' if same else 'differs from what this script makes'}")
        return int(not same)
    args.out.write_bytes(made)
    print(f"{args.out.name}: {len(made)} bytes")
    return 0


def table(exact: bool) -> bytes:
    """Return the turns for every home, as the file has them."""
    turns = expected(exact, PIECES)
    row = array("H", [round(turns[home] * SCALE) for home in homes()])
    if sys.byteorder == "big":
        row.byteswap()
    return row.tobytes()


def expected(exact: bool, pieces: int) -> dict[Home, float]:
    """Return the expected turns for every home of up to so many pieces."""
    steps = {
        home: tuple(frozenset(plays(home, die, exact)) for die in range(7)) for home in homes() if sum(home) <= pieces
    }
    turns = {bytes(6): 0.0}
    # A play brings the pieces nearer to the end, so all that can follow from a home has been worked out before it.
    for home in sorted(steps, key=lambda home: sum((6 - at) * count for at, count in enumerate(home))):
        if not sum(home):
            continue
        total, stays = 0.0, 0
        for a, b, weight in ROLLS:
            again = a == b
            ends = after(home, a, b, steps)
            if ends == {home}:
                stays += weight
                total += weight * (not again)
            else:
                best = min(turns[end] for end in ends)
                # Equal dice roll again within the turn, unless the last piece is off.
                total += weight * (best + (not again or bytes(6) in ends))
        turns[home] = total / (36 - stays)
    return turns


def after(home: Home, a: int, b: int, steps: dict[Home, tuple[frozenset[Home], ...]]) -> set[Home]:
    """Return the homes that a roll can lead to; a die must be played while it can be."""
    ends: set[Home] = set()
    for first, second in {(a, b), (b, a)}:
        for middle in steps[home][first]:
            ends |= steps[middle][second] or {middle}
    return ends or {home}


def plays(home: Home, die: int, exact: bool) -> set[Home]:
    """Return the homes that one die can lead to."""
    found = set()
    for at, count in enumerate(home):
        away = 6 - at
        if die and count and (die <= away or not exact):
            cells = bytearray(home)
            cells[at] -= 1
            if die < away:
                cells[at + die] += 1
            found.add(bytes(cells))
    return found


if __name__ == "__main__":
    sys.exit(main())
