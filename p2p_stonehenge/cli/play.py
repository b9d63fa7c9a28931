"""The commands at which somebody plays: `host`, `join`, `solo`, and `peers` and `replay`, which look on."""

import asyncio
import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from engine import Game, OptionError, OptionValue
from p2p_stonehenge.bots.players import LEVELS, USUAL, Bots, bot_name, introduced
from p2p_stonehenge.cli.arguments import ASKED, complaint
from p2p_stonehenge.cli.commands import SCHEMA, find_game, read_transcript
from p2p_stonehenge.failure import NETWORK, NOT_A_TRANSCRIPT, USAGE, Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.screen.asking import (
    LONGEST_PASSPHRASE,
    LeavingError,
    agrees,
    ask,
    ask_passphrase,
    can_ask,
    choose,
    is_passphrase,
)
from p2p_stonehenge.storage.home import Home, Journal
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.base import outcome_of, own_seats, title_of
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note, Notice, Ply, Session
from p2p_stonehenge.text.style import ALARM, Settings, alarming, folded, plain_wanted, safe, spell
from protocol import (
    ATTEMPT_BYTES,
    LOCAL,
    RESULT_PATIENCE,
    TURN_TIMES,
    Node,
    Seat,
    Table,
    TranscriptError,
    clean_text,
    id_text,
    load,
    local_charter,
    make_body,
    phrase,
)

if TYPE_CHECKING:
    from p2p_stonehenge.lobby.lobby import Formed
    from p2p_stonehenge.net.client import Network
    from p2p_stonehenge.net.discovery import Sighting

T = TypeVar("T")

LOOK_EVERY = 5.0
"""Seconds between two searches for a client that is missing."""
WORTH_SAYING = 1.0
"""Seconds that a wait takes before the player is told what it is for."""
BOT_PAUSE = 0.4
"""Seconds a bot takes when a person looks on, so that its move can be seen."""


def solo(args: Namespace) -> int:
    """Play on this computer alone."""
    game = find_game(args.game)
    players = args.players or _fewest(game)
    _check(game, args.options, players)
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)
    level = level_of(next(text for text in (args.level, args.auto, LEVELS[USUAL]) if text is not None))
    people = () if auto is not None else tuple(range(1, players + 1)) if args.hot_seat else (1,)
    identity = home.identity()
    seats = tuple(Seat(identity.id, _solo_name(home, seat, people), 1) for seat in range(1, players + 1))
    body = make_body(LOCAL, game, args.options, seats, secrets.token_bytes(ATTEMPT_BYTES))
    charter = local_charter(body, identity, secrets.token_bytes(32))

    if auto is None and not args.hot_seat:
        _suggest(game, args.options)
        say(introduced(game, range(2, players + 1), level))

    async def play() -> int:
        table = LocalTable(Table(charter, {1: identity}), home.journal(charter.table.hex()), people)
        others = [seat for seat in range(1, players + 1) if seat not in people]
        bots = []
        if auto is not None:
            bots.append(Bots(table, others[:1], auto, Random()))
            del others[:1]
        bots.append(Bots(table, others, level, Random(), BOT_PAUSE if people else 0.0))
        return await at_table(args, table, table.begin, bots)

    return run(play())


def host(args: Namespace) -> int:
    """Open a table and play at it once it is full."""
    from p2p_stonehenge.lobby.hosting import HostLobby
    from p2p_stonehenge.net.client import Network

    game = find_game(args.game)
    players = args.players or _fewest(game)
    _check(game, args.options, players)
    if not 0 <= args.bots < players:
        raise Failure(
            f"--bots {args.bots} is not possible: a table for {players} has 0-{players - 1} seats for bots.", USAGE
        )
    if args.turn_time and args.turn_time not in TURN_TIMES:
        limits = f"{TURN_TIMES[0]} to {TURN_TIMES[-1]} seconds"
        raise Failure(f"--turn-time {args.turn_time} is not possible: a turn has {limits}, or 0 for no limit.", USAGE)
    auto = None if args.auto is None else level_of(args.auto)
    if players < 2:
        raise Failure(f"A table for one needs no network: type p2p-stonehenge solo {game.key}.", USAGE)
    home = Home.open(args.home)
    if args.bots:
        _suggest(game, args.options)

    async def play() -> int:
        passphrase = await _passphrase(args, "A passphrase for your table: ")
        async with Network(home, _nick(home, args.name), args.interface, args.port) as network:
            if network.discovery.warning:
                say(network.discovery.warning)
            say(f"{game.title}: waiting for {players - 1 - args.bots} more. They type: p2p-stonehenge join")
            say(f"If that does not find this table: p2p-stonehenge join {_where(args.interface, network)}")
            if passphrase is not None:
                say("They are asked for the passphrase; who does not know it gets no seat.")
            if args.turn_time:
                say(_limit(args.turn_time, players - args.bots))
            setup = (game, args.options, players, args.bots, args.turn_time, passphrase)
            lobby = HostLobby(network, home, _telling(args), *setup)
            return await _sit_down(args, auto, home, network, await lobby.gather())

    with home.lock():
        return run(play())


