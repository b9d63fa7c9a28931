"""What the commands at which somebody plays have in common."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from engine import Game, Option, OptionError, OptionValue
from p2p_stonehenge.bots.adaptive import ADAPTIVE, Seated
from p2p_stonehenge.bots.players import Bots, introduced, level_named, levels_told
from p2p_stonehenge.cli.arguments import report_fault
from p2p_stonehenge.cli.commands import ASKED
from p2p_stonehenge.cli.common import check_name, shown
from p2p_stonehenge.failure import INTERRUPTED, USAGE, Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.screen.asking import (
    LENGTH,
    ask,
    ask_new_passphrase,
    ask_passphrase,
    can_ask,
    is_passphrase,
    tell,
    worth_told,
)
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.agreed import is_one_team
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.local import LocalTable, against_bots
from p2p_stonehenge.table.session import Note, Notice, Ply, Session
from p2p_stonehenge.table.watching import WatchedTable
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.output import plain_wanted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import Alarm, alarming, plainly, safe
from p2p_stonehenge.text.times import spell
from protocol import (
    MATCHES,
    RESULT_PATIENCE,
    Clock,
)

if TYPE_CHECKING:
    from p2p_stonehenge.net.client import Network
    from p2p_stonehenge.net.discovery import Sighting

T = TypeVar("T")

WORTH_SAYING = 1.0
"""Seconds that a wait takes before the player is told what it is for."""
BOT_PAUSE = 0.4
"""Seconds a bot takes when a person looks on, so that its move can be seen."""


async def stays_over(table: Session, confirmed: asyncio.Event) -> bool:
    """Wait until a result is confirmed; return False if the game goes on instead, as if it had never been over.

    Two versions of an event end a game only until every other player is known to have named that event.
    """

    async def look() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(confirmed.wait(), WORTH_SAYING)

    await look()
    if table.result is not None and not confirmed.is_set():
        say(f"Waiting up to {spell(round(RESULT_PATIENCE))} for the others' signatures under the result...")
    while table.result is not None and not confirmed.is_set():
        await look()
    return confirmed.is_set()


def begin_beside(work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
    """Begin what goes on beside the screen of a table. What fails there ends `run`, since a table without it stands."""

    def ended(task: "asyncio.Task[None]") -> None:
        if task.cancelled() or not (error := task.exception()):
            return
        if isinstance(error, Failure):
            raise error
        told = f"A fault of this program has ended it ({type(error).__name__}: {safe(str(error))})"
        raise Failure(f"{told}. What was played is saved: `{command_here()} resume` goes on.") from error

    task = asyncio.create_task(work)
    task.add_done_callback(ended)
    return task


async def at_table(
    args: Namespace,
    table: LocalTable | NetTable | WatchedTable,
    begin: Callable[[], None],
    bots: Sequence[Bots],
    confirmed: asyncio.Event | None = None,
) -> None:
    """Show the table to the player, or print what the bot does, until the game ends or the player leaves.

    Raises Failure for a player who leaves by Ctrl-C where no prompt takes that.

    `confirmed`: set once nobody's signature under the result is awaited any more, among peers.
    """
    looked_at = bool(table.people) or table.watches
    table.stays = looked_at and can_ask()
    settings = _settings(args, str(table.path))
    if looked_at:
        from p2p_stonehenge.screen import plain, terminal

        screen = plain if args.plain or plain_wanted() else terminal
        show = screen.run(table, settings)
    else:
        show = print_until_over(table, settings, confirmed)
    showing = asyncio.ensure_future(show)
    await asyncio.sleep(0)
    begin()
    for bot in bots:
        bot.start()
    try:
        await showing
    except asyncio.CancelledError:  # Ctrl-C, where no prompt takes it
        if not table.people:
            raise
        raise _left(table, settings) from None
    finally:
        for bot in bots:
            bot.stop()
    if isinstance(table, LocalTable) and table.result is None:
        say(table.way_in)


def _left(table: Session, settings: Settings) -> Failure:
    """Leave a table, print what is printed of it, and return in a failure how the game goes on."""
    from p2p_stonehenge.screen.at_the_end import farewell
    from p2p_stonehenge.screen.views import text_of

    table.leave()
    for line in farewell(table, settings.saved):
        say(text_of(line))
    return Failure(table.way_in if table.result is None else "You left the table.", INTERRUPTED)


def _settings(args: Namespace, saved: str) -> Settings:
    """Return how the screen of a table looks and what it asks; `saved`: where the table is kept."""
    return Settings(
        charset=args.charset,
        palette=args.palette,
        bell=args.bell != "off",
        notify=args.bell == "notify",
        board=args.board,
        careful=args.careful == "on",
        threats=args.threats == "on",
        title=args.title == "on",
        saved=saved,
    )


async def print_until_over(table: Session, settings: Settings, confirmed: asyncio.Event | None = None) -> None:
    """Print every move on a line: for a client at which no person types."""
    over = asyncio.Event()

    def heard(notice: Notice) -> None:
        match notice:
            case Ply(number, _, _, story):
                say(f"{number}. {' '.join(event.text for event in story)}")
            case Note(text, _):
                say(f"* {text}")
        if table.result is not None:
            over.set()

    table.listen(heard)
    while True:
        over.clear()
        if table.result is None:
            await over.wait()
        say(f"{table.outcome} Saved in {settings.saved}")
        if confirmed is None or await stays_over(table, confirmed):
            return


def warning_of(home: Home, id: bytes, nick: str) -> str:
    """Return the warning that this player comes with a known name and another key, or nothing."""
    told, warning = known.recognise(home, id, nick)
    return told if warning else ""


def warn(home: Home, tell: Callable[[str], None], one: "Sighting") -> None:
    """Tell the warning of `warning_of`, if there is one, about a player who was seen."""
    if warning := warning_of(home, one.id, one.nick):
        tell(Alarm(warning))


async def read_passphrase(args: Namespace, question: str, *, anew: bool = False) -> str | None:
    """Return the passphrase that the command line gives or asks for, twice if it is made up `anew`.

    Raises Failure if it is none.
    """
    words = args.passphrase
    if words is None:
        return None
    if words == ASKED and can_ask():
        words = await (ask_new_passphrase if anew else ask_passphrase)(ask, question)
    elif words == ASKED:
        words = sys.stdin.readline().rstrip("\n") if sys.stdin else ""
    else:
        say(
            Alarm(
                "other users of this computer can read a passphrase that is typed as an option: type --passphrase"
                " alone, and you are asked for it."
            )
        )
    if not is_passphrase(words):
        raise Failure(LENGTH, USAGE)
    if anew and (told := worth_told(str(words))):
        say(told)
    return str(words)


def run(play: Coroutine[Any, Any, T]) -> T:
    """Carry out a coroutine and return what it returns.

    A Failure in a callback, such as a full disk, ends it, and so does the end of the program that reads our output. Any
    other error there is a fault of this program, which is said in one line and ends nothing.
    """
    return asyncio.run(_guarded(play))


async def _guarded(play: Coroutine[Any, Any, T]) -> T:
    failed: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def caught(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Failure | BrokenPipeError):
            report_fault(error, context["message"])
        elif not failed.done():
            failed.set_exception(error)

    asyncio.get_running_loop().set_exception_handler(caught)
    playing = asyncio.ensure_future(play)
    try:
        await asyncio.wait({playing, failed}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:  # Ctrl-C
        playing.cancel()
        (end,) = await asyncio.gather(playing, return_exceptions=True)
        if isinstance(end, Failure):  # what it says of being left
            raise end from None
        raise
    if not playing.done():
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        return failed.result()
    return playing.result()


def say(text: str) -> None:
    """Print a line that may hold words of others."""
    tell(plainly(text))


def telling(args: Namespace) -> Callable[[str], None]:
    """Return what prints a line of which the player must not overlook some, unless only plain text is wanted."""
    return say if args.plain else lambda text: tell(alarming(text))


def turn_limit(turn_time: int | Clock, players: int) -> str:
    """Return what the time for turns means at a table of so many clients, as a sentence."""
    from p2p_stonehenge.lobby.terms import time_limit

    return f"Time: {time_limit(turn_time, players)}."


@asynccontextmanager
async def network_of(home: Home, args: Namespace, *, watches: bool = False) -> "AsyncIterator[Network]":
    """Open the network as the options of a command say; tell what keeps this client from being found.

    `watches`: the player looks on, and may do so at a table of which this client has a file already.
    """
    from p2p_stonehenge.lobby.latecomers import Latecomers
    from p2p_stonehenge.net.client import Network

    async with Network(home, nick_of(home, args.name), args.interface, args.port) as network:
        network.aside = None if watches else Latecomers(network, home)
        if network.discovery.warning:
            say(network.discovery.warning)
        yield network


def nick_of(home: Home, wanted: str | None) -> str:
    """Return the nick: the one that is wanted, which is kept, or the one kept before. Raises Failure."""
    if wanted is not None:
        check_name(wanted, "--name")
        home.set_nick(wanted)
    return home.nick()


def suggest(game: Game[Any], options: dict[str, OptionValue]) -> None:
    """Name the option that keeps bots from playing on for ever, where a game has it and it is not set."""
    for name, value in against_bots(game).items():
        if name not in options:
            say(f"Bots may move to and fro without end; -o {name}={value} ends that ({option_of(game, name).help}).")


def option_of(game: Game[Any], name: str) -> Option:
    """Return the option of a game that has this name."""
    return next(option for option in game.options if option.name == name)


def level_of(text: str, beside: Sequence[str] = (), least: int = 0) -> int:
    """Return the level of a bot, `least` or more, that was typed as a number or by its name. Raises Failure.

    `beside`: what else could have been typed there, for the words of the failure.
    """
    if (level := level_named(text)) is not None and level >= least:
        return level
    which = f"There is no bot of level {safe(text)[:20]!r}" if level is None else f"Level {level} is too low"
    alone = "" if beside or least else f"; `{ADAPTIVE}` is for `{command_here()} solo --level` alone"
    raise Failure(f"{which}: levels are {levels_told(beside, least)}{alone}.", USAGE)


def bots_told(game: Game[Any], bots: Sequence[int], seated: Seated) -> str:
    """Return who the bots of some seats are, how well they play, and whether that follows the player."""
    follows = " It goes up when you win and down when you lose." if seated.follows else ""
    return introduced(game, bots, seated.level) + follows


def match_to(args: Namespace, game: Game[Any], options: Mapping[str, OptionValue], players: int) -> int:
    """Return the points that win the match that is wanted, 0 if none is. Raises Failure unless it can be played so."""
    if args.match is None:
        return 0
    if args.match not in MATCHES:
        raise Failure(f"--match {args.match} is not possible: a match is to {MATCHES[0]}-{MATCHES[-1]} points.", USAGE)
    if players < 2 or is_one_team(game.teams(options, players)):
        raise Failure("--match is won against somebody: choose a game of two or more sides, or leave it out.", USAGE)
    if args.auto is not None:
        raise Failure("--auto ends with the game, and --match goes on: leave one out.", USAGE)
    return int(args.match)


def check_setup(game: Game[Any], options: dict[str, OptionValue], players: int) -> None:
    """Raise Failure unless the game can be played by so many with these options."""
    if players not in game.seats:
        few, many = game.seats[0], game.seats[-1]
        allowed = str(few) if few == many else f"{few} to {many}"
        raise Failure(f"--players {players} is not possible: {game.title} is for {allowed} players.", USAGE)
    names = [option.name for option in game.options]
    for name in options:
        if name not in names and (meant := closest(name, names)):
            raise Failure(f"{game.title} has no option {shown(name)}: did you mean {meant}?", USAGE)
    try:
        game.start(options, players)
    except OptionError as error:
        raise Failure(f"{error}. `{command_here()} games` lists the options.", USAGE) from error
