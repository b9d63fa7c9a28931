"""What a bot bids at Celtic Whist: bids near what the hand may hope for, each tried in deals that may be."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from engine import counted
from engine.games.celtic_whist import COOPERATIVE, GAME, NULL_MAX, State, members, score, size, worth_of
from p2p_stonehenge.bots.celtic_whist.aims import POINT, Aims, target
from p2p_stonehenge.bots.celtic_whist.alone import Solitaire
from p2p_stonehenge.bots.celtic_whist.hope import hope
from p2p_stonehenge.bots.celtic_whist.layout import Layout, layout
from p2p_stonehenge.bots.celtic_whist.levels import Level
from p2p_stonehenge.bots.celtic_whist.playout import Round
from p2p_stonehenge.bots.celtic_whist.worlds import deals, follow_of
from p2p_stonehenge.bots.thought import Part, Reason, Running, Thought

NEAR = 2.5
"""How far from its hope a bid may be to be tried."""
NO_HOPE = 0.75
"""A hand with less hope than this is taken to bid null."""
TAME = 3
"""The size of a null bid that is brave enough for a player who adds up chances, and that others are taken to make."""
SPOILT = {3: (0.6, 0.3), 4: (0.3, 0.15), 5: (0.3, 0.15)}
"""By the number of players: of the bids that come out in playouts, null bids and others, the part that the rivals spoil
by one trick too many. Those who think do better than a rule of thumb at making others take tricks. Tried in matches."""
NOBODY = -1
"""The place of no seat."""
TIMID = 0.1
"""What each point more or less than that counts, in tricks."""


def bids(
    view: State, seat: int, level: Level, rng: Random, running: Running, asked: Sequence[str] = ()
) -> tuple[Thought, ...]:
    """Return the bids of `seat` that are worth a try, best first; just those that are `asked` about, if any are."""
    hand = size(view.standing)
    pride = level.pride[len(view.standing.seats)] * view.standing.totals[seat - 1]
    hoped = _hope(view, seat, layout(view.trump)) + pride
    may = (a for a in GAME.legal(view, seat) if _may_do(view, seat, target(worth_of(a, hand), hand), hoped))
    worth = {action: worth_of(action, hand) for action in asked or may}
    if not level.bids:
        off = {
            action: abs(target(bid, hand) - hoped) + (TIMID * abs(-bid - TAME) if bid < 0 else 0.0)
            for action, bid in worth.items()
        }
        ranked = sorted(off, key=off.__getitem__)
        guess = (Part(f"is a guess: the hand may hope for {hoped:.1f} tricks"),)
        return tuple(Thought(action, -POINT * off[action], guess) for action in ranked)
    # Bids for the same tricks come out alike, so one playout of a world judges them all.
    alike: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for action, bid in worth.items():
        alike[target(bid, hand)][action] = bid
    sums: defaultdict[str, float] = defaultdict(float)
    came_out = Counter[int]()
    tried = 0
    if len(view.standing.seats) == 1:
        while tried < level.bids:
            _try_alone(GAME.complete(view, rng), alike, sums, came_out, level.erratic, rng)
            tried += 1
            if not running():
                break
    else:
        table = Bidders(view, seat, level.racing, level.erratic)
        for hands in deals(view, level.bids, level.inferring, rng):
            table.try_bids(hands, alike, sums, came_out, rng)
            tried += 1
            if not running():
                break
    ranked = sorted(sums, key=lambda action: -sums[action])
    told = {
        wanted: Part(
            f"comes out in {came_out[wanted]} of {tried} deals played for {_exactly(wanted)}"
            + _doubt(view, wanted, came_out[wanted])
        )
        for wanted in alike
    }
    reasons = [(told[target(worth[action], hand)], *_stake(view, seat, worth[action])) for action in ranked]
    often = [came_out[target(worth[action], hand)] for action in ranked]
    if often[0] < max(often[1:3], default=0):  # else it reads as a mistake that this bid stands first
        whose = "it wins and costs" if len(view.standing.seats) == 1 else "all players then have"
        reasons[0] += (Part(f"stands first by the points that {whose} on average"),)
    return tuple(
        Thought(action, POINT * sums[action] / tried, reason) for action, reason in zip(ranked, reasons, strict=True)
    )


def _exactly(tricks: int) -> str:
    return f"exactly {counted(tricks, 'trick')}" if tricks else "no tricks"


def _doubt(view: State, wanted: int, came_out: int) -> str:
    """Return in words that begin with a comma how many such bids are spoilt, as matches have shown; "" for none."""
    if not came_out or not (part := _spoilt(view, wanted)):
        return ""
    spoilt, of = Fraction(part).limit_denominator(20).as_integer_ratio()
    return f", but rivals who think spoil about {spoilt} in {of} of these"


def _spoilt(view: State, wanted: int) -> float:
    """Return the part of the bids for so many tricks that come out in playouts and would be spoilt at a table."""
    players = len(view.standing.seats)
    if players < 3 or view.standing.rules & COOPERATIVE or wanted == size(view.standing):
        return 0.0
    return SPOILT[players][wanted > 0]


def _stake(view: State, seat: int, bid: int) -> Reason:
    """Return what a null bid brings and costs, as far as it is known; of another, whether there is nothing to lose."""
    standing = view.standing
    if bid == NULL_MAX:
        return ()
    if bid > 0:
        free = len(standing.seats) > 1 and not standing.rules & COOPERATIVE and not standing.totals[seat - 1]
        return (Part("otherwise it costs nothing, since there are no points to lose", clause=True),) if free else ()
    if standing.rules & COOPERATIVE:
        return (Part("to a team all null bids count alike", clause=True),)
    hand, total = size(standing), standing.totals[seat - 1]
    alone = len(standing.seats) == 1
    loss = min(-score(standing.rules, hand, bid, 1), total)
    if alone and loss == total:
        costs = "loses the game"
    else:
        costs = f"costs {loss}" if loss else "costs nothing, since there are no points to lose"
    unless = "" if alone or max(view.bids) > 0 else ", unless all bid null"
    gain = counted(score(standing.rules, hand, bid, 0), "point")
    return Part(f"brings {gain} then{unless}"), Part(f"otherwise it {costs}", clause=True)


def _hope(state: State, seat: int, plan: Layout) -> float:
    hand = plan.mask(members(state.hands[seat - 1]))
    return hope(state.trump, len(state.standing.seats), hand)


def _may_do(view: State, seat: int, tricks: int, hoped: float) -> bool:
    """Return whether a bid for so many tricks is worth a try: null, near the hope, or just what is left to a team."""
    if view.standing.rules & COOPERATIVE and all(bid for other, bid in enumerate(view.bids, 1) if other != seat):
        rest = _rest(view.bids, size(view.standing))
        return tricks == max(rest, 0)
    return tricks == 0 or abs(tricks - hoped) <= NEAR


def _rest(made: Sequence[int], hand: int) -> int:
    """Return the tricks that the bids of a team have left over."""
    return hand - sum(target(bid, hand) for bid in made)


def _try_alone(
    world: State,
    alike: dict[int, dict[str, int]],
    sums: defaultdict[str, float],
    came_out: Counter[int],
    erratic: float,
    rng: Random,
) -> None:
    """Do as `Bidders.try_bids` does for a player alone with the dummy."""
    game = Solitaire(world, layout(world.trump))
    for wanted, actions in alike.items():
        short = wanted - game.tricks(wanted, rng, erratic)
        came_out[wanted] += not short
        for action, bid in actions.items():
            sums[action] += Aims(world, [bid]).worth(0, [short])


class Bidders:
    """The seats of a round in which `seat` is to bid. Seats are counted from 0, in the order of play."""

    def __init__(self, view: State, seat: int, racing: bool, erratic: float) -> None:
        """Without a `seat`, 0, all bids are guessed."""
        self.view = view
        self.racing, self.erratic = racing, erratic
        seats = view.standing.seats
        self.me = seats.index(seat) if seat else NOBODY
        self.plan, self.hand = layout(view.trump), size(view.standing)
        self.follow = follow_of(view, self.plan)
        self.bids = [view.bids[other - 1] for other in seats]
        self.last = seats.index(view.standing.dealer)
        self.aims: dict[tuple[int, ...], Aims] = {}
        """By all bids as they count."""

    def try_bids(
        self,
        hands: list[int],
        alike: dict[int, dict[str, int]],
        sums: defaultdict[str, float],
        came_out: Counter[int],
        rng: Random,
    ) -> None:
        """Add to each bid what it brings in one deal, and count in `came_out` whether just as many tricks are taken."""
        me, guessed = self.me, self._guessed(hands)
        for wanted, actions in alike.items():
            short = None
            for action, bid in actions.items():
                made = self._settled([*guessed[:me], bid, *guessed[me + 1 :]])
                aims = self._aims(made)
                if short is None:
                    short = self._played_out(hands, made, aims, rng)
                    came_out[wanted] += not short[me]
                sums[action] += _expected(aims, me, short, _spoilt(self.view, wanted))

    def worths(self, hands: list[int], rng: Random) -> list[float]:
        """Return what a deal is worth to each seat, in points, when all bid what their hands call for."""
        made = self._settled(self._guessed(hands))
        aims = self._aims(made)
        short = self._played_out(hands, made, aims, rng)
        return [aims.worth(one, short) for one in range(len(hands))]

    def _aims(self, made: tuple[int, ...]) -> Aims:
        if (found := self.aims.get(made)) is None:
            found = self.aims[made] = Aims(self.view, made, self.racing)
        return found

    def _played_out(self, hands: list[int], made: tuple[int, ...], aims: Aims, rng: Random) -> list[int]:
        """Return how many more tricks each seat wants at the end of a round."""
        round_ = Round(self.plan, self.follow, hands[:], aims.targets[:], self._leader(made))
        round_.play_out(rng, self.erratic)
        return round_.need

    def _guessed(self, hands: Sequence[int]) -> list[int]:
        """Return the bids that were made and, for seats that bid later, those that their hands call for."""
        found = self.bids[:]
        for other, bid in enumerate(found):
            if not bid and other != self.me:
                hoped = hope(self.view.trump, len(hands), hands[other])
                found[other] = round(hoped) if hoped >= NO_HOPE else -TAME
        return found

    def _settled(self, made: list[int]) -> tuple[int, ...]:
        """Return all bids as they count when bidding has ended; the last seat of a team takes what is left."""
        last = self.last
        if self.view.standing.rules & COOPERATIVE and last != self.me and not self.bids[last]:
            rest = _rest([*made[:last], *made[last + 1 :]], self.hand)
            made[last] = rest if rest > 0 else -1
        highest = max(made)
        if highest < 0:
            return (0,) * len(made)
        return tuple([-highest if bid == NULL_MAX else bid for bid in made])

    def _leader(self, made: Sequence[int]) -> int:
        """Return which of the seats leads to the first trick."""
        totals, seats = self.view.standing.totals, self.view.standing.seats
        order: list[int] = [*range(self.last, len(seats)), *range(self.last)]
        return max(order, key=lambda one: (made[one], totals[seats[one] - 1]))


def _expected(aims: Aims, me: int, short: Sequence[int], spoilt: float) -> float:
    """Return what a bid is worth that came out so in a playout, if rivals spoil that part of those that do."""
    worth = aims.worth(me, short)
    if short[me] or not spoilt:
        return worth
    return (1 - spoilt) * worth + spoilt * aims.worth(me, [need - (seat == me) for seat, need in enumerate(short)])
