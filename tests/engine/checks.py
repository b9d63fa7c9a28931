"""Checks that the tests of several games share."""

from random import Random
from typing import Any

from engine import Game, NotationError


def assert_refused(game: Game[Any], state: Any, seat: int, action: str, code: str, words: str) -> None:
    """The action is refused with this code, and with these words among others."""
    refusal = game.refuse(state, seat, action)
    assert refusal is not None
    assert (refusal.code, words in refusal.text) == (code, True), refusal


def assert_read_exactly(game: Game[Any], state: Any, seat: int, text: str) -> None:
    """The text is lawful exactly if it is listed; its action is read as itself, and lawful or refused with a reason."""
    legal = game.legal(state, seat)
    assert (game.refuse(state, seat, text) is None) == (text in legal)
    try:
        action = game.parse(state, text)
    except NotationError:
        return
    assert game.parse(state, action) == action
    refusal = game.refuse(state, seat, action)
    assert (refusal is None) == (action in legal)
    assert refusal is None or refusal.code != "notation", "a canonical text that is no lawful move has a reason"


def sentences(game: Game[Any], state: Any, actor: int, action: str) -> list[str]:
    """The story of an action, without the places."""
    return [event.text for event in game.story(state, actor, action)]


def played_at_random(game: Game[Any], state: Any, seed: int) -> list[tuple[Any, list[str]]]:
    """The states of a random game without resignations from `state` on, each with its legal actions."""
    rng, seen = Random(seed), []
    while not state.reason:
        seen.append((state, list(game.legal(state, state.to_move))))
        state = game.apply(state, state.to_move, rng.choice(seen[-1][1]))
    return seen
