"""Adding what a role or binding lacks: `kubectl auth reconcile`, and the default roles of an API server.

It follows `auth/rbac/reconciliation` of k8s.io/component-helpers, without removal of extra permissions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..unchecked import as_list, as_map, maps
from .rules import missing_rules, rules_in

if TYPE_CHECKING:
    from ..unchecked import Object

PROTECTED = "rbac.authorization.kubernetes.io/autoupdate"
"""The annotation with which users keep a role or binding as it is."""
SELECTORS = "clusterRoleSelectors"


def is_protected(live: Object) -> bool:
    """Whether a role or binding must stay as it is."""
    return as_map(live["metadata"].get("annotations")).get(PROTECTED) == "false"


def reconciled(live: Object, wanted: Object) -> Object:
    """Return a role or binding with the missing labels, annotations and permissions: the live one if none is missing.

    Additional rules, subjects and labels stay. An aggregationRule that is not wanted is removed.
    """
    changes: Object = {}
    metadata = dict(live["metadata"])
    for field in ("labels", "annotations"):
        both = {**as_map(wanted["metadata"].get(field)), **as_map(metadata.get(field))}
        if both:
            metadata[field] = both
    if metadata != live["metadata"]:
        changes["metadata"] = metadata
    if live["kind"].endswith("Binding"):
        changes |= _added(live, "subjects", _missing_subjects(live, wanted))
        return {**live, **changes} if changes else live
    changes |= _added(live, "rules", [rule.content() for rule in missing_rules(rules_in(live), rules_in(wanted))])
    found = {**live, **changes} if changes else live
    rule = as_map(live.get("aggregationRule"))
    if wanted.get("aggregationRule") is None:
        return {field: value for field, value in found.items() if field != "aggregationRule"} if rule else found
    selectors = _added(rule, SELECTORS, _missing_selectors(rule, as_map(wanted["aggregationRule"])))
    return {**found, "aggregationRule": {**rule, **selectors}} if selectors else found


def _added(owner: Object, field: str, missing: list[Any]) -> Object:
    return {field: [*as_list(owner.get(field)), *missing]} if missing else {}


def _missing_subjects(live: Object, wanted: Object) -> list[Object]:
    present = {encode(one) for _, one in maps(live, "subjects")}
    found = {encode(one): one for _, one in maps(wanted, "subjects")}
    return [one for text, one in found.items() if text not in present]


def _missing_selectors(live: Object, wanted: Object) -> list[Object]:
    present = {_without_empties(one) for _, one in maps(live, SELECTORS)}
    return [one for _, one in maps(wanted, SELECTORS) if _without_empties(one) not in present]


def _without_empties(selector: Object) -> str:
    return encode({field: value for field, value in selector.items() if value})
