"""What begins a move: `moves FROM`, Tab and what it offers next agree in every game, in every position."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from fake_table import FakeTable

from engine import CHANCE, Chance, Game, OptionValue, Over, all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.moves import continuations, fitting, listed
from p2p_stonehenge.screen.views import Line, Places, text_of, view_of
from p2p_stonehenge.text.style import Settings
from protocol import draw_locally

WORDS = {"bid", "null", "double", "roll", "take", "drop"}


def positions(key: str, seed: int, options: Mapping[str, OptionValue], plies: int = 60) -> Iterator[tuple[Any, int]]:
    """Yield (state, seat) wherever a seat chooses in a random game."""
    game, rng = all_games()[key], Random(seed)
    state = game.start(options, min(number for number in game.seats if number > 1))
    for _ in range(plies):
        due = game.pending(state)
        if isinstance(due, Over):
            return
        if isinstance(due, Chance):
            state = game.apply(state, CHANCE, draw_locally(due.draw, rng.randbytes(32)))
            continue
        yield game.view(state, due.seat), due.seat
        state = game.apply(state, due.seat, rng.choice(game.legal(state, due.seat)))


def shown(lines: list[Line]) -> str:
    return "\n".join(text_of(line) for line in lines)


def offered(game: Game[Any], state: Any, seat: int, text: str) -> set[str]:
    """Every move to which Tab leads from here on, whatever is chosen."""
    found: set[str] = set()
    for choice in continuations(game, state, seat, text):
        if choice.text in game.legal(state, seat) and not choice.meaning.endswith(" moves"):
            found.add(choice.text)
        else:
            assert len(choice.text) > len(text), "each choice leads further"
            found |= offered(game, state, seat, choice.text)
    return found


GAMES = [
    ("fidchess", {}),
    ("qenqe", {"quen": True}),
    ("fidchell", {"pieces": 8}),
    ("fidchell", {"sections": 12}),
    ("celtic-whist", {"doubling": True}),
    ("kingamon", {"cube": True, "bearing_off": "backgammon"}),
]


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_each_move_is_found_from_where_it_begins(key: str, options: Mapping[str, OptionValue]) -> None:
    game, view = all_games()[key], view_of(key)
    seen = 0
    for state, seat in list(positions(key, 1, options))[::4]:
        legal = game.legal(state, seat)
        everything = shown(listed(game, state, seat, "", 80))
        assert all(action in everything for action in legal)
        origins: dict[str, list[str]] = {}
        for action in legal:
            origins.setdefault(view.places.origin(action), []).append(action)
        for origin, actions in list(origins.items())[:40]:
            assert origin in WORDS or "There is no" not in view.look_at(state, origin), origin
            text = shown(listed(game, state, seat, origin.lower(), 80)).replace("\n", " ") + " "
            assert all(f" {action} " in text for action in actions), origin
            seen += len(actions)
    assert seen > 30


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_tab_leads_to_each_move_and_lists_what_moves_lists(key: str, options: Mapping[str, OptionValue]) -> None:
    game, view = all_games()[key], view_of(key)
    for state, seat in list(positions(key, 2, options, 30))[::3]:
        legal = game.legal(state, seat)
        assert offered(game, state, seat, "") == {*legal}
        for origin in sorted({view.places.origin(action) for action in legal})[:20]:
            assert offered(game, state, seat, origin) == {*fitting(view.places, legal, origin)}


def captures() -> FakeTable:
    """An Oin of Yellow on D8 that may take on three spaces."""
    moves = ("D2-D3", "A7-A6", "D3-D4", "A6-A5", "D4-C6", "B8-A6", "C6xD8", "A6-B4")
    return FakeTable("fidchess", people=(1, 2), first=1).replay(*moves)


@pytest.mark.parametrize("typed", ["d8", "D8", " d8 ", "d8x", "d8 x", "d"])
def test_captures_are_among_the_moves_of_a_piece(typed: str) -> None:
    table = captures()
    console = Console(table, Settings(), "ascii")
    text = shown(console.enter(f"moves {typed.strip()}"))
    tab = {choice.text for choice in console.choices(typed)}
    for move in ("D8xB7", "D8xC8", "D8xD7"):
        assert move in text
        assert move in tab or "D8" in tab
    assert ("D8-C6" in text) == ("x" not in typed)


def test_a_capture_is_offered_by_its_places_alone() -> None:
    assert [choice.text for choice in Console(captures(), Settings(), "ascii").choices("d8 c")] == ["D8xC8", "D8-C6"]


def test_places_and_moves_stand_apart_in_the_list() -> None:
    text = shown(Console(captures(), Settings(), "ascii").enter("moves"))
    assert "  D8  D8xC8  D8xD7  D8xB7  D8-C6" in text.splitlines()
    assert "  A2  A2-A3  A2+B2  A2xB4  A2+C1  A2-C3" in text.splitlines()
    cube = FakeTable("kingamon", people=(1, 2), first=1, cube=True).replay("6-5", "3/9", "3/8")
    assert "doubledouble" not in shown(Console(cube, Settings(), "ascii").enter("moves")).replace(" ", "")


def test_the_king_moves_from_the_space_it_stands_on() -> None:
    table = FakeTable("kingamon", people=(1,), first=1).replay("6-5")
    console = Console(table, Settings(), "ascii")
    assert "Kbar/6" in shown(console.enter("moves bar"))
    assert {choice.text for choice in console.choices("bar")} == {"Kbar/6", "Kbar/5"}
    assert {choice.text for choice in console.choices("k")} == {"Kbar/6", "Kbar/5"}


def test_a_place_is_not_the_beginning_of_another_where_a_piece_can_move_from_it() -> None:
    places = view_of("qenqe").places
    moves = ["B1-B2", "B10-B11", "B11xB12", "B1>1@C1"]
    assert fitting(places, moves, "b1") == ["B1-B2", "B1>1@C1"]
    assert fitting(places, moves, "b1>") == ["B1>1@C1"]
    assert fitting(places, moves[1:3], "b1") == ["B10-B11", "B11xB12"]


def test_many_fields_are_offered_section_by_section() -> None:
    table = FakeTable("fidchell", first=1)
    console = Console(table, Settings(), "ascii")
    moves = [choice for choice in console.choices("") if choice.meaning.endswith("moves")]
    assert [choice.text for choice in moves] == ["1", "2", "3", "4", "5", "6"]
    assert all(choice.text.startswith("3") for choice in console.choices("3"))
    text = shown(console.enter("moves"))
    assert [line.split()[0] for line in text.splitlines() if line[2] != " "] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(
    ("action", "origin", "stops", "steps"),
    [
        ("bid 3", "bid", (3, 5), (3, 5)),
        ("null max", "null", (4, 8), (4, 8)),
        ("roll", "roll", (4,), (4,)),
    ],
)
def test_a_game_without_places_is_read_word_by_word(
    action: str, origin: str, stops: tuple[int, ...], steps: tuple[int, ...]
) -> None:
    places = Places()
    assert (places.origin(action), places.stops(action), places.steps(action)) == (origin, stops, steps)
