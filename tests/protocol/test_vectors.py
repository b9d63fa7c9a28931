"""The test vectors: the program agrees with them, they can be made again bit for bit, and so does a second verifier."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import second_reader
import second_verifier
from changed_fields import changes
from kinds import expect
from vector_files import SCENARIOS
from vector_files_cards import OF_CARDS
from vector_tables import IDENTITIES, board
from verdicts import judged

from engine import Dice, Pick, Value, all_games, decode, encode
from protocol import Series, SignedEvent, charter_record, event_record, id_bytes, phrase, verify
from protocol.cards.deck import MASKED_DECK
from protocol.chance.salts import commitment, outcome, salt
from protocol.events import EventBody, Head, bodies, read_event
from protocol.events.slots import entries_of
from protocol.file import MAGIC, CharterRecord, EventRecord, records
from protocol.formation import read_charter
from protocol.formation.passphrase import KeyExchange, passphrase_bytes
from protocol.identity.keys import ED25519, curve_public

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "data" / "vectors"
CARDS = ("cards", "bad-shuffle", "wrong-card", "revoke", *OF_CARDS)


def vector(name: str) -> Any:
    """What a file of vectors holds: JSON that its README describes."""
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def value_of(json_value: Any) -> Any:
    """The value of an encoding as the vectors write it."""
    if isinstance(json_value, dict):
        return bytes.fromhex(json_value["bytes"])
    return tuple(map(value_of, json_value)) if isinstance(json_value, list) else json_value


def refuses(read: Callable[..., Any], *args: bytes) -> bool:
    """Whether a reader takes these bytes for nothing that it knows."""
    try:
        read(*args)
    except ValueError:
        return True
    return False


def file_of(name: str) -> bytes:
    return (VECTORS / "files" / f"{name}.stonehenge").read_bytes()


@pytest.mark.many
def test_the_generator_makes_every_file_again_bit_for_bit() -> None:
    run = subprocess.run(
        [sys.executable, "scripts/make_vectors.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_vectors_stay_small_and_each_is_explained() -> None:
    found = [path for path in VECTORS.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in found) < 1_300_000
    readme = (VECTORS / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in found if path.suffix == ".json" and f"`{path.name}`" not in readme} == set()


def test_identities() -> None:
    for entry in vector("identities"):
        seed, id, message, signature = (bytes.fromhex(entry[name]) for name in ("seed", "id", "message", "signature"))
        signer = type(IDENTITIES[0])(seed)
        assert (signer.id, signer.sign(message), id_bytes(entry["text"])) == (id, signature, id)
        assert curve_public(id).hex() == entry["curve_public"] == signer.curve().public.hex()
        assert ED25519.verify(id, message, signature)
        assert not ED25519.verify(id, message + b"x", signature)


def test_encodings() -> None:
    found = vector("encoding")
    for entry in found["good"]:
        assert encode(value_of(entry["value"])).hex() == entry["bytes"]
        assert decode(bytes.fromhex(entry["bytes"])) == value_of(entry["value"])
    assert {why for why, data in found["bad"].items() if not refuses(decode, bytes.fromhex(data))} == set()


def test_charters() -> None:
    found = vector("charters")
    charter = read_charter(bytes.fromhex(found["charter"]))
    assert charter.body.packed().hex() == found["packed_body"] == encode(value_of(found["body"])).hex()
    assert (charter.table.hex(), list(phrase(charter))) == (found["table"], found["words"])
    scored = bytes.fromhex(found["with_score"])
    assert read_charter(scored).body.series == Series(5, 2, bytes(range(32)), (4, 1))
    for read in (read_charter, second_reader.read_charter):
        assert read(scored).table == read_charter(scored).table
        assert {why for why, data in found["bad"].items() if not refuses(read, bytes.fromhex(data))} == set()


def test_events() -> None:
    found = vector("events")
    assert len({entry["kind"] for entry in found["good"]}) == 14
    for entry in found["good"]:
        raw, signature = bytes.fromhex(entry["raw"]), bytes.fromhex(entry["signature"])
        event, second = read_event(raw, signature), second_reader.read_event(raw, signature)
        assert event.signed_by(bytes.fromhex(found["author"]), ED25519)
        assert (
            (event.hash.hex(), event.number) == (entry["hash"], entry["number"]) == (second.hash.hex(), second.number)
        )
        assert entries_of(event.body) == value_of(entry["body"]) == second.body
    for read in (read_event, second_reader.read_event):
        assert {why for why, data in found["bad"].items() if not refuses(read, bytes.fromhex(data), bytes(64))} == set()


def test_rolls() -> None:
    found = vector("rolls")
    table = bytes.fromhex(found["table"])
    for roll in found["rolls"]:
        kind, *rest = value_of(roll["draw"])
        draw = {"Dice": Dice, "Pick": Pick}[kind](*rest)
        salts, live = tuple(map(bytes.fromhex, roll["salts"])), tuple(roll["live"])
        assert outcome(table, roll["number"], live, draw, salts) == roll["outcome"]
        second = SimpleNamespace(charter=SimpleNamespace(table=table))
        drawn = SimpleNamespace(number=roll["number"], live=live, draw=draw)
        assert second_verifier.Verifier.outcome(second, drawn, [*salts]) == roll["outcome"]  # type: ignore[arg-type]
        made = [commitment(table, 0, roll["number"], seat, one).hex() for seat, one in zip(live, salts, strict=True)]
        assert made == roll["commitments"]
    assert any(roll["bytes_used"] > len(roll["outcome"].split("-")) for roll in found["rolls"]), "none is rejected"
    assert any(roll["bytes_used"] > 32 for roll in found["rolls"]), "none needs a second block of the stream"
    one = found["salt_of_seat_2_from_seed"]
    assert salt(bytes.fromhex(one["seed"]), table, one["epoch"], one["number"], 2).hex() == one["salt"]
    assert commitment(table, 5, 7, 2, b"b" * 32).hex() == found["commitment_in_epoch_5"]


def test_a_deal() -> None:
    found = vector("cards")
    secrets, contexts, decks, proofs = (
        [bytes.fromhex(one) for one in found[name]] for name in ("secrets", "contexts", "decks", "shuffle_proofs")
    )
    joint, live = bytes.fromhex(found["joint"]), tuple(found["live"])
    table = bytes.fromhex(found["table"])
    assert contexts == [encode((table, found["epoch"], found["number"], live, seat)) for seat in live]
    for at, key in enumerate(found["keys"]):
        public, proof = bytes.fromhex(key["public"]), bytes.fromhex(key["proof"])
        assert MASKED_DECK.make_key(secrets[at], contexts[at]) == (public, proof)
        assert MASKED_DECK.proves_key(public, proof, contexts[at])
        assert MASKED_DECK.proves_shuffle(decks[at], decks[at + 1], joint, proofs[at], contexts[at])
        assert not MASKED_DECK.proves_shuffle(decks[at], decks[at + 1], joint, proofs[at], contexts[at - 1])
        for place, share in enumerate(found["shares"][at]):
            assert MASKED_DECK.proves_share(public, decks[-1], place, bytes.fromhex(share), contexts[at])
    for place, card in enumerate(found["opened"]):
        shares = [bytes.fromhex(given[place]) for given in found["shares"]]
        assert MASKED_DECK.open_card(decks[-1], place, shares) == card
    assert sorted(found["opened"]) == list(range(found["cards"]))
    bad = found["bad_shuffle"]
    swapped, proof = bytes.fromhex(bad["deck"]), bytes.fromhex(bad["proof"])
    assert not MASKED_DECK.proves_shuffle(decks[bad["before"]], swapped, joint, proof, contexts[bad["seat"] - 1])


def test_the_exchange_about_a_passphrase() -> None:
    found = vector("passphrase")
    names = {name: bytes.fromhex(found[name]) for name in ("guest", "host", "session")}
    guest, host = (
        KeyExchange(found["typed"], **names, secret=bytes.fromhex(found[f"secret_of_{who}"]), hosts=who == "host")
        for who in ("guest", "host")
    )
    assert passphrase_bytes(found["typed"]).hex() == found["prs"]
    assert (guest.share.hex(), host.share.hex()) == (found["share_of_guest"], found["share_of_host"])
    assert [tag.hex() for tag in guest.tags(host.share)] == [found["tag_of_guest"], found["tag_of_host"]]


@pytest.mark.many
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_file_gets_the_verdict_that_the_specification_gives(name: str) -> None:
    """The verdicts in `vector_files` are written by hand; the second verifier knows nothing of the program."""
    report, said, scenario = verify(file_of(name)), vector("files")[name], SCENARIOS[name]
    assert (report.ok, said["ok"], said["rule"]) == (scenario.ok, scenario.ok, scenario.rule)
    if not scenario.ok:
        with pytest.raises(second_verifier.Invalid):
            second_verifier.verify(file_of(name))
        return
    assert (report.result.winners if report.result else None) == scenario.winners
    assert tuple((cheat.seat, cheat.kind) for cheat in report.cheats) == scenario.cheats
    result = report.result and report.result._asdict()
    told = report._replace(evidence=None)._asdict() | {"result": result}
    assert json.loads(json.dumps(told)) == {**without_words(said), "evidence": None}
    if name not in CARDS:
        found = second_verifier.verify(file_of(name))
        assert found == {**without_words(said), "cheats": [cheat[:3] for cheat in said["cheats"]]}


def without_words(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name != "rule"}


@pytest.mark.many
@pytest.mark.parametrize("name", ["finished", "dice", "leaving", "equivocation-of-three"])
def test_both_verifiers_refuse_a_file_with_any_byte_changed(name: str) -> None:
    data = file_of(name)
    for at in range(0, len(data), 37):
        assert judged(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]) is None, at


CHANGED = [name for name, one in SCENARIOS.items() if one.ok and name not in (*CARDS, "local")]


@pytest.mark.many
@pytest.mark.parametrize("name", CHANGED)
def test_both_verifiers_agree_on_what_a_seat_signs_in_the_place_of_its_last_events(name: str) -> None:
    """One of the last events is changed in one field and signed again: valid or not, both say the same."""
    data, rng = file_of(name), Random(name)
    ends = [len(MAGIC), *(end for end, _ in records(data))]
    parts = [data[start:end] for start, end in pairwise(ends)]
    read = [record for _, record in records(data)]
    seen = set()
    for at, last in [(at, record) for at, record in enumerate(read) if isinstance(record, EventRecord)][-3:]:
        fields = fields_of(last)
        author = IDENTITIES[expect(int, fields[2]) - 1]
        for changed in changes(fields, rng):
            raw = encode(tuple(changed))
            signature = author.sign(b"stonehenge/event/2" + raw)
            payload = encode((2, raw, signature))
            record = len(payload).to_bytes(4, "big") + payload
            seen.add(judged(MAGIC + b"".join([*parts[:at], record])) is not None)
    assert seen == {True, False}


LOCAL_FAULTS: dict[str, Callable[[list[EventRecord]], tuple[tuple[Value, ...], int]]] = {
    "a second version": lambda read: ((3, *read[0], *again(read[0], 7, (1, "resign"))), 4),
    "a second version after the end": lambda read: ((3, *read[0], *again(read[0], 7, (1, "resign"))), len(read)),
    "an agreement": lambda read: ((2, *again(read[-1], 6, 12, (1, ()))), len(read) - 1),
    "a result with shares": lambda read: ((2, *again(read[-1], 7, (bytes(96),))), len(read) - 1),
}
"""From the events of the local game: a record that may not be there, and how many of the events stand before it."""


def fields_of(record: EventRecord) -> list[Value]:
    return [*expect(tuple, decode(record.raw))]


def again(record: EventRecord, at: int, *entries: Value) -> tuple[bytes, ...]:
    """An event with other entries from one on, signed by the seat of the local table, and its signature."""
    raw = encode((*fields_of(record)[:at], *entries))
    return raw, IDENTITIES[0].sign(b"stonehenge/event/2" + raw)


def local_file(fault: str) -> bytes:
    """The local game, or its beginning, and one record more that may not be there."""
    data = file_of("local")
    (start, _), *rest = records(data)
    ends = [start, *(end for end, _ in rest)]
    payload, before = LOCAL_FAULTS[fault]([expect(EventRecord, record) for _, record in rest])
    return data[: ends[before]] + len(encode(payload)).to_bytes(4, "big") + encode(payload)


@pytest.mark.parametrize("fault", LOCAL_FAULTS)
def test_the_second_verifier_finds_in_a_local_file_nothing_but_actions_and_a_result(fault: str) -> None:
    with pytest.raises(second_verifier.Invalid):
        second_verifier.verify(local_file(fault))


@pytest.mark.parametrize("fault", LOCAL_FAULTS)
def test_the_program_finds_in_a_local_file_nothing_but_actions_and_a_result(fault: str) -> None:
    assert not verify(local_file(fault)).ok


def ahead(size: int) -> bytes:
    """A game in which seat 2 has signed events of so many bytes for steps that have not come, none above 16,384."""
    circle = board()
    head, files, long = Head(0, b""), circle.records, bodies.Shuffle(bytes(4224), bytes(8608))

    def signed(step: int, body: EventBody) -> SignedEvent:
        return circle.forge(2, body, heads=(Head(0, b""), head), before=-step)

    for step in count(1):
        event = signed(step, long)
        if size < len(event.raw) + 500:  # the rest: a shuffle in steps of 32 bytes, then a move to the byte
            event = signed(step, long._replace(proof=bytes(32 * ((size - len(event.raw) + 8608 - 250) // 32))))
        files.append(event_record(event))
        size, head = size - len(event.raw), Head(event.number, event.hash)
        if size < 500:
            last = next(e for e in (signed(step, bodies.Move("x" * n)) for n in range(200)) if len(e.raw) == size)
            return b"".join([*files, event_record(last)])
    raise AssertionError


@pytest.mark.parametrize(("size", "ok"), [(524_288, True), (524_289, False)])
def test_both_verifiers_give_a_chain_room_to_the_byte(size: int, ok: bool) -> None:
    """Check 7; as files of the vectors these would be half of them."""
    assert (judged(ahead(size)) is not None) == ok


def test_the_second_verifier_uses_nothing_of_the_protocol() -> None:
    for name in ("second_reader", "second_verifier"):
        source = (ROOT / "tests" / "protocol" / f"{name}.py").read_text(encoding="utf-8")
        assert "protocol." not in source.replace("docs/protocol.md", "")
        assert "from engine import" in source
        imported = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
        assert not {one for one in imported if one and one.split(".")[0] in ("protocol", "p2p_stonehenge")}


def test_a_file_begins_with_the_charter_and_goes_on_with_what_was_signed() -> None:
    data = file_of("unfinished")
    first, *events = [record for _, record in records(data)]
    charter = expect(CharterRecord, first)
    signed = [event_record(read_event(*expect(EventRecord, event))) for event in events]
    assert data == charter_record(read_charter(charter.packed)) + b"".join(signed)
    assert all_games()["fidchess"].version == read_charter(charter.packed).body.version
