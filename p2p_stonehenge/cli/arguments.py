"""How a command line is read, and what is said of one that cannot be."""

from __future__ import annotations

import argparse
import os
import sys
from itertools import pairwise

from p2p_stonehenge import __version__
from p2p_stonehenge.cli.commands import COMMANDS, everywhere, naming, network, screen
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.text.program import COMMAND, command_here

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

PROGRAM = "p2p-stonehenge"
FLAGS = ("--plain", "--ascii", "--json", "--hot-seat", "--talk", "--details", "--explain", "--force")
"""Options that take no value: before a command they leave the next word alone."""
OF_A_GAME, SEATED = ("host", "solo", "learn", "rules"), ("host", "solo")
"""The commands behind which a game is named, and those of them that take a number of players."""
LEAST_LETTERS = 3
"""Letters of a game's name that may stand for it."""
HELP = ("help", "?")
"""What is typed for `--help`, also behind other options."""

_NEEDED = {
    "FILE": ("a saved game: `saved` lists them, each with a number", "1"),
    "GAME": ("one of those that `games` lists", "kingamon"),
    "NICK|KEY": ("the player whose key is forgotten", "anna"),
}
"""Arguments that commands cannot do without: what each is, and an example."""


def command_first(words: Sequence[str]) -> Sequence[str]:
    """Return a command line with the command before the options that stand before it, if there is a command.

    >>> command_first(["--home", "saved", "--plain", "saved", "--json"])
    ['saved', '--home', 'saved', '--plain', '--json']
    """
    before: list[list[str]] = []
    for at, word in enumerate(words):
        option = before[-1] if before else []
        if len(option) == 1 and "=" not in option[0] and option[0] not in FLAGS:
            option.append(word)
        elif word.startswith("-"):
            before.append([word])
        elif word in COMMANDS:
            if before:
                _check([part for option in before for part in option])
            return [word, *(part for option in before for part in option), *words[at + 1 :]]
        else:
            return words
    return words


def _check(options: Sequence[str]) -> None:
    """Refuse bad values of options that stand before a command, also of those that are nothing to it."""
    parser = _Parser(PROGRAM, "")
    for add in (everywhere, naming, network, screen):
        add(parser)
    parser.parse_known_args(options)


