"""The specification names tests that exist, and domains and known answers that the program has."""

import re
from pathlib import Path

from test_dealing import KNOWN as KNOWN_DEAL
from test_fair import KNOWN

ROOT = Path(__file__).parents[2]
MODULES = ("_chance", "_charter", "_event", "_fair", "_greeting", "_identity", "_secrets", "_words")
"""Where the domains of this page are used."""
TEXT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_every_test_named_exists():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 60
    assert {name for name in named if f"def {name}(" not in tests} == set()


def test_every_domain_is_listed():
    source = "\n".join((ROOT / "protocol" / f"{name}.py").read_text(encoding="utf-8") for name in MODULES)
    persons = set(re.findall(r'blake\(\s*"([^"]+)"', source))
    signed = set(re.findall(r'b"(stonehenge/[a-z]+/\d)"', source))
    assert len(signed) == 4
    assert {"sh/event/1", "sh/commit/1"} < persons
    assert {name for name in persons | signed if f"`{name}`" not in TEXT} == set()
    assert all(len(name) <= 16 for name in persons)


def test_known_answers_are_those_of_the_tests():
    for name in ("salt", "commitment", "commitments", "rolls"):
        assert f"`{KNOWN[name]}`" in TEXT
    assert all(f"`{answer}`" in TEXT for answer in KNOWN_DEAL.values())
