"""What the prompt at a table offers by Tab, and what it remembers of the lines that were typed there."""

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from p2p_stonehenge.screen.console import Console


class Suggestions(Completer):
    """Offers how what is typed may go on."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the ways to go on with what stands before the cursor."""
        text = document.text_before_cursor
        for choice in self._console.choices(text):
            yield Completion(choice.text, -len(text), display_meta=choice.meaning)


class Commands(InMemoryHistory):
    """Remembers commands, not moves: a move is seldom wanted again, and a hand of cards is nobody's business."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def append_string(self, string: str) -> None:
        """Remember a line that was entered."""
        if self._console.is_command(string):
            super().append_string(string)
