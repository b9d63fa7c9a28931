"""What a bot bids at Celtic Whist: bids near what the hand may hope for, each tried in deals that may be."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from engine import counted
from engine.games.celtic_whist import COOPERATIVE, GAME, NULL_MAX, State, members, size, worth_of
from p2p_stonehenge.bots.celtic_whist.aims import POINT, Aims, target
from p2p_stonehenge.bots.celtic_whist.alone import Solitaire
from p2p_stonehenge.bots.celtic_whist.hope import hope
from p2p_stonehenge.bots.celtic_whist.layout import Layout, layout
from p2p_stonehenge.bots.celtic_whist.levels import SHORT, Level
from p2p_stonehenge.bots.celtic_whist.playout import Round
from p2p_stonehenge.bots.celtic_whist.worlds import follow_of, worlds
from p2p_stonehenge.bots.thought import Running, Thought

NEAR = 2.5
"""How far from its hope a bid may be to be tried."""
NO_HOPE = 0.75
"""A hand with less hope than this is taken to bid null."""
TAME = 3
"""The size of a null bid that is brave enough for a player who adds up chances, and that others are taken to make."""
SPOILT = {3: (0.6, 0.3), 4: (0.3, 0.15), 5: (0.3, 0.15)}
"""By the number of players: of the bids that come out in playouts, null bids and others, the part that the rivals spoil
by one trick too many. Those who think do better than a rule of thumb at making others take tricks. Tried in matches."""
TIMID = 0.1
"""What each point more or less than that counts, in tricks."""


def bids(view: State, seat: int, level: Level, rng: Random, running: Running) -> tuple[Thought, ...]:
    """Return the bids of `seat`, best first."""
    hand = size(view.standing)
    hoped = _hope(view, seat, layout(view.trump)) + level.pride * (hand - SHORT)
    hopes = f"the hand may hope for {hoped:.1f} tricks"
    worth = {action: worth_of(action, hand) for action in GAME.legal(view, seat)}
    if not level.bids:
        off = {
            action: abs(target(bid, hand) - hoped) + (TIMID * abs(-bid - TAME) if bid < 0 else 0.0)
            for action, bid in worth.items()
        }
        ranked = sorted(off, key=off.__getitem__)
        return tuple(Thought(action, -POINT * off[action], f"is a guess: {hopes}") for action in ranked)
    # Bids for the same tricks come out alike, so one playout of a world judges them all.
    alike: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for action, bid in worth.items():
        if bid < 0 or _may_do(view, seat, target(bid, hand), hoped):
            alike[target(bid, hand)][action] = bid
    sums: defaultdict[str, float] = defaultdict(float)
    came_out = Counter[int]()
    deals = worlds(view, level.bids, level.inferring, rng)
    for number, world in enumerate(deals):
        if number and not running():
            deals = deals[:number]
            break
        if len(view.standing.seats) == 1:
            _try_alone(world, alike, sums, came_out, rng)
        else:
            _try(world, seat, alike, sums, came_out, rng)
    ranked = sorted(sums, key=lambda action: -sums[action])
    told = {
        wanted: f"takes {counted(wanted, 'trick') if wanted else 'no tricks'} in {came_out[wanted]} of {len(deals)}"
        f" deals that were tried; {hopes}"
        for wanted in alike
    }
    return tuple(
        Thought(action, POINT * sums[action] / len(deals), told[target(worth[action], hand)]) for action in ranked
    )


def _hope(state: State, seat: int, plan: Layout) -> float:
    hand = plan.mask(members(state.hands[seat - 1]))
    return hope(state.trump, len(state.standing.seats), hand)


def _may_do(view: State, seat: int, tricks: int, hoped: float) -> bool:
    """Return whether a bid for so many tricks is worth a try: near the hope, or just what is left to a team."""
    if view.standing.rules & COOPERATIVE and all(bid for other, bid in enumerate(view.bids, 1) if other != seat):
        rest = _rest(view.bids, size(view.standing))
        return tricks == rest or (rest <= 0 and tricks == 1)
    return abs(tricks - hoped) <= NEAR


def _rest(made: Sequence[int], hand: int) -> int:
    """Return the tricks that the bids of a team have left over."""
    return hand - sum(target(bid, hand) for bid in made)


def _try_alone(
    world: State,
    alike: dict[int, dict[str, int]],
    sums: defaultdict[str, float],
    came_out: Counter[int],
    rng: Random,
) -> None:
    """Do as `_try` does for a player alone with the dummy."""
    game = Solitaire(world, layout(world.trump))
    for wanted, actions in alike.items():
        short = wanted - game.tricks(wanted, rng)
        came_out[wanted] += not short
        for action, bid in actions.items():
            sums[action] += Aims(world, [bid]).worth(0, [short])


def _try(
    world: State,
    seat: int,
    alike: dict[int, dict[str, int]],
    sums: defaultdict[str, float],
    came_out: Counter[int],
    rng: Random,
) -> None:
    """Add to each bid what it brings in one world, and count in `came_out` whether just as many tricks are taken."""
    seats, plan, hand = world.standing.seats, layout(world.trump), size(world.standing)
    me, follow = seats.index(seat), follow_of(world, plan)
    hands = [plan.mask(members(world.hands[other - 1])) for other in seats]
    guessed = _guessed(world, seat, plan)
    for wanted, actions in alike.items():
        short = None
        for action, bid in actions.items():
            made = _settled(world, [*guessed[:me], bid, *guessed[me + 1 :]], me)
            if short is None:
                round_ = Round(plan, follow, hands[:], [target(one, hand) for one in made], _leader(world, made))
                round_.play_out(rng)
                short = round_.need
                came_out[wanted] += not short[me]
            sums[action] += _expected(Aims(world, made), me, short)


def _expected(aims: Aims, me: int, short: Sequence[int]) -> float:
    """Return what a bid is worth that came out so in a playout, since rivals may spoil it."""
    worth = aims.worth(me, short)
    if short[me] or aims.team or len(short) == 2 or aims.targets[me] == aims.hand:
        return worth
    spoilt = SPOILT[len(short)][aims.targets[me] > 0]
    return (1 - spoilt) * worth + spoilt * aims.worth(me, [need - (seat == me) for seat, need in enumerate(short)])


def _guessed(world: State, seat: int, plan: Layout) -> list[int]:
    """Return the bids that were made and, for seats that bid after `seat`, those that their hands call for."""
    found = []
    for other in world.standing.seats:
        bid = world.bids[other - 1]
        if not bid and other != seat:
            hoped = _hope(world, other, plan)
            bid = -TAME if hoped < NO_HOPE else max(1, round(hoped))
        found.append(bid)
    return found


def _settled(world: State, made: list[int], me: int) -> list[int]:
    """Return all bids as they count when bidding has ended; the last seat of a team takes what is left."""
    standing = world.standing
    seats, hand = standing.seats, size(standing)
    if standing.rules & COOPERATIVE:
        last = (seats.index(standing.dealer)) % len(seats)
        if last != me and not world.bids[seats[last] - 1]:
            rest = _rest([*made[:last], *made[last + 1 :]], hand)
            made[last] = rest if rest > 0 else -1
    highest = max(made)
    if highest < 0:
        return [0] * len(made)
    return [-highest if bid == NULL_MAX else bid for bid in made]


def _leader(world: State, made: Sequence[int]) -> int:
    """Return which of the seats, counted from 0, leads to the first trick."""
    standing = world.standing
    seats = standing.seats
    at = seats.index(standing.dealer)
    order: list[int] = [*range(at, len(seats)), *range(at)]
    return max(order, key=lambda one: (made[one], standing.totals[seats[one] - 1]))
