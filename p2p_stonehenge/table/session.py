"""What a table looks like to screens and bots: the same for a table on this machine and for one among peers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from engine import CHANCE, Ends, Event, Game, Over, Result, Turn, listed
from p2p_stonehenge.table.agreed import is_one_team
from p2p_stonehenge.table.endings import outcome
from p2p_stonehenge.table.exits import captures_unsaid, listed_as, told
from p2p_stonehenge.text.names import nearest
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.seats import in_names, label, speaker, speakers, teams_told
from protocol import FIRST_GAME, Exit, Series, latest


class Ply(NamedTuple):
    """One applied action: `number` counts from 1, `actor` is a seat or CHANCE."""

    number: int
    actor: int
    action: str
    story: tuple[Event, ...]
    exit: Exit | None = None
    """Of a resignation how the seat left the game."""

    @property
    def shown(self) -> str:
        """Return the action as lists of moves show it."""
        return listed_as(self.action, self.exit, captures=captures_unsaid(self.action, self.story))


class Said(NamedTuple):
    """A line of chat, already safe to print; the name as sentences have it, see `Session.speaker`."""

    name: str
    text: str


class Note(NamedTuple):
    """Something the player should know that is no move: a peer left, a roll was checked, a cheat was caught."""

    text: str
    urgent: bool = False
    answers: bool = False
    """Whether the player here has asked for it: then it has to stay in sight."""
    stands: Callable[[], bool] = lambda: True
    """Whether it is still so: if not, nothing has to keep it in sight."""


class Progress(NamedTuple):
    """What the table waits for has changed, with nothing to write down: the status line shows it."""


class Question(NamedTuple):
    """What is asked before something is done that costs a player something, or cannot be taken back."""

    text: str
    """Empty where the player need not be asked: it is done at once. An open question may come to that, and lapses then:
    `about` and `changed` are known all the same."""
    about: object = None
    """What the question is about: if that changes, the question has lapsed."""
    changed: str = ""
    """In a sentence what is so now, for a player who was asked before that changed."""


class Guide(NamedTuple):
    """What leads a learner at one step of a lesson."""

    text: str
    """What the board shows now and what to play, in sight all the time."""
    wanted: str
    """What the step wants done next, in a sentence."""
    next_step: Callable[[], None]
    """Goes on to the next step; raises RefusedError at a step that wants a move."""


class After(NamedTuple):
    """What may follow the game of a table, in sentences that are empty where there is no such thing."""

    may_again: bool = False
    """Whether another game with the same players can follow now: `again` begins it."""
    sides_change: bool = True
    """Whether the people here play another side in that game."""
    wanting: tuple[int, ...] = ()
    """The seats of others whose players want it, and are here."""
    awaited: tuple[int, ...] = ()
    """The seats of others who are here and do not want it yet, once the player here does."""
    next_bots: str = ""
    """How well the bots of that game play, where that follows from how this one ended."""
    way_on: str = ""
    """How the match goes on once all have left, where a game of it is to come."""
    way_back: str = ""
    """How a bot looks through the game, once it is over."""
    another_try: str = ""
    """How to play on from before the own last move, once the game is over."""


ALL_HERE = ("all here", "all who play on are here")
"""What is told of the links where nobody who plays is missing: of all players, or of those who still play."""
OUT = "out of the game"
"""What became of a seat that no longer plays, where nothing else is known."""
AskedFirst = Literal["again", "resign", "draw", "takeback", "without", "agree", "newest", "adjourn", "quit"]
"""What `Session.question` is asked about before it is done."""
Capability = AskedFirst | Literal["say", "mute", "advise", "analyse"]
"""What a table can do for its player besides taking moves: not every table has each, nor at all times."""
NOT_HERE: dict[Capability, str] = {
    "without": "Everybody at this table plays here: there is nobody to go on without.",
    "agree": "Everybody at this table plays here: there is nobody to go on without.",
    "newest": "Nobody has to be heard before this table goes on.",
    "takeback": "Nothing is taken back here.",
    "mute": "Nobody who watches can talk here.",
    "advise": "There is advice only where you play alone, as at a `solo` table.",
}
"""Why something is refused at a table that has no such capability."""


Notice = Ply | Said | Note | Progress


class RefusedError(Exception):
    """What the player typed cannot be done; the message says why and what can."""


class BusyError(RefusedError):
    """What the player typed cannot be done, or looked at, for a moment."""


class Session(ABC):
    """A table as one client sees it.

    `names[i]` is the nick of seat i + 1; `people` are the seats a person at this terminal plays; `plies` is the
    whole game so far. Listeners hear every notice once, in order.
    """

    game: Game[Any]
    names: tuple[str, ...]
    people: tuple[int, ...]
    short_id: str
    """What the table is called: the first letters of its id."""
    words: str = ""
    """The three words that all at the table must have, where it has any."""
    compared: bool = False
    """Whether the player was asked before to compare such words with all who sit here."""
    guide: Guide | None = None
    """What leads a learner, where the table is that of a lesson."""
    stays: bool = False
    """Whether the table stays open when the game is over: to look at the board, to talk, for another game."""
    wants_again: bool = False
    """Whether another game is formed now by all who want it: the table is left for that."""
    series: Series = FIRST_GAME
    """The match to which this game belongs, and the score before it."""
    teams: tuple[tuple[int, ...], ...] = ()
    """The seats of each team, which win or lose together; none where each plays for itself."""
    uncovered: int = 0
    """Where several people share the screen: the seat whose hand of cards it shows until that seat has acted."""
    watches: bool = False
    """Whether nobody at this screen has a seat: only looking is possible, and leaving costs nothing."""
    advises: bool = False
    """Whether bots may give advice here: nobody else plays."""
    thinks: int = 0
    """The seat of a bot that has been thinking for so long that the screen says so."""

    def __init__(self) -> None:
        self.strangers: dict[int, str] = {}
        """Seats whose players have the name of somebody known and another key: the warning, by seat."""
        self.levels: dict[int, str] = {}
        """The level of the bots that play here, by seat."""
        self.adaptive = False
        """Whether the level of the bots follows from game to game from how the player does."""
        self.plies: list[Ply] = []
        self._listeners: list[Callable[[Notice], None]] = []

    def after(self) -> After:
        """Return what may follow this game."""
        return After()

    @property
    @abstractmethod
    def state(self) -> Any:
        """Return the current state, blanked for the seats played here."""

    @abstractmethod
    def waiting(self) -> str:
        """Return in a few words what the table waits for: `anna to move`, `anna's roll`, or nothing."""

    def to_move(self) -> str:
        """Return how the player is called whose move is all that the table waits for; nothing where it is not so."""
        return self.label(self.turn) if self.turn else ""

    @property
    def seconds_left(self) -> int | None:
        """Return how many seconds of the turn time are left, or None where no time runs."""
        return None

    def clock(self, seat: int) -> int | None:
        """Return how many seconds the player of a seat has left on a clock for all turns, or None without one."""
        return None

    @abstractmethod
    def wishes(self) -> tuple[int, ...]:
        """Return the seats that wish a draw."""

    def asking(self) -> tuple[int, ...]:
        """Return the seats that wish a take-back, where the others have to agree to it."""
        return ()

    @property
    def viewer(self) -> int:
        """Return the seat of the only person here; 0 for several, or none."""
        return self.people[0] if len(self.people) == 1 else 0

    @property
    def still_playing(self) -> set[int]:
        """Return the seats of the people here that are still in the game."""
        return {*self.people} & {*self.game.live(self.state)}

    @property
    def covered(self) -> bool:
        """Return whether a player here is to act whose hand of cards is not shown, as others share the screen."""
        return False

    def may_agree(self, offering: Sequence[int]) -> bool:
        """Return whether a player here can still agree to what the seats `offering` offer or ask for."""
        return self.result is None and bool(offering) and bool(self.still_playing - {*offering})

    def proposed(self) -> str:
        """Return in a few words without which players others want to go on; nothing if nobody wants that."""
        return ""

    @abstractmethod
    def links(self) -> str:
        """Return in a few words which other players are not here, or that all are; nothing for a local table."""

    @abstractmethod
    def play(self, seat: int, action: str) -> None:
        """Make the canonical `action` (also `resign`) for `seat`, which is played here. Raises RefusedError."""

    @abstractmethod
    def wish_draw(self, seat: int, wish: bool = True) -> None:
        """Offer or accept a draw for `seat`, or take the offer back. Raises RefusedError."""

    def take_back(self, seat: int) -> None:
        """Ask that the last turn of `seat` is taken back, or agree to what others ask. Raises RefusedError."""
        raise RefusedError(NOT_HERE["takeback"])

    @abstractmethod
    def say(self, text: str) -> None:
        """Send a line of chat to the table. Raises RefusedError where nobody could hear it."""

    def mute(self) -> bool:
        """Hide what spectators say, or show it again; return whether it is hidden now. Raises RefusedError."""
        raise RefusedError(NOT_HERE["mute"])

    def remark(self, seat: int) -> str:
        """Return in a few words what `who` adds about a seat: that its link is down, or who wants to go on without."""
        return ""

    def latest(self) -> Iterator[Ply]:
        """Yield the actions that led to the present position, the last one first: no take-backs, nothing taken back."""
        return (self.plies[place] for place in latest(self.plies))

    def watched(self) -> str:
        """Return who may watch this table, and how many do through this client; nothing for a local table."""
        return ""

    def exit(self, seat: int) -> Exit | None:
        """Return how a seat left the game before its end, None if it did not or nothing is known."""
        return None

    def fate(self, seat: int) -> str:
        """Return what became of a seat that no longer plays."""
        exit = self.exit(seat)
        return told(exit).done if exit else OUT

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the options of the game that are not the usual ones, but for who begins, each with its value."""
        return ()

    def past(self, plies: int) -> Any:
        """Return the state after so many of `plies`, blanked as `state` is. Raises RefusedError."""
        raise RefusedError("This table keeps no earlier positions.")

    def breaches(self) -> list[str]:
        """Return in sentences who broke the rules of a finished game."""
        return []

    def checked(self) -> list[str]:
        """Return what was checked of a finished game, and what that means."""
        return []

    @property
    def partners(self) -> str:
        """Return in a sentence who plays together with the player here, or against whom; nothing without partners."""
        return teams_told(self.game, self.names, self.teams, self.people)

    @property
    def team(self) -> bool:
        """Return whether all seats win or lose together."""
        return is_one_team(self.teams)

    @property
    def closed(self) -> bool:
        """Return whether the game is over and nothing is done at this table any more."""
        return self.result is not None and (self.wants_again or not self.stays)

    def again(self) -> None:
        """Ask for another game with the same players, sides changed. Raises RefusedError where that cannot be had.

        The table is left for it as soon as all who are here want it.
        """
        raise RefusedError("Another game with friends needs a new table: `quit`, and one of you hosts it.")

    def can(self, capability: Capability) -> bool:
        """Return whether this table has a capability now, so that it is worth offering."""
        match capability:
            case "again":
                return self.stays and self.result is not None
            case "draw":
                return self.game.draws
            case "advise":
                return self.advises
            case "analyse":
                return self.after().way_back != ""
            case "resign" | "adjourn" | "quit" | "say":
                return True
            case "takeback" | "without" | "agree" | "newest" | "mute":
                return False

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        """Return what to ask before something is done. Raises RefusedError if it cannot be done.

        `seat` is the seat that resigns, offers a draw or takes a turn back, or that the others are to go on without.
        """
        match capability:
            case "again":
                return Question("")
            case "quit" | "adjourn" if self.leaves_freely:
                return Question("")
            case "quit" | "adjourn":
                until = "until another day" if capability == "adjourn" else "the table"
                return Question(f"Leave {until}? {self.way_in}")
            case "resign":
                whose = f" for {self.label(seat)}" if len(self.people) > 1 else ""
                return Question(f"Give the game up{whose}? It is lost then.{self.breaks_off(seat)}", seat)
            case "draw":
                refusal = self.game.refuse(self.state, CHANCE, "draw")
                if refusal:
                    raise RefusedError(refusal.text)
                others = [self.label(other) for other in self.wishes() if other != seat]
                offer = "offers" if len(others) == 1 else "offer"
                text = f"Agree to the draw that {listed(others)} {offer}?" if others else "Offer a draw?"
                now = f"{listed(others)} {offer} a draw now." if others else "Nobody offers a draw now."
                return Question(text, self.wishes(), now)
        raise RefusedError(NOT_HERE[capability])

    def breaks_off(self, seat: int) -> str:
        """Return what becomes of the round under way, and of a match, if a seat gives up: sentences, or nothing."""
        if self.game.refuse(self.state, seat, "resign"):
            return ""
        story = self.game.story(self.state, seat, "resign")
        return "".join(f" {event.text}" for event in story if event.ends is Ends.ABANDONED)

    def without(self, seat: int) -> None:
        """Wish to go on without the player of `seat`. Raises RefusedError."""
        raise RefusedError(NOT_HERE["without"])

    def agree(self) -> None:
        """Agree to what other players wish: to go on without a player. Raises RefusedError."""
        raise RefusedError(NOT_HERE["agree"])

    def newest(self) -> None:
        """Go on at a resumed table though others have not said how far the game had come. Raises RefusedError."""
        raise RefusedError(NOT_HERE["newest"])

    def leave(self, *, adjourn: bool = False) -> None:  # noqa: B027 - at one's own table there is nobody to tell
        """Tell the others that this player leaves by wish."""

    @property
    def ready(self) -> bool:
        """Return whether something can be signed now; if not, a notice follows when it can."""
        return True

    @property
    def turn(self) -> int:
        """Return the seat to act, or 0 while chance acts or the game is over."""
        due = self.game.pending(self.state)
        return due.seat if isinstance(due, Turn) else 0

    @property
    def result(self) -> Result | None:
        """Return how the game ended, or None while it goes on."""
        due = self.game.pending(self.state)
        return due.result if isinstance(due, Over) else None

    @property
    def outcome(self) -> str:
        """Return how the game ended, in words for the players here, or nothing while it goes on."""
        result = self.result
        if result is None:
            return ""
        game = self.game
        return outcome(result, self.people, self.speakers, draws=game.draws, goal=game.goal, team=self.team)

    @property
    def out(self) -> bool:
        """Return whether the players here are out of a game that goes on."""
        return bool(self.people) and not self.still_playing and not self.result

    @property
    def leaves_freely(self) -> bool:
        """Return whether leaving costs nobody here anything while the game goes on: then nothing is asked."""
        return self.watches or self.out

    @property
    def way_in(self) -> str:
        """Return in a sentence that the game is kept once it is left, and how it goes on here."""
        return f"The game is kept: `{command_here()} resume {self.short_id}` {self._way_in_does()}."

    def _way_in_does(self) -> str:
        """Return what resuming the game does, as its `way_in` has it."""
        return "lets you watch on" if self.out else "goes on with it"

    def label(self, seat: int) -> str:
        """Return how a seat is called in sentences: `Yellow (anna)`; see `seats.label`."""
        return label(self.game, self.names, seat)

    def speaker(self, seat: int) -> str:
        """Return the name of a seat's player, with the colour where it could be taken for another player's."""
        return speaker(self.game, self.names, seat)

    @property
    def speakers(self) -> list[str]:
        """Return what `speaker` returns for each seat, seat 1 first."""
        return speakers(self.game, self.names)

    def in_names(self, text: str) -> str:
        """Return a sentence about this game with players' names for the colours of seats; see `seats.in_names`."""
        return in_names(self.game, self.names, text)

    def seats_named(self, word: str) -> tuple[int, ...]:
        """Return the seats that a name, a colour or a number may mean, or failing that the beginning of one."""
        known = enumerate(zip(self.names, self.game.colours, strict=False), 1)
        ways = [(seat, way) for seat, (name, colour) in known for way in (name, colour, str(seat))]
        return tuple(dict.fromkeys(ways[place][0] for place in nearest(word, [way for _, way in ways])))

    def name_to_type(self, seat: int) -> str:
        """Return what can be typed for this seat and no other: its name, or its number where that is not clear."""
        name = self.names[seat - 1]
        return name if self.seats_named(name) == (seat,) else str(seat)

    def listen(self, listener: Callable[[Notice], None]) -> None:
        """Call `listener` with every notice from now on."""
        self._listeners.append(listener)

    def tell(self, notice: Notice) -> None:
        """Pass a notice on to all listeners; what an action did with names for the colours of seats: `in_names`."""
        if isinstance(notice, Ply):
            story = tuple([event._replace(text=self.in_names(event.text)) for event in notice.story])
            notice = notice._replace(story=story)
            self.plies.append(notice)
        for listener in list(self._listeners):
            listener(notice)
