"""ServiceAccount tokens of the server are credentials. Other JSON Web Tokens are not."""

from __future__ import annotations

import base64
import hmac
import json
import os
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.authentication import Authenticator
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.http.tokens import NotAccepted, verify_token
from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKENS = "/api/v1/namespaces/default/serviceaccounts/default/token"
NAME = "system:serviceaccount:default:default"
ACCEPTED = 200


class Server:
    """A cluster with a fixed clock, served with or without a token file."""

    def __init__(self, file: str = ":memory:", token: str | None = None) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=timezone.utc)
        self.cluster = EmbeddedCluster(file, release="1.37", origins=Origins(clock=lambda: self.now))
        self._application = Application(self.cluster, Authenticator(self.cluster, token))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and content of a response."""
        sent = b"" if body is None else json.dumps(body).encode()
        found = self._application.answer(
            Request(method, path, {}, {"content-type": "application/json", **headers}, sent)
        )
        assert isinstance(found.body, bytes)
        return found.status, json.loads(found.body)

    def issued(self, spec: Any = None, **headers: str) -> str:
        """A new token."""
        _, found = self.ask("POST", TOKENS, {"spec": spec or {}}, **headers)
        return str(found["status"]["token"])

    def status(self, token: str) -> int:
        """The status of a response to a request with a token."""
        return self.ask("GET", "/api/v1/nodes", authorization=f"Bearer {token}")[0]


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.cluster.close()


def part(content: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def claims(token: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


@pytest.mark.parametrize("token", [None, "sesame"], ids=["without a token file", "with a token file"])
def test_a_client_acts_as_a_service_account(token: str | None) -> None:
    server = Server(token=token)
    admin = {"authorization": f"Bearer {token or 'any'}"}
    issued = server.issued(**admin)
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
    names = [
        server.ask("POST", path, review, authorization=one)[1]["status"]["userInfo"]["username"]
        for one in (f"Bearer {issued}", admin["authorization"])
    ]
    assert names == [NAME, "kubernetes-admin"]
    assert server.ask("POST", path, review)[0] == (201 if token is None else 401)
    server.cluster.close()


def test_a_token_expires(server: Server) -> None:
    token = server.issued({"expirationSeconds": 600})
    server.now += timedelta(seconds=599)
    assert server.status(token) == ACCEPTED
    server.now += timedelta(seconds=1)
    assert server.status(token) == 401


def test_tokens_of_the_kubelet_are_extended_to_a_year(server: Server) -> None:
    pod = {
        "metadata": {"name": "p"},
        "spec": {"serviceAccountName": "default", "containers": [{"name": "c", "image": "i"}]},
    }
    server.ask("POST", "/api/v1/namespaces/default/pods", pod)
    bound = {"boundObjectRef": {"kind": "Pod", "apiVersion": "v1", "name": "p"}}
    token = server.issued({**bound, "expirationSeconds": 3607})
    assert claims(token)["exp"] - claims(token)["iat"] == 365 * 24 * 3600
    assert claims(server.issued({**bound, "expirationSeconds": 3608}))["kubernetes.io"].keys() == {
        "namespace",
        "serviceaccount",
        "pod",
    }


def forged(token: str) -> dict[str, str]:
    """Tokens forged from a valid one without the key."""
    header, payload, signature = token.split(".")
    other = part({**claims(token), "sub": "system:serviceaccount:kube-system:default"})
    own = base64.urlsafe_b64encode(hmac.digest(b"", f"{header}.{other}".encode(), "sha256")).decode().rstrip("=")
    none = part({"alg": "none"})
    return {
        "other claims": f"{header}.{other}.{signature}",
        "another key": f"{header}.{other}.{own}",
        "no algorithm": f"{none}.{payload}.",
        "no algorithm, but a signature": f"{none}.{payload}.{signature}",
        "another algorithm": f"{part({'alg': 'RS256'})}.{payload}.{signature}",
        "no signature": f"{header}.{payload}.",
        "a longer signature": f"{token}A",
        "a letter that is no base64": f"{token}\u00e9",
        "another issuer": f"{header}.{part({**claims(token), 'iss': 'https://elsewhere'})}.{signature}",
        "claims that are no map": f"{header}.{part([])}.{signature}",
        "deep claims": f"{header}.{base64.urlsafe_b64encode(b'[' * 100_000).decode()}.{signature}",
    }


@pytest.mark.parametrize("kind", forged(f"{part({'alg': 'HS256'})}.{part({})}.x"))
def test_no_forged_token_is_accepted(kind: str, server: Server) -> None:
    token = server.issued()
    assert server.status(token) == ACCEPTED
    assert server.status(forged(token)[kind]) == 401
    review = {"spec": {"token": forged(token)[kind]}}
    _, found = server.ask("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review)
    assert "authenticated" not in found["status"]
    assert "invalid bearer token" in found["status"]["error"]


def test_no_token_of_another_cluster_is_accepted(server: Server) -> None:
    other = Server()
    assert server.status(other.issued()) == 401
    other.cluster.close()


def test_the_token_of_the_token_file_may_be_a_json_web_token(server: Server) -> None:
    own = server.issued()
    assert Server(token=own).status(own) == ACCEPTED


def test_a_token_outlives_the_server(tmp_path: Path) -> None:
    file = str(tmp_path / "cluster.db")
    first = Server(file)
    token = first.issued()
    key = first.cluster.token_key()
    first.cluster.close()
    with open_cluster(file) as cluster:
        assert key.hex() not in json.dumps(list(cluster.dump()))
    again = Server(file)
    assert again.status(token) == ACCEPTED
    again.cluster.reset()
    assert again.status(token) == 401
    again.cluster.close()
    assert os.name != "posix" or (tmp_path / "cluster.db").stat().st_mode & 0o077 == 0


def test_a_node_is_impersonated_with_its_group(server: Server) -> None:
    """A real server may also omit the group, because it first tries the previously allowed one."""
    headers = (("user", "system:node:n"),)
    request = Request("GET", "/api", impersonation=headers)
    assert Authenticator(server.cluster).user_of(request).groups == ("system:nodes", "system:authenticated")


@pytest.mark.parametrize("bound", [False, True], ids=["account", "secret"])
def test_a_token_lives_for_a_minute_after_its_deleted_object(server: Server, bound: bool) -> None:
    held = {"apiVersion": "v1", "metadata": {"name": "held", "namespace": "default", "finalizers": ["example.com/a"]}}
    kind = "Secret" if bound else "ServiceAccount"
    made = server.cluster.create({**held, "kind": kind})
    reference = {"apiVersion": "v1", "kind": "Secret", "name": "held", "uid": made["metadata"]["uid"]}
    spec = {"boundObjectRef": reference} if bound else {}
    path = TOKENS if bound else TOKENS.replace("/default/token", "/held/token")
    _, issued = server.ask("POST", path, {"spec": spec})
    server.cluster.delete(Reference.of(made))
    server.now += timedelta(seconds=60)
    assert server.status(issued["status"]["token"]) == ACCEPTED
    server.now += timedelta(seconds=1)
    assert server.status(issued["status"]["token"]) == 401
    why = "service account token has been invalidated" if bound else "service account default/held has been deleted"
    with pytest.raises(NotAccepted, match=why):
        verify_token(server.cluster, issued["status"]["token"])


@pytest.mark.parametrize(
    ("path", "status"),
    [("/healthz", 200), ("/livez", 200), ("/readyz", 200), ("/version", 200), ("/api", 401), ("/livez/ping", 401)],
)
def test_only_some_paths_need_no_token(path: str, status: int) -> None:
    server = Application(Server().cluster, Authenticator(EmbeddedCluster(":memory:"), "sesame"))
    assert server.answer(Request("GET", path, {}, {}, b"")).status == status
