"""What a card does in its trick, in a few words."""

from engine.games.celtic_whist import CARD, UNKNOWN, State, winning


def leads(view: State) -> bool:
    """Return whether the card of the seat to act is the first of its trick."""
    players = len(view.standing.seats)
    return players > 1 and len(view.plays) % players == 0


def of_card(view: State, name: str) -> str:
    """Return what a card of the seat to act does in the trick, as far as its view of the game tells."""
    if leads(view):
        return "leads the trick"
    players = len(view.standing.seats)
    held = len(view.plays) % players if players > 1 else 1
    trick = view.plays[-held:]
    assert UNKNOWN not in trick
    if winning(view.trump, trick + bytes((CARD[view.trump][name],))) < held:
        return "leaves the trick to another card" if held + 1 == max(players, 2) else "cannot take the trick"
    return "takes the trick" if held + 1 == max(players, 2) else "beats the cards that lie there"
