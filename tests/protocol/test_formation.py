"""The charter and how clients agree on it: every order of messages, every lie, every altered byte."""

from collections.abc import Sequence
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest
from forming import agree
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import ATTEMPT, FAST, FAST_SIGNERS, IDENTITIES, NAMES, body_of, charter_of

from engine import CHANCE, Chance, MalformedError, OptionError, Pick, Turn, all_games, blake, encode
from engine.games.fidchess import State
from protocol import (
    EVERYBODY,
    LOCAL,
    NET,
    NOBODY,
    PROTOCOL_VERSION,
    UNWATCHED,
    WITH_PASSPHRASE,
    Body,
    Clock,
    Formation,
    FormationError,
    Identity,
    Origin,
    Seat,
    Signer,
    VersionMismatchError,
    Watching,
    bot_identity,
    local_charter,
    make_body,
    read_body,
    read_charter,
)
from protocol.formation.charter import COMMITMENT_BYTES, charter_signed, nonce_commitment, sign_charter, sign_commitment

BODY = body_of("fidchess")
COMMITMENTS, NONCES, SIGNATURES = range(1, 4)
"""Where the parts of what a client states stand in its message."""


def clients(body: Body, seats: int, *, fast: bool = False) -> list[Formation]:
    signers = FAST_SIGNERS if fast else IDENTITIES
    options = (FAST,) if fast else ()
    return [Formation(body, {n: signers[n - 1]}, b"s%d" % n, *options) for n in range(1, seats + 1)]


def pair() -> list[Formation]:
    return clients(BODY, 2)


def part(formation: Formation, number: int) -> tuple[Any, ...]:
    """One part of what a client states: COMMITMENTS, NONCES or SIGNATURES, an entry for each seat."""
    return expect(tuple, formation.message()[number])


def known(formation: Formation, number: int) -> list[bool]:
    """For which seats a client states that part."""
    return [item is not None for item in part(formation, number)]


@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_order_of_messages_leads_to_one_charter(seats: int, seed: int) -> None:
    """Delay, repetition and old messages: whoever hears what when, all sign the same charter."""
    rng = Random(seed)
    body = body_of("pebbles", seats, signers=FAST_SIGNERS)
    group = clients(body, seats, fast=True)
    heap = [(receiver, sender.message()) for sender in group for receiver in group if sender is not receiver]
    while heap:
        receiver, message = heap[rng.randrange(len(heap))]
        if rng.random() < 0.7:
            heap.remove((receiver, message))
        if receiver.merge(message):
            heap += [(other, receiver.message()) for other in group if other is not receiver]
    assert len({formation.charter for formation in group}) == 1
    assert group[0].charter == agree(clients(body, seats, fast=True)), "the order of messages changed the charter"
    assert not group[0].missing


def test_a_chain_of_links_is_enough() -> None:
    """Clients linked only in a row: what each states travels through the others."""
    body = body_of("pebbles", 5)
    group = clients(body, 5)
    for _ in range(12):
        for a, b in pairwise(group):
            b.merge(a.message())
            a.merge(b.message())
    assert len({formation.charter for formation in group}) == 1
    assert group[0].charter is not None


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_no_nonce_before_all_commitments(order: tuple[int, ...]) -> None:
    """A seat that could see a nonce before it commits could choose the table id and forge the words read
    aloud."""
    body = body_of("pebbles", 3)
    group = clients(body, 3)
    hub = group[order[0]]
    assert known(hub, NONCES) == [False] * 3
    hub.merge(group[order[1]].message())
    assert known(hub, NONCES) == [False] * 3
    assert known(hub, SIGNATURES) == [False] * 3
    hub.merge(group[order[2]].message())
    assert sum(known(hub, NONCES)) == 1, "only the own nonce follows the last commitment"
    assert known(hub, SIGNATURES) == [False] * 3, "nobody signs before all nonces are shown"


def changed(message: tuple[Any, ...], number: int, seat: int, value: bytes) -> tuple[Any, ...]:
    """What a client states, with another value for one seat in one part."""
    entries = list(message[number])
    entries[seat - 1] = value
    return (*message[:number], tuple(entries), *message[number + 1 :])


SIZES = {COMMITMENTS: COMMITMENT_BYTES, NONCES: 32, SIGNATURES: 64}


