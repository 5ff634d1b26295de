"""A strategic patch on a custom resource identifies elements by all keys of its definition, and their defaults."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import codegen
import engine
from engine.custom.patches import apply_patch_by_all_keys
from tests.conftest import ROOT

BACKUP = ("storage.example.com/v1", "Backup")
ROLLOUT = ("rollout.example.com/v1alpha1", "Rollout")
TABLES = engine.load().overlay(codegen.read(str(ROOT / "examples" / "crds")))
TABLES = TABLES.overlay(codegen.read(str(ROOT / "tests" / "data" / "crds")))

TWO = [{"claim": "orders", "path": "/", "exclude": ["tmp"]}, {"claim": "orders", "path": "/archive"}]
ARCHIVE = {"claim": "orders", "path": "/archive"}


def patched(spec: Any, patch: Any, kind: tuple[str, str] = BACKUP) -> Any:
    whole = [{"apiVersion": kind[0], "kind": kind[1], "metadata": {"name": "x"}, "spec": one} for one in (spec, patch)]
    before = copy.deepcopy(whole)
    found = apply_patch_by_all_keys(whole[0], whole[1], TABLES.schema(*kind))
    assert whole == before, "an input was changed"
    assert "\0" not in str(found), "a mark was left"
    return found["spec"]


CASES: dict[str, tuple[Any, Any, Any]] = {
    # by description: live, the patch, and the result
    "an element of the same second key": (
        TWO,
        [{**ARCHIVE, "exclude": ["x"]}],
        [TWO[0], {**ARCHIVE, "exclude": ["x"]}],
    ),
    "a missing key stands for its default": (
        TWO,
        [{"claim": "orders", "exclude": None}],
        [{"claim": "orders", "path": "/"}, ARCHIVE],
    ),
    "in what is there, too": ([{"claim": "orders"}, ARCHIVE], [TWO[0]], [TWO[0], ARCHIVE]),
    "a new element goes first": (TWO, [{"claim": "orders", "path": "/a"}], [{"claim": "orders", "path": "/a"}, *TWO]),
    "one is deleted": (TWO, [{"claim": "orders", "$patch": "delete"}], [ARCHIVE]),
    "all are replaced": (TWO, [{"claim": "new"}, {"$patch": "replace"}], [{"claim": "new"}]),
    "no others keys are kept": (
        TWO,
        [{"claim": "orders", "path": "/", "$retainKeys": ["claim", "path"]}],
        [{"claim": "orders", "path": "/"}, ARCHIVE],
    ),
    "an element that says not enough is like no other": ([{"path": "/"}], [ARCHIVE], [ARCHIVE, {"path": "/"}]),
    "there was no list": (None, [{"claim": "orders"}], [{"claim": "orders"}]),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(case: tuple[Any, Any, Any]) -> None:
    there, patch, expected = case
    assert patched({} if there is None else {"volumes": there}, {"volumes": patch}) == {"volumes": expected}


def test_elements_are_ordered_by_all_keys() -> None:
    order = [ARCHIVE, {"claim": "orders"}]
    assert patched({"volumes": TWO}, {"$setElementOrder/volumes": order}) == {"volumes": TWO[::-1]}


def test_the_keys_of_an_embedded_template() -> None:
    def spec(*ports: Any) -> Any:
        return {"template": {"spec": {"containers": [{"name": "a", "ports": list(ports)}]}}}

    there = spec({"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"})
    patch = spec({"containerPort": 53, "name": "tcp"})
    assert patched(there, patch, ROLLOUT) == spec(
        {"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP", "name": "tcp"}
    )


PROBLEMS: dict[str, tuple[Any, str]] = {
    "an element that does not say which it is": ([{"path": "/"}], "spec.volumes: an element has no 'claim'"),
    "elements of another kind": (["orders"], "spec.volumes: elements are a string"),
    "inside of an element": (
        [{"claim": "orders", "exclude": [{}]}],
        "spec.volumes[claim=orders,path=/].exclude: elements are",
    ),
}


@pytest.mark.parametrize(("patch", "said"), PROBLEMS.values(), ids=PROBLEMS)
def test_problem_is_reported_with_the_original_keys(patch: Any, said: str) -> None:
    with pytest.raises(engine.MergeError) as caught:
        patched({"volumes": TWO}, {"volumes": patch})
    assert str(caught.value).startswith(said)


def test_documents_of_any_depth() -> None:
    deep: Any = {}
    for _ in range(250):
        deep = {"a": deep}
    assert patched({"options": deep}, {"options": {"b": deep}})["options"]["b"] == deep
