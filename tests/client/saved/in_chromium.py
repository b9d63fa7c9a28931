"""The browser in which exported pages are opened: what a test module needs for it, or why the module is skipped."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import pytest

driver = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`: pip install '.[browser]'")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: apt install chromium"),
]
Browser: TypeAlias = Any
"""That of playwright, which is not always installed."""


@contextmanager
def launched() -> Iterator[Browser]:
    """Run the browser for a while."""
    with driver.sync_playwright() as playing:
        # Debian's Chromium has no sandbox for root, who runs the tests in a container.
        browser = playing.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
