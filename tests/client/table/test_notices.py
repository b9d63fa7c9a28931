"""What a player is told of each effect, without a table at work."""

from pathlib import Path
from typing import get_args

import pytest
from net_tables import IDENTITIES, NAMES, Room

from p2p_stonehenge.table.another_game import AnotherGame
from p2p_stonehenge.table.comings import Comings
from p2p_stonehenge.table.notices import BLAMED_AT_MOST, Notices
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.proposals import Proposals
from p2p_stonehenge.table.session import Note
from protocol import (
    Blame,
    Caught,
    Disputed,
    Effect,
    EpochBegun,
    Folded,
    LeaveReason,
    Node,
    Overdue,
    OwnFoldWrong,
    PeerLeft,
    PlayerChat,
    Proposed,
    SecretsWrong,
    Send,
    SpectatorChat,
    SpectatorKept,
    Store,
    StoreSecrets,
    WantsAnother,
)

BEN, CARA = IDENTITIES[1].id, IDENTITIES[2].id
TOLD: list[tuple[Effect, str]] = [
    (PlayerChat(2, "hello"), "hello"),
    (SpectatorChat(BEN, "wim", "hello"), "hello"),
    (PeerLeft(2, LeaveReason.QUIT), "Green (ben) has left the table. The game is kept"),
    (WantsAnother(2), "Green (ben) wants to play again: type `again`"),
    (Blame(BEN, "a malformed message"), "Green (ben) sent a malformed message; it was dropped."),
    (Caught(2, "signed an unlawful move"), "CHEAT: Green (ben) signed an unlawful move; the proof is saved."),
    (Disputed(2, 7), "Green (ben) signed move 7 for another position than ours"),
    (Proposed(2, (3,)), "Green (ben) wants to go on without Blue (cara)"),
    (Overdue(2), "Green (ben) has used up the time for this turn."),
    (Overdue(1), "Your time for this turn is up: move now"),
    (OwnFoldWrong(), "Stop playing and keep the saved game."),
    (SecretsWrong(), "The secrets of this table are damaged"),
]
NOT_TOLD = {Store, StoreSecrets, Send, SpectatorKept, Folded, EpochBegun}
"""Effects for the disk, for peers and spectators, plies that were folded, and an epoch that nobody was asked about."""


def notices(room: Room) -> Notices:
    """The words for anna, as at a table where nothing has been told yet."""
    table = room.tables[1]
    node: Node = table._node
    presence = Presence(table, node)
    proposals = Proposals(table, node, presence)
    comings = Comings(table, presence, proposals, lambda _peer: "", lambda _peer: "ben")
    return Notices(table, node, comings, AnotherGame(table, presence), lambda: 100.0)


@pytest.mark.parametrize(("effect", "text"), TOLD, ids=[type(effect).__name__ for effect, _ in TOLD])
def test_an_effect_is_told_in_words(tmp_path: Path, effect: Effect, text: str) -> None:
    (notice,) = notices(Room(tmp_path)).of(effect)
    assert text in getattr(notice, "text", "")


def test_every_kind_of_effect_has_words_or_needs_none() -> None:
    assert {type(effect) for effect, _ in TOLD} | NOT_TOLD == {*get_args(Effect)}


def test_words_change_nothing_at_the_table(tmp_path: Path) -> None:
    """Neither is anything said to the player, nor sent, nor written."""
    room = Room(tmp_path)
    before, told = room.tables[1].path.read_bytes(), len(room.told[1])
    words = notices(room)
    for effect, _ in TOLD:
        words.of(effect)
    assert (room.tables[1].path.read_bytes(), len(room.told[1]), len(room.mail)) == (before, told, 0)


def test_a_peer_with_ever_new_faults_does_not_fill_the_screen(tmp_path: Path) -> None:
    words = notices(Room(tmp_path, names=NAMES[:3]))
    told = [notice for number in range(100) for notice in words.of(Blame(BEN, f"fault {number}"))]
    assert 0 < len(told) < BLAMED_AT_MOST
    assert words.of(Blame(CARA, "fault 1")) == [Note("Blue (cara) sent fault 1; it was dropped.", urgent=True)]
