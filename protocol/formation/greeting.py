"""What peers tell each other before a table exists: the greeting on a link, and the card for addresses typed by hand.

A greeting needs no signature: CURVE proves that the sender holds the key that belongs to its id, and the
receiver's key is part of the handshake, so it cannot be relayed. A card travels in the clear and is signed.
"""

import unicodedata
from typing import NamedTuple

from engine import MalformedError, decode, encode
from protocol.identity import ED25519, SIGNATURE_BYTES, Signer, is_id

PROTOCOL_VERSION = 2
NICK_LENGTH = 24
"""Characters of a nick: fits beside a board at 80 columns."""
CARD_LIMIT = 512
"""Bytes of a card or a greeting; both are below 200."""
INSTANCE_BYTES = 8
BLANKS = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
        ),
    )
)
"""Characters that show nothing and are neither controls nor spaces: the Default_Ignorable_Code_Point of Unicode that
are no format characters, and the blank of Braille. Two names that differ by such alone would look the same."""
_BOT = "bot "
"""With this the name of a bot begins, and no nick."""
_CARD_DOMAIN = b"stonehenge/card/1"


class VersionMismatchError(ValueError):
    """The peer speaks another version of the protocol; the message says which."""


class Greeting(NamedTuple):
    """The first message on each link. `instance`: 8 random bytes for each start of the program."""

    id: bytes
    instance: bytes
    nick: str
    port: int


class Card(NamedTuple):
    """The client that listens at an address: enough to dial with the right key."""

    id: bytes
    nick: str
    port: int


def clean_text(text: str, length: int) -> str:
    """Return one line of peer text that is safe to print: nothing unseen, no marks that reorder text, not too long."""
    shown = (c for c in text if c.isprintable() and unicodedata.category(c) != "Cf" and c not in BLANKS)
    kept = unicodedata.normalize("NFC", "".join(shown))
    return " ".join(kept.split())[:length].strip()


def clean_nick(text: str) -> str:
    """Return the text as a nick of 1-24 characters that is safe to print."""
    return clean_text(text, NICK_LENGTH) or "nobody"


def is_bot_name(name: str) -> bool:
    """Return whether only a bot may be called so: a local file has no other mark of a bot."""
    return name[: len(_BOT)].lower() == _BOT


def passes_for_bot(name: str) -> bool:
    """Return whether a player of this name would be taken for a bot, also where letters have another form (NFKC)."""
    return is_bot_name(unicodedata.normalize("NFKC", name))


def _is_nick(text: str) -> bool:
    return text == clean_nick(text) and not passes_for_bot(text)


def greeting_bytes(greeting: Greeting) -> bytes:
    """Return the bytes of a greeting."""
    return encode(("stonehenge", PROTOCOL_VERSION, *greeting))


def read_greeting(data: bytes) -> Greeting:
    """Return the greeting in `data`. Raises VersionMismatchError or MalformedError."""
    match _fields(data):
        case (bytes(id), bytes(instance), str(nick), int(port)):
            if len(instance) == INSTANCE_BYTES and _is_nick(nick) and is_id(id) and 0 < port < 65535:
                return Greeting(id, instance, nick, port)
    raise MalformedError("not a greeting")


def card_bytes(card: Card, signer: Signer) -> bytes:
    """Return the bytes of a signed card."""
    body = encode(("stonehenge", PROTOCOL_VERSION, *card))
    return body + signer.sign(_CARD_DOMAIN + body)


def read_card(data: bytes) -> Card:
    """Return the card in `data`. Raises VersionMismatchError or MalformedError (also for a wrong signature)."""
    body, signature = data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]
    match _fields(body):
        case (bytes(id), str(nick), int(port)):
            sane = _is_nick(nick) and is_id(id) and 0 < port < 65535
            if sane and ED25519.verify(id, _CARD_DOMAIN + body, signature):
                return Card(id, nick, port)
    raise MalformedError("not a card")


def _fields(data: bytes) -> tuple[object, ...]:
    value = decode(data, CARD_LIMIT)
    if not isinstance(value, tuple) or value[:1] != ("stonehenge",) or len(value) < 2:
        raise MalformedError("not a peer of this program")
    if value[1] != PROTOCOL_VERSION:
        shown = value[1] if isinstance(value[1], int) else "?"
        raise VersionMismatchError(f"the peer speaks protocol {shown}, this program speaks {PROTOCOL_VERSION}")
    return value[2:]
