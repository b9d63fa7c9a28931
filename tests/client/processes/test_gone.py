"""Players who are gone for good, among real processes: they are left behind, and everybody who stayed signed that."""

import signal

import pytest
from playing import PATIENCE, Player, agree, patched, run
from three_players import TWO_VERSIONS, leave_behind, open_table, sit_down

pytestmark = pytest.mark.network

DIES = (
    "import os, signal\n"
    "from protocol.cards import Dealing\n"
    "from protocol.events import SlotKind\n"
    "part = Dealing.part\n"
    "def dies(dealing, *rest):\n"
    "    if dealing.slot_kind == SlotKind.SHUFFLE:\n"
    "        os.kill(os.getpid(), signal.SIGKILL)\n"
    "    return part(dealing, *rest)\n"
    "Dealing.part = dies\n"
)
"""A client that is killed when it is to shuffle."""


def check(gone: Player, *players: Player) -> None:
    """The files of those who played on agree, verify, and say who was left behind; the one killed left a valid file."""
    assert agree(players)["signed_by"] == [1, 2]
    for player in players:
        told = run(player.home, "verify", str(player.file), "--details")
        assert told.returncode == 0, told.stdout
        assert f"The others went on without {gone.nick}: everybody who stayed signed that." in " ".join(
            told.stdout.split()
        )
    assert run(gone.home, "verify", str(gone.file)).returncode == 0


def test_two_go_on_without_a_third_who_was_killed(trio: list[Player]) -> None:
    """What is typed about it comes through a pipe, out of turn; moves, and the end, after it."""
    anna, ben, cara = trio
    sit_down(trio, "fidchell", "-o", "first=1")
    anna.type("1A7")
    ben.type("2A7")
    anna.hears("Green places a piece on 2A7.")
    assert cara.kill()
    leave_behind(cara, anna, ben)
    anna.type("1B7", "resign", "yes")
    ben.type("2B7")
    assert f"You lost to {ben.nick} by resignation." in anna.end()
    assert "You won by resignation." in ben.end()
    check(cara, anna, ben)


def test_bots_agree_with_a_person(trio: list[Player]) -> None:
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
    anna.type(f"without {cara.nick}", "yes")
    ben.hears(f"This client agrees to go on without Blue ({cara.nick}).")
    anna.hears("which counts as resigning")
    anna.type("resign", "yes")
    assert f"You lost to {ben.nick}" in anna.end()
    assert f"{ben.nick} won" in ben.end()


@pytest.mark.slow
def test_the_player_who_was_killed_comes_back_before_all_have_agreed(trio: list[Player]) -> None:
    anna, ben, cara = trio
    sit_down(trio, "fidchell", "-o", "first=1")
    anna.type("1A7")
    ben.type("2A7")
    anna.hears("Green places a piece on 2A7.")
    assert cara.kill()
    anna.hears("does not answer any more")
    anna.type(f"without {cara.nick}", "yes")
    ben.hears("wants to go on without")
    cara.start("resume")
    anna.hears("Nobody is left behind: the game goes on with all.")
    cara.type("3A7")
    for player in trio:
        player.hears("Blue places a piece on 3A7.")
        player.type("resign", "yes")
    for player in trio:
        player.end()
    agree(trio, confirmed=False)


@pytest.mark.slow
def test_a_player_who_signs_two_versions_of_a_move_ends_the_game(trio: list[Player]) -> None:
    """Everybody learns who did so, that nobody has won, and what can be done next."""
    anna, ben, cara = trio
    cara.program = patched(TWO_VERSIONS)
    sit_down(trio, "fidchell", "-o", "first=1")
    anna.type("1A7")
    ben.type("2A7")
    cara.type("3A7")
    for player in (anna, ben):
        told = player.end()
        assert f"CHEAT: Blue ({cara.nick}) signed two versions of its event" in told
        assert f"Nobody has won: {cara.nick} signed two versions of an event." in told
        shown = run(player.home, "verify", str(player.file))
        assert f"{cara.nick} broke the rules" in " ".join(shown.stdout.split())


@pytest.mark.slow
def test_a_player_who_is_killed_in_a_deal_is_left_behind_and_the_cards_are_dealt_anew(trio: list[Player]) -> None:
    """Its shuffle never comes."""
    anna, ben, cara = trio
    cara.program = patched(DIES)
    sit_down(trio, "celtic-whist")
    assert cara.process
    assert cara.process.wait(PATIENCE) == -signal.SIGKILL
    cara.kill()
    leave_behind(cara, anna, ben)
    anna.hears("Cards shuffled by 2 of 2, all proofs checked.")
    for player in (anna, ben):  # whoever is to bid first
        player.type("resign", "yes")
    told = anna.end() + ben.end()
    assert "You won by resignation." in told
    check(cara, anna, ben)


@pytest.mark.slow
def test_of_two_one_is_killed_and_waited_for_and_comes_back(trio: list[Player]) -> None:
    anna, ben = pair = trio[:2]
    sit_down(pair, "fidchess", "-o", "first=1")
    anna.type("a2 a3")
    ben.hears("Yellow moves")
    assert ben.kill()
    anna.hears("does not answer any more")
    anna.type(f"without {ben.nick}")
    anna.hears("Of two players nobody can go on without the other")
    anna.type("adjourn", "yes")
    anna.end()
    for player in pair:
        player.start("resume")
    ben.type("a7 a6")
    anna.hears("Green moves")
    anna.type("resign", "yes")
    assert f"You lost to {ben.nick} by resignation." in anna.end()
    assert "You won by resignation." in ben.end()
    agree(pair)


@pytest.mark.slow
def test_who_adjourns_is_heard_and_comes_back(trio: list[Player]) -> None:
    anna, ben, _ = trio
    sit_down(trio[:2], "fidchess", "-o", "first=1")
    anna.type("a2 a3")
    ben.hears("Yellow moves")
    anna.type("adjourn", "yes")
    assert "` goes on with it." in anna.end()
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
    """Its client is there and its player is not: the clients of the others agree by themselves."""
    anna, ben, cara = trio
    anna.hands = ben.hands = ("--auto", "0")
    open_table(trio, "qenqe", "--turn-time", "10", "-o", "turn_limit=400")
    assert "10 s for each turn; when it is up, the others' clients agree" in cara.hears("Time: ")
    cara.hears("The others go on without you")
    for player in trio:
        player.end()
    report = agree(trio)
    assert report["signed_by"] == [1, 2, 3]
    told = " ".join(run(cara.home, "verify", str(cara.file)).stdout.split())
    assert f"The others went on without {cara.nick}: everybody who stayed signed that." in told
