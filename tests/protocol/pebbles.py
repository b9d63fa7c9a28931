"""Pebbles, a small game for 2-5 seats, for what the protocol does at tables of more than two.

Seats take 1-3 pebbles in turn; after each move a die is rolled, and a six takes one more. Who takes the last wins.
A seat that resigns leaves the others to play on.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine import Chance, Dice, OptionValue, Over, Pending, Refusal, Result, Turn
from engine.house import FIRST, HouseGame, first_draw, next_seat
from engine.options import Option

DRAW, PLAY, ROLL, DONE = range(4)
PILE = Option("pile", 12, (), "pebbles", low=1, high=99)
KEEP = Option("keep", True, (False, True), "false: a resignation during a roll drops the roll")


class State(NamedTuple):
    phase: int
    seat: int
    pile: int
    live: tuple[int, ...]
    seats: int
    keep: int
    reason: str


class Pebbles(HouseGame[State]):
    key, title, version, seats = "pebbles", "Pebbles", 1, range(2, 6)
    options = (FIRST, PILE, KEEP)
    notation = "`take 2`"
    colours = ("Red", "Blue", "Green", "Black", "White")

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        live = tuple(range(1, seats + 1))
        first = chosen["first"]
        phase, seat = (DRAW, 0) if first == "random" else (PLAY, int(first))
        return State(phase, seat, int(chosen["pile"]), live, seats, int(chosen["keep"]), "")

    def pending(self, state: State) -> Pending:
        if state.phase == DONE:
            winners = (state.seat,) if state.seat else ()
            return Over(Result(winners, tuple(int(s == state.seat) for s in range(1, state.seats + 1)), state.reason))
        if state.phase == PLAY:
            return Turn(state.seat)
        return Chance(Dice(1, 6)) if state.phase == ROLL else first_draw(state.live)

    def live(self, state: State) -> tuple[int, ...]:
        return () if state.phase == DONE else state.live

    def _moves(self, state: State) -> tuple[str, ...]:
        return tuple(f"take {number}" for number in range(1, min(3, state.pile) + 1))

    def _explain(self, state: State, seat: int, action: str) -> Refusal:
        return Refusal("pebbles", "moves", "Take 1 to 3 pebbles.")

    def _read(self, state: State, text: str) -> str | None:
        return text if text.startswith("take ") else None

    def apply(self, state: State, actor: int, action: str) -> State:
        if action == "draw":
            return state._replace(phase=DONE, seat=0, reason="draw agreed")
        if action == "resign":
            return self._leave(state, actor)
        if action.startswith("first "):
            return state._replace(phase=PLAY, seat=int(action[6:]))
        taken = int(action == "6") if state.phase == ROLL else int(action[5:])
        if taken >= state.pile:
            return state._replace(phase=DONE, pile=0, reason="last pebble")
        if state.phase == ROLL:
            return state._replace(phase=PLAY, pile=state.pile - taken, seat=next_seat(state.live, state.seat))
        return state._replace(phase=ROLL, pile=state.pile - taken)

    def _leave(self, state: State, actor: int) -> State:
        live = tuple(seat for seat in state.live if seat != actor)
        if len(live) == 1:
            return state._replace(phase=DONE, seat=live[0], live=live, reason="resigned")
        if state.phase == ROLL and not state.keep:
            state = state._replace(phase=PLAY, seat=next_seat(live, state.seat))
        if state.phase == PLAY and state.seat == actor:
            state = state._replace(seat=next_seat(live, actor))
        return state._replace(live=live)
