"""What the end of a round of Celtic Whist is worth to each seat, by the tricks that the seats have taken."""

from collections.abc import Sequence

from engine.games.celtic_whist import COOPERATIVE, GOAL, State, score, size

POINT = 100
"""The worth of a point, as in the engine: hundredths."""
WIN = 12.0
"""What winning the game is worth beside the lead, in points; losing it costs as much."""
NEAR_MISS = 0.05
"""In a team, what each trick too many or too few costs, against 1 for a round that is made: small misses come first."""


def target(worth: int, hand: int) -> int:
    """Return the tricks that a bid of this worth asks for; a double asks for all, a null bid for none."""
    return max(0, min(worth, hand))


class Aims:
    """The worth of the end of a round. Seats are counted from 0, in the order of play; a solitaire player is alone."""

    def __init__(self, view: State, bids: Sequence[int], united: bool = False) -> None:
        """`united`: all rivals play against one seat, and so count as one."""
        standing = view.standing
        self.hand = size(standing)
        self.targets = [target(bid, self.hand) for bid in bids]
        self.team = standing.rules & COOPERATIVE > 0
        self.totals = [standing.totals[seat - 1] for seat in standing.seats]
        self.timer = standing.timer + 1
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
            return (not any(need)) - NEAR_MISS * sum(map(abs, need))
        totals = self._totals(need)
        own = totals.pop(me)
        if not totals:
            return own + WIN * ((own >= GOAL) - (own == 0 or self.timer >= GOAL > own))
        best = max(totals)
        lead = own - (best + sum(totals) / len(totals)) / 2 / self.rivals
        if own >= GOAL or best >= GOAL or self.timer >= GOAL:
            lead += WIN * ((own > best) - (own < best))
        return lead
