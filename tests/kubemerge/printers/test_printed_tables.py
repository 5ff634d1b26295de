"""The tables that kubectl 1.37 printed for objects of all kinds, compared with the output of `get`."""

from __future__ import annotations

import json
import re
import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from kubemerge.apiserver.kinds.builtin_kinds import stored_in
from kubemerge.apiserver.printers import ages
from kubemerge.apiserver.printers.printer_columns import BUILT_IN
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from ..shell import Shell

DATA = Path(__file__).parent / "data"
OBJECTS: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "objects.jsonl").read_text().splitlines()]
HEAD, *BLOCKS = re.split(r"(?m)^\$ ", (DATA / "tables.txt").read_text())
TABLES = dict(block.split("\n", 1) for block in BLOCKS)
"""kubectl's arguments, with its output. Each time only the objects with a label were selected."""
NOW = datetime.fromisoformat(HEAD.removeprefix("# ").strip().replace("Z", "+00:00"))
NEVER_STORED = {("", "ComponentStatus")}


@pytest.fixture(scope="module")
def cluster_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = str(tmp_path_factory.mktemp("tables") / "cluster.db")
    with open_cluster(file, release="1.37") as cluster:
        cluster.load(OBJECTS)
    return file


@pytest.mark.parametrize("asked", TABLES)
def test_a_table_as_kubectl_prints_it(
    asked: str, cluster_file: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ages, "now", lambda: NOW)
    assert shell.run(*shlex.split(asked), "-l", "tables=tb", "--cluster", cluster_file) == 0
    assert shell.out == TABLES[asked]


PODS = [json.loads(line) for line in (DATA / "pods.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", PODS, ids=lambda case: case["pod"]["metadata"]["name"])
def test_a_pod_whose_containers_are_not_in_step(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """READY, STATUS and RESTARTS as kubectl printed them."""
    monkeypatch.setattr(ages, "now", lambda: NOW)
    told = {column.title: column.cell(case["pod"]) for column in BUILT_IN["", "Pod"]}
    assert [told[title] for title in ("READY", "STATUS", "RESTARTS")] == case["prints"]


def test_every_kind_with_columns_of_its_own_was_printed() -> None:
    kinds = {(one["apiVersion"].rpartition("/")[0], one["kind"]) for one in OBJECTS}
    assert BUILT_IN.keys() - {(stored_in(*key), key[1]) for key in kinds} == NEVER_STORED


SCALER = """
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {kind: Deployment, name: web}, maxReplicas: 3, targetCPUUtilizationPercentage: 70}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: known}
spec: {scaleTargetRef: {kind: Deployment, name: web}, maxReplicas: 3, targetCPUUtilizationPercentage: 70}
status: {currentCPUUtilizationPercentage: 12}
---
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: told, creationTimestamp: "2026-01-02T03:00:00Z"}
regarding: {kind: Pod, name: web-1, fieldPath: spec}
type: Normal
reason: Pulled
note: "Pulled  "
eventTime: "2026-11-20T14:58:21.000000Z"
reportingController: kubelet
reportingInstance: node-1
"""


def test_objects_of_other_versions_of_their_kinds(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has a single form of an object for all versions. Here each is stored as it was written."""
    monkeypatch.setattr(ages, "now", lambda: NOW)
    objects = list(documents(SCALER))
    with open_cluster(".kubemerge/cluster.db", release="1.25") as cluster:
        cluster.load(objects)
    table = [line.split("  ") for line in shell.done("get", "hpa", "--no-headers").splitlines()]
    assert [[cell.strip() for cell in row if cell][2] for row in table] == ["cpu: 12%/70%", "cpu: <unknown>/70%"]
    (row,) = shell.done("get", "events", "--no-headers", "-o", "wide").splitlines()
    assert re.split(" {3,}", row) == [
        "24h",
        "Normal",
        "Pulled",
        "pod/web-1",
        "spec",
        "kubelet, node-1",
        "Pulled",
        "24h",
        "1",
        "told",
    ]
