"""Values of custom resources that violate their schema, in the words of an API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.crd import objects
from kubemerge.cluster import Invalid, Reference

from ..conftest import crontab, crontabs

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "replicas": {"type": "integer"},
                "ratio": {"type": "number"},
                "name": {"type": "string"},
                "port": {"x-kubernetes-int-or-string": True},
                "list": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "any": {"x-kubernetes-preserve-unknown-fields": True},
            },
        }
    },
}


def of_schema(schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    definition = crontabs()
    definition["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": schema}
    return definition


def wrong(at: str, found: str, wanted: str) -> str:
    return f'{at}: Invalid value: "{found}": {at} in body must be of type {wanted}: "{found}"'


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("x", [wrong("spec", "string", "object")]),
        ({"replicas": "2"}, [wrong("spec.replicas", "string", "integer")]),
        ({"name": 1, "ratio": "1"}, [wrong("spec.name", "integer", "string"), wrong("spec.ratio", "string", "number")]),
        ({"port": 1.5}, [wrong("spec.port", "number", "integer,string")]),
        ({"list": {}}, [wrong("spec.list", "object", "array")]),
        ({"labels": {"a.b/c": 1}}, [wrong("spec.labels.a.b/c", "integer", "string")]),
        ({"open": "x"}, [wrong("spec.open", "string", "object")]),
        ({"replicas": 2.0, "ratio": 1, "port": "web", "open": {"a": 1}, "any": [1], "new": {"b": 2}, "name": None}, []),
    ],
)
def test_custom_resources_are_judged_by_their_schema(spec: Any, said: list[str]) -> None:
    for release in ("1.16", "1.37"):
        content = objects.apply_defaults({**crontab(), "spec": spec}, of_schema(), release)
        assert sorted(map(str, objects.problems(content, None, of_schema(), release).problems)) == said
    assert objects.problems({**crontab(), "spec": spec}, None, of_schema(), "1.8").problems == []


@pytest.mark.parametrize(
    ("release", "at"), [("1.16", "spec.list.a"), ("1.23", "spec.list.a"), ("1.24", "spec.list[1].a")]
)
def test_index_in_a_message(release: str, at: str) -> None:
    content = objects.apply_defaults({**crontab(), "spec": {"list": [{"a": "x"}, {"a": True}]}}, of_schema(), release)
    found = objects.problems(content, None, of_schema(), release).problems
    assert [*map(str, found)] == [wrong(at, "boolean", "string")]


def test_a_custom_resource_is_invalid(cluster: EmbeddedCluster) -> None:
    cluster.create(of_schema())
    said = r'^CronTab.stable.example.com "night" is invalid: spec.replicas: Invalid value: "string": '
    with pytest.raises(Invalid, match=said):
        cluster.create(crontab(replicas="2"))
    cluster.create(crontab(replicas=2))
    with pytest.raises(Invalid, match=said):
        cluster.patch(Reference.of(crontab()), {"spec": {"replicas": "2"}}, "merge")
