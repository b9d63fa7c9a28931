"""The charter: what the seats agree on before the first move, and what makes it valid.

The host fixes the body. Each seat adds a nonce and a signature: `attempt` has how. The hash of body and nonces is the
table id.
"""

from collections.abc import Collection, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from engine import (
    CHANCE,
    HASH_BYTES,
    MOST_SEATS,
    Chance,
    Deal,
    Game,
    MalformedError,
    OptionError,
    Over,
    Value,
    all_games,
    blake,
    decode,
    encode,
    option_text,
    resolve,
)
from protocol.formation.greeting import PROTOCOL_VERSION, VersionMismatchError, clean_nick
from protocol.identity import ED25519, SIGNATURE_BYTES, Identity, Signer, Verifier, is_id

NET = "net"
"""A table of peers: each seat signs for itself, chance is drawn by commit and reveal."""
LOCAL = "local"
"""A table on one machine: one signer, chance values as plain events."""

ATTEMPT_BYTES = 16
"""Random bytes that tell one attempt to form a table from another."""
CHARTER_LIMIT = 16 * 1024
"""Bytes of a charter. Five seats with every option named need about 900; the rest is for the actions of an origin."""
TURN_TIMES = range(10, 86_400 + 1)
"""Seconds that a table may give each turn: less is no time to type, more than a day is none at all."""
INCREMENTS = range(3600 + 1)
"""Seconds that a clock may give for each turn, besides those of TURN_TIMES for all turns."""
DELAYS = range(1000 + 1)
"""Actions by which those who watch a table may be behind its players."""
MATCHES = range(2, 999 + 1)
"""Points to which a match can be: one point is a game, and more than these nobody plays."""
MOST_COUNTED = 2**31 - 1
"""The most games, and the most points of a seat, that may lie before a table."""
COMMITMENT_BYTES = HASH_BYTES + SIGNATURE_BYTES
"""Of a commitment to a nonce: its hash, and the signature of its seat."""
_SIGN_DOMAIN = b"stonehenge/charter/1"
_COMMIT_DOMAIN = b"stonehenge/commitment/1"


class Seat(NamedTuple):
    """One seat of a roster. `operator`: the seat whose client plays this seat; for a bot the seat of a player."""

    id: bytes
    name: str
    operator: int


class Origin(NamedTuple):
    """The position of another table at which a table begins: that table's id, and the public actions that led there.

    Each action stands with its actor. All of them are lawful, and the game is not over after them.
    """

    table: bytes
    actions: tuple[tuple[int, str], ...]


class Clock(NamedTuple):
    """Time for each player: `seconds` for all turns together, and `increment` more after each turn."""

    seconds: int
    increment: int


class Watchers(IntEnum):
    """Who may watch a table."""

    NOBODY = 0
    WITH_PASSPHRASE = 1
    EVERYBODY = 2


class Watching(NamedTuple):
    """Who may watch a table, and how many actions behind its players.

    `talk`: 1 if players and spectators read each other's chat, else 0; always 0 with a delay, which chat would undo.
    """

    by: Watchers
    delay: int
    talk: int = 0

    def entries(self) -> tuple[int, ...]:
        """Return what stands for this in a charter and an advert: `talk` only if it is 1."""
        return self if self.talk else self[:2]


UNWATCHED = Watching(Watchers.NOBODY, 0)


class Series(NamedTuple):
    """The score before a game: what its players have made in the games that they played one after the other before it.

    `match`: the points that win the match to which the game belongs, one of MATCHES; 0 where none is played.
    `games`: how many games are over, and `table`: the table of the last of them. `points`: what the player of each
    seat has made in all of them. Before the first game: 0, b"" and ().
    """

    match: int = 0
    games: int = 0
    table: bytes = b""
    points: tuple[int, ...] = ()

    def entries(self) -> tuple[Value, ...]:
        """Return what stands for this in a charter."""
        return self if self.games else self[:1]


FIRST_GAME = Series()
"""Nothing was played before, and no match is: a charter does not mention it."""


