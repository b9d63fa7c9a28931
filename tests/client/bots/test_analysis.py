"""`analyse`: what a bot makes of a game that was played."""

import re
from collections.abc import Iterator
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import pytest
from looking_back import played_together, saved
from saved_games import LOST, home_of, solo

from engine import CHANCE, Chance, Deal, OptionValue, Turn, all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.analysis import Played, PlyBefore, judged, luck_of, told
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Kind
from p2p_stonehenge.saved import OPEN
from protocol import draw_locally

REVOKE = Path(__file__).resolve().parents[2] / "data" / "vectors" / "files" / "revoke.stonehenge"


def entries(key: str, actions: str, players: int = 2, **options: OptionValue) -> list[PlyBefore]:
    game = all_games()[key]
    state = game.start(options, players)
    found: list[PlyBefore] = []
    for action in actions.split():
        due = game.pending(state)
        actor = due.seat if isinstance(due, Turn) else CHANCE
        found.append(PlyBefore(len(found) + 1, actor, action, state))
        state = game.apply(state, actor, action)
    return found


def test_a_move_that_leaves_the_rigant_is_where_the_game_turned() -> None:
    """Yellow comes next to the Rigant, and Green moves something else."""
    played = entries("fidchess", "D2-D3 A7-A6 D3-D4 A6-A5 D4-C6 B8-A6 C6-B8 D7-D6 B8xA8", first=1)
    found = list(judged(all_games()["fidchess"], played))
    assert [one.number for one in found] == [*range(1, 10)]
    worst = max(found, key=lambda one: one.loss)
    assert (worst.number, worst.seat, worst.action) == (8, 2, "D7-D6")
    lines = told(all_games()["fidchess"], ["anna", "ben"], found)
    assert lines[0].startswith("anna: 5 choices, ")
    assert lines[2] == "Where the game turned:"
    blunder = "   8. ben played D7-D6: that loses at once; anna answered B8xA8; the bot would play "
    assert any(line.startswith(blunder) for line in lines)
    assert lines[-1] == "   9. anna won with B8xA8."


@pytest.mark.slow
def test_a_move_that_loses_farther_off_than_the_bot_saw_is_looked_at_again() -> None:
    """The answer to 22 wins in four turns: the bot sees that after it, and not before, at the level that is usual."""
    played = entries(
        "fidchess",
        "B7-A5 A2-B4 B8-B6 D1-C3 B6>1@A6,1@B5 B2-C4 D8-C6 C4xB6 D7xB6 D2-C4 B6xC4 C3xC4 A5xC4 B4xC4 C7+A6"
        " C2-A3 C6-D4 C4-B6 A6xB6 C1xC8 A7xC8 A3xB5 B6-A6 B5-A3 D4-C2 A1-A2 A6xA3 A2xA3 C2xA3",
        first=2,
    )
    game = all_games()["fidchess"]
    found = list(judged(game, played[17:]))
    _, _, *turned = told(game, ["anna", "ben"], found[4:])
    assert turned[0] == "Where the game turned:"
    line = "  22. anna played A3xB5: that loses by force within 4 turns; ben answered B6-A6; the bot would play B1"
    assert turned[1].startswith(line)
    assert turned[2:] == ["  29. ben won with C2xA3."]


@pytest.mark.slow
def test_a_win_that_the_answer_let_go_is_told_though_the_bot_would_not_have_found_it() -> None:
    """Behind 7 a win is proven, by A2+A15; anna, and a bot that looks at the position after it, play something else."""
    played = entries("qenqe", "A15-C14 C2+C1 C15+B17 B2+A2 B15-A15 B1+B30 C14-D14 A2-D2 C16-C14", first=2)
    game = all_games()["qenqe"]
    anna, _, _, lost, let_go = told(game, ["anna", "ben"], list(judged(game, played[6:])))
    assert lost.startswith("   7. ben played C14-D14: that loses by force within 3 turns; the bot would play ")
    assert let_go == (
        "   8. anna played A2-D2; the bot would play A2+A15 (wins by force within 3 turns): about 9.7 disks better."
    )
    assert anna.startswith("anna: 1 choice, 0 as good as the bot's")


