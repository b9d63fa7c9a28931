"""docs/protocol.md and the pages beside it say what the program does: drawn tables, domains, names of tests."""

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from scripting import script

from protocol import Advert, Attending, DeclineReason, LeaveReason, Message, Watchers
from protocol.messages import MESSAGES, MessageKind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
ATTACKS = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
RELIABILITY = "\n".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("reliability.md", "measurements.md")
)


def names_of_tests() -> set[str]:
    """The names of all tests."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found.update(re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    return found


def test_the_tables_of_slots_and_events_are_those_of_the_code() -> None:
    run = [sys.executable, "scripts/draw_protocol.py", "--check"]
    found = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_table_that_differs_is_found_and_drawn_anew() -> None:
    draw = script("draw_protocol")
    for page, name, right, wrong in (
        (PAGE, "protocol.md", "int, 0-255", "int, 0-999"),
        (ARCHITECTURE, "architecture.md", "due --> KEY", "due --> SHUFFLE"),
    ):
        assert right in page
        assert draw.drawn(page, name) == page
        assert draw.drawn(page.replace(right, wrong), name) == page


def test_the_page_stays_short_enough_to_be_read() -> None:
    assert len(PAGE.partition("## 12. ")[0].split()) <= 6500, "words that a verifier needs"
    assert len(PAGE.split()) <= 9550, "words"


def messages() -> dict[str, tuple[str, str]]:
    """The rows of the table of messages: for each name the array, and what is said of its fields."""
    rows = re.findall(r"^\| `(\[\d.*?\])`.*?(?:: )?\b([A-Z][a-z]+) \| (.*) \|$", PAGE, re.MULTILINE)
    return {name: (array, words) for array, name, words in rows}


def codes(words: str, after: str = "") -> list[int]:
    """The numbers of the codes in a cell that says a few words of each."""
    return [int(code) for code in re.findall(r"(?:^| )(\d) [a-z]", words.partition(after)[2] if after else words)]


def test_the_table_of_messages_is_that_of_the_code() -> None:
    rows = messages()
    assert {*MESSAGES.values()} == {*get_args(Message)}
    assert {*MESSAGES} == {*MessageKind}
    assert [*rows] == [type_.__name__ for type_ in MESSAGES.values()]
    for (array, _), (kind, type_) in zip(rows.values(), MESSAGES.items(), strict=True):
        number, *fields = re.sub(r"\[[^\[\]]+(\.\.\.)?\]", "list", array[1:-1].replace("]...", "]")).split(", ")
        assert (int(number), len(fields)) == (kind, len(type_._fields) - (type_ is Advert)), "a match is an extra field"
        assert type_.__name__.upper() == kind.name


def test_the_codes_on_the_page_are_those_of_the_code() -> None:
    rows = messages()
    assert codes(rows["Decline"][1]) == [*DeclineReason]
    assert codes(rows["Leave"][1]) == [*LeaveReason]
    assert codes(rows["Attendance"][1], "how each seat's client is there") == [*Attending]
    (watching,) = re.findall(r"^\| watching \| [^|]+ \| (.*) \|$", PAGE, re.MULTILINE)
    assert codes(watching) == [*Watchers]


def test_every_domain_of_hashes_and_signatures_is_listed() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "protocol").rglob("*.py"))
    persons = set(re.findall(r'blake\(\s*"([^"]+)"', source)) | {"sh/card-point/1", "sh/generator/1"}
    signed = set(re.findall(r'b"(stonehenge/[a-z]+/\d)"', source))
    assert len(signed) == 4
    assert {"sh/event/2", "sh/commit/2", "sh/table/1"} < persons
    assert {name for name in persons | signed if f"`{name}`" not in PAGE} == set()
    assert set(re.findall(r"`(sh/[a-z-]+/\d|stonehenge/[a-z]+/\d)`", PAGE)) == persons | signed
    assert all(len(name) <= 16 for name in persons)


def constants() -> dict[str, float]:
    """Every constant of `protocol` that is a number, by name."""
    found: dict[str, float] = {}
    for path in (ROOT / "protocol").rglob("*.py"):
        module = importlib.import_module(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        )
        found |= {name: value for name, value in vars(module).items() if name.isupper() and type(value) in (int, float)}
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AHEAD_LIMIT", "its number is at most {} above `behind`"),
        ("AHEAD_BYTES", "have with it at most {:,} bytes"),
        ("EVENT_LIMIT", "an array of eight, at most {:,} bytes"),
        ("MESSAGE_LIMIT", "One array each, at most {:,} bytes"),
        ("RECORD_LIMIT", "4 bytes, big endian, at most {:,}"),
        ("CHARTER_LIMIT", "in seat order; at most {} bytes"),
        ("EPOCH_STRIDE", "at most {} above the highest of"),
        ("WAITING_LIMIT", "it waits: at most {} events of a seat"),
        ("PROOFS_LIMIT", "the first {} proofs held"),
        ("WISH_OUTLIVES", "WISH 1: wishes = {},"),
        ("RENEWALS", "At most {} epochs in which nobody leaves begin at one slot"),
        ("COOL", "the client signs no other such one for {} seconds"),
        ("GRACE", "has owed a signature for {} seconds"),
        ("ANSWER_WITHIN", "for {} seconds from hearing of an agreement"),
        ("STUBBORN", "a number as high excuses it, {} times at one slot"),
        ("STAGGER", "waits {} (n - 1) seconds before"),
        ("AT_ONE_SLOT", "fewer than {} that are no EPOCHs"),
        ("AGREEMENTS_AT_ONE_SLOT", "fewer than {} EPOCHs"),
        ("PATIENCE", "After {} seconds more than half"),
        ("RESULT_PATIENCE", "hold each other's RESULT, or {} seconds"),
        ("HAVE_EVERY", "every {} seconds, and in answer to new events"),
        ("REPEAT_AFTER", "an event not twice within {} s"),
        ("ATTEMPT_BYTES", "attempt | {} bytes"),
        ("BYTES_A_SECOND", "sent to spectators of a client | {:,} bytes a second"),
        ("BYTES_AT_ONCE", "bytes a second, {:,} at once"),
        ("UNCONFIRMED", "at most {:,} bytes of events more than it has said"),
        ("ASK_AFTER", "for each {:,} bytes of events"),
        ("PLACES", "beyond {} spectators"),
        ("ASK_EVERY", "send Watch every {} seconds"),
        ("SPOKEN_AT_ONCE", "of all of a client | {} at once"),
        ("SPEAKS_EVERY", "3 at once, one in {} s"),
        ("ALL_SPOKEN_AT_ONCE", "one in 5 s; {} at once"),
        ("ALL_SPEAK_EVERY", "6 at once, one in {} s"),
    ],
)
def test_a_limit_on_the_page_is_that_of_the_code(name: str, words: str) -> None:
    value = constants()[name]
    assert words.format(int(value) if value == int(value) else value) in " ".join(PAGE.split())


def test_every_attack_names_a_test_or_a_vector_that_exists() -> None:
    rows = [row for row in ATTACKS.splitlines() if re.match(r"\| (?!attack|---)", row)]
    assert len(rows) > 60
    known, files = names_of_tests(), {path.stem for path in (ROOT / "tests" / "data" / "vectors" / "files").iterdir()}
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        vectors = re.findall(r"vector `([\w-]+)`", row)
        assert named or vectors, row
        assert {*named} <= known, {*named} - known
        assert {*vectors} <= files, {*vectors} - files


def test_every_test_and_command_that_the_page_of_promises_names_exists() -> None:
    assert set(re.findall(r"`(test_\w+)`", RELIABILITY)) <= names_of_tests() | files_of_tests()
    scripts = set(re.findall(r"scripts/(\w+\.py)", RELIABILITY))
    assert scripts
    assert {name for name in scripts if not (ROOT / "scripts" / name).exists()} == set()


def files_of_tests() -> set[str]:
    """The files of tests, without their ending: a page may name a whole file."""
    return {path.stem for path in (ROOT / "tests").rglob("test_*.py")}


def functions(path: Path) -> set[str]:
    """The functions of a file, with the names of their classes before them, and its tables."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(one.id for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.ClassDef):
            found.update(f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef))
    return found


