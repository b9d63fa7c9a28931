"""What a game is: pure functions over immutable states, the same for every game.

Seats count from 1. An action is its canonical text (`A2-A3`, `3-5`, `resign`): the same on the wire, on disk, on the
screen and in the tables of moves, so that nothing has to be translated.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.codec import blake
from engine.options import Option, OptionValue

if TYPE_CHECKING:
    from random import Random

CHANCE = 0
"""The actor that rolls, draws and deals."""
PUBLIC = 0
"""The viewer that sees only what everybody sees."""
MOST_SEATS = 5
"""Seats of the largest table: what peers send each other, and the bots at a table, are made for these."""

Action: TypeAlias = str
"""The canonical text of a move, of an outcome of chance, or of `resign` and `draw`, which are lawful out of turn."""


class Pick(NamedTuple):
    """A uniform choice between outcomes, each a canonical action."""

    outcomes: tuple[Action, ...]


class Dice(NamedTuple):
    """A roll of `number` dice with `sides` sides. The outcome is the numbers in the order rolled: `3-5`."""

    number: int
    sides: int


class Deal(NamedTuple):
    """A shuffled deck. The outcome is `deal` and the cards in their new order, `?` for each unknown card."""

    deck: tuple[str, ...]
    """All cards, in canonical order."""
    owners: tuple[int, ...]
    """By position in the shuffled deck: the seat that gets the card, or 0 where it stays face down."""


Draw: TypeAlias = Pick | Dice | Deal


class Turn(NamedTuple):
    """One seat chooses an action."""

    seat: int


class Chance(NamedTuple):
    """A value is drawn that no seat chooses."""

    draw: Draw


class Result(NamedTuple):
    """How a game ended."""

    winners: tuple[int, ...]
    """In rising order; empty for a draw, and where all have lost."""
    points: tuple[int, ...]
    """One entry a seat of the table, seat 1 first."""
    reason: str
    """A few words that stay the same from version to version: `Rigant captured`."""


class Over(NamedTuple):
    """The game has ended."""

    result: Result


Pending: TypeAlias = Turn | Chance | Over


class Refusal(NamedTuple):
    """Why an action is not lawful."""

    code: str
    """A word for programs, such as `blocked`; it stays the same from version to version."""
    rule: str
    """The topic of the game's rules page to read, as `rules GAME TOPIC` takes it."""
    text: str
    """A sentence for the player."""


class Ends(Enum):
    """What ends with a sentence of a story, after which the next one begins by itself."""

    TRICK = auto()
    ROUND = auto()
    """A round that was played to its end: the sentence tells how it came out."""
    ABANDONED = auto()
    """A round that was given up before its end, and of which nothing came."""


class Event(NamedTuple):
    """One sentence of what happened, and the places on the board (or the cards) that it touched."""

    text: str
    places: tuple[str, ...] = ()
    ends: Ends | None = None
    lapses: bool = False
    """Whether it tells what of a turn is not played, because nothing lawful is left: a die."""
    takes: tuple[int, ...] = ()
    """The seats, never the actor's own, of whose pieces it tells that they are captured or removed; in rising order."""


class Resignation(NamedTuple):
    """How a resignation is told of, with `{}` for the seat: a table may count as one what the rules know nothing of."""

    does: str = "{} resigns"
    did: str = "{} resigned"
    """The reason of the end that it brings about."""


TYPED = Resignation()
"""That of a seat which chose to resign."""

Revoke: TypeAlias = tuple[int, Action, str]
"""An action against the rules that closed hands had covered: the seat, the action, what was wrong in words."""


class NotationError(ValueError):
    """Text that is no action of the game; the message says what is expected."""


S = TypeVar("S")


