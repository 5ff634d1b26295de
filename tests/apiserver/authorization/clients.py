"""Clients for a real API server and for ours, which send the same steps."""

from __future__ import annotations

import json
import ssl
import time
from http.client import HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.authentication import Authenticator
from kubemerge.apiserver.http.messages import Request
from kubemerge.cluster import open_cluster

from ...kubemerge.apiserver.http.real import place

if TYPE_CHECKING:
    from .cases import Step

PATCH = "application/strategic-merge-patch+json"
AGENT = "recorder"


class Client:
    """A client that remembers the tokens of ServiceAccounts."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}

    def send(self, step: Step) -> tuple[int, Any]:
        """The code and the content of a response."""
        media = PATCH if step.method == "PATCH" else "application/json"
        headers = [("User-Agent", AGENT), ("Accept", "application/json")]
        if not any(name == "Content-Type" for name, _ in step.headers):
            headers.append(("Content-Type", media))
        headers += step.headers
        if step.account not in ("", "-"):
            headers.append(("Authorization", f"Bearer {self._token(step.account)}"))
        code, body = self._sent(step, headers)
        try:
            return code, json.loads(body)
        except ValueError:
            return code, body.decode(errors="replace")

    def _token(self, account: str) -> str:
        if account not in self._tokens:
            namespace, _, name = account.partition("/")
            path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
            _, found = self.send(type_of_step()("POST", path, {}))
            self._tokens[account] = found["status"]["token"]
        return self._tokens[account]

    def _sent(self, step: Step, headers: list[tuple[str, str]]) -> tuple[int, bytes]:
        raise NotImplementedError


def type_of_step() -> type[Step]:
    """The type of steps."""
    from .cases import Step

    return Step


class Real(Client):
    """The API server of `$KUBECONFIG`. The admin has a client certificate."""

    PAUSE = 0.15
    """Seconds after a write, until the authorizer and the controllers have seen it."""

    def __init__(self) -> None:
        super().__init__()
        url, context = place()
        address = url.partition("://")[2]
        self._admin = HTTPSConnection(address, context=context)
        self._other = HTTPSConnection(address, context=ssl._create_unverified_context())

    def _sent(self, step: Step, headers: list[tuple[str, str]]) -> tuple[int, bytes]:
        data = b"" if step.body is None else json.dumps(step.body).encode()
        connection = self._other if step.account else self._admin
        connection.putrequest(step.method, step.path)
        for name, value in (*headers, ("Content-Length", str(len(data)))):
            connection.putheader(name, value.encode())
        connection.endheaders(data)
        answer = connection.getresponse()
        body = answer.read()
        if step.method != "GET" and answer.status < 300 and "dryRun" not in step.path:
            time.sleep(self.PAUSE)
        return answer.status, body


class Ours(Client):
    """The server of kubemerge with RBAC and a token file."""

    TOKEN = "admin-token"

    def __init__(self, release: str | None = None) -> None:
        super().__init__()
        self.cluster = open_cluster(":memory:", release=release)
        self.cluster.use_authorization("rbac")
        self.application = Application(self.cluster, Authenticator(self.cluster, self.TOKEN))

    def _sent(self, step: Step, headers: list[tuple[str, str]]) -> tuple[int, bytes]:
        path, _, query = step.path.partition("?")
        if not step.account:
            headers = [*headers, ("Authorization", f"Bearer {self.TOKEN}")]
        scope = {
            "method": step.method,
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers],
        }
        body = b"" if step.body is None else json.dumps(step.body).encode()
        found = self.application.answer(Request.of(scope, body))
        assert isinstance(found.body, bytes)
        return found.status, found.body

    def close(self) -> None:
        """Close the cluster."""
        self.cluster.close()
