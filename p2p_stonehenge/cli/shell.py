"""The commands `completion` and `man`: what a shell and `man` know of the program, written from its own parser."""

import argparse
import re
from argparse import Namespace
from collections.abc import Iterator

from p2p_stonehenge import __version__
from p2p_stonehenge.cli.arguments import PROGRAM, make_parser
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.rules import pages


def completion(args: Namespace) -> int:
    """Print what makes Tab complete commands, options and games in a shell."""
    import shtab

    print(shtab.complete(_whole(), shell=args.shell))
    return 0


def man(args: Namespace) -> int:
    """Print the manual page."""
    del args
    print("\n".join(_page()))
    return 0


def _whole() -> argparse.ArgumentParser:
    """Return a parser that knows every command with all its arguments."""
    whole = argparse.ArgumentParser(PROGRAM, description=make_parser(()).description)
    for action in _options(make_parser(())):
        whole._add_action(action)
    commands = whole.add_subparsers(dest="command")
    for name, subcommand in COMMANDS.items():
        command = commands.add_parser(name, help=subcommand.summary, add_help=False)
        for action in _command(name)._actions:
            if action.dest == "game":
                action.choices = pages()
            command._add_action(action)
    return whole


def _command(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    (found,) = (action for action in make_parser((name,))._actions if isinstance(action, argparse._SubParsersAction))
    command = found.choices[name]
    assert isinstance(command, argparse.ArgumentParser)
    return command


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options of a parser but `--help`, which every parser has already."""
    return [action for action in parser._actions if action.option_strings and action.dest != "help"]


def _page() -> Iterator[str]:
    yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {__version__}" "Games"'
    yield ".SH NAME"
    yield f"{PROGRAM} \\- table games for friends on one network, without a server"
    yield ".SH SYNOPSIS"
    yield f".B {PROGRAM}\n[\\fICOMMAND\\fR] [\\fIOPTION\\fR]..."
    yield ".SH DESCRIPTION"
    yield "Without a command it opens the start page: unfinished games, open tables, people, and all that can be begun."
    yield from _entries(_options(make_parser(())))
    yield ".SH COMMANDS"
    for name, subcommand in COMMANDS.items():
        command, summary = _command(name), subcommand.summary
        usage = re.sub(r"^usage: \S+ \S+\s*", "", " ".join(command.format_usage().split()))
        yield f".SS {name}"
        yield f"{_safe(summary[0].upper() + summary[1:])}.\n.PP\n.B {PROGRAM} {name}\n{_safe(usage)}"
        yield from _entries(action for action in command._actions if action.help and action.dest != "help")
    yield ".SH FILES"
    yield "All lies in one folder, which\n.B p2p-stonehenge identity\nprints; \\fBP2P_STONEHENGE_HOME\\fR or"
    yield "\\fB\\-\\-home\\fR put it elsewhere."
    yield ".SH EXIT STATUS"
    statuses = (
        ("0", "fine"),
        ("1", "failure"),
        ("2", "a bad command, option or value"),
        ("3", "not a valid saved game"),
        ("4", "a peer or the network"),
        ("5", "no such game, table or file"),
        ("130", "Ctrl-C"),
    )
    for status, meaning in statuses:
        yield f".TP\n{status}\n{meaning}"


def _entries(actions: "Iterator[argparse.Action] | list[argparse.Action]") -> Iterator[str]:
    for action in actions:
        metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        value = "" if action.nargs == 0 or not action.option_strings else f" \\fI{_safe(metavar)}\\fR"
        names = ", ".join(f"\\fB{_safe(name)}\\fR" for name in action.option_strings) or f"\\fI{_safe(metavar)}\\fR"
        yield f".TP\n{names}{value}\n{_safe(action.help or '')}"


def _safe(text: str) -> str:
    """Return a text as roff takes it: no line of it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text