def test_moves_that_cost_little_turn_nothing() -> None:
    game = all_games()["fidchess"]
    found = [Played(1, 1, "B2-B3", "B1-B2", "", 0.04), Played(2, 2, "B7-B6", "B8-B7", "", 0.7)]
    assert told(game, ["anna", "ben"], found) == [
        "anna: 1 choice, 1 as good as the bot's.",
        "ben: 1 choice, 0 as good as the bot's; it costs about 0.7 disks.",
        "No single move turned the game.",
    ]


def test_with_three_players_the_blunders_are_found() -> None:
    """White gives three disks away, and then lets Green, the second to move after White, take its Rigant."""
    played = entries(
        "qenqe",
        "B11+B10 B20+B21 C2+C1 B10-B8 B22+A22 B1+B30 B12+C12 B21-B20 B30-B22 C11>1@B11 C22+B22 B2+A2 C12-B12 A20+C21"
        " A30-B30 A12-A13 A22xA1",
        players=3,
        first=2,
    )
    game = all_games()["qenqe"]
    lines = told(game, ["anna", "ben", "cleo"], list(judged(game, played, level=3)))
    blunders = [line.split("; ")[0] for line in lines[lines.index("Where the game turned:") + 1 :]]
    assert blunders == [
        "   9. anna played B30-B22",
        "  15. anna played A30-B30: that lets a rival win at once",
        "  17. cleo won with A22xA1.",
    ]


def test_of_three_players_who_let_a_rival_win_at_once_are_told_though_it_might_have_won_later() -> None:
    """Green needs one field more: Blue and Red could each take it, and both play elsewhere."""
    played = entries(
        "fidchell",
        "2C1 6C1 4C1 2C2 6C2 2C3 4C2 2C4 2C3 6C3 4C1 2C5 6C4 2C7 2C6 6C5 2A7 2D6 6C6 1A7 2D7",
        players=3,
        first=2,
        layout=53035,
    )
    game = all_games()["fidchell"]
    *choices, _, blue, red, green = told(game, ["cleo", "ben", "anna"], list(judged(game, played[18:], level=3)))
    assert blue.startswith("  19. anna played 6C6: that lets a rival win at once; the bot would play ")
    assert red.startswith("  20. cleo played 1A7: that lets a rival win at once; ben answered 2D7; the bot would play ")
    assert green == "  21. ben won with 2D7."
    assert choices[0] == "cleo: 1 choice, 0 as good as the bot's; it costs about 10.0 pieces."


@pytest.mark.slow
def test_with_four_players_the_move_that_cannot_be_met_is_found() -> None:
    """Blue threatens Green's Rigant from B14 next; the first moves that Green's bot thinks of do nothing about it."""
    moves = (
        "B15-A13 B24+B25 A2-C3 B8+A8 A13-B13 A25+C24 B30-A2 C9+B9 B16+B13 B23+C23 C2-D2 C10+B10 B13-D12 C23+A23 C1-C2"
        " B10-C10 D12-D11 B25+C25 D2+C2 B9-B14"
    )
    played = entries("qenqe", moves, players=4, first=3)
    found = list(judged(all_games()["qenqe"], played[16:17]))
    (line,) = told(all_games()["qenqe"], ["anna", "ben", "cleo", "dora"], found)[2:]
    assert line.startswith("  17. cleo played D12-D11: that may let a rival win within 2 turns; the bot would play ")


def test_who_answers_is_named_and_the_turns_that_decided_are_told() -> None:
    """In Fidchell a turn goes on after each capture."""
    found = [
        Played(3, 1, "6C2", "1C7", "", 1.2),
        Played(4, 2, "6C3", "6C3", "leaves Green's chain to the king 6 fields short instead of 7", 0.0),
        Played(5, 1, "6C3", "1C7", "", 1.4),
        Played(6, 2, "6C4", "6C4", "captures 2 pieces and moves again", 0.0, tells=frozenset({Kind.HARM})),
        Played(7, 2, "4C5", "4C5", "takes 1 disk", 0.0, tells=frozenset({Kind.HARM})),
        Played(8, 1, "6C7", "4C5", "moves again", 11.0, lost="loses by force within 3 turns"),
        Played(9, 2, "4C7", "4C7", "wins by force within 3 turns", 0.0, tells=frozenset({Kind.WIN})),
        Played(10, 2, "3D4", "3D4", "wins by force within 2 turns", 0.0, tells=frozenset({Kind.WIN})),
        Played(12, 2, "1C2", "1C2", "wins at once", 0.0, tells=frozenset({Kind.WIN_NOW})),
    ]
    _, _, *turned = told(all_games()["fidchell"], ["anna", "ben"], found)
    assert turned == [
        "Where the game turned:",
        "   3. anna played 6C2; the bot would play 1C7: about 1.2 pieces better.",
        "   5. anna played 6C3, after which ben played 6C4: it captures 2 pieces and moves again;"
        " the bot would play 1C7: about 1.4 pieces better.",
        "   8. anna played 6C7: that loses by force within 3 turns; ben answered 4C7 3D4; the bot would play 4C5"
        " (moves again).",
        "  12. ben won with 1C2.",
    ]


