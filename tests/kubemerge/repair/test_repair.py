"""The smallest patch restores the config, and fields of other managers stay."""

from __future__ import annotations

from typing import Any

import pytest

from engine.serverside.fields import trees
from kubemerge.repair import patches
from kubemerge.repair.drift import Drift
from kubemerge.repair.intents import intents
from kubemerge.repair.patches import Patcher
from kubemerge.repair.reduction import Reduction, halves, places, without_part, without_places

from .drifted import applied, container, deployment, fields, patched, repaired, server

IMAGE = "spec.template.spec.containers[name=web].image"
WEB = {"spec": {"template": {"spec": {"containers": [{"image": "web:1", "name": "web"}]}}}}
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}
HPA = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "scaler", "namespace": "shop"},
    "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 5},
}


@pytest.mark.parametrize("on_server", ["false", "true"])
def test_a_change_by_a_person_is_repaired(on_server: str) -> None:
    manager = {"manager": "kubectl"} if on_server == "true" else {}
    live = applied(deployment(), server_side=on_server == "true", **manager)
    found = repaired(deployment(), patched(live, container(image="other")), server_side=on_server)
    assert (found.state, fields(found)) == ("drifted", {IMAGE: "patch"})
    assert found.patch is not None
    assert (found.patch.type, found.patch.body) == ("strategic", WEB)
    assert [one.manager for one in found.fields[0].owners] == ["kubectl-edit"]
    assert repaired(deployment(), found.after, server_side=on_server).state == "in sync"


def test_fields_of_others_that_the_config_does_not_set_are_no_drift() -> None:
    more = {**container(env=[{"name": "DEBUG", "value": "1"}]), "metadata": {"labels": {"a": "b"}}}
    assert repaired(deployment(), patched(applied(deployment()), more)).state == "in sync"


def test_other_spellings_and_defaults_are_no_drift() -> None:
    limits = {"name": "web", "image": "web:1", "resources": {"limits": {"cpu": "1000m"}}}
    pod = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [limits]}}
    assert repaired(deployment(template=pod), applied(deployment(template=pod))).state == "in sync"


@pytest.mark.parametrize("manager", ["kube-controller-manager", "web-operator", "hpa"])
def test_replicas_of_a_controller_are_left_to_it(manager: str) -> None:
    live = patched(applied(deployment()), {"spec": {"replicas": 5}}, manager)
    found = repaired(deployment(), live)
    assert (found.state, found.patch, fields(found)) == ("handed over", None, {"spec.replicas": "hand-over"})
    forced = repaired(deployment(), live, force_conflicts=True)
    assert forced.patch is not None
    assert forced.patch.body == {"spec": {"replicas": 2}}


def test_an_autoscaler_among_the_live_objects_keeps_the_replicas() -> None:
    live = patched(applied(deployment()), {"spec": {"replicas": 5}})
    assert fields(repaired(deployment(), live)) == {"spec.replicas": "patch"}
    found = repaired(deployment(), live, HPA)
    assert fields(found) == {"spec.replicas": "hand-over"}
    assert found.fields[0].reason == "HorizontalPodAutoscaler scaler scales the object"


def test_a_field_that_the_config_no_longer_has_is_removed() -> None:
    config = deployment()
    live = patched(applied(config), container(env=[{"name": "C", "value": "3"}]))
    del config["spec"]["template"]["spec"]["containers"][0]["env"][1]
    found = repaired(config, live)
    assert fields(found) == {"spec.template.spec.containers[name=web].env[name=B]": "patch"}
    assert found.after is not None
    left = found.after["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {one["name"] for one in left} == {"A", "C"}


def test_a_removed_field_of_a_controller_stays() -> None:
    live = patched(applied(deployment()), {"spec": {"replicas": 5}}, "kube-controller-manager")
    config = deployment()
    del config["spec"]["replicas"]
    found = repaired(config, live)
    assert (found.state, fields(found)) == ("in sync", {"spec.replicas": "ignored"})


def test_parts_of_others_in_a_removed_map_stay() -> None:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}
    config = deployment()
    spec = config["spec"]["template"]["spec"]
    spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    pods = {"podAffinityTerm": {"topologyKey": "zone"}, "weight": 1}
    more = {"affinity": {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [pods]}}}
    live = patched(applied(config), {"spec": {"template": {"spec": more}}}, "web-operator")
    del spec["affinity"]
    found = repaired(config, live)
    assert found.after is not None
    assert [*found.after["spec"]["template"]["spec"]["affinity"]] == ["podAffinity"]


