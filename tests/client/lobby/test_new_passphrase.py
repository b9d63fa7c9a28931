"""The passphrase of a new table: what a short one is worth, and where one is asked for as before."""

import asyncio
from argparse import Namespace
from pathlib import Path

import pytest
from clubs import WORDS
from net_tables import Room

from p2p_stonehenge.cli import host, play
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.commands import ASKED
from p2p_stonehenge.screen.asking import worth_told
from protocol import Watchers, Watching


@pytest.mark.parametrize(
    ("words", "within"),
    [
        ("7", "1 hour"),
        ("abc", "5 hours"),
        ("abcd", "6 days"),
        ("1234", "3 hours"),
        ("Ab1", "13 hours"),
        ("abcdef", ""),
        ("12345678", ""),
        (WORDS, ""),
        ("x" * 200, ""),
    ],
)
def test_what_a_short_passphrase_is_worth_is_said(words: str, within: str) -> None:
    told = worth_told(words)
    assert bool(told) == bool(within)
    assert within in told


def test_a_host_is_told_that_a_passphrase_is_short_and_a_guest_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    for anew in (True, False):
        args = Namespace(passphrase="abc")
        assert asyncio.run(play.read_passphrase(args, "A passphrase", anew=anew)) == "abc"
        assert ("That passphrase is short: " in capsys.readouterr().out) == anew


def test_a_table_that_goes_on_from_one_with_a_passphrase_asks_for_one_or_is_watched_by_nobody(tmp_path: Path) -> None:
    """It would else be open to everybody, unasked."""
    locked = Room(tmp_path / "locked", watching=Watching(Watchers.WITH_PASSPHRASE, 0)).tables[1].table
    for last, asks in ((locked, True), (Room(tmp_path / "open").tables[1].table, False)):
        args = parse(("host", "--from", "1"))
        assert host._watching(args, last.charter.body.watching).by == Watchers.NOBODY, "where nobody is asked"
        host._lock_as_before(args, last)
        assert (args.passphrase == ASKED) == asks
    args = parse(("host", "--from", "1", "--watch", "all"))
    host._lock_as_before(args, locked)
    assert args.passphrase is None
    assert host._watching(args, locked.charter.body.watching).by == Watchers.EVERYBODY