def refused(formation: Formation, message: tuple[Any, ...], seat: int = 0) -> str:
    """Nothing of the message is taken in, and `seat` is to blame, or the sender."""
    before = formation.message()
    with pytest.raises(FormationError) as raised:
        formation.merge(message)
    assert raised.value.seat == seat
    assert formation.message() == before
    return str(raised.value)


@pytest.mark.parametrize("part", [1, 2, 3])
def test_a_changed_statement_is_refused(part: int) -> None:
    """A commitment, nonce or signature that changes after others saw it: the attempt is given up."""
    one, two = pair()
    agree([one, two])
    refused(one, changed(two.message(), part, 2, b"x" * SIZES[part]))


@pytest.mark.parametrize("part", [1, 2, 3])
def test_nobody_speaks_for_another_client(part: int) -> None:
    """A peer that states something else in my name is refused, also before I have stated it."""
    one, two = pair()
    refused(one, changed(two.message(), part, 1, b"x" * SIZES[part]))


@pytest.mark.parametrize("part", [1, 2, 3])
@pytest.mark.parametrize("early", [True, False])
def test_nobody_speaks_for_a_third_seat(part: int, early: bool) -> None:
    """A guest that states something in a third seat's name is itself to blame, and the third goes on."""
    body = body_of("pebbles", 3)
    anna, ben, eve = clients(body, 3)
    if not early:
        for _ in range(2):
            for one, other in permutations((anna, ben, eve), 2):
                one.merge(other.message())
    else:
        anna.merge(eve.message())
    refused(anna, changed(eve.message(), part, 2, b"x" * SIZES[part]))
    # Neither does a real statement of another seat pass for one of the third.
    real = sign_commitment(body, 3, b"n" * 32, IDENTITIES[2])
    refused(anna, changed(eve.message(), 1, 2, real))
    assert agree([anna, ben, eve])


def test_a_seat_that_commits_twice_is_named_whoever_passes_it_on() -> None:
    """A guest that commits to one nonce here and another there cannot have an honest one blamed for it."""
    body = body_of("pebbles", 3)
    anna, ben, eve = clients(body, 3)
    anna.merge(eve.message())
    ben.merge(Formation(body, {3: IDENTITIES[2]}, b"other").message())
    assert "two different things" in refused(anna, ben.message(), seat=3)
    assert "two different things" in refused(ben, anna.message(), seat=3)


def test_a_nonce_must_open_its_commitment() -> None:
    """A seat that waits for the others' nonces before it chooses its own is caught."""
    one, two = pair()
    one.merge(two.message())
    assert "another nonce" in refused(one, changed(two.message(), NONCES, 2, b"x" * 32))


def test_a_commitment_binds_body_seat_and_id() -> None:
    """Copying another seat's commitment: its nonce does not open it from another seat or for another body."""
    other = body_of("fidchess", options={"quen": True})
    values = {nonce_commitment(body, seat, b"n" * 32) for body in (BODY, other) for seat in (1, 2)}
    assert len(values) == 4
    one, two = pair()
    # Not as it stands, and not signed anew: its nonce does not open it.
    assert "did not commit" in refused(one, changed(two.message(), COMMITMENTS, 2, part(one, COMMITMENTS)[0]))
    hash: bytes = part(one, COMMITMENTS)[0][:32]
    packed = encode((blake("sh/body/1", BODY.packed()), 2, hash))
    copied = hash + IDENTITIES[1].sign(b"stonehenge/commitment/1" + packed)
    message = changed(two.message(), COMMITMENTS, 2, copied)
    one.merge(message)
    assert "another nonce" in refused(one, changed(message, NONCES, 2, part(one, NONCES)[0]))
    for other in (BODY._replace(attempt=b"x" * 16), BODY._replace(turn_time=60)):
        elsewhere = sign_commitment(other, 2, b"n" * 32, IDENTITIES[1])
        assert "did not commit" in refused(pair()[0], changed(two.message(), COMMITMENTS, 2, elsewhere))


def test_a_signature_of_another_charter_is_refused() -> None:
    """A signature under other nonces, or by another key, does not count."""
    one, two = pair()
    one.merge(two.message())
    two.merge(one.message())
    nonces: tuple[bytes, ...] = part(two, NONCES)
    lies = [
        sign_charter(BODY, nonces[::-1], IDENTITIES[1]),
        sign_charter(BODY, nonces, IDENTITIES[0]),
        sign_charter(body_of("fidchess", options={"quen": True}), nonces, IDENTITIES[1]),
    ]
    for lie in lies:
        fresh, peer = pair()
        fresh.merge(peer.message())
        assert "did not sign" in refused(fresh, changed(two.message(), SIGNATURES, 2, lie))


