"""A table among peers: in which order its client does what has to be done."""

from pathlib import Path

from net_tables import IDENTITIES, NAMES, Room

from p2p_stonehenge.table.session import Notice, Ply


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


def test_a_seat_that_comes_and_goes_does_not_fill_the_screen_of_the_others(tmp_path: Path) -> None:
    """A hundred times within a minute; it can be there again at once, and who is missing is known all the same."""
    room = Room(tmp_path)
    ben, table = IDENTITIES[1].id, room.tables[1]
    room.notes(1)
    for _ in range(100):
        table.link(ben, up=False)
        table.trouble(ben, "ben sends more than is sensible; some of it is dropped.")
        assert "ben away for" in table.links()
        table.link(ben, up=True)
    told = room.notes(1)
    for cause in ("does not answer", "is back", "more than is sensible"):
        assert len([text for text in told if cause in text]) <= 10
    assert any("ben" in text and "does not answer" in text for text in told), told
    assert table.links() == "all here"
