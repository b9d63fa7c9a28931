"""What `help` and `rules` tell at a table."""

import textwrap
from collections.abc import Iterator

from p2p_stonehenge import rules
from p2p_stonehenge.screen.commands import COMMANDS, commands_at
from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.session import RefusedError, Session
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.sentences import sentence

TOGETHER = {
    ("last", "log"): ("last, log [N]", "what was done since your last move; the last N actions"),
    ("back", "forth"): ("back, forth [N]", "look N actions back, or on again; `forth`: at the present"),
    ("flip", "view"): ("flip, view", "turn the board round; another layout of it"),
}
"""Commands that share a line, for all to fit a window of 24 lines: their forms and meanings."""
AFTER = "After the game: `result`, `analyse` (where it turned), `again` (another one)."
"""What `help` says during a game of what can be typed when it is over."""
_FORM = 17
"""Columns of a command's form."""
_EXPLAINING = {"moves": "pieces", "moving": "pieces", "cards": "cards"}
"""The topic of a game's rules that says what an Oin or a trilithon is, and of what it tells."""


_AT_LENGTH = {
    "newest": (
        "After a restart the others first say how far the game had come: the game saved on this computer may be older"
        " than what you have signed, as after a backup was restored, and to sign another move in its place would look"
        " like cheating. On the computer on which you have always played, the saved game is the newest one: then"
        " `newest` goes on without waiting for the others. If you are not sure, wait for them."
    ),
}
"""What `help COMMAND` tells of commands of which a line does not say enough."""
_ANSWERS = {
    "yes": (
        "answers what is asked: it is done; `y` too",
        "What others offer is accepted by its command, `draw` or `takeback`, not by `yes`.",
    ),
    "no": (
        "answers what is asked: it is let go; `n` and Enter too",
        "To an offer of others, as of a draw or to take back, `no` says to the table that you decline, and so do"
        " `decline` and `refuse`; the offer stands until it lapses.",
    ),
}
"""What `help` tells of words that are answers and no commands: on a line, and below it."""


def help_told(session: Session, command: str, width: int, *, redraws: bool) -> list[Line]:
    """Return how moves are written and which commands there are, or what is to say of one `command`.

    `redraws`: the board is always shown. Raises RefusedError if there is no such command.
    """
    if command:
        return _of_one(session, command.lower(), width)
    notation = sentence(session.game.notation)
    lines = [row(part) for part in textwrap.wrap(notation, width - 1, break_on_hyphens=False)]
    needless = ("help", "board" if redraws else "more")
    named = [name for name in commands_at(session) if name not in needless]
    plays = session.stays and session.result is None and session.still_playing and not session.guide
    return [*lines, *_rows(named, session), *([row(("class:dim", AFTER))] if plays else [])]


def _of_one(session: Session, command: str, width: int) -> list[Line]:
    """Return what is to say of one command. Raises RefusedError if there is none such."""
    if command in _ANSWERS:
        meaning, more = _ANSWERS[command]
        told = [_row(command, meaning)]
    elif command in COMMANDS:
        told, more = _rows([command], session), _AT_LENGTH.get(command, "")
    else:
        raise RefusedError(f"There is no command {safe(command)[:20]}: `help` lists them.")
    return [*told, *(row(f"  {line}") for line in textwrap.wrap(more, width - 3, break_on_hyphens=False))]


def _rows(names: list[str], session: Session) -> list[Line]:
    return [_row(form, meaning) for form, meaning in _explained(names, session)]


def _row(form: str, meaning: str) -> Line:
    return row(("class:action", f"  {form:<{_FORM}}"), meaning)


def _explained(names: list[str], session: Session) -> Iterator[tuple[str, str]]:
    """Yield the forms and meanings of commands at a table."""
    game = session.game.key
    shared = {both: told for both, told in TOGETHER.items() if {*both} <= {*names}}
    second = {both[1] for both in shared}
    for name in names:
        if name in second:
            continue
        alone = COMMANDS[name].form, COMMANDS[name].meaning
        form, meaning = next((told for both, told in shared.items() if both[0] == name), alone)
        if name == "rules" and game in rules.pages():
            topics = [topic for topic in rules.topics(game) if topic in _EXPLAINING]
            meaning += "".join(f"; `rules {topic}` explains its {_EXPLAINING[topic]}" for topic in topics)
        if name == "quit" and session.leaves_freely:
            meaning = "leave the table"  # nothing is asked of those who only look
        yield form, meaning


def rules_told(session: Session, topic: str, width: int) -> list[Line]:
    """Return the rules of the game, or of one topic. Raises RefusedError if there is none such."""
    key = session.game.key
    if key not in rules.pages():
        raise RefusedError("No rules page is installed for this game.")
    text = rules.page(key, topic, width - 1)
    if text is None:
        told = f"the rules have no topic {safe(topic)[:20]}: {rules.no_topic(key, topic)}"
        raise RefusedError(sentence(told))
    return [row(line) for line in text.splitlines()]
