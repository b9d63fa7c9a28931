"""Saved games looked back at: hands that later play opens, what a file proves, and the same told to people."""

import re
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import pytest
from looking_back import NAMES, PEOPLE, VARIANTS, played_alone, played_together, saved

from engine import PUBLIC, Dice, OptionValue, Turn, digest
from p2p_stonehenge.export import notation
from p2p_stonehenge.saved import OPEN, lesson, prove
from p2p_stonehenge.screen.views.celtic_whist import describe
from protocol import Evidence, Table, charter_record, event_record, local_charter, origin_of
from protocol.file import records
from protocol.transcript import RolledValue, evidence


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_every_position_is_the_one_that_was_played(key: str, seats: int, options: Mapping[str, OptionValue]) -> None:
    game = saved(played_alone(key, seats, tuple(options.items())))
    log = game.table.fold.log
    assert len(game.steps) == len(game) == len(log)
    for ply, entry in enumerate(log):
        assert digest(game.game, game.position(ply)) == digest(game.game, entry.before)
        if seats > 1:
            assert game.position(ply, PUBLIC) == game.game.view(entry.before, PUBLIC)
    assert digest(game.game, game.position(len(log))) == digest(game.game, game.table.state)


def test_a_hand_shows_every_card_that_was_played_later_and_no_other() -> None:
    game = saved(played_together("celtic-whist", 2, (), 50))
    hand = 15
    dealt = [step.number for step in game.steps if step.kind == "deal"]
    whole, broken_off = game.position(dealt[0]), game.position(dealt[1])
    assert [cards.bit_count() for cards in whole.hands] == [hand, hand]
    assert sum(whole.unknown) == 0
    played = sum(step.kind == "move" and " " not in step.action for step in game.steps[dealt[1] :])
    assert 0 < sum(cards.bit_count() for cards in broken_off.hands) == played
    assert sum(broken_off.unknown) == 2 * hand - played
    mine = game.position(dealt[0], 1)
    assert mine.hands[0] == whole.hands[0]
    assert mine.hands[1] == 0


def test_no_step_spells_out_a_deal() -> None:
    alone = saved(played_alone("celtic-whist", 3))
    assert {step.action for step in alone.steps if step.kind == "deal"} == {"deal"}


def test_the_values_that_prove_each_roll_make_the_roll() -> None:
    game = saved(played_together("kingamon", 2, (), 40))
    found = evidence(game.table)
    rolled = [step.number for step in game.steps if step.kind in ("roll", "draw")]
    assert [roll.ply for roll in found.rolls] == rolled
    for roll in found.rolls:
        assert [part.seat for part in roll.parts] == [1, 2]
        assert all(part.fits for part in roll.parts)
        step = game.steps[roll.ply - 1]
        values = [choice.value for choice in roll.choices]
        spelt = (
            "-".join(str(value + 1) for value in values) if isinstance(roll.draw, Dice) else f"first {values[0] + 1}"
        )
        assert spelt == roll.action == step.action
        for choice in roll.choices:
            assert choice.byte % choice.sides == choice.value


def test_a_byte_that_would_favour_some_values_is_told_to_be_skipped() -> None:
    told = "\n".join(_lesson_with_a_skipped_byte())
    assert re.search(r"25[2-5] is skipped, since 252 and above would favour some values; \d+ leaves", told)


def _lesson_with_a_skipped_byte() -> list[str]:
    game = saved(played_together("kingamon", 2, (), 40))
    found = evidence(game.table)
    roll = next(roll for roll in found.rolls if isinstance(roll.draw, Dice))
    skipping = roll._replace(choices=(RolledValue(6, (254,), 9, 3), roll.choices[1]))
    with mock.patch.object(Evidence, "rolls", (skipping,)):
        return lesson(game, evidence(game.table))


def test_deals_are_proven_by_a_shuffle_of_each_seat_and_the_shares_of_the_others() -> None:
    game = saved(played_together("celtic-whist", 2, (), 50))
    found = evidence(game.table)
    assert found.clients == 2
    assert len(found.deals) == sum(step.kind == "deal" for step in game.steps)
    for deal in found.deals:
        assert deal.cards == 31
        assert [one.seat for one in deal.shuffles] == [1, 2]
        assert deal.shuffles[0].after == deal.shuffles[1].before
        assert deal.shares == ((1, 15), (2, 15))
    assert found.shuffles == 2 * len(found.deals)


def test_people_are_told_what_is_proven_first_and_then_what_is_not() -> None:
    proof = prove(saved(played_together("celtic-whist", 2, (), 50)))
    assert proof.verdict == "Genuine."
    assert proof.shown[0] == "anna won by resignation."
    told = " ".join(proof.shown)
    assert "Who begins and 2 trumps that nobody could steer: anna and ben each fixed" in told, "as at the table"
    assert "4 shuffles in 2 deals, each proven to every player" in told
    assert "The result is signed by anna and ben." in told
    assert "that the players kept their cards from each other" in proof.not_shown


