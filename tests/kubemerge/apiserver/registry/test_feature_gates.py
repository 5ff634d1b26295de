"""Fields behind feature gates: dropped while the gate is off, and kept if the object used them before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import engine
from generated.feature_gates import GATES
from kubemerge.apiserver.eras import Era
from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.registry.feature_gates import (
    closed_fields,
    disabled_fields,
    drop_disabled,
    eras_of,
    is_on,
    on_since,
    set_gates,
)
from kubemerge.apiserver.registry.gated_fields import UNTAGGED
from kubemerge.cluster import open_cluster

from ....conftest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURED = read_yaml(Path(__file__).with_name("feature_gates.yaml"))
RELEASES = ("1.25", "1.29", "1.33", "1.37")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("row", MEASURED, ids=lambda row: row["field"])
def test_a_field_is_stored_where_a_real_server_stores_it(row: dict[str, Any], release: str) -> None:
    config = {**row["object"], "metadata": {"name": "a"}}
    with open_cluster(":memory:", release=release) as cluster:
        found: Any = cluster.create(config)
    for step in row["field"].replace("[", ".").replace("]", "").split("."):
        found = found[int(step)] if step.isdigit() else (found or {}).get(step)
    assert (found is not None) == (release in row["kept"])


def test_a_handler_that_is_dropped_is_missing() -> None:
    """A real 1.29 says so too."""
    containers = [{"name": "c", "image": "i", "lifecycle": {"preStop": {"sleep": {"seconds": 5}}}}]
    content = {**pod({"containers": containers}), "metadata": {"name": "a"}}
    with open_cluster(":memory:", release="1.29") as cluster, pytest.raises(Invalid, match="must specify a handler"):
        cluster.create(content)
    with open_cluster(":memory:", release="1.30") as cluster:
        assert cluster.create(content)["spec"]["containers"][0]["lifecycle"] == containers[0]["lifecycle"]


def test_gates_by_release() -> None:
    gate = "StatefulSetAutoDeletePVC"
    assert [is_on(gate, minor) for minor in (22, 26, 27, 34, 37)] == [False, False, True, True, True]
    assert (on_since(gate, 25), on_since(gate, 27), on_since("EvictionRequestAPI", 37)) == (27, 32, None)
    assert not is_on("NoSuchGate", 37)


def test_every_gate_of_the_table_exists() -> None:
    assert {row.gate for row in UNTAGGED} <= {row[0] for row in GATES}


def test_every_field_of_the_table_exists_in_some_release() -> None:
    fields = {
        (f"{name.partition('_')[0]}.{name.partition('.')[2]}", field)
        for release in engine.releases()
        for name, field in _fields_of(release)
    }
    assert [row for row in UNTAGGED if (row.of, row.field) not in fields] == []


def _fields_of(release: str) -> Iterator[tuple[str, str]]:
    tables = engine.load(release)
    for definition in tables.definitions():
        of = tables.definition(definition).type
        yield from ((of.name, field) for field in of.fields)


def pod(spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "spec": spec}


def test_fields_that_were_used_before_stay() -> None:
    whole, bare = pod({"hostUsers": False, "containers": [{"name": "c"}]}), pod({"containers": [{"name": "c"}]})
    assert drop_disabled(whole, None, 29) == bare
    assert drop_disabled(whole, bare, 29) == bare
    assert drop_disabled(whole, pod({"hostUsers": True}), 29) == whole
    assert drop_disabled(whole, None, 33) == whole
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"hostUsers": "a"}}
    assert drop_disabled(config, None, 29) == config


TEMPLATE = ("spec", "template", "spec")
POD_SPECS = {
    "v1 Pod": ("spec",),
    "v1 PodTemplate": ("template", "spec"),
    "v1 ReplicationController": TEMPLATE,
    "apps/v1 DaemonSet": TEMPLATE,
    "apps/v1 Deployment": TEMPLATE,
    "apps/v1 ReplicaSet": TEMPLATE,
    "apps/v1 StatefulSet": TEMPLATE,
    "batch/v1 CronJob": ("spec", "jobTemplate", *TEMPLATE),
    "batch/v1 Job": TEMPLATE,
}


@pytest.mark.parametrize("kind", POD_SPECS)
def test_every_kind_with_pods_has_the_fields_of_pods(kind: str) -> None:
    content: dict[str, Any] = {"hostUsers": True}
    for step in reversed(POD_SPECS[kind]):
        content = {step: content}
    api_version, name = kind.split(" ")
    found = disabled_fields({"apiVersion": api_version, "kind": name, **content}, 29)
    assert found == [(".".join((*POD_SPECS[kind], "hostUsers")), "UserNamespacesSupport")]


def test_a_gate_may_be_about_one_kind_or_one_list() -> None:
    spec = {"managedBy": "a.example/b", "template": {"spec": {"containers": [{"restartPolicy": "Always"}]}}}
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": spec}
    place = "spec.template.spec.containers[0].restartPolicy"
    assert disabled_fields(job, 30) == [("spec.managedBy", "JobManagedBy")]
    assert disabled_fields(job, 33) == []  # the gate ContainerRestartRules begins in 1.34
    assert disabled_fields(job, 34) == [(place, "ContainerRestartRules")]
    cron = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "spec": {"jobTemplate": {"spec": {"managedBy": "a.example/b"}}},
    }
    assert disabled_fields(cron, 30) == []


@pytest.mark.parametrize(("minor", "is_dropped"), [(20, False), (22, True), (25, True), (26, True), (37, True)])
def test_a_field_may_outlive_its_gate(minor: int, is_dropped: bool) -> None:
    """DynamicKubeletConfig was on until 1.21, and is gone since 1.26."""
    spec = {"configSource": {"configMap": {"name": "a"}}, "unschedulable": True}
    node = {"apiVersion": "v1", "kind": "Node", "spec": spec}
    assert ("configSource" not in drop_disabled(node, None, minor)["spec"]) is is_dropped
    assert drop_disabled(node, node, minor) == node


def test_a_value_may_be_forced() -> None:
    wanted = {"procMount": "Unmasked", "privileged": False}
    whole = pod({"containers": [{"name": "c", "securityContext": wanted}]})
    forced = pod({"containers": [{"name": "c", "securityContext": {**wanted, "procMount": "Default"}}]})
    assert drop_disabled(whole, None, 29) == forced
    assert disabled_fields(forced, 29) == []


def test_a_field_may_go_with_the_value_that_holds_it() -> None:
    spec = {"dataSourceRef": {"kind": "K", "name": "a", "namespace": "b"}, "volumeName": "v"}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": spec}
    assert drop_disabled(claim, None, 29)["spec"] == {"volumeName": "v"}
    assert disabled_fields(claim, 29) == [("spec.dataSourceRef.namespace", "CrossNamespaceVolumeDataSource")]
    local = {**claim, "spec": {"dataSourceRef": {"kind": "K", "name": "a"}}}
    assert drop_disabled(local, None, 29) == local


def test_a_volume_of_an_image_goes_with_its_mounts() -> None:
    mounts = [{"name": "image", "mountPath": "/i"}, {"name": "empty", "mountPath": "/e"}]
    volumes = [{"name": "image", "image": {"reference": "i"}}, {"name": "empty", "emptyDir": {}}]
    found = drop_disabled(pod({"containers": [{"name": "c", "volumeMounts": mounts}], "volumes": volumes}), None, 32)
    assert found["spec"] == {"containers": [{"name": "c", "volumeMounts": mounts[1:]}], "volumes": volumes[1:]}
    odd = pod({"containers": [None, {"volumeMounts": [1]}], "volumes": [{"name": {}, "image": {}}, None]})
    assert drop_disabled(odd, None, 32)["spec"]["volumes"] == [None]


@pytest.mark.parametrize(
    "spec",
    [
        [{"hostUsers": False}],
        "text",
        None,
        {"containers": {"*": {"resizePolicy": []}}},
        {"containers": [[{"resizePolicy": []}], None, 1]},
        {"volumes": {"projected": []}},
    ],
    ids=str,
)
def test_values_of_a_wrong_type_are_left_to_the_decoder(spec: Any) -> None:
    assert disabled_fields(pod(spec), 25) == []
    assert drop_disabled(pod(spec), None, 25) == pod(spec)


def test_fields_inside_of_a_map_are_dropped() -> None:
    def slice_of(capacity: Any) -> dict[str, Any]:
        devices = [{"name": "d", "capacity": {"memory": capacity}}]
        return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": {"devices": devices}}

    given = slice_of({"value": "1Gi", "requestPolicy": {"default": "1"}})
    assert disabled_fields(given, 35) == [("spec.devices[0].capacity.memory.requestPolicy", "DRAConsumableCapacity")]
    assert drop_disabled(given, None, 35) == slice_of({"value": "1Gi"})
    assert drop_disabled(given, None, 36) == given


def test_a_gate_has_an_era_for_each_of_its_stages() -> None:
    assert [*eras_of("DRAConsumableCapacity")] == [(Era(0, 33), False), (Era(34, 35), False), (Era(36), True)]
    set_gates({"DRAConsumableCapacity": True})
    try:
        assert [*eras_of("DRAConsumableCapacity")] == [(Era(), True)]
    finally:
        set_gates({})


def test_a_device_is_bound_behind_a_gate() -> None:
    devices = [{"name": "d", "bindsToNode": True, "bindingConditions": ["a.example.com/b"]}]
    given = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": {"devices": devices}}
    assert drop_disabled(given, None, 35)["spec"] == {"devices": [{"name": "d"}]}
    assert drop_disabled(given, None, 36) == given


def test_fields_of_a_gate_that_is_set_later_are_not_closed() -> None:
    schema = engine.load("1.29").schema("v1", "Pod")
    assert "UserNamespacesSupport" in {one.gate for one in closed_fields(schema)}
    set_gates({"UserNamespacesSupport": True})
    try:
        assert "UserNamespacesSupport" not in {one.gate for one in closed_fields(schema)}
    finally:
        set_gates({})
