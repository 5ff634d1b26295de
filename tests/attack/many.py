"""Many objects in a cluster, many definitions in a specification, and other inputs that are not one object."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import codegen
import engine
from codegen.documents import reader
from codegen.documents.problems import BadDocument
from codegen.generating import files_of
from codegen.reading import read_facts
from kubemerge.cluster import ClusterError, Reference, open_cluster
from kubemerge.compare.chain import Side, compare
from kubemerge.manifests.objects import manifests_in
from kubemerge.output.object_text import as_list
from kubemerge.printers.tables import Tables as Printed

from ..codegen.sample_specs import bundle, crd
from ..kubemerge.objects import config_map

if TYPE_CHECKING:
    from .costs import Make

DEPLOYMENT = engine.load().schema("apps/v1", "Deployment")
SCALE = 20
"""Elements per object, kind or definition."""


def _objects(size: int, **metadata: Any) -> list[dict[str, Any]]:
    return [
        config_map(f"m{number}", {"a": "b"}, namespace="many", labels={"app": f"a{number % 3}"}, **metadata)
        for number in range(size // SCALE)
    ]


def _full(size: int, **metadata: Any) -> Any:
    """A cluster with many objects in one namespace."""
    cluster = open_cluster(":memory:")
    cluster.load(_objects(size, **metadata))
    return cluster


def _load(size: int) -> Any:
    objects, cluster = _objects(size), open_cluster(":memory:")
    return lambda: cluster.load(objects)


def _on(method: str, *words: Any, **metadata: Any) -> Make:
    def make(size: int) -> Any:
        cluster = _full(size, **metadata)

        def call() -> None:
            with suppress(ClusterError):
                found = getattr(cluster, method)(*words)
                if method in ("list", "dump"):
                    list(found)

        return call

    return make


MANY_NAMESPACE = Reference("v1", "Namespace", "many")


def _each_finalizer_removed(size: int) -> Any:
    """Remove the finalizer of each object in a deleted namespace."""
    cluster = _full(size, finalizers=["a.example/hold"])
    cluster.delete(MANY_NAMESPACE)
    names = [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap", namespace="many")]

    def call() -> None:
        for name in names:
            cluster.patch(Reference("v1", "ConfigMap", name, "many"), {"metadata": {"finalizers": None}}, "merge")

    return call


def _printed(size: int) -> Any:
    cluster = _full(size)
    objects = list(cluster.list("v1", "ConfigMap"))

    def call() -> None:
        tables = Printed(cluster, wide=True, namespaces=True, kinds=True, labels=True, label_names=["app"])
        for one in objects:
            tables.add(one)
        list(tables.lines())

    return call


def _listed(form: str) -> Make:
    def make(size: int) -> Any:
        objects = _objects(size)
        return lambda: list(as_list(iter(objects), form))

    return make


def _json_patch(*steps: dict[str, Any], field: str = "finalizers") -> Make:
    """A JSON patch with many steps."""

    def make(size: int) -> Any:
        cluster = open_cluster(":memory:")
        cluster.load([config_map("m", {"a": "b"}, namespace="default", finalizers=[f"a.b/{n}" for n in range(size)])])
        patch = [dict(step) for _ in range(size // len(steps)) for step in steps]

        def call() -> None:
            with suppress(ClusterError):
                cluster.patch(Reference("v1", "ConfigMap", "m"), patch, "json")

        return call

    return make


def _documents(separator: str) -> Make:
    def make(size: int) -> Any:
        data = separator.join(json.dumps(one) for one in _objects(size)).encode()
        return lambda: list(manifests_in(data, "m.yaml"))

    return make


def _text(make: Any) -> Make:
    """Read a text of a size. A rejected text counts as read."""

    def made(size: int) -> Any:
        data = make(size).encode()

        def call() -> None:
            with suppress(engine.MergeError, BadDocument):
                list(reader.read(data))

        return call

    return made


def _chain(size: int) -> dict[str, Any]:
    """Definitions, each of which refers to the next."""
    count = size // SCALE
    refs = {
        f"d{n}": {"type": "object", "properties": {"next": {"$ref": f"#/definitions/d{n + 1}"}}} for n in range(count)
    }
    whole = bundle(first={"$ref": "#/definitions/d0"})
    return {**whole, "definitions": {**whole["definitions"], **refs, f"d{count}": {"type": "string"}}}


def _kinds(size: int) -> dict[str, Any]:
    definitions = {}
    for number in range(size // SCALE):
        mark = [{"group": "test", "version": "v1", "kind": f"Thing{number}"}]
        fields = {"a": {"type": "string"}, "b": {"$ref": f"#/definitions/test.v1.Thing{number // 2}"}}
        definitions[f"test.v1.Thing{number}"] = {
            "type": "object",
            "properties": fields,
            "x-kubernetes-group-version-kind": mark,
        }
    return {"swagger": "2.0", "definitions": definitions}


SPECS = {
    "many fields": lambda size: bundle(**{f"f{n}": {"type": "string"} for n in range(size)}),
    "many kinds": _kinds,
    "a chain of references": _chain,
    "a CRD with many fields": lambda size: crd(
        {"type": "object", "properties": {f"f{n}": {"type": "array", "items": {"type": "string"}} for n in range(size)}}
    ),
    "a CRD with many alternatives": lambda size: crd(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "oneOf": [{"required": [f"f{n}"]} for n in range(size)],
        }
    ),
    "a field with many values": lambda size: bundle(a={"type": "string", "enum": [f"v{n}" for n in range(size)]}),
}


def _spec(document: Any) -> Make:
    def make(size: int) -> Any:
        whole = document(size)

        def call() -> None:
            with suppress(codegen.SpecError):
                codegen.read(whole)

        return call

    return make


def _package(document: Any) -> Make:
    def make(size: int) -> Any:
        facts = read_facts(document(size))
        return lambda: files_of(facts)

    return make


def _walk(document: Any) -> Make:
    def make(size: int) -> Any:
        tables = codegen.read(document(size))
        return lambda: [list(tables.schema(*kind).walk()) for kind in tables.kinds()[:1]]

    return make


def _overlay(size: int) -> Any:
    other = codegen.read(_kinds(size))
    return lambda: engine.load().overlay(other).kinds()


def _compared(size: int) -> Any:
    one, other = codegen.read(_kinds(size)), codegen.read({**_kinds(size), **_chain(SCALE)})
    return lambda: compare([Side("one", one), Side("other", other)])


MANY: dict[str, Make] = {
    "loading objects": _load,
    "listing objects": _on("list", "v1", "ConfigMap"),
    "dumping objects": _on("dump"),
    "checking objects": _on("check"),
    "resetting a cluster": _on("reset"),
    "deleting a namespace": _on("delete", MANY_NAMESPACE),
    "deleting a namespace whose objects stay": _on("delete", MANY_NAMESPACE, finalizers=["a.example/hold"]),
    "letting go of the objects of a namespace": _each_finalizer_removed,
    "printing a table of objects": _printed,
    "printing a list as YAML": _listed("yaml"),
    "printing a list as JSON": _listed("json"),
    "a JSON patch that adds": _json_patch({"op": "add", "path": "/metadata/finalizers/-", "value": "a.b/c"}),
    "a JSON patch that replaces": _json_patch({"op": "replace", "path": "/data/a", "value": "x"}),
    "a JSON patch that tests": _json_patch({"op": "test", "path": "/data/a", "value": "b"}),
    "YAML documents": _documents("\n---\n"),
    "JSON documents": _documents("\n"),
    "JSON with a repeated key": _text(
        lambda size: f'{{"a": {{{",".join(f"{chr(34)}k{n}{chr(34)}: 1" for n in [*range(size), size - 1])}}}}}'
    ),
    "YAML with many aliases": _text(lambda size: "a: &a [x]\nb:\n" + "- *a\n" * size),
    "YAML with many anchors": _text(lambda size: "".join(f"k{n}: &a{n} x\n" for n in range(size))),
    "YAML with a chain of aliases": _text(
        lambda size: "k0: &a0 [x]\n" + "".join(f"k{n}: &a{n} [*a{n - 1}]\n" for n in range(1, size))
    ),
    "YAML with many merges": _text(lambda size: "a: &a {x: y}\n" + "".join(f"k{n}: {{<<: *a}}\n" for n in range(size))),
    "YAML with one long flow": _text(lambda size: "a: [" + "x, " * size + "]\n"),
    "YAML with a long text in many lines": _text(lambda size: 'a: "' + "word\n  " * size + '"\n'),
    "YAML with a long block": _text(lambda size: "a: |\n" + "  word\n" * size),
    "YAML with many blank lines": _text(lambda size: "a: x\n" + "\n" * size * 5 + "b: x\n"),
    "YAML with many comments": _text(lambda size: "# a\n" * size * 3 + "b: x\n"),
    "YAML with many byte order marks": _text(lambda size: "---\n\ufeffa: b\n" * size),
    "YAML that is not closed": _text(lambda size: "a: [" * size),
    "JSON that is not closed": _text(lambda size: '{"a":[' * size),
    "JSON with a long number": _text(lambda size: '{"a":' + "9" * size * 5 + "}"),
    "JSON with a long text": _text(lambda size: '{"a":"' + "\\u00e9\\n" * size + '"}'),
    "JSON with one key again and again": _text(lambda size: "{" + '"a":1,' * size + '"a":1}'),
    **{f"reading {name}": _spec(document) for name, document in SPECS.items()},
    **{f"printing {name}": _package(document) for name, document in SPECS.items()},
    **{f"walking {name}": _walk(document) for name, document in SPECS.items() if document is not _chain},
    "overlay of many kinds": _overlay,
    "comparing many kinds": _compared,
    "the rule of a long path": lambda size: lambda: DEPLOYMENT.rule("spec." * size + "x"),
    "the rule of a path with long names": lambda size: lambda: DEPLOYMENT.rule(f"metadata.labels[{'x' * size * 5}]"),
}
"""Name of the measured operation -> its function for a size."""
