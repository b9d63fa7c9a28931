"""Hands from a masked deck that nobody controls."""

from protocol.cards.deals import Dealing, Dealt, Hands

__all__ = ["Dealing", "Dealt", "Hands"]
