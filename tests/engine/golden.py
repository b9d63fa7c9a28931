"""Golden playthroughs: whole random games as text, with every value of the interface, so that any change shows.

`python tests/engine/golden.py` writes them anew.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))  # for a checkout that is not installed

from engine import CHANCE, PUBLIC, Chance, Deal, Game, Over, Pending, Turn, all_games, decode, digest

FOLDER = Path(__file__).parent / "golden"
MORE = int(os.environ.get("STONEHENGE_MORE", "1"))
"""The tests of the engine play this many times as many random games: for long runs."""


class Case(NamedTuple):
    """One file: the game, its options, the number of seats, the seed of the choices."""

    name: str
    game: str
    options: Mapping[str, str]
    seats: int
    seed: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def played(self) -> str:
        return playthrough(all_games()[self.game], self.options, self.seats, self.seed)


KINGAMON_VARIANTS = {
    "bearing_off": "backgammon",
    "bar_first": "true",
    "safe_spaces": "true",
    "acey_ducey": "true",
    "cube": "true",
}

FIDCHELL_VARIANTS = {"layout": "0", "sections": "4", "pieces": "9", "dormant_king": "true", "repetition": "3"}

WHIST_FIVE = {"all_cards": "true", "doubling": "true", "black_must_follow": "true"}
WHIST_VARIANTS = {
    "doubling": "true",
    "scoring": "hard",
    "black_must_follow": "true",
    "restrictive_null": "true",
}

CASES = (
    Case("celtic-whist-alone", "celtic-whist", {}, 1, 7),
    Case("celtic-whist-five", "celtic-whist", WHIST_FIVE, 5, 926),
    Case("celtic-whist-variants", "celtic-whist", WHIST_VARIANTS, 2, 30),
    Case("fidchell", "fidchell", {"pieces": "12", "turn_limit": "60"}, 2, 6),
    Case("fidchell-variants", "fidchell", FIDCHELL_VARIANTS, 3, 72),
    Case("fidchess", "fidchess", {"turn_limit": "200"}, 2, 71),
    Case("fidchess-variants", "fidchess", {"rigant_stacking": "true", "quen": "true"}, 2, 188),
    Case("kingamon", "kingamon", {}, 2, 32),
    Case("kingamon-variants", "kingamon", KINGAMON_VARIANTS, 2, 64),
    Case("qenqe", "qenqe", {}, 3, 431),
    Case("qenqe-partners", "qenqe", {"partners": "true", "elimination": "true"}, 4, 482),
    Case("qenqe-variants", "qenqe", {"rigant_stacking": "true", "quen": "true", "left_wins": "true"}, 5, 62),
)


def playthrough(game: Game[Any], options: Mapping[str, str], seats: int, seed: int) -> str:
    """Return a whole game, played at random from `seed`, as text: each state with every value of the interface."""
    rng = Random(seed)
    state = game.start(options, seats)
    named = " ".join(f"{name}={value}" for name, value in options.items())
    lines = [f"{game.title} ({game.key}, version {game.version}), {seats} seats, seed {seed}: {named or 'no options'}"]
    ply = 0
    while True:
        due = game.pending(state)
        lines += ["", f"## {ply}", f"digest {digest(game, state).hex()}", fill(f"state {shown(game.pack(state))}", 120)]
        lines.append(f"pending {pending_text(due)}")
        if isinstance(due, Over):
            return "\n".join(lines) + "\n"
        actor, action = choice(game, state, due, rng)
        legal = game.legal(state, actor)
        if legal:
            lines.append(
                fill(f"legal {len(legal)}: {'  '.join(legal)}", 120, break_long_words=False, break_on_hyphens=False)
            )
        lines.append(f"> {action}")
        lines += [f"  {event.text} [{' '.join(event.places)}]" for event in game.story(state, actor, action)]
        state = game.apply(state, actor, action)
        ply += 1


def choice(game: Game[Any], state: Any, due: Pending, rng: Random) -> tuple[int, str]:
    """Return an actor and its action, at random; a deal has every card known."""
    if isinstance(due, Chance) and isinstance(due.draw, Deal):
        deck = list(due.draw.deck)
        rng.shuffle(deck)
        return CHANCE, " ".join(("deal", *deck))
    actor = due.seat if isinstance(due, Turn) else CHANCE
    return actor, rng.choice(game.legal(state, actor))


def known_to(viewer: int, due: Pending, action: str) -> str:
    """Return the action as `viewer` learns of it: a deal with `?` for each card that `viewer` does not get."""
    if not (isinstance(due, Chance) and isinstance(due.draw, Deal) and action.startswith("deal")):
        return action
    cards = zip(action.split()[1:], due.draw.owners, strict=True)
    known = [card if owner == viewer != PUBLIC else "?" for card, owner in cards]
    return " ".join(("deal", *known)) if set(known) != {"?"} else "deal"


def pending_text(due: Pending) -> str:
    if isinstance(due, Turn):
        return f"seat {due.seat}"
    if isinstance(due, Over):
        winners = " ".join(map(str, due.result.winners)) or "nobody"
        return f"over: {winners} won, points {' '.join(map(str, due.result.points))}, {due.result.reason}"
    return f"chance {type(due.draw).__name__.lower()}"


def shown(packed: bytes) -> str:
    """Return packed bytes as readable values: bytes in hexadecimal digits, arrays in brackets."""

    def words(value: object) -> Iterator[str]:
        if isinstance(value, tuple):
            yield f"[{' '.join(word for item in value for word in words(item))}]"
        else:
            yield value.hex() if isinstance(value, bytes) else repr(value)

    return next(words(decode(packed)))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        case.path.write_text(case.played(), encoding="utf-8")
        print(case.path)
