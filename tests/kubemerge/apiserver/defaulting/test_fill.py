"""Defaults equal those in Kubernetes' own code, and are only applied again after a field was cleared.

`data/defaults.json` contains objects and the results of k8s.io/kubernetes: decoded, defaulted by its scheme, and
encoded again. Later changes of a server are left out: the status of all kinds but claims, the timestamp, and the
template generation of DaemonSets.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from kubemerge.apiserver.defaulting import fill as defaults
from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.registry.table import all_records
from kubemerge.cluster import open_cluster

from ....conftest import spread
from ..conftest import deployment

DATA = Path(__file__).parents[1] / "data"
ROWS: list[dict[str, Any]] = json.loads((DATA / "defaults.json").read_text(encoding="utf-8"))
KINDS = {f"{version} {record.kind}" for record in all_records() if not record.nulls for version in record.versions}
NEWEST = engine.releases()[-1]


def release_of(version: str) -> str:
    return ".".join(version.split(".")[:2])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['name']}-{row['versions'][-1]}")
def test_kubernetes_fills_in_the_same(row: dict[str, Any]) -> None:
    before = deepcopy(row["object"])
    for version in row["versions"]:
        assert defaults.fill(row["object"], None, release_of(version)) == row["filled"], version
    assert row["object"] == before


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['name']}-{row['versions'][-1]}")
def test_what_is_filled_in_stays(row: dict[str, Any]) -> None:
    release = release_of(row["versions"][-1])
    assert defaults.fill(row["filled"], row["filled"], release) == row["filled"]


def test_the_rows_cover_all_kinds() -> None:
    assert {f"{row['object']['apiVersion']} {row['object']['kind']}" for row in ROWS} >= KINDS - {
        "batch/v2alpha1 CronJob",
        "v1 Secret",  # in test_defaults_secrets.py
        "v1 ReplicationController",  # in tests/conformance/kinds
        "v1 PodTemplate",
        "v1 PersistentVolume",
    }


def fields(value: Any, path: str = "") -> set[str]:
    if isinstance(value, list):
        return {found for item in value for found in fields(item, path)}
    if not isinstance(value, dict):
        return {path}
    return {path} | {found for key, item in value.items() for found in fields(item, f"{path}.{key}" if path else key)}


@pytest.mark.parametrize("release", spread(engine.releases()))
def test_nothing_is_filled_in_that_a_release_does_not_have(release: str) -> None:
    tables = engine.load(release)
    for row in ROWS:
        content = row["object"]
        try:
            schema = tables.schema(content["apiVersion"], content["kind"])
        except engine.UnknownKind:
            continue
        given = fields(content)
        filled = fields(defaults.fill(content, None, release)) - given
        # a volume source or a probe that the release lacks is the row's own
        unknown = {path for path in given if schema.rule(path) is None}
        lost = {path for path in filled if schema.rule(path) is None and not path.startswith(tuple(unknown))}
        assert not lost, row["name"]


# The defaults on the page about declarative management.


def page(api: str = "apps/v1", image: str = "nginx:1.14.2", **spec: Any) -> dict[str, Any]:
    labels = {"app": "nginx"}
    container = {"name": "nginx", "image": image, "ports": [{"containerPort": 80}]}
    return {
        "apiVersion": api,
        "kind": "Deployment",
        "metadata": {"name": "nginx-deployment"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            **spec,
        },
    }


def applied(config: dict[str, Any], live: dict[str, Any] | None, release: str) -> dict[str, Any]:
    schema = engine.load(release).schema(config["apiVersion"], config["kind"])
    return defaults.fill(engine.apply(config, live, schema).merged, live, release)


def test_the_pages_listing() -> None:
    """With the timestamp, which servers no longer print since 1.34, and the page's numbers: those of extensions."""
    config = page("extensions/v1beta1", minReadySeconds=5)
    del config["spec"]["selector"]
    spec = defaults.fill(config, None, "1.10")["spec"]
    assert spec == {
        "minReadySeconds": 5,
        "replicas": 1,
        "selector": {"matchLabels": {"app": "nginx"}},
        "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}, "type": "RollingUpdate"},
        "template": {
            "metadata": {"creationTimestamp": None, "labels": {"app": "nginx"}},
            "spec": {
                "containers": [
                    {
                        "image": "nginx:1.14.2",
                        "imagePullPolicy": "IfNotPresent",
                        "name": "nginx",
                        "ports": [{"containerPort": 80, "protocol": "TCP"}],
                        "resources": {},
                        "terminationMessagePath": "/dev/termination-log",
                        "terminationMessagePolicy": "File",
                    }
                ],
                "dnsPolicy": "ClusterFirst",
                "restartPolicy": "Always",
                "schedulerName": "default-scheduler",
                "securityContext": {},
                "terminationGracePeriodSeconds": 30,
            },
        },
    }


