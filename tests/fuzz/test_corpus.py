"""Every decoder against the saved inputs, and against random changes of them: the same ones each time."""

from pathlib import Path
from random import Random

import pytest
from mutation import LONGEST, mutated
from seeds import seeds
from targets import TARGETS, attack

CORPUS = Path(__file__).parent / "corpus"
CHANGES = {"verify": 60, "lobby": 150}
"""Changed inputs for the targets whose inputs take milliseconds each."""
MANY = 400


def saved(target: str) -> list[bytes]:
    """The saved inputs of a target; of a game added since, for which none were saved, its seeds."""
    if not (CORPUS / target).exists():
        return seeds(target)
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


@pytest.mark.parametrize("target", TARGETS)
def test_saved_inputs(target: str) -> None:
    for data in saved(target):
        attack(target, data)


@pytest.mark.parametrize("target", TARGETS)
def test_changed_inputs(target: str) -> None:
    inputs, rng = saved(target), Random(target)
    for _ in range(CHANGES.get(target, MANY)):
        attack(target, mutated(rng.choice(inputs), rng))


def test_the_corpus_is_small_and_without_repetitions() -> None:
    kept = {path.name for path in CORPUS.iterdir()}
    games = {target for target in TARGETS if target.startswith(("parse-",))}
    assert set(TARGETS) - games <= kept <= set(TARGETS)
    for target in kept:
        inputs = saved(target)
        assert 1 <= len(set(inputs)) == len(inputs) <= 40, target
    assert sum(len(data) for target in kept for data in saved(target)) < 300_000


def test_seeds_are_what_is_really_sent() -> None:
    for target in TARGETS:
        assert seeds(target), target


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x00", bytes(100)])
def test_any_bytes_can_be_changed(data: bytes) -> None:
    rng = Random(1)
    changed = {mutated(data, rng) for _ in range(200)}
    assert len(changed) > 20
    assert max(map(len, changed)) <= LONGEST
