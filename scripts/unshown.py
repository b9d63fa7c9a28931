#!/usr/bin/env python3
"""Name the rules of the specification that no saved game of the test vectors shows.

The second verifier, written from docs/protocol.md, is changed at one place after the other: a condition is left out, a
comparison moved by one, a statement skipped. A change that alters the verdict on no file in `tests/data/vectors` is
printed with its line: either another program could get that rule wrong and never know, or the rule follows from others.
"""

import argparse
import ast
import json
import multiprocessing
import sys
import types
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "tests" / "protocol" / "second_verifier.py"
FILES = ROOT / "tests" / "data" / "vectors" / "files"
PATIENCE = 30.0
"""Seconds for a change under which the verifier may never end."""

NEXT = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def instead(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand in the place of a part of the program, and what is different then."""
    if isinstance(node, ast.BoolOp):
        for at, value in enumerate(node.values):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            left = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield f"without `{ast.unparse(value)}`", left
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in NEXT:
        changed = ast.Compare(node.left, [NEXT[type(node.ops[0])](), *node.ops[1:]], node.comparators)
        yield f"`{ast.unparse(changed)}`", changed
    elif isinstance(node, ast.IfExp):
        yield f"always `{ast.unparse(node.body)}`", node.body
        yield f"always `{ast.unparse(node.orelse)}`", node.orelse
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield f"also where not `{ast.unparse(node.ifs[0])}`", ast.comprehension(node.target, node.iter, [], 0)
    elif isinstance(node, ast.Slice) and node.upper:
        yield f"`[{ast.unparse(node)}]` to the end", ast.Slice(node.lower, None, node.step)
    elif isinstance(node, ast.Expr | ast.AugAssign) and not isinstance(getattr(node, "value", None), ast.Constant):
        yield f"without `{ast.unparse(node)}`", ast.Pass()


class Change(ast.NodeTransformer):
    """Make one of the changes, counted in the order in which they are met; with -1 none."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.met: list[str] = []

    def visit(self, node: ast.AST) -> ast.AST:
        for what, other in instead(node):
            place = node.target if isinstance(node, ast.comprehension) else node
            self.met.append(f"{getattr(place, 'lineno', 0)}: {what}")
            if len(self.met) == self.number + 1:
                return ast.copy_location(other, place)
        return self.generic_visit(node)


def changed(number: int) -> tuple[list[str], ast.Module]:
    """Return the changes up to that one, or all of them, and the program with it."""
    change = Change(number)
    tree = change.visit(ast.parse(SOURCE.read_text(encoding="utf-8")))
    assert isinstance(tree, ast.Module)
    return change.met, ast.fix_missing_locations(tree)


def verdicts(tree: ast.Module) -> Iterator[str]:
    """Yield what a program finds in each file."""
    module = types.ModuleType("changed")
    exec(compile(tree, "changed", "exec"), vars(module))
    for path in sorted(FILES.iterdir()):
        try:
            yield json.dumps(module.verify(path.read_bytes()))
        except Exception as error:  # noqa: BLE001  whatever a changed program stumbles over
            yield type(error).__name__


def unnoticed(number: int, found: list[str]) -> None:
    """End with 0 if a change alters no verdict, with 1 if it does."""
    sys.exit(any(now != then for now, then in zip(verdicts(changed(number)[1]), found, strict=True)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Name the rules that no saved game of the test vectors shows.")
    parser.add_argument("words", nargs="*", help="only changes whose line has one of these words")
    words = parser.parse_args().words
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(SOURCE.parent)]
    changes, tree = changed(-1)
    found = [*verdicts(tree)]
    tried = left = 0
    for number, said in enumerate(changes):
        if words and not any(word in said for word in words):
            continue
        child = multiprocessing.Process(target=unnoticed, args=(number, found))
        child.start()
        child.join(PATIENCE)
        child.kill()
        tried += 1
        if child.exitcode == 0:
            left += 1
            print(f"second_verifier.py:{said}", flush=True)
    print(f"{tried} changes, {left} of them alter no verdict")
    return 0


if __name__ == "__main__":
    sys.exit(main())
