"""Requests to a real server about one object, as dry runs: the object to store, or the reasons for a rejection."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

import requests

import engine

from ..ownership.real.server import NAMESPACE, path_of
from .bodies import Body, Object, bodies, document
from .mutate import Mutator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ownership.real.server import Answer, Server

Case = dict[str, Any]
"""release, kind, version, namespace, do (create, update or status), body, code; before, for all but create; after or
`said`."""
CREATES, UPDATES = 8, 4
"""The number of requests about one object."""
OF_STATUS = 0.35
"""The share of updates that write the status, if there are examples of one."""
RENAMED = 0.04
CONTROLLED = "CustomResourceDefinition"
"""The kind whose objects the server itself changes after they were created."""
NAMES = (None, "", "UPPER", "a_b", "a.b", "-a", "x" * 64, "x" * 254, "9", "a/b", "..", "a b", "%", 5, ["a"])
WRITTEN, WAITS = ("APIService", "FlowSchema"), 10
"""Kinds whose new objects get a status from the server itself, and the number of polls for it."""
UNTIMED = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "selfLink")


def asked(server: Server, seed: int, only: str = "") -> Iterator[Case]:
    """Some requests about one kind, with the responses."""
    random = Random(seed)
    tables = engine.load(server.release)
    known = [one for one in bodies() if (one.apiVersion, one.kind) in tables]
    body = random.choice([one for one in known if not only or one.kind in only.split(",")])
    mutator = Mutator(random, tables.schema(body.apiVersion, body.kind))
    name = random.choice(body.names) if body.names else f"k{seed}-{time.time_ns() // 1_000_000 % 10**6}"
    whole, other = (document(body, content, name) for content in random.sample((body.a, body.b), 2))
    for _ in range(CREATES):
        content = mutator.mutated(whole, other, random.choice((0, 1, 1, 1, 2, 3)))
        if random.random() < RENAMED:
            content["metadata"] = renamed(random, content.get("metadata"))
        yield from answered(server, body, {"do": "create", "body": content}, name)
    made = server.ask("POST", path_of(body, body.apiVersion), whole)  # type: ignore[arg-type]
    if not made.done:
        return
    try:
        if body.kind == CONTROLLED:
            made = established(server, body, name, made)
        made = settled(server, path_of(body, body.apiVersion, name), made)  # type: ignore[arg-type]
        for _ in range(UPDATES):
            if body.status and random.random() < OF_STATUS:
                done = {"do": "status", "body": with_status(mutator, random, body, made.body)}
            else:
                done = {"do": "update", "body": changed(mutator, random, made.body, other)}
            yield from answered(server, body, {**done, "before": made.body}, name)
    finally:
        path = path_of(body, body.apiVersion, name)  # type: ignore[arg-type]
        server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")
        server.ask("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
        server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")


def established(server: Server, body: Body, name: str, made: Answer) -> Answer:
    """The definition once the server has established it, after several writes."""
    for _ in range(100):
        conditions = (made.body.get("status") or {}).get("conditions") or ()
        if any(one["type"] == "Established" and one["status"] == "True" for one in conditions):
            break
        time.sleep(0.1)
        made = server.ask("GET", path_of(body, body.apiVersion, name))  # type: ignore[arg-type]
    return made


def settled(server: Server, path: str, made: Answer) -> Answer:
    """The object once the server's own controllers have written to it, if they do."""
    if made.body["kind"] not in WRITTEN:
        return made
    for _ in range(WAITS):
        time.sleep(0.05)
        before, made = made, server.ask("GET", path)
        if made.body["metadata"]["resourceVersion"] != before.body["metadata"]["resourceVersion"]:
            break
    return made


def renamed(random: Random, metadata: Any) -> Any:
    """The metadata with another name, or none."""
    if not isinstance(metadata, dict):
        return metadata
    rest = {key: value for key, value in metadata.items() if key != "name"}
    chosen = random.choice(NAMES)
    return rest if chosen is None else {**rest, "name": chosen}


def changed(mutator: Mutator, random: Random, live: Object, other: Object) -> Object:
    """The object as a client sends it back."""
    start = live if random.random() < 0.8 else {**other, "metadata": live["metadata"]}
    return mutator.mutated(start, other, random.choice((0, 1, 1, 1, 2, 3)))


def with_status(mutator: Mutator, random: Random, body: Body, live: Object) -> Object:
    """The object with another status, which may be wrong."""
    found = {**live, "status": random.choice(body.status)}
    found = mutator.mutated(found, {}, random.choice((0, 1, 1, 2)), ("status",))
    return mutator.mutated(found, {}, 1) if random.random() < 0.3 else found


def answered(server: Server, body: Body, case: Case, name: str) -> Iterator[Case]:
    """The case with the server's response; nothing if the server fails and closes the connection."""
    at = "" if case["do"] == "create" else name
    path = path_of(body, body.apiVersion, at, "status" if case["do"] == "status" else "")  # type: ignore[arg-type]
    try:
        answer = server.ask("PUT" if at else "POST", path, case["body"], dryRun="All")
    except requests.ConnectionError:
        return
    said = {"after": bare(answer.body)} if answer.done else {"said": answer.body.get("message", "")}
    asked_of = {"release": server.release, "kind": body.kind, "version": body.apiVersion, "namespace": NAMESPACE}
    found = {**asked_of, **case, "code": answer.code, **said}
    if "before" in found:
        found["before"] = without_owners(found["before"])
    found["body"] = without_owners(found["body"])
    yield found


def without_owners(content: Object) -> Object:
    """An object without managedFields, which are compared elsewhere."""
    if not isinstance(content.get("metadata"), dict):
        return content
    metadata = {key: value for key, value in content["metadata"].items() if key != "managedFields"}
    return {**content, "metadata": metadata}


def bare(content: Object) -> Object:
    """An object without fields that differ from write to write."""
    metadata = {key: value for key, value in content["metadata"].items() if key not in UNTIMED}
    return {**content, "metadata": metadata}