@pytest.mark.parametrize("kind", Kind)
def test_an_answer_is_told_for_what_it_does_whatever_its_words(kind: Kind) -> None:
    """Harm was looked for in the words of a reason: a new wording was missed."""
    found = [
        Played(3, 1, "6C2", "1C7", "", 1.2),
        Played(4, 2, "6C3", "6C3", "does as it has never been called before", 0.0, tells=frozenset({kind})),
    ]
    turned = told(all_games()["fidchell"], ["anna", "ben"], found)[3]
    assert ("after which ben played 6C3: it does as it" in turned) == (kind in (Kind.HARM, Kind.WIN, Kind.WIN_NOW))


@pytest.mark.parametrize(
    ("loss", "told_of"), [(0.4, "played 6C3: it captures a piece"), (1.4, "could play 6C4: it wins")]
)
def test_the_answer_that_was_played_is_told_where_it_did_harm_and_was_nearly_as_good(loss: float, told_of: str) -> None:
    """Of the bot's own answer nothing was to be seen in the game, and a lost stack was passed over."""
    found = [
        Played(3, 1, "6C2", "1C7", "", 2.2),
        Played(4, 2, "6C3", "6C4", "wins a piece", loss, tells=frozenset({Kind.WIN}), harm="captures a piece"),
    ]
    turned = told(all_games()["fidchell"], ["anna", "ben"], found)[3]
    assert f"after which ben {told_of}" in turned


def test_what_a_move_that_is_not_the_bots_does_to_others_is_found() -> None:
    """Yellow takes an Oin where the bot would take a Teth."""
    game = all_games()["fidchess"]
    state = game.start({"first": 1}, 2)
    for actor, action in ((1, "B2-C4"), (2, "C7-C6"), (1, "A2-A3"), (2, "A7-A6")):
        state = game.apply(state, actor, action)
    captures = [action for action in game.legal(state, 1) if "x" in action]
    found = {one: next(judged(game, [PlyBefore(5, 1, one, state)])) for one in captures}
    assert any(one.action != one.best for one in found.values())
    assert all((one.harm != "") == (one.action != one.best) for one in found.values())


def test_what_plays_of_kingamon_cost_is_told_in_points() -> None:
    game = all_games()["kingamon"]
    found = [
        Played(19, 1, "3/8", "5/10", "", 240.0),
        Played(21, 1, "8/9", "8/9", "", 0.0),
        Played(22, 2, "27/24", "28/25", "", 61.0),
    ]
    assert told(game, ["anna", "ben"], found) == [
        "anna: 2 choices, 1 as good as the bot's; the other one costs about 0.24 points.",
        "ben: 1 choice, 0 as good as the bot's; it costs about 0.06 points.",
        "Where the game turned:",
        "  19. anna played 3/8; the bot would play 5/10: about 0.24 points better.",
    ]


def test_the_luck_of_all_rolls_together_is_none() -> None:
    """Each roll counts as often as it falls: what it is worth beside the average adds up to nothing."""
    game = all_games()["kingamon"]
    *_, last = entries("kingamon", "6-1 3/9 3/4 6-5", first=1)
    assert last.actor == CHANCE
    rolls = [f"{a}-{b}" for a in range(1, 7) for b in range(a, 7)]
    fortunes = [luck_of(game, [last._replace(action=roll)])[2] for roll in rolls]
    weights = [1 if roll[0] == roll[2] else 2 for roll in rolls]
    assert abs(sum(map(mul, weights, fortunes))) < 1e-6
    assert min(fortunes) < -10 < 10 < max(fortunes), "in thousandths of a point"


