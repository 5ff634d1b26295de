"""Check the built site: `python -m website.check [FOLDER]`. Prints every problem and exits with 1.

Every page is checked: links and anchors, loaded files, size, and accessibility. A browser shows a few pages at three
widths, light and dark: contrast, content wider than the window, console errors, requests, the search. Screenshots go to
`FOLDER-pictures`, for review.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from urllib.parse import unquote

from kubemerge.linting.gate.rules import ALL as RULES
from kubemerge.output.addresses import SITE, lint_page
from tests.conftest import ROOT
from tests.docs.pages import links as links_of
from tests.kubemerge.html.browser import missing

from .browser_checks import show
from .page_parser import Page, read

LARGEST = {"page": 600 * 2**10, "report": 2**20, "script": 2 * 2**20, "site": 16 * 2**20}
"""The maximum bytes of a page, a compare report, the search index, and everything but the playground."""
REPORTS, PLAYGROUND, SEARCH = "releases/reports/", "playground/", "search.html"
"""Parts that are built and checked elsewhere."""


def main() -> int:
    """Check everything; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m website.check", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    folder = parser.parse_args().folder.absolute()
    pages = {file.relative_to(folder).as_posix(): read(file) for file in sorted(folder.rglob("*.html"))}
    wrong = [*broken_links(folder, pages), *foreign(pages), *too_large(folder), *unreadable(pages), *promised(pages)]
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links and {size(folder) / 2**20:.1f} MiB were looked at")
    if missing():
        print(f"{missing()}: nothing was shown")
    else:
        wrong += show(folder, folder.with_name(f"{folder.name}-pictures"))
    for one in wrong:
        print(one)
    print(f"{len(wrong)} things are wrong")
    return int(bool(wrong))


def broken_links(folder: Path, pages: dict[str, Page]) -> list[str]:
    """Links to missing pages, files or anchors of the site."""
    return [
        f"{name}: {link} leads nowhere"
        for name, page in pages.items()
        if not name.startswith(PLAYGROUND)
        for link in (*page.links, *page.loads)
        if not link.startswith(("http:", "https:", "data:", "mailto:")) and not _leads(folder, pages, name, link)
    ]


def _leads(folder: Path, pages: dict[str, Page], name: str, link: str) -> bool:
    place, _, anchor = link.partition("#")
    place = unquote(place.partition("?")[0])
    file = (folder / name).parent / place if place else folder / name
    file = (file / "index.html" if file.is_dir() else file).resolve()
    if not file.is_file() or not file.is_relative_to(folder.resolve()):
        return False
    there = pages.get(file.relative_to(folder.resolve()).as_posix())
    return not anchor or there is None or there.scripted or unquote(anchor) in there.ids


def foreign(pages: dict[str, Page]) -> list[str]:
    """Files that pages load from other hosts."""
    return [
        f"{name} loads {load}"
        for name, page in pages.items()
        for load in page.loads
        if load.startswith(("http:", "https:", "//"))
    ]


def size(folder: Path) -> int:
    """The bytes of the site, without the playground."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return sum(file.stat().st_size for file in files if not _is_of(PLAYGROUND, folder, file))


def _is_of(part: str, folder: Path, file: Path) -> bool:
    return file.relative_to(folder).as_posix().startswith(part)


def too_large(folder: Path) -> list[str]:
    """Files that take long to load."""
    found = [] if size(folder) <= LARGEST["site"] else [f"the site has {size(folder)} bytes"]
    for file in sorted(folder.rglob("*")):
        kind = "report" if _is_of(REPORTS, folder, file) else "page" if file.suffix == ".html" else "script"
        if file.is_file() and not _is_of(PLAYGROUND, folder, file) and file.stat().st_size > LARGEST[kind]:
            found.append(f"{file.relative_to(folder)} has {file.stat().st_size} bytes")
    return found


def unreadable(pages: dict[str, Page]) -> list[str]:
    """Missing accessibility labels and search metadata."""
    ours = {name: page for name, page in pages.items() if not name.startswith((REPORTS, PLAYGROUND, SEARCH))}
    found = [f"{name}: {one}" for name, page in ours.items() for one in page.faults()]
    titles: dict[str, str] = {}
    for name, page in ours.items():
        if page.title in titles:
            found.append(f"{name} is called {page.title!r}, as {titles[page.title]} is")
        titles.setdefault(page.title, name)
    return found


def promised(pages: dict[str, Page]) -> list[str]:
    """Missing pages that are linked from elsewhere: lint output and the README."""
    wanted = [lint_page(code) for code in RULES] + [link for link in links_of("README.md") if link.startswith(SITE)]
    found = []
    playground = any(name.startswith(PLAYGROUND) for name in pages)
    for link in wanted:
        place, _, anchor = link.removeprefix(SITE).partition("#")
        if place.startswith(PLAYGROUND) and not playground:
            continue  # the site was built without it, for example without npm
        page = pages.get(place or "index.html")
        if place.startswith("pictures/"):
            continue  # which are pictures of the first page
        if page is None or (anchor and anchor not in page.ids):
            found.append(f"{link} is promised, and not there")
    return found


if __name__ == "__main__":
    sys.exit(main())
