"""The personal record: games, results and opponents, counted from the saved games."""

import json
from pathlib import Path

import pytest
from kinds import expect
from saved_games import ANNA, BEN, CLEO, LOST, agreed, among_friends, home_of, keep, solo

from engine import Result
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli.letters import saved as saved_page
from p2p_stonehenge.cli.resume import _find
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.lobby.naming import Wanted, choose
from p2p_stonehenge.lobby.record import Tally, record
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.screen.pages import ListPage, Words
from protocol import Series, charter_record, id_text

WON = ((1, "B2-B3"), (2, "resign"))


def test_the_record_counts_games_results_and_opponents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    solo(home, WON, 1e9, nonce=1)
    solo(home, WON, 1e9, nonce=2)
    solo(home, WON[:1], 1e9, nonce=3)
    charter = agreed("kingamon", [(ANNA, "anna"), (BEN, "ben")], first="1")
    keep(home, charter.table.hex()[:16], charter_record(charter), 1e9)
    by_game, by_opponent = record(Shelf(home).games())
    assert by_game == {"Fidchess": Tally(3, 2, 1, 0)}
    assert by_opponent == {"bots": {"Fidchess": Tally(3, 2, 1, 0)}}
    assert main(["record", "--home", str(home.path)]) == 0
    assert capsys.readouterr().out == "Fidchess  3 games: 2 won, 1 lost\n"
    assert main(["record", "--json", "--home", str(home.path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["opponents"]["bots"]["Fidchess"] == Tally(3, 2, 1, 0)._asdict()


def test_a_game_that_another_table_has_decided_anew_counts_once_and_a_match_by_who_won_it(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    for number, (actions, series) in enumerate(((WON, Series(2)), (LOST, Series(2)), (WON, Series(2))), 1):
        solo(home, actions, 1e9 + number, nonce=number, series=series)
    first, second, anew = sorted(Shelf(home).games(), key=lambda one: one.played)

    def of(one: Saved, before: Saved | None, points: tuple[int, int], origin: Saved | None = None) -> Saved:
        table = before.table if before else b""
        series = Series(2, int(before is not None), table, points if before else ())
        comes_from = origin.table if origin else b""
        return one._replace(facts=one.facts._replace(series=series, origin=comes_from))

    first = of(first, None, (0, 0))
    second, again = of(second, first, (1, 0)), of(anew, first, (1, 0), second)
    assert record([first, second])[0] == {"Fidchess": Tally(2, 1, 1, 0)}, "the match goes on"
    (tally,) = record([first, second, again])[0].values()
    assert tally == Tally(2, 2, 0, 0, 1, 0)
    assert tally.told() == "2 games: 2 won, 0 lost; 1 match: 1 won, 0 lost"
    going = again._replace(facts=again.facts._replace(result=None), unfinished=True)
    assert record([first, second, going])[0] == {"Fidchess": Tally(2, 1, 1, 0)}, "until the other table has an end"
    last = of(anew, first, (1, 0))
    undone = of(first._replace(facts=first.facts._replace(table=bytes(32))), None, (0, 0), first)
    (tally,) = record([first, last, undone])[0].values()
    assert tally == Tally(2, 2, 0, 0), "what followed a game that was decided anew ends no match"


def test_who_resigned_before_the_others_drew_has_lost(tmp_path: Path) -> None:
    home, names = home_of(tmp_path), ("anna", "bot 2", "bot 3")
    placed = ((1, "5D4"), (2, "5D5"), (3, "5D6"))
    solo(home, [*placed, (1, "resign"), (2, "1A7")], 1e9, names=names, key="fidchell", turn_limit=4)
    solo(home, [*placed, (1, "1A7")], 2e9, nonce=1, names=names, key="fidchell", turn_limit=4)
    assert [game.score() for game in Shelf(home).games()] == ["drawn", "lost"]
    assert [game.score() for game in Shelf(home).games()] == ["drawn", "lost"], "also from what was kept of the files"


def test_who_resigned_has_lost_and_may_watch_the_bots_that_play_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, names = home_of(tmp_path), ("anna", "bot 2", "bot 3")
    path = solo(home, [(1, "resign")], 1e9, names=names, key="fidchell")
    (game,) = Shelf(home).games()
    assert game.told(1e9).endswith(", lost, the bots play on")
    assert (game.unfinished, game.goes_on) == (False, ()), "it is no game to go on with"
    assert record([game])[0] == {"Fidchell": Tally(1, 0, 1, 0)}
    assert main(["saved", "--home", str(home.path)]) == 0
    hint = f"`p2p-stonehenge --home {home.path} resume 1` lets you watch on."
    assert hint in " ".join(capsys.readouterr().out.split())
    assert choose([game], "fidchell", 1e9, Wanted.UNFINISHED, "resume") == game
    page = saved_page(lambda: [game], lambda _: None)
    assert expect(ListPage, page.enter("1")).enter("watch") == Words(("resume", game.letters))
    assert game._replace(own=()).told(1e9).endswith(", as far as you watched"), "of a file from another player"
    with pytest.raises(Failure, match="no interrupted table"):
        _find(home, "", asks=False)
    assert _find(home, game.letters, asks=False)[0] == path


def test_a_match_is_gone_on_with_though_its_player_is_out_of_this_game(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, [(1, "resign")], 1e9, names=("anna", "bot 2", "bot 3"), key="fidchell")
    (game,) = Shelf(home).games()
    facts = game.facts._replace(series=Series(5))
    assert not facts.bots_play_on, "its next game comes when the bots have ended this one"


def test_a_game_that_was_watched_is_told_so_and_is_in_no_record(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    among_friends(home, "fidchess", [(BEN, "ben"), (CLEO, "cleo")], 1e9, going=False)
    (begun,) = Shelf(home).games()
    assert begun.told(1e9).endswith(", as far as you watched")
    over = begun._replace(facts=begun.facts._replace(result=Result((2,), (0, 1), "resigned")))
    told = over.told(1e9)
    assert told.startswith("Fidchess between ben, cleo, ")
    assert told.endswith(", watched, cleo won")
    assert choose([over], "watched", 1e9, Wanted.FINISHED, "replay") == over
    assert record([over]) == ({}, {})


def test_the_record_of_each_opponent_is_sorted_as_that_of_all(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    (lost,) = Shelf(home).games()
    kinds = ("fidchess", "kingamon", "kingamon")
    by_game, by_opponent = record(lost._replace(facts=lost.facts._replace(game=key)) for key in kinds)
    assert [*by_game] == [*by_opponent["bots"]] == ["Byzantine Kingamon", "Fidchess"]


def test_opponents_are_named_beside_their_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, both = Tally(1, 1, 0, 0), Tally(2, 1, 1, 0)
    monkeypatch.setattr("p2p_stonehenge.cli.saved.tally", lambda _: ({"Fidchess": both}, {"ben": {"Fidchess": one}}))
    assert main(["record", "--home", str(tmp_path)]) == 0
    told = "Fidchess  2 games: 1 won, 1 lost\n\nben  Fidchess  1 game: 1 won, 0 lost\n"
    assert capsys.readouterr().out == told


def test_without_a_game_that_is_over_the_next_step_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--home", str(tmp_path)]) == 0
    assert "solo kingamon" in capsys.readouterr().out


def test_an_opponent_is_counted_by_key_under_the_last_name(tmp_path: Path) -> None:
    """One who was called otherwise before is one opponent; two who are called alike are two."""
    home = home_of(tmp_path)
    sat = [(BEN, "ben"), (BEN, "benny"), (CLEO, "benny")]
    for number, (one, name) in enumerate(sat):
        among_friends(home, "fidchess", [(ANNA, "anna"), (one, name)], 1e9 + number, nonce=number)

    def over() -> list[Saved]:
        result = Result((1,), (1, 0), "resigned")
        return [one._replace(facts=one.facts._replace(result=result)) for one in Shelf(home).games()]

    key = id_text(CLEO.id)[:4]
    won = {"Fidchess": Tally(2, 2, 0, 0)}, {"Fidchess": Tally(1, 1, 0, 0)}
    assert record(over())[1] == {"benny": won[0], f"benny ({key})": won[1]}
    among_friends(home, "fidchess", [(ANNA, "anna"), (CLEO, "bots")], 2e9, nonce=3)
    solo(home, WON, 1e9, nonce=4)
    names = record(over())[1]
    assert list(names) == ["benny", f"bots ({key})", "bots"], "no player passes for the bots"
