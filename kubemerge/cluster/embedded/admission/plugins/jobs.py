"""The selector and the labels of the pods of a new job, which the server makes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.unchecked import a_map

if TYPE_CHECKING:
    from ....protocol import Object
    from .around import Around

PREFIX, PREFIXED_SINCE = "batch.kubernetes.io/", 27
NAMES = {"controller-uid": "uid", "job-name": "name"}


def selected(content: Object, around: Around) -> Object:
    """A new job with its selector, unless somebody selects its pods by hand."""
    spec = a_map(content.get("spec"))
    if around.live is not None or spec.get("manualSelector") is True:
        return content
    metadata, prefixed = content["metadata"], around.minor >= PREFIXED_SINCE
    prefixes = (PREFIX, "") if prefixed else ("",)
    made = {f"{prefix}{label}": metadata.get(field, "") for prefix in prefixes for label, field in NAMES.items()}
    template = a_map(spec.get("template"))
    owned = a_map(template.get("metadata"))
    labels = {**made, **a_map(owned.get("labels"))}
    uid = f"{PREFIX if prefixed else ''}controller-uid"
    before = a_map(spec.get("selector"))
    selector = {**before, "matchLabels": {**a_map(before.get("matchLabels")), uid: metadata.get("uid", "")}}
    template = {**template, "metadata": {**owned, "labels": labels}}
    if metadata.get("labels") in (None, {}, owned.get("labels")):  # of which a server makes one map
        metadata = {**metadata, "labels": labels}
    return {**content, "metadata": metadata, "spec": {**spec, "selector": selector, "template": template}}
