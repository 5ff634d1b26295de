"""`kubectl auth reconcile`, which Argo CD runs before a client-side apply of roles and bindings."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.plain import copied, same

from ..metadata import texts_of

if TYPE_CHECKING:
    Object = dict[str, Any]

RBAC = "rbac.authorization.k8s.io/v1"
KINDS = ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")
PROTECTED = "rbac.authorization.kubernetes.io/autoupdate"
_FIELDS = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")


class Reconciled(NamedTuple):
    """The object to write, and whether it replaces an object that is deleted first."""

    object: Object
    is_recreated: bool = False


def is_reconciled(content: Object) -> bool:
    """Whether `kubectl auth reconcile` handles the kind of an object."""
    return content["apiVersion"] == RBAC and content["kind"] in KINDS


def reconciled(live: Object, config: Object) -> Reconciled | None:
    """The live object with missing rules, subjects, labels and annotations added. None if nothing is missing."""
    metadata = dict(live["metadata"])
    if texts_of(live, "annotations").get(PROTECTED) == "false":
        return None
    for field in ("annotations", "labels"):
        both = {**texts_of(config, field), **texts_of(live, field)}
        if both:
            metadata[field] = both
    found = copied({**live, "metadata": metadata})
    if live["kind"].endswith("Binding"):
        if not same(live.get("roleRef"), config.get("roleRef")):
            return Reconciled(config, is_recreated=True)
        missing = [one for one in _list(config, "subjects") if one not in _list(live, "subjects")]
        if missing:
            found["subjects"] = [*_list(live, "subjects"), *copied(missing)]
    else:
        missing = _missing_rules(_list(live, "rules"), _list(config, "rules"))
        if missing:
            found["rules"] = [*_list(live, "rules"), *missing]
    return None if same(found, live) else Reconciled(found)


def _missing_rules(existing: list[Object], wanted: list[Object]) -> list[Object]:
    """The permissions that no existing rule covers, each as a rule of its own."""
    found = []
    for rule in wanted:
        for part in _parts(rule):
            if not any(_covers(one, part) for one in existing) and part not in found:
                found.append(part)
    return found


def _parts(rule: Object) -> list[Object]:
    """A rule split into rules for one verb and one resource or URL."""
    verbs, names = (_texts(rule, field) for field in ("verbs", "resourceNames"))
    parts: list[Object] = []
    for group, resource, verb in product(_texts(rule, "apiGroups"), _texts(rule, "resources"), verbs):
        plain = {"verbs": [verb], "apiGroups": [group], "resources": [resource]}
        parts += [{**plain, "resourceNames": [name]} for name in names] or [plain]
    parts += [
        {"verbs": [verb], "nonResourceURLs": [url]} for url, verb in product(_texts(rule, "nonResourceURLs"), verbs)
    ]
    return parts


def _covers(rule: Object, part: Object) -> bool:
    has = {field: _texts(rule, field) for field in _FIELDS}
    if not _has(has["verbs"], part["verbs"][0]):
        return False
    if "nonResourceURLs" in part:
        url = part["nonResourceURLs"][0]
        return any(one == url or (one.endswith("*") and url.startswith(one[:-1])) for one in has["nonResourceURLs"])
    if not _has(has["apiGroups"], part["apiGroups"][0]) or not _has_resource(has["resources"], part["resources"][0]):
        return False
    names = part.get("resourceNames") or [""]
    return not has["resourceNames"] or names[0] in has["resourceNames"]


def _list(content: Object, field: str) -> list[Object]:
    found = content.get(field)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _texts(rule: Object, field: str) -> list[str]:
    found = rule.get(field)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _has(values: list[Any], value: Any) -> bool:
    return "*" in values or value in values


def _has_resource(values: list[Any], value: str) -> bool:
    subresource = value.partition("/")[2]
    return _has(values, value) or (bool(subresource) and f"*/{subresource}" in values)
