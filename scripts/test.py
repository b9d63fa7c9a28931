"""Runs the tests; the first time it makes the project's environment. `python3 scripts/test.py [PYTEST ARGS...]`.

Those marked slow are left out unless `-m slow` or `-m ""` asks for them. `--coverage`, as the first argument, runs
those of engine and protocol and says which branches they take.
"""

import os
import sys

from environment import ROOT, ready, run

if __name__ == "__main__":
    arguments = sys.argv[1:]
    measured = arguments[:1] == ["--coverage"]
    try:
        ready(["test", "coverage"] if measured else ["test"])
    except KeyboardInterrupt:
        sys.exit(130)
    os.chdir(ROOT)
    run(["scripts/branches.py", *arguments[1:]] if measured else ["-m", "pytest", "-m", "not slow", *arguments])
