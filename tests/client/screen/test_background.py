"""The palette that follows the terminal's answer to what its background is: real pseudo-terminals, also silent ones."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ATTRIBUTES = b"\x1b[?62;22c"
LIGHT, DARK, GREY = (b"\x1b]11;rgb:%s\x1b\\" % parts for parts in (b"ffff/fdfd/f6f6", b"1e/1e/2e", b"8/8/8"))
PATIENT = "from p2p_stonehenge.screen import background; background.PATIENCE = 60.0; print(background.palette('auto'))"
KEPT = """
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input.defaults import create_input
from prompt_toolkit.input.typeahead import get_typeahead
with create_app_session(input=create_input()) as session:
    exec(%r)
    print([key.data for key in get_typeahead(session.input)])
"""


def told(program: str, answer: bytes, **environ: str) -> str:
    """What a program writes to a terminal that answers once it is asked, or at the end; without the question itself."""
    import pty  # there is none on Windows

    terminal, inner = pty.openpty()
    usual = {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORFGBG")}
    words = [sys.executable, "-c", program]
    child = subprocess.Popen(words, stdin=inner, stdout=inner, stderr=inner, cwd=ROOT, env=kept | usual | environ)
    os.close(inner)
    got, asked, until = b"", False, time.monotonic() + 90
    try:
        while time.monotonic() < until:
            if b"\x1b[c" in got and not asked:
                asked = True
                os.write(terminal, answer)
            if not select.select([terminal], [], [], 0.1)[0]:
                if child.poll() is not None:
                    break
                continue
            try:
                data = os.read(terminal, 1024)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            got += data
    finally:
        child.kill()
        child.wait()
        os.close(terminal)
    return got.decode()


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


@pytest.mark.parametrize(
    ("answer", "palette"),
    [
        (LIGHT + ATTRIBUTES, "light"),
        (DARK + ATTRIBUTES, "dark"),
        (GREY + ATTRIBUTES, "either"),
        (b"\x1b]11;rgb:0/0/0\x07" + ATTRIBUTES, "dark"),
        (b"\x1b]11;rgba:ffff/ffff/ffff/8000\x07" + ATTRIBUTES, "light"),
        (ATTRIBUTES, "either"),
        (b"\x1b]11;rgb:zz/\x1b[31m" + ATTRIBUTES, "either"),
    ],
    ids=["light", "dark", "grey", "black", "with-alpha", "no-colour", "rubbish"],
)
def test_the_palette_is_that_for_the_background_the_terminal_answers(answer: bytes, palette: str) -> None:
    assert told(PATIENT, answer).replace("\x1b]11;?\x1b\\\x1b[c", "").strip() == palette


def test_a_terminal_that_answers_nothing_is_not_waited_for() -> None:
    program = PATIENT.replace("60.0", "0.1")
    assert told(program, b"").endswith("either\r\n")


def test_what_is_typed_during_the_question_reaches_the_next_prompt() -> None:
    assert told(KEPT % PATIENT, b"so" + DARK + b"lo" + ATTRIBUTES).endswith("dark\r\n['s', 'o', 'l', 'o']\r\n")


@pytest.mark.parametrize(
    "environ",
    [{"TERM": "dumb"}, {"TERM": "linux"}, {"NO_COLOR": "1"}, {"COLORFGBG": "15;0"}],
    ids=["dumb", "console", "no-colour", "told"],
)
def test_a_terminal_that_would_show_the_question_or_has_told_is_not_asked(environ: dict[str, str]) -> None:
    palette = "dark" if "COLORFGBG" in environ else "either"
    assert told(PATIENT, b"", **environ) == f"{palette}\r\n"


def test_line_by_line_no_terminal_is_asked(tmp_path: Path) -> None:
    program = "import sys; from p2p_stonehenge.__main__ import main; sys.exit(main(sys.argv))"
    words = ["doctor", "--plain", "--seconds", "0.1", "--interface", "127.0.0.1", "--home", str(tmp_path)]
    out = told(program.replace("sys.argv", repr(words)), b"")
    assert "screen" in out
    assert "\x1b" not in out


def test_a_pipe_is_not_asked() -> None:
    done = subprocess.run([sys.executable, "-c", PATIENT], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "\x1b" not in done.stdout
