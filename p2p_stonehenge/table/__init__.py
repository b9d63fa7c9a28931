"""A table as its player meets it, alone or among others: what may be done, and what the player is told."""

__all__ = [
    "after",
    "agreed",
    "among_peers",
    "base",
    "endings",
    "exits",
    "lesson",
    "local",
    "looking_on",
    "losing",
    "questions",
    "scores",
    "session",
    "takebacks",
    "watching",
]
