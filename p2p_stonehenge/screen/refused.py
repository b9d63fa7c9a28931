"""A refused line stays on the prompt, selected, whichever screen asks.

What is typed next replaces it, so that nothing is glued to it; Backspace and the arrows edit it.
"""

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, shift_selection_mode
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.selection import SelectionState

is_selected = shift_selection_mode
"""Whether the line on the prompt is one that was refused and has not been touched since."""


def select(buffer: Buffer) -> None:
    """Select a refused line: a letter replaces it, Backspace or an arrow edits it, Enter sends it again."""
    buffer.selection_state = SelectionState(0)
    buffer.selection_state.enter_shift_mode()
    buffer.cursor_position = len(buffer.text)


def bind(keys: KeyBindings) -> None:
    """Let Tab offer how a refused line may go on, and Backspace take its last letter. Ctrl-U and Escape drop it.

    Escape drops any other line as well, a moment later: a letter pressed with Alt begins with it.
    """
    typed = Condition(lambda: bool(get_app().current_buffer.text))

    @keys.add("c-u", filter=is_selected, eager=True)
    @keys.add("escape", filter=is_selected, eager=True)
    @keys.add("escape", filter=typed)
    def _drop(event: KeyPressEvent) -> None:
        event.app.current_buffer.text = ""  # a change, at which what was said of the line goes: `reset` tells of none
        event.app.current_buffer.reset()

    @keys.add("backspace", filter=is_selected, eager=True)
    def _correct(event: KeyPressEvent) -> None:
        event.app.current_buffer.exit_selection()
        event.app.current_buffer.delete_before_cursor()

    @keys.add("tab", filter=is_selected)
    def _complete(event: KeyPressEvent) -> None:
        event.app.current_buffer.exit_selection()
        event.app.current_buffer.start_completion()
