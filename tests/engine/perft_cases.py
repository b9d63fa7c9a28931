"""Positions of the games without dice and cards, each with its perft: the number of sequences of moves by length."""

import json
from pathlib import Path
from typing import Any

GAMES = ("fidchess", "qenqe", "fidchell")
"""The games that have a file of counts."""


def cases(game: str) -> list[dict[str, Any]]:
    """Return the cases of a game: name, options, seats, the actions that lead there, and the counts by depth from 1."""
    found: list[dict[str, Any]] = json.loads((Path(__file__).parent / "perft" / f"{game}.json").read_text())
    return found


def name_of(case: dict[str, Any]) -> str:
    """Return the name of a case among the tests."""
    return str(case["name"])
