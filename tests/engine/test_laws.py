"""The laws that hold for every game, checked over random games of every registered game under random options."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from golden import MORE, choice, known_to
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CHANCE,
    MOST_SEATS,
    PUBLIC,
    Chance,
    Deal,
    Dice,
    Game,
    NotationError,
    Option,
    OptionError,
    OptionValue,
    Over,
    Pick,
    Turn,
    all_games,
    decode,
    digest,
    encode,
)
from engine.house import HouseGame
from engine.options import SEATS
from p2p_stonehenge.rules import page

GAMES = all_games()
BOUND = 20_000
"""Plies within which every game without a turn limit has ended; the longest last some hundreds."""
GARBAGE = ("", " ", "pass", "A", "A1-A1", "deal deal", "first 0", "first 9", "0-0", "resign!", "\x00", "é→½", "9" * 600)

laws = settings(deadline=None, max_examples=40 * MORE)


class Table(NamedTuple):
    """A game to be played at random from `seed`."""

    game: Game[Any]
    options: dict[str, OptionValue]
    seats: int
    seed: int

    def __repr__(self) -> str:
        return f"{self.game.key} {self.options} {self.seats} seats, seed {self.seed}"

    def start(self) -> Any:
        return self.game.start(self.options, self.seats)

    @property
    def everybody(self) -> range:
        """Every seat, and 0: as actor chance, as viewer the public."""
        return range(self.seats + 1)


class Ply(NamedTuple):
    before: Any
    actor: int
    action: str
    after: Any


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A game with options that it accepts: refused options are left out."""
    game = draw(st.sampled_from(list(GAMES.values())))
    seats = draw(st.sampled_from(game.seats))
    options = {option.name: draw(values(option, seats)) for option in game.options if draw(st.booleans())}
    while True:
        try:
            game.start(options, seats)
            return Table(game, options, seats, draw(st.integers(0, 2**32 - 1)))
        except OptionError as error:
            if options.pop(error.option, None) is None:
                options.popitem()


def values(option: Option, seats: int) -> st.SearchStrategy[OptionValue]:
    high = seats if option.high == SEATS else min(option.high, 300)
    numbers = st.integers(option.low, high) if option.low <= high else st.nothing()
    texts = st.from_regex(option.pattern, fullmatch=True) if option.pattern else st.nothing()
    return (st.sampled_from(option.values) if option.values else st.nothing()) | numbers | texts


def plies(table: Table, longest: int = 100) -> Iterator[Ply]:
    """Play at random, with a rare resignation or agreed draw."""
    game, rng = table.game, Random(table.seed)
    state = table.start()
    for _ in range(longest):
        due = game.pending(state)
        if isinstance(due, Over):
            return
        actor, action = choice(game, state, due, rng)
        if rng.random() < 0.004:
            actor, action = rng.choice([(CHANCE, "draw"), *((seat, "resign") for seat in game.live(state))])
            if game.refuse(state, actor, action) is not None:
                continue
        after = game.apply(state, actor, action)
        yield Ply(state, actor, action, after)
        state = after


def states(table: Table) -> Iterator[Any]:
    yield table.start()
    for ply in plies(table):
        yield ply.after


def dealt(state: Any, table: Table) -> Deal | None:
    """The deal that is due, if one is."""
    due = table.game.pending(state)
    return due.draw if isinstance(due, Chance) and isinstance(due.draw, Deal) else None


@cache
def is_topic(key: str, rule: str) -> bool:
    """Whether the game's rules page has this topic."""
    return page(key, rule, 80) is not None


@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_no_more_seats_than_a_table(key: str) -> None:
    assert GAMES[key].seats[-1] <= MOST_SEATS


def test_a_game_of_more_seats_than_a_table_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["qenqe"]), "seats", range(2, MOST_SEATS + 2))
    with pytest.raises(ValueError, match=r"Fidchess Qenqe is for 6 seats: a table has 5 at most"):
        all_games.__wrapped__()


@laws
@given(tables())
def test_the_actor_to_act_has_a_lawful_action_and_nobody_else(table: Table) -> None:
    game = table.game
    for state in states(table):
        due = game.pending(state)
        for actor in table.everybody:
            legal = game.legal(state, actor)
            assert len(set(legal)) == len(legal)
            assert all(type(action) is str for action in legal)
            if isinstance(due, Turn) and actor == due.seat:
                assert legal
                assert actor in game.live(state)
            elif isinstance(due, Chance) and actor == CHANCE:
                match due.draw:
                    case Pick(outcomes):
                        assert tuple(legal) == outcomes != ()
                    case Dice(number, sides):
                        assert len(legal) == sides**number
                    case Deal(deck, owners):
                        assert tuple(legal) == ()
                        assert len(deck) == len(owners)
            else:
                assert tuple(legal) == ()


