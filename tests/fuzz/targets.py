"""What hostile bytes may reach: one function for each decoder, which says what must hold whatever the bytes are.

A function ends quietly for bytes that are refused as documented, and raises where a promise is broken. `attack`
adds the limit of time.
"""

import asyncio
import copy
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from seeds import CREDULOUS, IDENTITIES, REMEMBERED, everyone, formation, positions, signed_form
from unplugged import Unplugged
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo

from engine import (
    CHANCE,
    Game,
    MalformedError,
    NotationError,
    all_games,
    decode,
    encode,
)
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.net.discovery import ANNOUNCED_ADDRESSES, read_service
from p2p_stonehenge.net.network import SERVICE
from p2p_stonehenge.net.transport import MAX_MESSAGE
from protocol import (
    CARD_LIMIT,
    AskNext,
    Blame,
    Caught,
    Disputed,
    EpochBegun,
    Greeting,
    Node,
    OwnFoldWrong,
    PlayerChat,
    Proposed,
    Secrets,
    Send,
    Spectator,
    SpectatorChat,
    Store,
    VersionMismatchError,
    card_bytes,
    clean_nick,
    greeting_bytes,
    id_bytes,
    id_text,
    message_bytes,
    read_body,
    read_card,
    read_greeting,
    read_message,
    verify,
    whole,
)
from protocol.events import make_event, read_event
from protocol.file import MAGIC, TornError, records
from protocol.formation import read_charter
from protocol.identity import ED25519
from protocol.identity.keys import SIGNATURE_BYTES
from protocol.messages import MESSAGE_LIMIT
from protocol.table.held import AHEAD_LIMIT

SECONDS = 4.0
"""Of processor time for one input: the slowest, a file with proofs of shuffles, takes a tenth of it."""
WORDS = 1000
"""Characters of anything that is told to a player."""


def attack(target: str, data: bytes) -> None:
    """Give `data` to a target. Raises whatever breaks a promise."""
    began = time.process_time()
    TARGETS[target](data)
    took = time.process_time() - began
    assert took < SECONDS, f"{took:.1f} seconds"


def fit_to_print(text: str) -> None:
    assert text.isprintable(), text
    assert len(text) <= WORDS, text


# Values and what is said before a table stands.


def _decode(data: bytes) -> None:
    try:
        value = decode(data)
    except MalformedError:
        return
    assert encode(value) == data


def _greeting(data: bytes) -> None:
    try:
        greeting = read_greeting(data)
    except VersionMismatchError as error:
        fit_to_print(str(error))
    except MalformedError:
        pass
    else:
        assert greeting_bytes(greeting) == data
        assert len(data) <= CARD_LIMIT
        fit_to_print(greeting.nick)


def _card(data: bytes) -> None:
    signed = data[:-SIGNATURE_BYTES] + IDENTITIES[0].sign(b"stonehenge/card/1" + data[:-SIGNATURE_BYTES])
    for one in (data, signed):
        try:
            card = read_card(one)
        except VersionMismatchError as error:
            fit_to_print(str(error))
        except MalformedError:
            pass
        else:
            assert card_bytes(card, IDENTITIES[0]) == one
            fit_to_print(card.nick)


def _id(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        id = id_bytes(text)
    except ValueError:
        return
    assert id_text(id) == text.lower()


def _secrets(data: bytes) -> None:
    try:
        secrets = Secrets.restored(data, bytes(32))
    except MalformedError:
        return
    kept = secrets.kept(bytes(32))
    assert Secrets.restored(kept, bytes(32)) == secrets
    assert len(data) == 32 or data in (kept, secrets.packed())


def _service(data: bytes) -> None:
    match _value(data):
        case (str(name), bytes(text), tuple(addresses), int(port)) if 0 <= port < 2**16:
            packed = [address for address in addresses if isinstance(address, bytes) and len(address) in (4, 16)]
        case _:
            return
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port=port, addresses=packed, properties=text)
    sighting = read_service(name, info.properties, info.parsed_addresses(IPVersion.V4Only), info.port)
    if sighting is not None:
        assert sighting.nick == clean_nick(sighting.nick)
        assert 1 <= len(sighting.addresses) <= ANNOUNCED_ADDRESSES
        fit_to_print("".join(sighting.addresses) + sighting.table)


def _value(data: bytes) -> Any:
    try:
        return decode(data)
    except MalformedError:
        return None


# Messages, events and charters.


def _message(data: bytes) -> None:
    try:
        message = read_message(data)
    except MalformedError:
        return
    again = message_bytes(message)
    assert read_message(again) == message
    assert len(again) <= len(data) <= MESSAGE_LIMIT


