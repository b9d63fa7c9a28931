"""What the second verifier reads: the shapes of a charter and of an event, written from docs/protocol.md alone.

Nothing of `protocol` is used here, of `engine` the rules. Section numbers are those of the page.
"""

import hashlib
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, TypeAlias
from unicodedata import category, normalize

import msgpack
from nacl.bindings import crypto_core_ed25519_is_valid_point, crypto_sign_ed25519_pk_to_curve25519, crypto_sign_open
from nacl.exceptions import CryptoError

from engine import Chance, Deal, Game, OptionValue, Over, all_games, resolve

TURN, COMMIT, REVEAL, END = 1, 2, 3, 7
MOVE, PLAY, SEQUENCE, RESIGN, WISH, COMMITMENT, REVELATION, KEY, SHUFFLE, SHARE_LIST, RESULT, EPOCH, ACT = range(1, 14)
TAKEBACK = 14
ASYNC = (RESIGN, WISH, TAKEBACK)
TAKES = {TURN: (MOVE, PLAY, SEQUENCE), COMMIT: (COMMITMENT,), REVEAL: (REVELATION,), END: (RESULT,)}


Unpacked: TypeAlias = Any
"""What bytes from outside held: of no kind that is known before it is looked at."""


class Invalid(ValueError):
    """The file is not valid."""


def need(holds: bool) -> None:
    if not holds:
        raise Invalid


def unpack(data: bytes, limit: int) -> Unpacked:
    """Section 2: the value, if this is its only encoding."""
    need(len(data) <= limit)
    try:
        value = msgpack.unpackb(data, use_list=False, max_map_len=0, max_ext_len=0)
        need(plain(value, 8) and pack(value) == data)
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException) as error:
        raise Invalid from error
    return value


def plain(value: Unpacked, depth: int) -> bool:
    if type(value) is tuple:
        return depth > 0 and all(plain(item, depth - 1) for item in value)
    return type(value) in (int, bytes, str, type(None))


def pack(value: Unpacked) -> bytes:
    return bytes(msgpack.packb(value, use_bin_type=True))


def H(person: str, *parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=32, person=person.encode()).digest()


def signed(id: bytes, message: bytes, signature: bytes) -> bool:
    try:
        return len(signature) == 64 and crypto_sign_open(signature + message, id) == message
    except CryptoError:
        return False


def is_(value: Unpacked, type_: type[Any], low: int = 0, high: int = 2**31 - 1, unit: int = 1) -> bool:
    """Whether an int lies within these bounds; of any other type its length does, a multiple of `unit`."""
    size = value if type_ is int else len(value) if type(value) is type_ else -1
    return type(value) is type_ and low <= size <= high and size % unit == 0


def read_charter(data: bytes) -> Any:
    """Section 3. Whatever cannot even be looked at is not a charter."""
    try:
        return checked_charter(data)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise Invalid from error


def checked_charter(data: bytes) -> Any:
    packed, nonces, signatures = tuple_of(unpack(data, 16384), 3)
    body = unpack(packed, 16384)
    word, version, kind, key, rules, options, time, seats, attempt, origin, watching, *series = body
    need(type(body) is tuple and all(is_score(one, len(seats)) for one in series) and len(series) < 2)
    need(all(is_nick(name) for _, name, _ in seats))
    need((word, version) == ("charter", 2) and kind in ("net", "local") and is_(attempt, bytes, 16, 16))
    game = all_games().get(key)
    if game is None:
        raise Invalid
    need(rules == game.version and len(seats) in game.seats)
    resolved = resolve(game.options, dict(options), len(seats))
    shown = {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in resolved.items()}
    need(options == tuple(shown.items()))
    seconds, increment = tuple_of(time, 2) if isinstance(time, tuple) else (time, 0)
    need(time == 0 or (kind == "net" and is_(seconds, int, 10, 86400) and is_(increment, int, 0, 3600)))
    by, delay, *talks = watching if isinstance(watching, tuple) else ()
    need(is_(by, int, 0, 2) and is_(delay, int, 0, 1000) and (not talks or (by > 0 == delay and talks == [1])))
    need((by > 0 or delay == 0) and (kind == "net" or by == 0))
    ids = [tuple_of(seat, 3)[0] for seat in seats]
    need(all(is_(id, bytes, 32, 32) and crypto_core_ed25519_is_valid_point(id) for id in ids))
    need(all(is_(seat[2], int, 1, len(seats)) and seats[seat[2] - 1][2] == seat[2] for seat in seats))
    need(len({*map(crypto_sign_ed25519_pk_to_curve25519, ids)}) == (len(ids) if kind == "net" else 1))
    signers = len(ids) if kind == "net" else 1
    need(len(nonces) == len(signatures) == signers and all(is_(one, bytes, 32, 32) for one in nonces))
    table = H("sh/table/1", pack((packed, nonces)))
    need(all(signed(*one) for one in zip(ids, [b"stonehenge/charter/1" + table] * signers, signatures, strict=False)))
    found = SimpleNamespace(game=game, table=table, ids=ids, signers=signers, local=kind == "local")
    found.operators, found.names = [seat[2] for seat in seats], [seat[1] for seat in seats]
    found.state = beginning(game, dict(options), len(ids), origin)
    need(found.local or {*found.operators} <= {*game.live(found.state)})
    return found


