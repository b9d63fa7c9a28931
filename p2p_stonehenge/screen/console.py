"""What can be typed at a table and what is said in return, whichever screen shows it.

A line is a move, a command or, if it starts with a quotation mark, chat. What costs a player something, or cannot be
taken back, is written in full and asks first; only a yes does it. What else can be done now is done and lets the
question go, which is told; what cannot be done leaves it open.
"""

from contextlib import suppress
from functools import partial
from typing import NamedTuple

from engine import CHANCE, NotationError
from p2p_stonehenge.screen import status
from p2p_stonehenge.screen.advising import STOPPED, Advising
from p2p_stonehenge.screen.at_the_end import enter_plays_again, is_over, result_told
from p2p_stonehenge.screen.careful import Careful
from p2p_stonehenge.screen.commands import COMMANDS, Obey
from p2p_stonehenge.screen.consulting import Consulting
from p2p_stonehenge.screen.deciding import Deciding
from p2p_stonehenge.screen.drawing import Drawing
from p2p_stonehenge.screen.helping import help_told, rules_told
from p2p_stonehenge.screen.looking import Looking
from p2p_stonehenge.screen.moves import Choice
from p2p_stonehenge.screen.panel import GAP, LEAST, WIDE, panel
from p2p_stonehenge.screen.telling import remark, short_name, told_plies, who
from p2p_stonehenge.screen.typed import Reader, Typed
from p2p_stonehenge.screen.views import Line, View, beside, row, text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.after import which_game
from p2p_stonehenge.table.questions import NO, YES, Questions
from p2p_stonehenge.table.session import Notice, Ply, Progress, Question, RefusedError, Said, Session
from p2p_stonehenge.text.safe import Alarm, safe
from p2p_stonehenge.text.widths import cells

TALL = 24
"""Lines that players, log and chat may take beside a board that is lower."""
TALK = 50
"""Lines of chat that `say` alone shows at most."""


def _words(lines: list[Line]) -> list[str]:
    """Return what lines say, however it is broken into lines."""
    return " ".join(map(text_of, lines)).split()


class Meant(NamedTuple):
    """What a line was for: the word of the prompt, the move that it reads as, if any, and after how many plies."""

    asked: str
    action: str
    plies: int


