"""Another table for those who sat at the last one: a rematch with the seats moved on, or its last position."""

from typing import NamedTuple

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.hosting import HostLobby, Setup
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.lobby import Formed, Report
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import Ask
from p2p_stonehenge.storage.home import Home
from protocol import Table, origin_of


class Rematch(NamedTuple):
    """What is played again and by whom: the ids of the people, by the order of their seats at the last table."""

    people: tuple[bytes, ...]
    setup: Setup


def rematch(last: Table) -> Rematch:
    """Return what those who sat at a table may play next.

    After a game that went to its end each seat moves on by one. A game that somebody ended by signing two versions of
    an event goes on from its last position, with a bot for that player. Who was left behind is not waited for.
    """
    body, fold, game = last.charter.body, last.fold, all_games()[last.charter.body.game]
    gone = {fold.operators[entry.actor - 1] for entry in fold.log if entry.left}
    if fold.broken:
        gone.add(fold.operators[fold.broken.seat - 1])
    sitting = [number for number in sorted(set(fold.operators)) if number not in gone]
    people = tuple(body.seats[number - 1].id for number in sitting)
    if fold.broken:
        origin = origin_of(last)
        playing = game.live(body._replace(origin=origin).beginning())
        people = tuple(body.seats[number - 1].id for number in sitting if number in playing)
        places = {body.seats[number - 1].id: number for number in sitting if number in playing}
        players = len(body.seats)
    else:
        origin = None
        bots = len(body.seats) - len(set(fold.operators))
        players = min(count for count in game.seats if count >= len(people) + bots)
        places = dict(zip((*people[1:], people[0]), range(1, len(people) + 1), strict=True))
    options = dict(body.options)
    setup = Setup(game, {**options}, players, players - len(people), body.turn_time, None, origin, places, closed=True)
    return Rematch(people, setup)


async def gather_again(network: Network, home: Home, report: Report, last: Table, ask: Ask | None) -> Formed:
    """Wait until all who sat at the last table and may play again have signed another one. Raises Failure.

    Whoever sits at the lowest seat and can be reached is the host; if that player goes, the next one.
    """
    people, setup = rematch(last)
    own = network.identity.id
    while True:
        host = next(id for id in people if id == own or id in network.transport.linked())
        if host == own:
            return await HostLobby(network, home, report, setup).gather()
        try:
            return await GuestLobby(network, home, report, host, ask=ask).gather(())
        except Failure:
            if host in network.transport.linked():
                raise
            report(f"{network.transport.nick_of(host)} is gone: the next player at the table opens it.")
