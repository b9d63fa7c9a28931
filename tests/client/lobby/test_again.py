"""Tables that go on from another one: `host --from FILE`, what a guest sees of it, and rematches."""

import asyncio
import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from looking_back import played_alone
from loopback import LOOPBACK, Players
from net_tables import IDENTITIES, NAMES, Room
from playing import PATIENCE

from engine import all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli.sitting import told_elsewhere
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.company import rematch
from p2p_stonehenge.lobby.lobby import Lobby
from p2p_stonehenge.lobby.origins import difference
from p2p_stonehenge.lobby.setup import from_position
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.at_the_end import enter_plays_again, farewell
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.session import RefusedError
from protocol import LOCAL, Origin, Seat, Series, Table, Watchers, Watching, load, origin_of, whole
from protocol.formation import charter


def play(folder: Path, game: str, names: tuple[str, ...], plies: int) -> Table:
    """A table at which the first lawful move was made so often."""

    async def evening() -> Table:
        room = Room(folder, game, names)
        for _ in range(plies):
            turn = room.tables[1].turn
            mover = room.tables[turn]
            mover.play(turn, mover.game.legal(mover.state, turn)[0])
            room.carry()
        return room.tables[1].table

    return asyncio.run(evening())


@pytest.mark.network
def test_friends_go_on_from_a_saved_game_on_their_old_seats(players: Players) -> None:
    """From an earlier point; the guest's own file says the same, and the new file proves the whole game.

    A client that asks nobody plays a game again that is over by its own file, where no match is at stake; it says so.
    """
    bot = ("--auto", "0", *LOOPBACK)
    terms = ("--talk", "--turn-time", "600")
    first = players.start("anna", "host", "kingamon", *terms, "--name", players.nick("anna"), *bot)
    code, out = players.run("ben", "join", players.nick("anna"), "--name", players.nick("ben"), *bot)
    assert (code, first.wait(PATIENCE)) == (0, 0), out
    old = players.saved("anna")
    again = players.start("anna", "host", "--from", str(old), "--at", "21", *bot)
    code, out = players.run("ben", "join", players.nick("anna"), *bot)
    assert (code, again.wait(PATIENCE)) == (0, 0), out
    assert f"goes on from table {old.stem[:4]} after 21 actions" in out
    assert "By your own file that game is over, and " in out
    assert "Your own file of that table says the same." in out
    (new,) = set((players.homes / "anna" / "games").glob("*.stonehenge")) - {old}
    body = load(new.read_bytes()).charter.body
    assert body.watching.talk, "who may watch, and talk, is as before"
    assert body.turn_time == 600, "and so is the turn time"
    code, told = players.run("anna", "verify", str(new), "--json")
    assert (code, json.loads(told)["finished"]) == (0, True)


@pytest.mark.network
def test_a_game_alone_goes_on_with_player_and_bots_on_their_old_seats(players: Players) -> None:
    """The file of a local table has one id for all seats. Nobody else plays: bots advise, and object to nothing."""
    solo = players.start("anna", "solo", "qenqe", "--players", "3", "-o", "first=1", "--plain")
    solo.communicate("a30+c1\nquit\nyes\n", timeout=PATIENCE)
    words = ("--from", str(players.saved("anna")), "--bots", "2", "--plain", *LOOPBACK)
    out, _ = players.start("anna", "host", "qenqe", *words).communicate(
        "who\nhint\nb2-b3\ntakeback\nquit\nyes\n", timeout=PATIENCE
    )
    seats = ("White", "Blue", "Green")
    told = [next(line for line in out.splitlines() if line.startswith(f"  {seat} ")) for seat in seats]
    assert [" (you)" in told[0], " bot Brigid" in told[1], " bot Cormac" in told[2]] == [True] * 3, told
    assert "Hint: " in out
    assert " taken back." in out
    assert "agree" not in out
    assert "waiting for" not in out


def test_the_file_named_with_from_has_to_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command ends before it opens a table."""
    file = str(tmp_path / "game.stonehenge")
    Path(file).write_bytes(played_alone("kingamon", 2, (), 9))
    for words, code, told in (
        (
            ("fidchess", "--from", file),
            2,
            "That saved game is one of Byzantine Kingamon, not of Fidchess: leave `fidchess` out",
        ),
        (("kingamon", "--from", file, "--at", "100000"), 2, "the game has"),
        (("kingamon", "--from", file, "--players", "2"), 2, "leave -o and --players out"),
        (("kingamon", "--from", file, "--match", "3"), 2, "goes on with the match of the saved game"),
        (("--from", file, "--at", "100000"), 2, "the game has"),
        (("oak", "--from", file), 5, "There is no game 'oak'"),
        ((), 2, "Which GAME?"),
        (("kingamon", "--at", "3"), 2, "name the file with --from"),
        (("kingamon", "--from", str(tmp_path / "none.stonehenge")), 5, "There is no file"),
    ):
        assert main(["host", *words, "--auto", "0", "--plain", "--home", str(tmp_path / "home")]) == code
        assert told in " ".join("".join(capsys.readouterr()).split())


def test_a_game_that_is_too_long_to_go_on_with_is_refused_before_a_table_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All could sign the charter, and nobody could read it again. Each smaller table has room for what is named."""
    file = tmp_path / "game.stonehenge"
    file.write_bytes(played_alone("kingamon", 2, (), 60))
    monkeypatch.setattr(charter, "CHARTER_LIMIT", 1000)

    def host(*more: str) -> str:
        assert main(["host", "--from", str(file), *more, "--auto", "0", "--home", str(tmp_path / "home")]) == 2
        return " ".join("".join(capsys.readouterr()).split())

    told = re.search(r"no room for 60 actions. Choose an earlier position: --at (\d+) is the last", host())
    assert told
    assert f"no room for {int(told[1]) + 1} actions" in host("--at", str(int(told[1]) + 1))
    assert "--bots 5 is not possible" in host("--at", told[1], "--bots", "5")


