"""Sentences of Celtic Whist, where a colour may be a seat or a suit: seats are told by name, and suits stay suits."""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import PUBLIC, Chance, Over, Turn, all_games
from engine.games.celtic_whist import CARD, GAME, SUITS, State
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import always
from p2p_stonehenge.screen.views import view_of
from p2p_stonehenge.text.seats import in_names, label, speaker
from protocol import draw_locally

TREES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")
"""Names that no suit has."""
THOUGHT = 40
"""Every so many actions a bot says why it would play what."""


def played(seats: int, options: dict[str, Any], seed: int, actions: int = 160) -> Iterator[tuple[State, int, str]]:
    """Yield random actions of a game from its start, each with the state before it; last of all a resignation."""
    rng, state = Random(seed), GAME.start(options, seats)
    for number in range(actions):
        due = GAME.pending(state)
        if isinstance(due, Over):
            return
        if isinstance(due, Turn):
            actor, action = due.seat, rng.choice(GAME.legal(state, due.seat))
            action = "resign" if number == actions - 20 else action
        else:
            actor, action = 0, draw_locally(due.draw, rng.randbytes(32))
        yield state, actor, action
        state = GAME.apply(state, actor, action)


def sentences(game: list[tuple[State, int, str]]) -> list[str]:
    """Return everything that the program says of a game in which seats are called by their colours."""
    view, told = view_of(GAME.key), list[str]()
    for number, (state, actor, action) in enumerate(game):
        seats = range(1, len(state.standing.totals) + 1)
        for viewer in (PUBLIC, *seats):
            seen = GAME.view(state, viewer)
            told += [event.text for event in GAME.story(seen, actor, action)] + view.describe(seen)
        told += view.describe(state)
        if number % 4 or isinstance(GAME.pending(state), Chance):
            continue
        for wish in (*CARD[state.trump], "bid 99", "null 99", "double", "nothing"):
            told.append(view.look_at(GAME.view(state, actor), wish, 0))
            if refusal := GAME.refuse(state, actor, wish):
                told.append(refusal.text)
        if number % THOUGHT == 0:
            told += [one.because for one in bot_of(GAME).think(GAME.view(state, actor), actor, 1, Random(0), always)]
    return told


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (2, {}), (3, {"black_must_follow": True}), (4, {"cooperative": True}), (5, {"all_cards": True})],
)
def test_a_colour_in_a_sentence_is_never_taken_for_a_seat_where_a_suit_is_meant(
    seats: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rules call the seats by names of trees from the first, the same is said."""
    game = list(played(seats, options, 5))
    by_colours = sentences(game)
    named = [in_names(GAME, TREES[:seats], text) for text in by_colours]
    for name, module in list(sys.modules.items()):
        if name.startswith("engine.games.celtic_whist") and hasattr(module, "COLOURS"):
            monkeypatch.setattr(module, "COLOURS", TREES)
    monkeypatch.setattr(type(GAME), "colours", TREES)
    by_trees = sentences(game)
    assert named == by_trees
    assert not [text for text in by_trees if any(suit in text for suit in SUITS)], "a suit is written small"
    assert any(suit.lower() in text for text in by_trees for suit in SUITS)
    assert all(any(tree in text for text in by_trees) for tree in TREES[:seats])


@pytest.mark.parametrize("name", ["! WARNING", "Attention: CHEAT", "- ben", "you"])
def test_a_name_that_reads_as_words_of_the_program_is_in_quotes_wherever_it_stands(name: str) -> None:
    fidchess = all_games()["fidchess"]
    assert label(fidchess, ("anna", name), 2) == f'Green ("{name}")'
    assert speaker(fidchess, ("anna", name), 2) == f'"{name}"'
    assert label(GAME, ("anna", name, "cleo"), 2) == f'"{name}"'
    assert (
        in_names(GAME, ("anna", name), "It is Blue's turn: Blue plays B9.")
        == f'It is "{name}"\'s turn: "{name}" plays B9.'
    )
