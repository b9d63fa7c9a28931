"""The identity of a peer: an Ed25519 key pair, whose public key is the id, and the CURVE keys made from it.

The secret key signs events and cards, and gives the CURVE keys of the transport. Nothing else may use it.
"""

import base64
from typing import NamedTuple, Protocol

from nacl.bindings import (
    crypto_core_ed25519_is_valid_point,
    crypto_sign,
    crypto_sign_BYTES,
    crypto_sign_ed25519_pk_to_curve25519,
    crypto_sign_ed25519_sk_to_curve25519,
    crypto_sign_open,
    crypto_sign_seed_keypair,
)
from nacl.exceptions import CryptoError

ID_BYTES = 32
SIGNATURE_BYTES = crypto_sign_BYTES


class Signer(Protocol):
    """The key of one seat."""

    @property
    def id(self) -> bytes:
        """Return the public key, 32 bytes."""

    def sign(self, message: bytes) -> bytes:
        """Return the signature of `message`, 64 bytes, the same each time."""


class Verifier(Protocol):
    """How signatures are checked; a simulator may put a fast stand-in here."""

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether the owner of `id` signed `message`."""


Claim = tuple[bytes, bytes, bytes]
"""What a verifier judges: an id, a message, a signature."""


class CurveKeys(NamedTuple):
    """The raw 32-byte X25519 keys of one peer for CURVE."""

    public: bytes
    secret: bytes


class Identity:
    """An Ed25519 key pair made from a 32-byte seed."""

    def __init__(self, seed: bytes) -> None:
        self.id, self._secret = crypto_sign_seed_keypair(seed)

    def sign(self, message: bytes) -> bytes:
        """Return the Ed25519 signature (RFC 8032) of `message`."""
        return crypto_sign(message, self._secret)[:SIGNATURE_BYTES]

    def curve(self) -> CurveKeys:
        """Return the CURVE keys that belong to this identity."""
        return CurveKeys(
            crypto_sign_ed25519_pk_to_curve25519(self.id), crypto_sign_ed25519_sk_to_curve25519(self._secret)
        )


class Ed25519:
    """Checks Ed25519 signatures as libsodium does (`crypto_sign_open`)."""

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether `signature` (64 bytes) of `message` was made with the key of `id`."""
        if len(signature) != SIGNATURE_BYTES or len(id) != ID_BYTES:
            return False
        try:
            crypto_sign_open(signature + message, id)
        except CryptoError:
            return False
        return True


ED25519 = Ed25519()


def is_id(id: bytes) -> bool:
    """Return whether `id` can be a peer: the canonical encoding of a prime-order point."""
    return len(id) == ID_BYTES and crypto_core_ed25519_is_valid_point(id)


def curve_public(id: bytes) -> bytes:
    """Return the public CURVE key (raw 32 bytes) of the peer with this id. Raises ValueError if `id` is no id."""
    if not is_id(id):
        raise ValueError("not a peer id")
    return crypto_sign_ed25519_pk_to_curve25519(id)


def id_text(id: bytes) -> str:
    """Return an id as 52 lower-case base32 characters; the first 8 are what people see."""
    return base64.b32encode(id).decode("ascii").rstrip("=").lower()


def id_bytes(text: str) -> bytes:
    """Return the id that `id_text` wrote. Raises ValueError for anything else."""
    data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    if id_text(data) != text.lower() or not is_id(data):
        raise ValueError("not a peer id")
    return data
