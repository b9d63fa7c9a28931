"""What Tab offers behind a command on the start page: games, tables, saved games, options and their values."""

import argparse
from collections.abc import Mapping, Sequence

from p2p_stonehenge.cli.arguments import as_meant
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.rules import pages, title, topics
from p2p_stonehenge.storage.settings import SETTINGS


def offered(
    command: str, words: Sequence[str], tables: Mapping[str, str], saved: Mapping[str, str]
) -> Mapping[str, str]:
    """Return what the last word of a command line may become, each with its meaning.

    `words`: those behind the command, of which the last one is being typed; `tables`: what leads to a table for this
    command; `saved`: what names a saved game. Both with what they lead to.
    """
    *words, typed = words
    _, *words = as_meant([command, *words])
    parser = argparse.ArgumentParser(add_help=False)
    for give in COMMANDS[command].arguments:
        give(parser)
    options = {name: one for one in parser._actions for name in one.option_strings}
    takes = {name: one for name, one in options.items() if one.nargs != 0}
    if words and words[-1] in takes:
        return _values(takes[words[-1]], words, saved)
    behind = ("", *words)
    given = [word for before, word in zip(behind, words, strict=False) if word not in options and before not in takes]
    found = dict[str, str]()
    for one in parser._actions:
        if not one.option_strings:
            found |= _argument(one.dest, given, tables, saved)
    told = {name: one.help or "" for name, one in options.items()}
    return told if typed.startswith("-") else found or told


def _argument(
    name: str, given: Sequence[str], tables: Mapping[str, str], saved: Mapping[str, str]
) -> Mapping[str, str]:
    """Return what an argument may be, behind those that are `given`."""
    if name == "topic":
        return dict.fromkeys(topics(given[0]), "") if len(given) == 1 and given[0] in pages() else {}
    if name == "setting" and len(given) == 1 and given[0] in SETTINGS:
        return dict.fromkeys(SETTINGS[given[0]].values, "")
    if given:
        return {}
    if name == "game":
        return {key: title(key) for key in pages()}
    return {
        "table": tables,
        "file": saved,
        "setting": {name: one.about for name, one in SETTINGS.items()},
    }.get(name, {})


def _values(option: argparse.Action, words: Sequence[str], saved: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values of an option: those that stand in its help, saved games, or the options of the game."""
    if option.dest == "origin":
        return saved
    if option.dest == "options":
        from engine import all_games  # every game is loaded

        games = [all_games()[word] for word in words if word in all_games()]
        return {f"{one.name}=": one.help for game in games for one in game.options}
    names = option.metavar if isinstance(option.metavar, str) else ""
    return dict.fromkeys(names.split("|"), "") if names.islower() else {}
