"""The commands that need no network: `games`, `rules`, `identity` and `verify`. Each returns its exit status."""

from __future__ import annotations

import sys
import time

from p2p_stonehenge.cli.arguments import PROGRAM, screen_width
from p2p_stonehenge.failure import NOT_A_TRANSCRIPT, NOT_FOUND, Failure

TYPE_CHECKING = False  # as in typing, whose import would double the time of `rules`
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from engine import Game, Option
    from protocol import Report

SCHEMA = 1
"""Of the JSON that commands print: grows when a field changes its meaning or goes."""
TRANSCRIPT_LIMIT = 64 << 20
"""Bytes. The longest games take well below one megabyte; this only keeps `verify /dev/zero` from filling memory."""


def games(args: Namespace) -> int:
    """Print every game with its players and options."""
    from engine import all_games

    found = all_games().values()
    if args.json:
        _print_json({"games": [_game_entry(game) for game in found]})
        return 0
    for game in found:
        print(f"{game.key}: {game.title}, {_players(game.seats)}")
        for option in game.options:
            _print_option(option, game.seats[-1])
        print()
    print(f"How one is played: {PROGRAM} rules GAME")
    return 0


def rules(args: Namespace) -> int:
    """Print a page of rules, or one topic of it, or which games have a page."""
    from p2p_stonehenge.rules import page, pages, title, topics

    if args.game is None:
        for key in pages():
            print(f"{key:14}{title(key)}")
        print(f"\nHow one is played: {PROGRAM} rules GAME [TOPIC]")
        return 0
    game = args.game.lower()
    if game not in pages():
        raise Failure(f"there are no rules of {shown(args.game)}: {nearest(game, pages())}", NOT_FOUND)
    topic = " ".join(args.topic)
    text = page(game, topic, screen_width())
    if text is None:
        raise Failure(f"the rules of {game} have no topic {shown(topic)}: {', '.join(topics(game))}", NOT_FOUND)
    print(text)
    return 0


def identity(args: Namespace) -> int:
    """Print the nick, the id and where the key lies."""
    from p2p_stonehenge.storage.home import Home
    from protocol import id_text

    home = Home.open(args.home)
    print(f"nick  {home.nick()}")
    print(f"id    {id_text(home.identity().id)}")
    print(f"key   {home.path / 'identity.key'}")
    return 0


def verify(args: Namespace) -> int:
    """Check a saved game and print what holds; 3 if it is not a valid transcript."""
    from concurrent.futures import ThreadPoolExecutor

    from protocol import verify

    with _Meter("checking") as meter, ThreadPoolExecutor() as pool:
        report = verify(read_transcript(args.file), progress=meter, spread=pool.map)
    if args.json:
        _print_json(_report_entry(report))
    else:
        for line in report.lines:
            print(line)
        print("valid" if report.ok else f"NOT VALID: {report.error}")
    return 0 if report.ok else NOT_A_TRANSCRIPT


class _Meter:
    """Says on the error stream, if that is a terminal, how far a longer piece of work is."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = time.monotonic() + 1.0
        self._width = 0

    def __enter__(self) -> _Meter:
        return self

    def __call__(self, part: float) -> None:
        """Note that `part` of the work, from 0 to 1, is done."""
        now = time.monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next = now + 0.2
            text = f"{self._what}: {part:4.0%}"
            self._width = len(text)
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_error: object) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)


def read_transcript(path: str) -> bytes:
    """Return the bytes of a saved game. Raises Failure if the file cannot be read or cannot be one."""
    from pathlib import Path

    try:
        with Path(path).open("rb") as file:
            content = file.read(TRANSCRIPT_LIMIT + 1)
    except FileNotFoundError:
        raise Failure(f"there is no file {shown(path)}: saved games end in .stonehenge", NOT_FOUND) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{shown(path)} cannot be read ({reason}): name a file that ends in .stonehenge") from None
    if len(content) > TRANSCRIPT_LIMIT:
        raise Failure(f"{shown(path)} is too large to be a transcript: name a saved game", NOT_A_TRANSCRIPT)
    return content


def find_game(key: str) -> Game[Any]:
    """Return the game that was asked for. Raises Failure with the nearest one there is."""
    from engine import all_games

    found = all_games()
    if key.lower() not in found:
        raise Failure(f"there is no game {shown(key)}: {nearest(key.lower(), list(found))}", NOT_FOUND)
    return found[key.lower()]


def nearest(word: str, known: list[str]) -> str:
    """Return which of the known words was meant, as a question, or all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"


def shown(text: str) -> str:
    """Return what was typed, short and safe to print."""
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _players(seats: range) -> str:
    few, many = seats[0], seats[-1]
    return f"{few} player{'s' * (few != 1)}" if few == many else f"{few}-{many} players"


def _print_option(option: Option, seats: int) -> None:
    from textwrap import wrap

    from engine import option_text

    print(f"  -o {option.name}={option_text(option.default)}  ({option.allows(seats)})")
    for line in wrap(f"{option.help}{_only_for(option)}", screen_width() - 7):
        print(f"       {line}")


def _only_for(option: Option) -> str:
    return "" if option.players is None else f" (players: {', '.join(map(str, option.players))})"


def _game_entry(game: Game[Any]) -> dict[str, Any]:
    return {
        "key": game.key,
        "title": game.title,
        "version": game.version,
        "players": list(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allows": option.allows(game.seats[-1]),
                "players": list(option.players or game.seats),
                "help": option.help,
            }
            for option in game.options
        ],
    }


def _report_entry(report: Report) -> dict[str, Any]:
    entry = report._asdict()
    del entry["lines"]
    entry["result"] = report.result and report.result._asdict()
    return entry


def _print_json(entry: dict[str, Any]) -> None:
    import json

    json.dump({"schema": SCHEMA, **entry}, sys.stdout)
    print()
