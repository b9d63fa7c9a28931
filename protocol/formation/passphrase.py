"""A password-authenticated key exchange: host and guest of a table show each other that they know its passphrase.

CPACE-X25519-SHA512 as draft-irtf-cfrg-cpace-21 has it (sections 7 and 8.2), with the key confirmation of its section
10.4. Each run gives either side one guess at the other's passphrase and nothing to try more guesses on later, and a
listener nothing at all. No key of an identity takes part.
"""

import hashlib
import hmac
import unicodedata
from typing import NamedTuple

from nacl.bindings import (
    crypto_core_ed25519_from_uniform,
    crypto_scalarmult,
    crypto_scalarmult_ed25519_noclamp,
    crypto_sign_ed25519_pk_to_curve25519,
)
from nacl.exceptions import CryptoError

PAKE_SHARE_BYTES = 32
"""Of what each side sends, and of the fresh random bytes that it is made of."""
TAG_BYTES = 64
"""Of what each side confirms its key with."""
_DOMAIN = b"CPace255"
_BLOCK = 128
"""Bytes that SHA-512 takes at a time: the generator string fills the first block with the passphrase alone."""
SESSION_BYTES = 32
"""Random bytes that tell one exchange about a passphrase from another."""


class Handshake(NamedTuple):
    """One message of the exchange; `door` has the order. Fields that a message does not need are empty."""

    session: bytes
    share: bytes
    tag: bytes


class KeyExchange:
    """One side of one run between a guest and the host. `secret`: PAKE_SHARE_BYTES random bytes for this run only."""

    def __init__(
        self, passphrase: str, *, guest: bytes, host: bytes, session: bytes, secret: bytes, hosts: bool
    ) -> None:
        self._session, self._secret, self._hosts = session, secret, hosts
        generator = _generator(passphrase_bytes(passphrase), lv_cat(guest, host), session)
        self.share = _share(secret, generator)
        """What the other side has to be sent."""

    def tags(self, other: bytes) -> tuple[bytes, bytes]:
        """Return the tag to send and the tag that the other side has to send, given its share.

        Raises ValueError for a share that no honest client sends.
        """
        shares = (other, self.share) if self._hosts else (self.share, other)
        by_guest, by_host = lv_cat(shares[0], b"guest"), lv_cat(shares[1], b"host")
        key = session_key(self._secret, other, self._session, by_guest + by_host)
        confirming = hashlib.sha512(b"CPaceMac" + self._session + key).digest()
        of_guest, of_host = (hmac.digest(confirming, message, "sha512") for message in (by_guest, by_host))
        return (of_host, of_guest) if self._hosts else (of_guest, of_host)


def passphrase_bytes(text: str) -> bytes:
    """Return the bytes of a passphrase: the same for other spaces between its words, and for composed letters."""
    return unicodedata.normalize("NFC", " ".join(text.split())).encode("utf-8", "surrogatepass")


def same_tag(left: bytes, right: bytes) -> bool:
    """Return whether two tags are equal, in a time that does not depend on how much of them is."""
    return hmac.compare_digest(left, right)


def lv_cat(*parts: bytes) -> bytes:
    """Return the parts in order, each after its length (LEB128): no two lists of parts give the same bytes."""
    joined = bytearray()
    for part in parts:
        length = len(part)
        while length > 127:
            joined.append(length & 127 | 128)
            length >>= 7
        joined.append(length)
        joined += part
    return bytes(joined)


def session_key(secret: bytes, other: bytes, session: bytes, transcript: bytes) -> bytes:
    """Return the key that both sides come to, `ISK` in the draft. Raises ValueError for a share of low order."""
    try:
        point = crypto_scalarmult(secret, other)
    except CryptoError as error:
        raise ValueError("not a share") from error
    return hashlib.sha512(lv_cat(_DOMAIN + b"_ISK", session, point) + transcript).digest()


def _generator(passphrase: bytes, channel: bytes, session: bytes) -> bytes:
    """Return 8 times the draft's generator, as a point of edwards25519.

    The library maps to that curve and clears the cofactor; `_share` makes up for both.
    """
    filling = bytes(max(0, _BLOCK - 1 - len(lv_cat(passphrase)) - len(lv_cat(_DOMAIN))))
    hashed = hashlib.sha512(lv_cat(_DOMAIN, passphrase, filling, channel, session)).digest()
    return bytes(crypto_core_ed25519_from_uniform(hashed[:32]))


def _share(secret: bytes, generator: bytes) -> bytes:
    """Return X25519 of `secret` and the draft's generator: the scalar of X25519 is a multiple of 8, here an eighth."""
    scalar = int.from_bytes(secret, "little") % 2**255 // 8 | 1 << 251
    point = crypto_scalarmult_ed25519_noclamp(scalar.to_bytes(32, "little"), generator)
    return bytes(crypto_sign_ed25519_pk_to_curve25519(point))
