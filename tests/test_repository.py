"""The repository itself: versions, locked dependencies, what no file may mention, the scripts for a fresh machine."""

import ast
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripting import script

import p2p_stonehenge
from engine import all_games
from p2p_stonehenge.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SCRIPTS = ("environment.py", "play.py", "test.py")


def locked() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pins}


def tracked() -> Iterator[Path]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    paths = (ROOT / name for name in os.fsdecode(listed).split("\0") if name)
    return (path for path in paths if path.is_file())


# Versions.


def test_the_version_is_one() -> None:
    version = p2p_stonehenge.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert "version" in PROJECT["dynamic"]
    assert importlib.metadata.version(PROJECT["name"]) == version, "installed from another state: run scripts/test.py"
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_constraints_are_exact_versions_without_addresses() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert line.startswith("# ") or re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line), line


def test_everything_that_gets_installed_is_locked() -> None:
    pins = locked()
    extras = PROJECT["optional-dependencies"].values()
    waiting = [Requirement(line) for lines in (PROJECT["dependencies"], *extras) for line in lines]
    seen: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        assert name in pins, f"{name} is not in constraints.txt"
        assert wanted.specifier.contains(pins[name]), wanted
        if name in seen:
            continue
        seen.add(name)
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:  # an extra or a platform that is not here
            continue
        asked = [Requirement(line) for line in needs]
        waiting += [need for need in asked if need.marker is None or need.marker.evaluate({"extra": ""})]
    assert len(seen) > 20


# What no file may mention.

FORBIDDEN = re.compile(
    "|".join(
        [
            r"\.\./" + "shared",
            r"\b" + "issue" + r" ?#\d",
            r"(?<![\w.])/" + r"(?:work|root|home|opt)/[\w.]",
            "RULES" + r"\.md",
            "DESIGN" + r"\.md",
            "PROTOCOL" + r"\.md",
        ]
    )
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see ../" + "shared/x", True),
        ("fixes issue" + " #12", True),
        ("in /work" + "/main", True),
        ("`/root" + "/.cache`", True),
        ("a/work" + "/b", False),
        ("at work" + "/root", False),
        ("tissue 12", False),
    ],
)
def test_what_is_forbidden(text: str, found: bool) -> None:
    assert bool(FORBIDDEN.search(text)) is found


def test_files_speak_of_the_project_alone() -> None:
    bad = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        bad += [f"{path.relative_to(ROOT)}: {match[0]}" for match in FORBIDDEN.finditer(text)]
    assert not bad


def test_links_between_documents_lead_somewhere() -> None:
    documents = [path for path in tracked() if path.suffix == ".md"]
    assert len(documents) > 3
    for path in documents:
        prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
            assert "://" in target or (path.parent / target).exists(), f"{path.name}: {target}"


def test_prose_is_at_most_120_columns_wide() -> None:
    """A change of a sentence is then a change of few lines. Tables, code and HTML are as wide as they need."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + [*(ROOT / "docs").glob("*.md")]
    wide = []
    for page in pages:
        prose = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        wide += [f"{page.name}: {line}" for line in prose.splitlines() if len(line) > 120 and line[0] not in "|<"]
    assert not wide


def test_the_readme_knows_every_command_and_the_rules_page_every_game() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in COMMANDS:
        assert f"p2p-stonehenge {command}" in readme, command
    index = (ROOT / "docs" / "rules" / "README.md").read_text("utf-8")
    for page in (ROOT / "p2p_stonehenge" / "rules").glob("*.md"):
        assert f"p2p_stonehenge/rules/{page.name})" in index


def test_pre_commit_runs_the_lint_steps_of_the_one_command() -> None:
    steps = re.findall(r'^"\$bin/(.+)$', (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    hooks = re.findall(
        r"^ +entry: \.venv/bin/(.+)$", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"), re.MULTILINE
    )
    assert hooks == [step.replace('"', "") for step in steps if not step.startswith("python")]
    assert len(hooks) == 4


MEAN_MORE = {"first", "hand", "layout", "pieces", "scoring", "start", "timer"}
"""Options with a name that is a word for other things as well, or that every game has: `first`."""


def test_no_module_of_the_client_names_an_option_but_those_of_its_game() -> None:
    """Views, drawings and bots may. What an option means to a table a game says: `Game.teams`, `Game.finite_with`."""
    games, found = all_games(), []
    names = {option.name for game in games.values() for option in game.options} - MEAN_MORE
    own = {key.replace("-", "_") for key in games}
    package = ROOT / "p2p_stonehenge"
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).with_suffix("")
        if not own.isdisjoint(module.parts):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        doors = [
            node for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0])
        ]
        for node in {*ast.walk(tree)} - {node for door in doors for node in ast.walk(door)}:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = {node.value, *re.findall(r"(\w+)=", node.value)} & names
                found += [f"{module.as_posix()}: {name}" for name in sorted(named)]
    assert found == []


def numbered_failures(source: str) -> list[int]:
    """Return the lines at which a Failure is made with an exit code that is written as a number."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    made = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Failure")
    codes = ([*call.args[1:2], *(word.value for word in call.keywords if word.arg == "code")] for call in made)
    return [code.lineno for found in codes for code in found if isinstance(code, ast.Constant)]


