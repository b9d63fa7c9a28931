"""A game for more than two seats, known to the protocol while the tests of this folder run."""

from collections.abc import Iterator

import pytest
from pebbles import Pebbles

from engine import all_games


@pytest.fixture(autouse=True, scope="module")
def pebbles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(all_games(), "pebbles", Pebbles())
        yield
