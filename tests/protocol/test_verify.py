"""Verification: real files hold, every altered byte and every cut is found, and the error says where."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from fast_deck import FAST_DECK
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import ACT, COMMITMENT, EVENT_LIMIT, MOVE, RESIGN, RESULT, make_event
from protocol._transcript import RECORD_LIMIT, CharterRecord, EventRecord
from replicas import (
    FAST,
    IDENTITIES,
    Circle,
    FastVerifier,
    charter_of,
    events_of,
    local_table,
    play_locally,
    summary,
)
from whist import play_to, whist

from engine import encode
from protocol import (
    MAGIC,
    Fork,
    TornError,
    TranscriptError,
    charter_record,
    event_record,
    fork_record,
    load,
    records,
    verify,
)


def game(key, plies=None, *, fast=False, **options):
    circle = Circle(charter_of(key, 2, options, fast=fast), fast=fast)
    circle.play(Random(4), plies)
    return circle


def split(data):
    """The file as the pieces that may be moved about: the magic line with the charter, then each event."""
    ends = [end for end, _ in records(data)]
    return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]


SHORT = game("fidchess", 3)
"""Who begins and two moves, with real signatures."""
FILE = SHORT.files[0]
PIECES = split(FILE)


@pytest.mark.parametrize("key", ["fidchess", "kingamon", "pebbles"])
def test_a_real_game_verifies(key):
    """A whole game with real signatures: valid, finished, signed by both; the files of both say the same."""
    circle = game(key, first=1) if key == "pebbles" else game(key)
    one, two = (verify(file) for file in circle.files)
    position = circle[1].fold.position
    assert one.ok
    assert one.error is None
    assert one.table == circle.charter.table.hex()
    assert one.game == key
    assert one.finished
    assert one.result == position.result
    assert one.events == position.effects
    assert one.digest == circle[1].fold.digest.hex()
    assert one.signed_by == (1, 2)
    assert one.cheats == ()
    assert two._replace(lines=()) == one._replace(lines=())
    assert circle.files[0] != circle.files[1], "the order of arrival differs, the verdict does not"
    text = "\n".join(one.lines)
    assert "2 anna" not in text
    assert "not proven" in one.lines[-1]
    assert summary(load(circle.files[0])) == summary(circle[1])


def test_an_unfinished_game_verifies():
    report = verify(FILE)
    assert (report.ok, report.finished, report.result, report.signed_by) == (True, False, None, ())
    assert "the game is not finished in this file" in report.lines
    assert report.events == 2 + 2 + 2


def altered(data, at, flip):
    return data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]


def piece_at(at):
    """Which piece of FILE a byte lies in: 0 is the charter, n is event n."""
    end = 0
    for number, piece in enumerate(PIECES):
        end += len(piece)
        if at < end:
            return number
    raise AssertionError


@pytest.mark.parametrize("part", range(8))
def test_every_altered_byte_is_found(part):
    """Rule 23: no byte of a file is unprotected: each one altered makes it invalid, and the error names the event it
    is in."""
    for at in range(part, len(FILE), 8):
        report = verify(altered(FILE, at, 1 << at % 8))
        number = piece_at(at)
        assert not report.ok, at
        assert report.error
        if number == 0:
            assert report.table == ""
        else:
            assert f"event {number} of the file" in report.error or f"({number - 1} events are good)" in report.error
            assert report.table == SHORT.charter.table.hex()


def test_threads_that_look_ahead_change_no_verdict():
    """Signatures checked by a pool, many events ahead: each report is the one that a single thread gives."""
    with ThreadPoolExecutor(2) as pool:
        for at in range(0, len(FILE), 9):
            data = altered(FILE, at, 1 << at % 8)
            assert verify(data, spread=pool.map) == verify(data), at
        assert verify(FILE, spread=pool.map) == verify(FILE)


@pytest.mark.parametrize("first", range(1, len(PIECES)))
def test_the_first_of_two_faults_is_told(first):
    """Nothing that is found ahead is told before what stands before it, whatever kind of fault that is."""
    unsigned = b"".join(altered(piece, len(piece) - 1, 1) for piece in PIECES[first + 1 :])
    for fault in (altered(PIECES[first], len(PIECES[first]) - 1, 1), PIECES[first][:5] + PIECES[first][4:-1]):
        report = verify(b"".join((*PIECES[:first], fault, unsigned)))
        assert report.error
        assert report.error.startswith(f"event {first} of the file")
    repeated = verify(b"".join((*PIECES[: first + 1], PIECES[first], unsigned)))
    assert repeated.error
    assert "in the file twice" in repeated.error


@given(at=st.integers(0, 10**6), flip=st.integers(1, 255))
@settings(max_examples=150, deadline=None)
def test_altered_bytes_of_a_long_game_are_found(at, flip):
    data = LONG.files[1]
    report = verify(altered(data, at % len(data), flip), FAST)
    assert not report.ok
    assert report.error


LONG = game("kingamon", fast=True)


def test_every_cut_is_torn_or_unfinished():
    """Rule 23: a file cut between events is an unfinished game; anywhere else it is torn, and the error counts what
    is good."""
    ends = [end for end, _ in records(FILE)]
    for size in range(len(FILE)):
        report = verify(FILE[:size])
        if size in ends:
            assert report.ok
            assert not report.finished
        else:
            assert not report.ok
            good = sum(end <= size for end in ends) - 1
            if size > ends[0]:
                assert f"({good} events are good)" in report.error
    assert not verify(b"").ok


def test_a_torn_file_says_where_it_is_whole():
    """What `resume` needs to cut the tail of a file that a crash tore."""
    with pytest.raises(TornError) as torn:
        list(records(FILE[:-1]))
    assert torn.value.good == len(FILE) - len(PIECES[-1])
    assert verify(FILE[: torn.value.good]).ok


def test_a_cut_file_keeps_its_good_part():
    with pytest.raises(TranscriptError) as raised:
        load(FILE[:-1])
    assert sum(map(len, raised.value.table.chains)) == len(PIECES) - 2


@pytest.mark.parametrize("at", range(1, len(PIECES)))
def test_a_repeated_record_is_found(at):
    data = b"".join([*PIECES[: at + 1], PIECES[at], *PIECES[at + 1 :]])
    report = verify(data)
    assert not report.ok
    assert f"event {at + 1} of the file" in report.error
    assert "twice" in report.error


@pytest.mark.parametrize("at", range(1, len(PIECES) - 1))
def test_a_missing_record_is_found(at):
    """A file without one of its events: what names it has nothing to stand on."""
    report = verify(b"".join([*PIECES[:at], *PIECES[at + 1 :]]))
    assert not report.ok
    assert "do not stand before it" in report.error


def test_swapped_records_are_found():
    """Every other order of the records that is not one in which they could have arrived is refused."""
    refused = accepted = 0
    for a in range(1, len(PIECES)):
        for b in range(a + 1, len(PIECES)):
            order = list(PIECES)
            order[a], order[b] = order[b], order[a]
            report = verify(b"".join(order))
            if report.ok:
                accepted += 1
                assert (report.digest, report.events) == (verify(FILE).digest, verify(FILE).events)
            else:
                refused += 1
                assert "do not stand before it" in report.error
    assert accepted <= 2, "only the two commitments and the two revelations are concurrent"
    assert refused > 10


def test_the_error_names_seat_and_number():
    """An altered signature: which event of the file, whose, and which of its own."""
    event = events_of(SHORT[1])[-1]
    at = FILE.index(event.signature)
    report = verify(altered(FILE, at, 1))
    assert f"event {len(PIECES) - 1} of the file: number {event.number} of seat {event.seat} is" in report.error
    assert f"seat {event.seat} did not sign" in report.error
    assert report.error.endswith(f"{len(PIECES) - 2} events before it are good")


def framed(value):
    payload = encode(value)
    return len(payload).to_bytes(4, "big") + payload


STRANGE = {
    "no magic": FILE[1:],
    "another version": FILE.replace(b"transcript 1", b"transcript 2", 1),
    "only the magic": MAGIC,
    "events before the charter": MAGIC + b"".join(PIECES[1:]),
    "two charters": PIECES[0] + PIECES[0][len(MAGIC) :] + b"".join(PIECES[1:]),
    "a charter at the end": FILE + PIECES[0][len(MAGIC) :],
    "two files in one": FILE + FILE,
    "an unknown record": FILE + framed((4, b"")),
    "an empty record": FILE + bytes(4),
    "a record of text": FILE + framed((2, "raw", bytes(64))),
    "no array": FILE + framed(7),
    "a record without end": FILE + (RECORD_LIMIT + 1).to_bytes(4, "big"),
    "a byte more": FILE + b"\0",
    "a newline more": FILE + b"\n",
    "an event too long": FILE + framed((2, bytes(EVENT_LIMIT + 1), bytes(64))),
    "a short signature": FILE + framed((2, b"", bytes(63))),
    "a fork of nothing": FILE + framed((3, b"", b"", b"", b"")),
    "text": b"A saved game, honestly.\n",
    "zeros": bytes(4096),
}


@pytest.mark.parametrize("data", STRANGE.values(), ids=STRANGE)
def test_strange_files_are_refused(data):
    report = verify(data)
    assert not report.ok
    assert report.error
    assert report.error.isprintable()


@given(st.binary(max_size=400), st.integers(0, 3))
@settings(deadline=None)
def test_verify_never_raises(tail, where):
    """Whatever the bytes: a report comes back, and it says no."""
    assert not verify([b"", MAGIC, PIECES[0], FILE][where] + (tail or b"\0")).ok


def test_another_table_cannot_be_spliced_in():
    """Events of another table between the same seats, or under another charter."""
    other = game("fidchess", 2, quen=True)
    report = verify(PIECES[0] + b"".join(split(other.files[0])[1:]))
    assert not report.ok
    assert "event 1 of the file" in report.error
    assert "another table" in report.error


def test_a_wrong_verifier_would_be_noticed():
    """The fast signatures of the tests are no way around the real ones."""
    assert not verify(LONG.files[0]).ok
    assert not verify(FILE, FastVerifier()).ok
    assert verify(LONG.files[0], FAST).ok


def test_a_wrong_digest_in_a_file_is_no_move():
    """A made-up continuation needs the seat's signature; signed by the seat but for another state it has no effect."""
    seat = SHORT.mover
    move = SHORT[1].game.legal(SHORT[1].state, seat)[0]
    event = SHORT.forge(seat, MOVE, (move,), digest=bytes(32), at=SHORT[1])
    report = verify(FILE + event_record(event))
    assert report.ok
    assert report.digest == verify(FILE).digest
    assert report.events == verify(FILE).events