def is_nick(name: str) -> bool:
    """Section 2, by the Unicode of this Python: single spaces inside, no other separator, nothing unseen."""
    if not 0 < len(name) <= 24 or name != name.strip(" ") or "  " in name:
        return False
    seen = all(category(one)[0] not in "CZ" and ord(one) not in UNSEEN for one in name if one != " ")
    return seen and normalize("NFC", name) == name


UNSEEN = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0}
UNSEEN |= {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


def is_score(series: Unpacked, seats: int) -> bool:
    """Section 3: the match, then the score before the game, if there is one."""
    match, *before = series if type(series) is tuple else ()
    if not before:
        return is_(match, int, 2, 999)
    games, table, points = before
    most = match - 1 if match else 2**31 - 1
    good = (match == 0 or is_(match, int, 2, 999)) and is_(games, int, 1) and is_(table, bytes, 32, 32)
    return good and is_(points, tuple, seats, seats) and all(is_(one, int, 0, most) for one in points)


def beginning(game: Game[Any], options: Mapping[str, OptionValue], seats: int, origin: Unpacked) -> Any:
    """Section 3: the state at which the table begins."""
    state = game.start(options, seats)
    if origin == ():
        return state
    table, actions = tuple_of(origin, 2)
    need(is_(table, bytes, 32, 32) and type(actions) is tuple)
    for actor, action in [tuple_of(one, 2) for one in actions]:
        need(is_(actor, int, 0, 5) and is_(action, str) and game.refuse(state, actor, action) is None)
        state = game.apply(state, actor, action)
    due = game.pending(state)
    dealing = isinstance(due, Chance) and isinstance(due.draw, Deal)
    need(not isinstance(due, Over) and (dealing or not any(action.startswith("deal") for _, action in actions)))
    return state


def tuple_of(value: Unpacked, size: int) -> tuple[Any, ...]:
    if type(value) is not tuple or len(value) != size:
        raise Invalid
    return value


ACTION, FIXED, SHARES = (str, 0, 200), (bytes, 32, 32), (bytes, 0, 6336, 96)
BODIES = {
    MOVE: (ACTION,),
    PLAY: (ACTION, (int, 0, 255), (bytes, 96, 96)),
    SEQUENCE: (),
    RESIGN: (),
    WISH: ((int, 0, 1),),
    COMMITMENT: (FIXED,),
    REVELATION: (FIXED, FIXED),
    KEY: (FIXED, (bytes, 64, 64)),
    SHUFFLE: ((bytes, 0, 4224, 64), (bytes, 0, 8608, 32)),
    SHARE_LIST: (SHARES,),
    RESULT: (SHARES,),
    EPOCH: ((int, 1, 2**31 - 1), (tuple, 0, 4)),
    ACT: ((int, 0, 5), (str, 0, 400)),
    TAKEBACK: ((int, 0, 2**31 - 1),),
}
"""For each kind of event its entries: type, least, most (of an int, or of a length), and what divides the length."""


def read_event(raw: bytes, signature: bytes) -> Any:
    """Section 4: the table of events."""
    form, table, seat, heads, slot, digest, kind, body = tuple_of(unpack(raw, 16384), 8)
    need(form == 2 and is_(table, bytes, 32, 32) and is_(digest, bytes, 32, 32) and type(heads) is tuple)
    for length, hash in [tuple_of(head, 2) for head in heads]:
        need(is_(length, int, 0, 2**31 - 2) and is_(hash, bytes, 32 * bool(length), 32 * bool(length)))
    need(is_(seat, int, 1, len(heads)) and all(is_(one, int) for one in tuple_of(slot, 3)) and 1 <= slot[2] <= 7)
    need(type(body) is tuple and type(kind) is int and kind in BODIES and len(signature) == 64)
    late = kind == RESIGN and len(body) == 1 and is_(body[0], int, 1, 1)
    need(late or len(body) == len(BODIES[kind]))
    need(late or all(is_(entry, *bounds) for entry, bounds in zip(body, BODIES[kind], strict=True)))
    if kind == EPOCH:
        listed = [tuple_of(one, 3)[0] for one in body[1]]
        need(
            body[0] > slot[0]
            and listed == sorted({*listed} - {seat})
            and all(is_(one, int, 1, len(heads)) for one in listed)
        )
        need(all(one[1:] == heads[one[0] - 1] for one in body[1]))
    e = SimpleNamespace(raw=raw, signature=signature, table=table, seat=seat, slot=slot, digest=digest)
    e.kind, e.body, e.heads, e.hashes = kind, body, [head[0] for head in heads], [head[1] for head in heads]
    e.hash, e.number = H("sh/event/2", raw), heads[seat - 1][0] + 1
    return e
