"""What the chains of a table say at one position of the fold: what of them stands, what is given and owed, who votes.

A seat's events stand up to the first that it has signed in two versions, unless all others had named that one before.
A seat is removed by the votes of more than half of the operators, each signed before its author had seen what the seat
owed; until then what it owed counts.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from engine import Game, Over, Pending, Result, Turn, digest
from protocol._chance import Hands, Machine, Standing
from protocol._event import (
    ASYNCHRONOUS,
    CLAIM,
    COMMIT,
    COMMITMENT,
    END,
    MOVE,
    OPENING,
    RESIGN,
    RESULT,
    SEQUENCE,
    SETTLE,
    TURN,
    VOTE,
    WISH,
    Fork,
    Head,
    SignedEvent,
    Slot,
)

_CONTRIBUTION = {SETTLE: SEQUENCE, END: RESULT}


class Cheat(NamedTuple):
    """What a seat signed against the rules; `event` is the hash of the evidence."""

    seat: int
    event: bytes
    reason: str


class Position(NamedTuple):
    """Everything the chains say up to one slot, the one that is open.

    `cursors` count how many events of each chain lie behind; `wishes` how many own moves each seat's draw wish
    still outlives; `wished` whether a seat has wished since its last own move; `machine` is what draws the chance
    that is due; `standing` are the commitments for the next roll; `hands` is the last deal, `deals` how many have
    begun; `effects` counts the events that had an effect. `supposed` are events that stand though their authors have
    signed other versions: later on all who are left have named them.
    """

    slot: Slot
    state: Any
    due: Pending
    live: tuple[int, ...]
    cursors: tuple[int, ...]
    wishes: tuple[int, ...]
    wished: tuple[int, ...]
    machine: Machine | None = None
    standing: Standing | None = None
    hands: Hands | None = None
    deals: int = 0
    effects: int = 0
    plies: int = 0
    cheats: tuple[Cheat, ...] = ()
    supposed: tuple[SignedEvent, ...] = ()

    @property
    def result(self) -> Result | None:
        """Return the result once the game is over."""
        return self.due.result if isinstance(self.due, Over) else None


class Reading:
    """Chains and forks of one table, read at `position`, the open slot; nothing here moves it.

    `chains[i]` belongs to seat i + 1, `operator_of[i]` is the seat whose client plays it.
    """

    def __init__(
        self,
        game: Game[Any],
        operator_of: tuple[int, ...],
        chains: Sequence[Sequence[SignedEvent]],
        forks: Sequence[Fork],
        position: Position,
    ) -> None:
        self.game = game
        self.position = position
        self._operator_of = operator_of
        self._chains = chains
        self._forks = forks
        self.votes = [event for chain in chains for event in chain if event.kind == VOTE]
        """All votes to remove a seat that are held, from any slot."""
        self._cuts: tuple[tuple[Any, ...], dict[int, int]] = ((), {})
        """For what `cut` was worked out last, and what it gave for each seat of which not all stands."""
        self._digests: tuple[Any, bytes] = (position.state, digest(game, position.state))

    @property
    def digest(self) -> bytes:
        """Return the digest of the public state at the open slot."""
        if self._digests[0] is not self.position.state:
            self._digests = (self.position.state, digest(self.game, self.position.state))
        return self._digests[1]

    # What stands.

    def forkers(self) -> set[int]:
        """Return the seats of which two versions of an event are held."""
        return {kept.seat for kept, _ in self._forks}

    def cut(self, seat: int) -> int | None:
        """Return how many events of a seat stand, None for all: not what it has signed in two versions, nor after that.

        With two operators nobody could decide: the version held stands. So does one that all others had named.
        """
        if not self._forks or len(self.operators()) < 3:
            return None
        # It is asked for at each step, and follows from who is live and what is held.
        live, supposed = self.position.live, self.position.supposed
        basis = (live, supposed, len(self._forks), len(self.votes), *map(len, self._chains))
        if basis != self._cuts[0]:
            cuts: dict[int, int] = {}
            for kept in self.open_forks():
                cuts[kept.seat] = min(kept.number - 1, cuts.get(kept.seat, kept.number))
            self._cuts = basis, cuts
        return self._cuts[1].get(seat)

    def open_forks(self) -> list[SignedEvent]:
        """Return the events that do not stand because their authors have signed other versions of them as well."""
        return [kept for kept, _ in self._forks if kept not in self.position.supposed and not self.settled(kept)]

    def settled(self, event: SignedEvent) -> bool:
        """Return whether every other live player has signed an event that names this one, in this version.

        Who has signed two versions itself has no say in it: what it names may also be two things.
        """
        forkers = self.forkers()
        operator = self._operator_of[event.seat - 1]
        others = [seat for seat in self.position.live if self._operator_of[seat - 1] != operator]
        return bool(others) and all(self.names(seat, event) for seat in others if seat not in forkers)

    def passed_over(self, fork: Fork) -> bool:
        """Return whether it is the version not held of a forked event that every other live player has named."""
        return self.settled(fork.other) and not self.settled(fork.kept)

    def names(self, seat: int, event: SignedEvent) -> bool:
        """Return whether a seat has named `event`, or a later one of the chain it stands in.

        Who votes against the author does not speak for it by what it signs at that slot, only by going on with it.
        Nor does anybody once an epoch has ended with a vote against the author: it may have ended by that. Who has left
        says in the end what it knows: that it had named it before cannot come to light any more.
        """
        chain, at = self._chains[seat - 1], event.seat - 1
        forkers = self.forkers()
        votes = [
            vote
            for vote in self.votes
            if vote.body == (event.seat,) and vote.seat not in forkers and not event.follows(vote)
        ]
        voted = -1
        # What it has named may become less where the author has signed two versions of anything.
        first = next((one.number for one in chain if one.heads[at].length >= event.number), len(chain) + 1)
        resigned = next((one.number for one in chain if one.kind == RESIGN), None)
        for one in chain[first - 1 : resigned]:
            if one.kind == RESULT and self._voted_out(one):
                return False
            if (one.kind, one.body) == (VOTE, (event.seat,)):
                voted = max(voted, one.slot.step)
            elif one.slot.step > voted:
                if any(vote.slot.epoch < one.slot.epoch and one.follows(vote) for vote in votes):
                    return False
                return self._leads_to(one.heads[at], event) and not self._gone_on_without(seat, event)
        return False

    def _gone_on_without(self, seat: int, event: SignedEvent) -> bool:
        """Return whether a seat has voted against the author where an event counts, and gone on in a new epoch.

        So one who has voted too cannot bring the author back by signing two versions itself, which leaves it no say.
        """
        return any(
            vote.seat == seat
            and vote.body == (event.seat,)
            and vote.slot.epoch == event.slot.epoch
            and vote.slot.step <= event.slot.step
            and self._epoch_after(vote) not in (None, vote.slot.epoch)
            for vote in self.votes
        )

    def _leads_to(self, head: Head, event: SignedEvent) -> bool:
        """Return whether the play that a head names goes on from `event`.

        What it names may be another version of a later event than the one held: that one tells what it follows.
        """
        chain, (length, hash) = self._chains[event.seat - 1], head
        others = {(other.number, other.hash): other for _, other in self._forks if other.seat == event.seat}
        while length >= event.number:
            if length <= len(chain) and chain[length - 1].hash == hash:
                return chain[event.number - 1].hash == event.hash
            if hash == event.hash:
                return True
            other = others.get((length, hash))
            if other is None:
                return False
            length, hash = other.heads[event.seat - 1]
        return False

    def _voted_out(self, event: SignedEvent) -> bool:
        """Return whether an event may have been signed by a seat that had been removed."""
        return any(
            vote.body == (event.seat,) and vote.slot.epoch < event.slot.epoch and event.follows(vote)
            for vote in self.votes
        )

    def _ahead(self, seat: int) -> Sequence[SignedEvent]:
        """Return the events of a seat that lie ahead of its cursor."""
        at = seat - 1
        return self._chains[at][self.position.cursors[at] : self.cut(seat) if self._forks else None]

    # Votes and claims.

    def operators(self) -> set[int]:
        """Return the seats whose clients play the live seats: those who count in a vote."""
        return {self._operator_of[seat - 1] for seat in self.position.live}

    def voters(self, target: int) -> set[int]:
        """Return the operators that voted at the open slot to remove `target`, not having seen what it owes."""
        if self.position.slot.kind == END or target not in self.asked():
            return set()
        given = self.given(target)
        if given and any(kept.seat == target and kept.number <= given.number for kept, _ in self._forks):
            given = None
        return {
            self._operator_of[seat - 1]
            for seat in self.position.live
            for event in self._ahead(seat)
            if event.kind == VOTE
            and event.body == (target,)
            and self._fits(event)
            and not (given and event.heads[target - 1].length >= given.number)
            and not self._lapsed(event)
        }

    def _lapsed(self, vote: SignedEvent) -> bool:
        """Return whether the author of a vote has gone on from its slot since, with the seat that it was against."""
        return self._epoch_after(vote, self.cut(vote.seat) if self._forks else None) == vote.slot.epoch

    def _epoch_after(self, vote: SignedEvent, cut: int | None = None) -> int | None:
        """Return the epoch in which the author of a vote has gone on from its slot, if it has, within `cut` events."""
        later = (event for event in self._chains[vote.seat - 1][vote.number : cut] if event.slot.step > vote.slot.step)
        return next((event.slot.epoch for event in later), None)

    def claims(self) -> tuple[int, ...]:
        """Return the seats that claim, at the open slot, that the other player is gone."""
        slot = self.position.slot
        return tuple(
            seat
            for seat in self.position.live[: len(self._chains)]
            if any(event.kind == CLAIM and event.slot == slot for event in self._ahead(seat))
        )

    # The open slot.

    def asked(self) -> tuple[int, ...]:
        """Return the seats of which the open slot asks something, whether they have given it or not."""
        due = self.position.due
        return (due.seat,) if isinstance(due, Turn) and self.position.slot.kind == TURN else self.contributors()

    def contributors(self) -> tuple[int, ...]:
        """Return the seats that the open gather slot takes something from."""
        position = self.position
        return position.machine.contributors if position.machine else position.live

    def owing(self) -> tuple[int, ...]:
        """Return the seats whom the open slot waits for."""
        position = self.position
        if isinstance(position.due, Over):
            return ()
        if position.slot.kind == TURN:
            return self.asked()
        return tuple(seat for seat in self.contributors() if not self.contributed(seat))

    def given(self, seat: int) -> SignedEvent | None:
        """Return what a seat gave to the open slot: what it owed, or its resignation."""
        position = self.position
        if position.slot.kind == TURN:
            return next(filter(self._fills, self._ahead(seat)), None)
        later = False
        for event in self._ahead(seat):
            later = later or event.slot.step > position.slot.step
            if (event.kind == RESIGN and not later) or self._gives(event):
                return event
        return None

    def contributed(self, seat: int) -> bool:
        """Return whether the seat has given what it owes to the open gather slot."""
        return any(map(self._gives, self._ahead(seat)))

    def confirmation(self, seat: int) -> SignedEvent | None:
        """Return the RESULT of a seat once the game is over and it has signed one."""
        over = self.position.slot.kind == END
        return next(filter(self._gives, self._ahead(seat)), None) if over else None

    def commitments(self, seat: int, heads: tuple[Head, ...]) -> tuple[SignedEvent, ...]:
        """Return the commitments of all other seats to the open roll, if `heads` names all of them, else nothing."""
        if self.position.slot.kind != COMMIT:
            return ()
        found = []
        for other in self.contributors():
            if other != seat:
                given = (event for event in self._ahead(other) if event.kind == COMMITMENT and self._fits(event))
                event = next(given, None)
                if event is None or event.number > heads[other - 1].length:
                    return ()
                found.append(event)
        return tuple(found)

    def disputed(self) -> tuple[SignedEvent, ...]:
        """Return events for the open slot that were made for another state: their authors' digests are wrong.

        Who has not heard yet of a resignation that made the slot before void is not wrong, and will sign again. Nor is
        who has signed for this state before: it has heard since of what is not held here, such as two versions.
        """
        slot, expected = self.position.slot, self.digest
        found: list[SignedEvent] = []
        for seat, (chain, cursor) in enumerate(zip(self._chains, self.position.cursors, strict=True), 1):
            if len(chain) > cursor:
                ahead = [event for event in self._ahead(seat) if event.slot == slot and event.kind not in ASYNCHRONOUS]
                other = list(takewhile(lambda event: event.digest != expected, ahead))
                found += [event for event in other if self._informed(event)]
        return tuple(found)

    def _informed(self, event: SignedEvent) -> bool:
        """Return whether the author of an event knew all that lies behind."""
        return all(head.length >= behind for head, behind in zip(event.heads, self.position.cursors, strict=True))

    def _contribution(self) -> int | None:
        """Return the kind of event that the open gather slot takes."""
        position = self.position
        return position.machine.contribution if position.machine else _CONTRIBUTION.get(position.slot.kind)

    def _fits(self, event: SignedEvent) -> bool:
        return event.slot == self.position.slot and event.digest == self.digest and not self._parted(event)

    def _parted(self, event: SignedEvent) -> bool:
        """Return whether an event goes on from another version of a live seat's play than the one that stands here.

        What answers the other one is not judged here: its author may have been shown no other.
        """
        if not self._forks:
            return False
        for seat in self.forkers() & {*self.position.live}:
            chain, (length, hash), cut = self._chains[seat - 1], event.heads[seat - 1], self.cut(seat)
            if any(kept.seat == seat and kept.number <= length for kept, _ in self._forks):
                # Beyond the cut nobody can tell, nor does it matter.
                named = length <= len(chain) and chain[length - 1].hash == hash
                if not named and (cut is None or length <= cut):
                    return True
        return False

    def _gives(self, event: SignedEvent) -> bool:
        """Return whether an event is what the open gather slot takes."""
        if event.kind == OPENING:
            return self._fits(event) and bool(self.commitments(event.seat, event.heads))
        return event.kind == self._contribution() and self._fits(event)

    def _fills(self, event: SignedEvent) -> bool:
        """Return whether an event of the seat to act closes the turn; what would change nothing does not."""
        if event.kind in (RESIGN, MOVE):
            return event.kind == RESIGN or self._fits(event)
        if event.kind not in (SEQUENCE, WISH) or not self._fits(event):
            return False
        return any(map(self._counts, (*self._named(event), event)))

    # Resignations and wishes.

    def asynchronous(self) -> list[SignedEvent]:
        """Return the asynchronous events of live seats that have no place yet, in the order they would apply.

        None if they would change nothing: such events wait for the next move, so that nobody keeps others signing.
        """
        found = [event for seat in self.position.live for event in self._ahead(seat) if event.kind in ASYNCHRONOUS]
        return sorted(found, key=place) if any(map(self._counts, found)) else []

    def _named(self, event: SignedEvent) -> list[SignedEvent]:
        """Return the asynchronous events without a place that an event names."""
        return [one for one in self.asynchronous() if one.number <= event.heads[one.seat - 1].length]

    def _counts(self, event: SignedEvent) -> bool:
        """Return whether an asynchronous event would change anything now."""
        position, at = self.position, event.seat - 1
        if event.seat not in position.live or event.kind not in ASYNCHRONOUS:
            return False
        if event.kind == RESIGN:
            return True
        return not position.wished[at] if event.body == (1,) else position.wishes[at] > 0


def place(event: SignedEvent) -> tuple[int, int, int]:
    """Return the key by which asynchronous events are ordered that take effect at one point."""
    # An event signed after another one was known carries a later slot, so causes come before effects.
    return event.slot.step, event.seat, event.number
