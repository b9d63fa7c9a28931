"""What a player keeps between games."""

__all__ = ["files", "home", "notes", "settings"]
