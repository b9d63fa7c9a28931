"""From strangers to a table: who hosts, who joins, who is known since when, and what was played with whom."""

__all__ = [
    "again",
    "company",
    "facts",
    "finding",
    "joining",
    "known",
    "latecomers",
    "lobby",
    "naming",
    "origins",
    "record",
    "setup",
    "shelf",
    "telling",
    "terms",
    "watching",
]
