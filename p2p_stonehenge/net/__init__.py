"""Links between peers: discovery, encrypted sockets, and what holds off those who send too much."""

__all__ = ["card", "client", "discovery", "network", "shares"]
