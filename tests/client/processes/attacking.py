"""Two honest clients play while others attack them: what that does to their game, their memory and their event loops.

The same game is played twice, without and with the attack, so that the same actions are compared. Attackers have a
processor of their own where there are two, or else they would take the time of their victims by using it themselves.
"""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from playing import LOOPBACK, ROOT, Player, begin, leave, people
from transports import free_port

STRANGERS = Path(__file__).with_name("attackers.py")
SEAT = Path(__file__).with_name("hostile_seat.py")
PAUSE = 0.02
"""Seconds that an honest bot thinks, so that time to answer and time to think are told apart."""
BEFORE = 20
"""Actions before an attack begins."""
STALL = 0.03
"""Seconds for which an event loop has to stand still to be told of."""
WATCHED = f"""
import asyncio, functools, random, sys, time
from p2p_stonehenge.bots import players as bots
from p2p_stonehenge.cli import sitting
from p2p_stonehenge.table.among_peers import NetTable
bots.LONG_GAME = 10**9
bots.Bots.__init__.__defaults__ = ({PAUSE},)
sitting.Random = functools.partial(random.Random, 5)
keep_time = NetTable.keep_time
async def beaten(table):
    beating = asyncio.ensure_future(beat())
    await keep_time(table)
    beating.cancel()
async def beat():
    while True:
        began = time.monotonic()
        await asyncio.sleep(0.005)
        late = time.monotonic() - began - 0.005
        if late > {STALL}: print(f'stood still {{late:.3f}}', flush=True)
NetTable.keep_time = beaten
from p2p_stonehenge.__main__ import main
sys.exit(main())
"""
"""A client whose bot plays the same game each time, never agrees to a draw, and tells when its loop stood still."""


class Attacked(NamedTuple):
    """What an attack came to: milliseconds for an action without and with it, megabytes, the longest stop (seconds).

    `busy`: what part of a processor a client worked more.
    """

    done: str
    actions: int
    quiet: float
    attacked: float
    busy: float
    more_memory: float
    stopped: float
    files: int
    """File descriptors, at most."""

    @property
    def slower(self) -> float:
        """Return how much longer an action took under the attack, in parts of the time without."""
        return self.attacked / self.quiet - 1

    def __str__(self) -> str:
        pace = f"{self.quiet:5.1f} -> {self.attacked:5.1f} ms an action ({self.slower:+4.0%} in {self.actions})"
        cost = f"busy {self.busy:+4.0%}, {self.more_memory:+4.0f} MB, stopped {1000 * self.stopped:4.0f} ms"
        return f"{pace}, {cost}, {self.files} files; {self.done}"


def attack_a_table(
    folder: Path, kind: str, seconds: float, root: Path = ROOT, within: tuple[str, ...] = ()
) -> Attacked:
    """Let an attack of `kind` run for `seconds` against a table of two, played by the client under `root`.

    `within`: what the clients' commands begin with, as one that limits what they may have.

    A kind that begins with `seat ` is that of a hostile seat of a table of three, any other one that of strangers.
    """
    quiet, _, usual, *_ = _play(folder / "quiet", kind, seconds, root, within, attacking=False)
    attacked, done, busy, memory, stopped, files = _play(
        folder / "attacked", kind, seconds, root, within, attacking=True
    )
    last = min(len(quiet), len(attacked)) - 1
    assert last > BEFORE + 10, (len(quiet), len(attacked))
    before, after = (1000 * (moments[last] - moments[BEFORE]) / (last - BEFORE) for moments in (quiet, attacked))
    return Attacked(done, last - BEFORE, before, after, busy - usual, memory, stopped, files)


def _play(
    folder: Path, kind: str, seconds: float, root: Path, within: tuple[str, ...], *, attacking: bool
) -> tuple[list[float], str, float, float, float, int]:
    """Return when the actions of a game were known to its host, what the attack did, and what it came to.

    That is the part of a processor that a client used, megabytes more, the longest stop in seconds, and files.
    """
    seat = kind.startswith("seat ")
    players = people(folder, 3 if seat else 2)
    honest = players[:2]
    ports = [free_port() for _ in honest]
    for player, port in zip(honest, ports, strict=True):
        player.network, player.program = (*LOOPBACK, "--port", str(port)), ("-c", WATCHED)
        player.root, player.within = root, within
    if seat:
        players[2].program = (str(SEAT), kind.removeprefix("seat ") if attacking else "nothing", str(seconds))
    attacker: subprocess.Popen[str] | None = None
    done = ""
    try:
        begin(players, "fidchell", "-o", "turn_limit=3000", "-o", "first=1")
        for number, player in enumerate(players):
            _pin(player.process, number // 2)
        honest[0].read_until(BEFORE)
        before = {player: _memory(player) for player in honest}
        began, files, worked = time.monotonic(), 0, sum(map(_worked, honest))
        if attacking and seat:
            players[2].line(lambda line: line == "attacking\n")
        elif attacking:
            command = [sys.executable, str(STRANGERS), kind, str(seconds), *map(str, ports)]
            attacker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            _pin(attacker, 1)
        while time.monotonic() < began + seconds + 0.5 and all(player.playing for player in honest):
            files = max(files, *map(_files, honest))
            time.sleep(0.02)
        ended = time.monotonic()
        busy = (sum(map(_worked, honest)) - worked) / (ended - began) / len(honest)
        more = max(_memory(player, most=True) - before[player] for player in honest)
        if attacker is not None:
            done = attacker.communicate(timeout=60)[0].strip().splitlines()[-1]
        elif attacking:
            done = players[2].line(lambda line: line.startswith("attacked")).strip()
        heard = [(line, when) for player in honest for line, when in player.heard() if began <= when <= ended]
        stops = [float(line.split()[2]) for line, _ in heard if line.startswith("stood still")]
        for player in honest:
            assert player.playing, player.told[-5:]
        moments = [when for line, when in honest[0].heard() if line[:1].isdigit() and when <= ended]
        return moments, done, busy, more, max(stops, default=0.0), files
    finally:
        leave(players)
        if attacker is not None:
            attacker.kill()
            attacker.communicate()


def _pin(process: subprocess.Popen[str] | None, number: int) -> None:
    """Keep a process to one processor."""
    assert process
    own = sorted(os.sched_getaffinity(0))
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {own[number % len(own)]})


def _worked(player: Player) -> float:
    """Return the seconds that a client has worked, in all its threads."""
    assert player.process
    fields = Path(f"/proc/{player.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _files(player: Player) -> int:
    """Return how many file descriptors a client has."""
    assert player.process
    with suppress(FileNotFoundError):
        return len(list(Path(f"/proc/{player.process.pid}/fd").iterdir()))
    return 0


def _memory(player: Player, *, most: bool = False) -> float:
    """Return the megabytes that a client holds, or has held at most since this was asked for the last time."""
    assert player.process
    own = Path(f"/proc/{player.process.pid}")
    status = (own / "status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM" if most else "VmRSS"))
    (own / "clear_refs").write_text("5")
    return int(line.split()[1]) / 1024