# Proofs of two versions.


def forked():
    """A file that ends with a move and another version of it."""
    circle = game("fidchess", 3)
    seat = circle.mover
    kept, other = (
        circle.forge(seat, MOVE, (move,), at=circle[1]) for move in circle[1].game.legal(circle[1].state, seat)[:2]
    )
    circle.give(circle[1], kept)
    return circle, kept, other


def test_a_proof_of_two_versions_is_listed():
    """The file stays valid: it records a cheat and says who and what."""
    circle, kept, other = forked()
    report = verify(circle.files[0] + fork_record(Fork(kept, other)))
    assert report.ok
    assert report.cheats == (f"seat {kept.seat} signed two versions of its number {kept.number}",)


def test_a_proof_must_prove():
    """A false accusation: the same version twice, an unsigned one, another number, or one whose first is not held."""
    circle, kept, other = forked()
    file = circle.files[0]
    earlier = circle[1].chains[kept.seat - 1][0]
    lies = {
        "the same twice": Fork(kept, kept),
        "unsigned": Fork(kept, other._replace(signature=bytes(64))),
        "the first unsigned": Fork(kept._replace(signature=bytes(64)), other),
        "another number": Fork(earlier, other),
        "the wrong way round": Fork(other, kept),
    }
    for name, lie in lies.items():
        assert not verify(file + fork_record(lie)).ok, name
    proof = fork_record(Fork(kept, other))
    assert not verify(circle.files[1] + proof).ok, "the first version does not stand in this file"
    assert not verify(file + proof + proof).ok, "the proof stands in the file twice"
    exchange = fork_record(Fork(other, kept))
    assert not verify(file + proof + exchange).ok, "nobody has named the other version"
    for at in range(len(proof)):
        assert not verify(file + altered(proof, at, 1 << at % 8)).ok


