"""What a player keeps between games."""
