"""A table goes on while strangers, or a hostile player, do to it whatever was thought of."""

import shutil
import sys
from pathlib import Path

import pytest
from attackers import KINDS as STRANGERS
from attacking import Attacked, attack_a_table
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
ATTEMPTS = 3
STOPPED = 0.5
"""Seconds for which a hostile player may stop a client."""
SLUGGISH = 10.0
"""Milliseconds that an action takes in peace on a computer too slow, or too busy, for a pace to be judged."""


def attacked(folder: Path, kind: str, slower: float, within: tuple[str, ...] = ()) -> Attacked:
    """What an attack comes to, measured anew where it slowed or stopped the table by more or took more memory.

    Other tests run beside it, and what comes in between two looks at a connection depends on their pace.
    """
    for attempt in range(ATTEMPTS):
        found = attack_a_table(folder / str(attempt), kind, SECONDS, within=within)
        print(f"\n{kind}: {found}")
        paced = found.slower < slower and found.stopped < STOPPED
        if paced and found.more_memory < MORE_MEMORY:
            return found
    if not paced and found.quiet > SLUGGISH:
        pytest.skip(
            f"an action takes {found.quiet:.0f} ms in peace: this computer is too slow to tell what an attack costs"
        )
    return found


@pytest.mark.parametrize("kind", [kind for kind in STRANGERS if kind != "nothing"])
def test_strangers_cost_a_table_little(tmp_path: Path, kind: str) -> None:
    limited = ("prlimit", f"--nofile={FILES}:{FILES}") if shutil.which("prlimit") else ()
    found = attacked(tmp_path, kind, SLOWER, limited)
    assert found.more_memory < MORE_MEMORY
    assert found.files < FILES
    assert found.slower < SLOWER


@pytest.mark.parametrize("kind", [kind for kind in SEAT if kind != "nothing"])
def test_a_hostile_player_leaves_the_others_half_of_their_pace(tmp_path: Path, kind: str) -> None:
    found = attacked(tmp_path, f"seat {kind}", 1 + SLOWER)
    assert found.more_memory < MORE_MEMORY
    assert found.slower < 1 + SLOWER
    assert found.stopped < STOPPED
