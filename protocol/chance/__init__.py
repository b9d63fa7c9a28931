"""Fair rolls: values that nobody could foresee or steer."""

from protocol.chance.rolls import Bound, Breach, Breaches, Roll, Rolled
from protocol.chance.salts import below, commitment, committed, draw_locally, mix, mixed, stream

__all__ = [
    "Bound",
    "Breach",
    "Breaches",
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
