"""Verification: real files hold, every altered byte and every cut is found, and the error says where."""

import gc
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from fast_deck import FAST_DECK
from gossip import act, hear, misbehave
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import (
    FAST,
    Circle,
    FastVerifier,
    circle_of,
    events_of,
    summary,
)
from sample_games import FILE, KINDS_OF_FILES, PIECES, SHORT, altered, framed, game, long_file, split
from verdicts import error_of, evidence_of, result_of
from whist import play_to, whist

from protocol import (
    Identity,
    Table,
    TranscriptError,
    VersionMismatchError,
    event_record,
    first_record,
    load,
    verify,
    whole,
)
from protocol.events import EVENT_LIMIT, Head, bodies, make_event
from protocol.file import MAGIC, RECORD_LIMIT, CharterRecord, EventRecord, TornError, records


@pytest.mark.parametrize("key", ["fidchess", "kingamon", "pebbles"])
def test_a_real_game_verifies(key: str) -> None:
    """A whole game with real signatures: valid, finished, signed by both; the files of both say the same."""
    circle = game(key)
    one, two = (verify(file) for file in circle.files)
    fold = circle[1].fold
    assert one.ok
    assert one.error is None
    assert one.table == circle.charter.table.hex()
    assert one.game == key
    assert one.finished
    assert one.result == fold.result
    assert one.events == fold.position.effects
    assert one.digest == fold.position.digest.hex()
    assert one.signed_events == len(events_of(circle[1]))
    assert one.signed_by == (1, 2)
    assert one.cheats == ()
    assert two == one
    assert circle.files[0] != circle.files[1], "the order of arrival differs, the verdict does not"
    assert summary(load(circle.files[0])) == summary(circle[1])


@pytest.mark.parametrize("data", [FILE, FILE[:-1]], ids=["whole", "torn"])
def test_a_file_leaves_nothing_to_the_collector_of_garbage(data: bytes) -> None:
    """A command may switch the collector off while a file is read; the protocol leaves it alone."""
    verify(data)  # what is remembered between files
    gc.collect()
    found = sum(one["collected"] for one in gc.get_stats())
    collecting: list[bool] = []
    verify(data, progress=lambda _: collecting.append(gc.isenabled()))
    assert all(collecting)
    gc.collect()
    assert sum(one["collected"] for one in gc.get_stats()) == found


def test_an_unfinished_game_verifies() -> None:
    report = verify(FILE)
    assert (report.ok, report.finished, report.result, report.signed_by) == (True, False, None, ())
    assert report.events == report.signed_events == 2 + 2 + 2


def test_an_early_end_verifies() -> None:
    """A game given up after two moves: finished, and its result is that of the rules, signed by the seat that won."""
    circle = game("fidchess", 3)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    report = verify(circle.files[0])
    assert (report.ok, report.finished, result_of(report)[::2]) == (True, True, ((2,), "resigned"))
    assert 2 in report.signed_by


def test_a_draw_agreed_upon_verifies() -> None:
    """Nobody has won, and both have signed that."""
    circle = game("fidchess", 3)
    for seat in (1, 2):
        circle.spread(circle[seat].own.wish_draw(seat, True))
    circle.settle()
    report = verify(circle.files[0])
    assert (report.ok, report.finished, result_of(report).winners, report.signed_by) == (True, True, (), (1, 2))


def test_a_game_that_ends_where_all_but_one_are_left_or_have_resigned_verifies() -> None:
    """One was left behind, one has given up: the last has won, and the file says how each of them ended."""
    circle = circle_of("pebbles", 3, first=1)
    circle.agree(1, 1)
    circle.settle()
    circle.spread(circle[2].own.resign(2))
    circle.settle()
    report = verify(circle.files[1], FAST)
    assert (report.ok, report.finished, result_of(report).winners) == (True, True, (3,))
    assert (evidence_of(report).left_behind, evidence_of(report).resigned) == ((1,), 1)


def piece_at(at: int) -> int:
    """Which piece of FILE a byte lies in: 0 is the charter, n is event n."""
    end = 0
    for number, piece in enumerate(PIECES):
        end += len(piece)
        if at < end:
            return number
    raise AssertionError


