"""What a player keeps between games."""

__all__ = ["home", "notes", "settings"]
