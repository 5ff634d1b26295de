"""The scenarios: objects that exist before, and requests.

Each scenario in `scenarios/*.yaml` has a name, the name of upstream's test as `source`, a `setup` and `requests`. An
entry of the setup is an object, or the short form of a policy with its binding:

    validating: NAME        (or mutating: NAME)
    match: configmaps       (resources, or matchConstraints)
    binding: {...}          (the spec of the binding; `bindings` are several by name; null is none)
    ...                     (the rest of the policy's spec)

A request is one of `create`, `replace`, `delete` with an object, or `send: METHOD PATH` with a `body` and the `type` of
a patch. `user` and `groups` are the user. `metadata.resourceVersion: live` is that of the live object. With `settle`,
the recorder waits until the server has seen the change. `every: OBJECT` is short for all requests of an object's life,
with requests to its `subresources`. One that is `protected` has a finalizer of the server.

With `authorization: rbac`, roles and bindings decide, and the scenario is recorded on a server with that mode.

`upstream.yaml` lists upstream's integration tests: those with scenarios, and the others with reasons.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.kinds.names import plural
from kubemerge.apiserver.resources import built_in

from ...conftest import read_yaml
from ..recordings import areas_of

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = "1.37"
FOLDER = Path(__file__).parent / "scenarios"
API = "admissionregistration.k8s.io/v1"
KINDS = {"validating": "ValidatingAdmissionPolicy", "mutating": "MutatingAdmissionPolicy"}
DEFAULTS: dict[str, dict[str, Any]] = {"validating": {}, "mutating": {"reinvocationPolicy": "Never"}}
OWN = ("validating", "mutating", "match", "binding", "bindings", "operations")
Object = dict[str, Any]


@cache
def areas() -> list[str]:
    return areas_of(FOLDER)


def scenarios(area: str) -> list[Object]:
    """The scenarios of an area, with complete objects and requests."""
    found: list[Object] = read_yaml(FOLDER / f"{area}.yaml")
    return [complete(one) for one in found]


def complete(scenario: Object) -> Object:
    setup = [made for one in scenario.get("setup") or () for made in _objects(one)]
    policies = [one for one in setup if one["apiVersion"] == API]
    others = [one for one in setup if one["apiVersion"] != API]
    requests = [_request(each) for one in scenario["requests"] for each in _expanded(one)]
    return {**scenario, "setup": [*others, *policies], "requests": requests}


def _objects(one: Object) -> Iterator[Object]:
    kind = next((kind for kind in KINDS if kind in one), None)
    if kind is None:
        yield one
        return
    name = one[kind]
    spec = {**DEFAULTS[kind], **{field: value for field, value in one.items() if field not in OWN}}
    spec["matchConstraints"] = _constraints(one["match"], one.get("operations"), kind)
    yield {"apiVersion": API, "kind": KINDS[kind], "metadata": {"name": name}, "spec": spec}
    bindings = _bindings(one, name)
    for called, binding in bindings.items():
        more = {"validationActions": ["Deny"]} if kind == "validating" else {}
        found = {"policyName": name, **more, **binding}
        yield {"apiVersion": API, "kind": f"{KINDS[kind]}Binding", "metadata": {"name": called}, "spec": found}


def _bindings(one: Object, name: str) -> dict[str, Object]:
    """The specs of the bindings of a policy in its short form, by name."""
    if "bindings" in one:
        found: dict[str, Object] = one["bindings"]
        return found
    binding = one.get("binding", {})
    return {} if binding is None else {f"{name}-binding": binding}


def _constraints(match: Any, operations: list[str] | None, kind: str) -> Object:
    if isinstance(match, dict):
        return match
    resources = match.split()
    every = ["*"] if kind == "validating" else ["CREATE", "UPDATE"]
    rule = {"operations": operations or every, "apiGroups": ["*"], "apiVersions": ["*"], "resources": resources}
    return {"resourceRules": [rule]}


LIVE = "live"
OPTIONS = {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0, "propagationPolicy": "Background"}
COLLECTED, FINALIZER = "collected", "example.com/kept"


def _expanded(one: Object) -> Iterator[Object]:
    """The requests of an object's life, or the request itself."""
    if "every" not in one:
        yield one
        return
    content, collection = one["every"], place(one["every"], named=False)
    item = place(content, named=True)
    more = {"user": one["user"]} if "user" in one else {}
    for each in _life(one, content, collection, item):
        yield {**each, **more}


def _life(one: Object, content: Object, collection: str, item: str) -> Iterator[Object]:
    yield {"create": content}
    yield from _updates(item, content)
    for subresource in one.get("subresources") or ():
        yield from _updates(f"{item}/{subresource}", content)
    yield _merge(item, labels={COLLECTED: "true"})
    released = [_merge(item, finalizers=[])] if one.get("protected") else []
    yield {"send": f"DELETE {collection}?labelSelector={COLLECTED}%3Dtrue", "body": OPTIONS}
    yield from released
    yield {"create": content}
    yield {"send": f"DELETE {item}", "body": OPTIONS}
    yield from released
    yield {"create": content}
    yield _merge(item, finalizers=[FINALIZER])
    yield {"send": f"DELETE {item}", "body": OPTIONS}
    yield _merge(item, finalizers=[])


def _updates(path: str, content: Object) -> Iterator[Object]:
    """An update and a patch of an object, or of a subresource."""
    annotations = {**content["metadata"].get("annotations", {}), "update": "true"}
    updated = {**content, "metadata": {**content["metadata"], "annotations": annotations, "resourceVersion": LIVE}}
    if path.endswith("/scale"):
        metadata = {"name": content["metadata"]["name"], "namespace": "default", "resourceVersion": LIVE}
        updated = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, "spec": {"replicas": 2}}
    yield {"send": f"PUT {path}", "body": updated}
    yield _merge(path, annotations={"patch": "true"})


def _merge(path: str, **metadata: Any) -> Object:
    return {"send": f"PATCH {path}", "type": "merge", "body": {"metadata": metadata}}


METHODS = {"create": "POST", "replace": "PUT", "delete": "DELETE"}


def _request(one: Object) -> Object:
    verb = next((verb for verb in METHODS if verb in one), None)
    more: Object = {field: one[field] for field in ("user", "groups", "settle") if field in one}
    if verb is None:
        method, _, path = one["send"].partition(" ")
        return {"method": method, "path": path, "body": one.get("body"), "kind": one.get("type", ""), **more}
    content = one[verb]
    path = place(content, named=verb != "create")
    query = one.get("query")
    body = None if verb == "delete" else content
    return {"method": METHODS[verb], "path": path + (f"?{query}" if query else ""), "body": body, "kind": "", **more}


def place(content: Object, *, named: bool) -> str:
    """The path of an object, or of the collection in which it is created."""
    version, kind = content["apiVersion"], content["kind"]
    metadata = content.get("metadata") or {}
    group = version.rpartition("/")[0]
    resource = built_in(RELEASE).resource(version, kind) if "." not in group or group.endswith(".k8s.io") else None
    name = resource.plural if resource is not None else plural(kind)
    namespaced = resource.namespaced if resource is not None else "namespace" in metadata
    steps = ["api" if "/" not in version else "apis", version]
    if namespaced:
        steps += ["namespaces", metadata.get("namespace") or "default"]
    return "/" + "/".join([*steps, name, *([metadata["name"]] if named else [])])