def join(args: Namespace) -> int:
    """Sit down at a table and play."""
    from p2p_stonehenge.lobby.finding import find_table
    from p2p_stonehenge.lobby.joining import GuestLobby
    from p2p_stonehenge.net.client import Network

    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)

    async def play() -> int:
        passphrase = await _passphrase(args, "The passphrase of the table: ")
        async with Network(home, _nick(home, args.name), args.interface, args.port) as network:
            if network.discovery.warning:
                say(network.discovery.warning)
            await network.announce("")
            put = ask if auto is None and can_ask() else None
            tell = _telling(args)
            chosen = partial(_choose, home, tell) if put else None
            found = await find_table(network, args.table, tell, chosen, locked=passphrase is not None)
            lobby = GuestLobby(network, home, tell, found.host, passphrase, put, found.hint)
            if (
                lobby.introduce(found.host, found.nick)
                and put
                and not await agrees(put, "Sit down there all the same?")
            ):
                raise LeavingError
            return await _sit_down(args, auto, home, network, await lobby.gather(found.addresses))

    with home.lock():
        return run(play())


def peers(args: Namespace) -> int:
    """List who is on the network, without showing up there."""
    from p2p_stonehenge.net.discovery import Discovery

    found: dict[bytes, Sighting] = {}

    def lost(peer: bytes) -> None:
        found.pop(peer, None)

    async def look() -> None:
        discovery = Discovery(args.interface, lambda one: found.update({one.id: one}), lost)
        try:
            await discovery.start()
            await asyncio.sleep(args.seconds)
        finally:
            await discovery.close()

    run(look())
    home, tell = Home.open(args.home), _telling(args)
    seen = sorted(found.values(), key=lambda one: (one.nick.casefold(), one.id))
    if args.json:
        entries = [
            {
                "nick": one.nick,
                "id": id_text(one.id),
                "addresses": one.addresses,
                "table": one.table,
                "warning": _warning(home, one.id, one.nick) or None,
            }
            for one in seen
        ]
        print(json.dumps({"schema": SCHEMA, "peers": entries}, indent=2))
    elif not seen:
        print(f"Nobody was seen in {args.seconds:g} seconds. Are the others on this network, with a table open?")
    else:
        for one in seen:
            print(f"{one.nick:24}  {id_text(one.id)[:8]}  {one.table or 'no open table':20}  {' '.join(one.addresses)}")
            _warn(home, tell, one)
    return 0


def forget(args: Namespace) -> int:
    """Forget a player's key."""
    print(safe(known.forget(Home.open(args.home), args.who)))
    return 0


def replay(args: Namespace) -> int:
    """Print a saved game move by move, or the position after some moves."""
    from p2p_stonehenge.screen.views import Look, text_of, view_of

    try:
        table = load(read_transcript(args.file))
    except TranscriptError as error:
        raise Failure(f"this is not a valid saved game: {error}", NOT_A_TRANSCRIPT) from error
    game, log = table.game, table.fold.log
    names = tuple(seat.name for seat in table.charter.body.seats)
    if args.at is not None and args.at > len(log):
        raise Failure(f"--at {args.at} is not possible: the game has {len(log)} actions.", USAGE)
    print(f"{game.title}: {', '.join(names)}; table {table.id.hex()[:16]}")
    for number, (actor, action, before, *_) in enumerate(log[: args.at], 1):
        name = names[actor - 1] if actor else "-"
        story = " ".join(event.text for event in game.story(before, actor, action))
        print(f"{number:4}. {name:12} {action:14} {story}")
    state = table.state if args.at is None or args.at == len(log) else log[args.at].before
    print()
    for line in view_of(game.key).render(state, Look(names=names, charset="ascii", title=title_of(table.id))):
        print(text_of(line).rstrip())
    if args.at in (None, len(log)) and (told := outcome_of(table)):
        print(told)
    return 0


async def _sit_down(args: Namespace, auto: int | None, home: Home, network: "Network", formed: "Formed") -> int:
    """Play at a table that all have just signed, until its end."""
    charter = formed.charter
    node = Node(Table(charter, formed.signers, formed.secrets), formed.formation)
    named = known.names(home, network.identity.id, [(seat.id, seat.name) for seat in charter.body.seats])
    say(f"The table {title_of(charter.table)} is signed by all: {', '.join(named)}.")
    if charter.body.turn_time:
        say(_limit(charter.body.turn_time, len(node.peers) + 1))
    for seat in charter.body.seats:
        if seat.id in node.peers:
            known.meet(home, seat.id, seat.name)
    return await play_among_peers(args, auto, home, network, node, home.journal(charter.table.hex()))


