"""What a comparison of `bench.py` is made of."""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Row(NamedTuple):
    """One comparison. `ratio` is ours to the peer's; `target` says in words what it should be."""

    name: str
    ours: str
    peer: str
    ratio: float
    target: str


def memory_disk() -> str | None:
    """Return where fsync costs nothing, if there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
