"""What `hint` and `why` say of a move is so: each sentence is held against the engine, in positions of random games."""

import os
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from claims import CLAIMS, HARMS, Claim, over, read, rolls_that_take

from engine import CHANCE, Chance, Over, Turn, all_games
from engine.games.fidchell import captures
from engine.games.kingamon import KING, OFF, PLAY, State
from p2p_stonehenge.bots import advice
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import HARMFUL, Part, Thought, always, together
from p2p_stonehenge.screen.views import row, wrap
from protocol import draw_locally

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("fidchess", 2, {}),
    ("fidchess", 2, {"rigant_stacking": True}),
    ("qenqe", 2, {}),
    ("qenqe", 3, {}),
    ("qenqe", 4, {"partners": True}),
    ("fidchell", 2, {"pieces": 20}),
    ("fidchell", 3, {}),
    ("kingamon", 2, {}),
    ("kingamon", 2, {"quick": True, "captured_king": "bar", "captured_disks": "removed", "cube": True}),
    ("celtic-whist", 1, {}),
    ("celtic-whist", 3, {}),
    ("celtic-whist", 4, {"cooperative": True}),
]


SEARCHED = ("fidchess", "qenqe", "fidchell")
"""Games whose bots search, and say what a rival threatens."""


def test_claims_are_known_by_their_words() -> None:
    assert [known[0] for known in read("takes 2 disks, moves again and threatens to win at once")] == [
        r"takes (\d+) disks?",
        r"moves again",
        r"threatens to win at once",
    ]
    assert len(read("is the only move that does not lose; it takes 1 disk")) == 2
    with pytest.raises(AssertionError):
        read("does something that nobody checks")


def test_reasons_that_have_parts_stay_apart() -> None:
    """`which lacks 6 fields instead of 5 and moves again` let the chain move again."""
    blocks = "is in the way of Green's chain, which lacks 6 fields instead of 5"
    assert together((Part("takes 1 disk"), Part("moves again"))) == "takes 1 disk and moves again"
    assert together((Part(blocks), Part("moves again"))) == f"{blocks}; it moves again"
    assert len(read(together((Part("captures 2 pieces"), Part(blocks), Part("moves again"))))) == 3
    wants = Part("no more tricks are wanted", clause=True)
    assert together((Part("takes the trick"), wants)) == "takes the trick; no more tricks are wanted"


def positions(
    key: str, players: int, options: dict[str, Any], seed: int, every: int, most: int
) -> Iterator[tuple[Any, int]]:
    """Yield views of the seat to act out of a game in which most actions are drawn by lot."""
    game, rng = all_games()[key], Random(seed)
    state, number = game.start(options, players), 0
    while not isinstance(due := game.pending(state), Over):
        if isinstance(due, Chance):
            state = game.apply(state, CHANCE, draw_locally(due.draw, rng.randbytes(32)))
            continue
        view, number = game.view(state, due.seat), number + 1
        if number % every == 0 and len(game.legal(view, due.seat)) > 1:
            yield view, due.seat
        if number == most * every:
            return
        taking = [a for a in game.legal(view, due.seat) if "x" in a] if rng.random() < 0.3 else []
        state = game.apply(state, due.seat, rng.choice(taking or game.legal(view, due.seat)))


