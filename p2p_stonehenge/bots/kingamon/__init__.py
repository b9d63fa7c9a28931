"""How bots think about Byzantine Kingamon.

Rolls that capture a king come first, counted exactly; then the race, disks that stand alone, and a learned correction.

To be read in this order: `race`, `shots`, `value`, `search`, `levels`, `cube`, `reasons`, then the bot here.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from engine.games.kingamon import ANSWER, CHOOSE, GAME, PLAY, POINT, State
from p2p_stonehenge.bots.game_bot import GameBot
from p2p_stonehenge.bots.kingamon.cube import answers, offers
from p2p_stonehenge.bots.kingamon.levels import CANDIDATES, CAREFUL, LEARNED, NEAR, SECOND_PLY, value_of
from p2p_stonehenge.bots.kingamon.race import king_runs, settled
from p2p_stonehenge.bots.kingamon.reasons import king_faced, pieces_faced, plans, prospect, reason, risked
from p2p_stonehenge.bots.kingamon.search import PlayedOut, advantage, after, ends, farther, outlook
from p2p_stonehenge.bots.kingamon.value import Chance
from p2p_stonehenge.bots.reasons import EXPLAINED
from p2p_stonehenge.bots.thought import Interrupted, Part, Reason, Running, Thought
from p2p_stonehenge.bots.threats import Threat

__all__ = ["BOT"]

Sides: TypeAlias = tuple[bytes, bytes]
"""The sides of an end of a roll, White first: what tells it from others."""


class KingamonBot(GameBot[State]):
    """The bot of Byzantine Kingamon. Worth is in thousandths of a point."""

    alike = 50.0
    room = 5
    knows_threats = True

    def candidates(self, view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        chance = value_of(level, rng)
        if view.phase == CHOOSE:
            return offers(view, seat, level, chance)
        if view.phase == ANSWER:
            return answers(view, seat, level, chance)
        found = ends(view)
        states = {_sides(end.state): end.state for end in found}
        known = {key: outlook(state, seat, chance) for key, state in states.items()}
        # A king that runs alone may have to pass a shot: that is weighed against the race.
        safe = _safe(states, seat) if level >= CAREFUL and not king_runs(view.rules) else states
        if level >= SECOND_PLY and not settled(view.rules, view.white, view.red):
            known |= _looked_farther(safe, known, seat, chance, running)
        if len(safe) < len(states):
            least = min(known[key] for key in safe)
            known = {key: wins if key in safe else min(wins, least) * least for key, wins in known.items()}
        best: dict[str, PlayedOut] = {}
        for end in found:
            if end.first not in best or known[_sides(end.state)] > known[_sides(best[end.first].state)]:
                best[end.first] = end
        ranked = sorted(best.values(), key=lambda end: -known[_sides(end.state)])
        shared = _shared(view, seat, found)
        told = [reason(view, seat, end.middle, end.state, shared) for end in ranked[:EXPLAINED]]
        told += [()] * (len(ranked) - len(told))
        return tuple(
            Thought(end.first, _points(view, known[_sides(end.state)]), parts, end.then)
            for end, parts in zip(ranked, told, strict=True)
        )

    def explain(self, view: State, seat: int, thought: Thought, *, praised: bool = True) -> Reason:
        """Return what a candidate does, with the play that follows it, and what these are good for later on.

        What all plays of the roll are good for is left out. The same is told with and without `praised`.
        """
        if view.phase in (CHOOSE, ANSWER):
            return thought.parts
        first, last = GAME.apply(view, seat, thought.action), after(view, seat, thought)
        return reason(view, seat, first, last, _shared(view, seat, ends(view)))

    def estimate(self, view: State, seat: int, thought: Thought) -> float:
        if view.phase in (CHOOSE, ANSWER):
            return thought.worth
        return _points(view, outlook(after(view, seat, thought), seat, value_of(min(LEARNED), Random(0))))

    def same(self, view: State, one: Thought, other: Thought) -> bool:
        """Return also whether two candidates lead to the same position by other plays of the same dice."""
        alike = super().same(view, one, other)
        if alike or view.phase != PLAY:
            return alike
        return _sides(after(view, view.seat, one)) == _sides(after(view, view.seat, other))

    def outcome(self, view: State, seat: int, thought: Thought) -> str:
        return "" if view.phase in (CHOOSE, ANSWER) else prospect(seat, after(view, seat, thought))

    def threat(self, view: State, seat: int, action: str = "") -> Threat | None:
        """Return how many rolls take the king, or now a piece: after a play `outcome` tells of pieces."""
        rolls = king_faced(GAME.apply(view, seat, action) if action else view, seat)
        what = "your king" if rolls else "a piece"
        if not rolls and not action:
            rolls = pieces_faced(view, seat)
        return Threat(3 - seat, f"takes {what} with {rolls} of 36 rolls, as the pieces stand") if rolls else None

    def risk(self, view: State, seat: int, actions: Sequence[str]) -> Threat | None:
        now = view
        for action in actions:
            now = GAME.apply(now, seat, action)
        told = risked(view, seat, now)
        return Threat(3 - seat, told) if told else None

    def worth_told(self, view: State, worth: float) -> str:
        """Return in a sentence what a candidate leads to: points, or how often it wins; "" if it has won."""
        points = worth / POINT
        if view.phase in (CHOOSE, ANSWER):
            return f"It is worth about {points:+.2f} points to you."
        if points >= view.stake:
            return ""
        wins = round(50 * (1 + points / view.stake))
        return f"You win about {min(max(wins, 1), 99)} of 100 games from there."

    def counted_worth(self, state: State, worth: float) -> str:
        return f"{worth / POINT:.2f} points"

    def given_up(self, view: State) -> float:
        return _points(view, 0.0)

    def fortune(self, before: State, action: str) -> dict[int, float]:
        """Return what a roll brings the seat that rolls; empty for another draw."""
        if "-" not in action:
            return {}
        return {before.seat: 2 * POINT * before.stake * advantage(before, action, value_of(min(LEARNED), Random(0)))}


BOT = KingamonBot(GAME)


def _shared(view: State, seat: int, found: Sequence[PlayedOut]) -> frozenset[Part]:
    """Return what all ends of a roll are good for: that is no reason for one of them."""
    shared: frozenset[Part] | None = None
    for end in found:
        told = plans(view, seat, end.state)
        shared = frozenset(told) if shared is None else shared.intersection(told)
        if not shared:
            break
    return shared or frozenset()


def _points(view: State, wins: float) -> float:
    """Return what a chance to win is worth."""
    return POINT * view.stake * (2 * wins - 1)


def _sides(state: State) -> Sides:
    return state.white, state.red


def _safe(states: dict[Sides, State], seat: int) -> dict[Sides, State]:
    """Return the ends of a roll in which no roll of the other side takes the king and wins; all if there is none.

    Before an extra roll of `seat` nothing is taken.
    """
    found = {key: state for key, state in states.items() if state.seat == seat or not king_faced(state, seat)}
    return found or states


def _looked_farther(
    states: dict[Sides, State],
    known: dict[Sides, float],
    seat: int,
    chance: Chance,
    running: Running,
) -> dict[Sides, float]:
    """Return the chances of ends of a roll after the next roll: of the best at first sight; the others stay below.

    Nothing is returned if there was no time for all of them.
    """
    ranked = sorted(states, key=lambda key: -known[key])
    near = [key for key in ranked[:CANDIDATES] if known[key] > known[ranked[0]] - NEAR]
    if len(near) == 1:
        return {}
    try:
        found = {key: farther(states[key], seat, chance, running) for key in near}
    except Interrupted:
        return {}
    least = min(found.values())
    return {key: min(known[key], least) for key in ranked} | found
