"""A saved game as people look back at it: its plies in words, and the position after each, from any seat."""

from p2p_stonehenge.saved.game import OPEN, SavedGame, Step, StepKind
from p2p_stonehenge.saved.proof import Proven, lesson, prove

__all__ = ["OPEN", "Proven", "SavedGame", "Step", "StepKind", "lesson", "prove"]
