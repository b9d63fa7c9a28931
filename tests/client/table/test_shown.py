"""What may be looked at of a table while a thread works on it: all of it is in one place."""

from pathlib import Path

from p2p_stonehenge import table


def test_the_room_of_tables_reads_the_fold_in_few_files() -> None:
    """`Shown` looks at a table among peers; `base` and `endings` serve tables as well that no thread works on."""
    readers = {path.name for path in Path(table.__file__).parent.glob("*.py") if ".fold" in path.read_text("utf-8")}
    assert readers == {"base.py", "endings.py", "shown.py"}
