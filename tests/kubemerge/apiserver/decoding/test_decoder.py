"""Empty values, zeros and nulls are dropped, and quantities are canonical, as on a server of 1.37."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.actions.apply import ApplyOptions, apply
from kubemerge.cluster import Invalid, Reference

from ..conftest import config_map, config_map_ref, crontab, crontabs, deployment

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster


def pod_of(content: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = content["spec"]["template"]["spec"]
    return pod


def deployment_of(pod: dict[str, Any] | None = None, container: dict[str, Any] | None = None, **spec: Any) -> Any:
    content = deployment(**spec)
    pod_of(content).update(pod or {})
    pod_of(content)["containers"][0].update(container or {})
    return content


def role(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "none"}, **fields}


# ---- empty -----------------------------------------------------------------------------------------------------------


def test_empty_maps_and_lists_are_left_out(cluster: EmbeddedCluster) -> None:
    content = config_map()
    content["metadata"] |= {"labels": {}, "annotations": {}, "finalizers": []}
    found = cluster.create(content)
    assert "data" not in found
    assert not {"labels", "annotations", "finalizers"} & set(found["metadata"])


def test_an_empty_map_with_fields_of_its_own_stays(cluster: EmbeddedCluster) -> None:
    content = deployment_of({"securityContext": {}, "volumes": [{"name": "tmp", "emptyDir": {}}], "nodeSelector": {}})
    found = pod_of(cluster.create(content))
    assert found["volumes"] == [{"name": "tmp", "emptyDir": {}}]
    assert found["securityContext"] == {}
    assert "nodeSelector" not in found


def test_an_empty_field_in_a_patch_changes_nothing(cluster: EmbeddedCluster) -> None:
    before = cluster.create(config_map(a="1"))
    assert cluster.patch(config_map_ref(), {"metadata": {"labels": {}}, "binaryData": {}}, "merge") == before


def test_no_rules_of_a_role_are_null(cluster: EmbeddedCluster) -> None:
    before = cluster.create(role(rules=[]))
    assert before["rules"] is None
    assert cluster.patch(Reference.of(before), {"rules": []}, "merge") == before
    labelled = cluster.patch(Reference.of(before), {"metadata": {"labels": {"a": "b"}}}, "merge")
    assert labelled["rules"] is None
    assert cluster.create(role() | {"metadata": {"name": "other"}})["rules"] is None


@pytest.mark.parametrize("size", [262_144 - 1, 262_144])
def test_annotations_have_room_for_256_kib(cluster: EmbeddedCluster, size: int) -> None:
    content = config_map()
    content["metadata"]["annotations"] = {"k": "x" * size}
    if size < 262_144:
        cluster.create(content)
        return
    with pytest.raises(Invalid, match="annotations: Too long: may not be more than 262144 bytes"):
        cluster.create(content)


# ---- zero and null ---------------------------------------------------------------------------------------------------


def test_zeros_go_where_go_cannot_tell_them_from_nothing(cluster: EmbeddedCluster) -> None:
    pod = {
        "hostNetwork": False,
        "nodeName": "",
        "automountServiceAccountToken": False,
        "securityContext": {"runAsUser": 0},
    }
    container = {"tty": False, "workingDir": "", "env": [{"name": "A", "value": ""}], "args": [""]}
    found = cluster.create(deployment_of(pod, container, minReadySeconds=0, paused=False, replicas=0))
    assert found["spec"]["replicas"] == 0
    assert not {"minReadySeconds", "paused"} & set(found["spec"])
    stored = pod_of(found)
    assert stored["automountServiceAccountToken"] is False
    assert stored["securityContext"] == {"runAsUser": 0}
    assert not {"hostNetwork", "nodeName"} & set(stored)
    assert not {"tty", "workingDir"} & set(stored["containers"][0])
    assert stored["containers"][0]["env"] == [{"name": "A"}]
    assert stored["containers"][0]["args"] == [""]


def test_a_zero_leads_to_the_default_of_what_is_absent(cluster: EmbeddedCluster) -> None:
    zeros = cluster.create(deployment_of({"restartPolicy": "", "dnsPolicy": ""}, {"imagePullPolicy": ""}))
    absent = cluster.create(deployment_of() | {"metadata": {"name": "other"}})
    assert zeros["spec"] == absent["spec"]


def test_null_is_an_empty_text_in_a_map_and_in_a_list(cluster: EmbeddedCluster) -> None:
    content = config_map() | {"data": {"a": None}, "binaryData": {"b": None}}
    content["metadata"] |= {"labels": {"l": None}, "annotations": {"n": None}}
    found = cluster.create(content)
    assert (found["data"], found["binaryData"]) == ({"a": ""}, {"b": ""})
    assert (found["metadata"]["labels"], found["metadata"]["annotations"]) == ({"l": ""}, {"n": ""})
    container = {"command": ["sh", None], "resources": {"limits": {"cpu": None}}}
    stored = pod_of(cluster.create(deployment_of({}, container)))["containers"][0]
    assert stored["command"] == ["sh", ""]
    assert stored["resources"] == {"limits": {"cpu": "0"}}


def test_null_in_a_patch_still_removes(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1", b="2"))
    for patch_type, key in (("merge", "a"), ("strategic", "b")):
        found = cluster.patch(config_map_ref(), {"data": {key: None, "new": None}}, patch_type)
        assert not {key, "new"} & set(found.get("data", {}))
    put = [{"op": "add", "path": "/data", "value": {"k": None}}]
    assert cluster.patch(config_map_ref(), put, "json")["data"] == {"k": ""}


def test_custom_resources_keep_all_but_their_metadata(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    content = crontab(replicas=0, cronSpec="", cpu="0.5", empty={})
    content["metadata"] |= {"generateName": "", "labels": {"a": None, "b": ""}}
    found = cluster.create(content)
    assert found["spec"] == content["spec"]
    assert found["metadata"]["labels"] == {"a": "", "b": ""}
    assert "generateName" not in found["metadata"]


def test_unknown_fields_are_dropped(cluster: EmbeddedCluster) -> None:
    found = cluster.create(config_map() | {"unheardOf": "", "other": {"a": 0, "b": []}})
    assert not {"unheardOf", "other"} & found.keys()


# ---- quantities ------------------------------------------------------------------------------------------------------


def test_quantities_are_stored_in_one_form(cluster: EmbeddedCluster) -> None:
    volume = {"name": "tmp", "emptyDir": {"sizeLimit": "0.0001"}}
    limits = {"cpu": "0.0001", "memory": "1024Mi", "example.com/b": "+1", "example.com/c": " 2 "}
    stored = pod_of(cluster.create(deployment_of({"volumes": [volume]}, {"resources": {"limits": limits}})))
    assert stored["volumes"][0]["emptyDir"] == {"sizeLimit": "100u"}
    assert stored["containers"][0]["resources"]["limits"] == {
        "memory": "1Gi",
        "cpu": "1m",  # resources have a precision of thousandths
        "example.com/b": "+1",
        "example.com/c": "2",
    }


def test_a_label_that_looks_like_a_quantity_stays(cluster: EmbeddedCluster) -> None:
    assert cluster.create(config_map(cpu="0.5"))["data"] == {"cpu": "0.5"}


# ---- what follows from it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        deployment_of(minReadySeconds=0),
        deployment_of({}, {"env": [{"name": "A", "value": ""}]}),
        deployment_of({}, {"resources": {"limits": {"cpu": "0.5"}}}),
        role(rules=[]),
    ],
    ids=["zero", "empty text", "quantity", "no rules"],
)
def test_applying_it_again_is_answered_with_configured(cluster: EmbeddedCluster, content: dict[str, Any]) -> None:
    assert apply(cluster, content, ApplyOptions()).result == "created"
    before = cluster.get(Reference.of(content))
    assert apply(cluster, content, ApplyOptions()).result == "configured"
    assert cluster.get(Reference.of(content)) == before


@pytest.mark.parametrize("content", [deployment_of(), role(), role(rules=None), deployment_of(minReadySeconds=5)])
def test_applying_what_is_stored_as_it_is_written_is_not(cluster: EmbeddedCluster, content: dict[str, Any]) -> None:
    assert apply(cluster, content, ApplyOptions()).result == "created"
    assert apply(cluster, content, ApplyOptions()).result == "unchanged"


def test_an_object_that_was_imported_as_no_server_prints_it_can_be_changed(cluster: EmbeddedCluster) -> None:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1000m"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    cluster.load([pod | {"spec": {"hostNetwork": False, "nodeName": "", "containers": [container]}}])
    found = cluster.patch(Reference.of(pod), {"metadata": {"labels": {"a": "b"}}}, "merge")
    assert found["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "1"}}
    assert "hostNetwork" not in found["spec"]
