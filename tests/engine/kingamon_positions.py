"""Positions and games of Byzantine Kingamon for its tests, with pieces written as spaces."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st
from kinds import expect

from engine import CHANCE, OptionValue, Over, Result, Turn
from engine.games.kingamon import GAME, PLAY, State
from engine.games.kingamon.plays import plays

WHITE, RED = 1, 2
Pieces: TypeAlias = dict[str, int | str]
"""Pieces of a side as `side` takes them."""
CHOICES = {
    "first": ("random", 1, 2),
    "quick": (False, True),
    "captured_disks": ("bar", "removed"),
    "captured_king": ("loses", "bar"),
    "bearing_off": ("exact", "backgammon"),
    "bar_first": (False, True),
    "safe_spaces": (False, True),
    "acey_ducey": (False, True),
    "cube": (False, True),
}


def allowed(options: Mapping[str, OptionValue]) -> bool:
    """Whether the rules let these options go together."""
    only_quick = options["captured_disks"] == "removed" or options["captured_king"] == "bar"
    clash = options["captured_disks"] == "removed" and options["bearing_off"] == "backgammon"
    return bool(options["quick"] or not only_quick) and not clash


any_options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})
option_sets = any_options.filter(allowed)


def actor_of(state: State) -> int:
    due = GAME.pending(state)
    return due.seat if isinstance(due, Turn) else CHANCE


def game(options: Mapping[str, OptionValue], rng: Random, *, long: bool = False) -> Iterator[Any]:
    """Yield (state, actor, action) through a random game; `long` spares the kings so that pieces get home."""
    state = GAME.start(options, 2)
    while not isinstance(GAME.pending(state), Over):
        actor = actor_of(state)
        legal = list(GAME.legal(state, actor))
        if long and actor:
            calm = [a for a in legal if not isinstance(GAME.pending(GAME.apply(state, actor, a)), Over)]
            legal = ["roll"] if legal[0] == "roll" else calm or legal
        action = rng.choice(legal)
        yield state, actor, action
        state = GAME.apply(state, actor, action)
    yield state, None, None


def board(state: State) -> dict[tuple[int, str], list[str]]:
    """The pieces in the reference's words."""
    places = {}
    for seat, side in ((WHITE, state.white), (RED, state.red)):
        names = ["bar", *(str(way if seat == WHITE else 30 - way) for way in range(1, 30)), "off"]
        places[seat, "disk"] = sorted(name for name, byte in zip(names, side, strict=True) for _ in range(byte % 16))
        kings = [name for name, byte in zip(names, side, strict=True) if byte >= 16]
        places[seat, "king"] = ["start"] if side[0] >= 32 else kings
    return places


def side(seat: int, king: str = "start", **disks: int) -> bytes:
    """Return a side's bytes from `s4=2` (disks on space 4), `bar=1`, and where the king stands; the rest is off."""
    cells = bytearray(31)
    for place, count in disks.items():
        cells[way(seat, place)] += count
    cells[30] += 10 - sum(disks.values())
    cells[way(seat, king)] += 32 if king == "start" else 16
    return bytes(cells)


def way(seat: int, place: str) -> int:
    if place in ("bar", "start", "off"):
        return 30 if place == "off" else 0
    return int(place[1:]) if seat == WHITE else 30 - int(place[1:])


def placed(seat: int, pieces: Mapping[str, int | str]) -> bytes:
    """Return a side's bytes from a mapping that says what `side` takes."""
    king = str(pieces.get("king", "start"))
    return side(seat, king, **{place: int(count) for place, count in pieces.items() if place != "king"})


def position(
    seat: int, dice: list[int], white: Mapping[str, int | str], red: Mapping[str, int | str], **options: OptionValue
) -> State:
    """Return the state in which `seat` has `dice` to play."""
    rules = GAME.start(options, 2).rules
    state = State(rules, PLAY, seat, placed(WHITE, white), placed(RED, red), bytes(dice), 0, 1, 0)
    own, other = (state.white, state.red) if seat == WHITE else (state.red, state.white)
    return state._replace(plays=plays(rules, seat, own, other, state.dice))


def alone(
    seat: int, dice: list[int], king: str = "start", options: Mapping[str, OptionValue] | None = None, **disks: int
) -> State:
    """Return the state in which `seat` has these pieces and the other side has none on the board."""
    mine: Pieces = {"king": king, **disks}
    nothing: Pieces = {}
    white, red = (mine, nothing) if seat == WHITE else (nothing, mine)
    return position(seat, dice, white, red, **(options or {}))


def result_of(state: State) -> Result:
    return expect(Over, GAME.pending(state)).result


def legal(state: State) -> set[str]:
    return set(GAME.legal(state, state.seat))


def why(state: State, action: str, seat: int = 0) -> tuple[str, ...]:
    refusal = GAME.refuse(state, seat or state.seat, action)
    assert refusal is not None
    return refusal.code, refusal.text


STUCK: tuple[Pieces, Pieces] = {"king": "off", "s29": 1}, {"s5": 10}
"""White can only use a 1."""


BACKGAMMON: dict[str, OptionValue] = {"bearing_off": "backgammon"}


def run(state: State, *actions: str) -> State:
    for action in actions:
        actor = actor_of(state)
        assert GAME.refuse(state, actor, action) is None, action
        state = GAME.apply(state, actor, action)
    return state
