"""The listening socket. ZeroMQ accepts every connection, so while too many come the kernel lets nobody in."""

import contextlib
import ctypes
import os
import socket
import struct
import sys
from collections.abc import Iterable

import zmq

from p2p_stonehenge.net.sockets import Socket

BACKLOG = 128
ACCEPTED_BUFFER = 1 << 18
"""Bytes of a connection that wait in the kernel, which takes up to twice as much."""

_ATTACH, _DETACH = 26, 27
"""Linux's SO_ATTACH_FILTER and SO_DETACH_FILTER."""
_INSTRUCTION = struct.Struct("=HBBI")
_PROGRAM = struct.Struct("@HP")
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
"""Of classic BPF (the kernel's Documentation/networking/filter): load a word, compare with it, say how much to keep."""
_SENDER = 0xFFF00000 + 12
"""Where a packet has the IPv4 address of its sender: SKF_NET_OFF, and 12 bytes into the header."""
_NOTHING, _ALL = 0, 0xFFFFFFFF


class ListeningSocket:
    """A listening socket that is ours and that ZeroMQ accepts from."""

    def __init__(self, host: str, port: int, router: Socket) -> None:
        """Bind `router` there. Raises OSError or zmq.ZMQError."""
        self._end = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform == "linux":
                self._end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self._end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ACCEPTED_BUFFER)
                self._end.setblocking(False)
                self._end.bind((host, port))
                self._end.listen(BACKLOG)
                router.setsockopt(zmq.USE_FD, os.dup(self._end.fileno()))
            else:
                router.rcvbuf = ACCEPTED_BUFFER
            router.bind(f"tcp://{host}:{port}")
        except BaseException:
            self._end.close()
            raise

    def close(self) -> None:
        """Let go of the socket."""
        self._end.close()

    def shut(self, friends: Iterable[str]) -> bool:
        """Let nobody in but `friends`, whose IPv4 addresses these are; return whether this system can do that.

        What others send there is dropped, and their systems try again after a second. Connections that stand go on.
        """
        if sys.platform != "linux":
            return False
        known = [int.from_bytes(socket.inet_aton(address), "big") for address in friends]
        steps = [(_LOAD, 0, 0, _SENDER)]
        steps += [(_JUMP_IF_EQUAL, len(known) - number, 0, address) for number, address in enumerate(known)]
        steps += [(_RETURN, 0, 0, _NOTHING), (_RETURN, 0, 0, _ALL)]
        code = ctypes.create_string_buffer(b"".join(_INSTRUCTION.pack(*step) for step in steps))
        with contextlib.suppress(OSError):
            program = _PROGRAM.pack(len(steps), ctypes.addressof(code))
            self._end.setsockopt(socket.SOL_SOCKET, _ATTACH, program)
            return True
        return False

    def open(self) -> None:
        """Let everybody in again."""
        with contextlib.suppress(OSError):
            self._end.setsockopt(socket.SOL_SOCKET, _DETACH, 0)
