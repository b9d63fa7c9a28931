"""What all tests share: none reaches a network unless it is marked `network`, and then its own; random ones repeat.

With STONEHENGE_MORE above 1 the random tests look for new examples instead, and for that many times as many.
"""

import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import own_network
import pytest
import zmq
from hypothesis import settings

# No deadlines: on a busy machine one example may take long, whatever it does.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("more", deadline=None)
if os.environ.get("STONEHENGE_MORE", "1") == "1":
    settings.load_profile("repeatable")
else:
    settings.load_profile("more")

_allowed = False
_why_shared = own_network.why_not()


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    def guard(self: Any, address: Any, *rest: Any, **more: Any) -> Any:
        # Event loops need pairs of local sockets; ZeroMQ speaks inproc within a process.
        internal = getattr(self, "family", None) == getattr(socket, "AF_UNIX", "none")
        if not (_allowed or internal or str(address).startswith("inproc:")):
            raise RuntimeError(f"mark this test with `network`: it would use {address}")
        return method(self, address, *rest, **more)

    return guard


if sys.platform != "win32":  # whose pairs of sockets are made of TCP
    for _method in ("bind", "connect", "connect_ex"):
        setattr(socket.socket, _method, _guarded(getattr(socket.socket, _method)))
for _method in ("bind", "connect"):
    setattr(zmq.Socket, _method, _guarded(getattr(zmq.Socket, _method)))


def pytest_report_header() -> str:
    return f"loopback: {f'shared by all tests ({_why_shared})' if _why_shared else 'each test has its own'}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    global _allowed
    _allowed = item.get_closest_marker("network") is not None
    if _why_shared:
        return
    own_network.leave()
    if _allowed:
        own_network.enter()
