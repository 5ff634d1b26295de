"""The documentation's pages, and the parts that tests look for in them: blocks, headings and links."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from kubemerge.output.addresses import SITE
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

EXPLAINED = ("codegen", "engine", "kubemerge", "playground", "tests")
"""The folders with decisions next to the code."""

PAGES = tuple(
    str(file.relative_to(ROOT))
    for file in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        ROOT / "SECURITY.md",
        ROOT / "tests/RECORDERS.md",
        *sorted(ROOT.glob("docs/**/*.md")),
        *sorted(file for folder in EXPLAINED for file in (ROOT / folder).rglob("DECISIONS.md")),
    )
)
"""Every page, by its path in the repository."""

REPOSITORY = "https://github.com/kubemerge/kubemerge/"
"""The address of the repository, as in `pyproject.toml`."""
_BLOCK = re.compile(r"^```(?P<info>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    """A fenced block: its page, the line it begins in, its info string, and the text between the fences."""

    page: str
    line: int
    info: str
    text: str


@cache
def text_of(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = text_of(page)
    return [
        Block(page, text.count("\n", 0, found.start()) + 2, found["info"], found["text"])
        for found in _BLOCK.finditer(text)
    ]


def links(page: str) -> list[str]:
    """Where a page links to."""
    return _LINK.findall(_BLOCK.sub("", text_of(page)))


def target(page: str, link: str) -> tuple[Path, str] | None:
    """The file that a link leads to, with the anchor in it. None for a link to another project."""
    place, _, anchor = link.partition("#")
    if place.startswith(SITE):
        path = place.removeprefix(SITE) or "README.md"
        return _of_the_site(path), anchor
    if place.startswith(f"{REPOSITORY}blob/main/"):
        return ROOT / place.removeprefix(f"{REPOSITORY}blob/main/"), anchor
    if place.startswith(("http://", "https://")):
        return None
    return ((ROOT / page).parent / place if place else ROOT / page), anchor


def _of_the_site(path: str) -> Path:
    """The source of a page or a file of the site."""
    if path.startswith("playground/"):
        return ROOT / "playground" / "page" / path.removeprefix("playground/")
    return ROOT / "docs" / (f"{path.removesuffix('.html')}.md" if path.endswith(".html") else path)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub and GitLab make them."""
    found: list[str] = []
    for heading in _HEADING.findall(_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return frozenset(found)
