"""What follows from the events held: the positions of all slots so far, the log of actions, and how the game ended."""

from bisect import bisect
from collections.abc import Collection, Sequence, Set
from copy import copy
from itertools import takewhile
from operator import eq, itemgetter
from typing import Any, NamedTuple

from engine import Game, Over, Result
from protocol.cards import DeckScheme
from protocol.events import EventKind, Proof, SignedEvent, SlotKind
from protocol.formation import LOCAL, Charter
from protocol.table.epochs import Agreement, decided, enough, enter, has_resigned, is_majority, lacking
from protocol.table.held import Held
from protocol.table.log import in_effect
from protocol.table.position import Applied, Position
from protocol.table.rules import Rules
from protocol.table.step import asynchronous, given, offered, open_slot, owing, step


class Mark(NamedTuple):
    """How far a reader of `Fold.log` has come: it read `length` actions when the log had been cut back `cuts` times."""

    length: int = 0
    cuts: int = 0


class Broken(NamedTuple):
    """The game has ended because a seat signed two versions of an event that was not settled.

    `plies`: so many actions had been applied before any event of which there are two versions lay behind.
    """

    seat: int
    result: Result
    plies: int


class Fold:
    """The game that follows from the events in `held`. Reading changes nothing; `advance` takes in new events."""

    def __init__(self, charter: Charter, game: Game[Any], held: Held, scheme: DeckScheme) -> None:
        body = charter.body
        self.held = held
        self.operators = tuple(seat.operator for seat in body.seats)
        self.log: list[Applied] = []
        """Every action applied, in order, also those that a later one takes back."""
        self.broken: Broken | None = None
        self._agreements: dict[Agreement, dict[int, SignedEvent]] = {}
        """The agreements that may yet take a place on the path, each with the events that sign it, by seat."""
        self._void: dict[Agreement, dict[int, SignedEvent]] = {}
        """Those that take none as long as the path is not cut."""
        self._unbound: Fold | None = None
        """This game as it stands for a client that awaits no agreement; None unless this client awaits one."""
        self._path: dict[int, Agreement] = {}
        """By its base, each agreement by which an epoch up to the present one began, in their order."""
        self._names = tuple(seat.name for seat in body.seats)
        self.rules = Rules(game, charter.table, scheme, self.operators, local=body.kind == LOCAL)
        start = self.rules.start(body.beginning(), len(body.seats), len(held.chains))
        self.positions = [open_slot(self.rules, start, first=True)]
        """The positions of all slots so far, the open one last."""
        self._cuts: list[int] = []
        """How many actions of the log stayed, each time that an epoch was entered before its end."""
        self._tried: dict[Agreement, tuple[int, dict[int, int]]] = {}
        """Of each agreement that was not in force: by how many seats it was signed, and how far the chains went of
        those that could still bring it into force. Nothing else can, while the path is the same."""
        self._awake: dict[Agreement, dict[int, SignedEvent]] = {}
        """Those of `_agreements` that have to be looked at: one that cannot be in force, however long the chains are,
        sleeps until another seat signs it or the place where it was looked at is another one."""
        self._looked_at: tuple[int, int, tuple[int, ...]] = (0, 0, ())
        """That place: how many operators play that have not resigned, the epoch, and the live seats."""

    @property
    def position(self) -> Position:
        """Return the position at the open slot."""
        return self.positions[-1]

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
        return {one: signed for one, signed in self._agreements.items() if one.number > epoch}

    @property
    def mark(self) -> Mark:
        """Return the mark of a reader that has read all of `log`."""
        return Mark(len(self.log), len(self._cuts))

    def changed_since(self, mark: Mark) -> int:
        """Return the first index of `log` at which it is not what it was at `mark`, or is new since then."""
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

    def disputed(self) -> tuple[SignedEvent, ...]:
        """Return the contributions to the open slot whose digests are wrong: they were signed for another state."""
        position, chains = self.position, self.held.chains
        offers = [event for seat in position.givers[: len(chains)] for event in offered(position, chains, seat)]
        return tuple([event for event in offers if event.digest != position.digest])

    def advance(self, news: Collection[SignedEvent] = (), *, own: Collection[int] = ()) -> None:
        """Take in events that are new in the chains: enter the epoch that is in force, close every slot that can be.

        `own`: the seats that this client plays. No slot is closed while an agreement that an own seat has signed may
        come into force, and no lower epoch is entered while the last of these may: what was shown does not go back.
        None of them can any more where what the others have signed leads to a result that is decided.
        """
        # One agreement after another, as who reads the file hears of them.
        for heard in [[event] for event in news if event.kind == EventKind.EPOCH] or [[]]:
            for event in heard:
                agreement = Agreement.of(event)
                known = self._void if agreement in self._void else self._agreements
                known.setdefault(agreement, {})[event.seat] = event
                if known is self._agreements:
                    self._awake[agreement] = known[agreement]
            if self._unbound:
                self._unbound.advance(heard)
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
        return lacking(self.position, agreement, self._agreements.get(agreement, ()))

    def may_begin(self, agreement: Agreement) -> bool:
        """Return whether an agreement may come into force: each seat that it still needs can yet sign it."""
        for seat in self.lacking(agreement):
            last = self.held.chains[seat - 1][-1:]
            if self.held.agreed(seat) >= agreement.number or (last and last[0].slot.epoch > agreement.base):
                return False
        return self.enough({*agreement.leavers})

    def _go_on(self, own: Collection[int]) -> bool:
        """Enter the epoch in force, or else close the open slot; return whether either could be done."""
        if self._agreements:
            signed = self._signed(own)
            awaited = [*filter(self.may_begin, signed)]
            if awaited and self._unbound is None:
                self._unbound = self._branch()
            if awaited and self._leads_to_result():
                awaited = []
            if self._enter(signed[-1] if signed and signed[-1] in awaited else None, further=bool(awaited)):
                return True
            if awaited:
                return False
        self._unbound = None
        if following := step(self.rules, self.positions[-1], self.held.chains):
            self.positions.append(following)
            self.log += following.applied
        return bool(following)

    @property
    def ahead(self) -> Position:
        """Return what `position` would be if this client awaited no agreement: where other clients may be."""
        return self._unbound.position if self._unbound else self.position

    def _leads_to_result(self) -> bool:
        """Return whether a client that awaits no agreement comes to a result that is decided.

        A proof decides nothing here: the agreement may leave the guilty seat behind.
        """
        held, ahead = self.held, self._unbound
        return ahead is not None and decided(self.rules, ahead.position, held.chains, held.resigned)

    def _branch(self) -> "Fold":
        """Return a fold that goes on from here and awaits no agreement."""
        branch = copy(self)
        branch.positions, branch.log, branch._cuts = self.positions[:], self.log[:], self._cuts[:]
        branch._agreements, branch._void = {**self._agreements}, {**self._void}
        branch._path, branch._tried, branch._awake = {**self._path}, {}, {**self._agreements}
        branch.advance()
        return branch

    @property
    def decided(self) -> bool:
        """Return whether the game is over, and no agreement can come into force behind that."""
        return self.broken is not None or decided(self.rules, self.position, self.held.chains, self.held.resigned)

    def may_go_on(self, own: Collection[int]) -> bool:
        """Return whether a game that two versions of an event have ended may prove never to have been over.

        A proof counts until every other operator has named the kept event, or more than half have signed a result that
        does not. The seats in `own`, which this client plays, sign no more.
        """
        position, held = (self._unbound or self).position, self.held
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

        None where all of them have resigned: such a client awaits nothing, it looks on.
        """
        own, epoch = {*seats} & {*self.position.live}, self.position.slot.epoch
        if not any(self.held.agreed(seat) > epoch for seat in own):
            return []
        signed = [one for one, events in self.agreements.items() if own & events.keys()]
        return [] if all(map(self.has_resigned, seats)) else sorted(signed)

    def _enter(self, awaited: Agreement | None, *, further: bool) -> bool:
        """Enter the highest epoch in force that is higher than what follows on its base; return whether there was one.

        No epoch is entered in place of that of the agreement `awaited`, of which the base may have to be entered first.
        `further`: the present epoch may go on further than the open slot, which is kept open for an agreement.
        """
        play = len(self.rules.operators_of(seat for seat in self.position.live if not self.has_resigned(seat)))
        at = play, self.position.slot.epoch, self.position.live
        if further or at != self._looked_at:
            self._awake, self._looked_at = {**self._agreements}, at
        for agreement, signed in sorted(self._awake.items(), key=itemgetter(0), reverse=True):
            lower = agreement.base in self._path and agreement <= self._path[agreement.base]
            if lower or self._is_void(agreement, signed):
                self._void[agreement] = self._agreements.pop(agreement)
                del self._awake[agreement]
            elif not self._may_be_in_force(agreement, signed, play, further=further):
                del self._awake[agreement]
            elif not (awaited and awaited.base < agreement.number < awaited.number) and (
                entered := self._entered(agreement, signed)
            ):
                while self._path and next(reversed(self._path)) >= agreement.base:
                    self._path.popitem()
                    self._agreements, self._void = {**self._agreements, **self._void}, {}
                    self._looked_at = 0, 0, ()
                self._path[agreement.base] = agreement
                self._tried.clear()
                *base, first = entered
                before = self.log
                if base == self.positions:  # the usual case: nothing that was folded goes back
                    self.positions.append(first)
                    self.log += first.applied
                else:
                    kept = [one for position in base for one in position.applied]
                    self.positions[:], self.log = entered, [*kept, *first.applied]
                    self._cuts.append(len([*takewhile(bool, map(eq, before, self.log))]))
                return True
        return False

    def _entered(self, agreement: Agreement, signed: dict[int, SignedEvent]) -> list[Position] | None:
        """Return the positions that an agreement leads to, None if it is not in force: that is not tried in vain."""
        chains = self.held.chains
        tried = self._tried.get(agreement)
        if tried and tried[0] == len(signed) and all(len(chains[seat - 1]) == at for seat, at in tried[1].items()):
            return None
        found = enter(self.rules, chains, self.held.resigned, self.positions, agreement, signed)
        if isinstance(found, list):
            return found
        last = {seat: chains[seat - 1][-1:] for seat in found}
        waits = [seat for seat in found if not last[seat] or last[seat][0].slot.epoch <= agreement.base]
        self._tried[agreement] = len(signed), {seat: len(chains[seat - 1]) for seat in waits}
        return None

    def _is_void(self, agreement: Agreement, signed: dict[int, SignedEvent]) -> bool:
        """Return whether an operator has signed an agreement that went on where the path rose above its number.

        That it has resigned since then changes nothing.
        """
        above = bisect(self.positions, agreement.number, key=lambda at: at.slot.epoch)
        went_on = self.rules.operators_of(seat for at in self.positions[above : above + 1] for seat in at.live)
        return not went_on.isdisjoint(self.rules.operators_of(signed))

    def _may_be_in_force(
        self, agreement: Agreement, signed: dict[int, SignedEvent], play: int, *, further: bool
    ) -> bool:
        """Return whether an agreement is signed by so many that folding its base anew is worth the time.

        The base cannot end with fewer live seats than the present position, nor fewer than `play` operators that have
        not resigned, unless it may go `further`.
        """
        epoch = self.position.slot.epoch
        if further or agreement.base > epoch:
            return agreement.base <= epoch
        if agreement.base == epoch and self.lacking(agreement):
            return False
        return is_majority(len(self.rules.operators_of(signed)), play)

    def _judged(self) -> Broken | None:
        """Return how equivocation has ended the game, None unless it has: for the others, who may be ahead, as well.

        Neither version counts for that, so that it is the same whichever is held. Of two players the one without
        equivocation has won. Of more players nobody has: else a player could equivocate to make a partner the winner.
        """
        ahead = self._unbound or self
        counting = self.held.judgement(ahead.position).counting
        if not counting:
            return None
        kept = [proof.kept for proof in counting]
        guilty = self.rules.operators_of({event.seat for event in kept})
        ended = _before(ahead.positions, kept)
        playing = self.rules.operators_of(ended.live)
        two = len(playing) == 2 and len(playing & guilty) == 1
        winners = tuple([seat for seat in ended.live if two and self.operators[seat - 1] not in guilty])
        for seat in [seat for seat in ended.live if winners and seat not in winners]:
            ended = self.rules.resigned(ended, seat)
        result = ended.due.result if isinstance(ended.due, Over) else None
        points = result.points if result and winners and result.winners == winners else (0,) * len(self.operators)
        # What rests on a version that others do not hold, they cannot hold either: it names nobody.
        first = [one.kept.seat for one in counting if not any(_rests(one, event) for event in kept)]
        operator, seat = min((self.operators[seat - 1], seat) for seat in first)
        reason = f"{self._names[operator - 1]} signed two versions of an event"
        return Broken(seat, Result(winners, points, reason), _before(self.positions, kept).plies)


def _rests(proof: Proof, event: SignedEvent) -> bool:
    """Return whether both versions of a proof name an event, in whichever version."""
    return all(one.lengths[event.seat - 1] >= event.number for one in proof)


def _before(positions: Sequence[Position], events: Collection[SignedEvent]) -> Position:
    """Return the last position at which none of these events lay behind."""
    return [at for at in positions if all(at.behind[one.seat - 1] < one.number for one in events)][-1]
