"""Advice and questions in games of three and more: no rival is taken to hand its Rigant over, each can win."""

import re
from random import Random
from typing import Any

import pytest

from engine import Turn, all_games
from p2p_stonehenge.bots import advice
from p2p_stonehenge.bots.search import WIN
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought, Weighed, always, together
from p2p_stonehenge.table.losing import losing_reply, winning_reply

QENQE = all_games()["qenqe"]
GREEN_MAY_AIM_AT_WHITE = "B1+B2 B11+B12 C21+C20 A30+C1 A10+C11 B22-D21 B30+C30"
"""Blue is to move; Green may threaten White's Rigant next, and White see to it before Blue moves again."""
WHITE_GUARDS_ITS_RIGANT = "B11+B10 B20+B21 C2+C1 B10-B8 B22+A22 B1+B30 B12+C12 B21-B20 B30-B22 C11>1@B11 C22+B22 B2+A2"
"""Seat 2 begins. Two actions later White is to move: once its Oin leaves A30, Green takes A1 after Blue's move."""


def of_several(actions: str, first: int = 1, players: int = 3) -> Any:
    state = QENQE.start({"first": first}, players)
    for action in actions.split():
        due = QENQE.pending(state)
        assert isinstance(due, Turn)
        assert QENQE.refuse(state, due.seat, action) is None
        state = QENQE.apply(state, due.seat, action)
    return state


@pytest.mark.slow
def test_a_rival_is_not_taken_to_leave_its_rigant_to_another_one() -> None:
    state = of_several(GREEN_MAY_AIM_AT_WHITE)
    lines = advice.hint(QENQE, state, 2, always)
    assert not any("lose" in line for line in lines), lines
    action = lines[0].split()[1].rstrip(":")
    told = advice.why(QENQE, state, 2, (action,), always)[0]
    hint, _, _ = lines[0].partition(" The next best move ")
    assert hint == f"Hint: {told.removesuffix(' A bot would play it too.')}"


def test_of_several_rivals_a_win_or_loss_further_off_is_not_called_forced() -> None:
    state = of_several(f"{WHITE_GUARDS_ITS_RIGANT} C12-B12 A20+C21", first=2)
    for worth, told in (
        (WIN - 3, "may win within 2 turns"),
        (2 - WIN, "lets a rival win at once"),
        (4 - WIN, "may let a rival win within 2 turns"),
    ):
        assert together(bot_of(QENQE).explain(state, 1, Thought("A2-A4", worth))) == told


@pytest.mark.slow
def test_why_names_the_rival_that_wins_after_another_one_has_moved() -> None:
    state = of_several(f"{WHITE_GUARDS_ITS_RIGANT} C12-B12 A20+C21", first=2)
    told, answer, best = advice.why(QENQE, state, 1, ("A30-B30",), always)
    assert told == "A30-B30: White moves an Oin from A30 to B30. It lets a rival win at once."
    assert answer == "Green can win at once with A22xA1."
    assert best.startswith("A bot would play ")


def test_a_rival_that_wins_after_another_one_has_moved_is_asked_about() -> None:
    state = of_several(f"{WHITE_GUARDS_ITS_RIGANT} C12-B12 A20+C21", first=2)
    assert losing_reply(QENQE, state, 1, "A30-B30") == ((3, ("A22xA1",)), False)
    assert losing_reply(QENQE, state, 1, "A2-A4") is None


def test_a_capture_by_which_a_rival_would_lose_more_than_it_takes_is_no_threat() -> None:
    """Blue could land on B1, where White has two disks, and would lose its own stack to another rival then."""
    state = of_several("B2+A30 B8-D7 A17-A18 C25+C24 C1+C30 C8+B10 B15-C13 B23+A23", players=4)
    turned = state._replace(to_move=2)
    best = bot_of(QENQE).think(turned, 2, 3, Random(0))[0]
    better, worse = bot_of(QENQE).weigh(turned, 2, ("B9+B1", best.action), 3, always).thoughts
    assert worse.action == "B9+B1"
    assert worse.worth < better.worth - 100
    assert bot_of(QENQE).threat(state, 1) is None


def test_a_capture_that_pays_for_the_rival_is_a_threat() -> None:
    state = of_several("C1+C30 C10+C11 C22-B24 C30-C28 C11-D11 B20+C20")
    does = "takes a stack of 3 disks, of which 1 leaves the game: all in all worth about 4 disks"
    assert bot_of(QENQE).threat(state, 1) == (3, f"threatens C21+C28, which {does}")


