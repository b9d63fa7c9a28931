"""The charter: what the seats agree on before the first move, and how they sign it.

The host fixes the body. Then each seat commits to a nonce, shows it once all commitments are held, and signs.
The hash of body and nonces is the table id. No seat can choose the id, because each nonce was fixed blindly.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import Game, MalformedError, OptionError, Value, all_games, blake, decode, encode, option_text, resolve
from protocol._greeting import PROTOCOL_VERSION, VersionMismatchError, clean_nick
from protocol._identity import ED25519, SIGNATURE_BYTES, Identity, Signer, Verifier, curve_public

NET = "net"
"""A table of peers: each seat signs for itself, chance is drawn by commit and reveal."""
LOCAL = "local"
"""A table on one machine: one signer, chance values as plain events."""

HASH_BYTES = 32
ATTEMPT_BYTES = 16
"""Random bytes that tell one attempt to form a table from another."""
CHARTER_LIMIT = 4096
"""Bytes of a charter; five seats with every option named need about 900."""
TURN_TIMES = range(10, 86_400 + 1)
"""Seconds that a table may give each turn: less is no time to type, more than a day is none at all."""
_SIGN_DOMAIN = b"stonehenge/charter/1"


class Seat(NamedTuple):
    """One seat of a roster. `operator` is the seat whose client plays it: another one's for a bot."""

    id: bytes
    name: str
    operator: int


class Body(NamedTuple):
    """What the host fixes. `options` are all that apply, in the game's order, as text.

    `turn_time`: seconds that a seat has for what it owes, 0 for no limit; one of TURN_TIMES, at a net table only.
    """

    kind: str
    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    turn_time: int
    seats: tuple[Seat, ...]
    attempt: bytes

    def packed(self) -> bytes:
        """Return the canonical bytes."""
        return encode(("charter", PROTOCOL_VERSION, *self))

    @property
    def signers(self) -> tuple[int, ...]:
        """Return the seats that sign: all, or only the first where one client plays them all."""
        return tuple(range(1, len(self.seats) + 1)) if self.kind == NET else (1,)


class Charter(NamedTuple):
    """An agreed body with the nonce and the signature of every signer, in seat order."""

    body: Body
    nonces: tuple[bytes, ...]
    signatures: tuple[bytes, ...]

    @property
    def table(self) -> bytes:
        """Return the table id, 32 bytes."""
        return table_id(self.body, self.nonces)

    def packed(self) -> bytes:
        """Return the canonical bytes of the whole charter."""
        return encode((self.body.packed(), self.nonces, self.signatures))


def make_body(
    kind: str,
    game: Game[Any],
    options: Mapping[str, str | int | bool],
    seats: tuple[Seat, ...],
    attempt: bytes,
    turn_time: int = 0,
) -> Body:
    """Return a body with the options checked and completed. Raises OptionError as `Game.start` does."""
    game.start(options, len(seats))
    full = tuple((name, option_text(value)) for name, value in resolve(game.options, options, len(seats)).items())
    return Body(kind, game.key, game.version, full, turn_time, seats, attempt)


def table_id(body: Body, nonces: tuple[bytes, ...]) -> bytes:
    """Return the id of the table with this body and these nonces."""
    return blake("sh/table/1", encode((body.packed(), nonces)))


def nonce_commitment(body: Body, seat: int, nonce: bytes) -> bytes:
    """Return what a seat sends before its nonce."""
    return blake("sh/sas/1", encode((blake("sh/body/1", body.packed()), seat, body.seats[seat - 1].id, nonce)))


def sign_charter(body: Body, nonces: tuple[bytes, ...], signer: Signer) -> bytes:
    """Return one seat's signature of the agreed charter."""
    return signer.sign(_SIGN_DOMAIN + table_id(body, nonces))


def charter_signed(body: Body, nonces: tuple[bytes, ...], seat: int, signature: bytes, verifier: Verifier) -> bool:
    """Return whether `signature` is the seat's signature of the charter."""
    return verifier.verify(body.seats[seat - 1].id, _SIGN_DOMAIN + table_id(body, nonces), signature)


