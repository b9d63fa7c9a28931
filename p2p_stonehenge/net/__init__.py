"""Links between peers: discovery, encrypted sockets, and limits on what a peer may send."""

__all__ = ["announced", "card", "client", "discovery", "network", "shares"]
