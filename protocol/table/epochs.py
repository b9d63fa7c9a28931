"""How a new epoch begins: by one agreement, signed by every seat that stays, about the seats that leave.

An agreement is a view change (Liskov and Cowling, Viewstamped Replication Revisited, 2012): each seat that stays signs
where the base ends, so all clients find the same end whatever arrives later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from math import inf
from operator import le
from typing import NamedTuple

from protocol.events import Leaving, SignedEvent, SlotKind, bodies
from protocol.table.position import Exit, Position, put
from protocol.table.rules import Rules
from protocol.table.step import Chains, Ends, given, given_up, open_slot, step


class Agreement(NamedTuple):
    """What the seats that stay sign alike: the number of the new epoch, its base, and what counts of each leaver."""

    number: int
    base: int
    leaving: tuple[Leaving, ...]

    @classmethod
    def of(cls, event: SignedEvent) -> "Agreement":
        """Return the agreement that an EPOCH event signs."""
        assert isinstance(event.body, bodies.Epoch)
        return cls(event.body.number, event.slot.epoch, event.body.leaving)

    @property
    def leavers(self) -> tuple[int, ...]:
        """Return the seats that leave."""
        return tuple([one.seat for one in self.leaving])


class NotInForce(NamedTuple):
    """That an agreement is not in force: the seats without whose further events it cannot come into force."""

    lacking: frozenset[int]


def enter(
    rules: Rules,
    chains: Chains,
    resigned: Chains,
    opened: Sequence[Position],
    agreement: Agreement,
    signed: Mapping[int, SignedEvent],
) -> list[Position] | NotInForce:
    """Return the positions at all slots, up to the first of the epoch of an agreement, if it is in force on these.

    `resigned`: the resignations in each chain. `opened`: the positions at all slots so far; those after the base ended
    are left out, and what follows the others in the base is folded. `signed`: the EPOCH events that sign the agreement,
    by seat. It is in force if, where the base ends, every live seat that does not leave has signed it, and enough
    operators stay.
    """
    ends = _ends(chains, agreement, signed)
    positions = _within(opened, agreement.base, ends)
    if not positions:
        return NotInForce(frozenset())
    while following := step(rules, positions[-1], chains, ends):
        positions.append(following)
    base = positions[-1]
    leavers = {*base.live} & {*agreement.leavers}
    missing = lacking(base, agreement, signed)
    if missing or not enough(rules, base, resigned, leavers, ends):
        return NotInForce(frozenset(missing))
    return [*positions, _start(rules, base, chains, resigned, ends, agreement, signed)]


def lacking(position: Position, agreement: Agreement, signed: Iterable[int]) -> set[int]:
    """Return the live seats that an agreement needs besides those that have signed it."""
    return {*position.live}.difference(agreement.leavers, signed)


def enough(rules: Rules, position: Position, resigned: Chains, leavers: Set[int], ends: Ends = None) -> bool:
    """Return whether enough operators stay if these seats leave.

    Operators that have resigned do not count, unless all have resigned.
    """
    counted = {seat for seat in position.live if not has_resigned(position, resigned, seat, ends)} or {*position.live}
    return is_majority(len(rules.operators_of(counted - leavers)), len(rules.operators_of(counted)))


def decided(rules: Rules, position: Position, chains: Chains, resigned: Chains) -> bool:
    """Return whether the game is over and more than half of the operators that play have signed the result.

    More than half of the operators that have not resigned have to be among these. Then no majority can agree to go on
    from before the end: an operator of that majority would have signed the result, and agrees to nothing that leaves
    its signature out. A signature in a later epoch does not count: its author may have agreed before.
    """
    if position.slot.kind != SlotKind.END:
        return False
    results = {seat: given(position, chains, seat) for seat in position.live}
    missing = {seat for seat, one in results.items() if not one or one.slot > position.slot}
    signed = rules.operators_of({*position.live} - missing)
    most = is_majority(len(signed), len(rules.operators_of(position.live)))
    return most and enough(rules, position, resigned, missing)


def is_majority(stay: int, play: int) -> bool:
    """Return whether the operators that `stay` are more than half of those that `play`: so of several at least two."""
    return 2 * stay > play


def _ends(chains: Chains, agreement: Agreement, signed: Mapping[int, SignedEvent]) -> tuple[int, ...]:
    """Return how many events of each seat belong to the base.

    * A seat that signed the agreement: those before its signature.
    * A leaver: those that the agreement states.
    * Any other seat: all. It no longer plays where the base ends, or the agreement is not in force.
    """
    stated = {one.seat: one.length for one in agreement.leaving}
    stated |= {seat: event.number - 1 for seat, event in signed.items()}
    return tuple([stated.get(seat, len(chain)) for seat, chain in enumerate(chains, 1)])


def _within(opened: Sequence[Position], base: int, ends: Sequence[int]) -> list[Position]:
    """Return the positions up to the last slot of the base that `ends` lead to; none if its first one used up more.

    The place is looked up, not folded: within `ends` the chains lead where they led without, only not so far. Seats
    that are out may sign many agreements on what they knew long ago, and each is judged anew while another one is
    awaited.
    """
    first = bisect_left(opened, base, key=_epoch)
    last = bisect_right(opened, base, first, key=_epoch)
    if first == last or not all(map(le, map(max, opened[first].behind, opened[first].placed), ends)):
        return []
    for seat, most in enumerate(ends, 1):
        last = _given_beyond(opened, first, last, seat, most)
    return [*opened[:last]]


def _given_beyond(opened: Sequence[Position], first: int, last: int, seat: int, most: int) -> int:
    """Return the place from `first` on, at most `last`, of the position to which more than `most` events of a seat led.

    These were contributions: that others name more of a seat counts with what they give themselves.
    """
    at = bisect_left(opened, True, first, last, key=lambda position: position.behind[seat - 1] > most)
    while at < last:
        before, behind = opened[at - 1], opened[at].behind[seat - 1]
        if seat in before.givers and behind > max(most, before.behind[seat - 1]):
            return at
        at = at + 1 if seat in before.live or seat in before.givers else last  # a seat that is out gives nothing
    return last


def _epoch(position: Position) -> int:
    return position.slot.epoch


def has_resigned(position: Position, resigned: Chains, seat: int, ends: Ends = None) -> bool:
    """Return whether a live seat has resigned among its first `ends` events, in no later epoch.

    The resignation has no place yet, or the game was over before it had one.
    """
    return _resignation(position, resigned, seat, ends) is not None


def _resignation(position: Position, resigned: Chains, seat: int, ends: Ends) -> SignedEvent | None:
    last, epoch = ends[seat - 1] if ends else inf, position.slot.epoch
    return next((one for one in resigned[seat - 1] if one.number <= last and one.slot.epoch <= epoch), None)


def _exit(position: Position, resigned: Chains, seat: int, ends: Ends) -> Exit:
    """Return how a leaver leaves the game: by the resignation that it has signed, if any; else it is left behind."""
    event = _resignation(position, resigned, seat, ends)
    if event is None:
        return Exit.LEFT_BEHIND
    return Exit.OUT_OF_TIME if isinstance(event.body, bodies.Resign) and event.body.late else Exit.RESIGNED


def _start(
    rules: Rules,
    base: Position,
    chains: Chains,
    resigned: Chains,
    ends: Sequence[int],
    agreement: Agreement,
    signed: Mapping[int, SignedEvent],
) -> Position:
    """Return the first position of the new epoch.

    * The game is over: nobody leaves.
    * No seat is to leave, or each leaver has given its part of the roll or deal under way: nobody leaves, and the slot
      goes on with the parts that were given.
    * Else the leavers leave, and the roll or deal under way is given up: its secrets may be known.
    """
    live = [seat for seat in signed if seat in base.live]
    behind = base.behind
    for seat in (*live, *agreement.leavers):
        behind = put(behind, seat, max(behind[seat - 1], ends[seat - 1] + (seat in signed)))
    position = base._replace(
        slot=base.slot._replace(epoch=agreement.number), behind=behind, effects=base.effects + len(live), applied=()
    )
    leavers = [seat for seat in agreement.leavers if seat in base.live]
    if base.slot.kind == SlotKind.END:
        return position._replace(behind=base.behind, renewed=position.renewed + 1)
    parts = {seat: given(base, chains, seat, ends) for seat in base.givers if base.machine}
    if all(map(parts.get, leavers)):
        given_before = tuple([part for part in parts.values() if part is not None])
        return position._replace(parts=given_before, renewed=position.renewed + 1)
    position = given_up(position)
    for seat in leavers:
        position = rules.resigned(position, seat, _exit(base, resigned, seat, ends))
    return open_slot(rules, position)
