"""What the bot of a game may say is declared in one place, and a game without a bot of its own has one all the same."""

import os
import subprocess
import sys
from copy import copy
from random import Random
from typing import Any

import pytest

from engine import Game, Turn, all_games
from p2p_stonehenge.bots.advice import hint, why
from p2p_stonehenge.bots.game_bot import ADVISER, GameBot
from p2p_stonehenge.bots.greedy import Greedy
from p2p_stonehenge.bots.players import LEVELS
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Part, Thought, always


def without_a_bot() -> Game[Any]:
    game = copy(all_games()["fidchess"])
    game.key = "no-such-game"
    return game


@pytest.mark.parametrize("key", all_games())
def test_a_bot_says_nothing_that_nobody_asks_for(key: str) -> None:
    """A name that is mistyped would switch off what it was meant to be."""
    bot = bot_of(all_games()[key])
    assert bot.game is all_games()[key]
    assert {name for name in vars(type(bot)) if not name.startswith("_")} <= {*vars(GameBot)}


@pytest.mark.parametrize("key", all_games())
def test_a_bot_knows_threats_if_it_says_some(key: str) -> None:
    bot = bot_of(all_games()[key])
    assert bot.knows_threats == ("threat" in vars(type(bot)))


@pytest.mark.parametrize("key", all_games())
def test_a_bot_has_a_level_above_that_of_advice_where_moves_are_weighed_at_it(key: str) -> None:
    bot = bot_of(all_games()[key])
    assert bot.adviser + bool(bot.unit.size) < len(LEVELS)
    assert bool(bot.unit.name) == bool(bot.unit.size)


def test_a_game_without_a_bot_of_its_own_has_one_that_says_nothing_but_its_candidates() -> None:
    bot = bot_of(without_a_bot())
    assert isinstance(bot, Greedy)
    view, thought = bot.game.start({"first": 1}, 2), Thought("A2-A3", 12.0, (Part("moves"),))
    assert (bot.unit.size, bot.adviser, bot.hopeless, bot.alike) == (0.0, ADVISER, None, 0.0)
    assert not bot.has_styles
    assert not bot.knows_threats
    assert bot.explain(view, 1, thought) == thought.parts
    assert bot.estimate(view, 1, thought) == 12.0
    assert bot.same(view, thought, thought)
    assert not bot.same(view, thought, Thought("B2-B3", 12.0, thought.parts))
    assert bot.outcome(view, 1, thought) == bot.worth_told(view, 12.0) == ""
    assert [bot.threat(view, 1), bot.risk(view, 1, ["A2-A3"]), bot.given_up(view)] == [None] * 3
    assert bot.counted_worth(view, 12.0) == "12.0"
    assert bot.fortune(view, "first 1") == {}
    assert bot.knows_hand(view, 1)


def test_a_game_without_a_bot_of_its_own_is_advised_on() -> None:
    game = without_a_bot()
    view = game.start({"first": 1}, 2)
    assert game.pending(view) == Turn(1)
    assert hint(game, view, 1, always)[0].startswith("Hint: ")
    assert why(game, view, 1, ("A2-A3",), always)[0].startswith("A2-A3")
    thoughts = bot_of(game).think(view, 1, ADVISER, Random(0))
    asked = [thought.action for thought in thoughts[:2]]
    found, depth = bot_of(game).weigh(view, 1, asked, ADVISER, always)
    assert ([thought.action for thought in found], depth) == (asked, 0)


def test_the_bot_of_a_game_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys\n"
        "from engine import all_games\n"
        "from p2p_stonehenge.bots.thinking import bot_of\n"
        "games = [f'p2p_stonehenge.bots.{key.replace(chr(45), chr(95))}' for key in all_games()]\n"
        "assert not sys.modules.keys() & {*games}\n"
        "bot_of(all_games()['celtic-whist'])\n"
        "assert sys.modules.keys() & {*games} == {'p2p_stonehenge.bots.celtic_whist'}\n"
    )
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=os.environ | path, check=True)
