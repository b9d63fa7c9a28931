"""Every way to cheat with cards: named by seat, event and kind, the same for all and for who reads the file later."""

from collections.abc import Callable
from typing import Any

import pytest
from fast_deck import FAST_DECK
from kinds import expect
from replicas import Circle, circle_of
from verdicts import caught, result_of, verdict
from whist import (
    Truth,
    dealing_of,
    dealt,
    hands_of,
    honest,
    own_cards,
    play_to,
    reach,
    revoke,
    round_secret,
    share,
    whist,
)

from protocol import FoundCheat, Head, PeerFaultError, Secrets, SignedEvent
from protocol.cards import Dealing, Hands
from protocol.cards.deck import DeckScheme
from protocol.cards.shuffle import draw_witness, prove
from protocol.events import SHARE_BYTES, Body, Key, Move, Play, Shares, Shuffle, SlotKind

CARD = 64
SECRET = b"another secret".ljust(32)


def forged(circle: Circle, seat: int, body: Body, **changes: Any) -> SignedEvent:
    """An event that a seat signs against its client, heard by all; the others go on."""
    event = circle.forge(seat, body, **changes)
    circle.spread(event)
    return event


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
    keys = [expect(Key, circle[seat].held.chains[seat - 1][-1].body).public for seat in (1, 2)]
    joint = int.from_bytes(circle.scheme.joint_key(keys), "little")
    against = ((1 - joint) % (2**255 - 19)).to_bytes(32, "little")
    assert int.from_bytes(circle.scheme.joint_key([*keys, against]), "little") == 1, "everybody would know this secret"
    _, proof = circle.scheme.make_key(SECRET, dealing_of(circle, 3).context(3))
    caught(circle, forged(circle, 3, Key(against, proof)), words="without proof that its secret is known")


def test_a_late_key_of_its_own_is_fine() -> None:
    """A seat may choose another key than its client would, also after it has seen the others'."""
    circle = reach(whist(), SlotKind.KEY)
    others(circle, 3)
    machine = dealing_of(circle, 3)
    forged(circle, 3, Key(*circle.scheme.make_key(SECRET, machine.context(3))))
    assert circle[1].fold.position.slot.kind == SlotKind.SHUFFLE
    assert circle[1].fold.position.cheats == ()


@pytest.mark.parametrize("changes", PLACES)
def test_a_proof_of_possession_for_another_place(changes: str) -> None:
    """A proof made for another table, epoch, deal, circle of seats or seat proves nothing here."""
    circle = reach(whist(), SlotKind.KEY)
    machine = dealing_of(circle, 2)
    event = forged(circle, 2, Key(*circle.scheme.make_key(SECRET, elsewhere(machine, changes, 2))))
    caught(circle, event, words="without proof that its secret is known")


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("copier", [1, 2])
def test_the_key_of_another_seat_copied(fast: bool, copier: int) -> None:
    """Key and proof as another seat has just shown them: the proof is that seat's, so only the copier is out."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.KEY)
    others(circle, copier)
    theirs = circle[copier].held.chains[2 - copier][-1]
    assert isinstance(theirs.body, Key)
    caught(circle, forged(circle, copier, theirs.body), words="without proof that its secret is known")


@pytest.mark.parametrize("fast", [True, False])
def test_two_seats_with_one_key(fast: bool) -> None:
    """Both know its secret and prove it; together they would open what each of them alone must not. The second is out,
    and no honest seat with it."""
    circle = reach(whist(3, fast=fast), SlotKind.KEY)
    machine = dealing_of(circle, 1)
    events = [circle.forge(seat, Key(*circle.scheme.make_key(SECRET, machine.context(seat)))) for seat in (1, 3)]
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


def replayed(circle: Circle, kind: SlotKind) -> Key | Shuffle:
    """What seat 2 gave to a slot of the first deal; that of the second deal is open, and waits for seat 2."""
    reach(circle, kind, seat=2 if kind == SlotKind.SHUFFLE else 0)
    before: Key | Shuffle = honest(circle, 2)
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
    caught(circle, forged(circle, cheat, Shuffle(lied, proof)), words="a shuffle that its proof does not prove")
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
    caught(circle, forged(circle, 1, Shuffle(lied, proof)), words="a shuffle that its proof does not prove")


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
    caught(circle, forged(circle, 2, Shuffle(*body)), words="a shuffle that its proof does not prove")


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
    forged(circle, 3, Shuffle(*body))
    assert circle[1].fold.owing() == (1,)
    circle.step()
    at = circle[1].fold.position
    forged(circle, 1, Shuffle(*body))
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
    event = forged(circle, 2, Shares(b"".join(shares)))
    caught(circle, event, words=f"a wrong share for position {position + 1} of the deck")


@pytest.mark.parametrize("fast", [True, False])
def test_a_share_for_another_position(fast: bool) -> None:
    """Two good shares in each other's place."""
    circle = reach(whist(3 if fast else 2, fast=fast), SlotKind.SHARE)
    shares = bundle(circle, 1)
    shares[3], shares[4] = shares[4], shares[3]
    at = dealing_of(circle, 1).foreign(1)[3]
    caught(circle, forged(circle, 1, Shares(b"".join(shares))), words=f"a wrong share for position {at + 1}")


