"""Defaults for keys of list elements that Kubernetes specifications do not state.

Server-side apply gives a missing key the default of the server's OpenAPI v3 document. OpenAPI v2 and bundles of JSON
Schemas leave these defaults out. They are listed here, so that all documents of a release give the same tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .specs.facts import Node

ALWAYS = {
    ("core_v1.ContainerPort", "protocol"): "TCP",
    ("core_v1.ServicePort", "protocol"): "TCP",
}
"""Explicit defaults, also in releases that do not mark the field as a key yet."""

ZERO = {"string": "", "integer": 0, "number": 0, "boolean": False}
"""The default of any other key, by its type: the zero value, because the field is always present in Go."""

NONE = frozenset(
    {
        ("apiserverinternal_v1alpha1.ServerStorageVersion", "apiServerID"),
        ("core_v1.ObjectReference", "name"),
        ("flowcontrol_v1.FlowSchemaCondition", "type"),
        ("flowcontrol_v1.PriorityLevelConfigurationCondition", "type"),
        ("flowcontrol_v1alpha1.FlowSchemaCondition", "type"),
        ("flowcontrol_v1alpha1.PriorityLevelConfigurationCondition", "type"),
        ("flowcontrol_v1beta1.FlowSchemaCondition", "type"),
        ("flowcontrol_v1beta1.PriorityLevelConfigurationCondition", "type"),
        ("flowcontrol_v1beta2.FlowSchemaCondition", "type"),
        ("flowcontrol_v1beta2.PriorityLevelConfigurationCondition", "type"),
        ("flowcontrol_v1beta3.FlowSchemaCondition", "type"),
        ("flowcontrol_v1beta3.PriorityLevelConfigurationCondition", "type"),
        ("resource_v1.AllocatedDeviceStatus", "shareID"),
        ("resource_v1alpha2.ResourceClaimSchedulingStatus", "name"),
        ("resource_v1beta1.AllocatedDeviceStatus", "shareID"),
        ("resource_v1beta2.AllocatedDeviceStatus", "shareID"),
    }
)
"""Keys that are optional in Go (`omitempty`), and so have no default."""

NONE_AT_FIRST = frozenset(
    {
        ("core_v1.HostAlias", "ip"),
        ("core_v1.LocalObjectReference", "name"),
        ("core_v1.PodIP", "ip"),
    }
)
"""Keys that had no default up to 1.30."""

WITNESS = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference", "uid"
"""A field that has a default in every OpenAPI v3 document of a server, and in no other document."""


NEW_IN_1_31 = "io.k8s.api.core.v1.Volume", "image"
"""A field that is new in 1.31, because most documents do not name their release."""


def unstated(definitions: Mapping[str, Node]) -> Callable[..., Any]:
    """A function that returns the unstated default of a field, given its type, name, scalar type and `is_key`."""
    all_stated = "default" in (_field(definitions, *WITNESS) or ())
    without = NONE if _field(definitions, *NEW_IN_1_31) is not None else NONE | NONE_AT_FIRST

    def default(type_: str, field: str, of: str, *, is_key: bool) -> Any:
        known = ALWAYS.get((type_, field)) if of == "string" else None
        if known is not None or all_stated or not is_key:
            return known
        return None if (type_, field) in without else ZERO.get(of)

    return default


def _field(definitions: Mapping[str, Node], definition: str, field: str) -> Node | None:
    found: Node | None = definitions.get(definition, {}).get("properties", {}).get(field)
    return found
