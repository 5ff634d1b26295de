"""A page as a parser sees it: its elements with their attributes, and the text that people read."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "wbr", "img", "link", "path", "circle", "use"}
OPEN = {"p", "td", "th", "tr", "li"}
"""Elements that need no end tag."""


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """All elements in their order. The text of each excludes the text of its children."""

    source: str
    elements: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice: {names}"
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        while self.open and self.open[-1].tag != tag and self.open[-1].tag in OPEN:
            self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].text += data
        if not self.open or self.open[-1].tag not in ("style", "script"):
            self.text += data

    def all(self, tag: str = "", **attributes: str | None) -> list[Element]:
        """The elements of this tag with these attributes. None matches any value."""
        wanted = {name.replace("_", "-").strip("-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.elements
            if (not tag or one.tag == tag)
            and all(name in one.attributes and value in (None, one.attributes[name]) for name, value in wanted.items())
        ]

    def one(self, tag: str = "", **attributes: str | None) -> Element:
        (found,) = self.all(tag, **attributes)
        return found


def counts(element: Element) -> dict[str, int]:
    """The counts in the attributes of an element, by severity."""
    return {name: int(element.attributes.get(f"data-{name}", 0)) for name in ("breaking", "notable", "info")}
