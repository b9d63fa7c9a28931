"""The commands that can be typed at a table besides moves: what each means, where it is offered, what asks first."""

from collections.abc import Callable
from typing import NamedTuple

from p2p_stonehenge.screen.views import Line
from p2p_stonehenge.storage.settings import SETTINGS
from p2p_stonehenge.table.session import Capability, Session
from p2p_stonehenge.text.program import command_here

Obey = Callable[[str], list[Line]]
"""Does what a command says, given its argument; returns what is to be printed. May raise RefusedError."""


def _always(_: Session) -> bool:
    return True


def _has_seats_here(session: Session) -> bool:
    return not session.watches


def _has_cards(session: Session) -> bool:
    return bool(session.game.suits)


def _has_cards_here(session: Session) -> bool:
    return _has_cards(session) and _has_seats_here(session)


def _has_board(session: Session) -> bool:
    return not session.game.suits  # cards lie on no board that could be turned round


def _has_words(session: Session) -> bool:
    return session.words != ""


def _has_threats(session: Session) -> bool:
    from p2p_stonehenge.bots.thinking import bot_of  # where there is advice bots play, as a rule

    return bot_of(session.game).knows_threats


def _is_over(session: Session) -> bool:
    return session.stays and session.result is not None


class Command(NamedTuple):
    """One command: all that is known of it but how it is obeyed, see `Obey`."""

    form: str
    """The name and how its argument is written: in brackets if it may be left out; `[N]` and `[on|off]` are checked."""
    meaning: str
    needs: Capability | None = None
    """What a table has to be capable of for the command to mean something there; None if the screen does it alone."""
    where: Callable[[Session], bool] = _always
    """What else has to be so at a table with that capability."""
    asks: bool = False
    """Whether it costs something or cannot be taken back: it is written in full, and asks first."""
    any_time: bool = False
    """Whether a line prepared in advance does not wait for the player's turn, which may never come.

    Those are about a turn that is over, a player who is gone, or leaving.
    """

    @property
    def argument(self) -> str:
        """Return how the argument is written; nothing if there is none."""
        return self.form.partition(" ")[2]

    def offered(self, session: Session) -> bool:
        """Return whether the command means something at a table now, so that it is worth offering."""
        return (self.needs is None or session.can(self.needs)) and self.where(session)


COMMANDS = {
    "moves": Command("moves [FROM]", "what you may play; FROM a place: what each move does", where=_has_seats_here),
    "look": Command("look PLACE", "what stands on a place"),
    "last": Command("last", "what was done since your last move, with the rolls"),
    "log": Command("log [N]", "the last N actions"),
    "back": Command("back [N]", "look at the position N actions ago, while the game goes on"),
    "forth": Command("forth [N]", "look N actions further on; without a number, at the present"),
    "board": Command("board", "show the board"),
    "more": Command("more", "the next part of a board that does not fit the window"),
    "hand": Command("hand", "show your cards; at a shared screen until you have played", where=_has_cards_here),
    "played": Command("played", "the cards of the round: which are played, which not seen yet", where=_has_cards),
    "position": Command("position", "the whole position in words"),
    "who": Command("who", "who sits where, and who is gone"),
    "words": Command("words", "the three words: all at the table must have the same", where=_has_words),
    "say": Command("say [TEXT]", 'tell the table TEXT, as does "TEXT; alone: what was said', "say"),
    "mute": Command("mute", "hide what spectators say, or show it again", "mute"),
    "hint": Command("hint", "the best moves, and why", "advise"),
    "why": Command("why [MOVE]", "what a move, or the best one, is worth, and what may follow", "advise"),
    "threats": Command(
        "threats [on|off]",
        "what is threatened now; on: at each turn; off: if asked",
        "advise",
        _has_threats,
    ),
    "flip": Command("flip", "turn the board round", where=_has_board),
    "view": Command("view", "another layout of the board"),
    "rules": Command("rules [TOPIC]", "the rules of the game"),
    "draw": Command("draw [off]", "offer a draw, or agree to one (asks first); off: no longer", "draw", asks=True),
    "takeback": Command(
        "takeback", "undo your turn; if it is over and people play: asks first", "takeback", asks=True, any_time=True
    ),
    "resign": Command("resign", "give the game up (asks first)", "resign", asks=True),
    "without": Command(
        "without NAME",
        "go on without a player, if all who stay agree (asks first)",
        "without",
        asks=True,
        any_time=True,
    ),
    "agree": Command(
        "agree", "agree to what another one proposed by `without` (asks first)", "agree", asks=True, any_time=True
    ),
    "newest": Command(
        "newest", "go on before the others are back (asks first; `help newest`)", "newest", asks=True, any_time=True
    ),
    "adjourn": Command(
        "adjourn", "leave until another day: the others are told (asks first)", "adjourn", asks=True, any_time=True
    ),
    "result": Command("result", "how the game ended, how all stand, what was checked", where=_is_over),
    "analyse": Command("analyse [LEVEL]", "where the game turned, as a bot sees it, and who was lucky", "analyse"),
    "again": Command("again", "another game with the same players, sides changed", "again"),
    "help": Command("help", "this list"),
    "quit": Command("quit", "leave the table (asks first while the game goes on)", "quit", asks=True, any_time=True),
}
"""All commands by name. Any unique beginning of a name will do, also after a `/`, but not of those that ask first."""


def commands_at(session: Session) -> list[str]:
    """Return the names of the commands that mean something at a table now."""
    return [name for name, command in COMMANDS.items() if command.offered(session)]


def setting_told(word: str, value: str) -> str:
    """Return in a sentence how a setting is changed, if that is what `word` and what follows it say; else nothing."""
    if word == "config":
        word, _, value = value.lower().partition(" ")
        if word not in SETTINGS:
            return f"Settings are changed in a shell, by `{command_here()} config`."
    if word not in SETTINGS:
        return ""
    values = SETTINGS[word].values
    chosen = value.lower() if value.lower() in values else "|".join(values)
    return f"`{word}` is a setting: in a shell, `{command_here()} config {word} {chosen}` changes it for later games."


GREETINGS = ("hello", "hallo", "hi", "hey", "welcome", "thanks", "sorry", "bye", "cheers", "gg")
"""What people type to each other where a move is asked for."""

NO_BEGINNINGS = (*GREETINGS, "play")
"""What stands for no command that it begins: people greet others with it, or write it before a move."""

OTHER_NAMES = (
    dict.fromkeys(GREETINGS, "say")
    | dict.fromkeys(("analyze", "analysis"), "analyse")
    | {
        "chat": "say",
        "tell": "say",
        "undo": "takeback",
        "score": "result",
        "cards": "played",
        "tricks": "played",
    }
)
"""What other programs call some commands: a player who types one of these words is offered the command."""
