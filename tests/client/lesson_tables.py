"""Lessons that have begun."""

from window import SETTINGS

from engine import all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.table.lesson import LessonTable, read


def table(key: str) -> LessonTable:
    return LessonTable(all_games()[key], read(key), "gwen")


def begun(key: str) -> tuple[LessonTable, Console]:
    at = table(key)
    return at, Console(at, SETTINGS, "unicode")