@pytest.mark.parametrize("changes", ["none", "few", "many"])
def test_another_number_of_shares(changes: str) -> None:
    """Withheld shares would leave holes in a hand; one too many would open a card of its own, or of the stock."""
    circle = reach(whist(), SlotKind.SHARE)
    shares = bundle(circle, 3)
    whole = b"".join(shares)
    body = {"none": b"", "few": whole[:-SHARE_BYTES], "many": whole + shares[0]}[changes]
    caught(circle, forged(circle, 3, Shares(body)), words="too few or too many shares")


@pytest.mark.parametrize("changes", PLACES)
def test_shares_for_another_place(changes: str) -> None:
    """Good shares of this very deck, proven for another table, epoch, deal, circle of seats or seat."""
    circle = reach(whist(), SlotKind.SHARE)
    machine = dealing_of(circle, 1)
    secret, context = round_secret(circle, machine, 1), elsewhere(machine, changes, 1)
    shares = [circle.scheme.make_share(secret, machine.deck, at, context) for at in machine.foreign(1)]
    caught(circle, forged(circle, 1, Shares(b"".join(shares))), words="a wrong share for position")


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
    caught(circle, forged(circle, 1, Shares(b"".join(shares))), words="a wrong share for position")


def test_two_cheats_in_one_step() -> None:
    """Both are on record, and both are out."""
    circle = reach(whist(), SlotKind.SHARE)
    events = [circle.forge(seat, Shares(b"")) for seat in (1, 2)]
    for event in events:
        circle.spread(event)
    report = caught(circle, *events, words="too few or too many shares")
    assert result_of(report).winners == (3,)


def test_shares_that_are_not_due_have_no_effect() -> None:
    """Too early, twice, or in the middle of a round: nobody uses them, and what is due still is."""
    circle = whist()
    shuffling(circle, 1)
    position = circle[2].fold.position
    forged(circle, 2, Shares(b""))
    assert circle[2].fold.position == position
    circle.settle()
    position = circle[1].fold.position
    owners = hands_of(circle).dealing.deal.owners
    own = [share(circle, 1, at) for at, owner in enumerate(owners) if owner in (0, 1)]
    forged(circle, 1, Shares(b"".join(own)))
    assert circle[2].fold.position == position
    assert circle[2].own.view(2).hands[0] == 0
    assert verdict(circle).cheats == ()
    Truth(circle).check()


# Playing.


def turn(cards: int = 0, *, seats: int = 3, fast: bool = True) -> tuple[Circle, int, Hands, dict[int, str]]:
    """A table where a seat is to play a card: the table, the seat, the deal, the cards of the seat by position."""
    circle = play_to(whist(seats, fast=fast), cards)
    seat = circle.mover
    return circle, seat, hands_of(circle), own_cards(circle, seat)


