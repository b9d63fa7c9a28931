"""The check of a saved game by anybody."""

from protocol.transcript.proofs import Choice, DealProof, Evidence, MoveProof, Part, RollProof, ShuffleProof, evidence
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
    "Choice",
    "DealProof",
    "Evidence",
    "FoundCheat",
    "MoveProof",
    "Part",
    "Report",
    "RollProof",
    "ShuffleProof",
    "TranscriptError",
    "evidence",
    "first_record",
    "load",
    "report_of",
    "verify",
]