@laws
@given(tables())
def test_an_action_is_legal_exactly_if_it_is_not_refused(table: Table) -> None:
    game, rng = table.game, Random(table.seed)
    heard = [*GARBAGE]
    for state in states(table):
        for actor in table.everybody:
            legal = list(game.legal(state, actor))
            for action in rng.sample(legal, min(len(legal), 5)):
                assert game.refuse(state, actor, action) is None, action
                heard.append(action)
                where = rng.randrange(len(action))
                heard.append(action[:where] + rng.choice("ABD18x+-@=*?'") + action[where + 1 :])
            if dealt(state, table) and actor == CHANCE:
                continue
            for action in rng.sample(heard, 5):
                refusal = game.refuse(state, actor, action)
                assert (refusal is None) == (action in legal), action
                if refusal is not None:
                    assert refusal.code
                    assert is_topic(game.key, refusal.rule), refusal
                    assert refusal.text.endswith(".")
                    assert len(refusal.text) < 300


@laws
@given(tables())
def test_only_a_whole_deal_is_lawful(table: Table) -> None:
    for ply in plies(table):
        if deal := dealt(ply.before, table):
            deck = deal.deck
            for cards in ((*deck[:-1], deck[0]), deck[:-1], (*deck, deck[0])):
                assert table.game.refuse(ply.before, CHANCE, " ".join(("deal", *cards))) is not None


@laws
@given(tables())
def test_what_is_written_is_read_back(table: Table) -> None:
    game, rng = table.game, Random(table.seed)
    for ply in plies(table):
        legal = list(game.legal(ply.before, ply.actor))
        for action in [ply.action, *rng.sample(legal, min(len(legal), 5))]:
            for typed in (action, action.lower(), f" {action} "):
                assert game.parse(ply.before, typed) == action
            for viewer in table.everybody:
                assert game.parse(game.view(ply.before, viewer), action) == action


@pytest.mark.parametrize("key", GAMES)
def test_blanks_in_what_is_typed_cost_nothing(key: str) -> None:
    """A reader that tries every way to share out the blanks never ends; a peer could send such a move, too."""
    game = GAMES[key]
    state = (
        game.apply(game.start({}, max(game.seats)), CHANCE, "first 1") if key != "celtic-whist" else game.start({}, 1)
    )
    began = time.process_time()
    assert isinstance(game, HouseGame)
    words = {*re.findall(r"[A-Za-z]?[0-9]+|[A-Za-z]+|[^A-Za-z0-9]", f"{game.notation} b2 r c3 d 1 @ > = 7"), " "}
    rng = Random(1)
    for _ in range(60):
        text = "".join(rng.choice(sorted(words)) + " " * 20 for _ in range(4)) * 4
        for typed in (text, f"b1 > {text}", "b2          r          " * 8):
            with suppress(NotationError):
                game.parse(state, typed[:400])
            game.refuse(state, 1, typed[:400])
    assert time.process_time() - began < 10


@laws
@given(tables(), st.lists(st.text(max_size=30), max_size=10))
def test_other_text_is_read_as_an_action_or_said_not_to_be_one(table: Table, texts: list[str]) -> None:
    game = table.game
    for state in states(table):
        for text in (*texts, *GARBAGE):
            try:
                action = game.parse(state, text)
            except NotationError:
                continue
            assert game.parse(state, action) == action
        texts = []  # once is enough


@laws
@given(tables())
def test_states_are_plain_values_with_canonical_bytes(table: Table) -> None:
    game = table.game

    def plain(value: object) -> bool:
        if isinstance(value, tuple):
            return all(map(plain, value))
        return value is None or type(value) in (int, str, bytes)

    packed: dict[bytes, Any] = {}
    for state in states(table):
        for seen in (state, *(game.view(state, viewer) for viewer in table.everybody)):
            assert plain(seen)
            data = game.pack(seen)
            assert encode(decode(data)) == data
            assert packed.setdefault(data, seen) == seen, "two states with the same bytes"
        assert len(digest(game, state)) == 32


@laws
@given(tables())
def test_views(table: Table) -> None:
    game = table.game
    for state in states(table):
        public = game.view(state, PUBLIC)
        for viewer in table.everybody:
            seen = game.view(state, viewer)
            assert game.view(seen, viewer) == seen
            assert game.view(seen, PUBLIC) == public
            assert type(game.pending(seen)) is type(game.pending(state))
            assert game.live(seen) == game.live(state)
            assert list(game.legal(seen, viewer)) == list(game.legal(state, viewer))


