"""The served kinds of a cluster, by release and definition."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.kinds.builtin_kinds import DEFINITION
from kubemerge.apiserver.resources import Kinds
from kubemerge.cluster import ClusterError, Invalid, NoMatch, Reference, open_cluster

from .conftest import crontab, crontabs, deployment

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster


@pytest.mark.parametrize("release", engine.releases())
def test_every_kind_can_be_asked_for(release: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        resources = cluster.resources()
        assert len({(one.api_version, one.kind) for one in resources}) == len(resources) > 40
        assert not [one.kind for one in resources if one.kind.endswith("List") or one.kind.endswith("Review")]
        for one in resources:
            assert cluster.resource(one.api_version, one.kind) == one
            assert cluster.schema(one.api_version, one.kind).kind == one.kind


SCOPES = [
    ("v1", "Node", False),
    ("v1", "Pod", True),
    ("batch/v1", "CronJob", True),
    ("policy/v1", "PodDisruptionBudget", True),
    ("networking.k8s.io/v1", "IngressClass", False),
    ("node.k8s.io/v1", "RuntimeClass", False),
    ("resource.k8s.io/v1", "ResourceSlice", False),
    ("resource.k8s.io/v1", "ResourceClaim", True),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition", False),
    ("storage.k8s.io/v1", "CSIStorageCapacity", True),
]


@pytest.mark.parametrize(("api_version", "kind", "namespaced"), SCOPES)
def test_the_scope_of_a_kind(cluster: EmbeddedCluster, api_version: str, kind: str, namespaced: bool) -> None:
    assert cluster.resource(api_version, kind).namespaced is namespaced


def test_a_definition_adds_a_kind(cluster: EmbeddedCluster) -> None:
    with pytest.raises(NoMatch):
        cluster.create(crontab())
    cluster.create(crontabs(status=False))
    resource = cluster.resource("stable.example.com/v1", "CronTab")
    assert (resource.plural, resource.short_names, resource.namespaced) == ("crontabs", ("ct",), True)
    assert (resource.patch_types, resource.has_status, resource.built_in) == (("apply", "json", "merge"), False, False)
    rule = cluster.schema("stable.example.com/v1", "CronTab").rule("spec.cron")
    assert rule is not None
    assert rule.of == "string"


def test_a_custom_resource_counts_everything_but_metadata_and_status(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    made = cluster.create({**crontab(cron="1"), "other": 1, "status": {"a": 1}})
    assert made["metadata"]["generation"] == 1
    assert "status" not in made
    reference = Reference.of(made)
    steps: list[tuple[dict[str, Any], int]] = [
        ({"metadata": {"annotations": {"a": "b"}}}, 1),
        ({"status": {"a": 2}}, 1),
        ({"other": 2}, 2),
        ({"spec": {"cron": "2"}}, 3),
    ]
    for patch, generation in steps:
        assert cluster.patch(reference, patch, "merge")["metadata"]["generation"] == generation


def test_without_a_status_subresource_status_is_content(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs(status=False))
    made = cluster.create({**crontab(), "status": {"a": 1}})
    assert made["status"] == {"a": 1}
    after = cluster.patch(Reference.of(made), {"status": {"a": 2}}, "merge")
    assert (after["status"], after["metadata"]["generation"]) == ({"a": 2}, 2)


def test_a_definition_may_change_its_versions(cluster: EmbeddedCluster) -> None:
    defined = cluster.create(crontabs())
    made = cluster.create(crontab(cron="1"))
    version = cluster.get(Reference.of(defined))["metadata"]["resourceVersion"]
    changed = crontabs(names=("v1", "v2"))
    changed["metadata"]["resourceVersion"] = version
    cluster.replace(changed)
    assert cluster.get(Reference.of(crontab(version="v2"))) == {**made, "apiVersion": "stable.example.com/v2"}


IMMUTABLE = [
    ({"scope": "Cluster"}, 'spec.scope: Invalid value: "Cluster": field is immutable'),
    ({"names": {"kind": "Other"}}, 'spec.names.kind: Invalid value: "Other": field is immutable'),
    ({"names": {"plural": "others"}}, 'spec.names.plural: Invalid value: "others": field is immutable'),
    ({"group": "other.example"}, 'spec.group: Invalid value: "other.example": field is immutable'),
    (
        {"names": {"kind": "Other"}, "scope": "Cluster"},
        '[spec.scope: Invalid value: "Cluster": field is immutable, '
        'spec.names.kind: Invalid value: "Other": field is immutable]',
    ),
]


@pytest.mark.parametrize(("spec", "said"), IMMUTABLE)
def test_what_objects_are_kept_by_stays(cluster: EmbeddedCluster, spec: dict[str, Any], said: str) -> None:
    made = cluster.create(crontabs())
    cluster.create(crontab())
    with pytest.raises(Invalid) as refused:
        cluster.patch(Reference.of(made), {"spec": spec}, "merge")
    assert str(refused.value).endswith(f"is invalid: {said}")
    assert cluster.get(Reference.of(crontab()))["kind"] == "CronTab"


def test_a_scope_that_was_left_out_may_be_given(tmp_path: Path) -> None:
    with open_cluster(str(tmp_path / "c"), release="1.15") as cluster:
        old = {**crontabs(), "apiVersion": "apiextensions.k8s.io/v1beta1"}
        del old["spec"]["scope"]
        at = Reference.of(cluster.create(old))
        assert cluster.patch(at, {"spec": {"scope": "Namespaced"}}, "merge")["spec"]["scope"] == "Namespaced"
        with pytest.raises(Invalid, match="immutable"):
            cluster.patch(at, {"spec": {"scope": "Cluster"}}, "merge")


def test_a_cluster_scoped_custom_resource(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs("Cluster"))
    assert "namespace" not in cluster.create(crontab())["metadata"]


def test_every_process_sees_a_new_definition(tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    with open_cluster(file) as one, open_cluster(file) as other:
        with pytest.raises(NoMatch):
            other.resource("stable.example.com/v1", "CronTab")
        one.create(crontabs())
        other.create(crontab())
        one.delete(Reference.of(crontabs()))
        with pytest.raises(NoMatch):
            other.get(Reference.of(crontab()))


BAD_DEFINITIONS: list[tuple[str, dict[str, Any], str]] = [
    ("no group", {"group": None}, 'CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is inv'),
    ("no versions", {"versions": []}, "must have exactly one version marked as storage version"),
    ("another group", {"group": "example.com"}, 'must be spec.names.plural+"."+spec.group'),
    ("names that are none", {"names": {}}, "is invalid"),
]


@pytest.mark.parametrize(("spec", "said"), [case[1:] for case in BAD_DEFINITIONS], ids=[c[0] for c in BAD_DEFINITIONS])
def test_a_definition_must_be_in_order(cluster: EmbeddedCluster, spec: dict[str, Any], said: str) -> None:
    wanted = crontabs()
    wanted["spec"] |= spec
    with pytest.raises(Invalid) as caught:
        cluster.create(wanted)
    assert said in str(caught.value)


def test_what_a_definition_says_amiss_of_its_names_is_passed_over(cluster: EmbeddedCluster) -> None:
    wanted = crontabs()
    wanted["spec"]["names"] |= {"plural": 5, "shortNames": ["ct", 7]}
    wanted["spec"]["subresources"] = "status"
    cluster.load([wanted])  # it could not be created
    assert cluster.resource("stable.example.com/v1", "CronTab").short_names == ("ct",)


@pytest.mark.parametrize("release", ["1.7", "1.11", "1.20"])
def test_definitions_of_old_releases(release: str) -> None:
    """The tables of 1.7 to 1.10 lack the kind, but clusters of these releases had it."""
    definition = crontabs()
    definition["apiVersion"] = "apiextensions.k8s.io/v1beta1"
    (version,) = definition["spec"].pop("versions")
    definition["spec"] |= {"version": "v1", "validation": version["schema"], "subresources": {"status": {}}}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(definition)
        cluster.create(crontab())
        assert cluster.resource("stable.example.com/v1", "CronTab").has_status
        assert {"CustomResourceDefinition", "APIService", "CronTab"} <= {one.kind for one in cluster.resources()}


def test_a_file_opened_with_another_release_serves_its_kinds(tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    strategies = ("seLinux", "runAsUser", "fsGroup", "supplementalGroups")
    spec = {one: {"rule": "RunAsAny"} for one in strategies}
    old = {"apiVersion": "policy/v1beta1", "kind": "PodSecurityPolicy", "metadata": {"name": "a"}, "spec": spec}
    with open_cluster(file, release="1.20") as cluster:
        cluster.create(old)
        cluster.create(deployment())
        assert (cluster.release, cluster.stored_release) == ("1.20", "1.20")
    with open_cluster(file, release="1.31") as cluster:
        assert (cluster.release, cluster.stored_release) == ("1.31", "1.20")
        with pytest.raises(NoMatch, match=r"1\.31 does not serve it \(served in"):
            cluster.get(Reference.of(old))
        assert cluster.get(Reference.of(deployment()))
        assert [one["kind"] for one in cluster.dump()].count("PodSecurityPolicy") == 1
    with open_cluster(file) as cluster:
        assert cluster.release == "1.20"
        assert cluster.get(Reference.of(old))


def test_a_release_must_be_known(tmp_path: Path) -> None:
    with pytest.raises(engine.UnknownRelease):
        open_cluster(str(tmp_path / "c.db"), release="1.99")
    assert list(tmp_path.iterdir()) == []


def _thing(random: Random, number: int) -> dict[str, Any]:
    """A definition. Three numbers share two kinds, and each has versions and a schema by chance."""
    versions = random.sample(["v1", "v1beta1", "v2"], random.randrange(1, 4))
    found = crontabs(status=bool(number % 2), names=("v1",))
    version = found["spec"]["versions"][0]
    listed = [{**version, "name": name, "storage": not at} for at, name in enumerate(versions)]
    names = {"plural": f"things{number}", "singular": f"thing{number}", "kind": f"Thing{number % 4}"}
    spec = {**found["spec"], "names": {**names, "listKind": f"Thing{number}List"}, "versions": listed}
    return {**found, "metadata": {"name": f"things{number}.stable.example.com"}, "spec": spec}


def _change(random: Random, cluster: EmbeddedCluster) -> None:
    thing = _thing(random, random.randrange(6))
    reference = Reference.of(thing)
    with suppress(ClusterError):
        match random.randrange(12):
            case 0:
                cluster.load([thing])
            case 1:
                cluster.reset()
            case 2 | 3 | 4:
                cluster.delete(reference)
            case 5:
                cluster.create({**thing, "spec": {}})
            case 6:
                cluster.patch(reference, {"metadata": {"labels": {"a": str(random.random())}}}, "merge")
            case _:
                cluster.create(thing)


def test_after_any_changes_the_kinds_are_those_of_a_new_start(tmp_path: Path) -> None:
    random, file = Random("kinds"), str(tmp_path / "cluster.db")
    with open_cluster(file) as one, open_cluster(file) as other:
        for _ in range(60):
            _change(random, random.choice((one, other)))
            for cluster in (one, other) if random.randrange(3) else (one,):
                store = cluster._store
                with store.reading():
                    now, definitions = cluster._kinds(), list(store.of_kind(*DEFINITION))
                    fresh = Kinds(cluster.patch_release, definitions.copy)
                    assert now.all() == fresh.all()
                    for resource in fresh.all():
                        if not resource.built_in:
                            assert now.schema(resource) == fresh.schema(resource)
                            assert now.definition(resource) == fresh.definition(resource)
                            assert now.definition_of(resource.group, resource.kind) == fresh.definition_of(
                                resource.group, resource.kind
                            )
