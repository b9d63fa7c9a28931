"""The command `join`: sits down at a table."""

from argparse import Namespace
from collections.abc import Callable
from functools import partial

from p2p_stonehenge.cli.common import name_at_first
from p2p_stonehenge.cli.play import (
    level_of,
    network_of,
    read_passphrase,
    run,
    say,
    telling,
    warn,
)
from p2p_stonehenge.cli.sitting import sit_down
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.finding import find_table
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.asking import LeavingError, agrees, ask, can_ask, choose, interruptible, left_early
from p2p_stonehenge.storage.home import Home
from protocol import id_text


def join(args: Namespace) -> int:
    """Sit down at a table and play."""
    if args.auto is None:
        name_at_first(args)
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)

    async def play() -> int:
        passphrase = await read_passphrase(args, "The passphrase of the table")
        async with network_of(home, args) as network:
            await network.announce("")
            put = ask if auto is None and can_ask() else None
            tell = telling(args)
            chosen = partial(choose_table, home, tell) if put else None
            with interruptible(left_early()):
                met = known.met(home)
                found = await find_table(
                    network,
                    args.table,
                    tell,
                    chosen,
                    locked=passphrase is not None,
                    knows=lambda player: id_text(player) in met,
                )
                lobby = GuestLobby(network, home, tell, found.host, passphrase, put, found.announced)
                if (
                    lobby.introduce(found.host, found.nick)
                    and put
                    and not await agrees(put, "Sit down there all the same?")
                ):
                    raise LeavingError
                formed = await lobby.gather(found.addresses)
            return await sit_down(args, auto, home, network, formed)

    with home.lock():
        return run(play())


async def choose_table(home: Home, tell: Callable[[str], None], found: list[Sighting], sure: bool) -> Sighting | None:
    """Ask which of several tables is meant, None if none of them; `sure`: their hosts' names are what was typed."""
    if not sure:
        say("Open here:")
    lines = []
    for number, one in enumerate(found, 1):
        lines.append(f"{one.nick} ({id_text(one.id)[:8]}): {one.announced.told if one.announced else ''}")
        say(f"{number}. {lines[-1]}")
        warn(home, tell, one)
    number = await choose(ask, [one.nick for one in found], "" if sure else "go on searching", lines)
    return found[number - 1] if number else None
