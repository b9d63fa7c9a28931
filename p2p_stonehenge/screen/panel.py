"""What stands beside the board in a wide window: the players, the latest actions, and what was said."""

from collections.abc import Sequence

from p2p_stonehenge.screen.telling import told_plies, who
from p2p_stonehenge.screen.views import Line, row, wrap
from p2p_stonehenge.table.session import Session

WIDE = 110
"""Columns below which a window has no room for it."""
LEAST = 34
"""Columns that it needs: the board comes first, and leaves them or not."""
GAP = 3
TALKED = 5
"""Lines of chat that are shown at most."""


def panel(session: Session, said: Sequence[Line], width: int, height: int) -> list[Line]:
    """Return at most `height` lines: all players, then as many of the latest actions as fit, `said` last."""
    told = ([part for part in line if part[1]] for line in who(session))
    players = [part for line in told for part in wrap(line, width)]
    lines = [row(("class:title", "PLAYERS")), *players][:height]
    talk = [part for line in said[-TALKED:] for part in wrap(line, width)][-TALKED:]
    talk = [row(), row(("class:title", "CHAT")), *talk] if talk else []
    room = height - len(lines) - len(talk) - 2
    if room < 1:
        return lines
    log = [part for line in told_plies(session, session.plies[-room:]) for part in wrap(line, width)]
    return [*lines, row(), row(("class:title", "LOG")), *log[-room:], *talk]
