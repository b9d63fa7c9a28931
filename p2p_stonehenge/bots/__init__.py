"""Players without a person.

`thinking` has what a game's way of thinking is made of, one module a game has that way, `players` chooses by it and
plays at tables.
"""

__all__ = ["advice", "analysis", "players", "thinking"]
