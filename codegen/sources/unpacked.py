"""The documents in the bytes of a specification: unpacks gzip, checks limits, and names the source in errors."""

from __future__ import annotations

import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..documents import json_text
from ..documents.limits import MAX_BYTES, check_depth
from ..documents.problems import BadDocument
from ..documents.reader import read
from ..errors import SpecError, brief, pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def parse(data: bytes, source: str) -> list[Any]:
    """Every document in the bytes of a file, an answer or standard input: JSON, YAML, or either in gzip."""
    data = unpack(data, source)
    with _errors_of(source):
        found = [document for _, document in read(data, json_text.single)] if data.strip() else []
    if not found:
        raise SpecError(source, "a specification", found="nothing")
    return [document for document in found if document is not None]


@contextmanager
def _errors_of(source: str) -> Iterator[None]:
    """Turn a BadDocument inside this context into a SpecError of the source."""
    try:
        yield
    except BadDocument as error:
        raise SpecError(source, error.wanted, found=error.found) from None


def unpack(data: bytes, source: str) -> bytes:
    """The bytes, unpacked if they are gzip; refused if they would be larger than the limit."""
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
        raise SpecError(source, "a whole gzip file", found="a truncated file. Download it again")
    if gunzip.unused_data.strip(b"\0"):
        raise SpecError(source, "one gzip file", found="more data after it. Unpack and repack the file")
    return unpacked


def _within_limit(data: bytes, source: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise too_large(source)
    return data


def too_large(source: str) -> SpecError:
    """The error for data above the size limit."""
    return SpecError(source, f"at most {MAX_BYTES // 2**20} MiB", found="more. Split it into one file per document")


def check_parsed(document: Any, source: str) -> None:
    """Refuse a parsed document that JSON cannot hold: too deep, or with keys that are not strings."""
    with _errors_of(source):
        check_depth(document)
    _check_keys(document, source)


def _check_keys(document: Any, source: str) -> None:
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
