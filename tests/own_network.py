"""A network for one test alone: programs of tests that run side by side do not meet, nor take each other's ports.

It is a network namespace with nothing but a loopback. Linux has them, for users who may make them.
"""

import ctypes
import os
import socket
import struct
import sys
from contextlib import ExitStack, closing

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 1

if sys.platform == "linux":
    import fcntl

    _SHARED = os.open("/proc/self/ns/net", os.O_RDONLY)

    def enter() -> None:
        """Move this thread, and what it will start, to a new network. Raises OSError, and then it stays."""
        with ExitStack() as failing:
            _call("unshare", CLONE_NEWNET)
            failing.callback(leave)
            with closing(socket.socket()) as end:
                fcntl.ioctl(end, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))
            failing.pop_all()

    def leave() -> None:
        """Move this thread, and what it will start, to the network that it began with. Raises OSError."""
        _call("setns", _SHARED, CLONE_NEWNET)

    def _call(name: str, *arguments: int) -> None:
        # `os` has both of them since Python 3.12.
        if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
            number = ctypes.get_errno()
            raise OSError(number, f"{name}: {os.strerror(number)}")

else:

    def enter() -> None:
        """Raise OSError: there are no such networks."""
        raise OSError(f"no network namespaces on {sys.platform}")

    def leave() -> None:
        """Do nothing."""


def why_not() -> str:
    """Return why this user cannot have such a network, or nothing."""
    try:
        enter()
        leave()
    except OSError as error:
        return str(error)
    return ""
