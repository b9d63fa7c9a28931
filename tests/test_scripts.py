"""The scripts as commands: what they say of themselves, and that nothing is written by mistake."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from scripting import ROOT, script

FOLDERS = ("docs", "engine", "p2p_stonehenge", "protocol", "scripts", "tests")
"""The folders of the repository that a script could write into by mistake."""
STARTERS = {"play", "test", "environment"}
"""These make an environment first and hand their arguments on."""
HANDS_ON = {"branches"}
"""Its other arguments are those of pytest, which has exit codes of its own."""
SECONDS = 60
"""Far more than an answer takes, and far less than the work of the scripts that work long."""


def commands() -> list[str]:
    """Return the names of the scripts that are run; the others are modules of these."""
    paths = sorted((ROOT / "scripts").glob("*.py"))
    return [
        path.stem for path in paths if '__name__ == "__main__"' in path.read_text("utf-8") and path.stem not in STARTERS
    ]


def written() -> dict[Path, int]:
    """Return when each file of the repository was written last."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return {path: path.stat().st_mtime_ns for path in files if path.is_file()}


def run(name: str, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, f"scripts/{name}.py", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS)


@pytest.mark.parametrize("name", commands())
def test_help_is_given_and_nothing_written(name: str) -> None:
    before = written()
    done = run(name, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert written() == before


@pytest.mark.parametrize("name", [name for name in commands() if name not in HANDS_ON])
def test_a_wrong_option_is_refused_and_nothing_written(name: str) -> None:
    before = written()
    done = run(name, "--no-such-option")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: " in done.stderr or done.stderr.startswith(f"{name}: ")
    assert written() == before


def as_typed(monkeypatch: pytest.MonkeyPatch, name: str, **constants: object) -> Callable[..., object]:
    """Return what runs a script in this process as if its arguments were typed, with other values of its constants."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    module = script(name)
    for constant, value in constants.items():
        monkeypatch.setattr(module, constant, value)

    def typed(*words: str) -> object:
        monkeypatch.setattr(sys, "argv", [name, *words])
        return module.main()

    return typed


def test_bearing_off_is_written_elsewhere_and_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_it, out, before = as_typed(monkeypatch, "make_bear_off", PIECES=0), str(tmp_path / "table.bin"), written()
    monkeypatch.setattr(sys.modules["make_bear_off"], "homes", lambda: [bytes(6)])
    assert run_it("--out", out) == 0
    assert (tmp_path / "table.bin").read_bytes() == bytes(4)
    assert run_it("--out", out, "--check") == 0
    (tmp_path / "table.bin").write_bytes(b"else")
    assert run_it("--out", out, "--check") == 1
    assert (tmp_path / "table.bin").read_bytes() == b"else"
    assert "differs" in capsys.readouterr().out
    assert written() == before


def test_suites_of_chance_are_written_elsewhere_and_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run_it, before = as_typed(monkeypatch, "make_suites_chance", COUNT=1), written()
    for maker in ("kings", "races", "rounds", "teams"):
        monkeypatch.setattr(sys.modules["make_suites_chance"], maker, lambda *_: iter([["position"]]))
    monkeypatch.setattr(sys.modules["make_suites_chance"], "expected", lambda **_: {})
    assert run_it("--out", str(tmp_path)) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["celtic-whist.json", "kingamon.json"]
    assert json.loads((tmp_path / "kingamon.json").read_text()) == {"king": [["position"]], "bear off": [["position"]]}
    assert run_it("--out", str(tmp_path), "--check") == 0
    (tmp_path / "kingamon.json").write_text("{}")
    assert run_it("--out", str(tmp_path), "--check") == 1
    assert (tmp_path / "kingamon.json").read_text() == "{}"
    assert written() == before


def test_a_few_positions_do_not_replace_a_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is written elsewhere has the kinds that were not asked for as they are in the repository."""
    before, out = written(), tmp_path / "few.json"
    as_typed(monkeypatch, "make_suites")("fidchess", "--kind", "keep", "--number", "2", "--out", str(out))
    kept = json.loads((ROOT / "tests" / "data" / "suites" / "fidchess.json").read_text())
    made = json.loads(out.read_text())
    assert len(made.pop("keep")) == 2
    assert made == {kind: entries for kind, entries in kept.items() if kind != "keep"}
    assert written() == before


def test_one_cut_can_be_summed_up() -> None:
    assert script("faults").summed_up([1.5]) == "1 cuts: half within 1.50 s, all within 1.50 s"


def test_levels_of_a_table_of_bots_have_names() -> None:
    done = run("arena_bids", "casual", "0", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert "level 2, bids met" in done.stdout
    refused = run("arena_bids", "expert", "--rounds", "1")
    assert refused.returncode == 2
    assert "no level is called 'expert'" in refused.stderr


def test_branches_say_what_they_lack(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    branches = script("branches")
    monkeypatch.setattr(branches, "find_spec", lambda _: None)
    assert branches.main([]) == 6
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "scripts/test.py --coverage" in said.err
