"""Draw the tables of slots and events, and the order of slots, into the docs: python scripts/draw_protocol.py

They come from the tables by which the program itself goes (`protocol/events/slots.py`). Each stands between two marks
in its page. With --check nothing is written. Exit codes: 1 a page differs, or lacks a mark.
"""

import argparse
import sys
from collections.abc import Callable
from inspect import getdoc
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout that is not installed

from protocol.events import EVENTS, SLOTS, SlotKind

DOCS = Path(__file__).resolve().parent.parent / "docs"


def slots() -> list[str]:
    """Return the table of slots."""
    rows = ["| slot | opens when | takes | of whom | judged: what must hold |", "| --- | --- | --- | --- | --- |"]
    for kind, rule in SLOTS.items():
        takes = ", ".join(one.name for one in rule.takes)
        rows.append(f"| {kind} {kind.name} | {rule.opens} | {takes} | {rule.givers.value} | {rule.judged or '-'} |")
    return rows


def events() -> list[str]:
    """Return the table of events: what each says, and each entry of its body with its bounds."""
    rows = ["| kind | what it says | body: entries in order |", "| --- | --- | --- |"]
    for kind, rule in EVENTS.items():
        names: tuple[str, ...] = rule.body._fields  # type: ignore[attr-defined]
        entries = [f"`{name}`: {field.words}" for name, field in zip(names, rule.fields, strict=True)]
        says = " ".join((getdoc(rule.body) or "").partition("\n\n")[0].split())
        rows.append(f"| {kind} {kind.name} | {says} | {'; '.join(entries) or 'empty'} |")
    return rows


def order() -> list[str]:
    """Return the diagram of which slot may follow which; `due` asks the game what is due."""
    anything = {*SLOTS[SlotKind.TURN].then}
    lines = ["```mermaid", "stateDiagram-v2", "    state due <<choice>>", "    [*] --> due"]
    lines += [f"    due --> {kind.name}: {SLOTS[kind].opens}" for kind in SlotKind if kind in anything]
    for kind, rule in SLOTS.items():
        after = [one for one in rule.then if not anything <= {*rule.then} or one not in anything]
        lines += [f"    {kind.name} --> {one.name}: {SLOTS[one].opens}" for one in after]
        if anything <= {*rule.then}:
            lines.append(f"    {kind.name} --> due: {'a breach, so the deal is given up' if after else 'closed'}")
    return [*lines, "```"]


class Region(NamedTuple):
    """A part of a page that is drawn."""

    name: str
    lines: Callable[[], list[str]]


PAGES = {
    "protocol.md": (Region("slots", slots), Region("events", events)),
    "architecture.md": (Region("order", order),),
}
"""For each page what is drawn in it."""


def drawn(page: str, name_of_page: str) -> str:
    """Return a page with every region drawn anew. Raises ValueError if a mark is missing."""
    for name, lines in PAGES[name_of_page]:
        begin, end = f"<!-- drawn: {name} -->\n", f"<!-- end of {name} -->"
        before, mark, rest = page.partition(begin)
        _, close, after = rest.partition(end)
        if not (mark and close):
            raise ValueError(f"docs/{name_of_page} has no marks for `{name}`")
        page = "".join((before, begin, *(f"{line}\n" for line in lines()), end, after))
    return page


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the tables of the protocol into its specification.")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the pages are up to date")
    check = parser.parse_args().check
    try:
        pages = {name: (DOCS / name).read_text(encoding="utf-8") for name in PAGES}
        fresh = {name: drawn(page, name) for name, page in pages.items()}
    except ValueError as error:
        print(f"draw_protocol: {error}", file=sys.stderr)
        return 1
    differing = [name for name in PAGES if fresh[name] != pages[name]]
    for name in differing:
        if check:
            print(f"docs/{name} differs from protocol/events/slots.py: run scripts/draw_protocol.py", file=sys.stderr)
        else:
            (DOCS / name).write_text(fresh[name], encoding="utf-8")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
