"""The messages that peers send each other once a link stands, one canonical array each, checked on arrival."""

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from engine import HASH_BYTES, MOST_SEATS, MalformedError, Value, checked, encode, unpack
from protocol.events import EVENT_LIMIT, Head, SignedEvent, read_heads
from protocol.formation import (
    CHARTER_LIMIT,
    MATCHES,
    PAKE_SHARE_BYTES,
    SESSION_BYTES,
    TAG_BYTES,
    Clock,
    Handshake,
    Watching,
    clean_nick,
    clean_text,
    read_time,
    read_watching,
)

MESSAGE_LIMIT = 65536
"""Bytes of a message; longer ones never leave and are never read."""
BATCH_BYTES = 48 * 1024
"""Bytes of events in one message, so that one of the largest events still fits beside them."""
UNKNOWN_LETTER = "\ufffd"
"""Stands for a letter that Unicode, as this client has it, does not know."""
CHAT_LENGTH = 200
"""Characters of a line of chat."""
OPTIONS_LIMIT, WORD_LENGTH = 32, 40
"""Options of an advert; characters of the key of its game, of the name of an option, and of its value."""
ADDRESSES_LIMIT, ADDRESS_LENGTH = 16, 64
"""Addresses of players beside a charter, and characters of one."""
ASK_BYTES = 8
"""Bytes of the challenge with which a resumed client asks, and of each shortened hash that follows it."""
WAITING_LIMIT = 64
"""Events of a seat that wait for what they name; a resumed client that asks names as many of its own."""
ASKS_BYTES = ASK_BYTES * (1 + WAITING_LIMIT)
LARGEST = 2**31 - 1
"""Of a number of actions or seconds."""
PROOFS_LIMIT = 64
"""Proofs of equivocation in one statement of what is held; only a seat that equivocates again and again has more."""


class MessageKind(IntEnum):
    """What a message is: its first entry. `MESSAGES` has the type of each."""

    JOIN = 0
    ADVERT = 1
    DECLINE = 2
    FORM = 3
    HAVE = 4
    EVENTS = 5
    CHAT = 6
    HANDSHAKE = 7
    LEAVE = 8
    WATCH = 9
    ATTENDANCE = 10
    TALK = 11


class DeclineReason(IntEnum):
    """Why a host refuses a guest, or a player a spectator."""

    FULL = 1
    """All seats are taken, or as many watch through this player as may."""
    STARTED = 2
    """The game has begun."""
    CLOSED = 3
    """The host has given up its table before the game began."""
    QUEUED = 4
    """All seats are taken; the guest gets the next one that becomes free, if it stays."""
    PRIVATE = 5
    """This table is not watched, or not by this spectator through this player."""


class LeaveReason(IntEnum):
    """Why a player leaves a table."""

    QUIT = 1
    """The player has left, and may come back."""
    ADJOURN = 2
    """The player proposes to go on another day."""


class Attending(IntEnum):
    """How a client is at a table, as another client there sees it."""

    UNREACHED = 0
    """No link has come up yet."""
    PRESENT = 1
    """It is linked."""
    AWAY = 2
    """Its link is down."""
    GONE = 3
    """Its player has left."""
    GONE_FOR_TODAY = 4
    """Its player has left until another day."""
    AGAIN = 5
    """Its player wants to play again, now that the game is over."""


class Join(NamedTuple):
    """A guest asks for a seat."""


class Advert(NamedTuple):
    """A host tells what is played at its table and which players sit there.

    `seats` counts all seats, `turn_time` is as in Body, `locked` is 1 if a seat takes a passphrase, else 0. Where the
    table goes on from another one, `origin` is that table's id and `ply` how many of its actions stand; else b"" and 0.
    `watching`: who may watch. `match`: the points that win the match of which a game is played, 0 if there is none.
    """

    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    seats: int
    turn_time: int | Clock
    locked: int
    origin: bytes
    ply: int
    watching: Watching
    match: int = 0


class Decline(NamedTuple):
    """A host refuses a guest, or a player a spectator; `reason` is a DeclineReason, or one that later clients have."""

    reason: int


class Form(NamedTuple):
    """What the sender holds of a charter, in the making or signed, and where it has seen the seats' clients."""

    formation: Value
    hints: tuple[tuple[bytes, str], ...]


