"""Shuffles that hold, and changes of them."""

from typing import Any

from engine import Value, encode
from protocol.cards.deck import MASKED_DECK
from protocol.cards.shuffle import proves_shuffle, shuffle

SECRETS = tuple(bytes([number]) * 32 for number in range(1, 5))
PUBLICS = tuple(MASKED_DECK.make_key(secret, b"")[0] for secret in SECRETS)
JOINT = MASKED_DECK.joint_key(PUBLICS[:2])
MADE_FOR: dict[str, Value] = {"table": b"t" * 32, "slot": (1, 17, 4), "deal": 2, "seat": 3, "live": (1, 3, 4)}
CONTEXT = encode(tuple(MADE_FOR.values()))


def deck_of(cards: int) -> bytes:
    """A deck as the second seat gets it."""
    return shuffle(SECRETS[2], MASKED_DECK.first_deck(cards, JOINT), JOINT, b"first")[0]


def honest(cards: int) -> dict[str, bytes]:
    """The arguments of a check that holds, by name."""
    deck = deck_of(cards)
    shuffled, proof = shuffle(SECRETS[0], deck, JOINT, CONTEXT)
    return {"deck": deck, "shuffled": shuffled, "joint": JOINT, "proof": proof, "context": CONTEXT}


def checked(arguments: dict[str, bytes], **changes: Any) -> bool:
    assert changes.keys() <= arguments.keys()
    return proves_shuffle(**{**arguments, **changes})


def pieces(data: bytes, size: int = 32) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def replaced(data: bytes, index: int, piece: bytes, size: int = 32) -> bytes:
    return data[: index * size] + piece + data[(index + 1) * size :]


TWO = honest(2)
THREE = honest(3)
FIELDS = [*(f"C{i}" for i in (1, 2)), *(f"D{i}" for i in (1, 2)), "c", "s1", "s2", "s3", "s4", "v1", "v2", "w1", "w2"]
POINTS, SCALARS = FIELDS[:4], FIELDS[4:]
