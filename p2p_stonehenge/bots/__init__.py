"""Players without a person.

One module a game knows how to think about it, `thinking` asks that module, `thought` is what comes of it, `players` act
on it at tables. `adaptive` keeps the level at which a player wins about half.
"""

__all__ = ["adaptive", "advice", "analysis", "players", "thinking", "thought"]
