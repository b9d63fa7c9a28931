"""Verification: real files hold, every altered byte and every cut is found, and the error says where."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import pytest
from fast_deck import FAST_DECK
from gossip import act, hear, misbehave
from hypothesis import given, settings
from hypothesis import strategies as st
from replicas import (
    FAST,
    IDENTITIES,
    Circle,
    FastVerifier,
    charter_of,
    circle_of,
    events_of,
    local_table,
    play_locally,
    summary,
)
from whist import play_to, revoke, whist

from engine import encode
from protocol import (
    MAGIC,
    FoundCheat,
    Proof,
    Table,
    TornError,
    TranscriptError,
    VersionMismatchError,
    charter_record,
    event_record,
    first_record,
    load,
    proof_record,
    records,
    verify,
    whole,
)
from protocol.events import EVENT_LIMIT, Act, Commitment, Epoch, Leaving, Move, Resign, Result, Wish, make_event
from protocol.table import fold as fold_module
from protocol.table.held import AHEAD_BYTES, AHEAD_LIMIT
from protocol.transcript.file import RECORD_LIMIT, CharterRecord, EventRecord


def game(key, plies=None, *, fast=False, **options):
    """A game of two, whose first commitments cross each other."""
    circle = Circle(charter_of(key, 2, options, fast=fast), fast=fast)
    for table in circle.tables:
        circle.owed(table)
    circle.meet()
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
    assert "not proven" in one.lines[-1]
    assert summary(load(circle.files[0])) == summary(circle[1])


def test_an_unfinished_game_verifies():
    report = verify(FILE)
    assert (report.ok, report.finished, report.result, report.signed_by) == (True, False, None, ())
    assert "the game is not finished in this file" in report.lines
    assert report.events == report.signed_events == 2 + 2 + 2


def test_an_early_end_verifies():
    """A game given up after two moves: finished, and its result is that of the rules, signed by the seat that won."""
    circle = game("fidchess", 3)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    report = verify(circle.files[0])
    assert (report.ok, report.finished, report.result.winners, report.result.reason) == (True, True, (2,), "resigned")
    assert 2 in report.signed_by


def test_a_draw_agreed_upon_verifies():
    """Nobody has won, and both have signed that."""
    circle = game("fidchess", 3)
    for seat in (1, 2):
        circle.spread(circle[seat].own.wish_draw(seat, True))
    circle.settle()
    report = verify(circle.files[0])
    assert (report.ok, report.finished, report.result.winners, report.signed_by) == (True, True, (), (1, 2))


def test_a_game_that_ends_where_all_but_one_are_left_or_have_resigned_verifies():
    """One was left behind, one has given up: the last has won, and the file says how each of them ended."""
    circle = circle_of("pebbles", 3, first=1)
    circle.agree(1, 1)
    circle.settle()
    circle.spread(circle[2].own.resign(2))
    circle.settle()
    report = verify(circle.files[1], FAST)
    assert (report.ok, report.finished, report.result.winners) == (True, True, (3,))
    assert "seat 1 was left behind: everybody who stayed signed that" in report.lines


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


@cache
def long_file(name) -> bytes:
    """A file with every kind of event that a game of this kind has, with stand-ins for signatures and cards."""
    if name == "dice":
        return game("kingamon", fast=True).files[1]
    if name == "cards":
        circle = play_to(whist(3), 5)
        circle.spread(circle[3].own.resign(3))
    else:
        circle = circle_of("pebbles", 4, first=1)
        circle.play(Random(2), 4)
        circle.spread(circle[circle.mover].own.wish_draw(circle.mover, True))
        circle.agree(1)
        circle.agree(3, circle.mover)
        seat = next(seat for seat in circle[1].fold.position.live if seat != circle.mover)
        circle.spread(circle[seat].own.resign(seat))
    circle.settle()
    return circle.files[0]


KINDS_OF_FILES = ("dice", "cards", "agreements")


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
@given(data=st.data(), flip=st.integers(1, 255))
@settings(max_examples=60, deadline=None)
def test_altered_bytes_of_a_long_game_are_found(kind, data, flip):
    file = long_file(kind)
    at = data.draw(st.integers(0, len(file) - 1))
    report = verify(altered(file, at, flip), FAST, scheme=FAST_DECK)
    assert not report.ok
    assert report.error


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_prefix_verifies_or_is_torn(kind, data):
    """Rule 23, as a law: cut between records a file is the same game, unfinished; anywhere else it is torn, and its
    whole part is such a file."""
    file = long_file(kind)
    ends = [end for end, _ in records(file)]
    cut = data.draw(st.sampled_from(ends) | st.integers(ends[0], len(file)))
    report = verify(file[:cut], FAST, scheme=FAST_DECK)
    good = whole(file[:cut])
    assert good == max(end for end in ends if end <= cut)
    assert report.ok == (cut == good)
    assert report.ok or f"({ends.index(good)} events are good)" in report.error
    assert verify(file[:good], FAST, scheme=FAST_DECK).ok


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_a_table_that_hears_event_by_event_is_the_one_of_the_file(kind):
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


@given(seed=st.integers(0, 2**32), seats=st.sampled_from([2, 3, 4]), cheats=st.booleans())
@settings(max_examples=25, deadline=None)
def test_every_file_on_the_way_tells_what_its_client_knows(seed, seats, cheats):
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
            if not table.own.bound:
                assert summary(load(file, FAST)) == summary(table)


def wander(circle, rng, steps, cheats):
    """Let news travel late and in bits, and clients act; nobody is told everything at the end."""
    for _ in range(steps):
        hear(circle, rng)
        table = rng.choice(circle.tables)
        if rng.random() < 0.2:
            for seat in {*table.own.signers} & {*cheats}:
                misbehave(circle, seat, rng)
        act(circle, table, rng, resign=0.01, wish=0.05)


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
    assert torn.value.good == whole(FILE[:-1]) == len(FILE) - len(PIECES[-1])
    assert verify(FILE[: torn.value.good]).ok


def test_a_cut_file_keeps_its_good_part():
    with pytest.raises(TranscriptError) as raised:
        load(FILE[:-1])
    assert sum(map(len, raised.value.table.held.chains)) == len(PIECES) - 2


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
    assert "of the file: number" in report.error


@pytest.mark.xfail(strict=True, reason="`verify` says that it can never count")
def test_an_event_whose_own_predecessor_is_missing_is_named_as_such():
    """Not as one that can never count: the reader looks for what is lacking, not for a cheat."""
    second = event_record(SHORT[1].held.chains[0][1])
    report = verify(PIECES[0] + second)
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
                assert "of the file: number" in report.error
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
def test_strange_files_are_refused(data):
    report = verify(data)
    assert not report.ok
    assert report.error
    assert report.error.isprintable()


def test_a_file_of_version_1_is_told_by_name():
    """Its player reads which program saved it, not that the file is broken; nothing of it is taken for whole."""
    old = FILE.replace(b"transcript 2", b"transcript 1", 1)
    report = verify(old)
    assert report.error == "the file was saved by version 1 of this program, which this one cannot read"
    assert (report.ok, report.table, report.lines) == (False, "", ())
    with pytest.raises(TranscriptError, match="version 1"):
        load(old)
    with pytest.raises(TranscriptError, match="version 1"):
        first_record(old)
    with pytest.raises(VersionMismatchError):
        list(records(old))
    assert whole(old) == 0


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
    fast = long_file("dice")
    assert not verify(fast).ok
    assert not verify(FILE, FastVerifier()).ok
    assert verify(fast, FAST).ok


# Events that are signed and do nothing.


def also(circle, *bodies, **place):
    """The file of seat 1 with more events of seat 2, that are nobody's client's."""
    file = circle.files[0]
    for body in bodies:
        event = circle.forge(2, body, at=circle[1], **place)
        circle.give(circle[1], event)
        file += event_record(event)
    return file


NOTHING = {
    "a wrong digest": (Move("A2-A3"), {"digest": bytes(32)}),
    "a commitment that nobody asked for": (Commitment(bytes(32)), {}),
    "a result before the end": (Result(b""), {}),
    "a wish that is taken back before it was made": (Wish(0), {}),
    "an action of a local table": (Act(2, "resign"), {}),
    "an agreement with oneself": (Epoch(1, ()), {}),
}


@pytest.mark.parametrize("name", NOTHING)
def test_an_event_without_effect_is_signed_and_does_nothing(name):
    """It is no fault of the file, and no cheat: counted among the signed events, and nowhere else."""
    circle = game("fidchess", 3)
    body, place = NOTHING[name]
    if isinstance(body, Epoch):  # without the other one
        body = Epoch(1, (Leaving(1, *circle[1].held.heads[0]),))
    report = verify(also(circle, body, **place))
    before = verify(FILE)
    assert report.ok, report.error
    assert (report.digest, report.events, report.result, report.cheats) == (before.digest, before.events, None, ())
    assert report.signed_events == before.signed_events + 1


def ahead(circle, number, body):
    """The file of seat 1, and events of seat 2 behind each other that do nothing."""
    file, chain, heads = circle.files[0], [], circle[1].held.heads
    position = circle[1].fold.position
    for _ in range(number):
        event = make_event(circle.signers[1], circle.charter.table, 2, heads, position.slot, position.digest, body)
        heads = event.heads_after
        chain.append(event)
    return file, chain


def test_events_far_ahead_of_the_game_are_refused_in_files_as_well():
    """The limits of a live table hold for files, so no signed nonsense makes a file slow to verify."""
    circle = game("fidchess", 3, fast=True)
    file, chain = ahead(circle, AHEAD_LIMIT + 2, Commitment(bytes(32)))
    behind = circle[1].fold.position.behind[1]
    most = behind + AHEAD_LIMIT - len(circle[1].held.chains[1])
    good = file + b"".join(map(event_record, chain[:most]))
    assert verify(good, FAST).ok
    report = verify(good + event_record(chain[most]), FAST)
    assert report.error
    assert f"more than {AHEAD_LIMIT} events ahead of what lies behind" in report.error


def test_bytes_far_ahead_of_the_game_are_refused_in_files_as_well():
    """A few of the longest events weigh as much as many short ones."""
    circle = game("fidchess", 3, fast=True)
    long = Result(bytes(96 * 66))
    file, chain = ahead(circle, AHEAD_BYTES // (96 * 66) + 2, long)
    size = sum(len(event.raw) for event in circle[1].held.chains[1][circle[1].fold.position.behind[1] :])
    most = 0
    while most < len(chain) and size + len(chain[most].raw) <= AHEAD_BYTES:
        size += len(chain[most].raw)
        most += 1
    assert 10 < most < len(chain) < AHEAD_LIMIT
    good = file + b"".join(map(event_record, chain[:most]))
    assert verify(good, FAST).ok
    assert "more than may be ahead" in verify(good + event_record(chain[most]), FAST).error


def test_a_file_full_of_events_without_effect_verifies():
    """What seats may sign without effect between two moves changes nothing of what is played."""
    circle = circle_of("pebbles", 2, first=1, pile=99)
    for _ in range(3):
        _, chain = ahead(circle, AHEAD_LIMIT // 2, Wish(0))
        for event in chain:
            circle.spread(event)
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    report = verify(circle.files[0], FAST)
    assert report.ok
    assert report.signed_events > report.events + 3 * (AHEAD_LIMIT // 2 - 1)


@pytest.mark.xfail(strict=True, reason="each agreement that a seat signed alone is tried again with every event")
def test_agreements_without_end_are_not_tried_again_with_every_event(monkeypatch):
    """A seat that goes on without everybody else, sixty times: what nobody else can make valid costs nothing later."""
    circle = circle_of("pebbles", 3, first=1)
    table, file = circle[1], circle.files[0]
    others = tuple(Leaving(seat, *table.held.heads[seat - 1]) for seat in (1, 3))
    for number in range(1, 61):
        event = circle.forge(2, Epoch(number, others), at=table)
        circle.give(table, event)
        file += event_record(event)
    tried = []
    original = fold_module.enter
    monkeypatch.setattr(fold_module, "enter", lambda *args: tried.append(args) or original(*args))
    report = verify(file, FAST)
    assert (report.ok, report.signed_events, report.events) == (True, 60, 0)
    assert len(tried) <= 2 * report.signed_events


# Cheats, as seat, event and kind.


def test_a_breach_is_listed_by_seat_event_and_kind():
    """`verify` tells a program, not only a reader, who did what: the number is that of the evidence in its chain."""
    circle = game("fidchess", 3)
    event = circle.forge(circle.mover, Move("A1-A9"), at=circle[1])
    circle.spread(event)
    report = verify(circle.files[0])
    (cheat,) = report.cheats
    assert (cheat.seat, cheat.event, cheat.kind) == (event.seat, event.number, "breach")
    assert cheat.reason.startswith("an unlawful move: ")
    assert f"CHEAT: seat {cheat.seat} signed {cheat.reason} (its number {cheat.event}, breach)" in report.lines


def test_a_revoke_in_a_hand_that_was_opened_is_listed_by_its_kind():
    circle = play_to(whist(2), 0)
    guilty = revoke(circle, 2, 10)
    while circle.mover != 1:
        guilty += revoke(circle, 2, len(circle[1].state.plays) + 1)
    assert guilty
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    report = verify(circle.files[0], FAST, scheme=FAST_DECK)
    assert {(one.seat, one.event, one.kind) for one in report.cheats} == {
        (2, event.number, "revoke") for event, _ in guilty
    }


def equivocated(circle):
    """Two versions of a move; the first one stands in the file of seat 1."""
    seat = circle.mover
    legal = circle[1].game.legal(circle[1].state, seat)
    kept, other = (circle.forge(seat, Move(move), at=circle[1]) for move in legal[:2])
    circle.give(circle[1], kept)
    return kept, other


def test_a_proof_of_equivocation_is_listed_and_ends_the_game():
    """The file stays valid: it records a cheat, says by whom, and what followed: of two players the other has won."""
    circle = game("fidchess", 3)
    kept, other = equivocated(circle)
    report = verify(circle.files[0] + proof_record(Proof(kept, other)))
    assert report.ok
    assert report.cheats == (FoundCheat(kept.seat, kept.number, "equivocation", "two versions of it"),)
    assert (report.finished, report.result.winners) == (True, (3 - kept.seat,))
    assert report.result.reason == f"{('anna', 'ben')[kept.seat - 1]} signed two versions of an event"
    assert "result proven by two versions of an event" in report.lines
    assert report.signed_by == ()


def test_a_proof_about_what_is_settled_is_listed_and_changes_nothing():
    """E1: a finished game stays finished, and who won has won."""
    circle = circle_of("pebbles", 2, first=1)
    circle.play(Random(1))
    before = verify(circle.files[0], FAST)
    kept = circle[1].held.chains[0][0]
    other = circle.forge(1, Resign(), heads=kept.heads, slot=kept.slot, digest=kept.digest)
    report = verify(circle.files[0] + proof_record(Proof(kept, other)), FAST)
    assert report.ok
    assert report.cheats == (FoundCheat(1, 1, "equivocation", "two versions of it"),)
    assert (report.result, report.digest, report.signed_by) == (before.result, before.digest, before.signed_by)
    assert before.finished


def test_a_proof_must_prove():
    """A false accusation: the same version twice, an unsigned one, another number, or one whose first is not held."""
    circle = game("fidchess", 3)
    kept, other = equivocated(circle)
    file = circle.files[0]
    earlier = circle[1].held.chains[kept.seat - 1][0]
    lies = {
        "the same twice": Proof(kept, kept),
        "unsigned": Proof(kept, other._replace(signature=bytes(64))),
        "the first unsigned": Proof(kept._replace(signature=bytes(64)), other),
        "another number": Proof(earlier, other),
        "the wrong way round": Proof(other, kept),
    }
    for name, lie in lies.items():
        assert not verify(file + proof_record(lie)).ok, name
    proof = proof_record(Proof(kept, other))
    assert not verify(circle.files[1] + proof).ok, "the first version does not stand in this file"
    assert not verify(file + proof + proof).ok, "the proof stands in the file twice"
    for at in range(len(proof)):
        assert not verify(file + altered(proof, at, 1 << at % 8)).ok


def test_two_versions_as_events_are_refused():
    """A file shows one history: the other version stands there as a proof or not at all."""
    circle = game("fidchess", 3)
    _, other = equivocated(circle)
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
    assert report.result == table.fold.result
    assert report.signed_by == (1,)
    assert any("local table, chance not proven" in line for line in report.lines)
    assert not any("made by all seats together" in line for line in report.lines)


def local_file(plies):
    table = local_table("fidchess", {"first": 1})
    return table, play_locally(table, Random(1), plies)


def locally(table, body):
    """The record of one more event of a local table."""
    position = table.fold.position
    return event_record(make_event(IDENTITIES[0], table.id, 1, table.held.heads, position.slot, position.digest, body))


@pytest.mark.parametrize(
    ("actor", "text"), [(1, "A2-A9"), (2, "resign now"), (0, "first 1"), (5, "resign"), (1, ""), (0, "1-1")]
)
def test_an_unlawful_action_in_a_local_file_is_found(actor, text):
    """With one signer nothing is contested: an action that the rules refuse makes the file invalid."""
    table, data = local_file(3)
    report = verify(data + locally(table, Act(actor, text)))
    assert not report.ok
    assert "event 4 of the file: number 4 of seat 1 is not lawful" in report.error
    assert report.events == 3


@pytest.mark.parametrize("body", [Resign(), Result(b""), Commitment(bytes(32)), Move("A2-A3"), Epoch(1, ())])
@pytest.mark.parametrize("first", [1, "random"])
def test_an_event_without_effect_in_a_local_file_is_found(body, first):
    """A local file holds what happened and nothing else, so that nothing unlawful can hide behind it."""
    table = local_table("fidchess", {"first": first})
    report = verify(charter_record(table.charter) + locally(table, body))
    assert not report.ok
    assert "event 1 of the file" in report.error


def ended_locally():
    table = local_table("fidchess", {"first": 1})
    data = charter_record(table.charter) + event_record(table.act(1, "resign"))
    return table, data


def test_a_second_confirmation_in_a_local_file_is_found():
    table, data = ended_locally()
    data += b"".join(map(event_record, table.duties()))
    assert verify(data).ok
    assert verify(data).signed_by == (1,)
    assert not verify(data + locally(table, Result(b""))).ok


@pytest.mark.xfail(strict=True, raises=IndexError, reason="a local table has one chain, and more seats that play")
def test_two_versions_of_an_action_in_a_local_file_are_found():
    """`verify` never raises: the one signer of a local file can sign two versions like anybody else."""
    table, data = local_file(1)
    (kept,) = table.held.chains[0]
    place = (kept.heads, kept.slot, kept.digest)
    other = make_event(IDENTITIES[0], table.id, 1, *place, Act(2, "resign"))
    assert not verify(data + proof_record(Proof(kept, other))).ok


@pytest.mark.xfail(strict=True, reason="a RESULT with shares confirms a local game like one without")
def test_a_confirmation_that_carries_something_in_a_local_file_is_found():
    """No hand is hidden from the one who plays alone, so there is none to be shown."""
    table, data = ended_locally()
    assert verify(data + locally(table, Result(b""))).ok
    assert not verify(data + locally(table, Result(bytes(96)))).ok


def test_every_altered_byte_of_a_local_file_is_found():
    _, data = local_file(2)
    for at in range(len(data)):
        assert not verify(altered(data, at, 1 << at % 8)).ok


def test_records_read_back():
    (first, *rest) = [record for _, record in records(FILE)]
    assert first == CharterRecord(SHORT.charter.packed())
    assert first_record(FILE) == SHORT.charter
    assert {EventRecord(e.raw, e.signature) for e in events_of(SHORT[1])} == set(rest)


def test_a_report_says_what_is_proven_and_what_is_not():
    """Rule 24: both in words; count, digest, table and result are the same from every seat's file."""
    circle = play_to(whist(3), 3)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    reports = [verify(file, FAST, scheme=FAST_DECK) for file in circle.files]
    assert len({(one.table, one.events, one.digest, one.result) for one in reports}) == 1
    assert reports[0].digest == circle[1].fold.position.digest.hex()
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
    assert not any("left behind" in line for line in denied), "nobody was"


def test_a_report_says_who_was_left_behind():
    """And that nobody can prove that the seat was absent."""
    report = verify(long_file("agreements"), FAST, scheme=FAST_DECK)
    assert report.ok
    assert sum("was left behind: everybody who stayed signed that" in line for line in report.lines) == 1
    assert any("not proven: that a seat which was left behind was absent" in line for line in report.lines)
