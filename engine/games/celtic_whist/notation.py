"""The notation of Celtic Whist: cards `G9`, `TG`, `G9'`, bids `bid 3`, `null 2`, chance `trump TG`, `deal ...`."""

import re
from collections.abc import Sequence

from engine.game import Action, NotationError
from engine.games.celtic_whist.cards import LETTERS, SPOKEN
from engine.games.celtic_whist.state import BID, PLAY, TRUMP, State

NOTATION = "bid with `bid 3` or `null 2`, play a card as in G9 or TG, of five players the second copy as in G9'"
"""The hint for text that is no action."""


_NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_SAID = {word: str(number) for number, word in enumerate(_NUMBERS, 1)}
_SAID |= {f"twenty {word}": str(number) for number, word in enumerate(_NUMBERS[:9], 21)} | {"thirty": "30"}
_SAID |= dict(zip(SPOKEN, map(str.lower, LETTERS), strict=True)) | {"trilithon": "t"}
"""What people call numbers, suits and the trilithon."""
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_SAID, key=len, reverse=True))})\b")


def _as_written(text: str) -> str:
    """Return lower-case text with the words people say for numbers, suits and the trilithon as they are written.

    >>> [_as_written(said) for said in ("the black twelve", "12 black", "bid three tricks", "green trilithon")]
    ['k 12', 'k 12', 'bid 3', 't g']
    """
    words = re.sub(r"\btwenty-(?=[a-z])", "twenty ", re.sub(r"^(?:the|my)\s+", "", text))
    words = _WORD.sub(lambda word: _SAID[word[0]], words)
    if re.fullmatch(r"(?:bid\s*)?(?:no|0) tricks?", words):
        return "null"
    words = re.sub(r"^((?:bid\s*)?[0-9]{1,3}) tricks?$", r"\1", words)
    # The number or the trilithon may be said first.
    words = re.sub(r"^([0-9]{1,2})\s*(['`\u2019\u00b4\u2032]?)\s*([wbgyrk])$", r"\3 \1\2", words)
    return re.sub(r"^([wbgyr])\s+t$", r"t \1", words)


def read(state: State, text: str, moves: Sequence[Action]) -> Action | None:
    """Return the action that lower-case text names, or None.

    Raises NotationError for a card of a wrong suit, and for a null bid without its number. `moves` is what the seat to
    act may do.
    """
    if state.phase == PLAY:
        text = text.removeprefix("play ").lstrip()
    if not text.startswith("deal"):
        text = _as_written(text)
    if state.phase == BID and text == "null":
        raise NotationError("a null bid needs a number")
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
