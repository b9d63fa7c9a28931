"""The people whom this player has met: new ones, those known since when, and those with another's name.

A key is trusted at first sight; the three words of a table, read aloud, tell whether that was right. Of two keys with
one name the one that was met first is right, until the player says otherwise by forgetting it.
"""

import datetime
import json
from collections.abc import Sequence

from p2p_stonehenge.failure import NOT_FOUND, USAGE, Failure
from p2p_stonehenge.storage.home import NOTED_LIMIT, Home, explained, put, read_json
from p2p_stonehenge.text.names import Nearness, alike, distinct, nearest, quoted
from p2p_stonehenge.text.safe import safe
from protocol import clean_nick, id_bytes, id_text

PEOPLE_LIMIT = 1000
"""People kept; of more, those not met for longest are forgotten."""


def recognise(home: Home, id: bytes, nick: str) -> tuple[str, bool]:
    """Return what to say of a player with this key and name, and whether that is a warning. Raises Failure."""
    people = _read(home)
    name, key = clean_nick(nick), id_text(id)
    shown = f"{quoted(name)} ({key[:8]})"
    own = people.pop(key, None)
    same = own if own and alike(own["nick"], name) else None
    earlier = [
        (entry["first_met"], other)
        for other, entry in people.items()
        if alike(entry["nick"], name) and not (same and same["first_met"] < entry["first_met"])
    ]
    if earlier:
        since, other = min(earlier)
        known = f"{quoted(people[other]['nick'])} ({other[:8]}) you know since {since[:10]}"
        return f"{shown} is NOT the {known}: the key is another one. Ask before you trust it.", True
    if own is None:
        return f"{shown} is new to you.", False
    if same is None:
        before = quoted(own["nick"])
        return f"{shown} is {before}, whom you know since {own['first_met'][:10]}: shown as {before}.", False
    return f"{shown} is known to you since {own['first_met'][:10]}.", False


def met(home: Home) -> frozenset[str]:
    """Return the keys, as texts, of all players that were met. Raises Failure."""
    return frozenset(_read(home))


def meet(home: Home, id: bytes, nick: str) -> None:
    """Note that a player was met; a key keeps the name under which it was met first. Raises Failure."""
    people = _read(home)
    own = people.pop(id_text(id), None)
    now = datetime.datetime.now(tz=datetime.UTC).isoformat()
    people[id_text(id)] = own or {"nick": clean_nick(nick), "first_met": now}
    _write(home, people)


def names(home: Home, own: bytes, seats: Sequence[tuple[bytes, str]]) -> tuple[str, ...]:
    """Return what players, each a key and the name that it goes by at a table, are called on this screen.

    Known keys keep their names, and names that look alike are told apart. `own`: the player's own key. Raises Failure.
    """
    people = _read(home)
    keys = [id_text(id) for id, _ in seats]
    called = [people[key]["nick"] if key in people else name for key, (_, name) in zip(keys, seats, strict=True)]
    met = {key: entry["first_met"] for key, entry in people.items()} | {id_text(own): "0"}
    return distinct(called, keys, [met.get(key, "") for key in keys])


def forget(home: Home, who: str) -> str:
    """Forget the key of the player with this nick or beginning of an id; return what was done. Raises Failure."""
    people = _read(home)
    listed = list(people)
    named = nearest(clean_nick(who), [people[key]["nick"] for key in listed], Nearness.BUT_FOR_CASE)
    keys = [listed[place] for place in named] or [key for key in people if key.startswith(who.lower())]
    told = [f"{people[key]['nick']} ({key[:8]}), known since {people[key]['first_met'][:10]}" for key in keys]
    if not keys:
        asked = safe(who)[:40]
        raise Failure(
            f"Nobody you have met is called {asked!r} or has such a key: `peers` lists who is here.", NOT_FOUND
        )
    if len(keys) > 1:
        raise Failure(f"Several are meant; write the beginning of a key: {'; '.join(told)}.", USAGE)
    del people[keys[0]]
    _write(home, people)
    return f"Forgotten: {told[0]}."


def _write(home: Home, people: dict[str, dict[str, str]]) -> None:
    text = json.dumps(dict(list(people.items())[-PEOPLE_LIMIT:]), indent=1, ensure_ascii=False)
    put(home.path / "known.json", text.encode(), replace=True)


def _read(home: Home) -> dict[str, dict[str, str]]:
    """Return the people in the file, the one met last at the end; what is not an entry is left out."""
    path = home.path / "known.json"
    try:
        with explained(path):
            found = read_json(path, NOTED_LIMIT)
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
