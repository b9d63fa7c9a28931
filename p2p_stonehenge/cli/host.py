"""The command `host`: opens a table."""

from argparse import Namespace
from bisect import bisect_left
from collections.abc import Iterator

from engine import counted, fewest_players, listed
from p2p_stonehenge.bots.players import USUAL
from p2p_stonehenge.cli.commands import ASKED
from p2p_stonehenge.cli.common import find_game, name_at_first
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
from p2p_stonehenge.lobby.company import Rematch, next_of_match
from p2p_stonehenge.lobby.finding import join_told
from p2p_stonehenge.lobby.origins import OLDER, chosen_origin, chosen_table, moved_told, origin_told
from p2p_stonehenge.lobby.setup import Setup, from_position, places_of
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.lobby.terms import match_limit
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.network import local_addresses
from p2p_stonehenge.screen.asking import agrees, ask, can_ask, interruptible
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import time_given, watchers_told
from p2p_stonehenge.table.scores import game_told
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import COMMAND, command_here
from p2p_stonehenge.text.safe import safe
from protocol import FIRST_GAME, INCREMENTS, TURN_TIMES, Clock, Series, Table, Watchers, Watching, is_void, whole

WATCHERS = {"nobody": Watchers.NOBODY, "passphrase": Watchers.WITH_PASSPHRASE, "all": Watchers.EVERYBODY}


def host(args: Namespace) -> int:
    """Open a table and play at it once it is full."""
    last = _last_table(args)
    if args.auto is None:
        name_at_first(args)
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)
    if last and auto is None and can_ask():
        _lock_as_before(args, last)
    following = next_of_match(last, home.identity().id) if last and args.at is None else None
    if last and args.at is None and last.charter.body.series != FIRST_GAME:
        _check_newest(home, last, asks=auto is None and can_ask())
    setup = _setup(args, last, following)
    level = USUAL if args.level is None else level_of(args.level)
    if args.level is not None and not setup.bots:
        raise Failure("--level is for the bots at your table: add --bots N, or leave it out.", USAGE)
    if setup.players < 2:
        raise Failure(f"A table for one needs no network: type {command_here()} solo {setup.game.key}.", USAGE)
    if setup.bots and not last:
        suggest(setup.game, setup.options)

    async def play() -> int:
        offered = setup._replace(passphrase=await read_passphrase(args, "A passphrase for your table", anew=True))
        async with network_of(home, args) as network:
            for line in _opened(args, offered, last, _where(args.interface, network)):
                say(line)
            put = ask if auto is None and can_ask() else None
            with interruptible("Your table is closed: it had not begun."):
                formed = await gather_next(network, home, telling(args), offered, put)
            return await sit_down(args, auto, home, network, formed, level=level)

    with home.lock():
        return run(play())


def _lock_as_before(args: Namespace, last: Table) -> None:
    """Have a passphrase asked for where the table before had one, unless the options say who may watch."""
    if _is_unsaid(args) and last.charter.body.watching.by == Watchers.WITH_PASSPHRASE:
        args.passphrase = ASKED
        say("The table before had a passphrase, and so has this one; `--watch all` or `nobody` opens it without one.")


def _is_unsaid(args: Namespace) -> bool:
    """Return whether no option says who may watch, or that there is a passphrase."""
    return args.watch is None and args.passphrase is None and not (args.delay or args.talk)


def _setup(args: Namespace, last: Table | None, following: Rematch | None) -> Setup:
    """Return what the options offer, but for the passphrase. Raises Failure.

    `last`: the saved game from which it goes on; `following`: the game of its match that is next, if one is.
    """
    if following:
        setup = following.setup
        setup = setup._replace(bots=max(setup.bots, args.bots or 0))
    elif last:
        setup = _going_on(last, args.at, args.bots)
        if setup.origin and not setup.fits:
            most = bisect_left(
                range(len(setup.origin.actions)), True, key=lambda at: not _going_on(last, at, None).fits
            )
            told = f"No table can go on from there: its charter has no room for {len(setup.origin.actions)} actions"
            raise Failure(f"{told}. Choose an earlier position: --at {most - 1} is the last one that fits.", USAGE)
    else:
        game = find_game(args.game)
        setup = Setup(game, args.options, args.players or fewest_players(game), args.bots or 0)
    check_setup(setup.game, setup.options, setup.players)
    if not 0 <= setup.bots < setup.players:
        limits = f"a table for {setup.players} has 0-{setup.players - 1} seats for bots"
        raise Failure(f"--bots {setup.bots} is not possible: {limits}.", USAGE)
    if match := match_to(args, setup.game, setup.options, setup.players):
        setup = setup._replace(series=lambda _: Series(match))
    if args.turn_time is not None:
        setup = setup._replace(turn_time=_turn_time(*args.turn_time))
    return setup._replace(watching=_watching(args, setup.watching if last else None))