def test_the_luck_of_the_dice_is_told_of_each_player() -> None:
    game = all_games()["kingamon"]
    played = entries("kingamon", "6-1 3/9 3/4 6-5 28/22 28/23", first=1)
    luck = luck_of(game, played)
    assert {*luck} == {1, 2}
    lines = told(game, ["anna", "ben"], list(judged(game, played, level=2)), {1: 412.0, 2: -60.0})
    assert lines[0].endswith("; the dice brought 0.41 points more than average ones.")
    assert lines[1].endswith("; the dice brought 0.06 points less than average ones.")


def test_to_resign_where_a_bot_would_play_on_is_a_choice_that_costs_much() -> None:
    game = all_games()["kingamon"]
    played = entries("kingamon", "5-3 4/9 9/12 1-2", first=1)
    played.append(PlyBefore(len(played) + 1, 2, "resign", _after(game, played[-1])))
    found = list(judged(game, played))
    assert (found[-1].action, found[-1].seat) == ("resign", 2)
    assert found[-1].loss > 500
    lines = told(game, ["anna", "ben"], found, {}, played[0].before)
    assert any(
        re.match(r" +\d+\. ben resigned; the bot would play .*: about [01]\.\d+ points better\.", one) for one in lines
    )


def _after(game: Any, entry: PlyBefore) -> Any:
    return game.apply(entry.before, entry.actor, entry.action)


