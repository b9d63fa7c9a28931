"""What the lines of advice have in common."""

GAMES_WON = r"You win about \d+ of 100 games from there\."
"""What a line says of a move about how the game may end."""