async def play_among_peers(
    args: Namespace,
    auto: int | None,
    home: Home,
    network: "Network",
    node: Node,
    journal: Journal,
    *,
    resumed: bool = False,
) -> int:
    """Play at a table until its end, or until the player leaves."""
    charter = node.table.charter
    own = own_seats(charter, network.identity.id)
    people = own[:1] if auto is None else ()
    name = charter.table.hex()
    if node.peers:
        say(f"Its three words: {' '.join(phrase(charter))}. Read them aloud: all must have the same.")

    seats = charter.body.seats
    named = known.names(home, network.identity.id, [(seat.id, seat.name) for seat in seats])
    for number, seat in enumerate(seats, 1):
        if seat.operator != number:
            say(f"{named[number - 1]} is a bot of {named[seat.operator - 1]}, whose computer sees all that it sees.")

    def keep(secrets: bytes) -> None:
        home.keep_secret(name, secrets)

    table = NetTable(node, journal, network.transport, people, keep, resumed=resumed)
    table.names = named
    for number, seat in enumerate(seats, 1):
        if seat.id in node.peers and (warning := _warning(home, seat.id, seat.name)):
            table.strangers[number] = warning
    await network.announce("")
    network.handler = table
    bots = []
    if auto is not None:
        bots.append(Bots(table, own[:1], auto, Random()))
    if own[1:]:
        bots.append(Bots(table, own[1:], USUAL, Random(), BOT_PAUSE if people else 0.0))
    beside = [asyncio.create_task(table.watch()), asyncio.create_task(_find_again(network, node))]
    try:
        try:
            code = await at_table(args, table, lambda: table.begin(network.transport.linked()), bots)
        except asyncio.CancelledError:  # Ctrl-C, where no prompt takes it
            table.leave()
            raise
        if table.result is not None:
            await asyncio.wait(beside[:1], timeout=WORTH_SAYING)
            if not beside[0].done():
                say(f"Waiting up to {spell(round(RESULT_PATIENCE))} for the others' signatures under the result...")
            await beside[0]
            home.forget_secret(name)
            for line in table.audited():
                say(line)
            missing = [table.label(seat) for seat in table.table.fold.owing()]
            if missing:
                say(f"The result is not confirmed by {', '.join(missing)}; your own record is complete.")
        else:
            say(f"p2p-stonehenge resume {table.title} goes on with this game.")
            code = NETWORK if auto is not None else code
        return code
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


async def _find_again(network: "Network", node: Node) -> None:
    """Dial the other clients of the table, and look for them anew while one is missing."""
    for peer in node.peers:
        network.dial(peer, network.sightings[peer].addresses if peer in network.sightings else ())
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if len(node.linked) < len(node.peers):
            await network.discovery.kick()


async def at_table(
    args: Namespace, table: LocalTable | NetTable, begin: Callable[[], None], bots: Sequence[Bots]
) -> int:
    """Show the table to the player, or print what the bot does, until the game ends or the player leaves."""
    settings = Settings(args.charset, args.palette, args.bell == "on", args.board, str(table.path))
    if table.people:
        from p2p_stonehenge.screen import plain, terminal

        screen = plain if args.plain or plain_wanted() else terminal
        show = screen.run(table, settings)
    else:
        show = _print_until_over(table, settings)
    showing = asyncio.ensure_future(show)
    await asyncio.sleep(0)
    begin()
    for bot in bots:
        bot.start()
    try:
        await showing
    finally:
        for bot in bots:
            bot.stop()
    return 0


async def _print_until_over(table: Session, settings: Settings) -> None:
    """Print every move on a line: for a table at which nobody looks on who could type."""
    over = asyncio.Event()

    def heard(notice: Notice) -> None:
        match notice:
            case Ply(number, _, _, story):
                print(f"{number}. {safe(' '.join(event.text for event in story))}", flush=True)
            case Note(text, _):
                print(f"* {safe(text)}", flush=True)
        if table.result is not None:
            over.set()

    table.listen(heard)
    if table.result is None:
        await over.wait()
    print(f"{safe(table.outcome)} Saved in {settings.saved}", flush=True)


async def _choose(home: Home, tell: Callable[[str], None], found: list["Sighting"]) -> "Sighting":
    """Ask which of several tables is meant."""
    for number, one in enumerate(found, 1):
        say(f"{number}. {one.nick} ({id_text(one.id)[:8]}): {one.table}")
        _warn(home, tell, one)
    return found[await choose(ask, len(found)) - 1]