def test_two_versions_as_events_are_refused():
    """A file shows one history: the other version stands there as a proof or not at all."""
    circle, _, other = forked()
    report = verify(circle.files[0] + event_record(other))
    assert not report.ok
    assert "two versions" in report.error


# Tables on one machine.


@pytest.mark.parametrize("key", ["fidchess", "kingamon"])
def test_a_local_game_verifies(key):
    """Rule 25: solo and hot-seat: rules and signature hold, and the report says that chance is not proven."""
    table = local_table(key)
    data = play_locally(table, Random(3))
    report = verify(data)
    assert report.ok
    assert report.finished
    assert report.result == table.fold.position.result
    assert report.signed_by == (1,)
    assert any("local table, chance not proven" in line for line in report.lines)
    assert not any("commitments" in line for line in report.lines)


def local_file(plies):
    table = local_table("fidchess", {"first": 1})
    return table, play_locally(table, Random(1), plies)


@pytest.mark.parametrize(
    ("actor", "text"), [(1, "A2-A9"), (2, "resign now"), (0, "first 1"), (5, "resign"), (1, ""), (0, "1-1")]
)
def test_an_unlawful_action_in_a_local_file_is_found(actor, text):
    """With one signer nothing is contested: an action that the rules refuse makes the file invalid."""
    table, data = local_file(3)
    event = make_event(
        IDENTITIES[0], table.id, 1, table.heads, table.fold.position.slot, table.fold.digest, ACT, (actor, text)
    )
    report = verify(data + event_record(event))
    assert not report.ok
    assert "event 4 of the file: number 4 of seat 1 is not lawful" in report.error
    assert report.events == 3


