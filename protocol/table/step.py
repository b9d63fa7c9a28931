"""The fold: `step` closes the open slot if the signed events allow it. It is pure, and it never goes back.

The game says whose turn it is, so the order needs no host, no clock and no vote. A contribution counts only if its
author knew everything that lies behind; so each player's next contribution settles what came before.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias, assert_never

from engine import CHANCE, Chance, Deal, Draw, Over, Refusal, Turn
from protocol.cards import Dealing, Dealt, Refuted
from protocol.chance import Breaches, Roll, Rolled
from protocol.events import ASYNCHRONOUS, SLOTS, EventKind, SignedEvent, Slot, SlotKind, bodies
from protocol.formation import is_deal
from protocol.table.log import takeback_target
from protocol.table.position import NOWHERE, Cheat, Exit, Position, Unplaced, put
from protocol.table.rules import Rules
from protocol.table.wishes import after_move, with_wish, without_wish

NO_TAKEBACK = "The game cannot go back there: dice, cards, another player or the end of a seat stand in between."

_new = tuple.__new__

Chains: TypeAlias = Sequence[Sequence[SignedEvent]]
Ends: TypeAlias = Sequence[int] | None
"""How many events of each chain may be used; None for all."""


def step(rules: Rules, position: Position, chains: Chains, ends: Ends = None) -> Position | None:
    """Return the position at the next slot, or None while the open slot waits for a contribution."""
    kind = position.slot.kind
    if kind == SlotKind.END:
        return None
    if rules.local:
        return _local(rules, position, chains[0])
    if kind == SlotKind.TURN:
        return _turn(rules, position, chains, ends)
    return _gather(rules, position, chains, ends)


# What the chains say at a position.


def offered(position: Position, chains: Chains, seat: int, ends: Ends = None) -> Iterator[SignedEvent]:
    """Yield the events of a seat that were made for the open slot, for this state of the game or for another one.

    A signature under a result counts in every epoch that begins behind it: no agreement can void one.
    """
    slot, takes = position.slot, SLOTS[position.slot.kind].takes
    for event in chains[seat - 1][position.behind[seat - 1] : ends[seat - 1] if ends else None]:
        made = event.slot == slot or (slot.kind == SlotKind.END and event.slot.place == slot.place)
        if made and event.kind in takes and position.knows(event.lengths):
            yield event


def given(position: Position, chains: Chains, seat: int, ends: Ends = None) -> SignedEvent | None:
    """Return a seat's contribution to the open slot, None while there is none."""
    for event in position.parts:
        if event.seat == seat:
            return event
    if len(chains[seat - 1]) > position.behind[seat - 1]:
        for event in offered(position, chains, seat, ends):
            if event.digest == position.digest and _fills(position, chains, event):
                return event
    return None


def owing(position: Position, chains: Chains) -> tuple[int, ...]:
    """Return the seats that the open slot waits for; at the end the seats that have not signed the result."""
    return tuple([seat for seat in position.givers if given(position, chains, seat) is None])


def asynchronous(position: Position, chains: Chains, heads: Sequence[int] | None = None) -> list[SignedEvent]:
    """Return the resignations and wishes that have no place yet and would change something, in their order.

    With `heads` only those that lie within so many events of each chain.
    """
    if heads == position.placed or not _any_changes(position, chains, heads):
        return []
    found = []
    for seat in position.live:
        signed = chains[seat - 1][position.placed[seat - 1] : heads[seat - 1] if heads else None]
        found += [event for event in signed if event.kind in ASYNCHRONOUS]
    return sorted(found, key=lambda event: (event.slot.step, event.seat, event.number))


def _any_changes(position: Position, chains: Chains, heads: Sequence[int] | None) -> bool:
    """Return whether a resignation or a wish that has no place yet would change something, as in `asynchronous`.

    The chains of a table only grow: `position.unplaced` tells how far they have been looked through.
    """
    found = position.unplaced or Unplaced()
    if found.chains is not chains:
        found.chains, found.looked, found.first = chains, [*position.placed], [0] * len(chains)
    for seat in position.live:
        at, chain = seat - 1, chains[seat - 1]
        end = min(heads[at], len(chain)) if heads else len(chain)
        while not found.first[at] and found.looked[at] < end:
            event = chain[found.looked[at]]
            found.looked[at] += 1
            if event.kind in ASYNCHRONOUS and _changes(position, event):
                found.first[at] = found.looked[at]
        if 0 < found.first[at] <= end:
            return True
    return False