def test_a_signature_before_its_nonces_is_refused() -> None:
    """No honest client signs what it has not seen."""
    one, two = pair()
    assert "did not sign" in refused(one, changed(two.message(), SIGNATURES, 2, b"x" * 64))


def test_another_body_is_refused() -> None:
    """A host that shows its guests different options, names or rosters: their clients never agree."""
    one = pair()[0]
    assert "another charter" in refused(one, clients(body_of("fidchess", options={"quen": True}), 2)[1].message())


leaves = st.none() | st.integers(0, 9) | st.binary(max_size=64) | st.text(max_size=4)
junk = st.recursive(leaves, st.tuples, max_leaves=6)
parts = st.lists(st.none() | st.binary(max_size=3) | st.sampled_from([b"x" * 32, b"y" * 64, 7, "s"]), max_size=3)


@given(junk | st.tuples(st.just(BODY.packed()), *[parts.map(tuple)] * 3))
def test_nonsense_is_refused(message: bytes | tuple[Any, ...] | None) -> None:
    """Whatever a peer sends as a formation: it merges or it is refused, nothing else."""
    one = pair()[0]
    before, commitment = one.message(), part(one, COMMITMENTS)[0]
    try:
        grew = one.merge(message)
    except MalformedError:
        return
    assert grew == (one.message() != before)
    assert part(one, COMMITMENTS)[0] == commitment
    assert one.charter is None


def test_a_restart_does_not_take_its_old_statements_for_fresh_ones() -> None:
    """A host that has seen a guest's nonce proposes the same charter once more, to fit its own nonce to it."""
    guest, host = Formation(BODY, {2: IDENTITIES[1]}, b"first run"), pair()[0]
    guest.merge(host.message())
    host.merge(guest.message())
    again = Formation(BODY, {2: IDENTITIES[1]}, b"second run")
    for number in (COMMITMENTS, NONCES):
        refused(again, changed(host.message(), number, 2, part(guest, number)[1]))
    again.merge(pair()[0].message())
    assert part(again, NONCES)[1] not in (None, part(guest, NONCES)[1]), "the nonce is one that the host has not seen"


def test_the_table_id_depends_on_every_nonce() -> None:
    """A table id cannot be met twice while one seat is honest."""
    ids = {
        agree([Formation(BODY, {1: IDENTITIES[0]}, a), Formation(BODY, {2: IDENTITIES[1]}, b)]).table
        for a in (b"1", b"2")
        for b in (b"3", b"4")
    }
    assert len(ids) == 4


# Reading a charter.


def signed(body: Body, signers: Sequence[Signer] = IDENTITIES) -> bytes:
    """A charter that all seats signed although their clients would refuse it."""
    nonces = tuple(bytes([n]) * 32 for n in body.signers)
    return encode((body.packed(), nonces, tuple(sign_charter(body, nonces, signers[n - 1]) for n in body.signers)))


def test_a_charter_reads_back() -> None:
    charter = charter_of("fidchess")
    assert read_charter(charter.packed()) == charter
    assert read_charter(signed(BODY)).body == BODY
    assert charter_signed(BODY, charter.nonces, 1, charter.signatures[0], FAST) is False


@pytest.mark.parametrize("seconds", [0, 10, 86_400, Clock(10, 0), Clock(86_400, 3600)])
def test_every_seat_signs_the_turn_time(seconds: int | Clock) -> None:
    """How long a turn may take is part of what all sign, so nobody can claim another limit later."""
    body = BODY._replace(turn_time=seconds)
    assert read_body(body.packed()).turn_time == seconds
    charter = agree(clients(body, 2))
    assert read_charter(charter.packed()).body.turn_time == seconds
    assert charter.table != agree(clients(BODY._replace(turn_time=11), 2)).table


