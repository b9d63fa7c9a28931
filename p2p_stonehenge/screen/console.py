"""What can be typed at a table and what is said in return, whichever screen shows it.

A line is a move, a command or, if it starts with a quotation mark, chat. What costs a player something, or cannot be
taken back, is written in full and asks first; only a yes does it. What else can be done now is done and lets the
question go, which is told; what cannot be done leaves it open.
"""

import re
from collections.abc import Callable, Iterable
from typing import Literal

from p2p_stonehenge.screen import status
from p2p_stonehenge.screen.advising import STOPPED, Advising
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.drawing import Drawing
from p2p_stonehenge.screen.helping import help_told, rules_told
from p2p_stonehenge.screen.moves import Choice, listed
from p2p_stonehenge.screen.panel import GAP, LEAST, WIDE, panel
from p2p_stonehenge.screen.telling import short_name, told_plies, who
from p2p_stonehenge.screen.typed import Reader, Typed
from p2p_stonehenge.screen.views import Line, View, beside, row, text_of
from p2p_stonehenge.table.after import next_game, report, score, which_game
from p2p_stonehenge.table.questions import NO, YES, Questions
from p2p_stonehenge.table.session import AskedFirst, Note, Notice, Ply, Progress, Question, RefusedError, Said, Session
from p2p_stonehenge.text.style import Alarm, Settings, cells, safe

LOG = 10
TALL = 24
"""Lines that players, log and chat may take beside a board that is lower."""
TALK = 50
"""Lines of chat that `say` alone shows at most."""


