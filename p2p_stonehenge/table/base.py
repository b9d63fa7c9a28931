"""What tables on one machine and tables among peers share: a table of the protocol as a session."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engine import CHANCE, Over, Result, Turn, counted, listed, option_text
from p2p_stonehenge.table.agreed import short_id, teams_of
from p2p_stonehenge.table.endings import End, outcome_of
from p2p_stonehenge.table.exits import told
from p2p_stonehenge.table.people import People
from p2p_stonehenge.table.scores import match_goes_on, points_told
from p2p_stonehenge.table.session import After, AskedFirst, Capability, Note, Ply, Question, RefusedError, Session
from p2p_stonehenge.table.takebacks import (
    TAKEN_BACK_UNASKED,
    story_of,
    times_taken_back,
    too_late,
    undone_actions,
)
from p2p_stonehenge.text.program import command_here
from protocol import LOCAL, Applied, Exit, Mark, Position, Series, Table, is_deal, score_after

FIRST = "first"
"""The option of every game that says who begins: no variant."""
BEGINS = "who begins"
LOST = "You have lost this game, which goes on without you: watch on, or `quit`."
PLAYED_ON = "The game goes on: all others had played on after what was signed twice."
THEN_AGAIN = "When it is over, `again` plays another one."


def kind_of_chance(action: str) -> str:
    """Return what an action of chance is called where such actions are counted.

    >>> kind_of_chance("first 2"), kind_of_chance("trump TW"), kind_of_chance("3-5"), kind_of_chance("deal G9")
    ('who begins', 'trump', 'roll', 'deal')
    """
    word = action.partition(" ")[0]
    return BEGINS if word == "first" else "roll" if word[0].isdigit() else word


def drawn_told(actions: Iterable[str]) -> str:
    """Return in words what these actions of chance have drawn: `who begins and 3 rolls`."""
    kinds = Counter(map(kind_of_chance, actions))
    return listed([BEGINS if kind == BEGINS else counted(count, kind) for kind, count in kinds.items()])


class TableSession(Session):
    """A protocol table behind the session."""

    def __init__(self, table: Table, people: Sequence[int]) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.names = tuple(seat.name for seat in table.charter.body.seats)
        self.people = tuple(people)
        self.short_id = short_id(table.id)
        self.teams = teams_of(table.charter)
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
    def owing(self) -> tuple[int, ...]:
        """Return the seats that have yet to give what the open slot takes of them."""
        return self.table.fold.owing()

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
        return told(person.exit).yours if person.exit and person.since_action != last else ""

    def after(self) -> After:
        return super().after()._replace(way_on=self._way_on(), way_back=self._way_back())

    def _way_on(self) -> str:
        result = self.result
        if not (self.people and result) or self.end.void or not match_goes_on(self.series, self.game, result):
            return ""
        command = "resume" if self.table.charter.body.kind == LOCAL else "host --from"
        return f"`{command_here()} {command} {self.short_id}` begins the next game of the match."

    def _way_back(self) -> str:
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
            raise RefusedError(too_late(self.table, position, log, seat, self.label))
        undone = undone_actions(self.game, log, to)
        if not position.asking and self.in_turn(seat):
            return Question("", (to, position.plies))
        ask = f"Agree to take back {undone}?" if position.asking else f"Take back {undone}{self._consent(seat)}"
        return Question(ask, (to, position.plies))

    def _consent(self, seat: int) -> str:
        """Return how the question goes on before a turn of `seat` is taken back: who else has to want that."""
        return f", if {other} agrees?" if (other := self.only_other(seat)) else ", if all others agree?"

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
        present = self.state  # which opens the cards that were dealt here
        if plies >= len(self.log):
            return present
        viewer = self.viewer or self.uncovered
        return self.game.view(self.table.own.earlier_view(viewer, self.log, plies), viewer)

    def breaches(self) -> list[str]:
        if not (cheats := self.position.cheats):
            return []
        names = ", ".join(sorted({self.speaker(cheat.seat) for cheat in cheats}))
        return [f"NOT all as agreed: the proof of what {names} did is in the saved game; `verify` tells it."]

    def checked(self) -> list[str]:
        if told := self.breaches():
            return told
        agreed = ("draw", "takeback")
        chance = [ply.action for ply in self.plies if ply.actor == CHANCE and ply.action.split()[0] not in agreed]
        drawn = drawn_told(chance)
        if self.table.charter.body.kind == LOCAL:
            return ["Moves verified: each follows the rules." + f" This computer drew {drawn}." * bool(drawn)]
        it = "it" if len(chance) == 1 else "them"
        meaning = f" {drawn[:1].upper()}{drawn[1:]} came from all together: nobody could choose or foresee {it}."
        meaning *= bool(drawn)
        what = "Chance and moves" if drawn else "Moves"
        among = ", the parts of chance among them" if drawn else ""
        events = f"{counted(self.position.effects, 'signed event')}{among}, each by the rules"
        return [f"{what} verified: {events}.{meaning} `verify` shows it to anybody."]

    def exit(self, seat: int) -> Exit | None:
        return self.roster[seat].exit

    def _tell_plies(self) -> None:
        """Tell what the fold applied since the last time; not while a thread works on the table."""
        log = self.table.fold.log
        first, self._read_to = self.table.fold.changed_since(self._read_to), self.table.fold.mark
        while first < min(len(self.log), len(log)) and self.log[first] == log[first]:
            first += 1  # one message may bring an agreement that cuts a move off, and the next one, which has it back
        if first < len(self.plies):
            del self.plies[first:], self.log[first:]
            self.roster.take_back(first)
            self.tell(Note("The others have agreed to go on from before the last moves.", urgent=True))
        self._catches_up = first < len(log)
        for number in range(first, len(log)):
            actor, action, before, hands, exit = log[number]
            if exit:
                self.roster.leave_game(actor, number, exit)
            left_behind = exit is Exit.LEFT_BEHIND
            if left_behind:  # before the resignation that it counts as
                self._tell_left_behind(actor, before)
            self._catches_up = number + 1 < len(log)
            self.log.append(log[number])
            self.tell(Ply(number + 1, actor, action, story_of(self.game, log, number, before), exit))
            if exit and actor in self.people and not (left_behind or self.still_playing or self.result):
                lost = f"{LOST}{f' {THEN_AGAIN}' * self.stays}"
                self.tell(Note(lost, urgent=True, stands=lambda: self.result is None))
            if hands:
                seats = len(hands.dealing.live)
                self.tell(Note(f"Cards shuffled by {seats} of {seats}, all proofs checked."))

    def _tell_left_behind(self, seat: int, before: Any) -> None:
        """Tell that the others go on without a seat; `before`: the state in which it still played."""
        who = "You and the others" if {*self.people} & {*self.game.live(before)} else "All others"
        text = f"{who} go on without {self.label(seat)}, which counts as resigning."
        if seat in self.people:
            then = "" if self.table.fold.result else ": you may watch on, or `quit`"
            text = f"The others go on without you, which counts as resigning{then}."
        self.tell(Note(text, urgent=True, stands=lambda: self.result is None))
