"""Real inputs to start from: short games played among peers, and everything that is sent and saved on the way."""

from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from engine import CHANCE, Action, Chance, Deal, Over, Turn, all_games, encode
from p2p_stonehenge.net.discovery import service_name
from protocol import (
    INSTANCE_BYTES,
    LOCAL,
    NET,
    Advert,
    Attendance,
    Attending,
    Card,
    Charter,
    Chat,
    Decline,
    DeclineReason,
    Form,
    Formation,
    Greeting,
    Handshake,
    Identity,
    Join,
    Leave,
    LeaveReason,
    Message,
    Node,
    Seat,
    Secrets,
    Series,
    SignedEvent,
    Table,
    Talk,
    Watch,
    Watchers,
    Watching,
    card_bytes,
    charter_record,
    draw_locally,
    event_record,
    greeting_bytes,
    id_text,
    local_charter,
    make_body,
    message_bytes,
    read_message,
)
from protocol.cards.deck import MASKED_DECK
from protocol.events import EventKind, Head, Leaving, Proof, bodies, make_event
from protocol.file import proof_record
from protocol.formation import SESSION_BYTES, UNWATCHED
from protocol.messages import Events, Have

IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))
NAMES = ("anna", "ben", "cleo", "dan", "eve")
ATTEMPT = b"attempt-attempt-"
INSTANCE = bytes(INSTANCE_BYTES)
HINTS = ((IDENTITIES[2].id, "127.0.0.1:47102"), (IDENTITIES[2].id, "cleo.local:47102"))
GAMES = all_games()


class Credulous:
    """A verifier that believes every signature, so that changed events reach what lies behind the check."""

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        return True


CREDULOUS = Credulous()


class Remembered:
    """The real deck, which computes nothing twice: tables are folded again and again from one beginning."""

    def __getattr__(self, name: str) -> Any:
        method = lru_cache(256)(getattr(MASKED_DECK, name))

        def call(*values: Any) -> Any:
            return method(*(tuple(value) if isinstance(value, list) else value for value in values))

        setattr(self, name, call)
        return call


REMEMBERED = Remembered()


class Stage(NamedTuple):
    """A table as seat 1 holds it, a message of seat 2 for it, and the whole file so far."""

    node: Node
    message: bytes
    file: bytes


def formation(key: str, seat: int = 1, seats: int = 2) -> Formation:
    """Return the formation of a table as the client of `seat` begins it."""
    roster = tuple(Seat(IDENTITIES[n].id, NAMES[n], n + 1) for n in range(seats))
    watching, series = Watching(Watchers.EVERYBODY, 0, 1), Series(5, 2, bytes(32), (1,) * seats)
    body = make_body(NET, GAMES[key], {}, roster, ATTEMPT, 10 * seats, watching=watching, series=series)
    return Formation(body, {seat: IDENTITIES[seat - 1]}, b"seed%d" % seat, CREDULOUS)


@cache
def charter(key: str, seats: int = 2) -> Charter:
    """Return a charter that all seats have signed."""
    *_, last = formed(key, seats)
    assert last.charter
    return last.charter


def formed(key: str, seats: int = 2) -> Iterator[Formation]:
    """Let the clients of a table tell each other what they hold; yield each after it has heard something."""
    clients = [formation(key, seat, seats) for seat in range(1, seats + 1)]
    while clients[0].missing or clients[-1].missing:
        for one in clients:
            for other in clients:
                if one is not other and one.merge(other.message()):
                    yield one


def _tables(key: str, seats: int) -> list[Table]:
    """Return a copy of a new table for each client."""
    agreed = charter(key, seats)
    signers = [{seat: IDENTITIES[seat - 1]} for seat in range(1, seats + 1)]
    return [
        Table(agreed, own, Secrets.from_seed(b"seed%d" % n), CREDULOUS, REMEMBERED) for n, own in enumerate(signers, 1)
    ]


def _copy(table: Table) -> Node:
    """Return the client of seat 1 at another copy of its table."""
    again = Table(table.charter, table.own.signers, Secrets.from_seed(b"seed1"), CREDULOUS, REMEMBERED)
    _hear(again, _in_order(table))
    return Node(again, formation(table.game.key, 1, len(table.charter.body.seats)).message())


