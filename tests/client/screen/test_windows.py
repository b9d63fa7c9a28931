"""Windows of all sizes: what a player needs can be reached in each, and nothing is cut without a mark."""

import re
from collections.abc import Mapping
from random import Random

import pytest
from fake_table import FakeTable

from engine import CHANCE, Chance, OptionValue, Over, all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.panel import WIDE
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Said
from p2p_stonehenge.text.widths import cells
from protocol import draw_locally

NAMES = ("annabel", "benjamin", "carolin", "dorothea", "emmanuel-maximilian-west")
TABLES = [
    ("fidchess", 2, {}),
    ("qenqe", 2, {}),
    ("qenqe", 5, {"rigant_stacking": True}),
    ("fidchell", 3, {}),
    ("fidchell", 3, {"layout": "535035535", "sections": 12, "pieces": 20}),
    ("celtic-whist", 1, {}),
    ("celtic-whist", 4, {}),
    ("celtic-whist", 5, {"all_cards": True}),
    ("kingamon", 2, {"cube": True, "safe_spaces": True}),
]
SIZES = [(120, 40), (80, 24), (60, 20), (40, 12), (34, 10)]


def table_of(key: str, seats: int, options: Mapping[str, OptionValue], seed: int, plies: int) -> FakeTable:
    """A table after some random moves, seen by seat 1 alone."""
    table, rng = FakeTable("fidchess"), Random(seed)
    table.game = all_games()[key]
    table.names = NAMES[:seats]
    table.now = table.game.start(options, seats)
    while plies and not isinstance(due := table.game.pending(table.now), Over):
        if isinstance(due, Chance):
            table.act(CHANCE, draw_locally(due.draw, rng.randbytes(32)))
        else:
            table.act(due.seat, rng.choice(table.game.legal(table.now, due.seat)))
            plies -= 1
    if key != "celtic-whist" or seats > 1:
        table.now = table.game.view(table.now, 1)
    return table


@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("charset", ["unicode", "ascii"])
def test_all_of_a_board_can_be_reached(
    key: str, seats: int, options: Mapping[str, OptionValue], size: tuple[int, int], charset: str
) -> None:
    width, height = size[0], size[1] - FURNITURE
    for seed, plies in ((1, 0), (2, 20), (3, 45)):
        table = table_of(key, seats, options, seed, plies)
        console = Console(table, Settings(), charset)
        whole = [text_of(line) for line in console.view.render(table.state, console.drawing.look(width, height))]
        narrow = max(map(cells, whole)) > width
        shown: list[str] = []
        for _ in range(40):
            page = [text_of(line) for line in console.board(width, height)]
            assert len(page) <= height
            assert max(map(cells, page)) <= width
            assert charset == "unicode" or all(map(str.isascii, page))
            if match := re.match(r"\((\d+)-(\d+) of (\d+)", page[-1]):
                assert int(match[1]) == len(shown) + 1
                shown += page[:-1]
                if match[2] == match[3]:
                    break
                console.enter("more")
            else:
                shown = page
                break
        if narrow:
            assert shown[0].startswith("The window is too narrow")
            continue
        text = "\n".join(shown)
        if console.has_panel(width, height):
            widest = max(map(cells, whole))
            shown = [line[:widest].rstrip() for line in shown[: len(whole)]]
            assert all(not line[:widest].strip() for line in page[len(whole) :]), "the panel goes on below the board"
            whole = [line.rstrip() for line in whole]
        assert shown == whole
        for name in table.names:
            assert re.search(rf"{name[:2]}\S*", text), f"{name} is named"
            assert name in text or "~" in text


