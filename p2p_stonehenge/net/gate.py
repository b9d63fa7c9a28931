"""Bounds what others can make this program hold: connections, and what comes on them.

ZeroMQ accepts every connection and counts only the whole messages that come on it. What it does not bound is watched
from here: how many connections there are, how long a connection may stay without a greeting, and how much may come on
it without ever completing a message. A connection that goes beyond a limit is cut.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum

import zmq

from p2p_stonehenge.net.listening import ListeningSocket
from p2p_stonehenge.net.network import Readers
from p2p_stonehenge.net.shares import STRANGER, Bucket, Share, crowded_out
from p2p_stonehenge.net.sockets import MAX_MESSAGE, OF_A_STRANGER, SIGNS_OF_LIFE, Line, Socket, what_happened


class Tie(IntEnum):
    """What the owner of a key is here. A friend has wider limits; only strangers have to make room for others."""

    UNKNOWN = 0
    """A stranger."""
    KEPT = 1
    """A peer that has a seat or watches."""
    FRIEND = 2
    """A peer that was dialled from here."""


MAX_CONNECTIONS = 24
"""Each takes two file descriptors, of which some systems give a program 256."""
HELD = 1 << 21
"""Bytes that may have come on a friend's connection and not been delivered, while not everything gets read: 32 of the
longest messages, more than a friend has under way when a slow computer falls behind."""
UNDER_WAY = 2 * MAX_MESSAGE
"""The same where all whole messages are read: the beginning of one."""
OF_NOBODY = 2048
"""The same of a connection whose greeting has not been accepted: handshake and greeting take 800."""
FAR_BEYOND = {Tie.UNKNOWN: 1 << 14, Tie.KEPT: 1 << 18}
"""Bytes beyond what is allowed that are no matter of messages that are just being read: cut at once."""
LOOK_AGAIN = 0.005
"""Seconds in which messages that have come are read."""
GREET_WITHIN = 10.0
"""Seconds that a connection may stay without a message; clients greet at once."""
USUAL_GREETING = 2.0
"""Seconds after which a connection without a message is the first to go where room is scarce."""
NEWCOMERS, NEWCOMERS_AT_ONCE = 10.0, 20.0
"""Connections a second, and at once, that may shake hands, which takes a millisecond each; friends' addresses are free
of that. A client that is cut off comes back by itself."""
SHUT_FOR = 0.5
"""Seconds for which the door is shut when too many come."""
CONNECTIONS_OF_ONE = 3
"""Connections of one friend's key: one that works, one that has died unnoticed, one under way. A stranger has one."""

_ZAP = "inproc://zeromq.zap.01"
_EVENTS = zmq.Event.ACCEPTED | zmq.Event.DISCONNECTED


@dataclass(slots=True, eq=False)
class Visitor:
    """One connection at the door. `name` is its key once it has said something, `greeted` whether that was a greeting.

    Whole messages of so many bytes were `delivered` on it; ZeroMQ had `seen` so many at the last look.
    """

    line: Line | None
    since: float
    bucket: Bucket
    name: str = ""
    greeted: bool = False
    delivered: int = 0
    seen: int = 0
    expelled: bool = False

    @property
    def address(self) -> str:
        """Return the address from which the connection comes."""
        return self.line.address if self.line is not None else ""


