"""The examples in the docstrings of the engine are true."""

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    found = {name for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples}
    assert {"engine", "engine.codec", "engine.options", "engine.stacks", "engine.house", "engine.words"} <= found