def _event(data: bytes) -> None:
    try:
        event = read_event(data, bytes(SIGNATURE_BYTES))
    except MalformedError:
        return
    again = make_event(IDENTITIES[0], event.table, event.seat, event.heads, event.slot, event.digest, event.body)
    assert again == event._replace(signature=again.signature)
    assert again.raw == data
    assert again.hash == event.hash


def _body(data: bytes) -> None:
    try:
        body = read_body(data)
    except VersionMismatchError as error:
        fit_to_print(str(error))
    except MalformedError as error:
        fit_to_print(str(error))
    else:
        assert body.packed() == data
        all_games()[body.game].start(dict(body.options), len(body.seats))


def _charter(data: bytes) -> None:
    for verifier in (CREDULOUS, ED25519):
        try:
            charter = read_charter(data, verifier)
        except VersionMismatchError as error:
            fit_to_print(str(error))
        except MalformedError as error:
            fit_to_print(str(error))
        else:
            assert charter.packed() == data
            assert read_charter(data, CREDULOUS) == charter


def _formation(data: bytes) -> None:
    forming = formation("kingamon")
    value = _value(data)
    before = forming.message()
    try:
        grown = forming.merge(value)
    except MalformedError as error:
        fit_to_print(str(error))
        return
    assert grown == (forming.message() != before)
    assert not forming.merge(value)
    assert len(encode(forming.message())) < MESSAGE_LIMIT
    if forming.charter:
        assert read_charter(forming.charter.packed(), CREDULOUS) == forming.charter


# Saved games.


def _records(data: bytes) -> None:
    good, torn = 0, None
    try:
        for end, _ in records(data):
            assert good < end <= len(data)
            good = end
    except TornError as error:
        torn = error.good
    except (MalformedError, VersionMismatchError) as error:
        fit_to_print(str(error))
    assert whole(data) == good
    assert torn in (None, good or len(MAGIC))


def _verify(data: bytes) -> None:
    for verifier in (ED25519, CREDULOUS):
        report = verify(data, verifier)
        assert report.ok == (report.error is None)
        for line in (*(cheat.reason for cheat in report.cheats), report.error or ""):
            fit_to_print(line)
        assert all(cheat.kind in ("breach", "equivocation", "revoke") for cheat in report.cheats)
        if report.ok:
            assert whole(data) == len(data)


# A table in play.


@cache
def _kept(at: int) -> tuple[Node, dict[int, Any]]:
    """Return the node of a stage, and what copies of it may share because it never changes."""
    node = everyone()[at].node
    table, fold = node.table, node.table.fold
    constant = [table.charter, table.game, table.own.signers, table.own.secrets, table.held._verifier, REMEMBERED]
    constant += [*fold.positions, *fold.log, *(event for chain in table.held.chains for event in chain)]
    return node, {id(value): value for value in constant}


def _node(data: bytes) -> None:
    if not data:
        return
    kept, constant = _kept(data[0] % len(everyone()))
    node = copy.deepcopy(kept, dict(constant))
    fold, held = node.table.fold, node.table.held
    peer, stranger = IDENTITIES[1].id, IDENTITIES[4].id
    node.link(peer, True)
    shown = [(entry.actor, entry.action) for entry in fold.log]
    effects = [*node.receive(stranger, data[1:], 0.5), *node.receive(peer, data[1:], 1.0)]
    effects += [*node.receive(peer, data[1:], 2.0), *node.tick(10.0), *node.tick(40.0), *node.gallery.serve(50.0, ())]
    assert len(effects) < 300
    seats = range(1, len(fold.operators) + 1)
    for effect in effects:
        match effect:
            case Send(_, sent):
                assert len(sent) <= MESSAGE_LIMIT
                read_message(sent)
            case Blame(_, text) | Caught(_, text) | PlayerChat(_, text):
                fit_to_print(text)
            case SpectatorChat(_, name, text):
                fit_to_print(name)
                fit_to_print(text)
            case Disputed(seat, _):
                assert seat in seats
            case Proposed(_, seats_named) | EpochBegun(seats_named):
                assert {*seats_named} <= {*seats}
            case OwnFoldWrong():
                raise AssertionError("the running state disagrees with the transcript")
    assert {*fold.owing()} <= {*seats}
    if not any(entry.left_behind and entry.actor == 1 for entry in fold.log):
        assert [(entry.actor, entry.action) for entry in fold.log[: len(shown)]] == shown, "what was shown went back"
    assert fold.replayed() == fold.position.digest
    assert max(map(len, held.chains)) <= max(fold.position.behind) + AHEAD_LIMIT
    node.done(60.0)


