"""Where another table may go on: a position of this one at which the game is not over and no hand is closed."""

from protocol.formation import Origin, is_deal, may_begin
from protocol.table.table import Table


def actions_of(table: Table) -> tuple[tuple[int, str], ...]:
    """Return the actions from the game's start, each with its actor: those of the table's own origin come first."""
    origin = table.charter.body.origin
    return (*(origin.actions if origin else ()), *((entry.actor, entry.action) for entry in table.fold.log))


def origin_of(table: Table, ply: int | None = None) -> Origin:
    """Return the last position after at most `ply` actions (None: all) at which another table may begin.

    The actions count as in `actions_of`. Raises ValueError for more actions than there are.
    """
    body, actions = table.charter.body, actions_of(table)
    if ply is not None and ply > len(actions):
        raise ValueError(f"the game has {len(actions)} actions")
    game, length, dealt = table.game, 0, False
    state = game.start(dict(body.options), len(body.seats))
    for count, (actor, action) in enumerate(actions[:ply], 1):
        state = game.apply(state, actor, action)
        dealt |= is_deal(actor, action)
        if may_begin(game, state, dealt=dealt):
            length = count
    return Origin(table.id, actions[:length])
