"""Whom a player has met: nobody takes a known player's name unnoticed."""

import io
import json
import os
from pathlib import Path

import pytest

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.known import PEOPLE_LIMIT, forget, meet, names, recognise
from p2p_stonehenge.screen.views import row, text_of, wrap
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.names import alike, quoted
from p2p_stonehenge.text.output import folded
from p2p_stonehenge.text.safe import Alarm, alarming, plainly, safe
from p2p_stonehenge.text.widths import cells
from protocol import Greeting, Identity, clean_nick, greeting_bytes, id_text, read_greeting

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
    assert (warning, "shown as anna" in told) == (False, True)


def test_a_known_key_keeps_its_name_whatever_it_or_a_host_calls_it(home: Home) -> None:
    meet(home, ANNA, "anna")
    meet(home, ANNA, "mallory")
    assert recognise(home, ANNA, "mallory")[0].endswith("shown as anna.")
    assert names(home, bytes(32), [(ANNA, "ben"), (BEN, "anna"), (bytes(32), "me")]) == (
        "anna",
        f"anna ({id_text(BEN)[:4]})",
        "me",
    )
    meet(home, BEN, "anna")
    assert names(home, bytes(32), [(BEN, "anna"), (ANNA, "ben")]) == (f"anna ({id_text(BEN)[:4]})", "anna")
    assert names(home, BEN, [(BEN, "anna"), (ANNA, "anna")]) == ("anna", f"anna ({id_text(ANNA)[:4]})")


LOOK_ALIKES = {
    "a Cyrillic letter": "\u0430nna",
    "a Greek letter": "ann\u03b1",
    "an alpha of phonetics": "\u0251nna",
    "full width": "\uff41\uff4e\uff4e\uff41",
    "mathematical letters": "\U0001d41a\U0001d427\U0001d427\U0001d41a",
    "a capital": "ANNA",
    "a space that joins": "an\u2060na",
    "a filler of Hangul": "anna\u3164",
    "a joiner of graphemes": "an\u034fna",
    "a selector of variations": "anna\ufe0f",
    "a blank of Braille": "anna\u2800",
    "an accent": "\u00e0nna",
    "a dot": "an.na",
}


@pytest.mark.parametrize("nick", ["anna", " anna ", *LOOK_ALIKES.values()], ids=["same", "spaces", *LOOK_ALIKES])
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


def test_names_that_differ_to_the_eye_are_not_taken_for_each_other() -> None:
    for one, other in (("anna", "hanna"), ("ben", "bem"), ("李", "李四"), ("anna", "аппа"), ("bot 2", "bot 3")):
        assert not alike(one, other)
    for one, other in (("Bill", "BiII"), ("Olaf", "0laf"), ("marna", "mama"), ("Владимир", "Bлaдимиp")):
        assert alike(one, other)


@pytest.mark.parametrize("letter", ["\u3164", "\u115f", "\uffa0", "\u034f", "\ufe0f", "\u180b", "\u2800", "\U000e0101"])
def test_a_nick_has_no_letters_that_cannot_be_seen(letter: str) -> None:
    assert clean_nick(f"an{letter}na") == "anna"
    greeting = Greeting(ANNA, bytes(8), f"an{letter}na", 41730)
    with pytest.raises(ValueError, match="greeting"):
        read_greeting(greeting_bytes(greeting))


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
    with pytest.raises(Failure, match="Several are meant") as failure:
        forget(home, "Anna")
    assert id_text(ANNA)[:8] in str(failure.value)
    assert forget(home, id_text(ANNA)[:8]).startswith(f"Forgotten: anna ({id_text(ANNA)[:8]})")
    assert not recognise(home, BEN, "anna")[1]
    assert "is known to you" in recognise(home, BEN, "anna")[0]
    assert recognise(home, ANNA, "anna")[1]
    with pytest.raises(Failure, match="Nobody you have met"):
        forget(home, "zoe")


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b"null", b'{"x": 1}', b'{"x": {"nick": "a"}}', b"\xff\x00" * 50, b"[" * 200_000],
    ids=lambda content: repr(content[:20]),
)
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
    text = "! WARNING: ben is NOT ben."
    wanted = f"\x1b[1;31m{text}\x1b[0m" if red else text
    assert alarming(Alarm("ben is NOT ben."), environ | {"WT_SESSION": "1"}, out) == wanted
    assert alarming("ben sits down.", environ, out) == "ben sits down."


@pytest.mark.parametrize("mark", ["! ", "!", "\uff01 ", "\u203c", "\u01c3 ", "\u26a0 ", "\x07! "])
def test_no_name_draws_an_alarm_nor_looks_like_one(mark: str) -> None:
    out = io.StringIO()
    out.isatty = lambda: True  # type: ignore[method-assign]
    name = clean_nick(f"{mark}WARNING: key revoked")
    for line in (alarming(f"{name} sits down.", {"TERM": "xterm", "WT_SESSION": "1"}, out), plainly(f"{name} sits.")):
        assert line.startswith(f'"{name} sits')
        assert line.endswith('."')
    assert quoted(name) == f'"{name}"'


@pytest.mark.parametrize(
    "name", ["anna", "\u00c9lodie O'Neil Jr.", "ben (7mtt)", "\u0928\u094d\u0928\u093e", "7", "ben & cleo"]
)
def test_a_usual_name_stands_as_it_is(name: str) -> None:
    assert quoted(name) == name
    assert plainly(f"{name} sits down.") == f"{name} sits down."


@pytest.mark.parametrize("name", ["Attention: CHEAT", "Note\uff1a all", "- Note", "'x'", "Not\u2236 ben", "You"])
def test_a_name_that_reads_as_words_of_the_program_is_in_quotes(name: str) -> None:
    assert quoted(name) == f'"{name}"'


def test_a_name_ends_where_its_quotes_end() -> None:
    assert quoted('ben" says: "I resign') == "\"ben' says: 'I resign\""


def test_a_name_that_reads_as_words_of_the_program_is_in_quotes_when_it_is_first_seen(home: Home) -> None:
    name, key = "! WARNING", id_text(ANNA)[:8]
    assert recognise(home, ANNA, name)[0] == f'"{name}" ({key}) is new to you.'
    meet(home, ANNA, name)
    assert f'is "{name}", whom you know' in recognise(home, ANNA, "anna")[0]


@pytest.mark.parametrize("letter", ["o", "\u5b57"])
@pytest.mark.parametrize("columns", range(30, 90, 7))
def test_no_line_of_chat_is_folded_so_that_a_part_of_it_begins_a_line(
    monkeypatch: pytest.MonkeyPatch, columns: int, letter: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = io.StringIO()
    out.isatty = lambda: True  # type: ignore[method-assign]
    said = f"a good {letter * 9} " + f"! WARNING {letter * 5}: ben is NOT the ben you know " * 4
    _, *others = plainly(f"cara: {said}", out).splitlines()
    assert others
    assert all(cells(line) < columns for line in others)
    assert all(line.startswith("  ") for line in others)
    said_there = wrap(row("cara says: ", safe(said)), columns)
    assert all(text_of(line).startswith("  ") for line in said_there[1:])


def test_a_terminal_does_not_break_a_warning_within_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out, text = io.StringIO(), "ben (7mtt6cec) is NOT the ben (lnsitsoh) you know: ask before you trust it."
    assert folded(text, out) == text
    out.isatty = lambda: True  # type: ignore[method-assign]
    assert max(map(len, folded(text, out).splitlines())) < 40
    assert folded(text, out).split() == text.split()
