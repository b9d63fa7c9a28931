"""What the end of a round of Celtic Whist is worth to each seat, by the tricks that the seats have taken."""

import math
from collections.abc import Sequence

from engine.games.celtic_whist import COOPERATIVE, GOAL, State, score, size

POINT = 100
"""The worth of a point, as in the engine: hundredths."""
WIN = 12.0
"""What winning the game is worth beside the lead, in points; losing it costs as much."""
STAKE = 50.0
"""What the whole chance of winning the game counts, in points: with four seats a point is then worth about one."""
NEAR, FAR = 1.0, 2.5
"""So many points ahead make a player e times as likely to win as another: NEAR, and FAR times the root of the points
that are left to the end of the game. Fitted to 790 games of strong bots with two to five seats."""
MADE = 10.0
"""What it counts that a team makes a round, in points."""
NEAR_MISS = 0.05
"""In a team, what each trick too many or too few costs, against 1 for a round that is made: small misses come first."""


def target(worth: int, hand: int) -> int:
    """Return the tricks that a bid of this worth asks for; a double asks for all, a null bid for none."""
    return max(0, min(worth, hand))


class Aims:
    """The worth of the end of a round. Seats are counted from 0, in the order of play; a solitaire player is alone."""

    def __init__(self, view: State, bids: Sequence[int], racing: bool = False, united: bool = False) -> None:
        """`racing`: what counts is the chance of winning the game, not the lead. `united`: all rivals play against one
        seat, and so count as one in the lead."""
        standing = view.standing
        self.hand = size(standing)
        self.targets = [target(bid, self.hand) for bid in bids]
        self.team = standing.rules & COOPERATIVE > 0
        self.totals = [standing.totals[seat - 1] for seat in standing.seats]
        self.timer = standing.timer + 1
        self.racing = racing
        # What one rival loses helps the others as much: it counts the less, the more there are.
        self.rivals = 1 if united else max(len(self.totals) - 1, 1)
        self.points = [
            [score(standing.rules, self.hand, bid, tricks) for tricks in range(self.hand + 1)] for bid in bids
        ]
        self._known: dict[tuple[int, ...], float] = {}

    def worth(self, me: int, need: Sequence[int]) -> float:
        """Return in points what the end is worth to a seat, when each seat wants so many more tricks than it has."""
        key = (me, *need)
        if (found := self._known.get(key)) is None:
            found = self._known[key] = self._worth(me, need)
        return found

    def gains(self, need: Sequence[int]) -> list[int]:
        """Return how many points the end brings each seat, when each wants so many more tricks than it has."""
        return [after - before for after, before in zip(self._totals(need), self.totals, strict=True)]

    def _totals(self, need: Sequence[int]) -> list[int]:
        """Return the points that each seat has after such an end."""
        return [
            max(0, total + points[target - short])
            for total, points, target, short in zip(self.totals, self.points, self.targets, need, strict=True)
        ]

    def _worth(self, me: int, need: Sequence[int]) -> float:
        if self.team:
            return MADE * ((not any(need)) - NEAR_MISS * sum(map(abs, need)))
        totals = self._totals(need)
        own = totals.pop(me)
        if not totals:
            return own + WIN * ((own >= GOAL) - (own == 0 or self.timer >= GOAL > own))
        return self._chance(own, totals) if self.racing else self._lead(own, totals)

    def _lead(self, own: int, totals: Sequence[int]) -> float:
        """Return how far `own` points are ahead of the others, whose points are `totals`."""
        best = max(totals)
        lead = own - (best + sum(totals) / len(totals)) / 2 / self.rivals
        if own >= GOAL or best >= GOAL or self.timer >= GOAL:
            lead += WIN * ((own > best) - (own < best))
        return lead

    def _chance(self, own: int, totals: Sequence[int]) -> float:
        """Return how likely a player with `own` points wins the game from others who have `totals`, times STAKE."""
        best = max(totals)
        left = GOAL - max(own, best, self.timer)
        if left <= 0:
            return 0.0 if own < best else STAKE / (1 + totals.count(own))
        scale = NEAR + FAR * math.sqrt(left)
        return STAKE / (1.0 + sum([math.exp((total - own) / scale) for total in totals]))
