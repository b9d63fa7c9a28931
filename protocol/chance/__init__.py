"""Fair rolls: values that nobody could foresee or steer."""

from protocol.chance.fair import below, commitment, committed, draw_locally, mix, mixed, stream
from protocol.chance.rolls import Bound, Breach, Roll, Rolled

__all__ = [
    "Bound",
    "Breach",
    "Roll",
    "Rolled",
    "below",
    "commitment",
    "committed",
    "draw_locally",
    "mix",
    "mixed",
    "stream",
]
