"""Two honest clients play, as fast as they can, while a hostile process floods them: what that does to their game."""

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from playing import LOOPBACK, Player, agree, begin, leave, people
from test_transport import free_port

PAUSE = 0.02
"""Seconds that an honest bot thinks, so that time to answer and time to think are told apart."""
PATIENT = (
    "import sys; from p2p_stonehenge import bots; bots.LONG_GAME = 10**9; "
    f"bots.Bots.__init__.__defaults__ = ({PAUSE},); "
    "from p2p_stonehenge.__main__ import main; sys.exit(main())"
)
"""A client whose bot never agrees to a draw."""
HOSTILE = Path(__file__).with_name("hostile_client.py")


class Pace(NamedTuple):
    """How a table goes: actions a second, and milliseconds between two."""

    actions: float
    median: float
    slowest: float
    """Of 100."""

    def __str__(self) -> str:
        return (
            f"{self.actions:.0f} actions/s, {self.median:.1f} ms from one to the next, 1 of 100 {self.slowest:.0f} ms"
        )


class Flooded(NamedTuple):
    """What a flood came to: messages a second at each victim, the table's pace without and with it, megabytes."""

    rate: float
    quiet: Pace
    flooded: Pace
    memory: int
    more_memory: int

    def __str__(self) -> str:
        return (
            f"{self.rate:.0f} messages/s at each of two players\n  without: {self.quiet}\n  with:    {self.flooded}\n"
            f"  memory: {self.memory} MB, at most {self.more_memory} MB more under the flood"
        )


def flood_a_table(folder: Path, kind: str, seconds: float, turns: int) -> Flooded:
    """Let a "stranger" or a hostile "seat" flood a table of two others for `seconds`; return what was measured."""
    players = people(folder, 3 if kind == "seat" else 2)
    honest = players[:2]
    ports = [free_port() for _ in honest]
    for player, port in zip(honest, ports, strict=True):
        player.network = (*LOOPBACK, "--port", str(port))
        player.program = ("-c", PATIENT)
    if kind == "seat":
        players[2].program = (str(HOSTILE), "seat", str(seconds))
    stranger: subprocess.Popen[str] | None = None
    try:
        begin(players, "fidchell", "-o", f"turn_limit={turns}")
        host = honest[0]
        if kind == "seat":
            players[2].line(lambda line: line == "gave up\n")
        else:
            host.read_until(10)
        quiet = pace(host, seconds)
        before = max(map(memory, honest))
        if kind == "seat":
            players[2].line(lambda line: line == "flooding\n")
        else:
            command = [sys.executable, str(HOSTILE), "stranger", str(seconds), *map(str, ports)]
            stranger = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert stranger.stdout
            assert stranger.stdout.readline() == "flooding\n"
        flooded = pace(host, seconds)
        if stranger is not None:
            told = stranger.communicate(timeout=30)[0]
        else:
            told = players[2].line(lambda line: line.startswith("flooded"))
        after = max(memory(player, most=True) for player in honest)
        for player in players:
            player.end()
        agree(players)
        return Flooded(float(told.split()[1]), quiet, flooded, before, after - before)
    finally:
        leave(players)
        if stranger is not None:
            stranger.kill()
            stranger.communicate()


def pace(player: Player, seconds: float) -> Pace:
    """Return how the table went for the next `seconds`, or until its end."""
    began = time.monotonic()
    while player.playing and time.monotonic() < began + seconds:
        time.sleep(0.1)
    ended = time.monotonic()
    moments = [when for line, when in player.heard() if line[:1].isdigit() and began <= when <= ended]
    gaps = [1000 * (after - before) for before, after in pairwise(moments)]
    assert len(gaps) > 1, "the table stood still"
    steps = quantiles(gaps, n=100)
    return Pace(len(moments) / (ended - began), steps[49], steps[98])


def memory(player: Player, *, most: bool = False) -> int:
    """Return the megabytes that a client holds, or has held at most."""
    assert player.process
    status = Path(f"/proc/{player.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM" if most else "VmRSS"))
    return int(line.split()[1]) >> 10
