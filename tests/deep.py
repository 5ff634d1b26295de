"""Documents that are too deep, or contain themselves, are rejected: `python -I tests/deep.py`, for an installed wheel.

The compiled modules do not count calls, so an unbounded document would end the process there. Everything runs in a
thread with a small stack, which has to hold the deepest document that is accepted.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.apiserver.pipeline import Server

if TYPE_CHECKING:
    from collections.abc import Callable

STACK = 512 * 1024
ACCEPTED, REFUSED = 280, (3_000, 100_000)
SCHEMA = engine.load().schema("apps/v1", "Deployment")
HEAD = {"apiVersion": "apps/v1", "kind": "Deployment"}
SERVER, CLUSTER = Server(), EmbeddedCluster(":memory:")
SMALL: dict[str, Any] = {**HEAD, "metadata": {"name": "a"}, "spec": {"replicas": 1}}


def nested(levels: int, name: str) -> dict[str, Any]:
    """Maps in maps."""
    inner: dict[str, Any] = {}
    for _ in range(levels):
        inner = {name: inner}
    return inner


def circle(name: str, other: str) -> dict[str, Any]:
    """A map that holds itself, also in a list."""
    found: dict[str, Any] = {}
    found.update({name: found, other: [found, found]})
    return found


def _owned(value: Any) -> dict[str, Any]:
    entry = {
        "manager": "m",
        "operation": "Update",
        "apiVersion": "apps/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": value,
    }
    return {**SMALL, "metadata": {"name": "a", "managedFields": [entry]}}


def _definition(value: Any) -> dict[str, Any]:
    """A CustomResourceDefinition, whose types have no fixed depth."""
    spec = {"group": "a.b", "versions": [{"name": "v1", "schema": {"openAPIV3Schema": value}}]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {}, "spec": spec}


def _object(value: Any) -> dict[str, Any]:
    return {**HEAD, "metadata": {"name": "a"}, "spec": {"template": value}}


WORKS: dict[str, Callable[[Any], object]] = {
    "two_way_patch": lambda value: engine.two_way_patch(SMALL, _object(value), SCHEMA),
    "three_way_patch": lambda value: engine.three_way_patch(_object(value), SMALL, _object(value), SCHEMA),
    "apply_patch": lambda value: engine.apply_patch(SMALL, _object(value), SCHEMA),
    "merge_patches": lambda value: engine.merge_patches(SMALL, _object(value), SCHEMA),
    "apply": lambda value: engine.apply(_object(value), SMALL, SCHEMA),
    "changes": lambda value: engine.apply(_object(value), SMALL, SCHEMA).changes,
    "json_patch": lambda value: engine.apply(_object(value), SMALL, SCHEMA).json_patch(),
    "safe": lambda value: engine.apply(_object(value), SMALL, None, safe=True),
    "json_three_way_patch": lambda value: engine.json_three_way_patch(SMALL, _object(value), SMALL),
    "json_apply_patch": lambda value: engine.json_apply_patch(SMALL, _object(value)),
    "server_side_apply": lambda value: engine.server_side_apply(_object(value), None, None, manager="m"),
    "record_update": lambda value: engine.record_update(SMALL, _object(value), None, manager="m"),
    "lint": lambda value: engine.lint(_object(value), SCHEMA, live=SMALL),
    "field_owners": lambda value: engine.field_owners(_owned(value)),
    "upgrade_managed_fields": lambda value: engine.upgrade_managed_fields(_owned(value), ["m"], "n"),
    "check_create": lambda value: SERVER.check_create(_object(value)),
    "create": lambda value: CLUSTER.create(_object(value)),
    "FieldSet.parse": engine.FieldSet.parse,
    "FieldSet.union": lambda value: engine.FieldSet.parse(value).union(engine.FieldSet.parse({"f:b": {}})),
}
WORKS_OF_DEFINITIONS: dict[str, Callable[[Any], object]] = {
    "check_create of a definition": lambda value: SERVER.check_create(_definition(value)),
    "create of a definition": lambda value: CLUSTER.create(_definition(value)),
}


def problems(works: dict[str, Callable[[Any], object]], *names: str) -> list[str]:
    """Calls that end with neither a result nor an error of the engine. The names are those of the fields in values."""
    found = []
    values = {f"{levels} levels": nested(levels, names[0]) for levels in (ACCEPTED, *REFUSED)}
    values["a circle"] = circle(*names)
    for name, work in works.items():
        for called, value in values.items():
            try:
                work(value)
            except engine.MergeError as error:
                if called.startswith(str(ACCEPTED)) and "levels" in str(error):
                    found.append(f"{name} of {called}: {error}")
            except Exception as error:
                found.append(f"{name} of {called}: {type(error).__name__}")
    for value in values.values():
        take_apart(value)
    return found


def take_apart(value: dict[str, Any]) -> None:
    """Empty the maps from the outside: to free thousands of levels, Python 3.13 needs a larger stack than this one."""
    while isinstance(value, dict) and value:
        value = value.popitem()[1]


def _collect(found: list[str], works: dict[str, Callable[[Any], object]], *names: str) -> None:
    found.extend(problems(works, *names))


def on_a_small_stack() -> list[str]:
    """The same in a thread with a small stack. `f:` is for the names in fieldsV1, the others are those of schemas."""
    found: list[str] = []
    before = threading.stack_size(STACK)
    try:
        for works, *names in ((WORKS, "f:a", "f:b"), (WORKS_OF_DEFINITIONS, "not", "allOf")):
            thread = threading.Thread(target=_collect, args=(found, works, *names))
            thread.start()
            thread.join()
    finally:
        threading.stack_size(before)
    return found


if __name__ == "__main__":
    sys.exit("\n".join(on_a_small_stack()) or 0)
