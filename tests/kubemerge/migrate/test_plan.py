"""The effect of the first server-side apply by each tool."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import codegen
import engine
from kubemerge.apiserver.pipeline import Server
from kubemerge.migrate import TOOLS, Migration, plan_migration
from kubemerge.migrate.hand_over import entries_of

from ..objects import applied, config_map, deployment
from ..ownership.samples import CONFIG_MAP, DEPLOYMENT, at, created, updated

SIZE = {"type": "integer", "x-kubernetes-validations": [{"rule": "self <= 10", "message": "at most 10"}]}
WIDGETS: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.test.example"},
    "spec": {
        "group": "test.example",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Cluster",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {"size": SIZE, "color": {"type": "string", "default": "red"}},
                            }
                        },
                    }
                },
            }
        ],
    },
}
CONTAINER = "spec.template.spec.containers[name=web]"


def live(manager: str = "kubectl-client-side-apply", **more: Any) -> dict[str, Any]:
    """A Deployment with a variable that the config no longer has, scaled by another manager."""
    container = {"name": "web", "image": "web:1", "env": [{"name": "DEBUG", "value": "1"}]}
    config = deployment("web", container, replicas=1)
    made = applied(config) if manager == "kubectl-client-side-apply" else config
    return updated(created(made, DEPLOYMENT, manager), DEPLOYMENT, "hpa", 1, "scale", replicas=5, **more)


CONFIG = deployment("web", {"name": "web", "image": "web:1"}, replicas=2)


def planned(before: dict[str, Any] | None, by: str, *names: str, **more: Any) -> Migration:
    return plan_migration(CONFIG, before, DEPLOYMENT, by=by, before=names, time=at(9), **more)


def paths(places: Any) -> list[str]:
    return [place.path for place in places]


def owners(found: dict[str, Any] | None) -> set[tuple[str, str]]:
    return {(one["manager"], one["operation"]) for one in entries_of(found or {})}


def test_kubectl_is_refused_and_hands_over_once_it_is_not() -> None:
    found = planned(live(), "kubectl")
    assert found.state == "conflict"
    (place,) = found.conflicts
    assert (place.path, place.config, place.live) == ("spec.replicas", 2, 5)
    assert [str(owner) for owner in place.owners] == ["hpa (Update through scale)"]
    assert paths(found.removed) == [f"{CONTAINER}.env"]
    assert found.left == found.taken == ()
    assert found.handed == ("kubectl-client-side-apply (Update)",)
    assert owners(found.merged) == {("kubectl", "Apply"), ("kubectl-last-applied", "Apply")}


def test_helm_hands_over_its_own_and_leaves_what_kubectl_applied() -> None:
    found = planned(live("helm"), "helm")
    assert (found.state, found.left) == ("conflict", ())
    assert paths(found.removed) == [f"{CONTAINER}.env"]
    other = planned(live(), "helm")
    assert f"{CONTAINER}.image" in paths(other.shared)
    asked = planned(live(), "helm", "kubectl")
    assert f"{CONTAINER}.env[name=DEBUG].value" in paths(asked.left)
    assert not asked.removed


@pytest.mark.parametrize(("by", "manager"), [("argocd", "argocd-controller"), ("flux", "kustomize-controller")])
def test_tools_that_force_take_over(by: str, manager: str) -> None:
    found = planned(live(), by)
    assert (found.state, found.conflicts) == ("ready", ())
    assert paths(found.taken) == ["spec.replicas"]
    assert paths(found.removed) == [f"{CONTAINER}.env"]
    assert owners(found.merged) == {(manager, "Apply")}
    assert found.merged["spec"]["replicas"] == 2


def test_argo_cd_leaves_its_own_updates_behind_unless_they_wrote_the_annotation() -> None:
    found = planned(live("argocd-controller"), "argocd")
    assert found.state == "left behind"
    assert f"{CONTAINER}.image" in paths(found.left)
    config = applied(deployment("web", {"name": "web", "image": "web:1"}))
    with_annotation = created(config, DEPLOYMENT, "argocd-controller")
    assert planned(with_annotation, "argocd").state == "ready"


def test_flux_takes_all_of_kubectl_and_removes_the_annotation() -> None:
    edited = deepcopy(live())
    edited["spec"]["paused"] = True
    edited = engine.record_update(live(), edited, DEPLOYMENT, manager="kubectl-edit", time=at(2))
    found = planned(edited, "flux")
    assert "spec.paused" in paths(found.removed)
    assert set(found.handed) == {"kubectl-client-side-apply (Update)", "kubectl-edit (Update)"}
    assert "annotations" not in found.merged["metadata"]
    assert "spec.paused" not in paths(planned(edited, "argocd").removed)


def test_what_is_prepared_has_nothing_left_behind_and_no_other_value() -> None:
    for by in TOOLS:
        for manager in ("kubectl-client-side-apply", "helm", "argocd-controller", "kubectl-create"):
            before = live(manager)
            untouched = deepcopy(before)
            found = planned(before, by, "kubectl", "helm", "argocd")
            assert before == untouched
            assert found.prepared is not None
            after = planned(found.prepared, by, "kubectl", "helm", "argocd")
            assert after.left == ()
            assert not after.patch
            strip = (
                {**one, "metadata": {**one["metadata"], "managedFields": None}} for one in (found.prepared, before)
            )
            assert next(strip) == next(strip)


def test_default_values_are_not_lost() -> None:
    """Client-side apply owns them too, and they are filled in again."""
    config = applied(deployment("web", {"name": "web", "image": "web:1"}))
    filled = {**config, "spec": {**config["spec"], "progressDeadlineSeconds": 600, "revisionHistoryLimit": 10}}
    found = plan_migration(config, created(filled, DEPLOYMENT), DEPLOYMENT, by="kubectl")
    assert (found.state, found.removed, found.changed) == ("ready", (), ())
    assert found.merged["spec"]["progressDeadlineSeconds"] == 600


def test_objects_that_were_never_tracked_are_in_conflict_with_what_was_there() -> None:
    before = {**config_map("c", {"a": "1", "b": "2"}), "metadata": {"name": "c", "uid": "u"}}
    config = config_map("c", {"a": "2", "b": "2"})
    found = plan_migration(config, before, CONFIG_MAP, by="helm")
    assert (found.state, paths(found.conflicts)) == ("conflict", ["data.a"])
    assert paths(found.left) == ["data.b"]
    same = plan_migration(config_map("c", {"b": "2"}), before, CONFIG_MAP, by="helm")
    assert same.state == "untracked"


def test_of_before_first_apply_only_what_the_config_has_is_handed_over() -> None:
    before = {**config_map("c", {"a": "1", "b": "2"}), "metadata": {"name": "c", "uid": "u"}}
    tracked = engine.server_side_apply(config_map("c", {"a": "1"}), before, CONFIG_MAP, manager="me").merged
    found = plan_migration(config_map("c", {"a": "1"}), tracked, CONFIG_MAP, by="kubectl")
    assert paths(found.left) == ["data.a"]
    assert found.prepared is not None
    left = {one["manager"]: engine.FieldSet.parse(one["fieldsV1"]).paths() for one in entries_of(found.prepared)}
    assert left["before-first-apply"] == ("data", "data.b")
    assert left["kubectl"] == ("data.a",)


def test_a_service_with_another_port_under_the_same_name_is_refused() -> None:
    schema = engine.load("1.37").schema("v1", "Service")
    old = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web"},
        "spec": {"ports": [{"name": "a", "port": 1}]},
    }
    before = created(applied(old), schema)
    found = plan_migration({**old, "spec": {"ports": [{"name": "a", "port": 2}]}}, before, schema)
    assert found.state == "refused"
    assert found.refused == ('spec.ports[1].name: Duplicate value: "a"',)
    assert found.prepared is not None
    after = plan_migration({**old, "spec": {"ports": [{"name": "a", "port": 2}]}}, found.prepared, schema)
    assert after.state == "ready"


def test_a_new_object_is_new() -> None:
    found = planned(None, "kubectl")
    assert (found.state, found.prepared, found.patch, found.removed) == ("new", None, (), ())


def test_the_patch_does_in_a_cluster_what_is_written_into_files() -> None:
    before = live()
    before["metadata"]["resourceVersion"] = "7"
    found = planned(before, "argocd")
    fields, version = found.patch
    assert found.prepared is not None
    assert fields == {"op": "replace", "path": "/metadata/managedFields", "value": entries_of(found.prepared)}
    assert version == {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"}


def test_only_tools_of_the_table_are_known() -> None:
    with pytest.raises(engine.MergeError, match=r"unknown tool 'puppet'\. Use one of kubectl, helm"):
        planned(live(), "puppet")


def test_a_value_of_the_config_is_found_by_the_default_of_a_key() -> None:
    schema = engine.load("1.37").schema("v1", "Service")
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}
    port = {"port": 80, "protocol": "TCP", "targetPort": 8080}
    before = created({**service, "spec": {"ports": [port]}}, schema, "somebody")
    found = plan_migration({**service, "spec": {"ports": [{"port": 80, "targetPort": 9090}]}}, before, schema)
    (place,) = found.conflicts
    assert (place.path, place.config, place.live) == (
        "spec.ports[port=80,protocol=TCP].targetPort",
        9090,
        8080,
    )


def test_a_new_object_that_the_server_rejects_is_refused() -> None:
    config = deployment("web", selector={"matchLabels": {"app": "other"}})
    found = plan_migration(config, None, DEPLOYMENT)
    assert found.state == "refused"
    (problem,) = found.refused
    assert problem.startswith("spec.template.metadata.labels: Invalid value: ")


def test_the_server_that_is_given_handles_the_apply() -> None:
    """It has the definition of a custom resource: its default values, its rules and the fields that it drops."""
    config = {"apiVersion": "test.example/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
    schema = codegen.read(WIDGETS).schema("test.example/v1", "Widget")
    server = Server("1.37", [WIDGETS])
    before = created(applied(config), schema)
    found = plan_migration(config, before, schema, server=server)
    assert (found.state, found.merged["spec"]) == ("ready", {"size": 1, "color": "red"})
    assert plan_migration(config, before, schema).merged["spec"] == {"size": 1}
    found = plan_migration({**config, "spec": {"size": 11}}, before, schema, server=server)
    assert (found.state, found.refused) == ("refused", ("spec.size: Invalid value: 11: at most 10",))
    found = plan_migration({**config, "spec": {"size": 11}}, None, schema, server=server)
    assert found.state == "refused"


def test_the_generation_is_no_change_of_its_own() -> None:
    before = live()
    before["metadata"].update(generation=3, uid="u")
    found = planned(before, "flux")
    assert found.merged["metadata"]["generation"] == 4
    assert "metadata.generation" not in paths(found.changed)


def test_problems_that_live_has_already_are_not_reported() -> None:
    broken = deployment("web", selector={"matchLabels": {"app": "other"}})
    found = plan_migration(broken, created(applied(broken), DEPLOYMENT), DEPLOYMENT)
    assert (found.state, found.refused) == ("ready", ())
    assert found.merged["spec"]["revisionHistoryLimit"] == 10
