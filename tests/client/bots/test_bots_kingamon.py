"""Bots at Byzantine Kingamon: shots counted as the rules have them, kings kept safe, bearing off, the cube."""

import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from engine import CHANCE, OptionValue, Over
from engine.games.kingamon import ANSWER, BACKGAMMON, CHOOSE, GAME, KING, KING_BAR, PLAY, QUICK, ROLL, State
from p2p_stonehenge.bots import kingamon as kingamon_bot
from p2p_stonehenge.bots.advice import hint
from p2p_stonehenge.bots.kingamon import BOT
from p2p_stonehenge.bots.kingamon.learned import (
    KINDS,
    LINEAR_FILE,
    QUICK_BAR_FILE,
    QUICK_FILE,
    UNITS_FILE,
    WEIGHTS,
    Learned,
    learned,
)
from p2p_stonehenge.bots.kingamon.levels import value_of
from p2p_stonehenge.bots.kingamon.race import bear_off, homes, turns_left
from p2p_stonehenge.bots.kingamon.shots import shots
from p2p_stonehenge.bots.kingamon.value import chance
from p2p_stonehenge.bots.reasons import EXPLAINED
from p2p_stonehenge.bots.thought import always

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"
CAPTURED = "king captured"
VARIANTS = [
    {},
    {"quick": True},
    {"quick": True, "captured_disks": "removed"},
    {"quick": True, "captured_king": "bar"},
    {"bearing_off": "backgammon"},
    {"bar_first": True},
    {"safe_spaces": True},
    {"acey_ducey": True},
    {"cube": True},
]


def sides(state: State) -> tuple[bytes, bytes]:
    """The side that is to roll, and the other."""
    return (state.white, state.red) if state.seat == 1 else (state.red, state.white)


def capturing_rolls(state: State) -> int:
    """How many of the 36 rolls capture the opposing king, by playing out every roll under the rules."""
    found = 0
    for a in range(1, 7):
        for b in range(1, 7):
            waiting = [GAME.apply(state, CHANCE, f"{a}-{b}")]
            captured = False
            while waiting and not captured:
                now = waiting.pop()
                if now.phase == PLAY:
                    waiting += [GAME.apply(now, state.seat, play) for play in now.plays]
                else:
                    due = GAME.pending(now)
                    captured = isinstance(due, Over) and due.result.reason == CAPTURED
            found += captured
    return found


def wandering(seed: int, **options: OptionValue) -> list[State]:
    """Positions before a roll, out of a game in which kings go for walks."""
    rng, state, found = Random(seed), GAME.start({"first": 1, **options}, 2), []
    while state.phase <= PLAY:
        if state.phase == ROLL:
            found.append(state)
            state = GAME.apply(state, CHANCE, rng.choice(GAME.legal(state, CHANCE)))
            continue
        kings = [play for play in state.plays if play[0] == "K"]
        state = GAME.apply(state, state.seat, rng.choice(kings if kings and rng.random() < 0.3 else state.plays))
    return found


@pytest.mark.parametrize("options", [{}, {"bar_first": True}, {"safe_spaces": True}])
def test_a_bot_counts_the_rolls_that_take_a_king_as_the_rules_do(options: Mapping[str, OptionValue]) -> None:
    dangers = 0
    for seed in range(12):
        for state in Random(seed).sample(positions := wandering(seed, **options), min(12, len(positions))):
            rolls = capturing_rolls(state)
            assert shots(state.rules, *sides(state)).rolls == rolls, state
            dangers += rolls > 0
    assert dangers > 10, "the positions have shots in them"


def test_bearing_off_is_counted_by_what_the_rolls_can_do() -> None:
    """A part of the table is worked out again; `make_bear_off.py --check` does it for all of it."""
    sys.path.insert(0, str(SCRIPTS))
    from make_bear_off import expected

    for exact in (True, False):
        table = bear_off(exact)
        assert len(table) == len(homes()) == 12376
        for home, turns in expected(exact, 3).items():
            assert table[home] == pytest.approx(turns, abs=1 / 1024)
    # One piece on the last space of the home: a 1 is thrown in 11 rolls of 36, and equal dice roll again.
    assert bear_off(True)[b"\0\0\0\0\0\1"] == pytest.approx(31 / 11, abs=1 / 1024)
    assert bear_off(False)[b"\0\0\0\0\0\1"] == 1