def _going_on(last: Table, at: int | None, bots: int | None) -> Setup:
    """Return the setup of a table that goes on from a saved game, after `at` actions, with so many `bots` if it can.

    Those who sat there get their seats again; the seats of bots, and those that play no more, are for bots.
    """
    before, origin = last.charter.body, chosen_origin(last, at)
    setup, live = from_position(before, origin, places_of(before)), before._replace(origin=origin).live()
    empty = [number not in live or seat.operator != number for number, seat in enumerate(before.seats, 1)]
    return setup._replace(bots=max(sum(empty) if bots is None else bots, len(empty) - len(live)))


def _opened(args: Namespace, setup: Setup, last: Table | None, where: str) -> Iterator[str]:
    """Yield what is said when a table opens; `where`: the address and port at which others find this client."""
    if more := setup.players - 1 - setup.bots:
        yield f"{setup.game.title}: waiting for {more} more. They type: {join_told(args.interface)}"
        yield f"If that does not find this table: {COMMAND} join {where}"
    if setup.passphrase is not None:
        yield "They are asked for the passphrase: those who do not know it get no seat."
    if setup.turn_time:
        yield turn_limit(setup.turn_time, setup.players - setup.bots)
    elif args.turn_time is not None:
        yield f"Time: {time_given(setup.turn_time)}."
    if last and setup.origin:
        yield origin_told(last, args.at, setup.origin)
        yield from _at_stake(last)
    if last and setup.closed:
        yield _match_told(setup, last)
    if args.match:
        told = match_limit(args.match, setup.game)
        yield f"{told[:1].upper()}{told[1:]}: `again` goes on to the next game of it."
    yield f"May watch: {watchers_told(setup.watching)}."
    if more:
        yield "What you type meanwhile is not read. Ctrl-C closes the table."


def _at_stake(last: Table) -> Iterator[str]:
    """Yield the score before a game of a match that is played on, and that it counts anew if it was over."""
    body, fold = last.charter.body, last.fold
    if body.series.match:
        yield game_told(body.series, [quoted(safe(seat.name)) for seat in body.seats])
        if fold.result and not is_void(last):
            yield "That game is over. Where the others agree to play it again, what it counted counts no more."


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


def _watching(args: Namespace, before: Watching | None) -> Watching:
    """Return who may watch. Raises Failure.

    By default that is as `before`, at the table from which this one goes on, but nobody where a passphrase would be
    needed; else all, and at a table with a passphrase those who know it.
    """
    if before and _is_unsaid(args):
        return Watching(Watchers.NOBODY, 0) if before.by == Watchers.WITH_PASSPHRASE else before
    usual = Watchers.EVERYBODY if args.passphrase is None else Watchers.WITH_PASSPHRASE
    by = usual if args.watch is None else WATCHERS[args.watch]
    if by == Watchers.WITH_PASSPHRASE and args.passphrase is None:
        raise Failure("--watch passphrase needs a passphrase: add --passphrase, or choose --watch all.", USAGE)
    if by == Watchers.NOBODY and args.delay:
        raise Failure("--delay is for those who watch, and --watch nobody lets nobody watch: leave one out.", USAGE)
    if args.talk and (by == Watchers.NOBODY or args.delay):
        why = "--delay would be undone by chat" if args.delay else "--watch nobody lets nobody watch"
        raise Failure(f"--talk is for those who watch, and {why}: leave one out.", USAGE)
    return Watching(by, args.delay, int(args.talk))


def _match_told(setup: Setup, last: Table) -> str:
    """Return which game of the match is next and with whom, for those who played the last one."""
    seats = last.charter.body.seats
    named = listed([quoted(safe(seat.name)) for seat in seats if seat.id in setup.places])
    return f"{game_told(setup.series(seats), [quoted(safe(seat.name)) for seat in seats])} It is for {named} alone."


def _check_newest(home: Home, last: Table, *, asks: bool) -> None:
    """Ask before a match is played on from this game of it although another saved one has moved on. Raises Failure.

    Where nobody can be asked, that is refused.
    """
    told = moved_told(list(Shelf(home).games()), last.charter.body.series, last.id)
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
    at = "" if args.at is None else f" --at {args.at}"
    content = read_transcript(file_of([args.origin], args.home, "host --from", at))
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
