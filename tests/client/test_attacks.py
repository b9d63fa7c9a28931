"""A table goes on while strangers, or a hostile player, do to it whatever was thought of."""

import shutil
import sys
from pathlib import Path

import pytest
from attackers import KINDS as STRANGERS
from attacking import attack_a_table
from hostile_seat import KINDS as SEAT

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(200),
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc, attackers have addresses 127.x.x.x"),
]

SECONDS = 2.0
MORE_MEMORY = 16
"""Megabytes."""
SLOWER = 0.5
"""Where nothing else is to be done a tenth is not reached; tests run beside each other."""
FILES = 256


@pytest.mark.parametrize("kind", [kind for kind in STRANGERS if kind != "nothing"])
def test_strangers_cost_a_table_little(tmp_path: Path, kind: str) -> None:
    limited = ("prlimit", f"--nofile={FILES}:{FILES}") if shutil.which("prlimit") else ()
    found = attack_a_table(tmp_path, kind, SECONDS, within=limited)
    print(f"\n{kind}: {found}")
    assert found.more_memory < MORE_MEMORY
    assert found.files < FILES
    assert found.slower < SLOWER


@pytest.mark.parametrize("kind", [kind for kind in SEAT if kind != "nothing"])
def test_a_hostile_player_leaves_the_others_half_of_their_pace(tmp_path: Path, kind: str) -> None:
    found = attack_a_table(tmp_path, f"seat {kind}", SECONDS)
    print(f"\n{kind}: {found}")
    assert found.more_memory < MORE_MEMORY
    assert found.slower < 1 + SLOWER
    assert found.stopped < 0.5