def _warning(home: Home, id: bytes, nick: str) -> str:
    """Return the warning that this player comes with a known name and another key, or nothing."""
    told, warning = known.recognise(home, id, nick)
    return told if warning else ""


def _warn(home: Home, tell: Callable[[str], None], one: "Sighting") -> None:
    if warning := _warning(home, one.id, one.nick):
        tell(ALARM + warning)


async def _passphrase(args: Namespace, question: str) -> str | None:
    """Return the passphrase that the command line gives or asks for. Raises Failure if it is none."""
    words = args.passphrase
    if words is None:
        return None
    if words == ASKED:
        if can_ask():
            return await ask_passphrase(ask, question)
        words = sys.stdin.readline().rstrip("\n") if sys.stdin else ""
    else:
        say(
            f"{ALARM}other users of this computer can read a passphrase that is typed as an option: type --passphrase"
            " alone, and you are asked for it."
        )
    if not is_passphrase(words):
        raise Failure(f"A passphrase has 1 to {LONGEST_PASSPHRASE} letters: three words are a good one.", USAGE)
    return str(words)


def run(play: Coroutine[Any, Any, T]) -> T:
    """Carry out a coroutine and return what it returns.

    A Failure in a callback, such as a full disk, ends it, and so does the end of whoever reads our output; any other
    error there is a fault of ours, which is said in one line and ends nothing.
    """
    return asyncio.run(_guarded(play))


async def _guarded(play: Coroutine[Any, Any, T]) -> T:
    failed: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def caught(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Failure | BrokenPipeError):
            told = f"{type(error).__name__}: {error}" if error else context["message"]
            print(complaint(f"an error of this program was ignored ({safe(told)})"), file=sys.stderr)
        elif not failed.done():
            failed.set_exception(error)

    asyncio.get_running_loop().set_exception_handler(caught)
    playing = asyncio.ensure_future(play)
    await asyncio.wait({playing, failed}, return_when=asyncio.FIRST_COMPLETED)
    if not playing.done():
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        return failed.result()
    return playing.result()


def say(text: str) -> None:
    """Print a line that may hold words of others."""
    print(folded(safe(text)), flush=True)


def _telling(args: Namespace) -> Callable[[str], None]:
    """Return what prints a line of which the player must not overlook some, unless only plain text is wanted."""
    return say if args.plain else lambda text: print(alarming(folded(safe(text))), flush=True)


def _limit(turn_time: int, players: int) -> str:
    then = "; then the others' clients agree to go on without the player" if players > 2 else ""
    return f"Each turn has {spell(turn_time)}{then}."


def _where(interface: str | None, network: "Network") -> str:
    from p2p_stonehenge.net.network import local_addresses

    return f"{interface or local_addresses()[0]}:{network.transport.port}"


def _nick(home: Home, wanted: str | None) -> str:
    if wanted is not None:
        if not clean_text(wanted, 1):
            raise Failure("--name is empty: write how others are to see you, 1 to 24 letters.", USAGE)
        home.set_nick(wanted)
    return home.nick()


def _solo_name(home: Home, seat: int, people: tuple[int, ...]) -> str:
    if seat not in people:
        return bot_name(seat)
    return home.nick() if len(people) == 1 else f"player {seat}"


def _fewest(game: Game[Any]) -> int:
    return min(number for number in game.seats if number > 1)


def _suggest(game: Game[Any], options: dict[str, OptionValue]) -> None:
    """Name the option that keeps bots from playing on for ever, where a game has it and it is not set."""
    if "repetition" in {option.name for option in game.options} - options.keys():
        say("Bots may move to and fro without end; -o repetition=3 draws a position that occurs for the 3rd time.")


def level_of(text: str) -> int:
    """Return the level of a bot that was typed as a number or by its name. Raises Failure."""
    named = {name: level for level, name in enumerate(LEVELS)} | {str(level): level for level in range(len(LEVELS))}
    if (level := named.get(text.strip().lower())) is not None:
        return level
    levels = ", ".join(f"{level} ({name})" for level, name in enumerate(LEVELS))
    raise Failure(f"there is no bot of level {safe(text)[:20]!r}: levels are {levels}.", USAGE)


def _check(game: Game[Any], options: dict[str, OptionValue], players: int) -> None:
    if players not in game.seats:
        few, many = game.seats[0], game.seats[-1]
        allowed = str(few) if few == many else f"{few} to {many}"
        raise Failure(f"--players {players} is not possible: {game.title} is for {allowed} players.", USAGE)
    try:
        game.start(options, players)
    except OptionError as error:
        raise Failure(f"{error}. `p2p-stonehenge games` lists the options.", USAGE) from error