def _hear(table: Table, events: list[SignedEvent]) -> None:
    for event in events:
        table.receive(event.raw, event.signature)


def _spread(tables: list[Table], events: list[SignedEvent]) -> bytes:
    """Let all take in events, first those who have signed them; return their records."""
    for table in tables:
        table.advance([event for event in events if event.seat in table.own.signers])
    for table in tables:
        _hear(table, [event for event in events if event.seat not in table.own.signers])
    return b"".join(map(event_record, events))


def _message(*events: SignedEvent) -> bytes:
    return message_bytes(Events(events[0].table, tuple((event.raw, event.signature) for event in events)))


@cache
def stages(key: str, plies: int, *, leaves: bool = False) -> tuple[Stage, ...]:
    """Return a game of two peers after each kind of slot that it has come to, at most `plies` actions long.

    If seat 1 `leaves`, it resigns at last.
    """
    rng, found = Random(plies), {}
    one, two = tables = _tables(key, 2)
    file = charter_record(one.charter)
    while True:
        position = one.fold.position
        theirs = two.own.duties() or _moves(two, 2, rng)
        if theirs and position.slot.kind not in found:
            found[position.slot.kind] = Stage(_copy(one), _message(*theirs), file)
        last = leaves and position.plies + 2 >= plies
        own = one.own.duties() or _moves(one, 1, rng, resigns=last)
        file += _spread(tables, own + theirs)
        if not own + theirs or position.plies >= plies:
            return tuple(stage._replace(file=file) for stage in found.values())


def _moves(table: Table, seat: int, rng: Random, *, resigns: bool = False) -> list[SignedEvent]:
    """Return the move of a seat, if it has to act."""
    due = table.fold.position.due
    if not isinstance(due, Turn) or due.seat != seat or table.fold.has_resigned(seat):
        return []
    if resigns:
        return [table.own.resign(seat)]
    return [table.own.play(seat, rng.choice(table.game.legal(table.own.view(seat), seat)))]


@cache
def agreed() -> tuple[Stage, ...]:
    """Return a table of three where seat 3 is to be left behind: one that is asked, and one where others have begun."""
    tables = _tables("fidchell", 3)
    file = charter_record(tables[0].charter)
    while signed := [event for table in tables for event in table.own.duties()]:
        file += _spread(tables, signed)
    due = tables[0].fold.position.due
    assert isinstance(due, Turn)
    leaving = (Leaving(due.seat, *tables[0].held.heads[due.seat - 1]),)
    stay = [table for table in tables if due.seat not in table.own.signers]
    before = _copy(tables[0])
    signed = [event for table in stay for event in table.own.agree(2, leaving)]
    first = Stage(before, _message(*signed), file)
    file += _spread(tables, signed)
    before = _copy(tables[0])
    return first, Stage(before, _message(*stay[-1].own.agree(3, ())), file)


def _in_order(table: Table) -> list[SignedEvent]:
    events = [event for chain in table.held.chains for event in chain]
    return sorted(events, key=lambda event: sum(head.length for head in event.heads))


@cache
def everyone() -> tuple[Stage, ...]:
    """Return the stages of a game with dice and of one with cards: all kinds of slots.

    Then come agreements; the last is a hand opened.
    """
    games = (*stages("kingamon", 6), *stages("celtic-whist", 4), *stages("fidchess", 3))
    return (*games, *agreed(), stages("celtic-whist", 9, leaves=True)[-1])


