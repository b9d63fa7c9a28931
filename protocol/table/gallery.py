"""The spectators of a table at one of its players: who is let in, what each lacks, how much all together are sent.

No message of a spectator is answered at once: `serve`, called by the clock, sends what is due. So spectators cost no
move any time, whatever they ask for. They are sent:

* Signed events, which hold no secret of anybody. These lie behind all seats, so that nothing has to be taken back;
  where the charter gives a delay, they come some actions later.
* Who is at the table and, where the charter lets spectators talk, the chat: few bytes, on the word of the player.

No spectator is sent much more than it has said it holds: so it takes in a long game as fast as it can check events.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from protocol.allowance import Allowance
from protocol.events import SignedEvent, causes_first
from protocol.formation import Door, Handshake, Watchers
from protocol.messages import (
    Attendance,
    Chat,
    Decline,
    DeclineReason,
    Events,
    Form,
    Message,
    Talk,
    Watch,
    message_bytes,
)
from protocol.table.effects import Effect, Send, SpectatorChat, SpectatorKept
from protocol.table.table import Table

PLACES = 8
"""Spectators at one client, besides those that have a seat: with four other players they fill half of its links."""
BYTES_A_SECOND, BYTES_AT_ONCE = 256 * 1024, 256 * 1024
"""What all spectators of a client are sent together. A long game of Celtic Whist has some 900,000 bytes, a move 300."""
UNCONFIRMED = 256 * 1024
"""Bytes of events that a spectator is sent beyond those that it has said it holds."""
A_TURN_BYTES = 16 * 1024
"""Bytes of events after which it is the next spectator's turn."""
SENT_AGAIN_AFTER = 2.0
"""Seconds between two times that a spectator is sent again what it says it lacks: perhaps that was on its way."""
SPOKEN_AT_ONCE, SPEAKS_EVERY = 3, 5.0
"""Lines of chat that one spectator may say at once, and seconds for each one more."""
ALL_SPOKEN_AT_ONCE, ALL_SPEAK_EVERY = 6, 2.0
"""The same for all spectators of a client together: what a player can read beside a game."""
UNSENT_LINES = 8
"""Lines of chat that wait for one spectator; the oldest give way."""

Hints = tuple[tuple[bytes, str], ...]
"""Where the other players were reached: id and address."""


@dataclass(slots=True, eq=False)
class _Spectator:
    """One spectator; `placed`: it has one of the places, else it is told where to ask and sent away.

    `has`: how many events of each chain it holds, as it said or was sent since; `proofs`: those of which it has both
    versions. `at`: the next released event to look at. `again`: when it may be sent something a second time.
    """

    placed: bool
    wants_charter: bool = False
    waits: bool = False
    """Whether it has asked and was sent nothing since: then it is told that nothing is new."""
    has: list[int] = field(default_factory=list)
    proofs: set[tuple[int, int]] = field(default_factory=set)
    at: int = 0
    again: float = float("-inf")
    said: tuple[int, ...] = ()
    """How many events of each chain it has said last that it holds."""
    unconfirmed: deque[tuple[tuple[int, ...], int]] = field(default_factory=deque)
    """How many of each chain it holds once it has taken in each batch that it was sent, and the bytes of that batch."""
    attendance: Attendance | None = None
    """What it was told last of who is there, all seconds but those of the turn time left out."""
    lines: deque[Talk] = field(default_factory=lambda: deque(maxlen=UNSENT_LINES))
    """Chat that it has not been sent yet."""
    talk: Allowance = field(default_factory=lambda: Allowance(SPOKEN_AT_ONCE, SPEAKS_EVERY))
    """The lines that it may say."""

    @property
    def on_its_way(self) -> int:
        """Return the bytes of events that it was sent and has not said it holds."""
        return sum(size for _, size in self.unconfirmed)


