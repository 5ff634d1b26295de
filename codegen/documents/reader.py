"""Documents from bytes: decode, choose between JSON and YAML, parse, and check limits."""

from __future__ import annotations

import re

from . import json_text
from .problems import BadDocument, TextPosition, position_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .yaml_text import Repeated

    Located = Iterator[tuple[int, Any]]


def read(data: bytes, of_json: Callable[[str], Located] = json_text.stream) -> Located:
    """The documents in the bytes of a file, each with its first line; JSON or YAML, whatever the file name.

    YAML is read as kubectl reads it. So is JSON, unless `of_json` is `json_text.single`, for specifications: they may
    be a hundred times larger than manifests, are one value, and do not depend on the exact form of numbers.
    """
    text = text_of(data)
    start = text.lstrip()[:200]
    if start.startswith("<") and re.match(_PAGE, start, re.IGNORECASE):
        advice = "check the address and your permissions"
        raise BadDocument(
            "this is an HTML or XML page", TextPosition(0, None), advice, found=f"an HTML or XML page; {advice}"
        )
    like_json = start.startswith("{") and re.match(_LIKE_JSON, start) and "\n---" not in text
    return of_json(text) if like_json else _as_yaml(text)


def as_server_yaml(data: bytes, repeated: Repeated) -> Located:
    """The documents of a request in YAML, which may be JSON, and the keys that occur twice in one mapping."""
    return _as_yaml(text_of(data), repeated)


def as_patch(data: bytes) -> Located:
    """The documents of a patch as kubectl reads it: JSON if it begins with a brace, else YAML."""
    text = text_of(data)
    return json_text.stream(text, strict=True) if data.lstrip().startswith(b"{") else _as_yaml(text)


def _as_yaml(text: str, repeated: Repeated | None = None) -> Located:
    from .yaml_text import as_yaml  # slow to import, and neither JSON nor a cached result needs it

    return as_yaml(text, repeated)


# Compiled on first use: most files are YAML, and a command should not wait for the rest.
_PAGE = r"<(!doctype|html|\?xml|head|body)\b"
_LIKE_JSON = r'\{\s*(?:["}]|$)'
"""The start of JSON, and not of a YAML flow mapping such as `{a: 1}`."""


# ---- bytes to text ------------------------------------------------------------------------------------------------


def text_of(data: bytes) -> str:
    """The text of UTF-8 bytes, without byte order marks."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:2].strip(b"\0") != data[:2]:
        raise _not_utf_8("the encoding is UTF-16 or UTF-32", TextPosition(0, 0), 0)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
        place = TextPosition(line, len(before.decode(errors="replace")))
        raise _not_utf_8("this is not UTF-8 text", place, error.start) from None
    if "\0" in text:
        at = text.index("\0")
        problem, advice = "the file contains a NUL character, so it is not text", "use a YAML or JSON file"
        found = f"a NUL character at offset {at}"
        raise BadDocument(problem, position_at(text, at), advice, wanted="text", found=found)
    # Concatenated files may have a byte order mark where a document starts.
    return re.sub(_MARK, r"\1", text, flags=re.MULTILINE) if "\n\ufeff" in text else text


_MARK = "(^---[^\n]*\n)\ufeff|^\ufeff(?=---)"


def _not_utf_8(problem: str, place: TextPosition, offset: int) -> BadDocument:
    found = f"other bytes at offset {offset}"
    return BadDocument(problem, place, "save the file as UTF-8", wanted="text in UTF-8", found=found)
