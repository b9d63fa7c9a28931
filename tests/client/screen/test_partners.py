"""Who plays together: each player reads it at the beginning, and whenever that player asks."""

from pathlib import Path

from fake_table import FakeTable
from net_tables import NAMES, Room

from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.text.seats import teams_told


def test_each_player_reads_who_the_partner_is(tmp_path: Path) -> None:
    """The line of options says `partners`, and not whose."""
    room = Room(tmp_path, "qenqe", NAMES[:4], options={"partners": True})
    for operator, told in (
        (1, "Your partner is Green (cara): you win or lose together."),
        (4, "Your partner is Blue (ben): you win or lose together."),
    ):
        at = room.console(operator)
        assert told in [text_of(line).strip() for line in at.greeting()]
        for command in ("who", "position"):
            assert told in [text_of(line).strip() for line in at.enter(command)], command
        assert f"with {NAMES[(operator + 1) % 4]}" in at.status(), "on a drawn screen it stays in sight there"


def test_nothing_is_told_of_partners_where_each_plays_alone_or_all_play_together() -> None:
    game = FakeTable("qenqe").game
    assert teams_told(game, NAMES[:2], ()) == teams_told(game, NAMES[:3], ((1, 2, 3),)) == ""


def test_who_looks_on_reads_who_plays_against_whom() -> None:
    game = FakeTable("qenqe").game
    assert teams_told(game, NAMES[:4], ((1, 3), (2, 4))) == (
        "White (anna) and Green (cara) play against Blue (ben) and Yellow (dora)."
    )
