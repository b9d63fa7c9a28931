"""Clients that agree on a charter."""

from replicas import FAST, FAST_SIGNERS, IDENTITIES, body_of

from protocol import (
    Body,
    Formation,
)

BODY = body_of("fidchess")


def clients(body: Body, seats: int, *, fast: bool = False) -> list[Formation]:
    signers = FAST_SIGNERS if fast else IDENTITIES
    options = (FAST,) if fast else ()
    return [Formation(body, {n: signers[n - 1]}, b"s%d" % n, *options) for n in range(1, seats + 1)]
