"""The labels that a server generates for the pods of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import text

if TYPE_CHECKING:
    from ..unchecked import Object

PREFIX, PREFIXED_SINCE = "batch.kubernetes.io/", 27
"""Since this minor release, each label also exists with the prefix, and the selector uses that one."""
_FIELDS = {"controller-uid": "uid", "job-name": "name"}
"""Each label, and the field of the Job's metadata that it repeats."""


def generated(metadata: Object, minor: int) -> dict[str, str]:
    """The labels of the pods of a Job with this metadata."""
    prefixes = ("", PREFIX) if minor >= PREFIXED_SINCE else ("",)
    return {f"{prefix}{label}": text(metadata.get(field)) for prefix in prefixes for label, field in _FIELDS.items()}


def selecting(metadata: Object, minor: int) -> dict[str, str]:
    """The label that the generated selector of the Job asks for."""
    label = f"{PREFIX if minor >= PREFIXED_SINCE else ''}controller-uid"
    return {label: generated(metadata, minor)[label]}
