"""What a move of Fidchell leaves to one turn of captures, in which a rival may take several pieces."""

from collections.abc import Iterator
from typing import NamedTuple

from engine import listed
from engine.games.fidchell import GAME, State, captures, with_turn

LARGE = 2
"""A player is warned of so many pieces that are lost in one turn, beside what can be taken back in the next one."""
TRIED = 4_000
"""Captures looked at for one question, at most."""


class _UnclearError(Exception):
    """Raised where `TRIED` are spent."""


class CapturingTurn(NamedTuple):
    """What a turn of captures brings the seat that plays it."""

    pieces: int
    """How many more pieces it takes than the other player takes back in the next turn."""
    actions: tuple[str, ...] = ()


def costly(view: State, seat: int, actions: tuple[str, ...]) -> tuple[int, str] | None:
    """Return who takes several pieces after actions of one turn of `seat`, and how, in words that go on from the name.

    None where as much is lost if nothing is done, where the actions have taken as many, and where it is not known.
    """
    after = view
    for action in actions:
        after = GAME.apply(after, seat, action)
    rival = after.to_move
    if after.reason or rival in (seat, 0):
        return None
    left = iter(range(TRIED))
    try:
        worst = _best(after, rival, seat, left)
        if worst.pieces < LARGE or _best(with_turn(view, rival), rival, seat, left).pieces >= worst.pieces:
            return None
    except _UnclearError:
        return None
    taken = _pieces(view, rival) - _pieces(after, rival)
    if worst.pieces - taken < LARGE:
        return None
    end = after
    for action in worst.actions:
        end = GAME.apply(end, rival, action)
    lost = _pieces(after, seat) - _pieces(end, seat)
    return rival, f"can take {lost} of your pieces in one turn, with {listed(worst.actions)}"


def _best(state: State, hunter: int, victim: int, left: Iterator[int]) -> CapturingTurn:
    """Return the turn of captures that brings `hunter` most against `victim`; raises _UnclearError."""
    best, waiting, seen = CapturingTurn(0), [(state, CapturingTurn(0))], {state.standing}
    while waiting:
        now, so_far = waiting.pop()
        for action in captures(now):
            if next(left, None) is None:
                raise _UnclearError
            after = GAME.apply(now, hunter, action)
            if after.standing in seen:
                continue
            seen.add(after.standing)
            turn = CapturingTurn(
                so_far.pieces + _pieces(now, victim) - _pieces(after, victim), (*so_far.actions, action)
            )
            if not after.reason:
                waiting.append((after, turn))
            if turn.pieces > best.pieces and (net := turn.pieces - _taken_back(after, hunter, victim)) > best.pieces:
                best = CapturingTurn(net, turn.actions)
    return best


def _taken_back(state: State, hunter: int, victim: int) -> int:
    """Return how many pieces of `hunter` the victim takes back with one turn, always by the capture that takes most."""
    now, before = with_turn(state, victim), _pieces(state, hunter)
    while victim in now.playing and not now.reason and (some := captures(now)):
        now = min((GAME.apply(now, victim, action) for action in some), key=lambda one: _pieces(one, hunter))
    return before - _pieces(now, hunter)


def _pieces(state: State, seat: int) -> int:
    """Return how many pieces a seat has, in hand and on the board."""
    return state.hands[seat - 1] + state.men[seat - 1].bit_count()
