"""A deal from a masked deck: keys, one shuffle after another, then from each seat its shares of the others' cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine import Action, Deal, encode
from protocol.cards.deck import DeckScheme
from protocol.chance import Breach, Breaches
from protocol.events import SHARE_BYTES, SignedEvent, SlotKind, bodies
from protocol.identity import Secrets


class Refuted(NamedTuple):
    """That shares of cards are not what they should be: how, in words that follow "signed"."""

    reason: str


class Dealt(NamedTuple):
    """A finished deal."""

    hands: "Hands"


class Dealing(NamedTuple):
    """Deal `number` of a table, begun in `epoch` among the seats in `live`.

    `keys` is empty until every live seat has shown its key; `deck` is the deck after `shuffles` shuffles.
    """

    table: bytes
    epoch: int
    number: int
    live: tuple[int, ...]
    deal: Deal
    keys: tuple[bytes, ...] = ()
    deck: bytes = b""
    shuffles: int = 0

    @property
    def slot_kind(self) -> SlotKind:
        """Return the kind of the slot that gathers the next contributions."""
        if not self.keys:
            return SlotKind.KEY
        return SlotKind.SHUFFLE if self.shuffles < len(self.live) else SlotKind.SHARE

    @property
    def givers(self) -> tuple[int, ...]:
        """Return the seats from which the slot takes a contribution: the next to shuffle, or all."""
        shuffling = self.slot_kind == SlotKind.SHUFFLE
        return self.live[self.shuffles : self.shuffles + 1] if shuffling else self.live

    def context(self, seat: int) -> bytes:
        """Return the canonical bytes to which keys, shuffles and shares of `seat` are bound."""
        return encode((self.table, self.epoch, self.number, self.live, seat))

    def secret(self, seat: int, secrets: Secrets) -> bytes | None:
        """Return the secret of an own seat for this deal, 32 bytes, None once it is forgotten."""
        return secrets.for_deal(self.number, self.context(seat))

    def fits(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> bool:
        """Return whether these are the secrets by which `seat` has made its key, if it has shown one.

        Secrets that are forgotten fit.
        """
        secret = self.secret(seat, secrets)
        if secret is None or not self.keys or seat not in self.live:
            return True
        return scheme.make_key(secret, self.context(seat))[0] == self.keys[self.live.index(seat)]

    def foreign(self, seat: int) -> tuple[int, ...]:
        """Return the positions of the cards dealt to other seats: `seat` gives a share of each."""
        return tuple(_foreign(self.deal.owners, seat))

    def part(
        self, seat: int, secrets: Secrets, scheme: DeckScheme
    ) -> bodies.Key | bodies.Shuffle | bodies.Shares | None:
        """Return the contribution of `seat` to the open slot, None where there can be none.

        * The secrets of this deal are forgotten. They are newer than the file then, which is an old copy: the other
          clients hold what `seat` has signed.
        * The secrets are not those of the key that `seat` has shown: what does not fit that key would be a breach.
        """
        secret, context = self.secret(seat, secrets), self.context(seat)
        if secret is None or not self.fits(seat, secrets, scheme):
            return None
        match self.slot_kind:
            case SlotKind.KEY:
                return bodies.Key(*scheme.make_key(secret, context))
            case SlotKind.SHUFFLE:
                return bodies.Shuffle(*scheme.shuffle(secret, self.deck, scheme.joint_key(self.keys), context))
        return bodies.Shares(b"".join(scheme.make_share(secret, self.deck, at, context) for at in self.foreign(seat)))

    def take(self, events: Sequence[SignedEvent], scheme: DeckScheme) -> "Dealing | Dealt | Breaches":
        """Return what follows from the contributions of all givers, in seat order.

        That is the deal at its next slot, the finished deal, or the breaches.
        """
        match self.slot_kind:
            case SlotKind.KEY:
                return self._take_keys(events, scheme)
            case SlotKind.SHUFFLE:
                return self._take_shuffle(events[0], scheme)
        return self._take_shares(events, scheme)

    def _take_keys(self, events: Sequence[SignedEvent], scheme: DeckScheme) -> "Dealing | Breaches":
        breaches = []
        keys: list[bytes] = []
        for event in events:
            assert isinstance(event.body, bodies.Key)
            public, proof = event.body
            # A seat that copies another seat's key has no proof; the copy must not make the original a repetition.
            if public in keys or not scheme.proves_key(public, proof, self.context(event.seat)):
                breaches.append(Breach(event, "a key without proof that its secret is known"))
            else:
                keys.append(public)
        if breaches:
            return Breaches(tuple(breaches))
        try:
            deck = scheme.first_deck(len(self.deal.deck), scheme.joint_key(keys))
        except ValueError:
            return Breaches((Breach(events[-1], "a key that cancels the others"),))
        return self._replace(keys=tuple(keys), deck=deck)

    def _take_shuffle(self, event: SignedEvent, scheme: DeckScheme) -> "Dealing | Breaches":
        assert isinstance(event.body, bodies.Shuffle)
        deck, proof = event.body
        joint = scheme.joint_key(self.keys)
        if not scheme.proves_shuffle(self.deck, deck, joint, proof, self.context(event.seat)):
            return Breaches((Breach(event, "a shuffle that its proof does not prove"),))
        return self._replace(deck=deck, shuffles=self.shuffles + 1)

    def _take_shares(self, events: Sequence[SignedEvent], scheme: DeckScheme) -> Dealt | Breaches:
        breaches = []
        bundles = []
        for event, key in zip(events, self.keys, strict=True):
            assert isinstance(event.body, bodies.Shares)
            bundles.append(event.body.shares)
            wrong = self._wrong_shares(event.seat, key, event.body.shares, scheme)
            if wrong:
                breaches.append(Breach(event, wrong))
        return Breaches(tuple(breaches)) if breaches else Dealt(Hands(self, tuple(bundles)))

    def _wrong_shares(self, seat: int, key: bytes, shares: bytes, scheme: DeckScheme) -> str:
        """Return what is wrong with a bundle of shares, "" for a right one."""
        positions, context = self.foreign(seat), self.context(seat)
        if len(shares) != SHARE_BYTES * len(positions):
            return "too few or too many shares"
        for at, share in zip(positions, _cut(shares), strict=True):
            if not scheme.proves_share(key, self.deck, at, share, context):
                return f"a wrong share for position {at + 1} of the deck"
        return ""


class Hands(NamedTuple):
    """A finished deal and what opens its cards.

    `shares`: for each live seat its shares of the others' cards, 96 bytes a card. `plays`: the cards played.
    """

    dealing: Dealing
    shares: tuple[bytes, ...]
    plays: tuple[SignedEvent, ...] = ()

    @property
    def opened(self) -> tuple[int, ...]:
        """Return the positions of the cards played."""
        return tuple([event.body.position for event in self.plays if isinstance(event.body, bodies.Play)])

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
        """Return the deal as known to the seat whose cards are `own`."""
        if not own:
            return "deal"
        return " ".join(("deal", *(own.get(at, "?") for at in range(len(self.dealing.deal.deck)))))

    def play(
        self, seat: int, card: Action, own: dict[int, Action], secrets: Secrets, scheme: DeckScheme
    ) -> bodies.Play | None:
        """Return the play of a card, with the owner's share. None if the card is not in `own`, or was played."""
        dealing, opened = self.dealing, self.opened
        at = next((at for at, held in own.items() if held == card and at not in opened), None)
        secret = dealing.secret(seat, secrets)
        if at is None or secret is None:
            return None
        return bodies.Play(card, at, scheme.make_share(secret, dealing.deck, at, dealing.context(seat)))

    def with_play(self, event: SignedEvent, scheme: DeckScheme) -> "Hands | Refuted":
        """Return the hands after the play of a card, or how the play is a breach."""
        assert isinstance(event.body, bodies.Play)
        card, at, share = event.body
        owners = self.dealing.deal.owners
        if not self.names(card):
            return Refuted("a share where no card is played")
        if at >= len(owners) or owners[at] != event.seat or at in self.opened:
            return Refuted("a card that was not dealt to it")
        opens = self._open(event.seat, at, share, scheme)
        if opens is None:
            return Refuted("a wrong share of its own card")
        if opens != card:
            return Refuted("another card than the one dealt to it")
        return self._replace(plays=(*self.plays, event))

    def played(self, seat: int, card: Action) -> list[SignedEvent]:
        """Return the events by which a seat played a card: the evidence of a revoke."""
        return [
            one
            for one in self.plays
            if one.seat == seat and isinstance(one.body, bodies.Play) and one.body.card == card
        ]

    def show(self, seat: int, secrets: Secrets, scheme: DeckScheme) -> bytes:
        """Return the shares of the cards that an own seat still holds.

        Nothing once their secrets are forgotten, or if the secrets are not those of its key.
        """
        dealing = self.dealing
        secret = dealing.secret(seat, secrets)
        if secret is None or not dealing.fits(seat, secrets, scheme):
            return b""
        context = dealing.context(seat)
        return b"".join(scheme.make_share(secret, dealing.deck, at, context) for at in self._kept(seat))

    def shown(self, seat: int, shares: bytes, scheme: DeckScheme) -> tuple[Action, ...] | Refuted:
        """Return the cards that a seat still held and opens by these shares, or what is wrong with the shares."""
        kept = self._kept(seat)
        if len(shares) != SHARE_BYTES * len(kept):
            return Refuted("too few or too many shares of the cards that it still held")
        cards = []
        for at, share in zip(kept, _cut(shares), strict=True):
            card = self._open(seat, at, share, scheme)
            if card is None:
                return Refuted(f"a wrong share of a card that it still held, position {at + 1} of the deck")
            cards.append(card)
        return tuple(cards)

    def _kept(self, seat: int) -> list[int]:
        """Return the positions of the cards that a seat has not played, in the order of the deck."""
        opened = self.opened
        return [at for at, owner in enumerate(self.dealing.deal.owners) if owner == seat and at not in opened]

    def _open(self, seat: int, at: int, share: bytes, scheme: DeckScheme) -> Action | None:
        """Return the card that the owner's share opens, None for a wrong share."""
        dealing = self.dealing
        key = dealing.keys[dealing.live.index(seat)]
        if not scheme.proves_share(key, dealing.deck, at, share, dealing.context(seat)):
            return None
        number = scheme.open_card(dealing.deck, at, [*self._others(at), share])
        return None if number is None else dealing.deal.deck[number]

    def _others(self, at: int) -> list[bytes]:
        """Return the shares of the card at a position, from all seats but its owner."""
        dealing = self.dealing
        found = []
        for seat, shares in zip(dealing.live, self.shares, strict=True):
            place = _foreign(dealing.deal.owners, seat).get(at)
            if place is not None:
                found.append(shares[SHARE_BYTES * place : SHARE_BYTES * (place + 1)])
        return found


@lru_cache(maxsize=256)
def _foreign(owners: tuple[int, ...], seat: int) -> Mapping[int, int]:
    """Return the positions of the cards dealt to other seats, in order, each with its index among them."""
    return {at: place for place, at in enumerate(at for at, owner in enumerate(owners) if owner not in (0, seat))}


def _cut(shares: bytes) -> list[bytes]:
    return [shares[at : at + SHARE_BYTES] for at in range(0, len(shares), SHARE_BYTES)]
