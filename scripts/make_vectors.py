"""Make the test vectors in tests/data/vectors again, bit for bit: python scripts/make_vectors.py

With --check nothing is written. Exit codes: 1 a file differs, is missing or should not be there; or what the program
finds in a saved game is not what `tests/protocol/vector_files*.py` say by hand.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "protocol")]  # of a checkout not installed

VECTORS = ROOT / "tests" / "data" / "vectors"


def identities() -> list[dict[str, Any]]:
    from vector_tables import IDENTITIES

    from protocol import id_text

    message = b"stonehenge/event/2" + b"any message"
    return [
        {
            "seed": bytes([number]) * 32,
            "id": one.id,
            "text": id_text(one.id),
            "curve_public": one.curve().public,
            "message": message,
            "signature": one.sign(message),
        }
        for number, one in enumerate(IDENTITIES, 1)
    ]


def encoding() -> dict[str, Any]:
    from engine import encode

    deep: Any = ()
    for _ in range(7):
        deep = (deep,)
    good = (
        *(None, 0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**63 - 1, 2**64 - 1, -1, -32, -33, -129, -32769),
        *(b"", b"x", b"x" * 256, "", "A2-A3", "x" * 32, "x" * 256, "\u00e9", (), (1, b"2", "3", None, (4,)), (0,) * 16),
        deep,
    )
    bad = {
        "an int in more bytes than it needs": "cc01",
        "a text with a long length": "d90141",
        "a byte string with a long length": "c5000178",
        "an array with a long length": "dc000101",
        "true": "c3",
        "a float": "cb3ff0000000000000",
        "a map": "80",
        "an extension": "d40100",
        "bytes behind the value": "0101",
        "nothing": "",
        "text that is not UTF-8": "a1ff",
        "arrays nine deep": "91" * 8 + "90",
    }
    return {"good": [{"value": tagged(value), "bytes": encode(value)} for value in good], "bad": bad}


def tagged(value: Any) -> Any:
    """Return a value as JSON in which byte strings differ from text: `{"bytes": hex}`."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [tagged(item) for item in value] if isinstance(value, tuple) else value


