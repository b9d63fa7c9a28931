"""What begins a move: `moves FROM`, Tab and what it offers next agree in every game, in every position."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from fake_table import FakeTable

from engine import CHANCE, Chance, Game, OptionValue, Over, all_games, fewest_players
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.moves import continuations, fitting, listed, reach
from p2p_stonehenge.screen.views import Line, Places, text_of, view_of
from p2p_stonehenge.storage.settings import Settings
from protocol import draw_locally

WORDS = {"bid", "null", "double", "roll", "take", "drop"}


def positions(key: str, seed: int, options: Mapping[str, OptionValue], plies: int = 60) -> Iterator[tuple[Any, int]]:
    """Yield (state, seat) wherever a seat chooses in a random game."""
    game, rng = all_games()[key], Random(seed)
    state = game.start(options, fewest_players(game))
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
            assert origin in WORDS or "There is no" not in view.look_at(state, origin, 0), origin
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


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_a_whole_move_is_never_read_as_a_place_alone(key: str, options: Mapping[str, OptionValue]) -> None:
    """In Kingamon `2/5`, with a piece on 25 as well, is a move from space 2; the line below and Tab agree."""
    game, both = all_games()[key], 0
    for seed in range(1, 16 if key == "kingamon" else 2):
        for state, seat in positions(key, seed, options, 40):
            legal = game.legal(state, seat)
            for action in legal[:: 1 + len(legal) // 12]:
                spaced = re.sub("[/-]", " ", action) if key == "kingamon" else action
                for text in {action, spaced}:
                    assert not reach(game, state, seat, text)
                    assert action in fitting(view_of(key).places, legal, text)
                both += any(other.startswith(re.sub("[^0-9]", "", action) + "/") for other in legal)
    assert both > 5 or key != "kingamon"


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


class At(FakeTable):
    """A table at any position."""

    def __init__(self, key: str, state: Any, seat: int) -> None:
        super().__init__(key, people=(seat,))
        self.now = state


BOARDS = [(key, options) for key, options in GAMES if key != "celtic-whist"]


@pytest.mark.parametrize(("key", "options"), BOARDS)
def test_a_place_alone_lists_where_its_piece_can_go_line_by_line_and_on_a_board_says_what_is_missing(
    key: str, options: Mapping[str, OptionValue]
) -> None:
    """Also a number that two spaces could be joined to, as 15 in Kingamon, and a field on which pieces were placed."""
    game, places, rng, seen, took = all_games()[key], view_of(key).places, Random(7), 0, 0
    for seed in range(1, 15 if key == "kingamon" else 4):
        for state, seat in list(positions(key, seed, options, 90))[::3]:
            pieces: dict[str, list[str]] = {}
            for action in game.legal(state, seat):
                if places.named(action)[1:]:  # else it is a word, or a piece is placed
                    pieces.setdefault(places.origin(action), []).append(action)
            for origin in rng.sample([*pieces], min(len(pieces), 3)):
                table, actions = At(key, state, seat), pieces[origin]
                text = shown(Console(table, Settings(), "ascii", redraws=False).enter(origin.lower()))
                taking = 0
                for action in actions:
                    assert f" {action} " in text.replace("\n", " ") + " ", (origin, text)
                    taking += any(event.takes for event in game.story(state, seat, action))
                assert bool(taking) == bool(re.search("captures|removes", text)), text
                refused = Console(table, Settings(), "ascii").refuse(origin.lower())
                assert refused.startswith(f"{origin} alone is no move: type where it goes as well, as in "), refused
                assert table.plies == []
                seen, took = seen + 1, took + bool(taking)
    assert seen > 20
    assert took


def test_of_many_moves_those_that_capture_are_named_again() -> None:
    """In Fidchell nothing in a move itself tells that it captures."""
    game, rng = all_games()["fidchell"], Random(4)
    state = game.start({"first": 1, "pieces": 8}, 2)
    for _ in range(400):
        due = game.pending(state)
        assert not isinstance(due, Over)
        seat = game.live(state)[0] if isinstance(due, Chance) else due.seat
        legal = game.legal(state, seat)
        taking = [action for action in legal if game.story(state, seat, action)[0].takes]
        if taking and "-" in taking[0]:
            break
        state = game.apply(state, seat, rng.choice(legal))
    else:
        pytest.fail("nobody could capture")
    listing, _, again = shown(listed(game, state, seat, "", 80)).partition("  captures:\n")
    assert {*again.partition("  `moves ")[0].split()} == {*taking}
    assert all(action in listing for action in taking)


def test_a_capture_after_which_the_stacks_are_one_is_among_those_that_capture() -> None:
    """In Qenqe, where a Rigant joins stacks: what was below the captured one becomes captives, and White wins."""
    table = FakeTable("qenqe", first=1, rigant_stacking=True).replay("B2+A30", "A16+A17")
    won, *rest = table.game.story(table.state, 1, "A30xA17")
    assert won.text.endswith("making a Teth (WWB); the Rigant leaves the game.")
    assert "White wins" in rest[0].text
    assert "  captures:\n       A30xA17\n" in shown(listed(table.game, table.state, 1, "", 80))
    found = reach(table.game, table.state, 1, "a30")
    assert found is not None
    assert found.takes == ("A17",)
    at = Console(table, Settings(), "ascii")
    at.drawing.typing = "a30"
    assert at.drawing.ways().startswith("A30 captures on A17")
    assert "<B*B>" in shown(at.board(80, 24))
