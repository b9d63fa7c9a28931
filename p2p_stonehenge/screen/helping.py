"""What `help` and `rules` tell at a table."""

import textwrap
from collections.abc import Iterator

from p2p_stonehenge import rules
from p2p_stonehenge.screen.commands import COMMANDS, commands_at
from p2p_stonehenge.screen.typed import sentence
from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.session import RefusedError, Session
from p2p_stonehenge.text.style import safe

TOGETHER = {
    ("last", "log"): ("last, log [N]", "what was done since your last move; the last N actions"),
    ("back", "forth"): ("back, forth [N]", "look N actions back, or on again; `forth`: at the present"),
    ("flip", "view"): ("flip, view", "turn the board round; another layout of it"),
}
"""Commands that share a line, for all to fit a window of 24 lines: their forms and meanings."""
_FORM = 17
"""Columns of a command's form."""
_EXPLAINING = {"moves": "pieces", "moving": "pieces", "cards": "cards"}
"""The topic of a game's rules that says what an Oin or a trilithon is, and of what it tells."""


def help_told(session: Session, width: int, *, redraws: bool) -> list[Line]:
    """Return how moves are written and which commands there are; `redraws`: the board is always shown."""
    notation = sentence(session.game.notation)
    lines = [row(part) for part in textwrap.wrap(notation, width - 1, break_on_hyphens=False)]
    needless = ("help", "board" if redraws else "more")
    named = [name for name in commands_at(session) if name not in needless]
    told = [*_explained(named, session.game.key)]
    return lines + [row(("class:action", f"  {form:<{_FORM}}"), meaning) for form, meaning in told]


def _explained(names: list[str], game: str) -> Iterator[tuple[str, str]]:
    """Yield the forms and meanings of commands at a table of the game with this key."""
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
