"""What the suites of positions claim, proven by trying everything: the slow and obvious way, by the rules alone."""

import os
from collections.abc import Sequence
from typing import Any, TypeVar

from engine import CHANCE, Game, Over, Turn, all_games

KINDS = ("win in one", "keep", "win in two")
"""`keep`: somebody else could win at once after some actions of the seat to act, and after others nobody can: the
Rigant, or the fields of a chain, must not be left. In Qenqe for several it is the seat's own Rigant that counts."""

BETWEEN = ";"
"""What stands between two actions in a suite, whose files would be half as long again with lists."""

T = TypeVar("T")

LONG = 4
"""The level from which bots think so long that the slow tests ask them about some positions only."""
SOME = 24


def asked(suite: Sequence[T], level: int) -> Sequence[T]:
    """Return the positions about which the slow tests ask a bot; all of them with STONEHENGE_MORE above 1."""
    return (
        suite[:: -(-len(suite) // SOME)] if level >= LONG and os.environ.get("STONEHENGE_MORE", "1") == "1" else suite
    )


def position(entry: dict[str, Any], key: str) -> Any:
    """Return the state of an entry of a suite."""
    game = all_games()[key]
    state = game.start(entry["options"], entry["seats"])
    for action in entry["actions"].split(BETWEEN):
        due = game.pending(state)
        state = game.apply(state, due.seat if isinstance(due, Turn) else CHANCE, action)
    return state


def good(entry: dict[str, Any]) -> list[str]:
    """Return the actions that an entry of a suite names as good."""
    found: list[str] = entry["good"].split(BETWEEN)
    return found


def proven(game: Game[Any], state: Any, kind: str) -> list[str] | None:
    """Return the good actions of the seat to act, in the order of `legal`; None if the position is not of this kind."""
    seat = game.pending(state).seat  # type: ignore[union-attr]
    wins = winning(game, state, seat)
    if kind == "win in one":
        return wins or None
    if wins:
        return None
    if kind == "keep":
        return kept(game, state, seat)
    return winning_in_two(game, state, seat) or None


def winning(game: Game[Any], state: Any, seat: int) -> list[str]:
    """Return the actions of `seat`, which is to act, that win at once."""
    return [action for action in game.legal(state, seat) if won(game, game.apply(state, seat, action), seat)]


def won(game: Game[Any], state: Any, seat: int) -> bool:
    due = game.pending(state)
    return isinstance(due, Over) and seat in due.result.winners


def kept(game: Game[Any], state: Any, seat: int) -> list[str] | None:
    """Return the actions after which no rival can win at once by what it does to `seat`.

    There must be others, and one after which no rival can win at all.
    """
    actions = game.legal(state, seat)
    safe, quite = [], False
    for action in actions:
        after = game.apply(state, seat, action)
        if isinstance(game.pending(after), Over):
            continue
        threats = [threat for rival in game.live(after) if rival != seat for threat in losses(game, after, seat, rival)]
        quite = quite or not threats
        if not any(threats):
            safe.append(action)
    return safe if quite and len(safe) < len(actions) else None


def losses(game: Game[Any], state: Any, seat: int, rival: int) -> list[bool]:
    """Return for each action by which `rival` would win if it were its turn now: whether `seat` is what it takes."""
    due = game.pending(state)
    if isinstance(due, Turn) and due.seat == rival:
        turned = state
    elif len(game.live(state)) == 2:
        return []  # the seat has captured, and acts again
    else:
        turned = state._replace(to_move=rival)
    found = []
    for action in game.legal(turned, rival):
        after = game.apply(turned, rival, action)
        if won(game, after, rival):
            found.append(len(game.live(state)) == 2 or loses_rigant(state, after, seat))
    return found


def loses_rigant(before: Any, after: Any, seat: int) -> bool:
    small = "wbgyr"[seat - 1]
    return any(stack[:1] == small for stack in before.cells) and not any(stack[:1] == small for stack in after.cells)


def winning_in_two(game: Game[Any], state: Any, seat: int) -> list[str]:
    """Return the actions after which `seat` wins with its next turn whatever the other seat does. For two seats."""
    return [action for action in game.legal(state, seat) if wins_soon(game, game.apply(state, seat, action), seat)]


def wins_soon(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether `seat` can win when it is next to act, whatever the other seat does before."""
    due = game.pending(state)
    if isinstance(due, Over):
        return seat in due.result.winners
    assert isinstance(due, Turn)
    if due.seat == seat:
        return any(won(game, game.apply(state, seat, action), seat) for action in game.legal(state, seat))
    replies: Sequence[str] = game.legal(state, due.seat)
    return all(wins_soon(game, game.apply(state, due.seat, reply), seat) for reply in replies)
