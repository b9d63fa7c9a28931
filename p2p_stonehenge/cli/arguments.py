"""The command line: which commands there are and what each takes."""

from __future__ import annotations

import argparse
import os
import sys
from itertools import pairwise

from p2p_stonehenge import __version__
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.text.program import COMMAND

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

PROGRAM = "p2p-stonehenge"
FLAGS = ("--plain", "--ascii", "--json", "--hot-seat", "--talk", "--details", "--explain", "--force")
"""Options that take no value: before a command they leave the next word alone."""
HELP = ("help", "?")
"""What is typed for `--help`, also behind other options."""
ASKED = "\n"
"""Stands for a passphrase that is to be asked for: no line that is typed has it."""

WATCHERS = ("nobody", "passphrase", "all")
"""Who may watch a table, in the order of the charter."""
FORMATS = ("txt", "json", "svg", "film", "html")
"""What `export` can write."""


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
    for add in (_everywhere, _name, _network, _screen):
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
        _name: ("--name",),
        _network: ("--interface", "--port"),
        _screen: ("--ascii", *map("--{}".format, SETTINGS)),
    }
    _, _, arguments = COMMANDS[words[0]]
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
    words = _without_unused(words)
    parser = make_parser(words)
    args, strange = parser.parse_known_args(words)
    if strange:
        _refuse(parser.chosen or parser, strange, words)
    return args


def _refuse(parser: _Parser, strange: Sequence[str], words: Sequence[str]) -> NoReturn:
    """Say which of the arguments that are `strange` to a parser is to be written otherwise, or left out."""
    import re

    from p2p_stonehenge.cli.common import shown
    from p2p_stonehenge.text.closest import closest

    command = parser.prog.removeprefix(PROGRAM).strip()
    what = f"`{command or PROGRAM}`"
    wrong = next((word.partition("=")[0] for word in strange if word.startswith("-")), "")
    if not wrong:
        parser.error(f"{what} has no use for {shown(' '.join(strange))}: leave it out")
    behind = next((word for word in words if word in COMMANDS), "") if not command else ""
    if behind and (chosen := make_parser((behind,)).chosen) and wrong in chosen.format_help():
        parser.error(f"{wrong} is an option of `{behind}`: write it behind the command, as in `{behind} ... {wrong}`")
    options = re.findall(r"--[a-z][a-z-]*", parser.format_help())
    meant = closest(wrong, options)
    ways = f"did you mean {meant}?" if meant else "leave it out"
    if wrong in ("--no-color", "--no-colour"):  # what many other programs take
        ways = f"{'write --palette mono, or ' if '--palette' in options else ''}set NO_COLOR=1 in the environment"
    parser.error(f"{what} has no option {shown(wrong)}: {ways}")


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
    for add in (_everywhere, _name, _network, _screen) if starts else ():
        add(parser)
    for name in chosen or COMMANDS:
        _, summary, arguments = COMMANDS[name]
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        parser.chosen = command if chosen else None
        for add in (*arguments, _everywhere) if chosen else ():
            add(command)
        if _screen in arguments and chosen:
            command.set_defaults(**_kept(words))
    if starts:
        parser.set_defaults(**_kept(words))
    return parser


def _kept(words: Sequence[str]) -> dict[str, str]:
    """Return the settings in the file of the home that a command line is for, but those of the environment."""
    from p2p_stonehenge.storage.settings import from_environment, kept, place

    homes = [after for before, after in pairwise(words) if before == "--home"]
    homes += [word.removeprefix("--home=") for word in words if word.startswith("--home=")]
    values, complaints = kept(place(homes[-1] if homes else None))
    for complaint_of_line in complaints:
        print(complaint(complaint_of_line), file=sys.stderr)
    return {name: value for name, value in values.items() if not from_environment(name)}


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


class _Parser(argparse.ArgumentParser):
    """One parser for the program and for each command: errors like any other, no abbreviated options."""

    chosen: _Parser | None = None
    """The parser of the command that the command line begins with."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog, description=description, allow_abbrev=False, formatter_class=_Formatter)

    def error(self, message: str) -> NoReturn:
        see = " See" if message.endswith("?") else "; see"
        raise Failure(f"{message[:1].upper()}{message[1:]}{see} {self.prog.replace(PROGRAM, COMMAND)} --help", USAGE)

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


class _GameOption(argparse.Action):
    """Gathers `-o NAME=VALUE` in a dict. Whether the game has such an option is the game's to say."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        name, equals, value = values.partition("=")
        if not (name and equals and value):
            parser.error(f"-o {values}: write it as NAME=VALUE")
        chosen: dict[str, str] = getattr(namespace, self.dest)
        if name in chosen:
            parser.error(f"-o {values}: {name} is given twice")
        setattr(namespace, self.dest, {**chosen, name: value})