@pytest.mark.parametrize("exact", [True, False])
def test_the_side_ahead_in_a_race_wins_as_often_as_is_said(exact: bool) -> None:
    """Races of up to seven pieces a side are played out by the table."""
    sys.path.insert(0, str(SCRIPTS))
    from make_bear_off import after, plays

    table, rng = bear_off(exact), Random(1)
    steps = {home: tuple(frozenset(plays(home, die, exact)) for die in range(7)) for home in homes() if sum(home) < 8}
    said, won = [], 0
    for _ in range(1000):
        first, second = rng.choices([home for home in steps if sum(home)], k=2)
        own, other = (bytes((*bytes(24), *home, KING + 10 - sum(home))) for home in (first, second))
        wins = chance(0 if exact else BACKGAMMON, own, other)
        ahead = wins > 0.5
        said.append(wins if ahead else 1 - wins)
        sides, turn = [first, second], 0
        while all(map(sum, sides)):
            a, b = rng.randint(1, 6), rng.randint(1, 6)
            sides[turn] = min(after(sides[turn], a, b, steps), key=table.__getitem__)
            turn ^= a != b
        won += (not sum(sides[0])) == ahead
    assert won / len(said) == pytest.approx(sum(said) / len(said), abs=0.03)


def test_who_has_farther_to_go_needs_more_turns() -> None:
    start = GAME.start({"first": 1}, 2)
    assert 30 < turns_left(0, start.white) < 50
    moved = bytearray(start.white)
    moved[2], moved[8] = 1, 1
    assert turns_left(0, bytes(moved)) < turns_left(0, start.white)


@pytest.mark.parametrize(("level", "most"), [(1, 12), (2, 12), (3, 12), (4, 12), (5, 3)])
def test_thoughts_are_the_lawful_plays_best_first_and_a_seed_repeats_them(level: int, most: int) -> None:
    for state in wandering(7)[:most]:
        rolled = GAME.apply(state, CHANCE, "2-1")
        if len(rolled.plays) < 2:
            continue
        thoughts = BOT.candidates(rolled, rolled.seat, level, Random(1), always)
        assert sorted(thought.action for thought in thoughts) == sorted(set(rolled.plays))
        worths = [thought.worth for thought in thoughts]
        assert worths == sorted(worths, reverse=True)
        assert BOT.candidates(rolled, rolled.seat, level, Random(1), always) == thoughts


def side(king: int, **disks: int) -> bytes:
    """A side with its king on a place of its own way, and so many disks on others, as `at24=3`; the rest is off."""
    cells = bytearray(31)
    for place, count in disks.items():
        cells[int(place.removeprefix("at"))] += count
    cells[30] += 10 - sum(disks.values())
    cells[king] += KING
    return bytes(cells)


def test_a_hint_gives_the_reasons_that_are_given_of_a_play_asked_about() -> None:
    """What only the best plays share with each other is a reason for each; what all plays share is none."""
    seen = 0
    for state in wandering(3):
        for roll in ("6-2", "4-3"):
            rolled = GAME.apply(state, CHANCE, roll)
            if rolled.phase != PLAY:
                continue
            for thought in BOT.candidates(rolled, rolled.seat, 1, Random(0), always)[:EXPLAINED]:
                assert thought.parts == BOT.explain(rolled, rolled.seat, thought)
                seen += bool(thought.parts)
    assert seen > 20


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_where_bearing_off_the_king_wins_it_runs_before_disks_are_borne_off(level: int) -> None:
    """Both kings have passed the other side: a disk borne off with the 2 or the 6 wins nothing."""
    own, other = side(18, at24=3, at28=4), side(20, at25=8)
    state = GAME.start({"first": 1, "quick": True}, 2)._replace(white=own, red=other)
    rolled = GAME.apply(state, CHANCE, "6-2")
    assert "24/off" in rolled.plays
    for seed in range(5):
        best = BOT.candidates(rolled, 1, level, Random(seed), always)[0]
        assert "K18/24" in (best.action, best.then) or "K20/26" in (best.action, best.then)


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_where_bearing_off_the_king_wins_it_is_brought_off_against_a_side_with_fewer_disks(level: int) -> None:
    """How many disks are off counts nothing: the side whose king is far ahead is the one that wins."""
    ahead, behind = side(24, at1=5, at2=5), side(8, at28=1)
    wins = value_of(level, Random(1))
    assert wins(QUICK, ahead, behind) > 0.6 > 0.4 > wins(QUICK, behind, ahead)


