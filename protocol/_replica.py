"""A copy of a table: the chains of all seats as far as they are held, and the fold over them."""

from collections.abc import Iterable, Set
from itertools import takewhile
from typing import Any

from engine import MalformedError, Over, all_games
from protocol._charter import Charter
from protocol._deck import DeckScheme
from protocol._event import VOTE, Fork, Head, SignedEvent, read_event
from protocol._fold import Fold
from protocol._identity import Verifier

PENDING_LIMIT = 256
"""Events a seat may have ahead of what the fold has used; later ones are dropped and asked for again.

An honest seat has a handful. A flood of signed nonsense thus costs neither memory nor time.
"""
AHEAD_BYTES = 256 * 1024
"""Bytes of them, which bounds what a seat can make the others store for each move of the game."""


class PeerFaultError(Exception):
    """What a peer sent cannot be true; `reason` is fit to print."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Replica:
    """Takes in what is signed at a table, from anybody and in any order; nothing is signed here."""

    def __init__(self, charter: Charter, verifier: Verifier, scheme: DeckScheme) -> None:
        self.charter = charter
        self.id = charter.table
        self.game = all_games()[charter.body.game]
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self.forks: list[Fork] = []
        """Proofs of two versions; a seat has a second one only if it breaks off its chain earlier than the first."""
        self.refused: list[SignedEvent] = []
        """Signed events that can never count, because they contradict what their authors had seen before."""
        self._scheme = scheme
        self._verifier = verifier
        self._fold = Fold(charter, self.game, self.chains, scheme, self.forks)
        self._folded = True
        self._heads = 0, (Head(0, b""),) * len(self.chains)
        """The heads as of so many events."""
        self._pending: dict[tuple[int, int], SignedEvent] = {}
        self._waiting = [0] * len(self.chains)
        """How many bytes of each seat's events are pending."""
        self._spoken: set[tuple[bytes, int]] = set()
        """By the hash of an event of which two versions are known: seats that have named the one that is kept."""
        self._forked: list[int | None] = [None] * len(self.chains)
        """For each chain the first number of which two versions are known."""
        self._exchanged: set[tuple[int, int]] = set()
        """Seat and number of events of which the version held first was exchanged for the other."""

    @property
    def fold(self) -> Fold:
        """Return the fold of all that is held. It is brought up to date here, so what was signed can go out before."""
        if not self._folded:
            self._folded = True
            self._fold.advance()
        return self._fold

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return how far each chain goes."""
        events = sum(map(len, self.chains))
        if self._heads[0] != events:
            heads = tuple([Head(len(chain), chain[-1].hash if chain else b"") for chain in self.chains])
            self._heads = events, heads
        return self._heads[1]

    @property
    def state(self) -> Any:
        """Return the game's state: as everybody sees it, or in full at a table with one signer."""
        return self.fold.position.state

    def refolded(self) -> Fold:
        """Return a fold of all events held, from the beginning."""
        again = Fold(self.charter, self.game, self.chains, self._scheme, self.forks)
        again.advance()
        return again

    def consistent(self, event: SignedEvent) -> bool:
        """Return whether an event may fit what its author knew, though it does not fit what is known here.

        Votes and forks that come late change the state of a slot. Where the author knew another version of an event
        than is held here nobody can tell.
        """
        known = tuple(chain[: head.length] for head, chain in zip(event.heads, self.chains, strict=True))
        if any(head.length and chain[-1].hash != head.hash for head, chain in zip(event.heads, known, strict=True)):
            return True
        folds = [Fold(self.charter, self.game, known, self._scheme, forks) for forks in ((), self.forks)]
        for fold in folds:
            fold.advance()
        return any((fold.position.slot, fold.digest) == (event.slot, event.digest) for fold in folds)

    # What comes in.

    def receive(self, raw: bytes, signature: bytes) -> list[SignedEvent]:
        """Take in one event as it came from a peer. Returns and raises as `take`."""
        try:
            event = read_event(raw, signature)
        except MalformedError as error:
            raise PeerFaultError(f"a malformed event ({error})") from error
        return self.take(event)

    def take(self, event: SignedEvent, *, limited: bool = True) -> list[SignedEvent]:
        """Take in one event; return the events that count from now on, in order: it and those that waited for it.

        An event whose causes are not held yet waits; one that is held already changes nothing. Raises
        PeerFaultError for what no honest peer sends; nothing has changed then. What was stored came within the
        limits of its time and is not `limited` again.
        """
        if event.table != self.id or len(event.heads) != len(self.chains):
            raise PeerFaultError("an event of another table")
        chain = self.chains[event.seat - 1]
        number = event.number
        known = chain[number - 1] if number <= len(chain) else self._pending.get((event.seat, number))
        if known and known.hash == event.hash:
            return []
        if not event.signed_by(self.charter.body.seats[event.seat - 1].id, self._verifier):
            raise PeerFaultError(f"an event that seat {event.seat} did not sign")
        if known and number <= len(chain):
            return self._accept(cut=True) if self._note_fork(known, event) else []
        # A move may name more of a forked chain than anybody has.
        behind = min(self.fold.position.cursors[event.seat - 1], len(chain))
        if limited and number > behind + PENDING_LIMIT:
            return []
        alone = number == behind + 1 and not self._waiting[event.seat - 1]
        self._pending[event.seat, number] = event
        self._waiting[event.seat - 1] += len(event.raw) - (len(known.raw) if known else 0)
        if limited and not alone and self._ahead(event.seat, behind) > AHEAD_BYTES:
            self._let_go(event.seat, behind)
        return self._accept()

    def _let_go(self, seat: int, behind: int) -> None:
        """Forget the last events of a seat that wait, up to the limit: in whatever order they come the first stay."""
        ahead = self._ahead(seat, behind)
        for number in sorted((number for one, number in self._pending if one == seat), reverse=True):
            size = len(self._pending[seat, number].raw)
            if number == behind + 1 or ahead - size <= AHEAD_BYTES:
                break
            del self._pending[seat, number]
            self._waiting[seat - 1] -= size
            ahead -= size

    def _ahead(self, seat: int, behind: int) -> int:
        """Return how many bytes of a seat's events are held that the fold has not used."""
        return self._waiting[seat - 1] + sum(len(event.raw) for event in self.chains[seat - 1][behind:])

    def _note_fork(self, kept: SignedEvent, other: SignedEvent) -> bool:
        """Keep a proof of two versions if it says more than those held; return whether it does.

        More would only let a forker fill memory: the first is enough to name it, an earlier one cuts its chain earlier.
        """
        seat, fold = kept.seat, self.fold
        if any(fork.kept.seat == seat for fork in self.forks) and fold.decided(kept):
            return False
        self.forks.append(Fork(kept, other))
        first = self._forked[seat - 1]
        self._forked[seat - 1] = min(first or kept.number, kept.number)
        for fork in self.forks:  # whoever has forked has no say any more in what stands of others
            fold.recut(fork.kept)
        return True

    def _accept(self, *, cut: bool = False) -> list[SignedEvent]:
        """Move events whose causes are all held from those that wait to their chains, and fold what is new."""
        accepted: list[SignedEvent] = []
        found = True
        while found and self._pending:
            found = False
            for seat, chain in enumerate(self.chains, 1):
                event = self._pending.get((seat, len(chain) + 1))
                if event is None or not self._held(event):
                    continue
                del self._pending[seat, event.number]
                self._waiting[seat - 1] -= len(event.raw)
                if not self._causal(event):
                    self.refused = [*self.refused[:PENDING_LIMIT], event]
                    continue
                self._append(event)
                accepted.append(event)
                found = True
        if accepted or cut:
            self._folded = False
        return accepted

    def passed_over(self) -> list[Fork]:
        """Return the proofs of which all others have named the version that is not held, for `exchange`.

        The one held came first, to a player who has left, or who goes on from an old copy. Each event comes once, or
        two who work together could keep this client busy.
        """
        return [
            fork
            for fork in self.forks
            if (fork.kept.seat, fork.kept.number) not in self._exchanged
            and self.fold.passed_over(fork)
            and self._held(fork.other)
            and self._causal(fork.other)
        ]

    def exchange(self, fork: Fork) -> list[SignedEvent]:
        """Take everything in again as if the other version of an event had come first; return what is new by that."""
        seat, number = fork.kept.seat, fork.kept.number
        self._exchanged.add((seat, number))
        self._fold.refill(fork.kept)
        del self.chains[seat - 1][number - 1 :]
        held = [*(event for chain in self.chains for event in chain), fork.other]
        self._pending.update(((event.seat, event.number), event) for event in held)
        self._waiting = [0] * len(self.chains)
        for event in self._pending.values():
            self._waiting[event.seat - 1] += len(event.raw)
        for chain in self.chains:
            chain.clear()
        self._heads = 0, (Head(0, b""),) * len(self.chains)
        self._spoken.clear()
        exchanged = Fork(fork.other, fork.kept)
        forks = [exchanged if one == fork else one for one in self.forks]
        self.forks[:] = [one for one in forks if one.kept.seat != seat or one.kept.number <= number]
        known = {event.hash for event in held}
        return [event for event in self._accept() if event.hash not in known]

    def _append(self, event: SignedEvent) -> None:
        chain = self.chains[event.seat - 1]
        chain.append(event)
        if event.kind == VOTE:
            # One that its author has signed already, and not gone on since, says nothing new.
            vote = (VOTE, event.slot, event.digest, event.body)
            since = takewhile(lambda one: one.slot.step == event.slot.step, chain[-2 : -2 - PENDING_LIMIT : -1])
            if all((one.kind, one.slot, one.digest, one.body) != vote for one in since):
                self._fold.hear(event)
        if self._fold.votes:
            self._fold.go_on(event)
        for fork in self.forks:
            # What stands now may have its place at a slot that was closed without it.
            spoken = (fork.kept.hash, event.seat)
            if spoken not in self._spoken and self._fold.names(event.seat, fork.kept):
                self._spoken.add(spoken)
                self._fold.recut(fork.kept)

    def _operator(self, seat: int) -> int:
        return self.charter.body.seats[seat - 1].operator

    def _held(self, event: SignedEvent) -> bool:
        """Return whether everything that the event names is held, in this version.

        Of another seat's chain that is known to be forked, what comes from there on may be another version.
        """
        for seat, ((length, hash), chain) in enumerate(zip(event.heads, self.chains, strict=True), 1):
            if length and (length > len(chain) or chain[length - 1].hash != hash):
                forked = self._forked[seat - 1]
                if seat == event.seat or not forked or length < forked:
                    return False
        return True

    def _causal(self, event: SignedEvent) -> bool:
        """Return whether an event that is held names all that those it names had named.

        What another seat has named since it signed two versions counts for nothing here: not all hold it.
        """
        for seat, ((length, _), chain) in enumerate(zip(event.heads, self.chains, strict=True), 1):
            parted = self._forked[seat - 1]
            if not length or (parted and length >= parted and seat != event.seat):
                continue
            for at, needed in enumerate(chain[length - 1].heads):
                named = event.heads[at].length
                if named < needed.length:
                    forked = self._forked[at]
                    if not forked or named < forked - 1:
                        return False
        return True

    @property
    def forked(self) -> tuple[tuple[int, int], ...]:
        """Return seat and number of each event of which two versions are held."""
        return tuple((kept.seat, kept.number) for kept, _ in self.forks)

    def lacking(
        self, heads: tuple[Head, ...], forked: tuple[tuple[int, int], ...] = (), told: Set[bytes] = frozenset()
    ) -> list[SignedEvent]:
        """Return what a peer with these heads and proofs of forks lacks, causes first, but not what it was `told`.

        Where it holds another version of an event, all of ours that not everybody has named are among them: where two
        versions part, the proof of the fork is.
        """
        if len(heads) != len(self.chains):
            return []
        wanted: list[SignedEvent] = []
        for seat, (head, chain) in enumerate(zip(heads, self.chains, strict=True), 1):
            other = 0 < head.length <= len(chain) and chain[head.length - 1].hash != head.hash
            wanted += chain[min(head.length - 1, self._named(seat)) if other else head.length :]
        for fork in self.forks:
            if (fork.kept.seat, fork.kept.number) not in forked:
                wanted += fork
        news = [event for event in wanted if event.hash not in told]
        return sorted(news, key=lambda event: sum(head.length for head in event.heads))

    def waiting(self, peer: int, heads: tuple[Head, ...]) -> list[SignedEvent]:
        """Return what waits here of the seats of operator `peer`, whose own copy has these heads, and lacks it.

        It may never count, but its author must not sign anything else in its place.
        """
        return [
            event
            for (seat, number), event in sorted(self._pending.items())
            if self._operator(seat) == peer and number > heads[seat - 1].length
        ]

    def _named(self, seat: int) -> int:
        """Return how many events of a seat all other live seats have named."""
        others = [self.chains[other - 1] for other in self.fold.position.live if other != seat]
        return min((chain[-1].heads[seat - 1].length if chain else 0 for chain in others), default=0)

    # The end.

    def confirmed(self) -> tuple[int, ...]:
        """Return the seats that have signed the result as this fold has it."""
        if not isinstance(self.fold.position.due, Over):
            return ()
        return tuple(seat for seat in range(1, len(self.chains) + 1) if self.fold.contributed(seat))

    def owing(self) -> tuple[int, ...]:
        """Return the seats whom the table waits for, also for their signature under the result."""
        position = self.fold.position
        if isinstance(position.due, Over):
            return tuple(seat for seat in position.live if not self.fold.contributed(seat))
        return self.fold.owing()

    def load(self, events: Iterable[SignedEvent], forks: Iterable[Fork] = ()) -> None:
        """Take in what this client's own file holds: events, then proofs of forks, which so are not stored again.

        Raises PeerFaultError as `receive`.
        """
        for event in (*events, *(fork.other for fork in forks)):
            self.receive(event.raw, event.signature)
