"""Why an action of Celtic Whist is not possible, in the words of its rules page."""

import re
from collections.abc import Sequence

from engine.game import Action, Refusal
from engine.games.celtic_whist.cards import CARD, NAMES, SPOKEN, SUIT_OF
from engine.games.celtic_whist.notation import NOTATION
from engine.games.celtic_whist.state import BID, DOUBLING, PLAY, RESTRICTIVE, State, deck, lead_of, size

MOST_NAMED = 7
"""So many cards are named one by one, which fits on a line of a screen."""


def how(state: State, moves: Sequence[Action]) -> str:
    """Return what the seat to act may do, one of `moves`, and how that is typed, for text that is no action."""
    if state.phase == BID:
        hand = size(state.standing)
        null = f"{_lowest(state.standing.rules, hand)}: the points that you win with no trick and lose with any"
        return f"type `bid 1` to `bid {hand}`, or {null}"
    if state.phase != PLAY or state.unknown[state.seat - 1]:
        return NOTATION
    which = f"play {moves[0]}" if len(moves) == 1 else f"play {', '.join(moves[:-1])} or {moves[-1]}"
    if len(moves) > MOST_NAMED:
        which = f"play any of your {len(moves)} cards"
    number = re.sub(r"\D", "", moves[0])
    return f"{which}, typed as {moves[0]}{f' or {number} alone' * bool(number)}"


def explain(state: State, seat: int, action: Action, moves: Sequence[Action]) -> Refusal:
    """Return why `seat`, which is to act and may do `moves`, may not do `action`."""
    standing = state.standing
    hand = size(standing)
    card = CARD[state.trump].get(action)
    if state.phase == BID:
        if card is not None:
            text = f"First everybody bids: type `bid 3`, or `null 2` for no trick; {action} is a card."
            return Refusal("bid-first", "bidding", text)
        return _no_bid(standing.rules, hand, action)
    if card is None:
        if re.fullmatch(r"bid [0-9]+|null [0-9]+|null max|double|null double", action):
            return Refusal("bidding-over", "play", f"Bidding is over: {how(state, moves)}.")
        return Refusal("notation", "notation", f"That is no card of this round: {how(state, moves)}.")
    if card not in deck(standing):
        return Refusal("not-in-deck", "cards", f"{action} is not in the deck of this round: {how(state, moves)}.")
    if card in state.plays:
        return Refusal("played", "play", f"{action} has been played already: {how(state, moves)}.")
    if not state.hands[seat - 1] >> card & 1:
        return Refusal("not-held", "play", f"{action} is not in your hand: {how(state, moves)}.")
    led = lead_of(state)
    suit = SPOKEN[SUIT_OF[state.trump][led]]
    follow = " or ".join(moves)
    return Refusal("follow", "play", f"{NAMES[state.trump][led]} was led: follow suit in {suit} with {follow}.")


def _no_bid(rules: int, hand: int, action: Action) -> Refusal:
    """Return why a bid is not possible."""
    lowest = _lowest(rules, hand)
    if "double" in action and not rules & DOUBLING:
        text = "There is no doubling at this table (option doubling)."
    elif action == "null double":
        text = "Restrictive null: the only null bids are null 1 and null max."
    elif action == "null max":
        text = f"There is no null max at this table (option restrictive_null): bid {lowest}."
    elif action == "bid 0":
        text = "Nobody bids 0: a null bid, as `null 2`, promises no trick."
    elif action.startswith("null") and rules & RESTRICTIVE:
        text = "Restrictive null: the only null bids are null 1 and null max."
    elif re.fullmatch(r"(bid|null) [0-9]+", action):
        text = f"With {hand} cards you may bid 1 to {hand}, or {lowest}."
    else:
        return Refusal("notation", "notation", f"That is no bid: type `bid 1` to `bid {hand}`, or {lowest}.")
    return Refusal("bid", "bidding", text)


def _lowest(rules: int, hand: int) -> str:
    """Return the null bids that there are."""
    return "null 1 or null max" if rules & RESTRICTIVE else f"null 1 to null {hand}"


def not_dealt(state: State, action: Action) -> Refusal | None:
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