def _changes(position: Position, event: SignedEvent) -> bool:
    """Return whether a resignation or a wish would change anything now."""
    if event.seat not in position.live:
        return False
    at = event.seat - 1
    match event.body:
        case bodies.Wish(wanted):
            return not position.wished[at] if wanted else position.wishes[at] > 0
        case bodies.Takeback(
            to
        ):  # it lapses where the state is another one: its author has not seen what it would undo
            new = event.digest == position.digest and position.takebacks[at] == NOWHERE
            return new and position.earlier_at(to) is not None
    return True


def _fills(position: Position, chains: Chains, event: SignedEvent) -> bool:
    """Return whether an event closes a turn: a SEQUENCE must place something, a move must leave nothing out."""
    if position.slot.kind != SlotKind.TURN:
        return True
    named = asynchronous(position, chains, event.lengths)
    return bool(named) == (event.kind == EventKind.SEQUENCE)


def leads_to_turn(rules: Rules, position: Position, event: SignedEvent) -> bool:
    """Return whether an event is a move for the open slot, and nothing but a seat's turn can follow from it.

    The move is lawful: this is asked of own events.
    """
    after = rules.after(position.state, event.seat, event.body.text) if isinstance(event.body, bodies.Move) else None
    return after is not None and isinstance(rules.game.pending(after), Turn)


# Closing slots.


def _turn(rules: Rules, position: Position, chains: Chains, ends: Ends) -> Position | None:
    seat = position.givers[0]
    event = given(position, chains, seat, ends)
    if event is None:
        return None
    # It names all that lies behind, and nothing has its place that does not lie behind.
    named = put(event.lengths, seat, event.number)
    waiting = asynchronous(position, chains, named) if event.kind == EventKind.SEQUENCE else ()
    position = position._replace(behind=named, placed=named, effects=position.effects + 1, applied=())
    if event.kind != EventKind.SEQUENCE:
        position = _moved(rules, position, event)
    for one in waiting:
        position = _placed(rules, position, one)
    return open_slot(rules, position)


def _placed(rules: Rules, position: Position, event: SignedEvent) -> Position:
    """Return the position after a resignation or a wish, unchanged if the event no longer changes anything."""
    if isinstance(position.due, Over) or not _changes(position, event):
        return position
    position = position._replace(effects=position.effects + 1)
    match event.body:
        case bodies.Takeback(to):
            position = position._replace(takebacks=put(position.takebacks, event.seat, to))
            position = rules.taken_back(position, to)
        case bodies.Wish(1):
            wishes, wished = with_wish(position.wishes, event.seat), put(position.wished, event.seat, 1)
            position = position._replace(wishes=wishes, wished=wished)
        case bodies.Wish():
            position = position._replace(wishes=without_wish(position.wishes, event.seat))
        case bodies.Resign(late):
            position = rules.resigned(position, event.seat, Exit.OUT_OF_TIME if late else Exit.RESIGNED)
    return position if isinstance(position.due, Over) else rules.drawn(position)


def _moved(rules: Rules, position: Position, event: SignedEvent) -> Position:
    """Return the position after a move; after its author has left, if the move is a breach."""
    seat, body, hands = event.seat, event.body, position.hands
    text = body.text if isinstance(body, bodies.Move) else body.card if isinstance(body, bodies.Play) else ""
    refusal = rules.judge(rules.public(position.state), seat, text)
    if refusal is not None or text in ("resign", "draw"):
        reason = refusal.text if refusal else "it is not a move"
        return _condemned(rules, position, event, f"an unlawful move: {reason}")
    if isinstance(body, bodies.Play):
        checked = hands.with_play(event, rules.scheme) if hands else Refuted("a share where no card is dealt")
        if isinstance(checked, Refuted):
            return _condemned(rules, position, event, checked.reason)
        hands = checked
    elif hands and hands.names(text):
        return _condemned(rules, position, event, "a card without its share")
    if hands:
        cheats = [
            Cheat(guilty, play.hash, reason)
            for guilty, card, reason in rules.game.revokes(position.state, seat, text)
            for play in hands.played(guilty, card)
        ]
        position = position._replace(hands=hands, cheats=(*position.cheats, *cheats))
    if position.wishes[seat - 1] or position.wished[seat - 1]:
        wishes = after_move(position.wishes, seat)
        position = position._replace(wishes=wishes, wished=put(position.wished, seat, 0))
    return rules.applied(position, seat, text)


