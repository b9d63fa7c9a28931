"""A table among peers: in which order its client does what has to be done."""

from pathlib import Path

from net_tables import NAMES, Room

from p2p_stonehenge.session import Notice, Ply


def test_a_move_is_seen_before_it_is_acknowledged(tmp_path: Path) -> None:
    """Players do not wait for what the others' clients only want to know."""
    room = Room(tmp_path, names=NAMES[:2])
    waiting: list[int] = []

    def heard(notice: Notice) -> None:
        if isinstance(notice, Ply):
            waiting.append(len(room.mail))

    room.tables[3 - room.tables[1].turn].listen(heard)
    room.play()
    assert waiting == [0]
