"""A roll among seats that do not trust each other: every live seat has committed to a salt, then shows it.

Commitments are made in one way: the first ones in a COMMIT slot, all later ones with the salt of the roll before.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Action, Dice, Pick
from protocol.chance.salts import bound_salt, commitment, outcome
from protocol.events import SignedEvent, SlotKind, bodies
from protocol.identity import Secrets


class Breach(NamedTuple):
    """An event that breaks the rules of a slot, and how, in words that follow "signed"."""

    event: SignedEvent
    reason: str


class Breaches(NamedTuple):
    """What a slot comes to where contributions to it break its rules: at least one breach, in seat order."""

    found: tuple[Breach, ...]


class Bound(NamedTuple):
    """A commitment that stands: `seat` made it in `epoch`."""

    seat: int
    epoch: int
    hash: bytes


class Rolled(NamedTuple):
    """The value of a roll, and the commitments for the next one, in seat order."""

    action: Action
    next: tuple[Bound, ...]


class Roll(NamedTuple):
    """Roll `number` of a table among the seats in `live`; `bound` is empty until all have committed."""

    table: bytes
    number: int
    draw: Pick | Dice
    live: tuple[int, ...]
    bound: tuple[Bound, ...] = ()

    @property
    def slot_kind(self) -> SlotKind:
        """Return the kind of the slot that gathers the next contributions."""
        return SlotKind.REVEAL if self.bound else SlotKind.COMMIT

    @property
    def givers(self) -> tuple[int, ...]:
        """Return the seats from which the slot takes a contribution."""
        return self.live

    def fits(self, seat: int, secrets: Secrets) -> bool:
        """Return whether these are the secrets by which `seat` has made its commitment, if that stands."""
        made = [one for one in self.bound if one.seat == seat]
        return all(bound_salt(secrets.chance, self.table, one.epoch, self.number, seat)[1] == one.hash for one in made)

    def part(self, seat: int, epoch: int, secrets: Secrets) -> bodies.Commitment | bodies.Revelation | None:
        """Return the contribution of `seat` to the open slot, signed in `epoch`.

        None if the secrets are not those of its commitment: a revelation that does not open it would be a breach.
        """
        if not self.bound:
            return bodies.Commitment(bound_salt(secrets.chance, self.table, epoch, self.number, seat)[1])
        made = next(one for one in self.bound if one.seat == seat)
        shown, hash = bound_salt(secrets.chance, self.table, made.epoch, self.number, seat)
        if hash != made.hash:
            return None
        _, after = bound_salt(secrets.chance, self.table, epoch, self.number + 1, seat)
        return bodies.Revelation(shown, after)

    def take(self, events: Sequence[SignedEvent]) -> "Roll | Rolled | Breaches":
        """Return what follows from the contributions of all live seats, in seat order.

        That is the roll with its commitments; or, after the revelations, the value rolled, or the breaches.
        """
        if not self.bound:
            said = [event.body for event in events]
            made = [body.hash for body in said if isinstance(body, bodies.Commitment)]
            bound = [Bound(event.seat, event.slot.epoch, hash) for event, hash in zip(events, made, strict=True)]
            return self._replace(bound=tuple(bound))
        breaches: list[Breach] = []
        salts: list[bytes] = []
        after: list[Bound] = []
        for event, bound_to in zip(events, self.bound, strict=True):
            assert isinstance(event.body, bodies.Revelation)
            if not self._opens(bound_to, event.body.salt):
                breaches.append(Breach(event, "a revelation that does not fit its commitment"))
            salts.append(event.body.salt)
            after.append(Bound(event.seat, event.slot.epoch, event.body.next))
        if breaches:
            return Breaches(tuple(breaches))
        return Rolled(outcome(self.table, self.number, self.live, self.draw, tuple(salts)), tuple(after))

    def _opens(self, bound: Bound, salt: bytes) -> bool:
        """Return whether a salt is the one that a commitment stands for."""
        return commitment(self.table, bound.epoch, self.number, bound.seat, salt) == bound.hash
