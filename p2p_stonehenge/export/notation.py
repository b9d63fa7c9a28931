"""A saved game as text in the notation of the rules."""

from collections.abc import Iterator, Sequence

from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen.views import Look, text_of, view_of
from p2p_stonehenge.table.agreed import time_given
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import fit
from protocol import Exit, Origin


def notation(saved: SavedGame, ply: int | None = None) -> str:
    """Return who played, every action up to `ply` on a line of its own, then that position or how the game ended."""
    body = saved.table.charter.body
    names = [safe(name) for name in saved.names]
    options = " ".join(f"{name}={value}" for name, value in body.options)
    lines = [
        f"Game: {saved.game.title} ({saved.game.key}, rules version {body.version})",
        f"Table: {saved.table.id.hex()}",
        *[f"Seat {seat}, {saved.game.colours[seat - 1]}: {name}" for seat, name in enumerate(names, 1)],
        f"Options: {options or 'none'}",
        *([f"Time: {time_given(body.turn_time)}"] if body.turn_time else ()),
        *([saved.game_of_match] if saved.game_of_match else ()),
        "",
    ]
    if body.origin:
        lines[-1:] = [f"Goes on from table {body.origin.table.hex()} after:", *_before(body.origin, names), ""]
    for step, action in list(zip(saved.steps, saved.actions, strict=True))[:ply]:
        who = names[step.actor - 1] if step.actor else "-"
        lines.append(f"{step.number:4}. {fit(who, 16)} {action}{_remark(step.exit)}")
    lines.append("")
    if ply is not None:
        lines += board_lines(saved, ply)
    if ply in (None, len(saved)):
        lines += [f"Result: {safe(saved.outcome)}", *([saved.score] if saved.score else ())]
    return "\n".join(lines) + "\n"


def _before(origin: Origin, names: Sequence[str]) -> Iterator[str]:
    """Yield the actions that led to where a table began, as that of another table had them."""
    for number, (actor, action) in enumerate(origin.actions, 1):
        yield f"{number:4}) {fit(names[actor - 1] if actor else '-', 16)} {action}"


def _remark(exit: Exit | None) -> str:
    """Return what is told of a resignation that its player did not type, else nothing."""
    match exit:
        case Exit.OUT_OF_TIME:
            return "  (the time of this player was up)"
        case Exit.LEFT_BEHIND:
            return "  (the others went on without this player)"
        case Exit.BREACH:
            return "  (this player broke the rules)"
        case _:
            return ""


def board_lines(saved: SavedGame, ply: int) -> list[str]:
    """Return the position after `ply` plies as lines of plain letters."""
    look = Look(names=tuple(map(safe, saved.names)), charset="ascii", short_id=saved.short_id, opens=True)
    return [text_of(line).rstrip() for line in view_of(saved.game.key).render(saved.position(ply), look)]
