"""ApplySets: their id, their parents, the parents' annotations, and pruning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.actions.apply import apply
from kubemerge.actions.applyset import AlreadyMember, ApplySet
from kubemerge.actions.applyset_parents import (
    ID,
    KINDS,
    MEMBER,
    NAMESPACES,
    RESOURCES,
    TOOLING,
    BadParent,
    Parent,
    parent_called,
)
from kubemerge.actions.requests import placed
from kubemerge.actions.targets import NoSuchResource
from kubemerge.cluster import NotFound, Reference

from ..apiserver.conftest import crontabs
from ..objects import config_map, deployment

if TYPE_CHECKING:
    from kubemerge.cluster import Cluster

    from .conftest import Crowded

TOOL = "kubectl/v1.37.0"
EXAMPLE = "applyset-kdySOVBWs584aaOTmku9Ul1xDuN7LXBjs-R96jQcisk-v1"
SECRET = Reference("v1", "Secret", "my-set", "default")


def parent(cluster: Cluster, text: str = "my-set", namespace: str | None = "default") -> Parent:
    return parent_called(cluster, text, namespace, TOOL)


def start(cluster: Cluster, text: str = "my-set", dry_run: str = "none") -> ApplySet:
    return ApplySet(cluster, parent(cluster, text), dry_run)


def put(cluster: Cluster, one: ApplySet, *configs: dict[str, Any]) -> set[str]:
    """Apply configs as members, and return their uids."""
    uids = set()
    for config in configs:
        resource = cluster.resource(config["apiVersion"], config["kind"])
        member = one.member(placed(config, resource, None))
        one.expect(resource, member["metadata"].get("namespace"))
        uids.add(apply(cluster, member).content["metadata"]["uid"])
    return uids


def told(cluster: Cluster, where: Reference = SECRET) -> tuple[str, str]:
    """The kinds and namespaces that the parent has."""
    annotations = cluster.get(where)["metadata"]["annotations"]
    return annotations[KINDS], annotations[NAMESPACES]


def secret(labels: dict[str, str], annotations: dict[str, str]) -> dict[str, Any]:
    """An object in the place of the parent."""
    metadata = {"name": "my-set", "namespace": "default", "labels": labels, "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}


def space(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


# ---- which object is the parent --------------------------------------------------------------------------------------


def test_the_id_is_that_of_the_specification(cluster: Cluster) -> None:
    assert parent(cluster).id == EXAMPLE


def test_a_parent_as_people_type_it(cluster: Cluster) -> None:
    for text in ("my-set", "secret/my-set", "secrets/my-set"):
        assert parent(cluster, text).reference == SECRET
    found = parent(cluster, "configmap/my-set")
    assert found.reference == Reference("v1", "ConfigMap", "my-set", "default")
    assert found.id != EXAMPLE


@pytest.mark.parametrize(
    ("text", "namespace", "message"),
    [
        ("", "default", "does not name an object"),
        ("secret/", "default", "does not name an object"),
        ("my-set", None, "namespace is required to use namespace-scoped ApplySet"),
        ("deployments.apps/my-set", "default", "cannot be the parent"),
        ("crontabs.stable.example.com/my-set", "default", "cannot be the parent"),
    ],
)
def test_what_cannot_be_a_parent(cluster: Cluster, text: str, namespace: str | None, message: str) -> None:
    cluster.create(crontabs())
    with pytest.raises(BadParent, match=message):
        parent(cluster, text, namespace)
    with pytest.raises(NoSuchResource):
        parent(cluster, "secrit/my-set")


def test_a_custom_resource_is_not_a_secret_for_being_called_so(cluster: Cluster) -> None:
    definition = crontabs()
    definition["spec"]["names"]["kind"] = "Secret"
    cluster.create(definition)
    with pytest.raises(BadParent, match="cannot be the parent"):
        parent(cluster, "crontabs/my-set")


def test_a_custom_resource_whose_definition_says_so(cluster: Cluster) -> None:
    definition = crontabs(scope="Cluster")
    definition["metadata"]["labels"] = {"applyset.kubernetes.io/is-parent-type": "true"}
    cluster.create(definition)
    text = "crontabs.stable.example.com/my-set"
    assert parent(cluster, text, None).namespace == ""
    with pytest.raises(BadParent, match="cannot be created automatically"):
        start(cluster, text)
    marks = {"labels": {ID: parent(cluster, text).id}, "annotations": {TOOLING: TOOL, KINDS: ""}}
    metadata = {"name": "my-set", **marks}
    cluster.create({"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": metadata})
    put(cluster, start(cluster, text), config_map("one"))
    assert told(cluster, Reference("stable.example.com/v1", "CronTab", "my-set")) == ("ConfigMap", "default")


# ---- annotations of the parent ---------------------------------------------------------------------------------------


def test_the_parent_is_made_with_the_first_member(cluster: Cluster) -> None:
    one = start(cluster)
    with pytest.raises(NotFound):
        cluster.get(SECRET)
    put(cluster, one, config_map("one"))
    metadata = cluster.get(SECRET)["metadata"]
    assert metadata["labels"] == {ID: EXAMPLE}
    assert metadata["annotations"] == {TOOLING: TOOL, KINDS: "ConfigMap", NAMESPACES: ""}
    assert cluster.get(Reference("v1", "ConfigMap", "one"))["metadata"]["labels"] == {MEMBER: EXAMPLE}


def test_the_parent_knows_a_kind_before_the_member_is_there(cluster: Cluster) -> None:
    one = start(cluster)
    put(cluster, one, space("a"))
    one.expect(cluster.resource("apps/v1", "Deployment"), "a")
    assert told(cluster) == ("Deployment.apps,Namespace", "a")


def test_its_own_namespace_goes_without_saying(cluster: Cluster) -> None:
    put(
        cluster,
        start(cluster),
        space("a"),
        space("b"),
        *(config_map("x", namespace=name) for name in ("b", "default", "a")),
    )
    assert told(cluster) == ("ConfigMap,Namespace", "a,b")


def test_the_label_is_inside_the_annotation_of_apply(cluster: Cluster) -> None:
    put(cluster, start(cluster), config_map("one"))
    metadata = cluster.get(Reference("v1", "ConfigMap", "one"))["metadata"]
    assert MEMBER in metadata["annotations"]["kubectl.kubernetes.io/last-applied-configuration"]


def test_a_config_that_is_a_member_already(cluster: Cluster) -> None:
    with pytest.raises(AlreadyMember):
        start(cluster).member(config_map("x", labels={MEMBER: "theirs"}))


def test_pruning_and_settling(cluster: Cluster) -> None:
    put(cluster, start(cluster), space("a"), config_map("old", namespace="a"), config_map("kept"), deployment("old"))
    apply(cluster, config_map("not-a-member", namespace="default"))
    one = start(cluster)
    visited = put(cluster, one, config_map("kept"))
    assert told(cluster) == ("ConfigMap,Deployment.apps,Namespace", "a")
    gone = [(found["kind"], found["metadata"]["name"]) for found in one.unneeded(visited)]
    assert gone == [("ConfigMap", "old"), ("Deployment", "old"), ("Namespace", "a")]
    one.finish()
    assert told(cluster) == ("ConfigMap", "")


def test_members_in_the_namespace_of_the_parent_are_never_lost_sight_of(cluster: Cluster) -> None:
    one = start(cluster)
    put(cluster, one, space("a"), config_map("old"))
    one.finish()
    one = start(cluster)
    visited = put(cluster, one, space("a"), config_map("new", namespace="a"))
    assert [found["metadata"]["name"] for found in one.unneeded(visited)] == ["old"]


def test_members_are_pruned_without_having_been_applied(cluster: Cluster) -> None:
    put(cluster, start(cluster), config_map("one"))
    cluster.create(config_map("two", namespace="default", labels={MEMBER: EXAMPLE}))
    one = start(cluster)
    assert [found["metadata"]["name"] for found in one.unneeded(put(cluster, one, config_map("one")))] == ["two"]


@pytest.mark.parametrize("dry_run", ["client", "server"])
def test_a_dry_run_leaves_the_parent_alone(cluster: Cluster, dry_run: str) -> None:
    one = start(cluster, dry_run=dry_run)
    one.expect(cluster.resource("v1", "ConfigMap"), "default")
    one.finish()
    with pytest.raises(NotFound):
        cluster.get(SECRET)
    put(cluster, start(cluster), config_map("one"))
    one = start(cluster, dry_run=dry_run)
    one.expect(cluster.resource("apps/v1", "Deployment"), "default")
    one.finish()
    assert told(cluster) == ("ConfigMap", "")


def test_a_parent_that_somebody_else_makes_at_the_same_time(crowded: Crowded) -> None:
    one = start(crowded)
    crowded.between = [lambda: put(crowded, start(crowded), config_map("theirs"))]
    one.expect(crowded.resource("v1", "Secret"), "default")
    assert told(crowded)[0] == "Secret"


def test_a_parent_that_another_tool_makes_at_the_same_time(crowded: Crowded) -> None:
    one = start(crowded)
    crowded.between = [lambda: crowded.create(secret({ID: EXAMPLE}, {TOOLING: "helm/v3.1.0", KINDS: ""}))]
    with pytest.raises(BadParent, match="managed by tooling"):
        one.expect(crowded.resource("v1", "Secret"), "default")


def test_a_parent_in_a_namespace_that_is_not_there(cluster: Cluster) -> None:
    missing = parent(cluster, namespace="shop")
    ApplySet(cluster, missing, "client")
    for dry_run in ("none", "server"):
        with pytest.raises(BadParent, match=r"so the parent secrets/my-set of the ApplySet cannot be created in it"):
            ApplySet(cluster, missing, dry_run)


# ---- parents that are not ours ---------------------------------------------------------------------------------------

FOREIGN: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no tool": ({ID: EXAMPLE}, {KINDS: ""}, "missing required annotation"),
    "another tool": (
        {ID: EXAMPLE},
        {TOOLING: "helm/v3.1.0", KINDS: ""},
        'managed by tooling "helm" instead of "kubectl"',
    ),
    "a tool with more in its name": ({ID: EXAMPLE}, {TOOLING: "kubectl/x/1", KINDS: ""}, 'tooling "kubectl/x"'),
    "a tool whose name begins the same": ({ID: EXAMPLE}, {TOOLING: "kubectlx/v1", KINDS: ""}, 'tooling "kubectlx"'),
    "no id": ({}, {TOOLING: TOOL, KINDS: ""}, "does not have required label"),
    "another id": ({ID: "applyset-x-v1"}, {TOOLING: TOOL, KINDS: ""}, "got: applyset-x-v1, want: applyset-kdy"),
    "no kinds": ({ID: EXAMPLE}, {TOOLING: TOOL}, "has no annotation"),
    "a kind that is not served": (
        {ID: EXAMPLE},
        {TOOLING: TOOL, KINDS: "Thing.example.com"},
        "lists Thing.example.com",
    ),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_parent_that_is_not_ours(cluster: Cluster, case: str) -> None:
    labels, annotations, message = FOREIGN[case]
    cluster.create(secret(labels, annotations))
    with pytest.raises(BadParent, match=message):
        start(cluster)


@pytest.mark.parametrize("tooling", ["kubectl/v9.9.0", "kubectl/", "kubectl"])
def test_another_version_of_kubectl_and_resources_in_place_of_kinds(cluster: Cluster, tooling: str) -> None:
    annotations = {TOOLING: tooling, RESOURCES: "configmaps,deployments.apps"}
    cluster.create(secret({ID: EXAMPLE}, annotations))
    one = start(cluster)
    one.expect(cluster.resource("v1", "Secret"), "default")
    assert told(cluster) == ("ConfigMap,Deployment.apps,Secret", "")
