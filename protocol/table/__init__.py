"""The table: chains, the fold, going on without a seat, what a client signs, the node that exchanges it all."""

from protocol.table.effects import (
    AskNext,
    Blame,
    Caught,
    Disputed,
    Effect,
    EpochBegun,
    Folded,
    Gathering,
    Overdue,
    OwnFoldWrong,
    PassphraseNeeded,
    PeerLeft,
    PlayerChat,
    Proposed,
    Refused,
    SecretsWrong,
    Send,
    Sight,
    SpectatorChat,
    SpectatorKept,
    Store,
    StoreSecrets,
    ToldSpectator,
    WantsAnother,
)
from protocol.table.ending import RESULT_PATIENCE
from protocol.table.epochs import Agreement
from protocol.table.fold import Fold, Mark
from protocol.table.gallery import SPEAKS_EVERY, SPOKEN_AT_ONCE
from protocol.table.going_on import ANSWER_WITHIN
from protocol.table.held import AHEAD_LIMIT, PeerFaultError
from protocol.table.log import in_effect, latest, takeback, takeback_target
from protocol.table.node import Node
from protocol.table.origin import actions_of, has_shown, is_void, origin_of
from protocol.table.own import Fault, LocalFaultError
from protocol.table.position import Applied, Exit, Position
from protocol.table.spectator import Spectator
from protocol.table.step import acts, given, why_not_act
from protocol.table.table import Table
from protocol.table.wishes import after_move, wishing, with_wish, without_wish

__all__ = [
    "AHEAD_LIMIT",
    "ANSWER_WITHIN",
    "RESULT_PATIENCE",
    "SPEAKS_EVERY",
    "SPOKEN_AT_ONCE",
    "Agreement",
    "Applied",
    "AskNext",
    "Blame",
    "Caught",
    "Disputed",
    "Effect",
    "EpochBegun",
    "Exit",
    "Fault",
    "Fold",
    "Folded",
    "Gathering",
    "LocalFaultError",
    "Mark",
    "Node",
    "Overdue",
    "OwnFoldWrong",
    "PassphraseNeeded",
    "PeerFaultError",
    "PeerLeft",
    "PlayerChat",
    "Position",
    "Proposed",
    "Refused",
    "SecretsWrong",
    "Send",
    "Sight",
    "Spectator",
    "SpectatorChat",
    "SpectatorKept",
    "Store",
    "StoreSecrets",
    "Table",
    "ToldSpectator",
    "WantsAnother",
    "actions_of",
    "acts",
    "after_move",
    "given",
    "has_shown",
    "in_effect",
    "is_void",
    "latest",
    "origin_of",
    "takeback",
    "takeback_target",
    "why_not_act",
    "wishing",
    "with_wish",
    "without_wish",
]
