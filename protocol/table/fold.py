"""What follows from the events held: the positions of all slots so far, the log of actions, and how the game ended."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from engine import Game, Over, Result
from protocol.cards import DeckScheme
from protocol.events import ASYNCHRONOUS, EventKind, SignedEvent, SlotKind
from protocol.formation import LOCAL, Charter
from protocol.table.epochs import Agreement, enter, has_resigned, is_majority
from protocol.table.held import Held
from protocol.table.log import in_effect
from protocol.table.position import Applied, Position, Rules
from protocol.table.step import asynchronous, given, open_slot, owing, step


class Broken(NamedTuple):
    """The game has ended because a seat signed two versions of an event that was not settled."""

    seat: int
    result: Result


class Fold:
    """The game that follows from the events in `held`. Reading changes nothing; `advance` takes in new events."""

    def __init__(self, charter: Charter, game: Game[Any], held: Held, scheme: DeckScheme) -> None:
        body = charter.body
        self.held = held
        self.operators = tuple(seat.operator for seat in body.seats)
        self.log: list[Applied] = []
        """Every action applied, in order, also those that a later one takes back."""
        self.broken: Broken | None = None
        self.agreements: dict[Agreement, dict[int, SignedEvent]] = {}
        """The agreements for a higher epoch than the present one, each with the events that sign it, by seat."""
        self._names = tuple(seat.name for seat in body.seats)
        self.rules = Rules(game, charter.table, scheme, self.operators, local=body.kind == LOCAL)
        start = self.rules.start(body.beginning(), len(body.seats), len(held.chains))
        self._opened = [open_slot(self.rules, start, first=True)]
        self._changed = 0

    @property
    def position(self) -> Position:
        """Return the position at the open slot."""
        return self._opened[-1]

    @property
    def positions(self) -> Sequence[Position]:
        """Return the positions of all slots so far, the open one last."""
        return self._opened

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
        return {self.operators[seat - 1] for seat in self.position.live}

    def changes(self) -> int:
        """Return the first index of `log` that is new or changed since the last call."""
        first, self._changed = self._changed, len(self.log)
        return first

    def replayed(self) -> bytes:
        """Return the digest of the public state after all of `log`, applied anew: another one shows a fault here."""
        state = self._opened[0].state
        for place in in_effect(self.log):
            state = self.rules.game.apply(state, self.log[place].actor, self.log[place].action)
        return self.rules.digest(state)

    def given(self, seat: int) -> SignedEvent | None:
        """Return a seat's contribution to the open slot, None if there is none; at the end that is its RESULT."""
        return given(self.position, self.held.chains, seat)

    def owing(self) -> tuple[int, ...]:
        """Return the seats that the table waits for, also for their signatures under the result."""
        if self.broken or (self.rules.local and self.position.slot.kind == SlotKind.END):
            return ()
        return owing(self.position, self.held.chains)

    def asynchronous(self) -> list[SignedEvent]:
        """Return the resignations and wishes that wait for a place."""
        return asynchronous(self.position, self.held.chains)

    def disputed(self) -> tuple[SignedEvent, ...]:
        """Return the contributions to the open slot whose digests are wrong: they were signed for another state."""
        position, chains = self.position, self.held.chains
        return tuple(
            event
            for seat in position.givers[: len(chains)]
            for event in chains[seat - 1][position.behind[seat - 1] :]
            if event.slot == position.slot
            and event.digest != position.digest
            and event.kind not in (*ASYNCHRONOUS, EventKind.EPOCH)
            and position.knows(event.heads)
        )

    def advance(self, news: Iterable[SignedEvent] = (), *, own: Collection[int] = ()) -> None:
        """Take in events that are new in the chains: enter the epoch that is in force, close every slot that can be.

        `own`: the seats that this client plays. While an agreement that an own seat has signed may come into force, no
        slot is closed and no lower epoch is entered: nothing that was shown is ever taken back.
        """
        for event in news:
            if event.kind == EventKind.EPOCH and not self.rules.local:
                self.agreements.setdefault(Agreement.of(event), {})[event.seat] = event
        while self._enter(self._awaited(own)) or self._close(own):
            pass
        # At a table with one signer a second version is an error of the file: there is nobody whom it could deceive.
        self.broken = self._judged() if self.held.proofs and not self.rules.local else None

    def has_resigned(self, seat: int) -> bool:
        """Return whether a seat has signed a resignation, in this epoch or before, that has no place yet."""
        return has_resigned(self.position, self.held.chains, seat)

    def bound(self, seats: Collection[int]) -> bool:
        """Return whether one of these seats plays, and has agreed to go on in a higher epoch than the present one."""
        epoch, live = self.position.slot.epoch, self.position.live
        return any(seat in live and self.held.agreed(seat) > epoch for seat in seats)

    def _close(self, own: Collection[int]) -> bool:
        """Close the open slot, unless an agreement is awaited; return whether it could be closed."""
        following = None if self._awaited(own) else step(self.rules, self.position, self.held.chains)
        if following:
            self._open(following)
        return following is not None

    def _open(self, position: Position) -> None:
        self._opened.append(position)
        self.log += position.applied

    def _awaited(self, seats: Collection[int]) -> Agreement | None:
        """Return the agreement that these seats have signed last, None if it can no longer come into force.

        It cannot where a seat that it needs has not signed it and can sign only higher epochs. A client whose seats
        have all resigned awaits nothing: it looks on.
        """
        if not self.bound(seats) or all(map(self.has_resigned, seats)):
            return None
        agreement = max(Agreement.of(event) for event in map(self.held.agreement, seats) if event)
        leavers = {*agreement.leavers}
        needed = {*self.position.live} - leavers - self.agreements.get(agreement, {}).keys()
        last = [self.held.chains[seat - 1][-1:] for seat in needed]
        dead = any(self.held.agreed(seat) > agreement.number for seat in needed) or any(
            event.slot.epoch > agreement.base for events in last for event in events
        )
        return agreement if not dead and self.enough(leavers) else None

    def enough(self, leavers: Collection[int]) -> bool:
        """Return whether enough operators would stay, if these live seats left and nothing else changed.

        Enough are a majority of the operators; an operator that has resigned does not count.
        """
        counted = self._counted
        stay = {self.operators[seat - 1] for seat in counted if seat not in leavers}
        return is_majority(len(stay), len({self.operators[seat - 1] for seat in counted}))

    @property
    def _counted(self) -> list[int]:
        """Return the live seats that have not resigned: those of operators that count for a majority."""
        return [seat for seat in self.position.live if not self.has_resigned(seat)]

    def _enter(self, awaited: Agreement | None) -> bool:
        """Enter the highest epoch in force; return whether there was one.

        None is entered in place of the one `awaited`. The base of that one may have to be entered first.
        """
        if not self.agreements:
            return False
        play = {self.operators[seat - 1] for seat in self._counted}
        for agreement in sorted(self.agreements, reverse=True):
            signed = self.agreements[agreement]
            if agreement.number <= self.position.slot.epoch:
                del self.agreements[agreement]
                continue
            if awaited and awaited.base < agreement.number < awaited.number:
                continue
            entered = None
            if self._may_be_in_force(agreement, signed, len(play), further=awaited is not None):
                entered = enter(self.rules, self.operators, self.held.chains, self._opened, agreement, signed)
            if entered:
                del self._opened[entered.kept + 1 :]
                first = self.position.plies
                before = self.log[first:]
                del self.log[first:]
                for position in entered.positions:
                    self._open(position)
                self._note_change(first, before)
                return True
        return False

    def _may_be_in_force(
        self, agreement: Agreement, signed: dict[int, SignedEvent], play: int, *, further: bool
    ) -> bool:
        """Return whether enough seats have signed an agreement that folding its base anew is worth the time.

        Its end cannot have fewer live seats than the present position, nor fewer operators that have not resigned than
        `play`, unless the base may go `further`.
        """
        stay = len({self.operators[seat - 1] for seat in signed})
        if not further and not is_majority(stay, play):
            return False
        if further or agreement.base != self.position.slot.epoch:
            return agreement.base <= self.position.slot.epoch
        return {*self.position.live} - {*agreement.leavers} <= signed.keys()

    def _note_change(self, first: int, before: list[Applied]) -> None:
        """Note from which action on the log differs from what it was."""
        while before and first < len(self.log) and self.log[first] == before[0]:
            before.pop(0)
            first += 1
        self._changed = min(self._changed, first)

    def _judged(self) -> Broken | None:
        """Return how equivocation has ended the game, None unless it has.

        Of two players the one without equivocation has won. Of more players nobody has: else a player could equivocate
        to make a partner the winner.
        """
        position, held = self.position, self.held
        guilty = [proof.kept.seat for proof in held.proofs if held.counts(proof, position)]
        if not guilty:
            return None
        operators = {self.operators[seat - 1] for seat in guilty}
        name = self._names[min(operators) - 1]
        others = [seat for seat in position.live if self.operators[seat - 1] not in operators]
        two = len(self.playing) == 2 and len(operators) == 1 and operators <= self.playing
        winners = tuple(others) if two else ()
        ended = position
        for seat in position.live:
            if seat not in others and winners and not isinstance(ended.due, Over):
                ended = self.rules.resigned(ended, seat)
        due = ended.due
        points = due.result.points if winners and isinstance(due, Over) else (0,) * len(self.operators)
        return Broken(min(guilty), Result(winners, points, f"{name} signed two versions of an event"))
