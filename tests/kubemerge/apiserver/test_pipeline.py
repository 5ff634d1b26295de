"""The object that a server stores for a config, without a cluster."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import engine
from kubemerge.apiserver import stored
from kubemerge.apiserver.errors import BadRequest
from kubemerge.apiserver.pipeline import Server, server_of

from .conftest import config_map, crontab, crontabs, deployment


def test_a_new_object_has_default_values_and_nothing_that_only_a_server_can_choose() -> None:
    config = deployment()
    before = deepcopy(config)
    result = stored(config, release="1.37")
    assert config == before
    assert result.problems == ()
    assert result.object is not None
    assert result.object["spec"]["replicas"] == 1
    assert not {"uid", "creationTimestamp", "resourceVersion", "managedFields"} & result.object["metadata"].keys()
    assert result.left_out == ("metadata.uid", "metadata.creationTimestamp")


def test_spellings_change_nothing() -> None:
    limits = {"limits": {"cpu": "1000m", "memory": "1024Mi"}}
    config = deployment()
    config["spec"]["template"]["spec"]["containers"][0]["resources"] = limits
    live = stored(config).object
    assert live is not None
    assert live["spec"]["template"]["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "1", "memory": "1Gi"}}
    config["metadata"]["creationTimestamp"] = None
    config["spec"]["template"]["spec"]["containers"][0]["env"] = []
    after = stored(config, live=live).object
    assert after is not None
    assert after["spec"] == live["spec"]


def test_a_rejection_lists_its_problems() -> None:
    config = deployment(replicas=-1)
    result = stored(config)
    assert result.object is None
    assert [str(one).partition(": ")[0] for one in result.problems] == ["spec.replicas"]
    live = stored(deployment()).object
    assert stored(config, live=live).object is None


def test_an_update_raises_the_generation() -> None:
    live = stored(deployment()).object
    assert live is not None
    live["metadata"]["uid"] = "u"
    after = stored(deployment(replicas=3), live=live).object
    assert after is not None
    assert (live["metadata"]["generation"], after["metadata"]["generation"]) == (1, 2)


def test_a_namespace_is_for_configs_without_one() -> None:
    config = config_map()
    del config["metadata"]["namespace"]
    result = stored(config, namespace="shop").object
    assert result is not None
    assert result["metadata"]["namespace"] == "shop"


def test_addresses_and_uids_in_other_fields_are_left_out() -> None:
    service: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "a"},
        "spec": {"type": "NodePort", "ports": [{"port": 80}, {"name": "b", "port": 81, "nodePort": 30100}]},
    }
    service["spec"]["ports"][0]["name"] = "a"
    result = stored(service)
    assert result.object is not None
    assert [port.get("nodePort") for port in result.object["spec"]["ports"]] == [None, 30100]
    assert {"spec.clusterIP", "spec.clusterIPs", "spec.ports[0].nodePort"} <= {*result.left_out}
    pod = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": pod}}}
    assert "0000" not in str(stored(job).object)


@pytest.mark.parametrize("release", ["1.20", "1.29", None])
def test_every_release_has_its_own_default_values(release: str | None) -> None:
    result = stored(deployment(), release=release).object
    assert result is not None
    assert result["spec"]["progressDeadlineSeconds"] == 600


def test_what_cannot_be_predicted_is_an_error() -> None:
    with pytest.raises(BadRequest):
        stored(config_map(), policies=[{}])
    with pytest.raises(engine.MergeError):
        stored({"apiVersion": "v1"})
    assert stored(crontab()).object is None
    assert stored(crontabs()).problems == ()


def test_an_object_of_an_unknown_kind_is_read_as_it_is() -> None:
    live = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}
    assert Server().read(live) is live


def pod(**spec: Any) -> dict[str, Any]:
    """A Pod with one container."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "shop"},
        "spec": {"containers": [{"name": "c", "image": "i"}], **spec},
    }


@pytest.mark.parametrize("content", [deployment(), config_map(), pod(), crontabs()], ids=lambda one: one["kind"])
def test_an_object_is_judged_as_it_is_created_but_for_status_and_generation(content: dict[str, Any]) -> None:
    judged, made = server_of("1.37").check_create(content), Server("1.37").create(content)
    assert judged.problems == made.problems == ()
    assert judged.object is not None
    assert made.object is not None
    made.object.pop("status", None)
    made.object["metadata"].pop("generation", None)
    assert {**judged.object, "status": None} == {**made.object, "status": None}


