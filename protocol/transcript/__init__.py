"""The check of a saved game by anybody."""

from protocol.transcript.proofs import (
    Evidence,
    MoveProof,
    RolledValue,
    RollProof,
    evidence,
)
from protocol.transcript.verification import (
    CheatKind,
    FoundCheat,
    Report,
    TranscriptError,
    first_record,
    load,
    report_of,
    verify,
)

__all__ = [
    "CheatKind",
    "Evidence",
    "FoundCheat",
    "MoveProof",
    "Report",
    "RollProof",
    "RolledValue",
    "TranscriptError",
    "evidence",
    "first_record",
    "load",
    "report_of",
    "verify",
]
