"""What follows from the events held: the positions of all slots so far, the log of actions, and how the game ended."""

from collections.abc import Collection, Set
from itertools import takewhile
from operator import eq
from typing import Any, NamedTuple

from engine import Game, Over, Result
from protocol.cards import DeckScheme
from protocol.events import EventKind, SignedEvent, SlotKind, bodies
from protocol.formation import LOCAL, Charter
from protocol.table.epochs import Agreement, decided, enough, has_resigned, lacking
from protocol.table.equivocation import Broken, ended_by
from protocol.table.held import Held
from protocol.table.log import in_effect
from protocol.table.path import Path
from protocol.table.position import Applied, Position
from protocol.table.rules import Rules
from protocol.table.step import asynchronous, given, offered, open_slot, owing


class Mark(NamedTuple):
    """How far a reader of `Fold.log` has come: it read `length` actions when the log had been cut back `cuts` times."""

    length: int = 0
    cuts: int = 0


class Fold:
    """The game that follows from the events in `held`. Reading changes nothing; `advance` takes in new events."""

    def __init__(self, charter: Charter, game: Game[Any], held: Held, scheme: DeckScheme) -> None:
        body = charter.body
        self.held = held
        self.operators = tuple(seat.operator for seat in body.seats)
        self.log: list[Applied] = []
        """Every action applied, in order, also those that a later one takes back."""
        self.broken: Broken | None = None
        self._names = tuple(seat.name for seat in body.seats)
        self.rules = Rules(game, charter.table, scheme, self.operators, local=body.kind == LOCAL)
        start = self.rules.start(body.beginning(), len(body.seats), len(held.chains))
        self._path = Path(self.rules, held, [open_slot(self.rules, start, first=True)])
        self._unbound: Path | None = None
        """The path of a client that awaits no agreement; None unless this client awaits one."""
        self._cuts: list[int] = []
        """How many actions of the log stayed, each time that an epoch was entered before its end."""

    @property
    def positions(self) -> list[Position]:
        """Return the positions of all slots so far, the open one last."""
        return self._path.positions

    @property
    def position(self) -> Position:
        """Return the position at the open slot."""
        return self._path.positions[-1]

    @property
    def result(self) -> Result | None:
        """Return how the game ended, None while it goes on."""
        if self.broken:
            return self.broken.result
        due = self.position.due
        return due.result if isinstance(due, Over) else None

    @property
    def playing(self) -> set[int]:
        """Return the operators of the live seats."""
        return self.rules.operators_of(self.position.live)

    @property
    def agreements(self) -> dict[Agreement, dict[int, SignedEvent]]:
        """Return the agreements for a higher epoch than the present one, each with the events that sign it, by seat."""
        epoch = self.position.slot.epoch
        return {one: signed for one, signed in self._path.agreements.items() if one.number > epoch}

    @property
    def mark(self) -> Mark:
        """Return the mark of a reader that has read all of `log`."""
        return Mark(len(self.log), len(self._cuts))

    def changed_since(self, mark: Mark) -> int:
        """Return the first index at which `log` is another one than at `mark`, or has grown since."""
        return min([mark.length, *self._cuts[mark.cuts :]])

    def replayed(self) -> bytes:
        """Return the digest of the public state after all of `log`, applied anew: another one shows a fault here."""
        state = self.positions[0].state
        for place in in_effect(self.log):
            state = self.rules.game.apply(state, self.log[place].actor, self.log[place].action)
        return self.rules.digest(state)

    def given(self, seat: int) -> SignedEvent | None:
        """Return a seat's contribution to the open slot, None if there is none; at the end that is its RESULT."""
        return given(self.position, self.held.chains, seat)

    def owing(self) -> tuple[int, ...]:
        """Return the seats that the table waits for, also for their signatures under the result."""
        over = self.broken or (self.rules.local and self.position.slot.kind == SlotKind.END)
        return () if over else owing(self.position, self.held.chains)

    def asynchronous(self) -> list[SignedEvent]:
        """Return the resignations and wishes that wait for a place."""
        return asynchronous(self.position, self.held.chains)

    def draws_waiting(self) -> dict[int, bool]:
        """Return, by seat, what the wishes that wait for a place ask for: a draw, or no draw any more."""
        return {
            event.seat: event.body.wanted > 0 for event in self.asynchronous() if isinstance(event.body, bodies.Wish)
        }

    def disputed(self) -> tuple[SignedEvent, ...]:
        """Return the contributions to the open slot whose digests are wrong: they were signed for another state."""
        position, chains = self.position, self.held.chains
        offers = [event for seat in position.givers for event in offered(position, chains, seat)]
        return tuple([event for event in offers if event.digest != position.digest])

    def advance(self, news: Collection[SignedEvent] = (), *, own: Collection[int] = ()) -> None:
        """Take in events that are new in the chains: enter the epoch that is in force, close every slot that can be.

        `own`: the seats that this client plays. No slot is closed while an agreement that an own seat has signed may
        come into force. While the highest such agreement may, no lower epoch is entered: what was shown does not go
        back. No agreement can come into force once the events of the others lead to a result that is decided.
        """
        # EPOCH events one at a time: `load` reads them one at a time from a file, and must come to the same path.
        for event in [one for one in news if one.kind == EventKind.EPOCH] or (None,):
            if event:
                self._path.note(event)
            if event and self._unbound:
                self._unbound.note(event)
            if self._unbound:
                self._unbound.follow()
            while self._go_on(own):
                pass
        # At a table with one signer a second version is an error of the file: there is nobody whom it could deceive.
        self.broken = self._judged() if self.held.proofs and not self.rules.local else None

    def has_resigned(self, seat: int) -> bool:
        """Return whether a live seat has signed a resignation, in this epoch or before."""
        return has_resigned(self.position, self.held.resigned, seat)

    def enough(self, leavers: Set[int]) -> bool:
        """Return whether enough operators would stay, if these live seats left and nothing else changed."""
        return enough(self.rules, self.position, self.held.resigned, leavers)

    def lacking(self, agreement: Agreement) -> set[int]:
        """Return the live seats that an agreement needs and that have not signed it."""
        return lacking(self.position, agreement, self._path.agreements.get(agreement, ()))

    def may_begin(self, agreement: Agreement) -> bool:
        """Return whether an agreement may come into force: each seat that it still needs can yet sign it."""
        for seat in self.lacking(agreement):
            last = self.held.chains[seat - 1][-1:]
            if self.held.agreed(seat) >= agreement.number or (last and last[0].slot.epoch > agreement.base):
                return False
        return self.enough({*agreement.leavers})

    def _go_on(self, own: Collection[int]) -> bool:
        """Enter the epoch in force, or else close the open slot; return whether either could be done."""
        if self._path.agreements:
            signed = self._signed(own)
            awaited = [*filter(self.may_begin, signed)]
            if awaited and self._unbound is None:
                self._unbound = self._path.fork()
                self._unbound.follow()
            if awaited and self._leads_to_result():
                awaited = []
            before = self.positions
            if self._path.enter(signed[-1] if signed and signed[-1] in awaited else None, further=bool(awaited)):
                self._log_epoch(before)
                return True
            if awaited:
                return False
        self._unbound = None
        if self._path.close():
            self.log += self.position.applied
            return True
        return False

    def _log_epoch(self, before: list[Position]) -> None:
        """Bring the log up to date with the first position of an epoch, which was entered on the positions `before`."""
        *base, first = self.positions
        if base == before:  # the usual case: nothing that was folded goes back
            self.log += first.applied
        else:
            past, self.log = self.log, [one for position in self.positions for one in position.applied]
            self._cuts.append(len([*takewhile(bool, map(eq, past, self.log))]))

    @property
    def ahead(self) -> Position:
        """Return what `position` would be if this client awaited no agreement: where other clients may be."""
        return (self._unbound or self._path).position

    def _leads_to_result(self) -> bool:
        """Return whether a client that awaits no agreement comes to a result that is decided.

        A proof decides nothing here: the agreement may leave the guilty seat behind.
        """
        held, ahead = self.held, self._unbound
        return ahead is not None and decided(self.rules, ahead.position, held.chains, held.resigned)

    @property
    def decided(self) -> bool:
        """Return whether the game is over, and no agreement can come into force behind that."""
        return self.broken is not None or decided(self.rules, self.position, self.held.chains, self.held.resigned)

    def may_go_on(self, own: Collection[int]) -> bool:
        """Return whether a game that two versions of an event have ended may prove never to have been over.

        A proof counts until every other operator has named the kept event, or more than half have signed a result that
        does not. The seats in `own`, which this client plays, sign no more.
        """
        position, held = self.ahead, self.held
        judgement = held.judgement(position)
        kept = [proof.kept for proof in judgement.counting] if self.broken else []
        playing = {*position.live} & {*own}
        return bool(kept) and all(
            not playing
            or any(held.named(seat, event.seat) >= event.number for seat in playing)
            or judgement.may_end_without(event, playing)
            for event in kept
        )

    def _signed(self, seats: Collection[int]) -> list[Agreement]:
        """Return the agreements that these seats have signed for a higher epoch, the last one last.

        Empty where all of them have resigned: such a client awaits no agreement, it only looks on.
        """
        own, epoch = {*seats} & {*self.position.live}, self.position.slot.epoch
        if not any(self.held.agreed(seat) > epoch for seat in own):
            return []
        signed = [one for one, events in self.agreements.items() if own & events.keys()]
        return [] if all(map(self.has_resigned, seats)) else sorted(signed)

    def _judged(self) -> Broken | None:
        """Return how equivocation has ended the game, None unless it has.

        It is judged where the other clients may be, ahead of this one, so that it ends the game for all or for nobody.
        """
        ahead = (self._unbound or self._path).positions
        ending = self.held.judgement(ahead[-1]).ending
        return ended_by(ending, ahead, self.positions, self.rules, self._names) if ending else None
