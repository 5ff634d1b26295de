"""Aggregated ClusterRoles: their rules are those of all ClusterRoles that they select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..identity import ObjectId
from ..managed_fields import ManagedFieldsRecorder
from ..resources import APPLIES_SINCE
from ..scale import selector_text
from ..selectors import parse_selector
from ..unchecked import as_map, maps
from .names import AGGREGATION

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

MOST_PASSES = 10
"""After that, roles that select each other in a circle keep what they have. On a real server, they may never settle."""
CLUSTER_ROLE = ("rbac.authorization.k8s.io", "ClusterRole")


def concerns(event: StoreEvent) -> bool:
    """Whether a change may affect an aggregated ClusterRole."""
    return event.key.group_kind == CLUSTER_ROLE


def aggregate(changes: Changes) -> None:
    """Set the rules of all aggregated ClusterRoles, one after the other, so that each sees the ones before."""
    names = [one["metadata"]["name"] for one in changes.store.of_kind(*CLUSTER_ROLE) if one.get("aggregationRule")]
    for name in names:
        roles = {one["metadata"]["name"]: one for one in changes.store.of_kind(*CLUSTER_ROLE)}
        role = roles[name]
        rules = _rules(role, [*roles.values()])
        if rules != (role.get("rules") or []):
            _apply(changes, role, rules)


def _rules(role: Object, roles: list[Object]) -> list[Object]:
    found: list[Object] = []
    for _, selector in maps(as_map(role["aggregationRule"]), "clusterRoleSelectors"):
        text = selector_text({"matchLabels": {}, **selector})
        selects = parse_selector(text)
        for one in roles:
            metadata = one["metadata"]
            if metadata["name"] != role["metadata"]["name"] and selects(as_map(metadata.get("labels"))):
                found += [rule for _, rule in maps(one, "rules") if rule not in found]
    return found


def _apply(changes: Changes, role: Object, rules: list[Object]) -> None:
    key = ObjectId(*CLUSTER_ROLE, "", role["metadata"]["name"])
    resource = changes.resource(role)
    recorder = ManagedFieldsRecorder(AGGREGATION, changes.kinds, changes.origins, force=True)
    if changes.kinds.minor < APPLIES_SINCE:
        changes.save(key, {**role, "rules": rules or None}, role)
        return
    head = {"apiVersion": role["apiVersion"], "kind": role["kind"], "metadata": {"name": key.name}}
    made = recorder.applied({**head, **({"rules": rules} if rules else {})}, role, resource, None)
    changes.save(key, {**made, "rules": made.get("rules")}, role)
