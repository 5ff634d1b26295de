"""Facts of CustomResourceDefinitions, v1 and v1beta1: one definition for each version of the kind."""

from __future__ import annotations

from typing import Any

from .. import shapes
from ..errors import SpecError, pointer_of
from .facts import Facts, GroupVersionKind, Node, node_of

PATCH_TYPES = ("apply", "json", "merge")
"""The patch types that the API server accepts for custom resources: all except strategic merge patches."""


def is_crd(document: Any) -> bool:
    """True if a document is a CustomResourceDefinition."""
    return isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition"


def read_crd(document: dict[str, Any], source: str, at: tuple[object, ...]) -> Facts:
    """The facts of one CustomResourceDefinition, at the pointer `at` of its document."""
    shapes.check("crd", document, source, *at)
    facts = Facts(source)
    spec = document["spec"]
    group, kind = spec["group"], spec["names"]["kind"]
    everything_kept = _keeps_unknown_fields(document)
    for version, schema, pointer in _versions(spec, source, (*at, "spec")):
        facts.ignored += shapes.check_node(schema, source, *pointer)
        name = ".".join([*reversed(group.split(".")), version, kind])
        facts.definitions[name] = custom_resource(node_of(schema, "#/"), everything_kept)
        facts.pointers[name] = pointer_of(*pointer)
        claimed = GroupVersionKind(group, version, kind)
        facts.claim(claimed, name)
        facts.patch_types[claimed] = PATCH_TYPES
        if "scope" in spec:
            facts.namespaced[claimed] = spec["scope"] == "Namespaced"
    return facts


def _keeps_unknown_fields(document: dict[str, Any]) -> bool:
    """True if `preserveUnknownFields` is on; the default is true in v1beta1 and false in v1."""
    stated = document["spec"].get("preserveUnknownFields")
    return bool(stated) if stated is not None else document.get("apiVersion") == "apiextensions.k8s.io/v1beta1"


def _versions(spec: dict[str, Any], source: str, at: tuple[object, ...]) -> list[tuple[str, Any, tuple[object, ...]]]:
    """Name, schema and pointer of each version; a version without a schema has the shared one."""
    shared = (spec.get("validation") or {}).get("openAPIV3Schema")
    shared_at = (*at, "validation", "openAPIV3Schema")
    versions = []
    for position, version in enumerate(spec.get("versions") or ()):
        own = (version.get("schema") or {}).get("openAPIV3Schema")
        own_at = (*at, "versions", position, "schema", "openAPIV3Schema")
        versions.append((version["name"], own or shared or {}, own_at if own else shared_at))
    if not versions and "version" in spec:
        versions.append((spec["version"], shared or {}, shared_at))
    if not versions:
        raise SpecError(source, "at least one version", pointer=pointer_of(*at), found="none")
    return versions


def custom_resource(node: Node, keep_unknown: bool) -> Node:
    """A custom resource's schema with the API server's additions: apiVersion, kind and metadata."""
    whole = {**node, "type": "object", "x-kubernetes-embedded-resource": True}
    if keep_unknown or not node.get("properties"):
        whole["x-kubernetes-preserve-unknown-fields"] = True
    return whole
