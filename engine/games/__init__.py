"""One package a game, with its game object as `GAME`. `all_games()` finds every package that lies here."""