@pytest.mark.parametrize(
    "watching",
    [Watching(WITH_PASSPHRASE, 0), Watching(EVERYBODY, 1), Watching(EVERYBODY, 1000), Watching(EVERYBODY, 0, 1)],
)
def test_every_seat_signs_who_may_watch(watching: Watching) -> None:
    """Nobody can open a table to spectators later, or show them more, than all have agreed to."""
    body = BODY._replace(watching=watching)
    charter = agree(clients(body, 2))
    assert read_charter(charter.packed()).body.watching == watching
    assert charter.table != agree(clients(BODY, 2)).table


def test_every_altered_byte_of_a_charter_is_refused() -> None:
    """A saved charter with one changed byte: body, nonces, signatures and framing are all covered."""
    packed = charter_of("fidchess").packed()
    for at in range(len(packed)):
        for flip in (1, 0x80):
            altered = packed[:at] + bytes([packed[at] ^ flip]) + packed[at + 1 :]
            with pytest.raises((MalformedError, VersionMismatchError)):
                read_charter(altered)


def test_every_cut_charter_is_refused() -> None:
    packed = charter_of("fidchess").packed()
    for size in range(len(packed)):
        with pytest.raises((MalformedError, VersionMismatchError)):
            read_charter(packed[:size])
    with pytest.raises(MalformedError):
        read_charter(packed + b"\0")


@given(st.data())
@settings(deadline=None)
def test_a_body_changed_after_signing_is_refused(data: Any) -> None:
    """Another name, option, operator, order or attempt under the same signatures."""
    charter = charter_of("fidchess")
    seats = BODY.seats
    other = data.draw(
        st.sampled_from(
            [
                BODY._replace(options=tuple((n, "true" if n == "quen" else v) for n, v in BODY.options)),
                BODY._replace(seats=seats[::-1]),
                BODY._replace(seats=(seats[0], seats[1]._replace(operator=1))),
                BODY._replace(kind=LOCAL),
                BODY._replace(attempt=b"x" * 16),
                BODY._replace(turn_time=60),
            ]
        )
        | st.integers(0, 1).flatmap(
            lambda at: st.sampled_from(NAMES[2:]).map(
                lambda name: BODY._replace(
                    seats=tuple(seat._replace(name=name) if n == at else seat for n, seat in enumerate(seats))
                )
            )
        )
    )
    with pytest.raises(MalformedError):
        read_charter(charter._replace(body=other).packed())


def negated(id: bytes) -> bytes:
    """The negative of a point: the same y, the other sign of x."""
    return id[:31] + bytes([id[31] ^ 0x80])


def roster(*ids: bytes, operators: tuple[int, ...] = (1, 2)) -> tuple[Seat, ...]:
    return tuple(Seat(id, name, operator) for id, name, operator in zip(ids, NAMES, operators, strict=False))