@pytest.mark.parametrize("kind", [RESIGN, RESULT, COMMITMENT, MOVE])
@pytest.mark.parametrize("first", [1, "random"])
def test_an_event_without_effect_in_a_local_file_is_found(kind, first):
    """A local file holds what happened and nothing else, so that nothing unlawful can hide behind it."""
    table = local_table("fidchess", {"first": first})
    body = {COMMITMENT: (bytes(32),), MOVE: ("A2-A3",)}.get(kind, ())
    event = make_event(IDENTITIES[0], table.id, 1, table.heads, table.fold.position.slot, table.fold.digest, kind, body)
    report = verify(charter_record(table.charter) + event_record(event))
    assert not report.ok
    assert "event 1 of the file" in report.error


def test_a_second_confirmation_in_a_local_file_is_found():
    table = local_table("fidchess", {"first": 1})
    table.act(1, "resign")
    data = charter_record(table.charter) + b"".join(map(event_record, [*events_of(table), *table.duties()]))
    assert verify(data).ok
    event = make_event(IDENTITIES[0], table.id, 1, table.heads, table.fold.position.slot, table.fold.digest, RESULT, ())
    assert not verify(data + event_record(event)).ok


def test_a_confirmation_that_carries_something_in_a_local_file_is_found():
    """No hand is hidden from the one who plays alone, so there is none to be shown."""
    table = local_table("fidchess", {"first": 1})
    table.act(1, "resign")
    data = charter_record(table.charter) + b"".join(map(event_record, events_of(table)))
    place = (table.id, 1, table.heads, table.fold.position.slot, table.fold.digest, RESULT)
    assert verify(data + event_record(make_event(IDENTITIES[0], *place, ()))).ok
    assert not verify(data + event_record(make_event(IDENTITIES[0], *place, (bytes(96),)))).ok


def test_every_altered_byte_of_a_local_file_is_found():
    _, data = local_file(2)
    for at in range(len(data)):
        assert not verify(altered(data, at, 1 << at % 8)).ok


def test_records_read_back():
    (first, *rest) = [record for _, record in records(FILE)]
    assert first == CharterRecord(SHORT.charter.packed())
    assert {EventRecord(e.raw, e.signature) for e in events_of(SHORT[1])} == set(rest)


def test_a_report_says_what_is_proven_and_what_is_not():
    """Rule 24: both in words; count, digest, table and result are the same from every seat's file."""
    circle = play_to(whist(3), 3)
    circle.spread(circle[3].resign(3))
    circle.settle()
    reports = [verify(file, FAST, scheme=FAST_DECK) for file in circle.files]
    assert len({(one.table, one.events, one.digest, one.result) for one in reports}) == 1
    assert reports[0].digest == circle[1].fold.digest.hex()
    told = "\n".join(reports[0].lines)
    for words in (
        "each signed by its seat",
        "chained",
        "all lawful",
        "made by all seats together",
        "shares of cards proven",
    ):
        assert words in told
    denied = [line for line in reports[0].lines if line.startswith("not proven: ")]
    for words in ("complete", "when it was played", "different people", "each other their cards"):
        assert any(words in line for line in denied), words
    assert not any("voted out" in line for line in denied), "nobody was"
