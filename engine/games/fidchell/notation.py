"""The notation of Fidchell: a piece is placed `5D4` or moved `5D4-5D7`."""

import re

_FIELD = r"([1-9]\d?)\s*+([a-i])\s*+(\d)"
_ACTION = re.compile(rf"{_FIELD}(?:\s*+(?:[-+x*>]|to)?\s*+{_FIELD})?\s*+[x*+]*+", re.ASCII)


def read(text: str) -> str | None:
    """Return the canonical action that lower-case text names, or None; its fields need not be on the board."""
    match = _ACTION.fullmatch(text)
    if match is None:
        return None
    first, second = ("".join(field).upper() for field in (match.groups("")[:3], match.groups("")[3:]))
    return f"{first}-{second}" if second else first