class Body(NamedTuple):
    """What the host fixes. `options` are all that apply, in the game's order, as text.

    `turn_time`: seconds that a seat has for what it owes, 0 for no limit; one of TURN_TIMES, at a net table only. A
    Clock in its place counts the turns of each player together.
    `origin` is None where the game begins from its start. A local table is watched by nobody.
    `series`: the match, and the score before this game.
    """

    kind: str
    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    turn_time: int | Clock
    seats: tuple[Seat, ...]
    attempt: bytes
    origin: Origin | None = None
    watching: Watching = UNWATCHED
    series: Series = FIRST_GAME

    def packed(self) -> bytes:
        """Return the canonical bytes of the body."""
        series = () if self.series == FIRST_GAME else (self.series.entries(),)
        return encode(("charter", PROTOCOL_VERSION, *self[:-3], self.origin or (), self.watching.entries(), *series))

    def beginning(self) -> Any:
        """Return the state at which the table begins. Raises MalformedError for an origin that the rules refuse."""
        game = all_games()[self.game]
        state = game.start(dict(self.options), len(self.seats))
        if self.origin is None:
            return state
        for ply, (actor, action) in enumerate(self.origin.actions, 1):
            if game.refuse(state, actor, action) is not None:
                raise MalformedError(f"the table would begin at a position that the rules do not allow: ply {ply}")
            state = game.apply(state, actor, action)
        if not may_begin(game, state, dealt=any(is_deal(*one) for one in self.origin.actions)):
            raise MalformedError("the table would begin where a game is over, or in a round with closed hands")
        return state

    def live(self) -> tuple[int, ...]:
        """Return the seats that play at the beginning: all but those that have left the game of the origin."""
        return all_games()[self.game].live(self.beginning())

    @property
    def clients(self) -> dict[bytes, int]:
        """Return the seats of the players at a net table by the ids of their clients, in seat order; bots left out."""
        return {seat.id: number for number, seat in enumerate(self.seats, 1) if seat.operator == number}

    @property
    def signers(self) -> tuple[int, ...]:
        """Return the seats that sign: all, or only the first where one client plays them all."""
        return tuple(range(1, len(self.seats) + 1)) if self.kind == NET else (1,)

    @property
    def fits(self) -> bool:
        """Return whether a charter with this body is no longer than CHARTER_LIMIT once all have signed it."""
        signers = len(self.signers)
        signed = Charter(self, (bytes(HASH_BYTES),) * signers, (bytes(SIGNATURE_BYTES),) * signers)
        return len(signed.packed()) <= CHARTER_LIMIT


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


def is_deal(actor: int, action: str) -> bool:
    """Return whether an action deals cards."""
    return actor == CHANCE and action.startswith("deal")


def may_begin(game: Game[Any], state: Any, *, dealt: bool) -> bool:
    """Return whether a table may begin at a state: the game goes on, and no hand is closed.

    `dealt`: whether cards have been dealt before. Then hands are closed except where the next deal is due.
    """
    due = game.pending(state)
    return not isinstance(due, Over) and (not dealt or (isinstance(due, Chance) and isinstance(due.draw, Deal)))


def make_body(
    kind: str,
    game: Game[Any],
    options: Mapping[str, str | int | bool],
    seats: tuple[Seat, ...],
    attempt: bytes,
    turn_time: int | Clock = 0,
    origin: Origin | None = None,
    watching: Watching = UNWATCHED,
    series: Series = FIRST_GAME,
) -> Body:
    """Return a body with the options checked and completed. Raises OptionError as `Game.start` does."""
    game.start(options, len(seats))
    full = tuple((name, option_text(value)) for name, value in resolve(game.options, options, len(seats)).items())
    return Body(kind, game.key, game.version, full, turn_time, seats, attempt, origin, watching, series)


def table_id(body: Body, nonces: tuple[bytes, ...]) -> bytes:
    """Return the id of the table with this body and these nonces."""
    return blake("sh/table/1", encode((body.packed(), nonces)))


def nonce_commitment(body: Body, seat: int, nonce: bytes) -> bytes:
    """Return the hash that a seat shows before its nonce."""
    return blake("sh/sas/1", encode((blake("sh/body/1", body.packed()), seat, body.seats[seat - 1].id, nonce)))


def sign_commitment(body: Body, seat: int, nonce: bytes, signer: Signer) -> bytes:
    """Return what a seat sends before its nonce: the hash, signed for this body, COMMITMENT_BYTES in all."""
    hash = nonce_commitment(body, seat, nonce)
    return hash + signer.sign(_committed(body, seat, hash))


def commitment_signed(body: Body, seat: int, commitment: bytes, verifier: Verifier) -> bool:
    """Return whether `commitment` comes from the seat."""
    hash, signature = commitment[:HASH_BYTES], commitment[HASH_BYTES:]
    return verifier.verify(body.seats[seat - 1].id, _committed(body, seat, hash), signature)


