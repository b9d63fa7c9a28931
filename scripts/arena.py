"""Matches between bots: `python scripts/arena.py fidchess 3 2 --games 100`, level 3 against level 2.

A game of chance or a random opening is played once from each seat with the same values, so that luck is shared. With
more than two seats the first bot sits alone among copies of the second; with the option `partners` it has a partner.
Beside the levels by number or name there is `greedy`, one reply ahead by the game's own worth.

`--record FILE` appends the result as a line of JSON; `python scripts/arena.py --table FILE...` prints such results as
the table of docs/bots.md. The same match played with several seeds is one row.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine import CHANCE, Chance, Game, Over, Turn, all_games  # noqa: E402  after the path is set
from p2p_stonehenge.bots.greedy import Greedy  # noqa: E402
from p2p_stonehenge.bots.players import LEVELS  # noqa: E402
from p2p_stonehenge.bots.thinking import bot_of  # noqa: E402
from p2p_stonehenge.bots.thought import always  # noqa: E402
from protocol import draw_locally  # noqa: E402

OPENING = {"fidchess": 4, "qenqe": 1, "fidchell": 2}
"""Random actions at the start, for each seat half of them in Fidchess."""
EVEN = {"fidchess": 100.0}
"""The most, in hundredths of a disk, by which an opening may favour a side as the club player sees it; others are drawn
again. Of 29 random ones two were won by the side to move, and three had cost a side more than two disks."""
USUAL = {"fidchess": {"repetition": "3"}, "qenqe": {"repetition": "3"}, "fidchell": {"repetition": "3"}}
"""Options that keep bots from playing on for ever, where the match says nothing else."""
CAP = 600
"""Actions after which a game is counted as drawn."""
MATCH = ("game", "options", "players", "first", "second", "fair")
"""What a result says of the match, whatever games were played of it."""


class Effort(NamedTuple):
    """What the first bot spent: its moves, processor seconds in all, and for the slowest move."""

    moves: int
    seconds: float
    worst: float

    def and_move(self, seconds: float) -> "Effort":
        return Effort(self.moves + 1, self.seconds + seconds, max(self.worst, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", help="such as fidchess")
    parser.add_argument("first", nargs="?", help="a level, or greedy")
    parser.add_argument("second", nargs="?", help="its opponent, or opponents")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=40, help="rounded up so that every seat is played equally often")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="stop after the games of a set in which these have passed")
    parser.add_argument("--opening", type=int, help="random actions at the start")
    parser.add_argument("--record", type=Path, metavar="FILE")
    parser.add_argument("--table", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_intermixed_args()
    if args.table:
        print(table([json.loads(line) for path in args.table for line in path.read_text().splitlines()]))
        return
    if not args.second:
        parser.error("name a game and two bots")
    options = dict(option.split("=", 1) for option in args.option)
    result = match(
        args.game,
        (args.first, args.second),
        args.players,
        options,
        args.games,
        args.seed,
        opening=args.opening,
        minutes=args.minutes,
        told=not args.quiet,
    )
    print(table([result]))
    if args.record:
        with args.record.open("a") as file:
            file.write(json.dumps(result) + "\n")


def match(
    key: str,
    bots: tuple[str, str],
    players: int,
    options: dict[str, str],
    games: int,
    seed: int,
    *,
    opening: int | None = None,
    minutes: float | None = None,
    told: bool = False,
) -> dict[str, Any]:
    """Play a match and return its result as the table wants it; `minutes`: of as many games as these are enough for."""
    ends = math.inf if minutes is None else time.monotonic() + 60 * minutes
    game = all_games()[key]
    chosen = {name: value for name, value in USUAL.get(key, {}).items() if name not in options} | options
    sides = seatings(players, chosen.get("partners") == "true")
    random_actions = OPENING.get(key, 0) if opening is None else opening
    scores, actions, effort = [], 0, Effort(0, 0.0, 0.0)
    points: list[float] = []
    for number in range(-(-games // len(sides))):
        of_set, lead = 0.0, 0.0
        for side in sides:
            seats = {seat: bots[0] if seat in side else bots[1] for seat in range(1, players + 1)}
            source = f"{seed}/{number}"
            score, ahead, length, effort = play(game, seats, side, chosen, source, random_actions, effort)
            of_set += score / len(sides)
            lead += ahead / len(sides)
            actions += length
        scores.append(of_set)
        points.append(lead)
        if told and sys.stderr.isatty():
            print(f"\r{len(scores) * len(sides)} games: {sum(scores) / len(scores):.3f} ", end="", file=sys.stderr)
        if time.monotonic() > ends:
            break
    mean, half = interval(scores)
    lead, lead_half = interval(points)
    return {
        "game": key,
        "options": options,
        "players": players,
        "first": bots[0],
        "second": bots[1],
        "games": len(scores) * len(sides),
        "fair": round(len(sides[0]) / players, 3),
        "score": round(mean, 3),
        "half": round(half, 3),
        "points": round(lead, 2),
        "points_half": round(lead_half, 2),
        "actions": round(actions / (len(scores) * len(sides)), 1),
        "ms": round(1000 * effort.seconds / max(effort.moves, 1), 1),
        "worst_ms": round(1000 * effort.worst),
        "seed": seed,
    }


def seatings(players: int, partners: bool) -> list[tuple[int, ...]]:
    """Return the seats of the first bot in each game of a set.

    >>> seatings(3, False), seatings(4, True)
    ([(1,), (2,), (3,)], [(1, 3), (2, 4)])
    """
    return [(1, 3), (2, 4)] if partners else [(seat,) for seat in range(1, players + 1)]


def play(
    game: Game[Any],
    seats: dict[int, str],
    side: tuple[int, ...],
    options: dict[str, str],
    source: str,
    opening: int,
    effort: Effort,
) -> tuple[float, float, int, Effort]:
    """Play a game; return the score of `side` (1 for a win), its lead in points, the actions, and its effort."""
    # What chance draws, and the opening, are the same for every game of a set.
    chance = Random(f"{source}/chance")
    own = {seat: Random(f"{source}/{seat}/{side}") for seat in seats}
    state, count = opened(game, options, len(seats), source, opening, chance), opening
    while not isinstance(due := game.pending(state), Over) and count < CAP * len(seats):
        if isinstance(due, Chance):
            state = game.apply(state, CHANCE, draw_locally(due.draw, chance.randbytes(32)))
            continue
        count += 1
        began = time.process_time()
        action = chosen_by(seats[due.seat], game, game.view(state, due.seat), due.seat, own[due.seat])
        if due.seat in side:
            effort = effort.and_move(time.process_time() - began)
        state = game.apply(state, due.seat, action)
    if not isinstance(due, Over) or not due.result.winners:
        return len(side) / len(seats), 0.0, count, effort
    winners, points = due.result.winners, due.result.points
    won = len({*side} & {*winners}) / len(winners)
    theirs = sum(points[seat - 1] for seat in side) / len(side)
    others = [points[seat - 1] for seat in seats if seat not in side]
    return won, theirs - sum(others) / len(others), count, effort


def opened(game: Game[Any], options: dict[str, str], players: int, source: str, actions: int, chance: Random) -> Any:
    """Return the state after so many random actions; where a side is far ahead of the other by then, after others."""
    start, early = chance.getstate(), Random(f"{source}/opening")
    while True:
        chance.setstate(start)
        state, left = game.start(options, players), actions
        while not isinstance(due := game.pending(state), Over) and (left or isinstance(due, Chance)):
            if isinstance(due, Chance):
                state = game.apply(state, CHANCE, draw_locally(due.draw, chance.randbytes(32)))
            else:
                state, left = game.apply(state, due.seat, early.choice(game.legal(state, due.seat))), left - 1
        if is_even(game, state):
            return state


def is_even(game: Game[Any], state: Any) -> bool:
    """Return whether no side is far ahead after an opening; where nothing is said of a game all openings are even."""
    if game.key not in EVEN:
        return True
    due = game.pending(state)
    if not isinstance(due, Turn):
        return False
    best = bot_of(game).think(game.view(state, due.seat), due.seat, LEVELS.index("strong"), Random(0))[0]
    return abs(best.worth) <= EVEN[game.key]


def chosen_by(bot: str, game: Game[Any], view: Any, seat: int, rng: Random) -> str:
    """Return what a bot, named by its level or `greedy`, plays."""
    if bot == "greedy":
        return Greedy(game).candidates(view, seat, 0, rng, always)[0].action
    level = int(bot) if bot.isdecimal() else LEVELS.index(bot)
    return bot_of(game).think(view, seat, level, rng)[0].action


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some values, and half the width of its 95 % interval.

    A match that is won in every game has no spread; its interval is widened by the rule of three.
    """
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, 1.0
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return mean, max(1.96 * spread, 0.0 if spread else 3 / count / 2)


