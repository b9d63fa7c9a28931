"""The effects of a node: what its caller has to do, in order."""

from typing import NamedTuple

from protocol.messages import Advert, Attendance, LeaveReason, Talk


class Store(NamedTuple):
    """Append the bytes to the file; if `sync`, they must be safe on disk before anything else happens."""

    data: bytes
    sync: bool


class StoreSecrets(NamedTuple):
    """Replace the stored secrets of the table with these bytes, for good."""

    secrets: bytes


class Send(NamedTuple):
    """Give a message to a peer; it may be lost."""

    peer: bytes
    data: bytes


class Folded(NamedTuple):
    """The fold is up to date with all that came or was signed: players can see it now, before the rest is done."""


class PlayerChat(NamedTuple):
    """A line of chat from the client that plays `seat`."""

    seat: int
    text: str


class SpectatorChat(NamedTuple):
    """A line of chat from a spectator: `peer`, or one that calls itself `name` at the client that passed it on."""

    peer: bytes
    name: str
    text: str


class PeerLeft(NamedTuple):
    """The client that plays `seat` leaves by its player's wish."""

    seat: int
    reason: LeaveReason


class WantsAnother(NamedTuple):
    """The game is over, and the player of `seat` wants another game with the same players."""

    seat: int


class Blame(NamedTuple):
    """A peer did what no honest client does; `reason` is fit to print."""

    peer: bytes
    reason: str


class Caught(NamedTuple):
    """A seat was caught cheating, with evidence that is in the file now; `reason` follows the seat's name."""

    seat: int
    reason: str


class Disputed(NamedTuple):
    """A seat signed an event for a state that this table, folded anew from its beginning, does not have."""

    seat: int
    ply: int


class Proposed(NamedTuple):
    """The client that plays `seat` proposes to go on without the seats in `leaving`, or with all if it is empty."""

    seat: int
    leaving: tuple[int, ...]


class EpochBegun(NamedTuple):
    """A new epoch has begun, agreed by all seats that stay; the seats in `left_behind` were."""

    left_behind: tuple[int, ...]


class Overdue(NamedTuple):
    """A seat owes the open slot for longer than the turn time that the charter gives."""

    seat: int


class OwnFoldWrong(NamedTuple):
    """This client's own running state disagrees with its transcript: stop, and keep the file."""


class SecretsWrong(NamedTuple):
    """The secrets of this table are not those by which this client has signed: it gives no part of a roll or deal."""


class SpectatorKept(NamedTuple):
    """A peer watches through this client and is to be kept, or watches no longer."""

    peer: bytes
    kept: bool


Effect = (
    Store
    | StoreSecrets
    | Send
    | Folded
    | PlayerChat
    | SpectatorChat
    | PeerLeft
    | WantsAnother
    | Blame
    | Caught
    | Disputed
    | Proposed
    | EpochBegun
    | Overdue
    | OwnFoldWrong
    | SecretsWrong
    | SpectatorKept
)


class Gathering(NamedTuple):
    """The table that a spectator wants to watch has not begun; `advert` says what the host tells of it."""

    advert: Advert


class PassphraseNeeded(NamedTuple):
    """A spectator needs the passphrase of the table; `wrong`: the one it has is not that of this player's table."""

    player: bytes
    wrong: bool


class Refused(NamedTuple):
    """A player does not let a spectator watch; `reason` as in Decline."""

    player: bytes
    reason: int


class AskNext(NamedTuple):
    """A spectator asks `player` from now on, after a pause of some seconds, and no longer the player `before`.

    `player` may be reached at these addresses. Where the spectator knows of one player only, `before` is the same.
    """

    before: bytes
    player: bytes
    addresses: tuple[str, ...]
    pause: float


class ToldSpectator(NamedTuple):
    """What the player who is asked says of the table, unsigned: who is there, or a line of chat."""

    player: bytes
    message: Attendance | Talk


Sight = Effect | Gathering | PassphraseNeeded | Refused | ToldSpectator | AskNext
"""The effects of a spectator."""
