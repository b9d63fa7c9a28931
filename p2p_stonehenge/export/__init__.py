"""A saved game for others to look at: notation, data, pictures, a page. Nothing of it needs a network."""

from p2p_stonehenge.export.data import data
from p2p_stonehenge.export.notation import board_lines, notation
from p2p_stonehenge.export.page import page
from p2p_stonehenge.export.picture import drawing, film, picture, strip

__all__ = ["board_lines", "data", "drawing", "film", "notation", "page", "picture", "strip"]
