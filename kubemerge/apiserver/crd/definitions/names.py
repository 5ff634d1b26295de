"""Names in a definition: groups, kinds, versions and resources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...problems import Problem
from ...schemas.problems import invalid
from ...unchecked import as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

_SHAPE = "[a-z]([-a-z0-9]*[a-z0-9])?"
NO_LABEL = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{_SHAPE}')"
)


def label_1035(value: str) -> Iterator[str]:
    """Validate a DNS label that begins with a letter (RFC 1035)."""
    if len(value.encode()) > 63:
        yield "must be no more than 63 characters"
    if not re.fullmatch(_SHAPE, value):
        yield NO_LABEL


def problems(names: Object, at: str) -> Iterator[Problem]:
    """Validate `spec.names`."""
    for field in ("plural", "singular"):
        yield from _word(f"{at}.{field}", as_text(names.get(field)))
    for field in ("kind", "listKind"):
        word = as_text(names.get(field))
        found = ",".join(label_1035(word.lower())) if word else ""
        if found:
            yield invalid(f"{at}.{field}", word, f"may have mixed case, but should otherwise match: {found}")
    yield from _words(names, "shortNames", at)
    if names.get("kind") and names.get("kind") == names.get("listKind"):
        yield invalid(f"{at}.listKind", names["listKind"], "kind and listKind may not be the same")
    yield from _words(names, "categories", at)


def _words(names: Object, field: str, at: str) -> Iterator[Problem]:
    listed = names.get(field)
    for index, word in enumerate(listed if isinstance(listed, list) else ()):
        yield from _word(f"{at}.{field}[{index}]", as_text(word), even_empty=True)


def _word(at: str, word: str, *, even_empty: bool = False) -> Iterator[Problem]:
    found = ",".join(label_1035(word)) if word or even_empty else ""
    if found:
        yield invalid(at, word, found)


def names_of(definition: Object) -> Object:
    """Return the `spec.names` of a definition."""
    return as_map(as_map(definition.get("spec")).get("names"))
