"""Conflicts: every path, with both values; and patches that change protected fields."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.conformance.schemas import engine_schema

DEPLOYMENT = engine.load().schema("apps/v1", "Deployment")
ITEM = engine_schema("MergeItem")


def deployment(image: str, replicas: int, label: str) -> dict[str, Any]:
    return {
        "metadata": {"labels": {"app.kubernetes.io/name": label}},
        "spec": {
            "replicas": replicas,
            "template": {"spec": {"containers": [{"name": "web", "image": image}, {"name": "log", "image": "log"}]}},
        },
    }


def test_every_conflict_is_listed_with_both_values() -> None:
    last, config, live = deployment("a", 1, "x"), deployment("b", 2, "y"), deployment("c", 3, "z")
    with pytest.raises(engine.ConflictError) as caught:
        engine.three_way_patch(last, config, live, DEPLOYMENT, overwrite=False)
    assert [(one.path, one.ours, one.theirs) for one in caught.value.conflicts] == [
        ('metadata.labels["app.kubernetes.io/name"]', "y", "z"),
        ("spec.replicas", 2, 3),
        ("spec.template.spec.containers[name=web].image", "b", "c"),
    ]
    assert "spec.replicas" in str(caught.value)
    assert engine.three_way_patch(last, config, live, DEPLOYMENT)["spec"]["replicas"] == 2


def test_the_same_change_by_both_is_none() -> None:
    last, both = deployment("a", 1, "x"), deployment("b", 2, "y")
    assert engine.three_way_patch(last, both, both, DEPLOYMENT, overwrite=False) == {}


@pytest.mark.parametrize(
    ("ours", "theirs", "paths"),
    [
        ({"name": "a"}, {"name": "b"}, ["name"]),
        ({"name": None}, {"name": None}, []),
        ({"count": 1}, {"count": 1.0}, ["count"]),
        ({"simpleMap": {"a": "1"}}, {"simpleMap": None}, ["simpleMap"]),
        ({"simpleMap": {"$patch": "delete"}}, {"simpleMap": {"a": "1"}}, ["simpleMap"]),
        ({"replacingItem": {"a": 1}}, {"replacingItem": {"a": 2}}, []),
        ({"mergingIntList": [1]}, {"mergingIntList": [2]}, []),
        ({"nonMergingIntList": [1, 2]}, {"nonMergingIntList": [2, 1]}, []),
        ({"nonMergingIntList": [1, 2]}, {"nonMergingIntList": [2]}, ["nonMergingIntList"]),
        ({"nonMergingIntList": [1, 3]}, {"nonMergingIntList": [2, 1]}, ["nonMergingIntList"]),
        ({"ports": [{"port": 1, "name": "a"}]}, {"ports": [{"port": 1.0, "name": "b"}]}, []),
        ({"ports": [{"port": True, "name": "a"}]}, {"ports": [{"port": True, "name": "b"}]}, ["ports[port=true].name"]),
        ({"ports": [{"port": None, "name": "a"}]}, {"ports": [{"port": None, "name": "b"}]}, ["ports[port=null].name"]),
        (
            {"nonMergingList": [{"name": "a"}, {"value": "b"}]},
            {"nonMergingList": [{"name": "x"}, {"value": "c"}]},
            ["nonMergingList[0].name", "nonMergingList[1].value"],
        ),
        # After the first conflict of a list, the reference stops, so it never sees the error.
        (
            {"nonMergingList": [{"name": "a"}, {"unknown": {}}]},
            {"nonMergingList": [{"name": "x"}, {"unknown": {}}]},
            ["nonMergingList[0].name"],
        ),
    ],
)
def test_places(ours: dict[str, Any], theirs: dict[str, Any], paths: list[str]) -> None:
    assert [one.path for one in engine.conflicts(ours, theirs, ITEM)] == paths


@pytest.mark.parametrize(
    ("ours", "theirs", "paths"),
    [
        ({"name": "a", "a": {}}, {"name": "b", "a": {}}, ["name"]),
        ({"zz": {}, "name": "a"}, {"zz": {}, "name": "b"}, ["name"]),
        ({"item": {"zz": {}}, "name": "a"}, {"item": {"zz": {}}, "name": "b"}, ["name"]),
        (
            {"mergingList": [{"name": "a", "zz": {}}, {"name": "b", "value": "1"}]},
            {"mergingList": [{"name": "a", "zz": {}}, {"name": "b", "value": "2"}]},
            ["mergingList[name=b].value"],
        ),
        (
            {"nonMergingIntList": [1, 2], "name": "a"},
            {"nonMergingIntList": [1, 1], "name": "b"},
            ["name"],
        ),
    ],
)
def test_conflict_takes_precedence_over_an_error(
    ours: dict[str, Any], theirs: dict[str, Any], paths: list[str]
) -> None:
    """Go reports the first problem that it finds, almost always the conflict."""
    assert [one.path for one in engine.conflicts(ours, theirs, ITEM)] == paths


def test_error_in_an_earlier_element_takes_precedence_over_a_later_conflict() -> None:
    ours, theirs = ({"nonMergingList": [{"zz": {}}, {"name": name}]} for name in "ab")
    with pytest.raises(engine.UnknownField):
        engine.conflicts(ours, theirs, ITEM)
    assert [one.path for one in engine.conflicts({**ours, "name": "a"}, {**theirs, "name": "b"}, ITEM)] == ["name"]


def test_conflict_takes_precedence_over_an_incomparable_removed_value() -> None:
    last, config, live = (
        {"data": {"a": value}, "metadata": {"finalizers": found}}
        for value, found in (("1", ["a", "b"]), ("2", ["a"]), ("3", ["c"]))
    )
    with pytest.raises(engine.ConflictError) as caught:
        engine.three_way_patch(last, config, live, engine.load().schema("v1", "ConfigMap"), overwrite=False)
    assert [one.path for one in caught.value.conflicts] == ["data.a"]


def test_errors_have_paths() -> None:
    with pytest.raises(engine.UnclearConflict) as unclear:
        engine.conflicts({"nonMergingIntList": [1, 2]}, {"nonMergingIntList": [1, 1]}, ITEM)
    assert unclear.value.path == "nonMergingIntList"
    assert (unclear.value.ours, unclear.value.theirs) == ([1, 2], [1, 1])
    with pytest.raises(engine.MissingMergeKey) as missing:
        engine.conflicts({"item": {"ports": [{}]}}, {"item": {"ports": [{}]}}, ITEM)
    assert missing.value.path == "item.ports"
    with pytest.raises(engine.UnknownField) as unknown:
        engine.conflicts({"nonMergingList": [{"zz": {}}]}, {"nonMergingList": [{"zz": {}}]}, ITEM)
    assert unknown.value.path == "nonMergingList[0].zz"


def test_conflicts_of_merge_patches() -> None:
    found = engine.conflicts({"a": {"b": [1, {"c": 2}]}, "d": 1}, {"a": {"b": [1, {"c": 3}]}, "d": None}, None)
    assert [(one.path, one.ours, one.theirs) for one in found] == [("a.b[1].c", 2, 3), ("d", 1, None)]
    assert found[0] == engine.Conflict(found[0].steps, 2, 3)
    assert repr(found[1]) == "Conflict('d', ours=1, theirs=None)"
    assert [one.path for one in engine.conflicts({"a": [1]}, {"a": [1, 2]}, None)] == ["a"]


@pytest.mark.parametrize("schema", [DEPLOYMENT, None])
def test_protected_fields(schema: engine.Schema | None) -> None:
    live, other = {"kind": "A", "metadata": {"name": "a"}}, {"kind": "B", "metadata": {"name": "b"}}
    unchanged = ("kind", "apiVersion", "metadata.name", "metadata.name.first")
    for made in (
        lambda: engine.two_way_patch(live, other, schema, unchanged=unchanged),
        lambda: engine.three_way_patch(live, other, live, schema, unchanged=unchanged),
    ):
        with pytest.raises(engine.PreconditionFailed) as caught:
            made()  # type: ignore[no-untyped-call]
        assert caught.value.changed == ("kind", "metadata.name")
        assert caught.value.patch == other
