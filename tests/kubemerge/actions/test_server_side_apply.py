"""Steps of a server-side apply besides the apply itself, and its result if one of them fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.actions.apply import ApplyOptions, apply
from kubemerge.actions.create import NoNamespace
from kubemerge.actions.serverside.apply import BadName, NotAvailable, ServerSideApply
from kubemerge.cluster import ApplyConflict, Conflict, Invalid, open_cluster

from ..apiserver.conftest import config_map, config_map_ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.cluster import Cluster

    from .conftest import Crowded


def managers(content: dict[str, Any]) -> list[str]:
    return sorted({f"{one.manager} {one.operation}" for one in engine.field_owners(content)})


def test_what_client_side_apply_had_is_handed_over(cluster: EmbeddedCluster) -> None:
    apply(cluster, config_map(a="1", b="1"))
    live, warnings = ServerSideApply(cluster).apply(config_map(a="1"))
    assert (live["data"], warnings) == ({"a": "1"}, [])
    assert managers(live) == ["kubectl Apply", "kubectl-last-applied Apply"]
    assert cluster.get(config_map_ref()) == live


def test_another_manager_does_not_keep_the_annotation(cluster: EmbeddedCluster) -> None:
    apply(cluster, config_map(a="1"))
    live, _ = ServerSideApply(cluster, "helm").apply(config_map(a="1"))
    assert managers(live) == ["helm Apply"]
    assert "annotations" not in live["metadata"]


def test_a_rehearsal_writes_none_of_its_steps(cluster: EmbeddedCluster) -> None:
    before = apply(cluster, config_map(a="1")).content
    live, warnings = ServerSideApply(cluster, force=True, dry_run=True).apply(config_map(a="2"))
    assert live["data"] == {"a": "2"}
    assert [text.partition(".")[0] for text in warnings] == ["Warning: failed to migrate kubectl"]  # as with kubectl
    assert cluster.get(config_map_ref()) == before


def test_the_first_apply_is_no_exception_to_conflicts(cluster: EmbeddedCluster) -> None:
    apply(cluster, config_map(a="1"))
    cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge", manager="you")
    with pytest.raises(ApplyConflict, match=r'conflict with "you" using v1: \.data\.a'):
        ServerSideApply(cluster).apply(config_map(a="1"))
    assert managers(cluster.get(config_map_ref())) == ["kubectl-client-side-apply Update", "you Update"]


def failing(cluster: EmbeddedCluster, fails: Callable[[str, str], bool]) -> Cluster:
    """The cluster, some of whose patches fail, by their type and manager."""
    made: Any = Failing(cluster, fails)
    found: Cluster = made
    return found


class Failing:
    """A cluster some of whose patches fail."""

    def __init__(self, cluster: EmbeddedCluster, fails: Callable[[str, str], bool]) -> None:
        self._cluster, self._fails = cluster, fails

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster, name)

    def patch(self, reference: Any, patch: Any, patch_type: str, *, manager: str, **options: Any) -> Any:
        if self._fails(patch_type, manager):
            raise Conflict("configmaps", "settings") if patch_type == "json" else Invalid("somebody forbids it")
        return self._cluster.patch(reference, patch, patch_type, manager=manager, **options)


LATER = "This is non-fatal and will be retried next time you apply. Error:"
FAILING: dict[str, tuple[Callable[[str, str], bool], str]] = {
    "keeping the annotation": (
        lambda _, manager: manager == "kubectl-last-applied",
        "Warning: failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply. "
        f"{LATER} somebody forbids it",
    ),
    "handing over": (
        lambda patch_type, _: patch_type == "json",
        f"Warning: server rejected managed fields migration to Server-Side Apply. {LATER} Operation cannot be "
        'fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest '
        "version and try again",
    ),
}


@pytest.mark.parametrize("step", FAILING)
def test_a_step_that_fails_is_a_warning(cluster: EmbeddedCluster, step: str) -> None:
    fails, said = FAILING[step]
    apply(cluster, config_map(a="1"))
    live, warnings = ServerSideApply(failing(cluster, fails)).apply(config_map(a="1", b="2"))
    assert (live["data"], warnings) == ({"a": "1", "b": "2"}, [said])


def test_an_apply_that_fails_when_it_is_repeated_is_a_warning(cluster: EmbeddedCluster) -> None:
    apply(cluster, config_map(a="1"))
    count = iter(range(9))
    fails = lambda patch_type, manager: (patch_type, manager) == ("apply", "kubectl") and next(count) == 1  # noqa: E731
    _, warnings = ServerSideApply(failing(cluster, fails)).apply(config_map(a="1"))
    assert warnings == [
        "Warning: failed to re-apply configuration after performing Server-Side Apply migration. "
        f"{LATER} somebody forbids it"
    ]


def test_fields_are_handed_over_although_somebody_is_faster(crowded: Crowded) -> None:
    apply(crowded, config_map(a="1"))

    def label() -> None:
        crowded.patch(config_map_ref(), {"metadata": {"labels": {"x": str(len(crowded.between))}}}, "merge")

    crowded.between = [lambda: None, lambda: None, label]
    live, warnings = ServerSideApply(crowded).apply(config_map(a="1"))
    assert warnings == []
    assert live["metadata"]["labels"] == {"x": "0"}
    assert managers(live) == ["kubectl Apply", "kubectl-last-applied Apply", "kubemerge Update"]


def test_an_object_that_is_being_deleted(cluster: EmbeddedCluster) -> None:
    held = config_map(a="1")
    held["metadata"]["finalizers"] = ["example.com/wait"]
    cluster.create(held)
    cluster.delete(config_map_ref())
    _, warnings = ServerSideApply(cluster).apply(config_map(b="1"))
    assert warnings == ["Warning: Detected changes to resource settings which is currently being deleted."]
    assert apply(cluster, config_map(b="2"), ApplyOptions()).warnings[-1] == warnings[0]


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"generateName": "a-"}, "from a-: cannot use generate name with apply"),
        ({}, "resource name may not be empty"),
    ],
)
def test_an_object_without_a_name(cluster: EmbeddedCluster, metadata: dict[str, str], said: str) -> None:
    with pytest.raises(BadName) as caught:
        ServerSideApply(cluster).apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    assert str(caught.value) == said


def test_where_there_is_no_namespace(cluster: EmbeddedCluster) -> None:
    with pytest.raises(NoNamespace, match='namespaces "none" not found; apply its Namespace first'):
        ServerSideApply(cluster).apply(config_map(namespace="none"))


def test_an_old_release_has_no_server_side_apply() -> None:
    with open_cluster(":memory:", release="1.12") as old, pytest.raises(NotAvailable) as caught:
        ServerSideApply(old).apply(config_map(a="1"))
    assert str(caught.value).startswith("Server-side apply not available on the server: (the body of the request")
