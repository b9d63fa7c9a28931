"""The passphrase exchange: the draft's vectors, wrong words, weak shares, and how the host limits guesses."""

import secrets
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import IDENTITIES

from engine import encode
from protocol import Door, Handshake, Knock, NotIn, passphrase_bytes, read_message
from protocol.formation import Caller
from protocol.formation import passphrase as pake
from protocol.formation.door import ANSWER_EVERY
from protocol.formation.passphrase import KeyExchange, lv_cat, session_key
from protocol.messages import message_bytes

HOST, GUEST, EVE = (identity.id for identity in IDENTITIES[:3])
WORDS = "three old stones"

# Appendix B.1 of draft-irtf-cfrg-cpace-21: CPACE-X25519-SHA512.
SESSION = bytes.fromhex("7e4b4791d6a8ef019b936c79fb7f2c57")
CHANNEL = bytes.fromhex("0b415f696e69746961746f720b425f726573706f6e646572")
SECRETS = [
    bytes.fromhex("21b4f4bd9e64ed355c3eb676a28ebedaf6d8f17bdc365995b319097153044080"),
    bytes.fromhex("848b0779ff415f0af4ea14df9dd1d3c29ac41d836c7808896c4eba19c51ac40a"),
]
SHARES = [
    bytes.fromhex("1d13c89278cdadd826f6d8d7f887701430f8380ddc17611cdd6dc989ce0c9f32"),
    bytes.fromhex("248cccf6d5cdc3646f0ad593f9e6cef4e69d4945f8372e623512ecea32185623"),
]
KEY = (
    "6e19b875f7a561d6b3ca3dbb9ef42ac55de3e717881018204b8922b4d5e53bb2"
    "aa82c300bea7b65d2b671da71922ddf6472301b79bc270adfa8bf413285f2263"
)
LOW_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]


def test_shares_and_key_are_those_of_the_draft() -> None:
    assert lv_cat(b"A_initiator", b"B_responder") == CHANNEL
    generator = pake._generator(b"Password", CHANNEL, SESSION)
    assert [pake._share(secret, generator) for secret in SECRETS] == SHARES
    transcript = lv_cat(SHARES[0], b"ADa") + lv_cat(SHARES[1], b"ADb")
    for own, other in ((0, 1), (1, 0)):
        assert session_key(SECRETS[own], SHARES[other], SESSION, transcript).hex() == KEY


def test_lengths_are_written_as_in_the_draft() -> None:
    assert lv_cat(b"1234", b"5", b"", b"678").hex() == "043132333401350003363738"
    assert lv_cat(bytes(range(127)))[:2].hex() == "7f00"
    assert lv_cat(bytes(range(128)))[:3].hex() == "800100"


@pytest.mark.parametrize("share", LOW_ORDER)
def test_a_share_that_gives_the_key_away_is_refused(share: str) -> None:
    with pytest.raises(ValueError, match="not a share"):
        session_key(SECRETS[0], bytes.fromhex(share), SESSION, b"")
    run = KeyExchange(WORDS, guest=GUEST, host=HOST, session=SESSION, secret=SECRETS[0], hosts=True)
    with pytest.raises(ValueError, match="not a share"):
        run.tags(bytes.fromhex(share))


def run_of(
    words: str = WORDS,
    *,
    guest: bytes = GUEST,
    host: bytes = HOST,
    session: bytes = b"s" * 32,
    secret: bytes = b"k" * 32,
    hosts: bool = False,
) -> KeyExchange:
    return KeyExchange(words, guest=guest, host=host, session=session, secret=secret, hosts=hosts)