def _spectator(data: bytes) -> None:
    """A spectator that has been let in, or not yet, and what a player sends it."""
    if len(data) < 2:
        return
    table = everyone()[data[0] % len(everyone())].node.table
    player, passphrase = IDENTITIES[1].id, "old stones" if data[1] & 2 else None
    spectator = Spectator(IDENTITIES[4].id, player, bytes, passphrase, CREDULOUS, REMEMBERED)
    effects = [*spectator.link(player, True)]
    if data[1] & 1:
        effects += spectator.receive(player, message_bytes(signed_form(table)), 0.5)
    for now in (1.0, 2.0):
        effects += spectator.receive(spectator.player, data[2:], now)
        effects += spectator.receive(IDENTITIES[3].id, data[2:], now)
    effects += [*spectator.tick(10.0), *spectator.tick(40.0)]
    assert len(effects) < 300
    for effect in effects:
        match effect:
            case Send(_, sent):
                read_message(sent)
            case Blame(_, text) | Caught(_, text):
                fit_to_print(text)
            case AskNext(_, _, addresses, pause):
                assert len(addresses) < 3
                assert pause >= 0
    assert spectator.player in spectator.players
    if file := b"".join(effect.data for effect in effects if isinstance(effect, Store)):
        assert verify(file, CREDULOUS, scheme=REMEMBERED).ok


# Games.


def _parse(game: Game[Any], data: bytes) -> None:
    if not data:
        return
    states = positions(game.key)
    state, text = states[data[0] % len(states)], data[1:].decode("utf-8", "replace")
    said = [text]
    try:
        action = game.parse(state, text)
    except NotationError as error:
        fit_to_print(str(error))
    else:
        assert len(action) <= WORDS
        said.append(action)
    for action in said:
        for actor in range(CHANCE, len(game.colours) + 1):
            refusal = game.refuse(state, actor, action)
            lawful = action in game.legal(state, actor)
            if refusal is not None:
                assert not lawful
                fit_to_print(refusal.text)
            elif lawful or action in ("resign", "draw"):
                game.pack(game.apply(state, actor, action))
                for event in game.story(state, actor, action):
                    fit_to_print(event.text)
                assert game.parse(state, action) == action
            else:
                assert actor == CHANCE, f"{action!r} is neither refused nor possible"


# The transport, without its sockets.


BEN_KEY, STRANGE_KEY = (IDENTITIES[n].curve().public.hex() for n in (1, 4))


def _transport(data: bytes) -> None:
    if not data or len(data) > MAX_MESSAGE:
        return
    heard: list[tuple[bytes, bytes]] = []
    transport, ben = Unplugged(heard, fit_to_print), IDENTITIES[1]
    if data[0] % 3:
        transport.arrive(greeting_bytes(Greeting(ben.id, bytes(8), "ben", 47100)), BEN_KEY)
    if data[0] % 3 == 2:
        peer = transport._peers[ben.id]
        transport._outbox._shaken(peer, next(iter(peer.ways.values())))
        assert transport.linked() == (ben.id,)
    transport.arrive(data[1:], BEN_KEY)
    transport.arrive(data[1:], STRANGE_KEY)
    assert set(transport._peers) <= {ben.id}
    assert all(message == (ben.id, data[1:]) for message in heard)
    assert len(heard) <= (data[0] % 3 == 2)
    for peer in transport._peers.values():
        fit_to_print(peer.nick)


class _Nowhere:
    """What a lobby has around it: a network without wires, a home without a disk."""

    def __init__(self) -> None:
        self.identity, self.interface, self.nick = IDENTITIES[1], "127.0.0.1", "ben"
        self.sightings: dict[bytes, Any] = {}
        self.transport = Unplugged([], fit_to_print)
        self.dial = self.transport.dial
        self.path = Path(__file__).parent / "nowhere"

    def new_secret(self, table: str, content: bytes) -> None:
        pass


def _lobby(data: bytes) -> None:
    async def receive() -> None:
        nowhere: Any = _Nowhere()
        lobby = GuestLobby(nowhere, nowhere, fit_to_print, IDENTITIES[0].id)
        for peer in (IDENTITIES[4].id, IDENTITIES[0].id, IDENTITIES[0].id, IDENTITIES[2].id):
            lobby.receive(peer, data)
        if lobby.done.done() and (error := lobby.done.exception()):
            assert isinstance(error, Failure)
            fit_to_print(str(error))

    asyncio.run(receive())


TARGETS: dict[str, Callable[[bytes], None]] = {
    "decode": _decode,
    "greeting": _greeting,
    "card": _card,
    "id": _id,
    "secrets": _secrets,
    "service": _service,
    "message": _message,
    "event": _event,
    "body": _body,
    "charter": _charter,
    "formation": _formation,
    "records": _records,
    "verify": _verify,
    "node": _node,
    "spectator": _spectator,
    "lobby": _lobby,
    "transport": _transport,
    **{f"parse-{key}": partial(_parse, game) for key, game in all_games().items()},
}
