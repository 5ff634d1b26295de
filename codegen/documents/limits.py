"""Limits for the size and depth of documents, because specifications and manifests are untrusted."""

from __future__ import annotations

from .problems import BadDocument, TextPosition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 128 * 1024 * 1024
"""The maximum bytes of one document, packed and unpacked. The largest known cluster documents have about half."""

MAX_DEPTH = 200
"""The maximum nesting depth of one document; the deepest published CRDs need about 70."""

MAX_COLLECTIONS = 10_000_000
"""The maximum number of objects and lists in one document; a real document of maximal size has a few million."""

MAX_NODES = 2_000_000
"""The maximum number of values in one YAML document with its aliases expanded, which stops alias bombs."""

TEXT_OF_A_NODE = 100
"""So many characters of a text count as one more value, which stops bombs made of aliases of long texts."""


def check_depth(document: Any, line: int | None = None) -> None:
    """Raise an error for a document nested beyond the limit, so that later code may use recursion."""
    level = [document] if isinstance(document, (dict, list)) else []
    seen = 0
    for _ in range(MAX_DEPTH):
        level = [
            child
            for value in level
            for child in (value.values() if isinstance(value, dict) else value)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
        seen += len(level)
        if seen > MAX_COLLECTIONS:
            limit = f"at most {MAX_COLLECTIONS:,} objects and lists"
            raise BadDocument(
                f"more than {MAX_COLLECTIONS:,} objects and lists", _at(line), "split the document", wanted=limit
            )
    raise too_deep(line)


def too_deep(line: int | None = None) -> BadDocument:
    """The error for a document nested beyond the limit."""
    problem, advice = f"nested deeper than {MAX_DEPTH} levels", "keep the deep part as text"
    return BadDocument(problem, _at(line), advice, wanted=f"at most {MAX_DEPTH} nested levels", found="more")


def _at(line: int | None) -> TextPosition | None:
    return None if line is None else TextPosition(line - 1, None)
