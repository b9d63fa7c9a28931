"""The saved games of the test vectors at which two readings of one sentence of the specification come apart."""

import hashlib

from nacl.bindings import crypto_scalarmult_ed25519_base_noclamp
from vector_files_epochs import agree
from vector_files_proofs import anew, played_out, twice
from vector_files_refused import alone, moved, proof, record, signed_alone
from vector_tables import ATTEMPT, EQUIVOCATION, IDENTITIES, NAMES, Records, Scenario, board

from engine import all_games
from protocol import LOCAL, Seat, Table, charter_record, event_record, local_charter, make_body
from protocol.cards.group import ORDER
from protocol.events import Head, bodies
from protocol.file import MAGIC


def names_a_second_version() -> Records:
    """A move that names the second version of the one before it, as a proof shows that: in no chain it stands."""
    circle, move = moved()
    other = anew(move)
    circle.spread(other)
    heads = (Head(other.number, other.hash), circle.heads[1])
    return [*circle.records, event_record(circle.forge(2, bodies.Move(circle.lawful(2)[0]), heads=heads))]


def signed_again(seed: bytes, message: bytes) -> bytes:
    """Another signature of a message than RFC 8032 makes, and as good: with another number in the place of r."""
    expanded = hashlib.sha512(seed).digest()
    secret = int.from_bytes(expanded[:32], "little") & (1 << 254) - 8 | 1 << 254
    public, r = base_times(secret), base_times(7)
    challenge = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little")
    return r + ((7 + challenge * secret) % ORDER).to_bytes(32, "little")


def base_times(number: int) -> bytes:
    return crypto_scalarmult_ed25519_base_noclamp((number % ORDER).to_bytes(32, "little"))


def proof_again_with_another_signature() -> Records:
    """The proof that is held, but for the signature of its second event: byte for byte it is another one."""
    circle, move = moved()
    other = anew(move)
    signature = signed_again(bytes([1]) * 32, b"stonehenge/event/2" + other.raw)
    again = record(3, move.raw, move.signature, other.raw, signature)
    return [*circle.records, proof(move, other), again]


def nine_for_a_step_with_an_agreement_between() -> Records:
    """A ninth event for one step: the agreement between them does not end the row."""
    circle = board(3)
    for number in range(8):
        if number == 4:
            agree(circle, 1, [3], [1])
        circle.say(1, bodies.Wish(number % 2), slot=(number // 4, 0, 1))
    return [*circle.records, event_record(circle.forge(1, bodies.Wish(1), slot=(1, 0, 1)))]


def nobody_left_to_judge() -> Records:
    """Both players have signed twice: then both are judges, and the RESULT of one of them decides nothing."""
    circle = played_out(2)
    move = circle.listener.held.chains[1][0]
    heads = circle.heads
    wish = circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Result(b""), heads=heads)
    twice(circle, move)
    twice(circle, wish)
    return circle.records


def equivocation_of_the_loser() -> Records:
    """The loser signs a wish twice behind the end: the other one has won, with the points of the game."""
    circle = board()
    for seat, text in ((1, "B1-A3"), (2, "A7-B5"), (1, "A3xA8")):
        circle.say(seat, bodies.Move(text))
    twice(circle, circle.say(2, bodies.Wish(1)))
    return circle.records


def local_result_of_another_epoch() -> Records:
    """At END a RESULT counts in any epoch."""
    table, records = alone(over=True)
    return [*records, signed_alone(table, bodies.Result(b""), table.fold.position.slot._replace(epoch=5))]


def local_id_and_its_negative() -> Records:
    """The ids of the two seats are one peer's, an id and its negative; seat 1 signs."""
    own = IDENTITIES[0].id
    ids = (own, own[:-1] + bytes([own[-1] ^ 128]))
    seats = tuple(Seat(id, name, 1) for id, name in zip(ids, NAMES, strict=False))
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    move = table.act(1, table.game.legal(table.state, 1)[0])
    return [MAGIC, charter_record(charter)[len(MAGIC) :], event_record(move)]


OF_READINGS = {
    "names-a-second-version": Scenario(
        names_a_second_version, False, "section 4, check 6: what is named is in the chains, in that version"
    ),
    "proof-again-with-another-signature": Scenario(
        proof_again_with_another_signature,
        True,
        "section 11: byte for byte includes the signature; of one number one proof is held",
        (2,),
        ((1, EQUIVOCATION),),
    ),
    "nine-for-a-step-with-an-agreement-between": Scenario(
        nine_for_a_step_with_an_agreement_between,
        False,
        "section 4, check 8: a ninth event for one step, an EPOCH among them",
    ),
    "nobody-left-to-judge": Scenario(
        nobody_left_to_judge,
        True,
        "section 9: where no judge is left all who play are judges",
        (2,),
        ((2, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "equivocation-of-the-loser": Scenario(
        equivocation_of_the_loser,
        True,
        "section 9: of two the other has won, at END with the points of the game",
        (1,),
        ((2, EQUIVOCATION),),
    ),
    "local-result-of-another-epoch": Scenario(
        local_result_of_another_epoch, True, "section 10: the RESULT is one that `given` finds, of any epoch", (1,)
    ),
    "local-id-and-its-negative": Scenario(
        local_id_and_its_negative, True, "section 3: an id and its negative are one peer, also at a local table"
    ),
}