def _without_unused(words: Sequence[str]) -> Sequence[str]:
    """Return a command line without the options that every command takes and its own does nothing with.

    >>> _without_unused(["saved", "--interface", "127.0.0.1", "--json", "--port=7"])
    ['saved', '--json']
    """
    if not words or words[0] not in COMMANDS or not any(word.startswith("--") for word in words):
        return words
    from p2p_stonehenge.storage.settings import SETTINGS

    taken = {
        naming: ("--name",),
        network: ("--interface", "--port"),
        screen: ("--ascii", *map("--{}".format, SETTINGS)),
    }
    arguments = COMMANDS[words[0]].arguments
    unused = {option for adds, options in taken.items() if adds not in arguments for option in options}
    kept, dropped, value = [words[0]], list[str](), False
    for word in words[1:]:
        option, equals, _ = word.partition("=")
        drops = value or option in unused
        (dropped if drops else kept).append(word)
        value = drops and not value and not equals and option not in FLAGS
    _check(dropped)
    return kept


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return what a command line says; see `make_parser`. Raises Failure; SystemExit behind `--help`."""
    words = as_meant(_without_unused(words))
    parser = make_parser(words)
    try:
        args, strange = parser.parse_known_args(words)
    except Failure:
        _refuse_misspelt(parser, words)
        raise
    if strange:
        _refuse_misspelt(parser, words)
        _refuse(parser.chosen or parser, strange, words)
    return args


def as_meant(words: Sequence[str]) -> Sequence[str]:
    """Return a command line with the game behind its command as the program calls it, and its players as an option.

    A game is meant by its title, and by the beginning of its name or of a word of its title that no other game has.

    >>> as_meant(["host", "celtic", "whist", "3", "players"]), as_meant(["solo", "qen", "--plain"])
    (['host', 'celtic-whist', '--players', '3'], ['solo', 'qenqe', '--plain'])
    """
    command, *given = words or [""]
    if command not in OF_A_GAME:
        return words
    behind = next((at for at, word in enumerate(given) if word.startswith("-")), len(given))
    bare, more = given[:behind], given[behind:]
    for length in range(len(bare), 0, -1):
        if key := _game_meant(" ".join(bare[:length]).lower()):
            further = bare[length:]
            number = further[0] if further and further[1:] in ([], ["players"]) else ""
            if command in SEATED and number.isascii() and number.isdigit() and "--players" not in more:
                further = ["--players", number]
            return [command, key, *further, *more]
    return words


def _game_meant(name: str) -> str:
    """Return the game that a lower-case name means, nothing if none or several."""
    from p2p_stonehenge.rules import pages, title

    keys = pages()
    if name in keys:
        return name
    titles = {key: title(key).lower() for key in keys}
    exact = [key for key in keys if name in (titles[key], key.replace("-", " "))]
    begun = [key for key in keys if key.startswith(name)]
    begun = begun or [key for key in keys if any(word.startswith(name) for word in titles[key].split())]
    found = exact or (begun if len(name) >= LEAST_LETTERS else [])
    return found[0] if len(found) == 1 else ""


def _refuse_misspelt(parser: _Parser, words: Sequence[str]) -> None:
    """Refuse an option that a command line begins with, before any command, if there is none but a similar one.

    What stands behind that, its value, may have been taken for a command.
    """
    from p2p_stonehenge.text.closest import closest

    option = words[0].partition("=")[0] if words else ""
    options = _options(parser) if option.startswith("--") else []
    if option not in options and closest(option, options):
        _refuse(parser, [option], words)


def _options(parser: _Parser) -> list[str]:
    """Return the long options of a parser."""
    import re

    return re.findall(r"--[a-z][a-z-]*", parser.format_help())


def _refuse(parser: _Parser, strange: Sequence[str], words: Sequence[str]) -> NoReturn:
    """Say which of the arguments that are `strange` to a parser is to be written otherwise, or left out."""
    import re

    from p2p_stonehenge.cli.common import shown
    from p2p_stonehenge.text.closest import closest

    command = parser.prog.removeprefix(PROGRAM).strip()
    what = f"`{command or PROGRAM}`"
    wrong = next((word.partition("=")[0] for word in strange if word.startswith("-")), "")
    if not wrong:
        values = "-o NAME=VALUE" in parser.format_usage() and all(re.fullmatch(r"\w+=\w+", word) for word in strange)
        meant = _game_in_parts(words) or " ".join(f"-o {word}" for word in strange if values)
        ways = f"did you mean {meant}?" if meant else "leave it out"
        parser.error(f"{what} has no use for {shown(' '.join(strange))}: {ways}")
    behind = next((word for word in words if word in COMMANDS), "") if not command else ""
    if behind and (chosen := make_parser((behind,)).chosen) and wrong in chosen.format_help():
        parser.error(f"{wrong} is an option of `{behind}`: write it behind the command, as in `{behind} ... {wrong}`")
    options = _options(parser)
    meant = closest(wrong, options)
    ways = f"did you mean {meant}?" if meant else "leave it out"
    if wrong in ("--no-color", "--no-colour"):  # what many other programs take
        ways = f"{'write --palette mono, or ' if '--palette' in options else ''}set NO_COLOR=1 in the environment"
    parser.error(f"{what} has no option {shown(wrong)}: {ways}")


def _game_in_parts(words: Sequence[str]) -> str:
    """Return the game whose name or title stands in a command line as several words; nothing if none does."""
    from p2p_stonehenge.rules import pages, title

    line = f" {' '.join(words).lower()} "
    names = [(key, name) for key in pages() for name in (key.replace("-", " "), title(key).lower())]
    found = [(len(name), key) for key, name in names if " " in name and f" {name} " in line]
    return max(found)[1] if found else ""


def no_command(word: str) -> str:
    """Return that a word is no command, and which one may have been meant."""
    from p2p_stonehenge.cli.common import nearest, shown
    from p2p_stonehenge.rules import pages

    if word.lower() in pages():
        ways = ", ".join(f"`{command} {word.lower()}`" for command in ("solo", "host", "learn", "rules"))
        return f"{shown(word)} is a game: what to do with it is written before it, as in {ways}"
    return f"There is no command {shown(word)}: {nearest(word, list(COMMANDS))}"


def inherit(args: argparse.Namespace, given: argparse.Namespace) -> argparse.Namespace:
    """Return `args` with what was `given` to the start page, where the command line says nothing of it."""
    for name, usual in vars(parse(("--home", given.home) if given.home else ())).items():
        if name != "command" and getattr(args, name, None) == usual and name in vars(args):
            setattr(args, name, getattr(given, name))
    return args


def make_parser(words: Sequence[str]) -> _Parser:
    """Return a parser for the command line `words`: complete for the command that they begin with.

    If they begin with none it knows the commands by name only, for the help and for saying what there is.

    What it returns has `command` (None if none was given: the start page), `plain`, `home` (as typed or None) and the
    command's own arguments; `options` is a dict of game options as typed.
    """
    parser = _Parser(PROGRAM, "Druidic table games for friends on one network, without a server.")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog=PROGRAM, parser_class=_Parser)
    chosen = [name for name in words[:1] if name in COMMANDS]
    starts = not chosen and words[:1] not in (["--version"], ("--version",))
    for add in (everywhere, naming, network, screen) if starts else ():
        add(parser)
    for name in chosen or COMMANDS:
        summary, arguments = COMMANDS[name].summary, COMMANDS[name].arguments
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        parser.chosen = command if chosen else None
        for give in (*arguments, everywhere) if chosen else ():
            give(command)
        if screen in arguments and chosen:
            command.set_defaults(**_kept(words))
    if starts:
        parser.set_defaults(**_kept(words))
    return parser


def _kept(words: Sequence[str]) -> dict[str, str]:
    """Return the settings in the file of the home that a command line is for, but those of the environment."""
    from p2p_stonehenge.storage.settings import from_environment, kept, place

    values, complaints, _ = kept(place(value_of("--home", words)))
    complain(complaints)
    return {name: value for name, value in values.items() if not from_environment(name)}


def value_of(option: str, words: Sequence[str]) -> str | None:
    """Return the value that a command line gives to an option, None if none: also of a line that cannot be read."""
    values = [after for before, after in pairwise(words) if before == option]
    values += [word.removeprefix(f"{option}=") for word in words if word.startswith(f"{option}=")]
    return values[-1] if values else None


def screen_width() -> int:
    """Return how wide text may be: the terminal's width, 80 at most."""
    # shutil knows this too, but importing it takes as long as all the rest of `rules`.
    columns = os.environ.get("COLUMNS", "")
    if not columns.isdecimal():
        try:
            columns = str(os.get_terminal_size().columns)
        except OSError:
            columns = "0"
    return max(20, min(80, int(columns) or 80))


