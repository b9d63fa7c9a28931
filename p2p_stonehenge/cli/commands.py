"""Which commands there are, and what each takes: its arguments and options, the values that they allow, their help."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ASKED = "\n"
"""Stands for a passphrase that is to be asked for: no line that is typed has it."""

WATCHERS = ("nobody", "passphrase", "all")
"""Who may watch a table, in the order of the charter."""
FORMATS = ("txt", "json", "svg", "strip", "film", "html")
"""What `export` can write."""


# What a command may take


class _GameOption(argparse.Action):
    """Gathers `-o NAME=VALUE` in a dict. Whether the game has such an option is the game's to say.

    Yes and no, as pages show them, stand for true and false.
    """

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        name, equals, value = values.partition("=")
        if not (name and equals and value):
            parser.error(f"-o {values}: write it as NAME=VALUE")
        chosen: dict[str, str] = getattr(namespace, self.dest)
        if name in chosen:
            parser.error(f"-o {values}: {name} is given twice")
        from p2p_stonehenge.screen.wizard import TYPED  # a game is played then, which needs as much anyway

        setattr(namespace, self.dest, {**chosen, name: TYPED.get(value.lower(), value)})


def everywhere(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes."""
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
    told = (
        "seconds for each turn (default: none); 10+5: a clock of 10 minutes for all, and 5 seconds more after each; who"
        " is late loses"
    )
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
    told = (
        "games follow each other, with `again`, until a player has N points: a game won counts one, in Kingamon what it"
        " was worth (default: none)"
    )
    parser.add_argument("--match", type=_points, metavar="N", help=told)


def _auto(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--auto", metavar="LEVEL", help="a bot of this level plays your seat; ends with the game")


def _level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--level", metavar="L", help="of the bot: learner to master, or 1-5 (default strong, of cards master)"
    )


def screen(parser: argparse.ArgumentParser) -> None:
    """Add how the board is shown."""
    from p2p_stonehenge.storage.settings import SETTINGS, from_environment

    group = parser.add_argument_group("the screen, also from the environment as P2P_STONEHENGE_PALETTE and so on")
    for name, (values, about) in SETTINGS.items():
        default = from_environment(name) or values[0]
        help = f"{about} ({values[0]})"
        group.add_argument(f"--{name}", type=_one_of(values), default=default, metavar="|".join(values), help=help)
    group.add_argument("--ascii", dest="charset", action="store_const", const="ascii", help="as --charset ascii")


def _table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", nargs="?", metavar="TABLE|HOST:PORT", help="host's nick, start of its id, or address")


def naming(parser: argparse.ArgumentParser) -> None:
    """Add what the player is called."""
    parser.add_argument("--name", type=_nick, metavar="NICK", help="how others see you, from now on")


def network(parser: argparse.ArgumentParser) -> None:
    """Add on which network and ports."""
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


_SAVED = "or a saved game by number, people or game"


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", metavar="FILE", help=_SAVED)


def _file_or_last(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="*", metavar="FILE", help=f"{_SAVED} (default: the last one that is over)")


def _at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", type=_whole, metavar="N", help="show the position after N actions")


def _format(parser: argparse.ArgumentParser) -> None:
    told = (
        "txt: notation; json; svg: the end or, with --at, another position; strip: six of them; film: an svg"
        " that plays; html: one page (default: as OUT ends)"
    )
    parser.add_argument("--format", type=_one_of(FORMATS), metavar="|".join(FORMATS), help=told)


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


# How values are read


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


def _points(text: str) -> int | None:
    return None if text == "none" else _whole(text)


def _delay(text: str) -> int:
    from protocol import DELAYS

    most = DELAYS[-1]
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) in DELAYS):
        raise argparse.ArgumentTypeError(f"{text!r} is not possible: a delay has 0 to {most} actions, as in 5")
    return int(text)


def _time(text: str) -> tuple[int, ...]:
    """Read `90`, seconds for each turn, or `10+5`, minutes for all turns and seconds after each: (90,) or (600, 5).

    `none` is (0,).
    """
    if text == "none":
        return (0,)
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


# The commands


class Subcommand:
    """One command: the module whose function of the same name carries it out, a summary, what adds its arguments."""

    __slots__ = ("arguments", "module", "summary")

    def __init__(
        self, module: str, summary: str, arguments: tuple[Callable[[argparse.ArgumentParser], None], ...]
    ) -> None:
        self.module = module
        self.summary = summary
        self.arguments = arguments


COMMANDS = {
    "host": Subcommand(
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
            naming,
            _auto,
            network,
            screen,
        ),
    ),
    "join": Subcommand(
        "join", "sit down at an open table", (_table, _passphrase_of_host, naming, _auto, network, screen)
    ),
    "watch": Subcommand(
        "watch", "look on at a table of others", (_table, _passphrase_of_host, naming, network, screen)
    ),
    "resume": Subcommand(
        "resume", "go on with a game that was interrupted", (_unfinished, naming, _auto, network, screen)
    ),
    "peers": Subcommand("peers", "list who is on the network and which tables are open", (_listening, _json, network)),
    "solo": Subcommand(
        "solo",
        "play GAME on this computer, against bots or hot-seat",
        (_game, _setup, _opponents, _match, naming, _auto, screen),
    ),
    "verify": Subcommand("verify", "check a saved game: every signature, roll and move", (_file, _json, _how)),
    "replay": Subcommand("replay", "step through a saved game", (_file, _at, screen)),
    "export": Subcommand(
        "export", "write a saved game as text, data, picture or web page", (_file, _format, _at, _out)
    ),
    "analyse": Subcommand(
        "analyse",
        "what a bot makes of a saved game: better moves, turning points, luck",
        (_file_or_last, _level),
    ),
    "doctor": Subcommand(
        "doctor",
        "find out what keeps friends apart: home, screen, clock, network",
        (_listening, _json, network),
    ),
    "config": Subcommand("config", "list, explain and change your settings", (_setting, _json)),
    "saved": Subcommand("saved", "list your saved games, the unfinished ones first", (_json,)),
    "record": Subcommand("saved", "print your games, results and opponents", (_json,)),
    "learn": Subcommand("learn", "lead you through a first game of GAME", (_game_if_any, naming, screen)),
    "games": Subcommand("games", "list the games and their options", (_json,)),
    "rules": Subcommand("rules", "print the rules of GAME, or one topic of them", (_game_if_any, _topic)),
    "forget": Subcommand("peers", "forget a player's key, as of a friend who has a new one", (_who,)),
    "completion": Subcommand("shell", "print what makes Tab complete commands in a shell", (_shell,)),
    "man": Subcommand("shell", "print the manual page", ()),
    "identity": Subcommand("identity", "print who you are to others and where your key lies", ()),
}
"""Each command, as it is typed."""
