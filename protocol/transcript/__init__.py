"""The saved game, and its check by anybody."""

from protocol.transcript.file import (
    MAGIC,
    TornError,
    charter_record,
    event_record,
    proof_record,
    records,
    whole,
)

__all__ = [
    "MAGIC",
    "TornError",
    "charter_record",
    "event_record",
    "proof_record",
    "records",
    "whole",
]
