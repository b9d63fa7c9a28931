"""Where another table may go on: a position of this one at which the game is not over and no hand is closed."""

from protocol.events import SlotKind
from protocol.formation import Origin, is_deal, may_begin
from protocol.table.log import in_effect
from protocol.table.table import Table


def actions_of(table: Table, ply: int | None = None) -> tuple[tuple[int, str], ...]:
    """Return the actions that led from the game's start to the position after `ply` actions (None: all).

    Each comes with its actor. Those of the table's own origin come first, and count; what was taken back is left out.
    """
    origin = table.charter.body.origin
    before = origin.actions if origin else ()
    log = table.fold.log[: None if ply is None else max(0, ply - len(before))]
    after = [(log[place].actor, log[place].action) for place in in_effect(log)]
    return (*before[:ply], *after)


def origin_of(table: Table, ply: int | None = None) -> Origin:
    """Return the last position after at most `ply` actions at which another table may begin.

    The actions count as in `actions_of`. None stands for all on which the files of all players agree: where two
    versions of an event ended the game, only the actions before that event. Raises ValueError for more actions than
    there are.
    """
    body, broken = table.charter.body, table.fold.broken
    before = len(body.origin.actions) if body.origin else 0
    if ply is None and broken:
        ply = before + broken.plies
    actions, count = actions_of(table, ply), before + len(table.fold.log)
    if ply is not None and ply > count:
        raise ValueError(f"the game has {count} actions")
    game, length, dealt = table.game, 0, False
    state = game.start(dict(body.options), len(body.seats))
    for count, (actor, action) in enumerate(actions, 1):
        state = game.apply(state, actor, action)
        dealt |= is_deal(actor, action)
        if may_begin(game, state, dealt=dealt):
            length = count
    return Origin(table.id, actions[:length])


def is_void(table: Table) -> bool:
    """Return whether two versions of an event ended the game and nobody won: another table may go on before them."""
    broken = table.fold.broken
    return broken is not None and not broken.result.winners


def has_shown(table: Table, seat: int) -> bool:
    """Return whether a seat has shown its part of a roll or deal that is under way; another table would make it anew.

    Another player may know the outcome already, and could choose another table only because of that.
    """
    shows = table.fold.position.slot.kind in (SlotKind.REVEAL, SlotKind.SHARE)
    return shows and table.fold.result is None and table.fold.given(seat) is not None
