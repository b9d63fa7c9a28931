"""A table as its player meets it, alone or among others: what may be done, and what the player is told."""

__all__ = [
    "after",
    "among_peers",
    "base",
    "lesson",
    "local",
    "losing",
    "questions",
    "session",
    "takebacks",
    "watching",
]
