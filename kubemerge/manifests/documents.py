"""The documents in the bytes of a file, JSON or YAML, each with its line; or what is wrong with them, and where."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from codegen.documents.limits import MAX_DEPTH
from codegen.documents.yaml_problems import place_at
from codegen.documents.yaml_text import YamlError, located
from engine import BadText, MergeError
from engine.values.go_json import decode

if TYPE_CHECKING:
    from collections.abc import Iterator


class BadManifest(MergeError):
    """A file that holds no Kubernetes objects, or an object that lacks what it needs; says where."""


def read_documents(data: bytes, source: str) -> Iterator[tuple[int, Any]]:
    """The documents in the bytes of one file, each with its line; JSON or YAML, whatever the file is called."""
    text = _text(data, source)
    first = _SOMETHING.search(text)
    start = text[first.start() : first.start() + 200] if first else ""
    if _PAGE.match(start):
        raise BadManifest(f"{source}:1: this is an HTML or XML page; is the address right, and are you let in?")
    if _LIKE_JSON.match(start) and not _OTHER_DOCUMENT.search(text):
        return _json(text, source)
    return _yaml(text, source)


_SOMETHING = re.compile(r"\S")
_PAGE = re.compile(r"<(!doctype|html|\?xml|head|body)\b", re.IGNORECASE)
_LIKE_JSON = re.compile(r'\{\s*(?:["}]|$)|\[\s*(?:["{[\]}0-9tfn-]|$)')
"""The start of JSON, and not of a YAML flow mapping such as `{a: 1}`."""
_OTHER_DOCUMENT = re.compile(r"^---", re.MULTILINE)


# ---- bytes to text ------------------------------------------------------------------------------------------------


def _text(data: bytes, source: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:2].strip(b"\0") != data[:2]:
        raise BadManifest(f"{source}:1:1: this is UTF-16 or UTF-32; save the file as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
        column = len(before.decode(errors="replace")) + 1
        raise BadManifest(f"{source}:{line}:{column}: this is no text in UTF-8; save the file as UTF-8") from None
    if "\0" in text:
        _wrong(source, text, text.index("\0"), "a NUL character, so this is no text; give a YAML or JSON file")
    # Files that were put together with their byte order marks: one may stand where a document begins.
    return _MARK.sub(r"\1", text) if "\n\ufeff" in text else text


_MARK = re.compile("(^---[^\n]*\n)\ufeff|^\ufeff(?=---)", re.MULTILINE)


def _wrong(source: str, text: str, index: int, problem: str) -> NoReturn:
    line, column = place_at(text, index)
    raise BadManifest(f"{source}:{line + 1}:{column + 1}: {problem}")


# ---- JSON ---------------------------------------------------------------------------------------------------------


class _TwiceError(Exception):
    """A key that stands twice in one object."""


def _no_key_twice(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for key in keys if keys.count(key) > 1))


def _no_constant(name: str) -> NoReturn:
    raise BadText(f"{name} is no JSON number")


_CHECK = json.JSONDecoder(
    object_pairs_hook=_no_key_twice, parse_int=len, parse_float=len, parse_constant=_no_constant
).raw_decode
"""Finds the end of a document, and what is wrong with it; its value is not looked at."""


def _json(text: str, source: str) -> Iterator[tuple[int, Any]]:
    """The documents of a stream of JSON: one after another, as kubectl reads them."""
    found = _SOMETHING.search(text)
    line, counted = 1, 0
    while found:
        start = found.start()
        line, counted = line + text.count("\n", counted, start), start
        try:
            _, end = _CHECK(text, start)
            document = decode(text[start:end])
            if isinstance(document, (dict, list)):
                _check_depth(document)
        except json.JSONDecodeError as error:
            _wrong(source, text, error.pos, f"this is no JSON: {error.msg}; correct it there")
        except _TwiceError as error:
            _say_where_twice(text, source, str(error))
        except RecursionError:
            problem = f"nested deeper than {MAX_DEPTH} levels; keep the deep part as text"
            raise BadManifest(f"{source}:{line}: {problem}") from None
        except MergeError as error:
            raise BadManifest(f"{source}:{line}: {error}") from None
        yield line, document
        found = _SOMETHING.search(text, end)


def _say_where_twice(text: str, source: str, key: str) -> NoReturn:
    """JSON is YAML too, and that reader knows the place."""
    try:
        list(located(text))
    except YamlError as error:
        if "twice" in error.problem:
            raise _bad_yaml(error, text, source) from None
    raise BadManifest(f"{source}: the key {key!r} stands twice in one object; remove one of them")


def _check_depth(document: Any) -> None:
    """Refuse a document nested more deeply than YAML may be, so that what is read can be printed and read again."""
    level = [document]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for value in level
            for part in (value.values() if isinstance(value, dict) else value)
            if isinstance(part, (dict, list))
        ]
        if not level:
            return
    raise RecursionError


# ---- YAML ---------------------------------------------------------------------------------------------------------


def _yaml(text: str, source: str) -> Iterator[tuple[int, Any]]:
    try:
        yield from located(text)
    except YamlError as error:
        raise _bad_yaml(error, text, source) from None


def _bad_yaml(error: YamlError, text: str, source: str) -> BadManifest:
    if not error.line:
        return BadManifest(f"{source}: {error.problem}; {error.way_out}")
    where = f"{source}:{error.line}:{error.column}"
    if _TEMPLATE.search(_line(text, error.line)):
        return BadManifest(f"{where}: this is a template; render it first, as by `helm template`, and give the result")
    return BadManifest(f"{where}: {error.problem}; {error.way_out}")


def _line(text: str, number: int) -> str:
    """A line by its number, found without a list of all of them."""
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
        if not start:
            return ""
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


_TEMPLATE = re.compile(r"\{\{|\{%")
