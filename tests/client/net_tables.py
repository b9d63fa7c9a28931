"""Tables among peers without a network: what one client sends the others receive at once, unless they are away."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from secrets import token_bytes

import pytest
from forming import agree

from engine import OptionValue, all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home, Journal
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.agreed import own_seats
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.presence import ASLEEP
from p2p_stonehenge.table.session import Note, Notice, RefusedError
from protocol import (
    FIRST_GAME,
    NET,
    Charter,
    Clock,
    Formation,
    Identity,
    Node,
    Seat,
    Secrets,
    Series,
    Table,
    Watching,
    load,
    make_body,
    message_bytes,
    read_message,
    verify,
)
from protocol.events import EventKind, bodies, make_event, read_event
from protocol.formation import UNWATCHED
from protocol.messages import Events

NAMES = ("anna", "ben", "cara", "dora", "emma")
IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(21, 26))
LEFT = "! You and the others go on without Blue (cara), which counts as resigning."
LEFT_BEHIND = "! The others go on without you, which counts as resigning: you may watch on, or `quit`."
WITH_ALL = "- Nobody is left behind: the game goes on with all."


def signed(
    key: str,
    names: tuple[str, ...],
    operators: tuple[int, ...],
    turn_time: int | Clock,
    watching: Watching = UNWATCHED,
    series: Series = FIRST_GAME,
    options: Mapping[str, OptionValue] | None = None,
) -> Charter:
    """The charter of a table that all have signed."""
    seats = tuple(map(Seat, (one.id for one in IDENTITIES), names, operators))
    game, chosen = all_games()[key], options or {}
    body = make_body(NET, game, chosen, seats, bytes(16), turn_time, watching=watching, series=series)
    own = {
        operator: {n: IDENTITIES[n - 1] for n, seat in enumerate(seats, 1) if seat.operator == operator}
        for operator in operators
    }
    return agree([Formation(body, keys, b"s%d" % operator) for operator, keys in own.items()])


class Link:
    """The transport of one client."""

    def __init__(self, room: "Room", operator: int) -> None:
        self.room, self.operator = room, operator

    def send(self, peer: bytes, data: bytes) -> bool:
        self.room.mail.append((self.operator, peer, data))
        return True

    def nick_of(self, peer: bytes) -> str:
        return self.room.nicks.get(peer, "wim")

    def keep(self, peer: bytes, seated: bool) -> None:
        (self.room.kept.add if seated else self.room.kept.discard)((self.operator, peer))


class Room:
    """One `NetTable` for each client. What they tell their players is in `told`, by operator."""

    def __init__(
        self,
        folder: Path,
        key: str = "fidchell",
        names: tuple[str, ...] = NAMES[:3],
        operators: tuple[int, ...] = (),
        turn_time: int | Clock = 0,
        withheld: Mapping[int, Collection[EventKind]] | None = None,
        apart: Collection[int] = (),
        watching: Watching = UNWATCHED,
        series: Series = FIRST_GAME,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        """`withheld`: kinds of events, by seat, that nobody hears. `apart`: clients without links to each other."""
        operators = operators or tuple(range(1, len(names) + 1))
        self.charter = signed(key, names, operators, turn_time, watching, series, options)
        self.nicks = {seat.id: seat.name for seat in self.charter.body.seats}
        """What each player calls itself now, by id."""
        self.kept: set[tuple[int, bytes]] = set()
        """Who watches through which client."""
        self.guests: dict[bytes, Callable[[int, bytes], None]] = {}
        """Who takes in what is sent to a client without a seat, by its id."""
        self.withheld = withheld or {}
        self.kept_from: dict[int, int] = {}
        """From whom a client keeps all events, by operator."""
        self.folder = folder
        self.mail: deque[tuple[int, bytes, bytes]] = deque()
        self.away: set[int] = set()
        self.ahead = 0.0
        self.tables: dict[int, NetTable] = {}
        self.journals: dict[int, Journal] = {}
        self.consoles: dict[int, Console] = {}
        self.told: dict[int, list[Notice]] = {operator: [] for operator in operators}
        for operator in sorted(set(operators)):
            self._sit(operator, Table(self.charter, self._signers(operator), self._secrets(operator)), resumed=False)
        for operator, table in self.tables.items():
            linked = [other for other in self.tables if other != operator and not {operator, other} <= {*apart}]
            table.begin([IDENTITIES[other - 1].id for other in linked])
        self.carry()

    def _signers(self, operator: int) -> dict[int, Identity]:
        return {seat: IDENTITIES[seat - 1] for seat in own_seats(self.charter, IDENTITIES[operator - 1].id)}

    @staticmethod
    def _secrets(operator: int) -> Secrets:
        return Secrets.from_seed(b"seed%d" % operator)

    def _sit(self, operator: int, table: Table, *, resumed: bool) -> None:
        home = Home.open(str(self.folder / str(operator)))
        if resumed:
            self.journals[operator].close()
        journal = self.journals[operator] = home.journal(self.charter.table, resume=resumed)
        node = Node(table, resumed=resumed, challenge=token_bytes(8) if resumed else b"")
        seat = own_seats(self.charter, IDENTITIES[operator - 1].id)[:1]
        self.tables[operator] = NetTable(node, journal, Link(self, operator), seat, resumed=resumed)
        self.consoles[operator] = Console(self.tables[operator], Settings(), "ascii", redraws=False)
        self.tables[operator].listen(self.told[operator].append)

    def carry(self) -> None:
        """Deliver until all is quiet."""
        while self.mail:
            sender, peer, data = self.mail.popleft()
            if peer in self.guests:
                self.guests[peer](sender, data)
                continue
            receiver = next(n for n in self.tables if IDENTITIES[n - 1].id == peer)
            if not {sender, receiver} & self.away and not self._withholds(sender, receiver, data):
                self.tables[receiver].receive(IDENTITIES[sender - 1].id, data)

    @property
    def busy(self) -> bool:
        """Return whether anything is still to be delivered, or to be worked out in a thread."""
        return bool(self.mail) or any(table._jobs.working or table._jobs._waiting for table in self.tables.values())

    async def rest(self) -> None:
        """Deliver until all is quiet and no thread is at work.

        To be awaited before time passes: each look at the clock is one more job for a thread that is at work.
        """
        self.carry()
        while self.busy:
            await asyncio.wait([table._jobs.working for table in self.tables.values() if table._jobs.working])
            self.carry()

    def _withholds(self, sender: int, receiver: int, data: bytes) -> bool:
        """Return whether a message holds events that this client keeps from all, or from the receiver."""
        if not self.withheld and not self.kept_from:
            return False
        message = read_message(data)
        events = [read_event(*event) for event in message.events] if isinstance(message, Events) else []
        kept = bool(events) and self.kept_from.get(sender) == receiver
        return kept or any(event.kind in self.withheld.get(event.seat, ()) for event in events)

    def leave(self, operator: int) -> None:
        """Let a client be gone at once, and the others notice."""
        self.away.add(operator)
        for other, table in self.tables.items():
            if other not in self.away:
                table.link(IDENTITIES[operator - 1].id, up=False)
        self.carry()

    def come_back(self, operator: int) -> None:
        """Start the client again from its file."""
        data = self.tables[operator].path.read_bytes()
        again = load(data, signers=self._signers(operator), secrets=self._secrets(operator))
        self.told[operator].clear()
        self._sit(operator, again, resumed=True)
        self.away.discard(operator)
        here = [other for other in self.tables if other not in self.away and other != operator]
        for other in here:
            self.tables[other].link(IDENTITIES[operator - 1].id, up=True)
        self.tables[operator].begin([])
        for other in here:
            self.tables[operator].link(IDENTITIES[other - 1].id, up=True)
        self.carry()

    def wait(self, seconds: float) -> None:
        """Let time pass for all that are here, in steps that are no sleep."""
        for _ in range(steps := math.ceil(seconds / (ASLEEP - 1)) or 1):
            self.ahead += seconds / steps
            for operator, table in self.tables.items():
                if operator not in self.away:
                    table.tick(time.monotonic() + self.ahead)
            self.carry()

    def pass_time(self, seconds: float) -> None:
        """Let time pass as it does for clients that look at the clock twice a second."""
        for _ in range(round(2 * seconds)):
            self.wait(0.5)

    def reconnect(self, operator: int, other: int) -> None:
        """Let the link of a client to another one break and come up again, with no loss of either client."""
        peer = IDENTITIES[other - 1].id
        self.tables[operator].link(peer, up=False)
        self.tables[operator].link(peer, up=True)
        self.carry()

    def type(self, operator: int, line: str) -> list[str]:
        """Let a player type a line; return what is printed at once. Raises RefusedError."""
        lines = [text_of(part).rstrip() for part in self.console(operator).enter(line)]
        self.carry()
        return lines

    def agree_to(self, operator: int, line: str) -> None:
        """Let a player type what is asked about, and say yes."""
        self.type(operator, line)
        self.type(operator, "yes")

    def console(self, operator: int) -> Console:
        return self.consoles[operator]

    def play(self) -> None:
        """Let whoever is due make the first move there is."""
        turn = next(table for operator, table in self.tables.items() if operator not in self.away).turn
        mover = self.tables[self.charter.body.seats[turn - 1].operator]
        mover.play(turn, mover.game.legal(mover.state, turn)[0])
        self.carry()

    def notes(self, operator: int) -> list[str]:
        """What this player was told besides moves, the urgent marked, since the last time."""
        notices = self.told[operator]
        found = [("! " if note.urgent else "- ") + note.text for note in notices if isinstance(note, Note)]
        notices.clear()
        return found

    def check(self) -> None:
        """All files are valid."""
        for table in self.tables.values():
            report = verify(table.path.read_bytes())
            assert report.ok, report.error


def refused(room: Room, operator: int, line: str) -> str:
    """Return why a line that a player types is refused."""
    with pytest.raises(RefusedError) as caught:
        room.type(operator, line)
    return str(caught.value)


def room_without(folder: Path, gone: int, *, seats: int = 3, turn_time: int = 0) -> Room:
    """A table at which the seat to move is gone; what was said about that is forgotten."""
    room = Room(folder, "fidchell" if seats < 4 else "qenqe", NAMES[:seats], turn_time=turn_time)
    while room.tables[1].turn != gone:
        room.play()
    room.leave(gone)
    for operator in room.tables:
        room.notes(operator)
    return room


def live(room: Room, operator: int) -> tuple[int, ...]:
    """Return the seats that still play, as one client sees it."""
    return room.tables[operator].table.fold.position.live


def play_and_sign_another(room: Room) -> Callable[[], None]:
    """Let the player on move play, and sign another move in its place; return what shows that to the others."""
    seat = room.tables[1].turn
    table = room.tables[seat]
    inner, moves = table.table, table.game.legal(table.state, seat)
    place = inner.held.heads, inner.fold.position.slot, inner.fold.position.digest
    table.play(seat, moves[0])
    room.carry()
    second = make_event(inner.own.signers[seat], inner.id, seat, *place, bodies.Move(moves[1]))

    def show() -> None:
        for peer in table._node.peers:
            table._jobs.sender.send(peer, message_bytes(Events(inner.id, ((second.raw, second.signature),))))
        room.carry()

    return show
