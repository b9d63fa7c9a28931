"""Reads what is typed at a table: a move, a command, chat or an answer.

Moves win over commands: a line that reads as a move is one, unless its first word is the full name of a command.
What costs a player something, or cannot be taken back, has no short form.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from engine import NotationError, Turn, listed
from p2p_stonehenge.screen import one_turn
from p2p_stonehenge.screen.asking import LEAVES
from p2p_stonehenge.screen.commands import (
    COMMANDS,
    GREETINGS,
    NO_BEGINNINGS,
    OTHER_NAMES,
    commands_at,
    setting_told,
)
from p2p_stonehenge.screen.moves import Choice, continuations, reach
from p2p_stonehenge.screen.views import view_of
from p2p_stonehenge.table.questions import NO, YES, Questions
from p2p_stonehenge.table.session import NOT_HERE, RefusedError, Session
from p2p_stonehenge.table.takebacks import how_refused
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.sentences import sentence

ANSWERS = "type `yes` to do it, `no` or Enter to let it go."

AGREEING, DECLINING = ("accept", "agree"), ("decline", "refuse", "reject")
"""Words with which people answer what others want: a command agrees, and who declines says so to the table."""


class Typed(NamedTuple):
    """A line as it is understood: a command, or `play`, and what goes with it."""

    command: str
    argument: str
    more: tuple[str, ...] = ()
    """The further actions of a turn that stands on one line."""


class Reader:
    """Reads the lines of one player or spectator. It changes nothing."""

    def __init__(self, session: Session, questions: Questions, redraws: bool, cost: Callable[[str], str]) -> None:
        """`redraws`: the screen always shows the board, and lights what is typed there.

        `cost` returns what is asked before an action is played, or nothing: one that costs much has no short form.
        """
        self._session, self._questions = session, questions
        self._redraws, self._cost = redraws, cost

    @property
    def seat(self) -> int:
        """Return the seat that acts from here now, or 0."""
        turn = self._session.turn
        return turn if turn in self._session.people else 0

    @property
    def looks_on(self) -> bool:
        """Return whether the game goes on and nobody here plays: a spectator looks on, and a player who is out."""
        session = self._session
        return not session.result and not session.still_playing

    def choices(self, text: str) -> list[Choice]:
        """Return the ways to go on: lawful moves that continue `text`, then commands."""
        session, found = self._session, []
        if self._questions.open:
            return [Choice(answer, "") for answer in ("yes", "no") if answer.startswith(text.strip().lower())]
        if self.seat and not session.covered:
            at = (session.game, session.state, self.seat, text.lstrip(), session.in_names)
            found = one_turn.further(*at) or continuations(*at)
        word = text.strip().removeprefix("/").lower()
        if " " not in word and (word or not found):
            found += [Choice(name, COMMANDS[name].meaning) for name in commands_at(session) if name.startswith(word)]
        return found

    def check_uncovered(self) -> None:
        """Raise RefusedError while the hand of the seat to act is covered: nothing can be said of its cards."""
        if self._session.covered:
            raise RefusedError("The hand is covered: type `hand` first.")

    def read(self, line: str) -> Typed:
        """Return what a line means now.

        Raises RefusedError, in the player's words, if it means nothing; at an open question with how to answer as well.
        """
        try:
            return self._understood(line)
        except RefusedError as refusal:
            if not self._questions.open:
                raise
            word = line.strip()
            if word.isalpha() and not self._meant(word.lower()):
                raise RefusedError(f"{safe(word)[:20]} is no answer: {ANSWERS}") from None
            raise RefusedError(self.still_asked(str(refusal))) from None

    def still_asked(self, refusal: str) -> str:
        """Return a refusal with how to answer the question that is open all the same."""
        return f"{refusal} As to `{self._questions.open.name}`: {ANSWERS}" if self._questions.open else refusal

    def _understood(self, line: str) -> Typed:
        text = line.strip()
        if text.lower() in ("", *YES, *NO):
            return self._as_answer(text.lower())
        if text[0] == '"':
            return Typed("say", text.strip('"').strip())
        word, _, argument = text.removeprefix("/").partition(" ")
        word, argument = word.lower(), argument.strip()
        if word in LEAVES and not argument:
            return self._as_command("quit", ["quit"], "")
        if not word:
            raise RefusedError("A command follows the slash: /help lists them.")
        if word in DECLINING and not argument and (declined := self._declined()):
            return Typed("say", declined)
        if word in AGREEING and not argument and not self._session.can("agree") and (asked := self._asked_of_all()):
            return Typed(asked, "")
        answers = word in (*AGREEING, *DECLINING) and not (word == "agree" and self._session.can("agree"))
        if answers and not argument and (answer := self._answer()):
            raise RefusedError(f"What others want is answered by a command, not by `{word}`: {answer}")
        if word in COMMANDS or text[0] == "/":
            return self._as_command(word, self._begun(word), argument)
        if told := setting_told(word, argument):
            raise RefusedError(told)
        return self._as_move(text, word, argument) if self.seat else self._out_of_turn(text, word, argument)

    def _as_answer(self, text: str) -> Typed:
        """Return what a yes, a no or Enter alone means."""
        if self._questions.open:
            return Typed("yes" if text in YES else "no", "")
        if not text:
            return Typed("", "")
        if words := self._asked_for():
            raise RefusedError(
                f"`{text}` is no answer here: type {words}. {self._answer() or self._questions.lapsed}".rstrip()
            )
        if text in NO and not self._questions.lapsed and (declined := self._declined()):
            return Typed("say", declined)
        if answer := self._answer():
            raise RefusedError(f"What others want is answered by a command, not by `{text}`: {answer}")
        raise RefusedError(f"Nothing is asked of you now: {self.offered()}")

    def _out_of_turn(self, text: str, word: str, argument: str) -> Typed:
        """Return the command that a line is short for while nobody here is to move."""
        names = self._begun(word)
        is_notation = self._is_notation(text)
        if word.isalpha() and (names or (self._in_full(word) and not is_notation)):
            return self._as_command(word, names, argument)
        raise RefusedError(self.not_your_turn("" if is_notation else word))

    def _as_move(self, text: str, word: str, argument: str) -> Typed:
        """Return the move, or the moves of one turn, that a line is, else the command that it is short for."""
        game, state, seat = self._session.game, self._session.state, self.seat
        if found := reach(game, state, seat, text):
            if not self._redraws:  # where a board is redrawn, it is lit there
                return Typed("moves", text)
            raise RefusedError(f"{found.origin} alone is no move: type where it goes as well, as in {found.example}.")
        try:
            action = game.parse(state, text)
        except NotationError as error:
            if actions := one_turn.actions(game, state, seat, text, self._session.in_names):
                return Typed("play", actions[0], actions[1:])
            if typed := self._as_word(word, argument):
                return typed
            raise RefusedError(sentence(str(error))) from None
        if refusal := game.refuse(state, seat, action):
            with suppress(RefusedError):  # two fields are one move, or two pieces that are placed in one turn
                if actions := one_turn.actions(game, state, seat, text, self._session.in_names):
                    return Typed("play", actions[0], actions[1:])
            raise RefusedError(self._session.in_names(refusal.text))
        return Typed("play", action)

    def _as_word(self, word: str, argument: str) -> Typed | None:
        """Return the action or the command that a word is short for; None if it is no word that was meant for one.

        A letter that could mean several commands and has something behind it is rather the beginning of a move.
        """
        if not word.isalpha():
            return None
        names = self._begun(word)
        if not argument:
            words = [action for action in self._action_words() if action.startswith(word)]
            names = [action for action in words if action == word or not self._binds(action)] or names
        if argument and len(names) > 1 and len(word) == 1:
            return None
        if names or self._in_full(word):
            typed = self._as_command(word, names, argument)
            return typed if typed.command in COMMANDS else Typed("play", typed.command)
        if self._meant(word):
            raise RefusedError(self._no_command(word))
        return None

    def offered(self) -> str:
        """Return what can be typed where nothing is asked or taken back: what answers an offer, if one stands."""
        return self._answer() or self._questions.lapsed or "`help` lists what you can type."

    def _answer(self) -> str:
        """Return what answers the offers of others, and what they ask for; nothing if there is no such thing."""
        session, answers = self._session, []
        if session.can("agree"):
            answers.append("`agree` agrees to go on without a player; else wait.")
        if session.may_agree(session.wishes()):
            lapse = "or play on: it is off after two actions of who offered it."
            answers.append(f"`draw` accepts the offer of a draw; {lapse}")
        if session.may_agree(session.asking()):
            answers.append(f"`takeback` agrees to the take-back; {how_refused(session)}.")
        if wanting := session.after().wanting:
            names = listed([session.label(seat) for seat in wanting])
            answers.append(f"`again` begins another game with {names}; `quit` leaves.")
        return " ".join(answers)

    def _asked_of_all(self) -> str:
        """Return the command that agrees to what others ask; empty where they ask nothing, or both things at once."""
        session = self._session
        asks = {"draw": session.wishes(), "takeback": session.asking()}
        asked = [command for command, seats in asks.items() if session.may_agree(seats)]
        return asked[0] if len(asked) == 1 else ""

    def _declined(self) -> str:
        """Return what a player says to the table who declines the offers of others; nothing where nobody asks.

        No event says so: who plays on has declined. So all read how long what is declined may still be agreed to.
        """
        session, said, off = self._session, [], []
        if session.may_agree(session.wishes()):
            said.append("no draw")
            off.append("The offer is off after two actions of who made it.")
        if session.may_agree(session.asking()):
            said.append("no take-back")
            off.append("The take-back is off once somebody plays on.")
        told = f"{' and '.join(said).capitalize()}, please: let us play on. ({' '.join(off)})"
        return told if said and session.can("say") else ""

    def _begun(self, word: str) -> list[str]:
        """Return the commands that a word is, or may be short for."""
        if word in COMMANDS:
            return [word]
        if word in NO_BEGINNINGS:
            return []
        return [name for name in commands_at(self._session) if name.startswith(word) and not COMMANDS[name].asks]

    def _in_full(self, word: str) -> list[str]:
        """Return the commands and actions that a word begins and that it cannot stand for, because they cost much."""
        costly = [action for action in self._action_words() if action.startswith(word) and self._binds(action)]
        asking = [name for name in commands_at(self._session) if name.startswith(word) and COMMANDS[name].asks]
        return asking + costly

    def _action_words(self) -> list[str]:
        """Return the actions of the seat to act that are words, such as `roll`."""
        actions = self._session.game.legal(self._session.state, self.seat) if self.seat else ()
        return [action for action in actions if action.isalpha()]

    def _asked_for(self) -> str:
        """Return the words one of which the seat to act has to choose, as `take or drop`; nothing if it may do else."""
        words = self._action_words()
        actions = self._session.game.legal(self._session.state, self.seat) if words else ()
        return " or ".join(words) if len(words) == len(actions) else ""

    def _binds(self, action: str) -> bool:
        """Return whether an action that is a word costs something, or asks another player for an answer.

        Of two words of which one costs something neither is chosen by a letter.
        """
        due = self._session.game.pending(self._session.game.apply(self._session.state, self.seat, action))
        return any(map(self._cost, self._action_words())) or (isinstance(due, Turn) and due.seat != self.seat)

    def _as_command(self, word: str, names: list[str], argument: str) -> Typed:
        if not names and (costly := self._in_full(word)):
            ways = " or ".join(f"`{name}`" for name in costly)
            raise RefusedError(f"Write {ways} in full: what binds you has no short form.")
        if not names:
            raise RefusedError(self._no_command(word))
        if len(names) > 1:
            raise RefusedError(f"{word} could mean {', '.join(names[:-1])} or {names[-1]}.")
        if names[0] in COMMANDS:  # else it is an action that is a word
            self._check(names[0], argument)
        return Typed(names[0], argument)

    def _check(self, name: str, argument: str) -> None:
        """Raise RefusedError if a command cannot have this argument, or asks for advice where there is none."""
        command = COMMANDS[name]
        if (name, argument) == ("takeback", "off"):
            raise RefusedError("No take-back that was asked for can be withdrawn: it is off once somebody plays on.")
        if command.needs == "advise" and not self._session.can("advise"):
            raise RefusedError(NOT_HERE["advise"])
        if command.argument.isalpha() and not argument:
            example = f" and a place{self._example()}" if command.argument == "PLACE" else ""
            raise RefusedError(f"Write `{name}`{example}." if example else f"Write {command.form}.")
        if command.argument == "[on|off]" and argument not in ("", "on", "off"):
            raise RefusedError(f"Write `{name}`, `{name} on` or `{name} off`.")
        counted = argument.isascii() and argument.isdigit() and len(argument) < 6
        if command.argument == "[N]" and argument and not counted:
            raise RefusedError(f"Write {name} and a number, as in `{name} 20`.")

    def _example(self) -> str:
        """Return a place of this game as `look` takes it, if the board has one from which or to which a move leads."""
        session = self._session
        seat = self.seat or (0 if session.game.suits else session.turn)  # another player's cards are not known
        actions = session.game.legal(session.state, seat) if seat else ()
        named = view_of(session.game.key).places.named
        place = next((places[0] for action in actions if (places := named(action))), "")
        return f", as in `look {place.lower()}`" if place else ""

    def _words(self) -> list[str]:
        """Return the words that mean something now: commands and, at the own turn, actions that are words."""
        return commands_at(self._session) + self._action_words()

    def _is_notation(self, text: str) -> bool:
        """Return whether a line would be read as a move, or could be meant as one: it is not made of letters alone."""
        if not text.split(maxsplit=1)[0].isalpha():
            return True
        try:
            self._session.game.parse(self._session.state, text)
        except NotationError:
            return False
        return True

    def _meant(self, word: str) -> str:
        """Return the command or action that a word may have been meant for."""
        words = self._words()
        other = OTHER_NAMES.get(word.lower())
        return other if other in words else closest(word, words)

    def _no_command(self, word: str) -> str:
        """Return that a word is no command, and which one may have been meant."""
        if word.lower() == "play":
            return "Type a move alone, without `play` before it."
        close = self._meant(word)
        if word.lower() in GREETINGS and close:
            return f"There is no command {word}: `say {word}` says it to the table."
        if (words := self._asked_for()) and close not in self._action_words():
            return f"There is no command {safe(word)[:20]}: type {words}; `help` lists what else you can."
        return f"There is no command {safe(word)[:20]}: {f'did you mean `{close}`?' if close else '`help` lists them.'}"

    def not_your_turn(self, unknown: str = "") -> str:
        """Return why no move can be made from here now; `unknown` is a word that is no command either."""
        session = self._session
        if session.result:
            told = "The game is over."
        elif self.looks_on:
            told = f"You are watching: you may look{' and talk' * session.can('say')}, not play."
        elif not self._redraws:  # each word is heard, at every slip
            who = session.speaker(session.turn) if session.to_move() else session.waiting()
            told = f"Not your turn{f': {safe(who)}' if who else ''}."
        else:
            waiting = safe(session.waiting())
            told = f"It is not your turn{f' ({waiting})' if waiting else ''}"
            told += "." if unknown else ": `help` lists what you may type meanwhile."
        return f"{told} {self._no_command(unknown)}" if unknown else told
