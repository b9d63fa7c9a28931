"""The example of docs/adding-a-game.md in a copy of the repository: it obeys the laws and is played to the end."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(?:python|markdown)\n(?:# |<!-- )(\S+)(?: -->)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    for package in ("engine", "protocol", "p2p_stonehenge", "tests/engine"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    blocks = BLOCK.findall((ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8"))
    assert [name for name, _ in blocks] == [
        "engine/games/stones/__init__.py",
        "p2p_stonehenge/views/stones.py",
        "p2p_stonehenge/rules/stones.md",
    ]
    for name, text in blocks:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def run(root: Path, *words: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(root), "P2P_STONEHENGE_HOME": str(root / "home")}
    done = subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_it_obeys_the_laws(copy: Path) -> None:
    out = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/engine/test_laws.py")
    assert " passed" in out


def test_it_is_listed_explained_played_and_proven(copy: Path) -> None:
    assert "Standing Stones, 2-5 players" in run(copy, "-m", "p2p_stonehenge", "games")
    assert "Whoever takes the last stone wins" in run(copy, "-m", "p2p_stonehenge", "rules", "stones", "taking")
    out = run(copy, "-m", "p2p_stonehenge", "solo", "stones", "--players", "5", "--auto", "1", "-o", "row=30")
    assert "won: last stone taken" in out
    (saved,) = (copy / "home" / "games").iterdir()
    assert "valid" in run(copy, "-m", "p2p_stonehenge", "verify", str(saved))
    assert "STANDING STONES" in run(copy, "-m", "p2p_stonehenge", "replay", str(saved))
