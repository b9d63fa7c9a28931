"""Whom a player has met: nobody takes a known player's name unnoticed."""

import io
import json
import os
from pathlib import Path

import pytest

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.home import Home
from p2p_stonehenge.known import PEOPLE_LIMIT, forget, meet, recognise
from p2p_stonehenge.style import ALARM, alarming, folded
from protocol import Identity, id_text

ANNA, BEN = (Identity(bytes([number]) * 32).id for number in (1, 2))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(str(tmp_path))


def test_first_new_then_known(home: Home) -> None:
    told, warning = recognise(home, ANNA, "anna")
    assert (warning, "is new to you" in told) == (False, True)
    meet(home, ANNA, "anna")
    told, warning = recognise(home, ANNA, "anna")
    assert (warning, "is known to you since 20" in told) == (False, True)
    told, warning = recognise(home, ANNA, "Anna the Great")
    assert (warning, "then called anna" in told) == (False, True)


@pytest.mark.parametrize("nick", ["anna", "ANNA", " anna "])
def test_another_key_with_a_known_name_is_a_warning(home: Home, nick: str) -> None:
    """Also when it comes again: having sat at one table with it is no reason to trust it."""
    meet(home, ANNA, "anna")
    for _ in range(3):
        told, warning = recognise(home, BEN, nick)
        assert warning
        assert "NOT the" in told
        assert f"({id_text(ANNA)[:8]})" in told
        meet(home, BEN, nick)
        # The one who was known first stays so.
        assert not recognise(home, ANNA, "anna")[1]
        meet(home, ANNA, "anna")


def test_somebody_known_who_takes_another_known_name_is_a_warning(home: Home) -> None:
    meet(home, ANNA, "anna")
    meet(home, BEN, "ben")
    for _ in range(3):
        assert recognise(home, ANNA, "ben")[1]
        assert not recognise(home, BEN, "ben")[1]
        meet(home, ANNA, "ben")
        meet(home, BEN, "ben")


def test_a_friend_with_a_new_key_is_trusted_once_the_old_one_is_forgotten(home: Home) -> None:
    meet(home, ANNA, "anna")
    meet(home, BEN, "anna")
    with pytest.raises(Failure, match="several are meant") as failure:
        forget(home, "Anna")
    assert id_text(ANNA)[:8] in str(failure.value)
    assert forget(home, id_text(ANNA)[:8]).startswith(f"Forgotten: anna ({id_text(ANNA)[:8]})")
    assert not recognise(home, BEN, "anna")[1]
    assert "is known to you" in recognise(home, BEN, "anna")[0]
    assert recognise(home, ANNA, "anna")[1]
    with pytest.raises(Failure, match="nobody you have met"):
        forget(home, "zoe")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"null", b'{"x": 1}', b'{"x": {"nick": "a"}}', b"\xff\x00" * 50])
def test_a_damaged_file_is_no_reason_to_stop(home: Home, content: bytes) -> None:
    (home.path / "known.json").write_bytes(content)
    assert "is new to you" in recognise(home, ANNA, "anna")[0]
    meet(home, ANNA, "anna")
    assert "is known to you" in recognise(home, ANNA, "anna")[0]


def test_names_are_safe_and_the_file_is_bounded(home: Home) -> None:
    meet(home, ANNA, "a\x1b[2Jn\u202en")
    assert recognise(home, BEN, "a\x1b[2Jn\u202en")[0].isprintable()
    for number in range(3, 12):
        meet(home, Identity(bytes([number]) * 32).id, "guest")
    assert len(json.loads((home.path / "known.json").read_bytes())) == 10 <= PEOPLE_LIMIT
    if os.name == "posix":
        assert (home.path / "known.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("environ", "terminal", "red"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "xterm"}, False, False),
    ],
)
def test_a_warning_is_red_where_there_are_colours_and_plain_elsewhere(
    environ: dict[str, str], terminal: bool, red: bool
) -> None:
    out = io.StringIO()
    out.isatty = lambda: terminal  # type: ignore[method-assign]
    text = f"{ALARM}ben is NOT ben."
    wanted = f"\x1b[1;31m{text}\x1b[0m" if red else text
    assert alarming(text, environ | {"WT_SESSION": "1"}, out) == wanted
    assert alarming("ben sits down.", environ, out) == "ben sits down."


def test_a_terminal_does_not_break_a_warning_within_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out, text = io.StringIO(), "ben (7mtt6cec) is NOT the ben (lnsitsoh) you know: ask before you trust it."
    assert folded(text, out) == text
    out.isatty = lambda: True  # type: ignore[method-assign]
    assert max(map(len, folded(text, out).splitlines())) < 40
    assert folded(text, out).split() == text.split()
