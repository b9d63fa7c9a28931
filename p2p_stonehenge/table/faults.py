"""Why a table refuses what its player wants, in words."""

from p2p_stonehenge.table.session import RefusedError
from protocol import Fault, LocalFaultError

TOLD: dict[Fault, str] = {
    Fault.NOT_DUE: "The table waits for something else: wait a moment, then type it again.",
    Fault.SECRETS_MISSING: "The secrets that open your cards are not here: this hand cannot be played.",
    Fault.RESIGNED_ALREADY: "You have resigned already: it counts as soon as it has its place.",
    Fault.DRAW_TOO_OFTEN: "You have offered a draw, or taken that back, too often in this turn.",
    Fault.DRAW_BEFORE_MOVE: "You have offered a draw since your last move; make a move first.",
    Fault.DRAW_OFFERED: "You have offered a draw already.",
    Fault.DRAW_NOT_OFFERED: "You have offered no draw.",
    Fault.ROLL_BEGUN: "The next roll has begun: it is too late to take that back.",
    Fault.TAKEBACK_ASKED: "You have asked for this take-back, or agreed to it, already.",
    Fault.TAKEBACK_TOO_OFTEN: "You have asked for too much in this turn: make a move first.",
    Fault.PLAYED_ELSEWHERE: "That seat is played elsewhere.",
    Fault.GAME_OVER: "The game is over.",
    Fault.OUT_OF_THE_GAME: "That seat no longer plays.",
    Fault.PLAYED_ON: "You have played on from here already: wait for what you saw then, or see `newest`.",
    Fault.AGREED: "You have agreed to go on without somebody: first the others have to agree as well.",
    Fault.UNHEARD: "First the others have to say how far the game had come: wait, or see `newest`.",
    Fault.OWN_SEAT: "That is your own seat: `resign` gives it up.",
    Fault.OF_TWO_PLAYERS: "Of two players nobody can go on without the other: wait, `adjourn`, or `quit`.",
    Fault.OF_TWO_PEOPLE: (
        "Bots have no vote, and of two people nobody can go on without the other: wait, `adjourn`, or `quit`."
    ),
    Fault.NOT_AWAITED: "The game does not wait for that player now: ask again when it does.",
    Fault.NOTHING_PROPOSED: (
        "There is nothing to agree to now."
        " A proposal to go on without a player lapses once the game goes on with that player."
    ),
    Fault.NOTHING_TO_SAY: "There is nothing to say.",
    Fault.NOBODY_HEARS: "Nobody is connected who could hear you.",
}
"""What the player reads of each fault but those against the rules of the game, which say it themselves."""


def refused(error: LocalFaultError) -> RefusedError:
    """Return the refusal that tells the player of a fault."""
    return RefusedError(error.words or TOLD[error.fault])
