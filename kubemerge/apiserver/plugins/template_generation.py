"""The template generation of DaemonSets, a former field that is an annotation now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decoding.type_errors import GENERATION as COUNT
from ..unchecked import as_map, as_text, get_path

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext


def read(content: Object, _: AdmissionContext) -> Object:
    """Return a DaemonSet with its template generation as a field."""
    versions = ("apps/v1", "apps/v1beta2")
    given = COUNT in as_map(get_path(content, "metadata.annotations"))
    return content if given or content.get("apiVersion") not in versions else _counting(content, "0")


def increment_generation(content: Object, context: AdmissionContext) -> Object:
    """Increment the template generation if the template has changed. A new DaemonSet has at least 1."""
    if COUNT not in as_map(get_path(content, "metadata.annotations")):
        return content
    if context.live is None:
        return _counting(content, str(max(1, int(content["metadata"]["annotations"][COUNT]))))
    count = as_text(as_map(get_path(context.live, "metadata.annotations")).get(COUNT)) or "0"
    changed = get_path(content, "spec.template") != get_path(context.live, "spec.template")
    return _counting(content, str(int(count) + 1) if changed and count.isdecimal() else count)


def _counting(content: Object, count: str) -> Object:
    annotations = {**as_map(content["metadata"].get("annotations")), COUNT: count}
    return {**content, "metadata": {**content["metadata"], "annotations": annotations}}