def test_exit_codes_have_names() -> None:
    assert numbered_failures('Failure("", 4)\nFailure("", code=5)\nFailure("")\nFailure("", USAGE)') == [1, 2]
    found = {path: numbered_failures(path.read_text("utf-8")) for path in (ROOT / "p2p_stonehenge").rglob("*.py")}
    assert not [f"{path.relative_to(ROOT)}:{line}" for path, lines in found.items() for line in lines]


@pytest.mark.parametrize("package", ["engine", "protocol", "p2p_stonehenge"])
def test_modules_do_not_import_each_other_in_a_circle(package: str) -> None:
    """Imports inside of functions count too: they only hide a circle."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        pytest.fail(" is imported by ".join(error.args[1]))


def test_the_subject_of_a_commit_has_72_characters_at_most() -> None:
    """As CONTRIBUTING says; pre-commit looks for this expression in the message."""
    config = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    (entry,) = re.findall(r"^ +entry: '(.+)'$", config, re.MULTILINE)
    long = re.compile(entry, re.MULTILINE | re.DOTALL)
    body = "\n\n" + "why " * 40
    assert not long.search("x" * 72 + body)
    assert long.search("x" * 73 + body)


# Coverage.


def test_branches_are_counted_by_package_and_too_few_are_named() -> None:
    def file(taken: int, branches: int, *missed: tuple[int, int]) -> dict[str, object]:
        return {"summary": {"covered_branches": taken, "num_branches": branches}, "missing_branches": missed}

    measured = script("branches")
    files = {
        "engine/house.py": file(96, 100, (3, 5), (7, -1)),
        "protocol/cards/deck.py": file(4, 5),
        "protocol/file.py": file(90, 95),
    }
    found = measured.shares(files)
    assert found["engine"] == (96, 100)
    assert found["protocol"] == (94, 100)
    assert found["protocol/cards"].percent == 80
    assert measured.too_low(found) == ["protocol"]
    lines = list(measured.report(files))
    assert "engine/house.py: 3 -> 5, 7 -> end" in lines
    assert lines[-1] == "protocol: fewer than 95 % of the branches"


# The scripts.


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_read_by_an_old_python(name: str) -> None:
    ast.parse((ROOT / "scripts" / name).read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_old_python_is_told_so_in_one_line(name: str) -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 8, 10, 'final', 0);"
        "sys.path.insert(0, 'scripts');"
        f"sys.argv = ['{name}']; runpy.run_path('scripts/{name}', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        r"p2p-stonehenge: this is Python 3\.8\.10, too old: install Python 3\.11 or newer.*\n", done.stderr
    )


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A clone as the scripts see it, without an environment."""
    (tmp_path / "scripts").mkdir()
    for name in SCRIPTS:
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


STAND_IN = """
import pathlib, sys
sys.path.insert(0, "scripts")
import environment

def _logged(command):
    # Stands for venv and pip: notes what was asked for, and makes a Python that leads somewhere.
    what = "venv" if "venv" in command else "pip " + command[-1]
    with open("asked", "a") as log:
        log.write(what + "\\n")
    if what == "venv":
        environment.PYTHON.parent.mkdir(parents=True)
        environment.PYTHON.symlink_to(sys.executable)
    return 0

environment._logged = _logged
environment.ready(sys.argv[1:])
"""


def start(fresh: Path, *extras: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", STAND_IN, *extras], cwd=fresh, stderr=subprocess.DEVNULL)


def asked(fresh: Path) -> list[str]:
    """What was asked of venv and pip since the last time."""
    log = fresh / "asked"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


posix = pytest.mark.skipif(os.name != "posix", reason="makes symbolic links")


@posix
def test_of_many_that_start_at_once_one_installs(fresh: Path) -> None:
    processes = [start(fresh) for _ in range(6)]
    assert [process.wait(60) for process in processes] == [0] * 6
    assert asked(fresh) == ["venv", "pip ."]


@posix
def test_installs_again_only_if_something_changed(fresh: Path) -> None:
    def steps(*extras: str) -> list[str]:
        assert start(fresh, *extras).wait(60) == 0
        return asked(fresh)

    assert steps() == ["venv", "pip ."]
    assert steps() == []
    assert steps("test") == ["pip .[test]"]
    assert steps("test") == []
    assert steps() == []
    with (fresh / "constraints.txt").open("a") as constraints:
        constraints.write("# changed\n")
    assert steps("test") == ["pip .[test]"]
    python = fresh / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(fresh / "gone")
    assert steps() == ["venv", "pip ."]


@pytest.mark.slow
@pytest.mark.network
def test_without_a_package_index_it_says_what_to_do(fresh: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("PIP_")}
    alone = {**kept, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "scripts/play.py", "games"]
    done = subprocess.run(command, cwd=fresh, env=alone, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    *steps, last = done.stderr.splitlines()
    assert [step.split()[0] for step in steps] == ["Making", "Installing"]
    assert last.startswith("p2p-stonehenge: the package index cannot be reached: go online")
    assert not (fresh / ".venv" / "installed").exists()
