"""The notation of Celtic Whist: cards `G9`, `TG`, `G9'`, bids `bid 3`, `null 2`, chance `trump TG`, `deal ...`."""

import re
from collections.abc import Sequence

from engine.game import Action, NotationError
from engine.games.celtic_whist.cards import LETTERS, SPOKEN
from engine.games.celtic_whist.state import PLAY, TRUMP, State

NOTATION = "bid with `bid 3` or `null 2`, play a card as in G9 or TG, the second copy as in G9'"
"""The hint for text that is no action."""


def read(state: State, text: str, moves: Sequence[Action]) -> Action | None:
    """Return the action that lower-case text names, or None. Raises NotationError for a card of a wrong suit.

    `moves` is what the seat to act may do.
    """
    if match := re.fullmatch(r"(?:trump\s*)?t?\s*([wbgyr])", text):
        if state.phase == TRUMP or text.startswith("trump"):
            return f"trump T{match[1].upper()}"
        return f"T{match[1].upper()}" if text[0] == "t" else None
    if text.startswith("deal") and (words := text.split())[0] == "deal":
        return _read_deal(words[1:])
    if state.phase == PLAY and (card := _read_card(state, text, moves)):
        return card
    return _read_bid(text) or _read_card(state, text, ())


def _read_deal(words: Sequence[str]) -> Action | None:
    cards = [_card_text(word) if word != "?" else word for word in words]
    return None if None in cards else _deal_text([card for card in cards if card])


def _deal_text(cards: Sequence[str]) -> Action:
    """Return a deal as it is written: `deal` alone where no card is known."""
    return "deal" if set(cards) <= {"?"} else " ".join(("deal", *cards))


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
        raise NotationError(f"there is no card {wrong}: {value} is {SPOKEN[LETTERS.index(suit)]}, {suit}{value}")
    return f"{suit}{value}" + "'" * bool(match[3])


def _read_card(state: State, text: str, moves: Sequence[Action]) -> Action | None:
    """Return the card that a text names; without its mark the second copy too, if only that one can be played."""
    if text == "t" and state.phase == PLAY:
        return f"T{LETTERS[state.trump]}"
    card = _card_text(text)
    return f"{card}'" if card and card not in moves and f"{card}'" in moves else card


def _read_bid(text: str) -> Action | None:
    """Return the bid that a text names: `bid3`, `3`, `n2`, `null double`, `nm`; `b8` is a card."""
    words = re.sub(r"[\s:-]+", "", text)
    if words in ("double", "biddouble"):
        return "double"
    if words in ("nulldouble", "nd", "doublenull"):
        return "null double"
    if words in ("nullmax", "nm", "max", "nmax"):
        return "null max"
    match = re.fullmatch(r"(bid|null|n|)([0-9]{1,3})", words)
    return f"{'null' if match[1][:1] == 'n' else 'bid'} {int(match[2])}" if match else None
