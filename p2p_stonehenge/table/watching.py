"""A table as somebody sees it who watches: what arrives, what is told of it, and through which player it comes."""

import time
from collections.abc import Callable

from engine import Over, Turn, counted, listed
from p2p_stonehenge.storage.home import Journal
from p2p_stonehenge.table.agreed import watchers_told
from p2p_stonehenge.table.as_told import Players
from p2p_stonehenge.table.base import PLAYED_ON, TableSession
from p2p_stonehenge.table.jobs import Sender
from p2p_stonehenge.table.looking_on import LookingOn
from p2p_stonehenge.table.session import After, AskedFirst, Capability, Note, Progress, Question, RefusedError, Said
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.sparing import Sparing
from p2p_stonehenge.text.times import whole_seconds
from protocol import (
    CHAT_LENGTH,
    SPEAKS_EVERY,
    SPOKEN_AT_ONCE,
    Allowance,
    AskNext,
    Attendance,
    Blame,
    Caught,
    Clock,
    DeclineReason,
    Folded,
    Gathering,
    OwnFoldWrong,
    Proposed,
    Refused,
    Sight,
    Spectator,
    Table,
    Talk,
    ToldSpectator,
    Watching,
    clean_text,
    phrase,
    wishing,
)

ONLY_LOOKING = "You are watching: you may look, not play{}. `help` lists what you can type."
ALL_LEFT = "All players have left. What you saw is kept: `quit` leaves."
OUT_OF_REACH = "No player is at this table any more. `again` looks for their next game, `quit` leaves."
LINES_PASSED_ON, LINE_EVERY = 8, 1.0
"""Lines of chat that are shown at once, and seconds for each one more: a player's client passes on fewer."""


