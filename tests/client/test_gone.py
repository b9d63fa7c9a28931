"""Players who are gone for good, among real processes: they are voted out or claimed from, and it is proven."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import Player, agree, leave, people, run
from test_network_games import IMPATIENT

pytestmark = pytest.mark.network

DIES = (
    "import os, signal\n"
    "from protocol import _chance\n"
    "from protocol._event import SHUFFLE\n"
    "contribute = _chance.Dealing.contribute\n"
    "def dies(machine, *rest):\n"
    "    if machine.contribution == SHUFFLE:\n"
    "        os.kill(os.getpid(), signal.SIGKILL)\n"
    "    return contribute(machine, *rest)\n"
    "_chance.Dealing.contribute = dies\n"
)
"""A client that is killed when it is to shuffle."""


@pytest.fixture
def trio(tmp_path: Path) -> Iterator[list[Player]]:
    players = people(tmp_path, 3)
    for player in players:
        player.program = ("-c", IMPATIENT)
        player.hands = ("--plain",)
    yield players
    leave(players)


def open_table(players: list[Player], game: str, *options: str) -> None:
    """Let the first one host, and the others join in their order."""
    host, *guests = players
    host.start("host", game, "--name", host.nick, "--players", str(len(players)), *options)
    for guest in guests:
        host.hears("waiting for" if guest is guests[0] else "sits down")
        guest.start("join", host.nick, "--name", guest.nick)


def sit_down(players: list[Player], game: str, *options: str) -> None:
    """Let people take their seats."""
    open_table(players, game, *options)
    for player in players:
        player.hears("Type help for help")


def vote_out(gone: Player, first: Player, second: Player) -> None:
    """Let two players vote as soon as they see that the third is gone; a client at work on a deal asks to wait."""
    for voter in (first, second):
        voter.hears("does not answer any more")
        told = "Not possible"
        while "Not possible" in told:
            voter.type(f"vote {gone.nick}", "yes")
            told = voter.line(lambda line: "You vote to go on" in line or "Not possible" in line)
    for voter in (first, second):
        voter.hears("which counts as resigning")


def check(gone: Player, *players: Player) -> None:
    """The files of those who played on agree, verify, and say who was voted out; the one killed left a valid file."""
    assert agree(players)["signed_by"] == [1, 2]
    for player in players:
        told = run(player.home, "verify", str(player.file))
        assert told.returncode == 0, told.stdout
        assert "seat 3 was voted out by more than half of the players" in told.stdout
    assert run(gone.home, "verify", str(gone.file)).returncode == 0


def test_two_go_on_without_a_third_who_was_killed(trio: list[Player]) -> None:
    """Rule 9: the vote comes through a pipe, out of turn; moves, and the end, after it."""
    anna, ben, cara = trio
    sit_down(trio, "fidchell", "-o", "first=1")
    anna.type("1A7")
    ben.type("2A7")
    anna.hears("Green places a piece on 2A7.")
    assert cara.kill()
    vote_out(cara, anna, ben)
    anna.type("1B7", "resign", "yes")
    ben.type("2B7")
    assert f"You lost to Green ({ben.nick}) by resignation." in anna.end()
    assert "You won by resignation." in ben.end()
    check(cara, anna, ben)


def test_bots_second_the_vote_of_a_person(trio: list[Player]) -> None:
    """One person plays with two clients at which nobody sits, and one of them is killed."""
    anna, ben, cara = trio
    for bot in (ben, cara):
        bot.hands = ("--auto", "0")
    open_table(trio, "fidchell", "-o", "first=1")
    anna.hears("Type help for help")
    cara.hears("three words")
    assert cara.kill()
    anna.hears("does not answer any more")
    anna.type("1A7")
    anna.hears("Green places a piece")
    anna.type(f"vote {cara.nick}", "yes")
    ben.hears(f"This client agrees to go on without Blue ({cara.nick}).")
    anna.hears("which counts as resigning")
    anna.type("resign", "yes")
    assert f"You lost to Green ({ben.nick})" in anna.end()
    assert f"Green ({ben.nick}) won" in ben.end()


@pytest.mark.slow
def test_who_is_killed_in_a_deal_is_voted_out_and_the_cards_are_dealt_anew(trio: list[Player]) -> None:
    """Rules 8 and 12: its shuffle never comes."""
    anna, ben, cara = trio
    cara.program = ("-c", DIES + IMPATIENT)
    sit_down(trio, "celtic-whist")
    assert cara.process
    assert cara.process.wait(60) == -signal.SIGKILL
    cara.kill()
    vote_out(cara, anna, ben)
    anna.hears("Cards shuffled by 2 of 2, all proofs checked.")
    for player in (anna, ben):  # whoever is to bid first
        player.type("resign", "yes")
    told = anna.end() + ben.end()
    assert "You won by resignation." in told
    check(cara, anna, ben)


@pytest.mark.slow
def test_of_two_one_claims_and_leaves_and_both_come_back(trio: list[Player]) -> None:
    """Rule 10: the claim is on record, unconfirmed, and the game goes on from where it was."""
    anna, ben = pair = trio[:2]
    sit_down(pair, "fidchess", "-o", "first=1")
    anna.type("a2 a3")
    ben.hears("Yellow moves")
    assert ben.kill()
    anna.hears("does not answer any more")
    anna.type("claim", "yes")
    anna.hears("You claim the game. Nobody can confirm it")
    anna.type("adjourn", "yes")
    anna.end()
    told = run(anna.home, "verify", str(anna.file))
    assert told.returncode == 0
    assert "seat 1 claims" in told.stdout
    assert "unconfirmed" in told.stdout
    for player in pair:
        player.start("resume", "--plain")
    ben.hears("claims the game, unconfirmed: your next move makes that void")
    ben.type("a7 a6")
    anna.hears("Green moves")
    anna.type("resign", "yes")
    assert f"You lost to Green ({ben.nick}) by resignation." in anna.end()
    assert "You won by resignation." in ben.end()
    agree(pair)
    assert "claims" not in run(ben.home, "verify", str(ben.file)).stdout


@pytest.mark.slow
def test_who_adjourns_is_heard_and_comes_back(trio: list[Player]) -> None:
    anna, ben, _ = trio
    sit_down(trio[:2], "fidchess", "-o", "first=1")
    anna.type("a2 a3")
    ben.hears("Yellow moves")
    anna.type("adjourn", "yes")
    assert "goes on with this game" in anna.end()
    ben.hears("adjourns the game until another day")
    anna.start("resume")
    ben.hears("is back")
    ben.type("a7 a6")
    anna.hears("Green moves")
    anna.type("resign", "yes")
    anna.end()
    ben.end()
    agree(trio[:2])


@pytest.mark.slow
def test_a_silent_player_runs_out_of_time(trio: list[Player]) -> None:
    """Its client is there and its player is not: the clients of the others vote by themselves."""
    anna, ben, cara = trio
    anna.hands = ben.hands = ("--auto", "0")
    open_table(trio, "qenqe", "--turn-time", "10", "-o", "turn_limit=400")
    assert "Each turn has 10 s; then" in cara.hears("Each turn has")
    cara.hears("You were voted out")
    for player in trio:
        player.end()
    report = agree(trio)
    assert report["signed_by"] == [1, 2, 3]
    assert "seat 3 was voted out" in run(cara.home, "verify", str(cara.file)).stdout
