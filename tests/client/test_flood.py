"""A table goes on while a hostile process, with a seat or without, sends 10,000 messages a second at its players."""

import sys
from pathlib import Path

import pytest
from flooding import flood_a_table

pytestmark = [pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(200)]

MORE_MEMORY = 60
"""Megabytes, far above what is measured; a flood that was kept would take more each second."""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("kind", ["stranger", "seat"])
def test_a_flood_does_not_disturb_the_table(tmp_path: Path, kind: str) -> None:
    flood = flood_a_table(tmp_path, kind, 3, 700)
    print(f"\na hostile {kind}: {flood}")
    assert flood.rate > 5_000  # 10,000 where the machine has nothing else to do
    assert flood.more_memory < MORE_MEMORY
    assert flood.flooded.actions > flood.quiet.actions / 4
