"""What a saved game proves, in numbers, and the very values that prove its rolls and deals."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from engine import CHANCE, Dice, Draw, Pick, Turn
from protocol.cards import Dealing
from protocol.chance import Roll, below, commitment, committed, mix, mixed, stream
from protocol.events import SHARE_BYTES, Head, SignedEvent, SlotKind, bodies
from protocol.formation import LOCAL
from protocol.table import AHEAD_LIMIT, Exit, Fold, Table, given, latest, takeback_target


class RollPart(NamedTuple):
    """What one seat gave to a roll: the commitment that it had signed before, and the salt that it showed then."""

    seat: int
    commitment: bytes
    salt: bytes
    fits: bool
    """Whether the commitment is the hash of the salt, the seat and what the roll is."""
    hashed: bytes
    """The bytes of which the commitment is the hash."""


class RolledValue(NamedTuple):
    """One value of a roll: `byte` chose it among `sides`; the bytes in `skipped` were too large to be fair."""

    sides: int
    skipped: tuple[int, ...]
    byte: int
    value: int
    """From 0 to `sides` - 1."""


class RollProof(NamedTuple):
    """How ply `ply` was rolled: from the parts of all live seats, hashed to `hash`, from which `choices` were read.

    `hashed` are the bytes of which `hash` is the hash.
    """

    ply: int
    draw: Draw
    action: str
    parts: tuple[RollPart, ...]
    hashed: bytes
    hash: bytes
    choices: tuple[RolledValue, ...]


class ShuffleProof(NamedTuple):
    """One seat's shuffle: the masked deck before and after it, and how long the proof is that all checked."""

    seat: int
    before: bytes
    after: bytes
    proof_bytes: int


class DealProof(NamedTuple):
    """How the cards of ply `ply` were dealt: a key of each live seat, a shuffle of each, then shares of each card."""

    ply: int
    cards: int
    keys: tuple[tuple[int, bytes], ...]
    shuffles: tuple[ShuffleProof, ...]
    shares: tuple[tuple[int, int], ...]
    """Each seat, and of how many cards it gave a share."""


class MoveProof(NamedTuple):
    """A move that another player has answered: its event, and which event of which seat names it as seen."""

    seat: int
    text: str
    raw: bytes
    signature: bytes
    hash: bytes
    answered_by: int
    answer: int


@dataclass(frozen=True)
class Evidence:
    """What the file of `table` proves, in numbers; what proves its rolls is worked out when it is asked for."""

    table: Table = field(repr=False, compare=False)
    events: int
    """Signed events of all seats."""
    effects: int
    """Those of them that had an effect."""
    moves: int
    """What players did."""
    resigned: int
    """The resignations that a player signed: seats left behind or condemned are not counted."""
    chance: int
    """Outcomes of chance: rolls, deals and draws of lots."""
    clients: int
    """The clients that made the chance together, 1 where nothing about it is proven."""
    deals: tuple[DealProof, ...]
    cards: int
    """The cards played that are proven to be the ones dealt."""
    takebacks: int
    """The turns that were taken back when they were over."""
    within: int
    """How often a player took back a part of the own turn, to which clients agree without being asked."""
    left_behind: tuple[int, ...]
    """The seats that the others went on without."""
    audited: tuple[int, ...]
    """The seats whose whole hand was opened when the end of the game broke off a round with closed hands."""
    unaudited: bool
    """Whether another hand stayed closed then: a revoke in it would not show."""

    @cached_property
    def rolls(self) -> tuple[RollProof, ...]:
        """Return what proves each roll, in order."""
        return _rolls(self.table)

    @cached_property
    def move(self) -> MoveProof | None:
        """Return the first move that another player has answered, None if there is none."""
        return _move(self.table)

    @property
    def shuffles(self) -> int:
        """Return the number of shuffles proven."""
        return sum(len(deal.shuffles) for deal in self.deals)

    @property
    def shares(self) -> int:
        """Return the number of decryption shares proven."""
        return sum(count for deal in self.deals for _, count in deal.shares)


def evidence(table: Table) -> Evidence:
    """Return what the transcript of a table proves. The table is one that `load` returned: everything is checked."""
    fold, body = table.fold, table.charter.body
    clients = 1 if body.kind == LOCAL else len({seat.operator for seat in body.seats})
    takebacks = {
        place: to
        for place, entry in enumerate(fold.log)
        if (to := takeback_target(entry.actor, entry.action)) is not None
    }
    within = sum(_within_turn(table, place, to) for place, to in takebacks.items())
    chance = sum(entry.actor == CHANCE and entry.action != "draw" for entry in fold.log) - len(takebacks)
    hands = fold.position.hands
    broken_off = bool(fold.result and not fold.broken and hands and hands.broken_off)
    audits = table.own.last_round.audits() if broken_off else ()
    audited = tuple(audit.seat for audit in audits if audit.whole)
    return Evidence(
        table,
        events=sum(map(len, table.held.chains)),
        effects=fold.position.effects,
        moves=sum(entry.actor != CHANCE and entry.action != "resign" for entry in fold.log),
        resigned=sum(entry.exit in (Exit.RESIGNED, Exit.OUT_OF_TIME) for entry in fold.log),
        chance=chance,
        clients=clients,
        deals=_deals(table),
        cards=_cards_played(fold),
        takebacks=len(takebacks) - within,
        within=within,
        left_behind=tuple(entry.actor for entry in fold.log if entry.left_behind),
        audited=audited,
        unaudited=broken_off and (not audited or len(audited) < len(audits)),
    )


