"""What a client made itself is not checked again; whatever differs from it in one bit is."""

from typing import Any

import pytest

from protocol.cards.deck import MASKED_DECK
from protocol.cards.own_work import OwnWork

SECRET, CONTEXT = bytes(31) + b"\1", b"context"


class Counting:
    """The real scheme, counting its checks."""

    def __init__(self) -> None:
        self.checks = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("proves"):
            self.checks += 1
        return getattr(MASKED_DECK, name)


def test_own_shuffles_and_shares_are_not_checked_again() -> None:
    real = Counting()
    scheme = OwnWork(real)
    public, _ = scheme.make_key(SECRET, CONTEXT)
    deck = scheme.first_deck(3, public)
    shuffled, proof = scheme.shuffle(SECRET, deck, public, CONTEXT)
    share = scheme.make_share(SECRET, shuffled, 1, CONTEXT)
    assert scheme.proves_shuffle(deck, shuffled, public, proof, CONTEXT)
    assert scheme.proves_share(public, shuffled, 1, share, CONTEXT)
    assert real.checks == 0
    assert MASKED_DECK.proves_shuffle(deck, shuffled, public, proof, CONTEXT)


@pytest.mark.parametrize("part", range(5))
def test_another_statement_is_checked(part: int) -> None:
    real = Counting()
    scheme = OwnWork(real)
    public, _ = scheme.make_key(SECRET, CONTEXT)
    deck = scheme.first_deck(3, public)
    shuffled, proof = scheme.shuffle(SECRET, deck, public, CONTEXT)
    statement = [deck, shuffled, public, proof, CONTEXT]
    statement[part] = statement[part][:-1] + bytes([statement[part][-1] ^ 1])
    assert not scheme.proves_shuffle(*statement)
    assert real.checks == 1


def test_another_share_is_checked() -> None:
    real = Counting()
    scheme = OwnWork(real)
    public, _ = scheme.make_key(SECRET, CONTEXT)
    deck = scheme.first_deck(3, public)
    share = scheme.make_share(SECRET, deck, 1, CONTEXT)
    assert not scheme.proves_share(public, deck, 2, share, CONTEXT)
    assert not scheme.proves_share(public, deck, 1, share, b"elsewhere")
    assert not scheme.proves_share(public, deck, 1, share[:-1] + b"\0", CONTEXT)
    assert real.checks == 3
