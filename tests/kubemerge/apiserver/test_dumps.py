"""Import, export and reset of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import BadRequest, Invalid, NoMatch, Reference, open_cluster
from kubemerge.manifests.files import Files
from kubemerge.manifests.objects import read_manifests
from kubemerge.output.object_text import as_list, without_managed_fields

from .conftest import config_map, crontab, crontabs, deployment, namespace, origins, version_of

if TYPE_CHECKING:
    from pathlib import Path

    from engine import MergeError
    from kubemerge.apiserver.cluster import EmbeddedCluster


MANAGED = {
    "apiVersion": "apps/v1",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:spec": {"f:paused": {}}},
    "manager": "kubectl",
    "operation": "Update",
}


def lived(content: dict[str, Any], version: str = "812345") -> dict[str, Any]:
    """The object as a real cluster prints it."""
    found = {
        "annotations": {"deployment.kubernetes.io/revision": "3"},
        "creationTimestamp": "2024-05-06T07:08:09Z",
        "generation": 4,
        "managedFields": [MANAGED],
        "resourceVersion": version,
        "uid": f"real-{content['metadata']['name']}",
    }
    return {**content, "metadata": {**content["metadata"], **found}, "status": {"observedGeneration": 4}}


def test_a_change_is_seen_past_how_the_dump_writes_an_object(cluster: EmbeddedCluster) -> None:
    web = lived(cluster.create(deployment(), dry_run=True))
    web["spec"]["minReadySeconds"] = 0
    web["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "0.5"}}
    cluster.load([web])
    at, live = Reference.of(web), cluster.get(Reference.of(web))
    assert cluster.patch(at, {"spec": {"minReadySeconds": None}}, "merge") == live
    labelled = cluster.patch(at, {"metadata": {"labels": {"a": "b"}}}, "merge")
    assert labelled["metadata"]["generation"] == 4
    assert labelled["status"] == live["status"]
    assert cluster.patch(at, {"spec": {"replicas": 7}}, "merge")["metadata"]["generation"] == 5


def test_an_object_is_loaded_as_it_was(cluster: EmbeddedCluster) -> None:
    web = lived(deployment())
    loaded = cluster.load([web])
    assert (loaded.added, loaded.replaced, loaded.namespaces, loaded.unserved) == (1, 0, (), ())
    assert cluster.get(Reference.of(web)) == web


def test_the_counter_goes_on_above_what_was_loaded(cluster: EmbeddedCluster) -> None:
    cluster.load([lived(deployment(), "812345"), lived(config_map(), "17")])
    after = cluster.patch(Reference.of(deployment()), {"spec": {"replicas": 2}}, "strategic")
    assert version_of(after) > 812345
    assert after["metadata"]["generation"] == 5
    assert after["status"] == {"observedGeneration": 4}


@pytest.mark.parametrize("version", [None, "", "abc", "0", "99999999999999999999", "9223372036854775807"])
def test_what_is_not_a_count_becomes_one(cluster: EmbeddedCluster, version: str | None) -> None:
    odd = lived(config_map(), "1")
    odd["metadata"]["resourceVersion"] = version
    cluster.load([odd])
    assert 4 < version_of(cluster.get(Reference.of(odd))) < 100


def test_what_is_missing_is_filled_in(cluster: EmbeddedCluster) -> None:
    bare = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    cluster.load([bare])
    said = cluster.get(Reference.of(bare))["metadata"]
    assert set(said) == {"name", "namespace", "uid", "creationTimestamp", "resourceVersion"}


def test_what_is_there_is_replaced(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1"))
    loaded = cluster.load([lived(config_map(b="2"))])
    assert (loaded.added, loaded.replaced) == (0, 1)
    assert cluster.get(Reference.of(config_map()))["data"] == {"b": "2"}


def test_namespaces_that_are_needed_are_made(cluster: EmbeddedCluster) -> None:
    loaded = cluster.load([lived(config_map(namespace="b")), lived(config_map(namespace="a")), lived(namespace("b"))])
    assert loaded.namespaces == ("a",)
    assert cluster.get(Reference("v1", "Namespace", "b"))["metadata"]["uid"] == "real-b"
    cluster.create(config_map("more", "a"))


def test_a_definition_in_the_dump_serves_its_objects(cluster: EmbeddedCluster) -> None:
    assert "CronTab" not in {one.kind for one in cluster.resources()}
    assert cluster.load([lived(crontab()), lived(crontabs())]).unserved == ()
    assert cluster.get(Reference.of(crontab()))["status"] == {"observedGeneration": 4}


def test_objects_without_their_definition_are_kept(cluster: EmbeddedCluster) -> None:
    loaded = cluster.load([lived(crontab())])
    assert loaded.unserved == (("stable.example.com/v1", "CronTab"),)
    with pytest.raises(NoMatch):
        cluster.get(Reference.of(crontab()))
    cluster.create(crontabs())
    assert cluster.get(Reference.of(crontab())) == lived(crontab())


BAD: list[tuple[dict[str, Any], type[MergeError]]] = [
    ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}, BadRequest),
    ({"kind": "ConfigMap", "metadata": {"name": "a"}}, BadRequest),
    ({**crontabs(), "metadata": {}}, Invalid),
    ({**crontabs(), "spec": {"group": "a", "names": {"kind": "B"}, "versions": []}}, Invalid),
]


@pytest.mark.parametrize(("content", "error"), BAD)
def test_a_dump_is_loaded_whole_or_not_at_all(
    cluster: EmbeddedCluster, content: dict[str, Any], error: type[MergeError]
) -> None:
    before = list(cluster.dump())
    with pytest.raises(error):
        cluster.load([lived(config_map()), lived(crontabs()), content])
    assert list(cluster.dump()) == before
    assert cluster.create(config_map())["metadata"]["resourceVersion"] == "5"


def test_what_was_not_loaded_is_forgotten(tmp_path: Path) -> None:
    """Another process may assign the resourceVersion of the definitions in here to other ones."""
    file = str(tmp_path / "c.db")
    with open_cluster(file) as one, open_cluster(file) as other:
        with pytest.raises(BadRequest):
            one.load([crontabs(), crontab(), {**crontab(), "metadata": {}}])
        other.create(config_map())
        elsewhere = crontabs()
        elsewhere["spec"]["names"]["kind"] = "Other"
        assert version_of(other.create(elsewhere)) == 6
        with pytest.raises(NoMatch):
            one.resource("stable.example.com/v1", "CronTab")


def test_what_is_printed_can_be_loaded(cluster: EmbeddedCluster, tmp_path: Path) -> None:
    cluster.load([lived(deployment()), lived(crontabs()), lived(crontab()), lived(config_map(a="x: y\n", b="1"))])
    file = tmp_path / "dump.yaml"
    file.write_text("".join(as_list(cluster.dump(), "yaml")), encoding="utf-8")
    with open_cluster(":memory:", origins=origins()) as other:
        other.load([one.content for one in read_manifests([str(file)], Files())])
        assert list(other.dump()) == list(cluster.dump())


def test_a_list_is_printed_as_kubectl_does(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1"))
    text = "".join(as_list(map(without_managed_fields, cluster.list("v1", "ConfigMap")), "yaml"))
    assert text == (
        "apiVersion: v1\n"
        "items:\n"
        "- apiVersion: v1\n"
        "  data:\n"
        '    a: "1"\n'
        "  kind: ConfigMap\n"
        "  metadata:\n"
        '    creationTimestamp: "2026-01-02T03:04:05Z"\n'
        "    name: settings\n"
        "    namespace: default\n"
        '    resourceVersion: "5"\n'
        "    uid: uid-5\n"
        "kind: List\n"
        "metadata:\n"
        '  resourceVersion: ""\n'
    )
    assert "".join(as_list([], "yaml")) == 'apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: ""\n'


def test_a_reset_cluster_is_as_new_and_counts_on(cluster: EmbeddedCluster) -> None:
    new = [Reference.of(one) for one in cluster.dump()]
    cluster.create(crontabs())
    made = cluster.create(crontab())
    cluster.reset()
    assert [Reference.of(one) for one in cluster.dump()] == new
    with pytest.raises(NoMatch):
        cluster.get(Reference.of(crontab()))
    assert version_of(cluster.create(config_map())) > version_of(made)