def _gather(rules: Rules, position: Position, chains: Chains, ends: Ends) -> Position | None:
    machine, found = position.machine, []
    for seat in position.givers:
        part = given(position, chains, seat, ends)
        if part is None:
            return None
        found.append(part)
    if machine is None:
        return None
    behind = position.behind
    for event in found:
        behind = put(behind, event.seat, max(behind[event.seat - 1], event.number))
    position = position._replace(behind=behind, parts=(), applied=(), effects=position.effects + len(found))
    taken = machine.take(found) if isinstance(machine, Roll) else machine.take(found, rules.scheme)
    match taken:
        case Rolled(action, bound):
            position = rules.applied(position._replace(machine=None, bound=bound), CHANCE, action)
        case Dealt(hands):
            position = position._replace(machine=None, hands=hands)
            position = rules.applied(position, CHANCE, "deal", hands)
        case Roll() | Dealing():
            position = position._replace(machine=taken)
        case Breaches(breaches):
            position = given_up(position)
            for event, reason in breaches:
                position = _condemned(rules, position, event, reason)
        case _:
            assert_never(taken)
    return open_slot(rules, position)


def given_up(position: Position) -> Position:
    """Return the position with the roll or deal under way given up, and all commitments fallen."""
    return position._replace(machine=None, parts=(), bound=())


def _condemned(rules: Rules, position: Position, event: SignedEvent, reason: str) -> Position:
    """Return the position after a breach: it is its author's last event, and equals resigning."""
    position = position._replace(cheats=(*position.cheats, Cheat(event.seat, event.hash, reason)))
    return rules.resigned(position, event.seat, Exit.BREACH)


def _local(rules: Rules, position: Position, chain: Sequence[SignedEvent]) -> Position | None:
    for event in chain[position.behind[0] :]:
        if isinstance(event.body, bodies.Act) and acts(rules, position, event):
            actor, text = event.body
            deals = position.deals + is_deal(actor, text)
            behind, effects = (event.number,), position.effects + 1
            position = position._replace(behind=behind, effects=effects, applied=(), deals=deals)
            to = takeback_target(actor, text)
            earlier = None if to is None else position.earlier_at(to)
            exit = Exit.RESIGNED if text == "resign" else None
            position = rules.restored(position, earlier) if earlier else rules.applied(position, actor, text, exit=exit)
            return open_slot(rules, position)
    return None


def acts(rules: Rules, position: Position, event: SignedEvent) -> bool:
    """Return whether an event does something at the open slot of a table with one signer."""
    if not isinstance(event.body, bodies.Act) or event.slot != position.slot or event.digest != position.digest:
        return False
    return why_not_act(rules, position, *event.body) is None


def why_not_act(rules: Rules, position: Position, actor: int, text: str) -> Refusal | None:
    """Return why an action cannot be done at a table with one signer, None if it can."""
    to = takeback_target(actor, text)
    if to is None:
        return rules.judge(position.state, actor, text)
    possible = position.earlier_at(to) and not isinstance(position.due, Over)
    return None if possible else Refusal("takeback", "end", NO_TAKEBACK)


def open_slot(rules: Rules, position: Position, *, first: bool = False) -> Position:
    """Return the position at the slot that follows from what is due; `first`: no slot was open before."""
    due, machine, kind = position.due, None, SlotKind.TURN
    if isinstance(due, Over):
        kind = SlotKind.END
    elif isinstance(due, Chance) and not rules.local:
        position = position if position.machine else _begun(rules, position, due.draw)
        machine = position.machine
        kind = machine.slot_kind if machine else kind
    epoch, step_, _ = position.slot
    changed = first or bool(position.applied)
    return position._replace(
        slot=_new(Slot, (epoch, step_ + (not first), kind)),
        digest=rules.digest(position.state) if changed else position.digest,
        machine=machine,
        renewed=0,
        unplaced=Unplaced(),
    )


def _begun(rules: Rules, position: Position, draw: Draw) -> Position:
    """Return the position with the roll or deal begun that draws the value which is due."""
    live, number = position.live, position.rolls
    if isinstance(draw, Deal):
        dealing = Dealing(rules.table, position.slot.epoch, position.deals, live, draw)
        return position._replace(machine=dealing, deals=position.deals + 1)
    bound = tuple([one for one in position.bound if one.seat in live])
    roll = Roll(rules.table, number, draw, live, bound if len(bound) == len(live) else ())
    return position._replace(machine=roll, rolls=number + 1, bound=())
