"""Small base documents for tests, and the command in this process."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from codegen.specs.plausibility import WHOLE
from kubemerge.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable


def bundle(**fields: Any) -> dict[str, Any]:
    """An OpenAPI v2 document with one kind, `Thing` of `test/v1`, which has these fields."""
    return {
        "swagger": "2.0",
        "definitions": {
            "test.v1.Thing": {
                "type": "object",
                "properties": fields,
                "x-kubernetes-group-version-kind": [{"group": "test", "version": "v1", "kind": "Thing"}],
            }
        },
    }


def release(**fields: Any) -> dict[str, Any]:
    """The same, with kinds that every Kubernetes release has."""
    return whole(bundle(**fields))


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """A copy of a document, v2 or v3, with kinds that every Kubernetes release has."""
    copied = copy.deepcopy(document)
    schemas = copied["definitions"] if "definitions" in copied else copied["components"]["schemas"]
    for kind in WHOLE:
        named = {"group": "", "version": "v1", "kind": kind}
        schemas[f"io.k8s.api.core.v1.{kind}"] = {"type": "object", "x-kubernetes-group-version-kind": [named]}
    return copied


def components(schemas: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An OpenAPI v3 document."""
    return {"openapi": "3.0.0", "components": {"schemas": schemas}, **more}


def crd(schema: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A CustomResourceDefinition, v1, of `Thing` of `test.example/v1`."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "test.example",
            "names": {"kind": "Thing", "plural": "things"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema or {"type": "object"}}}],
            **spec,
        },
    }


def changed(document: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """A copy of a document with another value at a JSON pointer."""
    whole = copy.deepcopy(document)
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    place: Any = whole
    for step in steps[:-1]:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[int(steps[-1]) if isinstance(place, list) else steps[-1]] = value
    return whole


def exit_code(run: Callable[[], None]) -> int:
    """The exit code of a function that ends the process."""
    try:
        run()
    except SystemExit as end:
        return int(end.code or 0)
    raise AssertionError("the process was not ended")


def kubemerge(*words: object) -> int:
    """Run the command in this process; return its exit code."""
    return exit_code(lambda: main([str(word) for word in words]))
