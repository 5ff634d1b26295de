"""The permissions that requests used, as Roles and ClusterRoles."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.authorization.attributes import Attributes
from kubemerge.apiserver.authorization.permissions import UsedPermissions, merged_rules
from kubemerge.apiserver.authorization.rules import Rule
from kubemerge.apiserver.user import User
from kubemerge.cluster import Forbidden, connect

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving

API = "rbac.authorization.k8s.io/v1"
OPERATOR = "system:serviceaccount:shop:operator"


def noted(*requests: str, user: str = OPERATOR) -> UsedPermissions:
    """The permissions of requests such as `get apps/deployments web shop`."""
    used = UsedPermissions(37)
    for request in requests:
        verb, what, name, namespace = [word.replace("-", "") for word in (*request.split(" "), "-", "-")][:4]
        if what.startswith("/"):
            asked = Attributes(User(user), verb, path=what, is_resource=False)
        else:
            group, _, resource = what.rpartition("/")
            asked = Attributes(User(user), verb, group, resource, name=name, namespace=namespace)
        used.note(asked, {"kopf"})
    return used


def rules(roles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [rule for role in roles for rule in role["rules"]]


def test_rules_are_merged_and_sorted() -> None:
    used = noted(
        "watch apps/deployments - shop",
        "list apps/deployments - shop",
        "list apps/statefulsets - shop",
        "watch apps/statefulsets - shop",
        "patch /configmaps b shop".replace("/", ""),
        "get configmaps a shop",
        "create events - shop",
        "create events.k8s.io/events - shop",
    )
    (role,) = used.roles()
    assert role["metadata"] == {"name": "operator", "namespace": "shop"}
    assert (role["apiVersion"], role["kind"]) == (API, "Role")
    assert role["rules"] == [
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "patch"]},
        {"apiGroups": ["", "events.k8s.io"], "resources": ["events"], "verbs": ["create"]},
        {"apiGroups": ["apps"], "resources": ["deployments", "statefulsets"], "verbs": ["list", "watch"]},
    ]


def test_names_are_listed_on_request() -> None:
    used = noted("get configmaps a shop", "get configmaps b shop", "patch configmaps b shop", "list configmaps - shop")
    assert rules(used.roles(names=True)) == [
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]},
        {"apiGroups": [""], "resourceNames": ["a", "b"], "resources": ["configmaps"], "verbs": ["get"]},
        {"apiGroups": [""], "resourceNames": ["b"], "resources": ["configmaps"], "verbs": ["patch"]},
    ]


def test_a_role_has_only_what_the_cluster_role_lacks() -> None:
    used = noted("list pods", "watch pods", "list pods - shop", "get pods p shop", "get namespaces shop shop")
    cluster_role, role = used.roles()
    assert (cluster_role["kind"], role["kind"]) == ("ClusterRole", "Role")
    assert cluster_role["rules"] == [
        {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["list", "watch"]},
    ]
    assert role["rules"] == [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]


def test_permissions_of_all_users_are_left_out() -> None:
    used = noted("get /api", "get /apis/apps/v1", "get /version", "get /metrics")
    assert rules(used.roles()) == [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]
    assert noted("get /openapi/v3").roles() == []


def test_requests_are_chosen_by_user_or_by_manager() -> None:
    used = noted("list pods")
    used.note(Attributes(User("jane"), "list", "", "nodes"), {"kubectl", "kubectl-edit"})
    assert [role["metadata"]["name"] for role in used.roles()] == ["jane", "operator"]
    assert rules(used.roles(user="jane"))[0]["resources"] == ["nodes"]
    assert [role["metadata"]["name"] for role in used.roles(manager="kubectl-edit")] == ["kubectl-edit"]
    assert used.roles(user="nobody") == used.roles(manager="helm") == []
    used.clear()
    assert used.roles() == []


def test_merged_rules_allow_nothing_else() -> None:
    parts = [
        Rule(("get",), ("a",), ("x",)),
        Rule(("get",), ("b",), ("y",)),
        Rule(("list",), ("a",), ("y",)),
        Rule(("get",), ("a",), ("x",), ("n",)),
    ]
    assert merged_rules(parts) == [
        Rule(("get",), ("a",), ("x",)),
        Rule(("list",), ("a",), ("y",)),
        Rule(("get",), ("b",), ("y",)),
    ]


def test_the_roles_of_a_run_suffice_for_the_next(kube_server: Serving, tmp_path: Path) -> None:
    """An operator with a ServiceAccount runs, first without any permission and then with those it used."""
    server = kube_server(authorization="rbac")
    server.cluster.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "operator"}})
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "default"}}
    client = connect(str(server.write_account_kubeconfig(tmp_path / "operator", "default/operator")))
    with pytest.raises(Forbidden, match=r'User "system:serviceaccount:default:operator" cannot create resource'):
        client.create(config)
    roles = server.permissions("system:serviceaccount:default:operator")
    assert rules(roles) == [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"]}]
    for role in roles:
        server.cluster.create(role)
    server.cluster.create(
        {
            "apiVersion": API,
            "kind": "RoleBinding",
            "metadata": {"name": "operator"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "operator"},
            "subjects": [{"kind": "ServiceAccount", "name": "operator"}],
        }
    )
    assert client.create(config)["metadata"]["uid"]
    assert server.permissions(manager="kubemerge") != []


def test_impersonation_is_a_permission(kube_server: Serving) -> None:
    headers = {"Impersonate-User": "jane", "Impersonate-Uid": "u", "Impersonate-Extra-scopes": "view"}
    request = urllib.request.Request(f"{kube_server.url}/api/v1/nodes", headers=headers)
    urllib.request.urlopen(request).close()
    assert rules(kube_server.permissions("jane")) == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["list"]}]
    assert rules(kube_server.permissions("kubernetes-admin")) == [
        {"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"]},
        {"apiGroups": ["authentication.k8s.io"], "resources": ["uids", "userextras/scopes"], "verbs": ["impersonate"]},
    ]


@pytest.mark.parametrize("mode", ["always-allow", "rbac"])
def test_an_apply_that_creates_an_object_needs_both_permissions(kube_server: Serving, mode: str) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "default"}}
    server = kube_server(authorization=mode)
    path = "/api/v1/namespaces/default/configmaps/c?fieldManager=m"
    headers = {"Content-Type": "application/apply-patch+yaml", "Impersonate-User": "jane"}
    rule = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["patch"]}
    if mode == "rbac":
        server.cluster.create({"apiVersion": API, "kind": "ClusterRole", "metadata": {"name": "r"}, "rules": [rule]})
        server.cluster.create(
            {
                "apiVersion": API,
                "kind": "ClusterRoleBinding",
                "metadata": {"name": "r"},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
                "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
            }
        )
    request = urllib.request.Request(server.url + path, json.dumps(config).encode(), headers, method="PATCH")
    try:
        urllib.request.urlopen(request).close()
    except urllib.error.HTTPError as error:
        error.close()
    for names in (False, True):
        found = rules(server.permissions(manager="m", names=names))
        assert {verb for one in found for verb in one["verbs"]} == {"create", "patch"}
        assert [one.get("resourceNames") for one in found] == ([None, ["c"]] if names else [None])


def test_the_default_mode_records_permissions_as_well(kube_server: Serving) -> None:
    list(connect(str(kube_server.kubeconfig)).list("v1", "Pod", namespace="default"))
    (role,) = kube_server.permissions("kubernetes-admin")
    assert role["rules"] == [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]