def charters() -> dict[str, Any]:
    from vector_tables import IDENTITIES, agreed

    from engine import blake, decode, encode
    from protocol import Series, phrase
    from protocol.formation.charter import nonce_commitment

    charter = agreed("kingamon", 2)
    body, packed = charter.body, charter.body.packed()
    value = decode(packed)
    assert isinstance(value, tuple)

    def changed(at: int, new: Any) -> bytes:
        return encode((encode((*value[:at], new, *value[at + 1 :])), charter.nonces, charter.signatures))

    def agreed_to(at: int, new: Any) -> bytes:
        """Return the charter with another entry, which all seats have signed."""
        other = encode((*value[:at], new, *value[at + 1 :]))
        signed = b"stonehenge/charter/1" + blake("sh/table/1", encode((other, charter.nonces)))
        return encode((other, charter.nonces, tuple(one.sign(signed) for one in IDENTITIES[:2])))

    def named(nick: str) -> bytes:
        first, *others = body.seats
        return agreed_to(7, (first._replace(name=nick), *others))

    bad = {
        "another version of the protocol": changed(1, 1),
        "a kind that there is not": changed(2, "web"),
        "a version of the rules that there is not": changed(4, 99),
        "a missing option": changed(5, value[5][1:]),  # type: ignore[index]
        "a turn time below 10": changed(6, 9),
        "an attempt of 15 bytes": changed(8, bytes(15)),
        "another turn time than was signed": changed(6, 60),
        "an origin whose actions the rules refuse": changed(9, (bytes(32), ((1, "E1-E9"),))),
        "an origin that is no array": changed(9, None),
        "watched by other people than was signed": changed(10, (2, 0, 0)),
        "watched in a way that there is not": changed(10, (3, 0, 0)),
        "watched by nobody, with a delay": changed(10, (0, 1, 0)),
        "watched by nobody, who may talk": changed(10, (0, 0, 1)),
        "watched later, with chat": changed(10, (2, 3, 1)),
        "a delay above 1000": changed(10, (2, 1001)),
        "a match that was not signed": changed(11, (5,)),
        "a match to 1 point": agreed_to(11, (1,)),
        "a match to 1000 points": agreed_to(11, (1000,)),
        "no match, and no game before": agreed_to(11, (0,)),
        "a score after no game": agreed_to(11, (5, 0, bytes(32), (0, 0))),
        "a score of one seat": agreed_to(11, (5, 1, bytes(32), (1,))),
        "a match that was won before the game": agreed_to(11, (5, 7, bytes(32), (5, 2))),
        "points below 0": agreed_to(11, (0, 1, bytes(32), (-1, 0))),
        "a game before at a table of 31 bytes": agreed_to(11, (5, 1, bytes(31), (1, 0))),
        "a nick of 25 characters": named("n" * 25),
        "an empty nick": named(""),
        "a nick in normal form D": named("e\u0301va"),
        "a nick with two spaces": named("anna  b"),
        "a nick with a space behind it": named("anna "),
        "a nick with a space that does not break": named("anna\u00a0b"),
        "a nick with a control character": named("anna\x1b"),
        "a nick with a format character": named("anna\u200d"),
        "a nick with a character for private use": named("anna\ue000"),
        "a nick with an unassigned character": named("anna\ufdd0"),
        "a nick with a blank of Braille": named("anna\u2800"),
        "a nonce of another seat": encode((packed, charter.nonces[::-1], charter.signatures)),
        "a signature too few": encode((packed, charter.nonces, charter.signatures[:1])),
    }
    return {
        "body": tagged(value),
        "packed_body": packed,
        "body_hash": blake("sh/body/1", packed),
        "nonces": list(charter.nonces),
        "nonce_hashes": [nonce_commitment(body, n, nonce) for n, nonce in enumerate(charter.nonces, 1)],
        "signatures": list(charter.signatures),
        "charter": charter.packed(),
        "table": charter.table,
        "words": list(phrase(charter)),
        "with_score": agreed("kingamon", 2, series=Series(5, 2, bytes(range(32)), (4, 1))).packed(),
        "bad": bad,
    }


def events() -> dict[str, Any]:
    from vector_tables import IDENTITIES

    from engine import decode, encode
    from protocol import SlotKind
    from protocol.events import Head, Leaving, Slot, bodies, make_event
    from protocol.events.slots import entries_of

    heads = (Head(2, b"a" * 32), Head(0, b""), Head(5, b"c" * 32))
    of_chance = (
        (SlotKind.COMMIT, bodies.Commitment(b"c" * 32)),
        (SlotKind.REVEAL, bodies.Revelation(b"s" * 32, b"n" * 32)),
    )
    of_cards = (
        (SlotKind.KEY, bodies.Key(b"k" * 32, b"p" * 64)),
        (SlotKind.SHUFFLE, bodies.Shuffle(b"d" * 128, b"p" * 416)),
        (SlotKind.SHARE, bodies.Shares(b"s" * 96)),
    )
    moves = (bodies.Move("A2-A3"), bodies.Play("TW", 7, b"s" * 96), bodies.Act(0, "3-5"))
    of_turns = (*moves, bodies.Sequence(), bodies.Resign(), bodies.Resign(1), bodies.Wish(1), bodies.Takeback(3))
    leaving = bodies.Epoch(3, (Leaving(2, 0, b""), Leaving(3, 5, b"c" * 32)))
    samples = (*((SlotKind.TURN, body) for body in (*of_turns, leaving)), *of_chance, *of_cards)
    made = [
        make_event(IDENTITIES[0], b"t" * 32, 1, heads, Slot(0, 9, kind), b"d" * 32, body)
        for kind, body in (*samples, (SlotKind.END, bodies.Result(b"")))
    ]
    first = decode(made[0].raw)
    assert isinstance(first, tuple)

    def changed(at: int, new: Any) -> bytes:
        return encode((*first[:at], new, *first[at + 1 :]))

    epoch = (*first[:6], 12)
    bad = {
        "the form of version 1": changed(0, 1),
        "a table id of 31 bytes": changed(1, bytes(31)),
        "seat 0": changed(2, 0),
        "a seat without a chain": changed(2, 4),
        "a head of length 0 with a hash": changed(3, ((0, b"a" * 32), (0, b""), (5, b"c" * 32))),
        "a head without a hash": changed(3, ((2, b""), (0, b""), (5, b"c" * 32))),
        "a slot of kind 8": changed(4, (0, 9, 8)),
        "a negative step": changed(4, (0, -1, 1)),
        "a digest of 33 bytes": changed(5, bytes(33)),
        "kind 15": changed(6, 15),
        "a move of 201 letters": changed(7, ("x" * 201,)),
        "a move with two entries": changed(7, ("A2-A3", "A3-A4")),
        "a ninth entry": encode((*first, 0)),
        "an agreement on its own base": encode((*epoch, (0, ()))),
        "an agreement that its author leaves": encode((*epoch, (3, ((1, 2, b"a" * 32),)))),
        "an agreement with another head than the event's": encode((*epoch, (3, ((3, 4, b"c" * 32),)))),
        "an agreement whose seats do not ascend": encode((*epoch, (3, ((3, 5, b"c" * 32), (2, 0, b""))))),
    }
    return {
        "author": IDENTITIES[0].id,
        "good": [
            {
                "kind": one.kind.name,
                "raw": one.raw,
                "signature": one.signature,
                "hash": one.hash,
                "number": one.number,
                "body": tagged(entries_of(one.body)),
            }
            for one in made
        ],
        "bad": bad,
    }


