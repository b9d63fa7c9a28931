"""The keys of a screen, as prompt_toolkit binds them."""

from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2p_stonehenge.text.safe import MAX_TEXT

ESCAPE_WITHIN, LETTER_WITHIN = 0.1, 0.2
"""Seconds in which what follows Escape is part of a key of the terminal, and then a letter pressed with Alt."""


def part_keys(app: Application[Any]) -> None:
    """Let Escape alone be a key soon: a letter that is typed after it is one of its own, not one pressed with Alt."""
    app.ttimeoutlen, app.timeoutlen = ESCAPE_WITHIN, LETTER_WITHIN


def own_keys() -> KeyBindings:
    """Return bindings to which a screen adds its keys.

    * Reports of a mouse, which no screen asks for, are dropped. What is pasted may look like one: prompt_toolkit's own
      binding fails at the colours of a text, such as ESC [31m.
    * Of what is pasted only the first letters are taken, more than any line needs: all would hide the board.
    """
    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent, eager=True)
    def _drop(_: KeyPressEvent) -> None:
        pass

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(" ".join(event.data[:MAX_TEXT].splitlines()))

    return keys
