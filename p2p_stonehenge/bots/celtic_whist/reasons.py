"""What a card does in its trick, in a few words."""

from engine.games.celtic_whist import CARD, UNKNOWN, State, winning


def of_card(view: State, name: str) -> str:
    """Return what a card of the seat to act does in the trick, as far as its view of the game tells."""
    players = len(view.standing.seats)
    held = len(view.plays) % players if players > 1 else 1
    if not held:
        return "leads the trick"
    trick = view.plays[-held:]
    assert UNKNOWN not in trick
    if winning(view.trump, trick + bytes((CARD[view.trump][name],))) < held:
        return "leaves the trick to another card" if held + 1 == max(players, 2) else "cannot take the trick"
    return "takes the trick" if held + 1 == max(players, 2) else "beats the cards that lie there"
