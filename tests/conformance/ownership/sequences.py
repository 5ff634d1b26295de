"""Random sequences of writes to one object, as the engine does them: each becomes a request to the reference."""

from __future__ import annotations

import marshal
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from engine.tables.behaviour import NEWEST

from .draw import Drawer, Object
from .kinds import KINDS, Kind, schema_of, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.tables.behaviour import Behaviour

MANAGERS = ("kubectl", "helm", "flux-controller", "kubectl-client-side-apply", "", "a b", "kubectl-edit", "x")
ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
FIRST_DAY = "2024-01-01T00:00:00Z"

NO_SUBRESOURCES = ("1.16", "1.18", "1.20")
"""Releases whose managedFields have no subresource yet, so their servers reject objects of newer ones."""

Write = dict[str, Any]
"""kind, version, do ("apply" or "update"), manager, force, subresource, time, live, object."""


def sequence(
    seed: int, behaviour: Behaviour = NEWEST, kinds: Sequence[Kind] = KINDS
) -> Iterator[tuple[Write, dict[str, Any]]]:
    """The writes of one sequence with the engine's responses, each on the result of the previous ones."""
    random = Random(seed)
    kind = random.choice(kinds)
    drawer = Drawer(random, schema_of(kind))
    everything = drawer.document(kind.api_version, kind.kind)
    crowd = random.random() < 0.06
    managers = [f"m{n}" for n in range(14)] if crowd else random.sample(MANAGERS, random.randint(2, 4))
    live = _first(random, drawer, everything)
    for number in range(random.randint(10, 16) if crowd else random.randint(2, 8)):
        write = _write(random, drawer, kind, everything, live, managers, number)
        if write is None:
            continue
        done = answered(write, behaviour)
        yield write, copied(done)
        if "object" in done:
            live = done["object"]
            live.setdefault("metadata", {}).setdefault("uid", "u")


def _first(random: Random, drawer: Drawer, everything: Object) -> Object | None:
    """No object, an untracked one, or one without managedFields."""
    if random.random() < 0.7:
        return None
    live = drawer.part(everything, 0.8)
    live = {
        **live,
        **_identity(everything),
        "metadata": {**live.get("metadata", {}), **_identity(everything)["metadata"]},
    }
    if random.random() < 0.8:
        live["metadata"]["uid"] = "u"
    return _repeating(random, drawer, live)


def _repeating(random: Random, drawer: Drawer, document: Object) -> Object:
    if random.random() > 0.1:
        return document
    return {key: drawer.repeated(value) if key in ("spec", "status") else value for key, value in document.items()}


def _identity(document: Object) -> Object:
    metadata = {"name": document["metadata"]["name"], "namespace": document["metadata"]["namespace"]}
    return {"apiVersion": document["apiVersion"], "kind": document["kind"], "metadata": metadata}


def _write(
    random: Random,
    drawer: Drawer,
    kind: Kind,
    everything: Object,
    live: Object | None,
    managers: list[str],
    number: int,
) -> Write | None:
    version = random.choice(kind.versions) if kind.versions and random.random() < 0.15 else kind.api_version
    subresource = random.choices((None, "status", "scale"), (8, 1, 1))[0]
    if live is None or kind.of in NO_SUBRESOURCES or (subresource == "scale" and not kind.scaled):
        subresource = None
    do = "apply" if random.random() < 0.6 else "update"
    manager = random.choice(managers)
    if do == "apply" and not manager:
        manager = "kubectl"
    if subresource == "scale":
        spec = (live or {}).get("spec")
        if not isinstance(spec, dict) or type(spec.get("replicas")) not in (int, type(None)):
            return None
        version = str((live or {}).get("apiVersion"))
        given: Object = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "n"}}
        given["spec"] = {"replicas": random.choice((0, 1, 2, 3))}
    elif do == "apply":
        given = _config(random, drawer, everything, version)
    else:
        given = _after(random, drawer, everything, live, version)
    return {
        "kind": kind.name,
        "version": version,
        "do": do,
        "manager": manager,
        "force": random.random() < 0.35,
        "subresource": subresource or "",
        "time": f"2024-01-0{2 + number // 9}T00:0{number % 9}:00Z",
        "live": copied(live),
        "object": given,
    }


