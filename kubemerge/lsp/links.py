"""Document links: from the lint codes in comments and annotations to their pages."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ..linting.gate.rules import ALL as RULES
from ..output.addresses import lint_page
from .model import Link

if TYPE_CHECKING:
    from collections.abc import Iterator

_IGNORED = re.compile(r"kubemerge(?::[ \t]*ignore=|/ignore[\"']?:)[^\n]*")
MOST = 1_000
"""Links of a document."""
_CODE = re.compile(r"\bKM\d{3}\b", re.IGNORECASE)


def links(text: str) -> Iterator[Link]:
    """The links of a text."""
    return islice(_links(text), MOST)


def _links(text: str) -> Iterator[Link]:
    for found in _IGNORED.finditer(text):
        for code in _CODE.finditer(text, found.start(), found.end()):
            if code[0].upper() in RULES:
                yield Link(code.start(), code.end(), lint_page(code[0].upper()))
