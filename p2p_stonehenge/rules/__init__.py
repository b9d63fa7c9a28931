"""The rules of the games, a page each (`GAME.md`), as plain text for a terminal.

A page is Markdown of a small kind: `#` the title, `##` the topics, paragraphs, lists with `-`, tables, code.
"""

import os
import re
from collections.abc import Iterable
from io import FileIO
from textwrap import fill

__all__ = ["no_topic", "page", "pages", "title", "topics"]

STEM = 3
"""So many letters at the beginning of two words make them of one stem: `bids` and `bidding`."""
ENDINGS = ("ing", "ed", "es", "s", "e")
"""What tells apart the forms of a word: `moves` and `moving`."""
MATTERS = (
    ("aim", "win", "goal", "end"),
    ("setup", "start"),
    ("moves", "turn", "play"),
    ("capture", "landing"),
    ("scoring", "points", "aim", "end"),
    ("options", "variants"),
)
"""Words for one matter: the pages of some games have one of them as a topic, those of others another."""
MOST_TOLD = 3
"""As many topics are named that speak of a word."""


def pages() -> list[str]:
    """Return the keys of the games that have a page."""
    with os.scandir(__path__[0]) as entries:
        return sorted(entry.name.removesuffix(".md") for entry in entries if entry.name.endswith(".md"))


def title(key: str) -> str:
    """Return what the game with this key is called."""
    return _read(key).split("\n", 1)[0].lstrip("# ")


def topics(key: str) -> list[str]:
    """Return the topics of a game's page, as one types them: `bearing-off`."""
    return list(_parts(key))


def page(key: str, topic: str, width: int) -> str | None:
    """Return the page of a game, or the topic of it that is typed, wrapped; None if no topic or more than one is meant.

    The beginning of a topic will do, and another form of its word: `capturing` for `capture`.
    """
    text = _read(key)
    if topic:
        parts = _parts(key)
        found = _found(_slug(topic), parts)
        if len(found) != 1:
            return None
        text = f"## {parts[found[0]]}"
    return "\n\n".join(_block(block, width) for block in _blocks(text))


def no_topic(key: str, topic: str) -> str:
    """Return, behind "no topic", which topics of a game's page may have been meant, or all that there are.

    Those are named first whose names are most likely meant, then those whose text has the word.
    """
    from p2p_stonehenge.text.closest import closest  # seldom needed, and slow to import

    known, sought = topics(key), _slug(topic)
    matters = [one for matter in MATTERS if _found(sought, matter) for one in known if one in matter]
    alike = [closest(sought, known)] if closest(sought, known) else []
    stems = {word[:STEM] for word in sought.split("-") if len(word) >= STEM}
    kin = [one for one in known if stems & {word[:STEM] for word in one.split("-")}]
    if meant := _found(sought, known) or dict.fromkeys(matters or alike + kin):
        return f"did you mean {' or '.join(f'`{one}`' for one in meant)}?"
    if told := [f"`{one}`" for one in _telling(key, sought)]:
        *others, last = told
        return f"{', '.join(others)} and {last} speak of it" if others else f"{last} speaks of it"
    return f"there are {', '.join(known)}"


def _found(sought: str, known: Iterable[str]) -> list[str]:
    """Return the topic that is typed, else those that begin so, else those that begin as another form of the word."""
    if not sought:
        return []
    forms = [name for name in known if name.startswith(_stem(sought))]
    begun = [name for name in forms if name.startswith(sought)]
    return [name for name in begun if name == sought] or begun or forms


def _stem(word: str) -> str:
    """Return what the forms of a word begin with, as far as its ending tells: `mov` of `moving`, `win` of `winning`."""
    ending = next((one for one in ENDINGS if word.endswith(one) and len(word) >= len(one) + STEM), "")
    stem = word.removesuffix(ending)
    return stem[:-1] if ending and len(stem) > STEM and stem[-1] == stem[-2] else stem


def _telling(key: str, sought: str) -> list[str]:
    """Return the topics whose text has a word in any form, those that have it most often first."""
    if len(sought) < STEM:
        return []
    times = {name: len(re.findall(rf"\b{_stem(sought)}", text.lower())) for name, text in _parts(key).items()}
    telling = (name for name in times if times[name] and name != "about")
    return sorted(telling, key=lambda name: -times[name])[:MOST_TOLD]


def _parts(key: str) -> dict[str, str]:
    """Return the topics of a game's page, each with its title and its text."""
    parts = re.split(r"^## ", _read(key), flags=re.MULTILINE)[1:]
    return {_slug(part.split("\n", 1)[0]): part for part in parts}


def _read(key: str) -> str:
    with FileIO(f"{__path__[0]}/{key}.md") as file:  # importlib.resources takes longer than all the rest
        return file.read().decode()


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", heading.lower()))


def _blocks(text: str) -> list[str]:
    """Split at empty lines; a code block stays whole."""
    return [block.strip("\n") for block in re.findall(r"^```[^`]*^```|(?:^(?!```).*\S.*\n?)+", text, re.MULTILINE)]


def _block(block: str, width: int) -> str:
    if block.startswith("```"):
        return "\n".join(f"  {line}".rstrip() for line in block.splitlines()[1:-1])
    if block.startswith("#"):
        return block.lstrip("# ").upper()
    if block.startswith("|"):
        return _table(block, width)
    if block.startswith("- "):
        items = re.split(r"^- ", block, flags=re.MULTILINE)[1:]
        return "\n".join(_wrap(item, width, "- ", "  ") for item in items)
    return _wrap(block, width)


def _table(block: str, width: int) -> str:
    """Columns as wide as their longest cell; the last one wraps."""
    rows = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in block.splitlines()]
    del rows[1]  # the line under the head
    sizes = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]) - 1)]
    left = " " * sum(sizes)
    lines = []
    for *cells, last in rows:
        start = "".join(cell.ljust(size) for cell, size in zip(cells, sizes, strict=True))
        lines.append(_wrap(last, max(width, len(left) + 20), start, left))
    return "\n".join(lines)


def _wrap(text: str, width: int, start: str = "", left: str = "") -> str:
    """Wrap between words alone: a move such as A2-A3 stays whole."""
    return fill(
        " ".join(text.replace("`", "").split()),
        width,
        initial_indent=start,
        subsequent_indent=left,
        break_long_words=False,
        break_on_hyphens=False,
    )
