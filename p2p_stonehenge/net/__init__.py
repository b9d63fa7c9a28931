"""Links between peers: discovery, encrypted sockets, and limits on what a peer may send."""

__all__ = ["card", "client", "discovery", "network", "shares"]