def test_a_king_waits_for_its_side_where_only_a_side_that_is_home_bears_off() -> None:
    """With `bearing_off=backgammon` a king that is home already is of no use while disks are far away."""
    near, far = side(28, at24=10), side(28, at1=10)
    assert turns_left(QUICK, near) == turns_left(QUICK, far)
    assert turns_left(QUICK | BACKGAMMON, near) == 1
    assert turns_left(QUICK | BACKGAMMON, far) > 25


def test_the_king_ahead_in_a_race_of_kings_wins_as_often_as_is_said() -> None:
    """Races of kings are played out, each for the fewest turns on average."""
    rng, said, won = Random(1), 0.0, 0
    games = 1500
    for _ in range(games):
        ways = [rng.randint(8, 29), rng.randint(8, 29)]
        own, other = (side(way, at29=10) for way in ways)
        wins = chance(QUICK, own, other)
        said += max(wins, 1 - wins)
        turn = 0
        while max(ways) < 30:
            a, b = rng.randint(1, 6), rng.randint(1, 6)
            ends = {ways[turn] + step for step in (0, a, b, a + b) if ways[turn] + step <= 30}
            ways[turn] = min(ends, key=lambda way: turns_left(QUICK, side(way)))
            turn ^= a != b
        won += (ways[0] == 30) == (wins > 0.5)
    assert won / games == pytest.approx(said / games, abs=0.03)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_captured_king_that_begins_again_loses_no_game(level: int) -> None:
    """The king that can be taken has just entered, and has its way before it in any case."""
    hunter, hunted = side(0, at20=1, at21=1, at22=1, at23=1), side(6, at25=5)
    wins = value_of(level, Random(1))
    assert wins(QUICK, hunter, hunted) > 0.4
    assert wins(QUICK | KING_BAR, hunter, hunted) < wins(QUICK, hunter, hunted) - 0.1


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: " ".join(options) or "plain")
def test_every_variant_is_played_to_its_end(options: Mapping[str, OptionValue]) -> None:
    rng, levels = Random(3), (3, 2)
    state = GAME.start({"first": 1, **options}, 2)
    for _ in range(2000):
        if state.phase > PLAY:
            break
        if state.phase == ROLL:
            state = GAME.apply(state, CHANCE, rng.choice(GAME.legal(state, CHANCE)))
        else:
            best = BOT.candidates(state, state.seat, levels[state.seat - 1], rng, always)[0]
            assert GAME.refuse(state, state.seat, best.action) is None
            state = GAME.apply(state, state.seat, best.action)
    assert state.phase > PLAY


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_bot_takes_a_king_that_it_can_take(level: int) -> None:
    own, other = bytearray(31), bytearray(31)
    own[3], own[10], own[30] = 2, 16, 8
    other[30 - 8], other[2], other[30] = KING, 2, 8
    state = State(0, ROLL, 1, bytes(own), bytes(other), b"", 0, 1, 0)
    rolled = GAME.apply(state, CHANCE, "3-2")
    # 3 and 2 together: 3/6 and 6/8*, or 3/5 and 5/8*. A learner may overlook what takes both dice.
    if level == 1:
        rolled = GAME.apply(state, CHANCE, "5-2")
    after = GAME.apply(rolled, 1, BOT.candidates(rolled, 1, level, Random(1), always)[0].action)
    if after.phase == PLAY:
        after = GAME.apply(after, 1, BOT.candidates(after, 1, level, Random(1), always)[0].action)
    assert after.phase > PLAY
    assert after.seat == 1


