"""The benches: each section of `scripts/bench.py` measures something, here with as little work as it can do."""

import math

import pytest
from scripting import script

FEWER: dict[str, dict[str, object]] = {
    "bench": {"PLAYOUT_SECONDS": 0.02, "PLAYOUT_ROUNDS": 1, "GAMES": 1, "STARTS": 1},
    "bench_table": {"MOVES": 3, "WARM_UP": 0, "TRIPS": 2},
    "bench_cards": {"DEALS": 1, "ROUNDS": 1, "DECKS": (31,), "TABLES": ((2, 31, 15),)},
    "bench_layouts": {"ROUNDS": 1, "TIMES": 10},
}
"""What each module is told to do fewer times than usual."""
SECTIONS = ("startup", "verification", "table", "cards", "deals", "engines", "layouts")


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_measures_something(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend("scripts")
    modules = {name: script(name) for name in (*sorted(FEWER.keys() - {"bench"}), "bench")}
    for name, constants in FEWER.items():
        for constant, value in constants.items():
            monkeypatch.setattr(modules[name], constant, value)
    rows = list(modules["bench"].SECTIONS[section]())
    assert rows
    assert all(math.isfinite(row.ratio) and row.ours for row in rows)


def test_all_sections_are_tried() -> None:
    assert tuple(script("bench").SECTIONS) == SECTIONS
