"""`hint` and `why` at Byzantine Kingamon: dice and the cube."""

import re
from itertools import combinations
from random import Random

import pytest
from advised import GAMES_WON
from claims import CLAIMS, Claim, read
from fake_table import FakeTable

from engine import CHANCE, all_games
from engine.games.kingamon import KING
from p2p_stonehenge.bots import advice
from p2p_stonehenge.bots.kingamon.reasons import plans
from p2p_stonehenge.bots.kingamon.search import after
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought, always

SECOND_DIE_CAPTURES = (
    "5-6",
    "4/10",
    "3/8",
    "3-6",
    "27/24",
    "28/22",
    "1-1",
    "6/7",
    "10/11",
    "5-6",
    "3/8",
    "7/13",
    "6-6",
)


def test_what_the_second_die_captures_is_not_told_of_the_first() -> None:
    table = FakeTable("kingamon", people=(2,), first=1).replay(*SECOND_DIE_CAPTURES)
    best = bot_of(table.game).think(table.state, 2, 3, Random(1))[0]
    told = "captures 1 piece and threatens a disk with 22 of 36 rolls, with 19/13* played after it"
    assert (best.action, best.because) == ("25/19", told)


def test_the_same_turn_the_other_way_round_is_no_second_advice() -> None:
    table = FakeTable("kingamon", first=1).replay("3-4")
    best, *others = advice.hint(table.game, table.state, 1, always)
    turn = re.fullmatch(r"Hint: (\S+): .* followed by (\S+)\. You win .* No roll of Red captures anything then\.", best)
    assert turn
    first, then = turn.groups()
    assert {first, then} <= {*table.game.legal(table.state, 1)}
    assert not any(line.split(": ")[1] == then and f" {first}. " in line for line in others)


ROLLS = r"(No roll of Red captures anything then|Of the 36 rolls of Red .* a disk)\."


def test_why_tells_of_a_die_how_often_it_wins_and_what_the_rolls_of_the_rival_take() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    worst = bot_of(table.game).think(table.state, 1, 4, Random(0))[-1].action
    asked, best = advice.why(table.game, table.state, 1, (worst,), always)
    assert re.fullmatch(rf"{worst}: White .*\. {GAMES_WON} {ROLLS}", asked)
    assert re.fullmatch(rf"A bot would play \S+: White moves .* {GAMES_WON} {ROLLS}", best)


def test_why_tells_of_both_dice_that_are_typed() -> None:
    table = FakeTable("kingamon", first=1).replay("2-6")
    first, second, best = advice.why(table.game, table.state, 1, ("6/8", "8/14"), always)
    assert first == "6/8: White moves a disk from space 6 to space 8."
    assert re.fullmatch(rf"8/14: White moves a disk from space 8 to space 14\..* {GAMES_WON} {ROLLS}", second)
    assert best.startswith("A bot would play ")


def test_why_tells_of_the_cube_what_it_is_worth_in_points() -> None:
    table = FakeTable("kingamon", first=1, cube=True).replay("2-6", "2/8", "4/6", "roll", "3-1", "27/24", "28/27")
    asked, answer, best = advice.why(table.game, table.state, 1, ("double",), always)
    assert answer.startswith("The answer may be ")
    assert re.fullmatch(r"double: .* It is worth about [+-]\d\.\d\d points to you\.", asked)
    assert re.fullmatch(r"A bot would play roll: .* It is worth about [+-]\d\.\d\d points to you\.", best)


def test_plays_that_lead_to_one_position_are_advised_once() -> None:
    table = FakeTable("kingamon", first=1).replay("2-5")
    found = bot_of(table.game).think(table.state, 1, 5, Random(0))
    ends = [(end.white, end.red) for end in (after(table.state, 1, thought) for thought in found)]
    twice = [(one, two) for one, two in combinations(range(len(found)), 2) if ends[one] == ends[two]]
    assert twice
    for one, two in combinations(range(len(found)), 2):
        assert bot_of(table.game).same(table.state, found[one], found[two]) == (ends[one] == ends[two])


def test_a_hint_at_the_first_die_says_how_often_that_wins() -> None:
    """As at the last one: the same chance, within what the bot rounds."""
    table = FakeTable("kingamon", people=(2,), first=1).replay(*SECOND_DIE_CAPTURES)
    found = []
    for _ in range(2):
        (line, *_) = advice.hint(table.game, table.state, 2, always)
        told = re.search(r" You win about (\d+) of 100 games from there\.", line)
        assert told, line
        found.append(int(told[1]))
        table.replay(bot_of(table.game).think(table.state, 2, bot_of(table.game).adviser, Random(0))[0].action)
    assert abs(found[0] - found[1]) <= 2


def placed(seat_king: int, **disks: int) -> bytes:
    """A side with its king on a place of its own way, and so many disks on others, as `at24=3`."""
    cells = bytearray(31)
    for place, count in disks.items():
        cells[int(place.removeprefix("at"))] += count
    cells[seat_king] += KING
    return bytes(cells)


RED = placed(10, at17=2, at1=8)
"""Red's king on space 20, two disks on space 13, the others on space 29."""


@pytest.mark.parametrize(
    ("white", "play", "told"),
    [
        (placed(10, at1=10), "K10/15 1/2", "brings the king past 2 pieces of Red"),
        (placed(22, at1=8, at19=2), "K22/27 1/2", "brings the king to where it bears off"),
        (placed(10, at1=9, at15=1), "K10/15 1/2", "covers the king with a disk"),
        (placed(10, at1=8, at7=2), "7/12 1/2", "brings a piece to space 12, where nothing is captured"),
        (placed(13, at1=4, at4=2, at5=3, at6=1), "1/6 5/6", "holds 3 spaces in a row, where Red cannot land"),
        (placed(10, at1=6, at21=2, at15=2), "1/6 1/2", "keeps 9 pieces before the king of Red"),
    ],
)
def test_a_play_is_told_with_what_it_is_good_for_later_on(white: bytes, play: str, told: str) -> None:
    game = all_games()["kingamon"]
    start = game.start({"first": 1}, 2)._replace(white=white, red=RED)
    view = game.apply(start, CHANCE, "5-1")
    first, then = play.split()
    thought = Thought(first, 0.0, then=then)
    thought = thought._replace(parts=tuple(plans(view, 1, after(view, 1, thought))))
    for known, what in read(thought.reason):
        CLAIMS[known](Claim(game, view, 1, thought), *what)
    assert told in thought.reason


def test_what_all_plays_of_a_roll_are_good_for_is_no_reason_for_one_of_them() -> None:
    game = all_games()["kingamon"]
    start = game.start({"first": 1}, 2)._replace(white=placed(10, at1=6, at2=4), red=RED)
    view = game.apply(start, CHANCE, "1-2")
    assert any("before the king of Red" in part.text for part in plans(view, 1, view))
    thoughts = bot_of(game).think(view, 1, 3, Random(0))
    assert len(thoughts) > 1
    for thought in thoughts:
        told = thought._replace(parts=bot_of(game).explain(view, 1, thought)).reason
        assert "before the king of Red" not in thought.reason + told
