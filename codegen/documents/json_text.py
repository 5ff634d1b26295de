"""Documents in JSON text: a stream as kubectl reads it, or a single document such as a specification."""

from __future__ import annotations

import json
import re
from collections import Counter

from engine import BadText, MergeError, TooDeep
from engine.values.go_json import decode, stable_message
from engine.values.guard import is_deep

from .limits import MAX_DEPTH, check_depth, too_deep
from .problems import BadDocument, TextPosition, position_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

_SOMETHING = r"[^ \t\n\r]"


def single(text: str) -> Iterator[tuple[int, Any]]:
    """The single document of a text, read as fast as possible."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, BadText, RecursionError) as error:
        if _is_too_deep(text, 0, error):
            raise too_deep() from None
        if isinstance(error, json.JSONDecodeError):
            raise _bad_json(text, error) from None
        raise BadDocument(str(error), wanted="JSON") from None
    check_depth(document)
    yield 1, document


def _is_too_deep(text: str, start: int, error: Exception) -> bool:
    """True if a text was too deep before its first other error: some Python versions read on where others stop."""
    return isinstance(error, RecursionError) or is_deep(text[start : getattr(error, "pos", None)], MAX_DEPTH)


def _no_constant(name: str) -> NoReturn:
    raise BadText(f"{name} is not a JSON number")


def _bad_json(text: str, error: json.JSONDecodeError) -> BadDocument:
    said, at = stable_message(error)
    place = position_at(text, at)
    column = at - text.rfind("\n", 0, at)
    found = f"an error at line {place.line + 1}, column {column}: {said}"
    return BadDocument(f"this is not JSON: {said}", place, "correct the syntax there", wanted="JSON", found=found)


# ---- like kubectl ---------------------------------------------------------------------------------------------------


class _RepeatedKeyError(Exception):
    """A key that occurs twice in one object."""


def _no_key_twice(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _RepeatedKeyError(next(key for key, count in counts.items() if count > 1))


_CHECK = json.JSONDecoder(
    object_pairs_hook=_no_key_twice, parse_int=len, parse_float=len, parse_constant=_no_constant
).raw_decode
"""Finds the end of a document, and its errors; the value is not used."""


def stream(text: str, *, strict: bool = False) -> Iterator[tuple[int, Any]]:
    """The documents in order, each with its line: numbers as in Go, and no repeated keys.

    As in kubectl, text that is not JSON is read as YAML, which has flow mappings; except with `strict`, or after two
    documents.
    """
    something = re.compile(_SOMETHING)
    found = something.search(text)
    line, counted, number = 1, 0, 0
    while found:
        start = found.start()
        line, counted = line + text.count("\n", counted, start), start
        try:
            _, end = _CHECK(text, start)
        except (_RepeatedKeyError, json.JSONDecodeError, BadText, RecursionError) as error:
            if _is_too_deep(text, start, error):
                raise too_deep(line) from None
            if isinstance(error, _RepeatedKeyError):
                raise _repeated_key(text, str(error)) from None
            problem = _problem(text, error, line)
            if strict or number > 1:
                raise problem from None
            yield from _yaml_instead(text[start:], line, problem)
            return
        try:
            document = decode(text[start:end])
        except TooDeep:
            raise too_deep(line) from None
        except MergeError as error:
            raise _problem(text, error, line) from None
        check_depth(document, line)
        yield line, document
        number += 1
        found = something.search(text, end)


def _problem(text: str, error: Exception, line: int) -> BadDocument:
    if isinstance(error, json.JSONDecodeError):
        return _bad_json(text, error)
    return BadDocument(str(error), TextPosition(line - 1, None), "", wanted="JSON")


def _yaml_instead(text: str, line: int, problem: BadDocument) -> Iterator[tuple[int, Any]]:
    """The rest of a text as YAML. If that fails too, raise the problem of the JSON."""
    from .yaml_text import as_yaml  # slow to import, and most JSON needs none

    try:
        found = [*as_yaml(text)]
    except BadDocument:
        raise problem from None
    for at, document in found:
        yield line + at - 1, document


def _repeated_key(text: str, key: str) -> BadDocument:
    """The error for a repeated key. The YAML reader, which also reads JSON, finds its place."""
    from .yaml_scalars import YamlError
    from .yaml_text import located

    try:
        list(located(text))
    except YamlError as error:
        if "twice" in error.problem:
            return error
    return BadDocument(f"the key {key!r} occurs twice in one object", advice="remove one of them", wanted="JSON")