@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
@pytest.mark.parametrize("size", [(160, 24), (160, 40), (200, 60)])
def test_in_a_wide_window_players_log_and_chat_stand_beside_the_board(
    key: str, seats: int, options: Mapping[str, OptionValue], size: tuple[int, int]
) -> None:
    width, height = size[0], size[1] - FURNITURE
    table = table_of(key, seats, options, 6, 30)
    console = Console(table, Settings(), "unicode")
    alone = console.view.render(table.state, console.drawing.look(80, height))
    for number in range(9):
        console.hear(Said("ben", f"line {number} {'of a long talk ' * 20}"))
    console.hear(Said("ben", "the end"))
    lines = [text_of(line) for line in console.board(width, height)]
    assert max(map(cells, lines)) <= width
    assert min(len(alone), height) <= len(lines) <= height
    assert console.has_panel(width, height)
    text = "\n".join(lines)
    assert "PLAYERS" in text
    if height >= 21:
        assert "LOG" in text
        assert f"{table.plies[-1].number:4}  " in text, "the latest action"
    assert text.index("CHAT") < text.index("ben: the end")
    assert "line 0" not in text
    assert "PLAYERS" not in "\n".join(text_of(line) for line in console.board(WIDE - 1, height))


def test_the_level_of_a_bot_is_not_cut_beside_the_widest_board() -> None:
    table = table_of("celtic-whist", 4, {}, 1, 0)
    table.names = ("ann", "bot Brigid", "bot Cormac", "bot Dara")
    table.levels, table.adaptive = dict.fromkeys((2, 3, 4), "casual"), True
    lines = [text_of(line) for line in Console(table, Settings(), "unicode").board(120, 40)]
    beside = " ".join(" ".join(line[79:] for line in lines).split())
    assert beside.count("level: casual, adaptive") == 3


@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
def test_a_larger_window_never_shows_a_smaller_board(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    """What stands beside the board takes what the board leaves, however wide or high the window grows."""
    table = table_of(key, seats, options, 6, 30)
    console = Console(table, Settings(), "unicode")
    shown = {}
    for height in (9, 13, 17, 21, 27, 37, 47):
        for width in (*range(60, 100, 5), *range(100, 150)):
            lines = [text_of(line) for line in console.board(width, height)]
            end = next((line.index("PLAYERS") for line in lines if "PLAYERS" in line), width)
            board = [line[:end].rstrip() for line in lines]
            while board and not board[-1]:
                board.pop()
            shown[height, width] = len(board), max(map(cells, board)), " ".join(board).split()
            for before in ((height, width - 1), (height, width - 5), (height - 4, width), (height - 10, width)):
                lower, narrower, words = shown.get(before, (0, 0, []))
                is_smaller = len(board) <= lower and shown[height, width][1] < narrower
                assert not is_smaller or words == shown[height, width][2], (before, (height, width))


@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
def test_every_board_fits_sixty_columns(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    """And forty, in its most compact form; below that the position is told in words."""
    table = table_of(key, seats, options, 4, 30)
    console = Console(table, Settings(), "unicode")
    for width in (60, 40):
        assert "too narrow" not in text_of(console.board(width, 40)[0])


@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
def test_what_is_asked_for_most_stands_on_the_first_page(
    key: str, seats: int, options: Mapping[str, OptionValue]
) -> None:
    """At 40 by 12: in Whist the trick and the hand, elsewhere whole lines of the board."""
    table = table_of(key, seats, options, 5, 12)
    console = Console(table, Settings(), "unicode")
    text = "\n".join(text_of(line) for line in console.board(40, 12 - FURNITURE))
    if key == "celtic-whist":
        assert "hand:" in text
    else:
        assert re.search(r"[·.]", text)


def test_neighbours_of_the_last_move_keep_their_brackets() -> None:
    """Three stacks in a row, as they stood: the bracket of one was written over by that of the next."""
    table = FakeTable("qenqe", people=(1,), first=1)
    table.names = NAMES[:3]
    table.now = table.game.start({"first": 1}, 3)
    for seat, move in enumerate(("C1-D1", "C11-D11", "C21-D21"), 1):
        table.act(seat, move)
    table.act(1, "D1-D10")
    table.act(2, "D11+D10")
    console = Console(table, Settings(), "ascii")
    assert any("[BBWW|.]" in text_of(line) for line in console.board(80, 21))
