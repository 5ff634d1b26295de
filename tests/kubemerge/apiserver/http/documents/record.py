"""Record `recorded.json.xz` from a real API server.

`KUBECONFIG=FILE python -m tests.kubemerge.apiserver.http.documents.record`

The cluster is one of the newest release with the default API versions. It may get the custom resources of
`definitions.yaml`, and should have no other ones.
"""

from __future__ import annotations

import json
import lzma
import time
from typing import Any

from ..real import Server
from .recorded import DESCRIPTIONS, FILE, definitions, without_descriptions

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
SETTLED = 5.0
"""Seconds after which a server serves a new definition everywhere."""


def define(server: Server) -> None:
    """Create missing definitions on the server."""
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    answers = [server.ask("POST", path, one).code for one in definitions()]
    assert set(answers) <= {201, 409}, answers
    time.sleep(SETTLED)


def asked(server: Server, path: str, **headers: str) -> Any:
    """The response of the server for a path."""
    found = server.ask("GET", path, **headers)
    assert found.code == 200, (path, found.code)
    return found.json()


def write_descriptions(document: Any) -> None:
    """Write the descriptions of OpenAPI v2 operations, by path and method."""
    found = {
        path: {method: one["description"] for method, one in item.items() if method != "parameters"}
        for path, item in document["paths"].items()
    }
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    DESCRIPTIONS.write_bytes(lzma.compress(text.encode(), preset=9))


def main() -> None:
    """Record everything."""
    server = Server()
    define(server)
    paths = ["/api", "/apis", "/api/v1", "/version", "/", "/openapi/v2", "/openapi/v3"]
    groups = asked(server, "/apis")["groups"]
    paths += [f"/apis/{group['name']}" for group in groups]
    paths += [f"/apis/{one['groupVersion']}" for group in groups for one in group["versions"]]
    index = asked(server, "/openapi/v3")["paths"]
    found = {path: asked(server, path) for path in paths}
    found |= {f"{path} (aggregated)": asked(server, path, Accept=AGGREGATED) for path in ("/api", "/apis")}
    found |= {f"/openapi/v3/{path}": asked(server, entry["serverRelativeURL"]) for path, entry in index.items()}
    text = json.dumps(without_descriptions(found), sort_keys=True, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(text.encode(), preset=9))
    write_descriptions(found["/openapi/v2"])
    print(f"{len(found)} answers in {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