A, B = IDENTITIES[0].id, IDENTITIES[1].id
UNLAWFUL = {
    "one key twice": BODY._replace(seats=roster(A, A)),
    "a key and its negative, which share a CURVE key": BODY._replace(seats=roster(A, negated(A))),
    "a small-order key": BODY._replace(seats=roster(A, bytes([1]) + bytes(31))),
    "no point": BODY._replace(seats=roster(A, b"\xff" * 32)),
    "a short key": BODY._replace(seats=roster(A, B[:31])),
    "an operator that sits nowhere": BODY._replace(seats=roster(A, B, operators=(1, 3))),
    "operators in a circle": BODY._replace(seats=roster(A, B, operators=(2, 1))),
    "operator nought": BODY._replace(seats=roster(A, B, operators=(1, 0))),
    "one seat": BODY._replace(seats=roster(A)),
    "too many seats": BODY._replace(seats=roster(*(i.id for i in IDENTITIES[:3]), operators=(1, 2, 3))),
    "a name that moves the cursor": BODY._replace(seats=(BODY.seats[0], BODY.seats[1]._replace(name="\x1b[2Jben"))),
    "a name that reads backwards": BODY._replace(seats=(BODY.seats[0], BODY.seats[1]._replace(name="\u202eben"))),
    "an empty name": BODY._replace(seats=(BODY.seats[0], BODY.seats[1]._replace(name=""))),
    "a long name": BODY._replace(seats=(BODY.seats[0], BODY.seats[1]._replace(name="b" * 25))),
    "no options": BODY._replace(options=()),
    "one option less": BODY._replace(options=BODY.options[1:]),
    "options in another order": BODY._replace(options=BODY.options[::-1]),
    "an option twice": BODY._replace(options=(*BODY.options, BODY.options[0])),
    "an option in other letters": BODY._replace(options=tuple((n, v.upper()) for n, v in BODY.options)),
    "an option out of range": BODY._replace(options=tuple((n, "9" if n == "first" else v) for n, v in BODY.options)),
    "an unknown option": BODY._replace(options=(*BODY.options, ("colour", "red"))),
    "a short attempt": BODY._replace(attempt=b"x"),
    "a turn time too short to type in": BODY._replace(turn_time=9),
    "a turn time longer than a day": BODY._replace(turn_time=86_401),
    "a negative turn time": BODY._replace(turn_time=-1),
    "a turn time that is no number": BODY._replace(turn_time=True),
    "a clock with too little time": BODY._replace(turn_time=Clock(9, 5)),
    "a clock that runs on by itself": BODY._replace(turn_time=Clock(60, -1)),
    "a clock that gives too much": BODY._replace(turn_time=Clock(60, 3601)),
    "a clock that gives no number": BODY._replace(turn_time=Clock(60, True)),
    "watched by nobody, and later": BODY._replace(watching=Watching(NOBODY, 1)),
    "watched by people who are not told": BODY._replace(watching=Watching(3, 0)),
    "a delay that is longer than games": BODY._replace(watching=Watching(EVERYBODY, 1001)),
    "a delay into the future": BODY._replace(watching=Watching(EVERYBODY, -1)),
    "watched by nobody, who may talk": BODY._replace(watching=Watching(NOBODY, 0, 1)),
    "a delay that chat would undo": BODY._replace(watching=Watching(EVERYBODY, 1, 1)),
    "chat in a way that there is not": BODY._replace(watching=Watching(EVERYBODY, 0, 2)),
    "an unknown kind": BODY._replace(kind="club"),
    "a local table with two keys": BODY._replace(kind=LOCAL),
}


@pytest.mark.parametrize("body", UNLAWFUL.values(), ids=UNLAWFUL)
def test_an_unlawful_body_is_refused_though_all_signed_it(body: Body) -> None:
    """Colluding seats cannot make others' programs load a charter that no honest client writes."""
    with pytest.raises(MalformedError) as raised:
        read_charter(signed(body))
    assert "signed by seat" not in str(raised.value)
    with pytest.raises(MalformedError):
        read_body(body.packed())


@pytest.mark.parametrize(
    "body",
    [
        BODY._replace(game="chess"),
        BODY._replace(version=2),
        BODY._replace(version=0),
    ],
)
def test_another_game_or_version_is_told_apart(body: Body) -> None:
    """An honest peer with another program is no cheat: the error says that versions differ."""
    with pytest.raises(VersionMismatchError):
        read_charter(signed(body))


@pytest.mark.parametrize("version", [1, PROTOCOL_VERSION + 1])
def test_another_protocol_is_told_apart(version: int) -> None:
    """Not called malformed: the player reads that the programs differ, not that the host cheats."""
    assert read_body(encode(("charter", PROTOCOL_VERSION, *BODY[:-2], (), UNWATCHED.entries()))) == BODY
    with pytest.raises(VersionMismatchError, match="another version of the protocol"):
        read_body(encode(("charter", version, *BODY[:-2], (), UNWATCHED.entries())))


def test_options_that_exclude_each_other_are_refused() -> None:
    """A host cannot sign a table into a state that the game refuses to start."""
    game = all_games()["kingamon"]
    body = body_of("kingamon")
    clash = body._replace(options=tuple((n, "removed" if n == "captured_disks" else v) for n, v in body.options))
    with pytest.raises(OptionError):
        game.start(dict(clash.options), 2)
    with pytest.raises(MalformedError, match="refuses"):
        read_charter(signed(clash))


def test_a_bot_is_its_operators() -> None:
    """The charter names each seat's operator: a bot's client is its host's, and everybody can see it."""
    bot = bot_identity(b"seed", 2)
    seats = (Seat(A, "anna", 1), Seat(bot.id, "bot of anna", 1), Seat(B, "ben", 3))
    body = make_body(NET, all_games()["pebbles"], {}, seats, ATTEMPT)
    host = Formation(body, {1: IDENTITIES[0], 2: bot}, b"s1")
    guest = Formation(body, {3: IDENTITIES[1]}, b"s3")
    charter = agree([host, guest])
    assert read_charter(charter.packed()) == charter
    assert bot_identity(b"seed", 2).id == bot.id
    assert len({bot.id, bot_identity(b"seed", 3).id, bot_identity(b"other", 2).id}) == 3


