"""Parsing of site pages, for the checks."""

from __future__ import annotations

from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("aria-label", "aria-labelledby", "title", "placeholder")
"""Attributes that can name a control without a label."""
EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


class Page(HTMLParser):
    """A page: its links, loaded files and anchors, and its accessibility problems."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.title = ""
        self.headings: list[int] = []
        self.language = ""
        self._twice: list[str] = []
        self._images: list[str] = []
        self._controls: list[dict[str, str]] = []
        self._labels: set[str] = set()
        self._open: list[str] = []
        self._unnamed: list[list[str]] = []
        self.text = text
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle the start of an element."""
        given = {name: value or "" for name, value in attrs}
        if tag not in EMPTY:
            self._open.append(tag)
        if name := given.get("id"):
            self._twice += [name] if name in self.ids else []
            self.ids.add(name)
        if tag == "html":
            self.language = given.get("lang", "")
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])
            self._unnamed.append([given["href"], "".join(given.get(name, "") for name in NAMES)])
        elif tag == "label":
            self._labels.add(given.get("for", ""))
        elif tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self._controls.append({**given, "inside": "label" if "label" in self._open else ""})
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        self._load(tag, given)

    def _load(self, tag: str, given: dict[str, str]) -> None:
        if tag in ("img", "script", "iframe", "source") and "src" in given:
            self.loads.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "modulepreload"):
            self.loads.append(given.get("href", ""))
        if tag == "img":
            if self._unnamed and "a" in self._open:
                self._unnamed[-1][1] += given.get("alt", "")
            if not given.get("alt"):
                self._images.append(given.get("src", ""))

    def handle_endtag(self, tag: str) -> None:
        """Handle the end of an element, and of those left open in it."""
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title" and "svg" not in self._open:
            self.title += data
        if "a" in self._open and self._unnamed:
            self._unnamed[-1][1] += data.strip()

    @cached_property
    def scripted(self) -> bool:
        """True if a script generates the content, including the anchors."""
        return '<script type="application/json"' in self.text

    def faults(self) -> Iterator[str]:
        """The accessibility problems, in words."""
        if not self.language:
            yield "it does not say its language"
        if not self.title.strip():
            yield "it has no title"
        if self.headings.count(1) != 1:
            yield f"it has {self.headings.count(1)} headings of the first level"
        for before, after in zip(self.headings, self.headings[1:], strict=False):
            if after > before + 1:
                yield f"a heading of level {after} follows one of level {before}"
        yield from (f"the picture {source} has no text in its place" for source in self._images)
        yield from (f"the anchor {name} is there twice" for name in self._twice)
        yield from (f"the link to {link} has no text" for link, text in self._unnamed if not text)
        for control in self._controls:
            named = control["inside"] or control.get("id", "?") in self._labels or any(map(control.get, NAMES))
            if not named:
                yield f"the control {control.get('name') or control.get('id')} has no name"


def read(file: Path) -> Page:
    """Parse the page in a file."""
    return Page(file.read_text(encoding="utf-8"))
