"""Files in kustomizations: patches that are never applied directly, and resources that get labels."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.documents.limits import MAX_BYTES
from codegen.trees import leads_out, read_regular, tree_of
from engine import MergeError

from ...manifests.documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.paths import Steps

KUSTOMIZE_PATCH = "Kustomize patch"
_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_PATCHES = ("patches", "patchesStrategicMerge", "patchesJson6902", "replacements")
"""The fields of a kustomization that name files with parts of objects."""
_RESOURCES, _LABELS = ("resources", "bases"), ("commonLabels", "labels")


class Kustomized(NamedTuple):
    """The files that kustomizations use."""

    patches: frozenset[str]
    """Files with parts of objects."""
    labelled: frozenset[str]
    """Files whose objects get labels and selectors, so that they may lack them."""


def kustomized(files: Sequence[str]) -> Kustomized:
    """The files used by the kustomizations in their folders, and in the parent folders."""
    folders = {os.path.dirname(file) for file in files}  # noqa: PTH120
    around = folders | {above for folder in folders if (above := _above(folder)) is not None}
    patches: set[str] = set()
    labelled: set[str] = set()
    for folder in around:
        for content in _kustomizations(folder):
            patches |= {path for field in _PATCHES for path in _paths(content.get(field), folder)}
            if _labels_selectors(content):
                labelled |= {path for field in _RESOURCES for path in _paths(content.get(field), folder)}
    known = {file: os.path.normpath(file) for file in files}
    return Kustomized(
        frozenset(file for file, path in known.items() if path in patches),
        frozenset(file for file, path in known.items() if path in labelled or os.path.dirname(path) in labelled),  # noqa: PTH120
    )


def _above(folder: str) -> str | None:
    """The parent folder, unless it is outside of the tree."""
    above = os.path.normpath(os.path.join(folder, ".."))  # noqa: PTH118
    return None if leads_out(above, tree_of(folder)) else above


def is_filled_in(code: str, steps: Steps) -> bool:
    """Whether a finding is about a value that a kustomization adds with its labels."""
    return code in ("KM102", "KM104") and steps in (("spec", "selector"), ("spec", "template", "metadata", "labels"))


def _kustomizations(folder: str) -> Iterator[dict[str, Any]]:
    """The kustomization of a folder, if it is readable and has a relevant field."""
    for name in _NAMES:
        data = _content(os.path.join(folder, name))  # noqa: PTH118
        if not any(field.encode() in data for field in (*_PATCHES, *_LABELS)):
            continue
        with suppress(MergeError):
            for _, content in read_documents(data, folder):
                if isinstance(content, dict):
                    yield content


def _labels_selectors(content: dict[str, Any]) -> bool:
    """Whether a kustomization adds labels to selectors, too."""
    labels = content.get("labels")
    return bool(content.get("commonLabels")) or (
        isinstance(labels, list) and any(isinstance(one, dict) and one.get("includeSelectors") for one in labels)
    )


def _paths(named: Any, folder: str) -> Iterator[str]:
    """The files in a field, as strings or in `path`."""
    for one in named if isinstance(named, list) else ():
        path = one.get("path") if isinstance(one, dict) else one
        if isinstance(path, str) and path and "\n" not in path:
            yield os.path.normpath(os.path.join(folder, path))  # noqa: PTH118


def _content(file: str) -> bytes:
    """The content of a file; empty if it cannot be read."""
    with suppress(OSError):
        if not leads_out(file, tree_of(os.path.dirname(file))):  # noqa: PTH120
            return read_regular(file, MAX_BYTES)
    return b""
