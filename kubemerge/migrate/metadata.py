"""Metadata that tools add to every object. It is in no file of the user, and is never removed.

`plan` adds it to a config, and `migrate` takes its values from the live object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    Object = dict[str, Any]


class Stamp(NamedTuple):
    """One label or annotation that a tool adds."""

    field: str
    """`labels` or `annotations`."""
    key: str
    value: str = ""
    """The value. `{release}` and other names in braces are filled in. Empty if only the tool knows it."""
    always: bool = True
    """Whether the tool adds it in every setup."""


HELM, ARGOCD, FLUX = "helm", "argocd", "flux"
TRACKING_ID, INSTANCE = "argocd.argoproj.io/tracking-id", "app.kubernetes.io/instance"

STAMPS: dict[str, tuple[Stamp, ...]] = {
    "kubectl": (),
    HELM: (
        Stamp("labels", "app.kubernetes.io/managed-by", "Helm"),
        Stamp("annotations", "meta.helm.sh/release-name", "{release}"),
        Stamp("annotations", "meta.helm.sh/release-namespace", "{namespace}"),
        # Flux' helm-controller renders them into the manifests.
        Stamp("labels", "helm.toolkit.fluxcd.io/name", always=False),
        Stamp("labels", "helm.toolkit.fluxcd.io/namespace", always=False),
    ),
    ARGOCD: (
        Stamp("annotations", TRACKING_ID, always=False),
        Stamp("labels", INSTANCE, always=False),
    ),
    FLUX: (
        Stamp("labels", "kustomize.toolkit.fluxcd.io/name", "{name}"),
        Stamp("labels", "kustomize.toolkit.fluxcd.io/namespace", "{namespace}"),
    ),
}
"""The metadata that each tool adds to every object."""


def stamped(content: Object, tool: str, values: Mapping[str, str]) -> Object:
    """The object with the metadata that a tool always adds. Its values take precedence over the object's."""
    found = content
    for stamp in STAMPS[tool]:
        if stamp.always:
            found = _with(found, stamp, stamp.value.format(**values))
    return found


def stamped_as_live(content: Object, live: Object | None, tool: str) -> Object:
    """The object with the metadata that a tool has added to the live object."""
    if live is None:
        return content
    found = content
    for stamp in STAMPS[tool]:
        value = _value(live, stamp)
        if value is not None and _value(content, stamp) is None and _is_of_tool(stamp, value, live):
            found = _with(found, stamp, value)
    return found


def _is_of_tool(stamp: Stamp, value: str, live: Object) -> bool:
    """Whether the tool has set a label. Argo CD's instance label is a common one: it names the application."""
    if stamp.key != INSTANCE:
        return True
    tracking = _value(live, Stamp("annotations", TRACKING_ID))
    return tracking is None or tracking.partition(":")[0] == value


def _value(document: Object, stamp: Stamp) -> str | None:
    metadata = document.get("metadata")
    found = metadata.get(stamp.field) if isinstance(metadata, dict) else None
    value = found.get(stamp.key) if isinstance(found, dict) else None
    return value if isinstance(value, str) else None


def _with(document: Object, stamp: Stamp, value: str) -> Object:
    metadata = document.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    there = known.get(stamp.field)
    texts = {**(there if isinstance(there, dict) else {}), stamp.key: value}
    return {**document, "metadata": {**known, stamp.field: texts}}
