"""`played`: which cards of a round of Celtic Whist are played, and which the player has not seen."""

import asyncio
import re
from pathlib import Path

import pytest
from command_lines import python
from fake_table import FakeTable
from hypothesis import given, settings
from hypothesis import strategies as st
from local_tables import whist_table
from net_tables import NAMES, Room
from onlookers import ALL, Onlooker
from whist_views import CARD, wander

from engine import CHANCE, Chance, all_games
from engine.games.celtic_whist import BID, GAME, LETTERS, PLAY, SUITS, State, deck, members
from engine.games.celtic_whist import NAMES as CARDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import celtic_whist, text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import RefusedError
from protocol import draw_locally


def told(state: State, viewer: int = 0) -> list[str]:
    return [text_of(line) for line in celtic_whist.played(state, viewer)]


def listed(lines: list[str]) -> tuple[set[str], set[str]]:
    """Return the cards that are told to be played, and the others that are named."""
    parts = [part for line in lines[1:-1] for part in re.split("[:;]", line)]
    gone = {card for part in parts if part.startswith(" played ") for card in CARD.findall(part)}
    left = {card for part in parts if part.startswith(" not ") for card in CARD.findall(part)}
    return gone, left


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 5), st.integers(0, 2**32), st.integers(3, 150), st.booleans(), st.booleans())
def test_each_card_of_the_deck_is_played_not_seen_or_in_the_own_hand(
    seats: int, seed: int, plies: int, many: bool, watches: bool
) -> None:
    viewer = 0 if watches else seed % seats + 1
    state = wander(seats, seed, plies, viewer, all_cards=many) if seats == 5 else wander(seats, seed, plies, viewer)
    lines = told(state, viewer)
    if state.phase not in (BID, PLAY) or (viewer and viewer not in state.standing.seats):
        return
    assert len(lines) == 8
    assert max(map(len, lines)) < 80, "none is broken in a window of 80 columns"
    assert [line.partition(":")[0] for line in lines[1:-1]] == [*SUITS]
    names = CARDS[state.trump]
    own = {names[card] for card in members(state.hands[viewer - 1])} if viewer else set()
    gone, left = listed(lines)
    assert gone == {names[card] for card in state.plays}
    assert left == {names[card] for card in deck(state.standing)} - gone - own
    for line, letter in zip(lines[1:-1], LETTERS, strict=True):
        assert {card.removeprefix("T")[0] for card in CARD.findall(line)} <= {letter}
    held = sum(hand.bit_count() for hand in state.hands) + sum(state.unknown) + len(state.dummy) - len(own)
    what = "Not seen" if viewer else "Not played"
    assert lines[-1].startswith(f"{what}: {len(left)} card")
    assert f", {held} in {'other' if viewer else 'the'} hands, {len(left) - held} face down." in lines[-1]


def test_what_is_told_needs_no_more_than_what_all_have_seen_and_the_own_hand() -> None:
    full = wander(3, 3, 20, 0)
    assert all(full.unknown[seat - 1] for seat in full.standing.seats)
    own = wander(3, 3, 20, 2)
    assert listed(told(own, 2)) != listed(told(full)) == listed(told(own)), (
        "for those who share a screen no hand counts"
    )


def test_a_player_asks_at_the_prompt_which_cards_are_played() -> None:
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    console = Console(table, Settings(), "ascii", redraws=False)
    lines = [text_of(line) for line in console.enter("played")]
    assert lines[0].endswith("cards played: 0 of 31.")
    table.replay("bid 1", "bid 1")
    card = table.game.legal(table.state, table.turn)[0]
    table.replay(card)
    lines = [text_of(line) for line in console.enter("played")]
    assert lines[0].startswith("Trick 1, trump is ")
    assert lines[0].endswith("; cards played: 1 of 31.")
    assert listed(lines)[0] == {card}
    console.enter("back")
    head, first, *_ = [text_of(line) for line in console.enter("played")]
    assert "LOOKING BACK" in head
    assert first.endswith("; cards played: 0 of 31.")


def test_at_the_real_prompt_the_cards_are_told_in_lines(tmp_path: Path) -> None:
    words = ("solo", "celtic-whist", "-o", "first=1", "--plain", "--ascii", "--home", str(tmp_path))
    done = python("-m", "p2p_stonehenge", *words, input="played\nquit\ny\n", timeout=60)
    assert re.search(r"^Trump is \w+; cards played: 0 of 31\.\nWhite: ", done.stdout, re.MULTILINE), done.stdout
    assert "\nNot seen: 16 cards, 15 in other hands, 1 face down.\n" in done.stdout


def test_before_the_deal_no_card_is_told_of() -> None:
    assert told(GAME.start({"first": 1}, 3)) == ["No cards are dealt now."]


def test_a_shared_screen_tells_no_hand_by_what_is_missing(tmp_path: Path) -> None:
    table = whist_table(tmp_path, 3, (1, 2, 3), first="1")
    console = Console(table, Settings(), "ascii")
    console.enter("hand")
    lines = [text_of(line) for line in console.enter("played")]
    assert len(listed(lines)[1]) == 31


@pytest.mark.parametrize("key", list(all_games()))
def test_cards_played_are_a_command_of_card_games_alone(key: str) -> None:
    table = FakeTable(key, first=1)
    console = Console(table, Settings(), "ascii")
    helped = [text_of(line) for line in console.enter("help")]
    assert any(line.startswith("  played ") for line in helped) == bool(table.game.suits)
    if not table.game.suits:
        with pytest.raises(RefusedError, match=rf"No cards are played in {table.game.title}\."):
            console.enter("played")


def test_play_before_a_move_asks_for_no_command() -> None:
    table = FakeTable("celtic-whist", first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.people = (table.turn,)
    console = Console(table, Settings(), "ascii")
    for line in ("play bid 3", "play"):
        assert console.refuse(line) == "Type a move alone, without `play` before it."


async def three_cards_played(folder: Path) -> Room:
    """Return a table of two at which spectators may watch; its cards are dealt in threads."""
    room = Room(folder, "celtic-whist", NAMES[:2], watching=ALL)
    anna = room.tables[1]
    while len(anna.state.plays) < 3:
        await room.rest()
        room.play()
    return room


def test_a_spectator_and_a_player_of_two_laptops_ask_which_cards_are_played(tmp_path: Path) -> None:
    async def evening() -> tuple[list[str], list[str], str]:
        async with asyncio.timeout(60):
            room = await three_cards_played(tmp_path)
            one = Onlooker(room)
            return one.type("played"), room.type(1, "played"), "\n".join(one.type("help"))

    watched, played, helped = asyncio.run(evening())
    gone, left = listed(watched)
    assert (len(gone), len(left)) == (3, 28)
    assert watched[-1] == "Not played: 28 cards, 27 in the hands, 1 face down."
    own, unseen = listed(played)
    assert own == gone
    assert unseen < left
    assert played[-1].startswith(f"Not seen: {len(unseen)} cards, ")
    assert "  played " in helped