def test_the_walks_and_the_places_of_decisions_name_what_exists() -> None:
    steps = re.findall(r"^\| [^|]+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$", ARCHITECTURE, re.MULTILINE)
    assert len(steps) == 40
    assert {step for step in steps if step[1] not in functions(ROOT / step[0])} == set()


def test_the_rooms_of_protocol_and_client_are_listed_with_every_file() -> None:
    listed, room = set(), ""
    for name, files in re.findall(
        r"^\| (?:`((?:protocol|p2p_stonehenge)[\w/]*)`)? ?\| (`[^|]+) \|", ARCHITECTURE, re.MULTILINE
    ):
        room = name or room
        listed |= {f"{room}/{file}.py" for file in re.findall(r"`(\w+)`", files)}
    found = {
        path.relative_to(ROOT).as_posix()
        for top in ("protocol", "p2p_stonehenge")
        for path in (ROOT / top).rglob("*.py")
    }
    found = {path for path in found if not path.endswith(("__init__.py", "__main__.py")) and "/views/" not in path}
    assert listed - found == set()
    assert found - listed == set()


def test_the_glossary_is_short_and_in_order() -> None:
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", ARCHITECTURE, re.MULTILINE)
    assert 40 < len(terms) <= 60
    assert terms == sorted({*terms}, key=str.lower)
