"""The command line: one command after the other."""

__all__ = ["arguments", "run"]
