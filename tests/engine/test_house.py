"""What all games share, where a seat acts that may not: beginning, resigning, draws."""

from typing import Any

import pytest

from engine import CHANCE, Game, OptionValue, Over, Resignation, Turn, all_games, fewest_players

GAMES = [game for game in all_games().values() if any(option.name == "first" for option in game.options)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize(
    ("options", "actor", "action", "code"),
    [
        ({}, 1, "A2-A3", "chance"),
        ({}, CHANCE, "first 9", "chance"),
        ({}, 1, "resign", None),
        ({"first": 1}, 2, "resign", None),
        ({"first": 1}, 9, "resign", "not-playing"),
        ({"first": 1}, CHANCE, "resign", "not-playing"),
        ({"first": 1}, 1, "draw", "no-draw"),
    ],
)
def test_refusals_before_the_first_move(
    game: Game[Any], options: dict[str, OptionValue], actor: int, action: str, code: str | None
) -> None:
    refusal = game.refuse(game.start(options, fewest_players(game)), actor, action)
    assert (refusal and refusal.code) == code


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_no_seat_plays_out_of_turn(game: Game[Any]) -> None:
    state = game.start({"first": 1}, fewest_players(game))
    if not isinstance(game.pending(state), Turn):
        assert [game.refuse(state, seat, "A2-A3").code for seat in (1, 2)] == ["chance", "chance"]  # type: ignore[union-attr]
        return
    refusal = game.refuse(state, 2, game.legal(state, 1)[0])
    assert refusal is not None
    assert (refusal.code, refusal.text) == ("turn", f"It is {game.colours[0]}'s turn.")


@pytest.mark.parametrize("game", [game for game in GAMES if 3 in game.seats], ids=lambda game: game.key)
def test_nobody_resigns_twice(game: Game[Any]) -> None:
    refusal = game.refuse(game.apply(game.start({"first": 1}, 3), 2, "resign"), 2, "resign")
    assert refusal is not None
    assert refusal.code == "not-playing"


@pytest.mark.parametrize("draws", [True, False])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_only_where_a_game_can_be_drawn_a_refusal_says_how(
    game: Game[Any], draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "draws", draws)
    state = game.start({"first": 1}, fewest_players(game))
    refusals = [refusal for actor in (1, CHANCE) if (refusal := game.refuse(state, actor, "draw"))]
    assert ["agreed by all seats" in refusal.text for refusal in refusals] == ([True] if draws else [False, False])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_counts_as_a_resignation_is_told_in_other_words_also_where_it_ends_the_game(game: Game[Any]) -> None:
    """The sentence about the end may name the reason: then it is the one that was given."""
    words = Resignation("The others go on without {}", "{} was left behind")
    for players in {fewest_players(game), max(game.seats)}:
        state = game.start({"first": 1}, players)
        for seat in game.live(state)[:-1]:
            usual, told = (game.story(state, seat, "resign", *more) for more in ((), (words,)))
            colour = game.colours[seat - 1]
            assert usual[0].text.startswith(f"{colour} resigns")
            assert told[0].text.startswith(f"The others go on without {colour}")
            assert not any("resign" in event.text for event in told)
            ends = [one.text.replace(f"{colour} resigned", f"{colour} was left behind") for one in usual[1:]]
            assert ends == [one.text for one in told[1:]]
            state = game.apply(state, seat, "resign")
        assert isinstance(game.pending(state), Over)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_a_game_that_may_go_on_for_ever_takes_the_options_that_end_it(game: Game[Any]) -> None:
    """Those that have no such options end by themselves: the laws play them to their ends."""
    for players in game.seats:
        game.start(dict(game.finite_with), players)
    assert {name for name, _ in game.finite_with} <= {option.name for option in game.options}


@pytest.mark.parametrize(
    ("key", "options", "teams"),
    [
        ("celtic-whist", {}, ()),
        ("celtic-whist", {"cooperative": "true"}, ((1, 2, 3, 4),)),
        ("celtic-whist", {"cooperative": " TRUE "}, ((1, 2, 3, 4),)),
        ("celtic-whist", {"cooperative": True}, ((1, 2, 3, 4),)),
        ("celtic-whist", {"cooperative": "false"}, ()),
        ("qenqe", {"partners": "true"}, ((1, 3), (2, 4))),
        ("qenqe", {}, ()),
        ("fidchess", {}, ()),
    ],
)
def test_which_seats_win_or_lose_together_is_said_of_the_options(
    key: str, options: dict[str, OptionValue], teams: tuple[tuple[int, ...], ...]
) -> None:
    """As they are typed, and as a charter or a program holds them."""
    assert all_games()[key].teams(options, 4) == teams
