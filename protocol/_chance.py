"""How chance is drawn among seats that do not trust each other: small machines, each step a gather slot.

A `Roll` takes commitments, unless they were made with the roll before, then revelations. A `Dealing` takes pledges of
keys, keys, one shuffle after another, then shares. The fold gathers what a machine asks for and hands it over, all at
once and in the order of seats; the machine answers with its next state, with the value drawn, or with who broke the
rules.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from engine import Action, Chance, Deal, Dice, Pick, Value, blake, encode
from protocol._deck import DeckScheme
from protocol._event import (
    COMMIT,
    COMMITMENT,
    KEY,
    KEYING,
    OPENING,
    PLEDGE,
    PLEDGING,
    REVEAL,
    REVELATION,
    SHARE_BYTES,
    SHARES,
    SHARING,
    SHUFFLE,
    SHUFFLING,
    SignedEvent,
    Slot,
)
from protocol._fair import Drawing, commitment, commitments_hash, outcome, salt
from protocol._secrets import Secrets

_SEAT = attrgetter("seat")


class Breach(NamedTuple):
    """An event that breaks the rules of a machine, and how."""

    event: SignedEvent
    reason: str


class Standing(NamedTuple):
    """The commitments for the next roll: each seat made one when it showed its salt for the one before.

    They are about `drawing`, which has the slot in which salts were shown; `given` are the events, in seat order.
    """

    drawing: Drawing
    given: tuple[SignedEvent, ...]


class Drawn(NamedTuple):
    """The value that chance gave, as everybody sees it; `hands` opens dealt cards."""

    action: Action
    hands: "Hands | None" = None
    standing: Standing | None = None


class Roll(NamedTuple):
    """A pick or dice: each seat commits to a salt, then shows it. The last may show it at once: all others are bound.

    `bound` is what the commitments are about: the drawing itself, or that of those standing before it. `given` is what
    the seats gave first, in their order: commitments, and one opening at most; or what showed the salts of the roll
    before. `shown` has shown a salt already: that opening, or the move that led here.
    """

    drawing: Drawing
    draw: Pick | Dice
    bound: Drawing
    given: tuple[SignedEvent, ...] = ()
    shown: tuple[SignedEvent, ...] = ()

    @property
    def slot_kind(self) -> int:
        """Return the kind of slot that gathers the next step."""
        return REVEAL if self.given else COMMIT

    @property
    def contribution(self) -> int:
        """Return the kind of event that the slot takes; the first one also takes an opening."""
        return REVELATION if self.given else COMMITMENT

    @property
    def contributors(self) -> tuple[int, ...]:
        """Return the seats that owe one."""
        shown = [event.seat for event in self.shown]
        return tuple([seat for seat in self.drawing.live if seat not in shown]) if shown else self.drawing.live

    @property
    def next_bound(self) -> Drawing:
        """Return what commitments for the next roll are about: it has the slot that gathers the salts of this one."""
        table, (epoch, step, kind), live = self.drawing
        return Drawing(table, Slot(epoch, step + (kind == COMMIT), REVEAL), live)

    def contribute(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> tuple[Value, ...]:
        """Return the body of what `seat` signs for the open step."""
        del scheme
        return self._show(seat, secrets, self.given) if self.given else (_commit(self.bound, seat, secrets),)

    def open(self, seat: int, secrets: Secrets, commitments: Sequence[SignedEvent]) -> tuple[Value, ...]:
        """Return the body of the opening of `seat` where these are the commitments of all the others."""
        return self._show(seat, secrets, commitments)

    def _show(self, seat: int, secrets: Secrets, answered: Sequence[SignedEvent]) -> tuple[Value, ...]:
        hashes = tuple([event.hash for event in answered])
        return _shown(secrets.chance, self.bound, self.drawing, hashes, self.next_bound, seat)

    def take(self, events: Sequence[SignedEvent], scheme: DeckScheme) -> "Machine | Drawn | tuple[Breach, ...]":
        """Take the contributions of all seats, in their order."""
        del scheme
        if not self.given:
            committed = [event for event in events if event.kind == COMMITMENT]
            for event in events:
                if event.kind == OPENING and event.body[1] != self._answer(committed):
                    return (Breach(event, "an opening that answers other commitments"),)
            return self._replace(given=tuple(events), shown=tuple(one for one in events if one.kind == OPENING))
        answered = self.answered()
        shown = tuple(sorted((*self.shown, *events), key=_SEAT))
        # A commitment stands alone in its event, and last in what shows a salt.
        committed_to = {event.seat: event.body[-1] for event in self.given}
        breaches: list[Breach] = []
        salts: list[bytes] = []
        for event in shown:
            secret, answers, _ = event.body[-3:]
            assert isinstance(secret, bytes)
            salts.append(secret)
            if event.kind == OPENING:
                continue  # it was checked when it came
            if answers != answered:
                breaches.append(Breach(event, "a revelation that answers other commitments"))
            elif commitment(self.bound, event.seat, secret) != committed_to[event.seat]:
                breaches.append(Breach(event, "a revelation that does not fit its commitment"))
        if breaches:
            return tuple(breaches)
        return Drawn(outcome(self.drawing, self.draw, tuple(salts)), standing=Standing(self.next_bound, shown))

    def answered(self) -> bytes:
        """Return the hash of what was given first, which revelations have to carry."""
        return self._answer(self.given)

    def _answer(self, events: Sequence[SignedEvent]) -> bytes:
        return commitments_hash(self.drawing, tuple([event.hash for event in events]))


class Dealing(NamedTuple):
    """A deal from a masked deck: pledges of keys, keys, a shuffle of each seat in turn, then shares.

    `number` counts the deals of the table, abandoned ones too; `deck` is the deck after `shuffles` shuffles.
    """

    drawing: Drawing
    deal: Deal
    number: int
    pledges: tuple[bytes, ...] = ()
    keys: tuple[bytes, ...] = ()
    deck: bytes = b""
    shuffles: int = 0

    @property
    def slot_kind(self) -> int:
        """Return the kind of slot that gathers the next step."""
        if not self.pledges:
            return PLEDGING
        if not self.keys:
            return KEYING
        return SHUFFLING if self.shuffles < len(self.keys) else SHARING

    @property
    def contribution(self) -> int:
        """Return the kind of event that the slot takes."""
        return {PLEDGING: PLEDGE, KEYING: KEY, SHUFFLING: SHUFFLE, SHARING: SHARES}[self.slot_kind]

    @property
    def contributors(self) -> tuple[int, ...]:
        """Return the seats that owe one: the next to shuffle, or all."""
        live = self.drawing.live
        return live[self.shuffles : self.shuffles + 1] if self.slot_kind == SHUFFLING else live

    def context(self, seat: int) -> bytes:
        """Return what keys, shuffles and shares of `seat` are bound to."""
        return encode((*self.drawing, self.number, seat))

    def secret(self, seat: int, secrets: Secrets) -> bytes | None:
        """Return the secret of an own seat for this deal, None once it is forgotten."""
        return secrets.for_deal(self.number, self.context(seat))

    def foreign(self, seat: int) -> tuple[int, ...]:
        """Return the dealt positions whose cards are not for `seat`: those it gives shares of."""
        return tuple(_foreign(self.deal.owners, seat))

    def contribute(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> tuple[Value, ...] | None:
        """Return the body of what `seat` signs for the open step, None if the secrets of this deal are forgotten.

        They are where the file is an older copy than the secrets: what `seat` signed then comes back from its peers.
        """
        secret, context = self.secret(seat, secrets), self.context(seat)
        if secret is None:
            return None
        kind = self.slot_kind
        if kind in (PLEDGING, KEYING):
            public, proof = scheme.make_key(secret, context)
            return (public, proof) if kind == KEYING else (_pledge(context, public, proof),)
        if kind == SHUFFLING:
            return scheme.shuffle(secret, self.deck, scheme.joint_key(self.keys), context)
        shares = (scheme.make_share(secret, self.deck, at, context) for at in self.foreign(seat))
        return self._final(), b"".join(shares)

    def take(self, events: Sequence[SignedEvent], scheme: DeckScheme) -> "Machine | Drawn | tuple[Breach, ...]":
        """Take the contributions of all seats that owe one, in their order."""
        bodies = [tuple(part for part in event.body if isinstance(part, bytes)) for event in events]
        kind = self.slot_kind
        if kind == PLEDGING:
            return self._replace(pledges=tuple(pledge for (pledge,) in bodies))
        if kind == KEYING:
            return self._take_keys(events, bodies, scheme)
        if kind == SHARING:
            return self._take_shares(events, bodies, scheme)
        ((event,), ((deck, proof),)) = events, bodies
        joint = scheme.joint_key(self.keys)
        if not scheme.check_shuffle(self.deck, deck, joint, proof, self.context(event.seat)):
            return (Breach(event, "a shuffle that its proof does not prove"),)
        return self._replace(deck=deck, shuffles=self.shuffles + 1)

    def _take_keys(
        self, events: Sequence[SignedEvent], bodies: Sequence[tuple[bytes, ...]], scheme: DeckScheme
    ) -> "Machine | tuple[Breach, ...]":
        breaches = []
        keys: list[bytes] = []
        for event, (public, proof), pledge in zip(events, bodies, self.pledges, strict=True):
            context = self.context(event.seat)
            if _pledge(context, public, proof) != pledge:
                breaches.append(Breach(event, "a key other than the one it had pledged"))
            elif public in keys or not scheme.check_key(public, proof, context):
                breaches.append(Breach(event, "a key without proof that its secret is known"))
            keys.append(public)
        if breaches:
            return tuple(breaches)
        try:
            deck = scheme.first_deck(len(self.deal.deck), scheme.joint_key(keys))
        except ValueError:
            return (Breach(events[-1], "a key that cancels the others"),)
        return self._replace(keys=tuple(keys), deck=deck)

    def _take_shares(
        self, events: Sequence[SignedEvent], bodies: Sequence[tuple[bytes, ...]], scheme: DeckScheme
    ) -> "Drawn | tuple[Breach, ...]":
        breaches = []
        for event, (final, shares), key in zip(events, bodies, self.keys, strict=True):
            positions = self.foreign(event.seat)
            if final != self._final():
                breaches.append(Breach(event, "shares for another deck"))
            elif len(shares) != SHARE_BYTES * len(positions):
                breaches.append(Breach(event, "too few or too many shares"))
            else:
                context = self.context(event.seat)
                wrong = [
                    at
                    for at, share in zip(positions, _cut(shares), strict=True)
                    if not scheme.check_share(key, self.deck, at, share, context)
                ]
                if wrong:
                    breaches.append(Breach(event, f"a wrong share for position {wrong[0] + 1} of the deck"))
        if breaches:
            return tuple(breaches)
        return Drawn("deal", Hands(self, tuple(shares for _, shares in bodies)))

    def _final(self) -> bytes:
        return blake("sh/dealt/1", encode((*self.drawing, self.number, self.keys, self.deck)))


class Hands(NamedTuple):
    """A finished deal: what opens the cards. `shares` are the bundles of the seats; `plays` the cards played."""

    dealing: Dealing
    shares: tuple[bytes, ...]
    plays: tuple[SignedEvent, ...] = ()

    @property
    def opened(self) -> tuple[Value, ...]:
        """Return the positions of the cards played."""
        return tuple(event.body[1] for event in self.plays)

    @property
    def broken_off(self) -> bool:
        """Return whether some of the cards dealt were played, and not all."""
        owners = self.dealing.deal.owners
        return 0 < len(self.plays) < len(owners) - owners.count(0)

    def names(self, text: Action) -> bool:
        """Return whether an action is the play of a card of this deck."""
        return text in self.dealing.deal.deck

    def own(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> dict[int, Action]:
        """Return the cards of an own seat by position; none once the secrets of the deal are forgotten."""
        dealing = self.dealing
        secret = dealing.secret(seat, secrets)
        if secret is None:
            return {}
        cards = {}
        for at, owner in enumerate(dealing.deal.owners):
            if owner == seat:
                share = scheme.make_share(secret, dealing.deck, at, dealing.context(seat))
                number = scheme.open_card(dealing.deck, at, [*self._others(at), share])
                if number is not None:
                    cards[at] = dealing.deal.deck[number]
        return cards

    def seen(self, own: dict[int, Action]) -> Action:
        """Return the deal as a seat knows it that holds `own`."""
        if not own:
            return "deal"
        return " ".join(("deal", *(own.get(at, "?") for at in range(len(self.dealing.deal.deck)))))

    def play(
        self, seat: int, card: Action, own: dict[int, Action], secrets: Secrets, scheme: DeckScheme
    ) -> tuple[Value, ...] | None:
        """Return the body of the play of a card: it, its position, the owner's share. None if it is not in `own`."""
        dealing, opened = self.dealing, self.opened
        at = next((at for at, held in own.items() if held == card and at not in opened), None)
        secret = dealing.secret(seat, secrets)
        if at is None or secret is None:
            return None
        return card, at, scheme.make_share(secret, dealing.deck, at, dealing.context(seat))

    def check(self, event: SignedEvent, scheme: DeckScheme) -> "Hands | str":
        """Return the hands after the move in `event`, or why it is not the seat's to make."""
        match event.body:
            case (str(card), int(at), bytes(share)) if self.names(card):
                pass
            case (str(action), *rest) if len(rest) != 2:
                return "a card without its share" if self.names(action) else self
            case _:
                return "a share where no card is played"
        dealing, seat = self.dealing, event.seat
        owners = dealing.deal.owners
        if not 0 <= at < len(owners) or owners[at] != seat or at in self.opened:
            return "a card that was not dealt to it"
        opens = self._open(seat, at, share, scheme)
        if opens is None:
            return "a wrong share of its own card"
        if opens != card:
            return "another card than the one dealt to it"
        return self._replace(plays=(*self.plays, event))

    def played(self, seat: int, card: Action) -> list[SignedEvent]:
        """Return the play of a card by a seat, as the evidence that it is."""
        return [event for event in self.plays if (event.seat, event.body[0]) == (seat, card)]

    def show(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> bytes:
        """Return the shares of the cards that an own seat still holds; none once their secrets are forgotten."""
        dealing = self.dealing
        secret = dealing.secret(seat, secrets)
        if secret is None:
            return b""
        shares = (scheme.make_share(secret, dealing.deck, at, dealing.context(seat)) for at in self._kept(seat))
        return b"".join(shares)

    def shown(self, seat: int, shares: bytes, scheme: DeckScheme) -> tuple[Action, ...] | str:
        """Return the cards that a seat still held and opens by these shares, or what is wrong with them."""
        kept = self._kept(seat)
        if len(shares) != SHARE_BYTES * len(kept):
            return "too few or too many shares of the cards that it still held"
        cards = []
        for at, share in zip(kept, _cut(shares), strict=True):
            card = self._open(seat, at, share, scheme)
            if card is None:
                return f"a wrong share of a card that it still held, position {at + 1} of the deck"
            cards.append(card)
        return tuple(cards)

    def _kept(self, seat: int) -> list[int]:
        """Return the positions of the cards that a seat has not played, in the order of the deck."""
        opened = self.opened
        return [at for at, owner in enumerate(self.dealing.deal.owners) if owner == seat and at not in opened]

    def _open(self, seat: int, at: int, share: bytes, scheme: DeckScheme) -> Action | None:
        """Return the card that the owner's share opens, None for a wrong share."""
        dealing = self.dealing
        key = dealing.keys[dealing.drawing.live.index(seat)]
        if not scheme.check_share(key, dealing.deck, at, share, dealing.context(seat)):
            return None
        number = scheme.open_card(dealing.deck, at, [*self._others(at), share])
        return None if number is None else dealing.deal.deck[number]

    def _others(self, at: int) -> list[bytes]:
        """Return the shares of a position of all seats but its owner."""
        dealing = self.dealing
        found = []
        for seat, shares in zip(dealing.drawing.live, self.shares, strict=True):
            place = _foreign(dealing.deal.owners, seat).get(at)
            if place is not None:
                found.append(shares[SHARE_BYTES * place : SHARE_BYTES * (place + 1)])
        return found


Machine = Roll | Dealing


def begin(
    table: bytes,
    slot: Slot,
    live: tuple[int, ...],
    due: Chance,
    deals: int,
    standing: Standing | None,
    shown: tuple[SignedEvent, ...] = (),
) -> Machine:
    """Return the machine for what chance is to draw; `deals` is how many deals have begun before.

    The drawing is named by the machine's first slot, whose place `slot` tells. The commitments `standing`
    hold for the seats that were live then; the move that led here may have `shown` a salt for them.
    """
    epoch, step, _ = slot
    if isinstance(due.draw, Deal):
        return Dealing(Drawing(table, Slot(epoch, step, PLEDGING), live), due.draw, deals)
    if standing and standing.drawing.live == live:
        return Roll(Drawing(table, Slot(epoch, step, REVEAL), live), due.draw, *standing, shown)
    drawing = Drawing(table, Slot(epoch, step, COMMIT), live)
    return Roll(drawing, due.draw, drawing)


def _commit(drawing: Drawing, seat: int, secrets: Secrets) -> bytes:
    return commitment(drawing, seat, salt(secrets.chance, drawing, seat))


@lru_cache(16)  # what is shown may have been worked out before it was due
def _shown(
    seed: bytes, bound: Drawing, drawing: Drawing, hashes: tuple[bytes, ...], after: Drawing, seat: int
) -> tuple[Value, ...]:
    """Return the salt of a seat, its answer to commitments, and its commitment for the roll `after` this one."""
    ahead = commitment(after, seat, salt(seed, after, seat))
    return salt(seed, bound, seat), commitments_hash(drawing, hashes), ahead


def _pledge(context: bytes, public: bytes, proof: bytes) -> bytes:
    return blake("sh/pledge/1", encode((context, public, proof)))


@lru_cache(maxsize=256)
def _foreign(owners: tuple[int, ...], seat: int) -> Mapping[int, int]:
    """Return the dealt positions whose cards are not for `seat`, in order, each with its place among them."""
    return {at: place for place, at in enumerate(at for at, owner in enumerate(owners) if owner not in (0, seat))}


def _cut(shares: bytes) -> list[bytes]:
    return [shares[at : at + SHARE_BYTES] for at in range(0, len(shares), SHARE_BYTES)]
