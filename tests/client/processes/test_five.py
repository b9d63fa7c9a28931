"""Five real clients of which some cheat and some are killed: nobody wins by it, and the files say who did what."""

from pathlib import Path

import pytest
from five import collusion, two_versions
from kinds import expect

pytestmark = [pytest.mark.slow, pytest.mark.network, pytest.mark.timeout(900)]


def test_two_who_collude_get_nowhere_while_one_is_left_behind_and_one_comes_back(tmp_path: Path) -> None:
    assert 4 not in expect(list, collusion(tmp_path, "qenqe", 20)["winners"])


def test_a_game_that_two_versions_ended_goes_on_at_a_new_table(tmp_path: Path) -> None:
    assert "signed two versions" not in expect(str, two_versions(tmp_path)["reason"])
