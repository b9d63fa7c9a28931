"""What a player types to start this program."""

import os

COMMAND = os.environ.get("P2P_STONEHENGE_COMMAND", "p2p-stonehenge")
"""`scripts/play.py` sets it, where no command is installed."""
