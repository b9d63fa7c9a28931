"""The story of Fidchell: what an action did, in plain sentences."""

from collections.abc import Iterator, Sequence

from engine.game import Action, Event
from engine.games.fidchell.board import COLOURS, fields_of
from engine.games.fidchell.state import CHAINED, STUCK, State
from engine.games.fidchell.turns import TURNS_AFTER
from engine.words import listed


def told(before: State, after: State, actor: int, action: Action) -> Iterator[Event]:
    """Yield the sentences about placing or moving a piece, without the end of the game."""
    yield _move(before, after, actor, action)
    for seat in before.playing:
        if seat not in after.playing:
            count = after.hands[seat - 1] + after.men[seat - 1].bit_count()
            yield Event(f"{COLOURS[seat - 1]} has only {count} pieces left and is out.")
    captured = any(
        had != has for seat, (had, has) in enumerate(zip(before.men, after.men, strict=True), 1) if seat != actor
    )
    if not after.reason:
        yield from told_turn(after, actor, () if captured else TURNS_AFTER[after.playing][actor])


def told_turn(after: State, actor: int, order: Sequence[int]) -> Iterator[Event]:
    """Yield which seats of `order` are skipped, then whether `actor` has another turn."""
    for seat in order:
        if seat == after.to_move:
            break
        yield Event(f"{COLOURS[seat - 1]} cannot move and is skipped.")
    if after.to_move == actor:
        yield Event(f"{COLOURS[actor - 1]} has another turn.")


def told_win(state: State) -> str:
    """Return the sentence about how a game ended by its own rules or by resignation."""
    if state.reason == STUCK:
        return "The game is drawn: nobody can move."
    winner = COLOURS[state.winner - 1]
    if state.reason == CHAINED:
        return f"{winner} wins: a chain joins the king to the outer circle."
    return f"{winner} wins."


def _move(before: State, after: State, actor: int, action: Action) -> Event:
    places = action.split("-")
    deed = f"moves a piece from {places[0]} to {places[1]}" if len(places) == 2 else f"places a piece on {action}"
    takings, takes = [], []
    for seat, (had, has) in enumerate(zip(before.men, after.men, strict=True), 1):
        if seat != actor and had != has:
            names = [before.rules.board.names[field] for field in fields_of(had ^ has)]
            pieces = "piece" if len(names) == 1 else "pieces"
            takings.append(f"{COLOURS[seat - 1]}'s {pieces} on {listed(names)}")
            takes.append(seat)
            places += names
    captures = f" and captures {listed(takings)}" if takings else ""
    return Event(f"{COLOURS[actor - 1]} {deed}{captures}.", tuple(places), takes=tuple(takes))