class Console:
    """One player's (or spectator's) dealings with a table, line by line."""

    def __init__(self, session: Session, settings: Settings, charset: str, redraws: bool = True) -> None:
        """`redraws` says whether the screen always shows the board, so that nobody need print it."""
        self.session = session
        self.settings = settings
        self._redraws = redraws
        self.width = 80
        self.leaving = False
        self.let_go = ""
        """Where the board is redrawn: that what was asked last is not done, until the next line."""
        self._said: list[Line] = []
        """The last lines of chat."""
        self.questions = Questions()
        self._asked_at = (0, 0)
        """The seat and the number of actions at which it was last asked whether to play a move."""
        self._reader = Reader(session, settings, self.questions, redraws)
        self.drawing = Drawing(session, self._reader, charset, redraws)
        self._advising = Advising(session, redraws)
        self._advising.warns = settings.threats
        self._does: dict[str, Callable[[str], list[Line]]] = {
            "yes": lambda _: self._yes(),
            "no": lambda _: self._no(),
            "": lambda _: self._nothing(),
            "moves": self._moves,
            "look": self._look,
            "last": lambda _: told_plies(self.session, self.drawing.last()),
            "log": self._log,
            "back": lambda count: self._look_back(-max(int(count or 1), 1)),
            "forth": lambda count: self._look_back(int(count) if count else len(self.session.plies)),
            "board": lambda _: [] if redraws else self.board(self.width, 99),
            "more": lambda _: self.turn_page(1),
            "hand": lambda _: self._hand(),
            "played": lambda _: self._played(),
            "position": lambda _: self._position(),
            "who": lambda _: who(self.session),
            "words": lambda _: self._words_told(),
            "say": self._say,
            "mute": lambda _: self._mute(),
            "hint": lambda _: self._hint(),
            "why": self._why,
            "threats": self._threats,
            "flip": lambda _: self._flip(),
            "view": lambda _: self._next_layout(),
            "rules": lambda topic: rules_told(self.session, topic, self.width),
            "draw": self._draw,
            "takeback": lambda _: self._ask("takeback", self._own_seat(playing=False), self._take_back),
            "resign": lambda _: self._ask("resign", self._own_seat(), self._resign),
            "without": self._without,
            "agree": lambda _: self._ask("agree", self._own_seat(), lambda _: self.session.agree()),
            "newest": lambda _: self._ask("newest", self._own_seat(), lambda _: self.session.newest()),
            "adjourn": lambda _: self._ask_to_leave("adjourn"),
            "result": lambda _: self._result(),
            "analyse": lambda level: self._remark(self._advising.analyse(level)),
            "again": lambda _: self._again(),
            "help": lambda command: help_told(self.session, command, self.width, redraws=redraws),
            "quit": lambda _: self._ask_to_leave("quit"),
        }

    # What is shown

    @property
    def seat(self) -> int:
        """Return the seat that acts from here now, or 0."""
        return self._reader.seat

    @property
    def view(self) -> View:
        """Return the view of the game."""
        return self.drawing.view

    def board(self, width: int, height: int) -> list[Line]:
        """Return the board, at most `height` lines of it; where the window is wide, players, log and chat beside it."""
        if not self._redraws or width < WIDE:
            return self.drawing.render(width, height)
        lines = self.drawing.render(width - LEAST - GAP, height)
        room = width - max(cells(text_of(line)) for line in lines) - GAP
        height = min(height, max(len(lines), TALL))
        return beside(lines, panel(self.session, self._said, room, height), width)

    def _position(self) -> list[Line]:
        told = self.view.describe(self.drawing.shown)
        return self._of_shown([*told, *self.round_before()] if self.drawing.past is None else told)

    def _look(self, place: str) -> list[Line]:
        return self._of_shown([self.view.look_at(self.drawing.shown, place, self.session.viewer)])

    def _played(self) -> list[Line]:
        if not (told := self.view.played(self.drawing.shown, self.session.viewer)):
            raise RefusedError(f"No cards are played in {self.session.game.title}.")
        return [*self._of_shown(()), *told]

    def _of_shown(self, told: Iterable[str]) -> list[Line]:
        """Return what is told of the position that is shown; line by line also which one, if it is an earlier one."""
        head = [] if self._redraws else self.drawing.earlier(self.width)
        return [*head, *(row(self.session.in_names(text)) for text in told)]

    def _look_back(self, by: int) -> list[Line]:
        before = self.drawing.past
        self.drawing.look_back(by)
        if self.drawing.past == before:
            return [row("This is the first position." if by < 0 else "This is the present position.")]
        return [] if self._redraws else self.board(self.width, 99)

    def prompt(self) -> str:
        """Return what asks for a line."""
        if self.questions.open:
            return f"{safe(self.questions.open.name)}? [y/N]> "
        if self.over:
            return "again or quit> " if self.may_again else "over> "
        if self._reader.looks_on:
            return "watch> "
        if not self.seat:
            return "wait> "
        who = f"{safe(short_name(self.session, self.seat))}, " if len(self.session.people) > 1 else ""
        return f"{who}{self.view.ask(self.session.state)}> "

    def status(self) -> list[str]:
        """Return what matters now, most important first."""
        return status.told(self.session, self.seat)

    def hear(self, notice: Notice) -> list[Line]:
        """Return how a notice is written down, and that a question has lapsed by it."""
        if isinstance(notice, Ply):
            lines = told_plies(self.session, [notice])
        elif isinstance(notice, Said):
            lines = [row(("class:title", safe(notice.name)), f": {safe(notice.text)}")]
            self._said = [*self._said[1 - TALK :], *lines]
        elif isinstance(notice, Progress) or (self._redraws and notice.text == self.session.guide != ""):
            lines = []
        elif notice.urgent:
            lines = [row(("class:urgent", f"! {safe(notice.text)}"))]
        else:
            lines = [row(("class:dim", f"- {safe(notice.text)}"))]
        return lines + self.lapse()

    def lapse(self) -> list[Line]:
        """Let a question go if the table has moved on since, and return that it has lapsed."""
        return self._remark(self.questions.lapse())

    @staticmethod
    def _remark(text: str) -> list[Line]:
        return [row(("class:dim", f"- {safe(text)}"))] if text else []

    def greeting(self) -> list[Line]:
        """Return what a player sees on sitting down: the table, and the latest actions if there are any."""
        session = self.session
        seats = ", ".join(safe(session.label(seat)) for seat in range(1, len(session.names) + 1))
        hint = "" if self._redraws else " Type help for help."  # the line at the bottom names F1
        title = row(("class:title", f"{session.game.title}, table {safe(session.title)}: {seats}.{hint}"))
        if session.guide and not self._redraws:
            return [title, row(safe(session.guide))]
        game = [row(safe(told))] if (told := which_game(session)) else []
        return [*self.alarms(), title, *game, *told_plies(self.session, self.drawing.last_turn())]

    def alarms(self) -> list[Line]:
        """Return what a player must not overlook, in red."""
        return [row(("class:alarm", Alarm(safe(text)))) for text in self.session.strangers.values()]

    def to_compare(self) -> list[Line]:
        """Return the three words, which have to be seen when a player sits down with others to compare them with."""
        with_others = self.session.words and self.session.people and not self.session.advises
        return self._words_told() if with_others else []

    def ending(self) -> list[Line]:
        """Return how the game ended, or that it has not, where it is kept, and how its match goes on."""
        told = self.session.outcome
        lines = [row(("class:title", safe(told)) if told else "You have left the table.")]
        if self.settings.saved:  # the path is copied: alone on a line, and not its last part, it is never broken
            lines += [row(("class:dim", "The table is saved in")), row(("class:dim", self.settings.saved), "")]
        if self.session.way_on and not self.session.wants_again:
            lines.append(row(("class:dim", self.session.way_on)))
        return lines

    @property
    def over(self) -> bool:
        """Return whether the game has ended and the table is still open."""
        return self.session.result is not None and self.session.stays

    @property
    def may_again(self) -> bool:
        """Return whether another game can be had by Enter."""
        return self.over and self.session.may_again

    def end(self) -> list[str]:
        """Return what has to stay in sight: how the last round came out; at the end result, score and the next bots."""
        if not self.over:
            return self.round_before()
        return [self.session.outcome, *score(self.session), *filter(None, (self.session.next_bots,))]

    def round_before(self) -> list[str]:
        """Return how the round came out that has ended since a player here acted last, in one text; else nothing.

        Where nobody here plays, or no longer, it goes with the next action of anybody.
        """
        session = self.session
        playing = session.still_playing
        for ply in session.latest() if session.result is None else ():
            if told := " ".join(event.text for event in ply.story if event.sums_up):
                this = "The round "  # of which nothing came
                return [f"The last round {told.removeprefix(this)}" if told.startswith(this) else f"Last round: {told}"]
            if ply.actor in playing or (ply.actor and not playing):
                break
        return []

    def _nothing(self) -> list[Line]:
        """Do what Enter alone does: the next step of a lesson, another game after the end, else nothing."""
        return [] if self.session.next_step() or not self.may_again else self._again()

    def _result(self) -> list[Line]:
        first, *more = report(self.session) or ["The game is not over yet: `position` tells how it stands."]
        return [row(("class:title", safe(first))), *(row(safe(text)) for text in more)]

    def after(self) -> list[Line]:
        """Return what is told when the game ends at a table that stays open."""
        # Where a text covers the board Enter shows the board: the line at the bottom says when it plays again.
        enter = "" if self._redraws else "Enter or "
        ways = f"{enter}`again`: {next_game(self.session)}. " if self.may_again else ""
        if self.session.watches:
            ways = "`again` follows the players into another game. "
        talk = "" if self.may_again or not self.session.can("say") else "You may go on talking. "
        outside = " A game outside of the match is begun on the start page." if self.session.way_on else ""
        leaves = f"`result` tells this again, `quit` leaves the table.{outside}"
        return [*self._result(), row(("class:dim", f"{ways}{talk}{leaves}"))]

    def _again(self) -> list[Line]:
        if not self.over:
            raise RefusedError("The game is not over yet: `again` plays another one after it.")

        def again(_: int) -> None:
            self.session.again()
            self.leaving = True

        return self._ask("again", 0, again)

    # What is typed

    def refuse(self, line: str) -> str:
        """Return why a line cannot be entered now, in the player's words, or nothing if it can."""
        try:
            self._reader.read(line)
        except RefusedError as refusal:
            return str(refusal)
        return ""

    def enter(self, line: str) -> list[Line]:
        """Do what a line says and return what is to be printed. Raises RefusedError."""
        typed, asked, self.let_go = self._reader.read(line), self.questions.open, ""
        if not asked or typed.command in ("yes", "no"):
            return self._obey(typed)
        dropped = self._no()
        try:
            told = self._obey(typed)
        except RefusedError as refusal:
            self.questions.open, self.let_go = asked, ""
            raise RefusedError(self._reader.still_asked(str(refusal))) from refusal
        asked_anew = self.questions.open and self.questions.open.name == asked.name
        if asked_anew:
            self.let_go = ""
            return told
        return dropped + told

    def _obey(self, typed: Typed) -> list[Line]:
        self.questions.lapsed = ""
        if typed.command == "play":
            return self._play((typed.argument, *typed.more))
        return self._does[typed.command](typed.argument)

    def choices(self, text: str) -> list[Choice]:
        """Return the ways to go on: lawful moves that continue `text`, then commands."""
        return self._reader.choices(text)

    def is_command(self, line: str) -> bool:
        """Return whether a line is a command, worth remembering, and not a move."""
        try:
            return self._reader.read(line).command not in ("play", "yes", "no", "")
        except RefusedError:
            return False

    def is_due(self, line: str) -> bool:
        """Return whether a line that was prepared in advance is to be entered now: most are for the player's turn.

        That goes by the line's first word alone: a line that is refused for now, for whatever reason, must not hold up
        what is typed after it.
        """
        word = line.strip().removeprefix("/").partition(" ")[0].lower()
        if word == "resign":
            return self.session.ready and (bool(self.seat) or len(self.session.people) == 1)
        answers = word in (*YES, *NO) or (not word and bool(self.questions.open))
        return bool(self.seat) or (word in COMMANDS and COMMANDS[word].any_time) or answers

    # What is done

    def _play(self, actions: tuple[str, ...]) -> list[Line]:
        """Make the actions of one turn, one after the other; not while an earlier position is looked back at."""
        seat, session = self.seat, self.session
        if self.drawing.past is not None:
            self.drawing.past = None
            again = "`board` shows the present one; type it again to play it."
            if self._redraws:
                again = "This is the present one: Enter plays it."
            raise RefusedError(f"Not played: you were looking back at an earlier position. {again}")

        def play() -> list[Line]:
            for number, action in enumerate(actions):
                if number and (session.turn != seat or session.game.refuse(session.state, seat, action)):
                    raise RefusedError(f"Not played any more: {' '.join(actions[number:])}. Look at the board.")
                session.play(seat, action)
            return []

        here = (seat, len(session.plies))
        if cost := self._reader.cost(*actions, asked=self._asked_at == here):
            self._asked_at = here
            return self._put(" ".join(actions), lambda: Question(cost, (self.seat, len(self.session.plies))), play)
        return play()

    # What is asked first

    def _ask(self, command: AskedFirst, seat: int, act: Callable[[int], object], name: str = "") -> list[Line]:
        """Ask before a command is obeyed for, or against, a seat; `act` obeys it. Raises RefusedError."""
        return self._put(name or command, lambda: self.session.question(command, seat), lambda: act(seat))

    def _put(self, name: str, ask: Callable[[], Question], act: Callable[[], object]) -> list[Line]:
        if not ask().text:
            act()
            return []
        text = self.questions.put(name, ask, act)
        return [] if self._redraws else [row(safe(text))]

    def _yes(self) -> list[Line]:
        told = self.questions.yes()
        return told if isinstance(told, list) else []

    def _no(self) -> list[Line]:
        told = self.questions.no()
        if self._redraws:  # among what was printed it would still stand when the same was asked again, and done
            self.let_go = told
            return []
        return self._remark(told)

    def _ask_to_leave(self, command: Literal["adjourn", "quit"]) -> list[Line]:
        def leave(_: int) -> None:
            self.session.leave(adjourn=command == "adjourn")
            self.leaving = True

        if self.session.result or self.session.watches:
            self.leaving = True
            return []
        return self._ask(command, 0, leave)

    def _resign(self, seat: int) -> list[Line]:
        self.session.play(seat, "resign")
        if not self.session.result and seat in self.session.game.live(self.session.state):
            return [row(("class:dim", "You have resigned. It counts as soon as all who are to act have heard it."))]
        return []

    def _own_seat(self, *, playing: bool = True) -> int:
        """Return the seat that resigns or wishes a draw from here; where people share a screen, only a seat to move.

        Unless `playing`, any seat will do: what is wished is no matter of who is to move.
        """
        people = self.session.people
        if self.session.result:
            raise RefusedError("The game is over." if playing else self._over())
        if not people or self._reader.looks_on:
            raise RefusedError("You are watching: only players can do that.")
        if playing and not self.seat and len(people) > 1:
            raise RefusedError("Wait until one of your seats is to move.")
        return self.seat or people[0]

    def _draw(self, switch: str) -> list[Line]:
        seat, session = self._own_seat(), self.session
        if switch != "off":
            return self._ask("draw", seat, session.wish_draw)
        if seat not in (wishes := session.wishes()) and session.may_agree(wishes):
            raise RefusedError(self._reader.offered())
        session.wish_draw(seat, wish=False)
        return []

    def _take_back(self, seat: int) -> list[Line]:
        self.session.take_back(seat)
        return []

    def _over(self) -> str:
        """Return that the game is over and, against bots, how the last move is looked at or made otherwise."""
        ways = (self.session.another_try, self.session.way_back) if self.session.advises else ()
        return " ".join(filter(None, ("The game is over.", *ways)))

    def _say(self, text: str) -> list[Line]:
        if not text:
            return self._said or [row(("class:dim", "- Nothing has been said yet: `say well met` says that."))]
        self.session.say(text)
        return []

    def _mute(self) -> list[Line]:
        told = (
            "What spectators say is hidden now: `mute` shows it again."
            if self.session.mute()
            else "What spectators say is shown again."
        )
        return [row(("class:dim", f"- {told}"))]

    def _words_told(self) -> list[Line]:
        if not self.session.words:
            raise RefusedError("Everybody at this table plays here: there are no words to compare.")
        return [row(f"The three words: {self.session.words}. Read them aloud: all must have the same.")]

    def _without(self, who: str) -> list[Line]:
        session = self.session
        self._own_seat()
        found = session.seats_named(who)
        if len(found) > 1:
            ways = " or ".join(f"`without {session.name_to_type(seat)}` for {session.label(seat)}" for seat in found)
            raise RefusedError(f"Write {ways}.")
        if not found:
            raise RefusedError("Write without and the name or colour of one player: `who` lists them.")
        return self._ask("without", found[0], session.without, f"without {session.name_to_type(found[0])}")

    async def advised(self) -> None:
        """Wait until the advice that was asked for last is told."""
        await self._advising.answered()

    def _hint(self) -> list[Line]:
        if wanted := self.session.wanted():
            return [row(("class:dim", f"- {wanted}"))]
        if not self.seat:
            raise RefusedError(self._reader.not_your_turn())
        self._advising.hint(self.seat)
        return self._thinking()

    def _thinking(self) -> list[Line]:
        """Return that a bot thinks about a question, where no line at the bottom says so."""
        self._to_present()
        return [] if self._redraws else [row(("class:dim", f"- {status.THINKING.capitalize()}"))]

    def _to_present(self) -> None:
        """Show the present position where an earlier one is looked back at, and tell that the answer is about it."""
        if self.drawing.past is not None:
            self.drawing.past = None
            told = "You were looking back: the answer is about the present position."
            self.session.tell(Note(told, answers=True))

    def _why(self, move: str) -> list[Line]:
        if not self.seat:
            raise RefusedError(self._over() if self.session.result else self._reader.not_your_turn())
        typed = self._reader.read(move)
        if move and typed.command != "play":
            raise RefusedError("Write why and a move, as you would play it; `why` alone tells of the best one.")
        self._advising.why(self.seat, (typed.argument, *typed.more) if move else ())
        return self._thinking()

    def _threats(self, switch: str) -> list[Line]:
        """Tell what is threatened now, unless `switch` is `off`; `on` and `off`: whether each turn begins with it."""
        self._advising.check_threats()
        if switch == "off":
            self._advising.warns = False
            return [row(("class:dim", "- Your turns no longer begin with threats: `threats` tells them once."))]
        if not (switch or self.seat):
            raise RefusedError(self._over() if self.session.result else self._reader.not_your_turn())
        if self.seat:
            self._advising.threats(self.seat)
            self._to_present()
        if not switch and not self._advising.warns:
            return [row(("class:dim", "- Once, now: with `threats on` each of your turns begins with this."))]
        self._advising.warns = True
        return [row(("class:dim", "- Your turns begin with what is threatened: `threats off` ends that."))]

    def stop(self) -> str:
        """Stop the bot that thinks about a question of the player; return that it has stopped, if one did."""
        return STOPPED if self._advising.stop() else ""

    def _flip(self) -> list[Line]:
        if not COMMANDS["flip"].offered(self.session):
            raise RefusedError("There is no board here that could be turned round.")
        self.drawing.flip()
        return []

    def turn_page(self, pages: int) -> list[Line]:
        """Go on to another part of a board that does not fit the window, or show all of it where nothing is redrawn."""
        self.drawing.turn_page(pages)
        return [] if self._redraws else self.enter("board")

    def _next_layout(self) -> list[Line]:
        before = self.drawing.in_window(self.width)
        layout = self.drawing.next_layout() or "the largest that fits"
        same = bool(before) and self.drawing.in_window(self.width) == before
        needed = " This window has room for one layout alone: in a larger one they differ." if same else ""
        return [row(("class:dim", f"Layout: {layout}.{needed}"))]

    def _moves(self, origin: str) -> list[Line]:
        if not self.seat:
            raise RefusedError(self._reader.not_your_turn())
        session = self.session
        lines = listed(session.game, session.state, self.seat, origin, self.width, session.in_names)
        if not lines:
            turned = re.sub(r"^(\d+) *([a-zA-Z])$", r"\2\1", origin).upper()
            meant = turned != origin.upper() and listed(session.game, session.state, self.seat, turned, self.width)
            there = session.in_names(self.view.look_at(session.state, origin, session.viewer))
            why = f": did you mean {turned}?" if meant else f". {safe(there)}" if origin.isalnum() else "."
            raise RefusedError(f"No move begins with {safe(origin)[:20]}{why}")
        self._to_present()
        return lines

    def _hand(self) -> list[Line]:
        session = self.session
        if len(session.people) > 1:
            if not self.seat:
                raise RefusedError("Wait until one of your seats is to move.")
            session.uncovered = 0 if session.uncovered == self.seat else self.seat
        return self.enter("board")

    def _log(self, count: str) -> list[Line]:
        return told_plies(self.session, self.session.plies[-max(int(count or LOG), 1) :])
