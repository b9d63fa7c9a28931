"""The pages behind the letters of the start page: games to host or to play, rules, lessons, settings, saved games."""

import contextlib
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.screen.pages import Item, ListPage, NotUnderstoodError, Page, TextPage, Words
from p2p_stonehenge.storage.files import is_there

if TYPE_CHECKING:
    from p2p_stonehenge.lobby.facts import Saved
    from p2p_stonehenge.storage.home import Home

EXPORTS = {
    "html": "one web page that plays it",
    "film": "a picture that plays it",
    "svg": "a picture of its end",
    "strip": "six pictures of it",
    "txt": "text",
    "json": "data for programs",
}
"""What a saved game is shown to others as, by the format."""
LAST = "last.json"
"""In the home: what was chosen last for each game that was hosted or played alone."""


def games(home: "Home", command: str) -> Page:
    """Return the list of games for `command`, which is `host` or `solo`; the one chosen last is marked."""
    from engine import all_games
    from p2p_stonehenge.screen.wizard import Wizard

    last = _last(home)
    entry = last.setdefault(command, {})

    def wizard(key: str) -> Page:
        from p2p_stonehenge.bots.adaptive import ADAPTIVE
        from p2p_stonehenge.bots.players import LEVELS
        from p2p_stonehenge.table.local import against_bots

        def keep(chosen: dict[str, str]) -> None:
            entry.update({"game": key, key: chosen})
            _keep_last(home, last)

        chosen = entry.get(key)
        levels = (*LEVELS, ADAPTIVE)
        before = chosen if isinstance(chosen, dict) else {}
        game = all_games()[key]
        return Wizard(command, game, levels, before, keep, against_bots(game))

    items = [
        Item(
            str(number),
            f"{game.title:20}{_players(game.seats):5}{_aim(key)}",
            lambda key=key: wizard(key),  # type: ignore[misc]
            (key, *game.title.lower().split()),
            marked=entry.get("game") == key,
        )
        for number, (key, game) in enumerate(all_games().items(), 1)
        if command == "solo" or game.seats[-1] > 1
    ]
    head = "HOST A TABLE: which game?" if command == "host" else "ALONE: which game?"
    return ListPage(f"{head:26}players", items, "game")  # above the numbers of players in the rows


def rules() -> Page:
    """Return the list of games whose rules can be read."""
    from p2p_stonehenge.rules import page, pages, title

    items = [
        Item(
            str(number),
            title(key),
            lambda key=key: TextPage(key, page(key, "", 78) or ""),  # type: ignore[misc]
            (key, *title(key).lower().split()),
        )
        for number, key in enumerate(pages(), 1)
    ]
    return ListPage("RULES: of which game?", items, "rules of")


def learn() -> Page:
    """Return the list of games that have a lesson."""
    from engine import all_games
    from p2p_stonehenge.table.lesson import lessons

    items = [
        Item(
            str(number),
            f"{all_games()[key].title:20}{_aim(key)}",
            lambda key=key: Words(("learn", key)),  # type: ignore[misc]
            (key, *all_games()[key].title.lower().split()),
        )
        for number, key in enumerate(lessons(), 1)
    ]
    return ListPage("LEARN: which game?", items, "game")


def settings(home: "Home", changed: Callable[[str, str], None]) -> Page:
    """Return the page of settings; `changed` is told the name and the new value of each that is changed there."""
    from p2p_stonehenge.cli import config
    from p2p_stonehenge.screen.config_page import ConfigPage

    def change(name: str, value: str) -> str:
        try:
            value = config.change(home, name, value)
        except Failure as failure:
            raise NotUnderstoodError(str(failure)) from failure
        changed(name, value)
        return value

    return ConfigPage({name: value for name, value, _ in config.in_force(home)}, change)


