"""The table: chains, the fold, going on without a seat, what a client signs, the node that exchanges it all."""

from protocol.table.effects import (
    Again,
    Blame,
    Caught,
    Disputed,
    Effect,
    Folded,
    Heard,
    Keep,
    Left,
    Lost,
    Overdue,
    Proposed,
    Send,
    Store,
    Went,
)
from protocol.table.fold import Fold
from protocol.table.held import AHEAD_LIMIT, PeerFaultError
from protocol.table.log import in_effect, takeback, takeback_target
from protocol.table.node import RESULT_PATIENCE, Node
from protocol.table.origin import actions_of, origin_of
from protocol.table.own import LocalFaultError
from protocol.table.position import Applied, Cheat
from protocol.table.step import WISH_OUTLIVES, given, may_act
from protocol.table.table import Table

__all__ = [
    "AHEAD_LIMIT",
    "RESULT_PATIENCE",
    "WISH_OUTLIVES",
    "Again",
    "Applied",
    "Blame",
    "Caught",
    "Cheat",
    "Disputed",
    "Effect",
    "Fold",
    "Folded",
    "Heard",
    "Keep",
    "Left",
    "LocalFaultError",
    "Lost",
    "Node",
    "Overdue",
    "PeerFaultError",
    "Proposed",
    "Send",
    "Store",
    "Table",
    "Went",
    "actions_of",
    "given",
    "in_effect",
    "may_act",
    "origin_of",
    "takeback",
    "takeback_target",
]