@pytest.mark.parametrize("asked", [{"priorityClassName": "high"}, {"runtimeClassName": "gvisor"}, {"priority": 7}])
def test_objects_that_are_not_known_reject_nothing_unless_all_are_known(asked: dict[str, Any]) -> None:
    server = Server("1.37")
    for result in (server.check_create(pod(**asked)), server.create(pod(**asked))):
        assert result.object is not None
        assert result.object["spec"]["dnsPolicy"] == "ClusterFirst"
        assert asked.items() <= result.object["spec"].items()
    assert Server("1.37", is_complete=True).create(pod(**asked)).object is None


def test_ranges_of_addresses_are_not_known() -> None:
    spec = {"clusterIP": "172.20.0.10", "ports": [{"port": 80}]}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": spec}
    assert Server("1.37").create(service).problems == ()
    assert Server("1.37", is_complete=True).create(service).problems


def test_a_judge_names_unknown_fields_and_values_of_a_wrong_type() -> None:
    found = server_of("1.37").check_create({**config_map(), "dta": {}})
    assert found.unknown == ("dta",)
    assert found.object is not None
    wrong = server_of("1.37").check_create({**config_map(), "data": {"a": 1}})
    assert wrong.object is None
    assert "cannot unmarshal number" in str(wrong.error)


def test_an_event_needs_no_namespace_and_a_token_no_service_account() -> None:
    event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"}, "involvedObject": {"kind": "Node"}}
    assert server_of("1.37").check_create(event).problems == ()
    token = {"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}
    judged = server_of("1.37").check_create(pod(volumes=[token])).object
    assert judged is not None
    assert "serviceAccountName" not in judged["spec"]


def test_definitions_are_stored_before_they_count() -> None:
    gone = {**crontabs(), "apiVersion": "apiextensions.k8s.io/v1beta1"}
    server = Server("1.37", [crontabs(), {**crontabs(), "metadata": {"name": "other"}}, gone])
    assert server.check_create(crontab()).problems == ()
    assert server.has_namespaces(crontab())


def test_a_json_patch_is_sent_as_it_is() -> None:
    server = Server(keeps_owners=True)
    live = server.create(config_map(a="1"), manager="m").object
    assert live is not None
    live["metadata"]["resourceVersion"] = "5"
    entries = [{**one, "manager": "other"} for one in live["metadata"]["managedFields"]]
    patch = [{"op": "replace", "path": "/metadata/managedFields", "value": entries}]
    after = server.patch(live, live, patch, "json", manager="m").object
    assert after is not None
    assert [one["manager"] for one in after["metadata"]["managedFields"]] == ["other"]


@pytest.mark.parametrize(("version", "problems"), [("", 1), ("5", 0)])
def test_an_empty_resource_version_in_a_patch(version: str, problems: int) -> None:
    """Kinds without unconditional updates reject it. It is not replaced by the version of the live object."""
    metadata = {"name": "a", "namespace": "default", "resourceVersion": "5"}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "maxUnavailable": 1}
    live = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata, "spec": spec}
    patch = {"metadata": {"resourceVersion": version, "labels": {"a": "b"}}}
    assert len(Server().patch(live, live, patch, "merge", manager="m").problems) == problems


DAMAGED: dict[str, tuple[str, dict[str, Any], str]] = {
    "Service": ("v1", {"ports": [{"port": 80}]}, "ports"),
    "ResourceQuota": ("v1", {"hard": {"pods": "1"}, "scopes": ["NotTerminating"]}, "scopes"),
    "NetworkPolicy": ("networking.k8s.io/v1", {"podSelector": {}, "ingress": [{}]}, "ingress"),
}
"""Kinds whose checks of an update read a list of the live object: apiVersion, spec and the list."""


@pytest.mark.parametrize("kind", DAMAGED)
@pytest.mark.parametrize("value", [5, True])
def test_a_damaged_live_object_is_named_with_the_field(kind: str, value: Any) -> None:
    version, spec, field = DAMAGED[kind]
    config = {"apiVersion": version, "kind": kind, "metadata": {"name": "a", "namespace": "default"}, "spec": spec}
    with pytest.raises(engine.MergeError) as error:
        stored(config, live={**config, "spec": {**spec, field: value}})
    assert "the live object " in str(error.value)
    assert f"spec.{field}" in str(error.value)
    assert "Pass it as an API server returned it" in str(error.value)