def local_charter(body: Body, signer: Identity, nonce: bytes) -> Charter:
    """Return the charter of a table that one client plays alone."""
    return Charter(body, (nonce,), (sign_charter(body, (nonce,), signer),))


def read_body(data: bytes) -> Body:
    """Return the body in `data`, every field checked against the games of this program.

    Raises VersionMismatchError if the protocol or the game's rules have another version, MalformedError otherwise.
    """
    value = decode(data, CHARTER_LIMIT)
    if not isinstance(value, tuple) or value[:1] != ("charter",) or len(value) < 2:
        raise MalformedError("not a charter")
    if value[1] != PROTOCOL_VERSION:
        raise VersionMismatchError("the table uses another version of the protocol; all seats need the same program")
    match value[2:]:
        case ("net" | "local" as kind, str(key), int(version), tuple(options), int(time), tuple(seats), bytes(attempt)):
            body = Body(kind, key, version, _pairs(options), time, _seats(seats), attempt)
        case _:
            raise MalformedError("not a charter")
    _check(body)
    return body


def read_charter(data: bytes, verifier: Verifier = ED25519) -> Charter:
    """Return the charter in `data` after checking every signature. Raises as `read_body`."""
    match decode(data, CHARTER_LIMIT):
        case (bytes(packed), tuple(nonces), tuple(signatures)):
            body = read_body(packed)
        case _:
            raise MalformedError("not a charter")
    shown, signed = _hashes(nonces, HASH_BYTES), _hashes(signatures, SIGNATURE_BYTES)
    if len(shown) != len(body.signers) or len(signed) != len(body.signers):
        raise MalformedError("the charter lacks a nonce or a signature")
    for seat, signature in zip(body.signers, signed, strict=True):
        if not charter_signed(body, shown, seat, signature, verifier):
            raise MalformedError(f"the charter is not signed by seat {seat}")
    return Charter(body, shown, signed)


def bot_identity(secret: bytes, seat: int) -> Identity:
    """Return the key of a bot's seat, made from a secret that its operator has for the table."""
    return Identity(blake("sh/bot/1", secret, encode(seat)))


def _check(body: Body) -> None:
    game = all_games().get(body.game)
    if game is None:
        raise VersionMismatchError("the table plays a game that this program does not have; update it")
    if game.version != body.version:
        raise VersionMismatchError(
            f"the table plays {game.title} by rules version {body.version}, this program has {game.version};"
            " all seats need the same program"
        )
    if len(body.seats) not in game.seats or len(body.attempt) != ATTEMPT_BYTES:
        raise MalformedError("a roster or an attempt of the wrong size")
    try:
        again = make_body(body.kind, game, dict(body.options), body.seats, body.attempt, body.turn_time)
    except OptionError as error:
        raise MalformedError("the charter has options that the game refuses") from error
    if again != body:
        raise MalformedError("the charter's options are not complete and canonical")
    if body.turn_time and (body.kind == LOCAL or body.turn_time not in TURN_TIMES):
        raise MalformedError("a turn time that no table has")
    operators = {seat for seat, entry in enumerate(body.seats, 1) if entry.operator == seat}
    if any(entry.operator not in operators for entry in body.seats):
        raise MalformedError("a seat has no operator")
    try:
        # An id and its negative share a CURVE key, so both kinds of key must differ.
        distinct = len({curve_public(id) for id in {entry.id for entry in body.seats}})
    except ValueError as error:
        raise MalformedError("a seat has no valid key") from error
    if distinct != (len(body.seats) if body.kind == NET else 1):
        raise MalformedError("two seats have one key" if body.kind == NET else "a local table has one signer")