def saved(shelf: "Callable[[], Sequence[Saved]]", leave: "Callable[[Saved], None]") -> Page:
    """Return the list of saved games, with what can be done with each; `leave` leaves the match of one.

    `shelf` returns the games, as they are now, in one order.
    """
    now = time.time()

    def told(place: int) -> str:
        """Return which game this is and how its match stands."""
        game = shelf()[place]
        return ". ".join(filter(None, (game.told(now), game.game_of_match().rstrip("."))))

    def chosen(place: int) -> Page:
        page = ListPage(told(place), [], "do what")

        def fill() -> None:
            page.items, page.mark = _uses(shelf()[place], left), 0

        def left() -> Page:
            game = shelf()[place]
            try:
                leave(game)
            except Failure as failure:
                raise NotUnderstoodError(str(failure)) from failure
            fill()
            told = f"You have left the match to which this game belongs: {game.told(now)}.\nThe game is kept."
            return TextPage("left", told)

        fill()
        return page

    items = [Item(str(place + 1), told(place), partial(chosen, place)) for place in range(len(shelf()))]
    return ListPage("SAVED GAMES", items, "which game", "No game is saved yet.")


def _uses(game: "Saved", leave: Callable[[], Page]) -> list[Item]:
    """Return what can be done with a saved game; `leave` leaves its match and returns what is shown then."""
    found: list[Item] = []

    def offer(text: str, act: Callable[[], Page | Words], *words: str) -> None:
        found.append(Item(str(len(found) + 1), text, act, words))

    path = str(game.path)
    offer("step through it", lambda: Words(("replay", path)), "replay")
    offer("check it: every signature, roll and move", lambda: Words(("verify", path)), "verify")
    offer("show it to others: a web page, a film, pictures, text", lambda: _exports(game), "export")
    if game.facts.result:
        offer("where it turned: what a bot would have played", lambda: Words(("analyse", path)), "analyse")
    if game.goes_on:
        told = "begin the next game of its match" if game.between else "go on with it"
        offer(told, lambda: Words(game.goes_on), *game.goes_on[:1])
    elif game.bots_play_on:
        offer("watch how the bots play on", lambda: Words(("resume", game.letters)), "resume", "watch")
    if game.between:
        offer("leave its match: it is offered no more, and the game is kept", leave, "leave")
    elif game.unfinished and game.facts.series.match:
        offer("leave its match: not before this game is over", partial(_not_yet, game), "leave")
    return found


def _exports(game: "Saved") -> Page:
    """Return the list of formats in which a saved game is shown to others."""

    def export(form: str) -> Words:
        return Words(("export", str(game.path), "--format", form, "--out", _exported(game, form)))

    items = [
        Item(str(number), f"{told}, as {_exported(game, form)}", partial(export, form), (form,))
        for number, (form, told) in enumerate(EXPORTS.items(), 1)
    ]
    return ListPage(f"SHOW IT TO OTHERS: as what? The file comes into {Path.cwd()}", items, "as")


def _not_yet(game: "Saved") -> Page:
    """Say why the match of an unfinished game cannot be left, and what to do. Raises NotUnderstoodError."""
    ends = "`resume` it when the others are there to read its end" if game.out else "Go on with it: `resign` ends it"
    raise NotUnderstoodError(f"A match is left between two of its games, and this one is not over. {ends}. Then leave.")


def _exported(game: "Saved", form: str) -> str:
    """Return the name of the file that a saved game is shown to others in; no file has it yet."""
    name, suffix = f"stonehenge-{game.letters[:8]}", f"{form}.svg" if form in ("film", "strip") else form
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    return next(f"{free}.{suffix}" for free in names if not is_there(Path(f"{free}.{suffix}")))


def _players(seats: range) -> str:
    return f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else str(seats[0])


def _aim(key: str) -> str:
    """Return the first sentence of how a game is won."""
    from p2p_stonehenge.rules import page

    text = " ".join((page(key, "aim", 400) or "").split()).removeprefix("AIM ")
    return text.split(". ")[0].rstrip(".")


def _last(home: "Home") -> dict[str, dict[str, Any]]:
    from p2p_stonehenge.storage.home import NOTED_LIMIT, read_json

    try:
        value = read_json(home.path / LAST, NOTED_LIMIT)
        return {str(name): dict(entry) for name, entry in value.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep_last(home: "Home", last: dict[str, dict[str, Any]]) -> None:
    from p2p_stonehenge.storage.home import put

    with contextlib.suppress(Failure):  # on a full or read-only disk nothing is remembered
        put(home.path / LAST, json.dumps(last).encode(), replace=True)
