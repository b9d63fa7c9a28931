"""Players without a person.

`thinking` has what a game's way of thinking is made of, one module a game has that way, `players` chooses by it and
plays at tables. `adaptive` keeps the level at which a player wins about half.
"""

__all__ = ["adaptive", "advice", "analysis", "players", "thinking"]
