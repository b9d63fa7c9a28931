"""Runs the tests; the first time it makes the project's environment. `python3 scripts/test.py [PYTEST ARGS...]`.

Those marked slow are left out unless `-m slow` or `-m ""` asks for them.
"""

import os
import sys

from environment import ROOT, ready, run

if __name__ == "__main__":
    try:
        ready(["test"])
    except KeyboardInterrupt:
        sys.exit(130)
    os.chdir(ROOT)
    run(["-m", "pytest", "-m", "not slow", *sys.argv[1:]])