def test_a_damaged_end_of_the_file_named_with_from_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends before it opens a table: `--players` does not go with `--from`."""
    path, content = tmp_path / "game.stonehenge", played_alone("fidchess", 2, (), 9)
    words = ["host", "--from", str(path), "--players", "2", "--home", str(tmp_path / "home")]
    good = whole(content[:-1])
    told = f"damaged: what follows its first {good} bytes cannot be read. What stands before is good:"
    for file, says in ((content, False), (content[:good], False), (content[:-1], True), (content[:good] + b"x", True)):
        path.write_bytes(file)
        assert main(words) == 2
        assert (f"{told} 8 actions." in " ".join(capsys.readouterr().out.split())) == says
    path.write_bytes(content[:40])
    assert main(words) == 3
    assert "This is not a valid saved game" in capsys.readouterr().err


def test_a_difference_to_ones_own_file_is_told_in_words(tmp_path: Path) -> None:
    table = play(tmp_path, "fidchess", NAMES[:2], 6)
    origin = origin_of(table)
    assert difference(origin, table) == ""
    assert difference(origin_of(table, 3), table) == ""
    (actor, action), other = origin.actions[4], (1, "A1-A2")
    changed = Origin(origin.table, (*origin.actions[:4], other, *origin.actions[5:]))
    told = difference(changed, table)
    colour = table.game.colours[actor - 1] if actor else "chance"
    assert told == f"action 5 is `A1-A2` by Yellow there, and `{action}` by {colour} in your own file"
    longer = Origin(origin.table, (*origin.actions, other))
    assert difference(longer, table) == f"your own file ends after action {len(origin.actions)}"


def test_no_table_has_more_actions_than_were_played(tmp_path: Path) -> None:
    table = play(tmp_path, "fidchess", NAMES[:2], 2)
    with pytest.raises(ValueError, match="the game has"):
        origin_of(table, 100)


def test_a_round_with_closed_hands_begins_anew(tmp_path: Path) -> None:
    """What was bid and played since the cards were dealt is left out: nobody can open those hands again."""

    async def evening() -> Origin:
        room = Room(tmp_path, "celtic-whist", NAMES[:2])
        await room.rest()
        return origin_of(room.tables[1].table)

    origin = asyncio.run(evening())
    assert not [action for _, action in origin.actions if action.startswith("deal")]


def test_a_rematch_moves_everybody_on_by_one_seat(tmp_path: Path) -> None:
    table = play(tmp_path, "qenqe", NAMES[:3], 0)
    ids = [seat.id for seat in table.charter.body.seats]
    people, setup = rematch(table, ids)
    assert people == tuple(seat.id for seat in table.charter.body.seats)
    assert setup.places == {people[1]: 1, people[2]: 2, people[0]: 3}
    assert (setup.players, setup.bots, setup.closed, setup.origin) == (3, 0, True, None)
    assert setup.game is all_games()["qenqe"]
    people, setup = rematch(table, ids[:2])
    assert (people, setup.players, setup.bots) == (tuple(ids[:2]), 2, 0)


def test_bots_keep_their_names_in_a_rematch_on_the_seats_that_people_leave_free(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", ("bot Aoife", "ben", "bot Cormac", "dora"), (2, 2, 4, 4))
    table = room.tables[2].table
    people, setup = rematch(table, [seat.id for seat in table.charter.body.seats])
    assert [setup.places[id] for id in people] == [2, 1]
    assert setup.bots_called == {3: "bot Aoife", 4: "bot Cormac"}


def test_a_seat_that_its_player_has_left_keeps_that_name_where_the_game_goes_on(tmp_path: Path) -> None:
    """The host's client has the seat, but no bot plays there: it is out."""
    room = Room(tmp_path / "3", "fidchell", NAMES[:3])
    room.agree_to(3, "resign")
    body, table = room.charter.body, room.tables[1].table
    assert from_position(body, origin_of(table), {}).bots_called == {3: "cara"}
    home = Home.open(str(tmp_path / "home"))
    known.meet(home, IDENTITIES[2].id, "cara")
    seats = (*body.seats[:2], Seat(IDENTITIES[4].id, "cara", 1))
    told: list[str] = []
    lobby: Any = SimpleNamespace(home=home, network=SimpleNamespace(identity=IDENTITIES[0]), report=told.append)
    lobby._introduced = {}
    for origin, warned in ((origin_of(table), False), (None, True)):
        Lobby._warn_of(lobby, SimpleNamespace(body=body._replace(seats=seats, origin=origin)))  # type: ignore[arg-type]
        assert bool(told) == warned, told


