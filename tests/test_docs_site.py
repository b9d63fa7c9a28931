"""The documentation as a site: every page built, every link leading somewhere, and a broken one named."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

from scripting import script

ROOT = Path(__file__).resolve().parent.parent


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in attrs if value}
        self.ids |= {told["id"]} if "id" in told else set()
        self.links += [told[name] for name in ("href", "src") if name in told]


def test_the_site_builds_and_every_link_in_it_leads_somewhere(tmp_path: Path) -> None:
    command = [sys.executable, "scripts/docs_site.py", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {}
    for path in tmp_path.rglob("*.html"):
        pages[path] = Links()
        pages[path].feed(path.read_text("utf-8"))
    assert len(pages) >= 15
    for path, page in pages.items():
        for link in page.links:
            if "://" in link:
                continue
            name, _, anchor = link.partition("#")
            there = (path.parent / name).resolve() if name else path
            assert there.exists(), (path.name, link)
            assert not anchor or anchor in pages[there].ids, (path.name, link)
    assert (tmp_path / "docs" / "pictures" / "fidchell.svg").exists()


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(
        "# One\n\n[a](docs/two.md) [b](docs/two.md#there) [c](docs/two.md#gone) [d](docs/none.md) [e](https://x.test)"
        ' ![f](no.svg)\n\n<img src="none.svg" alt="g">\n'
    )
    (tmp_path / "docs" / "two.md").write_text("# Two\n\n## There\n\n[up](../README.md) [out](../../etc/passwd)\n")
    broken = script("docs_site").build(tmp_path, tmp_path / "out")
    assert broken == [
        "README.md: docs/two.md#gone",
        "README.md: docs/none.md",
        "README.md: no.svg",
        "README.md: no.svg",
        "README.md: none.svg",
        "docs/two.md: ../../etc/passwd",
    ]
    assert 'href="docs/two.html#there"' in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert 'href="../index.html"' in (tmp_path / "out" / "docs" / "two.html").read_text("utf-8")
