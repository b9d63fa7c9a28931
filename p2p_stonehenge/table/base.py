"""What tables on one machine and tables among peers share: a table of the protocol as a session."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import CHANCE, Game, Over, Result, Turn, all_games, counted, listed, option_text
from p2p_stonehenge.table.endings import outcome
from p2p_stonehenge.table.people import People
from p2p_stonehenge.table.session import AskedFirst, Capability, Note, Ply, Question, RefusedError, Session
from p2p_stonehenge.table.takebacks import (
    LEFT_BEHIND,
    TAKEN_BACK_UNASKED,
    fate_of,
    story_of,
    times_taken_back,
    too_late,
    undone_actions,
)
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.style import spell
from protocol import (
    LOCAL,
    Applied,
    Charter,
    Clock,
    Mark,
    Position,
    Series,
    Table,
    Watchers,
    Watching,
    is_deal,
    score_after,
    winners_of_match,
)

FIRST = "first"
"""The option of every game that says who begins: no variant."""
TITLE_LETTERS = 4
"""Letters of the table id that people see and type."""
BEGINS = "who begins"
LOST = "You have lost this game, which goes on without you: watch on, or `quit`."
PLAYED_ON = "The game goes on: all others had played on after what was signed twice."
THEN_AGAIN = "When it is over, `again` plays another one."
_YOURS = {"has": "have", "was": "were", "is": "are"}


def title_of(table: bytes) -> str:
    """Return what the table with this id is called."""
    return table.hex()[:TITLE_LETTERS]


def time_given(turn_time: int | Clock) -> str:
    """Return the time for turns in words: `1 min 30 s for each turn`; `no limit` if there is none."""
    if isinstance(turn_time, Clock):
        more = f" and {spell(turn_time.increment)} more after each" if turn_time.increment else ""
        return f"{spell(turn_time.seconds)} for all turns of a player{more}"
    return f"{spell(turn_time)} for each turn" if turn_time else "no limit"


def watchers_told(watching: Watching) -> str:
    """Return who may watch a table, in words: `all, 5 actions behind the players`; `all, and may talk`."""
    if watching.by == Watchers.NOBODY:
        return "nobody"
    who = "all" if watching.by == Watchers.EVERYBODY else "those who know the passphrase"
    if watching.delay:
        return f"{who}, {counted(watching.delay, 'action')} behind the players"
    return f"{who}, and may talk" if watching.talk else who


def points_told(names: Sequence[str], points: Sequence[int]) -> str:
    """Return the points of all players in words, best first: `anna 3, ben 1`."""
    order = sorted(range(len(names)), key=lambda place: -points[place])
    return ", ".join(f"{names[place]} {points[place]}" for place in order)


def series_told(series: Series, names: Sequence[str]) -> str:
    """Return the match and the score before a game in words: `match to 5, anna 3, ben 1 after 4 games`."""
    score = f"{points_told(names, series.points)} after {counted(series.games, 'game')}" if series.games else "no game"
    return f"match to {series.match}, {score}" if series.match else score


def game_told(series: Series, names: Sequence[str]) -> str:
    """Return which game of a match this is, or of an evening, and the score before it; nothing of a first game."""
    if not (series.match or series.games):
        return ""
    of = f" of a match to {series.match}" if series.match else ""
    before = f": {points_told(names, series.points)} before it" if series.games else ""
    return f"Game {series.games + 1}{of}{before}."


def score_told(series: Series, game: Game[Any], result: Result, names: Sequence[str]) -> str:
    """Return the score after a game that ended so, and who won a match; nothing where no other game came before."""
    if not (series.games or series.match):
        return ""
    points = score_after(series, game, result)
    told, games = points_told(names, points), counted(series.games + 1, "game")
    if not series.match:
        return f"Score after {games}: {told}."
    if winners := winners_of_match(series.match, points):
        return f"{listed([names[seat - 1] for seat in winners])} won the match to {series.match} in {games}: {told}."
    return f"Match to {series.match}, after {games}: {told}."


def match_goes_on(series: Series, game: Game[Any], result: Result) -> bool:
    """Return whether another game of a match follows one that ended so; also False where there is no match."""
    return bool(series.match) and not winners_of_match(series.match, score_after(series, game, result))


def kind_of_chance(action: str) -> str:
    """Return what an action of chance is called where such actions are counted.

    >>> kind_of_chance("first 2"), kind_of_chance("trump TW"), kind_of_chance("3-5"), kind_of_chance("deal G9")
    ('who begins', 'trump', 'roll', 'deal')
    """
    word = action.partition(" ")[0]
    return BEGINS if word == "first" else "roll" if word[0].isdigit() else word


class End(NamedTuple):
    """How a game has ended.

    `result` is None while it goes on; `broken`: two versions of an event have ended it; `last`: the last action.
    """

    result: Result | None
    broken: bool
    last: Applied | None

    @property
    def void(self) -> bool:
        """Return whether two versions of an event ended the game, and nobody has won."""
        return self.broken and self.result is not None and not self.result.winners

    @classmethod
    def of(cls, table: Table) -> "End":
        """Return how the game of a table has ended."""
        fold = table.fold
        return cls(fold.result, fold.broken is not None, fold.log[-1] if fold.log else None)


class TableSession(Session):
    """A protocol table behind the session."""

    def __init__(self, table: Table, people: Sequence[int]) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.names = tuple(seat.name for seat in table.charter.body.seats)
        self.people = tuple(people)
        self.title = title_of(table.id)
        self.team = plays_as_team(table.charter)
        self.series = table.charter.body.series
        self._read_to = Mark()
        """How much of the log of the table was told."""
        self.log: list[Applied] = []
        """The actions that `plies` tells of, as they were applied."""
        self._catches_up = False
        """Whether actions that were applied have yet to be told: a result is told behind the last one."""
        self.roster = People(range(1, len(self.names) + 1), self.speaker, self.label)

    @property
    def position(self) -> Position:
        """Return the position at the open slot."""
        return self.table.fold.position

    @property
    def end(self) -> End:
        """Return how the game has ended, before all of it is told as well."""
        return End.of(self.table)

    @property
    def state(self) -> Any:
        return self.seen_by(self.people[0]) if len(self.people) == 1 else self.position.state

    def seen_by(self, seat: int) -> Any:
        """Return the state as `seat` may see it, for the bot or the person that plays it."""
        return self.table.own.view(seat)

    @property
    def result(self) -> Result | None:
        return None if self._catches_up else self.end.result

    @property
    def outcome(self) -> str:
        end = self.end
        if end.result and (own := self._own_fate(end.result)):
            return f"You {own}. {outcome_of(self.table, (), self.speakers, end)}"
        return outcome_of(self.table, self.people, self.speakers, end)

    def _own_fate(self, result: Result) -> str:
        """Return how the one player here was out before the end, as `have resigned`; nothing of all others."""
        if len(self.people) != 1 or self.people[0] in result.winners:
            return ""
        person, last = self.roster[self.people[0]], self.position.plies - 1
        ended_it = person.since_action == last and person.fate != LEFT_BEHIND
        verb, _, what = person.fate.partition(" ")
        return "" if ended_it or not verb else f"{_YOURS.get(verb, verb)} {what}"

    @property
    def way_on(self) -> str:
        result = self.result
        if not (self.people and result) or self.end.void or not match_goes_on(self.series, self.game, result):
            return ""
        command = "resume" if self.table.charter.body.kind == LOCAL else "host --from"
        return f"`{command_here()} {command} {self.title}` begins the next game of the match."

    @property
    def way_back(self) -> str:
        played = any(ply.actor != CHANCE and ply.action != "resign" for ply in self.plies)
        if not (self.people and self.result and played):
            return ""
        return "`analyse` tells where the game turned."

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        usual = self._usual_options()
        chosen = self.table.charter.body.options
        special = tuple((name, value) for name, value in chosen if usual.get(name) != value and name != FIRST)
        if not self.series.match:
            return special
        points = self.series.points or (0,) * len(self.names)
        if result := self.result:
            points = score_after(self.series, self.game, result)
        return (("match to", f"{self.series.match} ({points_told(self.speakers, points)})"), *special)

    def _usual_options(self) -> dict[str, str]:
        """Return the value of each option that is in force where nobody has chosen another one."""
        return {option.name: option_text(option.default) for option in self.game.options}

    def can(self, capability: Capability) -> bool:
        if capability == "takeback":
            return bool(self.people) and not any(is_deal(ply.actor, ply.action) for ply in self.plies)
        return super().can(capability)

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        if capability != "takeback":
            return super().question(capability, seat)
        position, log = self.position, self.log
        to = position.turn_start(seat) if not position.asking else position.takebacks[position.asking[0] - 1]
        if to is None:
            raise RefusedError(too_late(self.table, seat, self.label))
        undone = undone_actions(self.game, log, to)
        if not position.asking and self.in_turn(seat):
            return Question("", (to, position.plies))
        agree = f"{other} agrees" if (other := self.only_other(seat)) else "all others agree"
        ask = f"Agree to take back {undone}?" if position.asking else f"Take back {undone}, if {agree}?"
        return Question(ask, (to, position.plies))

    def breaks_off(self, seat: int) -> str:
        told, game = super().breaks_off(seat), self.game
        if not self.series.match or game.refuse(self.state, seat, "resign"):
            return told
        due = game.pending(game.apply(self.state, seat, "resign"))
        if not isinstance(due, Over):  # others play on: what that player loses is not known yet
            return told
        result, names = due.result, self.speakers
        won, one = listed([names[winner - 1] for winner in result.winners]), len(result.winners) == 1
        gets = f"{'gets' if one else 'get'} {counted(max(score_after(Series(), game, result)), 'point')}"
        wins = f" and {'wins' if one else 'win'} the match:"
        stands = ", and the match stands" if match_goes_on(self.series, game, result) else wins
        points = points_told(names, score_after(self.series, game, result))
        return f"{told} With that {won} {gets}{stands} {points}."

    def only_other(self, seat: int) -> str:
        """Return how the one seat is called that still plays besides `seat`; nothing if there are several."""
        others = {*self.game.live(self.state)} - {seat}
        return self.label(others.pop()) if len(others) == 1 else ""

    def in_turn(self, seat: int) -> bool:
        """Return whether what `seat` did last is part of a turn that it still has: nobody has acted on it.

        After some take-backs no more: a player could make everybody's saved game longer without end.
        """
        position = self.position
        own = position.earlier is not None and position.earlier.seat == seat
        still = own and isinstance(position.due, Turn) and position.due.seat == seat
        return still and times_taken_back(self.log, seat) < TAKEN_BACK_UNASKED

    def within_turn(self) -> bool:
        """Return whether all who ask for a take-back want back just what was done in a turn that is still its player's.

        Every client agrees to that by itself.
        """
        position = self.position
        wanted = {position.takebacks[seat - 1] for seat in position.asking}
        return any(self.in_turn(seat) and wanted == {position.turn_start(seat)} for seat in position.asking)

    def past(self, plies: int) -> Any:
        if plies >= len(self.log):
            return self.state
        viewer = self.viewer or self.uncovered
        return self.game.view(self.log[plies].before, viewer)

    def checked(self) -> list[str]:
        position = self.position
        if cheats := position.cheats:
            names = ", ".join(sorted({self.speaker(cheat.seat) for cheat in cheats}))
            return [f"NOT all as agreed: the proof of what {names} did is in the saved game; `verify` tells it."]
        agreed = ("draw", "takeback")
        chance = [ply.action for ply in self.plies if ply.actor == CHANCE and ply.action.split()[0] not in agreed]
        kinds = Counter(kind_of_chance(one) for one in chance)
        drawn = listed([BEGINS if kind == BEGINS else counted(count, kind) for kind, count in kinds.items()])
        if self.table.charter.body.kind == LOCAL:
            return ["Moves verified: each follows the rules." + f" This computer drew {drawn}." * bool(drawn)]
        it = "it" if len(chance) == 1 else "them"
        meaning = f" {drawn[:1].upper()}{drawn[1:]} came from all together: nobody could choose or foresee {it}."
        meaning *= bool(drawn)
        what = "Chance and moves" if drawn else "Moves"
        among = ", the parts of chance among them" if drawn else ""
        events = f"{position.effects} signed events{among}, each by the rules"
        return [f"{what} verified: {events}.{meaning} `verify` shows it to anybody."]

    def fate(self, seat: int) -> str:
        return self.roster[seat].fate or super().fate(seat)

    def _tell_plies(self) -> None:
        """Tell what the fold applied since the last time."""
        log = self.table.fold.log
        first, self._read_to = self.table.fold.changed_since(self._read_to), self.table.fold.mark
        if first < len(self.plies):
            del self.plies[first:], self.log[first:]
            self.roster.take_back(first)
            self.tell(Note("The others have agreed to go on from before the last moves.", urgent=True))
        self._catches_up = first < len(log)
        for number in range(first, len(log)):
            actor, action, before, hands, left_behind, _ = log[number]
            fate = ""
            if action == "resign":
                cheated = actor in {cheat.seat for cheat in self.table.fold.position.cheats}
                fate = fate_of(log[number]) or ("is out for cheating" if cheated else "")
                self.roster.leave_game(actor, number, fate or "has resigned")
            if left_behind:  # before the resignation that it counts as
                who = "You and the others" if {*self.people} & {*self.game.live(before)} else "All others"
                text = f"{who} go on without {self.label(actor)}, which counts as resigning."
                if actor in self.people:
                    then = "" if self.table.fold.result else ": you may watch on, or `quit`"
                    text = f"The others go on without you, which counts as resigning{then}."
                self.tell(Note(text, urgent=True))
            self._catches_up = number + 1 < len(log)
            self.log.append(log[number])
            self.tell(Ply(number + 1, actor, action, story_of(self.game, log, number, before), fate))
            if action == "resign" and actor in self.people and not (left_behind or self.still_playing or self.result):
                lost = f"{LOST}{f' {THEN_AGAIN}' * self.stays}"
                self.tell(Note(lost, urgent=True, stands=lambda: self.result is None))
            if hands:
                seats = len(hands.dealing.live)
                self.tell(Note(f"Cards shuffled by {seats} of {seats}, all proofs checked."))


def plays_as_team(charter: Charter) -> bool:
    """Return whether all seats of a table win or lose together."""
    return all_games()[charter.body.game].is_team(dict(charter.body.options))


def outcome_of(table: Table, viewers: Sequence[int] = (), labels: Sequence[str] = (), end: End | None = None) -> str:
    """Return how the game of a table ended for the seats `viewers`, or nothing while it goes on.

    The seats are called by `labels`, or else by the names of their players. `end`: as at the table now by default.
    """
    result, broken, last = end or End.of(table)
    if result is None:
        return ""
    if broken and not result.winners:
        return f"Nobody has won: {result.reason}."
    names = labels or [quoted(seat.name) for seat in table.charter.body.seats]
    if last and last.late:
        whose = "your" if tuple(viewers) == (last.actor,) else f"{names[last.actor - 1]}'s"
        result = result._replace(reason=f"{whose} time ran out")
    elif last and last.action == "resign" and len(viewers) == 1 and viewers[0] not in {last.actor, *result.winners}:
        result = result._replace(reason=f"{names[last.actor - 1]} resigned")
    return outcome(result, viewers, names, draws=table.game.draws, team=plays_as_team(table.charter))


def own_seats(charter: Charter, id: bytes) -> tuple[int, ...]:
    """Return the seats that the client with this id plays: its own first, then its bots'."""
    seats = charter.body.seats
    played = [number for number, seat in enumerate(seats, 1) if seats[seat.operator - 1].id == id]
    return tuple(sorted(played, key=lambda number: seats[number - 1].id != id))