def test_the_order_of_containers_is_repaired() -> None:
    config = deployment()
    first = {"name": "first", "image": "first:1"}
    spec = config["spec"]["template"]["spec"]
    spec["initContainers"] = [first, {"name": "second", "image": "second:1"}]
    live = applied(config)
    there = live["spec"]["template"]["spec"]["initContainers"]
    live["spec"]["template"]["spec"]["initContainers"] = there[::-1]
    found = repaired(config, live)
    assert fields(found) == {"spec.template.spec.initContainers": "patch"}
    assert found.after is not None
    assert [one["name"] for one in found.after["spec"]["template"]["spec"]["initContainers"]] == ["first", "second"]


def test_a_custom_resource_gets_a_merge_patch_and_a_long_list_a_json_patch() -> None:
    items = [{"name": f"item-{number}", "value": "x" * 20} for number in range(9)]
    config = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "shop"}}
    config = {**config, "spec": {"size": 1, "items": items}}
    live = applied(config)
    found = repaired(config, patched(live, {"spec": {"size": 2}}, kind="merge")).patch
    assert found is not None
    assert (found.type, found.body) == ("merge", {"spec": {"size": 1}})
    changed = [{**one, "value": "y"} if one["name"] == "item-4" else one for one in items]
    found = repaired(config, patched(live, {"spec": {"items": changed}}, kind="merge")).patch
    assert found is not None
    assert found.type == "json"
    assert found.body == [
        {"op": "test", "path": "/spec/items/4/name", "value": "item-4"},
        {"op": "replace", "path": "/spec/items/4/value", "value": "x" * 20},
    ]


def test_a_secret_with_texts_is_compared_as_it_is_stored() -> None:
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "shop"}}
    config = {**config, "stringData": {"a": "b"}}
    live = applied(config)
    assert repaired(config, live).state == "in sync"
    found = repaired(config, patched(live, {"data": {"a": "eA=="}})).patch
    assert found is not None
    assert found.body == {"data": {"a": "Yg=="}}


def test_a_missing_object_is_created() -> None:
    found = repaired(deployment(), None)
    assert found.state == "missing"
    assert found.patch is not None
    assert (found.patch.type, found.patch.body) == ("create", deployment())


def test_an_object_that_the_server_rejects_fails_with_its_reason() -> None:
    found = repaired(deployment(replicas=-1), applied(deployment()))
    assert (found.state, found.patch) == ("failed", None)
    assert "must be greater than or equal to 0" in found.problems[0]


def test_a_patch_that_does_not_pass_the_check_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drift, "is_repaired", lambda *_: False)
    found = repaired(deployment(), patched(applied(deployment()), container(image="other")))
    assert (found.state, found.patch, found.problems) == ("failed", None, (patches.NOT_EQUAL,))


def test_flux_and_argocd_leave_ignored_fields_alone() -> None:
    live = patched(applied(deployment()), {"spec": {"replicas": 5, "paused": True}})
    config = deployment(paused=False)
    rule = {"paths": ["/spec/replicas"]}
    flux = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": "shop"}}
    documents: Any = ({**flux, "spec": {"ignore": [rule]}},)
    assert fields(repaired(config, live, tool="flux", documents=documents))["spec.replicas"] == "ignored"
    ignored = [{"group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"]}]
    argocd = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "shop"}}
    documents = ({**argocd, "spec": {"ignoreDifferences": ignored}},)
    found = repaired(config, live, tool="argocd", documents=documents)
    assert fields(found)["spec.replicas"] == "ignored"
    assert found.patch is not None
    assert "replicas" not in str(found.patch.body)


DRIFTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (deployment(), container(image="other", env=[{"name": "A", "value": "9"}, {"name": "C", "value": "3"}])),
    (deployment(), container(env=[{"name": "B", "$patch": "delete"}], args=["a"])),
    (deployment(strategy={"type": "Recreate"}), {"spec": {"strategy": {"type": "RollingUpdate"}, "replicas": 1}}),
    (deployment(), {"metadata": {"labels": {"a": "b"}}, "spec": {"replicas": 7, "minReadySeconds": 3}}),
    ({**CONFIG_MAP, "data": {"a": "1", "b": "2"}}, {"data": {"a": "x", "b": None, "c": "3"}}),
]
RECREATE = 2
"""A drift with defaults that a person owns. A server-side apply keeps them, and the server rejects the result."""


@pytest.mark.parametrize("number", range(len(DRIFTS)))
@pytest.mark.parametrize("on_server", ["false", "true"])
def test_no_part_of_a_patch_can_be_left_out(number: int, on_server: str) -> None:
    config, change = DRIFTS[number]
    live = patched(applied(config), change)
    found = repaired(config, live, server_side=on_server)
    if on_server == "true" and number == RECREATE:
        assert "may not be specified when strategy `type` is 'Recreate'" in found.problems[0]
        return
    assert found.patch is not None, found.problems
    body, kind = found.patch.body, found.patch.type
    for place in places(body):
        smaller = without_part(body, place)
        if smaller:
            stored = server().patch(live, live, smaller, kind, manager=found.patch.manager).object
            assert stored is None or repaired(config, stored, server_side=on_server).state != "in sync", place
    again = server().patch(found.after or {}, live, body, kind, manager=found.patch.manager).object
    assert again is not None
    assert again["spec" if "spec" in again else "data"] == (found.after or {})["spec" if "spec" in again else "data"]


