"""What the transport knows of a peer."""

from dataclasses import dataclass, field

from p2p_stonehenge.net.shares import Bucket, Share
from p2p_stonehenge.net.sockets import Way


@dataclass(slots=True, eq=False)
class Peer:
    """Somebody at the other end of a link, or who is to be.

    `way` has shaken hands; `greeted`: a greeting came since the last loss; `since`: when `linked` changed.

    `wanted`: this client dialled it. `kept`: it has a seat at the table in the making, or watches. `arrived`: when it
    came to be known, `address`: where its greeting came from. `connection` is the one that the last greeting came on,
    `heard` the one whose messages count. `before`: the instance that `instance` came after.
    `ignored`: it has sent too much, and all else is dropped until there is room again.
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
    greeted: bool = False
    linked: bool = False
    kept: bool = False
    barred: bool = False
    ignored: bool = False
    complaints: set[str] = field(default_factory=set)

    def put(self, data: bytes) -> bool:
        """Queue a message; False if no way leads there now or its queue is full."""
        return self.way is not None and self.way.put(data)