def rolls() -> dict[str, Any]:
    from engine import Dice, Pick, blake, encode
    from protocol.chance.salts import commitment, outcome, salt

    table, live = bytes(range(32)), (1, 2, 3)
    three = Pick(("first 1", "first 2", "first 3"))
    draws: tuple[Dice | Pick, ...] = (Dice(2, 6), Dice(1, 7), three, Dice(6, 129), Dice(36, 24))
    found = []
    for number, draw in enumerate(draws):
        salts = tuple(bytes([65 + number, seat] * 16) for seat in live)
        described = (type(draw).__name__, *draw)
        seed = blake("sh/outcome/2", encode((table, number, live, described, salts)))
        stream = b"".join(blake("sh/stream/2", seed, block.to_bytes(8, "big")) for block in range(2))
        bound = draw.sides if isinstance(draw, Dice) else len(draw.outcomes)
        serving = [at for at, byte in enumerate(stream) if byte < 256 - 256 % bound]
        used = 1 + serving[draw.number - 1 if isinstance(draw, Dice) else 0]
        found.append(
            {
                "number": number,
                "live": list(live),
                "draw": tagged(described),
                "salts": list(salts),
                "commitments": [commitment(table, 0, number, s, one) for s, one in zip(live, salts, strict=True)],
                "seed": seed,
                "stream": stream,
                "bytes_used": used,
                "outcome": outcome(table, number, live, draw, salts),
            }
        )
    return {
        "table": table,
        "epoch": 0,
        "rolls": found,
        "salt_of_seat_2_from_seed": {"seed": b"seed", "epoch": 5, "number": 7, "salt": salt(b"seed", table, 5, 7, 2)},
        "commitment_in_epoch_5": commitment(table, 5, 7, 2, b"b" * 32),
    }


