"""The release: licences that allow it, and a wheel and an sdist that install and work where nothing else is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from scripting import script

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = {"MIT", "MIT-0", "BSD-3-Clause", "Apache-2.0", "LGPL-2.1-or-later", "MPL-2.0"}


def test_what_runs_with_the_client_may_be_used_so_and_is_listed() -> None:
    release = script("release")
    found = dict(release.dependencies())
    assert len(found) >= 10
    assert set(found.values()) <= ALLOWED, found
    assert release.licences() in (ROOT / "docs" / "release.md").read_text("utf-8")


def test_a_package_without_a_licence_is_called_unknown() -> None:
    from email.message import Message

    about = Message()
    about["Name"] = "stranger"
    assert script("release").licence(about) == "unknown"
    about["Classifier"] = "License :: OSI Approved :: MIT License"
    assert script("release").licence(about) == "MIT"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_wheel_and_sdist_install_and_work_where_nothing_else_is(tmp_path: Path) -> None:
    command = [sys.executable, "scripts/release.py", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "The wheel installs, plays, verifies and exports." in done.stdout
    assert "The sdist installs, plays, verifies and exports." in done.stdout
    assert script("release").licences() in done.stdout
    assert re.search(r"\| --version \| \d+\.\d\d \| \d+ \|", done.stdout) or sys.platform == "win32"
    assert len(list(tmp_path.glob("*.whl"))) == len(list(tmp_path.glob("*.tar.gz"))) == 1
