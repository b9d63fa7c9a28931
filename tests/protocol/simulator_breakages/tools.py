"""How a rule is broken: something else stands in for a function, a method, a property or a constant."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

ENDLESS = 10**12

Function: TypeAlias = Callable[..., Any]
Stand: TypeAlias = Callable[[Function], Function]
"""Returns what stands in for a function."""


class Breakage(NamedTuple):
    """What is broken, in words; what breaks it in this process; the test that fails then.

    The test is named where simulated games notice seldom or never.
    """

    name: str
    break_it: Callable[[], None]
    test: str = ""


def instead(of: Any, stand: Stand) -> Callable[[], None]:
    """Return what puts `stand(of)` in the place of a function, a method or a property, wherever a module calls it."""
    function: Any = of.fget if isinstance(of, property) else of
    *way, last = function.__qualname__.split(".")
    home: Any = import_module(function.__module__)
    for name in way:
        home = getattr(home, name)

    def break_it() -> None:
        if isinstance(home, ModuleType):
            for module, name in bindings(of):
                setattr(module, name, stand(function))
        elif isinstance(vars(home)[last], staticmethod):
            setattr(home, last, staticmethod(stand(function)))
        else:
            setattr(home, last, property(stand(function)) if isinstance(of, property) else stand(function))

    return break_it


def bindings(value: object) -> list[tuple[ModuleType, str]]:
    """Return where modules of the protocol have a function, each with its name there."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "protocol"]
    return [(module, name) for module in modules for name, own in vars(module).items() if own is value]


def constant(module: ModuleType, name: str, value: object) -> Callable[[], None]:
    """Return what gives a constant of a module another value, or a function that it has taken from another module."""
    assert hasattr(module, name), f"{module.__name__} has no {name}"
    return lambda: setattr(module, name, value)


def always(value: object) -> Stand:
    """Return a stand-in that returns `value`."""
    return lambda _: lambda *args, **named: value


def changed(change: Callable[[Any], Any]) -> Stand:
    """Return a stand-in that returns what the function returns, changed."""
    return lambda real: lambda *args, **named: change(real(*args, **named))


def asked(change: Callable[..., tuple[Any, ...]]) -> Stand:
    """Return a stand-in that calls the function with changed arguments."""
    return lambda real: lambda *args, **named: real(*change(*args, **named))


def without(kind: type) -> Stand:
    """Return a stand-in for a generator of effects that leaves one kind of them out."""
    return lambda real: lambda *args: [effect for effect in real(*args) if not isinstance(effect, kind)]


def with_own(name: str, value: object) -> Stand:
    """Return a stand-in for a method during which its object has another `name`."""

    def stand(real: Function) -> Function:
        def broken(self: Any, *args: Any) -> Any:
            with mock.patch.object(self, name, value):
                return real(self, *args)

        return broken

    return stand


def while_broken(owner: object, name: str, value: object) -> Stand:
    """Return a stand-in during which, and only then, `owner` has another `name`."""
    assert hasattr(owner, name), f"{owner} has no {name}"

    def stand(real: Function) -> Function:
        def broken(*args: Any) -> Any:
            with mock.patch.object(owner, name, value):
                return real(*args)

        return broken

    return stand
