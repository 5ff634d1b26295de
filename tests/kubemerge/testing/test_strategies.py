"""Strategies for valid objects: built-in kinds of each release, and custom kinds."""

from __future__ import annotations

import builtins
import json
from typing import Any

import pytest
from hypothesis import Phase, find, given, seed, settings

import engine
from kubemerge.apiserver import stored
from kubemerge.apiserver.errors import NoMatch
from kubemerge.apiserver.pipeline import Server
from kubemerge.cluster import open_cluster
from kubemerge.testing import objects
from kubemerge.testing.validator import NoValidObject
from kubemerge.testing.values import MissingHypothesis

from .against_real import drawn
from .record_kinds import FILE, text

FEW = settings(max_examples=10, database=None, deadline=None, phases=[Phase.generate])
STRING = {"type": "string"}
PROPERTIES: dict[str, Any] = {
    "engine": {"type": "string", "enum": ["a", "b"]},
    "size": {"type": "integer", "minimum": 2, "maximum": 8, "multipleOf": 2},
    "host": {"type": "string", "pattern": "^[a-z]{2,4}$"},
    "ports": {
        "type": "array",
        "minItems": 1,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port"],
        "items": {
            "type": "object",
            "required": ["port"],
            "properties": {"port": {"type": "integer", "format": "int32"}},
        },
    },
    "at": {"type": "string", "format": "date-time"},
    "limit": {"x-kubernetes-int-or-string": True},
    "more": {"type": "object", "additionalProperties": STRING, "maxProperties": 1},
    "ratio": {"type": "number", "minimum": 0, "maximum": 1},
    "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": STRING},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["engine", "host", "ports"],
            "properties": PROPERTIES,
            "x-kubernetes-validations": [{"rule": "self.engine != 'b' || has(self.size)"}],
        }
    },
    "required": ["spec"],
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "shops.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "shops", "singular": "shop", "kind": "Shop"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}],
    },
}


@pytest.mark.parametrize(("api_version", "kind"), [("v1", "ConfigMap"), ("apps/v1", "Deployment"), ("v1", "Service")])
def test_each_object_is_accepted_and_they_differ(api_version: str, kind: str) -> None:
    found = drawn(api_version, kind, "1.37", 15)
    assert [str(stored(one).error) for one in found if stored(one).object is None] == []
    assert len({json.dumps(one, sort_keys=True) for one in found}) > 8
    assert any(one["metadata"].get("labels") for one in found)


def test_an_object_shrinks_to_a_small_one() -> None:
    smallest = find(objects("v1", "ConfigMap"), lambda _: True, settings=FEW)
    assert set(smallest["metadata"]) == {"name"}
    assert len(json.dumps(find(objects("v1", "Service"), lambda _: True, settings=FEW))) < 120


@pytest.mark.parametrize("release", ["1.9", "1.20"])
def test_objects_of_old_releases(release: str) -> None:
    server = Server(release)
    for one in drawn("batch/v1beta1", "CronJob", release, 5):
        assert server.create(one).object is not None
    with pytest.raises(NoMatch):
        objects("batch/v1beta1", "CronJob")


def test_objects_of_a_definition(tmp_path: Any) -> None:
    file = tmp_path / "shops.yaml"
    file.write_text(json.dumps(DEFINITION))
    server = Server(definitions=[DEFINITION])
    found: list[dict[str, Any]] = []

    @seed(1)
    @settings(FEW, max_examples=30)
    @given(objects("example.com/v1", "Shop", definitions=[file]))
    def draw(content: dict[str, Any]) -> None:
        found.append(content)

    draw()
    assert [one for one in found if server.create(one).object is None] == []
    specs = [one["spec"] for one in found]
    assert {spec["engine"] for spec in specs} == {"a", "b"}
    assert {field for spec in specs for field in spec} == set(PROPERTIES)


@pytest.mark.parametrize(
    ("api_version", "kind", "release"),
    [
        ("internal.apiserver.k8s.io/v1alpha1", "StorageVersion", "1.37"),
        ("certificates.k8s.io/v1beta1", "PodCertificateRequest", "1.35"),
        ("certificates.k8s.io/v1beta1", "PodCertificateRequest", "1.36"),
    ],
)
def test_objects_of_kinds_with_linked_values(api_version: str, kind: str, release: str) -> None:
    server, found = Server(release), drawn(api_version, kind, release, 8)
    assert [str(server.create(one).error) for one in found if server.create(one).object is None] == []
    assert len({one["metadata"]["name"] for one in found}) > 3


def test_a_kind_without_valid_objects_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubemerge.testing.validator.samples_of_kind", lambda *_: ())
    with pytest.raises(NoValidObject, match=r"no valid object of .* StorageVersion is known"):
        objects("internal.apiserver.k8s.io/v1alpha1", "StorageVersion")


def test_hypothesis_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    given = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("hypothesis"):
            raise ImportError(name)
        return given(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingHypothesis, match=r"Run `pip install 'kubemerge\[testing\]'`"):
        objects("v1", "ConfigMap")


def test_kinds_are_those_of_the_recorded_objects() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


@pytest.mark.slow
@pytest.mark.parametrize("release", engine.releases())
def test_objects_of_every_kind_are_accepted(release: str) -> None:
    server = Server(release)
    with open_cluster(":memory:", release=release) as cluster:
        kinds = [(one.api_version, one.kind) for one in cluster.resources()]
    wrong = []
    for api_version, kind in kinds:
        for one in drawn(api_version, kind, release, 5):
            found = server.create(one)
            wrong += [] if found.object is not None else [(api_version, kind, str(found.error)[:300])]
    assert wrong == []
