"""Fields behind feature gates: dropped while the gate is off, and kept if the object used them before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generated.feature_gates import GATES
from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.registry.feature_gates import (
    OF_KINDS,
    OF_POD_SPECS,
    POD_SPECS,
    disabled_fields,
    drop_disabled,
    is_on,
    on_since,
)
from kubemerge.cluster import open_cluster

from ....conftest import read_yaml

MEASURED = read_yaml(Path(__file__).with_name("feature_gates.yaml"))
RELEASES = ("1.25", "1.29", "1.33", "1.37")
POD = ("", "Pod")


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
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": containers}}
    with open_cluster(":memory:", release="1.29") as cluster, pytest.raises(Invalid, match="must specify a handler"):
        cluster.create(pod)
    with open_cluster(":memory:", release="1.30") as cluster:
        assert cluster.create(pod)["spec"]["containers"][0]["lifecycle"] == containers[0]["lifecycle"]


def test_gates_by_release() -> None:
    gate = "StatefulSetAutoDeletePVC"
    assert [is_on(gate, minor) for minor in (22, 26, 27, 34, 37)] == [False, False, True, True, True]
    assert (on_since(gate, 25), on_since(gate, 27), on_since("EvictionRequestAPI", 37)) == (27, 32, None)
    assert not is_on("NoSuchGate", 37)


def test_every_gate_of_the_tables_exists() -> None:
    known = {row[0] for row in GATES}
    assert {*OF_POD_SPECS} | {gate for gates in OF_KINDS.values() for gate in gates} <= known


def test_fields_that_were_used_before_stay() -> None:
    spec = {"hostUsers": False, "containers": [{"name": "c"}]}
    bare = {"spec": {"containers": [{"name": "c"}]}}
    assert drop_disabled({"spec": spec}, None, POD, 29) == bare
    assert drop_disabled({"spec": spec}, bare, POD, 29) == bare
    assert drop_disabled({"spec": spec}, {"spec": {"hostUsers": True}}, POD, 29) == {"spec": spec}
    assert drop_disabled({"spec": spec}, None, POD, 33) == {"spec": spec}
    assert drop_disabled({"spec": spec}, None, ("", "ConfigMap"), 29) == {"spec": spec}


@pytest.mark.parametrize("kind", POD_SPECS, ids=lambda kind: kind[1])
def test_every_kind_with_pods_has_the_fields_of_pods(kind: tuple[str, str]) -> None:
    content: dict[str, Any] = {"hostUsers": True}
    for step in reversed(POD_SPECS[kind]):
        content = {step: content}
    assert disabled_fields(content, kind, 29) == [(".".join((*POD_SPECS[kind], "hostUsers")), "UserNamespacesSupport")]


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
    assert disabled_fields({"spec": spec}, POD, 25) == []
    assert drop_disabled({"spec": spec}, None, POD, 25) == {"spec": spec}
