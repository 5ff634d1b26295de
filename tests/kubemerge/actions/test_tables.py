"""The cells of the tables that `get` prints, as kubectl has them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from kubemerge.actions.ages import age, duration, moment
from kubemerge.actions.columns import COLUMNS
from kubemerge.actions.printer_columns import values_at

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86_400, 365 * 86_400

DURATIONS = {
    -5: "<invalid>",
    -0.5: "0s",
    0.9: "0s",
    59: "59s",
    119.9: "119s",
    2 * MINUTE: "2m",
    9 * MINUTE + 59: "9m59s",
    10 * MINUTE + 30: "10m",
    179 * MINUTE: "179m",
    3 * HOUR: "3h",
    7 * HOUR + 59 * MINUTE: "7h59m",
    8 * HOUR + 59 * MINUTE: "8h",
    47 * HOUR: "47h",
    2 * DAY: "2d",
    2 * DAY + 5 * HOUR: "2d5h",
    8 * DAY + 5 * HOUR: "8d",
    729 * DAY: "729d",
    2 * YEAR: "2y",
    2 * YEAR + DAY: "2y1d",
    8 * YEAR + DAY: "8y",
    100 * YEAR: "100y",
}


@pytest.mark.parametrize("seconds", DURATIONS)
def test_durations_in_words(seconds: float) -> None:
    assert duration(seconds) == DURATIONS[seconds]


def test_ages() -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    assert age("2026-01-02T03:03:05Z", now) == "60s"
    assert age("2026-01-02T04:03:05.123456Z", now) == "<invalid>"
    assert age("2026-01-02T04:04:00+01:00", now) == "5s"
    assert {age(what, now) for what in (None, 7, "", "yesterday", "2026-13-02T03:03:05Z")} == {"<unknown>"}
    assert moment("2026-02-30T00:00:00Z") is None


Row = list[str]
CREATED = "2026-01-02T03:03:05Z"

ROWS: list[tuple[tuple[str, str], dict[str, Any], Row]] = [
    (("", "ConfigMap"), {"data": {"a": "1"}, "binaryData": {"b": "MQ=="}}, ["2"]),
    (
        ("", "Pod"),
        {
            "spec": {"containers": [{}, {}], "nodeName": "n1"},
            "status": {
                "phase": "Running",
                "podIP": "10.0.0.7",
                "containerStatuses": [{"ready": True, "restartCount": 2}, {"ready": False, "restartCount": 1}],
            },
        },
        ["1/2", "Running", "3", "10.0.0.7", "n1"],
    ),
    (
        ("", "Pod"),
        {
            "spec": {"containers": [{}]},
            "status": {"containerStatuses": [{"state": {"waiting": {"reason": "CrashLoopBackOff"}}}]},
        },
        ["0/1", "CrashLoopBackOff", "0", "<none>", "<none>"],
    ),
    (("", "Pod"), {"metadata": {"deletionTimestamp": CREATED}}, ["0/0", "Terminating", "0", "<none>", "<none>"]),
    (
        ("", "Service"),
        {
            "spec": {
                "type": "NodePort",
                "clusterIP": "10.0.0.1",
                "ports": [{"port": 80, "nodePort": 30080}, {"port": 53, "protocol": "UDP"}],
                "selector": {"b": "2", "a": "1"},
            }
        },
        ["NodePort", "10.0.0.1", "<none>", "80:30080/TCP,53/UDP", "a=1,b=2"],
    ),
    (
        ("", "Service"),
        {"spec": {"type": "LoadBalancer"}},
        ["LoadBalancer", "<none>", "<pending>", "<none>", "<none>"],
    ),
    (
        ("", "Service"),
        {"spec": {"type": "LoadBalancer"}, "status": {"loadBalancer": {"ingress": [{"hostname": "a.b"}]}}},
        ["LoadBalancer", "<none>", "a.b", "<none>", "<none>"],
    ),
    (
        ("", "Service"),
        {"spec": {"type": "ExternalName", "externalName": "db.example"}},
        ["ExternalName", "<none>", "db.example", "<none>", "<none>"],
    ),
    (
        ("", "Node"),
        {
            "metadata": {"labels": {"node-role.kubernetes.io/control-plane": ""}},
            "spec": {"unschedulable": True},
            "status": {"conditions": [{"type": "Ready", "status": "True"}], "nodeInfo": {"kubeletVersion": "v1.31.0"}},
        },
        ["Ready,SchedulingDisabled", "control-plane", "v1.31.0"],
    ),
    (("", "Node"), {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, ["NotReady", "<none>", ""]),
    (
        ("", "PersistentVolume"),
        {
            "spec": {
                "accessModes": ["ReadWriteOnce", "ReadOnlyMany"],
                "capacity": {"storage": "10Gi"},
                "claimRef": {"namespace": "shop", "name": "data"},
                "persistentVolumeReclaimPolicy": "Retain",
            },
            "status": {"phase": "Bound"},
        },
        ["10Gi", "RWO,ROX", "Retain", "Bound", "shop/data", "", "<unset>"],
    ),
    (
        ("", "Endpoints"),
        {"subsets": [{"addresses": [{"ip": "a"}, {"ip": "b"}], "ports": [{"port": 1}, {"port": 2}]}]},
        ["a:1,b:1,a:2 + 1 more..."],
    ),
    (
        ("apps", "Deployment"),
        {
            "spec": {
                "replicas": 3,
                "selector": {
                    "matchLabels": {"a": "1"},
                    "matchExpressions": [
                        {"key": "b", "operator": "In", "values": ["x", "y"]},
                        {"key": "c", "operator": "DoesNotExist"},
                        {"key": "d", "operator": "Exists"},
                    ],
                },
                "template": {"spec": {"containers": [{"name": "m", "image": "i"}, {"name": "n", "image": "j"}]}},
            },
            "status": {"readyReplicas": 2, "updatedReplicas": 3, "availableReplicas": 1},
        },
        ["2/3", "3", "1", "m,n", "i,j", "a=1,b in (x,y),!c,d"],
    ),
    (
        ("apps", "DaemonSet"),
        {"status": {"desiredNumberScheduled": 5, "numberReady": 4}},
        ["5", "0", "4", "0", "0", "<none>", "<none>", "<none>", "<none>"],
    ),
    (
        ("batch", "Job"),
        {
            "spec": {"completions": 4},
            "status": {
                "succeeded": 4,
                "startTime": "2026-01-02T03:00:00Z",
                "completionTime": "2026-01-02T03:05:07Z",
                "conditions": [{"type": "Complete", "status": "True"}],
            },
        },
        ["Complete", "4/4", "5m7s", "<none>", "<none>", "<none>"],
    ),
    (("batch", "Job"), {"spec": {"parallelism": 3}}, ["Running", "0/1 of 3", "", "<none>", "<none>", "<none>"]),
    (
        ("batch", "CronJob"),
        {"spec": {"schedule": "0 3 * * *", "suspend": True}, "status": {"active": [{}]}},
        ["0 3 * * *", "<none>", "True", "1", "<none>", "<none>", "<none>"],
    ),
    (
        ("networking.k8s.io", "Ingress"),
        {
            "spec": {"rules": [{"host": "a.b"}, {}], "tls": [{}]},
            "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}},
        },
        ["<none>", "a.b,*", "192.0.2.1", "80, 443"],
    ),
    (("policy", "PodDisruptionBudget"), {"spec": {"minAvailable": 0}}, ["0", "N/A", "0"]),
    (
        ("rbac.authorization.k8s.io", "RoleBinding"),
        {"roleRef": {"kind": "ClusterRole", "name": "view"}},
        ["ClusterRole/view"],
    ),
]


@pytest.mark.parametrize(("kind", "content", "row"), ROWS)
def test_rows(kind: tuple[str, str], content: dict[str, Any], row: Row) -> None:
    one = {**content, "metadata": {"name": "x", "creationTimestamp": CREATED, **content.get("metadata", {})}}
    columns = [column for column in COLUMNS[kind] if column.title not in ("NAME", "AGE")]
    assert [str(column.cell(one)) for column in columns] == row


ODD: list[dict[str, Any]] = [
    {"metadata": {"name": "x"}},
    {"metadata": {"name": "x", "labels": None}, "spec": None, "status": None},
    {"metadata": {"name": "x"}, "spec": [], "status": "odd", "data": 7, "subsets": [None, 1]},
    {
        "metadata": {"name": "x"},
        "spec": {"containers": 7, "ports": [7], "externalIPs": None, "rules": {}, "accessModes": 7, "selector": 7},
        "status": {"conditions": {}, "containerStatuses": [None], "loadBalancer": [], "accessModes": "x"},
    },
]


@pytest.mark.parametrize("one", ODD)
@pytest.mark.parametrize("kind", COLUMNS)
def test_a_row_for_whatever_a_dump_holds(kind: tuple[str, str], one: dict[str, Any]) -> None:
    for column in COLUMNS[kind]:
        assert isinstance(str(column.cell(one)), str)


PATHS: dict[str, list[Any]] = {
    ".spec.a": [1],
    ".spec.none": [],
    ".spec.items[0].n": ["x"],
    ".spec.items[9].n": [],
    ".spec.items[*].n": ["x", "y"],
    '.spec.items[?(@.n=="y")].v': [2],
    ".spec.items[?(@.n=='z')].v": [],
    r".metadata.annotations.example\.com/a": ["b"],
    "spec": [],
    ".spec[": [],
    "": [
        {
            "spec": {"a": 1, "items": [{"n": "x", "v": 1}, {"n": "y", "v": 2}]},
            "metadata": {"annotations": {"example.com/a": "b"}},
        }
    ],
}


@pytest.mark.parametrize("path", PATHS)
def test_paths_of_columns(path: str) -> None:
    (one,) = PATHS[""]
    assert values_at(one, path) == PATHS[path]
