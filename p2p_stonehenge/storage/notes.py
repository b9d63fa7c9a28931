"""What a player noted about a saved game: a text for each ply, in a file beside that of the game."""

import json
from pathlib import Path

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.storage.files import put
from p2p_stonehenge.storage.home import read_json
from p2p_stonehenge.text.safe import safe

LONGEST = 300
"""Characters of a note."""
MOST_BYTES = 1 << 20
"""Of a file of notes; more is none of ours."""
SUFFIX = ".notes.json"


class Notes:
    """The notes about one game. They are read once, and written whole at each change."""

    def __init__(self, game: Path, table: bytes) -> None:
        """`game` is the file of the saved game, `table` the id of its table: notes about another one are left alone."""
        self.path = game.with_name(game.name + SUFFIX)
        self._table = table.hex()
        self._strange = False
        """Whether there is a file that is not ours to write over."""
        self.texts: dict[int, str] = {}
        try:
            found = read_json(self.path, MOST_BYTES)
            if found["table"] != self._table:
                raise ValueError(found["table"])
            self.texts = {int(ply): safe(str(text), LONGEST) for ply, text in found["notes"].items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self._strange = True

    def put(self, ply: int, text: str) -> None:
        """Note a text about a ply, or forget the note if the text is empty. Raises Failure."""
        if self._strange:
            raise Failure(f"{self.path} holds no notes about this game: move it away, then note again.")
        changed = self.texts | {ply: safe(text, LONGEST)} if text else {**self.texts}
        if not text:
            changed.pop(ply, None)
        told = {"table": self._table, "notes": {str(at): changed[at] for at in sorted(changed)}}
        try:
            put(self.path, (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode(), replace=True)
        except OSError as error:
            raise Failure(
                f"{self.path} cannot be written ({error.strerror}), so the note is not kept: make its folder writable."
            ) from error
        self.texts = changed
