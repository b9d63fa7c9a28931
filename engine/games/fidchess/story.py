"""The story of Fidchess: what a move did, in plain sentences."""

from engine.game import Event
from engine.games.fidchess.board import COLOURS, CONTENT, SEAT_SHIFT, SPACES, piece
from engine.games.fidchess.notation import ReadAction
from engine.games.fidchess.state import RIGANT_TAKEN, State
from engine.house import RESIGNED
from engine.stacks import named


def told(cells: bytes, seat: int, said: ReadAction) -> Event:
    """Return the sentence about a move of `seat` from a position with these stacks."""
    tell = _division if said.parts else _move
    return tell(cells, COLOURS[seat - 1], said)


def told_win(state: State) -> str:
    """Return the sentence about how a game was won."""
    winner, loser = COLOURS[state.winner - 1], COLOURS[2 - state.winner]
    if state.reason == RESIGNED:
        return f"{winner} wins."
    taken = "Rigant" if state.reason == RIGANT_TAKEN else "last disk"
    return f"{winner} wins: {loser}'s {taken} is captured."


def _move(cells: bytes, colour: str, said: ReadAction) -> Event:
    stack, there = cells[said.origin], cells[said.target]
    origin, target = SPACES[said.origin], SPACES[said.target]
    if said.mark == "+":
        joined = named(piece((stack & CONTENT) + (there & CONTENT)))
        onto = f"onto the {piece(there)} on {target}, making {joined}"
        return Event(f"{colour} moves {named(piece(stack))} from {origin} {onto}.", (origin, target))
    deeds = [f"{colour} moves {named(piece(stack))} from {origin} to {target}"]
    if there:
        deeds.append(f"captures {named(piece(there))}")
    if said.promotes:
        deeds.append("promotes it to a Duo" if not there else "promotes to a Duo")
    text = " and ".join((", ".join(deeds[:-1]), deeds[-1])) if len(deeds) > 1 else deeds[0]
    return Event(text + ".", (origin, target), takes=(there >> SEAT_SHIFT,) if there else ())


def _division(cells: bytes, colour: str, said: ReadAction) -> Event:
    stack, origin = cells[said.origin], SPACES[said.origin]
    stays = stack - sum(part.content for part in said.parts)
    parts = ", ".join(
        f"{named(piece(part.content))} goes to {SPACES[part.space]}{' and becomes a Duo' * part.promotes}"
        for part in said.parts
    )
    text = f"{colour} divides the {piece(stack)} on {origin}: {parts}, {named(piece(stays))} stays."
    return Event(text, (origin, *(SPACES[part.space] for part in said.parts)))
