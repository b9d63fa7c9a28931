"""Encodings of points that every check refuses."""

from edwards import P
from nacl.bindings import crypto_core_ed25519_add

from protocol.cards.group import (
    BASE,
    IDENTITY,
    multiply,
)

ORDER_2 = bytes.fromhex("ec" + 30 * "ff" + "7f")
ORDER_4 = bytes(32)
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
ELEMENT = multiply(7, BASE)
REFUSED = {
    "identity": IDENTITY,
    "order 2": ORDER_2,
    "order 4": ORDER_4,
    "order 8": ORDER_8,
    "element + order 2": crypto_core_ed25519_add(ELEMENT, ORDER_2),
    "element + order 4": crypto_core_ed25519_add(ELEMENT, ORDER_4),
    "element + order 8": crypto_core_ed25519_add(ELEMENT, ORDER_8),
    "identity, y = p + 1": (P + 1).to_bytes(32, "little"),
    "order 4, y = p": P.to_bytes(32, "little"),
    "identity, x = -0": bytes([1, *bytes(30), 0x80]),
    "order 2, x = -0": bytes.fromhex("ec" + 31 * "ff"),
    "ones": b"\xff" * 32,
    "not on the curve": (2).to_bytes(32, "little"),
}
"""Encodings that are no elements of the group, or are the identity."""