def check(key: str, players: int, options: dict[str, Any], seed: int, most: int) -> int:
    """Hold what is said in one game against the engine; return how much that was."""
    game, rng, seen = all_games()[key], Random(seed), 0
    level = 2 if key in ("fidchess", "qenqe", "fidchell") else 3
    for view, seat in positions(key, players, options, seed, every=160 // most, most=most):
        thoughts = bot_of(game).think(view, seat, level, rng, always)
        asked = [
            *thoughts[:2],
            *(one._replace(parts=bot_of(game).explain(view, seat, one)) for one in rng.sample(thoughts, 1)),
        ]
        for thought in asked:
            claim = Claim(game, view, seat, thought)
            for known, what in read(thought.reason):
                seen += 1
                try:
                    CLAIMS[known](claim, *(one for one in what if one is not None))
                except AssertionError as error:
                    raise AssertionError(f"{thought} is not so; {claim.events}\n{view}") from error
            for part in thought.parts:
                assert (part.kind in HARMFUL) == any(re.fullmatch(harm, part.text) for harm in HARMS), part
    return seen


@pytest.mark.parametrize(("key", "players", "options"), TABLES)
def test_what_a_hint_says_of_a_move_is_so(key: str, players: int, options: dict[str, Any]) -> None:
    assert check(key, players, options, seed=0, most=8 if key == "fidchell" else 40) >= 5


THREAT = re.compile(
    r"threatens (?P<move>[^\s,]+), (?:which )?(?P<does>wins at once"
    r"|(?:may win|wins) in the same turn(?:, with (?P<then>[^:]+) after it)?"
    r"|(?:.*: all in all |captures \S+, )?worth about [1-9]\d* (?:disk|piece)s?"
    r"|.*, while \w+ can still keep \w+ from winning at once)"
)


@pytest.mark.parametrize(("key", "players", "options"), [one for one in TABLES if one[0] in SEARCHED])
def test_what_is_threatened_after_a_move_can_be_done(key: str, players: int, options: dict[str, Any]) -> None:
    game, rng, seen = all_games()[key], Random(2), 0
    for view, seat in positions(key, players, options, seed=2, every=2, most=15):
        action = rng.choice(game.legal(view, seat))
        after = game.apply(view, seat, action)
        due = game.pending(after)
        found = None if isinstance(due, Over) or due == Turn(seat) else bot_of(game).threat(view, seat, action)
        if not found:
            continue
        match, claim = THREAT.fullmatch(found.does), Claim(game, view, seat, Thought(action, 0.0))
        assert match, found
        turned = claim.turned(after, found.rival)
        assert match["move"] in game.legal(turned, found.rival)
        reply = Claim(game, turned, found.rival, Thought(match["move"], 0.0))
        if match["does"] == "wins at once":
            over(reply)
        elif match["then"]:
            for one in re.split(", | and ", match["then"]):
                reply.after = game.apply(reply.after, found.rival, one)
            over(reply)
        elif ": " in match["does"]:
            for known, what in read(match["does"].partition(": ")[0]):
                CLAIMS[known](reply, *(one for one in what if one is not None))
        seen += 1
    assert seen >= 2


CAPTURES = re.compile(
    r"Of the 36 rolls of (?P<colour>White|Red) "
    r"(?:(?P<king>\d+) takes? your king)?(?: and )?(?:(?P<disk>\d+) (?:takes?|others?) a disk)?\."
)


def kings_passed(state: State) -> bool:
    """Whether no piece can come to stand before either king any more."""
    sides = (state.white, state.red)
    for own, other in (sides, sides[::-1]):
        king = next(way for way, byte in enumerate(own) if byte >= KING)
        if any(other[: OFF - king]):
            return False
    return True


def test_a_hint_praises_no_disk_borne_off_where_the_king_alone_counts() -> None:
    game = all_games()["kingamon"]
    side = bytearray(OFF + 1)
    side[25], side[26] = 9, KING + 1
    for quick in (False, True):
        state = game.start({"first": 1, "quick": quick}, 2)._replace(white=bytes(side), red=bytes(side))
        rolled = game.apply(state, CHANCE, "5-1")
        told = together(bot_of(game).explain(rolled, 1, Thought("K26/27", 0.0, then="25/off")))
        assert ("bears off 1 piece" in told) != quick


@pytest.mark.parametrize(
    "options", [options for key, _, options in TABLES if key == "kingamon"] + [{"safe_spaces": True}]
)
def test_why_says_how_many_rolls_of_the_rival_take_something(options: dict[str, Any]) -> None:
    game, rng, seen = all_games()["kingamon"], Random(5), {"takes": 0, "nothing": 0, "again": 0, "race": 0, "over": 0}
    for seed in range(2):
        for view, seat in positions("kingamon", 2, options, seed, every=2, most=40):
            if view.phase != PLAY:
                continue
            thoughts = bot_of(game).think(view, seat, 1, rng, always)
            thought = rng.choice(thoughts)
            claim = Claim(game, view, seat, thought)
            told, after = bot_of(game).outcome(view, seat, thought), claim.after
            last = [min(way for way, byte in enumerate(side) if byte) for side in (after.white, after.red)]
            rival = game.colours[2 - seat]
            if after.phase > PLAY:
                seen["over"] += 1
                assert not told
            elif sum(last) > OFF:
                seen["race"] += 1
                assert told.startswith("Nothing can be captured any more: you need about ")
            elif options.get("quick") and kings_passed(after):
                assert told.startswith("The kings have passed the other side: you need about ")
            elif after.seat == seat:
                seen["again"] += 1
                assert told == "You roll again before the other side does."
            elif not any(found := rolls_that_take(after, 3 - seat)):
                seen["nothing"] += 1
                assert told == f"No roll of {rival} captures anything then."
            else:
                seen["takes"] += 1
                match = CAPTURES.fullmatch(told)
                assert match, told
                assert (match["colour"], int(match["king"] or 0), int(match["disk"] or 0)) == (rival, *found)
    assert seen["takes"] >= 5
    assert seen["again"]


MEASURE = re.compile(
    r"The bot reckons you about ([\d.]+) (?:disk|piece)s? (ahead|behind) then\.|The game is (level) then\."
    r"|You win about (\d+) of 100 games from there\.|It is worth about ([+-][\d.]+) points to you\."
)


def measured(line: str) -> float:
    """Return the one number by which a line of a hint says how its move stands."""
    (match,) = MEASURE.finditer(line)
    lead, side, level, wins, points = match.groups()
    return 0.0 if level else float(wins or points or lead) * (-1 if side == "behind" else 1)


@pytest.mark.parametrize(
    ("key", "options"),
    [(key, options) for key, players, options in TABLES if players == 2],
)
def test_the_first_move_of_a_hint_has_the_best_number(key: str, options: dict[str, Any]) -> None:
    game, compared = all_games()[key], 0
    for view, seat in positions(key, 2, options, seed=3, every=1, most=3 if key in ("fidchell", "qenqe") else 8):
        lines = [line for line in advice.hint(game, view, seat, always) if not line.endswith("is the only move.")]
        if any("wins" in line or "loses" in line for line in lines if "of 100 games" not in line):
            continue
        assert all(MEASURE.search(line) for line in lines if not line.startswith("As good: ")), lines
        numbers = [measured(line) for line in lines if MEASURE.search(line)]
        assert numbers == sorted(numbers, reverse=True), lines
        assert not any(re.search(r"by about [\d.]+", line) for line in lines), lines
        compared += len(lines) > 1
    assert compared >= 2


@pytest.mark.parametrize(("key", "players", "every"), [("celtic-whist", 3, 4), ("fidchell", 2, 6), ("kingamon", 2, 3)])
def test_a_hint_says_nothing_twice(key: str, players: int, every: int) -> None:
    """Of moves that are as good a hint repeated every part of the reason, and of a play its capture."""
    game, several = all_games()[key], 0
    for view, seat in positions(key, players, {}, seed=6, every=every, most=8):
        first, *others = advice.hint(game, view, seat, always)
        several += bool(others)
        told = {part for part in re.split(r"\. (?:It )?|; (?:it )?", first)[1:] if not MEASURE.search(f"{part}.")}
        for line in others if key != "kingamon" else ():  # where chance may bring the same after two plays
            parts = re.split(r"\. (?:It )?|; (?:it )?", line.rstrip("."))[1:]
            assert not told & {part for part in parts if not part.startswith("Then ")}, (first, line)
        for line in [first, *others]:
            assert not ("captures a disk" in line and "It captures 1 piece" in line), line
            assert not ("bears off" in line.partition(". ")[0] and "It bears off 1 piece" in line), line
    assert several >= 2


@pytest.mark.parametrize("options", [{}, {"quick": True, "captured_king": "bar", "cube": True}])
def test_a_hint_of_kingamon_takes_five_lines_at_most_and_names_other_turns_as_they_are_typed(
    options: dict[str, Any],
) -> None:
    game, others = all_games()["kingamon"], 0
    for view, seat in positions("kingamon", 2, options, seed=8, every=2, most=30):
        _, *more = lines = advice.hint(game, view, seat, always)
        assert sum(len(wrap(row(f"- {line}"), 79)) for line in lines) <= 5, lines
        for line in more if view.phase == PLAY else ():
            others += 1
            match = re.match(r"(?:As|Nearly as) good: ([^:]+): ", line)
            assert match, line
            now = view
            for action in match[1].split():
                assert action in game.legal(now, seat), line
                now = game.apply(now, seat, action)
            assert now.phase != PLAY or now.seat != seat, "nothing is left to be played"
            assert not re.search(r"from space \d+ to space \d+\.", line), "the play itself says that"
    assert others >= 5


@pytest.mark.parametrize("players", [2, 3])
def test_advice_of_fidchell_takes_four_lines_at_most_and_keeps_what_a_move_takes(players: int) -> None:
    """With more lines the board left a window of 24."""
    game, rng = all_games()["fidchell"], Random(players)
    for view, seat in positions("fidchell", players, {}, seed=players, every=9, most=4):
        taking = captures(view)
        asked = rng.choice(taking or game.legal(view, seat))
        hint, why = advice.hint(game, view, seat, always), advice.why(game, view, seat, (asked,), always)
        for told in (hint, why):
            assert sum(len(wrap(row(f"- {line}"), 79)) for line in told) <= 4, told
        assert not taking or "captures" in why[0], why


def test_a_play_without_a_reason_is_told_with_what_the_rival_may_roll() -> None:
    game, seen = all_games()["kingamon"], 0
    for view, seat in positions("kingamon", 2, {}, seed=7, every=2, most=12):
        for line in advice.hint(game, view, seat, always)[:1]:
            if re.search(r": \w+ moves a disk from space \d+ to space \d+\.(?! It (?!is best followed))", line):
                seen += 1
                assert re.search(r"Of the 36 rolls of|No roll of|You roll again|Nothing can be captured", line), line
    assert seen


@pytest.mark.slow
@pytest.mark.parametrize(("key", "players", "options"), TABLES)
@pytest.mark.parametrize("seed", range(1, 1 + int(os.environ.get("STONEHENGE_MORE", "1"))))
def test_what_a_hint_says_of_a_move_is_so_in_many_games(
    key: str, players: int, options: dict[str, Any], seed: int
) -> None:
    check(key, players, options, seed, most=40)
