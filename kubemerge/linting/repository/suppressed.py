"""Suppressions in files: a comment on a line, or an annotation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ANNOTATION = "kubemerge/ignore"
"""An annotation with the suppressed codes of the object, separated by commas."""
_COMMENT = re.compile(rb"#[^\S\n]*kubemerge:[^\S\n]*ignore=([A-Za-z0-9_,\- ]+)")


def by_line(data: bytes) -> dict[int, list[str]]:
    """Map each line to the suppressed codes of its comment; a comment on a separate line applies to the next one."""
    if b"kubemerge:" not in data:
        return {}
    found: dict[int, list[str]] = {}
    number, seen, is_first = 1, 0, True
    for one in _COMMENT.finditer(data):
        breaks = data.count(b"\n", seen, one.start())
        number, is_first = number + breaks, is_first or breaks > 0
        alone = is_first and not data[data.rfind(b"\n", 0, one.start()) + 1 : one.start()].strip()
        found.setdefault(number + alone, []).extend(_words(one[1].decode()))
        seen, is_first = one.start(), False
    return found


def by_annotation(content: Mapping[str, Any]) -> list[str]:
    """The suppressed codes in the object's annotation."""
    metadata = content.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.get(ANNOTATION) if isinstance(annotations, dict) else None
    return _words(text) if isinstance(text, str) else []


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