def _config(random: Random, drawer: Drawer, everything: Object, version: str) -> Object:
    config: Object = drawer.part(everything, random.choice((0.5, 0.75, 0.9, 1.0)))
    identity = _identity(everything)
    metadata = {**(config.get("metadata") or {}), **identity["metadata"]}
    config = {**config, **identity, "apiVersion": version, "metadata": metadata}
    if random.random() < 0.15:
        metadata["annotations"] = {"a": "b", ANNOTATION: _annotation(random, drawer, everything, version)}
    if random.random() < 0.03:
        config = _repeating(random, drawer, config)
    return config


def _annotation(random: Random, drawer: Drawer, everything: Object, version: str) -> str:
    from engine.values.go_json import encode

    if random.random() < 0.1:
        return random.choice(("", "no JSON", "{}"))
    last = drawer.part(everything, 0.8)
    identity = _identity(everything)
    return encode(
        {
            **last,
            **identity,
            "apiVersion": version,
            "metadata": {**(last.get("metadata") or {}), **identity["metadata"]},
        }
    )


def _after(random: Random, drawer: Drawer, everything: Object, live: Object | None, version: str) -> Object:
    """The object after a replace or a patch."""
    config = _config(random, drawer, everything, version)
    if live is None or random.random() < 0.2:
        after = config
    else:
        after = drawer.joined(drawer.part(live, random.choice((0.8, 0.95, 1.0))), drawer.part(config, 0.3))
        after["metadata"] = {**(after.get("metadata") or {}), **config["metadata"]}
        after = {**after, "apiVersion": version, "kind": everything["kind"]}
        if random.random() < 0.8 and "managedFields" in live.get("metadata", {}):
            after["metadata"]["managedFields"] = copied(live["metadata"]["managedFields"])
        else:
            after["metadata"].pop("managedFields", None)
    if live is not None and "uid" in live["metadata"]:
        after["metadata"]["uid"] = "u"
    if random.random() < 0.02:
        after["metadata"]["managedFields"] = random.choice(([], [{}]))
    return _repeating(random, drawer, after)


def copied(document: Any) -> Any:
    """A fast copy."""
    return marshal.loads(marshal.dumps(document))


def question(write: Write) -> dict[str, Any]:
    """The request to the oracle for a write."""
    kind = _kind(write)
    subresource = write["subresource"] or None
    asked = {name: write[name] for name in ("do", "manager", "force", "subresource", "time", "live", "object")}
    return {"op": "ownership", "types": types_of(kind, write["version"], subresource), "write": asked}


def _kind(write: Write) -> Kind:
    from .kinds import BY_NAME

    return BY_NAME[write["kind"]]


def answered(write: Write, behaviour: Behaviour = NEWEST) -> dict[str, Any]:
    """The engine's response: an object, conflicts, or an error. Fails if an input was changed."""
    schema = schema_of(_kind(write), write["version"], behaviour)
    settings = {"manager": write["manager"], "subresource": write["subresource"] or None, "time": write["time"]}
    before = repr(write)
    try:
        if write["do"] == "apply":
            outcome = engine.server_side_apply(write["object"], write["live"], schema, force=write["force"], **settings)
            return {"object": outcome.merged}
        return {"object": engine.record_update(write["live"], write["object"], schema, **settings)}
    except engine.FieldConflict as error:
        conflicts = [{"field": one.field, "message": f"conflict with {one.owner}"} for one in error.conflicts]
        return {"conflicts": sorted(conflicts, key=lambda one: one["message"] + one["field"]), "message": str(error)}
    except engine.MergeError as error:
        return {"error": str(error)}
    finally:
        if repr(write) != before:
            raise AssertionError(f"an input was changed: {before}")
