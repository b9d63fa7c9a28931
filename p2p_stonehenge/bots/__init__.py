"""Players without a person.

`game_bot` tells what the bot of a game must say and may say, one module a game says it, and `thinking` finds the bot of
a game. `thought` is what comes of it, `players` act on it at tables. `adaptive` keeps the level at which a player wins
about half.
"""

__all__ = ["adaptive", "advice", "analysis", "game_bot", "players", "thinking", "thought"]