class Gallery:
    """Spectators of one table. `seats`: the ids of the other players' clients, which are always let in.

    `door` asks for the passphrase where the charter wants one; without it only players are let in there.
    """

    def __init__(self, table: Table, seats: Collection[bytes], door: Door | None) -> None:
        self._table = table
        self._seats = seats
        self._door = door
        self._proven: set[bytes] = set()
        """Linked peers that have shown to know the passphrase."""
        self._spectators: dict[bytes, _Spectator] = {}
        """In the order in which it is their turn."""
        self._released: list[SignedEvent] = []
        """What spectators may have, causes first, and at the end the second versions of proofs."""
        self._lengths: tuple[int, ...] = (0,) * len(table.held.chains)
        """How many events of each chain are released."""
        self._proofs = 0
        """How many proofs are."""
        self._left, self._when = float(BYTES_AT_ONCE), 0.0
        self._talk = Allowance(ALL_SPOKEN_AT_ONCE, ALL_SPEAK_EVERY)
        """The lines that all of them may say."""

    def __len__(self) -> int:
        """Return how many watch through this client."""
        return sum(spectator.placed for spectator in self._spectators.values())

    def link(self, peer: bytes, up: bool) -> list[Effect]:
        """Forget a peer whose link went down."""
        if up:
            return []
        self._proven.discard(peer)
        if self._door:
            self._door.forget(peer)
        watching = self._spectators.pop(peer, None)
        return [SpectatorKept(peer, False)] if watching and watching.placed else []

    def close(self) -> list[Effect]:
        """Let all spectators go: this client leaves the table."""
        watching = [peer for peer, spectator in self._spectators.items() if spectator.placed]
        self._spectators.clear()
        return [SpectatorKept(peer, False) for peer in watching]

    def receive(self, peer: bytes, message: Message, now: float) -> list[Effect]:
        """Take in a message of a peer that may watch or wants to. What it asks for comes with `serve`."""
        match message:
            case Watch(table) if table not in (b"", self._table.id):
                return [Send(peer, message_bytes(Decline(DeclineReason.PRIVATE)))]
            case Watch():
                return self._asked(peer, message, now) if self._admits(peer) else self._ask(peer)
            case Handshake() if self._door and self._door.hear(peer, message):
                self._proven.add(peer)
            case Chat(table, text) if table == self._table.id and text and self._take_line(peer, now):
                return [SpectatorChat(peer, "", text)]
        return []

    def _take_line(self, peer: bytes, now: float) -> bool:
        """Return whether a peer is a spectator that may say a line now, and count it."""
        spectator = self._spectators.get(peer)
        if not (spectator and spectator.placed and self._table.charter.body.watching.talk):
            return False
        return spectator.talk.has(now) and self._talk.take(now) and spectator.talk.take(now)

    @property
    def reads_chat(self) -> bool:
        """Return whether somebody watches who may read what is said."""
        return bool(self._table.charter.body.watching.talk) and any(one.placed for one in self._spectators.values())

    def tell(self, line: Talk, *, but: bytes = b"") -> None:
        """Let all spectators read a line of chat soon, `but` the one that said it, where the charter lets them."""
        if self._table.charter.body.watching.talk:
            for peer, spectator in list(self._spectators.items()):
                if spectator.placed and peer != but:
                    spectator.lines.append(line)

    def _admits(self, peer: bytes) -> bool:
        by = self._table.charter.body.watching.by
        proven = by == Watchers.WITH_PASSPHRASE and peer in self._proven
        return by == Watchers.EVERYBODY or peer in self._seats or proven

    def _ask(self, peer: bytes) -> list[Effect]:
        """Return the question for the passphrase, or the refusal where none helps."""
        locked = self._door and self._table.charter.body.watching.by == Watchers.WITH_PASSPHRASE
        answer = self._door.ask(peer) if self._door and locked else Decline(DeclineReason.PRIVATE)
        return [Send(peer, message_bytes(answer))]

    def _asked(self, peer: bytes, watch: Watch, now: float) -> list[Effect]:
        """Note what a spectator says it holds; give it a place if one is free."""
        told: list[Effect] = []
        spectator = self._spectators.get(peer)
        if spectator is None:
            placed = peer in self._seats or len(self) < PLACES
            spectator = self._spectators[peer] = _Spectator(placed)
            told = [SpectatorKept(peer, True)] if placed else []
        spectator.waits = True
        charter = len(watch.lengths) != len(self._lengths) or not spectator.placed
        batches = spectator.unconfirmed
        while batches and not charter and all(map(int.__ge__, watch.lengths, batches[0][0])):
            batches.popleft()
        # Much may still be on its way to a spectator that says each time that it holds more.
        still = watch.lengths == spectator.said or spectator.on_its_way < A_TURN_BYTES
        lost = not charter and still and any(map(int.__lt__, watch.lengths, spectator.has))
        spectator.said = watch.lengths
        if (charter or lost) and now >= spectator.again:
            spectator.again = now + SENT_AGAIN_AFTER
            spectator.wants_charter |= charter
            if lost:
                spectator.has = []
                batches.clear()
        if not charter and not spectator.has:
            spectator.has, spectator.proofs, spectator.at = list(watch.lengths), {*watch.proofs}, 0
        return told

    def serve(self, now: float, hints: Hints, attendance: Attendance | None = None) -> Iterator[Effect]:
        """Yield what is due to spectators; to be called about twice a second. `attendance`: as this client sees it."""
        if self._door and (answer := self._door.answer(now)):
            yield Send(answer[0], message_bytes(answer[1]))
        self._left = min(BYTES_AT_ONCE, self._left + max(0.0, now - self._when) * BYTES_A_SECOND)
        self._when = now
        if self._spectators:
            self._release()
        served = True
        while served:
            served = False
            # Those who have no place come last: they only have to hear where else to ask.
            for peer, spectator in sorted(self._spectators.items(), key=lambda one: not one[1].placed):
                if self._left <= 0:
                    return
                messages = self._due(spectator, hints, attendance)
                if not messages:
                    continue
                served = True
                del self._spectators[peer]
                if spectator.placed:
                    self._spectators[peer] = spectator  # its next turn comes after those of the others
                for message in messages:
                    data = message_bytes(message)
                    self._left -= len(data)
                    yield Send(peer, data)

    def _due(self, spectator: _Spectator, hints: Hints, attendance: Attendance | None) -> list[Message]:
        """Return what a spectator is sent next, if anything."""
        if spectator.wants_charter:
            spectator.wants_charter = spectator.waits = False
            charter = self._table.charter
            form = Form((charter.body.packed(), (), charter.nonces, charter.signatures), hints)
            return [form] if spectator.placed else [form, Decline(DeclineReason.FULL)]
        if not spectator.has:
            return []
        found: list[Message] = []
        full = spectator.on_its_way >= UNCONFIRMED
        events, waited = [] if full else self._lacked(spectator), spectator.waits and not full
        if events or waited:
            spectator.waits = False
            found.append(Events(self._table.id, tuple((event.raw, event.signature) for event in events)))
        if attendance and (waited or _shape(attendance) != spectator.attendance):
            spectator.attendance = _shape(attendance)
            found.append(attendance)
        found += spectator.lines
        spectator.lines.clear()
        return found

    def _lacked(self, spectator: _Spectator) -> list[SignedEvent]:
        """Return the next released events that a spectator lacks, a batch of them; it is taken to have them then."""
        found: list[SignedEvent] = []
        size = 0
        while spectator.at < len(self._released) and size < A_TURN_BYTES:
            event = self._released[spectator.at]
            spectator.at += 1
            chain, place = self._table.held.chains[event.seat - 1], (event.seat, event.number)
            if chain[event.number - 1] is event:
                lacks = event.number > spectator.has[event.seat - 1]
                spectator.has[event.seat - 1] = max(event.number, spectator.has[event.seat - 1])
            else:
                lacks = place not in spectator.proofs
                spectator.proofs.add(place)
            if lacks:
                found.append(event)
                size += len(event.raw) + len(event.signature)
        if found:
            spectator.unconfirmed.append((tuple(spectator.has), size))
        return found

    def _release(self) -> None:
        """Release what spectators may have by now; once the game is over that is everything, with all proofs."""
        fold, held = self._table.fold, self._table.held
        limits = self._shown() if fold.result is None else tuple(map(len, held.chains))
        news = [
            event
            for chain, before, limit in zip(held.chains, self._lengths, limits, strict=True)
            for event in chain[before:limit]
        ]
        self._released += causes_first(news)
        self._lengths = tuple(map(max, self._lengths, limits))
        if fold.result is not None:
            self._released += [proof.other for proof in held.proofs[self._proofs :]]
            self._proofs = len(held.proofs)

    def _shown(self) -> tuple[int, ...]:
        """Return how many events of each chain may be seen while the game goes on.

        They are those that lay behind all seats before the actions of the delay, and what these name: a resignation,
        say, that waits for its place and that a part of a roll has named.
        """
        fold, held = self._table.fold, self._table.held
        until = fold.position.plies - self._table.charter.body.watching.delay
        at = bisect_right(fold.positions, until, key=lambda position: position.plies)
        lengths = fold.positions[at - 1].behind if at else (0,) * len(held.chains)
        return tuple([head.length for head in held.closed(lengths)])


def _shape(attendance: Attendance) -> Attendance:
    """Return what of an attendance is news: seconds that only pass are not."""
    players = tuple((seat, how, 0) for seat, how, _ in attendance.players)
    return attendance._replace(seconds_left=None if attendance.seconds_left is None else 0, players=players)
