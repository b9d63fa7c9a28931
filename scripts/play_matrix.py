"""Plays every game with every option to its end, by bots in processes of their own that find each other on loopback.

Prints a line for each table; ends with status 1 if any failed: a client that did not end well, files that do not
verify, or files that do not agree. Takes about ten minutes for all games.
"""

import argparse
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine import Game, Option, OptionError, all_games, option_text  # noqa: E402  after the path is set

PATIENCE = 600
AGREED = ("table", "game", "result", "events", "digest", "cheats")
ENDLESS = {"fidchell": {"turn_limit": "400"}}
"""What keeps a table of random bots short."""
TOGETHER = {"captured_disks": {"quick": "true"}, "captured_king": {"quick": "true"}, "partners": {}}
"""Options that need others."""


def main() -> None:
    """Play the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all if left out")
    games = parser.parse_args().games or [*all_games()]
    if unknown := {*games} - {*all_games()}:
        parser.error(f"no game {', '.join(sorted(unknown))}: there are {', '.join(all_games())}")
    failed = 0
    for key in games:
        game = all_games()[key]
        for players, options in tables(game):
            began = time.monotonic()
            shown = " ".join(f"{name}={value}" for name, value in options.items()) or "defaults"
            problem = play(key, players, options)
            failed += bool(problem)
            took = time.monotonic() - began
            print(f"{key:13} {players} players  {shown:40} {took:6.1f} s  {problem or 'ok'}", flush=True)
    print(f"{failed} failed")
    sys.exit(bool(failed))


def tables(game: Game[object]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield every number of players with the defaults, every other value of every option with as few as it takes."""
    usual = ENDLESS.get(game.key, {})
    numbers = sorted(game.seats, key=lambda number: (number == 1, number))
    for players in numbers:
        yield players, usual
    for option in game.options:
        for value in other_values(option):
            for players in numbers:
                options = usual | TOGETHER.get(option.name, {}) | {option.name: value}
                try:
                    game.start(options, players)
                except OptionError:
                    continue
                yield players, options
                break


def other_values(option: Option) -> list[str]:
    """Return the values worth a table besides the default; of a range its lowest number or one like it."""
    named = [option_text(value) for value in option.values if value != option.default]
    numbers = {
        "start": ["20"],
        "timer": ["10"],
        "first": ["2"],
        "turn_limit": ["30"],
        "pieces": ["12"],
        "sections": ["5"],
        "layout": ["4204"],
    }
    return named + numbers.get(option.name, [])


def play(key: str, players: int, options: dict[str, str]) -> str:
    """Play one table; return what went wrong, or nothing."""
    host = f"host-{secrets.token_hex(3)}"
    with tempfile.TemporaryDirectory() as folder:
        loopback = ("--interface", "127.0.0.1", "--auto", "0")
        chosen = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        if players == 1:
            clients = [client(folder, 1, "solo", key, "--players", "1", "--auto", "0", *chosen)]
        else:
            clients = [client(folder, 1, "host", key, "--players", str(players), "--name", host, *loopback, *chosen)]
            clients += [
                client(folder, n, "join", host, "--name", f"guest-{n}", *loopback) for n in range(2, players + 1)
            ]
        try:
            told = [one.communicate(timeout=PATIENCE)[0] for one in clients]
        except subprocess.TimeoutExpired:
            for one in clients:
                one.kill()
                one.communicate()
            return f"not over after {PATIENCE} s"
        for one, text in zip(clients, told, strict=True):
            if one.returncode:
                return f"status {one.returncode}: {text.strip().splitlines()[-1:]}"
        reports = [verified(folder, number) for number in range(1, players + 1)]
        if any(not report["ok"] or not report["finished"] or report["signed_by"] == [] for report in reports):
            return "a file is not valid, not finished or not signed"
        if len({json.dumps([report[name] for name in AGREED]) for report in reports}) > 1:
            return "the files do not agree"
    return ""


def client(folder: str, number: int, *words: str) -> "subprocess.Popen[str]":
    """Start a client with a home of its own."""
    command = [sys.executable, "-m", "p2p_stonehenge", *words, "--home", f"{folder}/{number}"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def verified(folder: str, number: int) -> dict[str, object]:
    """Return what `verify --json` says of a client's file."""
    (saved,) = Path(folder, str(number), "games").glob("*.stonehenge")
    command = [sys.executable, "-m", "p2p_stonehenge", "verify", "--json", str(saved)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    main()
