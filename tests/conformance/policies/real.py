"""The responses of a real API server."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any

from ..ownership.real.server import TYPES, Server
from .replay import Answer, SetupRejected, answer, with_live_version
from .scenarios import API, Object, complete, place

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 60.0
UNAVAILABLE, CONFLICT = 503, 409
SYNCED = 1.5
"""The time until a server has read all params of a kind."""
SEEN = 0.3
"""The time until a server has seen a changed param, role or Namespace."""
UNMAPPED = "failed to find resource referenced by paramKind"
DEFINITION = "CustomResourceDefinition"
_number = [0]


def theirs(server: Server, scenario: Object) -> list[Answer]:
    """The responses of a server, which is reset before."""
    fresh(server)
    for one in scenario["setup"]:
        _create(server, one)
        if one["kind"] == DEFINITION:
            spec = one["spec"]
            for version in spec["versions"]:
                path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"
                _wait(lambda path=path: server.ask("GET", path).code == 200)  # type: ignore[misc]
    if any(one["apiVersion"] == API for one in scenario["setup"]):
        in_effect(server)
    kinds = [one.get("spec", {}).get("paramKind") for one in scenario["setup"] if one["apiVersion"] == API]
    if any(kinds):
        time.sleep(SYNCED)
    if any(kind and "." in kind["apiVersion"] and scenario["requests"][0]["method"] == "POST" for kind in kinds):
        first = scenario["requests"][0]
        first = {**first, "path": first["path"] + "?dryRun=All"}
        _wait(lambda: UNMAPPED not in str(sent(server, first).get("message")))
    return [_settled(server, one, has_params=any(kinds)) for one in scenario["requests"]]


def _settled(server: Server, one: Object, *, has_params: bool) -> Answer:
    """The response to a request, once the next one is sure to see its effect on policies."""
    found = sent(server, one)
    if one["method"] != "GET" and found["code"] < 300 and f"/{API}/" in one["path"]:
        in_effect(server)
        time.sleep(SYNCED if has_params else 0)
    elif one.get("settle"):
        time.sleep(SEEN)
    return found


def fresh(server: Server) -> None:
    """Reset the server, and wait until the policies of the scenario before are gone."""
    reset()
    _without_effect(server)
    _wait(lambda: server.ask("GET", "/api/v1/namespaces/default").code == 200)


def reset() -> None:
    """Reset the server, with the command of KUBEMERGE_REAL_RESET."""
    subprocess.run(os.environ["KUBEMERGE_REAL_RESET"], shell=True, check=True, capture_output=True)


def _create(server: Server, one: Object) -> None:
    found = server.ask("POST", place(one, named=False), one)
    end = time.monotonic() + PATIENCE
    while "denied request" in str(found.body.get("message")) and time.monotonic() < end:  # by a policy from before
        time.sleep(0.1)
        found = server.ask("POST", place(one, named=False), one)
    if not found.done:
        raise SetupRejected(f"{one['kind']}: {found.body.get('message')}")


def sent(server: Server, one: Object) -> Answer:
    """The response to one request."""
    headers = {"Content-Type": TYPES.get(one.get("kind", ""), "application/json")}
    if one.get("user"):
        headers["Impersonate-User"] = one["user"]
        if one.get("groups"):
            headers["Impersonate-Group"] = one["groups"][0]
    end = time.monotonic() + PATIENCE
    while True:
        body = with_live_version(one.get("body"), lambda: server.ask("GET", one["path"].partition("?")[0]).body)
        data = None if body is None else json.dumps(body, separators=(",", ":"))  # a server compares some JSON as text
        found = server.session.request(one["method"], server.url + one["path"], data=data, headers=headers, timeout=60)
        is_outdated = found.status_code == CONFLICT and body is not one.get("body")
        if not (found.status_code == UNAVAILABLE or is_outdated) or time.monotonic() > end:
            break
        time.sleep(0.2)  # the server has not read the schema of a definition yet, or has just changed the object
    content = found.json() if found.content else {}
    return answer(found.status_code, content, found.headers.get("Warning", ""), one)


def in_effect(server: Server) -> None:
    """Wait until all policies are in effect: until two new ones are, which the server sees after all others."""
    _number[0] += 1
    name = f"marker-{os.getpid()}-{_number[0]}"
    match = {
        "resourceRules": [
            {
                "operations": ["CREATE"],
                "apiGroups": ["coordination.k8s.io"],
                "apiVersions": ["v1"],
                "resources": ["leases"],
                "resourceNames": [name],
            }
        ]
    }
    label = f'Object{{metadata: Object.metadata{{labels: {{"marker": "{name}"}}}}}}'
    said = f"'{name} ' + string(has(object.metadata.labels) && 'marker' in object.metadata.labels)"
    policies = [
        {
            "mutating": name,
            "match": match,
            "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": label}}],
        },
        {
            "validating": name,
            "match": match,
            "validations": [{"expression": "false", "messageExpression": said}],
            "binding": {"validationActions": ["Warn"]},
        },
    ]
    for one in complete({"setup": policies, "requests": []})["setup"]:
        _create(server, one)
    marker = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}}

    def both() -> bool:
        found = server.ask("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All", marker)
        return f"{name} true" in found.warnings

    _wait(both)


def _without_effect(server: Server) -> None:
    """Wait until the policies of the scenario before are gone."""
    name = f"marker-{os.getpid()}-{_number[0]}"
    marker = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}}

    def gone() -> bool:
        found = server.ask("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All", marker)
        return found.done and not found.warnings and "labels" not in found.body["metadata"]

    _wait(gone)


def _wait(done: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the server takes too long")
        time.sleep(0.05)
