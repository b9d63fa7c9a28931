"""The path of a game through its epochs: the positions of all slots, and the agreements that may lead elsewhere."""

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from protocol.events import SignedEvent
from protocol.table.epochs import Agreement, NotInForce, enter, has_resigned, is_majority, lacking
from protocol.table.held import Held
from protocol.table.position import Position
from protocol.table.rules import Rules
from protocol.table.step import step


class _LookedAt(NamedTuple):
    """Where agreements were judged: what of a position decides which of them the same chains bring into force."""

    operators: int
    """How many operators play and have not resigned."""
    epoch: int
    live: tuple[int, ...]
    """The live seats."""


_NOWHERE = _LookedAt(0, 0, ())


class _Tried(NamedTuple):
    """When an agreement was judged that was not in force then."""

    signatures: int
    """How many seats had signed it."""
    lengths: dict[int, int]
    """By seat, how far the chains went that could still bring it into force."""


class Path:
    """The positions that the chains in `held` lead to, slot by slot and epoch by epoch.

    Each agreement that was noted is in `agreements` or in `_void`, never in both; each in `_awake` is in `agreements`.
    """

    def __init__(self, rules: Rules, held: Held, positions: Sequence[Position]) -> None:
        """Begin at the last one of `positions`."""
        self._rules, self._held = rules, held
        self.positions = [*positions]
        """The positions of all slots so far, the open one last."""
        self.entered: dict[int, Agreement] = {}
        """By its base, each agreement by which an epoch up to the present one began, in their order."""
        self.agreements: dict[Agreement, dict[int, SignedEvent]] = {}
        """The agreements that may yet take a place on the path, each with the events that sign it, by seat."""
        self._void: dict[Agreement, dict[int, SignedEvent]] = {}
        """Those that take none as long as the path is not cut."""
        self._awake: set[Agreement] = set()
        """Agreements to be judged again. An agreement that longer chains cannot bring into force is left out until
        another seat signs it, or until `_looked_at` changes."""
        self._looked_at = _NOWHERE
        """Where they were judged last."""
        self._tried: dict[Agreement, _Tried] = {}
        """The agreements that were not in force: while the path is the same, only another signature or a longer one of
        those chains can bring one into force."""

    @property
    def position(self) -> Position:
        """Return the position at the open slot."""
        return self.positions[-1]

    def fork(self) -> "Path":
        """Return a path that has come as far as this one and goes on by itself."""
        fork = Path(self._rules, self._held, self.positions)
        fork.entered = {**self.entered}
        fork.agreements = {agreement: {**signed} for agreement, signed in self.agreements.items()}
        fork._void = {agreement: {**signed} for agreement, signed in self._void.items()}
        return fork

    def note(self, event: SignedEvent) -> None:
        """Note an EPOCH event, which signs an agreement."""
        agreement = Agreement.of(event)
        if agreement in self._void:
            self._void[agreement][event.seat] = event
        else:
            self.agreements.setdefault(agreement, {})[event.seat] = event
            self._awake.add(agreement)

    def follow(self) -> None:
        """Go on as far as the chains allow."""
        while self.enter() or self.close():
            pass

    def close(self) -> bool:
        """Close the open slot; return whether it could be closed."""
        following = step(self._rules, self.positions[-1], self._held.chains)
        if following:
            self.positions.append(following)
        return following is not None

    def enter(self, awaited: Agreement | None = None, *, further: bool = False) -> bool:
        """Enter the highest epoch in force that is higher than what follows on its base; return whether there was one.

        No epoch is entered in place of that of the agreement `awaited`, of which the base may have to be entered first.
        `further`: the present epoch may go on further than the open slot, which is kept open for an agreement.
        """
        if not self.agreements:
            return False
        position, resigned = self.position, self._held.resigned
        play = len(self._rules.operators_of(one for one in position.live if not has_resigned(position, resigned, one)))
        at = _LookedAt(play, position.slot.epoch, position.live)
        if further or at != self._looked_at:
            self._awake, self._looked_at = {*self.agreements}, at
        for agreement in sorted(self._awake, reverse=True):
            signed = self.agreements[agreement]
            lower = agreement.base in self.entered and agreement <= self.entered[agreement.base]
            if lower or self._is_void(agreement, signed):
                self._void[agreement] = self.agreements.pop(agreement)
                self._awake.remove(agreement)
            elif not self._may_be_in_force(agreement, signed, play, further=further):
                self._awake.remove(agreement)
            elif not (awaited and awaited.base < agreement.number < awaited.number) and (
                positions := self._positions(agreement, signed)
            ):
                self._cut(agreement.base)
                self.entered[agreement.base] = agreement
                self.positions = positions
                return True
        return False

    def _cut(self, base: int) -> None:
        """Forget what was entered on an epoch from `base` on. What was void may then have a place again."""
        while self.entered and next(reversed(self.entered)) >= base:
            self.entered.popitem()
            self.agreements, self._void = {**self.agreements, **self._void}, {}
            self._looked_at = _NOWHERE
        self._tried.clear()

    def _positions(self, agreement: Agreement, signed: dict[int, SignedEvent]) -> list[Position] | None:
        """Return the positions that an agreement leads to, None if it is not in force: that is not tried in vain."""
        chains = self._held.chains
        tried = self._tried.get(agreement)
        if tried and tried == _Tried(len(signed), {seat: len(chains[seat - 1]) for seat in tried.lengths}):
            return None
        found = enter(self._rules, chains, self._held.resigned, self.positions, agreement, signed)
        if not isinstance(found, NotInForce):
            return found
        last = {seat: chains[seat - 1][-1:] for seat in found.lacking}
        waits = [seat for seat in found.lacking if not last[seat] or last[seat][0].slot.epoch <= agreement.base]
        self._tried[agreement] = _Tried(len(signed), {seat: len(chains[seat - 1]) for seat in waits})
        return None

    def _is_void(self, agreement: Agreement, signed: dict[int, SignedEvent]) -> bool:
        """Return whether an operator has signed an agreement that went on where the path rose above its number.

        That it has resigned since then changes nothing.
        """
        above = bisect(self.positions, agreement.number, key=lambda at: at.slot.epoch)
        went_on = self._rules.operators_of(seat for at in self.positions[above : above + 1] for seat in at.live)
        return not went_on.isdisjoint(self._rules.operators_of(signed))

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
        if agreement.base == epoch and lacking(self.position, agreement, signed):
            return False
        return is_majority(len(self._rules.operators_of(signed)), play)