class Have(NamedTuple):
    """How far the sender's chains go: an acknowledgement, and a request for what the sender lacks.

    * `heads`: one for each chain, in seat order.
    * `proofs`: the proofs of equivocation that the sender holds, by seat and number.
    * `asks`: the challenge of a resumed client, or zeros from a client that lost messages; then the first bytes of the
      hashes of the sender's own events that wait at the sender, and need not be sent again.
    * `answers`: the challenge that the receiver sent. An older statement, still on its way, cannot hold it.
    * `apart`: the seats of the clients to which the sender has no link. Others pass on what these sign.
    """

    table: bytes
    heads: tuple[Head, ...]
    proofs: tuple[tuple[int, int], ...] = ()
    asks: bytes = b""
    answers: bytes = b""
    apart: tuple[int, ...] = ()


class Events(NamedTuple):
    """Signed events, causes first."""

    table: bytes
    events: tuple[tuple[bytes, bytes], ...]


class Chat(NamedTuple):
    """A line from the client at the other end of the link; never part of the game."""

    table: bytes
    text: str


class Leave(NamedTuple):
    """The client at the other end of the link leaves the table by its player's wish; never part of the game."""

    table: bytes
    reason: LeaveReason


class Watch(NamedTuple):
    """A spectator asks for what it lacks of a table: the charter if `table` is empty, else events.

    * `lengths`: how many events of each chain the spectator holds, in seat order.
    * `proofs`: as in Have.
    """

    table: bytes = b""
    lengths: tuple[int, ...] = ()
    proofs: tuple[tuple[int, int], ...] = ()


class Attendance(NamedTuple):
    """What a client at the table tells spectators of the other clients; nobody signs this.

    * `seconds_left`: what is left of the turn time after `plies` actions of the game; None where no time runs, and
      where spectators see the game later than the players.
    * `players`: the seat of each client, how that client is at the table, and for how many seconds.
    """

    table: bytes
    plies: int
    seconds_left: int | None
    players: tuple[tuple[int, Attending, int], ...]


class Talk(NamedTuple):
    """A line of chat that a player passes on: of the player of `seat`, or of a spectator, then `seat` is 0.

    `name`: the nick that the spectator gave to the client through which it watches; empty for a player.
    """

    table: bytes
    seat: int
    name: str
    text: str


Message = Join | Advert | Decline | Form | Have | Events | Chat | Handshake | Leave | Watch | Attendance | Talk
MESSAGES: dict[MessageKind, type[Message]] = {
    MessageKind.JOIN: Join,
    MessageKind.ADVERT: Advert,
    MessageKind.DECLINE: Decline,
    MessageKind.FORM: Form,
    MessageKind.HAVE: Have,
    MessageKind.EVENTS: Events,
    MessageKind.CHAT: Chat,
    MessageKind.HANDSHAKE: Handshake,
    MessageKind.LEAVE: Leave,
    MessageKind.WATCH: Watch,
    MessageKind.ATTENDANCE: Attendance,
    MessageKind.TALK: Talk,
}
_KINDS = {type_: kind for kind, type_ in MESSAGES.items()}
_NAMES_NONE = bytes(HASH_BYTES)
_HAVE, _EVENTS = (
    encode((_KINDS[type(one)], *one)).partition(_NAMES_NONE)[0]
    for one in (Have(_NAMES_NONE, ()), Events(_NAMES_NONE, ()))
)
"""What stands before the id of the table in these messages."""


def message_bytes(message: Message) -> bytes:
    """Return the bytes of a message."""
    entries: tuple[Value, ...] = message
    if isinstance(message, Advert):
        entries = (*message[:-2], message.watching.entries(), *message[-1:] * (message.match > 0))
    return encode((_KINDS[type(message)], *entries))


def table_named(data: bytes) -> bytes:
    """Return the id of the table of a Have or Events, empty for other messages; nothing else of it is checked."""
    table = data[len(_HAVE) : len(_HAVE) + HASH_BYTES]
    return table if data[: len(_HAVE)] in (_HAVE, _EVENTS) and len(table) == HASH_BYTES else b""


