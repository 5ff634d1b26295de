"""Staging of the site's sources: the pages of `docs/` with adapted links, and the generated pages."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from kubemerge.output.addresses import SITE
from tests.conftest import ROOT
from tests.docs.pages import REPOSITORY

from . import kind_pages, lint_pages, release_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = ROOT / "docs"
MADE = {
    "Releases": ("releases/index",),
    "Kinds": ("kinds/index",),
    "Lint": ("lint",),
}
"""Generated pages in the navigation, by the section of docs/README.md above them."""
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_CODE = re.compile(r"(?:\.\./)*lint\.(?:md|html)#(km\d+)-[\w-]+")
TRY = """\
# Playground

The same engine, in your browser: paste what was applied last, the config and the live object, choose a release, and see
the patch, the result and the reason beside each field. Nothing is sent anywhere.

<p><a href="playground/index.html">Open the playground</a></p>
"""
"""The page that links to the playground, which Sphinx does not build."""
CSS = """\
/* Wide tables scroll by themselves, and inline code in them keeps together. */
.content table.docutils td code { overflow-wrap: anywhere; }
.content table.docutils td:first-child:has(code) { min-width: 10rem; }
.content .highlight pre { white-space: pre-wrap; overflow-wrap: anywhere; }
/* The recording keeps its size on a narrow screen, and scrolls. */
.content p:has(> img[src*="first-minute"]) { overflow-x: auto; }
.content img[src*="first-minute"] { min-width: 42rem; }
.content img { border: 1px solid var(--color-background-border); border-radius: 0.3rem; }
"""


def stage(source: Path, *, playground: bool) -> None:
    """Fill a folder with the sources."""
    pages = {str(file.relative_to(DOCS).as_posix()): file.read_text(encoding="utf-8") for file in DOCS.rglob("*.md")}
    index = pages.pop("README.md")
    pages["index.md"] = _index(index, playground=playground)
    pages |= lint_pages.pages()
    if playground:
        pages["playground.md"] = TRY
    pages |= {f"kinds/{name}": text for name, text in kind_pages.pages().items()}
    extra = source / "extra"
    shutil.copytree(DOCS / "pictures", extra / "pictures")
    reports = extra / "releases" / "reports"
    reports.mkdir(parents=True)
    for name, text, report in release_pages.pages():
        pages[f"releases/{name}.md"] = text
        if report:
            (reports / f"{name}.html").write_text(report, encoding="utf-8")
    shutil.copy(Path(__file__).with_name("conf.py"), source)
    for name, text in pages.items():
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_with_links(name, text), encoding="utf-8")
    (source / "static").mkdir()
    (source / "static" / "ours.css").write_text(CSS, encoding="utf-8")
    shutil.copy(Path(__file__).with_name("icon.svg"), source / "static")
    for picture in (DOCS / "pictures").iterdir():
        (source / "pictures").mkdir(exist_ok=True)
        shutil.copy(picture, source / "pictures" / picture.name)


_OF_A_PAGE = re.compile(re.escape(SITE) + "(?!playground/)")
"""The prefix of links to pages of the site, which become relative; the playground is not a Sphinx page."""


def _index(text: str, *, playground: bool) -> str:
    """The first page: the beginning of the README, and the navigation with the lists of its sections."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    if not playground:
        readme = "\n\n".join(one for one in readme.split("\n\n") if f"{SITE}playground/" not in one)
    parts = [_OF_A_PAGE.sub("", readme), text.partition("\n")[2]]
    for title, body in re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", text, re.MULTILINE):
        found = re.findall(r"\]\(([\w/-]+)\.md\)", body) if body.lstrip().startswith("- ") else []
        entries = list(dict.fromkeys(found))
        if entries:
            parts.append(_toctree(title, (entry for entry in entries if entry != "lint")))
    for title, made in MADE.items():
        parts.append(_toctree(title, made))
    if playground:
        parts.append(_toctree("Try", ["playground"]))
    return "\n".join(parts)


def _toctree(title: str, entries: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    lines = "\n".join(entries)
    return f"```{{toctree}}\n:hidden:\n:caption: {title}\n:titlesonly:\n\n{lines}\n```\n"


def _with_links(name: str, text: str) -> str:
    """The text of a page with its links adapted to the site."""
    fences = _FENCED.findall(text)
    plain = iter(_FENCED.split(text))
    parts = [_LINK.sub(lambda found: f"{found[1]}{_leads(name, found[2])}{found[3]}", next(plain))]
    for fence in fences:
        parts += [fence, _LINK.sub(lambda found: f"{found[1]}{_leads(name, found[2])}{found[3]}", next(plain))]
    return "".join(parts)


def _leads(name: str, link: str) -> str:
    """The target of a link: a code's own page instead of its section, and the repository for files outside the site."""
    place, _, anchor = link.partition("#")
    here = os.path.dirname(name)  # noqa: PTH120 - not a path of the file system
    if found := _CODE.fullmatch(link if place else f"{name}{link}"):
        return os.path.relpath(f"lint/{found[1].upper()}.md", here or ".").replace(os.sep, "/")
    if not place or place.startswith("http"):
        return link
    inside = os.path.normpath(os.path.join(here, place)).replace(os.sep, "/")  # noqa: PTH118
    if inside == "README.md":
        return os.path.relpath("index.md", here or ".").replace(os.sep, "/") + (f"#{anchor}" if anchor else "")
    in_docs = (DOCS / inside).is_file() and not inside.startswith("..")
    if in_docs and inside.endswith((".md", ".png", ".svg")):
        return link
    if in_docs or inside.startswith(".."):
        return f"{REPOSITORY}blob/main/{os.path.normpath(f'docs/{inside}')}" + (f"#{anchor}" if anchor else "")
    return link
