"""The command `config`: what can be set, what is set and by what, and setting it."""

from argparse import Namespace
from pathlib import Path

from p2p_stonehenge.cli.arguments import complain, screen_width
from p2p_stonehenge.cli.common import check_name, nearest, print_json, shown
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.storage import settings
from p2p_stonehenge.storage.home import Home, explained
from p2p_stonehenge.storage.settings import FILE, SETTINGS, keep, kept
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.widths import cells, fit

NAME = "name"


def config(args: Namespace) -> int:
    """Print all settings, explain one, or set one."""
    home = Home.open(args.home)
    name, *values = args.setting or [""]
    if not values:
        complain(kept(home.path).complaints)
    if name == "path":
        print(home.path / FILE)
    elif values:
        print(f"{name} is {change(home, name, ' '.join(values))} now.")
    elif args.json:
        entries = [{"name": one, "value": value, "by": by} for one, value, by in in_force(home)]
        print_json({"settings": entries})
    elif name:
        _explain(home, name)
    else:
        found = in_force(home)
        room = max(10, *(cells(value) + 2 for _, value, _ in found))
        for one, value, by in found:
            print(f"{one:9}{fit(value, room)}{by}")
            if one != NAME:
                print(_wrapped(f"{SETTINGS[one].about}: {', '.join(SETTINGS[one].values)}"))
        print(f"\nTo change one: {command_here()} config palette dark. The file: {home.path / FILE}")
    return 0


def in_force(home: Home) -> list[tuple[str, str, str]]:
    """Return each setting, its value, and what set it."""
    found = [(NAME, home.nick(), "how others see you")]
    return [*found, *((name, *setting) for name, setting in settings.in_force(home.path).items())]


def change(home: Home, name: str, value: str) -> str:
    """Set one setting and return what it is now. Raises Failure."""
    if name == NAME:
        check_name(value, "The name")
        home.set_nick(value)
        return home.nick()
    _known(name)
    if value not in SETTINGS[name].values:
        raise Failure(f"{name} can be {', '.join(SETTINGS[name].values)}, not {shown(value)}.", USAGE)
    path: Path = home.path / FILE
    before = kept(home.path)
    if not before.readable:  # what it says would be lost
        raise Failure(before.complaints[0], USAGE)
    with explained(path):
        keep(home.path, before.values | {name: value})
    return value


def _explain(home: Home, name: str) -> None:
    _known(name)
    value, by = next((value, by) for one, value, by in in_force(home) if one == name)
    print(f"{name} is {value}, {by}.")
    if name != NAME:
        print(_wrapped(SETTINGS[name].about))
        print(_wrapped(f"{command_here()} config {name} {'|'.join(SETTINGS[name].values)}"))


def _known(name: str) -> None:
    known = [NAME, *SETTINGS]
    if name not in known:
        raise Failure(f"There is no setting {shown(name)}: {nearest(name, known)}", USAGE)


def _wrapped(text: str) -> str:
    from textwrap import fill

    return fill(text, screen_width(), initial_indent=" " * 9, subsequent_indent=" " * 9, break_on_hyphens=False)
