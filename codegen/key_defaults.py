"""The defaults of keys of list elements that a specification of Kubernetes does not state.

Server-side apply gives a missing key the default of the server's OpenAPI v3 document. OpenAPI v2 and bundles of JSON
Schemas leave these defaults out, so they are stated here, and all documents of a release give the same tables.
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
"""The defaults that are values of their own, also in releases that do not mark the field as a key yet."""

ZERO = {"string": "", "integer": 0, "number": 0, "boolean": False}
"""The default of any other key, by its type: the zero value, because the field is always there in Go."""

NONE_UP_TO: dict[tuple[str, str], int | None] = {
    ("apiserverinternal_v1alpha1.ServerStorageVersion", "apiServerID"): None,
    ("core_v1.HostAlias", "ip"): 30,
    ("core_v1.LocalObjectReference", "name"): 30,
    ("core_v1.ObjectReference", "name"): None,
    ("core_v1.PodIP", "ip"): 30,
    ("flowcontrol_v1.FlowSchemaCondition", "type"): None,
    ("flowcontrol_v1.PriorityLevelConfigurationCondition", "type"): None,
    ("flowcontrol_v1alpha1.FlowSchemaCondition", "type"): None,
    ("flowcontrol_v1alpha1.PriorityLevelConfigurationCondition", "type"): None,
    ("flowcontrol_v1beta1.FlowSchemaCondition", "type"): None,
    ("flowcontrol_v1beta1.PriorityLevelConfigurationCondition", "type"): None,
    ("flowcontrol_v1beta2.FlowSchemaCondition", "type"): None,
    ("flowcontrol_v1beta2.PriorityLevelConfigurationCondition", "type"): None,
    ("flowcontrol_v1beta3.FlowSchemaCondition", "type"): None,
    ("flowcontrol_v1beta3.PriorityLevelConfigurationCondition", "type"): None,
    ("resource_v1.AllocatedDeviceStatus", "shareID"): None,
    ("resource_v1alpha2.ResourceClaimSchedulingStatus", "name"): None,
    ("resource_v1beta1.AllocatedDeviceStatus", "shareID"): None,
    ("resource_v1beta2.AllocatedDeviceStatus", "shareID"): None,
}
"""The keys that may be left out in Go (`omitempty`) and so have no default, with the last minor in which that held;
None if it still holds."""

WITNESS = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference", "uid"
"""A field that has a default in every OpenAPI v3 document of a server, and in no other document."""


def unstated(definitions: Mapping[str, Node], minor: int | None) -> Callable[..., Any]:
    """A function from a type, a field, its scalar type and whether it is a key, to the default that is not stated.

    `minor` is the release of the definitions; the newest is assumed where it is not known.
    """
    definition, field = WITNESS
    all_stated = "default" in definitions.get(definition, {}).get("properties", {}).get(field, {})

    def default(type_: str, field: str, of: str, *, is_key: bool) -> Any:
        known = ALWAYS.get((type_, field)) if of == "string" else None
        if known is not None or all_stated or not is_key:
            return known
        return None if _has_none((type_, field), minor) else ZERO.get(of)

    return default


def _has_none(key: tuple[str, str], minor: int | None) -> bool:
    if key not in NONE_UP_TO:
        return False
    last = NONE_UP_TO[key]
    return last is None or (minor is not None and minor <= last)
