"""Celtic Whist, by Rich Hutnik: tricks with thirty numbers and a trilithon, scored by exact bids.

The cards are in `engine._whist_cards`, how a round goes on in `engine._whist_rounds`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine._whist_cards import (
    BYTES,
    CARD,
    LETTERS,
    NAMES,
    SUIT_OF,
    SUITS,
    TRUMPS,
    UNKNOWN,
    mask,
    members,
)
from engine._whist_rounds import (
    ALL_CARDS,
    BID,
    BLACK_FOLLOWS,
    COOPERATIVE,
    DEAL,
    DOUBLING,
    FIRST,
    HARD,
    LONG,
    NULL_MAX,
    PLAY,
    REASONS,
    RESIGNED,
    RESTRICTIVE,
    TRUMP,
    Standing,
    State,
    between,
    bid,
    deal,
    deck,
    denied,
    layout,
    lead_of,
    leave,
    play,
    playable,
    revokes,
    revokes_of,
    size,
    unseen,
)
from engine._whist_story import told
from engine._whist_worth import outlook
from engine.game import CHANCE, Action, Chance, Event, NotationError, Over, Pending, Pick, Refusal, Result, Turn
from engine.house import HouseGame, first_draw
from engine.options import SEATS, Option, OptionError, OptionValue, flag

if TYPE_CHECKING:
    from random import Random

TRUMP_DRAW = Chance(Pick(tuple(f"trump T{LETTERS[trump]}" for trump in TRUMPS)))
TURNS = tuple(Turn(seat) for seat in range(6))
FLAGS = {
    "all_cards": ALL_CARDS,
    "black_must_follow": BLACK_FOLLOWS,
    "doubling": DOUBLING,
    "restrictive_null": RESTRICTIVE,
    "cooperative": COOPERATIVE,
}
TRIES = 100
"""Deals tried for a completed view in which everybody has followed suit."""


class CelticWhist(HouseGame[State]):
    """Celtic Whist."""

    key = "celtic-whist"
    title = "Celtic Whist"
    version = 1
    seats = range(1, 6)
    colours = ("White", "Blue", "Green", "Yellow", "Red")
    draws = False
    notation = "bid with `bid 3` or `null 2`, play a card as in G9 or TG, the second copy as in G9'"
    options = (
        Option("first", "random", ("random",), "the seat that deals first", low=1, high=SEATS),
        flag("all_cards", "five players: both copies of every number, 12 cards a hand"),
        flag("black_must_follow", "when Black is led, Black must be played"),
        flag("doubling", "also `double` and `null double`: all tricks or none, for twice the hand"),
        flag("restrictive_null", "the only null bids are `null 1` and `null max`"),
        Option("scoring", "standard", ("standard", "hard"), "hard: more tricks than bid score nothing"),
        Option("hand", 13, (13, 15), "solitaire: cards a hand", players=(1,)),
        Option("start", 15, (), "solitaire: where the player starts", low=1, high=29, players=(1,)),
        Option("timer", 15, (), "solitaire: where the timer starts", low=1, high=27, players=(1,)),
        flag("cooperative", "one team, which moves when every bid is made exactly"),
    )

    def resolve(self, options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
        chosen = super().resolve(options, seats)
        if chosen["all_cards"] and seats != 5:
            raise OptionError("all_cards", "all_cards=true is only for 5 players: else all_cards is false")
        if seats == 1:
            for name in ("restrictive_null", "cooperative"):
                if chosen[name]:
                    raise OptionError(name, f"{name}=true is only for 2-5 players: in solitaire {name} is false")
        for name in ("doubling", "restrictive_null"):
            if chosen["cooperative"] and chosen[name]:
                raise OptionError(name, f"{name}=true does not go with cooperative=true: there {name} is false")
        return chosen

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        rules = sum(bit for name, bit in FLAGS.items() if chosen[name])
        rules |= HARD * (chosen["scoring"] == "hard") | LONG * (chosen.get("hand") == 15)
        none = (0,) * seats
        if seats == 1:
            begin, timer = int(chosen["start"]), int(chosen["timer"])
            return between(Standing(rules, begin, b"\1", 1, timer, 0, (begin,), none))
        dealer = 0 if chosen["first"] == "random" else int(chosen["first"])
        state = between(Standing(rules, 0, bytes(range(1, seats + 1)), dealer, 0, 0, none, none))
        return state if dealer else state._replace(phase=FIRST)

    def live(self, state: State) -> tuple[int, ...]:
        return tuple(state.standing.seats) if state.phase <= PLAY else ()

    def pending(self, state: State) -> Pending:
        phase = state.phase
        if phase in (PLAY, BID):
            return TURNS[state.seat]
        if phase == TRUMP:
            return TRUMP_DRAW
        standing = state.standing
        if phase == DEAL:
            rules, _, seats, dealer, *_ = standing
            return Chance(layout(rules, len(standing.totals), seats, dealer, state.trump))
        if phase == FIRST:
            return first_draw(standing.seats)
        return Over(Result(tuple(standing.seats), standing.totals, REASONS[phase]))

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        # The two phases that make up a round, without the way through `pending`.
        if state.phase == PLAY:
            return playable(state) if actor == state.seat else ()
        if state.phase == BID:
            return _bids(state.standing.rules, size(state.standing)) if actor == state.seat else ()
        return super().legal(state, actor)

    def _moves(self, state: State) -> Sequence[Action]:
        return self.legal(state, state.seat)

    def refuse(self, state: State, actor: int, action: Action) -> Refusal | None:
        if state.phase == DEAL and actor == CHANCE and action != "draw":
            return _not_dealt(state, action)
        refusal = super().refuse(state, actor, action)
        if refusal and refusal.code == "no-draw":
            return Refusal("no-draw", "end", "Nobody draws in Celtic Whist: play goes on until the timer is at 30.")
        return refusal

    def apply(self, state: State, actor: int, action: Action) -> State:
        phase = state.phase
        if phase == PLAY and (card := CARD[state.trump].get(action)) is not None:
            return play(state, card)
        if action == "resign":
            return leave(state, {actor}, RESIGNED)
        if phase == BID:
            return bid(state, _worth_of(action, size(state.standing)))
        if phase == DEAL:
            return deal(state, action.split()[1:])
        if phase == TRUMP:
            return state._replace(phase=DEAL, trump=LETTERS.index(action[-1]))
        return between(state.standing._replace(dealer=int(action[-1])))

    def view(self, state: State, viewer: int) -> State:
        if state.phase not in (BID, PLAY):
            return state
        hands, unknown = list(state.hands), bytearray(state.unknown)
        for at, hand in enumerate(hands):
            if hand and at != viewer - 1:
                hands[at] = 0
                unknown[at] += hand.bit_count()
        dummy = bytes((UNKNOWN,)) * len(state.dummy)
        return state._replace(hands=tuple(hands), unknown=bytes(unknown), dummy=dummy)

    def revokes(self, state: State, actor: int, action: Action) -> tuple[tuple[int, Action, str], ...]:
        seats = state.standing.seats
        if state.phase != PLAY or len(seats) < 2 or len(state.plays) + 1 < size(state.standing) * len(seats):
            return ()
        played = state._replace(plays=state.plays + BYTES[CARD[state.trump][action]], leads=state.leads + b"\0")
        return _in_words(state, revokes(played))

    def audit(self, state: State, seat: int, hand: Sequence[Action]) -> tuple[tuple[int, Action, str], ...]:
        if state.phase != PLAY or len(state.standing.seats) < 2:
            return ()
        return _in_words(state, revokes_of(state, seat, [CARD[state.trump][card] for card in hand]))

    def complete(self, view: State, rng: "Random") -> State:
        if not any(view.unknown) and UNKNOWN not in view.dummy:
            return view
        cards = list(members(unseen(view)))
        barred = denied(view)
        for attempt in range(TRIES + 1):
            rng.shuffle(cards)
            hands = _shared_out(view, cards, barred if attempt < TRIES else [0] * len(barred))
            if hands:
                break
        rest = [card for card in cards if not any(hand >> card & 1 for hand in hands)]
        dummy = bytes(rest.pop() if card == UNKNOWN else card for card in view.dummy)
        return view._replace(hands=hands, unknown=bytes(len(hands)), dummy=dummy)

    def worth(self, state: State, seat: int) -> int:
        return outlook(state, seat)

    def story(self, before: State, actor: int, action: Action) -> tuple[Event, ...]:
        return told(self.colours, before, actor, action, self.apply(before, actor, action))

    def _read(self, state: State, text: str) -> Action | None:
        if match := re.fullmatch(r"(?:trump\s*)?t?\s*([wbgyr])", text):
            if state.phase == TRUMP or text.startswith("trump"):
                return f"trump T{match[1].upper()}"
            return f"T{match[1].upper()}" if text[0] == "t" else None
        if text.startswith("deal") and (words := text.split())[0] == "deal":
            return _read_deal(words[1:])
        if state.phase == PLAY and (card := _read_card(state, text, self._moves(state))):
            return card
        return _read_bid(text) or _read_card(state, text, ())

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        standing = state.standing
        hand = size(standing)
        card = CARD[state.trump].get(action)
        if state.phase == BID:
            if card is not None:
                return Refusal("bid-first", "bidding", "First everybody bids: type `bid 3`, or `null 2` for no trick.")
            return _no_bid(standing.rules, hand, action)
        if card is None:
            if re.fullmatch(r"bid [0-9]+|null [0-9]+|null max|double|null double", action):
                return Refusal("bidding-over", "play", "Bidding is over: play a card, as in G9.")
            return Refusal("notation", "notation", f"That is no card of this round: {self.notation}.")
        if card not in deck(standing):
            return Refusal("not-in-deck", "cards", f"{action} is not in the deck of this round.")
        if card in state.plays:
            return Refusal("played", "play", f"{action} has been played already.")
        if not state.hands[seat - 1] >> card & 1:
            return Refusal("not-held", "play", f"{action} is not in {self.colours[seat - 1]}'s hand.")
        led = lead_of(state)
        suit = SUITS[SUIT_OF[state.trump][led]]
        follow = " or ".join(self._moves(state))
        return Refusal("follow", "play", f"{NAMES[state.trump][led]} was led: follow suit in {suit} with {follow}.")


def _in_words(state: State, found: Sequence[tuple[int, int, int]]) -> tuple[tuple[int, Action, str], ...]:
    """Return revokes as (seat, card, words)."""
    names = NAMES[state.trump]
    return tuple((seat, names[card], f"a revoke: {names[card]} in trick {trick}") for seat, trick, card in found)


@cache
def _bids(rules: int, hand: int) -> tuple[Action, ...]:
    """Return every bid that the options allow with so many cards."""
    nulls = ("null 1", "null max") if rules & RESTRICTIVE else tuple(f"null {n}" for n in range(1, hand + 1))
    doubles = (("double",) if rules & RESTRICTIVE else ("double", "null double")) if rules & DOUBLING else ()
    return (*(f"bid {n}" for n in range(1, hand + 1)), *nulls, *doubles)


@cache
def _worth_of(action: Action, hand: int) -> int:
    """Return what a bid is worth, negative for a null bid."""
    if action == "null max":
        return NULL_MAX
    kind, _, value = action.rpartition(" ")
    worth = 2 * hand if value == "double" else int(value)
    return -worth if kind == "null" else worth


def _no_bid(rules: int, hand: int, action: Action) -> Refusal:
    """Return why a bid is not possible."""
    lowest = "null 1 or null max" if rules & RESTRICTIVE else f"null 1 to null {hand}"
    if "double" in action and not rules & DOUBLING:
        text = "There is no doubling at this table (option doubling)."
    elif action == "null double":
        text = "Restrictive null: the only null bids are null 1 and null max."
    elif action == "null max":
        text = f"There is no null max at this table (option restrictive_null): bid {lowest}."
    elif action == "bid 0":
        text = "Nobody bids 0: it is a null bid that promises no trick."
    elif action.startswith("null") and rules & RESTRICTIVE:
        text = "Restrictive null: the only null bids are null 1 and null max."
    elif re.fullmatch(r"(bid|null) [0-9]+", action):
        text = f"With {hand} cards you may bid 1 to {hand}, or {lowest}."
    else:
        return Refusal("notation", "notation", f"That is no bid: type `bid 1` to `bid {hand}`, or {lowest}.")
    return Refusal("bid", "bidding", text)


def _not_dealt(state: State, action: Action) -> Refusal | None:
    """Return None if `action` is a lawful deal, else why it is not."""
    words = action.split(" ")
    if words == ["deal"]:
        return None
    cards = [card for card in words[1:] if card != "?"]
    allowed = set(map(NAMES[state.trump].__getitem__, deck(state.standing)))
    if words[0] != "deal" or not cards:
        text = "The cards are dealt now: that is not a deal."
    elif len(words) - 1 != len(allowed):
        text = f"A deal names all {len(allowed)} cards in their order, with ? for each that is not known."
    elif len(set(cards)) != len(cards) or not allowed.issuperset(cards):
        text = "A deal names each card of the deck once."
    else:
        return None
    return Refusal("deal", "setup", text)


def _deal_text(cards: Sequence[str]) -> Action:
    """Return a deal as it is written: `deal` alone where no card is known."""
    return "deal" if set(cards) <= {"?"} else " ".join(("deal", *cards))


def _read_deal(words: Sequence[str]) -> Action | None:
    cards = [_card_text(word) if word != "?" else word for word in words]
    return None if None in cards else _deal_text([card for card in cards if card])


CARD_SHAPE = re.compile(r"([wbgyrk]?)\s*([1-9]|[12][0-9]|30)\s*(['`\u2019\u00b4\u2032]?)")


def _card_text(text: str) -> Action | None:
    """Return the canonical name of a card; a trilithon is any of the five. Raises NotationError for a wrong suit."""
    if re.fullmatch(r"t\s*[wbgyr]", text):
        return f"T{text[-1].upper()}"
    match = CARD_SHAPE.fullmatch(text)
    if match is None:
        return None
    value = int(match[2])
    suit = LETTERS[(value - 1) % 6]
    if match[1] and match[1].upper() != suit:
        wrong = f"{match[1].upper()}{value}"
        raise NotationError(f"there is no card {wrong}: {value} is {SUITS[LETTERS.index(suit)]}, {suit}{value}")
    return f"{suit}{value}" + "'" * bool(match[3])


def _read_card(state: State, text: str, moves: Sequence[Action]) -> Action | None:
    """Return the card that a text names; without its mark the second copy too, if only that one can be played."""
    if text == "t" and state.phase == PLAY:
        return f"T{LETTERS[state.trump]}"
    card = _card_text(text)
    return f"{card}'" if card and card not in moves and f"{card}'" in moves else card


def _read_bid(text: str) -> Action | None:
    """Return the bid that a text names: `bid3`, `3`, `n2`, `null double`, `nm`."""
    words = re.sub(r"[\s:-]+", "", text)
    if words in ("double", "d", "biddouble"):
        return "double"
    if words in ("nulldouble", "nd", "doublenull"):
        return "null double"
    if words in ("nullmax", "nm", "max", "nmax"):
        return "null max"
    match = re.fullmatch(r"(bid|b|null|n|)([0-9]{1,3})", words)
    return f"{'null' if match[1][:1] == 'n' else 'bid'} {int(match[2])}" if match else None


def _shared_out(view: State, cards: Sequence[int], barred: Sequence[int]) -> tuple[int, ...]:
    """Return hands filled up from `cards` in their order, without those barred; nothing if that does not work out."""
    hands, left = list(view.hands), list(cards)
    for at in sorted(range(len(hands)), key=lambda at: -barred[at].bit_count()):
        fits = [card for card in left if not barred[at] >> card & 1][: view.unknown[at]]
        if len(fits) < view.unknown[at]:
            return ()
        hands[at] |= mask(fits)
        left = [card for card in left if card not in fits]
    return tuple(hands)


GAME = CelticWhist()
