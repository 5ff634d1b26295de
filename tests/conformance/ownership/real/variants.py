"""Unusual writes: dry runs, YAML, preconditions, wrong directives, empty values, deletion options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from random import Random

    from .draw import Drawer, Object
    from .kinds import Kind
    from .sequences import Write

DELETIONS: tuple[Object, ...] = (
    {},
    {"propagationPolicy": "Foreground"},
    {"propagationPolicy": "Background"},
    {"propagationPolicy": "Orphan"},
    {"propagationPolicy": "Other"},
    {"propagationPolicy": "Orphan", "orphanDependents": True},
    {"orphanDependents": True},
    {"orphanDependents": False},
    {"gracePeriodSeconds": 0},
    {"gracePeriodSeconds": 5},
    {"dryRun": ["All"]},
    {"preconditions": {"uid": "00000000-0000-0000-0000-000000000000"}},
    {"preconditions": {"resourceVersion": "1"}},
)
DIRECTIVES: tuple[Object, ...] = (
    {"$patch": "delete"},
    {"$patch": "other"},
    {"spec": {"$retainKeys": 5}},
    {"metadata": {"$patch": "replace", "labels": {"a": "b"}}},
    {"metadata": {"$patch": "other"}},
    {"metadata": {"$retainKeys": ["name"], "labels": {"a": "b"}}},
    {"metadata": {"labels": {"$patch": "delete"}}},
    {"metadata": {"labels": {"$patch": "replace", "a": "b"}}},
    {"metadata": {"labels": {"a": 5}}},
    {"metadata": {"labels": None, "annotations": {}}},
    {"metadata": {"finalizers": ["example.com/c"], "$setElementOrder/finalizers": ["example.com/c", "example.com/a"]}},
    {"metadata": {"finalizers": ["example.com/c"], "$setElementOrder/finalizers": ["example.com/a"]}},
    {"metadata": {"$deleteFromPrimitiveList/finalizers": ["example.com/a"]}},
    {"metadata": {"$deleteFromPrimitiveList/finalizers": "example.com/a"}},
    {"metadata": {"finalizers": []}},
    {"metadata": {"finalizers": [{"a": 1}]}},
    {"metadata": {"ownerReferences": [{"$patch": "delete", "name": "o"}]}},
    {"metadata": {"ownerReferences": [{"$patch": "replace"}]}},
)
OPERATIONS: tuple[Object, ...] = (
    {"op": "test", "path": "/kind", "value": "Other"},
    {"op": "test", "path": "/metadata/labels", "value": None},
    {"op": "remove", "path": "/metadata/nothing"},
    {"op": "remove", "path": "/metadata/labels"},
    {"op": "move", "from": "/metadata/labels", "path": "/metadata/annotations"},
    {"op": "copy", "from": "/metadata/name", "path": "/metadata/labels/x"},
    {"op": "copy", "from": "/metadata/labels", "path": "/metadata/annotations"},
    {"op": "replace", "path": "/metadata/labels", "value": {}},
    {"op": "replace", "path": "/metadata/nothing", "value": {}},
    {"op": "add", "path": "/metadata/labels", "value": None},
    {"op": "add", "path": "/metadata/labels", "value": {"a": "b"}},
    {"op": "add", "path": "/metadata/finalizers/-", "value": "example.com/c"},
    {"op": "add", "path": "/metadata/finalizers/0", "value": "example.com/d"},
    {"op": "remove", "path": "/metadata/finalizers/0"},
    {"op": "other", "path": "/metadata"},
    {"op": "add", "path": "metadata", "value": {}},
)


def varied(random: Random, drawer: Drawer, kind: Kind, write: Write, before: Object | None) -> Write:
    """The write, or a less usual variant. `query` has more parameters, `text` is the form of the body."""
    do, found = write["do"], {**write, "query": {}, "text": ""}
    if do == "delete":
        found["body"] = _deletion(random, before or {})
        return found
    if before and do in ("strategic", "json") and not found["subresource"]:
        _part(random, drawer, kind, found)
    if not found["subresource"]:
        _odd(random, drawer, found, before)
    if isinstance(found["body"], dict) and before and random.random() < 0.08:
        _precondition(random, found, before)
    if random.random() < 0.06:
        found["query"]["dryRun"] = "All"
    if random.random() < 0.1:
        found["query"]["fieldValidation"] = random.choice(("Strict", "Warn", "Ignore"))
    if do == "apply" and random.random() < 0.2:
        found["text"] = random.choice(("yaml", "yaml", "twice"))
        if kind.kind == "CertificateSigningRequest":  # whose lines depend on the client's certificate
            found["text"] = "yaml"
    return found


def _deletion(random: Random, before: Object) -> Object:
    own = before.get("metadata") or {}
    right = [{"preconditions": {name: own[name]}} for name in ("uid", "resourceVersion") if name in own]
    return random.choice((*DELETIONS, *right))


def _part(random: Random, drawer: Drawer, kind: Kind, write: Write) -> None:
    """A patch of a status or a scale."""
    if kind.status and random.random() < 0.2:
        given = drawer.status(write["version"])
        metadata = {key: inner for key, inner in given["metadata"].items() if key != "name"}
        write["subresource"] = "status"
        write["body"] = {"metadata": metadata, "status": given["status"]}
        if write["do"] == "json":
            write["body"] = [{"op": "add", "path": "/status", "value": given["status"]}]
    elif kind.scale and random.random() < 0.2:
        wanted = random.randint(0, 4)
        write["subresource"] = "scale"
        write["body"] = {"spec": {"replicas": wanted}}
        if write["do"] == "json":
            write["body"] = [{"op": "add", "path": "/spec/replicas", "value": wanted}]


def _odd(random: Random, drawer: Drawer, write: Write, before: Object | None) -> None:
    """Empty and null values, fractions, directives, and operations of any kind."""
    do = write["do"]
    if do in ("put", "create", "merge") and random.random() < 0.15:
        write["body"] = drawer.odd(write["body"])
    if do in ("apply", "put", "create", "merge") and random.random() < 0.05:
        write["body"] = fractions(random, write["body"])
    if do == "strategic" and random.random() < 0.2:
        directive = random.choice(DIRECTIVES)
        write["body"] = directive if random.random() < 0.7 else {**write["body"], **directive}
    if do == "json" and random.random() < 0.2:
        known = {"op": "test", "path": "/metadata/name", "value": (before or {}).get("metadata", {}).get("name")}
        write["body"] = random.sample((*OPERATIONS, known), random.randint(1, 2))
        if random.random() < 0.1:
            write["body"] = "null"


def fractions(random: Random, value: Any) -> Any:
    """A value in which some whole numbers are written as fractions."""
    if isinstance(value, dict):
        return {key: inner if key == "metadata" else fractions(random, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [fractions(random, item) for item in value]
    return float(value) if type(value) is int and random.random() < 0.3 else value


def _precondition(random: Random, write: Write, before: Object) -> None:
    """A write for one state of the object, or for one object."""
    metadata = write["body"].get("metadata")
    if write["subresource"] == "scale" and write["do"] == "apply":
        return
    own = before["metadata"]
    renamed = () if write["do"] == "create" else ({"name": "other"},)  # which would create an object that stays
    wanted = random.choice(
        (
            *renamed,
            {"namespace": "other"},
            {"resourceVersion": own["resourceVersion"]},
            {"resourceVersion": "1"},
            {"resourceVersion": "0"},
            {"resourceVersion": "x"},
            {"uid": own["uid"]},
            {"uid": "00000000-0000-0000-0000-000000000000"},
            {"generation": 7},
        )
    )
    write["body"] = {**write["body"], "metadata": {**(metadata if isinstance(metadata, dict) else {}), **wanted}}


def as_text(body: Any, form: str) -> Any:
    """The body to send: unchanged, as YAML, or as YAML with a repeated key."""
    if not form:
        return body
    text: str = yaml.safe_dump(body)
    return text if form == "yaml" else f"{text}kind: {body.get('kind')}\n"