@pytest.mark.parametrize(("release", "api"), [("1.7", "apps/v1beta1"), ("1.12", "apps/v1"), (NEWEST, "apps/v1")])
def test_a_default_that_follows_from_another_field_stays_when_that_changes(release: str, api: str) -> None:
    live = applied(page(api), None, release)
    merged = applied(page(api, image="nginx:latest"), live, release)
    (container,) = merged["spec"]["template"]["spec"]["containers"]
    assert (container["image"], container["imagePullPolicy"]) == ("nginx:latest", "IfNotPresent")


def test_a_default_that_was_cleared_is_computed_again() -> None:
    live = applied(page(), None, NEWEST)
    config = page(image="nginx:latest")
    config["spec"]["template"]["spec"]["containers"][0]["imagePullPolicy"] = None
    (container,) = applied(config, live, NEWEST)["spec"]["template"]["spec"]["containers"]
    assert container["imagePullPolicy"] == "Always"


@pytest.mark.parametrize("release", ["1.9", "1.12", "1.13", NEWEST])
@pytest.mark.parametrize(
    ("strategy", "becomes"),
    [
        (
            {"type": "RollingUpdate", "rollingUpdate": None},
            {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        ),
        ({"type": "Recreate", "rollingUpdate": None}, {"type": "Recreate"}),
    ],
    ids=["filled in again", "of no use to the new type"],
)
def test_clearing_rolling_update(release: str, strategy: dict[str, Any], becomes: dict[str, Any]) -> None:
    live = applied(page(strategy={"rollingUpdate": {"maxSurge": 3}}), None, release)
    assert applied(page(strategy=strategy), live, release)["spec"]["strategy"] == becomes


@pytest.mark.parametrize("config", [page(replicas=None), page()], ids=["null", "not in config any more"])
def test_clearing_replicas(config: dict[str, Any]) -> None:
    live = applied(page(replicas=4), None, NEWEST)
    assert applied(config, live, NEWEST)["spec"]["replicas"] == 1


def test_a_default_in_live_is_not_filled_in_again_when_a_patch_leaves_it_alone() -> None:
    live = applied(page(), None, NEWEST)
    live["spec"]["replicas"] = 7
    live["spec"]["strategy"]["rollingUpdate"]["maxSurge"] = 2
    assert applied(page(minReadySeconds=3), live, NEWEST)["spec"]["strategy"]["rollingUpdate"]["maxSurge"] == 2
    assert applied(page(minReadySeconds=3), live, NEWEST)["spec"]["replicas"] == 7


def test_a_service_account_that_is_taken_out_of_the_config_comes_back() -> None:
    """The old name of the field keeps it: only clearing both removes it."""
    pod = {"containers": [{"name": "a", "image": "a:1"}]}
    config = page()
    config["spec"]["template"]["spec"] = {**pod, "serviceAccountName": "robot"}
    live = applied(config, None, NEWEST)
    assert live["spec"]["template"]["spec"]["serviceAccount"] == "robot"
    without = page()
    without["spec"]["template"]["spec"] = pod
    assert applied(without, live, NEWEST)["spec"]["template"]["spec"]["serviceAccountName"] == "robot"


def test_until_1_18_a_stateful_set_without_a_type_lost_its_partition() -> None:
    content = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "spec": {"updateStrategy": {"rollingUpdate": {"partition": 2}}},
    }
    kept = {release: defaults.fill(content, None, release) for release in ("1.18", "1.19")}
    assert [kept[release]["spec"]["updateStrategy"]["rollingUpdate"] for release in kept] == [
        {"partition": 0},
        {"partition": 2},
    ]


