"""The command `host`: opens a table."""

from argparse import Namespace
from functools import partial

from engine import OptionValue, counted, fewest_players, listed
from p2p_stonehenge.bots.players import USUAL
from p2p_stonehenge.cli.commands import WATCHERS
from p2p_stonehenge.cli.common import find_game
from p2p_stonehenge.cli.play import (
    check_setup,
    level_of,
    match_to,
    network_of,
    read_passphrase,
    run,
    say,
    suggest,
    telling,
    turn_limit,
)
from p2p_stonehenge.cli.reading import read_transcript
from p2p_stonehenge.cli.saved import file_of
from p2p_stonehenge.cli.sitting import sit_down
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.lobby.again import gather_next
from p2p_stonehenge.lobby.company import next_of_match
from p2p_stonehenge.lobby.origins import OLDER, chosen_origin, chosen_table, later_told, origin_told
from p2p_stonehenge.lobby.setup import Setup, bots_of, called_at
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.network import local_addresses
from p2p_stonehenge.screen.asking import agrees, ask, can_ask, interruptible
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.base import game_told, may_watch, time_given
from p2p_stonehenge.text.program import COMMAND, command_here
from p2p_stonehenge.text.style import safe
from protocol import (
    EVERYBODY,
    INCREMENTS,
    NOBODY,
    TURN_TIMES,
    WITH_PASSPHRASE,
    Body,
    Clock,
    Series,
    Table,
    Watching,
    series_within,
    whole,
)


def host(args: Namespace) -> int:
    """Open a table and play at it once it is full."""
    last = _last_table(args)
    game = last.game if last else find_game(args.game)
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)
    following = next_of_match(last, home.identity().id) if last and args.at is None else None
    if last and following:
        _check_newest(home, last, asks=auto is None and can_ask())
    origin = chosen_origin(last, args.at) if last and not following else None
    before = last.charter.body if last and not following else None
    players = len(before.seats) if before else args.players or fewest_players(game)
    options: dict[str, OptionValue] = dict(before.options) if before else args.options
    bots = args.bots or 0
    places: dict[bytes, int] = {}
    called: dict[int, str] = {}
    if following:
        players, options, places = following.setup.players, following.setup.options, dict(following.setup.places)
        bots, called = max(following.setup.bots, bots), dict(following.setup.bots_called)
    check_setup(game, options, players)
    if before:
        places = _places(before)
        playing = game.live(before._replace(origin=origin).beginning())
        called = called_at(before, playing)
        empty = [number not in playing or seat.operator != number for number, seat in enumerate(before.seats, 1)]
        bots = max(sum(empty) if args.bots is None else args.bots, players - len(playing))
    if not 0 <= bots < players:
        limits = f"a table for {players} has 0-{players - 1} seats for bots"
        raise Failure(f"--bots {bots} is not possible: {limits}.", USAGE)
    match = match_to(args, players)
    usual = following.setup.turn_time if following else 0
    turn_time = usual if args.turn_time is None else _turn_time(*args.turn_time)
    watching = _watching(args)
    level = USUAL if args.level is None else level_of(args.level)
    if args.level is not None and not bots:
        raise Failure("--level is for the bots at your table: add --bots N, or leave it out.", USAGE)
    if players < 2:
        raise Failure(f"A table for one needs no network: type {command_here()} solo {game.key}.", USAGE)
    if bots and not last:
        suggest(game, options)

    async def play() -> int:
        passphrase = await read_passphrase(args, "A passphrase for your table: ")
        async with network_of(home, args) as network:
            if more := players - 1 - bots:
                say(f"{game.title}: waiting for {more} more. They type: {COMMAND} join")
                say(f"If that does not find this table: {COMMAND} join {_where(args.interface, network)}")
            if passphrase is not None:
                say("They are asked for the passphrase: those who do not know it get no seat.")
            if turn_time:
                say(turn_limit(turn_time, players - bots))
            elif args.turn_time is not None:
                say(f"Time: {time_given(turn_time)}.")
            if origin and last:
                say(origin_told(last, args.at, origin))
            if following and last:
                say(_match_told(following.setup, last))
            if match:
                say(f"Match to {match} points: `again` goes on to the next game of it.")
            say(f"May watch: {may_watch(watching)}.")
            terms = (players, bots, turn_time, passphrase, origin, places, called)
            setup = Setup(game, options, *terms, watching=watching)
            setup = setup._replace(series=partial(series_within, before) if before else lambda _: Series(match))
            if following:
                setup = setup._replace(series=following.setup.series, closed=True)
            put = ask if auto is None and can_ask() else None
            with interruptible("Your table is closed: it had not begun."):
                formed = await gather_next(network, home, telling(args), setup, put)
            return await sit_down(args, auto, home, network, formed, level=level)

    with home.lock():
        return run(play())


