"""`kubectl auth reconcile`, which Argo CD runs before a client-side apply of roles and bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.plain import copied, same

from ...apiserver.authorization import reconciliation

if TYPE_CHECKING:
    Object = dict[str, Any]

RBAC = "rbac.authorization.k8s.io/v1"
KINDS = ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")


class Reconciled(NamedTuple):
    """The object to write, and whether it replaces an object that is deleted first."""

    object: Object
    is_recreated: bool = False


def is_reconciled(content: Object) -> bool:
    """Whether `kubectl auth reconcile` handles the kind of an object."""
    return content["apiVersion"] == RBAC and content["kind"] in KINDS


def reconciled(live: Object, config: Object) -> Reconciled | None:
    """The live object with missing rules, subjects, labels and annotations added. None if nothing is missing."""
    if reconciliation.is_protected(live):
        return None
    if live["kind"].endswith("Binding") and not same(live.get("roleRef"), config.get("roleRef")):
        return Reconciled(config, is_recreated=True)
    found = reconciliation.reconciled(live, config)
    return None if found is live else Reconciled(copied(found))
