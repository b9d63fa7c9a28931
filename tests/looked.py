"""Sequences that count looks at their elements: work on a hostile file must not take the square of its size."""

from collections.abc import Iterator
from typing import Any


class Looked(list[Any]):
    """A list; `looks` counts the elements read, those of a slice as well."""

    looks = 0

    def __iter__(self) -> Iterator[Any]:
        for element in super().__iter__():
            self.looks += 1
            yield element

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.looks += len(found) if isinstance(at, slice) else 1
        return found
