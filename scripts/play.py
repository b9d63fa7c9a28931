"""Runs the client; the first time it makes the project's environment. `python3 scripts/play.py [ARGS...]`."""

import os
import sys

from environment import ready, run

if __name__ == "__main__":
    try:
        ready()
    except KeyboardInterrupt:
        sys.exit(130)
    # What the client's texts tell players to type, their friends too.
    os.environ.setdefault("P2P_STONEHENGE_COMMAND", "python3 scripts/play.py")
    # -P: a file in the folder where the player stands must not pass for one of our modules.
    run(["-P", "-m", "p2p_stonehenge", *sys.argv[1:]])
