"""Random sequences of writes to one object of a real server; each is kept with the objects before and after it."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from engine import MergeError

from .draw import Drawer, Object
from .judge import DRAWN, applied
from .kinds import RELEASE, Kind, kinds
from .server import NAMESPACE, Answer, Server, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

Write = dict[str, Any]
"""kind, version, do, manager, force, subresource, body; before; code, and after or the returned Status."""
MANAGERS = ("kubectl", "helm", "flux", "kubectl-client-side-apply", "kubectl-edit", "a b", "x")
ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
WAYS = {"apply": 9, "put": 3, "merge": 2, "strategic": 2, "json": 2, "clear": 0.4, "older": 0.4}
DELETES = {"delete": 0.6, "create": 0.6}
METHODS = {"create": "POST", "put": "PUT", "delete": "DELETE"}


def sequence(server: Server, seed: int) -> Iterator[Write]:
    """The writes of one sequence, done; the object is deleted at the end."""
    random = Random(seed)
    kind = random.choice(kinds(server.release))
    name = f"n{seed}-{time.time_ns() // 1000}"  # objects of an earlier run must not interfere
    drawer = Drawer(random, kind, name)
    crowd = random.random() < 0.04
    managers = [f"m{n}" for n in range(14)] if crowd else random.sample(MANAGERS, random.randint(2, 4))
    there = False
    for _ in range(random.randint(10, 18) if crowd else random.randint(2, 8)):
        version = random.choice([kind.apiVersion, *kind.also])
        before = server.ask("GET", path_of(kind, version, name)).body if there else None
        write = drawn(random, drawer, kind, version, before)
        write["manager"] = random.choice(managers)
        if server.release != RELEASE:
            write["release"] = server.release
        write["before"] = before
        _do(server, kind, name, write)
        there = there or write["code"] < 300
        yield write
    if there:
        _deleted(server, kind, name)


def drawn(
    random: Random, drawer: Drawer, kind: Kind, version: str, before: Object | None, *, deletes: bool = False
) -> Write:
    """A write to the current object, or to none; `deletes`: it may also delete the object, or create it again."""
    write: Write = {"kind": kind.kind, "version": version, "subresource": "", "force": False}
    ways = {"create": 1, "apply": 1} if before is None else {**WAYS, "strategic": 0 if kind.custom else 2}
    if before is not None and deletes and kind.kind != "Namespace":  # only controllers end the deletion of a namespace
        ways |= DELETES
    write["do"] = do = random.choices([*ways], [*ways.values()])[0]
    if before is not None and do in ("apply", "put", "merge") and random.random() < 0.25:
        write["subresource"] = random.choice(["status"] * bool(kind.status) + ["scale"] * kind.scale or [""])
    if do == "apply":
        write["force"] = random.random() < 0.4
    if write["subresource"] == "scale":
        write["body"] = _scale(random, drawer.name, do)
    elif write["subresource"] == "status":
        write["body"] = _status(random, drawer, version, before or {}, do)
    else:
        write["body"] = _body(random, drawer, version, before or {}, do)
    return write


def _scale(random: Random, name: str, do: str) -> Object:
    spec = {"spec": {"replicas": random.randint(0, 4)}}
    if do == "merge":
        return spec
    metadata = {"name": name} if do == "apply" else {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, **spec}


def _status(random: Random, drawer: Drawer, version: str, before: Object, do: str) -> Object:
    given = drawer.status(version)
    if do == "apply":
        return given
    metadata = {key: inner for key, inner in given["metadata"].items() if key != "name"}
    if do == "merge":
        return {"metadata": metadata, "status": given["status"]}
    return {**before, "metadata": {**before["metadata"], **metadata}, "status": given["status"]}


def _body(random: Random, drawer: Drawer, version: str, before: Object, do: str) -> Any:
    if do == "delete":
        return {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
    if do in ("apply", "create"):
        given = drawer.document(version)
        if do == "apply" and before and random.random() < 0.2:
            given = drawer.thinned({key: before[key] for key in before if key != "status"}, 0.3)
            for served in ("managedFields", "uid", "resourceVersion", "generation", "creationTimestamp"):
                given["metadata"].pop(served, None)
        if do == "apply" and random.random() < 0.25:
            given = drawer.odd(given)
        if random.random() < 0.1:
            last = {**drawer.document(version, 0.9)}
            given["metadata"]["annotations"] = {
                **(given["metadata"].get("annotations") or {}),
                ANNOTATION: json.dumps(last) + "\n",
            }
        return given
    if do == "put":
        if random.random() < 0.3:
            fresh = drawer.document(version)
            fresh["metadata"]["resourceVersion"] = before["metadata"]["resourceVersion"]
            return fresh
        after = drawer.changed(before, version)
        return drawer.repeated(after) if random.random() < 0.2 else after
    if do in ("merge", "strategic"):
        return drawer.patch(before, version)
    if do == "json":
        return drawer.operations(before, version)
    entries = deepcopy(before["metadata"].get("managedFields") or [])
    if do == "clear" or not entries:
        return {**before, "metadata": {**before["metadata"], "managedFields": [{}]}}
    entries[0]["apiVersion"] = random.choice(("apps/v1beta2", "example.com/v0", "v9"))
    return {**before, "metadata": {**before["metadata"], "managedFields": entries}}


def _do(server: Server, kind: Kind, name: str, write: Write) -> None:
    """Send a write, and record the stored object or the Status."""
    do: str = write["do"]
    put = _put(server, kind, name, write) if do == "apply" and write["subresource"] != "scale" else None
    way = "put" if do in ("clear", "older") else do
    answer = server.ask(
        METHODS.get(way, "PATCH"),
        path_of(kind, write["version"], "" if way == "create" else name, write["subresource"]),
        write["body"],
        kind=way,
        fieldManager=write["manager"],
        force="true" if write["force"] else "",
    )
    if answer.done and write["subresource"] == "scale":
        answer = Answer(answer.code, server.ask("GET", path_of(kind, write["version"], name)).body)
    write["code"] = answer.code
    write["after" if answer.done else "said"] = answer.body
    if put is not None and answer.done and put.done:
        write["put"] = put.body


def _put(server: Server, kind: Kind, name: str, write: Write) -> Answer | None:
    """The object that the server would store for the engine's result, including default values."""
    if write["before"] is None and kind.kind in DRAWN:
        return None
    try:
        merged = applied(write)
    except MergeError:
        return None
    merged = {**merged, "metadata": {**merged["metadata"], "managedFields": None}}
    path = path_of(kind, write["version"], name if write["before"] else "", write["subresource"])
    if write["before"]:
        merged["metadata"]["resourceVersion"] = write["before"]["metadata"]["resourceVersion"]
    return server.ask("PUT" if write["before"] else "POST", path, merged, dryRun="All")


def _deleted(server: Server, kind: Kind, name: str) -> None:
    path = path_of(kind, kind.apiVersion, name)
    server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")
    server.ask("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