def test_who_may_watch_is_as_before_but_where_nobody_could_watch(tmp_path: Path) -> None:
    """A game that was played at one computer is open to all when it goes on among friends, as a new one is."""
    table = Room(tmp_path, names=NAMES[:2]).tables[1].table
    private = table.charter.body._replace(watching=Watching(Watchers.NOBODY, 0))
    assert from_position(private, origin_of(table), {}).watching.by == Watchers.NOBODY
    assert from_position(private._replace(kind=LOCAL), origin_of(table), {}).watching.by == Watchers.EVERYBODY


def test_no_bot_has_the_name_of_a_player_in_the_next_game(tmp_path: Path) -> None:
    """Though the seat that its player had left had that name before, where a game went on at another table."""
    room = Room(tmp_path, "qenqe", ("anna", "ben", "cara"), (1, 2, 2))
    table = room.tables[1].table
    _, setup = rematch(table, [seat.id for seat in table.charter.body.seats])
    assert (setup.bots, setup.bots_called) == (1, {})


@pytest.mark.parametrize("wish", [True, False])
def test_another_game_is_offered_only_while_another_player_is_there(tmp_path: Path, wish: bool) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    table, at = room.tables[1], room.console(1)
    table.stays = True
    room.agree_to(room.tables[1].turn, "resign")
    assert at.prompt() == "again or quit> "
    room.notes(1)
    if wish:
        room.tables[2].dismiss(0.0)
        room.carry()
    room.leave(2)
    name, does = table.label(2), "has left the table" if wish else "does not answer any more"
    assert [note for note in room.notes(1) if name in note] == [
        f"- {name} {does}. There is nobody to play again with: `quit` leaves."
    ]
    assert at.prompt() == "over> "
    assert not enter_plays_again(at.session)
    assert at.enter("") == []
    with pytest.raises(
        RefusedError, match=r"There is nobody to play again with: ben (has left|is away)\..*`quit`.*host fidchess"
    ):
        at.enter("again")
    assert (at.leaving, table.wants_again) == (False, False)
    room.come_back(2)
    assert at.prompt() == "again or quit> ", "a link that came back"


@pytest.mark.parametrize(("match", "goes_on"), [(2, True), (1, False), (0, False)])
def test_who_leaves_between_two_games_of_a_match_reads_how_it_goes_on(
    tmp_path: Path, match: int, goes_on: bool
) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], series=Series(match))
    table, at = room.tables[1], room.console(1)
    table.stays = True
    assert not table.after().way_on, "while the game goes on"
    room.agree_to(table.turn, "resign")
    room.notes(1)
    room.leave(2)
    (left,) = room.notes(1)
    assert "There is nobody to play again with: `quit` leaves." in left
    assert left.endswith(" The match goes on another day, from the start page.") == goes_on
    way_on = f"host --from {table.short_id}` begins the next game of the match."
    with pytest.raises(RefusedError) as refused:
        at.enter("again")
    assert (way_on in str(refused.value)) == goes_on
    assert ("opens another table" in str(refused.value)) != goes_on
    assert [text_of(line).endswith(way_on) for line in farewell(table, at.settings.saved)[-1:]] == [goes_on]
    table.wants_again = True
    assert not text_of(farewell(table, at.settings.saved)[-1]).endswith(way_on), "it has begun then"


@pytest.mark.parametrize(
    ("announced", "told"),
    [
        ("qenqe playing 84c9", "watch ben` shows the game at which ben is now."),
        ("qenqe 1/3", "join ben` leads to the table at which ben is now."),
        ("qenqe 3/3", ""),
        ("qenqe playing 84c9 private", ""),
        ("fidchess playing {}", ""),
        ("", ""),
    ],
)
def test_where_a_player_has_gone_after_the_game_is_told(tmp_path: Path, announced: str, told: str) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    table, ben = room.tables[1], IDENTITIES[1].id
    network: Any = SimpleNamespace(sightings={ben: Sighting(ben, "ben", (), b"", announced.format(table.short_id))})
    table._comings._elsewhere = partial(told_elsewhere, network, table.short_id)
    table.stays = True
    room.agree_to(table.turn, "resign")
    room.notes(1)
    room.tables[2].dismiss(0.0)
    room.carry()
    (note,) = [note for note in room.notes(1) if "ben" in note]
    assert note.partition("`quit` leaves.")[2].endswith(told)
    assert bool(told) == note.endswith("now.")
