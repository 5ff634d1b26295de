"""The syntax of names, labels and annotation keys."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from ..eras import asked_minor
from ..problems import Problem, invalid
from ..unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_KEY = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = rf"({_KEY})?"
_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"

_BOUNDS = "and must start and end with an alphanumeric character"
USED = "regex used for validation is"
NO_LABEL = (
    f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {_BOUNDS} "
    f"(e.g. 'my-name',  or '123-abc', {USED} '{_LABEL}')"
)
NO_SUBDOMAIN = (
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', {_BOUNDS} "
    f"(e.g. 'example.com', {USED} '{SUBDOMAIN}')"
)
_ANY_CASE = (
    f"an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', {_BOUNDS} "
    f"(e.g. 'Example.com', {USED} '{SUBDOMAIN}')"
)
_NO_KEY = (
    f"must consist of alphanumeric characters, '-', '_' or '.', {_BOUNDS} "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', {USED} '{_KEY}')"
)
_NO_VALUE = (
    f"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', {_BOUNDS} "
    f"(e.g. 'MyValue',  or 'my_value',  or '12345', {USED} '{_VALUE}')"
)
_NO_IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric "
    f"characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', {USED} '{_IDENTIFIER}')"
)


_IS_LABEL, _IS_SUBDOMAIN = re.compile(_LABEL), re.compile(SUBDOMAIN)
_USUAL_KEY, _USUAL_VALUE = re.compile(rf"({SUBDOMAIN}/)?{_KEY}"), re.compile(_VALUE)
_LONGEST = 63
"""The maximum number of bytes in a label, in the name of a key, and in its value."""
KEYS_BY_RULES_SINCE = 35
"""The first minor release that checks keys and values of labels with the library of declarative rules."""


def label(value: str, unit: str = "characters") -> Iterator[str]:
    """Validate a DNS label."""
    yield from too_long(value, _LONGEST, unit)
    if not _IS_LABEL.fullmatch(value):
        yield "must not contain dots" if _IS_SUBDOMAIN.fullmatch(value) else NO_LABEL


def subdomain(value: str, unit: str = "characters") -> Iterator[str]:
    """Validate a DNS subdomain. For labels, the API counts bytes."""
    yield from too_long(value, 253, unit)
    if not _IS_SUBDOMAIN.fullmatch(value):
        yield NO_SUBDOMAIN


def subdomain_in_any_case(value: str) -> Iterator[str]:
    """Validate a DNS subdomain of any case, as in declarative rules."""
    for why in subdomain(value.lower(), "bytes"):
        yield _ANY_CASE if why == NO_SUBDOMAIN else why


declared_label, declared_subdomain = partial(label, unit="bytes"), partial(subdomain, unit="bytes")
"""The same checks for declarative rules, which count lengths in bytes."""


def key(value: str) -> Iterator[str]:
    """Validate a label key: a name, with an optional domain and a slash before it."""
    prefix, slash, name = value.rpartition("/")
    unit = _unit_of_labels()
    if "/" in prefix:
        what = "a valid label key" if unit == "bytes" else "a qualified name"
        yield f"{what} {_NO_KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return
    if slash and not prefix:
        yield "prefix part must be non-empty"
    elif slash:
        yield from (f"prefix part {why}" for why in subdomain(prefix, unit))
    if not name:
        yield "name part must be non-empty"
    yield from (f"name part {why}" for why in too_long(name, _LONGEST, unit))
    if not re.fullmatch(_KEY, name):
        yield f"name part {_NO_KEY}"


def label_value(value: str) -> Iterator[str]:
    """Validate a label value."""
    yield from too_long(value, _LONGEST, _unit_of_labels())
    if not _USUAL_VALUE.fullmatch(value):
        yield _NO_VALUE


def c_identifier(value: str) -> Iterator[str]:
    """Validate an identifier of the language C."""
    if not re.fullmatch(_IDENTIFIER, value):
        yield _NO_IDENTIFIER


def _is_usual(value: str, syntax: re.Pattern[str]) -> bool:
    """Whether a short text has the syntax, as nearly all do. Others get the whole check."""
    return len(value) <= _LONGEST and syntax.fullmatch(value) is not None


def _unit_of_labels() -> str:
    """The unit in which messages about labels count, which is always bytes."""
    return "bytes" if asked_minor() >= KEYS_BY_RULES_SINCE else "characters"


def labels(at: str, value: Any) -> Iterator[Problem]:
    """Validate a map of labels."""
    for name, text in as_map(value).items():
        if not _is_usual(name, _USUAL_KEY):
            yield from (invalid(at, name, why) for why in key(name))
        if isinstance(text, str) and not _is_usual(text, _USUAL_VALUE):
            yield from (invalid(at, text, why) for why in label_value(text))


def annotation_keys(at: str, value: Any) -> Iterator[Problem]:
    """Validate a map of annotations, whose keys are like label keys of any case."""
    for name in as_map(value):
        if _is_usual(name, _USUAL_KEY):
            continue
        yield from (invalid(at, name, why) for why in key(name.lower()))


def too_long(value: str, most: int, unit: str = "bytes") -> Iterator[str]:
    """Validate the maximum size of a text in bytes."""
    if len(value.encode()) > most:
        yield f"must be no more than {most} {unit}"
