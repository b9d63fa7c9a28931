"""The golden playthroughs are still played as they are written; `python tests/engine/golden.py` writes them anew."""

import pytest
from golden import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_playthrough(case: Case) -> None:
    assert case.played().splitlines() == case.path.read_text(encoding="utf-8").splitlines()
