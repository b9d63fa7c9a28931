"""The keys of a screen, as prompt_toolkit binds them."""

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2p_stonehenge.text.safe import MAX_TEXT


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
