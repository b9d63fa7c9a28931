"""Every way to cheat with cards: named by seat, event and kind, the same for all and for who reads the file later."""

from collections.abc import Callable

import pytest
from card_cheats import SECRET, forged
from fast_deck import FAST_DECK
from kinds import expect
from replicas import Circle
from verdicts import caught, result_of, verdict
from whist import (
    Truth,
    dealing_of,
    hands_of,
    honest,
    play_to,
    reach,
    round_secret,
    share,
    whist,
)

from protocol.cards import Dealing
from protocol.cards.deck import DeckScheme
from protocol.cards.shuffle import draw_witness, prove
from protocol.events import SHARE_BYTES, Head, SlotKind, bodies

CARD = 64


def others(circle: Circle, seat: int) -> None:
    """Let all but one seat sign what is due."""
    for table in circle.tables:
        if seat not in table.own.signers:
            for event in circle.owed(table):
                circle.spread(event)


def elsewhere(machine: Dealing, changes: str, seat: int) -> bytes:
    """The context of a key, shuffle or share that differs from that of `seat` in one thing."""
    other = {
        "table": machine._replace(table=bytes(32)),
        "epoch": machine._replace(epoch=machine.epoch + 1),
        "number": machine._replace(number=machine.number + 1),
        "live": machine._replace(live=machine.live[:2]),
        "seat": machine,
    }[changes]
    return other.context(seat % 3 + 1 if changes == "seat" else seat)


PLACES = ("table", "epoch", "number", "live", "seat")


# Keys.


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("cheat", [1, 2])
def test_a_key_without_proof(fast: bool, cheat: int) -> None:
    """Without it a seat could show a key whose secret it does not know, such as one that takes away the others'."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.KEY)
    event = forged(circle, cheat, honest(circle, cheat)._replace(proof=bytes([1]) * 64))
    caught(circle, event, words="without proof that its secret is known")
    if fast:
        Truth(circle).check()


def test_a_key_chosen_by_the_keys_of_the_others() -> None:
    """The last to show its key sees the others' first. Whatever it makes of them, such as one that cancels them, it
    has to know the secret of; a key with a known secret, however late, leaves the joint one as hidden as before."""
    circle = reach(whist(), SlotKind.KEY)
    others(circle, 3)
    keys = [expect(bodies.Key, circle[seat].held.chains[seat - 1][-1].body).public for seat in (1, 2)]
    joint = int.from_bytes(circle.scheme.joint_key(keys), "little")
    against = ((1 - joint) % (2**255 - 19)).to_bytes(32, "little")
    assert int.from_bytes(circle.scheme.joint_key([*keys, against]), "little") == 1, "everybody would know this secret"
    _, proof = circle.scheme.make_key(SECRET, dealing_of(circle, 3).context(3))
    caught(circle, forged(circle, 3, bodies.Key(against, proof)), words="without proof that its secret is known")


def test_a_late_key_of_its_own_is_fine() -> None:
    """A seat may choose another key than its client would, also after it has seen the others'."""
    circle = reach(whist(), SlotKind.KEY)
    others(circle, 3)
    machine = dealing_of(circle, 3)
    forged(circle, 3, bodies.Key(*circle.scheme.make_key(SECRET, machine.context(3))))
    assert circle[1].fold.position.slot.kind == SlotKind.SHUFFLE
    assert circle[1].fold.position.cheats == ()