def _everywhere(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="lines of plain text only: pipes, screen readers")
    parser.add_argument("--home", metavar="DIR", help="keep key and games in DIR")


def _game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")


def _game_if_any(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="without one the games are listed")


def _game_or_origin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a saved game that goes on by --from names its own")


def _setup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", dest="options", action=_GameOption, default={}, metavar="NAME=VALUE", help="an option of the game"
    )
    parser.add_argument("--players", type=_whole, metavar="N", help="seats at the table (default: the fewest above 1)")


def _bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bots", type=_whole, metavar="N", help="seats that bots fill (default: none)")
    parser.add_argument("--level", metavar="L", help="of these bots: random to master, or 0-5 (default casual)")


def _origin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="origin", metavar="FILE", help="go on from a saved game, on its seats")
    parser.add_argument("--at", type=_whole, metavar="N", help="with --from: after N actions (default: the last)")


def _turn_time(parser: argparse.ArgumentParser) -> None:
    told = "seconds for each turn (default: any); 10+5: a clock of 10 minutes for all, and 5 seconds more after each"
    parser.add_argument("--turn-time", type=_time, metavar="S|M+S", help=told)


def _passphrase(parser: argparse.ArgumentParser) -> None:
    told = "only those who know it get a seat; without P you are asked for it"
    parser.add_argument("--passphrase", nargs="?", const=ASKED, metavar="P", help=told)


def _passphrase_of_host(parser: argparse.ArgumentParser) -> None:
    told = "the passphrase of the table, which its host has told you; left out, you are asked where it is needed"
    parser.add_argument("--passphrase", nargs="?", const=ASKED, metavar="P", help=told)


def _watching(parser: argparse.ArgumentParser) -> None:
    told = "who may watch (default: all; with --passphrase those who know it)"
    parser.add_argument("--watch", type=_one_of(WATCHERS), metavar="|".join(WATCHERS), help=told)
    parser.add_argument("--delay", type=_delay, default=0, metavar="N", help="they see the game N actions later")
    parser.add_argument("--talk", action="store_true", help="players and those who watch read each other's chat")


def _opponents(parser: argparse.ArgumentParser) -> None:
    told = (
        "the bots: random, learner, casual, club, strong or master, or 0-5 (default casual; beside --auto, as that);"
        " adaptive: up after each game that you win, down after each that you lose"
    )
    parser.add_argument("--level", metavar="L", help=told)
    parser.add_argument("--hot-seat", action="store_true", help="people play all seats at this terminal")


def _match(parser: argparse.ArgumentParser) -> None:
    told = "games follow each other, with `again`, until a player has N points (default: no match)"
    parser.add_argument("--match", type=_whole, metavar="N", help=told)


