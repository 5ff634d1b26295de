"""Every field of an outcome has a reason that refers to the three documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from codegen.documents.yaml_text import documents

NEWEST = engine.load("1.37")


def head(kind: tuple[str, str] | None) -> dict[str, str]:
    return {"apiVersion": kind[0], "kind": kind[1]} if kind else {}


def reasons(
    kind: tuple[str, str] | None, last: Any, config: Any, live: Any, release: str = "1.37"
) -> dict[str, tuple[str, str]]:
    """Path -> (action, reason) below spec and metadata, without the annotation."""
    schema = engine.load(release).schema(*kind) if kind else None
    config, live = ({**one, **head(kind)} for one in (config, live))
    outcome = engine.apply(config, live, schema, last_applied=last)
    return {
        change.path: (change.action, change.reason) for change in outcome.changes if not change.path.endswith('on"]')
    }


POD = ("v1", "Pod")
DEPLOYMENT = ("apps/v1", "Deployment")
CASES = list(documents((Path(__file__).parent / "reasons.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reason(case: dict[str, Any]) -> None:
    name = {"metadata": {"name": "x"}}
    found = reasons(case["kind"], case["last"], {**name, **case["config"]}, {**name, **case["live"]})
    assert found[case["path"]] == (case["action"], case["reason"])


def test_the_rule_of_each_field_comes_with_its_reason() -> None:
    config = {**head(POD), "metadata": {"name": "x"}, "spec": {"containers": [{"name": "web", "image": "b"}]}}
    live = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "web", "image": "a"}]}}
    schema = NEWEST.schema(*POD)
    changes = {change.path: change for change in engine.apply(config, live, schema, last_applied={}).changes}
    image = changes["spec.containers[name=web].image"]
    assert image.rule == schema.rule("spec.containers.image")
    assert (image.before, image.after) == ("a", "b")


def test_the_same_documents_have_other_reasons_under_other_releases() -> None:
    config = {"metadata": {"name": "x"}, "spec": {"strategy": {"type": "Recreate"}}}
    live = {
        "metadata": {"name": "x"},
        "spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}},
    }
    path = "spec.strategy.rollingUpdate"
    assert reasons(DEPLOYMENT, {}, config, live, "1.12")[path][0] == "kept"
    assert reasons(DEPLOYMENT, {}, config, live, "1.13")[path][0] == "cleared"


def test_a_created_object_has_the_reason_that_it_is_new() -> None:
    config = {**head(DEPLOYMENT), "metadata": {"name": "x"}, "spec": {"replicas": 1}}
    outcome = engine.apply(config, None, NEWEST.schema(*DEPLOYMENT))
    assert {change.action for change in outcome.changes} == {"added"}


def test_lists_without_unique_identities_have_one_reason() -> None:
    ports = [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}]
    live = {"metadata": {"name": "x"}, "spec": {"ports": ports}}
    config = {"metadata": {"name": "x"}, "spec": {"ports": ports[:1]}}
    found = reasons(("v1", "Service"), json.loads(json.dumps(live)), config, live)
    assert found["spec.ports"][1].startswith("merged: elements share an identity")


TCP, UDP = {"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}
LOST = {
    "all is as it was": ([TCP, UDP], [TCP], "unchanged: "),
    "a field is set": ([{**TCP, "name": "tcp"}, UDP], [TCP], "merged: "),
}


@pytest.mark.parametrize("case", LOST.values(), ids=LOST)
def test_config_elements_merged_into_one_are_reported(case: tuple[list[Any], list[Any], str]) -> None:
    ports, there, action = case
    config, live = ({"metadata": {"name": "x"}, "spec": {"ports": found}} for found in (ports, there))
    found = reasons(("v1", "Service"), live, config, live)
    said = "config has 2 elements with port=53 and the result 1: the merge cannot distinguish them"
    assert found["spec.ports"][1] == action + said


def test_existing_values_are_not_reported_as_lost() -> None:
    same = {"metadata": {"name": "x"}, "spec": {"ports": [TCP, UDP]}}
    found = reasons(("v1", "Service"), same, same, json.loads(json.dumps(same)))
    assert found["spec.ports"][1] == "unchanged: the merge did not change it"


def test_every_changed_path_of_a_deep_object_is_reported() -> None:
    config: Any = "new"
    live: Any = "old"
    for _ in range(256):
        config, live = {"a": config}, {"a": live}
    found = reasons(None, {}, {"metadata": {}, "x": config}, {"metadata": {}, "x": live})
    assert found["x" + ".a" * 256] == ("changed", "set: config differs from live")


def test_an_object_in_place_of_a_text_is_one_change() -> None:
    found = reasons(None, None, {"spec": {"a": {"b": 1}}}, {"spec": {"a": "x"}})
    assert found["spec.a"] == ("changed", "replaced: live has a string, config has an object")
    assert "spec.a.b" not in found


def test_a_schema_of_a_class_of_its_own_is_a_schema() -> None:
    class Own(engine.Schema):
        pass

    found = NEWEST.schema("v1", "Pod")
    own = Own(found.types, found.type, found.key, found.namespaced, found.patch_types, found.release)
    config = {**head(("v1", "Pod")), "metadata": {"name": "a"}, "spec": {"containers": [{"name": "b", "image": "x"}]}}
    live = {**config, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    assert engine.apply(config, live, own).merged == engine.apply(config, live, found).merged