def _within_turn(table: Table, place: int, to: int) -> bool:
    """Return whether the take-back at this place of the log, to the state after `to` actions, was of the turn then due.

    It undid nothing but what the seat to act had done.
    """
    log, due = table.fold.log, table.game.pending(table.fold.log[place].before)
    undone = {log[one].actor for one in latest(log, until=place, since=to)}
    return isinstance(due, Turn) and undone == {due.seat}


def _move(table: Table) -> MoveProof | None:
    """Return the first move that another seat has named as the last that it had seen of the mover's chain."""
    events = sorted((event for chain in table.held.chains for event in chain), key=lambda one: (one.slot, one.number))
    answers: dict[tuple[int, Head], SignedEvent] = {}
    for one in events:
        for seat, head in enumerate(one.heads, 1):
            if seat != one.seat:
                answers.setdefault((seat, head), one)
    for event in events:
        if isinstance(event.body, bodies.Move):
            answer = answers.get((event.seat, Head(event.number, event.hash)))
            if answer is not None:
                found = (event.seat, event.body.text, event.raw, event.signature, event.hash)
                return MoveProof(*found, answer.seat, answer.number)
    return None


def _given(table: Table, place: int, seats: Iterable[int]) -> list[SignedEvent]:
    """Return the contributions of these seats to the slot of a position, by its place from 0, that another follows.

    What a chain could not yet hold at that slot is left out: to go through it for each slot would take too long.
    """
    before, after = table.fold.positions[place : place + 2]
    ends = [max(used, behind + AHEAD_LIMIT) for behind, used in zip(before.behind, after.behind, strict=True)]
    return [event for seat in seats if (event := given(before, table.held.chains, seat, ends))]


def _rolls(table: Table) -> tuple[RollProof, ...]:
    found = []
    for place, (before, after) in enumerate(pairwise(table.fold.positions)):
        roll = before.machine
        if not isinstance(roll, Roll) or before.slot.kind != SlotKind.REVEAL or after.plies == before.plies:
            continue
        said = [event.body for event in _given(table, place, roll.live)]
        salts = tuple(body.salt for body in said if isinstance(body, bodies.Revelation))
        if len(salts) != len(roll.live) or after.applied[0].actor != CHANCE:
            continue  # a breach: the seat that showed a wrong salt left, and nothing was rolled
        parts = []
        for one, salt in zip(roll.bound, salts, strict=True):
            hashed = committed(table.id, one.epoch, roll.number, one.seat, salt)
            fits = commitment(table.id, one.epoch, roll.number, one.seat, salt) == one.hash
            parts.append(RollPart(one.seat, one.hash, salt, fits, hashed))
        about = table.id, roll.number, roll.live, roll.draw, salts
        hashed, hash, action = mixed(*about), mix(*about), after.applied[0].action
        choices = _choices(roll.draw, hash)
        found.append(RollProof(before.plies + 1, roll.draw, action, tuple(parts), hashed, hash, choices))
    return tuple(found)


def _choices(draw: Pick | Dice, hash: bytes) -> tuple[RolledValue, ...]:
    """Return how the values of a roll follow from the bytes that its hash begins."""
    values = stream(hash)
    times, sides = (draw.number, draw.sides) if isinstance(draw, Dice) else (1, len(draw.outcomes))
    choices = []
    for _ in range(times):
        used: list[int] = []
        value = below(sides, _noted(values, used))
        choices.append(RolledValue(sides, tuple(used[:-1]), used[-1], value))
    return tuple(choices)


def _noted(values: Iterator[int], used: list[int]) -> Iterator[int]:
    """Yield values, and note each that was taken."""
    for value in values:
        used.append(value)
        yield value


def _deals(table: Table) -> tuple[DealProof, ...]:
    found = []
    keys: tuple[tuple[int, bytes], ...] = ()
    shuffles: list[ShuffleProof] = []
    for place, (before, after) in enumerate(pairwise(table.fold.positions)):
        dealing = before.machine
        if not isinstance(dealing, Dealing):
            continue
        events = _given(table, place, dealing.givers)
        match before.slot.kind:
            case SlotKind.KEY:
                keys = tuple((event.seat, event.body.public) for event in events if isinstance(event.body, bodies.Key))
                shuffles = []
            case SlotKind.SHUFFLE:
                for event in events:
                    if isinstance(event.body, bodies.Shuffle):
                        deck, proof = event.body
                        shuffles.append(ShuffleProof(event.seat, dealing.deck, deck, len(proof)))
            case SlotKind.SHARE if after.plies > before.plies and after.applied[0].hands:
                said = [(event.seat, event.body) for event in events]
                shares = [
                    (seat, len(body.shares) // SHARE_BYTES) for seat, body in said if isinstance(body, bodies.Shares)
                ]
                cards = len(dealing.deal.deck)
                found.append(DealProof(before.plies + 1, cards, keys, tuple(shuffles), tuple(shares)))
    return tuple(found)


def _cards_played(fold: Fold) -> int:
    dealt, played = None, 0
    for entry in fold.log:
        dealt = entry.hands or dealt
        played += entry.actor != CHANCE and dealt is not None and dealt.names(entry.action)
    return played
