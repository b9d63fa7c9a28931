"""What a game is: pure functions over immutable states, the same for every game.

Seats count from 1. An action is its canonical text (`A2-A3`, `3-5`, `resign`): the same on the wire, on disk,
on the screen and in every table of moves, so that nothing has to be translated twice.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.codec import blake
from engine.options import Option, OptionValue

if TYPE_CHECKING:
    from random import Random

CHANCE = 0
"""The actor that rolls, draws and deals."""
PUBLIC = 0
"""The viewer that sees only what everybody sees."""

Action: TypeAlias = str


class Pick(NamedTuple):
    """A uniform choice between outcomes, each a canonical action."""

    outcomes: tuple[str, ...]


class Dice(NamedTuple):
    """`number` dice with `sides` sides; the outcome is the numbers joined by `-` in the order rolled."""

    number: int
    sides: int


class Deal(NamedTuple):
    """A shuffled deck: `owners[i]` is the seat that gets position i, or 0 where it stays face down."""

    deck: tuple[str, ...]
    owners: tuple[int, ...]


Draw: TypeAlias = Pick | Dice | Deal


class Turn(NamedTuple):
    """One seat chooses."""

    seat: int


class Chance(NamedTuple):
    """A value is drawn that no seat chooses."""

    draw: Draw


class Result(NamedTuple):
    """How a game ended: `winners` is empty for a draw, `points` has one entry a seat."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


class Over(NamedTuple):
    """The game has ended."""

    result: Result


Pending: TypeAlias = Turn | Chance | Over


class Refusal(NamedTuple):
    """Why an action is not lawful: a stable code, the topic of the rules page, words for the player."""

    code: str
    rule: str
    text: str


class Event(NamedTuple):
    """One sentence of what happened, and the places on the board it touched."""

    text: str
    places: tuple[str, ...] = ()


class NotationError(ValueError):
    """Text that is no action of the game; the message says what is expected."""


S = TypeVar("S")


class Game(Protocol[S]):
    """One game. Every method is pure and total over the states it made itself."""

    key: str
    title: str
    version: int
    seats: range
    options: tuple[Option, ...]
    colours: tuple[str, ...]
    """The name of each seat's colour, seat 1 first."""

    def start(self, options: Mapping[str, OptionValue], seats: int) -> S:
        """Return the first state. Raises OptionError, which names the option and what it allows."""

    def pending(self, state: S) -> Pending:
        """Return who acts next: a seat, chance, or nobody because the game is over."""

    def live(self, state: S) -> tuple[int, ...]:
        """Return the seats still playing, in order. They take part in rolls and agree to draws."""

    def legal(self, state: S, actor: int) -> Sequence[Action]:
        """Return what `actor` may do, in an order that depends on the state only.

        For CHANCE: the outcomes, or () for a deal. () for everybody whose turn it is not.
        """

    def refuse(self, state: S, actor: int, action: Action) -> Refusal | None:
        """Return None if the action is lawful (also `resign` and `draw`, which `legal` does not list)."""

    def apply(self, state: S, actor: int, action: Action) -> S:
        """Return the state after an action that `refuse` lets pass. Anything else is undefined."""

    def revokes(self, state: S, actor: int, action: Action) -> tuple[tuple[int, Action, str], ...]:
        """Return the breaches of the rules that hidden cards had covered and that a lawful action brings to light.

        Each as the seat, the action of this round that was the breach, and words.
        """

    def audit(self, state: S, seat: int, hand: Sequence[Action]) -> tuple[tuple[int, Action, str], ...]:
        """Return the breaches of one seat, as `revokes` does, in a round that was broken off at this state.

        `hand` is what the seat still held. The state is one that everybody sees, with the cards played so far.
        """

    def view(self, state: S, viewer: int) -> S:
        """Return the state with everything blanked that `viewer` does not know."""

    def complete(self, view: S, rng: "Random") -> S:
        """Return a full state that fits the view, its secrets drawn at random: for bots."""

    def parse(self, state: S, text: str) -> Action:
        """Return the canonical action that the text names, lawful or not. Raises NotationError."""

    def worth(self, state: S, seat: int) -> int:
        """Return a rough value of a state for a seat, higher is better: what simple bots go by."""

    def pack(self, state: S) -> bytes:
        """Return the canonical bytes of a state."""

    def story(self, before: S, actor: int, action: Action) -> tuple[Event, ...]:
        """Return what the action did, as plain sentences in the order of happening."""


def digest(game: Game[Any], state: Any) -> bytes:
    """Return the 32-byte digest of the public view of `state`: what seats sign and compare."""
    return blake(f"{game.key}/{game.version}", game.pack(game.view(state, PUBLIC)))
