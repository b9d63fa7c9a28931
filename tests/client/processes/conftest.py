"""The fixture that tests of three real players share."""

from three_players import trio

__all__ = ["trio"]