def test_the_smallest_patch_is_found_from_a_larger_one() -> None:
    """The search itself, without a server: parts are tried until none can go."""
    body = {"a": {"b": 1, "c": [{"name": "x", "d": 2}]}, "e": 3, "$setElementOrder/c": [1]}
    needed = {("a", "c", 0, "d")}

    def check(part: Any) -> Any:
        return trees.EMPTY if needed <= {*places(part)} else None

    assert Reduction(check, lambda *_: None).smallest(body) == {"a": {"c": [{"d": 2}]}}


def test_fields_of_elements_are_tried_in_groups() -> None:
    """Elements without both fields go as well. The places of the others must not move meanwhile."""
    body = {"ports": [{"name": f"p{number}", "protocol": "TCP"} for number in range(12)]}
    names = [{"name": one["name"]} for one in body["ports"]]

    def check(part: Any) -> Any:
        return trees.EMPTY if [{"name": one.get("name")} for one in part.get("ports", [])] == names else None

    assert Reduction(check, lambda *_: None).smallest(body) == {"ports": names}


def test_parts_go_whatever_their_order() -> None:
    body = {"a": [{"b": 1}, {"b": 2, "c": 3}, {"b": 4}], "d": {"e": 5}}
    gone: list[tuple[str | int, ...]] = [("a", 0, "b"), ("a", 1, "b"), ("a", 2), ("a", 2, "b"), ("d", "e")]
    for parts in (gone, gone[::-1]):
        assert without_places(body, parts) == {"a": [{"c": 3}]}


def test_every_tool_has_intents() -> None:
    from kubemerge.plan import PLANNERS
    from kubemerge.repair.intents import _TOOLS, OWN

    assert {*PLANNERS} == {*_TOOLS} == {*OWN}
    assert callable(intents)
    assert Patcher.__doc__


def test_helm_repairs_a_custom_resource_that_an_upgrade_leaves_alone() -> None:
    config: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}}
    stamps = {
        "labels": {"app.kubernetes.io/managed-by": "Helm"},
        "annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "shop"},
    }
    there = {**config, "metadata": {"name": "a", "namespace": "shop", **stamps}, "spec": {"size": 1}}
    live = patched(applied(there, server_side=True, manager="helm"), {"spec": {"size": 2}}, kind="merge")
    config = {**config, "metadata": {"name": "a", "namespace": "shop"}, "spec": {"size": 1}}
    found = repaired(config, live, tool="helm", release_name="shop", namespace="shop", tool_version="3")
    assert found.patch is not None
    assert (found.patch.body, found.patch.manager) == ({"spec": {"size": 1}}, "helm")


def test_many_parts_are_tried_in_groups() -> None:
    """A patch of a thousand fields, of which the object needs all but some, takes few dry runs."""
    body = {"data": {f"k{number}": number for number in range(1000)}}
    spare = {f"k{number}" for number in range(300, 308)}
    tries = []

    def check(part: Any) -> Any:
        tries.append(part)
        lacking = body["data"].keys() - spare - part.get("data", {}).keys()
        return trees.of_paths([("f:data", f"f:{key}") for key in lacking])

    reduction = Reduction(check, lambda _, place: tuple(f"f:{step}" for step in place))
    assert reduction.smallest(body)["data"].keys() == body["data"].keys() - spare
    assert len(tries) < 40


@pytest.mark.parametrize("size", [17, 20, 21, 250, 1000])
def test_each_part_is_left_out_in_a_different_half_of_the_tries(size: int) -> None:
    parts = [("data", number) for number in range(size)]
    tries = halves(parts)
    left_out = [frozenset(number for number, half in enumerate(tries) if part in half) for part in parts]
    assert {len(numbers) for numbers in left_out} == {len(tries) / 2}
    assert len(set(left_out)) == size
    assert all(size - 1 <= 2 * len(half) <= size + 1 for half in tries)
    assert len(tries) < 2 * size.bit_length()


def test_a_field_that_another_part_restores_can_go() -> None:
    """Either of two parts restores both fields: one of them goes, however many others there are."""
    body = {"data": {f"k{number}": number for number in range(100)}}

    def check(part: Any) -> Any:
        lacking = body["data"].keys() - part.get("data", {}).keys()
        lacking -= {"k40", "k41"} if len({"k40", "k41"} & lacking) == 1 else set()
        return trees.of_paths([("f:data", f"f:{key}") for key in lacking])

    reduction = Reduction(check, lambda _, place: tuple(f"f:{step}" for step in place))
    assert reduction.smallest(body)["data"].keys() == body["data"].keys() - {"k41"}
