"""What commands have in common: finding a game by what was typed, printing JSON."""

from __future__ import annotations

import sys

from p2p_stonehenge.failure import NOT_FOUND, USAGE, Failure
from p2p_stonehenge.text.closest import closest

TYPE_CHECKING = False  # as in typing, whose import would double the time of `rules`
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from engine import Game

SCHEMA = 1
"""Of the JSON that commands print: grows when a field changes its meaning or goes."""


def find_game(key: str) -> Game[Any]:
    """Return the game that was asked for. Raises Failure with the nearest one there is."""
    from engine import all_games

    found = all_games()
    if key.lower() not in found:
        raise Failure(f"There is no game {shown(key)}: {nearest(key.lower(), list(found))}", NOT_FOUND)
    return found[key.lower()]


def check_name(text: str, what: str) -> None:
    """Refuse a name of a player that is empty or too long; `what` it is called where it was written. Raises Failure."""
    from protocol import NICK_LENGTH, clean_text

    if text.strip() == "?":
        told = "`?` is no name: write how friends are to see you. On the start page `name` changes it later."
        raise Failure(told, USAGE)
    letters = len(clean_text(text, len(text)))
    if not letters:
        raise Failure(f"{what} is empty: write how others are to see you, 1 to {NICK_LENGTH} letters.", USAGE)
    if letters > NICK_LENGTH:
        raise Failure(f"A name has {NICK_LENGTH} characters at most, and {shown(text)} has {letters}.", USAGE)


def name_at_first(args: Namespace) -> None:
    """Ask at the first start, where somebody sits at a terminal, for the player's name. Raises LeavingError.

    Enter alone keeps the name of the login. It is asked for once, and not where it is given. Later starts read nothing
    for this.
    """
    from p2p_stonehenge.storage.files import is_there
    from p2p_stonehenge.storage.settings import place

    folder = place(args.home)
    is_known = any(is_there(folder / name) for name in ("nick", "identity.key"))
    if is_known or args.name is not None or not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return
    import asyncio

    from p2p_stonehenge.cli.commands import COMMANDS
    from p2p_stonehenge.screen.asking import LEAVES, LeavingError, ask
    from p2p_stonehenge.storage.home import Home
    from p2p_stonehenge.text.output import folded

    try:
        home = Home.open(args.home)
        nick = home.nick()
        print("Welcome to Stonehenge. What is your name? Friends will see it; `name` changes it later.")
        while True:
            name = asyncio.run(ask(f"your name (Enter: {nick})> ", hidden=False)) or nick
            word = name.partition(" ")[0].lower()
            if name != nick and word in ("quit", *LEAVES):
                raise LeavingError
            if name != nick and word in COMMANDS:
                print(f"{word} is a command, for later: type your name first, or Ctrl-D to leave.")
                continue
            try:
                check_name(name, "The name")
                home.set_nick(name)
            except Failure as failure:
                if failure.code != USAGE:
                    raise
                print(folded(str(failure)))
            else:
                return
    except LeavingError:
        raise
    except Failure:
        return  # what comes next says what is wrong with the home


def nearest(word: str, known: list[str]) -> str:
    """Return which of the known words was meant, as a question, or all of them."""
    meant = closest(word, known)
    return f"did you mean {meant}?" if meant else f"there are {', '.join(known)}"


def shown(text: str) -> str:
    """Return what was typed, short and safe to print."""
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def free_name(table: bytes, form: str) -> str:
    """Return the name of the file in which the saved game of a table is shown to others; no file has it yet.

    `table`: the id of the table.
    """
    from itertools import chain, count
    from pathlib import Path

    from p2p_stonehenge.storage.files import is_there

    name, suffix = f"stonehenge-{table.hex()[:8]}", f"{form}.svg" if form in ("film", "strip") else form
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    return next(f"{free}.{suffix}" for free in names if not is_there(Path(f"{free}.{suffix}")))


def print_json(entry: dict[str, Any]) -> None:
    """Print one JSON object with the schema that it follows."""
    import json

    json.dump({"schema": SCHEMA, **entry}, sys.stdout)
    print()