@pytest.mark.parametrize("changes", PLACES)
def test_a_proof_of_possession_for_another_place(changes: str) -> None:
    """A proof made for another table, epoch, deal, circle of seats or seat proves nothing here."""
    circle = reach(whist(), SlotKind.KEY)
    machine = dealing_of(circle, 2)
    event = forged(circle, 2, bodies.Key(*circle.scheme.make_key(SECRET, elsewhere(machine, changes, 2))))
    caught(circle, event, words="without proof that its secret is known")


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("copier", [1, 2])
def test_the_key_of_another_seat_copied(fast: bool, copier: int) -> None:
    """Key and proof as another seat has just shown them: the proof is that seat's, so only the copier is out."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.KEY)
    others(circle, copier)
    theirs = circle[copier].held.chains[2 - copier][-1]
    assert isinstance(theirs.body, bodies.Key)
    caught(circle, forged(circle, copier, theirs.body), words="without proof that its secret is known")


@pytest.mark.parametrize("fast", [True, False])
def test_two_seats_with_one_key(fast: bool) -> None:
    """Both know its secret and prove it; together they would open what each of them alone must not. The second is out,
    and no honest seat with it."""
    circle = reach(whist(3, fast=fast), SlotKind.KEY)
    machine = dealing_of(circle, 1)
    events = [circle.forge(seat, bodies.Key(*circle.scheme.make_key(SECRET, machine.context(seat)))) for seat in (1, 3)]
    for event in events:
        circle.spread(event)
    for event in circle.owed(circle[2]):
        circle.spread(event)
    assert [cheat.event for cheat in circle[2].fold.position.cheats] == [events[1].hash]
    assert circle[2].fold.position.live == (1, 2)


def test_a_part_that_does_not_name_what_lies_behind_is_owed_still() -> None:
    """A seat that pretends not to have seen the roll before has given nothing; a key that names it counts."""
    circle = reach(whist(), SlotKind.KEY)
    chains = circle[3].held.chains
    committed = [Head(1, chain[0].hash) for chain in chains[:2]]
    others(circle, 3)
    event = forged(circle, 3, honest(circle, 3), heads=(*committed, circle[3].held.heads[2]))
    assert circle[1].held.chains[2][-1] == event
    assert circle[1].fold.owing() == (3,)
    circle.spread(circle.forge(3, honest(circle, 3)))
    assert circle[1].fold.position.slot.kind == SlotKind.SHUFFLE
    assert verdict(circle).cheats == ()


def replayed(circle: Circle, kind: SlotKind) -> bodies.Key | bodies.Shuffle:
    """What seat 2 gave to a slot of the first deal; that of the second deal is open, and waits for seat 2."""
    reach(circle, kind, seat=2 if kind == SlotKind.SHUFFLE else 0)
    before: bodies.Key | bodies.Shuffle = honest(circle, 2)
    play_to(circle, 29)
    seat = circle.mover
    (last,) = circle[seat].game.legal(circle[seat].own.view(seat), seat)
    circle.spread(circle[seat].own.play(seat, last))
    reach(circle, kind, seat=2 if kind == SlotKind.SHUFFLE else 0)
    assert dealing_of(circle, 2).number == 1
    return before


def test_a_key_replayed_from_an_earlier_deal() -> None:
    """The key of the round before, of which the secret may be forgotten or known: its proof names the deal."""
    circle = whist()
    before = replayed(circle, SlotKind.KEY)
    caught(circle, forged(circle, 2, before), words="without proof that its secret is known")


# Shuffles.


def swapped(deck: bytes) -> bytes:
    return deck[CARD : 2 * CARD] + deck[:CARD] + deck[2 * CARD :]


LIES: dict[str, Callable[[bytes, Dealing, DeckScheme], bytes]] = {
    "altered": lambda deck, machine, scheme: scheme.first_deck(len(deck) // CARD, machine.keys[0])[:CARD] + deck[CARD:],
    "doubled": lambda deck, machine, scheme: deck[:CARD] * 2 + deck[2 * CARD :],
    "dropped": lambda deck, machine, scheme: deck[CARD:],
    "added": lambda deck, machine, scheme: deck + deck[:CARD],
    "no points": lambda deck, machine, scheme: bytes(len(deck)),
    "empty": lambda deck, machine, scheme: b"",
}


def shuffling(circle: Circle, seat: int) -> Dealing:
    """A table where this seat is to shuffle."""
    return dealing_of(reach(circle, SlotKind.SHUFFLE, seat=seat), seat)


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("cheat", [1, 3])
def test_another_deck_with_a_proof_that_looks_right(lie: str, cheat: int) -> None:
    """The proof has the right size and is bound to deck, seat and deal; but what it says is not true."""
    circle = whist()
    machine = shuffling(circle, cheat)
    deck, _ = honest(circle, cheat)
    lied = LIES[lie](deck, machine, circle.scheme)
    joint, context = circle.scheme.joint_key(machine.keys), machine.context(cheat)
    proof = FAST_DECK.honest_looking(machine.deck, lied, joint, context)
    caught(circle, forged(circle, cheat, bodies.Shuffle(lied, proof)), words="a shuffle that its proof does not prove")
    Truth(circle).check()


@pytest.mark.parametrize("lie", ["altered", "doubled", "swapped"])
def test_another_deck_with_a_real_proof(lie: str) -> None:
    """The real prover is run on a deck that holds other cards, or the right ones in another order than it says."""
    circle = whist(2, fast=False)
    machine = shuffling(circle, 1)
    deck, proof = honest(circle, 1)
    lied = swapped(deck) if lie == "swapped" else LIES[lie](deck, machine, circle.scheme)
    joint, context = joint_and_context(circle, machine, 1)
    secret = round_secret(circle, machine, 1)
    witness = draw_witness(secret, machine.deck, joint, context)
    assert prove(secret, machine.deck, deck, joint, context, witness) == proof
    proof = prove(secret, machine.deck, lied, joint, context, witness)
    caught(circle, forged(circle, 1, bodies.Shuffle(lied, proof)), words="a shuffle that its proof does not prove")


def joint_and_context(circle: Circle, machine: Dealing, seat: int) -> tuple[bytes, ...]:
    return circle.scheme.joint_key(machine.keys), machine.context(seat)


@pytest.mark.parametrize("changes", [*PLACES, "key", "deck"])
def test_a_shuffle_proven_for_another_place(changes: str) -> None:
    """An honest shuffle of another table, epoch, deal, circle of seats, seat, key or deck is none here."""
    circle = whist()
    machine = shuffling(circle, 2)
    joint, context = joint_and_context(circle, machine, 2)
    deck = machine.deck
    if changes == "key":
        joint = machine.keys[0]
    elif changes == "deck":
        deck = swapped(deck)
    else:
        context = elsewhere(machine, changes, 2)
    body = circle.scheme.shuffle(SECRET, deck, joint, context)
    caught(circle, forged(circle, 2, bodies.Shuffle(*body)), words="a shuffle that its proof does not prove")


def test_a_shuffle_replayed_from_an_earlier_deal() -> None:
    """The bytes of the round before, for which the cheat knows where every card lies."""
    circle = whist()
    before = replayed(circle, SlotKind.SHUFFLE)
    caught(circle, forged(circle, 2, before), words="a shuffle that its proof does not prove")


def test_only_the_seat_to_shuffle_is_heard() -> None:
    """A shuffle out of turn, or a second one, changes nothing; the one that is due still counts."""
    circle = whist()
    machine = shuffling(circle, 1)
    body = circle.scheme.shuffle(SECRET, machine.deck, *joint_and_context(circle, machine, 3))
    forged(circle, 3, bodies.Shuffle(*body))
    assert circle[1].fold.owing() == (1,)
    circle.step()
    at = circle[1].fold.position
    forged(circle, 1, bodies.Shuffle(*body))
    assert circle[2].fold.position == at
    circle.settle()
    assert verdict(circle).cheats == ()
    Truth(circle).check()


# Shares.


def bundle(circle: Circle, seat: int) -> list[bytes]:
    """The shares that the client of a seat would give."""
    (shares,) = honest(circle, seat)
    return [shares[at : at + SHARE_BYTES] for at in range(0, len(shares), SHARE_BYTES)]


@pytest.mark.many
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("at", [0, -1])
def test_a_wrong_share(fast: bool, at: int) -> None:
    """One share made with another key: its cards would open as others, or not at all."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.SHARE)
    shares = bundle(circle, 2)
    machine = dealing_of(circle, 2)
    position = machine.foreign(2)[at]
    shares[at] = circle.scheme.make_share(SECRET, machine.deck, position, machine.context(2))
    others(circle, 2)
    event = forged(circle, 2, bodies.Shares(b"".join(shares)))
    caught(circle, event, words=f"a wrong share for position {position + 1} of the deck")