class Game(Protocol[S]):
    """One game. Every method is pure, and total over the states that the game made itself.

    A state is a NamedTuple of ints, bytes, str, None and tuples of these. What holds for every game is stated as laws
    in `tests/engine/test_laws.py`.
    """

    key: str
    """The name on the command line, on the wire and in files: `celtic-whist`."""
    title: str
    """The name for people: `Celtic Whist`."""
    version: int
    """Of the rules: it rises when the same actions no longer lead to the same states."""
    seats: range
    """The possible numbers of players, at most MOST_SEATS."""
    notation: str
    """How actions are written, as a hint without a full stop: `type a move as A2-A3`."""
    draws: bool
    """Whether a game can be drawn. Where it cannot and nobody wins, all have lost."""
    stakes: bool
    """Whether the points of a winner are what the game was worth, which a match counts; else a win counts one."""
    goal: int
    """So many points end the game, with `points_reached(goal)` as the reason; 0 where no number of points does."""
    finite_with: tuple[tuple[str, OptionValue], ...]
    """Options, by name and value, that end a game which may go on for ever without; none where every game ends."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Return the options of the game, in the order in which they are asked for."""

    @property
    def colours(self) -> tuple[str, ...]:
        """Return the name of each seat's colour, seat 1 first; as many as the game has seats at the most."""

    @property
    def suits(self) -> tuple[str, ...]:
        """Return the names of the suits of cards; none where no cards are played.

        Sentences write them in small letters where seats have the same colours: so `Blue` is a seat, `blue` a suit.
        """

    def teams(self, options: Mapping[str, OptionValue], seats: int) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each team, which win or lose together, under these options, which may lack some.

        None where each seat plays for itself; one team of all seats where they play against the game.
        """

    def start(self, options: Mapping[str, OptionValue], seats: int) -> S:
        """Return the first state.

        Raises OptionError, which names the option and what it allows, and ValueError for an impossible number of seats.
        """

    def pending(self, state: S) -> Pending:
        """Return who acts next: a seat, chance, or nobody because the game is over."""

    def live(self, state: S) -> tuple[int, ...]:
        """Return the seats still playing, in rising order, () once the game is over.

        They take part in rolls and agree to draws.
        """

    def legal(self, state: S, actor: int) -> Sequence[Action]:
        """Return what `actor` may do, without `resign` and `draw`, in an order that depends on the state only.

        For CHANCE: the outcomes, or () for a deal. () for every actor whose turn it is not.
        """

    def refuse(self, state: S, actor: int, action: Action) -> Refusal | None:
        """Return None if the action, canonical and in turn, is lawful; else why it is not.

        Also lawful: `resign` by a seat still playing; `draw` by CHANCE, when all of them have agreed, in games that
        allow it; a deal of the whole deck.
        """

    def apply(self, state: S, actor: int, action: Action) -> S:
        """Return the state after an action that `refuse` lets pass. For any other action the result is undefined."""

    def revokes(self, state: S, actor: int, action: Action) -> tuple[Revoke, ...]:
        """Return the revokes that a lawful action brings to light."""

    def audit(self, state: S, seat: int, hand: Sequence[Action]) -> tuple[Revoke, ...]:
        """Return the revokes of one seat in a round that was broken off at this state.

        `hand` holds the cards that the seat had left. `state` may be the public view.
        """

    def view(self, state: S, viewer: int) -> S:
        """Return the state with everything blanked that `viewer`, a seat or PUBLIC, does not know."""

    def complete(self, view: S, rng: "Random") -> S:
        """Return a full state that fits the view, its secrets drawn at random: for bots."""

    def parse(self, state: S, text: str) -> Action:
        """Return the canonical action that the text names, lawful or not.

        Lenient: case, blanks and, where nothing is ambiguous, separators do not matter. Raises NotationError.
        """

    def worth(self, state: S, seat: int) -> int:
        """Return a rough value of a state for a seat, higher is better: what simple bots go by."""

    def pack(self, state: S) -> bytes:
        """Return the canonical bytes of a state (see `encode`); different states have different bytes."""

    def story(self, before: S, actor: int, action: Action, resignation: Resignation = TYPED) -> tuple[Event, ...]:
        """Return what a lawful action does, as plain sentences in the order of happening.

        `resignation`: how it is told of, if the action is one.
        """


def fewest_players(game: Game[Any]) -> int:
    """Return the smallest number of players above 1: how many there are where nobody says."""
    return min(number for number in game.seats if number > 1)


def digest(game: Game[Any], state: Any) -> bytes:
    """Return the 32-byte digest of the public view of `state`: what seats sign and compare."""
    return blake(f"{game.key}/{game.version}", game.pack(game.view(state, PUBLIC)))
