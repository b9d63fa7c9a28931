"""A small network of its own: each computer is a network namespace, and the cable is a program that can lose packets.

Run by `namespaces.py` inside of namespaces made for it, with the number of computers: it makes a TAP device in each and
passes on what comes from one to the others. It obeys lines on standard input: `FROM TO PERCENT` makes so many
packets in that direction be lost (100: cut), `*` stands for all.
"""

import os
import select
import struct
import subprocess
import sys
from fcntl import ioctl
from random import Random

SET_INTERFACE = 0x400454CA  # TUNSETIFF
TAP, NO_HEADER = 0x0002, 0x1000
FRAME = 2048


def computer(number: int) -> int:
    """Make a namespace `n1` with an address `10.77.0.1`; return the other end of its cable."""
    cable = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    ioctl(cable, SET_INTERFACE, struct.pack("16sH22x", f"tap{number}".encode(), TAP | NO_HEADER))
    name = f"n{number}"
    for command in (
        f"ip netns add {name}",
        f"ip link set tap{number} netns {name}",
        f"ip -n {name} link set tap{number} name eth0",
        f"ip -n {name} link set lo up",
        f"ip -n {name} addr add 10.77.0.{number}/24 brd + dev eth0",
        f"ip -n {name} link set eth0 up",
    ):
        subprocess.run(command.split(), check=True, capture_output=True)
    return cable


def main() -> None:
    cables = {number: computer(number) for number in range(1, int(sys.argv[1]) + 1)}
    loss = {(one, other): 0 for one in cables for other in cables if one != other}
    rng = Random(1)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([sys.stdin, *cables.values()], [], [])
        if sys.stdin in ready:
            line = sys.stdin.readline().split()
            if not line:
                return
            for one, other in loss:
                if line[0] in ("*", str(one)) and line[1] in ("*", str(other)):
                    loss[one, other] = int(line[2])
            print("done", flush=True)
        for one, cable in cables.items():
            if cable in ready:
                frame = os.read(cable, FRAME)
                for other, to in cables.items():
                    if other != one and rng.randrange(100) >= loss[one, other]:
                        try:
                            os.write(to, frame)
                        except OSError:  # a device that is down, or has no room
                            continue


if __name__ == "__main__":
    main()
