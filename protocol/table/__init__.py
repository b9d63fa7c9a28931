"""The table: chains, the fold, going on without a seat, what a client signs, the node that exchanges it all."""

from protocol.table.effects import (
    Again,
    Blame,
    Caught,
    Disputed,
    Effect,
    Folded,
    Gathering,
    Heard,
    Keep,
    Left,
    Locked,
    Lost,
    Overdue,
    Overheard,
    Proposed,
    Refused,
    Send,
    Sight,
    Store,
    Told,
    Turned,
    Watches,
    Went,
)
from protocol.table.ending import RESULT_PATIENCE
from protocol.table.epochs import Agreement
from protocol.table.fold import Fold
from protocol.table.gallery import SPEAKS_EVERY, SPOKEN_AT_ONCE
from protocol.table.going_on import ANSWER
from protocol.table.held import AHEAD_LIMIT, PeerFaultError
from protocol.table.log import in_effect, latest, takeback, takeback_target
from protocol.table.node import Node
from protocol.table.origin import actions_of, origin_of
from protocol.table.own import LocalFaultError
from protocol.table.position import Applied, Cheat, Position
from protocol.table.spectator import Spectator
from protocol.table.step import given, may_act
from protocol.table.table import Table
from protocol.table.wishes import after_move, wishing, with_wish, without_wish

__all__ = [
    "AHEAD_LIMIT",
    "ANSWER",
    "RESULT_PATIENCE",
    "SPEAKS_EVERY",
    "SPOKEN_AT_ONCE",
    "Again",
    "Agreement",
    "Applied",
    "Blame",
    "Caught",
    "Cheat",
    "Disputed",
    "Effect",
    "Fold",
    "Folded",
    "Gathering",
    "Heard",
    "Keep",
    "Left",
    "LocalFaultError",
    "Locked",
    "Lost",
    "Node",
    "Overdue",
    "Overheard",
    "PeerFaultError",
    "Position",
    "Proposed",
    "Refused",
    "Send",
    "Sight",
    "Spectator",
    "Store",
    "Table",
    "Told",
    "Turned",
    "Watches",
    "Went",
    "actions_of",
    "after_move",
    "given",
    "in_effect",
    "latest",
    "may_act",
    "origin_of",
    "takeback",
    "takeback_target",
    "wishing",
    "with_wish",
    "without_wish",
]
