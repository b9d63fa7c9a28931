"""Positions of Fidchell, written as words."""

from functools import reduce
from operator import or_
from typing import Any

from engine import OptionValue, Over, Result
from engine.games.fidchell import GAME, State
from engine.games.fidchell.board import NOBODY, fields_of
from engine.games.fidchell.turns import ways_of

LETTERS = ".RGB"
CROWD = "R:1A7,1B7,1C7,1D7,1E7,2A7"
SPOKE = "5C1,5C2,5C3,5C4,5C5,5C6,5C7"


def start(seats: int = 2, **options: OptionValue) -> State:
    return GAME.start({"first": 1, **options}, seats)


def position(
    men: str, to_move: int = 1, hands: tuple[int, ...] = (9, 9), out: int = 0, **options: OptionValue
) -> State:
    """A position from words like `R:6C5,6E5 G:6D5`, the pieces in hand, and a seat that is out."""
    fresh = start(len(hands), **{"pieces": 40, **options})
    board = fresh.rules.board
    fields = [0] * len(hands)
    for word in men.split():
        seat = LETTERS.index(word[0])
        fields[seat - 1] = sum(1 << board.named[name] for name in word[2:].split(","))
    standing = tuple(map(board.standing, fields))
    playing = tuple(seat for seat in range(1, len(hands) + 1) if seat != out)
    state = State(standing, hands, playing, to_move, 5, 0, "", fresh.history, fresh.rules, 0, 0, ())
    return state._replace(**derived(state))


def men(state: State) -> str:
    """The inverse of `position`: the pieces on the board."""
    board = state.rules.board
    words = []
    for letter, some in zip("RGB", state.men, strict=False):
        if names := [name for field, name in enumerate(board.names) if some >> field & 1]:
            words.append(f"{letter}:{','.join(sorted(names))}")
    return " ".join(words)


def play(state: State, *actions: str) -> State:
    for action in actions:
        assert GAME.refuse(state, state.to_move, action) is None, action
        state = GAME.apply(state, state.to_move, action)
    return state


def result(state: State) -> Result:
    due = GAME.pending(state)
    assert isinstance(due, Over)
    return due.result


def derived(state: State) -> dict[str, Any]:
    """The fields of a state that follow from the others, worked out from the pieces."""
    board, standing, seat = state.rules.board, state.standing, state.to_move
    empty = board.open & ~reduce(or_, standing)
    crowds = NOBODY + sum(board.crowd[field] for some in state.men for field in fields_of(some))
    ways = ways_of(board, standing[seat - 1], state.hands[seat - 1], empty, crowds) if not state.reason else 0
    return {"empty": empty, "crowds": crowds, "joined": tuple(map(board.joined, standing)), "ways": ways}
