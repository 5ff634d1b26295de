"""Changes that increment the generation, by kind, as on an API server of 1.37."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference, open_cluster

from .conftest import crontab, crontabs, deployment, namespace, origins

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

HPA = {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}
TAINT = {"taint": {"key": "a", "effect": "NoSchedule"}, "deviceSelector": {"driver": "a.b"}}
SLICE = {"driver": "a.b", "nodeName": "n", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}

Generation = int | None
KINDS: list[tuple[str, str, dict[str, Any], dict[str, Any], tuple[Generation, ...]]] = [
    # the object, and a change; its generation at first, after a label, an annotation, the change, and at the end
    ("v1", "ConfigMap", {}, {"data": {"a": "b"}}, (7, 7, 7, 7, 8)),
    ("coordination.k8s.io/v1", "Lease", {}, {"spec": {"holderIdentity": "a"}}, (7, 7, 7, 7, 8)),
    (
        "rbac.authorization.k8s.io/v1",
        "Role",
        {},
        {"rules": [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}]},
        (7, 7, 7, 7, 8),
    ),
    ("storage.k8s.io/v1", "CSIDriver", {"spec": {}}, {"spec": {"podInfoOnMount": True}}, (7, 7, 7, 8, 9)),
    ("apps/v1", "Deployment", {"spec": deployment()["spec"]}, {"spec": {"replicas": 3}}, (1, 1, 2, 3, 4)),
    ("apps/v1", "DaemonSet", {"spec": deployment()["spec"]}, {"spec": {"minReadySeconds": 3}}, (1, 1, 1, 2, 3)),
    ("autoscaling/v2", "HorizontalPodAutoscaler", {"spec": HPA}, {"spec": {"maxReplicas": 5}}, (1, 1, 1, 2, 3)),
    ("discovery.k8s.io/v1", "EndpointSlice", {"addressType": "IPv4"}, {"ports": [{"port": 1}]}, (1, 2, 2, 3, 4)),
    (
        "resource.k8s.io/v1",
        "DeviceClass",
        {},
        {"spec": {"selectors": [{"cel": {"expression": "true"}}]}},
        (1, 1, 1, 2, 3),
    ),
    ("resource.k8s.io/v1", "DeviceTaintRule", {"spec": TAINT}, {"spec": {"taint": {"value": "x"}}}, (1, 1, 1, 2, 3)),
    ("resource.k8s.io/v1", "ResourceSlice", {"spec": SLICE}, {"spec": {"pool": {"generation": 5}}}, (1, 1, 1, 2, 3)),
    ("scheduling.k8s.io/v1", "PriorityClass", {"value": 5}, {"description": "x"}, (1, 1, 1, 1, 2)),
    ("stable.example.com/v1", "CronTab", {}, {"spec": {"cron": "x"}}, (1, 1, 1, 2, 3)),
    ("v1", "Namespace", {}, {}, (7, 7, 7, 7, 7)),
]


@pytest.mark.parametrize(("api_version", "kind", "content", "change", "expected"), KINDS, ids=[one[1] for one in KINDS])
def test_what_raises_it(
    cluster: EmbeddedCluster,
    api_version: str,
    kind: str,
    content: dict[str, Any],
    change: dict[str, Any],
    expected: tuple[Generation, ...],
) -> None:
    cluster.create(crontabs())
    metadata = {"name": "a", "generation": 7, "finalizers": ["example.com/a"]}
    made = cluster.create({"apiVersion": api_version, "kind": kind, "metadata": metadata, **content})
    at = Reference.of(made)
    changes = ({"metadata": {"labels": {"a": "b"}}}, {"metadata": {"annotations": {"a": "b"}}}, change)
    seen = [made, *(cluster.patch(at, patch, "merge") for patch in changes)]
    cluster.delete(at)
    assert tuple(one["metadata"].get("generation") for one in (*seen, cluster.get(at))) == expected


def test_without_one_a_driver_gets_one_with_its_first_change(cluster: EmbeddedCluster) -> None:
    made = cluster.create({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a"}})
    assert "generation" not in made["metadata"]
    after = cluster.patch(Reference.of(made), {"spec": {"podInfoOnMount": True}}, "merge")
    assert after["metadata"]["generation"] == 1


@pytest.mark.parametrize(("release", "expected"), [("1.20", None), ("1.29", None), ("1.30", 1)])
def test_some_fields_of_a_driver_raise_it_until_1_29(release: str, expected: Generation) -> None:
    content = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a"}, "spec": {}}
    with open_cluster(":memory:", release=release, origins=origins()) as cluster:
        at = Reference.of(cluster.create(content))
        after = cluster.patch(at, {"spec": {"storageCapacity": True}}, "merge")
        assert after["metadata"].get("generation") == expected
        after = cluster.patch(at, {"spec": {"requiresRepublish": True}}, "merge")
        assert after["metadata"].get("generation") == {"1.20": None, "1.29": 1, "1.30": 2}[release]


def test_a_definition_keeps_it_when_it_goes(cluster: EmbeddedCluster) -> None:
    definition = crontabs()
    definition["metadata"]["finalizers"] = ["example.com/a"]
    made = cluster.create(definition)
    cluster.delete(Reference.of(made))
    assert cluster.get(Reference.of(made))["metadata"]["generation"] == 1


@pytest.mark.parametrize(("release", "expected"), [("1.36", None), ("1.37", 1)])
def test_autoscalers_have_one_since_1_37(release: str, expected: Generation) -> None:
    content = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"}}
    with open_cluster(":memory:", release=release, origins=origins()) as cluster:
        assert cluster.create({**content, "spec": HPA})["metadata"].get("generation") == expected


def test_a_custom_kind_of_the_same_name_is_another_one(cluster: EmbeddedCluster) -> None:
    definition = crontabs()
    definition["metadata"]["name"] = "priorityclasses.stable.example.com"
    definition["spec"]["names"] = {"plural": "priorityclasses", "kind": "PriorityClass"}
    cluster.create(definition)
    made = cluster.create({**crontab(), "kind": "PriorityClass"})
    assert cluster.patch(Reference.of(made), {"spec": {"cron": "x"}}, "merge")["metadata"]["generation"] == 2
    assert "generation" not in cluster.create(namespace())["metadata"]


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet", "StatefulSet"])
def test_another_spelling_of_a_quantity_is_stored_and_does_not_raise_it(cluster: EmbeddedCluster, kind: str) -> None:
    made = cluster.create({**deployment(), "kind": kind, "spec": with_memory("1Gi", kind)})
    at = Reference.of(made)
    after = cluster.replace({**made, "spec": with_memory("1073741824", kind)})
    assert after["spec"]["template"]["spec"]["containers"][0]["resources"] == {"limits": {"memory": "1073741824"}}
    assert after["metadata"]["generation"] == 1
    assert after["metadata"].get("annotations") == made["metadata"].get("annotations")
    assert cluster.replace({**cluster.get(at), "spec": with_memory("2Gi", kind)})["metadata"]["generation"] == 2


def with_memory(amount: str, kind: str) -> dict[str, Any]:
    """A spec with a limit, for a StatefulSet with an immutable claim."""
    limited = {"name": "a", "image": "b", "resources": {"limits": {"memory": amount}}}
    labels = {"app": "a"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [limited]}}
    spec: dict[str, Any] = {"selector": {"matchLabels": labels}, "template": template}
    if kind != "StatefulSet":
        return spec
    size = "1Gi" if amount == "1Gi" else "1073741824"
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
    return {**spec, "volumeClaimTemplates": [{"metadata": {"name": "disk"}, "spec": claim}]}


def test_text_that_looks_like_a_quantity_raises_it(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    made = cluster.create({**crontab(), "spec": {"cron": "1Gi"}})
    after = cluster.patch(Reference.of(made), {"spec": {"cron": "1073741824"}}, "merge")
    assert after["metadata"]["generation"] == 2


def test_a_topology_that_a_slice_loses_raises_it(cluster: EmbeddedCluster) -> None:
    content = {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4"}
    one = {"addresses": ["10.1.1.1"], "conditions": {}}
    made = cluster.create({**content, "metadata": {"name": "a"}, "endpoints": [one]})
    for topology, generation in (({}, 1), ({"a": "b"}, 2), ({"a": "b"}, 3)):
        changed = {**cluster.get(Reference.of(made)), "endpoints": [{**one, "deprecatedTopology": topology}]}
        after = cluster.replace(changed)
        assert (after["endpoints"], after["metadata"]["generation"]) == ([one], generation)


def test_a_changed_node_does_not_get_removed_fields(cluster: EmbeddedCluster) -> None:
    made = cluster.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}})
    for field in ("configSource", "podPreemptionPolicy"):
        assert cluster.patch(Reference.of(made), {"spec": {field: {}}}, "merge")["spec"] == made["spec"]
