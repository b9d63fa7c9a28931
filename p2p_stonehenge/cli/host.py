"""The command `host`: opens a table."""

from argparse import Namespace

from p2p_stonehenge.cli.commands import find_game
from p2p_stonehenge.cli.play import (
    check_setup,
    fewest,
    level_of,
    nick_of,
    read_passphrase,
    run,
    say,
    sit_down,
    suggest,
    telling,
    turn_limit,
)
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.network import local_addresses
from p2p_stonehenge.storage.home import Home
from protocol import TURN_TIMES


def host(args: Namespace) -> int:
    """Open a table and play at it once it is full."""
    game = find_game(args.game)
    players = args.players or fewest(game)
    check_setup(game, args.options, players)
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
        suggest(game, args.options)

    async def play() -> int:
        passphrase = await read_passphrase(args, "A passphrase for your table: ")
        async with Network(home, nick_of(home, args.name), args.interface, args.port) as network:
            if network.discovery.warning:
                say(network.discovery.warning)
            say(f"{game.title}: waiting for {players - 1 - args.bots} more. They type: p2p-stonehenge join")
            say(f"If that does not find this table: p2p-stonehenge join {_where(args.interface, network)}")
            if passphrase is not None:
                say("They are asked for the passphrase; who does not know it gets no seat.")
            if args.turn_time:
                say(turn_limit(args.turn_time, players - args.bots))
            setup = (game, args.options, players, args.bots, args.turn_time, passphrase)
            lobby = HostLobby(network, home, telling(args), *setup)
            return await sit_down(args, auto, home, network, await lobby.gather())

    with home.lock():
        return run(play())


def _where(interface: str | None, network: Network) -> str:
    return f"{interface or local_addresses()[0]}:{network.transport.port}"
