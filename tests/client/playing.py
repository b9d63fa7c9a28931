"""Real clients in processes of their own, which bots play, and which may be killed at any moment."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from random import Random
from threading import Thread
from typing import IO, NamedTuple

from protocol import whole
from protocol.events import EventKind, read_event
from protocol.file import EventRecord, records

ROOT = Path(__file__).resolve().parent.parent.parent
LOOPBACK = ("--interface", "127.0.0.1")
AGREED = ("table", "game", "result", "events", "digest", "cheats")
PATIENCE = 200.0
FIRING_RANGE = {
    "celtic-whist": (3, ()),
    "kingamon": (2, ("-o", "quick=true", "-o", "captured_king=bar")),
    "qenqe": (3, ("-o", "turn_limit=400")),
    "fidchell": (3, ("-o", "turn_limit=400")),
    "fidchess": (2, ("-o", "turn_limit=400")),
}
"""Seats and options of tables whose players are killed."""


class Player:
    """One client with a home of its own, played by a bot. A thread reads what it prints."""

    def __init__(self, home: Path, nick: str, within: Sequence[str] = (), network: Sequence[str] = LOOPBACK) -> None:
        """`within`: what a command begins with to run elsewhere, in a namespace. `network`: options of the client."""
        self.home, self.nick, self.within, self.network = home, nick, tuple(within), tuple(network)
        self.program: tuple[str, ...] = ("-m", "p2p_stonehenge")
        self.hands: tuple[str, ...] = ("--auto", "0")
        self.root = ROOT
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> None:
        played = (*self.hands, *self.network, "--home", str(self.home))
        command = [*self.within, sys.executable, *self.program, *words, *played]
        self.process = subprocess.Popen(
            command,
            stdin=None if "--auto" in self.hands else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(self.root)},  # in a namespace the current folder is another one
            start_new_session=True,
        )
        self.lines: Queue[str] = Queue()
        self.told: list[str] = []
        self._when: list[float] = []
        self.reader = Thread(
            target=self._read, args=(self.process.stdout, self.lines, self.told, self._when), daemon=True
        )
        self.reader.start()

    @staticmethod
    def _read(stream: IO[str], lines: "Queue[str]", told: list[str], moments: list[float]) -> None:
        with stream:
            for line in stream:
                moments.append(time.monotonic())
                told.append(line)
                lines.put(line)
        lines.put("")

    def heard(self) -> list[tuple[str, float]]:
        """Return what the client has printed, and when."""
        return list(zip(self.told, self._when, strict=False))

    def line(self, wanted: Callable[[str], bool], seconds: float = PATIENCE) -> str:
        """Wait for a line that is `wanted`. Raises TimeoutError, also when the client has ended."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                raise TimeoutError(f"{self.nick} says no such thing: {self.told[-5:]}") from None
            if not line:
                raise TimeoutError(f"{self.nick} has ended: {self.told[:12]} {self.told[-5:]}")
            if wanted(line):
                return line

    def type(self, *lines: str) -> None:
        """Type lines; for a person, whose `hands` are `--plain`."""
        assert self.process
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hears(self, text: str) -> str:
        """Wait for a line that holds a text, and return it."""
        return self.line(lambda line: text in line)

    @staticmethod
    def one_hears(players: Sequence["Player"], text: str) -> str:
        """Wait until one of some players has a line that holds a text, and return it. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for player in players:
                with suppress(TimeoutError):
                    return player.line(lambda line: text in line, seconds=0.1)
        raise TimeoutError(f"nobody says {text!r}: {[player.told[-5:] for player in players]}")

    def read_until(self, number: int) -> None:
        """Wait until the client has told of action `number`."""
        self.line(lambda line: line.startswith(f"{number}. "))

    def next_ply(self, seconds: float = PATIENCE) -> None:
        """Wait until the client tells of an action that it has not told of yet."""
        while not self.lines.empty():
            self.lines.get()
        self.line(lambda line: line[:1].isdigit(), seconds)

    @property
    def playing(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> bool:
        """Kill the client at once; return whether it was still playing."""
        assert self.process
        playing = self.playing
        if playing:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join()
        if self.process.stdin:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
        return playing

    def end(self, seconds: float = PATIENCE) -> str:
        """Wait until the client has ended well; return all that it printed."""
        assert self.process
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.nick} does not end: {self.told[-5:]}") from None
        self.reader.join()
        if self.process.stdin:
            self.process.stdin.close()
        assert self.process.returncode == 0, self.told[-5:]
        return "".join(self.told)

    @property
    def file(self) -> Path:
        (path,) = (self.home / "games").glob("*.stonehenge")
        return path

    @property
    def seated(self) -> bool:
        """Whether there is a table to come back to: its file has the charter."""
        files = list((self.home / "games").glob("*.stonehenge"))
        return bool(files) and whole(files[0].read_bytes()) > 100

    def report(self) -> dict[str, object]:
        done = run(self.home, "verify", "--json", str(self.file))
        assert done.returncode == 0, done.stdout
        return dict(json.loads(done.stdout))


def run(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "p2p_stonehenge", *words, "--home", str(home)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, stdin=subprocess.DEVNULL, cwd=ROOT
    )


def patched(*patches: str) -> tuple[str, str]:
    """Return how a client is run of which parts do something else."""
    return "-c", "".join(("import sys\nfrom p2p_stonehenge.__main__ import main\n", *patches, "sys.exit(main())\n"))


def people(folder: Path, number: int) -> list[Player]:
    """Return players whose names no test that runs beside this one uses."""
    tag = secrets.token_hex(3)
    return [Player(folder / name, f"{name}-{tag}") for name in ("anna", "ben", "cara", "dora", "emma")[:number]]


def begin(players: Sequence[Player], game: str, *options: str) -> None:
    """Let the first one host a table at which the others sit down."""
    host, *guests = players
    host.start("host", game, "--name", host.nick, "--players", str(len(players)), *options)
    for guest in guests:
        guest.start("join", host.nick, "--name", guest.nick)


def leave(players: Sequence[Player]) -> None:
    """End whoever still runs, and close what leads to those who have ended."""
    for player in players:
        if player.process:
            player.kill()


def same(reports: Sequence[dict[str, object]], names: Collection[str]) -> None:
    """Hold that reports on the files of one game tell the same of what is named; say what differs."""
    first, *others = reports
    for other in others:
        differs = [(name, first[name], other[name]) for name in sorted(names) if other[name] != first[name]]
        assert not differs, differs


def agree(players: Sequence[Player], *, confirmed: bool = True) -> dict[str, object]:
    """Return the report on a finished game of which all files tell the same, `confirmed` by the same seats too."""
    reports = [player.report() for player in players]
    same(reports, reports[0] if confirmed else AGREED)
    assert reports[0]["finished"]
    assert reports[0]["cheats"] == []
    return reports[0]


class Toll(NamedTuple):
    """What was done to a game that came to a good end nevertheless."""

    kills: int = 0
    together: int = 0
    """Kills of which all players were struck at once."""
    starting: int = 0
    """Of a client that had told of no action since it was resumed."""
    rolls: int = 0
    """With an unfinished roll as the last thing on disk."""
    deals: int = 0
    moves: int = 0
    """Bids too, but no card played."""
    events: int = 0
    """Of the game; each one that was on a disk at a kill is there in the end."""

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.together} of all together, {self.starting} while starting; on disk last: "
            f"{self.rolls} a step of a roll, {self.deals} of a deal, {self.moves} a bid or a move), "
            f"0 lost or changed of {self.events} events"
        )


def last_step(data: bytes) -> str:
    """Return what the last event in a file, which is whole, belongs to."""
    *_, last = (record for _, record in records(data))
    return _STEPS.get(read_event(*last).kind, "") if isinstance(last, EventRecord) else ""


_STEPS = {
    EventKind.MOVE: "moves",
    EventKind.COMMITMENT: "rolls",
    EventKind.REVELATION: "rolls",
    EventKind.KEY: "deals",
    EventKind.SHUFFLE: "deals",
    EventKind.SHARES: "deals",
}


def play_under_fire(players: Sequence[Player], number: int, rng: Random) -> Toll:
    """Kill clients of a table that plays at random moments, `number` of them if it lasts so long, until its end.

    One, several or all are killed and resumed. Whatever was in a file when its owner was killed must be there unchanged
    in the end: nothing lost, nothing signed anew.
    """
    counts = Counter[str]()
    remains: list[tuple[Player, bytes]] = []
    shown: dict[str, str] = {}
    for player in players:
        player.line(lambda line: line[:1].isdigit())
    while counts["kills"] < number and all(player.playing for player in players):
        time.sleep(rng.random() ** 2)
        chosen = rng.sample(players, rng.choice([1, 1, 1, len(players), rng.randint(1, len(players))]))
        down = [player for player in chosen if player.kill()]
        for player in down:
            compare(shown, player)
            data = player.file.read_bytes()
            remains.append((player, data[: whole(data)]))
            counts[last_step(data[: whole(data)])] += 1
            counts["starting"] += not any(line[:1].isdigit() for line in player.told)
        counts["kills"] += len(down)
        counts["together"] += len(down) * (len(down) == len(players))
        rng.shuffle(down)
        for player in down:
            player.start("resume")
        if rng.random() < 0.8:  # or else the next one comes while they start
            for player in down:
                settle(player)
    for player in players:
        assert player.process
        player.process.wait(timeout=PATIENCE)
        player.reader.join()
        # Killed between the end of the table and the end of the program, it has nothing to go on with.
        over = player.process.returncode == 5 and "no interrupted table" in "".join(player.told)
        assert player.process.returncode == 0 or over, player.told[-5:]
        compare(shown, player)
    report = agree(players)
    for player, data in remains:
        assert player.file.read_bytes().startswith(data), f"{player.nick} lost or changed what it had"
    del counts[""]
    return Toll(**counts, events=int(str(report["events"])))


def compare(shown: dict[str, str], player: Player) -> None:
    """Check that what a client has told of the game is what was `shown` before: nobody plays a move again."""
    for line in player.told:
        number, dot, _ = line.partition(". ")
        if "Two events crossed" in line:  # said where they do, and then the numbers are others
            shown.clear()
        elif dot and number.isdigit() and line.endswith("\n"):
            assert shown.setdefault(number, line) == line, (
                f"{player.nick} tells {line!r}, and was told {shown[number]!r}"
            )


def games_under_fire(folder: Path, game: str, number: int, seed: str) -> Iterator[Toll]:
    """Yield the toll of one game after the other until there were `number` kills."""
    rng, seats, options = Random(f"{game} {seed}"), *FIRING_RANGE[game]
    for attempt in count():
        if number <= 0:
            return
        players = people(folder / str(attempt), seats)
        try:
            begin(players, game, *options)
            toll = play_under_fire(players, number, rng)
        finally:
            leave(players)
        number -= toll.kills
        yield toll


def settle(player: Player) -> None:
    """Wait until a resumed client has told of an action, or has ended."""
    assert player.process
    try:
        player.line(lambda line: line[:1].isdigit(), seconds=PATIENCE)
    except TimeoutError:
        player.process.wait(PATIENCE)  # raises if it has not ended but is stuck