def cards() -> dict[str, Any]:
    from engine import encode
    from protocol.cards.deck import MASKED_DECK

    scheme = MASKED_DECK
    table, epoch, number, live, size = bytes(range(32)), 0, 2, (1, 2, 3), 4
    contexts = [encode((table, epoch, number, live, seat)) for seat in live]
    secrets = [bytes([seat]) * 32 for seat in live]
    keys = [scheme.make_key(*one) for one in zip(secrets, contexts, strict=True)]
    joint = scheme.joint_key([public for public, _ in keys])
    decks, proofs = [scheme.first_deck(size, joint)], []
    for secret, context in zip(secrets, contexts, strict=True):
        deck, proof = scheme.shuffle(secret, decks[-1], joint, context)
        decks.append(deck)
        proofs.append(proof)
    shares = [
        [scheme.make_share(secret, decks[-1], at, context) for at in range(size)]
        for secret, context in zip(secrets, contexts, strict=True)
    ]
    opened = [scheme.open_card(decks[-1], at, [given[at] for given in shares]) for at in range(size)]
    swapped = decks[1][64:128] + decks[1][:64] + decks[1][128:]
    assert not scheme.proves_shuffle(decks[0], swapped, joint, proofs[0], contexts[0])
    return {
        "table": table,
        "epoch": epoch,
        "number": number,
        "live": list(live),
        "cards": size,
        "secrets": secrets,
        "contexts": contexts,
        "keys": [{"public": public, "proof": proof} for public, proof in keys],
        "joint": joint,
        "decks": decks,
        "shuffle_proofs": proofs,
        "shares": shares,
        "opened": opened,
        "bad_shuffle": {"before": 0, "deck": swapped, "proof": proofs[0], "seat": 1},
    }


def passphrase() -> dict[str, Any]:
    from vector_tables import IDENTITIES

    from protocol.formation.passphrase import KeyExchange, passphrase_bytes

    typed, session = "  correct horse  caf\u0065\u0301 ", bytes(range(32))
    host, guest = IDENTITIES[0].id, IDENTITIES[1].id
    names = {"guest": guest, "host": host, "session": session}
    asks = KeyExchange(typed, **names, secret=b"\x11" * 32, hosts=False)
    answers = KeyExchange(typed, **names, secret=b"\x22" * 32, hosts=True)
    tag_of_guest, tag_of_host = asks.tags(answers.share)
    assert answers.tags(asks.share) == (tag_of_host, tag_of_guest)
    return {
        "typed": typed,
        "prs": passphrase_bytes(typed),
        "guest": guest,
        "host": host,
        "session": session,
        "secret_of_guest": b"\x11" * 32,
        "secret_of_host": b"\x22" * 32,
        "share_of_guest": asks.share,
        "share_of_host": answers.share,
        "tag_of_host": tag_of_host,
        "tag_of_guest": tag_of_guest,
    }


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the saved games by name, and what a verifier must find in each."""
    from vector_files import SCENARIOS

    from protocol import verify

    expected = {}
    for name, scenario in SCENARIOS.items():
        data = b"".join(scenario.make())
        yield f"files/{name}.stonehenge", data
        report = verify(data)
        found = report._asdict()
        del found["evidence"]
        found["result"] = report.result and report.result._asdict()
        winners = report.result.winners if report.result else None
        cheats = tuple((cheat.seat, cheat.kind) for cheat in report.cheats)
        if report.ok != scenario.ok or (report.ok and (winners, cheats) != (scenario.winners, scenario.cheats)):
            raise ValueError(f"{name}: the program finds {found}")
        expected[name] = {"rule": scenario.rule, **(found if report.ok else {"ok": False, "error": report.error})}
    yield "files.json", as_json(expected)


def as_json(value: Any) -> bytes:
    """Return JSON, byte strings as hex."""
    return (json.dumps(value, indent=1, default=lambda item: item.hex()) + "\n").encode()


def made() -> Iterator[tuple[str, bytes]]:
    """Yield every file of the vectors: its name and its bytes."""
    for make in (identities, encoding, charters, events, rolls, cards, passphrase):
        yield f"{make.__name__}.json", as_json(make())
    yield from files()


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the test vectors of the table protocol again.")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the files are up to date")
    check = parser.parse_args().check
    wrong = {path.relative_to(VECTORS).as_posix() for path in VECTORS.rglob("*.*")} - {"README.md"}
    try:
        for name, data in made():
            path = VECTORS / name
            wrong.discard(name)
            if path.exists() and path.read_bytes() == data:
                continue
            if check:
                wrong.add(name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except ValueError as error:
        print(f"make_vectors: {error}", file=sys.stderr)
        return 1
    for name in sorted(wrong):
        print(f"tests/data/vectors/{name} differs from what is made, or is not made", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
