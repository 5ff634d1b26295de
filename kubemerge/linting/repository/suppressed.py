"""Findings that the files themselves ask not to be told: by a comment beside a line, or by an annotation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ANNOTATION = "kubemerge/ignore"
"""Names codes that are not told of the object, separated by commas."""
_COMMENT = re.compile(rb"#[^\S\n]*kubemerge:[^\S\n]*ignore=([A-Za-z0-9_,\- ]+)")


def by_line(data: bytes) -> dict[int, list[str]]:
    """Line -> the words of the codes that a comment on it names; one that has a line of its own is for the next."""
    if b"kubemerge:" not in data:
        return {}
    found: dict[int, list[str]] = {}
    for one in _COMMENT.finditer(data):
        start = data.rfind(b"\n", 0, one.start()) + 1
        alone = not data[start : one.start()].strip()
        line = data.count(b"\n", 0, one.start()) + 1 + alone
        found.setdefault(line, []).extend(_words(one[1].decode()))
    return found


def by_annotation(content: Mapping[str, Any]) -> list[str]:
    """The words of the codes that the object's annotation names."""
    metadata = content.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.get(ANNOTATION) if isinstance(annotations, dict) else None
    return _words(text) if isinstance(text, str) else []


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
