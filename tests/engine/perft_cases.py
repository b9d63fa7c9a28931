"""Positions of the games without dice and cards, with how many ways there are to play on from them."""

import json
from pathlib import Path
from typing import Any

GAMES = ("fidchess", "qenqe", "fidchell")
"""Those that have a file."""


def cases(game: str) -> list[dict[str, Any]]:
    """Return a game's cases: name, options, seats, the actions that lead there and the counts, one for each depth."""
    found: list[dict[str, Any]] = json.loads((Path(__file__).parent / "perft" / f"{game}.json").read_text())
    return found


def name_of(case: dict[str, Any]) -> str:
    """Return what a case is called among the tests."""
    return str(case["name"])
