"""Aggregated ClusterRoles: their rules are those of all ClusterRoles that they select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.go_json import encode

from ..identity import ObjectId
from ..kinds.builtin_kinds import RBAC_GROUP
from ..managed_fields import ManagedFieldsRecorder
from ..resources import APPLIES_SINCE
from ..unchecked import as_map, maps
from ..validation.selectors import selector_matches
from .names import AGGREGATION

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

MOST_PASSES = 10
"""After that, roles that select each other in a circle keep what they have. On a real server, they may never settle."""
CLUSTER_ROLE = (RBAC_GROUP, "ClusterRole")


def concerns(event: StoreEvent) -> bool:
    """Whether a change may affect an aggregated ClusterRole."""
    return event.key.group_kind == CLUSTER_ROLE


def aggregate(changes: Changes) -> None:
    """Set the rules of all aggregated ClusterRoles, one after the other, so that each sees the ones before."""
    roles = list(changes.store.of_kind(*CLUSTER_ROLE))
    for place, role in enumerate(roles):
        if role.get("aggregationRule") is None:
            continue
        rules = _rules(role, roles)
        if rules != (role.get("rules") or []):
            roles[place] = _apply(changes, role, rules)


def _rules(role: Object, roles: list[Object]) -> list[Object]:
    found: dict[str, Object] = {}
    for _, selector in maps(as_map(role["aggregationRule"]), "clusterRoleSelectors"):
        for one in roles:
            metadata = one["metadata"]
            is_other = metadata["name"] != role["metadata"]["name"]
            if is_other and selector_matches(selector, as_map(metadata.get("labels"))):
                for _, rule in maps(one, "rules"):
                    found.setdefault(encode(rule), rule)
    return [*found.values()]


def _apply(changes: Changes, role: Object, rules: list[Object]) -> Object:
    """Save the role with these rules, and return it."""
    key = ObjectId(*CLUSTER_ROLE, "", role["metadata"]["name"])
    resource = changes.resource(role)
    recorder = ManagedFieldsRecorder(AGGREGATION, changes.kinds, changes.origins, force=True)
    if changes.kinds.minor < APPLIES_SINCE:
        return changes.save(key, {**role, "rules": rules or None}, role)
    head = {"apiVersion": role["apiVersion"], "kind": role["kind"], "metadata": {"name": key.name}}
    made = recorder.applied({**head, **({"rules": rules} if rules else {})}, role, resource, None)
    return changes.save(key, {**made, "rules": made.get("rules")}, role)
