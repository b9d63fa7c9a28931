"""The client: tables on the local network, bots, the terminal and the command line."""

__version__ = "0.1.0"