def test_details_tell_what_was_checked_and_how_much_of_it_there_was() -> None:
    game = saved(played_together("celtic-whist", 2, (), 50))
    proof = prove(game)
    assert proof.details == (
        "Celtic Whist, rules version 1, seats: 1 anna, 2 ben",
        "charter signed by all 2 signers",
        f"{proof.report.events} events with an effect among {proof.evidence.events}, each signed by its seat and"
        " chained",
        f"{proof.evidence.moves + 1} actions of seats, all lawful, each made for the state that the moves before it"
        " give",
        f"{proof.evidence.chance} chance values, each made by all seats together and checked step by step",
        "2 deals: 4 shuffles and 60 shares of cards proven",
        f"cards played, each proven to be the one dealt: {proof.evidence.cards}",
        "last round audited: the cards that anna still held are open",
    )
    alone = prove(saved(played_alone("kingamon", 2)))
    assert f"{alone.evidence.chance} chance values: made by one computer alone, not proven" in alone.details


VECTORS = Path(__file__).resolve().parents[2] / "data" / "vectors" / "files"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("leaving", "The others went on without ben: everybody who stayed signed that."),
        ("unlawful", "ben signed an unlawful move"),
        ("goes-on", "all turns of a player were to take 600 seconds and 5 for each: not checked"),
        ("cards", "last round audited: the cards that anna still held are open"),
        ("equivocation-twice", "the result follows from two versions of an event"),
    ],
)
def test_what_is_told_of_a_file_names_its_players(name: str, told: str) -> None:
    """Nobody has to look up who sat at seat 3."""
    proof = prove(saved((VECTORS / f"{name}.stonehenge").read_bytes()))
    sentences = (*proof.shown, *proof.not_shown, *proof.details)
    assert any(told in sentence for sentence in sentences), sentences
    assert not re.search(r"\bseat \d", " ".join(sentences))


def test_breaches_of_the_rules_stand_behind_the_outcome_before_all_else_that_a_file_proves() -> None:
    proof = prove(saved((VECTORS / "wrong-card.stonehenge").read_bytes()))
    assert proof.shown[0] == proof.verdict.replace("Genuine, and it proves that", "anna won:")
    assert proof.shown[1].startswith(
        "ben signed another card than the one dealt to it (breach, event 7 of that player)"
    )
    assert proof.shown[2].startswith("3 moves, each lawful")


def test_what_a_file_proves_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game of cards takes a while."""
    asked = mock.Mock(side_effect=evidence)
    monkeypatch.setattr("protocol.transcript.verification.evidence", asked)
    proof = prove(saved(played_together("kingamon", 2, (), 40)))
    assert proof.evidence is proof.report.evidence
    assert asked.call_count == 1


def test_a_game_at_one_computer_claims_no_fair_dice() -> None:
    game = saved(played_alone("kingamon", 2))
    proof = prove(game)
    assert proof.verdict.startswith("Valid, but a game on one computer")
    assert "steer" not in " ".join(proof.shown)
    assert "signed by the one computer at which all was played" in proof.shown[1]
    assert "Nothing about that can be checked" in lesson(game, proof.evidence)[0]


def test_the_lesson_tells_this_games_own_numbers() -> None:
    file = played_together("celtic-whist", 2, (), 50)
    game = saved(file)
    proof = prove(game)
    told = "\n".join(lesson(game, proof.evidence))
    for part in proof.evidence.rolls[0].parts:
        assert part.salt.hex() in told
        assert part.commitment.hex() in told
        assert part.salt in file
        assert part.commitment in file
    for seat, key in proof.evidence.deals[0].keys:
        assert f"seat {seat}, {NAMES[seat - 1]}: {key.hex()}" in told
        assert key in file
    assert len(list(records(file))) > 20


def test_a_game_alone_that_goes_on_keeps_the_dummys_cards() -> None:
    game = saved(played_alone("celtic-whist", 1, (), 20))
    assert game.result is None
    assert set(game.position(len(game), OPEN).dummy) == {255}


def test_every_hand_that_is_open_is_told_in_words() -> None:
    game = saved(played_together("celtic-whist", 2, (), 50))
    dealt = [step.number for step in game.steps if step.kind == "deal"]
    whole, broken_off = (" ".join(describe(game.position(at))) for at in dealt)
    for colour in ("White", "Blue"):
        (hand,) = re.findall(rf"{colour}'s hand: ([^.]*)\.", whole)
        assert len(hand.split()) == 15
        assert re.search(rf"{colour}'s hand: [^.]*\d+ closed\.", broken_off)
    assert "'s hand" not in " ".join(describe(game.position(dealt[0], PUBLIC)))
    assert "Blue's hand" not in " ".join(describe(game.position(dealt[0], 1)))


def test_a_table_that_goes_on_from_another_one_says_so_and_begins_there() -> None:
    before = saved(played_alone("fidchess", 2, (("turn_limit", "60"),), 9)).table
    body = before.charter.body._replace(origin=origin_of(before), attempt=b"again" * 3 + b"!")
    table = Table(local_charter(body, PEOPLE[0], bytes(32)), {1: PEOPLE[0]})
    due = table.fold.position.due
    assert isinstance(due, Turn)
    event = table.act(due.seat, table.game.legal(table.state, due.seat)[0])
    again = saved(charter_record(table.charter) + event_record(event))
    assert again.position(0) == before.state
    assert f"It goes on from table {before.id.hex()[:16]} after 9 actions" in " ".join(prove(again).shown)
    told = notation(again)
    assert f"Goes on from table {before.id.hex()} after:" in told
    assert told.count(") ") >= 9
