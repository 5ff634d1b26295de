"""Every write is recorded in metadata.managedFields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.errors import UnknownReason
from kubemerge.apiserver.scale import scale_of
from kubemerge.cluster import (
    ApplyConflict,
    BadRequest,
    ClusterError,
    Conflict,
    Invalid,
    NoResource,
    NotFound,
    Reference,
    Resource,
    UnsupportedMediaType,
    open_cluster,
)

from .conftest import NOW, config_map, config_map_ref, crontab, crontabs, deployment, namespace, origins

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

WEB = Reference.of(deployment())


def owners(content: dict[str, Any]) -> dict[str, set[str]]:
    """The paths of each manager. An update through a subresource has its name after a slash."""
    found: dict[str, set[str]] = {}
    for owner in engine.field_owners(content):
        name = owner.manager + (f"/{owner.subresource}" if owner.subresource else "")
        found.setdefault(f"{name} {owner.operation}", set()).add(owner.path)
    return found


def bare_deployment(**spec: Any) -> dict[str, Any]:
    config = deployment(**spec)
    del config["metadata"]["labels"]
    return config


def test_who_creates_owns_all_but_what_is_there_from_the_start(cluster: EmbeddedCluster) -> None:
    made = cluster.create(bare_deployment(), manager="me")
    (entry,) = made["metadata"]["managedFields"]
    assert (entry["manager"], entry["operation"], entry["time"]) == ("me", "Update", NOW)
    assert entry["fieldsV1"]["f:spec"]["f:strategy"] == {
        "f:rollingUpdate": {".": {}, "f:maxSurge": {}, "f:maxUnavailable": {}},
        "f:type": {},
    }
    assert set(entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:containers"]) == {'k:{"name":"main"}'}


def test_a_writer_without_a_name_is_kubemerge(cluster: EmbeddedCluster) -> None:
    assert set(owners(cluster.create(config_map(a="1")))) == {"kubemerge Update"}


def test_a_replace_takes_what_it_changes(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1", b="1"), manager="one")
    assert owners(cluster.replace(config_map(a="2", b="1", c="3"), manager="two")) == {
        "one Update": {"data", "data.b"},
        "two Update": {"data.a", "data.c"},
    }


PATCHES: list[tuple[str, Any]] = [
    ("json", [{"op": "replace", "path": "/data/a", "value": "2"}]),
    ("merge", {"data": {"a": "2"}}),
    ("strategic", {"data": {"a": "2"}}),
]


@pytest.mark.parametrize(("patch_type", "patch"), PATCHES)
def test_each_patch_takes_what_it_changes(cluster: EmbeddedCluster, patch_type: str, patch: Any) -> None:
    cluster.create(config_map(a="1", b="1"), manager="one")
    after = cluster.patch(config_map_ref(), patch, patch_type, manager="two")
    assert owners(after) == {"one Update": {"data", "data.b"}, "two Update": {"data.a"}}


def test_a_patch_that_changes_nothing_is_not_written(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"), manager="one")
    assert cluster.patch(config_map_ref(), {"data": {"a": "1"}}, "merge", manager="two") == made


def test_status_is_owned_through_its_subresource(cluster: EmbeddedCluster) -> None:
    cluster.create(bare_deployment(), manager="one")
    after = cluster.patch(WEB, {"status": {"replicas": 3}}, "merge", manager="two", subresource="status")
    assert owners(after)["two/status Update"] == {"status.replicas"}


def test_the_number_of_replicas_is_owned_through_scale(cluster: EmbeddedCluster) -> None:
    before = cluster.create(bare_deployment(replicas=1), manager="one")
    scale = cluster.patch(WEB, {"spec": {"replicas": 3}}, "merge", manager="two", subresource="scale")
    assert scale == {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {
            "name": "web",
            "namespace": "default",
            "uid": "uid-5",
            "resourceVersion": str(int(before["metadata"]["resourceVersion"]) + 1),
            "creationTimestamp": NOW,
        },
        "spec": {"replicas": 3},
        "status": {"replicas": 0, "selector": "app=web"},
    }
    after = cluster.get(WEB)
    assert after["metadata"]["generation"] == 2
    assert owners(after)["two/scale Update"] == {"spec.replicas"}
    assert "spec.replicas" not in owners(after)["one Update"]


def test_a_custom_resource_is_scaled_where_its_definition_says(cluster: EmbeddedCluster) -> None:
    definition = crontabs()
    (version,) = definition["spec"]["versions"]
    paths = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
    version["subresources"]["scale"] = {**paths, "labelSelectorPath": ".spec.chosen"}
    fields = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    fields |= {"size": {"type": "integer"}, "chosen": {"type": "string"}}
    cluster.create(definition)
    cluster.create(crontab(size=1, chosen="app=x"), manager="one")
    at = Reference.of(crontab())
    scale = cluster.patch(at, {"spec": {"replicas": 3}}, "merge", manager="two", subresource="scale")
    assert (scale["spec"], scale["status"]) == ({"replicas": 3}, {"replicas": 0, "selector": "app=x"})
    found = owners(cluster.get(at))
    assert found["two/scale Update"] == {"spec.size"}
    assert "spec.size" not in found["one Update"]


def test_a_scale_has_the_selector_as_text() -> None:
    resource = Resource("apps", "v1", "ReplicaSet", "replicasets", namespaced=True, scaled_by="spec.replicas")
    selector = {
        "matchLabels": {"app": "x"},
        "matchExpressions": [
            {"key": "new", "operator": "Exists"},
            {"key": "tier", "operator": "In", "values": ["b", "a"]},
            {"key": "old", "operator": "DoesNotExist"},
            {"key": "app", "operator": "NotIn", "values": ["q"]},
        ],
    }
    made = scale_of({"metadata": {"name": "x"}, "spec": {"replicas": 0, "selector": selector}}, resource, None)
    # set by a server
    assert made["status"] == {"replicas": 0, "selector": "app=x,app notin (q),new,!old,tier in (a,b)"}
    assert made["spec"] == {}
    spec = {"replicas": 1, "selector": {"b": "2", "a": "1"}}  # of a ReplicationController
    made = scale_of({"metadata": {"name": "x"}, "spec": spec}, resource, None)
    assert made["status"]["selector"] == "a=1,b=2"


def test_a_scale_is_for_the_state_that_it_names(cluster: EmbeddedCluster) -> None:
    cluster.create(bare_deployment())
    patch = {"metadata": {"resourceVersion": "1"}, "spec": {"replicas": 3}}
    with pytest.raises(Conflict):
        cluster.patch(WEB, patch, "merge", subresource="scale")
    cluster.create(config_map())
    with pytest.raises(NoResource):
        cluster.patch(config_map_ref(), patch, "merge", subresource="scale")


def test_an_apply_creates_and_owns_what_it_says(cluster: EmbeddedCluster) -> None:
    made = cluster.patch(WEB, bare_deployment(), "apply", manager="me")
    assert made["spec"]["revisionHistoryLimit"] == 10
    assert owners(made)["me Apply"] == {
        "spec.selector",
        "spec.template.metadata.labels.app",
        "spec.template.spec.containers[name=main]",
        "spec.template.spec.containers[name=main].image",
        "spec.template.spec.containers[name=main].name",
    }
    assert cluster.patch(WEB, bare_deployment(), "apply", manager="me") == made


def test_a_conflict_is_refused_unless_it_is_forced(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"), manager="one")
    with pytest.raises(ApplyConflict) as caught:
        cluster.patch(config_map_ref(), config_map(a="2"), "apply", manager="two")
    assert str(caught.value) == 'Apply failed with 1 conflict: conflict with "one" using v1: .data.a'
    assert [(one.path, one.manager) for one in caught.value.conflicts] == [("data.a", "one")]
    assert (caught.value.code, caught.value.reason) == (409, "Conflict")
    assert cluster.get(config_map_ref()) == made
    after = cluster.patch(config_map_ref(), config_map(a="2"), "apply", manager="two", force=True)
    assert owners(after) == {"two Apply": {"data.a"}, "one Update": {"data"}}


def test_an_apply_is_for_the_object_that_it_names(cluster: EmbeddedCluster) -> None:
    def asking(**metadata: str) -> dict[str, Any]:
        config = config_map(a="1")
        return {**config, "metadata": {**config["metadata"], **metadata}}

    cluster.patch(config_map_ref(), asking(resourceVersion="7"), "apply", manager="me")  # to create it, any is accepted
    with pytest.raises(Conflict):
        cluster.patch(config_map_ref(), asking(resourceVersion="999"), "apply", manager="me")
    with pytest.raises(Invalid, match=r'metadata\.uid: Invalid value: "7": field is immutable'):
        cluster.patch(config_map_ref(), asking(uid="7"), "apply", manager="me")


def test_what_a_manager_gives_up_goes(cluster: EmbeddedCluster) -> None:
    cluster.patch(config_map_ref(), config_map(a="1", b="1"), "apply", manager="me")
    after = cluster.patch(config_map_ref(), config_map(a="1"), "apply", manager="me", dry_run=True)
    assert after["data"] == {"a": "1"}
    assert cluster.get(config_map_ref())["data"] == {"a": "1", "b": "1"}


def test_the_same_value_in_another_form_is_not_written(cluster: EmbeddedCluster) -> None:
    config = bare_deployment()
    config["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "1000m"}}
    with open_cluster(":memory:") as moving:  # with a running clock
        made = moving.patch(WEB, config, "apply", manager="me")
        made["metadata"]["managedFields"][0]["time"] = NOW
        moving.load([made])
        assert moving.patch(WEB, config, "apply", manager="me") == made


NOT_APPLIED: dict[str, tuple[dict[str, Any], str, type[ClusterError], str]] = {
    "an unknown field": (
        bare_deployment(foo=1),
        "me",
        UnknownReason,
        "failed to create typed patch object (default/web; apps/v1, Kind=Deployment): "
        ".spec.foo: field not declared in schema",
    ),
    "managedFields": (
        {**deployment(), "metadata": {"name": "web", "managedFields": []}},
        "me",
        BadRequest,
        "metadata.managedFields must be nil; leave it out of config",
    ),
    "no manager": (
        bare_deployment(),
        "",
        Invalid,
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ),
}


@pytest.mark.parametrize("case", NOT_APPLIED)
def test_what_cannot_be_applied(cluster: EmbeddedCluster, case: str) -> None:
    config, manager, error, said = NOT_APPLIED[case]
    with pytest.raises(error) as caught:
        cluster.patch(WEB, config, "apply", manager=manager)
    assert str(caught.value) == said
    with pytest.raises(NotFound):
        cluster.get(WEB)


def test_a_live_object_that_does_not_fit_its_type(cluster: EmbeddedCluster) -> None:
    odd = bare_deployment(foo=1)
    cluster.load([odd])
    with pytest.raises(ClusterError, match=r"^failed to create typed live object \(default/web; apps/v1, Kind=Dep"):
        cluster.patch(WEB, bare_deployment(), "apply", manager="me")


def test_custom_resources_are_booked_by_their_schema(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    made = cluster.create(crontab(cron="* * * * *"), manager="one")
    assert owners(made) == {"one Update": {"spec", "spec.cron"}}
    with pytest.raises(ApplyConflict):
        cluster.patch(Reference.of(crontab()), crontab(cron="0 * * * *"), "apply", manager="two")


@pytest.mark.parametrize("entries", [[], [{}]])
def test_managed_fields_can_be_forgotten(cluster: EmbeddedCluster, entries: list[Any]) -> None:
    cluster.create(config_map(a="1"))
    after = cluster.patch(config_map_ref(), {"metadata": {"managedFields": entries}}, "merge")
    assert "managedFields" not in after["metadata"]
    after = cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge")
    assert "managedFields" not in after["metadata"]  # objects without managedFields stay without them
    after = cluster.patch(config_map_ref(), config_map(b="1"), "apply", manager="me")
    assert owners(after) == {"me Apply": {"data.b"}, "before-first-apply Update": {"data", "data.a"}}


def test_what_is_deleted_and_made_again_belongs_to_who_did_it(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"), manager="one")
    anew = cluster.recreate(config_map(a="1"), uid=made["metadata"]["uid"], manager="two")
    assert anew is not None
    assert set(owners(anew)) == {"two Update"}


def test_a_namespace_is_booked_with_the_label_of_its_name(cluster: EmbeddedCluster) -> None:
    labels = {"metadata.labels", 'metadata.labels["kubernetes.io/metadata.name"]'}
    made = cluster.create(namespace(), manager="me")
    assert owners(made) == {"me Update": labels}
    assert owners(cluster.get(Reference("v1", "Namespace", "default"))) == {"kube-apiserver Update": labels}


RELEASES = {"1.15": (False, False), "1.16": (False, True), "1.17": (False, True), "1.18": (True, True)}


@pytest.mark.parametrize("release", RELEASES)
def test_old_releases_book_as_their_servers_did(release: str) -> None:
    created, applied = RELEASES[release]
    with open_cluster(":memory:", release=release, origins=origins()) as cluster:
        assert ("managedFields" in cluster.create(config_map(a="1"))["metadata"]) is created
        if applied:
            after = cluster.patch(config_map_ref(), config_map(a="1"), "apply", manager="me")
            assert owners(after)["me Apply"] == {"data.a"}
        else:
            with pytest.raises(UnsupportedMediaType):
                cluster.patch(config_map_ref(), config_map(a="1"), "apply", manager="me")
            after = cluster.patch(config_map_ref(), {"data": {"b": "2"}}, "merge")
            assert "managedFields" not in after["metadata"]


def test_default_values_of_a_newer_release_belong_to_nobody(tmp_path: Path) -> None:
    file = str(tmp_path / "cluster.db")
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "s", "namespace": "default"},
        "spec": {"selector": {"app": "x"}, "ports": [{"port": 80}]},
    }
    with open_cluster(file, release="1.20") as old:
        assert "internalTrafficPolicy" not in old.create(service, manager="one")["spec"]
    with open_cluster(file, release="1.37") as new:
        after = new.patch(Reference.of(service), {"metadata": {"labels": {"a": "b"}}}, "merge", manager="two")
    assert after["spec"]["internalTrafficPolicy"] == "Cluster"
    assert owners(after)["two Update"] == {"metadata.labels", "metadata.labels.a"}
    assert "spec.internalTrafficPolicy" not in owners(after)["one Update"]


@pytest.mark.parametrize(("selector", "owner"), [({}, "one Update"), ({"matchLabels": {}}, "two Update")])
def test_an_atomic_list_is_compared_as_it_was_sent(
    selector: dict[str, Any], owner: str, cluster: EmbeddedCluster
) -> None:
    def policy(selected: dict[str, Any]) -> dict[str, Any]:
        metadata = {"name": "n", "namespace": "default"}
        spec = {"podSelector": {}, "ingress": [{"from": [{"podSelector": selected}]}]}
        return {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": metadata, "spec": spec}

    cluster.create(policy({}), manager="one")
    found = owners(cluster.replace(policy(selector), manager="two"))
    assert [name for name, paths in found.items() if "spec.ingress" in paths] == [owner]
