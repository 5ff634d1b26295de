"""A real API server over HTTP, selected by a kubeconfig."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import requests

from ....conftest import read_yaml

if TYPE_CHECKING:
    from .kinds import Kind

TYPES = {
    "apply": "application/apply-patch+yaml",
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}
NAMESPACE = "tests"
"""The namespace of the objects, not the default one: most requests have it only in the path."""


CRASHED = "the handler of the request crashed, and the server closed the connection"
"""The message of a request without a response."""


class ServerUnavailable(Exception):
    """There is no API server to compare with; the text has the fix."""


class Answer(NamedTuple):
    """The server's response: the HTTP status, and the object or the Status."""

    code: int
    body: dict[str, Any]
    warnings: str = ""

    @property
    def done(self) -> bool:
        """True if the write succeeded."""
        return self.code < 300


class Server:
    """Requests to the server of a kubeconfig's current context; KUBECONFIG by default."""

    def __init__(self, kubeconfig: str | None = None) -> None:
        self.session = requests.Session()
        self.session.trust_env = False
        self.url = _signed_in(self.session, kubeconfig or os.environ.get("KUBECONFIG") or "")
        try:
            version = self.ask("GET", "/version")
        except requests.RequestException as error:
            raise ServerUnavailable(f"no API server answers at {self.url}: {error}") from None
        self.release = ".".join(version.body["gitVersion"].removeprefix("v").split(".")[:2])

    def ask(self, method: str, path: str, body: Any = None, kind: str = "", **query: str) -> Answer:
        """The response to one request; `kind` is the type of a patch. A body that is text is sent as it is."""
        try:
            answer = self.session.request(
                method,
                self.url + path,
                params={name: value for name, value in query.items() if value},
                data=body if body is None or isinstance(body, str) else _as_json(body),
                headers={"Content-Type": TYPES.get(kind, "application/json")},
                timeout=60,
            )
        except requests.ConnectionError as error:
            if "RemoteDisconnected" not in str(error):
                raise
            return Answer(500, {"message": CRASHED})
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        content = answer.json() if is_json else {"message": answer.text}
        return Answer(answer.status_code, content, answer.headers.get("Warning", ""))

    def make_namespace(self) -> None:
        """Create the namespace of the objects, if missing."""
        self.ask(
            "POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        )


def _as_json(body: Any) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def _signed_in(session: requests.Session, kubeconfig: str) -> str:
    """The URL of the server; the session has the credentials. Supports files and a token, but no inline data."""
    if not kubeconfig or not Path(kubeconfig).is_file():
        raise ServerUnavailable("there is no API server; set KUBECONFIG to the kubeconfig of one that may be filled")
    config = read_yaml(Path(kubeconfig))
    context = _named(config, "context", config.get("current-context"))
    cluster, user = _named(config, "cluster", context.get("cluster")), _named(config, "user", context.get("user"))
    if str(cluster.get("server")).startswith("http://"):
        return str(cluster["server"])
    if "certificate-authority" not in cluster or not ({"client-certificate", "token"} & user.keys()):
        raise ServerUnavailable(f"{kubeconfig} has to name certificate-authority, and client-certificate or token")
    session.verify = cluster["certificate-authority"]
    if "token" in user:
        session.headers["Authorization"] = f"Bearer {user['token']}"
    else:
        session.cert = (user["client-certificate"], user["client-key"])
    return str(cluster["server"])


def _named(config: dict[str, Any], what: str, name: str | None) -> dict[str, Any]:
    found = [one[what] for one in config.get(f"{what}s") or () if one["name"] == name]
    if not found:
        raise ServerUnavailable(f"the kubeconfig has no {what} {name!r}")
    return dict(found[0])


def root_of(version: str) -> str:
    """The root path of an API version."""
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


def path_of(kind: Kind, version: str, name: str = "", subresource: str = "", namespace: str = NAMESPACE) -> str:
    """The path of a kind's objects, of one object, or of its subresource."""
    root = root_of(version)
    parts = [root] if kind.cluster else [root, "namespaces", namespace]
    return "/".join([*parts, kind.plural, *filter(None, (name, subresource))])
