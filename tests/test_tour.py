"""The tour: every command in it is one that the program takes."""

import re
from pathlib import Path

import pytest

from engine import all_games
from p2p_stonehenge.cli.arguments import make_parser

ROOT = Path(__file__).resolve().parent.parent
TOUR = (ROOT / "docs" / "tour.md").read_text("utf-8")
COMMANDS = re.findall(r"^python3 scripts/play\.py (.+)$", TOUR, re.MULTILINE)


def test_the_tour_has_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} >= {"solo", "host", "join", "replay", "verify", "export"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_tour_is_one_that_the_program_takes(command: str) -> None:
    words = command.split()
    args = vars(make_parser(words).parse_args(words))
    assert args["command"] == words[0]
    assert args.get("game", "kingamon") in all_games()


def test_options_named_in_passing_are_taken_as_well() -> None:
    for words in (["solo", "kingamon", "--hot-seat"], ["join", "--home", "x"]):
        assert "--hot-seat" in TOUR
        make_parser(words).parse_args(words)