def local_file(key: str, plies: int) -> bytes:
    """Return the file of a game that one client plays alone."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, GAMES[key], {}, seats, ATTEMPT)
    table = Table(local_charter(body, IDENTITIES[0], b"n" * 32), {1: IDENTITIES[0]}, None, CREDULOUS)
    rng, data = Random(plies), charter_record(table.charter)
    for _ in range(plies):
        due = table.fold.position.due
        if isinstance(due, Over):
            break
        data += event_record(table.act(*_choice(table.game, table.state, due, rng)))
    return data


@cache
def positions(key: str) -> tuple[Any, ...]:
    """Return states of a game, for one number of seats after the other, the last ones near or at the end."""
    game, rng, found = GAMES[key], Random(1), []
    for seats in game.seats:
        state = game.start({}, seats)
        for ply in range(60):
            if ply in (0, 1, 2, 5, 9, 20, 40):
                found.append(state)
            due = game.pending(state)
            if isinstance(due, Over):
                break
            state = game.apply(state, *_choice(game, state, due, rng))
        found.append(state)
    for seat in game.live(found[2])[:1]:
        found.append(game.apply(found[2], seat, "resign"))
    return tuple(found)


def _choice(game: Any, state: Any, due: Any, rng: Random) -> tuple[int, Action]:
    if isinstance(due, Turn):
        return due.seat, rng.choice(game.legal(state, due.seat))
    assert isinstance(due, Chance)
    if isinstance(due.draw, Deal):
        return CHANCE, draw_locally(due.draw, rng.randbytes(32))
    return CHANCE, rng.choice(game.legal(state, CHANCE))


def events() -> list[bytes]:
    """Return the raw bytes of an event of each kind."""
    found: dict[EventKind, bytes] = {}
    for stage in everyone():
        table = stage.node.table
        place = table.held.heads, table.fold.position.slot, bytes(32)
        more = [
            make_event(IDENTITIES[0], table.id, 1, *place, body)
            for body in (
                bodies.Resign(),
                bodies.Wish(1),
                bodies.Takeback(0),
                bodies.Sequence(),
                bodies.Act(1, "resign"),
            )
        ]
        for event in (*_in_order(table), *more):
            found.setdefault(event.kind, event.raw)
    shown = [read_message(stage.message) for stage in everyone()[-3:]]
    return [*found.values(), *(raw for one in shown if isinstance(one, Events) for raw, _ in one.events)]


def messages() -> list[bytes]:
    """Return a message of each kind, and the events of each stage."""
    charters = [one.message() for one in formed("qenqe")]
    node = everyone()[0].node
    plain = (
        Join(),
        Advert("kingamon", 1, (("points", "3"),), ("anna",), 2, 60, 1, b"", 0, UNWATCHED),
        Advert("kingamon", 1, (), ("anna",), 2, 0, 0, b"", 0, UNWATCHED, 7),
        Handshake(bytes(SESSION_BYTES), b"", b""),
        Handshake(bytes(SESSION_BYTES), bytes([9]) + bytes(31), bytes(64)),
        Decline(1),
        Form(charters[0], ((IDENTITIES[0].id, "10.0.0.1:47100"),)),
        Form(charters[-1], ()),
        Have(node.table.id, node.table.held.heads),
        Have(node.table.id, (Head(0, b""), Head(0, b""))),
        Have(node.table.id, node.table.held.heads, ((1, 2),), bytes(8), bytes(8), (1, 2)),
        Chat(node.table.id, "well played"),
        Leave(node.table.id, LeaveReason.ADJOURN),
        Watch(),
        Watch(node.table.id, (3, 0), ((1, 2),)),
        Attendance(node.table.id, 3, 47, ((1, Attending.PRESENT, 0), (2, Attending.AWAY, 93))),
        Talk(node.table.id, 0, "wim", "well played"),
        Talk(node.table.id, 1, "", "well played"),
    )
    return [*[message_bytes(one) for one in plain], *(stage.message for stage in everyone()[:3])]


def signed_form(table: Table) -> Form:
    """Return the charter of a table as spectators are sent it."""
    signed = table.charter
    return Form((signed.body.packed(), (), signed.nonces, signed.signatures), HINTS)


def files() -> list[bytes]:
    """Return saved games: of peers, of one client, with an agreement, with a proof of equivocation, and one cut."""
    dice = stages("kingamon", 6)[0].file
    table = everyone()[0].node.table
    place = table.held.heads, table.fold.position.slot
    kept, other = (make_event(IDENTITIES[0], table.id, 1, *place, bytes([n]) * 32, bodies.Resign()) for n in (0, 1))
    parted = charter_record(table.charter) + b"".join(map(event_record, [*_in_order(table), kept]))
    whist = stages("celtic-whist", 4)[0].file
    return [
        dice,
        parted + proof_record(Proof(kept, other)),
        dice[:-9],
        dice.replace(b"transcript 2", b"transcript 1", 1)[:600],
        agreed()[1].file,
        local_file("fidchess", 5),
        local_file("kingamon", 8),
        local_file("celtic-whist", 6),
        stages("fidchess", 3)[0].file,
        whist[: len(whist) // 8],
    ]


def services() -> list[bytes]:
    """Return service records: the name, the TXT record, the addresses, the port."""
    id = IDENTITIES[0].id
    full = {"v": "1", "id": id_text(id), "nick": "anna", "inst": INSTANCE.hex(), "table": "kingamon 1/2"}
    found = []
    for left_out in ("", "table", "nick"):
        items = [f"{key}={value}".encode() for key, value in full.items() if key != left_out]
        text = b"".join(bytes([len(item)]) + item for item in items)
        found.append(encode((service_name(id), text, (b"\x0a\0\0\1", b"\xe0\0\0\1"), 47100)))
    return found


def texts(key: str) -> list[bytes]:
    """Return what players type: a byte that selects a position, then the text."""
    game, found = GAMES[key], []
    for at, state in enumerate(positions(key)):
        due = game.pending(state)
        actor = due.seat if isinstance(due, Turn) else CHANCE
        lines = [*game.legal(state, actor)[::7], "resign"][:3]
        found += [bytes([at]) + line.encode() for line in lines]
    return found


def seeds(target: str) -> list[bytes]:
    """Return real inputs of a target, by its name."""
    kind, _, key = target.partition("-")
    greeting = greeting_bytes(Greeting(IDENTITIES[1].id, INSTANCE, "ben", 47100))
    charters = [charter(name) for name in GAMES] + [charter("celtic-whist", 3)]
    match kind:
        case "decode":
            return [*messages()[:6], *events()[:3], *(encode(leaf) for leaf in (0, -1, 2**64 - 1, "é", b"", None, ()))]
        case "greeting":
            return [greeting, encode(("stonehenge", 2)), encode(("stonehenge", 9, "news"))]
        case "card":
            return [card_bytes(Card(IDENTITIES[0].id, "anna", 47100), IDENTITIES[0])]
        case "message":
            return messages()
        case "event":
            return events()
        case "body":
            return [one.body.packed() for one in charters]
        case "charter":
            return [one.packed() for one in charters]
        case "records" | "verify":
            return files()
        case "formation":
            return [encode(one.message()) for one in formed("kingamon")]
        case "lobby":
            others = [message_bytes(Form(one.message(), HINTS)) for one in formed("qenqe", 3)]
            nowhere = [
                Form(formation("qenqe", 1, 3).message(), ((HINTS[0][0], text),)) for text in ("here", "h:0000099999")
            ]
            return [*messages()[:4], *others, *map(message_bytes, nowhere)]
        case "node":
            others = [bytes([0]) + message for message in messages()]
            return [bytes([at]) + stage.message for at, stage in enumerate(everyone())] + others
        case "spectator":
            asked: tuple[Message, ...] = (
                Decline(DeclineReason.FULL),
                Handshake(bytes(32), b"", b""),
                Handshake(bytes(32), bytes([9]) + bytes(31), bytes(64)),
            )
            return [
                *(bytes([at, 1]) + stage.message for at, stage in enumerate(everyone())),
                *(
                    bytes([at, 0]) + message_bytes(signed_form(stage.node.table))
                    for at, stage in enumerate(everyone()[:3])
                ),
                *(bytes([0, at]) + message_bytes(message) for at, message in enumerate(asked)),
            ]
        case "parse":
            return texts(key)[:24]
        case "secrets":
            secrets = Secrets.from_seed(bytes(32)).moved_on(3)
            return [secrets.packed(), secrets.kept(bytes(32)), secrets.kept(bytes([1]) * 32)]
        case "id":
            return [id_text(one.id).encode() for one in IDENTITIES[:2]] + [b"aaaa", b"a" * 52]
        case "service":
            return services()
        case "transport":
            return [bytes([at]) + data for at in range(3) for data in (greeting, message_bytes(Join()))]
    raise KeyError(target)
