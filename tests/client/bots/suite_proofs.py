"""What the suites of positions claim, proven by the rules alone: by trying everything that may matter.

Every action and every reply is tried until one decides, but for those that cannot win (`may_win`) or help (`may_save`).
Replies that have refuted an action are tried first against the next one.
"""

import json
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from engine import CHANCE, Game, Over, Turn, all_games
from engine.games import fidchell

KINDS = ("win in one", "keep", "win in two")
"""`keep`: somebody else could win at once after some actions of the seat to act, and after others nobody can: the
Rigant, or the fields of a chain, must not be left. In Qenqe for several it is the seat's own Rigant that counts."""

BETWEEN = ";"
"""What stands between two actions in a suite, whose files would be half as long again with lists."""

CHAIN = 7
"""Pieces in the shortest chain of Fidchell: with fewer a seat is out."""
DIRECTIONS = 4

T = TypeVar("T")

SOME = {2: 100, 3: 100, 4: 10, 5: 6}
"""By level: the positions of a kind about which a bot is asked, at most. The better it is the longer it thinks."""


def asked(suite: Sequence[T], level: int) -> Sequence[T]:
    """Return the positions about which a bot of this level is asked; all of them with STONEHENGE_MORE above 1."""
    return suite[:: -(-len(suite) // SOME[level])] if os.environ.get("STONEHENGE_MORE", "1") == "1" else suite


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
    for action in may_win(game, turned, rival):
        after = game.apply(turned, rival, action)
        if won(game, after, rival):
            found.append(len(game.live(state)) == 2 or loses_rigant(state, after, seat))
    return found


def loses_rigant(before: Any, after: Any, seat: int) -> bool:
    small = "wbgyr"[seat - 1]
    return any(stack[:1] == small for stack in before.cells) and not any(stack[:1] == small for stack in after.cells)


def winning_in_two(game: Game[Any], state: Any, seat: int) -> list[str]:
    """Return the actions after which `seat` wins with its next turn whatever the other seat does. For two seats."""
    tried = Tried([], set())
    return [
        action for action in game.legal(state, seat) if wins_soon(game, game.apply(state, seat, action), seat, tried)
    ]


class Tried(NamedTuple):
    """What is known from replies that were tried."""

    refuting: list[str]
    """Replies that have refuted an action, the last one first: tried first against the next action."""
    won: set[Any]
    """States in which nothing helped: captures in another order lead to the same one."""


def wins_soon(game: Game[Any], state: Any, seat: int, tried: Tried) -> bool:
    """Return whether `seat` can win when it is next to act, whatever the other seat does before."""
    due = game.pending(state)
    if isinstance(due, Over):
        return seat in due.result.winners
    assert isinstance(due, Turn)
    if due.seat == seat:
        return any(won(game, game.apply(state, seat, action), seat) for action in may_win(game, state, seat))
    if state not in tried.won:
        replies = may_save(game, state, due.seat, seat)
        for reply in chain((reply for reply in tried.refuting if reply in replies), replies):
            if not wins_soon(game, game.apply(state, due.seat, reply), seat, tried):
                if reply in tried.refuting:
                    tried.refuting.remove(reply)
                tried.refuting.insert(0, reply)
                return False
        tried.won.add(state)
    return True


def may_save(game: Game[Any], state: Any, seat: int, rival: int) -> Sequence[str]:
    """Return the actions of `seat`, which is to act, without those after which `rival` surely wins at once.

    In Fidchell, if `rival` could end a chain now, it still can unless `seat` wins first, a piece is captured, or one
    comes to stand on a field that the ending action needs empty: the others take nothing from it.
    """
    actions = game.legal(state, seat)
    if game.key != "fidchell":
        return actions
    turned = fidchell.with_turn(state, rival)
    fields = ends_chain(state, rival)
    ending = [action for action in game.legal(turned, rival) if action.rpartition("-")[2] in fields] if fields else []
    if not (ends := next((action for action in ending if won(game, game.apply(turned, rival, action), rival)), "")):
        return actions
    first = {*may_win(game, state, seat), *fidchell.captures(state)}
    return [action for action in actions if action in first or in_the_way(action.rpartition("-")[2], ends)]


def in_the_way(field: str, action: str) -> bool:
    """Return whether a piece on a field might hinder an action: it stands on the row or circle that a piece goes along.

    A piece from the hand goes along nothing.
    """
    origin, _, target = action.rpartition("-")
    if not origin:
        return field == target
    return field[:-1] == target[:-1] if origin[:-1] == target[:-1] else field[-1] == target[-1]


def may_win(game: Game[Any], state: Any, seat: int) -> Sequence[str]:
    """Return the actions of `seat`, which is to act, without those that cannot win at once."""
    actions = game.legal(state, seat)
    if game.key == "qenqe":  # nobody is put out by a division, or by landing where nothing is
        return [action for action in actions if "-" not in action and ">" not in action]
    if game.key == "fidchell":
        fields = ends_chain(state, seat) | puts_out(state, seat)
        return [action for action in actions if action.rpartition("-")[2] in fields] if fields else []
    return actions


def ends_chain(state: fidchell.State, seat: int) -> set[str]:
    """Return the empty fields that pieces of `seat` join to the king and to circle 7.

    There was no chain before, so the piece that has acted is part of it, and the others lead from it to both ends.
    """
    board, own = state.rules.board, state.men[seat - 1]
    both = joined(board.near, board.gate, own) & joined(board.near, board.rim, own) & ~sum(state.men)
    return {board.names[field] for field in fidchell.fields_of(both)}


def puts_out(state: fidchell.State, seat: int) -> set[str]:
    """Return the fields next to as many pieces of another seat as it can spare and one more: only such are captured."""
    board, found = state.rules.board, set[str]()
    for other in state.playing:
        men = state.men[other - 1]
        enough = state.hands[other - 1] + men.bit_count() - CHAIN + 1
        if other != seat and enough <= DIRECTIONS:
            found |= {
                name for near, name in zip(board.near, board.names, strict=True) if (near & men).bit_count() >= enough
            }
    return found


def joined(near: Sequence[int], start: int, own: int) -> int:
    """Return the fields `start`, and those next to pieces of `own` that stand on such fields."""
    found, seen = start, 0
    while more := own & found & ~seen:
        field = more & -more
        seen |= field
        found |= near[field.bit_length() - 1]
    return found


SUITES = Path(__file__).parents[2] / "data" / "suites"
GAMES = ("fidchess", "qenqe", "fidchell")
FEW = 8
"""Positions of each kind that the fast tests look at."""


def entries(key: str, kind: str, fast: bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((SUITES / f"{key}.json").read_text())[kind]
    return found[:FEW] if fast else found
