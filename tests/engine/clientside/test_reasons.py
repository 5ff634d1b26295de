"""Every field of an outcome has its reason, in the words of the three documents."""

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


def test_lists_whose_elements_cannot_be_told_apart_have_one_reason_for_the_whole() -> None:
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
def test_elements_of_config_that_the_merge_takes_for_one_are_told(case: tuple[list[Any], list[Any], str]) -> None:
    ports, there, action = case
    config, live = ({"metadata": {"name": "x"}, "spec": {"ports": found}} for found in (ports, there))
    found = reasons(("v1", "Service"), live, config, live)
    said = "config has 2 elements with port=53 and the result 1: the merge cannot distinguish them"
    assert found["spec.ports"][1] == action + said


def test_nothing_is_said_to_be_lost_that_is_there() -> None:
    same = {"metadata": {"name": "x"}, "spec": {"ports": [TCP, UDP]}}
    found = reasons(("v1", "Service"), same, same, json.loads(json.dumps(same)))
    assert found["spec.ports"][1] == "unchanged: the merge did not change it"


def test_every_touched_path_is_told_for_a_deep_object() -> None:
    config: Any = "new"
    live: Any = "old"
    for _ in range(256):
        config, live = {"a": config}, {"a": live}
    found = reasons(None, {}, {"metadata": {}, "x": config}, {"metadata": {}, "x": live})
    assert found["x" + ".a" * 256] == ("changed", "set: config differs from live")
