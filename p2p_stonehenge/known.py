"""Whom this player has met: who is new, who is known since when, and who comes with another's name.

A key is trusted at first sight; the three words of a table, read aloud, tell whether that was right. Of two keys with
one name the one that was met first is right, until the player says otherwise by forgetting it.
"""

import datetime
import json

from p2p_stonehenge.failure import NOT_FOUND, USAGE, Failure
from p2p_stonehenge.home import Home, explained, put
from p2p_stonehenge.style import safe
from protocol import clean_nick, id_bytes, id_text

PEOPLE_LIMIT = 1000
"""People kept; whoever has not been met for longest goes first."""


def recognise(home: Home, id: bytes, nick: str) -> tuple[str, bool]:
    """Return what to say of a player with this key and name, and whether that is a warning. Raises Failure."""
    people = _read(home)
    name, key = clean_nick(nick), id_text(id)
    shown = f"{name} ({key[:8]})"
    own = people.pop(key, None)
    same = own if own and own["nick"].casefold() == name.casefold() else None
    earlier = [
        (entry["first_met"], other)
        for other, entry in people.items()
        if entry["nick"].casefold() == name.casefold() and not (same and same["first_met"] < entry["first_met"])
    ]
    if earlier:
        since, other = min(earlier)
        known = f"{name} ({other[:8]}) you know since {since[:10]}"
        return f"{shown} is NOT the {known}: the key is another one. Ask before you trust it.", True
    if own is None:
        return f"{shown} is new to you.", False
    renamed = "" if own["nick"] == name else f", then called {own['nick']}"
    return f"{shown} is known to you since {own['first_met'][:10]}{renamed}.", False


def meet(home: Home, id: bytes, nick: str) -> None:
    """Note that a player was met; who takes a known name keeps its own one here. Raises Failure."""
    people = _read(home)
    own = people.pop(id_text(id), None)
    now = datetime.datetime.now(tz=datetime.UTC).isoformat()
    name = own["nick"] if own and recognise(home, id, nick)[1] else clean_nick(nick)
    people[id_text(id)] = {"nick": name, "first_met": own["first_met"] if own else now}
    _write(home, people)


def forget(home: Home, who: str) -> str:
    """Forget the key of the player with this nick or beginning of an id; return what was done. Raises Failure."""
    people = _read(home)
    named = [key for key, entry in people.items() if entry["nick"].casefold() == who.casefold()]
    keys = named or [key for key in people if key.startswith(who.lower())]
    told = [f"{people[key]['nick']} ({key[:8]}), known since {people[key]['first_met'][:10]}" for key in keys]
    if not keys:
        raise Failure(f"nobody you have met is called {safe(who)[:40]!r} or has such a key.", NOT_FOUND)
    if len(keys) > 1:
        raise Failure(f"several are meant; write the beginning of a key: {'; '.join(told)}.", USAGE)
    del people[keys[0]]
    _write(home, people)
    return f"Forgotten: {told[0]}."


def _write(home: Home, people: dict[str, dict[str, str]]) -> None:
    text = json.dumps(dict(list(people.items())[-PEOPLE_LIMIT:]), indent=1, ensure_ascii=False)
    put(home.path / "known.json", text.encode(), replace=True)


def _read(home: Home) -> dict[str, dict[str, str]]:
    """Return the people in the file, whoever was met last at the end; what is not an entry is left out."""
    path = home.path / "known.json"
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