@pytest.mark.parametrize("fast", [True, False])
def test_a_share_for_another_position(fast: bool) -> None:
    """Two good shares in each other's place."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.SHARE)
    shares = bundle(circle, 1)
    shares[3], shares[4] = shares[4], shares[3]
    at = dealing_of(circle, 1).foreign(1)[3]
    caught(circle, forged(circle, 1, bodies.Shares(b"".join(shares))), words=f"a wrong share for position {at + 1}")


@pytest.mark.parametrize("changes", ["none", "few", "many"])
def test_another_number_of_shares(changes: str) -> None:
    """Withheld shares would leave holes in a hand; one too many would open a card of its own, or of the stock."""
    circle = reach(whist(), SlotKind.SHARE)
    shares = bundle(circle, 3)
    whole = b"".join(shares)
    body = {"none": b"", "few": whole[:-SHARE_BYTES], "many": whole + shares[0]}[changes]
    caught(circle, forged(circle, 3, bodies.Shares(body)), words="too few or too many shares")


@pytest.mark.parametrize("changes", PLACES)
def test_shares_for_another_place(changes: str) -> None:
    """Good shares of this very deck, proven for another table, epoch, deal, circle of seats or seat."""
    circle = reach(whist(), SlotKind.SHARE)
    machine = dealing_of(circle, 1)
    secret, context = round_secret(circle, machine, 1), elsewhere(machine, changes, 1)
    shares = [circle.scheme.make_share(secret, machine.deck, at, context) for at in machine.foreign(1)]
    caught(circle, forged(circle, 1, bodies.Shares(b"".join(shares))), words="a wrong share for position")


def test_the_shares_of_another_seat_copied() -> None:
    """Each seat's shares are of other cards, and bound to that seat."""
    circle = reach(whist(), SlotKind.SHARE)
    others(circle, 3)
    caught(circle, forged(circle, 3, circle[1].held.chains[0][-1].body), words="a wrong share for position")


