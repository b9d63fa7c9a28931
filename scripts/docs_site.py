"""Build the documentation as a small site, and check every link in it: python scripts/docs_site.py

Pages are the documents of the root, what is in docs/, and the rules of the games; they go to build/site (or --out DIR)
and need nothing but a browser. Exit codes: 1 a link leads nowhere, each is named; 2 bad usage.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
FAILED = 1
FIRST = (
    "README.md",
    "docs/tour.md",
    "docs/manual.md",
    "docs/export.md",
    "docs/rules/README.md",
    "docs/reliability.md",
    "docs/architecture.md",
)
"""The pages that the navigation names first; the others follow by their titles."""
STYLE = """
:root { color-scheme: light dark; }
:root { --paper: #f7f4ec; --stone: #e9e3d3; --line: #a2977d; --ink: #2a2823; --mark: #8f3f04; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1b1d1b; --stone: #2b2e2a; --line: #6d6959; --ink: #ece7d8; --mark: #ff9b45; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
nav { background: var(--stone); padding: 0.5rem 1rem; }
nav a { margin-right: 1rem; line-height: 2.2; white-space: nowrap; }
a { color: var(--mark); }
img { max-width: 100%; height: auto; }
pre, table { overflow-x: auto; display: block; }
pre { background: var(--stone); padding: 0.75rem; border-radius: 6px; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.9em; }
td, th { border-bottom: 1px solid var(--line); padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; vertical-align: top; }
:focus-visible { outline: 3px solid var(--mark); }
"""


class Page(NamedTuple):
    """One document: where it lies under the root, its title, its tokens, and its places that a link may name."""

    path: str
    title: str
    tokens: list[Token]
    anchors: frozenset[str]

    @property
    def target(self) -> str:
        """Return where the page goes."""
        return {"README.md": "index.html"}.get(self.path, self.path.removesuffix(".md") + ".html")


def documents(root: Path) -> list[str]:
    """Return the paths of all documents, those that come first in front."""
    found = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    found += [*sorted((root / "docs").rglob("*.md")), *sorted((root / "p2p_stonehenge" / "rules").glob("*.md"))]
    paths = [path.relative_to(root).as_posix() for path in found if path.exists()]
    return sorted(paths, key=lambda path: FIRST.index(path) if path in FIRST else len(FIRST))


def read(root: Path, path: str) -> Page:
    """Return a document, its headings given the anchors by which links name them."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse((root / path).read_text("utf-8"))
    anchors: dict[str, int] = {}
    title = path
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[at + 1].content.replace("`", "")
            title = words if title == path else title
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            anchors[slug] = anchors.get(slug, -1) + 1
            token.attrSet("id", f"{slug}-{anchors[slug]}" if anchors[slug] else slug)
    ids = [str(token.attrGet("id")) for token in tokens if token.type == "heading_open"]
    return Page(path, title, tokens, frozenset(ids))


def links(page: Page) -> Iterator[tuple[Token, str]]:
    """Yield each link and picture of a page, with the attribute that holds where it leads."""
    for token in page.tokens:
        for inner in token.children or ():
            if inner.type in ("link_open", "image"):
                yield inner, "href" if inner.type == "link_open" else "src"


def place(root: Path, page: Page, link: str) -> tuple[str, str]:
    """Return the path under the root, and the anchor, to which a link of a page leads."""
    path, _, anchor = unquote(link).partition("#")
    if not path:
        return page.path, anchor
    there = ((root / page.path).parent / path).resolve()
    return (there.relative_to(root).as_posix() if there.is_relative_to(root) else f"outside: {path}"), anchor


def build(root: Path, out: Path) -> list[str]:
    """Write the site; return the links that lead nowhere."""
    pages = {path: read(root, path) for path in documents(root)}
    broken = []
    for page in pages.values():
        up = "../" * page.target.count("/")
        for token, name in links(page):
            link = str(token.attrGet(name))
            if re.match(r"[a-z]+:", link):
                continue
            path, anchor = place(root, page, link)
            there = pages.get(path)
            if not (there or (root / path).exists()) or (there and anchor and anchor not in there.anchors):
                broken.append(f"{page.path}: {link}")
            elif there:
                token.attrSet(name, up + there.target + (f"#{anchor}" if anchor else ""))
            elif (root / path).is_file():
                _copy(root / path, out / path)
                token.attrSet(name, up + path)
        body = MarkdownIt("commonmark", {"html": True}).renderer.render(page.tokens, MarkdownIt().options, {})
        for source in re.findall(r'<img src="([^":]+)"', body):
            if (root / page.path).parent.joinpath(source).exists():
                path, _ = place(root, page, source)
                _copy(root / path, out / path)
            else:
                broken.append(f"{page.path}: {source}")
        target = out / page.target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_html(page, list(pages.values()), up, body), "utf-8", newline="\n")
    return broken


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _html(page: Page, pages: list[Page], up: str, body: str) -> str:
    marked = {page.path: ' aria-current="page"'}
    listed = "".join(f'<a href="{up}{one.target}"{marked.get(one.path, "")}>{escape(one.title)}</a>\n' for one in pages)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.title)}</title>
<style>{STYLE}</style>
</head>
<body>
<nav aria-label="Pages">
{listed}</nav>
<main>
{body}</main>
</body>
</html>
"""


def main() -> int:
    """Build the site and say what is wrong with it; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the documentation as a small site and check its links.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", metavar="DIR", help="default: build/site")
    out = parser.parse_args().out
    broken = build(ROOT, out)
    for link in broken:
        print(f"leads nowhere: {link}", file=sys.stderr)
    print(f"{len(list(out.rglob('*.html')))} pages in {out}")
    return FAILED if broken else 0


if __name__ == "__main__":
    sys.exit(main())