def event_batches(table: bytes, events: list[SignedEvent]) -> list[bytes]:
    """Return messages that carry the events in order, none over the limit."""
    batches: list[list[tuple[bytes, bytes]]] = []
    size = BATCH_BYTES
    for event in events:
        if size + len(event.raw) > BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append((event.raw, event.signature))
        size += len(event.raw) + len(event.signature) + 8
    return [message_bytes(Events(table, tuple(batch))) for batch in batches]


_EVENTS_FIELDS = (int, bytes, tuple)
_HAVE_FIELDS = (int, bytes, tuple, tuple, bytes, bytes, tuple)


def read_message(data: bytes) -> Message:
    """Return the message in `data`, its shape checked. Raises MalformedError."""
    value = unpack(data, MESSAGE_LIMIT)
    message = (_play(value) or _read(*checked((value,)))) if type(value) is tuple else None
    if message is None:
        raise MalformedError("not a message")
    return message


def _play(value: tuple[Any, ...]) -> Events | Have | None:
    """Return an Events or a Have, None for other messages; the exact type of each entry is checked here.

    Nearly all messages of a game are these two, and a `match` statement takes longer.
    """
    if len(value) == 3:
        kind, table, events = value
        fits = (type(kind), type(table), type(events)) == _EVENTS_FIELDS and len(table) == HASH_BYTES
        if fits and kind == MessageKind.EVENTS:
            return _events(table, events)
    if len(value) == 7 and value[0] == MessageKind.HAVE and tuple(map(type, value)) == _HAVE_FIELDS:
        return _have(*value[1:])
    return None


def _read(value: Value) -> Message | None:
    match value:
        case (MessageKind.JOIN,):
            return Join()
        case (MessageKind.ADVERT, *fields):
            return _advert(fields)
        case (MessageKind.DECLINE, int(reason)):
            return Decline(reason)
        case (MessageKind.FORM, tuple(formation), tuple(hints)):
            return _form(formation, hints)
        case (MessageKind.CHAT, bytes(table), str(text)) if len(table) == HASH_BYTES:
            line = _line(text)
            return None if line is None else Chat(table, line)
        case (MessageKind.HANDSHAKE, bytes(session), bytes(share), bytes(tag)) if len(session) == SESSION_BYTES:
            fits = len(share) in (0, PAKE_SHARE_BYTES) and len(tag) in (0, TAG_BYTES)
            return Handshake(session, share, tag) if fits else None
        case (MessageKind.LEAVE, bytes(table), int(reason)) if len(table) == HASH_BYTES and reason in {*LeaveReason}:
            return Leave(table, LeaveReason(reason))
        case (MessageKind.WATCH, bytes(table), tuple(lengths), tuple(proofs)) if len(table) in (0, HASH_BYTES):
            return _watch(table, lengths, proofs)
        case (MessageKind.ATTENDANCE, bytes(table), int(plies), left, tuple(players)) if len(table) == HASH_BYTES:
            return _attendance(table, plies, left, players)
        case (MessageKind.TALK, bytes(table), int(seat), str(name), str(text)) if len(table) == HASH_BYTES:
            line, named = _line(text), name == ("" if seat else clean_nick(name))
            return Talk(table, seat, name, line) if line and named and 0 <= seat <= MOST_SEATS else None
    return None


def _line(text: str) -> str | None:
    """Return a line of chat as it is shown, None for one that no client sends.

    The sender may know letters of a later Unicode than this client, which takes a sign in their place.
    """
    if len(text) > CHAT_LENGTH:
        return None
    shown = "".join(UNKNOWN_LETTER if unicodedata.category(letter) == "Cn" else letter for letter in text)
    return shown if shown == clean_text(shown, CHAT_LENGTH) else None


def _advert(fields: Sequence[Value]) -> Advert | None:
    match fields[:7]:
        case (str(game), int(version), tuple(options), tuple(names), int(seats), time, 0 | 1 as locked):
            turn_time = read_time(time)
        case _:
            return None
    match fields[7:]:
        case (bytes(origin), int(ply), watching, *rest) if len(origin) in (0, HASH_BYTES) and 0 <= ply < CHARTER_LIMIT:
            watched = read_watching(watching)
        case _:
            return None
    match rest:
        case []:
            to = 0
        case [int(points)] if points in MATCHES:
            to = points
        case _:
            return None
    pairs, nicks = _options(options), _nicks(names)
    if pairs is None or nicks is None or not _is_word(game) or not game.isascii() or not 1 <= seats <= MOST_SEATS:
        return None
    return Advert(game, version, pairs, nicks, seats, turn_time, locked, origin, ply, watched, to)


