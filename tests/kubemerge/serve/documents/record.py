"""Asks a real API server anew for what `recorded.json.xz` holds.

`KUBECONFIG=FILE python -m tests.kubemerge.serve.documents.record`

The cluster is one of the newest release that serves what servers serve by themselves, and that may get the custom
resources of `definitions.yaml`; it should have no other ones.
"""

from __future__ import annotations

import json
import lzma
import time
from typing import Any

from kubernetes import client, config

from .recorded import FILE, definitions, without_descriptions

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
SETTLED = 5.0
"""Seconds after which a server serves a definition that it was given, everywhere."""


def asked(api: client.ApiClient, path: str, accept: str = "application/json") -> Any:
    """What the server answers at a path."""
    url = f"{api.configuration.host}{path}"
    response = api.rest_client.pool_manager.request("GET", url, headers={"Accept": accept})
    assert response.status == 200, (path, response.status)
    return json.loads(response.data)


def define(api: client.ApiClient) -> None:
    """Give the server the definitions that it does not have."""
    extensions: Any = client.ApiextensionsV1Api(api)
    there = {one.metadata.name for one in extensions.list_custom_resource_definition().items}
    for one in definitions():
        if one["metadata"]["name"] not in there:
            extensions.create_custom_resource_definition(one)
    time.sleep(SETTLED)


def main() -> None:
    """Record everything."""
    api = config.new_client_from_config()  # type: ignore[no-untyped-call]
    define(api)
    paths = ["/api", "/apis", "/api/v1", "/version", "/", "/openapi/v2", "/openapi/v3"]
    groups = asked(api, "/apis")["groups"]
    paths += [f"/apis/{group['name']}" for group in groups]
    paths += [f"/apis/{one['groupVersion']}" for group in groups for one in group["versions"]]
    index = asked(api, "/openapi/v3")["paths"]
    found = {path: asked(api, path) for path in paths}
    found |= {f"{path} (aggregated)": asked(api, path, AGGREGATED) for path in ("/api", "/apis")}
    found |= {f"/openapi/v3/{path}": asked(api, entry["serverRelativeURL"]) for path, entry in index.items()}
    text = json.dumps(without_descriptions(found), sort_keys=True, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(text.encode(), preset=9))
    print(f"{len(found)} answers in {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
