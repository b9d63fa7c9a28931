"""One client at one table, seen from its links: what arrives, what is sent, and what must be on disk before that.

Nothing here waits or writes. Every call returns effects, which the caller carries out in order, each as it comes: a
move is sent before its consequences have been worked out.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine import MalformedError, Value
from protocol.events import EventKind, SignedEvent, SlotKind
from protocol.file import event_record, proof_record
from protocol.formation import Door, Handshake, clean_text
from protocol.messages import (
    CHAT_LENGTH,
    Chat,
    Decline,
    DeclineReason,
    Events,
    Form,
    Have,
    Join,
    Leave,
    LeaveReason,
    Talk,
    Watch,
    message_bytes,
    read_message,
)
from protocol.table.audit import Audit
from protocol.table.effects import (
    Blame,
    Effect,
    Folded,
    Overdue,
    PeerLeft,
    PlayerChat,
    Send,
    SpectatorChat,
    Store,
    StoreSecrets,
    WantsAnother,
)
from protocol.table.ending import Ending
from protocol.table.exchange import Exchange
from protocol.table.gallery import Gallery
from protocol.table.going_on import GoingOn
from protocol.table.held import PeerFaultError
from protocol.table.news import News
from protocol.table.own import Fault, LocalFaultError
from protocol.table.resuming import Resuming
from protocol.table.step import leads_to_turn
from protocol.table.table import Table
from protocol.table.turn_time import TurnTime

GUEST_MESSAGE = 2048
"""Bytes of the longest message of a peer without a seat that is looked at."""


class Node:
    """Keeps one table among peers in step with them: the ids of the clients that play the other seats."""

    def __init__(
        self,
        table: Table,
        formation: Value = None,
        *,
        resumed: bool = False,
        challenge: bytes = b"",
        door: Door | None = None,
    ) -> None:
        """`challenge` are random bytes (at most 8) with which a resumed table asks what the others hold.

        `door`: asks spectators for the passphrase, at a table that is watched with one.
        """
        self.table = table
        self.going_on = GoingOn(table.fold, table.own)
        seats, own = table.charter.body.seats, table.own.operator
        self._formation = formation
        self._seat_of = {seats[seat.operator - 1].id: seat.operator for seat in seats if seat.operator != own}
        self._resuming = Resuming(table, self._seat_of, challenge, resumed=resumed)
        self._turn_time = TurnTime(table)
        self._news = News(table)
        self._exchange = Exchange(table, self._seat_of, self._resuming)
        self.gallery = Gallery(table, self._seat_of, door)
        self._ending = Ending(table, self._exchange, self._seat_of)

    @property
    def peers(self) -> tuple[bytes, ...]:
        """Return the ids of the other clients at the table."""
        return tuple(self._seat_of)

    @property
    def dealing(self) -> bool:
        """Return whether cards are being dealt: what a message leads to takes tenths of a second then."""
        return self.table.fold.position.dealing is not None

    @property
    def linked(self) -> tuple[bytes, ...]:
        """Return the peers whose link is up."""
        return tuple(self._exchange.linked)

    @property
    def acknowledged(self) -> bool:
        """Return whether every linked peer holds all that this client's seats have signed."""
        return all(self._exchange.holds(peer, {*self.table.own.signers}) for peer in self.linked)

    @property
    def seconds_left(self) -> float | None:
        """Return how many seconds of the turn time are left, as of the latest call, or None where no time runs."""
        return None if self.unheard else self._turn_time.seconds_left(self._exchange.now)

    @property
    def grace(self) -> float:
        """Return for how many seconds more nobody of two loses by time, after they were apart."""
        return self._turn_time.grace(self._exchange.now)

    def clock(self, seat: int) -> float | None:
        """Return how many seconds a seat has left on its clock, as of the latest call, None without one."""
        return self._turn_time.clock(seat, self._exchange.now)

    @property
    def unheard(self) -> tuple[int, ...]:
        """Return the seats that have to say what they hold of a resumed table, before anything is signed here."""
        return self._resuming.unheard(self._exchange.now, self._exchange.theirs)

    @property
    def own_waits(self) -> bool:
        """Return whether an own seat signs nothing because an event it signed later waits for what that names."""
        return any(self.table.held.waits(seat) for seat in self.table.own.signers)

    # What the client calls.

    def done(self, now: float) -> bool:
        """Return whether the game is over and this client may leave."""
        self._exchange.now = now
        return self._ending.done(now)

    def start(self) -> list[Effect]:
        """Sign what is due at once."""
        return list(self._publish([]))

    def trust(self) -> list[Effect]:
        """Take the player's word that this copy is the newest: no peer has to be heard, and nothing waits, any more."""
        self._resuming.trust()
        return list(self._publish([]))

    def link(self, peer: bytes, up: bool) -> list[Effect]:
        """Note that a link came up or went down."""
        return [*self.gallery.link(peer, up), *(self._exchange.link(peer, up) if peer in self._seat_of else ())]

    def ask(self, peer: bytes) -> list[Effect]:
        """Ask a peer for messages that were lost, now and soon again: the answer may be lost as well."""
        return [*self._exchange.ask(peer)]

    def tick(self, now: float) -> list[Effect]:
        """Do what is due by time; to be called at least once a second."""
        self._exchange.now = now
        self._resuming.tick(now)
        effects = list(self._publish([])) if self._resuming.keeps_back else []
        late = () if self.unheard else self._turn_time.late(now, held_up=self.going_on.held_up)
        effects += map(Overdue, self._turn_time.newly_late(late))
        effects += self._agree(self.table.fold.rules.operators_of(late) - {self.table.own.operator})
        if lost := self._turn_time.given_up(late, self._exchange.present, now):
            effects += self._publish([self.table.own.resign(seat, late=True) for seat in lost])
        return [*effects, *self._exchange.tick()]

    def receive(self, peer: bytes, data: bytes, now: float) -> Iterable[Effect]:
        """Take in a message. A peer without a seat may watch, or learns that the game has begun."""
        self._exchange.now = now
        seat = self._seat_of.get(peer)
        if seat is None and len(data) > GUEST_MESSAGE:
            return []
        try:
            message = read_message(data)
        except MalformedError:
            return [] if seat is None else [Blame(peer, "a malformed message")]
        if seat is None and isinstance(message, Join):
            return [Send(peer, message_bytes(Decline(DeclineReason.STARTED)))]
        if seat is None:
            return self.gallery.receive(peer, message, now)
        if isinstance(message, Events | Have | Chat | Talk | Leave) and message.table != self.table.id:
            return []
        match message:
            case Events(_, events):
                return self._take(peer, events)
            case Have(_, heads) if len(heads) == len(self.table.held.chains):
                return self._answer(peer, message)
            case Chat(_, text) if text:
                self.gallery.tell(Talk(self.table.id, seat, "", text))
                return [PlayerChat(seat, text)]
            case Talk(_, 0, name, text) if self.table.charter.body.watching.talk:
                self.gallery.tell(message)
                return [SpectatorChat(peer, name, text)]
            case Leave(_, reason):
                return [PeerLeft(seat, reason)]
            case Join() if self.table.fold.result:
                return [WantsAnother(seat)]
            case Watch() | Handshake():
                return self.gallery.receive(peer, message, now)
            case Form((*_, tuple(signatures)), _) if self._formation is not None and None in signatures:
                # The peer lacks a signature of the charter. A complete charter is not answered: two clients would
                # answer each other for ever.
                return [Send(peer, message_bytes(Form(self._formation, ())))]
        return []

    def play(self, seat: int, action: str) -> Iterable[Effect]:
        """Make a move. Raises LocalFaultError with the reason if it is not lawful."""
        self.check_may_sign()
        return self._publish([self.table.own.play(seat, action)])

    def wish_draw(self, seat: int, wish: bool) -> list[Effect]:
        """Offer or accept a draw, or take the offer back. Raises LocalFaultError."""
        self.check_may_sign()
        return list(self._publish([self.table.own.wish_draw(seat, wish)]))

    def take_back(self, seat: int) -> list[Effect]:
        """Wish the last turn of a seat taken back, or agree to what others wish. Raises LocalFaultError."""
        self.check_may_sign()
        return list(self._publish([self.table.own.take_back(seat)]))

    def without(self, seat: int) -> list[Effect]:
        """Note that the player wants to go on without the client that plays `seat`. Raises LocalFaultError."""
        self.check_go_on_without(seat)
        self.going_on.want({self.table.operator(seat)})
        return list(self._agree(set()))

    def check_go_on_without(self, seat: int) -> None:
        """Raise LocalFaultError if the table cannot go on without the client that plays `seat` now."""
        self.check_may_sign()
        position, operator = self.table.fold.position, self.table.operator(seat)
        if operator == self.table.own.operator:
            raise LocalFaultError(Fault.OWN_SEAT)
        if not self.table.fold.enough({seat for seat in position.live if self.table.operator(seat) == operator}):
            bots = any(self.table.operator(live) != live for live in position.live)
            raise LocalFaultError(Fault.OF_TWO_PEOPLE if bots else Fault.OF_TWO_PLAYERS)
        if operator not in self.going_on.could_be_left():
            raise LocalFaultError(Fault.NOT_AWAITED)

    def agree(self) -> list[Effect]:
        """Note that the player agrees to go on without the players whom others proposed. Raises LocalFaultError."""
        self.going_on.want(self.check_agree())
        return list(self._agree(set()))

    def check_agree(self) -> set[int]:
        """Return the operators that others want to go on without. Raises LocalFaultError if there are none."""
        self.check_may_sign()
        unwanted = self.going_on.unwanted - {self.table.own.operator}
        if not unwanted:
            raise LocalFaultError(Fault.NOTHING_PROPOSED)
        return unwanted

    def check_wish(self, seat: int, wish: bool) -> None:
        """Raise LocalFaultError if a seat played here cannot wish a draw, or take its wish back, now."""
        self.check_may_sign()
        self.table.own.check_wish(seat, wish)

    def check_take_back(self, seat: int) -> None:
        """Raise LocalFaultError if a seat played here cannot ask for a take-back, or agree to one, now."""
        self.check_may_sign()
        self.table.own.check_take_back(seat)

    def audits(self) -> tuple[Audit, ...]:
        """Return what the results held show of a last round that was broken off, for each seat that shows its hand."""
        return self.table.own.last_round.audits()

    def say(self, text: str) -> list[Effect]:
        """Send a line of chat to all who can read it. Raises LocalFaultError without a line or somebody who can."""
        line = clean_text(text, CHAT_LENGTH)
        if not line or not (self.linked or self.gallery.reads_chat):
            raise LocalFaultError(Fault.NOBODY_HEARS if line else Fault.NOTHING_TO_SAY)
        self.gallery.tell(Talk(self.table.id, self.table.own.operator, "", line))
        data = message_bytes(Chat(self.table.id, line))
        return [Send(peer, data) for peer in self.linked]

    def pass_on(self, spectator: bytes, name: str, text: str) -> list[Effect]:
        """Pass a line of chat on that a spectator has said through this client; `name`: what it calls itself."""
        line = Talk(self.table.id, 0, name, text)
        self.gallery.tell(line, but=spectator)
        return [Send(peer, message_bytes(line)) for peer in self.linked]

    def again(self, peers: Collection[bytes]) -> list[Effect]:
        """Tell those of `peers` that are linked that this client's player wants to play again.

        They have to be at this table: a host elsewhere takes that for the wish for a seat.
        """
        return [Send(peer, message_bytes(Join())) for peer in self.linked if peer in peers]

    def check_may_sign(self) -> None:
        """Raise LocalFaultError while peers have to be heard first."""
        if self.unheard:
            raise LocalFaultError(Fault.UNHEARD)

    def leave(self, reason: LeaveReason) -> list[Send]:
        """Tell all that this client leaves the table by its player's wish."""
        return [Send(peer, message_bytes(Leave(self.table.id, reason))) for peer in self.linked]

    # What arrives.

    def _take(self, peer: bytes, events: tuple[tuple[bytes, bytes], ...]) -> Iterator[Effect]:
        held, accepted, record = self.table.held, [], b""
        proven, before = len(held.proofs), self.table.fold.position
        for raw, signature in events:
            known = len(held.proofs)
            try:
                news = self.table.receive(raw, signature)
            except PeerFaultError as error:
                yield Blame(peer, str(error))
                break
            record += b"".join([*map(proof_record, held.proofs[known:]), *map(event_record, news)])
            accepted += news
        self._exchange.learn(peer, accepted)
        evidence = [event for proof in held.proofs[proven:] for event in proof]
        if passed_on := self._exchange.pass_on(peer, accepted, evidence):
            yield Store(record, sync=bool(evidence))
            record = b""
            yield from passed_on
        self._resuming.hear(peer)
        told = False
        for effect in self._proceed([], record, accepted):
            told = told or (isinstance(effect, Send) and effect.peer == peer)
            yield effect
        # An event states what its author holds, so an event sent anyway is an acknowledgement. Where nothing was new
        # there is none: two peers with two versions of one event would answer each other without end.
        if not told and (accepted or self._exchange.take_ask(peer)):
            yield self._exchange.have(peer)
        if self.table.fold.position is not before:
            yield from self._tell_mover(but=peer)
        if accepted and self.table.fold.result and self._ending.signed:
            # A client may leave once it knows that all clients hold all signatures.
            yield from [self._exchange.have(other) for other in self.linked if other != peer]
        yield from self._look_back(accepted)

    def _tell_mover(self, but: bytes) -> Iterator[Effect]:
        """Send a Have to the operator to move if it may lack events, `but` not to the peer that just sent them here.

        The time of that operator runs, and the author of the last move may have sent it to others only.
        """
        fold, peers = self.table.fold, self._exchange
        if not self.table.charter.body.turn_time or fold.position.slot.kind != SlotKind.TURN:
            return
        owing = fold.rules.operators_of(fold.owing())
        for peer in [peer for peer in peers.linked if self._seat_of[peer] in owing and peer != but]:
            if not peers.holds(peer, {*range(1, len(fold.operators) + 1)}):
                yield peers.have(peer)

    def _answer(self, peer: bytes, have: Have) -> Iterator[Effect]:
        waiting = self._exchange.hear(peer, have)
        self._resuming.hear(peer, have)
        if self._resuming.asleep or self._resuming.keeps_back:
            # Events signed now are among those that the peer lacks, and must be on disk before they are sent.
            yield from self._publish([])
        yield from self._exchange.answer(peer, have, waiting)

    # What goes out.

    def _publish(self, signed: list[SignedEvent]) -> Iterator[Effect]:
        """Store and send the events in `signed` and those owed after them; then tell what came to light."""
        yield from self._proceed(signed)
        yield from self._look_back()

    def _proceed(
        self, signed: list[SignedEvent], heard: bytes = b"", accepted: Sequence[SignedEvent] = ()
    ) -> Iterator[Effect]:
        """Store and send the events in `signed` and those owed after them, and show what follows.

        `heard`: the records of the events `accepted` from a peer, which are not stored yet.
        """
        table, position = self.table, self.table.fold.position
        # Where commitments stand a roll may follow, and the salt goes along with the move.
        alone = not position.bound or all(leads_to_turn(table.fold.rules, position, event) for event in signed)
        kept, changed = [] if alone else signed, bool(accepted) or not alone
        if signed and alone:
            yield from self._out(signed)
        if signed:
            table.advance(signed)
        self._resuming.keeps_back = bool(self.unheard)
        if not self._resuming.keeps_back:
            self._resuming.asleep = False
            while owed := table.own.duties():
                yield from self._out([*kept, *owed], heard)
                kept, heard, changed = [], b"", True
                table.advance(owed)
        if kept:
            yield from self._out(kept, heard)
        if changed:
            yield Folded()
        if heard:
            yield Store(heard, sync=False)
        yield from self._follow_up(accepted)

    def _follow_up(self, accepted: Sequence[SignedEvent]) -> Iterator[Effect]:
        """Do what is left to do once the fold is up to date with the events `accepted` from a peer.

        * Secrets of deals that are over are forgotten on disk as well.
        * An agreement may be due.
        * Events that waited for what was signed here are taken in.
        """
        table = self.table
        if table.own.forget() and table.own.secrets:
            yield StoreSecrets(table.own.secrets.kept(table.id))
        if any(event.kind == EventKind.EPOCH for event in accepted):
            yield from self._agree(set())
        # After an old copy of the files an own event may wait for one that had to be signed again.
        if table.held.waiting and (found := table.catch_up()):
            yield from self._proceed([], b"".join(map(event_record, found)), found)
            yield from self._look_back(found)

    def _look_back(self, accepted: Sequence[SignedEvent] = ()) -> Iterator[Effect]:
        """Tell what came to light, also by the events `accepted` from a peer; work ahead while nobody waits."""
        yield from self._news.of(accepted)
        self.table.own.prepare()

    def _agree(self, late: set[int]) -> Iterator[Effect]:
        """Sign the agreement that is due, if one is, and what is owed once it is in force."""
        if not self.unheard and (signed := self.going_on.due(self._exchange.present, late, self._exchange.now)):
            yield from self._out(signed)
            self.table.advance(signed)
            yield from self._publish([])
            yield Folded()

    def _out(self, signed: list[SignedEvent], heard: bytes = b"") -> Iterator[Effect]:
        yield Store(b"".join((heard, *map(event_record, signed))), sync=True)
        yield from self._exchange.sends(signed, self.linked)