@pytest.mark.many
@pytest.mark.parametrize("part", range(8))
def test_every_altered_byte_is_found(part: int) -> None:
    """No byte of a file is unprotected: each one altered makes it invalid, and the error names the event it
    is in."""
    for at in range(part, len(FILE), 8):
        report = verify(altered(FILE, at, 1 << at % 8))
        number = piece_at(at)
        assert not report.ok, at
        assert report.error
        if number == 0:
            assert report.table == ""
        else:
            places = (f"event {number} of the file", f"({number - 1} events are good)")
            assert any(place in error_of(report) for place in places)
            assert report.table == SHORT.charter.table.hex()


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
@given(data=st.data(), flip=st.integers(1, 255))
@settings(max_examples=60, deadline=None)
def test_altered_bytes_of_a_long_game_are_found(kind: str, data: Any, flip: int) -> None:
    file = long_file(kind)
    at = data.draw(st.integers(0, len(file) - 1))
    report = verify(altered(file, at, flip), FAST, scheme=FAST_DECK)
    assert not report.ok
    assert report.error


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_prefix_verifies_or_is_torn(kind: str, data: Any) -> None:
    """Cut between records a file is the same game, unfinished; anywhere else it is torn, and its
    whole part is such a file."""
    file = long_file(kind)
    ends = [end for end, _ in records(file)]
    cut = data.draw(st.sampled_from(ends) | st.integers(ends[0], len(file)))
    report = verify(file[:cut], FAST, scheme=FAST_DECK)
    good = whole(file[:cut])
    assert good == max(end for end in ends if end <= cut)
    assert report.ok == (cut == good)
    assert report.ok or f"({ends.index(good)} events are good)" in error_of(report)
    assert verify(file[:good], FAST, scheme=FAST_DECK).ok


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_a_table_that_hears_event_by_event_is_the_one_of_the_file(kind: str) -> None:
    """The law of one fold: taking in each event as it comes gives, after each, what the file up to it gives."""
    file = long_file(kind)
    ends = [end for end, _ in records(file)]
    table = Table(first_record(file, FAST), {}, None, FAST, FAST_DECK)
    every = max(1, len(ends) // 12)
    for at, (end, record) in enumerate(records(file)):
        if isinstance(record, EventRecord):
            table.receive(record.raw, record.signature)
        if at % every == 0 or end == len(file):
            assert summary(load(file[:end], FAST, scheme=FAST_DECK)) == summary(table)


@pytest.mark.many
@given(seed=st.integers(0, 2**32), seats=st.sampled_from([2, 3, 4]), cheats=st.booleans())
@settings(max_examples=25, deadline=None)
def test_every_file_on_the_way_tells_what_its_client_knows(seed: int, seats: int, cheats: bool) -> None:
    """The law of one fold, for files: whatever was late, forged or resigned, each honest client's file verifies at any
    moment, and a third person reads there the very game that the client shows; no honest seat is named for anything."""
    circle = circle_of("pebbles", seats, pile=30)
    cheat, rng = (seats,) if cheats else (), Random(seed)
    for _ in range(3):
        wander(circle, rng, steps=25, cheats=cheat)
        for seat in range(1, seats + 1 - cheats):
            table, file = circle[seat], circle.files[circle.tables.index(circle[seat])]
            report = verify(file, FAST)
            assert report.ok, report.error
            assert report.signed_events == len(events_of(table))
            assert {one.seat for one in report.cheats} <= {*cheat}
            if not table.own.has_agreed:
                assert summary(load(file, FAST)) == summary(table)


def wander(circle: Circle, rng: Random, steps: int, cheats: tuple[int, ...]) -> None:
    """Let news travel late and in bits, and clients act; nobody is told everything at the end."""
    for _ in range(steps):
        hear(circle, rng)
        table = rng.choice(circle.tables)
        if rng.random() < 0.2:
            for seat in {*table.own.signers} & {*cheats}:
                misbehave(circle, seat, rng)
        act(circle, table, rng, resign=0.01, wish=0.05)


def test_threads_that_look_ahead_change_no_verdict() -> None:
    """Signatures checked by a pool, many events ahead: each report is the one that a single thread gives."""
    with ThreadPoolExecutor(2) as pool:
        for at in range(0, len(FILE), 9):
            data = altered(FILE, at, 1 << at % 8)
            assert verify(data, spread=pool.map) == verify(data), at
        assert verify(FILE, spread=pool.map) == verify(FILE)


@pytest.mark.parametrize("first", range(1, len(PIECES)))
def test_the_first_of_two_faults_is_told(first: int) -> None:
    """Nothing that is found ahead is told before what stands before it, whatever kind of fault that is."""
    unsigned = b"".join(altered(piece, len(piece) - 1, 1) for piece in PIECES[first + 1 :])
    for fault in (altered(PIECES[first], len(PIECES[first]) - 1, 1), PIECES[first][:5] + PIECES[first][4:-1]):
        report = verify(b"".join((*PIECES[:first], fault, unsigned)))
        assert report.error
        assert report.error.startswith(f"event {first} of the file")
    repeated = verify(b"".join((*PIECES[: first + 1], PIECES[first], unsigned)))
    assert repeated.error
    assert "in the file twice" in repeated.error


@pytest.mark.many
def test_every_cut_is_torn_or_unfinished() -> None:
    """A file cut between events is an unfinished game; anywhere else it is torn, and the error counts what
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
                assert f"({good} events are good)" in error_of(report)
    assert not verify(b"").ok


def test_a_torn_file_says_where_it_is_whole() -> None:
    """What `resume` needs to cut the tail of a file that a crash tore."""
    with pytest.raises(TornError) as torn:
        list(records(FILE[:-1]))
    assert torn.value.good == whole(FILE[:-1]) == len(FILE) - len(PIECES[-1])
    assert verify(FILE[: torn.value.good]).ok


def test_a_cut_file_keeps_its_good_part() -> None:
    with pytest.raises(TranscriptError) as raised:
        load(FILE[:-1])
    table = expect(Table, raised.value.table)
    assert sum(len(chain) for chain in table.held.chains) == len(PIECES) - 2


@pytest.mark.parametrize("at", range(1, len(PIECES)))
def test_a_repeated_record_is_found(at: int) -> None:
    data = b"".join([*PIECES[: at + 1], PIECES[at], *PIECES[at + 1 :]])
    report = verify(data)
    assert not report.ok
    assert f"event {at + 1} of the file" in error_of(report)
    assert "twice" in error_of(report)


@pytest.mark.parametrize("at", range(1, len(PIECES) - 1))
def test_a_missing_record_is_found(at: int) -> None:
    """A file without one of its events: what names it has nothing to stand on."""
    report = verify(b"".join([*PIECES[:at], *PIECES[at + 1 :]]))
    assert not report.ok
    assert "of the file: number" in error_of(report)


def test_an_event_whose_own_predecessor_is_missing_is_named_as_such() -> None:
    """Not as one that can never count: the reader looks for what is lacking, not for a cheat."""
    second = event_record(SHORT[1].held.chains[0][1])
    report = verify(PIECES[0] + second)
    assert "do not stand before it" in error_of(report)


def test_swapped_records_are_found() -> None:
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
                assert "of the file: number" in error_of(report)
    assert accepted <= 2, "only the two commitments and the two revelations are concurrent"
    assert refused > 10


def test_the_error_names_seat_and_number() -> None:
    """An altered signature: which event of the file, whose, and which of its own."""
    event = events_of(SHORT[1])[-1]
    at = FILE.index(event.signature)
    report = verify(altered(FILE, at, 1))
    assert f"event {len(PIECES) - 1} of the file: number {event.number} of seat {event.seat} is" in error_of(report)
    assert f"seat {event.seat} did not sign" in error_of(report)
    assert error_of(report).endswith(f"{len(PIECES) - 2} events before it are good")
    assert author_of(altered(FILE, at, 1)) == event.seat


def test_of_an_event_of_a_seat_that_the_table_has_not_nobody_is_the_author() -> None:
    event = events_of(SHORT[1])[-1]
    heads = (*event.heads, *[Head(0, b"")] * 3)
    strange = make_event(Identity(bytes(32)), event.table, 5, heads, event.slot, event.digest, bodies.Move("x"))
    assert author_of(FILE + event_record(strange)) == 0
    assert "of seat 5 is" in error_of(verify(FILE + event_record(strange)))


def author_of(file: bytes) -> int:
    with pytest.raises(TranscriptError) as raised:
        load(file)
    return raised.value.author


STRANGE = {
    "no magic": FILE[1:],
    "a later version": FILE.replace(b"transcript 2", b"transcript 3", 1),
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
    "a proof of nothing": FILE + framed((3, b"", b"", b"", b"")),
    "text": b"A saved game, honestly.\n",
    "zeros": bytes(4096),
}


@pytest.mark.parametrize("data", STRANGE.values(), ids=STRANGE)
def test_strange_files_are_refused(data: bytes) -> None:
    report = verify(data)
    assert not report.ok
    assert report.error
    assert report.error.isprintable()


def test_a_file_of_version_1_is_told_by_name() -> None:
    """Its player reads which program saved it, not that the file is broken; nothing of it is taken for whole."""
    old = FILE.replace(b"transcript 2", b"transcript 1", 1)
    report = verify(old)
    assert report.error == "the file was saved by version 1 of this program, which this one cannot read"
    assert (report.ok, report.table, report.evidence) == (False, "", None)
    with pytest.raises(TranscriptError, match="version 1"):
        load(old)
    with pytest.raises(TranscriptError, match="version 1"):
        first_record(old)
    with pytest.raises(VersionMismatchError):
        list(records(old))
    assert whole(old) == 0


@given(st.binary(max_size=400), st.integers(0, 3))
@settings(deadline=None)
def test_verify_never_raises(tail: bytes, where: int) -> None:
    """Whatever the bytes: a report comes back, and it says no."""
    assert not verify([b"", MAGIC, PIECES[0], FILE][where] + (tail or b"\0")).ok


def test_another_table_cannot_be_spliced_in() -> None:
    """Events of another table between the same seats, or under another charter."""
    other = game("fidchess", 2, quen=True)
    report = verify(PIECES[0] + b"".join(split(other.files[0])[1:]))
    assert not report.ok
    assert "event 1 of the file" in error_of(report)
    assert "another table" in error_of(report)


def test_a_wrong_verifier_would_be_noticed() -> None:
    """The fast signatures of the tests are no way around the real ones."""
    fast = long_file("dice")
    assert not verify(fast).ok
    assert not verify(FILE, FastVerifier()).ok
    assert verify(fast, FAST).ok


def test_a_file_that_does_not_begin_with_a_charter_is_told_so() -> None:
    event = event_record(events_of(SHORT[1])[0])
    for data in (MAGIC, MAGIC + event):
        with pytest.raises(TranscriptError, match="does not begin with a charter"):
            first_record(data)
    assert verify(MAGIC + event).error == "the charter: no charter before the first event"


def test_records_read_back() -> None:
    (first, *rest) = [record for _, record in records(FILE)]
    assert first == CharterRecord(SHORT.charter.packed())
    assert first_record(FILE) == SHORT.charter
    assert {EventRecord(e.raw, e.signature) for e in events_of(SHORT[1])} == set(rest)


def test_a_report_says_what_is_proven() -> None:
    """Count, digest, table and result are the same from every seat's file."""
    circle = play_to(whist(3), 3)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    reports = [verify(file, FAST, scheme=FAST_DECK) for file in circle.files]
    assert len({(one.table, one.events, one.digest, one.result) for one in reports}) == 1
    assert reports[0].digest == circle[1].fold.position.digest.hex()
    proven = [evidence_of(one) for one in reports]
    assert proven[1:] == proven[:-1]
    assert (proven[0].clients, len(proven[0].deals), proven[0].shuffles, proven[0].cards) == (3, 2, 3 + 2, 3)
    assert proven[0].left_behind == (), "nobody was"


def test_a_report_says_who_was_left_behind() -> None:
    report = verify(long_file("agreements"), FAST, scheme=FAST_DECK)
    assert report.ok
    assert len(evidence_of(report).left_behind) == 1
