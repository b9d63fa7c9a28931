"""Which proofs of equivocation end the game, and which are evidence and nothing else (docs/protocol.md, section 9)."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from engine import Over, Result
from protocol.events import Proof, SignedEvent, SlotKind
from protocol.table.epochs import is_majority
from protocol.table.position import Exit, Position
from protocol.table.rules import Rules
from protocol.table.step import given, owing

PROOFS_KEPT = 8
"""Proofs against one seat that are kept whatever they show; after them only one that ends the game earlier."""


class Broken(NamedTuple):
    """The game has ended because a seat signed two versions of an event that was not settled.

    `plies`: so many actions had been applied before any event of which there are two versions lay behind.
    """

    seat: int
    result: Result
    plies: int


class Verdict(IntEnum):
    """What a second version of an event means. From one event of a chain to the next it never falls."""

    SETTLED = 0
    """Every other operator that plays has named the event, or the RESULTs of all judges do."""
    COUNTS = 1
    """It ends the game."""
    IDLE = 2
    """No player has relied on the event, or the result stands without it."""


class Judgement:
    """What the proofs held of a table mean at one position. Made anew when an event is added to what it is made of.

    A hostile file has thousands of proofs and of events: the work for an event grows with the seats alone.
    """

    def __init__(
        self,
        position: Position,
        operators: Sequence[int],
        chains: Sequence[Sequence[SignedEvent]],
        waiting: Mapping[tuple[int, int], SignedEvent],
        proofs: Sequence[Sequence[Proof]],
    ) -> None:
        """Judge at `position`. `operators`: the operator of each seat; `waiting`: events by seat and number.

        `proofs`: those against each seat, by number.
        """
        self._position, self._operators = position, operators
        self._chains, self._waiting, self._proofs = chains, waiting, proofs
        self._playing = self._operators_of(position.live)

    @cached_property
    def ending(self) -> list[Proof]:
        """Of each seat the first proof that ends the game: what is signed later changes nothing about how it ended."""
        return [found for seat in range(1, len(self._chains) + 1) if (found := self._first(seat))]

    @property
    def counting(self) -> list[Proof]:
        """All proofs that end the game."""
        return [proof for own in self._proofs for proof in own if self.verdict(proof.kept) == Verdict.COUNTS]

    def verdict(self, kept: SignedEvent) -> Verdict:
        """Return what a second version of `kept` means.

        * SETTLED: `kept` is settled.
        * IDLE: its author does not play any more, it does not lie behind, and no player relied on it.
        * Else what the signed results decide.
        """
        if self.settled(kept):
            return Verdict.SETTLED
        matters = kept.seat in self._position.live or self._lies_behind(kept) or self._relied_on(kept)
        return self._decided(kept) if matters else Verdict.IDLE

    def settled(self, event: SignedEvent) -> bool:
        """Return whether every other operator that still plays has signed an event that names this one.

        An event in doubt confirms nothing, nor does what rests on it: it has two versions, and not all have named it.
        Else one client could hold the version that names `event`, and another client the one that does not.
        """
        return event.number <= self._settled[event.seat - 1]

    def adds(self, kept: SignedEvent) -> bool:
        """Return whether a second version of `kept` adds to the proofs that a client keeps.

        Which these are must not depend on their order: what ends the game earliest is always kept.
        """
        own = self._proofs[kept.seat - 1]
        if proof_of(own, kept.number):
            return False
        if len(own) < PROOFS_KEPT:
            return True
        if not self._lies_behind(kept) or self.verdict(kept) != Verdict.COUNTS:
            return False
        first = self._first(kept.seat)
        return first is None or kept.number < first.kept.number

    def _first(self, seat: int) -> Proof | None:
        """Return the first proof against a seat that ends the game."""
        own = self._proofs[seat - 1]
        at = bisect_left(own, Verdict.COUNTS, key=lambda proof: self.verdict(proof.kept))
        return own[at] if at < len(own) and self.verdict(own[at].kept) == Verdict.COUNTS else None

    def may_end_without(self, event: SignedEvent, own: Collection[int]) -> bool:
        """Return whether more than half of the judges can sign a result that does not name `event`, without `own`.

        False as well where the open slot waits for a seat in `own`, or where its operator is no judge.
        """
        judges, operators = self._judges(event), self._operators_of(own)
        due = not {*owing(self._position, self._chains)}.isdisjoint(own)
        return operators <= judges and is_majority(len(judges - operators), len(judges)) and not due

    @cached_property
    def _settled(self) -> list[int]:
        """How many events of each chain are settled, found once: a hostile file has many proofs and many events."""
        return self._named_by_all(
            [min([len(chain), *(self._before(chain, event) for event in self._doubt)]) for chain in self._chains]
        )

    @cached_property
    def _doubt(self) -> list[SignedEvent]:
        """Of each seat the first kept event that not every other operator has named.

        An event that names a later one of a chain names each earlier one of that chain as well.
        """
        named = self._named_by_all([*map(len, self._chains)])
        first = [bisect_right(own, most, key=_number) for own, most in zip(self._proofs, named, strict=True)]
        return [own[at].kept for own, at in zip(self._proofs, first, strict=True) if at < len(own)]

    def _named_by_all(self, lengths: Sequence[int]) -> list[int]:
        """Return how many events of each chain all other operators that play name in their first so many events."""
        last = [chain[length - 1] if length else None for chain, length in zip(self._chains, lengths, strict=True)]
        named = list[int]()
        for seat, chain in enumerate(self._chains, 1):
            most = dict.fromkeys(self._playing - {self._operators[seat - 1]}, 0)
            for by in self._position.live:
                operator, event = self._operators[by - 1], last[by - 1]
                if event and operator in most:
                    most[operator] = max(most[operator], event.lengths[seat - 1])
            named.append(min(most.values(), default=len(chain)))
        return named

    def _before(self, chain: Sequence[SignedEvent], event: SignedEvent) -> int:
        """Return how many events of a chain come before the first that names `event`, in either version, or is it."""
        first = bisect_left(chain, event.number, key=lambda one: one.lengths[event.seat - 1])
        return min(first, event.number - 1) if chain is self._chains[event.seat - 1] else first

    def _lies_behind(self, event: SignedEvent) -> bool:
        return event.number <= self._position.behind[event.seat - 1]

    def _relied_on(self, event: SignedEvent) -> bool:
        """Return whether a player relied on `event`: one of these events names its number, in either version.

        * Of a live seat: its whole chain, and its next event while that waits for its causes.
        * Of any other seat: only the events that lie behind.
        """
        live, behind = self._position.live, self._position.behind
        used = [chain if at in live else chain[: behind[at - 1]] for at, chain in enumerate(self._chains, 1)]
        last = [chain[-1] for chain in used if chain]
        last += [one for (at, number), one in self._waiting.items() if at in live and number == len(used[at - 1]) + 1]
        return any(one.lengths[event.seat - 1] >= event.number for one in last)

    def _decided(self, event: SignedEvent) -> Verdict:
        """Return what the signed results decide about a second version of `event`.

        * SETTLED: the results of all judges name it, so all have confirmed one version.
        * IDLE: the results of more than half of the judges do not name it, so it has not led to the result.
        * COUNTS: neither.
        """
        naming, others = set[int](), set[int]()
        for seat in self._position.live if self._position.slot.kind == SlotKind.END else ():
            if result := given(self._position, self._chains, seat):
                named = result.lengths[event.seat - 1] >= event.number
                (naming if named else others).add(self._operators[seat - 1])
        judges = self._judges(event)
        if judges <= naming:
            return Verdict.SETTLED
        return Verdict.IDLE if is_majority(len(others & judges), len(judges)) else Verdict.COUNTS

    def _judges(self, event: SignedEvent) -> set[int]:
        """Return the judges of `event`, of which there are two versions.

        A result counts once more than half of these operators have signed it without naming `event`. Operators with a
        proof against them are no judges, unless there is a proof against each.
        """
        return self._playing - self._guilty - {self._operators[event.seat - 1]} or self._playing

    @cached_property
    def _guilty(self) -> set[int]:
        return self._operators_of([seat for seat, own in enumerate(self._proofs, 1) if own])

    def _operators_of(self, seats: Iterable[int]) -> set[int]:
        return {self._operators[seat - 1] for seat in seats}


def proof_of(proofs: Sequence[Proof], number: int) -> Proof | None:
    """Return the proof about one event among those against its seat, which are by number."""
    at = bisect_left(proofs, number, key=_number)
    return proofs[at] if at < len(proofs) and _number(proofs[at]) == number else None


def _number(proof: Proof) -> int:
    return proof.kept.number


def ended_by(
    proofs: Sequence[Proof],
    positions: Sequence[Position],
    shown: Sequence[Position],
    rules: Rules,
    names: Sequence[str],
) -> Broken:
    """Return how the game has ended by `proofs`, at least one: of each seat the first one that counts.

    `positions`: of all slots so far, where the other clients may be; `shown`: those that this client has shown, in
    which `Broken.plies` is counted; `names`: of the seats.

    Neither version counts for the result, so that it is the same whichever is held. Of two players the one without
    equivocation has won. Of more players nobody has: else a player could equivocate to make a partner the winner.
    """
    operators, kept = rules.operators, [proof.kept for proof in proofs]
    guilty = rules.operators_of({event.seat for event in kept})
    ended = _before(positions, kept)
    playing = rules.operators_of(ended.live)
    two = len(playing) == 2 and len(playing & guilty) == 1
    winners = tuple([seat for seat in ended.live if two and operators[seat - 1] not in guilty])
    for seat in [seat for seat in ended.live if winners and seat not in winners]:
        ended = rules.resigned(ended, seat, Exit.BREACH)
    result = ended.due.result if isinstance(ended.due, Over) else None
    points = result.points if result and winners and result.winners == winners else (0,) * len(operators)
    # What rests on a version that others do not hold, they cannot hold either: it names nobody.
    first = [one.kept.seat for one in proofs if not any(_rests(one, event) for event in kept)]
    operator, seat = min((operators[seat - 1], seat) for seat in first)
    reason = f"{names[operator - 1]} signed two versions of an event"
    return Broken(seat, Result(winners, points, reason), _before(shown, kept).plies)


def _rests(proof: Proof, event: SignedEvent) -> bool:
    """Return whether both versions of a proof name an event, in whichever version."""
    return all(one.lengths[event.seat - 1] >= event.number for one in proof)


def _before(positions: Sequence[Position], events: Collection[SignedEvent]) -> Position:
    """Return the last position at which none of these events lay behind: what lies behind only grows on a path."""
    lies_behind = bisect_left(
        positions, True, key=lambda at: any(at.behind[one.seat - 1] >= one.number for one in events)
    )
    return positions[lies_behind - 1]
