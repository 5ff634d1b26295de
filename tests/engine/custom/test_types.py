"""Merging lists of custom resources, and embedded pod templates."""

from __future__ import annotations

from typing import Any

import pytest

import codegen
from engine.custom.types import merging_types

TEXT: dict[str, Any] = {"type": "string"}
ITEM = {"type": "object", "properties": {"name": TEXT, "image": TEXT}}
CONTAINERS = {"type": "array", "items": ITEM}
META = {"type": "object"}


def an_object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def a_list(items: Any, **marks: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **{f"x-kubernetes-{name}": mark for name, mark in marks.items()}}


def fields_in(spec: dict[str, Any], name: str) -> dict[str, Any]:
    """The rules of the fields of a type inside a custom resource."""
    names = {"kind": "Box", "plural": "boxes", "singular": "box"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": an_object(spec=spec)}}
    found = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.e.example"},
        "spec": {"group": "e.example", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    schema = codegen.read(found).schema("e.example/v1", "Box")
    rule = schema.rule(f"spec.{name}".rstrip("."))
    assert rule is not None
    assert rule.of is not None
    return dict(merging_types(schema.types)[rule.of].fields)


@pytest.mark.parametrize(
    ("marks", "words", "key"),
    [
        ({"list-type": "map", "list-map-keys": ["name", "image"]}, ("merge",), "name"),
        ({"list-type": "set"}, ("merge",), None),
        ({"list-type": "atomic"}, (), None),
        ({"list-type": "map"}, ("merge",), None),
        ({}, (), None),
    ],
)
def test_a_list_merges_by_its_first_key(marks: dict[str, Any], words: tuple[str, ...], key: str | None) -> None:
    rule = fields_in(an_object(items=a_list(ITEM, **marks)), "")["items"]
    assert (rule.strategies, rule.merge_key) == (words, key)


SPEC = an_object(containers=CONTAINERS, nodeName=an_object(a=TEXT), volumes=CONTAINERS)


@pytest.mark.parametrize(
    ("template", "is_one"),
    [
        (an_object(metadata=META, spec=SPEC), True),
        (an_object(metadata=META, spec=SPEC, kind=TEXT), False),
        (an_object(spec=SPEC), False),
        (an_object(metadata=META, spec=an_object(volumes=CONTAINERS)), False),
        (an_object(metadata=META, spec={"type": "object", "additionalProperties": SPEC}), False),
        (an_object(metadata=META, spec=an_object(containers=a_list(TEXT), volumes=CONTAINERS)), False),
        (an_object(metadata=META, spec=an_object(containers=a_list({}), volumes=CONTAINERS)), False),
        (an_object(metadata=META, spec=an_object(containers=ITEM, volumes=CONTAINERS)), False),
        (an_object(metadata=META, spec=an_object(containers=a_list(an_object(name=TEXT)), volumes=CONTAINERS)), False),
    ],
)
def test_a_pod_template_is_metadata_and_a_spec_with_containers(template: dict[str, Any], is_one: bool) -> None:
    holder = an_object(template=template)
    metadata = fields_in(holder, "template").get("metadata")
    assert (metadata is not None and metadata.of == "meta_v1.ObjectMeta") == is_one
    if template["properties"]["spec"].get("properties"):
        fields = fields_in(holder, "template.spec")
        assert (fields["volumes"].merge_key == "name") == is_one
        if is_one:
            assert fields["nodeName"].kind == "map", "a field of another kind is not that of a pod"
