"""Command lines run in this process or in one of their own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import all_games
from p2p_stonehenge.__main__ import main
from protocol import LOCAL, Identity, Seat, Table, charter_record, event_record, local_charter, make_body

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process: its status, what it printed, what it complained."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            status = main(words)
        except SystemExit as end:
            status = int(end.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def python(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, **more)


def saved_game(actions: tuple[tuple[int, str], ...]) -> bytes:
    """A local table of Fidchess with these actions."""
    anna = Identity(bytes(range(32)))
    seats = (Seat(anna.id, "anna", 1), Seat(anna.id, "stone", 1))
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, bytes(16))
    table = Table(local_charter(body, anna, bytes(32)), {1: anna})
    events = [table.act(actor, action) for actor, action in actions] + table.duties()
    return charter_record(table.charter) + b"".join(map(event_record, events))
