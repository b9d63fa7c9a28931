"""Which card a bot plays at Celtic Whist: each is tried in deals that may be, its rest played out or searched."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from engine import counted
from engine.games.celtic_whist import CARD, GAME, NAMES, State, taken
from p2p_stonehenge.bots.celtic_whist.aims import POINT, Aims
from p2p_stonehenge.bots.celtic_whist.alone import Solitaire
from p2p_stonehenge.bots.celtic_whist.endings import EndSearch
from p2p_stonehenge.bots.celtic_whist.layout import Layout, layout, places
from p2p_stonehenge.bots.celtic_whist.levels import ALL_KNOWN, ENDINGS, Level
from p2p_stonehenge.bots.celtic_whist.playout import Round
from p2p_stonehenge.bots.celtic_whist.reasons import reasons
from p2p_stonehenge.bots.celtic_whist.worlds import deals, round_of
from p2p_stonehenge.bots.thought import Interrupted, Part, Reason, Running, Thought

ALL = -1
"""The set of all places."""
SELFISH = 0.001
"""What it counts beside the surest end that the others play for themselves rather than against one seat."""
BLIND = 0.1
"""What playouts count beside a search to the end, in a team: most cards still allow the round to be made if all see all
hands, and playouts tell which of them also do when the partners do not. With two seats rounds were made the oftener."""


class Tried(NamedTuple):
    """What became of each card, by its place, in deals that were played out."""

    worth: dict[int, float]
    """What it brings on average."""
    ends: dict[int, Counter[tuple[int, ...]]]
    """How often the round ended so: how many more tricks each seat wanted then. Empty if nothing was played out."""

    def told(self, place: int, aims: Aims, me: int) -> Reason:
        """Return what a card brought, to go with what else is known of it."""
        if not (ends := self.ends.get(place)):
            return ()
        deals = ends.total()
        if aims.team:
            all_met = ends[(0,) * len(aims.totals)]
            return (Part(f"lets all bids come out in {all_met} of {deals} deals that were played out"),)
        others = len(aims.totals) - 1
        own = sum(many * aims.gains(need)[me] for need, many in ends.items())
        rest = sum(many * sum(aims.gains(need)) for need, many in ends.items()) - own
        each = "each other player" if others > 1 else "the other player"
        brings = f"brings {_tenths(own / deals)} points on average, {each} {_tenths(rest / others / deals)}"
        return (Part(brings),)


def _tenths(points: float) -> str:
    return f"{round(points, 1) + 0.0:.1f}"  # not -0.0


def cards(
    view: State, seat: int, level: Level, rng: Random, running: Running, asked: Sequence[str] = ()
) -> tuple[Thought, ...]:
    """Return the cards of `seat`, best first; only those that are `asked` about, if any are."""
    plan = layout(view.trump)
    wanted = plan.mask(CARD[view.trump][name] for name in asked) or ALL
    seats = view.standing.seats
    aims = Aims(view, [view.bids[one - 1] for one in seats], level.racing)
    tried = _tried(view, seat, aims, plan, wanted, level, rng, running)
    needs = [target - taken(view, one) for one, target in zip(seats, aims.targets, strict=True)]
    wants, does = _wants(view, seat, aims, needs), reasons(view, seat, aims, needs)
    found = []
    for place in sorted(tried.worth, key=lambda place: -tried.worth[place]):
        name, ends = NAMES[view.trump][plan.cards[place]], tried.told(place, aims, seats.index(seat))
        found.append(Thought(name, POINT * tried.worth[place], (*does[name], Part(wants, clause=True), *ends)))
    return tuple(found)


def _tried(
    view: State, seat: int, aims: Aims, plan: Layout, wanted: int, level: Level, rng: Random, running: Running
) -> Tried:
    """Return what becomes of each of the cards `wanted` of `seat` in deals that may be, at a level of play."""
    seats = view.standing.seats
    if len(seats) == 1:
        worlds = [GAME.complete(view, rng) for _ in range(level.worlds)]
        return Tried(_alone(worlds, wanted, aims, level, rng, running), {})
    me, start = seats.index(seat), round_of(view, aims, plan)
    rounds = [start.dealt(hands) for hands in deals(view, level.worlds, level.inferring, rng)]
    try:
        united = Aims(view, [view.bids[one - 1] for one in seats], level.racing, united=True)
        sure = _searched(rounds, wanted, (aims, united), me, level, running)
    except Interrupted:
        sure = {}
    if sure and not (aims.team and len(rounds) > 1):
        return Tried(sure, {})
    tried = _played_out(rounds, wanted, aims, me, level, rng, running)
    if not sure:
        return tried
    worth = {place: (surely + BLIND * tried.worth[place]) / (1 + BLIND) for place, surely in sure.items()}
    return tried._replace(worth=worth)


def _wants(view: State, seat: int, aims: Aims, needs: Sequence[int]) -> str:
    """Return in words how many more tricks `seat` wants and, in a team, the others; `needs`: those of each seat."""
    seats = view.standing.seats
    own = needs[seats.index(seat)]
    if own < 0:
        wants = "too many tricks are taken already"
    elif own > view.hands[seat - 1].bit_count():
        wants = "the bid cannot be made any more"
        if len(seats) > 1 and not aims.team and not view.standing.totals[seat - 1]:
            wants += ", which costs nothing without points to lose"
    else:
        wants = f"{counted(own, 'more trick') if own else 'no more tricks'} {'is' if own == 1 else 'are'} wanted"
    if not aims.team or len(seats) < 2:
        return wants
    others = sum(max(need, 0) for one, need in zip(seats, needs, strict=True) if one != seat)
    return f"{wants}, the others of the team {others or 'none'}"


def _played_out(
    rounds: list[Round],
    wanted: int,
    aims: Aims,
    me: int,
    level: Level,
    rng: Random,
    running: Running,
) -> Tried:
    """Return what becomes of each of the cards `wanted` when the rest is played out by a rule of thumb."""
    sums = dict.fromkeys(places(rounds[0].legal() & wanted), 0.0)
    ends = {place: Counter[tuple[int, ...]]() for place in sums}
    deals = 0
    for start in rounds:
        if deals and not running():
            break
        for place in sums:
            after = start.copy()
            after.play(place)
            after.play_out(rng, level.erratic)
            sums[place] += aims.worth(me, after.need)
            ends[place][tuple(after.need)] += 1
        deals += 1
    return Tried({place: total / deals for place, total in sums.items()}, ends)


def _searched(
    rounds: list[Round],
    wanted: int,
    both: tuple[Aims, Aims],
    me: int,
    level: Level,
    running: Running,
) -> dict[int, float]:
    """Return by place what each card brings on average if each deal is searched to its end.

    Nothing where too many cards are left for that.
    If all cards are known, a card counts by what it makes sure of, whatever the others play. `both`: what each seat
    aims at for itself, and against all others together.
    """
    aims, united = both
    held, players = rounds[0].hands[me].bit_count(), len(rounds[0].hands)
    if not level.ending[players] or held > max(level.ending[players], ALL_KNOWN * (len(rounds) == 1)):
        return {}
    known = Counter(tuple(start.hands) for start in rounds)
    if len(known) > ENDINGS and held > 1:
        rounds = rounds[:ENDINGS]
    different = {tuple(start.hands): start for start in rounds}
    sums = dict.fromkeys(places(rounds[0].legal() & wanted), 0.0)
    alone = len(known) == 1 and players > 2 and not aims.team
    for hands, start in different.items():
        searches = [(EndSearch(aims, running, start), SELFISH if alone else 1.0)]
        if alone:
            searches.append((EndSearch(united, running, start, me), 1.0))
        for place in sums:
            after = start.copy()
            after.play(place)
            for search, part in searches:
                sums[place] += part * known[hands] * search.worths(after)[me]
    deals = sum(known[hands] for hands in different)
    return {place: total / deals for place, total in sums.items()}


def _alone(
    worlds: list[State], wanted: int, aims: Aims, level: Level, rng: Random, running: Running
) -> dict[int, float]:
    """Return by place what each answer to the dummy's lead brings on average."""
    games = [Solitaire(world, layout(world.trump)) for world in worlds]
    need = aims.targets[0] - taken(worlds[0], 1)
    sums = dict.fromkeys(places(games[0].legal() & wanted), 0.0)
    for number, game in enumerate(games):
        if number and not running():
            return {place: total / number for place, total in sums.items()}
        for place in sums:
            sums[place] += aims.worth(0, [need - game.tricks(need, rng, level.erratic, place)])
    return {place: total / len(games) for place, total in sums.items()}
