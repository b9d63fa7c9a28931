"""Lines of standard input: each goes to one reader, and none is lost between two of them."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_stonehenge.screen import asking
from p2p_stonehenge.screen.keyboard import KEYBOARD

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import asyncio, sys
from p2p_stonehenge.screen.keyboard import KEYBOARD

async def impatient():
    try:
        print("impatient", await asyncio.wait_for(KEYBOARD.line(), 0.05), flush=True)
    except TimeoutError:
        print("gave up", flush=True)

async def read():
    print(repr(await KEYBOARD.line()), flush=True)
"""


def ran(body: str, typed: bytes) -> list[str]:
    command = [sys.executable, "-c", SCRIPT + body]
    done = subprocess.run(command, cwd=ROOT, input=typed, capture_output=True, check=True, timeout=60)
    return done.stdout.decode().splitlines()


def test_what_was_piped_in_outlives_an_event_loop() -> None:
    assert ran("for _ in range(4): asyncio.run(read())", b"one\r\ntwo\nthr\xc3\xa9e") == [
        "'one'",
        "'two'",
        "'thrée'",
        "None",
    ]


def test_a_line_without_end_comes_in_parts() -> None:
    told = ran("asyncio.run(read()); asyncio.run(read())", b"x" * 70_000 + b"\nend\n")
    assert len(told[0]) > 60_000
    assert told[1].endswith("x'") or told[1] == "'end'"


@pytest.mark.skipif(sys.platform == "win32", reason="a console is read until something comes")
def test_a_reader_that_gave_up_takes_no_line_away() -> None:
    command = [sys.executable, "-c", SCRIPT + "asyncio.run(impatient()); asyncio.run(read())"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"gave up\n"
        process.stdin.write(b"mine\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"'mine'\n"
        process.stdin.close()


def test_what_is_told_meanwhile_stands_above_the_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def line() -> str:
        asking.tell("ben is here.")
        return "1"

    monkeypatch.setattr(KEYBOARD, "line", line)
    assert asyncio.run(asking.ask("Which table? ", hidden=False)) == "1"
    asking.tell("ben sits down.")
    assert capsys.readouterr().out == "Which table? \nben is here.\nWhich table? ben sits down.\n"
