"""Another table for the players of one that is over: of the last one, or of a match that all have left."""

from collections.abc import Collection

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby.company import Company
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.lobby import Formed
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.telling import Report
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import Ask
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from protocol import Table


async def gather_again(
    network: Network,
    home: Home,
    report: Report,
    last: Table,
    ask: Ask,
    without: Collection[bytes] = (),
    departed: Collection[bytes] = (),
) -> Formed:
    """Wait until all who play again have signed another table. Raises Failure.

    All who sat at the last table are awaited, but those `without` whom the player has agreed to go on; where another
    one goes, or has `departed` from the last table, the player is asked. The player at the lowest seat of those who are
    awaited is the host; where that player is gone, the next one is, so that there is a table to come back to.
    """
    own, company, given_up = network.identity.id, Company(last, without), set[bytes]()
    company.departed |= {*departed}
    while True:
        people, setup = company.rematch()
        if own not in people:
            raise Failure("The others play on without the player who signed two versions of an event.", NETWORK)
        if len(people) < 2 and len({*last.fold.operators}) > 1:
            then = f"{company.way_on()}, `{command_here()} solo {last.game.key}` plays against bots"
            raise Failure(f"Nobody else of the last table is here any more: {then}.", NETWORK)
        host = company.host
        try:
            if host == own:
                return await HostLobby(network, home, report, setup, company, ask).gather()
            guest = GuestLobby(network, home, report, host, ask=ask, company=company, given_up=given_up)
            return await guest.gather(())
        except Failure as failure:
            if host == company.host:
                raise
            report(str(failure))
        await network.announce("")


async def gather_next(network: Network, home: Home, report: Report, setup: Setup, ask: Ask | None) -> Formed:
    """Wait at the own table until all have signed. Raises Failure.

    Where another player of a match has opened its next game as well, the first one by seats at the last table stays
    the host, and the other one sits down there. If that host closes its table, for that of a third one or for good,
    the own table is opened again.
    """
    given_up: set[bytes] = set()
    while True:
        host = HostLobby(network, home, report, setup)
        try:
            return await host.gather()
        except Failure as failure:
            if host.gives_way_to is None:
                raise
            report(str(failure))
        await network.announce("")
        at = host.gives_way_to
        guest = GuestLobby(network, home, report, at, setup.passphrase, ask, offered=setup, given_up=given_up)
        try:
            return await guest.gather(())
        except Failure:
            if not guest.closed:
                raise
            report(f"{quoted(network.transport.nick_of(guest.host))} has closed that table: yours is open again.")
