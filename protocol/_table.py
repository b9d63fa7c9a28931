"""One client's copy of a table: the chains it holds, the fold over them, and what its own seats sign.

Nothing is sent from here: new events come back to the caller, who stores them before anybody sees them.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from engine import CHANCE, Action, MalformedError, NotationError, Over, Turn, Value, all_games
from protocol._audit import LastRound
from protocol._chance import Dealing, Hands, Roll
from protocol._charter import LOCAL, Charter
from protocol._deck import MASKED_DECK, DeckScheme
from protocol._event import (
    ACT,
    CLAIM,
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
    make_event,
    read_event,
)
from protocol._fold import Applied, Fold
from protocol._identity import ED25519, Signer, Verifier
from protocol._own_work import OwnWork
from protocol._secrets import Secrets

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


class LocalFaultError(Exception):
    """What this client's player asked for is not possible now; the message says why."""


class Table:
    """A replica of one table. `signers` holds the keys of the seats played here, if any, `secrets` what they hide."""

    def __init__(
        self,
        charter: Charter,
        signers: Mapping[int, Signer],
        secrets: Secrets | None = None,
        verifier: Verifier = ED25519,
        scheme: DeckScheme = MASKED_DECK,
    ) -> None:
        self.charter = charter
        self.id = charter.table
        self.game = all_games()[charter.body.game]
        self.signers = dict(sorted(signers.items()))
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self._scheme = OwnWork(scheme) if secrets else scheme
        self.forks: list[Fork] = []
        """Proofs of two versions; a seat has a second one only if it breaks off its chain earlier than the first."""
        self._fold = Fold(charter, self.game, self.chains, self._scheme, self.forks)
        self._folded = True
        self.last_round = LastRound(self._fold, self._scheme)
        self.refused: list[SignedEvent] = []
        """Signed events that can never count, because they contradict what their authors had seen before."""
        self.secrets = secrets
        self._verifier = verifier
        self._own_cards: dict[tuple[int, int], dict[int, Action]] = {}
        self._views: dict[int, tuple[int, Applied, Any]] = {}
        self._pending: dict[tuple[int, int], SignedEvent] = {}
        self._spoken: set[tuple[bytes, int]] = set()
        """By the hash of an event of which two versions are known: seats that have named the one that is kept."""
        self._forked: list[int | None] = [None] * len(self.chains)
        """For each chain the first number of which two versions are known."""
        self._against: set[int] = set()
        """Operators that this client's player wants removed, until they are heard of again."""

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
        return tuple(Head(len(chain), chain[-1].hash if chain else b"") for chain in self.chains)

    @property
    def state(self) -> Any:
        """Return the game's state: as everybody sees it, or in full at a table with one signer."""
        return self.fold.position.state

    def view(self, seat: int) -> Any:
        """Return the state as `seat` sees it; for a seat played elsewhere, as everybody does."""
        if self.charter.body.kind == LOCAL:
            return self.game.view(self.state, seat)
        log = self.fold.log
        if seat not in self.signers or not self.fold.position.deals or not log:
            return self.state
        known, last, view = self._views.get(seat, (0, log[0], log[0].before))
        if known > len(log) or (known and log[known - 1] is not last):
            known, view = 0, log[0].before
        for applied in log[known:]:
            action = applied.hands.seen(self._cards(seat, applied.hands)) if applied.hands else applied.action
            view = self.game.apply(view, applied.actor, action)
        self._views[seat] = (len(log), log[-1], view)
        return view

    def _cards(self, seat: int, hands: Hands) -> dict[int, Action]:
        """Return what was dealt to an own seat, by position in the deck."""
        key = (seat, hands.dealing.number)
        if key not in self._own_cards and self.secrets:
            self._own_cards[key] = hands.own(seat, self.secrets, self._scheme)
        return self._own_cards.get(key, {})

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

    def take(self, event: SignedEvent) -> list[SignedEvent]:
        """Take in one event; return the events that count from now on, in order: it and those that waited for it.

        An event whose causes are not held yet waits; one that is held already changes nothing. Raises
        PeerFaultError for what no honest peer sends; nothing has changed then.
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
        behind = self.fold.position.cursors[event.seat - 1]
        if number > behind + PENDING_LIMIT or self._ahead(event.seat, behind) > AHEAD_BYTES:
            return []
        self._pending[event.seat, number] = event
        return self._accept()

    def _ahead(self, seat: int, behind: int) -> int:
        """Return how many bytes of a seat's events are held that the fold has not used."""
        waiting = [event for (author, _), event in self._pending.items() if author == seat]
        return sum(len(event.raw) for event in (*self.chains[seat - 1][behind:], *waiting))

    def _note_fork(self, kept: SignedEvent, other: SignedEvent) -> bool:
        """Keep a proof of two versions if it says more than those held; return whether it does.

        More would only let a forker fill memory: the first is enough to name it, an earlier one cuts its chain earlier.
        """
        seat, fold = kept.seat, self.fold
        if any(fork.kept.seat == seat for fork in self.forks):
            cut = fold.cut(seat)
            if len(fold.operators()) < 3 or fold.settled(kept) or (cut is not None and cut < kept.number):
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
                if not self._causal(event):
                    self.refused = [*self.refused[:PENDING_LIMIT], event]
                    continue
                self._append(event)
                accepted.append(event)
                found = True
        if accepted or cut:
            self._folded = False
        return accepted

    def _append(self, event: SignedEvent) -> None:
        chain = self.chains[event.seat - 1]
        self._against.discard(self._operator(event.seat))
        chain.append(event)
        if event.kind == VOTE:
            vote = (VOTE, event.slot, event.body)
            if all((one.kind, one.slot, one.body) != vote for one in chain[-1 - PENDING_LIMIT : -1]):
                self._fold.hear(event)
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
        """Return whether the event names all that the events it names had named, as far as there is one version."""
        for (length, hash), chain in zip(event.heads, self.chains, strict=True):
            if 0 < length <= len(chain) and chain[length - 1].hash == hash:
                for at, ((needed, _), (named, _)) in enumerate(zip(chain[length - 1].heads, event.heads, strict=True)):
                    if named < needed:
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

    # What this client's seats sign.

    def duties(self) -> list[SignedEvent]:
        """Sign everything that the seats played here owe without a choice; return the new events, in order.

        Where an old copy signs again what it had signed before, what waited for that counts, and is new as well.
        """
        signed: list[SignedEvent] = []
        while given := self.due():
            signed += given
        return signed

    def due(self) -> list[SignedEvent]:
        """Sign what is owed to the slot that is open; what follows from it is left for the next call."""
        signed = self._accept()
        slot = self.fold.position.slot
        for seat in self.signers:
            event = self._duty(seat)
            if event:
                signed.append(event)
            if seat != max(self.signers) and self.fold.position.slot != slot:
                break
        return signed

    def _duty(self, seat: int) -> SignedEvent | None:
        position = self.fold.position
        kind = position.slot.kind
        if self.fold.cut(seat) is not None or self._signed_before(seat):
            return None
        if kind == END:
            if self.fold.contributed(seat):
                return None
            return self._sign(seat, RESULT, self.last_round.body(seat, self.secrets))
        if seat not in position.live or self.charter.body.kind == LOCAL:
            return None
        return self._owed(seat) or self._opinion(seat)

    def forgo(self) -> None:
        """Give up own events that only wait here: what they name never comes."""
        self._pending = {key: event for key, event in self._pending.items() if event.seat not in self.signers}

    def _signed_before(self, seat: int) -> bool:
        """Return whether an own seat's next event is here already, though what else it names is not."""
        event, chain = self._pending.get((seat, len(self.chains[seat - 1]) + 1)), self.chains[seat - 1]
        return event is not None and event.heads[seat - 1].hash == (chain[-1].hash if chain else b"")

    def _owed(self, seat: int) -> SignedEvent | None:
        """Sign what a seat owes to the open slot without a choice."""
        position = self.fold.position
        kind = position.slot.kind
        if kind == TURN:
            mine = isinstance(position.due, Turn) and position.due.seat == seat
            return self._sign(seat, SEQUENCE, ()) if mine and self.fold.asynchronous() else None
        if self.fold.contributed(seat):
            return None
        if kind == SETTLE:
            return self._sign(seat, SEQUENCE, ())
        machine = position.machine
        if not machine or not self.secrets or seat not in machine.contributors:
            return None
        own = self.chains[seat - 1][position.cursors[seat - 1] :]
        if self.forks and any(
            (one.kind, one.slot, one.digest) == (OPENING, position.slot, self.fold.digest) for one in own
        ):
            return None  # the commitments that it answered were forked: there is nothing left to hide
        if isinstance(machine, Roll) and (commitments := self.fold.commitments(seat, self.heads)):
            return self._sign(seat, OPENING, machine.open(seat, self.secrets, commitments))
        body = machine.contribute(seat, self.secrets, self._scheme)
        return self._sign(seat, machine.contribution, body) if body else None

    def _opinion(self, seat: int) -> SignedEvent | None:
        """Vote against who forked, or was voted against before, where the game waits for it."""
        fold, operator = self.fold, self._operator(seat)
        if not (self._against or self.forks or fold.votes) or seat != self._speaker():
            return None
        for target in fold.asked():
            if self._operator(target) == operator or operator in fold.voters(target):
                continue
            if fold.given(target) is None:
                wanted = fold.cut(target) is not None or self._operator(target) in self._against
                if wanted and len(fold.operators()) > 2:
                    return self._sign(seat, VOTE, (target,))
        return None

    def _speaker(self) -> int | None:
        """Return the live seat that votes for this client.

        One whose resignation waits for its place may vote as well: else a table could be too few to go on.
        """
        return min(self.signers.keys() & {*self.fold.position.live}, default=None)

    def forget(self) -> bool:
        """Give up the secrets of deals that are over and settled; return whether there was something to forget."""
        machine = self.fold.position.machine
        if not self.secrets or not isinstance(machine, Dealing) or not machine.pledges:
            return False
        # All seats have signed a pledge for this deal after the last event of the deal before.
        before, self.secrets = self.secrets, self.secrets.moved_on(machine.number)
        return self.secrets != before

    def play(self, seat: int, text: str) -> SignedEvent:
        """Sign a move of the seat to act. Raises LocalFaultError with the reason if it is not lawful."""
        self._may_act(seat)
        view = self.view(seat)
        action = text
        if self.game.refuse(view, seat, text):
            try:
                action = self.game.parse(view, text)
            except NotationError as error:
                raise LocalFaultError(str(error)) from error
            refusal = self.game.refuse(view, seat, action)
            if refusal:
                raise LocalFaultError(refusal.text)
        if action == "resign":
            return self.resign(seat)
        if self.fold.position.slot.kind == SETTLE:
            raise LocalFaultError("A seat has just resigned; the others' clients have to confirm it first.")
        hands = self.fold.position.hands
        if hands and hands.names(action):
            own = self._cards(seat, hands)
            body = hands.play(seat, action, own, self.secrets, self._scheme) if self.secrets else None
            if body is None:
                raise LocalFaultError("The secrets that open your cards are not here: this hand cannot be played.")
            return self._sign(seat, MOVE, body)
        # The seat's salt goes with the move that leads to a roll: one signature and one way less until all know it.
        roll = self.fold.foreseen(seat, action)
        shown = roll.contribute(seat, self.secrets, self._scheme) if roll and self.secrets else None
        return self._sign(seat, MOVE, (action, *(shown or ())))

    def resign(self, seat: int) -> SignedEvent:
        """Sign the resignation of a seat. Raises LocalFaultError if it no longer plays."""
        self._may_act(seat)
        return self._sign(seat, RESIGN, ())

    def wish_draw(self, seat: int, wish: bool) -> SignedEvent:
        """Sign a draw wish of a seat, or take it back. Raises LocalFaultError if that is not possible now."""
        self._may_act(seat)
        position = self.fold.position
        refusal = self.game.refuse(self.state, CHANCE, "draw")
        if refusal:
            raise LocalFaultError(refusal.text)
        if wish and position.wished[seat - 1]:
            raise LocalFaultError("You have offered a draw since your last move; make a move first.")
        if wish == bool(position.wishes[seat - 1]):
            raise LocalFaultError("You have offered a draw already." if wish else "You have offered no draw.")
        return self._sign(seat, WISH, (int(wish),))

    def vote(self, target: int) -> SignedEvent:
        """Sign a vote to remove a seat that the game waits for. Raises LocalFaultError if that is not possible now."""
        speaker = self._speaker() or min(self.signers)
        self._may_act(speaker)
        operator = self._operator(target)
        if operator == self._operator(speaker):
            raise LocalFaultError("You cannot vote against your own seat: `resign` gives it up.")
        if len(self.fold.operators()) < 3:
            raise LocalFaultError("Two players cannot vote: wait, `adjourn`, or `claim` the game.")
        if target not in self.fold.owing():
            raise LocalFaultError("Only a seat that the game waits for can be voted out.")
        if self._operator(speaker) in self.fold.voters(target):
            raise LocalFaultError("You have voted already: more than half of the players have to.")
        event = self._sign(speaker, VOTE, (target,))
        self._against.add(operator)
        return event

    def claim(self) -> SignedEvent:
        """Sign that the only other player is gone. Raises LocalFaultError if that is not possible now."""
        speaker = self._speaker() or min(self.signers)
        self._may_act(speaker)
        if len(self.fold.operators()) > 2:
            raise LocalFaultError("With three or more players you `vote` a seat out instead.")
        if all(self._operator(seat) == self._operator(speaker) for seat in self.fold.owing()):
            raise LocalFaultError("It is you the game waits for.")
        if speaker in self.fold.claims():
            raise LocalFaultError("You have claimed the game already: `quit` leaves it, a move of the other goes on.")
        return self._sign(speaker, CLAIM, ())

    def act(self, actor: int, action: str) -> SignedEvent:
        """Sign any actor's action at a table with one signer. Raises LocalFaultError with the reason."""
        refusal = self.game.refuse(self.state, actor, action)
        if refusal:
            raise LocalFaultError(refusal.text)
        return self._sign(1, ACT, (actor, action))

    def _may_act(self, seat: int) -> None:
        if seat not in self.signers:
            raise LocalFaultError("That seat is played elsewhere.")
        if isinstance(self.fold.position.due, Over):
            raise LocalFaultError("The game is over.")
        if seat not in self.fold.position.live:
            raise LocalFaultError("That seat no longer plays.")
        if self.fold.cut(seat) is not None:
            raise LocalFaultError("Two versions of your own play are about: an old copy was played on. You are out.")
        if self._signed_before(seat):
            raise LocalFaultError("You have played on from here already: what the others did then is on its way.")

    def _sign(self, seat: int, kind: int, body: tuple[Value, ...]) -> SignedEvent:
        fold = self.fold
        event = make_event(self.signers[seat], self.id, seat, self.heads, fold.position.slot, fold.digest, kind, body)
        self._append(event)
        self._folded = False
        return event

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