def _options(options: tuple[Value, ...]) -> tuple[tuple[str, str], ...] | None:
    """Return the first OPTIONS_LIMIT options of a table, each a name and a value, None if they are none."""
    pairs = []
    for item in options[:OPTIONS_LIMIT]:
        match item:
            case (str(name), str(text)) if _is_word(name) and _is_word(text):
                pairs.append((name, text))
            case _:
                return None
    return tuple(pairs)


def _nicks(names: tuple[Value, ...]) -> tuple[str, ...] | None:
    """Return the names of the players at a table, None if they are none."""
    nicks = [nick for nick in names[:MOST_SEATS] if isinstance(nick, str) and nick == clean_nick(nick)]
    return tuple(nicks) if len(nicks) == len(names[:MOST_SEATS]) else None


def _is_word(text: str) -> bool:
    """Return whether a text is as short as the words of an advert, and can be printed."""
    return len(text) <= WORD_LENGTH and text.isprintable()


def _form(formation: tuple[Value, ...], hints: tuple[Value, ...]) -> Form | None:
    addresses = []
    for item in hints[:ADDRESSES_LIMIT]:
        match item:
            case (bytes(id), str(address)) if (
                len(address) <= ADDRESS_LENGTH and address.isascii() and address.isprintable()
            ):
                addresses.append((id, address))
            case _:
                return None
    return Form(formation, tuple(addresses))


def _have(
    table: bytes,
    heads: tuple[Any, ...],
    proofs: tuple[Any, ...],
    asks: bytes,
    answers: bytes,
    apart: tuple[Any, ...],
) -> Have | None:
    if len(table) != HASH_BYTES or len(heads) > MOST_SEATS or max(len(asks), len(answers)) > ASKS_BYTES:
        return None
    if len(apart) > len(heads) or not all(type(seat) is int and 1 <= seat <= len(heads) for seat in apart):
        return None
    pairs = _proofs(proofs)
    return None if pairs is None else Have(table, read_heads(heads), pairs, asks, answers, apart)


def _watch(table: bytes, lengths: tuple[Value, ...], proofs: tuple[Value, ...]) -> Watch | None:
    held = tuple(length for length in lengths[:MOST_SEATS] if isinstance(length, int) and length >= 0)
    pairs = _proofs(proofs)
    return None if pairs is None or held != lengths or (held and not table) else Watch(table, held, pairs)


def _attendance(table: bytes, plies: int, left: Value, players: tuple[Value, ...]) -> Attendance | None:
    if not 0 <= plies <= LARGEST or len(players) > MOST_SEATS:
        return None
    if left is not None and not (isinstance(left, int) and 0 <= left <= LARGEST):
        return None
    found: list[tuple[int, Attending, int]] = []
    for item in players:
        match item:
            case (int(seat), int(how), int(seconds)) if how in {*Attending} and 0 <= seconds <= LARGEST:
                if not (found[-1][0] if found else 0) < seat <= MOST_SEATS:
                    return None
                found.append((seat, Attending(how), seconds))
            case _:
                return None
    return Attendance(table, plies, left, tuple(found))


def _proofs(proofs: tuple[Any, ...]) -> tuple[tuple[int, int], ...] | None:
    """Return the first PROOFS_LIMIT of the proofs that a peer holds, None if they are none."""
    for item in proofs[:PROOFS_LIMIT]:
        if type(item) is not tuple or tuple(map(type, item)) != (int, int):
            return None
    checked(proofs[PROOFS_LIMIT:])
    return proofs[:PROOFS_LIMIT]


def _events(table: bytes, events: tuple[Any, ...]) -> Events | None:
    for item in events:
        if type(item) is not tuple or len(item) != 2:
            return None
        raw, signature = item
        if type(raw) is not bytes or type(signature) is not bytes or len(raw) > EVENT_LIMIT:
            return None
    return Events(table, events)