@pytest.mark.parametrize("level", [1, 2, 4, 5])
def test_a_bot_bears_off_where_it_can(level: int) -> None:
    """Casual moved other pieces as gladly: it counted pips alone, and so lost races that were won.

    Club forgets at some rolls what exact rolls cost.
    """
    own, other = bytearray(31), bytearray(31)
    own[24], own[29], own[30] = 1, 2, KING + 7
    other[24], other[25], other[30] = 1, 2, KING + 7
    state = State(0, ROLL, 1, bytes(own), bytes(other), b"", 0, 1, 0)
    for seed in range(5):
        after, rng = GAME.apply(state, CHANCE, "1-2"), Random(seed)
        while after.phase == PLAY:
            best = BOT.candidates(after, 1, level, rng, always)[0].action if len(after.plays) > 1 else after.plays[0]
            after = GAME.apply(after, 1, best)
        assert after.white[30] == KING + 8


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_double_is_taken_with_chances_and_dropped_without(level: int) -> None:
    start = GAME.start({"first": 1, "cube": True}, 2)._replace(phase=CHOOSE)
    offer = GAME.apply(start, 1, "double")
    assert offer.phase == ANSWER
    assert BOT.candidates(offer, 2, level, Random(1), always)[0].action == "take"
    assert BOT.candidates(start, 1, level, Random(1), always)[0].action == "roll"
    near = bytearray(31)
    near[29], near[30] = 1, KING + 9
    lost = offer._replace(white=bytes(near))
    assert BOT.candidates(lost, 2, level, Random(1), always)[0].action == "drop"
    assert BOT.candidates(start._replace(white=bytes(near)), 1, level, Random(1), always)[0].action == "double"
    assert hint(GAME, lost, 2, always)[0].startswith("Hint: drop: Red drops.")


def test_a_bot_out_of_time_plays_what_looked_best_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = GAME.apply(wandering(7)[6], CHANCE, "2-1")
    hurried = BOT.candidates(rolled, rolled.seat, 5, Random(1), lambda: False)
    monkeypatch.setattr(kingamon_bot, "SECOND_PLY", 6)
    assert hurried == BOT.candidates(rolled, rolled.seat, 5, Random(1), always)


def test_weights_are_written_as_they_were_read() -> None:
    for name in (LINEAR_FILE, UNITS_FILE, QUICK_FILE, QUICK_BAR_FILE):
        weights = learned(name)
        assert Learned(weights.row()).row() == weights.row()
    assert learned(UNITS_FILE).heights
    assert not learned(LINEAR_FILE).heights
    with pytest.raises(ValueError, match="for each unit"):
        Learned([0.0] * (WEIGHTS + 1))


def test_a_unit_counts_as_far_as_its_sum_is_above_zero() -> None:
    own, scalars = bytes((0, 2, *bytes(29))), (1.0, *[0.0] * 9)
    row = [0.0] * WEIGHTS
    row[KINDS + 2] = 0.5  # two disks on the first place
    row[-10] = 0.25  # what every position has
    plain = Learned(row)
    assert plain.correction(own, bytes(31), scalars) == 0.75
    assert plain.correction(bytes(31), own, scalars) == 0.25
    for sign, counted in ((1, 2 * 0.75), (-1, 0)):
        unit = [sign * weight for weight in row]
        assert Learned([*row, *unit, 2.0]).correction(own, bytes(31), scalars) == 0.75 + counted


@pytest.mark.parametrize("target", [0.0, 1.0])
def test_weights_move_towards_what_they_are_told(target: float) -> None:
    sys.path.insert(0, str(SCRIPTS))
    import learn_kingamon

    start = GAME.start({"first": 1}, 2)
    weights = Learned(learn_kingamon.with_units(learned(LINEAR_FILE).row(), 3, Random(1)))
    value = learn_kingamon.with_weights(weights)
    positions = [state for state in learn_kingamon.played(value, start, Random(2)) if state.phase == ROLL]
    heights = weights.heights
    for state in positions[:20]:
        before = value(state.rules, *sides(state))
        learn_kingamon.towards(weights, state, 0.02, target)
        assert abs(target - value(state.rules, *sides(state))) < abs(target - before)
    assert weights.heights != heights


def test_casual_players_seldom_lose_a_king_that_runs_alone() -> None:
    """They left it to be taken for a small lead: of these 60 games about half ended so."""
    taken = 0
    for seed in range(60):
        rng, state = Random(seed), GAME.start({"first": 1, "quick": True}, 2)
        while not isinstance(due := GAME.pending(state), Over):
            if state.phase == ROLL:
                state = GAME.apply(state, CHANCE, rng.choice(GAME.legal(state, CHANCE)))
            else:
                state = GAME.apply(state, state.seat, BOT.think(state, state.seat, 2, rng)[0].action)
        taken += due.result.reason == CAPTURED
    assert taken <= 15
