"""The fixtures that the rooms of these tests share; each is written beside what it gives."""

from clubs import club
from command_lines import run
from friends import friends, named
from loopback import players

__all__ = ["club", "friends", "named", "players", "run"]
