"""The contract `doors` of import-linter: a room is entered by what its `__init__` names in `__all__`, and nowhere else.

A room is a folder of modules. Its `__all__` has names that the `__init__` holds, or modules of the room: these are not
imported with the room, so that a command imports no more than it uses. A module that is named there and that no other
room imports breaks the contract too.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def door(package: str) -> tuple[set[str], set[str]]:
    """Return what `__all__` of a package names, and those of these names that its `__init__` holds itself."""
    named: set[str] = set()
    held: set[str] = set()
    for node in ast.parse(Path(*package.split("."), "__init__.py").read_text("utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name("__all__")], value=value):
                named = set(ast.literal_eval(value))
            case ast.ImportFrom(names=names):
                held |= {alias.asname or alias.name for alias in names}
            case (
                ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.Assign(targets=[ast.Name(name)])
                | ast.AnnAssign(target=ast.Name(name))
            ):
                held.add(name)
    return named, named & held


def faults(graph: ImportGraph, packages: list[str]) -> Iterator[str]:
    """Yield what breaks the rule, a line each, in these packages and in the rooms in them."""
    for package in packages:
        for room in sorted({package, *graph.find_descendants(package)}):
            if graph.find_children(room):
                yield from _faults(graph, room)


def _faults(graph: ImportGraph, room: str) -> Iterator[str]:
    """Yield what breaks the rule in one room."""
    named, held = door(room)
    inside = {room, *graph.find_descendants(room)}
    entered = set()
    for child in sorted(graph.find_children(room)):
        name = child.rpartition(".")[2]
        for module in sorted({child, *graph.find_descendants(child)}):
            for importer in sorted(graph.find_modules_that_directly_import(module) - inside):
                entered.add(name)
                if name not in named:
                    yield f"{importer} imports {module}, which {room} does not name"
    yield from (f"{room} names {name}, which no other room imports" for name in sorted(named - held - entered))


class Doors(Contract):
    """Checks the rooms of `packages`, and the packages themselves."""

    type_name = "doors"
    packages = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return whether the contract is kept."""
        found = list(faults(graph, cast(list[str], self.packages)))
        return ContractCheck(kept=not found, metadata={"faults": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what breaks the contract, a line each."""
        for fault in check.metadata["faults"]:
            output.print_error(fault, bold=False)
