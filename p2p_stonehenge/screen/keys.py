"""The keys of a screen, as prompt_toolkit binds them."""

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys


def own_keys() -> KeyBindings:
    """Return bindings to which a screen adds its keys; reports of a mouse, which no screen asks for, are dropped.

    What is pasted may look like one: prompt_toolkit's own binding fails at the colours of a text, such as ESC [31m.
    """
    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent, eager=True)
    def _drop(_: KeyPressEvent) -> None:
        pass

    return keys