@laws
@given(tables())
def test_views_follow_the_game(table: Table) -> None:
    if table.seats == 1:
        return  # solitaire is folded from the full state only
    game = table.game
    for ply in plies(table):
        for viewer in table.everybody:
            seen = game.view(ply.before, viewer)
            action = known_to(viewer, game.pending(ply.before), ply.action)
            assert game.refuse(seen, ply.actor, action) is None
            assert game.view(ply.after, viewer) == game.apply(seen, ply.actor, action)


@laws
@given(tables())
def test_a_completed_view_looks_the_same(table: Table) -> None:
    game, rng = table.game, Random(table.seed)
    for state in states(table):
        for viewer in table.everybody:
            seen = game.view(state, viewer)
            assert game.view(game.complete(seen, rng), viewer) == seen


@laws
@given(tables())
def test_nothing_follows_the_end(table: Table) -> None:
    game = table.game
    for state in states(table):
        due = game.pending(state)
        if not isinstance(due, Over):
            continue
        winners, points, reason = due.result
        assert sorted(set(winners)) == list(winners)
        assert set(winners) <= set(table.everybody) - {0}
        assert len(points) == table.seats
        for team in game.teams(table.options, table.seats):
            assert len({points[seat - 1] for seat in team}) == len({seat in winners for seat in team}) == 1
        assert reason
        for winner in winners:
            for loser in set(table.everybody) - {0, *winners}:
                assert game.worth(state, winner) >= game.worth(state, loser)
        for actor in table.everybody:
            for action in ("resign", "draw", *GARBAGE):
                assert game.refuse(state, actor, action) is not None


@laws
@given(tables())
def test_every_seat_may_resign_and_all_agree_a_draw_at_any_time(table: Table) -> None:
    game = table.game
    for state in states(table):
        live = game.live(state)
        if isinstance(game.pending(state), Over):
            assert live == ()
            return
        assert live
        for seat in table.everybody:
            assert (game.refuse(state, seat, "resign") is None) == (seat in live)
            if seat in live:
                after = game.apply(state, seat, "resign")
                due = game.pending(after)
                assert seat not in game.live(after)
                assert isinstance(due, Over) == (game.live(after) == ())
                assert not isinstance(due, Over) or seat not in due.result.winners
            assert game.refuse(state, seat, "draw") is not None or seat == CHANCE
        if game.refuse(state, CHANCE, "draw") is None:
            due = game.pending(game.apply(state, CHANCE, "draw"))
            assert isinstance(due, Over)
            assert due.result.winners == ()
            assert game.live(game.apply(state, CHANCE, "draw")) == ()


@laws
@given(tables())
def test_stories_are_sentences(table: Table) -> None:
    game = table.game
    for ply in plies(table):
        own = game.view(ply.before, ply.actor)
        foreseen = game.story(own, ply.actor, known_to(ply.actor, game.pending(ply.before), ply.action))
        for text, places, *_ in (*game.story(ply.before, ply.actor, ply.action), *foreseen):
            assert text[0].isupper() or text[0].isdigit()
            assert text.endswith((".", "!"))
            assert all(type(place) is str and place for place in places)


@laws
@given(tables())
def test_only_what_a_seat_does_takes_pieces_and_only_those_of_other_seats(table: Table) -> None:
    game = table.game
    for ply in plies(table):
        for seen in (ply.before, game.view(ply.before, ply.actor)):
            action = known_to(ply.actor, game.pending(ply.before), ply.action) if seen is not ply.before else ply.action
            for event in game.story(seen, ply.actor, action):
                assert sorted({*event.takes}) == [*event.takes]
                assert {*event.takes} <= {*table.everybody} - {CHANCE, ply.actor}
                assert not event.takes or (ply.actor != CHANCE and ply.action != "resign")
                assert not event.takes or not game.suits, "no card that is played is taken from anybody"


@laws
@given(tables())
def test_games_end(table: Table) -> None:
    game, actions = table.game, 0
    if any(option.name == "turn_limit" for option in game.options):
        limit = 1 + table.seed % 200
        table = table._replace(options={**table.options, "turn_limit": limit})
    else:
        limit = BOUND
    state = table.start()
    for ply in plies(table, 2 * limit):
        actions += ply.actor != CHANCE and ply.action != "resign"
        state = ply.after
    assert isinstance(game.pending(state), Over)
    assert actions <= limit


def digests() -> list[str]:
    """The digests of the last states of some games."""
    found = []
    for game in GAMES.values():
        for seats in game.seats:
            table = Table(game, {}, seats, seats)
            *_, last = states(table)
            found.append(digest(game, last).hex())
    return found


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_digests_agree_across_hash_seeds(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        [sys.executable, __file__], env=environment, capture_output=True, text=True, check=True, timeout=100
    )
    assert ran.stdout.split() == digests()


if __name__ == "__main__":
    print(*digests())
