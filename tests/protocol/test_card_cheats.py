"""Every way to cheat with cards: who is caught, by which event, the same for all and for who reads the file later."""

import pytest
from protocol._event import (
    KEY,
    KEYING,
    MOVE,
    PLEDGE,
    PLEDGING,
    SHARE_BYTES,
    SHARES,
    SHARING,
    SHUFFLE,
    SHUFFLING,
)
from replicas import Circle, charter_of
from whist import Truth, caught, dealt, play_to, reach, revoke, share, verdict, whist

from engine import blake, encode
from protocol import Secrets
from protocol.cards.shuffle import draw_witness, prove

CARD = 64
SECRET = b"another secret".ljust(32)


def forged(circle, seat, kind, body, **changes):
    """An event that a seat signs against its client, heard by all; the others go on."""
    event = circle.forge(seat, kind, body, **changes)
    circle.spread(event)
    return event


def honest(circle, seat):
    """What the client of a seat would sign now."""
    machine = circle[seat].fold.position.machine
    return machine.contribute(seat, circle[seat].secrets, circle.scheme)


def others(circle, seat):
    """Let all but one seat sign what is due."""
    signed = [event for table in circle.tables if seat not in table.signers for event in circle.owed(table)]
    for event in signed:
        circle.spread(event)
    return signed


def after(circle):
    """Those who are left deal anew, and their views are right."""
    truth = Truth(circle)
    truth.check()
    return truth


# Keys.


@pytest.mark.parametrize("cheat", [1, 2, 3])
def test_another_key_than_pledged(cheat):
    """Who waited for the others' keys to choose its own is caught by its pledge."""
    circle = reach(whist(), KEYING)
    others(circle, cheat)
    machine = circle[cheat].fold.position.machine
    body = circle.scheme.make_key(SECRET, machine.context(cheat))
    caught(circle, forged(circle, cheat, KEY, body), "a key other than the one it had pledged")
    after(circle)


def pledged(circle, cheat, make):
    """Let the cheat pledge and then show the key and proof that `make` gives."""
    reach(circle, PLEDGING)
    machine = circle[cheat].fold.position.machine
    public, proof = make(machine)
    pledge = blake("sh/pledge/1", encode((machine.context(cheat), public, proof)))
    forged(circle, cheat, PLEDGE, (pledge,))
    reach(circle, KEYING)
    return forged(circle, cheat, KEY, (public, proof))


@pytest.mark.parametrize("fast", [True, False])
def test_a_key_without_proof(fast):
    """Without it a seat could show a key whose secret it does not know, such as one that takes away the others'."""
    circle = whist(3 if fast else 2, fast=fast)

    def make(machine):
        public, _ = circle.scheme.make_key(SECRET, machine.context(2))
        return public, bytes([1]) * 64

    caught(circle, pledged(circle, 2, make), "without proof that its secret is known")


@pytest.mark.parametrize("changes", ["seat", "number", "slot", "table", "live"])
def test_a_proof_for_another_place(changes):
    """A proof made for another seat, deal, slot, table or circle of seats proves nothing here."""
    circle = whist()

    def make(machine):
        return circle.scheme.make_key(SECRET, elsewhere(machine, changes, 2))

    caught(circle, pledged(circle, 2, make), "without proof that its secret is known")


def elsewhere(machine, changes, seat):
    """A context that differs in one thing."""
    drawing = machine.drawing
    match changes:
        case "seat":
            return machine.context(seat % 3 + 1)
        case "number":
            return machine._replace(number=machine.number + 1).context(seat)
        case "slot":
            drawing = drawing._replace(slot=drawing.slot._replace(step=drawing.slot.step + 1))
        case "table":
            drawing = drawing._replace(table=bytes(32))
        case "live":
            drawing = drawing._replace(live=drawing.live[:2])
    return machine._replace(drawing=drawing).context(seat)


@pytest.mark.parametrize("fast", [True, False])
def test_the_key_of_another_seat(fast):
    """It would have to be pledged before it is known; with a guess, the proof is still for the other seat."""
    circle = whist(3 if fast else 2, fast=fast)

    def make(machine):
        secret = machine.secret(1, circle[1].secrets)
        return circle.scheme.make_key(secret, machine.context(1))

    caught(circle, pledged(circle, 2, make), "without proof that its secret is known")


