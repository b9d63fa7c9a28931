"""`games`, `identity` and `rules`: what the commands print that only look something up."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_lines import Run
from saved_games import ANNA, BEN

from engine import all_games, option_text
from p2p_stonehenge.cli import arguments as cli
from p2p_stonehenge.cli import common
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.rules import page, pages, topics


def test_games_names_every_game_and_option(run: Run) -> None:
    status, out, _ = run("games")
    assert status == 0
    for game in all_games().values():
        assert f"{game.key}: {game.title}, " in out
        for option in game.options:
            assert f"-o {option.name}={option_text(option.default)}" in out
    assert max(map(len, out.splitlines())) <= 80


def test_games_as_json(run: Run) -> None:
    status, out, _ = run("games", "--json")
    told = json.loads(out)
    assert (status, told["schema"]) == (0, 1)
    assert [entry["key"] for entry in told["games"]] == list(all_games())
    for entry in told["games"]:
        game = all_games()[entry["key"]]
        assert entry["players"] == list(game.seats)
        # What is named as the default is a value that the game takes.
        for seats in entry["players"]:
            game.start({o["name"]: o["default"] for o in entry["options"] if seats in o["players"]}, seats)


def test_identity_stays_the_same(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("identity", "--home", str(tmp_path))
    assert status == 0
    told = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert re.fullmatch(r"[a-z2-7]{52}", told["id"])
    assert Path(told["key"]).stat().st_size == 32
    assert run("identity", "--home", str(tmp_path)) == (0, out, "")
    assert run("identity", "--home", str(tmp_path / "other"))[1] != out


def test_who_was_never_met_cannot_be_forgotten(run: Run, tmp_path: Path) -> None:
    status, out, error = run("forget", "zoe", "--home", str(tmp_path))
    assert (status, out) == (5, "")
    assert "Nobody you have met is called 'zoe'" in error


# Rules.

DESIGNERS = dict.fromkeys(("fidchess", "qenqe", "celtic-whist", "kingamon"), "Rich Hutnik") | {"fidchell": "Nye Dimser"}
"""Of the games that somebody else designed, who has to be named and not to be taken for a partner of this project."""


@pytest.mark.parametrize("key", pages())
def test_rules_prints_the_page_or_a_topic(key: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    whole = page(key, "", 70) or ""
    assert run("rules", key.upper()) == (0, f"{whole}\n", "")
    assert {"setup", "end", "options", "notation", "about"} <= set(topics(key))
    for topic in topics(key):
        text = page(key, topic, 70) or ""
        assert text in whole
        assert run("rules", key, *topic.split("-")) == (0, f"{text}\n", "")
    about = " ".join((page(key, "about", 70) or "").split())
    assert about.removeprefix("ABOUT").strip()
    if key in DESIGNERS:
        assert DESIGNERS[key] in about
        assert "not affiliated" in about


def test_rules_of_something_else(run: Run) -> None:
    status, out, err = run("rules", "kingmaon")
    assert (status, out, err.count("\n")) == (5, "", 1)
    assert "did you mean kingamon?" in err
    status, out, err = run("rules", "kingamon", "castling")
    assert (status, out, err.count("\n")) == (5, "", 1)
    assert ", ".join(topics("kingamon")) in err
    assert "did you mean celtic-whist?" in run("rules", "celtc-whist")[2]


@pytest.mark.parametrize("typed", ["celtic whist", "Celtic Whist", "whist", "cel"])
def test_a_game_is_named_by_its_title_and_by_a_beginning_that_no_other_has(run: Run, typed: str) -> None:
    assert run("rules", *typed.split(), "aim") == run("rules", "celtic-whist", "aim")


@pytest.mark.parametrize(
    ("key", "typed", "meant"),
    [
        ("kingamon", "baring-off", "`bearing-off` or `bar`"),
        ("kingamon", "off", "`bearing-off`"),
        ("celtic-whist", "bida", "`bidding` or `null-bids`"),
        ("celtic-whist", "moves", "`turn` or `play`"),
        ("qenqe", "capturing", "`landing`"),
        ("fidchell", "variants", "`options`"),
        ("kingamon", "b", "`board` or `bar` or `bearing-off`"),
    ],
)
def test_rules_of_a_topic_that_is_called_otherwise_say_which_was_meant(
    key: str, typed: str, meant: str, run: Run
) -> None:
    status, out, err = run("rules", key, typed)
    assert (status, out) == (5, "")
    assert f"have no topic {typed!r}: did you mean {meant}?" in err


@pytest.mark.parametrize(
    ("key", "captures"),
    [("celtic-whist", False), ("fidchell", True), ("fidchess", True), ("kingamon", True), ("qenqe", True)],
)
def test_what_a_reader_expects_as_a_topic_leads_to_one(key: str, captures: bool, run: Run) -> None:
    expected = {"moving", "moves", "move", "win", "winning", "end", "ending", "scoring", "setup", "option", "notation"}
    for word in expected | ({"capture", "capturing"} if captures else set()):
        status, out, err = run("rules", key, word)
        assert out if status == 0 else "did you mean " in err, word
    status, out, err = run("rules", key, "resigns")
    assert out if status == 0 else "speak of it" in err
    assert "there are aim, " in run("rules", key, "castling")[2]


@pytest.mark.parametrize(
    ("key", "typed", "topic"),
    [
        ("fidchess", "moving", "moves"),
        ("fidchell", "moves", "moving"),
        ("kingamon", "capturing", "capture"),
        ("celtic-whist", "bids", "bidding"),
        ("celtic-whist", "null", "null-bids"),
        ("celtic-whist", "nulls", "null-bids"),
        ("qenqe", "ending", "end"),
    ],
)
def test_another_form_of_a_topic_shows_that_topic(key: str, typed: str, topic: str, run: Run) -> None:
    assert run("rules", key, typed)[:2] == (0, f"{page(key, topic, 80)}\n")


def test_a_game_is_found_or_the_nearest_named() -> None:
    assert common.find_game("Kingamon") is all_games()["kingamon"]
    with pytest.raises(Failure, match="did you mean fidchess") as caught:
        common.find_game("fidches")
    assert caught.value.code == 5
    with pytest.raises(Failure, match=r"\.\.\.'"):
        common.find_game("x" * 1000)


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("200", 80), ("1", 20), ("0", 80)])
def test_text_is_as_wide_as_the_screen_but_80_at_most(columns: str, width: int, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert cli.screen_width() == width


def test_tables_are_told_in_words_and_a_port_is_shown_of_those_alone_who_have_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = (
        Sighting(ANNA.id, "anna", ("10.0.0.1:41730", "192.168.1.1:41730"), b"", "kingamon 1/2 m5"),
        Sighting(BEN.id, "ben", ("10.0.0.2:51000", "10.0.0.2:51001"), b"", ""),
    )

    class Seeing:
        def __init__(self, _: object, sighted: Callable[[Sighting], object], __: object) -> None:
            self.sighted = sighted

        async def start(self) -> None:
            for one in seen:
                self.sighted(one)

        async def close(self) -> None:
            pass

    monkeypatch.setattr("p2p_stonehenge.net.discovery.Discovery", Seeing)
    _, out, _ = run("peers", "--seconds", "0.1", "--home", str(tmp_path))
    shown = [re.split("  +", line)[2:] for line in out.splitlines()]
    assert shown == [
        ["Byzantine Kingamon, 1 of 2 seats, match to 5", "10.0.0.1:41730 192.168.1.1:41730"],
        ["no open table", "10.0.0.2"],
    ]
    _, out, _ = run("peers", "--json", "--seconds", "0.1", "--home", str(tmp_path))
    assert [peer["table"] for peer in json.loads(out)["peers"]] == ["kingamon 1/2 m5", ""], "as it is announced"
