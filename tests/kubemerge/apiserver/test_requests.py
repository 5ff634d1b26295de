"""Creating, reading, replacing and listing objects."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.apiserver.errors import UnknownReason
from kubemerge.cluster import (
    AlreadyExists,
    BadRequest,
    Cluster,
    ClusterError,
    Conflict,
    Invalid,
    NoMatch,
    NotFound,
    Reference,
    open_cluster,
)

from ...conftest import NEWEST
from .conftest import MADE_BY_SERVER, NOW, config_map, config_map_ref, deployment, namespace, version_of

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

WEB = Reference("apps/v1", "Deployment", "web")


def test_the_embedded_cluster_is_a_cluster(cluster: EmbeddedCluster) -> None:
    any_cluster: Cluster = cluster
    assert any_cluster.resource("apps/v1", "Deployment").plural == "deployments"


def test_a_created_object_has_what_the_server_gives(cluster: EmbeddedCluster) -> None:
    made = cluster.create(deployment())
    said = made["metadata"]
    assert said["creationTimestamp"] == NOW
    assert (said["uid"], said["generation"], said["namespace"]) == ("uid-5", 1, "default")
    assert said["resourceVersion"] == "5", "after the four namespaces"
    assert cluster.get(WEB) == made


def test_what_a_request_says_of_the_servers_own_is_not_listened_to(cluster: EmbeddedCluster) -> None:
    wanted = config_map(a="1")
    wanted["metadata"] |= {"uid": "mine", "creationTimestamp": None, "deletionTimestamp": NOW, "selfLink": "/x"}
    said = cluster.create(wanted)["metadata"]
    assert said["uid"] == "uid-5"
    assert set(said) == {"name", "namespace", "creationTimestamp", "uid", "resourceVersion", "managedFields"}


def test_a_kind_without_generations_has_none(cluster: EmbeddedCluster) -> None:
    assert "generation" not in cluster.create(config_map())["metadata"]


def test_status_is_not_taken_from_a_request(cluster: EmbeddedCluster) -> None:
    assert cluster.create({**deployment(), "status": {"replicas": 9}})["status"] == {}


def test_a_null_is_not_a_field(cluster: EmbeddedCluster) -> None:
    made = cluster.create(deployment(paused=None))
    assert "paused" not in made["spec"]


def test_a_name_can_be_generated(cluster: EmbeddedCluster) -> None:
    wanted = config_map()
    wanted["metadata"] = {"generateName": "job-"}
    names = [cluster.create(wanted)["metadata"]["name"] for _ in range(2)]
    assert names == ["job-00001", "job-00002"]


def test_nothing_is_shared_with_the_caller(cluster: EmbeddedCluster) -> None:
    wanted = deployment()
    before = deepcopy(wanted)
    made = cluster.create(wanted)
    assert wanted == before
    made["spec"]["replicas"] = 99
    wanted["spec"]["paused"] = True
    assert cluster.get(WEB)["spec"].get("replicas") != 99
    assert "paused" not in cluster.get(WEB)["spec"]


REFUSED: list[tuple[str, Any, type[MergeError], int, str]] = [
    ("no map", [], BadRequest, 400, "an object is a map, not a list"),
    ("no apiVersion", {"kind": "Pod", "metadata": {"name": "a"}}, BadRequest, 400, "apiVersion: an object requires it"),
    ("no kind", {"apiVersion": "v1", "metadata": {"name": "a"}}, BadRequest, 400, "kind: an object requires it"),
    ("a name that is a number", config_map() | {"metadata": {"name": 5}}, BadRequest, 400, "metadata.name: must be a"),
    (
        "labels that are no map",
        config_map() | {"metadata": {"labels": "a"}},
        BadRequest,
        400,
        "metadata.labels: must be",
    ),
    ("metadata that is no map", config_map() | {"metadata": 3}, BadRequest, 400, "metadata: must be a map, not an int"),
    (
        "no name",
        config_map() | {"metadata": {}},
        Invalid,
        422,
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ),
    (
        "a resourceVersion",
        config_map() | {"metadata": {"name": "a", "resourceVersion": "1"}},
        UnknownReason,
        500,
        "resourceVersion should not be set on objects to be created",
    ),
    ("a missing namespace", config_map(namespace="shop"), NotFound, 404, 'namespaces "shop" not found'),
    (
        "an unknown kind",
        {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}},
        NoMatch,
        404,
        'no matches for kind "Thing" in version "example.com/v1"; apply its CustomResourceDefinition first',
    ),
    (
        "a kind of another release",
        {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "metadata": {"name": "a"}},
        NoMatch,
        404,
        f'no matches for kind "Deployment" in version "extensions/v1beta1"; Kubernetes {NEWEST} does not serve it '
        "(served in 1.7 to 1.17); did you mean Deployment of apps/v1?",
    ),
    (
        "a kind that is not stored",
        {"apiVersion": "v1", "kind": "ConfigMapList", "metadata": {}},
        NoMatch,
        404,
        'no matches for kind "ConfigMapList" in version "v1"',
    ),
]


@pytest.mark.parametrize(
    ("content", "error", "code", "said"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_what_cannot_be_created(
    cluster: EmbeddedCluster, content: Any, error: type[ClusterError], code: int, said: str
) -> None:
    before = list(cluster.dump())
    with pytest.raises(error) as caught:
        cluster.create(content)
    assert str(caught.value).startswith(said)
    assert caught.value.code == code
    assert list(cluster.dump()) == before


def test_an_object_is_created_once(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    with pytest.raises(AlreadyExists, match=r'^deployments\.apps "web" already exists$') as caught:
        cluster.create(deployment())
    assert (caught.value.code, caught.value.reason) == (409, "AlreadyExists")


def test_what_is_not_there_is_not_found(cluster: EmbeddedCluster) -> None:
    with pytest.raises(NotFound, match=r'^deployments\.apps "web" not found$'):
        cluster.get(WEB)
    with pytest.raises(NotFound, match=r'^pods "x" not found$'):
        cluster.delete(Reference("v1", "Pod", "x"))


def test_a_version_of_a_kind_sees_what_another_wrote() -> None:
    with open_cluster(":memory:", release="1.15") as cluster:
        made = cluster.create({**deployment(), "apiVersion": "extensions/v1beta1"})
        for api_version in ("apps/v1beta1", "apps/v1beta2", "apps/v1"):
            seen = cluster.get(Reference(api_version, "Deployment", "web"))
            assert seen == {**made, "apiVersion": api_version}
        (listed,) = cluster.list("apps/v1", "Deployment")
        assert listed["apiVersion"] == "apps/v1"


@pytest.mark.parametrize(("release", "labels"), [("1.20", None), ("1.21", {"kubernetes.io/metadata.name": "shop"})])
def test_a_namespace_is_active(release: str, labels: dict[str, str] | None) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(namespace())
        assert made["metadata"].get("labels") == labels
        assert (made["spec"], made["status"]) == ({"finalizers": ["kubernetes"]}, {"phase": "Active"})
        known = cluster.get(Reference("v1", "Namespace", "default"))
        assert (known["spec"], known["status"]) == (made["spec"], made["status"])


def test_replacing_keeps_what_is_the_servers(cluster: EmbeddedCluster) -> None:
    made = cluster.create(deployment(replicas=1))
    after = cluster.replace(deployment(replicas=2, image="nginx:2"))
    kept = [key for key in MADE_BY_SERVER if key not in ("generation", "resourceVersion")]
    assert [after["metadata"][key] for key in kept] == [made["metadata"][key] for key in kept]
    assert after["metadata"]["generation"] == 2
    assert version_of(after) == version_of(made) + 1
    assert after["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx:2"


def test_a_stale_resource_version_is_refused(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"))
    cluster.replace({**made, "data": {"a": "2"}})
    with pytest.raises(Conflict) as caught:
        cluster.replace({**made, "data": {"a": "3"}})
    assert str(caught.value) == (
        'Operation cannot be fulfilled on configmaps "settings": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )
    assert cluster.get(config_map_ref())["data"] == {"a": "2"}


def test_another_incarnation_is_refused(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1"))
    other = config_map(a="2")
    other["metadata"]["uid"] = "of-before"
    with pytest.raises(Conflict, match="UID in precondition: of-before, UID in object meta: uid-5"):
        cluster.replace(other)


def test_what_is_not_there_cannot_be_replaced(cluster: EmbeddedCluster) -> None:
    with pytest.raises(NotFound):
        cluster.replace(config_map())


def test_a_change_of_nothing_changes_nothing(cluster: EmbeddedCluster) -> None:
    made = cluster.create(deployment(replicas=1))
    assert cluster.replace(deployment(replicas=1)) == made
    assert cluster.get(WEB) == made


def test_status_is_written_apart(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment(replicas=1))
    after = cluster.patch(WEB, {"status": {"replicas": 1}, "spec": {"replicas": 7}}, "merge", subresource="status")
    assert (after["status"], after["spec"]["replicas"]) == ({"replicas": 1}, 1)
    assert after["metadata"]["generation"] == 1
    later = cluster.patch(WEB, {"status": {"replicas": 5}, "spec": {"replicas": 7}}, "merge")
    assert (later["status"], later["spec"]["replicas"]) == ({"replicas": 1}, 7)
    with pytest.raises(ClusterError, match="the server could not find the requested resource"):
        cluster.replace(cluster.create(config_map()), subresource="status")


GENERATIONS = [
    ({"spec": {"replicas": 9}}, 2),
    ({"metadata": {"labels": {"a": "b"}}}, 1),
    ({"metadata": {"annotations": {"a": "b"}}}, 2),  # a Deployment copies its annotations
    ({"metadata": {"generation": 7}}, 1),
    ({"status": {"replicas": 3}}, 1),
]


@pytest.mark.parametrize(("patch", "generation"), GENERATIONS, ids=[str(patch) for patch, _ in GENERATIONS])
def test_the_generation_counts_what_is_asked_for(
    cluster: EmbeddedCluster, patch: dict[str, Any], generation: int
) -> None:
    cluster.create(deployment(replicas=1))
    assert cluster.patch(WEB, patch, "strategic")["metadata"]["generation"] == generation


def test_only_a_deployment_counts_annotations(cluster: EmbeddedCluster) -> None:
    cluster.create({**deployment(), "kind": "DaemonSet"})
    after = cluster.patch(Reference("apps/v1", "DaemonSet", "web"), {"metadata": {"annotations": {"a": "b"}}}, "merge")
    assert after["metadata"]["generation"] == 1


def test_objects_are_listed_by_namespace_and_name(cluster: EmbeddedCluster) -> None:
    for place, name in [("kube-system", "a"), ("default", "c"), ("default", "b")]:
        made = config_map(name, place)
        made["metadata"]["labels"] = {"name": name}
        cluster.create(made)

    def found(**asked: Any) -> list[str]:
        return [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap", **asked)]

    assert found() == ["b", "c", "a"]
    assert found(namespace="default") == ["b", "c"]
    assert found(selector="name in (a, c)") == ["c", "a"]
    assert found(namespace="nowhere") == []


def test_a_listing_does_not_stand_in_the_way_of_writes(cluster: EmbeddedCluster) -> None:
    for number in range(5):
        cluster.create(config_map(f"m{number}", n="0"))
    for one in cluster.list("v1", "ConfigMap"):
        cluster.patch(Reference.of(one), {"data": {"n": "1"}}, "merge")
    assert {one["data"]["n"] for one in cluster.list("v1", "ConfigMap")} == {"1"}


DRY_RUNS: dict[str, Any] = {
    "create": lambda cluster, dry: cluster.create(deployment("new"), dry_run=dry),
    "replace": lambda cluster, dry: cluster.replace(deployment(replicas=5), dry_run=dry),
    "patch": lambda cluster, dry: cluster.patch(WEB, {"spec": {"replicas": 6}}, "strategic", dry_run=dry),
    "delete": lambda cluster, dry: cluster.delete(WEB, dry_run=dry),
}


@pytest.mark.parametrize("request_", DRY_RUNS)
def test_a_dry_run_answers_the_same_and_writes_nothing(cluster: EmbeddedCluster, request_: str) -> None:
    cluster.create(deployment(replicas=1))
    before = list(cluster.dump())
    told = DRY_RUNS[request_](cluster, True)
    assert list(cluster.dump()) == before
    done = DRY_RUNS[request_](cluster, False)
    for one in (told, done):
        one["metadata"] = {
            key: value for key, value in one["metadata"].items() if key not in ("resourceVersion", "uid")
        }
    assert told == done


def test_cluster_scoped_objects_have_no_namespace(cluster: EmbeddedCluster) -> None:
    made = cluster.create(
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "a", "namespace": "b"},
            "value": 1,
        }
    )
    assert "namespace" not in made["metadata"]
    assert cluster.get(Reference("scheduling.k8s.io/v1", "PriorityClass", "a", "anywhere")) == made


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_is_not_json_is_refused(cluster: EmbeddedCluster, value: object) -> None:
    with pytest.raises(MergeError):
        cluster.create({**config_map(), "data": {"a": value}})


def revision(name: str, data: Any) -> dict[str, Any]:
    """An object with arbitrary data."""
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": metadata, "revision": 1, "data": data}


def test_a_value_of_any_depth_is_stored_or_refused(cluster: EmbeddedCluster) -> None:
    for depth in (200, 2000):
        value: Any = "end"
        for _ in range(depth):
            value = {"a": value}
        try:
            deep = Reference.of(cluster.create(revision(f"deep-{depth}", value)))
            cluster.patch(deep, [{"op": "add", "path": "/data/b", "value": value}], "json")
        except MergeError as error:
            assert "levels" in str(error) or "immutable" in str(error)  # noqa: PT017


def test_an_object_in_no_namespace_is_stored_in_none(cluster: EmbeddedCluster) -> None:
    content = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team", "namespace": "odd"}}
    assert "namespace" not in cluster.create(content)["metadata"]
    patch = {"metadata": {"namespace": "odd", "labels": {"a": "b"}}}
    assert "namespace" not in cluster.patch(Reference("v1", "Namespace", "team"), patch, "merge")["metadata"]


# ---- claims --------------------------------------------------------------------------------------------------------

LESS = "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
CLAIMS: list[tuple[str, str | None, bool, bool]] = [
    # the phase of the claim, the new request, and whether spec and size are rejected
    ("Pending", "500Mi", True, False),
    ("Pending", "2Gi", True, False),
    ("Pending", None, True, True),
    ("Bound", "500Mi", False, True),
    ("Bound", "2Gi", False, False),
    ("Bound", "1024Mi", False, False),
    ("Bound", None, False, True),
]


@pytest.mark.parametrize(("phase", "size", "fixed", "less"), CLAIMS)
def test_a_claim_does_not_shrink(
    cluster: EmbeddedCluster, phase: str, size: str | None, fixed: bool, less: bool
) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "fast"}
    made = cluster.create(
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "a"}, "spec": spec}
    )
    status = {"phase": phase, "capacity": {"storage": "1Gi"} if phase == "Bound" else None}
    cluster.patch(Reference.of(made), {"status": status}, "merge", subresource="status")
    change = {"spec": {"resources": {"requests": {"storage": size}}}}
    if not fixed and not less:
        grows = {"metadata": {"name": "fast"}, "provisioner": "a.b/c", "allowVolumeExpansion": True}
        cluster.create({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", **grows})
        cluster.patch(Reference.of(made), change, "merge")
        return
    with pytest.raises(Invalid) as caught:
        cluster.patch(Reference.of(made), change, "merge")
    found = [*map(str, caught.value.problems)]
    assert (any("spec is immutable" in one for one in found), LESS in found) == (fixed, less)


def test_a_cron_job_has_its_schedule_checked_last(cluster: EmbeddedCluster) -> None:
    spec = {"startingDeadlineSeconds": -1, "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never"}}}}}
    with pytest.raises(Invalid) as caught:
        cluster.create({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a"}, "spec": spec})
    assert [*map(str, caught.value.problems)] == [
        "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.jobTemplate.spec.template.spec.containers: Required value",
        "spec.schedule: Required value",
    ]
