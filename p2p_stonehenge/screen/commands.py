"""The commands that can be typed at a table besides moves: what each means, and which of them ask first."""

from p2p_stonehenge.table.session import Session

COMMANDS = {
    "moves": ("moves [FROM]", "what you may play, and what it does"),
    "look": ("look PLACE", "what stands on a place"),
    "last": ("last", "what was done since your last move, with the rolls"),
    "log": ("log [N]", "the last N actions"),
    "back": ("back [N]", "look at the position N actions ago, while the game goes on"),
    "forth": ("forth [N]", "look N actions further on; without a number, at the present"),
    "board": ("board", "show the board"),
    "more": ("more", "the next part of a board that does not fit the window"),
    "hand": ("hand", "show your cards; at a shared screen until you have played"),
    "played": ("played", "the cards of the round: which are played, which not seen yet"),
    "position": ("position", "the whole position in words"),
    "who": ("who", "who sits where, and who is gone"),
    "words": ("words", "the three words: all at the table must have the same"),
    "say": ("say [TEXT]", 'tell the table something, as does "; alone: what was said'),
    "mute": ("mute", "hide what spectators say, or show it again"),
    "hint": ("hint", "the best moves, and why"),
    "why": ("why [MOVE]", "what a move, or the best one, is worth, and what may follow"),
    "threats": ("threats [on|off]", "what is threatened now; on: at each turn of yours; off: not so"),
    "flip": ("flip", "turn the board round"),
    "view": ("view", "another layout of the board"),
    "rules": ("rules [TOPIC]", "the rules of the game"),
    "draw": ("draw [off]", "offer a draw, or agree to one (asks first); off: no longer"),
    "takeback": ("takeback", "undo your turn; if it is over and people play: asks first"),
    "resign": ("resign", "give the game up (asks first)"),
    "without": ("without NAME", "go on without a player, if all who stay agree (asks first)"),
    "agree": ("agree", "agree to what another one proposed by `without` (asks first)"),
    "newest": ("newest", "go on before the others are back (asks first)"),
    "adjourn": ("adjourn", "leave until another day: the others are told (asks first)"),
    "result": ("result", "how the game ended, how all stand, what was checked"),
    "analyse": ("analyse [LEVEL]", "where the game turned, as a bot sees it, and who was lucky"),
    "again": ("again", "another game with the same players, sides changed"),
    "help": ("help", "this list"),
    "quit": ("quit", "leave the table (asks first while the game goes on)"),
}
"""Each command's form and meaning. Any unique beginning of a name will do, also after a `/`, but not of those below."""

ASKED = ("draw", "takeback", "resign", "without", "agree", "newest", "adjourn", "quit")
"""Commands that cost something or cannot be taken back: written in full, and asked about first."""

ANY_TIME = ("takeback", "without", "agree", "newest", "adjourn", "quit")
"""Commands about a turn that is over, a player who is gone, or leaving: none waits for a turn, which may never come."""

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
        "exit": "quit",
        "leave": "quit",
        "score": "result",
        "cards": "played",
        "tricks": "played",
    }
)
"""What other programs call some commands: a player who types one of these words is offered the command."""

ADVICE = ("hint", "why", "threats")
"""Commands that ask a bot for advice: where nobody else plays."""


def commands_at(session: Session) -> list[str]:
    """Return the commands that mean something at a table now: `threats` only if bots name some in the game."""
    found = [name for name in COMMANDS if session.has(name)]
    if "threats" in found:
        from p2p_stonehenge.bots.thinking import bot_of  # where there is advice bots play, as a rule

        if not bot_of(session.game).knows_threats:
            found.remove("threats")
    return found
