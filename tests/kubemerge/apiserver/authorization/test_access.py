"""Requests to a server with RBAC: who is anonymous, who is an administrator, and which changes count at once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.authorization.attributes import Attributes
from kubemerge.apiserver.authorization.authorizer import Decision
from kubemerge.apiserver.http.access import request_attributes
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.authentication import Authenticator
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.user import ADMIN, User
from kubemerge.cluster import BadRequest, Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

API = "rbac.authorization.k8s.io/v1"
PODS = "/api/v1/namespaces/default/pods"
RULES = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]
ROLE = {"apiVersion": API, "kind": "Role", "metadata": {"name": "reader", "namespace": "default"}, "rules": RULES}
BINDING = {
    "apiVersion": API,
    "kind": "RoleBinding",
    "metadata": {"name": "jane", "namespace": "default"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
    "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
}
JANE = (("user", "jane"),)


class Server:
    """A server with RBAC, with or without a token file."""

    def __init__(self, token: str | None = None, file: str = ":memory:", mode: str = "rbac") -> None:
        self.cluster = open_cluster(file)
        self.cluster.use_authorization(mode)
        self.application = Application(self.cluster, Authenticator(self.cluster, token))

    def status(self, path: str = PODS, *, token: str = "", acting: tuple[tuple[str, str], ...] = ()) -> int:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.application.answer(Request("GET", path, {}, headers, b"", acting)).status


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.cluster.close()


def test_without_a_token_file_requests_come_from_an_administrator(server: Server) -> None:
    assert server.status() == 200
    assert server.status(acting=JANE) == 403


def test_a_denial_is_not_sniffed(server: Server) -> None:
    denied = server.application.answer(Request("GET", PODS, impersonation=JANE))
    assert denied.headers == (("X-Content-Type-Options", "nosniff"),)
    assert server.application.answer(Request("GET", f"{PODS}/p")).headers == ()


def test_with_a_token_file_a_request_without_a_token_is_anonymous() -> None:
    server = Server("sesame")
    assert [server.status(path) for path in (PODS, "/api", "/version", "/healthz")] == [403, 403, 200, 200]
    assert server.status(token="sesame") == 200
    assert server.status(token="wrong") == 401
    server.cluster.close()


def test_without_rbac_a_request_without_a_token_is_rejected() -> None:
    server = Server("sesame", mode="always-allow")
    assert [server.status(path) for path in (PODS, "/api", "/version")] == [401, 401, 200]
    server.cluster.close()


def test_a_change_counts_for_the_next_request(server: Server) -> None:
    cluster = server.cluster
    statuses = [server.status(acting=JANE)]
    for content in (BINDING, ROLE):
        cluster.create(content)
        statuses.append(server.status(acting=JANE))
    cluster.patch(Reference.of(ROLE), {"rules": []}, "merge")
    statuses.append(server.status(acting=JANE))
    cluster.patch(Reference.of(ROLE), {"rules": RULES}, "merge")
    statuses.append(server.status(acting=JANE))
    cluster.delete(Reference.of(BINDING))
    statuses.append(server.status(acting=JANE))
    assert statuses == [403, 403, 200, 403, 200, 403]


def test_a_dry_run_and_a_failed_write_change_nothing(server: Server) -> None:
    cluster = server.cluster
    cluster.create(BINDING)
    cluster.create(ROLE, dry_run=True)
    assert server.status(acting=JANE) == 403
    with pytest.raises(BadRequest):
        _failed_write(server)
    assert server.status(acting=JANE) == 403


def _failed_write(server: Server) -> None:
    with server.cluster.together():
        server.cluster.create(ROLE)
        assert server.status(acting=JANE) == 200
        raise BadRequest("stop")


def test_imported_roles_count(server: Server) -> None:
    server.cluster.load([ROLE, BINDING])
    assert server.status(acting=JANE) == 200


def test_a_change_by_another_process_counts(tmp_path: Path) -> None:
    file = str(tmp_path / "cluster.db")
    server = Server(file=file)
    assert server.status(acting=JANE) == 403
    program = "import json, sys; from kubemerge.cluster import open_cluster; cluster = open_cluster(sys.argv[1])\n"
    program += "for one in json.load(sys.stdin): cluster.create(one)"
    words = [sys.executable, "-c", program, file]
    subprocess.run(words, input=json.dumps([ROLE, BINDING]), text=True, check=True)
    assert server.status(acting=JANE) == 200
    server.cluster.close()


def test_a_reset_removes_bindings(server: Server) -> None:
    server.cluster.create(BINDING)
    server.cluster.create(ROLE)
    assert server.status(acting=JANE) == 200
    server.cluster.reset()
    assert server.status(acting=JANE) == 403


def test_a_service_account_has_what_is_bound_to_it(server: Server) -> None:
    account = {"kind": "ServiceAccount", "name": "default", "namespace": "default"}
    request = Request("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", {}, {}, b"{}")
    found = server.application.answer(request).body
    assert isinstance(found, bytes)
    token = json.loads(found)["status"]["token"]
    assert server.status(token=token) == 403
    server.cluster.create(ROLE)
    server.cluster.create({**BINDING, "subjects": [account]})
    assert server.status(token=token) == 200


def test_python_is_an_administrator(server: Server) -> None:
    server.cluster.create({**ROLE, "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]})


def test_the_authorizer_can_be_asked_directly(server: Server) -> None:
    server.cluster.create(ROLE)
    server.cluster.create(BINDING)
    asked = Attributes(User("jane"), "list", "", "pods", namespace="default")
    reason = 'RBAC: allowed by RoleBinding "jane/default" of Role "reader" to User "jane"'
    assert server.cluster.authorizer.authorize(asked) == Decision(True, reason)
    assert server.cluster.authorizer.authorize(asked._replace(verb="get")) == Decision(False)


def test_an_unknown_mode_is_rejected(server: Server) -> None:
    with pytest.raises(BadRequest, match="there is no authorization mode 'abac'"):
        server.cluster.use_authorization("abac")


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/api/v1/pods", ("list", "", "pods", "", "", "")),
        ("GET", "/api/v1/pods?watch=1", ("watch", "", "pods", "", "", "")),
        ("GET", "/api/v1/watch/namespaces/a/pods", ("watch", "", "pods", "", "", "a")),
        ("GET", "/api/v1/watch/namespaces/a/pods/p", ("watch", "", "pods", "", "p", "a")),
        ("GET", "/api/v1/namespaces/a", ("get", "", "namespaces", "", "a", "a")),
        ("PUT", "/api/v1/namespaces/a/finalize", ("update", "", "namespaces", "finalize", "a", "a")),
        ("POST", "/apis/apps/v1/namespaces/a/deployments", ("create", "apps", "deployments", "", "", "a")),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/a/deployments/d/scale",
            ("patch", "apps", "deployments", "scale", "d", "a"),
        ),
        ("DELETE", "/api/v1/nodes", ("deletecollection", "", "nodes", "", "", "")),
        ("DELETE", "/api/v1/nodes/n", ("delete", "", "nodes", "", "n", "")),
        ("HEAD", "/api/v1/nodes/n", ("get", "", "nodes", "", "n", "")),
        ("OPTIONS", "/api/v1/nodes/n", ("", "", "nodes", "", "n", "")),
        ("GET", "/api/v1/pods?fieldSelector=a%3Db,metadata.name%3D%3Dp", ("list", "", "pods", "", "p", "")),
        ("GET", "/api/v1/pods?fieldSelector=metadata.name!%3Dp", ("list", "", "pods", "", "", "")),
        ("GET", "/api/v1/pods?fieldSelector=metadata.name%3Da/b", ("list", "", "pods", "", "", "")),
        ("GET", "/api/v1/namespaces/a/services/s/proxy/x/y", ("get", "", "services", "proxy", "s", "a")),
    ],
)
def test_attributes_of_a_request(method: str, path: str, expected: tuple[str, ...]) -> None:
    scope: dict[str, Any] = {"method": method, "path": path.partition("?")[0], "headers": ()}
    scope["query_string"] = path.partition("?")[2].encode()
    found = request_attributes(Request.of(scope, b""), ADMIN)
    assert found.is_resource
    assert found[1:7] == expected


@pytest.mark.parametrize("path", [f"{PODS}/", f"{PODS}//"])
def test_slashes_at_the_end_do_not_change_what_is_authorized(path: str) -> None:
    assert request_attributes(Request("GET", path), ADMIN)._replace(path="") == request_attributes(
        Request("GET", PODS), ADMIN
    )._replace(path="")


@pytest.mark.parametrize("path", [f"/{PODS}", PODS.replace("/pods", "//pods"), "/api//v1/pods", "//version"])
def test_paths_with_an_empty_segment_are_not_served(server: Server, path: str) -> None:
    assert server.application.answer(Request("GET", path)).status == 404


@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ("metadata.name=a", "a"),
        ("metadata.name==a,spec.nodeName=n", "a"),
        ("metadata.name=a\\,b", "a,b"),
        ("metadata.namespace!=x\\,metadata.name=a", ""),
        ("metadata.name=a,broken", ""),
        ("metadata.name!=a", ""),
    ],
)
def test_a_list_of_one_object_is_authorized_by_the_selector_that_is_evaluated(selector: str, name: str) -> None:
    request = Request("GET", PODS, {"fieldSelector": [selector]})
    assert request_attributes(request, ADMIN).name == name


@pytest.mark.parametrize("path", ["/", "/api", "/api/v1", "/apis/apps/v1", "/version", "/apis/apps/v1/"])
def test_other_paths_are_no_resources(path: str) -> None:
    found = request_attributes(Request("HEAD", path), ADMIN)
    assert (found.is_resource, found.verb, found.path) == (False, "head", path)


CONFIGS = "/api/v1/namespaces/default/configmaps"
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": "default"}}


def allow_jane(server: Server, verb: str) -> None:
    """Create a ConfigMap for which jane has one permission."""
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": [verb]}]
    for one in ({**ROLE, "rules": rules}, BINDING, CONFIG):
        server.cluster.create(one)


def test_paths_of_watches_change_nothing(server: Server) -> None:
    allow_jane(server, "watch")
    watched = CONFIGS.replace("/v1/", "/v1/watch/")
    for method in ("DELETE", "PUT", "PATCH"):
        for path in (f"{watched}/one", watched):
            headers = {"content-type": "application/merge-patch+json" if method == "PATCH" else "application/json"}
            sent = json.dumps({**CONFIG, "data": {"a": "b"}}).encode() if method != "DELETE" else b""
            assert server.application.answer(Request(method, path, {}, headers, sent, JANE)).status == 405
    assert "data" not in server.cluster.get(Reference("v1", "ConfigMap", "one", "default"))


def test_a_watch_of_one_object_is_a_get(server: Server) -> None:
    allow_jane(server, "get")
    found = server.application.answer(Request("GET", f"{CONFIGS}/one", {"watch": ["1"]}, {}, b"", JANE))
    assert json.loads(found.body)["metadata"]["name"] == "one"  # type: ignore[arg-type]
    assert server.application.answer(Request("GET", CONFIGS, {"watch": ["1"]}, {}, b"", JANE)).status == 403
