"""Warnings reach the caller, and field validation follows the request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import BadRequest, Invalid, Reference, open_cluster

from ...codegen.sample_specs import kubemerge
from .conftest import config_map, config_map_ref, deployment

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

WEB = Reference("apps/v1", "Deployment", "web")


@pytest.fixture
def told(cluster: EmbeddedCluster) -> list[str]:
    found: list[str] = []
    cluster.on_warning = found.append
    return found


def odd() -> dict[str, Any]:
    content = deployment()
    content["spec"] |= {"foo": 1, "a": {"b": 2}}
    content["spec"]["template"]["spec"]["containers"][0]["imagee"] = "x"
    return content


UNKNOWN = [f'unknown field "spec.{path}"' for path in ("a", "foo", "template.spec.containers[0].imagee")]


def test_unknown_fields_are_dropped_with_a_warning(cluster: EmbeddedCluster, told: list[str]) -> None:
    made = cluster.create(odd())
    assert told == UNKNOWN
    assert not {"a", "foo"} & made["spec"].keys()
    told.clear()
    assert cluster.replace({**odd(), "metadata": made["metadata"]}) == made
    assert told == UNKNOWN


def test_unknown_fields_are_dropped_without_a_word(cluster: EmbeddedCluster, told: list[str]) -> None:
    made = cluster.create(odd(), field_validation="Ignore")
    assert cluster.patch(WEB, {"spec": {"foo": 1}}, "strategic", field_validation="Ignore") == made
    assert told == []


def test_unknown_fields_are_refused(cluster: EmbeddedCluster, told: list[str]) -> None:
    with pytest.raises(BadRequest) as caught:
        cluster.create(odd(), field_validation="Strict")
    assert str(caught.value) == (
        'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ' + ", ".join(UNKNOWN)
    )
    cluster.create(deployment())
    with pytest.raises(BadRequest, match=r'unknown field "spec\.a", '):
        cluster.replace(odd(), field_validation="Strict")
    with pytest.raises(Invalid) as refused:
        cluster.patch(WEB, {"spec": {"foo": 1, "x": None}}, "strategic", field_validation="Strict")
    assert [*map(str, refused.value.problems)] == [
        'patch: Invalid value: "map[spec:map[foo:1 x:<nil>]]": strict decoding error: unknown field "spec.foo"',
    ]
    assert told == []


@pytest.mark.parametrize("patch_type", ["merge", "json", "strategic"])
def test_patches_of_all_types_are_warned_of(cluster: EmbeddedCluster, told: list[str], patch_type: str) -> None:
    made = cluster.create(config_map(a="1"))
    patch = [{"op": "add", "path": "/foo", "value": 1}] if patch_type == "json" else {"foo": 1}
    assert cluster.patch(config_map_ref(), patch, patch_type) == made
    assert told == ['unknown field "foo"']


def test_a_scale_is_read_like_any_object(cluster: EmbeddedCluster, told: list[str]) -> None:
    cluster.create(deployment())
    cluster.patch(WEB, {"spec": {"replicas": 2, "foo": 1}}, "merge", subresource="scale")
    assert told == ['unknown field "spec.foo"']
    with pytest.raises(Invalid, match="strict decoding error"):
        cluster.patch(WEB, {"spec": {"foo": 1}}, "merge", subresource="scale", field_validation="Strict")


def test_the_patch_of_a_secret_is_not_shown(cluster: EmbeddedCluster) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    cluster.create(secret)
    with pytest.raises(Invalid) as caught:
        cluster.patch(Reference.of(secret), {"data": {"a": "aGk="}, "x": 1}, "strategic", field_validation="Strict")
    assert "aGk=" not in str(caught.value)
    assert 'unknown field "x"' in str(caught.value)


def test_something_else_is_not_asked_of_unknown_fields(cluster: EmbeddedCluster) -> None:
    with pytest.raises(
        Invalid, match=r'^CreateOptions\.meta\.k8s\.io "" is invalid: fieldValidation: Unsupported value'
    ):
        cluster.create(config_map(), field_validation="Perhaps")


def test_a_directive_that_ends_up_in_an_object_is_an_unknown_field(cluster: EmbeddedCluster, told: list[str]) -> None:
    content = deployment()
    content["spec"]["template"]["spec"]["volumes"] = [{"name": "v", "emptyDir": {}}]
    cluster.create(content)
    volume = {"name": "w", "$retainKeys": ["name", "emptyDir"], "emptyDir": {}}
    after = cluster.patch(WEB, {"spec": {"template": {"spec": {"volumes": [volume]}}}}, "strategic")
    assert {"name": "w", "emptyDir": {}} in after["spec"]["template"]["spec"]["volumes"]
    assert told == ['unknown field "spec.template.spec.volumes[0].$retainKeys"']


DEPRECATED = "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 " + (
    "PodDisruptionBudget"
)


@pytest.mark.parametrize(("release", "said"), [("1.20", []), ("1.21", [DEPRECATED]), ("1.24", [DEPRECATED])])
def test_versions_that_are_deprecated(release: str, said: list[str]) -> None:
    told: list[str] = []
    with open_cluster(":memory:", release=release) as cluster:
        cluster.on_warning = told.append
        list(cluster.list("policy/v1beta1", "PodDisruptionBudget"))
    assert told == said


def test_a_version_that_its_definition_deprecates(cluster: EmbeddedCluster, told: list[str]) -> None:
    version = {"name": "v1", "served": True, "storage": True, "deprecated": True}
    schema = {"schema": {"openAPIV3Schema": {"type": "object"}}}
    names = {"plural": "things", "kind": "Thing", "singular": "thing", "listKind": "ThingList"}
    spec = {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [{**version, **schema}]}
    meta = {"name": "things.example.com"}
    cluster.create(
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": meta, "spec": spec}
    )
    list(cluster.list("example.com/v1", "Thing"))
    assert told == ["example.com/v1 Thing is deprecated"]


PORTS = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
TWICE = [{"name": "c", "image": "i", "ports": [{"containerPort": 80, "name": "a"}, {"containerPort": 80, "name": "b"}]}]


@pytest.mark.parametrize(("release", "warns"), [("1.27", False), ("1.28", True)])
def test_a_warning_is_sent_from_its_first_release_on(release: str, warns: bool, tmp_path: Path) -> None:
    found: list[str] = []
    content = {**PORTS, "spec": {"containers": TWICE}}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.on_warning = found.append
        cluster.create(content)
    assert (found != []) == warns
    (tmp_path / "p.json").write_text(json.dumps(content))
    assert kubemerge("lint", "--release", release, "--select", "KM110", str(tmp_path / "p.json")) == int(warns)


@pytest.mark.parametrize(
    ("release", "text"),
    [
        ("1.21", None),
        ("1.22", "deprecated since v1.19; use"),
        ("1.24", "deprecated since v1.19, non-functional in v1.25+; use"),
        ("1.26", "deprecated since v1.19, non-functional in a future release; use"),
        ("1.37", "non-functional in v1.27+; use"),
    ],
)
def test_the_text_is_that_of_the_release(release: str, text: str | None) -> None:
    found: list[str] = []
    content = deployment()
    content["spec"]["template"]["metadata"]["annotations"] = {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.on_warning = found.append
        cluster.create(content)
    assert len(found) == (text is not None)
    assert text is None or f": {text} " in found[0]