def _places(before: Body) -> dict[bytes, int]:
    """Return the seats of a table, by id. At a local one all have one id: the first one that no bot had is meant."""
    found: dict[bytes, int] = {}
    bots = bots_of(before)
    for number, seat in enumerate(before.seats, 1):
        if number not in bots:
            found.setdefault(seat.id, number)
    return found


def _turn_time(seconds: int, increment: int | None = None) -> int | Clock:
    """Return the time for turns that was typed. Raises Failure."""
    limits = f"{TURN_TIMES[0]} to {TURN_TIMES[-1]} seconds"
    if increment is None:
        if seconds and seconds not in TURN_TIMES:
            raise Failure(f"--turn-time {seconds} is not possible: a turn has {limits}, or none.", USAGE)
        return seconds
    if seconds not in TURN_TIMES or increment not in INCREMENTS:
        told = f"a clock has 1 to {TURN_TIMES[-1] // 60} minutes, and 0 to {INCREMENTS[-1]} seconds after each turn"
        raise Failure(f"--turn-time {seconds // 60}+{increment} is not possible: {told}.", USAGE)
    return Clock(seconds, increment)


def _watching(args: Namespace) -> Watching:
    """Return who may watch: by default all; at a table with a passphrase those who know it. Raises Failure."""
    usual = EVERYBODY if args.passphrase is None else WITH_PASSPHRASE
    by = usual if args.watch is None else WATCHERS.index(args.watch)
    if by == WITH_PASSPHRASE and args.passphrase is None:
        raise Failure("--watch passphrase needs a passphrase: add --passphrase, or choose --watch all.", USAGE)
    if by == NOBODY and args.delay:
        raise Failure("--delay is for those who watch, and --watch nobody lets nobody watch: leave one out.", USAGE)
    if args.talk and (by == NOBODY or args.delay):
        why = "--delay would be undone by chat" if args.delay else "--watch nobody lets nobody watch"
        raise Failure(f"--talk is for those who watch, and {why}: leave one out.", USAGE)
    return Watching(by, args.delay, int(args.talk))


def _match_told(setup: Setup, last: Table) -> str:
    """Return which game of the match is next and with whom, for those who played the last one."""
    seats = last.charter.body.seats
    named = listed([safe(seat.name) for seat in seats if seat.id in setup.places])
    return f"{game_told(setup.series(seats), [safe(seat.name) for seat in seats])} It is for {named} alone."


def _check_newest(home: Home, last: Table, *, asks: bool) -> None:
    """Ask before a match is played on from this game of it although a later one is saved. Raises Failure.

    Where nobody can be asked, that is refused.
    """
    told = later_told(home, last.id)
    if not told:
        return
    if not asks:
        raise Failure(f"{told} `{command_here()} saved` tells how the match goes on.", USAGE)
    say(told)
    if not run(agrees(ask, OLDER)):
        raise Failure(f"`{command_here()} saved` tells how the match goes on.", USAGE)


def _last_table(args: Namespace) -> Table | None:
    """Return the table of the saved game to go on from, if one is named. Raises Failure; also without any game."""
    if args.origin is None:
        if args.at is not None:
            raise Failure("--at says from where in a saved game to go on: name the file with --from.", USAGE)
        if args.game is None:
            raise Failure(f"Which GAME? `{command_here()} games` lists them; a saved game goes on by --from.", USAGE)
        return None
    content = read_transcript(file_of([args.origin], args.home, "host"))
    last = chosen_table(content)
    if (good := whole(content)) < len(content):
        damaged = f"That saved game is damaged: what follows its first {good} bytes cannot be read"
        say(f"{damaged}. What stands before is good: {counted(len(last.fold.log), 'action')}.")
    if args.game is not None and (wanted := find_game(args.game)) != last.game:
        told = f"That saved game is one of {last.game.title}, not of {wanted.title}"
        raise Failure(f"{told}: leave `{wanted.key}` out, or name another file.", USAGE)
    if args.options or args.players:
        raise Failure("--from takes options and seats from the saved game: leave -o and --players out.", USAGE)
    if args.match:
        raise Failure("--from goes on with the match of the saved game, if it is of one: leave --match out.", USAGE)
    return last


def _where(interface: str | None, network: Network) -> str:
    return f"{interface or local_addresses()[0]}:{network.transport.port}"
