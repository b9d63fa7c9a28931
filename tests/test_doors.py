"""The contract `doors`: what it finds in a small package."""

import importlib.util
from pathlib import Path

import grimp
import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "doors.py"
HOUSE = {
    "house/__init__.py": "",
    "house/hall/__init__.py": "",
    "house/hall/table.py": "from house.kitchen import cook\nfrom house.kitchen.stove import FIRE\n",
    "house/kitchen/__init__.py": 'from house.kitchen.pans import cook\n\n__all__ = ["cook", "stove"]\n',
    "house/kitchen/pans.py": "from house.kitchen.stove import FIRE\n\ncook = FIRE\n",
    "house/kitchen/stove.py": "FIRE = 1\n",
}


@pytest.mark.parametrize(
    ("file", "text", "faults"),
    [
        pytest.param("house/__init__.py", "", [], id="by the door"),
        pytest.param(
            "house/hall/table.py",
            "from house.kitchen.pans import cook\nfrom house.kitchen.stove import FIRE\n",
            ["house.hall.table imports house.kitchen.pans, which house.kitchen does not name"],
            id="past the door",
        ),
        pytest.param(
            "house/kitchen/__init__.py",
            "from house.kitchen.pans import cook\n",
            ["house.hall.table imports house.kitchen.stove, which house.kitchen does not name"],
            id="no door",
        ),
        pytest.param(
            "house/hall/table.py",
            "from house.kitchen import cook\n",
            ["house.kitchen names stove, which no other room imports"],
            id="a door that nobody uses",
        ),
        pytest.param(
            "house/kitchen/stove.py",
            "from house.hall import table\n",
            ["house.kitchen.stove imports house.hall.table, which house.hall does not name"],
            id="a room without a door",
        ),
    ],
)
def test_what_breaks_the_rule_is_named(
    file: str, text: str, faults: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, usual in HOUSE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == file else usual, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("doors", SCRIPT)
    assert spec
    assert spec.loader
    doors = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(doors)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert list(doors.faults(grimp.build_graph("house", cache_dir=None), ["house"])) == faults
