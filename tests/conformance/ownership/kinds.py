"""The kinds of the random sequences of writes, as the oracle and the engine see them."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import codegen
import engine
from codegen.documents.yaml_text import documents
from engine.serverside.fields import trees
from engine.serverside.fields.reset_fields import reset_fields
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.zero_value_tables import nulls_of
from engine.serverside.typed.zero_values import empty_object
from engine.tables.behaviour import NEWEST
from engine.tables.schema import Schema
from engine.tables.types import TableData, Types

from ..build import cache_directory

if TYPE_CHECKING:
    from engine.tables.behaviour import Behaviour

HERE = Path(__file__).parent
SNAPSHOTS = HERE.parent.parent.parent / "openapi"
CRDS = HERE / "crds.yaml"
OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


class Kind(NamedTuple):
    """One kind: of a release, of our definitions ("crds"), or without a schema ("")."""

    api_version: str
    kind: str
    of: str
    versions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.api_version} {self.kind} {self.of}".strip()

    @property
    def custom(self) -> bool:
        return not self.of.startswith("1.")

    @property
    def scaled(self) -> bool:
        """True if it has a scale subresource."""
        return self.kind in ("Deployment", "StatefulSet", "Shape")


KINDS = (
    Kind("apps/v1", "Deployment", "1.37", ("apps/v1beta1", "apps/v1beta2")),
    Kind("v1", "Pod", "1.37"),
    Kind("v1", "Service", "1.37"),
    Kind("v1", "ConfigMap", "1.37"),
    Kind("v1", "Node", "1.37"),
    Kind("batch/v1", "CronJob", "1.37", ("batch/v1beta1",)),
    Kind("apps/v1", "StatefulSet", "1.37"),
    Kind("networking.k8s.io/v1", "Ingress", "1.37", ("networking.k8s.io/v1beta1",)),
    Kind("networking.k8s.io/v1", "NetworkPolicy", "1.37"),
    Kind("autoscaling/v2", "HorizontalPodAutoscaler", "1.37", ("autoscaling/v1",)),
    Kind("rbac.authorization.k8s.io/v1", "ClusterRole", "1.37"),
    Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition", "1.37"),
    Kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "1.37"),
    Kind("policy/v1", "PodDisruptionBudget", "1.34"),
    Kind("resource.k8s.io/v1", "ResourceClaim", "1.35"),
    Kind("apps/v1", "Deployment", "1.16", ("apps/v1beta2",)),
    Kind("v1", "Pod", "1.18"),
    Kind("v1", "Service", "1.20"),
    Kind("apps/v1", "DaemonSet", "1.22"),
    Kind("v1", "PersistentVolumeClaim", "1.24"),
    Kind("batch/v1", "Job", "1.29"),
    Kind("v1", "ServiceAccount", "1.31"),
    Kind("example.com/v1", "Shape", "crds", ("example.com/v1beta1",)),
    Kind("example.com/v1", "KeptShape", "crds"),
    Kind("example.com/v1", "Loose", "", ("example.com/v2",)),
)
BY_NAME = {kind.name: kind for kind in KINDS}


@cache
def tables(of: str) -> engine.Tables:
    """The engine's tables of a release, or of our definitions."""
    return engine.load("1.37").overlay(codegen.read(str(CRDS))) if of == "crds" else engine.load(of)


@cache
def schema_of(kind: Kind, version: str | None = None, behaviour: Behaviour = NEWEST) -> Schema | None:
    """The engine's schema; other versions have the same fields, and are served too.

    The algorithms are those of the oracle's release, whatever the release of the kind is.
    """
    if not kind.of:
        return None
    if behaviour:
        schema = schema_of(kind, version)
        assert schema is not None
        return schema.of_types(_with(schema.types, behaviour))
    if version not in (None, kind.api_version):
        schema = schema_of(kind)
        assert schema is not None
        key = (str(version), kind.kind)
        return Schema(schema.types, schema.type, key, schema.namespaced, schema.patch_types, schema.release)
    schema = tables(kind.of).schema(kind.api_version, kind.kind)
    return schema.of_types(_serving(schema.types, kind))