@pytest.mark.parametrize(("api", "filled"), [("batch/v1beta1", True), ("batch/v2alpha1", False)])
def test_the_alpha_of_cron_jobs_keeps_no_history(api: str, filled: bool) -> None:
    spec = defaults.fill({"apiVersion": api, "kind": "CronJob"}, None, "1.13")["spec"]
    assert ("failedJobsHistoryLimit" in spec) is filled


# Unchanged values.


@pytest.mark.parametrize(
    "content",
    [
        {"apiVersion": "serving.example.com/v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"x": None}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {}},
    ],
    ids=lambda content: str(content["apiVersion"]),
)
def test_other_kinds_come_back_as_they_are(content: dict[str, Any]) -> None:
    filled = defaults.fill(content, None, NEWEST)
    assert filled == content
    assert filled is not content
    assert filled["metadata"] is not content["metadata"]


def test_without_a_release_it_is_the_newest() -> None:
    assert defaults.fill(deployment(), None, None) == defaults.fill(deployment(), None, NEWEST)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 70_000) | st.text("a1-%é", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "type", "a"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in items for found in places(item, (*path, key)))]


@given(st.sampled_from(ROWS), json_values, st.data())
def test_any_shape_is_taken(row: dict[str, Any], value: Any, data: st.DataObject) -> None:
    content = deepcopy(row["object"])
    path = data.draw(st.sampled_from([place for place in places(content) if place not in {(), ("kind",)}]))
    owner = content
    for part in path[:-1]:
        owner = owner[part]
    owner[path[-1]] = value
    before = deepcopy(content)
    filled = defaults.fill(content, row["filled"], data.draw(st.sampled_from(engine.releases())))
    assert defaults.fill(filled, filled, NEWEST) == defaults.fill(filled, filled, NEWEST)
    assert content == before


TEMPLATE: dict[str, Any] = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
POINTERS: list[tuple[str, str, dict[str, Any], str]] = [
    ("apps/v1", "Deployment", {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": ""}}}, "maxSurge"),
    ("apps/v1", "DaemonSet", {"updateStrategy": {"rollingUpdate": {"maxUnavailable": ""}}}, "maxUnavailable"),
    ("batch/v1", "Job", {"completionMode": ""}, "spec.completionMode: Unsupported value"),
    ("batch/v1", "Job", {"podReplacementPolicy": ""}, "spec.podReplacementPolicy: Unsupported value"),
    ("v1", "Service", {"internalTrafficPolicy": "", "ports": [{"port": 1}]}, "spec.internalTrafficPolicy: Unsupported"),
    ("v1", "PersistentVolumeClaim", {"volumeMode": ""}, "spec.volumeMode: Unsupported value"),
]


@pytest.mark.parametrize(("api", "kind", "spec", "expected"), POINTERS)
def test_an_empty_text_in_a_pointer_is_no_absent_value(
    api: str, kind: str, spec: dict[str, Any], expected: str
) -> None:
    rest: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE} if api == "apps/v1" else {}
    if kind == "Job":
        rest = {"template": {**TEMPLATE, "spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}}
    if kind == "PersistentVolumeClaim":
        rest = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    content = {"apiVersion": api, "kind": kind, "metadata": {"name": "a"}, "spec": {**rest, **spec}}
    with open_cluster(":memory:", release="1.37") as cluster, pytest.raises(Invalid, match=expected):
        cluster.create(content)
