"""A game for more than two seats, known to the protocol while the tests of this folder run; fast signatures."""

from collections.abc import Iterator

import pytest
import second_reader
import second_verifier
from pebbles import Pebbles
from replicas import FAST

from engine import all_games


@pytest.fixture(autouse=True, scope="module")
def pebbles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(all_games(), "pebbles", Pebbles())
        yield


@pytest.fixture
def fast_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second verifier checks the stand-ins for signatures that circles and simulated tables use."""
    for module in (second_reader, second_verifier):
        monkeypatch.setattr(module, "signed", FAST.verify)
