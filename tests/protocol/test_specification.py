"""What the specification lists is read from the code: the domains of hashes and signatures, and the table of slots."""

import ast
import re
from pathlib import Path
from typing import Any

from protocol.events import EVENTS, SLOTS, SlotKind

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "protocol").rglob("*.py"))
PERSON = re.compile(r"sh/[a-z]+/[12]")
DOMAIN = re.compile(rb"stonehenge/[a-z]+/[12]")
SIGNED = {b"stonehenge/card/1", b"stonehenge/charter/1", b"stonehenge/commitment/1", b"stonehenge/event/2"}
SECOND = {"sh/commit/2", "sh/event/2", "sh/outcome/2", "sh/salt/2", "sh/stream/2"}
"""The hashes that the second version of the table protocol has changed."""


def constants(kind: type) -> list[tuple[str, Any]]:
    """All constants of a type in the sources, each with its file."""
    return [
        (path.name, node.value)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, kind)
    ]


def persons() -> list[tuple[str, str]]:
    """The first argument of every call of `blake`, with its file."""
    return [
        (path.name, str(node.args[0].value))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "blake"
        if isinstance(node.args[0], ast.Constant)
    ]


def test_every_hash_has_a_domain_of_its_own() -> None:
    """A hash made for one use is none for another: each domain belongs to one file, and fits into the hash's person."""
    found = persons()
    assert len(found) > 15
    assert all(PERSON.fullmatch(person) and len(person) <= 16 for _, person in found)
    assert len({person for _, person in found}) == len({*found})
    assert {person for _, person in found if person.endswith("/2")} == SECOND
    names = [person.rsplit("/", 1)[0] for person in {person for _, person in found}]
    assert len(names) == len(set(names)), "no hash is made in two versions"


def test_four_kinds_of_statements_are_signed() -> None:
    """And no domain begins another one."""
    found = {value for _, value in constants(bytes) if DOMAIN.fullmatch(value)}
    assert found == SIGNED
    assert not any(one.startswith(other) for one in found for other in found if one != other)


def test_every_kind_of_slot_is_reached_and_leads_to_the_end() -> None:
    """The diagram that is drawn from the table has no dead end but the last slot, and no slot beside it."""
    reached, leads = {SlotKind.TURN, SlotKind.COMMIT, SlotKind.KEY}, {SlotKind.END}
    for _ in SlotKind:
        reached |= {after for kind in reached for after in SLOTS[kind].then}
        leads |= {kind for kind, rule in SLOTS.items() if leads & {*rule.then}}
    assert reached == leads == {*SlotKind}


def test_every_field_of_a_body_is_described() -> None:
    """The specification's table of events takes its words from here."""
    for rule in EVENTS.values():
        names = getattr(rule.body, "_fields", ())
        assert len(names) == len(rule.fields)
        assert all(field.words for field in rule.fields)
        assert rule.body.__doc__
