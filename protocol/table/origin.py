"""Where another table may go on: a position of this one at which the game is not over and no hand is closed."""

from protocol.formation import Origin, may_begin
from protocol.table.table import Table


def origin_of(table: Table, ply: int | None = None) -> Origin:
    """Return the last position after at most `ply` actions (None: all) at which another table may begin.

    The actions count from the game's start, those before the table's own origin included. Raises ValueError for more
    actions than there are.
    """
    body = table.charter.body
    log = [(entry.actor, entry.action) for entry in table.fold.log]
    actions = (*(body.origin.actions if body.origin else ()), *log)
    if ply is not None and ply > len(actions):
        raise ValueError(f"the game has {len(actions)} actions")
    game, length = table.game, 0
    state = game.start(dict(body.options), len(body.seats))
    for count, (actor, action) in enumerate(actions[:ply], 1):
        state = game.apply(state, actor, action)
        if may_begin(game, state, actions[:count]):
            length = count
    return Origin(table.id, actions[:length])