class Gate:
    """Accepts every connection and cuts the worst.

    The answer to ZeroMQ's question whom to let in (ZAP, RFC 27) names the peer by its key in hex, and ZeroMQ puts
    that on each message as `User-Id`. Nobody is refused there: a peer once refused does not try again by itself.
    """

    def __init__(
        self,
        context: zmq.Context[Socket],
        router: Socket,
        readers: Readers,
        tie_to: Callable[[str], Tie],
        friends: Callable[[], set[str]],
        read: Callable[[], None],
    ) -> None:
        """Open the gate of `router`, which is not bound yet.

        `tie_to` tells what the owner of a key is here, `friends` from which addresses friends may come. `read` takes
        in messages that have come.
        """
        self.door: ListeningSocket | None = None
        """Where the router is bound, once it is."""
        self._opening: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._readers, self._tie_to, self._friends, self._read = readers, tie_to, friends, read
        self._newcomers = Share(NEWCOMERS, NEWCOMERS_AT_ONCE, self._loop.time())
        self._noted: dict[bytes, bool] = {}
        """Keys that are looked out for, and whether their owner has shaken hands here."""
        self._inside: dict[int, Visitor] = {}
        self._named: dict[bytes, Visitor] = {}
        self._nobody = Visitor(None, 0.0, Bucket(STRANGER, self._loop.time()))
        """The visitor of all connections that have ended: their last messages may be those of friends."""
        self._router, self._arrivals = router, router.get_monitor_socket(_EVENTS)
        self._questions = context.socket(zmq.REP)
        self._questions.bind(_ZAP)
        router.zap_domain = b"stonehenge"
        readers.add(self._questions.FD, self._answer)
        readers.add(self._arrivals.FD, self._note)
        self._answer()
        self._note()

    def close(self) -> None:
        """Answer nobody any more."""
        if self._opening is not None:
            self._opening.cancel()
        if self.door is not None:
            self.door.close()
        self._readers.remove(self._questions.FD)
        self._readers.remove(self._arrivals.FD)
        for file in list(self._inside):
            self._gone(file)
        self._router.disable_monitor()
        self._arrivals.close(0)
        self._questions.close(0)

    def _answer(self) -> None:
        while not self._questions.closed:
            try:
                # version, request, domain, address, routing id, mechanism, and the key if it is CURVE
                _, request, _, _, _, _, *keys = self._questions.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            if keys and keys[0] in self._noted:
                self._noted[keys[0]] = True
            verdict = (b"200", b"OK", keys[0].hex().encode()) if keys else (b"400", b"no key", b"")
            self._questions.send_multipart([b"1.0", request, *verdict, b""])

    @contextlib.contextmanager
    def noting(self, key: bytes) -> Iterator[Callable[[], bool]]:
        """Look out for the owner of a key; yield a function that returns whether the owner has shaken hands here."""
        self._noted[key] = False
        try:
            yield lambda: self._noted[key]
        finally:
            del self._noted[key]

    def visitor(self, connection: bytes) -> Visitor | None:
        """Return the visitor whose messages came on `connection` before, or None."""
        return self._named.get(connection)

    def first(self, connection: bytes, frame: zmq.Frame, name: str) -> Visitor:
        """Return the visitor that sends `frame`, the first that comes on `connection`; `name` is its key."""
        self._note()
        visitor = self._inside.get(int(frame.get(zmq.SRCFD)), self._nobody)
        if visitor.name:  # this connection has ended, and its file descriptor belongs to another one now
            return self._nobody
        if visitor is not self._nobody:
            visitor.name = name
            self._named[connection] = visitor
            # `_named` is in the order of first messages: of two connections the later one is known to be alive.
            own = [one for one in self._named.values() if one.name == name and not one.expelled]
            for old in own[: -(CONNECTIONS_OF_ONE if self._tie_to(name) is not Tie.UNKNOWN else 1)]:
                self.expel(old)
        return visitor

    def _note(self) -> None:
        """Note which connections have begun and which have ended."""
        while not self._arrivals.closed and (event := what_happened(self._arrivals)) is not None:
            kind, file = event
            self._gone(file)
            if kind == zmq.Event.ACCEPTED:
                self._came(file)

    def _gone(self, file: int) -> None:
        visitor = self._inside.pop(file, None)
        if visitor is not None and visitor.line is not None:
            visitor.line.close()
            if visitor.name:
                self._named = {connection: one for connection, one in self._named.items() if one is not visitor}

    def _came(self, file: int) -> None:
        now = self._loop.time()
        with contextlib.suppress(OSError):
            visitor = Visitor(Line(file, self._readers), now, Bucket(STRANGER, now))
            self._inside[file] = visitor
            if visitor.address not in self._friends():
                if wait := self._newcomers.wait(now):
                    self.expel(visitor)
                    self._shut(wait)
                    return
                self._newcomers.charge(now, 1)
            self._watch(visitor)
        while sum(not one.expelled for one in self._inside.values()) > MAX_CONNECTIONS:
            strangers = (
                one for one in self._inside.values() if not one.expelled and self._tie_to(one.name) is Tie.UNKNOWN
            )
            worst = crowded_out(strangers, lambda one: one.address, self._worth)
            if worst is None:
                return
            self.expel(worst)

    def _shut(self, wait: float) -> None:
        """Let only friends in for a while, where the system can do that: to turn others away costs time as well."""
        if self._opening is None and self.door is not None and self.door.shut(self._friends()):
            self._opening = self._loop.call_later(wait + SHUT_FOR, self._open_again)

    def _open_again(self) -> None:
        self._opening = None
        if self.door is not None:
            self.door.open()

    def _worth(self, visitor: Visitor) -> int:
        """Return a visitor's worth where room is scarce: 2 while it may yet greet, then 0; 1 once it has spoken."""
        return 1 if visitor.name else 2 * (self._loop.time() < visitor.since + USUAL_GREETING)

    def expel(self, visitor: Visitor) -> None:
        """Cut a connection."""
        if visitor.line is not None and not visitor.expelled:
            visitor.expelled = True
            visitor.line.cut()

    def send_away(self, name: str) -> None:
        """Cut all connections of a key."""
        for visitor in self._inside.values():
            if visitor.name == name:
                self.expel(visitor)

    # What comes and is not delivered

    def _most(self, visitor: Visitor, *, read: bool) -> float:
        """Return how many bytes may have come of a visitor; `read`: all messages that had come are read."""
        tie = self._tie_to(visitor.name)
        if tie is Tie.FRIEND:
            under_way = UNDER_WAY if read else HELD
        else:
            under_way = OF_A_STRANGER if visitor.greeted else OF_NOBODY
        lasting = 0.0 if tie is Tie.UNKNOWN else SIGNS_OF_LIFE * (self._loop.time() - visitor.since)
        return visitor.delivered + lasting + under_way

    def _watch(self, visitor: Visitor) -> None:
        """Look at each piece that comes of a stranger; friends are looked at now and then."""
        if visitor.line is not None and not visitor.expelled:
            friend = self._tie_to(visitor.name) is Tie.FRIEND
            visitor.line.watch(None if friend else lambda: self._stirred(visitor))

    def _stirred(self, visitor: Visitor) -> None:
        line = visitor.line
        assert line is not None
        beyond = line.taken() - self._most(visitor, read=True)
        if beyond > FAR_BEYOND.get(self._tie_to(visitor.name), 0):
            self.expel(visitor)
        elif beyond > 0:
            line.watch(None)
            self._loop.call_later(LOOK_AGAIN, self._look_again, visitor)

    def _look_again(self, visitor: Visitor) -> None:
        """Judge a visitor of which more had come than allowed: messages among it are read meanwhile."""
        self._read()
        if visitor.line is not None and visitor in self._inside.values() and not visitor.expelled:
            if visitor.line.taken() > self._most(visitor, read=True):
                self.expel(visitor)
            else:
                self._watch(visitor)

    def look(self, *, read: bool) -> bool:
        """Cut connections that do not greet, and those on which ever more comes without completing a message.

        To be called often; `read`: everything is read that had come. Return whether to look again at once.
        """
        self._note()
        now, again = self._loop.time(), False
        for visitor in list(self._inside.values()):
            if visitor.line is None or visitor.expelled:
                continue
            friend, most = self._tie_to(visitor.name) is Tie.FRIEND, self._most(visitor, read=read)
            if (friend and visitor.seen > most) or (not visitor.name and now - visitor.since > GREET_WITHIN):
                self.expel(visitor)
                continue
            visitor.seen = visitor.line.taken()
            again |= friend and visitor.seen > most
            if visitor.line.watched == friend:
                self._watch(visitor)
        return again