def test_a_card_dealt_to_another_seat() -> None:
    """Its position belongs to somebody else, whatever is played."""
    circle, seat, hands, _ = turn()
    theirs = next(at for at, owner in enumerate(hands.dealing.deal.owners) if owner not in (0, seat))
    card = dealt(circle, hands)[theirs]
    event = forged(circle, seat, Play(card, theirs, share(circle, seat, theirs)))
    caught(circle, event, words="a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_a_card_of_the_stock(fast: bool) -> None:
    """An undealt position, with a card that nobody has seen."""
    circle, seat, hands, own = turn(seats=3 if fast else 2, fast=fast)
    at = hands.dealing.deal.owners.index(0)
    event = forged(circle, seat, Play(next(iter(own.values())), at, share(circle, seat, at)))
    caught(circle, event, words="a card that was not dealt to it")


@pytest.mark.parametrize("at", [31, 255])
def test_a_position_that_the_deck_does_not_have(at: int) -> None:
    circle, seat, _, own = turn()
    event = forged(circle, seat, Play(next(iter(own.values())), at, bytes(SHARE_BYTES)))
    caught(circle, event, words="a card that was not dealt to it")


def played_before() -> tuple[Any, ...]:
    """A table where the seat to play has one card on the table already."""
    circle, seat, hands, own = turn(3)
    mine = next(event for event in hands.plays if event.seat == seat)
    return circle, seat, hands, own, mine


def test_a_card_played_already() -> None:
    circle, seat, _, _, mine = played_before()
    caught(circle, forged(circle, seat, mine.body), words=f"{mine.body.card} has been played already")


def test_a_position_played_already() -> None:
    """One that lies open on the table, named as another card."""
    circle, seat, hands, own, mine = played_before()
    card = next(card for at, card in own.items() if at not in hands.opened)
    caught(circle, forged(circle, seat, Play(card, *mine.body[1:])), words="a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_another_card_than_the_share_opens(fast: bool) -> None:
    """It names a better card than it has."""
    circle, seat, _, own = turn(seats=3 if fast else 2, fast=fast)
    (at, _), (_, named) = list(own.items())[:2]
    event = forged(circle, seat, Play(named, at, share(circle, seat, at)))
    caught(circle, event, words="another card than the one dealt to it")


def test_a_card_of_another_seat_named() -> None:
    """The card that a better hand has, at a position of its own."""
    circle, seat, hands, own = turn()
    at = next(iter(own))
    theirs = next(card for place, card in dealt(circle, hands).items() if place not in own)
    caught(
        circle, forged(circle, seat, Play(theirs, at, share(circle, seat, at))), words="another card than the one dealt"
    )


def test_a_card_without_its_share() -> None:
    circle, seat, _, own = turn()
    caught(circle, forged(circle, seat, Move(next(iter(own.values())))), words="a card without its share")


@pytest.mark.many
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("kind", ["another key", "another position", "another seat's", "nothing"])
def test_a_wrong_share_of_the_own_card(fast: bool, kind: str) -> None:
    """With a share of its choice it could make any card of any position."""
    circle, seat, hands, own = turn(seats=3 if fast else 2, fast=fast)
    (at, card), (other, _) = list(own.items())[:2]
    dealing = hands.dealing
    wrong = {
        "another key": circle.scheme.make_share(SECRET, dealing.deck, at, dealing.context(seat)),
        "another position": share(circle, seat, other),
        "another seat's": hands._others(at)[0],
        "nothing": bytes(SHARE_BYTES),
    }[kind]
    caught(circle, forged(circle, seat, Play(card, at, wrong)), words="a wrong share of its own card")


@pytest.mark.parametrize("size", [0, SHARE_BYTES - 1, SHARE_BYTES + 1])
def test_a_share_of_another_size_is_no_event(size: int) -> None:
    """It is not a move at all: dropped before anything is looked at, and the seat still has to move."""
    circle, seat, _, own = turn()
    at, card = next(iter(own.items()))
    event = circle.forge(seat, Play(card, at, bytes(size)))
    with pytest.raises(PeerFaultError, match="malformed"):
        circle[seat % 3 + 1].receive(event.raw, event.signature)
    assert circle[seat % 3 + 1].fold.owing() == (seat,)


def test_a_share_where_no_card_is_played() -> None:
    """A bid takes no share: a second spelling of a move would be a second digest of the same game."""
    circle = whist()
    circle.settle()
    seat = circle.mover
    at = next(iter(own_cards(circle, seat)))
    event = forged(circle, seat, Play("bid 3", at, share(circle, seat, at)))
    caught(circle, event, words="a share where no card is played")


def test_a_share_in_a_game_without_cards() -> None:
    circle = circle_of("fidchess", first=1)
    legal = circle[1].game.legal(circle[1].state, 1)[0]
    caught(circle, forged(circle, 1, Play(legal, 0, bytes(SHARE_BYTES))), words="a share where no card is dealt")


def test_a_card_before_the_bids_are_made() -> None:
    circle = whist()
    circle.settle()
    seat = circle.mover
    at, card = next(iter(own_cards(circle, seat).items()))
    event = forged(circle, seat, Play(card, at, share(circle, seat, at)))
    caught(circle, event, words="an unlawful move: First everybody bids")


# Revokes.


def revoked(seats: int, cheat: int) -> tuple[Circle, list[tuple[SignedEvent, int]]]:
    """Play a round in which one seat never follows suit if it can help it; return the plays that were revokes."""
    circle = play_to(whist(seats), 0)
    owners = hands_of(circle).dealing.deal.owners
    cards = len(owners) - owners.count(0)
    guilty = revoke(circle, cheat, cards - 1)
    assert circle[1].fold.position.cheats == (), "nobody can know before the last card"
    return circle, guilty + revoke(circle, cheat, cards)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_revoke_is_found_when_the_last_card_falls(seats: int) -> None:
    """Each is named with trick and card, by the very event; who revoked is out, and the round does not
    count."""
    cheat = 2
    circle, guilty = revoked(seats, cheat)
    assert guilty
    report = verdict(circle)
    assert {*report.cheats} == {
        FoundCheat(cheat, event.number, "breach", f"a revoke: {expect(Play, event.body).card} in trick {trick}")
        for event, trick in guilty
    }
    assert {cheat.event for cheat in circle[1].fold.position.cheats} == {event.hash for event, _ in guilty}
    if seats == 2:
        assert result_of(report)[::2] == ((1,), "a revoke")
    else:
        assert circle[1].fold.position.live == tuple(seat for seat in range(1, seats + 1) if seat != cheat)
        assert circle[1].state.standing.totals == (0,) * seats
        Truth(circle).check()
    assert not any("not audited" in line for line in report.lines)


def test_a_revoke_in_an_abandoned_round_costs_nothing() -> None:
    """Nobody can say who revoked where hands stay closed."""
    circle = play_to(whist(), 4)
    circle.spread(circle[3].own.resign(3))
    assert verdict(circle).cheats == ()


def test_no_revoke_is_told_where_everybody_followed() -> None:
    """The last card of a round in which nobody could be accused."""
    circle = play_to(whist(), 29)
    seat = circle.mover
    table = circle[seat]
    view = table.own.view(seat)
    (last,) = table.game.legal(view, seat)
    assert table.game.revokes(view, seat, last) == ()
    circle.spread(table.own.play(seat, last))
    assert verdict(circle).cheats == ()


def test_another_clients_secrets_are_another_hand() -> None:
    """Who starts again with secrets that are not its own cannot play its hand, nor another's."""
    circle, seat, hands, own = turn()
    assert hands.own(seat, Secrets.from_seed(b"x"), circle.scheme) == {}
    assert own