def _auto(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--auto", metavar="LEVEL", help="a bot of this level plays your seat; ends with the game")


def _level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", metavar="L", help="of the bot: learner to master, or 1-5 (default strong)")


def _screen(parser: argparse.ArgumentParser) -> None:
    from p2p_stonehenge.storage.settings import SETTINGS, from_environment

    group = parser.add_argument_group("the screen, also from the environment as P2P_STONEHENGE_PALETTE and so on")
    for name, (values, about) in SETTINGS.items():
        default = from_environment(name) or values[0]
        help = f"{about} ({values[0]})"
        group.add_argument(f"--{name}", type=_one_of(values), default=default, metavar="|".join(values), help=help)
    group.add_argument("--ascii", dest="charset", action="store_const", const="ascii", help="as --charset ascii")


def _table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", nargs="?", metavar="TABLE|HOST:PORT", help="host's nick, start of its id, or address")


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", type=_nick, metavar="NICK", help="how others see you")


def _network(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--interface", type=_address, metavar="ADDR", help="use this address of yours only")
    parser.add_argument("--port", type=_port, metavar="P", help="listen on P and P+1")


def _unfinished(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", nargs="*", metavar="GAME", help="number, people or game (default: the only one, or you choose)"
    )


def _listening(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=_seconds, default=2.0, metavar="S", help="how long to listen (default 2)")


def _who(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("who", metavar="NICK|KEY", help="what the player is called, or the beginning of its key")


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", metavar="FILE", help="or a saved game by number, people or game")


def _at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", type=_whole, metavar="N", help="show the position after N actions")


def _format(parser: argparse.ArgumentParser) -> None:
    told = "txt: notation; json; svg: a position or, without --at, a strip; film: an svg that plays; html: one page"
    parser.add_argument("--format", type=_one_of(FORMATS), required=True, metavar="|".join(FORMATS), help=told)


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="OUT", help="the file to write (default: standard output)")
    parser.add_argument("--force", action="store_true", help="write OUT also where there is such a file")


def _how(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--details", action="store_true", help="list all that was checked")
    parser.add_argument("--explain", action="store_true", help="teach rolls and shuffles on this game's own numbers")


def _shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh", "fish", "powershell"), help="which shell")


def _setting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("setting", nargs="*", metavar="NAME [VALUE]", help="explain one, or set it; path: the file")


def _topic(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help="such as setup or notation (default: all)")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _one_of(values: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in values:
            raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(values)}")
        return text

    return read


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number: write it in digits, as in 5")
    return int(text)


def _delay(text: str) -> int:
    from protocol import DELAYS

    most = DELAYS[-1]
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) in DELAYS):
        raise argparse.ArgumentTypeError(f"{text!r} is not possible: a delay has 0 to {most} actions, as in 5")
    return int(text)


def _time(text: str) -> tuple[int, ...]:
    """Read `90`, seconds for each turn, or `10+5`, minutes for all turns and seconds after each: (90,) or (600, 5)."""
    parts = text.split("+")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        ways = "seconds for each turn, as in 90, or a clock as in 10+5: 10 minutes, and 5 seconds more after each turn"
        raise argparse.ArgumentTypeError(f"{text!r} is no time for turns: write {ways}")
    first, *increment = map(int, parts)
    return (first * 60, *increment) if increment else (first,)


def _nick(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty: write how others are to see you, 1 to 24 letters")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 3600")
    return seconds


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
    if not 0 < port < 65535:  # the next one is needed as well
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1 to 65534")
    return port


def _address(text: str) -> str:
    import ipaddress

    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address such as 127.0.0.1") from None


COMMANDS = {
    "host": (
        "host",
        "open a table for GAME and wait until it is full",
        (
            _game_or_origin,
            _setup,
            _bots,
            _origin,
            _match,
            _turn_time,
            _passphrase,
            _watching,
            _name,
            _auto,
            _network,
            _screen,
        ),
    ),
    "join": ("join", "sit down at an open table", (_table, _passphrase_of_host, _name, _auto, _network, _screen)),
    "watch": ("watch", "look on at a table of others", (_table, _passphrase_of_host, _name, _network, _screen)),
    "resume": ("resume", "go on with a game that was interrupted", (_unfinished, _name, _auto, _network, _screen)),
    "peers": ("peers", "list who is on the network and which tables are open", (_listening, _json, _network)),
    "solo": (
        "solo",
        "play GAME on this computer, against bots or hot-seat",
        (_game, _setup, _opponents, _match, _name, _auto, _screen),
    ),
    "verify": ("verify", "check a saved game: every signature, roll and move", (_file, _json, _how)),
    "replay": ("replay", "step through a saved game", (_file, _at)),
    "export": ("export", "write a saved game as text, data, picture or web page", (_file, _format, _at, _out)),
    "analyse": (
        "analyse",
        "what a bot makes of a saved game, not of Celtic Whist: better moves, turning points, luck",
        (_file, _level),
    ),
    "doctor": (
        "doctor",
        "find out what keeps friends apart: home, screen, clock, network",
        (_listening, _json, _network),
    ),
    "config": ("config", "list, explain and change your settings", (_setting, _json)),
    "saved": ("saved", "list your saved games, the unfinished ones first", (_json,)),
    "record": ("saved", "print your games, results and opponents", (_json,)),
    "learn": ("learn", "lead you through a first game of GAME", (_game_if_any, _name, _screen)),
    "games": ("games", "list the games and their options", (_json,)),
    "rules": ("rules", "print the rules of GAME, or one topic of them", (_game_if_any, _topic)),
    "forget": ("peers", "forget a player's key, as of a friend who has a new one", (_who,)),
    "completion": ("shell", "print what makes Tab complete commands in a shell", (_shell,)),
    "man": ("shell", "print the manual page", ()),
    "identity": ("identity", "print who you are to others and where your key lies", ()),
}
"""Each command: the module whose function of the same name carries it out, a summary, what adds its arguments."""
