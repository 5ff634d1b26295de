"""YAML as kubectl prints it: sorted keys, lists not indented, and strings that stay strings."""

from __future__ import annotations

import io
import re
from functools import cmp_to_key

import yaml

from codegen.documents.yaml_scalars import YamlError, resolve
from engine.values.floats import json_form, text_form
from engine.values.kept import kept

from .text import ACTIVE, has_command, inert, without_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def dump(value: Any) -> str:
    """Return the text of one document."""
    stream = io.StringIO()
    emitter = Dumper(stream, allow_unicode=True)
    try:
        for event in _document(value):
            emitter.emit(event)
    finally:
        emitter.dispose()
    # After text that ends in empty lines, libyaml writes an end of the document, and kubectl does not.
    text = stream.getvalue()
    text = text[:-4] if text.endswith("\n...\n") else text
    return without_commands(text) if text.isascii() else inert(text)


def _document(value: Any) -> Iterator[Any]:
    yield yaml.StreamStartEvent()
    yield yaml.DocumentStartEvent(explicit=False)
    yield from _events(value)
    yield yaml.DocumentEndEvent(explicit=False)
    yield yaml.StreamEndEvent()


def _events(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield yaml.MappingStartEvent(None, None, True, flow_style=not value)
        for key in _sorted(value):
            yield _key(key)
            yield from _events(value[key])
        yield yaml.MappingEndEvent()
    elif isinstance(value, list):
        yield yaml.SequenceStartEvent(None, None, True, flow_style=not value)
        for item in value:
            yield from _events(item)
        yield yaml.SequenceEndEvent()
    elif isinstance(value, str):
        yield _scalar(value, _style(value))
    else:
        yield _scalar(_plain(value), None)


@kept(2000)
def _key(text: str) -> Any:
    return _scalar(text, '"' if text == "<<" else _style(text))


def _scalar(text: str, style: str | None) -> Any:
    return yaml.ScalarEvent(None, None, (True, True), text, style=style)


# ---- scalars ------------------------------------------------------------------------------------------------------

_OLD = (
    r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?"
)
"""Texts that other parsers read as a base-60 number or a date."""
_SIGN_OR_DIGIT = "+-0123456789"
"""The first characters of those."""

_BREAK = f"[{ACTIVE}]"
"""Escaped characters: unusual YAML line ends, which are read as ordinary ones, and terminal controls."""


def _style(text: str) -> str | None:
    """The style of a string. None leaves it to the emitter, which prints it plain or in single quotes."""
    if (not text.isascii() and re.search(_BREAK, text)) or has_command(text):
        return '"'
    if "\n" in text:
        return "|"
    try:
        same = bool(text) and resolve(text) == text
    except YamlError:
        same = False
    return None if same and not (text[0] in _SIGN_OR_DIGIT and re.fullmatch(_OLD, text)) else '"'


def _plain(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _float(value) if isinstance(value, float) else str(value)


def _float(value: float) -> str:
    """A float as kubectl prints it, which goes through JSON: 1.0 is 1, and 64-bit integers have all digits."""
    if value.is_integer() and -(2**63) < value < 2**64:  # -2**63 may come from a smaller number
        return json_form(value + 0)
    return text_form(value)


# ---- the order of keys --------------------------------------------------------------------------------------------


def _sorted(keys: Iterable[str]) -> list[str]:
    """Sort keys like kubectl: other characters before letters, and numbers by value."""
    if all(map(str.isalpha, keys)):
        return sorted(keys)
    return sorted(keys, key=cmp_to_key(_compare))


def _compare(one: str, other: str) -> int:
    at = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    if at is None:
        return len(one) - len(other)
    left, right = one[at], other[at]
    if left.isalpha() or right.isalpha():
        return (-1 if left < right else 1) if left.isalpha() and right.isalpha() else (1 if left.isalpha() else -1)
    # A 0 after other digits counts as a digit. At the beginning of a number it is ignored.
    digits = re.search(r"[0-9]*\Z", one[:at])
    before = "1" if "0" in (left, right) and digits and digits[0].strip("0") else ""
    numbers = [re.match(_DIGITS, text[at:]) for text in (one, other)]
    runs = [found[0] if found else "" for found in numbers]
    values = [int(before + run or "0") for run in runs]
    mine, theirs = (values[0], len(runs[0]), left), (values[1], len(runs[1]), right)
    return -1 if mine < theirs else 1


_DIGITS = "[0-9]{1,18}"
