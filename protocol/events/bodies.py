"""What events say: the body of each kind. `protocol.events.slots` has what each entry must be.

Elsewhere a body is written with the module, `bodies.Result`: the engine and Python have things of these names too.
"""

from typing import NamedTuple, TypeAlias


class Move(NamedTuple):
    """The seat to act acts; `text` is the canonical action."""

    text: str


class Play(NamedTuple):
    """The seat to act plays a card that was dealt to it: its place in the deck, and the share that opens it."""

    card: str
    position: int
    share: bytes


class Sequence(NamedTuple):
    """The seat to act gives the resignations and wishes that the event names their place."""


class Resign(NamedTuple):
    """The author gives its game up; with `late` (1, else 0) its client does, because the time for the turn is up."""

    late: int = 0


class Wish(NamedTuple):
    """The author offers or accepts a draw (1), or takes that back (0)."""

    wanted: int


class Takeback(NamedTuple):
    """The author wishes, or agrees, that the game goes back to where it stood after its first `to` actions."""

    to: int


class Commitment(NamedTuple):
    """The hash that binds the author to its salt for a roll."""

    hash: bytes


class Revelation(NamedTuple):
    """The author's salt for a roll, and its commitment for the next one."""

    salt: bytes
    next: bytes


class Key(NamedTuple):
    """The author's public key for a deal, and the proof that it knows the secret one."""

    public: bytes
    proof: bytes


class Shuffle(NamedTuple):
    """The deck in a new order under new masks, and the proof that the cards are the same."""

    deck: bytes
    proof: bytes


class Shares(NamedTuple):
    """The author's shares of all cards dealt to others, in the order of the deck."""

    shares: bytes


class Result(NamedTuple):
    """Confirms the result that the digest stands for.

    A winner of a round that was broken off shows the cards that it still held, by its shares of them.
    """

    shares: bytes


class Leaving(NamedTuple):
    """How much of a seat that leaves counts: the number of its events and the hash of the last (empty for none)."""

    seat: int
    length: int
    hash: bytes


class Epoch(NamedTuple):
    """The author's signature under an agreement: epoch `number` begins, without the seats in `leaving`.

    Of a seat that stays, all events count that it signed before its EPOCH; of a leaver, those that `leaving` states.
    The event belongs to the epoch of its slot, the *base*. Its author signs nothing more below epoch `number`.
    """

    number: int
    leaving: tuple[Leaving, ...]


class Act(NamedTuple):
    """Any actor's action at a table with one signer."""

    actor: int
    text: str


EventBody: TypeAlias = (
    Move
    | Play
    | Sequence
    | Resign
    | Wish
    | Takeback
    | Commitment
    | Revelation
    | Key
    | Shuffle
    | Shares
    | Result
    | Epoch
    | Act
)
