"""Changes of selectors, service accounts and subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map
from ..generators.parts import BadOptions, label_selector
from ..generators.roles import GROUP
from .pod_specs import copied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object


def with_selector(content: Object, text: str) -> Object:
    """A Service that selects other Pods."""
    wanted = label_selector(text)
    if (content["apiVersion"], content["kind"]) != ("v1", "Service"):
        raise BadOptions("setting a selector is only supported for Services")
    if wanted.get("matchExpressions"):
        shown = " ".join(map(_as_go, wanted["matchExpressions"]))
        raise BadOptions(f"match expression [{shown}] not supported on this object")
    return {**content, "spec": {**as_map(content.get("spec")), "selector": wanted.get("matchLabels", {})}}


def _as_go(expression: Any) -> str:
    return f"{{{expression['key']} {expression['operator']} [{' '.join(expression.get('values', ()))}]}}"


def with_account(content: Object, name: str) -> Object:
    """The object with another service account for its Pods."""
    after, spec = copied(content)
    spec["serviceAccountName"] = name
    return after


# ---- subjects --------------------------------------------------------------------------------------------------------

_BINDINGS = ("RoleBinding", "ClusterRoleBinding")


def check_subjects(
    users: Sequence[str], groups: Sequence[str], accounts: Sequence[str], objects: Sequence[Object]
) -> None:
    """Refuse accounts without a name, or without a namespace where there is none to take."""
    if not (users or groups or accounts):
        raise BadOptions("you must specify at least one value of user, group or serviceaccount")
    for text in accounts:
        namespace, _, name = text.partition(":")
        if text.count(":") != 1 or not name:
            raise BadOptions("serviceaccount must be <namespace>:<name>")
        if not namespace and any(one["kind"] == "ClusterRoleBinding" for one in objects):
            raise BadOptions("serviceaccount must be <namespace>:<name>, namespace must be specified")


def with_subjects(
    content: Object, users: Sequence[str], groups: Sequence[str], accounts: Sequence[str], namespace: str
) -> Object:
    """A binding to more subjects."""
    if content["kind"] not in _BINDINGS:
        raise BadOptions("setting subjects is only supported for RoleBinding/ClusterRoleBinding")
    wanted: list[Object] = [{"kind": "User", "apiGroup": GROUP, "name": one} for one in sorted(set(users))]
    wanted += [{"kind": "Group", "apiGroup": GROUP, "name": one} for one in sorted(set(groups))]
    for text in sorted(set(accounts)):
        own, _, name = text.partition(":")
        wanted.append({"kind": "ServiceAccount", "name": name, "namespace": own or namespace})
    now = as_list(content.get("subjects"))
    new = [one for one in wanted if one not in now]
    return {**content, "subjects": [*now, *new]} if new else content