def test_a_pledge_copied_from_another_seat():
    """The seat is in the pledge, so a copy can never be opened."""
    circle = reach(whist(), PLEDGING)
    others(circle, 2)
    forged(circle, 2, PLEDGE, circle[1].chains[0][-1].body)
    reach(circle, KEYING)
    others(circle, 2)
    theirs = circle[1].chains[0][-1]
    assert theirs.kind == KEY
    caught(circle, forged(circle, 2, KEY, theirs.body), "a key other than the one it had pledged")


# Shuffles.


def swapped(deck):
    return deck[CARD : 2 * CARD] + deck[:CARD] + deck[2 * CARD :]


LIES = {
    "altered": lambda deck, machine, scheme: scheme.first_deck(len(deck) // CARD, machine.keys[0])[:CARD] + deck[CARD:],
    "doubled": lambda deck, machine, scheme: deck[:CARD] * 2 + deck[2 * CARD :],
    "dropped": lambda deck, machine, scheme: deck[CARD:],
    "added": lambda deck, machine, scheme: deck + deck[:CARD],
    "no points": lambda deck, machine, scheme: bytes(len(deck)),
    "torn": lambda deck, machine, scheme: deck[:-1],
    "empty": lambda deck, machine, scheme: b"",
}


def shuffling(circle, seat):
    """A table where this seat is to shuffle."""
    return reach(circle, SHUFFLING, seat=seat)[seat].fold.position.machine


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("cheat", [1, 3])
def test_another_deck_with_a_proof_that_looks_right(lie, cheat):
    """The proof has the right size and is bound to deck, seat and deal; but what it says is not true."""
    circle = whist()
    machine = shuffling(circle, cheat)
    deck, _ = honest(circle, cheat)
    lied = LIES[lie](deck, machine, circle.scheme)
    joint, context = circle.scheme.joint_key(machine.keys), machine.context(cheat)
    proof = circle.scheme.honest_looking(machine.deck, lied, joint, context)
    caught(circle, forged(circle, cheat, SHUFFLE, (lied, proof)), "a shuffle that its proof does not prove")
    after(circle)


@pytest.mark.parametrize("lie", ["altered", "doubled", "swapped"])
def test_another_deck_with_a_real_proof(lie):
    """The real prover is run on a deck that holds other cards, or the right ones in another order than it says."""
    circle = whist(2, fast=False)
    machine = shuffling(circle, 1)
    deck, proof = honest(circle, 1)
    lied = swapped(deck) if lie == "swapped" else LIES[lie](deck, machine, circle.scheme)
    joint, context = joint_and_context(circle, machine, 1)
    secret = machine.secret(1, circle[1].secrets)
    witness = draw_witness(secret, machine.deck, joint, context)
    assert prove(secret, machine.deck, deck, joint, context, witness) == proof
    proof = prove(secret, machine.deck, lied, joint, context, witness)
    caught(circle, forged(circle, 1, SHUFFLE, (lied, proof)), "a shuffle that its proof does not prove")


def joint_and_context(circle, machine, seat):
    return circle.scheme.joint_key(machine.keys), machine.context(seat)


@pytest.mark.parametrize("changes", ["seat", "number", "slot", "table", "live", "key", "deck"])
def test_a_shuffle_proven_for_another_place(changes):
    """An honest shuffle of another seat, deal, slot, table, circle of seats, key or deck is none here."""
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
    caught(circle, forged(circle, 2, SHUFFLE, body), "a shuffle that its proof does not prove")


def test_a_shuffle_replayed_from_an_earlier_deal():
    """The bytes of the round before, for which the cheat knows where every card lies."""
    circle = whist()
    circle.settle()
    (before,) = [event for event in circle[2].chains[1] if event.kind == SHUFFLE]
    resigned = circle[3].resign(3)
    circle.spread(resigned)
    shuffling(circle, 2)
    event = forged(circle, 2, SHUFFLE, before.body)
    circle.settle()
    report = verdict(circle)
    assert report.cheats == (f"seat 2 signed a shuffle that its proof does not prove (its number {event.number})",)
    assert report.result.winners == (1,)


def test_only_the_seat_to_shuffle_is_heard():
    """A shuffle out of turn, or a second one, changes nothing; the one that is due still counts."""
    circle = whist()
    machine = shuffling(circle, 1)
    body = circle.scheme.shuffle(SECRET, machine.deck, *joint_and_context(circle, machine, 3))
    forged(circle, 3, SHUFFLE, body)
    assert circle[1].owing() == (1,)
    circle.step()
    at = circle[1].fold.position
    forged(circle, 1, SHUFFLE, body)
    assert circle[2].fold.position == at
    circle.settle()
    assert verdict(circle).cheats == ()
    after(circle)


# Shares.


def bundle(circle, seat):
    final, shares = honest(circle, seat)
    return final, [shares[at : at + SHARE_BYTES] for at in range(0, len(shares), SHARE_BYTES)]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("at", [0, -1])
def test_a_wrong_share(fast, at):
    """One share made with another key: its cards would open as others, or not at all."""
    circle = reach(whist(3 if fast else 2, fast=fast), SHARING)
    final, shares = bundle(circle, 2)
    machine = circle[2].fold.position.machine
    position = machine.foreign(2)[at]
    shares[at] = circle.scheme.make_share(SECRET, machine.deck, position, machine.context(2))
    others(circle, 2)
    event = forged(circle, 2, SHARES, (final, b"".join(shares)))
    caught(circle, event, f"a wrong share for position {position + 1} of the deck")


@pytest.mark.parametrize("fast", [True, False])
def test_a_share_for_another_position(fast):
    """Two good shares in each other's place."""
    circle = reach(whist(3 if fast else 2, fast=fast), SHARING)
    final, shares = bundle(circle, 1)
    shares[3], shares[4] = shares[4], shares[3]
    at = circle[1].fold.position.machine.foreign(1)[3]
    caught(circle, forged(circle, 1, SHARES, (final, b"".join(shares))), f"a wrong share for position {at + 1}")


@pytest.mark.parametrize("changes", ["none", "few", "many", "torn"])
def test_another_number_of_shares(changes):
    """Withheld shares would leave holes in a hand; one too many would open a card of its own, or of the stock."""
    circle = reach(whist(), SHARING)
    final, shares = bundle(circle, 3)
    whole = b"".join(shares)
    body = {"none": b"", "few": whole[:-SHARE_BYTES], "many": whole + shares[0], "torn": whole[:-1]}[changes]
    caught(circle, forged(circle, 3, SHARES, (final, body)), "too few or too many shares")


def test_shares_for_another_deck():
    """They name the keys and the deck they answer: nobody can be made to open cards of a deck it does not hold."""
    circle = reach(whist(), SHARING)
    _, shares = bundle(circle, 1)
    caught(circle, forged(circle, 1, SHARES, (bytes(32), b"".join(shares))), "shares for another deck")


def test_shares_of_an_older_deck():
    """Good shares for the deck before the last shuffle, under the name of the last."""
    circle = whist()
    older = shuffling(circle, 3).deck
    reach(circle, SHARING)
    final, _ = bundle(circle, 1)
    machine = circle[1].fold.position.machine
    secret = machine.secret(1, circle[1].secrets)
    shares = [circle.scheme.make_share(secret, older, at, machine.context(1)) for at in machine.foreign(1)]
    caught(circle, forged(circle, 1, SHARES, (final, b"".join(shares))), "a wrong share for position")


def test_two_cheats_in_one_step():
    """Both are on record, and both are out."""
    circle = reach(whist(), SHARING)
    bodies = {seat: (bytes(32), b"".join(bundle(circle, seat)[1])) for seat in (1, 2)}
    events = [circle.forge(seat, SHARES, body) for seat, body in bodies.items()]
    for event in events:
        circle.spread(event)
    report = verdict(circle)
    assert report.cheats == tuple(
        f"seat {event.seat} signed shares for another deck (its number {event.number})" for event in events
    )
    assert report.result.winners == (3,)


def test_shares_that_are_not_due_have_no_effect():
    """Too early, twice, or in the middle of a round: nobody uses them, and what is due still is."""
    circle = whist()
    shuffling(circle, 1)
    position = circle[2].fold.position
    forged(circle, 2, SHARES, (bytes(32), b""))
    assert circle[2].fold.position == position
    circle.settle()
    position = circle[1].fold.position
    hands = position.hands
    secret = hands.dealing.secret(1, circle[1].secrets)
    own = [
        circle.scheme.make_share(secret, hands.dealing.deck, at, hands.dealing.context(1))
        for at, owner in enumerate(hands.dealing.deal.owners)
        if owner in (0, 1)
    ]
    forged(circle, 1, SHARES, (hands.dealing._final(), b"".join(own)))
    assert circle[2].fold.position == position
    assert circle[2].view(2).hands[0] == 0
    circle.settle()
    after(circle)
    assert verdict(circle).cheats == ()


# Playing.


def turn(cards=0, **options):
    """A table where a seat is to play a card: the table, the seat, its cards by position, what it may play."""
    circle = play_to(whist(**options), cards)
    seat = circle.mover
    hands = circle[seat].fold.position.hands
    return circle, seat, hands, hands.own(seat, circle[seat].secrets, circle.scheme)


def test_a_card_dealt_to_another_seat():
    """Rule 14: its position belongs to somebody else, whatever is played."""
    circle, seat, hands, _ = turn()
    theirs = next(at for at, owner in enumerate(hands.dealing.deal.owners) if owner not in (0, seat))
    card = dealt(circle, hands)[theirs]
    event = forged(circle, seat, MOVE, (card, theirs, share(circle, seat, theirs)))
    caught(circle, event, "a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_a_card_of_the_stock(fast):
    """An undealt position, with a card that nobody has seen."""
    circle, seat, hands, own = turn(seats=3 if fast else 2, fast=fast)
    at = hands.dealing.deal.owners.index(0)
    event = forged(circle, seat, MOVE, (next(iter(own.values())), at, share(circle, seat, at)))
    caught(circle, event, "a card that was not dealt to it")


@pytest.mark.parametrize("at", [31, 255])
def test_a_position_that_the_deck_does_not_have(at):
    circle, seat, _, own = turn()
    event = forged(circle, seat, MOVE, (next(iter(own.values())), at, bytes(SHARE_BYTES)))
    caught(circle, event, "a card that was not dealt to it")


def played_before():
    """A table where the seat to play has one card on the table already."""
    circle, seat, hands, own = turn(3)
    mine = next(event for event in hands.plays if event.seat == seat)
    return circle, seat, hands, own, mine


def test_a_card_played_already():
    circle, seat, _, _, mine = played_before()
    caught(circle, forged(circle, seat, MOVE, mine.body), f"{mine.body[0]} has been played already")


def test_a_position_played_already():
    """One that lies open on the table, named as another card."""
    circle, seat, hands, own, mine = played_before()
    card = next(card for at, card in own.items() if at not in hands.opened)
    caught(circle, forged(circle, seat, MOVE, (card, *mine.body[1:])), "a card that was not dealt to it")


@pytest.mark.parametrize("fast", [True, False])
def test_another_card_than_the_share_opens(fast):
    """Rule 14: it names a better card than it has."""
    circle, seat, _, own = turn(seats=3 if fast else 2, fast=fast)
    (at, _), (_, named) = list(own.items())[:2]
    event = forged(circle, seat, MOVE, (named, at, share(circle, seat, at)))
    caught(circle, event, "another card than the one dealt to it")


def test_a_card_of_another_seat_named():
    """The card that a better hand has, at a position of its own."""
    circle, seat, hands, own = turn()
    at = next(iter(own))
    theirs = next(card for place, card in dealt(circle, hands).items() if place not in own)
    caught(circle, forged(circle, seat, MOVE, (theirs, at, share(circle, seat, at))), "another card than the one dealt")


def test_a_card_without_its_share():
    circle, seat, _, own = turn()
    caught(circle, forged(circle, seat, MOVE, (next(iter(own.values())),)), "a card without its share")


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("kind", ["another key", "another position", "another seat's", "nothing"])
def test_a_wrong_share_of_the_own_card(fast, kind):
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
    caught(circle, forged(circle, seat, MOVE, (card, at, wrong)), "a wrong share of its own card")


@pytest.mark.parametrize("size", [0, SHARE_BYTES - 1, SHARE_BYTES + 1])
def test_a_share_of_another_size_is_no_event(size):
    """It is not a move at all: dropped before anything is looked at, and the seat still has to move."""
    circle, seat, _, own = turn()
    at, card = next(iter(own.items()))
    event = circle.forge(seat, MOVE, (card, at, bytes(size)))
    with pytest.raises(Exception, match="malformed"):
        circle[seat % 3 + 1].receive(event.raw, event.signature)
    assert circle[seat % 3 + 1].owing() == (seat,)


def test_a_share_where_no_card_is_played():
    """A bid takes no share: a second spelling of a move would be a second digest of the same game."""
    circle = whist()
    circle.settle()
    seat = circle.mover
    at = next(iter(circle[seat].fold.position.hands.own(seat, circle[seat].secrets, circle.scheme)))
    event = forged(circle, seat, MOVE, ("bid 3", at, share(circle, seat, at)))
    caught(circle, event, "a share where no card is played")


def test_a_share_in_a_game_without_cards():
    circle = Circle(charter_of("fidchess", 2, {"first": 1}, fast=True), fast=True)
    legal = circle[1].game.legal(circle[1].state, 1)[0]
    caught(circle, forged(circle, 1, MOVE, (legal, 0, bytes(SHARE_BYTES))), "a share where no card is dealt")


def test_a_card_before_the_bids_are_made():
    circle = whist()
    circle.settle()
    seat = circle.mover
    at, card = next(iter(circle[seat].fold.position.hands.own(seat, circle[seat].secrets, circle.scheme).items()))
    event = forged(circle, seat, MOVE, (card, at, share(circle, seat, at)))
    caught(circle, event, "an unlawful move: First everybody bids")


# Revokes.


def revoked(seats, cheat):
    """Play a round in which one seat never follows suit if it can help it; return the plays that were revokes."""
    circle = play_to(whist(seats), 0)
    owners = circle[1].fold.position.hands.dealing.deal.owners
    cards = len(owners) - owners.count(0)
    guilty = revoke(circle, cheat, cards - 1)
    assert circle[1].fold.position.cheats == (), "nobody can know before the last card"
    return circle, guilty + revoke(circle, cheat, cards)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_revoke_is_found_when_the_last_card_falls(seats):
    """Rule 15: each is named with trick and card, by the very event; who revoked is out, and the round does not
    count."""
    cheat = 2
    circle, guilty = revoked(seats, cheat)
    assert guilty
    report = verdict(circle)
    assert set(report.cheats) == {
        f"seat {cheat} signed a revoke: {event.body[0]} in trick {trick} (its number {event.number})"
        for event, trick in guilty
    }
    assert {cheat.event for cheat in circle[1].fold.position.cheats} == {event.hash for event, _ in guilty}
    if seats == 2:
        assert (report.result.winners, report.result.reason) == ((1,), "a revoke")
    else:
        assert circle[1].fold.position.live == tuple(seat for seat in range(1, seats + 1) if seat != cheat)
        assert circle[1].state.standing.totals == (0,) * seats
        after(circle)
    assert not any("not audited" in line for line in report.lines)


def test_a_revoke_in_an_abandoned_round_costs_nothing():
    """Nobody can say who revoked where hands stay closed."""
    circle = play_to(whist(), 4)
    circle.spread(circle[3].resign(3))
    assert verdict(circle).cheats == ()


def test_no_revoke_is_told_where_everybody_followed():
    """The last card of a round in which nobody could be accused."""
    circle = play_to(whist(), 29)
    seat = circle.mover
    table = circle[seat]
    view = table.view(seat)
    (last,) = table.game.legal(view, seat)
    assert table.game.revokes(view, seat, last) == ()
    circle.spread(table.play(seat, last))
    assert verdict(circle).cheats == ()


def test_another_clients_secrets_are_another_hand():
    """Who starts again with secrets that are not its own cannot play its hand, nor another's."""
    circle, seat, hands, own = turn()
    assert hands.own(seat, Secrets.from_seed(b"x"), circle.scheme) == {}
    assert own