class Console:
    """One player's (or spectator's) dealings with a table, line by line."""

    def __init__(self, session: Session, settings: Settings, charset: str, redraws: bool = True) -> None:
        """`redraws` says whether the screen always shows the board, so that nobody need print it."""
        self.session = session
        self.settings = settings
        self._redraws = redraws
        self._said: list[Line] = []
        """The last lines of chat."""
        self._asked_at = (0, 0)
        """The seat and the number of actions at which it was last asked whether to play a move."""
        self.questions = Questions()
        self._careful = Careful(session, settings)
        self._reader = Reader(session, self.questions, redraws, self._careful.cost)
        self.drawing = Drawing(session, self._reader, charset, redraws)
        self.looking = Looking(session, self._reader, self.drawing, redraws)
        self.deciding = Deciding(session, self._reader, self.questions, redraws)
        self._advising = Advising(session, redraws)
        self._advising.warns = settings.threats
        consulting = Consulting(session, self._reader, self.looking, self._advising, redraws)
        self._does: dict[str, Obey] = {
            **self.looking.commands,
            **self.deciding.commands,
            **consulting.commands,
            "": lambda _: self._nothing(),
            "who": lambda _: who(session),
            "words": lambda _: self._words_told(),
            "say": self._say,
            "mute": lambda _: self._mute(),
            "rules": lambda topic: rules_told(session, topic, self.drawing.width),
            "result": lambda _: result_told(session),
            "help": lambda command: help_told(session, command, self.drawing.width, redraws=redraws),
        }

    # What is shown

    @property
    def seat(self) -> int:
        """Return the seat that acts from here now, or 0."""
        return self._reader.seat

    @property
    def leaving(self) -> bool:
        """Return whether the player leaves the table."""
        return self.deciding.leaving

    @property
    def parts(self) -> list[status.StatusPart]:
        """Return what matters now, most important first, and what may be left out of it."""
        return status.parts(self.session, self.seat, self._advising.doing)

    @property
    def view(self) -> View:
        """Return the view of the game."""
        return self.drawing.view

    def board(self, width: int, height: int) -> list[Line]:
        """Return the board, at most `height` lines of it; players, log and chat beside it where it leaves room."""
        own = self._own_width(width, height)
        lines = self.drawing.render(own or width, height)
        if not own:
            return lines
        room = width - max(cells(text_of(line)) for line in lines) - GAP
        height = min(height, max(len(lines), TALL))
        return beside(lines, panel(self.session, self._said, room, height), width)

    def has_panel(self, width: int, height: int) -> bool:
        """Return whether log and chat stand beside a board in so much room."""
        return self._own_width(width, height) > 0

    def _own_width(self, width: int, height: int) -> int:
        """Return the columns in which the board is drawn for players, log and chat to stand beside it; 0 if none do.

        The board comes first: it has what it would have alone, and is at most broken into other lines for them.
        """
        if not self._redraws or width < WIDE:
            return 0
        alone = self.drawing.whole(width, height)
        if max(cells(text_of(line)) for line in alone) + GAP + LEAST <= width:
            return width
        narrower = self.drawing.whole(own := width - LEAST - GAP, height)
        return own if _words(narrower) == _words(alone) and len(narrower) <= max(len(alone), height) else 0

    def prompt(self) -> str:
        """Return what asks for a line."""
        if self.questions.open:
            return f"{safe(self.questions.open.name)}? [y/N]> "
        if is_over(self.session):
            return "again or quit> " if enter_plays_again(self.session) else "over> "
        if self._reader.looks_on:
            return "watch> "
        if not self.seat:
            return "wait> "
        who = f"{safe(short_name(self.session, self.seat))}, " if len(self.session.people) > 1 else ""
        return f"{who}{self.view.ask(self.session.state)}> "

    def status(self) -> list[str]:
        """Return what matters now, most important first."""
        return status.line(self.parts)

    def hear(self, notice: Notice) -> list[Line]:
        """Return how a notice is written down, and that a question has lapsed by it."""
        guide = self.session.guide
        if isinstance(notice, Ply):
            lines = told_plies(self.session, [notice])
        elif isinstance(notice, Said):
            lines = [row(("class:title", safe(notice.name)), f": {safe(notice.text)}")]
            self._said = [*self._said[1 - TALK :], *lines]
        elif isinstance(notice, Progress) or (self._redraws and guide and notice.text == guide.text):
            lines = []
        elif notice.urgent:
            lines = [row(("class:urgent", f"! {safe(notice.text)}"))]
        else:
            lines = [row(("class:dim", f"- {safe(notice.text)}"))]
        return lines + self.lapse()

    def lapse(self) -> list[Line]:
        """Let a question go if the table has moved on since, and return that it has lapsed."""
        return remark(self.questions.lapse())

    def greeting(self) -> list[Line]:
        """Return what a player sees on sitting down: the table, and the latest actions if there are any."""
        session = self.session
        seats = ", ".join(safe(session.label(seat)) for seat in range(1, len(session.names) + 1))
        hint = "" if self._redraws else " Type help for help."  # the line at the bottom names F1
        title = row(("class:title", f"{session.game.title}, table {safe(session.short_id)}: {seats}.{hint}"))
        if session.guide and not self._redraws:
            return [title, row(safe(session.guide.text))]
        game = [row(safe(told))] if (told := which_game(session)) else []
        game += [row(safe(session.partners))] if session.partners else []
        return [*self.alarms(), title, *game, *told_plies(self.session, self.drawing.last_turn())]

    def alarms(self) -> list[Line]:
        """Return what a player must not overlook, in red."""
        return [row(("class:alarm", Alarm(safe(text)))) for text in self.session.strangers.values()]

    def to_compare(self) -> list[Line]:
        """Return the three words, which have to be seen where a player sits down with new people to compare them."""
        session = self.session
        with_others = session.words and session.people and not (session.advises or session.compared)
        return self._words_told() if with_others else []

    def _nothing(self) -> list[Line]:
        """Do what Enter alone does: the next step of a lesson, another game after the end, else nothing."""
        if guide := self.session.guide:
            guide.next_step()
            return []
        return self.deciding.again() if enter_plays_again(self.session) else []

    # What is typed

    def refuse(self, line: str) -> str:
        """Return why a line cannot be entered now, in the player's words, or nothing if it can."""
        try:
            self._reader.read(line)
        except RefusedError as refusal:
            return str(refusal)
        return ""

    def meant(self, line: str) -> Meant:
        """Return what a refused line is for: what is asked now, and how the line reads as an answer to it."""
        session = self.session
        asked = "" if is_over(session) else self.view.ask(session.state)
        with suppress(RefusedError, NotationError):
            return Meant(asked, session.game.parse(session.state, line.strip()), len(session.plies))
        return Meant(asked, "", len(session.plies))

    def offer(self, line: str, meant: Meant) -> str:
        """Return what Enter does with a line that was refused before, or why it is refused still.

        Return nothing if the line answered another prompt, deal or game, or now reads as another move: Enter must not
        play that.
        """
        session, now = self.session, self.meant(line)
        since = session.plies[meant.plies :]
        dealt = bool(session.game.suits) and any(ply.actor == CHANCE for ply in since)
        if (
            now.asked != meant.asked
            or (now.action != meant.action and meant.action)
            or dealt
            or now.plies < meant.plies
        ):
            return ""
        try:
            typed = self._reader.read(line)
        except RefusedError as refusal:
            return str(refusal)
        does = " ".join((typed.argument, *typed.more))
        return f"It is your turn now: Enter {f'plays {does}' if typed.command == 'play' else f'does `{line.strip()}`'}."

    def enter(self, line: str) -> list[Line]:
        """Do what a line says and return what is to be printed. Raises RefusedError."""
        try:
            typed, self.deciding.let_go = self._reader.read(line), ""
        except RefusedError as refusal:
            if self.drawing.past is not None and self.seat and self.meant(line).action:
                raise RefusedError(self._not_in_the_past(str(refusal))) from None
            raise
        if not self.questions.open or typed.command in ("yes", "no"):
            return self._obey(typed)
        return self.deciding.set_aside(self.questions.open, lambda: self._obey(typed))

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
            raise RefusedError(self._not_in_the_past())

        def play() -> list[Line]:
            for number, action in enumerate(actions):
                if number and (session.turn != seat or session.game.refuse(session.state, seat, action)):
                    raise RefusedError(f"Not played any more: {' '.join(actions[number:])}. Look at the board.")
                session.play(seat, action)
            return []

        here = (seat, len(session.plies))
        if cost := self._careful.cost(*actions, asked=self._asked_at == here):
            self._asked_at = here
            return self.deciding.put(" ".join(actions), partial(self._asked_about, cost), play)
        return play()

    def _not_in_the_past(self, refusal: str = "") -> str:
        """Go to the present; return that nothing is played at an earlier position, and why not here, by a refusal."""
        self.drawing.past = None
        told = "Not played: you were looking back at an earlier position."
        if not self._redraws:
            then = f". In that one: {refusal}" if refusal else "; type it again to play it."
            return f"{told} `board` shows the present one{then}"
        return f"{told} This is the present one: {refusal or 'Enter plays it.'}"

    def _asked_about(self, cost: str) -> Question:
        """Return what is asked before a move that has this cost; it lapses when anything is played."""
        return Question(cost, (self.seat, len(self.session.plies)))

    # What is said

    def _say(self, text: str) -> list[Line]:
        if not text:
            return self._said or remark("Nothing was said while you were here: `say well met` says that.")
        self.session.say(text)
        return []

    def _mute(self) -> list[Line]:
        hidden = "What spectators say is hidden now: `mute` shows it again."
        return remark(hidden if self.session.mute() else "What spectators say is shown again.")

    def _words_told(self) -> list[Line]:
        if not self.session.words:
            raise RefusedError("Everybody at this table plays here: there are no words to compare.")
        return [row(f"The three words: {self.session.words}. Read them aloud: all must have the same.")]

    # What bots advise

    async def advised(self) -> None:
        """Wait until the advice that was asked for last is told."""
        await self._advising.answered()

    def stop(self) -> str:
        """Stop the bot that thinks about a question of the player; return that it has stopped, if one did."""
        return STOPPED if self._advising.stop() else ""
