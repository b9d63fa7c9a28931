"""The check of a saved game by anybody."""

from protocol.transcript.verification import FoundCheat, Report, TranscriptError, first_record, load, verify

__all__ = ["FoundCheat", "Report", "TranscriptError", "first_record", "load", "verify"]
