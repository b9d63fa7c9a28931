"""The specification and the page on reliability name tests that exist; the first has the domains and known answers."""

import ast
import re
from pathlib import Path

from test_dealing import KNOWN as KNOWN_DEAL
from test_fair import KNOWN

ROOT = Path(__file__).parents[2]
MODULES = ("_chance", "_charter", "_event", "_fair", "_greeting", "_identity", "_secrets", "_words")
"""Where the domains of this page are used."""
TEXT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


RULE = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
"""A row of the table of rules: number, what holds, the attack, the tests."""


def docstrings():
    """The docstrings of all tests by name; some names are those of tests in several files."""
    found = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                found.setdefault(node.name, []).append(ast.get_docstring(node) or "")
    return found


def test_every_rule_is_named_by_a_test_that_checks_it():
    text = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    rows = RULE.findall(text)
    assert [int(number) for number, *_ in rows] == list(range(1, 30))
    said = docstrings()
    for number, _, _, tests in rows:
        named = re.findall(r"`(test_\w+)`", tests)
        assert set(named) <= said.keys(), number
        assert any(re.search(rf"\b[Rr]ule {number}\b", text) for name in named for text in said[name]), number


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
