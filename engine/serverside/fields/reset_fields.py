"""Reset fields: fields that a write to a resource or subresource cannot change, and so does not own.

A write to the object resets its status, and a write to /status resets everything else. The tables come from the
strategies of k8s.io/kubernetes 1.37; custom resources use the defaults.
"""

from __future__ import annotations

from functools import lru_cache

from ...values.plain import ABSENT
from . import trees
from .path_elements import field_element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...tables.schema import Schema
    from .trees import Tree

BY_STATUS = "metadata spec"
"""The fields that a write to /status resets, for kinds not listed below."""
SPEC = "spec"
BY_STATUS_OF = {
    "apps DaemonSet": SPEC,
    "apps Deployment": "metadata.labels spec",
    "apps ReplicaSet": SPEC,
    "apps StatefulSet": SPEC,
    "autoscaling HorizontalPodAutoscaler": SPEC,
    "batch CronJob": SPEC,
    "batch Job": SPEC,
    "certificates.k8s.io CertificateSigningRequest": "spec status.conditions",
    "extensions Ingress": SPEC,
    "networking.k8s.io Ingress": SPEC,
    "policy PodDisruptionBudget": SPEC,
    " Namespace": SPEC,
    " Node": SPEC,
    " PersistentVolume": SPEC,
    " PersistentVolumeClaim": SPEC,
    " Pod": "metadata.deletionTimestamp metadata.ownerReferences spec",
    " ReplicationController": SPEC,
    " ResourceQuota": SPEC,
    " Service": SPEC,
}
"""By group and kind."""
CUSTOM = ""
BY_STATUS_BEFORE = {
    CUSTOM: (36, SPEC),
    "certificates.k8s.io PodCertificateRequest": (37, SPEC),
    "networking.k8s.io ServiceCIDR": (36, SPEC),
    "resource.k8s.io ResourceClaim": (35, SPEC),
}
"""The fields before a minor release, by group and kind, and for custom resources."""
STATUS_SINCE = {"networking.k8s.io ServiceCIDR": 36}
"""The first minor release in which a write to the object resets its status, by group and kind."""
OTHERWISE = {
    "certificates.k8s.io CertificateSigningRequest": {"": "spec status", "approval": "spec status.certificate"},
    " Namespace": {"finalize": "status"},
}
"""Other exceptions by group, kind and subresource; the empty one is the object itself."""


def reset_fields(schema: Schema | None, subresource: str | None) -> Tree:
    """The field set that a write resets."""
    if schema is None:
        return _reset(CUSTOM, subresource or "", has_status=True, minor=None)
    has_status = schema.type.fields.get("status") is not None
    group = (schema.api_version or "").rpartition("/")[0]
    key = f"{group} {schema.kind}" if schema.built_in else CUSTOM
    found = schema.types.of_release
    return _reset(key, subresource or "", has_status=has_status, minor=None if found is None else found.minor)


@lru_cache(maxsize=512)
def _reset(key: str, subresource: str, *, has_status: bool, minor: int | None) -> Tree:
    listed = OTHERWISE.get(key, {}).get(subresource)
    if listed is None:
        since, before = BY_STATUS_BEFORE.get(key, (0, ""))
        by_status = before if minor is not None and minor < since else BY_STATUS_OF.get(key, BY_STATUS)
        is_reset = has_status and (minor is None or minor >= STATUS_SINCE.get(key, 0))
        listed = {"": "status" if is_reset else "", "status": by_status}.get(subresource, "")
    return trees.of_paths([[*map(field_element, path.split("."))] for path in listed.split()])


def reset_values(reset: Tree) -> Tree:
    """The fields whose values are reset too. If a status is reset in part, only its ownership is."""
    return {field: inner for field, inner in reset.items() if field != "f:status" or inner == trees.LEAF}


def restore_reset_fields(after: dict[str, Any], before: dict[str, Any] | None, reset: Tree) -> dict[str, Any]:
    """The object after a write, with reset fields set to their values from before."""
    result = after
    for element, inner in reset.items():
        name = element[2:]
        have, old = after.get(name, ABSENT), ABSENT if before is None else before.get(name, ABSENT)
        if inner != trees.LEAF and (type(have) is dict or type(old) is dict):
            new = restore_reset_fields(have if type(have) is dict else {}, old if type(old) is dict else None, inner)
            old = new if new or type(have) is dict else ABSENT
        if old is have:
            continue
        if result is after:
            result = dict(after)
        if old is ABSENT:
            result.pop(name, None)
        else:
            result[name] = old
    return result
