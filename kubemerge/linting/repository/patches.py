"""Files that kustomizations name as patches: parts of objects, which nobody applies as they are."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ...manifests.documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KUSTOMIZE_PATCH = "Kustomize patch"
_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_FIELDS = ("patches", "patchesStrategicMerge", "patchesJson6902", "replacements")
"""The fields of a kustomization that name files with parts of objects, as texts or below `path`."""


def patches_among(files: Sequence[str]) -> set[str]:
    """Which of these files a kustomization in their folder, or in the one above it, names as a patch."""
    folders = {os.path.dirname(file) for file in files}  # noqa: PTH120
    around = folders | {os.path.normpath(os.path.join(folder, "..")) for folder in folders}  # noqa: PTH118
    patches = {patch for folder in around for patch in _named(folder)}
    return {file for file in files if os.path.normpath(file) in patches}


def _named(folder: str) -> Iterator[str]:
    """The files that the kustomization of a folder names as patches."""
    for name in _NAMES:
        data = _content(os.path.join(folder, name))  # noqa: PTH118
        if not any(field.encode() in data for field in _FIELDS):
            continue
        with suppress(MergeError):
            for _, content in read_documents(data, folder):
                yield from _paths(content, folder)


def _paths(content: Any, folder: str) -> Iterator[str]:
    if not isinstance(content, dict):
        return
    for field in _FIELDS:
        for one in content.get(field) or () if isinstance(content.get(field), list) else ():
            path = one.get("path") if isinstance(one, dict) else one
            if isinstance(path, str) and path and "\n" not in path:
                yield os.path.normpath(os.path.join(folder, path))  # noqa: PTH118


def _content(file: str) -> bytes:
    """The bytes of a file; none if it cannot be read."""
    with suppress(OSError), open(file, "rb") as stream:  # noqa: PTH123
        return stream.read()
    return b""
