"""Labels that a server generates for the Pods of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_text

if TYPE_CHECKING:
    from ..unchecked import Object

PREFIX, PREFIXED_SINCE = "batch.kubernetes.io/", 27
"""The first minor release that adds each label with the prefix, too, and selects by it."""
_FIELDS = {"controller-uid": "uid", "job-name": "name"}
"""Each label, and the field of the Job's metadata with its value."""


def generated_labels(metadata: Object, minor: int) -> dict[str, str]:
    """Return the labels of the Pods of a Job with this metadata."""
    prefixes = ("", PREFIX) if minor >= PREFIXED_SINCE else ("",)
    return {f"{prefix}{label}": as_text(metadata.get(field)) for prefix in prefixes for label, field in _FIELDS.items()}


def selector_label(metadata: Object, minor: int) -> dict[str, str]:
    """Return the label in the generated selector of the Job."""
    label = f"{PREFIX if minor >= PREFIXED_SINCE else ''}controller-uid"
    return {label: generated_labels(metadata, minor)[label]}
