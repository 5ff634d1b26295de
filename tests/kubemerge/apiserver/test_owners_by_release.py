"""Owners and statuses in older releases, as real servers have them; see `ownership.real.side_by_side`."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.errors import Invalid
from kubemerge.cluster import Reference, open_cluster

TEMPLATE: Any = {
    "metadata": {"labels": {"app": "x"}},
    "spec": {"containers": [{"name": "a", "image": "nginx:1"}]},
}
SCHEMA: Any = {
    "type": "object",
    "properties": {"status": {"type": "object", "properties": {"text": {"type": "string"}}}},
}
DEFINITION: Any = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": SCHEMA},
            }
        ],
    },
}


def entry(found: Any, manager: str) -> Any:
    (one,) = [one for one in found["metadata"]["managedFields"] if one["manager"] == manager]
    return one


@pytest.mark.parametrize(("release", "owns_labels"), [("1.25", True), ("1.35", True), ("1.36", False)])
def test_an_apply_of_the_status_of_a_custom_resource_owned_its_labels(release: str, owns_labels: bool) -> None:
    cluster = open_cluster(":memory:", release=release)
    cluster.create(DEFINITION)
    thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a", "namespace": "default"}}
    cluster.create(thing)
    status = {**thing, "metadata": {"name": "a", "labels": {"app": "x"}}, "status": {"text": "b"}}
    found = cluster.patch(Reference.of(thing), status, "apply", manager="m", subresource="status")
    assert ("f:metadata" in entry(found, "m")["fieldsV1"]) is owns_labels
    assert "labels" not in found["metadata"]


@pytest.mark.parametrize(("release", "is_owned"), [("1.25", True), ("1.33", True), ("1.34", False)])
def test_the_null_time_of_a_template_had_an_owner_if_the_template_was_new(release: str, is_owned: bool) -> None:
    cluster = open_cluster(":memory:", release=release)

    def owned(api_version: str, kind: str, selector: Any) -> Any:
        spec = {"selector": selector, "template": TEMPLATE}
        made = {
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {"name": "a", "namespace": "default"},
            "spec": spec,
        }
        return entry(cluster.create(made, manager="m"), "m")["fieldsV1"]["f:spec"]["f:template"]["f:metadata"]

    assert ("f:creationTimestamp" in owned("v1", "ReplicationController", {"app": "x"})) is is_owned
    assert "f:creationTimestamp" not in owned("apps/v1", "ReplicaSet", {"matchLabels": {"app": "x"}})


@pytest.mark.parametrize(("release", "has_time"), [("1.25", False), ("1.33", False), ("1.34", True)])
def test_an_apply_of_the_null_time_of_a_template_changed_nothing(release: str, has_time: bool) -> None:
    cluster = open_cluster(":memory:", release=release)
    metadata = {"name": "a", "namespace": "default"}
    spec: Any = {"selector": {"matchLabels": {"app": "x"}}, "template": TEMPLATE}
    made: Any = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec}
    cluster.create(made)
    template = {**TEMPLATE, "metadata": {**TEMPLATE["metadata"], "creationTimestamp": None}}
    config = {**made, "spec": {**spec, "template": template}}
    found = cluster.patch(Reference.of(made), config, "apply", manager="m", force=True)
    assert ("time" in entry(found, "m")) is has_time


@pytest.mark.parametrize(("release", "kept"), [("1.31", None), ("1.32", "BestEffort")])
def test_an_update_of_the_status_of_a_pod_keeps_its_class(release: str, kept: str | None) -> None:
    cluster = open_cluster(":memory:", release=release)
    spec = TEMPLATE["spec"]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}, "spec": spec}
    made = cluster.create(pod)
    assert made["status"]["qosClass"] == "BestEffort"
    found = cluster.replace({**made, "status": {"phase": "Running"}}, subresource="status")
    assert found["status"].get("qosClass") == kept


SELECTORS = {
    "1.33": 'v1.LabelSelector{MatchLabels:map[string]string{"app":"y"}, '
    'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"In", '
    'Values:[]string{"b"}}}}',
    "1.34": '{"matchLabels":{"app":"y"},"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}',
}


@pytest.mark.parametrize("release", SELECTORS)
def test_values_in_messages_were_go_syntax(release: str) -> None:
    cluster = open_cluster(":memory:", release=release)
    labels = {"app": "y", "a": "b"}
    template = {**TEMPLATE, "metadata": {"labels": labels}}
    required = [{"key": "a", "operator": "In", "values": ["b"]}]

    def deployment(selector: Any) -> Any:
        spec = {"selector": selector, "template": template}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}

    cluster.create(deployment({"matchLabels": {"app": "y"}}))
    with pytest.raises(Invalid) as error:
        cluster.replace(deployment({"matchLabels": {"app": "y"}, "matchExpressions": required}))
    assert f"spec.selector: Invalid value: {SELECTORS[release]}: field is immutable" in str(error.value)


@pytest.mark.parametrize(("release", "zero"), [("1.33", "0x0"), ("1.34", "0")])
def test_the_missing_version_of_an_update_was_hexadecimal(release: str, zero: str) -> None:
    cluster = open_cluster(":memory:", release=release)
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "a"}, "spec": {}}
    cluster.create(budget)
    patch = {"metadata": {"resourceVersion": None}}
    with pytest.raises(Invalid) as error:
        cluster.patch(Reference.of(budget), patch, "merge")
    assert f"metadata.resourceVersion: Invalid value: {zero}: must be specified for an update" in str(error.value)