def complaint(text: str) -> str:
    """Return `text` as the program says what went wrong: one line, or wrapped at words where a terminal shows it."""
    line = f"{PROGRAM}: {text}"
    if not sys.stderr.isatty():
        return line
    from textwrap import fill

    return fill(line, screen_width(), break_long_words=False, break_on_hyphens=False)


def complain(texts: Iterable[str]) -> None:
    """Say on the error stream what is wrong, each on a line of its own."""
    for text in texts:
        print(complaint(text), file=sys.stderr)


def report_fault(fault: BaseException | None, otherwise: str = "") -> None:
    """Say on the error stream in one line which error of this program ends nothing; `otherwise`: what else it is."""
    from p2p_stonehenge.text.safe import safe

    told = f"{type(fault).__name__}: {fault}" if fault else otherwise
    print(complaint(f"An error of this program was ignored ({safe(told)})"), file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """One parser for the program and for each command: errors like any other, no abbreviated options."""

    chosen: _Parser | None = None
    """The parser of the command that the command line begins with."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog, description=description, allow_abbrev=False, formatter_class=_Formatter)

    def error(self, message: str) -> NoReturn:
        command = self.prog.replace(PROGRAM, COMMAND)
        _, required, name = message.partition("arguments are required: ")
        if required and name in _NEEDED:
            what, example = _NEEDED[name]
            typed = self.prog.replace(PROGRAM, command_here())
            message = f"`{command}` needs {name}, {what}, as in `{typed} {example}`"
        see = " See" if message.endswith("?") else "; see"
        raise Failure(f"{message[:1].upper()}{message[1:]}{see} {command} --help", USAGE)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a word that is none of those there are, with the one that was meant."""
        if action.choices is None or value in action.choices:
            return
        if action.dest == "command" and value in HELP:
            self.print_help()
            self.exit()
        if action.dest == "command":
            self.error(no_command(value))
        self.error(f"argument {action.dest}: {value!r} is none of {', '.join(action.choices)}")


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=screen_width())
