"""What the transport knows of a peer."""

from dataclasses import dataclass, field

from p2p_stonehenge.net.shares import Bucket, Share
from p2p_stonehenge.net.sockets import Way


@dataclass(slots=True, eq=False)
class Peer:
    """A client at the other end of a link, or one that this client tries to reach.

    - `way`: the address whose handshake succeeded, None without a connection. `ways`: all addresses that are tried.
    - `greeted`: loop time when the first greeting since the connection was last lost arrived, 0 for none.
    - `since`: loop time when `linked` last changed.
    - `wanted`: this client dialled the peer. `kept`: the peer has a seat at the table in the making, or watches.
    - `arrived`: loop time when the peer became known. `address`: where its greeting came from.
    - `connection`: that on which the last greeting came. `heard`: that whose messages count.
    - `instance`: the run of the peer's program. `before`: the run before it.
    - `barred`: the peer has another version of the protocol, and is not dialled.
    - `ignored`: the peer has sent too much; what it sends is dropped until there is room again.
    """

    id: bytes
    key: str
    wanted: bool
    nick: str
    bucket: Bucket
    share: Share
    arrived: float
    since: float
    address: str = ""
    ways: dict[str, Way] = field(default_factory=dict)
    way: Way | None = None
    instance: bytes = b""
    before: bytes = b""
    connection: bytes = b""
    heard: bytes = b""
    greeted: float = 0.0
    linked: bool = False
    kept: bool = False
    barred: bool = False
    ignored: bool = False
    complaints: set[str] = field(default_factory=set)

    def put(self, data: bytes) -> bool:
        """Queue a message; False if the peer has no connection now or the queue is full."""
        return self.way is not None and self.way.put(data)
