"""The example of docs/adding-a-game.md in a copy of the repository: tests of all games pass there, and it is played."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(?:python|markdown)\n(?:# |<!-- )(\S+)(?: -->)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = (".git", "__pycache__", ".venv", "build", "dist", ".*_cache")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    blocks = BLOCK.findall((ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8"))
    assert [name for name, _ in blocks] == [
        "engine/games/stones/__init__.py",
        "p2p_stonehenge/screen/views/stones.py",
        "p2p_stonehenge/rules/stones.md",
        "docs/rules/README.md",
    ]
    for name, text in blocks:
        file = root / name
        file.parent.mkdir(exist_ok=True)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(before + text, encoding="utf-8")
    return root


def lists_games(file: Path) -> bool:
    """Return whether a test goes through the games, rather than names one."""
    return re.search(r"\ball_games\(\)(?!\[)", file.read_text(encoding="utf-8")) is not None


def run(root: Path, *words: str, seconds: float = 100) -> str:
    here = {"PYTHONPATH": str(root), "P2P_STONEHENGE_HOME": str(root / "home"), "STONEHENGE_MORE": "1"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env=os.environ | here,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-10_000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_what_is_asked_of_every_game_is_true_of_it(copy: Path) -> None:
    """The tests that go through all games; with STONEHENGE_MORE above 1 the whole suite, which takes minutes."""
    all_of_it = os.environ.get("STONEHENGE_MORE", "1") != "1"
    listing = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tests").rglob("test_*.py") if lists_games(file))
    assert len(listing) > 10
    marked = ("-m", "not slow and not many", "--ignore", str(Path(__file__).relative_to(ROOT)))
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "worksteal", *marked)
    out = run(copy, *words, *(["tests"] if all_of_it else listing), seconds=1400)
    assert " passed" in out
    assert " failed" not in out


@pytest.mark.parametrize(
    "words",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        pytest.param(("mypy", "--strict"), marks=pytest.mark.slow),
    ],
)
def test_it_is_clean(copy: Path, words: tuple[str, ...]) -> None:
    run(copy, "-m", *words)


def test_it_is_listed_explained_played_and_proven(copy: Path) -> None:
    assert "Standing Stones, 2-5 players" in run(copy, "-m", "p2p_stonehenge", "games")
    assert "Whoever takes the last stone wins" in run(copy, "-m", "p2p_stonehenge", "rules", "stones", "taking")
    out = run(copy, "-m", "p2p_stonehenge", "solo", "stones", "--players", "5", "--auto", "1", "-o", "row=30")
    assert "won: last stone taken" in out
    (saved,) = (copy / "home" / "games").iterdir()
    assert "Valid" in run(copy, "-m", "p2p_stonehenge", "verify", str(saved))
    assert "STANDING STONES" in run(copy, "-m", "p2p_stonehenge", "replay", str(saved))
