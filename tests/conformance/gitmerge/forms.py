"""The forms of a case's texts: line endings, notations, Lists, JSON, comments with tabs, anchors and blocks of text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import yaml

from codegen.documents.problems import BadDocument

from .judge import documents_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_VALUE = re.compile(r"^( *(?:- +)?[A-Za-z][\w./-]*:) +([A-Za-z0-9][\w./-]*)$")
_WORDS = ("alpha", "beta", "gamma", "delta")


def readable(text: str) -> bool:
    """Whether PyYAML reads the text."""
    try:
        return any(isinstance(one, (dict, list)) for one in yaml.load_all(text, Loader=yaml.CBaseLoader))
    except yaml.YAMLError:
        return False


def before_edits(text: str, draw: random.Random) -> str:
    """The base in another notation, for edits."""
    for change in draw.sample(_BEFORE, draw.randint(0, 2)):
        new = "\n".join(change(text.split("\n"), draw))
        text = new if readable(new) else text
    return text


def _at(lines: list[str], draw: random.Random) -> int | None:
    found = [at for at, line in enumerate(lines) if _VALUE.match(line)]
    return draw.choice(found) if found else None


def _tabs(lines: list[str], draw: random.Random) -> list[str]:
    """A tab in a comment."""
    at = _at(lines, draw)
    return lines if at is None else [*lines[:at], f"{lines[at]} # a\tb", *lines[at + 1 :]]


def _anchor(lines: list[str], draw: random.Random) -> list[str]:
    at = _at(lines, draw)
    if at is None or draw.random() < 0.8:  # such files are merged by line
        return lines
    return [*lines[:at], _VALUE.sub(r"\1 &a \2", lines[at]), *lines[at + 1 :]]


def _block(lines: list[str], draw: random.Random) -> list[str]:
    """A block of text in place of a value."""
    at = _at(lines, draw)
    if at is None:
        return lines
    margin = " " * (re.match(r" *(- +)?", lines[at]).end() + 2)  # type: ignore[union-attr]
    head = draw.choice(("|", "|", "|-", "|+", ">"))
    body = [margin + f"{word}: {draw.randint(1, 9)}" for word in draw.choices(_WORDS, k=draw.randint(2, 6))]
    return [*lines[:at], f"{lines[at].partition(':')[0]}: {head}", *body, *lines[at + 1 :]]


def _brackets(lines: list[str], draw: random.Random) -> list[str]:
    """A map or list on one line in place of a value."""
    at = _at(lines, draw)
    if at is None:
        return lines
    values = {word: draw.randint(1, 9) for word in draw.sample(_WORDS, 3)}
    new = draw.choice(
        [
            "{" + ", ".join(f"{word}: {number}" for word, number in values.items()) + "}",
            "[" + ", ".join(values) + "]",
            "[" + ", ".join(f"{{name: {word}, value: {number}}}" for word, number in values.items()) + "]",
            "{ " + ", ".join(f'"{word}": [{number}, 0]' for word, number in values.items()) + " }",
        ]
    )
    return [*lines[:at], f"{lines[at].partition(':')[0]}: {new}", *lines[at + 1 :]]


_BEFORE: list[Callable[[list[str], random.Random], list[str]]] = [_tabs, _anchor, _block, _block, _brackets, _brackets]


def in_text(lines: list[str], draw: random.Random) -> list[str] | None:
    """Another line in a block of text."""
    found = [at for at, line in enumerate(lines) if re.match(r" +(alpha|beta|gamma|delta): \d$", line)]
    if not found:
        return None
    at = draw.choice(found)
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    new = f"{margin}{draw.choice(_WORDS)}: {draw.randint(1, 9)}"
    return [*lines[:at], *draw.choice([[new], [new, lines[at]], [lines[at], "", new], []]), *lines[at + 1 :]]


def in_brackets(lines: list[str], draw: random.Random) -> list[str] | None:
    """Another value, one more or one less in a collection on one line."""
    found = [at for at, line in enumerate(lines) if re.search(r"[\[{].*[\]}]", line)]
    if not found:
        return None
    at = draw.choice(found)
    spots = [*re.finditer(r"(?<=[\[{,: ])[A-Za-z0-9]+(?=[\]},:])", lines[at])]
    if not spots:
        return None
    spot = draw.choice(spots)
    word = draw.choice([*_WORDS, "7", "8"])
    new = draw.choice([word, word, f"{spot[0]}, {word}", f"{word}{spot[0]}"])
    return [*lines[:at], lines[at][: spot.start()] + new + lines[at][spot.end() :], *lines[at + 1 :]]


# ---- after the edits ------------------------------------------------------------------------------------------------


def after_edits(texts: tuple[str, str, str], draw: random.Random) -> tuple[str, str, str]:
    """The three texts in another form: the same in each, or for line endings on one side only."""
    form = draw.choice((None, None, None, _as_json, _as_list, _with_returns, _with_returns, _without_end))
    if form in (None, _as_json, _as_list):
        try:
            return _three(form, texts) if form else texts
        except (BadDocument, ValueError):
            return texts
    which = draw.choice([(0, 1, 2), (0, 1, 2), (1,), (2,)])
    return tuple(form(text) if at in which else text for at, text in enumerate(texts))  # type: ignore[return-value]


def _three(form: Callable[[str], str], texts: tuple[str, str, str]) -> tuple[str, str, str]:
    base, ours, theirs = map(form, texts)
    return base, ours, theirs


def _as_json(text: str) -> str:
    documents = documents_of(text)
    if len(documents) != 1:
        raise ValueError
    return json.dumps(documents[0], indent=2) + "\n"


def _as_list(text: str) -> str:
    """A List of the objects, printed anew."""
    head = "apiVersion: v1\nkind: List\nitems:\n"
    return head + yaml.safe_dump(documents_of(text), sort_keys=False, width=4096)


def _with_returns(text: str) -> str:
    return text.replace("\n", "\r\n")


def _without_end(text: str) -> str:
    return text.removesuffix("\n")
