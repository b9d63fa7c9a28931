"""How a new epoch begins: by one agreement, signed by every seat that stays, about the seats that leave.

An agreement is a view change (Liskov and Cowling, Viewstamped Replication Revisited, 2012): each seat that stays signs
where the base ends, so all clients find the same end whatever arrives later.
"""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from protocol.events import Epoch, EventKind, Leaving, SignedEvent
from protocol.table.position import Position, Rules
from protocol.table.step import Chains, given, given_up, open_slot, owing, step


class Agreement(NamedTuple):
    """What the seats that stay sign alike: the number of the new epoch, its base, and what counts of each leaver."""

    number: int
    base: int
    leaving: tuple[Leaving, ...]

    @classmethod
    def of(cls, event: SignedEvent) -> "Agreement":
        """Return the agreement that an EPOCH event signs."""
        assert isinstance(event.body, Epoch)
        return cls(event.body.number, event.slot.epoch, event.body.leaving)

    @property
    def leavers(self) -> tuple[int, ...]:
        """Return the seats that leave."""
        return tuple([one.seat for one in self.leaving])


class Entered(NamedTuple):
    """How an epoch begins: after position number `kept` come `positions`, the base folded anew; the last is new."""

    kept: int
    positions: tuple[Position, ...]


def enter(
    rules: Rules,
    operators: Sequence[int],
    chains: Chains,
    opened: Sequence[Position],
    agreement: Agreement,
    signed: Mapping[int, SignedEvent],
) -> Entered | None:
    """Return how the epoch of an agreement begins, None if the agreement is not in force.

    `opened`: the positions at all slots so far. `signed`: the EPOCH events that sign the agreement, by seat. It is in
    force if, where the base ends,

    * every live seat that does not leave has signed it;
    * the operators of these seats are a majority of the operators that play; an operator of which all seats have
      resigned does not count;
    * each operator that leaves owes a contribution or a signature, or has resigned.
    """
    ends = tuple([_end(agreement, signed, seat, len(chain)) for seat, chain in enumerate(chains, 1)])
    kept = _last_within(opened, agreement.base, ends)
    if kept is None:
        return None
    base, positions = opened[kept], []
    while following := step(rules, base, chains, ends):
        positions.append(base := following)
    leavers = {*agreement.leavers} & {*base.live}
    staying = {*base.live} - leavers
    if not staying <= signed.keys():
        return None
    resigned = {seat for seat in base.live if has_resigned(base, chains, seat, ends)}
    stay, play = ({operators[seat - 1] for seat in seats - resigned} for seats in (staying, {*base.live}))
    if not is_majority(len(stay), len(play)):
        return None
    owe = [seat for seat in leavers if _owes_signature(agreement, chains, ends, staying, seat)]
    debtors = {operators[seat - 1] for seat in (*owing(base, chains, ends), *resigned, *owe)}
    if not {operators[seat - 1] for seat in leavers} <= debtors:
        return None
    start = _start(rules, base, chains, ends, agreement, signed, leavers)
    return Entered(kept, (*positions, start))


def is_majority(stay: int, play: int) -> bool:
    """Return whether so many operators may go on of so many that play: more than half, so of several at least two."""
    return 2 * stay > play


def _end(agreement: Agreement, signed: Mapping[int, SignedEvent], seat: int, length: int) -> int:
    """Return how many events of a seat belong to the base.

    * A seat that signed the agreement: those before its signature.
    * A leaver: those that the agreement states.
    * Any other seat: all. It no longer plays where the base ends, or the agreement is not in force.
    """
    if seat in signed:
        return signed[seat].number - 1
    return next((one.length for one in agreement.leaving if one.seat == seat), length)


def _last_within(opened: Sequence[Position], base: int, ends: Sequence[int]) -> int | None:
    """Return the last slot of the base that was opened by nothing beyond `ends`."""
    for at in range(len(opened) - 1, -1, -1):
        one = opened[at]
        if one.slot.epoch == base and all(
            max(behind, placed) <= end for behind, placed, end in zip(one.behind, one.placed, ends, strict=True)
        ):
            return at
        if one.slot.epoch < base:
            break
    return None


def has_resigned(position: Position, chains: Chains, seat: int, ends: Sequence[int] | None = None) -> bool:
    """Return whether a resignation without a place is among the first `ends` events of a seat, of no later epoch."""
    signed = chains[seat - 1][position.placed[seat - 1] : ends[seat - 1] if ends else None]
    return any(event.kind == EventKind.RESIGN and event.slot.epoch <= position.slot.epoch for event in signed)


def _owes_signature(agreement: Agreement, chains: Chains, ends: Sequence[int], staying: set[int], seat: int) -> bool:
    """Return whether a seat owes its signature under an earlier agreement, by which a staying seat asked it to stay."""
    own = [event.body.number for event in chains[seat - 1][: ends[seat - 1]] if isinstance(event.body, Epoch)]
    highest = max(own, default=0)
    return any(
        event.slot.epoch == agreement.base
        and highest < event.body.number < agreement.number
        and seat not in [one.seat for one in event.body.leaving]
        for other in staying
        for event in chains[other - 1][: ends[other - 1]]
        if isinstance(event.body, Epoch)
    )


def _start(
    rules: Rules,
    base: Position,
    chains: Chains,
    ends: Sequence[int],
    agreement: Agreement,
    signed: Mapping[int, SignedEvent],
    leavers: Set[int],
) -> Position:
    """Return the first position of the new epoch.

    Where no seat leaves, the slot goes on with the contributions that it had. Where a seat leaves, the roll or deal
    under way is given up, since its secrets may be known.
    """
    behind = [
        ends[seat - 1] if seat in agreement.leavers else signed[seat].number if seat in base.live else 0
        for seat in range(1, len(ends) + 1)
    ]
    position = base._replace(
        slot=base.slot._replace(epoch=agreement.number),
        behind=tuple(map(max, base.behind, behind)),
        effects=base.effects + sum(seat in base.live for seat in signed),
        applied=(),
    )
    if not leavers:
        parts = [given(base, chains, seat, ends) for seat in base.givers if base.machine]
        given_before = tuple([part for part in parts if part is not None])
        return position._replace(parts=given_before, renewed=position.renewed + 1)
    position = given_up(position)
    for seat in sorted(leavers):
        resigned = has_resigned(base, chains, seat, ends)
        position = rules.resigned(position, seat, left=not resigned)
    return open_slot(rules, position)
