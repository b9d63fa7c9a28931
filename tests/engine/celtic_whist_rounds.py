"""Rounds of Celtic Whist for its tests: dealt as words, played and bid as wanted."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st
from kinds import expect

from engine import CHANCE, PUBLIC, Chance, Deal, OptionValue, Over, Result, Turn
from engine.games.celtic_whist import GAME, State
from engine.games.celtic_whist.cards import NAMES
from engine.games.celtic_whist.state import Standing

WHITE, BLUE, GREEN, YELLOW, RED = range(1, 6)
CHOICES: dict[str, tuple[OptionValue, ...]] = {
    "first": ("random", 1),
    "all_cards": (False, True),
    "black_must_follow": (False, True),
    "doubling": (False, True),
    "restrictive_null": (False, True),
    "scoring": ("standard", "hard"),
    "hand": (13, 15),
    "start": (15, 1, 28),
    "timer": (15, 1, 27),
    "cooperative": (False, True),
}
Setup: TypeAlias = tuple[dict[str, OptionValue], int]
"""Options, and a number of players."""
ALONE = ("hand", "start", "timer")
SUITS_OF_THE_SHEET = {
    "W": (1, 7, 13, 19, 25),
    "B": (2, 8, 14, 20, 26),
    "G": (3, 9, 15, 21, 27),
    "Y": (4, 10, 16, 22, 28),
    "R": (5, 11, 17, 23, 29),
    "K": (6, 12, 18, 24, 30),
}


def allowed(options: Mapping[str, OptionValue], seats: int) -> bool:
    """Whether the rules let these options go together for so many players."""
    on = {name for name, chosen in options.items() if chosen is True}
    return not (
        ("all_cards" in on and seats != 5)
        or (seats == 1 and on & {"restrictive_null", "cooperative"})
        or ("cooperative" in on and on & {"doubling", "restrictive_null"})
    )


@st.composite
def setups(draw: st.DrawFn, seats: Sequence[int] = range(1, 6)) -> Setup:
    """Options and a number of players that go together."""
    players = draw(st.sampled_from(seats))
    names = [name for name in CHOICES if (name in ALONE) <= (players == 1)]
    options: dict[str, OptionValue] = {name: draw(st.sampled_from(CHOICES[name])) for name in names}
    for name in ("all_cards", "cooperative", "restrictive_null", "doubling"):
        if not allowed(options, players):
            options[name] = False
    return options, players


def shuffled_deal(draw: Deal, rng: Random) -> str:
    cards = list(draw.deck)
    rng.shuffle(cards)
    return f"deal {' '.join(cards)}"


def actor_of(state: State) -> int:
    due = GAME.pending(state)
    return due.seat if isinstance(due, Turn) else CHANCE


def run(state: State, *actions: str) -> State:
    """Do some actions, each of the actor to act; `3 resign` is an action of seat 3."""
    for action in actions:
        match = re.fullmatch(r"(\d) (resign)", action)
        actor, text = (int(match[1]), match[2]) if match else (actor_of(state), action)
        assert GAME.refuse(state, actor, text) is None, (action, GAME.refuse(state, actor, text))
        state = GAME.apply(state, actor, text)
    return state


def deal_of(state: State) -> Deal:
    """The deal that is due."""
    return expect(Deal, expect(Chance, GAME.pending(state)).draw)


def dealt(state: State, hands: dict[int, str], seed: int = 0) -> State:
    """Return the state after a deal in which seats have the cards named (`2: "G9 TG"`), the rest at random."""
    draw = deal_of(state)
    wanted = {seat: text.split() for seat, text in hands.items()}
    free = [card for card in draw.deck if all(card not in cards for cards in wanted.values())]
    Random(seed).shuffle(free)
    cards = [wanted[owner].pop(0) if wanted.get(owner) else free.pop() for owner in draw.owners]
    assert not any(wanted.values())
    return run(state, f"deal {' '.join(cards)}")


def table(seats: int, hands: dict[int, str], trump: str = "TG", first: int = 1, **options: OptionValue) -> State:
    """Return the state in which the first round is bid."""
    return table_of(seats, hands, trump, first, options)


def table_of(seats: int, hands: dict[int, str], trump: str, first: int, options: Mapping[str, OptionValue]) -> State:
    chosen = options if seats == 1 else {"first": first, **options}
    return dealt(run(GAME.start(chosen, seats), f"trump {trump}"), hands)


def result(state: State) -> Result:
    due = GAME.pending(state)
    assert isinstance(due, Over)
    return due.result


def why(state: State, action: str, actor: int | None = None) -> tuple[str, ...]:
    refusal = GAME.refuse(state, actor_of(state) if actor is None else actor, action)
    assert refusal is not None
    return refusal.code, refusal.text


def tell(state: State, action: str) -> list[str]:
    return [event.text for event in GAME.story(state, actor_of(state), action)]


def legal(state: State) -> set[str]:
    return set(GAME.legal(state, state.seat))


def finished(
    seats: int,
    bids: dict[int, str],
    takes: dict[int, int],
    before: Callable[[Standing], Standing] | None = None,
    first: int | None = None,
    **options: OptionValue,
) -> State:
    """Return the state after a round with these bids in which seats took so many tricks (`takes`)."""
    if any("double" in text for text in bids.values()):
        options["doubling"] = True
    state = table_of(seats, {}, "TG", first or seats, options)
    return finish(state._replace(standing=before(state.standing)) if before else state, bids, takes)


def finish(state: State, bids: dict[int, str], takes: dict[int, int]) -> State:
    """Play the round that is being bid so that seats take the tricks wanted: the last trick is played in earnest."""
    live, names = GAME.live(state), NAMES[state.trump]
    for _ in live:
        state = run(state, bids[state.seat])
    *order, last = [seat for seat, count in takes.items() for _ in range(count)]
    leads = bytes((order[0] if order else last, *order))
    # Red was led and followed in all tricks before; now Black is led, so that the highest number takes the trick.
    plays = bytes((names.index("R29"),)) * (len(live) * len(order))
    low = iter(("W1", "W7", "B2", "B8"))
    cards = {seat: "K6" if seat == leads[-1] else next(low) for seat in live} | {last: "K30"}
    hands = tuple(1 << names.index(cards[seat]) if seat in live else 0 for seat in range(1, len(state.hands) + 1))
    state = state._replace(hands=hands, plays=plays, leads=leads, seat=leads[-1])
    for _ in live:
        state = run(state, *GAME.legal(state, state.seat))
    return state


def bidding(
    seats: int, bids: tuple[str, ...], first: int, totals: tuple[int, ...] | None = None, **options: OptionValue
) -> State:
    """Return the state when all have bid; `bids` by seat."""
    state = table_of(seats, {}, "TG", first, options)
    if totals:
        state = state._replace(standing=state.standing._replace(totals=totals))
    for _ in range(seats):
        state = run(state, bids[state.seat - 1])
    return state


def between(state: State, **changes: Any) -> State:
    return state._replace(standing=state.standing._replace(**changes))


def revoking(
    seats: int, hands: tuple[str, ...], plays: str, trump: str = "TG", **options: OptionValue
) -> tuple[State, ...]:
    """Fold the public view through a last trick or two: hands are short, plays are (cards of each seat in turn)."""
    state = table(seats, {}, trump=trump, first=seats, **options)
    for _ in range(seats):
        state = run(state, "bid 1")
    names = NAMES["WBGYR".index(trump[1])]
    known = [sum(1 << names.index(card) for card in cards.split()) for cards in hands]
    state = state._replace(hands=tuple(known), seat=1, leads=b"\1", plays=b"")
    public = GAME.view(state, PUBLIC)
    for action in plays.split():
        before, public = public, GAME.apply(public, public.seat, action)
    return before, public
