"""The check of a saved game by anybody."""

from protocol.transcript.proofs import (
    DealProof,
    Evidence,
    MoveProof,
    RolledValue,
    RollPart,
    RollProof,
    ShuffleProof,
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
    "DealProof",
    "Evidence",
    "FoundCheat",
    "MoveProof",
    "Report",
    "RollPart",
    "RollProof",
    "RolledValue",
    "ShuffleProof",
    "TranscriptError",
    "evidence",
    "first_record",
    "load",
    "report_of",
    "verify",
]
