"""Encrypted links between peers over ZeroMQ.

Every peer binds one ROUTER, which only receives, and connects one DEALER to each other peer, which only sends.
CURVE proves who sends: a message comes from the owner of the key in its `User-Id`, whatever it says itself. The
first message on each connection is the greeting, which tells the id that belongs to that key. A link is up once
our DEALER has shaken hands and the peer's greeting has come; what arrives before is dropped.

Sockets are plain ones, read until empty whenever their file descriptor stirs: the descriptor of a ZeroMQ
socket tells of changes only, and a task for each message would cost more than the message.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import zmq

from p2p_stonehenge.net.card import CardDesk
from p2p_stonehenge.net.gate import Visitor
from p2p_stonehenge.net.inbox import Arrival, Inbox, listen
from p2p_stonehenge.net.network import Readers, check_interface, split_address
from p2p_stonehenge.net.outbox import IMPOSTOR, Outbox
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.roster import MAX_PEERS, Roster
from p2p_stonehenge.net.shares import (
    GREETING,
    GUEST,
    PART,
    PART_AT_ONCE,
    SEATED,
    STRANGERS_AT_ONCE,
    STRANGERS_PART,
    WATCHED_PART,
    Bucket,
    Share,
    Turns,
)
from p2p_stonehenge.net.sockets import MAX_MESSAGE
from p2p_stonehenge.text.names import quoted
from protocol import (
    INSTANCE_BYTES,
    Card,
    Greeting,
    Identity,
    VersionMismatchError,
    card_bytes,
    clean_nick,
    curve_public,
    greeting_bytes,
    id_text,
    read_greeting,
)

__all__ = ["MAX_MESSAGE", "Transport"]

TICK = 0.1
"""Seconds; a gigabit network brings 12 MB in one."""
ONE_WAY_AFTER = 8.0
"""Seconds until a peer that reaches us and is not reached by us is worth a word to the player."""
ONE_WAY = "one way"
OUT_OF_REACH = {ONE_WAY, IMPOSTOR}
"""The complaints that are over when a link stands."""
STRANGER_AFTER = 60.0
"""Seconds for which a peer that nobody dialled here is kept without a link."""

_MARK = greeting_bytes(Greeting(bytes(32), bytes(INSTANCE_BYTES), "nobody", 1))[1:12]
"""What a greeting of any version begins with, after the byte that holds its length."""


class Listener(NamedTuple):
    """What a transport calls, on the event loop. Peers are named by their ids, 32 bytes.

    * `message(peer, data)` comes only after `link(peer, True)`; the last messages of a peer may come after
      `link(peer, False)`. A future that it returns is awaited before the next message is handed over.
    * `link(peer, up)`: a link came up or went down. A restart of the peer's program is a link that goes down and up.
    * `loss(peer)`: messages of a linked peer, which had sent too much, were dropped; now it is heard again.
    * `trouble(peer or None, text)`: something that the player can mend, told once.
    """

    message: Callable[[bytes, bytes], asyncio.Future[None] | None]
    link: Callable[[bytes, bool], None]
    loss: Callable[[bytes], None]
    trouble: Callable[[bytes | None, str], None]


class Transport:
    """All links of one client: `inbox` has what comes, an outbox what goes."""

    port: int
    """Of the ROUTER, once started; the card is on the next one."""

    def __init__(
        self,
        identity: Identity,
        nick: str,
        listener: Listener,
        *,
        interface: str | None,
        port: int | None,
    ) -> None:
        self.instance = secrets.token_bytes(INSTANCE_BYTES)
        self._identity, self._keys, self._nick = identity, identity.curve(), clean_nick(nick)
        self._interface, self._asked = interface, port
        self._listener = listener
        self._peers = Roster()
        self._told_foreign = False
        self._told_full = False
        self._closed = True

    # Start and end

    async def start(self) -> None:
        """Bind and listen. Raises Failure if the interface or the port cannot be had."""
        if self._interface is not None:
            check_interface(self._interface)
        self._loop = asyncio.get_running_loop()
        self._readers = Readers(self._loop)
        # Two contexts, so that `close` can wait for the DEALERs before the ROUTER's end tells that we are gone.
        self._outbox = Outbox(
            zmq.Context(),
            self._keys,
            self._interface,
            self._readers,
            self._peers,
            judge=self._judge,
            dismiss=self._dismiss,
            complain=self._complain,
        )
        self._strangers = Share(STRANGERS_PART, STRANGERS_AT_ONCE, self._loop.time())
        self._turns = Turns(self._listener.message)
        self.inbox = Inbox(self._keys, self._readers, self._peers.tie_to, self._peers.friends, self._take)
        try:
            self.port, self._cards = listen(self.inbox, self._interface, self._asked, self._open_desk)
        except BaseException:
            await self._tear_down()
            raise
        self._outbox.greeting = greeting_bytes(Greeting(self._identity.id, self.instance, self._nick, self.port))
        self._outbox.port = self.port
        self._closed = False
        self.inbox.open()
        self._timer = self._loop.call_later(TICK, self._tick)

    def _open_desk(self, host: str, port: int) -> CardDesk:
        card = card_bytes(Card(self._identity.id, self._nick, port), self._identity)
        return CardDesk(card, host, port + 1, self._readers, self._strangers)

    async def close(self) -> None:
        """End all links; what is queued is still sent, for at most 300 ms."""
        if self._closed:
            return
        self._closed = True
        self._timer.cancel()
        self._turns.close()
        self.inbox.shut()
        self._cards.close()
        await self._tear_down()

    async def _tear_down(self) -> None:
        await self._outbox.close()
        await self.inbox.close()
        self._readers.close()

    # What the rest of the client asks for

    def dial(self, peer: bytes, addresses: Sequence[str], *, nick: str = "", watched: bool = False) -> None:
        """Keep a link to `peer`, tried at all of these addresses (`HOST:PORT`) and those it was dialled at before.

        `nick`: what the peer is called until it has said so itself. `watched`: this client plays at no table, and looks
        on at one through this peer.
        """
        if peer == self._identity.id:
            return
        known = self._peers.get(peer)
        if known is None:
            known = self._welcome(peer, curve_public(peer).hex(), wanted=True)
            if known is None:
                return
            known.nick = nick or known.nick
        if not known.wanted:
            now = self._loop.time()
            known.wanted, known.bucket, known.share = True, Bucket(SEATED, now), Share(PART, PART_AT_ONCE, now)
        if watched:
            known.share = Share(WATCHED_PART, PART_AT_ONCE, self._loop.time())
        for address in addresses:
            self._outbox.dial(known, *split_address(address))

    def hang_up(self, peer: bytes) -> None:
        """End the link to `peer` and stop dialling. Its side stays up until its program ends or is told."""
        known = self._peers.get(peer)
        if known is not None:
            self._forget(known)

    async def has_own_key(self, address: str) -> bool:
        """Return whether another program at `HOST:PORT` has the key of this one, as it shows by shaking hands."""
        return await self._outbox.has_own_key(address, self.inbox.gate)

    def keep(self, peer: bytes, seated: bool) -> None:
        """Let no stranger crowd out a peer that has taken a seat or watches, or let them again."""
        known = self._peers.get(peer)
        if known is not None:
            known.kept = seated

    def nick_of(self, peer: bytes) -> str:
        """Return what `peer` calls itself, or the first letters of its id before it has said so."""
        known = self._peers.get(peer)
        return known.nick if known is not None else id_text(peer)[:8]

    def where(self, peer: bytes) -> str:
        """Return the address at which `peer` is reached, empty if it is not."""
        known = self._peers.get(peer)
        return known.way.address if known is not None and known.way is not None else ""

    def linked(self) -> tuple[bytes, ...]:
        """Return the peers whose links are up."""
        return tuple(peer.id for peer in self._peers.values() if peer.linked)

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` (at most MAX_MESSAGE bytes) for `peer`; False if there is no link or its queue is full.

        True is no promise: what is under way when a connection breaks is lost.
        """
        if len(data) > MAX_MESSAGE:
            raise ValueError(f"{len(data)} bytes in one message, at most {MAX_MESSAGE} allowed")
        known = self._peers.get(peer)
        if known is None or not known.linked or self._closed:
            return False
        return known.put(data)

    # Who is there

    def _welcome(self, id: bytes, key: str, wanted: bool, address: str = "") -> Peer | None:
        """Return a new peer, or None if there is no room or its key is taken: two ids can have one CURVE key."""
        if key in self._peers.by_key or key == self._keys.public.hex():
            return None
        now = self._loop.time()
        share = Share(PART, PART_AT_ONCE, now) if wanted else self._strangers
        bucket = Bucket(SEATED if wanted else GUEST, now)
        peer = Peer(id, key, wanted, id_text(id)[:8], bucket, share, now, now, address)
        goes = self._peers.makes_room_for(peer, now)
        if goes is peer:
            if wanted and not self._told_full:
                self._told_full = True
                self._listener.trouble(id, f"More than {MAX_PEERS} players on this network: the others are left out.")
            return None
        if goes is not None:
            self._dismiss(goes)
        self._peers.add(peer)
        return peer

    def _dismiss(self, peer: Peer) -> None:
        """Send a stranger away; its program may come back by itself."""
        self.inbox.gate.send_away(peer.key)
        self._forget(peer)

    def _forget(self, peer: Peer) -> None:
        self._peers.remove(peer)
        self._turns.drop(peer.id)
        self._outbox.drop(peer)
        peer.way, peer.greeted = None, 0.0
        self._judge(peer)

    def _judge(self, peer: Peer) -> None:
        """Tell if the link has come up or gone down."""
        linked = peer.way is not None and peer.greeted > 0
        if linked != peer.linked:
            peer.linked, peer.since = linked, self._loop.time()
            if linked:
                peer.heard = peer.connection
                peer.complaints -= OUT_OF_REACH  # that is over; if it comes again, it is news
            self._listener.link(peer.id, linked)

    def _complain(self, peer: Peer, kind: str, text: str) -> None:
        if kind not in peer.complaints:
            peer.complaints.add(kind)
            self._listener.trouble(peer.id, text)

    def _tick(self) -> None:
        now = self._loop.time()
        again = self.inbox.gate.look(read=not self.inbox.behind)
        self._timer = self._loop.call_later(TICK / 10 if again else TICK, self._tick)
        for peer in list(self._peers.values()):
            if peer.linked:
                self._outbox.look(peer)
                if peer.ignored and peer.bucket.recovered(now) and not self._turns.waits(peer.id):
                    peer.ignored = False
                    self._listener.loss(peer.id)
                continue
            self._outbox.seek(peer)
            if peer.greeted and now - peer.greeted > ONE_WAY_AFTER:
                where = ", ".join(peer.ways)
                self._complain(
                    peer,
                    ONE_WAY,
                    f"{quoted(peer.nick)} reaches this computer but is not reached at {where}:"
                    " its firewall may block Python.",
                )
            if not (peer.wanted or peer.kept) and now - peer.since > STRANGER_AFTER:
                self._dismiss(peer)

    # Receiving

    def _take(self, arrival: Arrival) -> bool:
        """Take in a message; return whether anything was done with it."""
        peer = self._peers.by_key.get(arrival.key)
        if peer is not None and peer.wanted:
            return self._hear(arrival, peer, peer.bucket)
        if self._strangers.wait(self._loop.time()):
            self.inbox.gate.expel(arrival.visitor)  # it comes back by itself
            return False
        before = time.thread_time()  # a stranger does not pay for other programs on a busy computer
        heard = self._hear(arrival, peer, arrival.visitor.bucket if peer is None else peer.bucket)
        self._strangers.charge(self._loop.time(), time.thread_time() - before)
        return heard

    def _hear(self, arrival: Arrival, peer: Peer | None, bucket: Bucket) -> bool:
        is_greeting = arrival.data[1:12] == _MARK
        # A peer that has sent too much is ignored for a while, not heard by chance now and then: so what it is asked
        # to repeat after that finds room.
        ignored = peer is not None and peer.ignored and not is_greeting
        cost = GREETING if is_greeting else 1
        if ignored or not bucket.take(self._loop.time(), cost, len(arrival.data)):
            self._too_much(arrival.visitor, peer)
            return False
        if is_greeting:
            arrival.visitor.greeted = self._greeted(arrival, peer)
            if not arrival.visitor.greeted and not (peer is not None and peer.wanted):
                self.inbox.gate.expel(arrival.visitor)
            return arrival.visitor.greeted
        if peer is None or arrival.connection != peer.heard:
            return False
        if not self._turns.put(peer.id, peer.share, arrival.data):
            self._too_much(arrival.visitor, peer)
            return False
        return True

    def _too_much(self, visitor: Visitor, peer: Peer | None) -> None:
        """Do what is due to a connection on which too much comes: a friend is ignored for a while, others are cut."""
        if peer is None or not peer.wanted:
            self.inbox.gate.expel(visitor)
        else:
            peer.ignored = True
            self._complain(peer, "flood", f"{quoted(peer.nick)} sends more than is sensible; some of it is dropped.")

    def _greeted(self, arrival: Arrival, peer: Peer | None) -> bool:
        """Take in a greeting; return whether its sender is a peer now."""
        try:
            greeting = read_greeting(arrival.data)
        except VersionMismatchError as error:
            self._foreign_version(peer, str(error))
            return True
        except ValueError:
            return False
        if greeting.id == self._identity.id or curve_public(greeting.id).hex() != arrival.key:
            return False
        peer = peer or self._welcome(greeting.id, arrival.key, wanted=False, address=arrival.address)
        if peer is None or peer.id != greeting.id:
            return False
        peer.nick, peer.barred = greeting.nick, False
        if peer.instance != greeting.instance:
            self._started_again(peer, greeting.instance)
        peer.greeted = peer.greeted or self._loop.time()
        address = f"{arrival.address}:{greeting.port}"
        stale = peer.ways.pop(address, None) if peer.way is None else None
        if stale is not None:
            stale.shut(self._readers)  # it pauses between attempts, but the peer is there now
        self._outbox.add(peer, arrival.address, greeting.port)
        # A new connection means that the peer has lost us for a moment and waits for our greeting. It goes out on a
        # connection that the peer knows, so greetings never answer each other for ever.
        if arrival.connection != peer.connection:
            peer.connection = arrival.connection
            if peer.linked:
                peer.heard = arrival.connection
            peer.put(self._outbox.greeting)
        self._judge(peer)
        return True

    def _started_again(self, peer: Peer, instance: bytes) -> None:
        """Note that another program than before uses the key of a peer: the link ends, and begins anew."""
        if peer.before == instance:  # one that had ended would not come back
            text = f"{quoted(peer.nick)} is here twice: two programs use one key, perhaps that of a copied folder."
            self._complain(peer, "twice", f"{text} One of them has to stop, or links break again and again.")
        peer.before, peer.instance, peer.heard = peer.instance, instance, b""
        for way in peer.ways.values():
            way.proven = False  # the program that was reached there has ended: this one may have another port
        if peer.linked and peer.way is not None:
            peer.way.shut(self._readers)  # it leads to a program that is gone
            self._outbox.lost(peer)

    def _foreign_version(self, peer: Peer | None, text: str) -> None:
        text = f"{text}: both need the same version of p2p-stonehenge"
        if peer is not None:
            peer.barred = True
            self._outbox.drop(peer)
            peer.way, peer.greeted, peer.heard = None, 0.0, b""
            self._judge(peer)
            self._complain(peer, "version", text)
        elif not self._told_foreign:
            self._told_foreign = True
            self._listener.trouble(None, text)