def test_a_local_charter_has_one_signer() -> None:
    """A table on one machine is signed once, and cannot pass for a table among peers."""
    seats = (Seat(A, "anna", 1), Seat(A, "ben", 1))
    body = make_body(LOCAL, all_games()["fidchess"], {}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], b"n" * 32)
    assert read_charter(charter.packed()) == charter
    with pytest.raises(MalformedError):
        read_charter(charter._replace(body=body._replace(kind=NET)).packed())
    with pytest.raises(MalformedError):
        read_charter(local_charter(body, Identity(b"z" * 32), b"n" * 32).packed())
    with pytest.raises(MalformedError, match="may watch"):
        read_charter(local_charter(body._replace(watching=Watching(EVERYBODY, 0)), IDENTITIES[0], b"n" * 32).packed())
    with pytest.raises(MalformedError, match="turn time"):
        read_charter(local_charter(body._replace(turn_time=60), IDENTITIES[0], b"n" * 32).packed())


# Tables that go on from another one


def going_on(actions: tuple[tuple[int, str], ...], table: bytes = bytes(32), key: str = "fidchess") -> Body:
    seats = (Seat(A, "anna", 1), Seat(B, "ben", 2))
    return make_body(NET, all_games()[key], {"first": 1}, seats, ATTEMPT, origin=Origin(table, actions))


def lawful(count: int) -> tuple[tuple[tuple[int, str], ...], State]:
    """The first actions of a game of Fidchess in which each seat does the first thing that it may, and the state."""
    game = all_games()["fidchess"]
    state = game.start({"first": 1}, 2)
    actions: list[tuple[int, str]] = []
    while len(actions) < count:
        seat = expect(Turn, game.pending(state)).seat
        actions.append((seat, game.legal(state, seat)[0]))
        state = game.apply(state, *actions[-1])
    return tuple(actions), state


def test_a_table_begins_where_another_one_stood() -> None:
    actions, state = lawful(7)
    body = going_on(actions)
    assert read_body(body.packed()) == body
    assert body.beginning() == state
    assert body._replace(origin=None).packed() != body.packed()


@pytest.mark.parametrize("length", [0, 31, 33])
def test_an_origin_names_a_table(length: int) -> None:
    with pytest.raises(MalformedError):
        read_body(going_on((), table=bytes(length)).packed())


def test_an_origin_that_the_rules_refuse_is_refused() -> None:
    actions, _ = lawful(4)
    for wrong in ((*actions, actions[-1]), actions[1:], (*actions, (6, "resign")), (*actions, (-1, "resign"))):
        with pytest.raises(MalformedError):
            read_body(going_on(wrong).packed())


def test_no_table_begins_where_a_game_is_over() -> None:
    with pytest.raises(MalformedError, match="over"):
        read_body(going_on((*lawful(4)[0], (1, "resign"))).packed())


def test_nobody_is_seated_where_a_seat_has_left_the_game() -> None:
    """A bot may have such a seat: nobody waits for what it cannot do."""
    seats = tuple(Seat(one.id, f"p{at}", at) for at, one in enumerate(IDENTITIES[:3], 1))
    origin = Origin(bytes(32), ((2, "resign"),))
    body = make_body(NET, all_games()["qenqe"], {"first": 1}, seats, ATTEMPT, origin=origin)
    with pytest.raises(MalformedError, match="plays no more"):
        read_body(body.packed())
    bots = (seats[0], seats[1]._replace(operator=1), seats[2])
    assert read_body(body._replace(seats=bots).packed())


def test_no_table_begins_in_a_round_with_closed_hands() -> None:
    game = all_games()["celtic-whist"]
    state = game.start({"first": 1}, 2)
    actions: list[tuple[int, str]] = []
    while isinstance(draw := expect(Chance, game.pending(state)).draw, Pick):
        actions.append((CHANCE, draw.outcomes[0]))
        state = game.apply(state, *actions[-1])
    body = going_on((*actions, (0, "deal")), key="celtic-whist")
    with pytest.raises(MalformedError, match="closed hands"):
        read_body(body.packed())
    assert read_body(body._replace(origin=Origin(bytes(32), ())).packed())
