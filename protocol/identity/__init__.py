"""Identities: keys, signatures, and the secrets of a table."""

from protocol.identity.keys import (
    ED25519,
    SIGNATURE_BYTES,
    Claim,
    CurveKeys,
    Identity,
    Signer,
    Verifier,
    curve_public,
    id_bytes,
    id_text,
    is_id,
)
from protocol.identity.secrets import SEED_BYTES, Secrets

__all__ = [
    "ED25519",
    "SEED_BYTES",
    "SIGNATURE_BYTES",
    "Claim",
    "CurveKeys",
    "Identity",
    "Secrets",
    "Signer",
    "Verifier",
    "curve_public",
    "id_bytes",
    "id_text",
    "is_id",
]
