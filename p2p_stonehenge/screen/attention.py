"""How the screen calls a player who looks elsewhere: the title of its window, the bell, a notification."""

from prompt_toolkit.output import Output

from p2p_stonehenge.storage.settings import Settings


class Attention:
    """Calls the player at one terminal, as far as the settings want it."""

    def __init__(self, game: str, settings: Settings, output: Output) -> None:
        """`game`: the title of the game."""
        self._game, self._settings, self._output = game, settings, output
        self._title = ""

    def entitle(self, state: str) -> None:
        """Say in the title of the window what matters now, such as whose turn it is."""
        if self._settings.title:
            before, self._title = self._title, f"{self._game}: {state}"
            if self._title != before:
                self._output.set_title(self._title)

    def call(self) -> None:
        """Tell that it is the player's turn."""
        if not self._settings.bell:
            return
        self._output.bell()
        if self._settings.notify:
            # OSC 9, as iTerm2 has it; WezTerm, Ghostty and kitty know it, other terminals leave it out.
            self._output.write_raw(f"\x1b]9;{self._game}: your turn\a")
            self._output.flush()

    def end(self) -> None:
        """Leave the window without a title."""
        if self._settings.title:
            self._output.clear_title()
