"""The changes that a typed path selects: those at it and below, or its part of a value that changed as a whole."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine import BadFieldPath
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.at_path import beyond_the_end, changes_at, read_path
from kubemerge.offline.pairs import Inputs, Merged, MergeOptions, merge

from ..objects import config_map, deployment

TABLES = engine.load("1.37")
CONTAINERS = (
    {"name": "web", "image": "a", "args": ["x", "y"]},
    {"name": "side", "image": "s", "ports": [{"containerPort": 80}], "args": ["x", "y"]},
)
CONFIG = deployment("web", *CONTAINERS, replicas=2)
STAYS = {"name": "log", "image": "l", "args": ["z"]}
LIVE = deployment(
    "web", {"name": "web", "image": "b", "args": ["x"]}, STAYS, strategy={"rollingUpdate": {"maxSurge": 1}}
)

C = "spec.template.spec.containers"
SIDE = f"{C}[name=side]"
PATHS: dict[str, tuple[dict[str, Any] | None, list[str]]] = {
    "spec.replicas": (LIVE, ["spec.replicas"]),
    ".spec.replicas": (LIVE, ["spec.replicas"]),
    f"{C}.image": (LIVE, [f"{C}[name=web].image", f"{SIDE}.image", f"{C}[name=log].image"]),
    f"{C}[*].image": (LIVE, [f"{C}[name=web].image", f"{SIDE}.image", f"{C}[name=log].image"]),
    f"{C}[].image": (LIVE, [f"{C}[name=web].image", f"{SIDE}.image", f"{C}[name=log].image"]),
    f"{C}.*.image": (LIVE, [f"{C}[name=web].image", f"{SIDE}.image", f"{C}[name=log].image"]),
    f"{C}[0].image": (LIVE, [f"{C}[name=web].image"]),
    f"{C}[1].image": (LIVE, [f"{SIDE}.image"]),
    f"{C}[2].image": (LIVE, [f"{C}[name=log].image"]),
    f"{C}[image=a].name": (LIVE, [f"{C}[name=web].name"]),
    f"{C}[0]": (LIVE, [f"{C}[name=web]", f"{C}[name=web].args", f"{C}[name=web].image", f"{C}[name=web].name"]),
    f"{C}[name=log]": (LIVE, [f"{C}[name=log]"]),
    f"{C}[0].args": (LIVE, [f"{C}[name=web].args"]),
    f"{C}[0].args[1]": (LIVE, [f"{C}[name=web].args"]),
    f'{C}[0].args[="y"]': (LIVE, [f"{C}[name=web].args"]),
    f"{C}[2].args[0]": (LIVE, [f"{C}[name=log].args"]),
    f"{C}[0].args[2]": (LIVE, []),
    f"{C}[3].image": (LIVE, []),
    "spec.strategy": (LIVE, ["spec.strategy"]),
    "spec.strategy.rollingUpdate": (LIVE, ["spec.strategy.rollingUpdate"]),
    "spec.strategy.*.maxSurge": (LIVE, ["spec.strategy.rollingUpdate.maxSurge"]),
    "spec.strategy.type": (LIVE, []),
    f"{SIDE}.ports": (LIVE, [f"{SIDE}.ports[containerPort=80].containerPort"]),
    f"{C}.ports.containerPort": (LIVE, [f"{SIDE}.ports[containerPort=80].containerPort"]),
    f"{SIDE}.ports[containerPort=81]": (LIVE, []),
    f"{C}[name=web].ports": (LIVE, []),
    "spec.nothing": (LIVE, []),
    "spec.template.metadata.labels.app": (None, ["spec.template.metadata.labels.app"]),
    "spec.template.metadata.labels[*]": (None, ["spec.template.metadata.labels.app"]),
    f"{C}[name=web].image": (None, [f"{C}[name=web].image"]),
    f"{C}[1].args[1]": (None, [f"{SIDE}.args"]),
    f"{C}[name=web]": (None, [f"{C}[name=web].args", f"{C}[name=web].image", f"{C}[name=web].name"]),
    f"{C}[name=other].image": (None, []),
    "spec.paused": (None, []),
    "metadata": (None, ['metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]', "metadata.name"]),
}


def outcome(config: dict[str, Any], live: dict[str, Any] | None) -> Merged:
    objects = [Manifest(name, content) for content, name in ((config, "c.yaml"), (live, "l.yaml")) if content]
    schema = TABLES.schema(config["apiVersion"], config["kind"])
    return merge(Inputs(objects[0], objects[1] if live else None, schema), MergeOptions())


@pytest.mark.parametrize("path", PATHS)
def test_a_path(path: str) -> None:
    live, expected = PATHS[path]
    assert [change.path for change in changes_at(outcome(CONFIG, live), read_path(path))] == expected


def test_a_part_has_its_own_value_and_rule_and_the_reason_of_the_whole() -> None:
    merged = outcome(CONFIG, LIVE)
    rule = TABLES.schema("apps/v1", "Deployment").rule
    (kept,) = changes_at(merged, read_path(f"{C}[name=log].image"))
    assert (kept.action, kept.before, kept.after) == ("kept", "l", "l")
    assert kept.reason == "kept: only in live, set by another writer"
    assert kept.rule == rule(f"{C}.image")
    (added,) = changes_at(merged, read_path(f"{SIDE}.ports.containerPort"))
    assert (added.action, added.before, added.after) == ("added", None, 80)
    assert added.reason == "added: in config, not in live"
    assert added.rule == rule(f"{C}.ports.containerPort")


def test_a_position_in_what_is_gone_is_one_in_live() -> None:
    last = {"name": "web", "image": "b"}
    live = outcome(deployment("web", last, {"name": "gone", "image": "g"}), None).outcome.merged
    (cleared,) = changes_at(outcome(deployment("web", last), live), read_path(f"{C}[1].image"))
    assert (cleared.path, cleared.action, cleared.before, cleared.after) == (
        f"{C}[name=gone].image",
        "cleared",
        "g",
        None,
    )


def test_what_is_new_in_an_object_is_reported_field_by_field() -> None:
    config = deployment("web")
    volumes = [{"name": "v", "emptyDir": {}}, {"name": "w", "configMap": {"name": "c", "items": [{"key": "k"}]}}]
    config["spec"]["template"]["spec"]["volumes"] = volumes
    found = changes_at(outcome(config, deployment("web")), read_path("spec.template.spec.volumes"))
    assert [(change.path.removeprefix("spec.template.spec.volumes"), change.after) for change in found] == [
        ("[name=v].emptyDir", {}),
        ("[name=v].name", "v"),
        ("[name=w].configMap.items", [{"key": "k"}]),
        ("[name=w].configMap.name", "c"),
        ("[name=w].name", "w"),
    ]


TCP, UDP = {"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}
NAMED: dict[str, tuple[list[Any], list[str]]] = {
    "by the merge key": ([TCP, {"port": 80}], ["[port=53].port", "[port=53].protocol", "[port=80].port"]),
    "by all keys": (
        [TCP, UDP],
        [f"[port=53,protocol={of}].{field}" for of in ("TCP", "UDP") for field in ("port", "protocol")],
    ),
    "by none": ([TCP, TCP], [""]),
}


@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED)
def test_elements_that_are_new(case: tuple[list[Any], list[str]]) -> None:
    ports, expected = case
    config = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": {"ports": ports}}
    found = changes_at(outcome(config, None), read_path("spec.ports"))
    assert [change.path.removeprefix("spec.ports") for change in found] == expected


def test_values_of_a_new_set_are_reported_one_by_one() -> None:
    found = changes_at(outcome(config_map(finalizers=["a/b", "c"]), None), read_path("metadata.finalizers"))
    assert [change.path for change in found] == ["metadata.finalizers[=a/b]", "metadata.finalizers[=c]"]


BEYOND = {
    f"{C}[3].image": f"{C} has 3 elements, counted from 0, so [3] does not exist. Name one, as in [name=web]",
    f"{C}[*].ports[7]": f"{C}[*].ports has 1 element, counted from 0, so [7] does not exist. Name one, as in "
    "[containerPort=80]",
    f"{C}[0].args[2]": f"{C}[0].args has 2 elements, counted from 0, so [2] does not exist",
}


@pytest.mark.parametrize("path", BEYOND)
def test_a_position_beyond_the_end(path: str) -> None:
    assert str(beyond_the_end(outcome(CONFIG, LIVE), read_path(path))) == f"deployment.apps/web: {BEYOND[path]}"


@pytest.mark.parametrize("path", [f"{C}[0].image", "spec.template.spec.volumes[0]", "spec.replicas", f"{C}[2].args[0]"])
def test_a_path_that_does_not_count_too_far(path: str) -> None:
    assert beyond_the_end(outcome(CONFIG, LIVE), read_path(path)) is None


@pytest.mark.parametrize("path", ["spec[", "spec.replicas.", "spec.containers[web]", "..spec"])
def test_what_is_not_a_path(path: str) -> None:
    with pytest.raises(BadFieldPath, match="cannot be read"):
        read_path(path)


def test_a_star_in_quotes_is_text() -> None:
    assert read_path('a["x.*.y"].b["[*]"]') == ("a", "x.*.y", "b", "[*]")