@cache
def _with(types: Types, behaviour: Behaviour) -> Types:
    """The types with the algorithms of another release."""
    other = Types(types.data, types.minor, types._below)
    other.once("behaviour", lambda: behaviour)
    return other


def _serving(types: Types, kind: Kind) -> Types:
    data = types.data
    rows = [(version, kind.kind, None, None, "") for version in kind.versions]
    more = TableData([*data.kinds, *rows], data.prefixes, data.types_of, data.releases)
    return _with(Types(more, types.minor, types._below), NEWEST)


def types_of(kind: Kind, version: str, subresource: str | None) -> dict[str, Any]:
    """The oracle's input about a kind."""
    versions = [kind.api_version, *kind.versions]
    schema = schema_of(kind, version)
    reset = reset_fields(schema, subresource)
    return {
        "empty": None if kind.custom else empty_object(version, kind.kind, atom_of(schema)),
        "nulls": nulls(kind),
        "file": document_of(kind.of),
        "apiVersion": version,
        "kind": kind.kind,
        "described": kind.api_version,
        "versions": [other for other in versions if other != version],
        "custom": kind.custom,
        "reset_everywhere": bool(subresource),
        "key_defaults": key_defaults(kind.of),
        "reset": [[element[2:] for element in path] for path in trees.paths(reset)],
    }


@cache
def key_defaults(of: str) -> list[list[Any]]:
    """The defaults of list element keys in the tables, which documents do not state: definition, field, value."""
    if not of:
        return []
    found = tables(of if of.startswith("1.") else "1.37")
    return [
        [name, field, rule.default]
        for name in found.definitions()
        for field, rule in found.definition(name).type.fields.items()
        if rule.default is not None
    ]


@cache
def nulls(kind: Kind) -> list[str]:
    """The fields of a kind that Go prints as null, as paths without list steps."""
    schema = schema_of(kind)
    if schema is None or kind.custom:
        return []
    return sorted({path.replace("[]", "") for path, _ in schema.walk() if _is_null(schema, path)})


def _is_null(schema: Schema, path: str) -> bool:
    above, _, field = path.rpartition(".")
    holder = schema.rule(above) if above else schema.type.rule
    while holder is not None and holder.kind == "list":
        holder = schema.inside(holder)[0]
    name = str(holder.of if holder else "")
    return field in nulls_of(name, None)


@cache
def document_of(of: str) -> str:
    """The OpenAPI document of a kind, as a file for the oracle; empty for none."""
    if of != "crds":
        return str(SNAPSHOTS / f"{of}.json") if of else ""
    definitions = json.loads((SNAPSHOTS / "1.37.json").read_text(encoding="utf-8"))["definitions"]
    found = {name: part for name, part in definitions.items() if ".meta.v1." in name or ".pkg.runtime." in name}
    for crd in documents(CRDS.read_text(encoding="utf-8")):
        found.update(published(crd))
    file = cache_directory() / "crds-published.json"
    text = json.dumps({"definitions": found})
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return str(file)


def published(crd: dict[str, Any]) -> dict[str, Any]:
    """The definitions that an API server publishes of a CustomResourceDefinition."""
    spec = crd["spec"]
    found = {}
    for version in spec["versions"]:
        schema = deepcopy(version["schema"]["openAPIV3Schema"])
        _add_object_fields(schema)
        _add_embedded(schema)
        named = {"group": spec["group"], "version": version["name"], "kind": spec["names"]["kind"]}
        schema["x-kubernetes-group-version-kind"] = [named]
        group = ".".join(reversed(spec["group"].split(".")))
        found[f"{group}.{version['name']}.{named['kind']}"] = schema
    return found


def _add_object_fields(schema: dict[str, Any]) -> None:
    own = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"$ref": f"#/definitions/{OBJECT_META}"},
    }
    schema["properties"] = {**schema.get("properties", {}), **own}


def _add_embedded(schema: Any) -> None:
    if not isinstance(schema, dict):
        return
    for part in schema.get("properties", {}).values():
        _add_embedded(part)
    _add_embedded(schema.get("items"))
    _add_embedded(schema.get("additionalProperties"))
    if schema.get("x-kubernetes-embedded-resource"):
        _add_object_fields(schema)
