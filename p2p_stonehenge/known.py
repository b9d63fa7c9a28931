"""Whom this player has met: who is new, who is known since when, and who comes with another's name.

A key is trusted at first sight; the three words of a table, read aloud, tell whether that was right.
"""

import datetime
import json
from pathlib import Path
from typing import Any

from p2p_stonehenge.home import Home, explained, put
from protocol import clean_nick, id_bytes, id_text

PEOPLE_LIMIT = 1000
"""People kept; whoever was met first goes first."""


def meet(home: Home, id: bytes, nick: str) -> tuple[str, bool]:
    """Note that a player was met; return what to say of it, and whether that is a warning. Raises Failure."""
    people = _read(home.path / "known.json")
    name, key = clean_nick(nick), id_text(id)
    shown = f"{name} ({key[:8]})"
    before = people.pop(key, None)
    doubles = [other for other, entry in people.items() if entry["nick"].casefold() == name.casefold()]
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    people[key] = {"nick": name, "first_met": before["first_met"] if before else today}
    text = json.dumps(dict(list(people.items())[-PEOPLE_LIMIT:]), indent=1, ensure_ascii=False)
    put(home.path / "known.json", text.encode(), replace=True)
    if before is None and doubles:
        since = people[doubles[-1]]["first_met"]
        told = f"{shown} is NOT the {name} you know since {since}: the key is another one. Ask before you trust it."
        return told, True
    if before is None:
        return f"{shown} is new to you.", False
    renamed = "" if before["nick"] == name else f", then called {before['nick']}"
    return f"{shown} is known to you since {before['first_met']}{renamed}.", False


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the people in the file, oldest first; what is not an entry is left out."""
    try:
        with explained(path):
            found = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    people = {}
    for key, entry in found.items() if isinstance(found, dict) else ():
        try:
            id_bytes(key)
            people[key] = {"nick": clean_nick(str(entry["nick"])), "first_met": clean_nick(str(entry["first_met"]))}
        except (ValueError, KeyError, TypeError):
            continue
    return people
