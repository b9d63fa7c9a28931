"""A command line carried out: by the module of its command, or by the start page where it names none."""

from __future__ import annotations

import sys
from importlib import import_module

from p2p_stonehenge.cli.arguments import HELP, command_first, make_parser, parse, value_of
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.failure import INTERRUPTED, USAGE, Failure
from p2p_stonehenge.text.program import started_with

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def run(words: Sequence[str]) -> int:
    """Carry out the command in `words` and return its exit status. Raises Failure; SystemExit for bad usage."""
    words = command_first(words)
    if words[:1] and words[0] in HELP and {*words[1:2]} & {*COMMANDS}:
        words = [words[1], "--help"]
    with started_with(value_of("--home", words), value_of("--interface", words)):
        args = parse(words)
    if args.command is not None:
        return obey(args)
    if not (args.plain or sys.stdin.isatty()):
        print(make_parser(words).format_help().rstrip(), file=sys.stderr)
        return USAGE
    from p2p_stonehenge.cli.start import start

    with started_with(args.home, args.interface):
        return start(args, obey)


def obey(args: argparse.Namespace) -> int:
    """Carry out a command that was read and return its exit status. Raises Failure."""
    with started_with(args.home, getattr(args, "interface", None)):
        return _obey(args)


def _obey(args: argparse.Namespace) -> int:
    if isinstance(getattr(args, "file", None), list):
        from p2p_stonehenge.cli.saved import file_of
        from p2p_stonehenge.text.program import shell_word

        args.typed = " ".join(map(shell_word, args.file))
        args.file = file_of(args.file, args.home, args.command)
    module = import_module(f"p2p_stonehenge.cli.{COMMANDS[args.command].module}")
    try:
        return int(getattr(module, args.command)(args))
    except (KeyboardInterrupt, Failure) as end:
        if isinstance(end, KeyboardInterrupt) or end.code == INTERRUPTED:
            from p2p_stonehenge.screen.keyboard import KEYBOARD

            KEYBOARD.interrupted()
        raise
