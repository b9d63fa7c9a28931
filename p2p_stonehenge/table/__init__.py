"""A table as its player meets it, whoever else sits there: what may be done, what is said."""

__all__ = ["after", "among_peers", "base", "evening", "lesson", "local", "questions", "session"]
