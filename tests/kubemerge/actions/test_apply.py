"""Applying one object to a cluster: requests, retries, and the effect of force."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.actions.apply import PATIENCE, RETRIES, ApplyOptions, apply
from kubemerge.actions.create import NoNamespace
from kubemerge.actions.delete import StillThere
from kubemerge.actions.edit import _patch
from kubemerge.actions.replace import NotRestored
from kubemerge.actions.requests import OtherNamespace, placed
from kubemerge.cluster import Conflict, Invalid, Recreates, Reference, open_cluster

from ..objects import ANNOTATION, config_map, deployment
from .conftest import TwoSteps

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.cluster import Cluster

    from .conftest import Crowded

    Steps = Callable[[EmbeddedCluster], Any]

HERE = {"namespace": "default"}


def cm(name: str = "settings", data: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    return config_map(name, data, **{**HERE, **metadata})


def web(**spec: Any) -> dict[str, Any]:
    found = deployment("web", **spec)
    return {**found, "metadata": {**found["metadata"], **HERE}}


def label(cluster: Cluster, name: str, value: str) -> Any:
    return cluster.patch(Reference("v1", "ConfigMap", name), {"metadata": {"labels": {"count": value}}}, "merge")


class Pauses(list[float]):
    """Counts pauses in place of sleeping."""

    def how(self, **options: Any) -> ApplyOptions:
        return ApplyOptions(sleep=self.append, **options)


def test_created_configured_unchanged(cluster: Cluster) -> None:
    assert apply(cluster, cm(data={"a": "1"})).result == "created"
    done = apply(cluster, cm(data={"b": "2"}))
    assert (done.result, done.content["data"]) == ("configured", {"b": "2"})
    again = apply(cluster, cm(data={"b": "2"}))
    assert (again.result, again.content) == ("unchanged", cluster.get(Reference("v1", "ConfigMap", "settings")))


def test_the_annotation_is_the_config_to_the_byte(cluster: Cluster) -> None:
    content = apply(cluster, cm(data={"a": "<é>", "gone": None})).content
    assert content["metadata"]["annotations"][ANNOTATION] == (
        '{"apiVersion":"v1","data":{"a":"\\u003cé\\u003e","gone":null},"kind":"ConfigMap",'
        '"metadata":{"annotations":{},"name":"settings","namespace":"default"}}\n'
    )
    assert content["data"] == {"a": "<é>"}


def test_what_others_set_stays(cluster: Cluster) -> None:
    apply(cluster, web())
    cluster.patch(Reference("apps/v1", "Deployment", "web"), {"spec": {"replicas": 7}}, "merge")
    done = apply(cluster, web(minReadySeconds=3))
    assert (done.content["spec"]["replicas"], done.content["spec"]["minReadySeconds"]) == (7, 3)


def test_an_object_that_was_never_applied_is_warned_of(cluster: Cluster) -> None:
    cluster.create(cm(data={"a": "1"}))
    done = apply(cluster, cm(data={"b": "2"}))
    assert done.content["data"] == {"a": "1", "b": "2"}
    assert ANNOTATION in done.warnings[0]


@pytest.mark.parametrize("dry_run", ["client", "server"])
def test_a_dry_run_tells_and_writes_nothing(cluster: Cluster, dry_run: str) -> None:
    how = ApplyOptions(dry_run=dry_run)
    assert apply(cluster, cm(data={"a": "1"}), how).result == "created"
    assert list(cluster.list("v1", "ConfigMap")) == []
    before = apply(cluster, cm(data={"a": "1"})).content
    done = apply(cluster, cm(data={"a": "2"}), how)
    assert (done.result, done.content["data"]) == ("configured", {"a": "2"})
    assert cluster.get(Reference.of(before)) == before


def test_only_the_server_knows_defaults_and_what_is_invalid(cluster: Cluster) -> None:
    assert "replicas" not in apply(cluster, web(), ApplyOptions(dry_run="client")).content["spec"]
    assert apply(cluster, web(), ApplyOptions(dry_run="server")).content["spec"]["replicas"] == 1
    bad = web(selector={"matchLabels": {"app": "other"}})
    assert apply(cluster, bad, ApplyOptions(dry_run="client")).result == "created"
    with pytest.raises(Invalid):
        apply(cluster, bad, ApplyOptions(dry_run="server"))


# ---- somebody else comes between -------------------------------------------------------------------------------------


def test_two_appliers_that_read_the_same_state_leave_what_one_after_the_other_would(crowded: Crowded) -> None:
    apply(crowded, cm(data={"a": "1"}))
    crowded.between = [lambda: apply(crowded, cm(data={"theirs": "1"}))]
    pauses = Pauses()
    done = apply(crowded, cm(data={"ours": "1"}), pauses.how())
    assert done.content["data"] == {"ours": "1"}
    assert pauses == [0]


def test_who_scales_at_that_moment_is_not_overruled(crowded: Crowded) -> None:
    apply(crowded, web())
    scaled = {"spec": {"replicas": 7}}
    crowded.between = [lambda: crowded.patch(Reference("apps/v1", "Deployment", "web"), scaled, "merge")]
    done = apply(crowded, web(minReadySeconds=1), Pauses().how())
    assert (done.content["spec"]["replicas"], done.content["spec"]["minReadySeconds"]) == (7, 1)


def test_an_object_that_somebody_deletes_at_that_moment_is_created(crowded: Crowded) -> None:
    apply(crowded, cm(data={"a": "1"}))
    crowded.between = [lambda: crowded.delete(Reference("v1", "ConfigMap", "settings"))]
    assert apply(crowded, cm(data={"b": "1"}), Pauses().how()).result == "created"


def test_an_object_that_never_rests_is_changed_in_the_end(crowded: Crowded) -> None:
    apply(crowded, cm(data={"a": "1"}))
    crowded.between = [partial(label, crowded, "settings", str(count)) for count in range(RETRIES + 9)]
    pauses = Pauses()
    assert apply(crowded, cm(data={"a": "2"}), pauses.how()).content["data"] == {"a": "2"}
    assert pauses == [0, 1, 1, 1, 1]


def test_safe_merging_is_for_the_state_it_has_read_and_tries_again(crowded: Crowded) -> None:
    config = web(template=_pod([{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}]))
    apply(crowded, web(template=_pod([{"containerPort": 53, "protocol": "UDP"}])))
    other = [
        {"$patch": "replace"},
        *_pod([{"containerPort": port} for port in (53, 80)])["spec"]["containers"][0]["ports"],
    ]
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "web", "ports": other}]}}}}
    crowded.between = [lambda: crowded.patch(Reference("apps/v1", "Deployment", "web"), patch, "strategic")]
    pauses = Pauses()
    done = apply(crowded, config, pauses.how(safe=True))
    ports = done.content["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert {(port["containerPort"], port["protocol"]) for port in ports} == {(53, "UDP"), (53, "TCP"), (80, "TCP")}
    assert pauses == [0]


def _pod(ports: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": "web:1", "ports": ports}]},
    }


def test_retries_end_and_pause_as_those_of_kubectl(crowded: Crowded) -> None:
    apply(crowded, cm(data={"a": "1"}))
    crowded.between = [partial(label, crowded, "settings", str(count)) for count in range(RETRIES + 1)]
    pauses = Pauses()
    with pytest.raises(Conflict):
        apply(crowded, cm(data={"a": "2"}), pauses.how(safe=True))
    assert pauses == [0, 1, 1, 1, 1]
    assert apply(crowded, cm(data={"a": "2"}), pauses.how(safe=True)).result == "configured"


def test_who_loses_the_race_to_create_goes_on_to_merge(crowded: Crowded) -> None:
    crowded.between = [lambda: crowded.create(cm(data={"theirs": "1"}))]
    done = apply(crowded, cm(data={"ours": "1"}), Pauses().how())
    assert (done.result, done.content["data"]) == ("configured", {"ours": "1", "theirs": "1"})


def test_a_stale_resource_version_in_the_config_is_a_conflict_at_once(cluster: Cluster) -> None:
    version = apply(cluster, cm(data={"a": "1"})).content["metadata"]["resourceVersion"]
    label(cluster, "settings", "1")
    pauses = Pauses()
    with pytest.raises(Conflict, match="please apply your changes to the latest version"):
        apply(cluster, cm(data={"a": "2"}, resourceVersion=version), pauses.how())
    assert pauses == []


def test_the_resource_version_of_a_config_is_left_out_where_it_is_created(cluster: Cluster) -> None:
    assert apply(cluster, cm(resourceVersion="7")).result == "created"


def test_a_missing_namespace_says_what_to_do(cluster: Cluster) -> None:
    with pytest.raises(NoNamespace, match='namespaces "shop" not found; apply its Namespace first'):
        apply(cluster, cm(namespace="shop"))


def test_a_generated_name_is_refused(cluster: Cluster) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "x-", **HERE}}
    with pytest.raises(MergeError, match="generate name"):
        apply(cluster, config)


# ---- by force --------------------------------------------------------------------------------------------------------

OTHER = {"matchLabels": {"app": "web", "new": "yes"}}


@pytest.fixture(params=["one step", "two steps"])
def steps(request: pytest.FixtureRequest) -> Steps:
    """A wrapper of a cluster, which deletes and creates in one step or by two requests."""
    return TwoSteps if request.param == "two steps" else lambda cluster: cluster


@pytest.fixture
def either(cluster: EmbeddedCluster, steps: Steps) -> Cluster:
    """A cluster of either sort."""
    found: Cluster = steps(cluster)
    return found


def changed_selector() -> dict[str, Any]:
    pod = _pod([{"containerPort": 80, "protocol": "TCP"}])
    return web(selector=OTHER, template={**pod, "metadata": {"labels": OTHER["matchLabels"]}})


def test_what_cannot_be_changed_is_invalid_and_by_force_made_again(either: Cluster) -> None:
    before = apply(either, web()).content
    with pytest.raises(Invalid, match="immutable"):
        apply(either, changed_selector())
    done = apply(either, changed_selector(), ApplyOptions(force=True))
    assert done.result == "configured"
    assert done.content["spec"]["selector"] == OTHER
    assert done.content["metadata"]["uid"] != before["metadata"]["uid"]
    assert json.loads(done.content["metadata"]["annotations"][ANNOTATION])["spec"]["selector"] == OTHER
    assert apply(either, changed_selector()).result == "unchanged"


def test_force_meets_a_conflict_too(either: Cluster) -> None:
    version = apply(either, cm(data={"a": "1"})).content["metadata"]["resourceVersion"]
    label(either, "settings", "1")
    done = apply(either, cm(data={"a": "2"}, resourceVersion=version), ApplyOptions(force=True))
    assert "labels" not in done.content["metadata"]


@pytest.mark.parametrize("dry_run", ["client", "server"])
def test_a_forced_dry_run_deletes_nothing(either: Cluster, dry_run: str) -> None:
    before = apply(either, web()).content
    assert apply(either, changed_selector(), ApplyOptions(force=True, dry_run=dry_run)).result == "configured"
    assert either.get(Reference.of(before)) == before


def test_force_deletes_no_other_object_of_the_same_name(crowded: Crowded, steps: Steps) -> None:
    apply(crowded, web())
    where = Reference("apps/v1", "Deployment", "web")
    crowded.between = [lambda: None, lambda: (crowded.delete(where), crowded.create(web(replicas=9)))]
    with pytest.raises(Conflict, match="UID"):
        apply(steps(crowded), changed_selector(), ApplyOptions(force=True))
    assert crowded.get(where)["spec"]["replicas"] == 9


def test_what_cannot_be_created_again_is_kept_or_brought_back(either: Cluster) -> None:
    before = apply(either, web(replicas=3)).content
    bad = web(selector={"matchLabels": {"app": "nobody"}})
    with pytest.raises(Invalid):
        apply(either, bad, ApplyOptions(force=True))
    live = either.get(Reference("apps/v1", "Deployment", "web"))
    assert live["spec"]["replicas"] == 3
    assert (live == before) == isinstance(either, Recreates)
    assert apply(either, web(replicas=3)).result == "unchanged"


def test_what_cannot_even_be_brought_back_is_reported(crowded: Crowded) -> None:
    apply(crowded, web())
    bad = web(selector={"matchLabels": {"app": "nobody"}})

    def refuse() -> None:
        raise Invalid("the disk is full")

    crowded.between = [lambda: None, lambda: None, lambda: None, refuse]
    with pytest.raises(
        NotRestored,
        match=r"could not be recreated: .*does not match.*\. The old one could not be restored: the disk",
    ):
        apply(TwoSteps(crowded), bad, ApplyOptions(force=True))


def test_an_object_with_finalizers_is_waited_for(crowded: Crowded, steps: Steps) -> None:
    apply(crowded, web())
    where = Reference("apps/v1", "Deployment", "web")
    crowded.patch(where, {"metadata": {"finalizers": ["example.com/hold"]}}, "merge")
    pauses = Pauses()
    with pytest.raises(StillThere, match=r"example\.com/hold"):
        apply(steps(crowded), changed_selector(), pauses.how(force=True))
    assert sum(pauses) == PATIENCE
    with pytest.raises(StillThere):
        apply(steps(crowded), changed_selector(), pauses.how(force=True, patience=4))
    assert sum(pauses) == PATIENCE + 4


def test_an_object_that_goes_while_it_is_waited_for(either: Cluster) -> None:
    apply(either, web())
    where = Reference("apps/v1", "Deployment", "web")
    either.patch(where, {"metadata": {"finalizers": ["example.com/hold"]}}, "merge")

    def let_go(_: float) -> None:
        either.patch(where, {"metadata": {"finalizers": None}}, "merge")

    done = apply(either, changed_selector(), ApplyOptions(force=True, sleep=let_go))
    assert done.content["spec"]["selector"] == OTHER


# ---- namespaces ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "asked", "found"),
    [(None, None, "default"), (None, "a", "a"), ("", "a", "a"), ("a", None, "a"), ("a", "a", "a")],
)
def test_the_namespace_of_an_object(cluster: Cluster, own: str | None, asked: str | None, found: str) -> None:
    config = config_map("x") if own is None else config_map("x", namespace=own)
    kind = cluster.resource("v1", "ConfigMap")
    assert placed(config, kind, asked)["metadata"]["namespace"] == found
    assert config["metadata"].get("namespace") == own


def test_another_namespace_than_the_one_asked_for(cluster: Cluster) -> None:
    with pytest.raises(
        OtherNamespace, match='the namespace from the provided object "a" does not match the namespace "b"'
    ):
        placed(config_map("x", namespace="a"), cluster.resource("v1", "ConfigMap"), "b")


def test_what_has_no_namespace_gets_none(cluster: Cluster) -> None:
    config = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    assert placed(config, cluster.resource("v1", "Namespace"), "a") is config


def test_what_is_in_no_namespace_loses_the_one_it_says(cluster: Cluster) -> None:
    config = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "namespace": "b"}}
    assert placed(config, cluster.resource("v1", "Namespace"), None)["metadata"] == {"name": "a"}
    assert config["metadata"] == {"name": "a", "namespace": "b"}


API_SERVICE: dict[str, Any] = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": "v1.example.com", "finalizers": ["x.io/a"]},
    "spec": {
        "group": "example.com",
        "version": "v1",
        "groupPriorityMinimum": 100,
        "versionPriority": 10,
        "insecureSkipTLSVerify": True,
        "service": {"name": "a", "namespace": "b"},
    },
}


def test_a_kind_that_kubectl_has_not_compiled_in_is_overwritten_without_asking() -> None:
    with open_cluster(":memory:") as cluster:
        apply(cluster, API_SERVICE)
        patch = {"spec": {"versionPriority": 20}, "metadata": {"finalizers": ["x.io/a", "x.io/b"]}}
        cluster.patch(Reference.of(API_SERVICE), patch, "merge")
        config = {**API_SERVICE, "spec": {**API_SERVICE["spec"], "versionPriority": 30}}
        applied = apply(cluster, config, ApplyOptions(overwrite=False))
        assert applied.result == "configured"
        assert applied.content["spec"]["versionPriority"] == 30
        assert applied.content["metadata"]["finalizers"] == ["x.io/a"]
        assert "a JSON merge patch" in applied.warnings[0]


def test_a_kind_that_kubectl_has_not_compiled_in_is_edited_by_a_json_merge_patch() -> None:
    with open_cluster(":memory:") as cluster:
        after = {**API_SERVICE, "metadata": {"name": "v1.example.com", "finalizers": ["x.io/b"]}}
        assert _patch(cluster, API_SERVICE, after) == ({"metadata": {"finalizers": ["x.io/b"]}}, "merge")
