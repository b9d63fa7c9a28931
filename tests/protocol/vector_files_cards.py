"""The saved games of the test vectors that show one rule of dealing and of playing cards each: a few lines each."""

from vector_files_good import dealt, hand, plays
from vector_tables import BREACH, REVOKE, Circle, Records, Scenario

from protocol import SlotKind
from protocol.cards import Dealing
from protocol.cards.deck import MASKED_DECK
from protocol.cards.group import BASE, ORDER, challenge, encode_scalars, multiply
from protocol.events import bodies


def flipped(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


# The deal: what a seat gives to one slot is wrong, and the others give theirs.


def dealing(kind: SlotKind, seat: int) -> tuple[Circle, bodies.Key | bodies.Shuffle | bodies.Shares]:
    """A table where a deal waits for this kind of part, and the right part of a seat."""
    circle = Circle("celtic-whist", 2, first=1).to(kind)
    machine, secrets = circle.listener.fold.position.machine, circle.clients[seat].own.secrets
    assert isinstance(machine, Dealing)
    assert secrets
    part = machine.part(seat, secrets, MASKED_DECK)
    assert part
    return circle, part


def key_without_proof() -> Records:
    circle, part = dealing(SlotKind.KEY, 2)
    assert isinstance(part, bodies.Key)
    circle.say(2, part._replace(proof=flipped(part.proof)))
    return circle.settle().records


def key_of_a_wrong_one() -> Records:
    """Seat 1 shows the key of seat 2, without its proof, and seat 2 its own: that one is no repetition."""
    circle, part = dealing(SlotKind.KEY, 2)
    assert isinstance(part, bodies.Key)
    circle.say(1, part._replace(proof=flipped(part.proof)))
    circle.say(2, part)
    return circle.records


def keys_that_cancel_out() -> Records:
    """The key of seat 2 is the negative of that of seat 1, and proven."""
    circle = Circle("celtic-whist", 2, first=1).to(SlotKind.KEY)
    machine, position = circle.listener.fold.position.machine, circle.listener.fold.position
    assert isinstance(machine, Dealing)
    secret = 7
    for seat, own in ((1, secret), (2, ORDER - secret)):
        public, announced, context = multiply(own, BASE), multiply(secret + 4, BASE), machine.context(seat)
        said = challenge("sh/key-challenge/1", context, public, announced)
        proof = encode_scalars([said, secret + 4 + said * own])
        circle.say(seat, bodies.Key(public, proof), slot=position.slot, digest=position.digest)
    return circle.records


def shuffle_too_short() -> Records:
    """A shuffled deck without its last card."""
    circle, part = dealing(SlotKind.SHUFFLE, 1)
    assert isinstance(part, bodies.Shuffle)
    circle.say(1, part._replace(deck=part.deck[:-64]))
    return circle.settle().records


def shares_one_short() -> Records:
    circle, part = dealing(SlotKind.SHARE, 2)
    assert isinstance(part, bodies.Shares)
    circle.say(2, bodies.Shares(part.shares[:-96]))
    return circle.settle().records


def shares_one_wrong() -> Records:
    circle, part = dealing(SlotKind.SHARE, 2)
    assert isinstance(part, bodies.Shares)
    circle.say(2, bodies.Shares(flipped(part.shares)))
    return circle.settle().records


def commitments_end_with_a_breach() -> Records:
    """Commitments for the next roll stand while a deal waits for keys; that of seat 3 is none, and the roll is anew."""
    circle = Circle("celtic-whist", 3, first=1).to(SlotKind.KEY)
    circle.say(3, bodies.Key(bytes(32), bytes(64)))
    return circle.to(SlotKind.COMMIT).to(SlotKind.REVEAL).records


def commitments_end_with_an_epoch() -> Records:
    """The same, but seat 3 is left behind."""
    circle = Circle("celtic-whist", 3, first=1).to(SlotKind.KEY)
    return circle.without(1, [3], [1, 2]).to(SlotKind.REVEAL).records


# The play: seat 2 has a card to play, and plays it wrongly.


def to_play() -> tuple[Circle, bodies.Play]:
    """A round in which seat 2 has played a card and is to play again, and how it would play its next one."""
    circle = dealt()
    while circle.mover != 2 or not any(one.seat == 2 for one in plays(circle)):
        circle.play(1)
    hands, own, secrets = hand(circle, 2)
    lawful = circle.clients[2].game.legal(circle.clients[2].own.view(2), 2)
    card = next(card for card in own.values() if card in lawful)
    body = hands.play(2, card, own, secrets, MASKED_DECK)
    assert body
    return circle, body


def owners(circle: Circle) -> tuple[int, ...]:
    hands = circle.listener.fold.position.hands
    assert hands
    return tuple(hands.dealing.deal.owners)


def play_of_another_seats_card() -> Records:
    circle, body = to_play()
    circle.say(2, body._replace(position=owners(circle).index(1)))
    return circle.records


def play_of_a_face_down_card() -> Records:
    circle, body = to_play()
    circle.say(2, body._replace(position=owners(circle).index(0)))
    return circle.records


def play_of_a_played_card() -> Records:
    """The place in the deck is that of the seat's card before."""
    circle, body = to_play()
    last = [one.body.position for one in plays(circle) if one.seat == 2 and isinstance(one.body, bodies.Play)][-1]
    circle.say(2, body._replace(position=last))
    return circle.records


def play_with_a_wrong_share() -> Records:
    circle, body = to_play()
    circle.say(2, body._replace(share=flipped(body.share, 40)))
    return circle.records


def a_card_as_a_move() -> Records:
    circle, body = to_play()
    circle.say(2, bodies.Move(body.card))
    return circle.records


# The audit: seat 2 has resigned within the round, and seat 1 has won.


def broken_off() -> tuple[Circle, bytes]:
    """A round that seat 2 has broken off, and the shares of the cards that seat 1 still held."""
    circle = dealt()
    while len(plays(circle)) < 6:
        circle.play(1)
    hands, _, secrets = hand(circle, 1)
    circle.spread(circle.clients[2].own.resign(2))
    circle.say(circle.mover, bodies.Sequence())
    return circle, hands.show(1, secrets, MASKED_DECK)


def audit_of_no_shares() -> Records:
    circle, _ = broken_off()
    circle.say(1, bodies.Result(b""))
    return circle.records


def audit_one_share_short() -> Records:
    circle, shares = broken_off()
    circle.say(1, bodies.Result(shares[:-96]))
    return circle.records


def audit_of_a_wrong_share() -> Records:
    circle, shares = broken_off()
    circle.say(1, bodies.Result(flipped(shares)))
    return circle.records


def audit_of_a_loser() -> Records:
    """Seat 2, which has resigned and lost, signs a RESULT with a share that is none."""
    circle, shares = broken_off()
    circle.say(1, bodies.Result(shares))
    circle.say(2, bodies.Result(bytes(96)))
    return circle.records


def audit_of_no_card_played() -> Records:
    """Seat 2 has resigned before the first card: a share that is none is not looked at."""
    circle = Circle("celtic-whist", 2, first=1).settle()
    return resigned_at_once(circle, 2)


def audit_after_two_resignations() -> Records:
    """Seats 2 and 3 resign in one round: its hands stay closed, and a share that is none is not looked at."""
    circle = Circle("celtic-whist", 3, first=1).settle()
    while len(plays(circle)) < 3:
        circle.play(1)
    return resigned_at_once(circle, 2, 3)


def resigned_at_once(circle: Circle, *seats: int) -> Records:
    """These seats resign, one SEQUENCE places that, and seat 1 has won and gives a share that is none."""
    for seat in seats:
        circle.say(seat, bodies.Resign())
    circle.say(circle.mover, bodies.Sequence())
    circle.say(1, bodies.Result(bytes(96)))
    return circle.records


BY_2, BY_1 = ((2, BREACH),), ((1, BREACH),)
OF_CARDS = {
    "key-without-proof": Scenario(key_without_proof, True, "section 7: the proof of a key fails", (1,), BY_2),
    "key-of-a-wrong-one": Scenario(
        key_of_a_wrong_one, True, "section 7: the key of an earlier seat whose own key was wrong is none", (2,), BY_1
    ),
    "keys-that-cancel-out": Scenario(
        keys_that_cancel_out, True, "section 7: keys that cancel out are a breach of the last seat", (1,), BY_2
    ),
    "shuffle-too-short": Scenario(shuffle_too_short, True, "section 7: a SHUFFLE of another length", (2,), BY_1),
    "shares-one-short": Scenario(shares_one_short, True, "section 7: another number of SHARES", (1,), BY_2),
    "shares-one-wrong": Scenario(shares_one_wrong, True, "section 7: the proof of one of the SHARES fails", (1,), BY_2),
    "commitments-end-with-a-breach": Scenario(
        commitments_end_with_a_breach, True, "section 7: a breach in a deal ends all commitments", None, ((3, BREACH),)
    ),
    "commitments-end-with-an-epoch": Scenario(
        commitments_end_with_an_epoch, True, "section 7: an epoch in which a seat leaves ends all commitments"
    ),
    "play-of-another-seats-card": Scenario(
        play_of_another_seats_card, True, "section 7: PLAY of a position of another seat", (1,), BY_2
    ),
    "play-of-a-face-down-card": Scenario(
        play_of_a_face_down_card, True, "section 7: PLAY of a position of no seat", (1,), BY_2
    ),
    "play-of-a-played-card": Scenario(
        play_of_a_played_card, True, "section 7: PLAY of a position that was played", (1,), BY_2
    ),
    "play-with-a-wrong-share": Scenario(
        play_with_a_wrong_share, True, "section 7: PLAY with a share whose proof fails", (1,), BY_2
    ),
    "a-card-as-a-move": Scenario(a_card_as_a_move, True, "section 6: a MOVE whose text is a card", (1,), BY_2),
    "audit-of-no-shares": Scenario(audit_of_no_shares, True, "section 7: no shares at all are no breach", (1,)),
    "audit-one-share-short": Scenario(
        audit_one_share_short, True, "section 7: the audit finds another number of shares", (1,), ((1, REVOKE),)
    ),
    "audit-of-a-wrong-share": Scenario(
        audit_of_a_wrong_share, True, "section 7: the audit finds a share whose proof fails", (1,), ((1, REVOKE),)
    ),
    "audit-of-no-card-played": Scenario(
        audit_of_no_card_played, True, "section 7: no audit where none of the cards had been played", (1,)
    ),
    "audit-after-two-resignations": Scenario(
        audit_after_two_resignations, True, "section 7: no audit where another seat had resigned since the deal", (1,)
    ),
    "audit-of-a-loser": Scenario(audit_of_a_loser, True, "section 7: winners alone are audited", (1,)),
}
"""Files that a verifier without the proofs of docs/cards.md cannot judge."""
