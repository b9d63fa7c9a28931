"""Whom a player has met: nobody takes a known player's name unnoticed."""

import json
import os
from pathlib import Path

import pytest

from p2p_stonehenge.home import Home
from p2p_stonehenge.known import PEOPLE_LIMIT, meet
from protocol import Identity

ANNA, BEN = (Identity(bytes([number]) * 32).id for number in (1, 2))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(str(tmp_path))


def test_first_new_then_known(home: Home) -> None:
    told, warning = meet(home, ANNA, "anna")
    assert (warning, "is new to you" in told) == (False, True)
    told, warning = meet(home, ANNA, "anna")
    assert (warning, "is known to you since 20" in told) == (False, True)
    told, warning = meet(home, ANNA, "Anna the Great")
    assert (warning, "then called anna" in told) == (False, True)


@pytest.mark.parametrize("nick", ["anna", "ANNA", " anna "])
def test_another_key_with_a_known_name_is_a_warning(home: Home, nick: str) -> None:
    meet(home, ANNA, "anna")
    told, warning = meet(home, BEN, nick)
    assert warning
    assert "NOT the" in told
    # The one who was known first stays so.
    assert not meet(home, ANNA, "anna")[1]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"null", b'{"x": 1}', b'{"x": {"nick": "a"}}', b"\xff\x00" * 50])
def test_a_damaged_file_is_no_reason_to_stop(home: Home, content: bytes) -> None:
    (home.path / "known.json").write_bytes(content)
    assert "is new to you" in meet(home, ANNA, "anna")[0]


def test_names_are_safe_and_the_file_is_bounded(home: Home) -> None:
    told, _ = meet(home, ANNA, "a\x1b[2Jn\u202en")
    assert told.isprintable()
    for number in range(3, 12):
        meet(home, Identity(bytes([number]) * 32).id, "guest")
    assert len(json.loads((home.path / "known.json").read_bytes())) == 10 <= PEOPLE_LIMIT
    if os.name == "posix":
        assert (home.path / "known.json").stat().st_mode & 0o077 == 0