def _committed(body: Body, seat: int, hash: bytes) -> bytes:
    return _COMMIT_DOMAIN + encode((blake("sh/body/1", body.packed()), seat, hash))


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
        case (
            ("net" | "local") as kind,
            str(key),
            int(version),
            tuple(options),
            time,
            tuple(seats),
            bytes(attempt),
            tuple(origin),
            tuple(watching),
            *series,
        ) if len(series) < 2:
            began, watched = _origin(origin), read_watching(watching)
            body = Body(kind, key, version, _pairs(options), read_time(time), _seats(seats), attempt, began, watched)
            body = body._replace(series=_series(series[0])) if series else body
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
    """Check what is not a matter of shape. Raises VersionMismatchError or MalformedError."""
    _check_game(body)
    live = body.live()  # raises for an origin that the rules refuse
    _check_terms(body)
    _check_seats(body, live)


def _check_game(body: Body) -> None:
    """Check that this program has the game by these rules, and that the game takes the seats and the options."""
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
        more = (body.turn_time, body.origin, body.watching, body.series)
        again = make_body(body.kind, game, dict(body.options), body.seats, body.attempt, *more)
    except OptionError as error:
        raise MalformedError("the charter has options that the game refuses") from error
    if again != body:
        raise MalformedError("the charter's options are not complete and canonical")
    if not body.fits:
        raise MalformedError(f"a body of which the charter would be longer than {CHARTER_LIMIT} bytes")


def _check_terms(body: Body) -> None:
    """Check what only a table among peers has, and that the score before the game is that of its seats."""
    if body.turn_time and body.kind == LOCAL:
        raise MalformedError("a turn time at a local table")
    if body.kind == LOCAL and body.watching != UNWATCHED:
        raise MalformedError("a local table that somebody may watch")
    if len(body.series.points) not in (0, len(body.seats)):
        raise MalformedError("a score of other seats")


def _check_seats(body: Body, live: Collection[int]) -> None:
    """Check the keys and the operators of the seats; `live`: the seats that play at the beginning."""
    operators = {seat for seat, entry in enumerate(body.seats, 1) if entry.operator == seat}
    if any(entry.operator not in operators for entry in body.seats):
        raise MalformedError("a seat has no operator")
    if body.origin and body.kind == NET and not operators <= {*live}:
        raise MalformedError("a player would begin at a seat that plays no more")
    ids = {entry.id for entry in body.seats}
    if not all(map(is_id, ids)):
        raise MalformedError("a seat has no valid key")
    # An id and its negative, which differ by the highest bit, share a CURVE key: both kinds of key must differ.
    distinct = {(id[:-1], id[-1] & 127) for id in ids}
    if len(distinct) != (len(body.seats) if body.kind == NET else 1):
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


def _origin(value: tuple[Value, ...]) -> Origin | None:
    match value:
        case ():
            return None
        case (bytes(table), tuple(actions)) if len(table) == HASH_BYTES:
            return Origin(table, tuple(map(_applied, actions)))
    raise MalformedError("not an origin")


def read_time(value: Value) -> int | Clock:
    """Return the time for turns, as a charter or an advert says it. Raises MalformedError."""
    match value:
        case bool():
            pass
        case int() if value == 0 or value in TURN_TIMES:
            return value
        case (int(seconds), int(increment)) if seconds in TURN_TIMES and increment in INCREMENTS:
            if not isinstance(increment, bool):
                return Clock(seconds, increment)
    raise MalformedError("a turn time that no table has")


def read_watching(value: Value) -> Watching:
    """Return who may watch a table, as a charter or an advert says it. Raises MalformedError."""
    match value:
        case (0, 0):
            return UNWATCHED
        case (Watchers.WITH_PASSPHRASE | Watchers.EVERYBODY as by, 0, 1):
            return Watching(Watchers(by), 0, 1)
        case (Watchers.WITH_PASSPHRASE | Watchers.EVERYBODY as by, int(delay)) if delay in DELAYS:
            if not isinstance(delay, bool):
                return Watching(Watchers(by), delay)
    raise MalformedError("rules for watching that no table has")


def _series(value: Value) -> Series:
    match value:
        case (int(match),) if match in MATCHES:
            return Series(match)
        case (int(match), int(games), bytes(table), tuple(points)) if (
            match in (0, *MATCHES) and 1 <= games <= MOST_COUNTED and len(table) == HASH_BYTES and points
        ):
            # Once a player has the points of a match it is over, and no game of it follows.
            most = match - 1 if match else MOST_COUNTED
            counted = tuple(one for one in points if isinstance(one, int) and 0 <= one <= most)
            if counted == points:
                return Series(match, games, table, counted)
    raise MalformedError("a score that no table has")


def _applied(value: Value) -> tuple[int, str]:
    match value:
        case (int(actor), str(action)) if not isinstance(actor, bool) and 0 <= actor <= MOST_SEATS:
            return actor, action
    raise MalformedError("not an action of an origin")


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
