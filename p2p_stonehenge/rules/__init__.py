"""The rules of the games, a page each (`GAME.md`), as plain text for a terminal.

A page is Markdown of a small kind: `#` the title, `##` the topics, paragraphs, lists with `-`, tables, code.
"""

import os
import re
from io import FileIO
from textwrap import fill

__all__ = ["no_topic", "page", "pages", "title", "topics"]

STEM = 3
"""So many letters at the beginning of two words make them of one stem: `bids` and `bidding`."""


def pages() -> list[str]:
    """Return the keys of the games that have a page."""
    with os.scandir(__path__[0]) as entries:
        return sorted(entry.name.removesuffix(".md") for entry in entries if entry.name.endswith(".md"))


def title(key: str) -> str:
    """Return what the game with this key is called."""
    return _read(key).split("\n", 1)[0].lstrip("# ")


def topics(key: str) -> list[str]:
    """Return the topics of a game's page, as one types them: `bearing-off`."""
    return [_slug(line[3:]) for line in _read(key).splitlines() if line.startswith("## ")]


def page(key: str, topic: str, width: int) -> str | None:
    """Return the page of a game or the one topic of it that `topic` begins, wrapped; None if there is no such topic."""
    text = _read(key)
    if topic:
        sought = _slug(topic)
        parts = {_slug(part.split("\n", 1)[0]): part for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
        found = [name for name in parts if name == sought] or [name for name in parts if name.startswith(sought)]
        if len(found) != 1:
            return None
        text = f"## {parts[found[0]]}"
    return "\n\n".join(_block(block, width) for block in _blocks(text))


def no_topic(key: str, topic: str) -> str:
    """Return, behind "no topic", which topics of a game's page may have been meant, or all that there are."""
    from p2p_stonehenge.text.closest import closest  # seldom needed, and slow to import

    known, sought = topics(key), _slug(topic)
    begun = [one for one in known if sought and one.startswith(sought)]
    alike = [closest(sought, known)] if closest(sought, known) else []
    stems = {word[:STEM] for word in sought.split("-") if len(word) >= STEM}
    kin = [one for one in known if stems & {word[:STEM] for word in one.split("-")}]
    if meant := begun or dict.fromkeys(alike + kin):
        return f"did you mean {' or '.join(f'`{one}`' for one in meant)}?"
    return f"there are {', '.join(known)}"


def _read(key: str) -> str:
    with FileIO(f"{__path__[0]}/{key}.md") as file:  # importlib.resources takes longer than all the rest
        return file.read().decode()


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))


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