@settings(deadline=None, max_examples=50)
@given(st.text(min_size=1), st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_both_sides_come_to_the_same_tags(words: str, one: bytes, two: bytes) -> None:
    """Any words, also long ones and letters that no encoding has; each side sends what the other expects."""
    guest, host = run_of(words, secret=one), run_of(words, secret=two, hosts=True)
    sent, expected = guest.tags(host.share)
    assert host.tags(guest.share) == (expected, sent)
    assert sent != expected


@pytest.mark.parametrize(
    "other",
    [
        {"words": "three old stone"},
        {"words": "Three old stones"},
        {"guest": EVE},
        {"host": EVE},
        {"guest": HOST, "host": GUEST},
        {"session": b"t" * 32},
    ],
)
def test_everything_that_both_must_agree_on_is_in_the_tags(other: dict[str, bytes] | dict[str, str]) -> None:
    """Other words, ids, roles or another attempt: a tag made for one run confirms nothing in another."""
    guest, host = run_of(secret=b"a" * 32), run_of(secret=b"b" * 32, hosts=True, **other)
    sent, expected = guest.tags(host.share)
    answer, awaited = host.tags(guest.share)
    assert awaited != sent
    assert answer != expected


def test_a_host_that_reflects_gets_nowhere() -> None:
    """Whoever sends the guest its own share and its own tag back has not shown anything."""
    guest = run_of()
    sent, expected = guest.tags(guest.share)
    assert sent != expected


def test_one_answer_fits_one_passphrase_only() -> None:
    """What a false host or guest has in hand after a run: without its own secret no list of words can be tried.

    The shares of two passphrases are equally likely, so a run with other words and some other secret gives any share.
    Only tags tell, and each holds for the one passphrase that the other side had put in.
    """
    guest = run_of("right", secret=b"a" * 32)
    guessed = {words: run_of(words, secret=b"b" * 32, hosts=True) for words in ("right", "wrong", "other")}
    for played in guessed.values():
        sent, _ = guest.tags(played.share)
        fits = [words for words, host in guessed.items() if host.tags(guest.share)[1] == sent]
        assert fits == (["right"] if played is guessed["right"] else [])


def test_a_passphrase_is_the_same_however_it_is_typed() -> None:
    assert passphrase_bytes("  three   old\tstones ") == passphrase_bytes(WORDS)
    assert passphrase_bytes("cafe\u0301") == passphrase_bytes("caf\u00e9")
    assert passphrase_bytes("A b") != passphrase_bytes("a b")
    assert passphrase_bytes(" \t") == b""
    assert passphrase_bytes("\udcff") == b"\xed\xb3\xbf", "what a terminal sends in another encoding"


# The door.


def door(words: str = WORDS) -> Door:
    return Door(words, HOST, Random(1).randbytes)


def caller(question: Handshake, words: str = WORDS, guest: bytes = GUEST) -> Caller:
    return Caller(words, guest=guest, host=HOST, session=question.session, secret=secrets.token_bytes(32))


def knock(at: Door, now: float, words: str = WORDS, guest: bytes = GUEST) -> tuple[bool, ...]:
    """Ask, say the share, hear the answer; return whether the guest believed the host, and the host the guest."""
    one = caller(at.ask(guest), words, guest)
    assert not at.hear(guest, one.greeting)
    answered = at.answer(now)
    assert answered
    named, answer = answered
    assert named == guest
    shown = one.meet(answer)
    return shown is not None, shown is not None and at.hear(guest, shown)


def test_who_knows_the_passphrase_is_let_in_and_knows_that_the_host_does() -> None:
    at = door()
    assert knock(at, 0.0) == (True, True)
    assert at.wrong == 0


def test_a_guest_answers_the_host_until_it_has_shown_that_it_knows_the_passphrase() -> None:
    at, guest = door(), Knock(GUEST, Random(2).randbytes)
    assert guest.hear(HOST, at.ask(GUEST), None) is NotIn.NEEDS_PASSPHRASE
    assert not guest.waits
    share = expect(Handshake, guest.hear(HOST, at.ask(GUEST), WORDS))
    assert guest.waits
    at.hear(GUEST, share)
    _, answer = at.answer(0.0) or (b"", share)
    shown = expect(Handshake, guest.hear(HOST, answer, WORDS))
    assert shown.tag
    assert at.hear(GUEST, shown)
    assert guest.hear(HOST, answer, WORDS) is None, "it has asked for nothing more"


def test_a_guest_learns_that_the_host_has_another_passphrase_and_takes_no_answer_after_it_has_gone() -> None:
    at, guest = door(), Knock(GUEST, Random(2).randbytes)
    for when, then in enumerate((NotIn.WRONG_PASSPHRASE, None)):
        at.hear(GUEST, expect(Handshake, guest.hear(HOST, at.ask(GUEST), "three new stones")))
        if then is None:
            guest.leave()
        answered = at.answer(float(when))
        assert answered
        assert guest.hear(HOST, answered[1], "three new stones") is then


def test_who_does_not_know_it_is_not_let_in_and_says_nothing_that_could_be_tested() -> None:
    at = door()
    assert knock(at, 0.0, "three new stones") == (False, False)
    assert at.wrong == 1


def test_a_host_that_does_not_know_it_is_found_out_before_the_guest_has_shown_anything() -> None:
    """A false host gets a share, which any passphrase could have made, and no tag."""
    assert knock(door("what may it be"), 0.0) == (False, False)


def test_guesses_are_one_a_second_over_all_ids_together() -> None:
    """Keys cost nothing, so a guesser comes with as many as it likes."""
    at, answers = door(), 0
    for tick in range(100):
        guest = IDENTITIES[tick % 5].id
        if guest not in at._waiting:
            at.hear(guest, caller(at.ask(guest), f"guess {tick}", guest).greeting)
        answers += at.answer(tick / 10) is not None
    assert answers == 10
    assert at.wrong == 10


def test_everybody_gets_an_answer_in_turn() -> None:
    """Guessers at the door delay a friend by one answer each; who asks again goes to the end."""
    at, now = door(), 0.0
    for identity in IDENTITIES[2:]:
        at.hear(identity.id, caller(at.ask(identity.id), "no", identity.id).greeting)
    friend = caller(at.ask(GUEST))
    at.hear(GUEST, friend.greeting)
    at.hear(EVE, caller(at.ask(EVE), "no again", EVE).greeting)
    order = []
    while (answer := at.answer(now)) is not None:
        order.append(answer[0])
        now += ANSWER_EVERY
    assert order == [IDENTITIES[3].id, IDENTITIES[4].id, GUEST, EVE]


def test_a_session_takes_one_guess() -> None:
    """Neither a second share nor a second tag in one session: each would be another guess."""
    at = door()
    question = at.ask(GUEST)
    one, two = caller(question, "first"), caller(question)
    at.hear(GUEST, one.greeting)
    at.hear(GUEST, two.greeting)
    answered = at.answer(0.0)
    assert answered
    _, answer = answered
    at.hear(GUEST, two.greeting)
    assert at.answer(10.0) is None
    assert not at.hear(GUEST, Handshake(question.session, b"", bytes(64)))
    right = Handshake(question.session, b"", two._run.tags(answer.share)[0])
    assert not at.hear(GUEST, right)
    at.hear(GUEST, two.greeting)
    assert at.answer(20.0) is None
    assert at.wrong == 1


@pytest.mark.parametrize("guest", [GUEST, EVE])
def test_a_tag_counts_for_its_own_guest_and_session_only(guest: bytes) -> None:
    """A tag overheard, or of the session before, opens nothing."""
    at = door()
    one = caller(at.ask(GUEST))
    at.hear(GUEST, one.greeting)
    answered = at.answer(0.0)
    assert answered
    _, answer = answered
    shown = expect(Handshake, one.meet(answer))
    later = expect(Handshake, at.ask(guest))
    assert not at.hear(guest, shown._replace(session=later.session))
    assert not at.hear(guest, Handshake(b"x" * 32, b"", shown.tag))


@pytest.mark.parametrize("share", LOW_ORDER)
def test_a_weak_share_is_no_guess_and_gets_no_answer(share: str) -> None:
    at = door()
    at.hear(EVE, Handshake(at.ask(EVE).session, bytes.fromhex(share), b""))
    assert at.answer(0.0) is None
    assert at.wrong == 0
    assert caller(at.ask(GUEST)).meet(Handshake(b"s" * 32, bytes.fromhex(share), bytes(64))) is None


def test_nothing_is_held_of_who_has_gone() -> None:
    at = door()
    for waits in (False, True):
        one = caller(at.ask(GUEST))
        at.hear(GUEST, one.greeting)
        if waits:
            at.answer(0.0)
        at.forget(GUEST)
        assert [at._sessions, at._waiting, at._expected] == [{}, {}, {}]
    assert at.answer(10.0) is None


def test_the_messages_have_one_shape() -> None:
    steps = [Handshake(b"s" * 32, b"", b""), Handshake(b"s" * 32, b"x" * 32, b"y" * 64)]
    for step in steps:
        assert read_message(message_bytes(step)) == step
    for bad in (
        (7, b"s" * 31, b"", b""),
        (7, b"s" * 32, b"x", b""),
        (7, b"s" * 32, b"", b"y" * 63),
        (7, b"s" * 32, b""),
    ):
        with pytest.raises(ValueError, match="not a message"):
            read_message(encode(bad))
