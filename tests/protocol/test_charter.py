"""The charter: what makes it valid, what every seat signs, and tables that go on from another one."""

from collections.abc import Sequence
from typing import Any

import pytest
from forming import agree
from forming_clients import BODY, clients
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import ATTEMPT, FAST, IDENTITIES, NAMES, body_of, charter_of

from engine import CHANCE, Chance, MalformedError, OptionError, Pick, Turn, all_games, decode, encode
from engine.games.fidchess import State
from protocol import (
    LOCAL,
    NET,
    Body,
    Clock,
    Formation,
    Identity,
    Origin,
    Seat,
    Series,
    Signer,
    VersionMismatchError,
    Watchers,
    Watching,
    bot_identity,
    local_charter,
    make_body,
    read_body,
)
from protocol.formation import PROTOCOL_VERSION, UNWATCHED, read_charter
from protocol.formation.charter import charter_signed, sign_charter

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
    [
        Watching(Watchers.WITH_PASSPHRASE, 0),
        Watching(Watchers.EVERYBODY, 1),
        Watching(Watchers.EVERYBODY, 1000),
        Watching(Watchers.EVERYBODY, 0, 1),
    ],
)
def test_every_seat_signs_who_may_watch(watching: Watching) -> None:
    """Nobody can open a table to spectators later, or show them more, than all have agreed to."""
    body = BODY._replace(watching=watching)
    charter = agree(clients(body, 2))
    assert read_charter(charter.packed()).body.watching == watching
    assert charter.table != agree(clients(BODY, 2)).table


NO_CODE: Any = 3
SCORE = Series(5, 2, b"t" * 32, (4, 1))


@pytest.mark.parametrize("series", [Series(2), Series(999), SCORE, SCORE._replace(match=0, points=(70, 0))])
def test_every_seat_signs_the_match_and_the_score_before_the_game(series: Series) -> None:
    """Nobody can claim another score, or a match to other points, once the table stands."""
    body = BODY._replace(series=series)
    charter = agree(clients(body, 2))
    assert read_charter(charter.packed()).body.series == series
    assert charter.table != agree(clients(BODY, 2)).table


def test_a_charter_of_a_first_game_without_a_match_has_the_bytes_of_before() -> None:
    """Nothing of a score is written where there is none: eleven entries, as before there were matches."""
    first, match = decode(BODY.packed()), decode(BODY._replace(series=Series(5)).packed())
    assert isinstance(first, tuple)
    assert len(first) == 11
    assert match == (*first, (5,))


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
    "watched by nobody, and later": BODY._replace(watching=Watching(Watchers.NOBODY, 1)),
    "watched by people who are not told": BODY._replace(watching=Watching(NO_CODE, 0)),
    "a delay that is longer than games": BODY._replace(watching=Watching(Watchers.EVERYBODY, 1001)),
    "a delay into the future": BODY._replace(watching=Watching(Watchers.EVERYBODY, -1)),
    "watched by nobody, who may talk": BODY._replace(watching=Watching(Watchers.NOBODY, 0, 1)),
    "a delay that chat would undo": BODY._replace(watching=Watching(Watchers.EVERYBODY, 1, 1)),
    "chat in a way that there is not": BODY._replace(watching=Watching(Watchers.EVERYBODY, 0, 2)),
    "a match to one point": BODY._replace(series=Series(1)),
    "a match without end": BODY._replace(series=Series(1000)),
    "a score without a game before": BODY._replace(series=Series(5, -1, b"t" * 32, (0, 0))),
    "a score without a table before": BODY._replace(series=SCORE._replace(table=b"")),
    "a score of one seat": BODY._replace(series=SCORE._replace(points=(4,))),
    "a score of three seats": BODY._replace(series=SCORE._replace(points=(4, 1, 0))),
    "a score of nobody": BODY._replace(series=SCORE._replace(points=())),
    "points that were taken away": BODY._replace(series=SCORE._replace(points=(4, -1))),
    "points that are no numbers": BODY._replace(series=SCORE._replace(points=(4, b"1"))),  # type: ignore[arg-type]
    "a match that was won before": BODY._replace(series=SCORE._replace(points=(5, 1))),
    "points beyond counting": BODY._replace(series=Series(0, 1, b"t" * 32, (2**31, 0))),
    "games beyond counting": BODY._replace(series=SCORE._replace(games=2**31)),
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
    assert read_body(encode(("charter", PROTOCOL_VERSION, *BODY[:-3], (), UNWATCHED.entries()))) == BODY
    with pytest.raises(VersionMismatchError, match="another version of the protocol"):
        read_body(encode(("charter", version, *BODY[:-3], (), UNWATCHED.entries())))


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
        read_charter(
            local_charter(body._replace(watching=Watching(Watchers.EVERYBODY, 0)), IDENTITIES[0], b"n" * 32).packed()
        )
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


@pytest.mark.parametrize("seats", [2, 5])
def test_a_body_is_refused_of_which_the_charter_would_be_too_long_to_be_read(seats: int) -> None:
    """All could sign it and play, and nobody could read the file."""
    roster = [Seat(one.id, name, n) for n, (one, name) in enumerate(zip(IDENTITIES, NAMES, strict=True), 1)]
    body = make_body(NET, all_games()["pebbles"], {}, tuple(roster[:seats]), ATTEMPT)

    def beginning(actions: int) -> Body:
        return body._replace(origin=Origin(bytes(32), ((1, "take 1"),) * actions))

    most = next(actions for actions in range(1800, 0, -1) if len(signed(beginning(actions))) <= 16_384)
    with pytest.raises(MalformedError, match="rules do not allow"):
        read_body(beginning(most).packed())
    with pytest.raises(MalformedError, match="would be longer than 16384 bytes"):
        read_body(beginning(most + 1).packed())


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
