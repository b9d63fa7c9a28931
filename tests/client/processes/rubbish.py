"""What no honest client sends."""

import os

from engine import encode
from p2p_stonehenge.table.among_peers import NetTable
from protocol import Chat, Form, message_bytes
from protocol.events import bodies, make_event
from protocol.messages import Events


def rubbish(table: NetTable) -> list[bytes]:
    """Return messages that no honest client sends, some of them well made and well signed."""
    inner = table.table
    own = max(inner.own.signers)
    signer = inner.own.signers[own]
    heads, slot, digest = inner.held.heads, inner.fold.position.slot, inner.fold.position.digest
    move = make_event(signer, inner.id, own, heads, slot, digest, bodies.Move("roll"))
    forged = make_event(signer, inner.id, 3 - own, heads, slot, digest, bodies.Move("roll"))
    elsewhere = make_event(signer, bytes(32), own, heads, slot, digest, bodies.Move("roll"))
    first = inner.held.chains[0][0]
    return [
        b"",
        b"\xc1",
        os.urandom(500),
        b"\x93" * 20_000,
        encode((5, inner.id, ((b"x", b"y"),))),
        bytes([0x92, 0xCD, 0, 5, 0xC0]),
        message_bytes(Events(inner.id, ((move.raw[:-1], move.signature),))),
        message_bytes(Events(inner.id, ((move.raw, bytes(64)),))),
        message_bytes(Events(inner.id, ((forged.raw, forged.signature),))),
        message_bytes(Events(inner.id, ((elsewhere.raw, elsewhere.signature),))),
        message_bytes(Events(inner.id, ((first.raw, first.signature),) * 50)),
        message_bytes(Form(("nothing",), ())),
        encode((6, inner.id, "\x1b]0;title\x07")),
        message_bytes(Chat(inner.id, "x" * 200)),
    ]