def test_shares_of_an_older_deck() -> None:
    """Good shares for the deck before the last shuffle, under the name of the last."""
    circle = whist()
    older = shuffling(circle, 3).deck
    reach(circle, SlotKind.SHARE)
    machine = dealing_of(circle, 1)
    secret = round_secret(circle, machine, 1)
    shares = [circle.scheme.make_share(secret, older, at, machine.context(1)) for at in machine.foreign(1)]
    caught(circle, forged(circle, 1, bodies.Shares(b"".join(shares))), words="a wrong share for position")


def test_two_cheats_in_one_step() -> None:
    """Both are on record, and both are out."""
    circle = reach(whist(), SlotKind.SHARE)
    events = [circle.forge(seat, bodies.Shares(b"")) for seat in (1, 2)]
    for event in events:
        circle.spread(event)
    report = caught(circle, *events, words="too few or too many shares")
    assert result_of(report).winners == (3,)


def test_shares_that_are_not_due_have_no_effect() -> None:
    """Too early, twice, or in the middle of a round: nobody uses them, and what is due still is."""
    circle = whist()
    shuffling(circle, 1)
    position = circle[2].fold.position
    forged(circle, 2, bodies.Shares(b""))
    assert circle[2].fold.position == position
    circle.settle()
    position = circle[1].fold.position
    owners = hands_of(circle).dealing.deal.owners
    own = [share(circle, 1, at) for at, owner in enumerate(owners) if owner in (0, 1)]
    forged(circle, 1, bodies.Shares(b"".join(own)))
    assert circle[2].fold.position == position
    assert circle[2].own.view(2).hands[0] == 0
    assert verdict(circle).cheats == ()
    Truth(circle).check()
