"""Fair rolls: values that nobody could foresee or steer."""

from protocol.chance.fair import below, draw_locally
from protocol.chance.rolls import Bound, Breach, Roll, Rolled

__all__ = ["Bound", "Breach", "Roll", "Rolled", "below", "draw_locally"]