@pytest.mark.slow
def test_a_hint_says_which_capture_puts_a_player_behind() -> None:
    """No rival would gain by it, for another one takes the stack back: together they take two disks of White."""
    moves = "A25+B25 B30+A30 A8+B8 B16+B15 B23-A25 B2+A2 B10-A8 B15-A13 C24>1@D24"
    state = of_several(moves, players=4, first=4)
    hint = advice.hint(QENQE, state, 1, always)[0]
    assert bot_of(QENQE).threat(state, 1) is None
    assert re.search(r" Then \w+ threatens B(8|25)\+B1, which takes a stack of 2 disks: ", hint)
    assert re.search(r" about 2\.\d disks behind then\.$", hint)


@pytest.mark.slow
def test_why_tells_how_a_player_stands_after_a_move_that_is_worse() -> None:
    moves = (
        "B15-A13 B24+B25 A2-C3 B8+A8 A13-B13 A25+C24 B30-A2 C9+B9 B16+B13 B23+C23 C2-D2 C10+B10 B13-D12 C23+A23 C1-C2"
    )
    state = of_several(moves, players=4, first=3)
    asked, answer, best = advice.why(QENQE, state, 2, ("B10-C10",), always)
    assert re.search(r"The bot reckons you about [\d.]+ disks behind then\.$", asked)
    assert "rival" not in answer
    assert best.startswith("A bot would play ")


@pytest.mark.slow
def test_a_move_that_time_was_too_short_for_is_not_compared_with_the_best_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of fewer plies may see more in a move than one of the best move that goes on."""
    game = all_games()["fidchell"]
    state = game.start({"first": 1}, 3)
    compared = advice.why(game, state, 1, ("1A5",), always)[0]
    assert compared.endswith("The game is level then.")

    weigh = bot_of(game).weigh

    def cut_short(*search: Any) -> Weighed:
        found = weigh(*search)
        return found._replace(depth=found.depth - (len(found.thoughts) == 1))

    monkeypatch.setattr(bot_of(game), "weigh", cut_short)
    alone = advice.why(game, state, 1, ("1A5",), always)[0]
    assert compared.startswith(alone)
    assert "level" not in alone


A_DUO_HANGS = """
    B11+C11 A20+B20 C1-D1 B10-C8 B20+C20 B1+B2 C11>3@D11 B21+B22 B30+C2 C8-C9 A22+C21 C2+C30 C12-C13 B22-B18 D1-D5
    B12-B13 B18-C18
"""
"""Seat 2 begins. White, to move, has a Duo on D5, which the Teth on D11 takes."""


def test_a_threat_to_win_does_not_hide_what_one_rival_takes_while_another_meets_it() -> None:
    """A hint named C30-A29, and that White stood well then: Blue took the Duo, and Green met the threat."""
    state = of_several(A_DUO_HANGS, first=2)
    found = bot_of(QENQE).threat(state, 1, "C30-A29")
    takes = "takes a stack of 2 disks, of which 1 leaves the game"
    meanwhile = "while Green can still keep White from winning at once"
    assert found == (2, f"threatens D11+D5, which {takes}, {meanwhile}")
    weighed = {one.action: one.worth for one in bot_of(QENQE).weigh(state, 1, ("C30-A29", "B2-B5"), 3, always).thoughts}
    assert weighed["C30-A29"] < weighed["B2-B5"] - 50
    after = QENQE.apply(QENQE.apply(state, 1, "C30-A29"), 2, "D11+D5")
    assert winning_reply(QENQE, after._replace(to_move=1), 3)
    assert winning_reply(QENQE, QENQE.apply(after, 3, "C22-A23"), 3) is None


def test_a_capture_that_pays_is_told_also_where_the_rival_has_a_better_move() -> None:
    """Nothing was warned of while a Duo stood before a stack of four: the rival could also threaten to win."""
    moves = """
        C30-A29 D11+D5 C22-A23 B2-B24 D5>1@D6 C18>2@D18 B24-A22 C10+C11 A23+A22 A2-B2 C11-D11 D18+C18 A29>1@A28 D5-D28
        C21-C7 A28-A27 B13-D14 A22-B24 A27-B25 C13+A12 A21-B21 B25+B24 D11-B11 B21-C21
    """
    state = of_several(f"{A_DUO_HANGS} {moves}", first=2)
    does = "takes a stack of 4 disks, of which 2 leave the game: all in all worth about 4 disks"
    assert bot_of(QENQE).threat(state, 1) == (2, f"threatens B11+B24, which {does}")


@pytest.mark.slow
def test_an_answer_that_is_not_what_its_player_threatens_is_told_as_another() -> None:
    """Two lines contradicted each other: a capture was threatened, and the answer another move, without a word."""
    state = of_several(" ".join(A_DUO_HANGS.split()[:14]), first=2)
    first, answer, _ = advice.why(QENQE, state, 1, ("D1-D5",), always)
    assert " Then Blue threatens D11+D5, which takes a stack of 2 disks" in first
    assert re.match(r"The bot likes another answer of Blue better than D11\+D5: (?!D11\+D5)\S+: Blue ", answer)