def elo(score: float, fair: float) -> float | None:
    """Return the difference in Elo that a score means; None where nothing was lost, or nothing won.

    With more seats: that between the odds of the score and those of a fair share.
    """
    if not 0 < score < 1:
        return None
    return 400 * (math.log10(score / (1 - score)) - math.log10(fair / (1 - fair)))


def pooled(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one result for each match, where it stands first, of all games that were played with different seeds.

    Raises ValueError if a match stands there twice with one seed: those are the same games.
    """
    matches: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        matches.setdefault(json.dumps([result[name] for name in MATCH]), []).append(result)
    rows = []
    for played in matches.values():
        if len({result["seed"] for result in played}) < len(played):
            raise ValueError(f"the same games are there twice: {played}")
        games = sum(result["games"] for result in played)
        weighed = [(result["games"] / games, result) for result in played]
        row = {name: played[0][name] for name in MATCH} | {"games": games}
        row |= {name: sum(part * result[name] for part, result in weighed) for name in ("score", "actions", "ms")}
        row["half"] = math.hypot(*(part * result["half"] for part, result in weighed))
        row["worst_ms"] = max(result["worst_ms"] for result in played)
        rows.append(row)
    return rows


def table(results: Sequence[dict[str, Any]]) -> str:
    """Return results as a table in Markdown."""
    lines = [
        "| game | seats | match | games | score (fair) | lower end | Elo | actions | ms a move (worst) |",
        "| --- | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for result in pooled(results):
        options = " ".join(f"{name}={value}" for name, value in result["options"].items())
        score, half, fair = result["score"], result["half"], result["fair"]
        gain = elo(score, fair)
        names = [f"{bot} {LEVELS[int(bot)]}" if bot.isdecimal() else bot for bot in (result["first"], result["second"])]
        lines.append(
            f"| {result['game']}{' ' + options if options else ''} | {result['players']} | {names[0]} - {names[1]}"
            f" | {result['games']} | {score:.2f} ±{half:.2f} ({fair:.2f}) | {max(score - half, 0):.2f}"
            f" | {'-' if gain is None else f'{gain:+.0f}'} | {result['actions']:.0f}"
            f" | {result['ms']:.0f} ({result['worst_ms']}) |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
