"""Bytes to documents: unpacked, decoded, parsed, and within the limits."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ..errors import SpecError, brief, pointer_of
from .limits import MAX_BYTES, MAX_COLLECTIONS, MAX_DEPTH
from .yaml_text import YamlError, documents


def parse(data: bytes, source: str) -> list[Any]:
    """Every document in the bytes of a file, an answer or standard input: JSON, YAML, or either in gzip."""
    text = _decode(unpack(data, source), source)
    start = text.lstrip()[:200]
    if not start:
        raise SpecError(source, "a specification", found="nothing")
    if start.startswith("<"):
        raise SpecError(source, "JSON or YAML", found="an HTML or XML page; is the address right, and are you let in?")
    found = [_json(text, source)] if start[0] in "{[" and _looks_like_json(start) else _yaml(text, source)
    for document in found:
        check_depth(document, source)
    return [document for document in found if document is not None]


def unpack(data: bytes, source: str) -> bytes:
    """The bytes, out of gzip where they are in it; refused beyond the size limit before they fill the memory."""
    if not data.startswith(b"\x1f\x8b"):
        return _within_limit(data, source)
    gunzip = zlib.decompressobj(wbits=31)
    try:
        unpacked = gunzip.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise SpecError(source, "gzip data", found=f"damaged data ({error})") from None
    if len(unpacked) > MAX_BYTES:
        return _within_limit(unpacked, source)
    if not gunzip.eof:
        raise SpecError(source, "a whole gzip file", found="one that ends too early; fetch it again")
    if gunzip.unused_data.strip(b"\0"):
        raise SpecError(source, "one gzip file", found="more data behind it; unpack it and pack it again")
    return unpacked


def _within_limit(data: bytes, source: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise too_large(source)
    return data


def too_large(source: str) -> SpecError:
    """The error for what is over the size limit."""
    return SpecError(source, f"at most {MAX_BYTES // 2**20} MiB", found="more; split it, or give one document a file")


def _decode(data: bytes, source: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(source, "text in UTF-8", found=f"other bytes at offset {error.start}") from None
    if "\0" in text:
        raise SpecError(source, "text", found=f"a NUL character at offset {text.index(chr(0))}")
    return text


def _looks_like_json(start: str) -> bool:
    """Tells JSON from a YAML flow mapping (`{a: 1}`): after the brace comes a quote, a bracket or the end."""
    after = start[1:].lstrip()
    return not after or after[0] in '"{[}]-0123456789tfn'


def _json(text: str, source: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SpecError(source, "JSON", found=f"an error at {where}: {error.msg}") from None
    except RecursionError:
        raise too_deep(source) from None
    except ValueError as error:
        raise SpecError(source, "JSON", found=str(error)) from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name}, which JSON does not have")


def _yaml(text: str, source: str) -> list[Any]:
    try:
        return list(documents(text))
    except YamlError as error:
        raise SpecError(source, "JSON or YAML", found=f"an error at {error}") from None


def too_deep(source: str, pointer: str = "") -> SpecError:
    """The error for what is nested beyond the limit."""
    return SpecError(source, f"at most {MAX_DEPTH} nested levels", pointer=pointer, found="more")


def check_depth(document: Any, source: str) -> None:
    """Refuse a document nested beyond the limit, so that everything after this may recurse over it."""
    level = [document]
    seen = 0
    for _ in range(MAX_DEPTH):
        level = [
            child
            for value in level
            if isinstance(value, (dict, list))
            for child in (value.values() if isinstance(value, dict) else value)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
        seen += len(level)
        if seen > MAX_COLLECTIONS:
            raise SpecError(source, f"at most {MAX_COLLECTIONS:,} objects and lists", found="more")
    raise too_deep(source)


def check_keys(document: Any, source: str) -> None:
    """Refuse a parsed document that JSON could not have said: the keys of every object must be strings."""
    waiting: list[tuple[Any, tuple[object, ...]]] = [(document, ())]
    while waiting:
        value, at = waiting.pop()
        if isinstance(value, dict):
            wrong = [key for key in value if not isinstance(key, str)]
            if wrong:
                raise SpecError(source, "keys that are strings", pointer=pointer_of(*at), found=brief(wrong[0]))
        if isinstance(value, (dict, list)):
            members = value.items() if isinstance(value, dict) else enumerate(value)
            waiting.extend((part, (*at, key)) for key, part in members)
