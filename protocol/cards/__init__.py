"""Hands from a masked deck that nobody controls."""

from protocol.cards.deals import Dealing, Dealt, Hands, Refuted
from protocol.cards.deck import MASKED_DECK, DeckScheme
from protocol.cards.own_work import OwnWork

__all__ = ["MASKED_DECK", "Dealing", "Dealt", "DeckScheme", "Hands", "OwnWork", "Refuted"]
