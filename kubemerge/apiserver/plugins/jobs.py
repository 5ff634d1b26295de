"""The generated selector, Pod labels and annotation of a new Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry.job_labels import generated_labels, selector_label
from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext


TRACKING = "batch.kubernetes.io/job-tracking"
"""The annotation of Jobs whose Pods have a finalizer."""
ADDED, RESTORED = range(25, 28), range(26, 28)
"""The minor releases that add it to all new Jobs, and those that add it again when an update removes it."""


def mark_as_tracked(content: Object, context: AdmissionContext) -> Object:
    """Return a new Job, or one that had the annotation, with the annotation."""
    annotations = as_map(content["metadata"].get("annotations"))
    before = as_map(as_map((context.live or {}).get("metadata")).get("annotations"))
    is_marked = context.minor in ADDED if context.live is None else context.minor in RESTORED and TRACKING in before
    if not is_marked or TRACKING in annotations:
        return content
    return {**content, "metadata": {**content["metadata"], "annotations": {**annotations, TRACKING: ""}}}


def generate_selector(content: Object, context: AdmissionContext) -> Object:
    """Return a new Job with its selector, unless manualSelector is set."""
    spec = as_map(content.get("spec"))
    if context.live is not None or spec.get("manualSelector") is True:
        return content
    metadata, template = content["metadata"], as_map(spec.get("template"))
    owned = as_map(template.get("metadata"))
    labels = {**generated_labels(metadata, context.minor), **as_map(owned.get("labels"))}
    before = as_map(spec.get("selector"))
    picked = {**as_map(before.get("matchLabels")), **selector_label(metadata, context.minor)}
    template = {**template, "metadata": {**owned, "labels": labels}}
    if owned.get("labels") and metadata.get("labels") is owned["labels"]:  # one map by default, as in Go
        metadata = {**metadata, "labels": labels}
    return {
        **content,
        "metadata": metadata,
        "spec": {**spec, "selector": {**before, "matchLabels": picked}, "template": template},
    }


def with_labels_of_template(content: Object) -> Object:
    """Return a new Job as a server reads it after validation: without labels, it gets those of its template."""
    labels = get_path(content, "spec.template.metadata.labels")
    if content["metadata"].get("labels") or not labels:
        return content
    return {**content, "metadata": {**content["metadata"], "labels": labels}}
