"""How each game is drawn: one module a game, found by the game's key; a game without one is drawn by its letters."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from p2p_stonehenge.export.svg import Picture, box, label
from p2p_stonehenge.screen.views import Look, View, text_of, view_of

__all__ = ["DrawnGame", "board_of"]

_LETTER, _LINE, _SIZE = 8.6, 19.0, 14.0
"""Of a drawing by letters: how wide a letter is, how high a line, and how large the letters."""


class DrawnGame(Protocol):
    """One game's module of this package."""

    def draw(self, state: Any, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
        """Return the picture of a position; `last` are the places that the last ply touched."""


def board_of(key: str) -> DrawnGame:
    """Return the drawing of a game."""
    module = f"{__name__}.{key.replace('-', '_')}"
    return cast(DrawnGame, import_module(module)) if find_spec(module) else _Letters(view_of(key))


class _Letters:
    """A game drawn as its view on the screen has it."""

    def __init__(self, view: View) -> None:
        self._view = view

    def draw(self, state: Any, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
        """Return the lines of the view, in letters of one width."""
        look = Look(names=names, last=last)
        lines = [text_of(line).rstrip() for line in self._view.render(state, look)]
        width, height = look.width * _LETTER + 24, look.height * _LINE + 24
        pieces = [
            label(12, 12 + _LINE * (at + 0.5), text, _SIZE, "f-ink even") for at, text in enumerate(lines) if text
        ]
        return Picture(width, height, box(0, 0, width, height, "f-paper"), tuple(pieces))
