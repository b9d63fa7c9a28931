"""Take-backs in saved games: what is told, counted, replayed and exported of them."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looked import Looked
from looking_back import played_alone
from taking_back import moved_and_taken_back, room_of, solo

from engine import Turn
from p2p_stonehenge.cli.replay import lines
from p2p_stonehenge.export.data import data
from p2p_stonehenge.export.notation import notation
from p2p_stonehenge.lobby.origins import _stood_at, difference
from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.screen.playback import Playback
from p2p_stonehenge.storage.notes import Notes
from p2p_stonehenge.table.after import report
from protocol import Origin, actions_of, load, origin_of


@pytest.fixture
def saved(tmp_path: Path) -> SavedGame:
    """Two moves, of which the second is taken back, and another in its place."""
    room = room_of(tmp_path)
    _, second, _ = moved_and_taken_back(room)
    table = room.tables[second]
    table.play(second, table.game.legal(table.state, second)[1])
    room.carry()
    return SavedGame(load(table.path.read_bytes()))


def test_the_end_and_the_proof_of_a_game_count_its_moves_in_one_way(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    _, second, _ = moved_and_taken_back(room)
    room.tables[second].play(second, "resign")
    room.carry()
    assert report(room.tables[1])[1] == "It took 1 turn; 1 more move was taken back."
    told = "2 moves, 1 of them taken back, and 1 resignation, each lawful and signed by its player."
    assert told in prove(SavedGame(load(room.tables[1].path.read_bytes()))).shown


def test_a_saved_game_goes_through_what_was_taken_back(saved: SavedGame) -> None:
    assert [step.kind for step in saved.steps] == ["draw", "move", "move", "takeback", "move"]
    assert saved.position(4) == saved.position(2) != saved.position(3)
    undone, back = saved.steps[2:4]
    assert back.told == f"{saved.game.colours[undone.actor - 1]}'s {undone.action} is taken back."
    assert back.places == undone.places
    assert saved.touched(4) == saved.touched(2) == saved.steps[1].places != saved.touched(3) == undone.places
    assert isinstance(saved.game.pending(saved.position(4)), Turn)


def test_many_take_backs_are_told_in_one_walk_through_the_game(tmp_path: Path) -> None:
    """Each goes back to where the one before it went: the walk from one to the next must not be taken anew for each."""
    table, _ = solo(tmp_path)
    times, action = 200, table.game.legal(table.state, 1)[0]
    for turn in range(times):
        table.table.act(1, action)
        table.table.act(0, f"takeback {2 * turn}")
    saved = SavedGame(table.table)
    looked = table.table.fold.log = Looked(table.table.fold.log)
    assert {step.told for step in saved.steps[1::2]} == {f"{saved.game.colours[0]}'s {action} is taken back."}
    assert [saved.touched(ply) for ply in range(len(saved) + 1)] == [(), saved.steps[0].places] * times + [()]
    assert saved.actions[-2:] == (action, f"takeback {2 * times - 2}")
    assert looked.looks < 20 * len(looked)


def test_a_position_of_another_table_is_compared_with_the_own_file_in_one_walk(tmp_path: Path) -> None:
    """A host can name any file that a guest has, also one of thousands of take-backs that the guest only watched."""
    table, _ = solo(tmp_path)
    times, (action, other, *_) = 200, table.game.legal(table.state, 1)
    for turn in range(times):
        table.table.act(1, action)
        table.table.act(0, f"takeback {2 * turn}")
    looked = table.table.fold.log = Looked(table.table.fold.log)
    for actions, differs in (((), False), (((1, action),), False), (((1, other),), True)):
        looked.looks = 0
        assert bool(difference(Origin(table.table.id, actions), table.table)) == differs
        assert looked.looks < 4 * len(looked)


@given(
    st.lists(st.sampled_from("ab"), max_size=3),
    st.lists(st.one_of(st.sampled_from("ab"), st.integers(0, 9)), max_size=10),
    st.lists(st.sampled_from("ab"), max_size=6),
)
def test_a_position_is_known_if_it_was_in_effect_at_some_moment(
    before: list[str], log: list[str | int], sought: list[str]
) -> None:
    """Also before a take-back, and within the actions with which the table began."""
    done = [
        SimpleNamespace(actor=0, action=f"takeback {min(one, place)}")
        if isinstance(one, int)
        else SimpleNamespace(actor=1, action=one)
        for place, one in enumerate(log)
    ]
    origin = Origin(b"", tuple((1, one) for one in before))
    table: Any = SimpleNamespace(
        charter=SimpleNamespace(body=SimpleNamespace(origin=origin)), fold=SimpleNamespace(log=done)
    )
    actions = tuple((1, one) for one in sought)
    moments = [actions_of(table, ply) for ply in range(len(before) + len(log) + 1)]
    assert _stood_at(table, actions) == (actions in moments)


def test_the_cards_of_each_deal_are_looked_for_in_its_round_alone() -> None:
    saved = SavedGame(load(played_alone("celtic-whist", 3)))
    looked = saved.table.fold.log = Looked(saved.table.fold.log)
    assert sum(action.startswith("deal") for action in saved.actions) > 5
    assert looked.looks < 4 * len(looked)


def test_a_table_that_goes_on_from_any_of_its_positions_is_recognised(saved: SavedGame) -> None:
    for ply in range(len(saved) + 1):
        assert difference(origin_of(saved.table, ply), saved.table) == ""
    wrong = origin_of(saved.table)._replace(actions=origin_of(saved.table, 3).actions * 2)
    assert difference(wrong, saved.table)


def test_replay_export_and_proof_tell_of_it(saved: SavedGame, tmp_path: Path) -> None:
    told = saved.steps[3].told
    proof = prove(saved)
    assert "3 moves, 1 of them taken back, each lawful and signed by its player." in proof.shown
    assert any(told in line for line in lines(saved, None))
    assert "   4. -                takeback 2" in notation(saved).splitlines()
    ply = json.loads(data(saved, proof))["plies"][3]
    assert (ply["actor"], ply["kind"], ply["action"], ply["told"]) == (0, "takeback", "takeback 2", told)
    assert proof.evidence.chance == 1
    assert proof.report.ok
    playback = Playback(saved, proof, 4, "ascii", Notes(tmp_path / "game", b"1"))
    assert playback.told() == f"4. {told}"
    assert playback.enter("how") == [
        "Signed by the clients of all who still played: within a turn unasked, else by their players' wish."
    ]
    assert len(playback.board(80, 24)) > 5
