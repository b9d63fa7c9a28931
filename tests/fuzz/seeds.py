"""Real inputs to start from: short games played among peers, and everything that is sent and saved on the way."""

from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from protocol._event import RESIGN, WISH, Head, make_event

from engine import CHANCE, Action, Chance, Deal, Over, Turn, all_games, encode
from p2p_stonehenge.net.discovery import service_name
from protocol import (
    INSTANCE_BYTES,
    LOCAL,
    NET,
    Advert,
    Card,
    Charter,
    Chat,
    Decline,
    Events,
    Fork,
    Form,
    Formation,
    Greeting,
    Handshake,
    Have,
    Identity,
    Join,
    Leave,
    Node,
    Seat,
    Secrets,
    SignedEvent,
    Table,
    card_bytes,
    charter_record,
    draw_locally,
    event_record,
    fork_record,
    greeting_bytes,
    id_text,
    local_charter,
    make_body,
    message_bytes,
    read_message,
)
from protocol.cards.deck import MASKED_DECK
from protocol.messages import SESSION_BYTES

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
    body = make_body(NET, GAMES[key], {}, roster, ATTEMPT, 10 * seats)
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


@cache
def stages(key: str, plies: int, *, leaves: bool = False) -> tuple[Stage, ...]:
    """Return a game of two peers after each kind of slot that it has come to, at most `plies` actions long.

    If seat 1 `leaves`, it resigns at last.
    """
    agreed, rng, found = charter(key), Random(plies), {}
    owners = {seat: {seat: IDENTITIES[seat - 1]} for seat in (1, 2)}
    tables = [Table(agreed, owners[n], Secrets.from_seed(b"seed%d" % n), CREDULOUS, REMEMBERED) for n in owners]
    file = charter_record(agreed)
    while True:
        position = tables[0].fold.position
        signed = tables[1].duties()
        if not signed and isinstance(position.due, Turn) and position.due.seat == 2:
            signed = [_move(tables[1], 2, rng)]
        if signed and position.slot.kind not in found:
            copies = Table(agreed, owners[1], Secrets.from_seed(b"seed1"), CREDULOUS, REMEMBERED)
            copies.load(_in_order(tables[0]))
            events = tuple((event.raw, event.signature) for event in signed)
            message = message_bytes(Events(agreed.table, events))
            found[position.slot.kind] = Stage(Node(copies, formation(key).message()), message, file)
        own = tables[0].duties()
        if not own and isinstance(position.due, Turn) and position.due.seat == 1:
            last = leaves and position.plies + 2 >= plies
            own = [tables[0].resign(1) if last else _move(tables[0], 1, rng)]
        for event in own + signed:
            tables[event.seat % 2].receive(event.raw, event.signature)
            file += event_record(event)
        if not own + signed or position.plies >= plies:
            return tuple(stage._replace(file=file) for stage in found.values())


def _in_order(table: Table) -> list[SignedEvent]:
    events = [event for chain in table.chains for event in chain]
    return sorted(events, key=lambda event: sum(head.length for head in event.heads))


def _move(table: Table, seat: int, rng: Random) -> SignedEvent:
    return table.play(seat, rng.choice(table.game.legal(table.view(seat), seat)))


@cache
def everyone() -> tuple[Stage, ...]:
    """Return the stages of a game with dice and of one with cards: all kinds of slots; the last is a hand opened."""
    games = (*stages("kingamon", 6), *stages("celtic-whist", 4), *stages("fidchess", 3))
    return (*games, stages("celtic-whist", 9, leaves=True)[-1])


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
    found = {}
    for stage in everyone():
        table = stage.node.table
        one = make_event(IDENTITIES[0], table.id, 1, table.heads, table.fold.position.slot, bytes(32), RESIGN, ())
        for event in (*_in_order(table), one):
            found.setdefault(event.kind, event.raw)
    shown = read_message(everyone()[-1].message)
    assert isinstance(shown, Events)
    return [*found.values(), *(raw for raw, _ in shown.events)]


def messages() -> list[bytes]:
    """Return a message of each kind, and the events of each stage."""
    charters = [one.message() for one in formed("qenqe")]
    node = everyone()[0].node
    plain = (
        Join(),
        Advert("kingamon", 1, (("points", "3"),), ("anna",), 2, 60, 1),
        Handshake(bytes(SESSION_BYTES), b"", b""),
        Handshake(bytes(SESSION_BYTES), bytes([9]) + bytes(31), bytes(64)),
        Decline(1),
        Form(charters[0], ((IDENTITIES[0].id, "10.0.0.1:47100"),)),
        Form(charters[-1], ()),
        Have(node.table.id, node.table.heads),
        Have(node.table.id, ((0, b""), (0, b""))),
        Have(node.table.id, node.table.heads, ((1, 2),), bytes(8), bytes(8), (1, 2)),
        Chat(node.table.id, "well played"),
        Leave(node.table.id, 2),
    )
    return [*map(message_bytes, plain), *(stage.message for stage in everyone()[:3])]


def files() -> list[bytes]:
    """Return saved games: of peers, of one client, with the proof of a fork, with both versions, and one cut short."""
    dice = stages("kingamon", 6)[0].file
    table = everyone()[0].node.table
    heads, slot = table.heads, table.fold.position.slot
    kept = make_event(IDENTITIES[0], table.id, 1, heads, slot, bytes(32), RESIGN, ())
    other = make_event(IDENTITIES[0], table.id, 1, heads, slot, b"\1" * 32, RESIGN, ())
    forked = charter_record(table.charter) + b"".join(map(event_record, [*_in_order(table), kept]))
    forked += fork_record(Fork(kept, other))
    named = make_event(
        IDENTITIES[1], table.id, 2, (Head(other.number, other.hash), heads[1]), slot, bytes(32), WISH, (1,)
    )
    whist = stages("celtic-whist", 4)[0].file
    return [
        dice,
        forked,
        forked + event_record(named) + fork_record(Fork(other, kept)),
        dice[:-9],
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
        case "parse":
            return texts(key)[:24]
        case "secrets":
            return [Secrets.from_seed(bytes(32)).packed(), Secrets.from_seed(bytes(32)).moved_on(3).packed()]
        case "id":
            return [id_text(one.id).encode() for one in IDENTITIES[:2]] + [b"aaaa", b"a" * 52]
        case "service":
            return services()
        case "transport":
            return [bytes([at]) + data for at in range(3) for data in (greeting, message_bytes(Join()))]
    raise KeyError(target)