def test_a_saved_game_is_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "solo",
        "fidchess",
        "--auto",
        "1",
        "-o",
        "turn_limit=8",
        "-o",
        "first=1",
        "--plain",
        "--home",
        str(tmp_path),
    ]
    assert main(command) == 0
    (path,) = tmp_path.glob("games/*.stonehenge")
    capsys.readouterr()
    assert main(["analyse", str(path), "--level", "casual"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Fidchess: bot Aoife, bot Brigid"
    assert re.match(r"bot Aoife: \d+ choices?, ", out[1])
    assert re.match(r"bot Brigid: \d+ choices?, ", out[2]), "a forced move is no choice"
    assert out[-1] == "A `hint` may name other moves: at the table a bot has less time."


def test_of_a_game_that_goes_on_it_is_said_that_it_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = solo(home_of(tmp_path), LOST[:2], 1e9)
    assert main(["analyse", str(path), "--level", "casual"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Fidchess: anna, bot 2. The game is not over: this is what was played so far."
    assert main(["analyse", str(path), "--level", "random"]) == 2
    assert "Level 0 is too low: levels are 1 (learner), " in capsys.readouterr().err


def test_it_is_said_at_once_that_a_long_look_takes_a_while_and_on_a_terminal_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def nothing(*_: object) -> Iterator[Played]:
        said.append(capsys.readouterr().err)
        yield from ()

    monkeypatch.setattr("p2p_stonehenge.screen.analysing.judged", nothing)
    path = solo(home_of(tmp_path), LOST[:2], 1e9)
    assert main(["analyse", str(path)]) == 0
    assert main(["analyse", str(path), "--level", "club"]) == 0
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["analyse", str(path), "--level", "club"]) == 0
    told = "p2p-stonehenge: This can take minutes: `--level club` is several times as quick, and sees less.\n"
    assert said == [told, "", "\ranalysing:   0%"]


def a_round() -> list[PlyBefore]:
    """Return the actions of a round of random bids and cards of Celtic Whist for three."""
    game, rng, found = all_games()["celtic-whist"], Random(5), list[PlyBefore]()
    state = game.start({}, 3)
    while sum(one.actor != CHANCE for one in found) < 3 * 11:
        due = game.pending(state)
        if isinstance(due, Chance):
            actor, action = CHANCE, draw_locally(due.draw, rng.randbytes(32))
        else:
            assert isinstance(due, Turn)
            actor, action = due.seat, rng.choice(game.legal(state, due.seat))
        found.append(PlyBefore(len(found) + 1, actor, action, game.view(state, actor) if actor else state))
        state = game.apply(state, actor, action)
    return found


def test_bids_and_cards_are_weighed_in_deals_that_know_no_more_than_the_player() -> None:
    game, first = all_games()["celtic-whist"], a_round()
    found = list(judged(game, first, level=3))
    assert {one.seat for one in found} == {1, 2, 3}
    bids = [one for one in found if " " in one.action]
    assert len(bids) == 3
    assert max(one.loss for one in bids) > 200, "a bid at random costs more than four of 100 games"
    assert all(one.loss == 0 for one in found if one.action == one.best)
    again = list(judged(game, first, level=3))
    assert again == found
    lines = told(game, ["anna", "ben", "cleo"], found, luck_of(game, first), first[0].before)
    choices = r"\d+ choices, \d+ as good as the bot's; the other(?:s together cost| one costs) about \d+ of 100 games"
    luck = r"the cards brought \d+ of 100 games (?:more|less) than average ones"
    assert all(re.fullmatch(rf"(?:anna|ben|cleo): {choices}; {luck}\.", line) for line in lines[:3]), lines
    assert lines[3] == "Where the game turned:"
    turned = r" +\d+\. (?:anna|ben|cleo) played \S+( \d+)?; the bot would play .*: about \d+ of 100 games better\."
    assert all(re.fullmatch(turned, line) for line in lines[4:]), lines
    assert not any(re.search(r"\byou\b", line) for line in lines), "a player reads of others, too"


def test_a_card_that_a_bot_would_play_is_told_of_with_names_for_the_colours_of_seats() -> None:
    """Where these are suits as well: Blue sits on seat 2."""
    game, first = all_games()["celtic-whist"], a_round()
    found = [Played(9, 1, "R5", "R11", "gives Blue a trick too many", 500.0)]
    *_, turned = told(game, ["anna", "ben", "cleo"], found, {}, first[0].before)
    assert turned.startswith("   9. anna played R5; the bot would play R11 (gives ben a trick too many): ")


def test_a_revoke_is_no_choice_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(REVOKE), "--level", "1", "--home", str(tmp_path)]) == 0
    assert "\nben: 13 choices, 12 as good" in capsys.readouterr().out


def test_a_hand_that_the_file_does_not_show_is_not_judged() -> None:
    """Of a round that was broken off only the cards that were played are known."""
    game = saved(played_together("celtic-whist", 2, (), 50))
    (_, dealt) = [step.number for step in game.steps if step.kind == "deal"]
    broken_off = [
        PlyBefore(ply + 1, entry.actor, game.actions[ply], game.position(ply, entry.actor or OPEN))
        for ply, entry in enumerate(game.table.fold.log)
        if ply >= dealt - 1
    ]
    assert len(broken_off) > 6
    assert not list(judged(game.game, broken_off))
    assert not luck_of(game.game, broken_off)


def test_all_seats_together_are_as_lucky_as_on_average() -> None:
    """The best cards bring a seat more, and of many deals each seat gains as much as it loses."""
    game, sums = all_games()["celtic-whist"], dict.fromkeys((1, 2, 3), 0.0)
    state = game.start({"first": 1}, 3)
    while not isinstance(due := game.pending(state), Chance) or not isinstance(due.draw, Deal):
        assert isinstance(due, Chance)
        state = game.apply(state, CHANCE, draw_locally(due.draw, bytes(32)))
    deck, owners = due.draw.deck, due.draw.owners
    best = sorted(deck, key=lambda name: -int(re.sub(r"\D", "", name) or 31))
    lucky = iter(best[: owners.count(2)])
    rest = iter(best[owners.count(2) :])
    dealt = " ".join(["deal", *(next(lucky if owner == 2 else rest) for owner in owners)])
    luck = bot_of(game).fortune(state, dealt)
    assert luck[2] > 300
    assert bot_of(game).fortune(state, dealt) == luck
    assert bot_of(game).fortune(state, dealt.replace(best[0], "?")) == {}
    for seed in range(40):
        one = bot_of(game).fortune(state, draw_locally(due.draw, bytes([seed]) * 32))
        assert sum(one.values()) == pytest.approx(0.0, abs=0.01), "what one wins the others lose"
        sums = {seat: much + one[seat] for seat, much in sums.items()}
    assert all(abs(much) / 40 < 250 for much in sums.values()), sums