def _pairs(options: tuple[Value, ...]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for item in options:
        match item:
            case (str(name), str(value)):
                pairs.append((name, value))
            case _:
                raise MalformedError("not an option")
    return tuple(pairs)


def _seats(seats: tuple[Value, ...]) -> tuple[Seat, ...]:
    entries = []
    for item in seats:
        match item:
            case (bytes(id), str(name), int(operator)) if name == clean_nick(name):
                entries.append(Seat(id, name, operator))
            case _:
                raise MalformedError("not a seat")
    return tuple(entries)


def _hashes(values: tuple[Value, ...], size: int) -> tuple[bytes, ...]:
    if not all(isinstance(value, bytes) and len(value) == size for value in values):
        raise MalformedError("a value of the wrong size")
    return tuple(value for value in values if isinstance(value, bytes))


class Formation:
    """One attempt to agree on a charter, as one client sees it: a set of statements that only grows.

    Peers send each other everything they hold (`message`) whenever it grew (`merge`); the order and the way
    do not matter.
    """

    def __init__(self, body: Body, own: Mapping[int, Signer], seed: bytes, verifier: Verifier = ED25519) -> None:
        self.body = body
        self._own = own
        self._verifier = verifier
        seats = len(body.seats)
        self._secret = {seat: blake("sh/nonce/1", seed, encode((body.packed(), seat))) for seat in own}
        self._commitments: list[bytes | None] = [None] * seats
        self._nonces: list[bytes | None] = [None] * seats
        self._signatures: list[bytes | None] = [None] * seats
        for seat, nonce in self._secret.items():
            self._commitments[seat - 1] = nonce_commitment(body, seat, nonce)
        self._contribute()

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the seats that owe something."""
        return tuple(seat for seat, signature in enumerate(self._signatures, 1) if signature is None)

    @property
    def charter(self) -> Charter | None:
        """Return the charter once all have signed."""
        nonces = tuple(nonce for nonce in self._nonces if nonce)
        signatures = tuple(signature for signature in self._signatures if signature)
        return None if self.missing else Charter(self.body, nonces, signatures)

    def message(self) -> tuple[Value, ...]:
        """Return all that is held: the packed body, commitments, nonces, signatures."""
        return (self.body.packed(), tuple(self._commitments), tuple(self._nonces), tuple(self._signatures))

    def merge(self, message: Value) -> bool:
        """Take in what another client holds; return whether anything was new.

        Raises MalformedError if it does not fit what was stated before: this attempt must then be given up.
        """
        match message:
            case (bytes(packed), tuple(commitments), tuple(nonces), tuple(signatures)):
                if packed != self.body.packed():
                    raise MalformedError("another charter")
            case _:
                raise MalformedError("not a formation")
        before = self.message()
        self._take(self._commitments, commitments, HASH_BYTES)
        self._take(self._nonces, nonces, HASH_BYTES)
        for seat, nonce in enumerate(self._nonces, 1):
            if nonce and nonce_commitment(self.body, seat, nonce) != self._commitments[seat - 1]:
                raise MalformedError(f"seat {seat} showed another nonce than it had committed to")
        self._take(self._signatures, signatures, SIGNATURE_BYTES)
        shown = tuple(nonce for nonce in self._nonces if nonce)
        for seat, signature in enumerate(self._signatures, 1):
            complete = len(shown) == len(self._nonces)
            if signature and not (complete and charter_signed(self.body, shown, seat, signature, self._verifier)):
                raise MalformedError(f"seat {seat} did not sign this charter")
        self._contribute()
        return self.message() != before

    def _take(self, held: list[bytes | None], stated: tuple[Value, ...], size: int) -> None:
        if len(stated) != len(held):
            raise MalformedError("wrong number of seats")
        for index, value in enumerate(stated):
            if value is None:
                continue
            if not isinstance(value, bytes) or len(value) != size:
                raise MalformedError("a value of the wrong size")
            if held[index] is None and index + 1 not in self._own:
                held[index] = value
            elif held[index] != value:
                raise MalformedError(f"seat {index + 1} stated two different things")

    def _contribute(self) -> None:
        if all(self._commitments):
            for seat, nonce in self._secret.items():
                self._nonces[seat - 1] = nonce
        nonces = tuple(nonce for nonce in self._nonces if nonce)
        if len(nonces) == len(self._nonces):
            for seat, signer in self._own.items():
                if self._signatures[seat - 1] is None:
                    self._signatures[seat - 1] = sign_charter(self.body, nonces, signer)