class WatchedTable(TableSession):
    """A table that this client watches. `turn` hangs up one player's client and dials another one's."""

    watches = True

    def __init__(
        self,
        spectator: Spectator,
        table: Table,
        journal: Journal,
        sender: Sender,
        turn: Callable[[AskNext], None],
    ) -> None:
        super().__init__(table, ())
        self.path = journal.path
        self.words = " ".join(phrase(table.charter))
        self._spectator = spectator
        self.looking_on = LookingOn(spectator, sender, turn, self, journal)
        self._sparing = Sparing(time.monotonic)
        self._seat_of = table.charter.body.clients
        self._through = b""
        """The player through whom this client has watched last."""
        self._players = Players(self)
        self._clocks: dict[int, int] = {}
        """What each player had left on the clock at the last look at it, by seat, and whose clock ran there."""
        self._runs = 0
        self._wishes: dict[int, object] = {}
        """Without which seats each player last wanted to go on, and what the table waited for then."""
        self._told_nobody = ""
        """What was told last of the end of a table at which no player is left to watch."""
        self._shown: tuple[int | None, str] = (None, "")
        """The seconds of the turn time that were left, and who was away for how long, at the last look."""
        self._says = Allowance(SPOKEN_AT_ONCE, SPEAKS_EVERY)
        self._passed_on = Allowance(LINES_PASSED_ON, LINE_EVERY)
        self._over = self.result is not None
        self._tell_plies()

    def begin(self) -> None:
        """Tell what came of the game since this was made, while nobody listened to it."""
        self.looking_on.carry_out([Folded()])

    # What arrives

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell of a trouble with the network, but not with that of a player who has left, or after the end.

        What is said of a player stands until that player is here again.
        """
        seat, told = self._seat_of.get(peer or b"", 0), time.monotonic()
        concerns = peer is None or (seat and not self._players.has_left(seat))

        def stands() -> bool:
            back = seat and self.roster[seat].here and self.roster[seat].since > told
            return self.result is None and not (back or (peer and peer == self._through))

        if concerns and self.result is None and self._sparing.take("network"):
            self.tell(Note(text, urgent=True, stands=stands))

    def tick(self, now: float) -> None:
        """Do what is due by time."""
        self.looking_on.tick(now)
        self._note_clock()
        if self._shown != (shown := (self.seconds_left, self.links())):
            self._shown = shown
            self.tell(Progress())

    def see(self, sight: Sight) -> None:
        match sight:
            case Folded():
                self._tell_going_on()
                self._tell_plies()
            case AskNext():
                self._tell_nobody(reached=not sight.pause)
            case ToldSpectator(_, message):
                self._hear(message)
            case Refused(player, reason) if self.result is None:
                full = reason == DeclineReason.FULL
                what = "has no place for another spectator" if full else "does not let you watch"
                self._news(f"{self._name(player)} {what}: asking the next player.")
            case Blame(player, fault) if self.result is None:
                told = f"{self._name(player)} sent {fault}; it was dropped: asking the next player."
                self._news(told, urgent=True)
            case Caught(seat, breach):
                self._news(f"CHEAT: {self.label(seat)} {breach}.", urgent=True)
            case OwnFoldWrong():
                self._news("This program disagrees with its own record of this table: watch it anew.", urgent=True)
            case Proposed(seat, leaving) if leaving:
                self._tell_wish(seat, leaving)
            case Gathering() if self._leads_on():
                self._tell_next()

    def settle(self) -> None:
        """Tell through whom the game is seen, when that changes."""
        player = self._spectator.player if self._spectator.admitted else b""
        if player == self._through:
            return
        before, self._through = self._through, player
        if player and self._players.has_left(seat := self._seat_of[player]):
            self._players.note_here(seat)  # that player is at the table again, as all will say who are
        if self.result is not None:  # nothing more is to come
            return
        if not self._sparing.take("through"):
            self.tell(Progress())
        elif player:
            self.tell(Note(f"You watch through {self._name(player)}."))
        elif self._players.all_left:
            self.tell(self._nobody(ALL_LEFT))
        else:
            self.tell(Note(f"{self._name(before)} is not reached any more: asking the other players."))

    def _news(self, text: str, *, urgent: bool = False) -> None:
        if self._sparing.take("news"):
            self.tell(Note(text, urgent=urgent))

    def _tell_wish(self, seat: int, leaving: tuple[int, ...]) -> None:
        """Tell once without whom a player wants to go on: each ballot about it says it anew."""
        before, wish = self._wishes.get(seat), (leaving, self.position.slot.place)
        self._wishes[seat] = wish
        if wish != before:
            self._news(f"{self.label(seat)} wants to go on without {listed([self.label(one) for one in leaving])}.")

    def _tell_next(self) -> None:
        """Tell that the player who is asked opens another table."""
        player = self._spectator.player
        self._players.note_next(self._seat_of.get(player, 0))
        self._news(f"{self._name(player)} opens another table: `again` follows the players there.")

    def _tell_going_on(self) -> None:
        """Tell that a game which two versions of an event had ended goes on after all."""
        was_over, self._over = self._over, self.result is not None
        if was_over and not self._over:
            self._told_nobody = ""
            self.tell(Note(PLAYED_ON, urgent=True))

    def _hear(self, message: Attendance | Talk) -> None:
        """Tell what a player says of the others, and the chat that it passes on."""
        if isinstance(message, Talk):
            if self._passed_on.take(time.monotonic()):
                self.tell(Said(self._speaker(message), message.text))
            return
        for seat, text in self._players.hear(message, self._seat_of.get(self._spectator.player, 0)):
            if self._sparing.take(f"seat {seat}"):
                self.tell(Note(text))
        self._tell_nobody(reached=True)

    def _tell_nobody(self, *, reached: bool) -> None:
        """Tell once after the end that all players have left, or that none of them is `reached` any more."""
        if self.result is None or not (self._players.all_left or not reached):
            return
        told = ALL_LEFT if self._players.all_left else OUT_OF_REACH
        if self._told_nobody not in (told, ALL_LEFT):
            self._told_nobody = told
            self.tell(self._nobody(told))

    def _nobody(self, told: str) -> Note:
        """Return the note that no player is here, which stands until one is."""
        all_left = self._players.all_left
        return Note(told, urgent=True, stands=lambda: not self._through and self._players.all_left == all_left)

    def _speaker(self, line: Talk) -> str:
        """Return whose line this is, and by way of which player where that is another one: nobody signs chat."""
        through = self._seat_of.get(self._spectator.player, 0)
        name = self.speaker(line.seat) if line.seat else f"{quoted(line.name)} (watching)"
        return name if line.seat == through or not through else f"{name}, by way of {self.speaker(through)}"

    def _leads_on(self) -> bool:
        """Return whether a player who opens another table now is the first to do so, or is back after all had left."""
        return self.result is not None and not self._players.may_be_followed

    def _name(self, player: bytes) -> str:
        seat = self._seat_of.get(player)
        return self.label(seat) if seat else "Somebody"

    # What is shown

    @property
    def seconds_left(self) -> int | None:
        return whole_seconds(self._spectator.seconds_left)

    def _note_clock(self) -> None:
        """Note what is left on the clock of the player to move; a player whose turn is over gets the increment."""
        limit = self.table.charter.body.turn_time
        if not isinstance(limit, Clock):
            return
        if self._runs in self._clocks and self.turn != self._runs:
            self._clocks[self._runs] += limit.increment
        self._runs = self.turn
        if self.turn and self.seconds_left is not None:
            self._clocks[self.turn] = self.seconds_left

    def clock(self, seat: int) -> int | None:
        # Players tell only what the one to move has left: of the others the last of that is known.
        return None if self.result else self._clocks.get(seat)

    def remark(self, seat: int) -> str:
        return self.roster[self.table.operator(seat)].away_for(time.monotonic())

    def after(self) -> After:
        return super().after()._replace(may_again=self._players.may_be_followed)

    def waiting(self) -> str:
        due = self.game.pending(self.table.state)
        if isinstance(due, Turn):
            return f"{self.label(due.seat)} to move"
        names = listed([self.label(seat) for seat in self.owing])
        if isinstance(due, Over) or not names:
            return ""
        return f"waiting for {names} to take part in the {'deal' if self.position.dealing else 'roll'}"

    def wishes(self) -> tuple[int, ...]:
        position = self.position
        return wishing(position.wishes, position.live)

    def links(self) -> str:
        if self.result is not None:
            alone = self._told_nobody and not self._through
            some = self.roster.status(self._seat_of.values(), None)
            return "all players have left" if self._players.all_left else "no player is here" if alone else some
        delay = self.watching.delay
        behind = f", {counted(delay, 'action')} behind" if delay else ""
        away = [f"{self.speaker(seat)} {remark}" for seat in self._seat_of.values() if (remark := self.remark(seat))]
        seat = self._seat_of.get(self._through)
        through = f"through {self.speaker(seat)}{behind}" if seat else "looking for a player"
        return "; ".join(away if self._players.all_left and not self._through else (*away, through))

    @property
    def watching(self) -> Watching:
        """Return who may watch this table."""
        return self.table.charter.body.watching

    def watched(self) -> str:
        return watchers_told(self.watching)

    def can(self, capability: Capability) -> bool:
        if capability == "say":
            return self._may_talk
        return capability in ("again", "quit") and super().can(capability)

    @property
    def _may_talk(self) -> bool:
        """Return whether what is said here reaches the players."""
        return bool(self.watching.talk)

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        if capability == "again":
            return super().question(capability, seat)
        raise self._refusal()

    def play(self, seat: int, action: str) -> None:
        raise self._refusal()

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        raise self._refusal()

    def _refusal(self) -> RefusedError:
        return RefusedError(ONLY_LOOKING.format("" if self._may_talk else " or talk"))

    def say(self, text: str) -> None:
        if not self._may_talk:
            raise self._refusal()
        line = clean_text(text, CHAT_LENGTH)
        if not line:
            raise RefusedError("There is nothing to say: write your words behind `say`.")
        if not self._spectator.admitted:
            raise RefusedError("No player is connected who could pass it on: wait a moment.")
        if not self._says.take(time.monotonic()):
            raise RefusedError("Those who watch may say a few lines only, not to disturb the game: wait a while.")
        self.tell(Said("you (watching)", line))
        self.looking_on.carry_out(self._spectator.say(line))

    def again(self) -> None:
        """Follow the players into their next game. Raises RefusedError if all of them have left."""
        if self._players.all_left:
            raise RefusedError(ALL_LEFT)
        self.wants_again = True
