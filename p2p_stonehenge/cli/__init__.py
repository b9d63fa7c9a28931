"""The command line: one command after the other."""
