"""The README's pictures: of every game, shown, described, and what the program draws now."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"


def test_the_pictures_are_what_the_program_draws_now() -> None:
    command = [sys.executable, "scripts/pictures.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "All pictures are current.\n"), done.stdout + done.stderr[-2000:]


GAMES = ("celtic-whist", "fidchell", "fidchess", "kingamon", "qenqe")


def test_the_readme_shows_every_game_and_describes_what_it_shows() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = dict(re.findall(r'<img src="docs/pictures/([a-z-]+)\.svg"[^>]* alt="([^"]{20,})"', readme))
    assert set(GAMES) <= set(shown)
    assert shown.keys() <= {path.stem for path in PICTURES.glob("*.svg")}
    assert readme.count("<img ") == len(shown)


COLUMN = 830
"""Pixels of the column in which a README is read."""
SMALLEST = 9.0
"""Pixels that the smallest letters of a picture need to be read."""


def test_every_letter_of_a_picture_can_be_read_where_the_readme_shows_it() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r'<img src="docs/pictures/([a-z-]+)\.svg" width="(\d+)%"', readme)
    assert len(shown) == readme.count("<img ")
    for name, part in shown:
        text = (PICTURES / f"{name}.svg").read_text("utf-8")
        width = re.search(r'width="([\d.]+)"', text)
        assert width
        scale = COLUMN * int(part) / 100 / float(width[1])
        letters = min(map(float, re.findall(r'font-size="([\d.]+)"', text)))
        assert scale * letters >= SMALLEST, f"{name}: {scale * letters:.1f} px"


def test_the_terminal_and_the_drawing_show_the_same_action() -> None:
    for key in GAMES:
        drawn, window = ((PICTURES / f"{key}{end}.svg").read_text("utf-8") for end in ("", "-terminal"))
        caption = re.search(r"<desc>(\d+)\. ([^.]*)\.", drawn)
        assert caption
        number, told = caption.groups()
        assert f">{number}<" in window, key
        assert told in window, key


def test_the_pictures_are_small_and_load_nothing() -> None:
    paths = list(PICTURES.glob("*.svg"))
    assert len(paths) == 2 * len(GAMES)
    for path in paths:
        text = path.read_text("utf-8")
        assert len(text) < 40_000, path.name
        assert "href" not in text
        assert "url(" not in text
        ElementTree.fromstring(text)
