"""JSON patches, as kubectl applies them, with one sentence for each error."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from kubemerge.apiserver.patches.json_patch import BadJsonPatch, apply_json_patch
from kubemerge.apiserver.patches.patch_types import TooManyOperations, apply_patch
from kubemerge.cluster import open_cluster

DOCUMENT: dict[str, Any] = {"m": {"a": 1, "b": None, "x/y": 2, "x~y": 3, "": 4}, "l": [1, 2, 3]}


def op(name: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": name, "path": path, **more}


DONE: dict[str, tuple[list[dict[str, Any]], Any]] = {
    # operations, and the changed part afterwards
    "test an absent value": ([op("test", "/m/c")], {}),
    "text before the first slash": ([op("add", "x/m/c", value=5)], {"m": {**DOCUMENT["m"], "c": 5}}),
    "add": ([op("add", "/m/c", value=5)], {"m": {**DOCUMENT["m"], "c": 5}}),
    "add over": ([op("add", "/m/a", value=[5])], {"m": {**DOCUMENT["m"], "a": [5]}}),
    "add before an element": ([op("add", "/l/1", value=9)], {"l": [1, 9, 2, 3]}),
    "add behind the last element": ([op("add", "/l/3", value=9)], {"l": [1, 2, 3, 9]}),
    "add at the end": ([op("add", "/l/-", value=9)], {"l": [1, 2, 3, 9]}),
    "add, counted from the end": ([op("add", "/l/-1", value=9)], {"l": [1, 2, 3, 9]}),
    "add before all, counted from the end": ([op("add", "/l/-4", value=9)], {"l": [9, 1, 2, 3]}),
    "add without a value": ([op("add", "/m/a")], {"m": {**DOCUMENT["m"], "a": None}}),
    "remove an element": ([op("remove", "/l/0")], {"l": [2, 3]}),
    "remove the last element": ([op("remove", "/l/-1")], {"l": [1, 2]}),
    "remove a slash": ([op("remove", "/m/x~1y")], {"m": {key: DOCUMENT["m"][key] for key in ("a", "b", "x~y", "")}}),
    "remove a tilde": ([op("remove", "/m/x~0y")], {"m": {key: DOCUMENT["m"][key] for key in ("a", "b", "x/y", "")}}),
    "remove an empty key": (
        [op("remove", "/m/")],
        {"m": {key: DOCUMENT["m"][key] for key in ("a", "b", "x/y", "x~y")}},
    ),
    "replace": ([op("replace", "/l/-3", value=9)], {"l": [9, 2, 3]}),
    "replace what is not there": ([op("replace", "/m/c", value=9)], {"m": {**DOCUMENT["m"], "c": 9}}),
    "replace everything": ([op("replace", "", value={"l": 1})], {"l": 1, "m": None}),
    "move": ([op("move", "/l/-", **{"from": "/l/0"})], {"l": [2, 3, 1]}),
    "move to the end of what is left": ([op("move", "/l/2", **{"from": "/l/0"})], {"l": [2, 3, 1]}),
    "move to itself": ([op("move", "/m/a", **{"from": "/m/a"})], {}),
    "copy": ([op("copy", "/l/0", **{"from": "/m/a"})], {"l": [1, 1, 2, 3]}),
    "copy with a value": ([op("copy", "/l/0", value=9, **{"from": "/m/a"})], {"l": [1, 1, 2, 3]}),
    "copy into itself": ([op("copy", "/l/3", **{"from": "/l"})], {"l": [1, 2, 3, [1, 2, 3]]}),
    "copy what is not there": ([op("copy", "/l/0", **{"from": "/m/c"})], {"l": [None, 1, 2, 3]}),
    "a copy is a copy": (
        [op("copy", "/c", **{"from": "/l"}), op("remove", "/c/0"), op("remove", "/c")],
        {},
    ),
    "test": ([op("test", "/m", value=DOCUMENT["m"]), op("test", "/l/-1", value=3), op("test", "", value=DOCUMENT)], {}),
    "test for null": ([op("test", "/m/b", value=None), op("test", "/m/c", value=None)], {}),
    "nothing": ([], {}),
}


@pytest.mark.parametrize("case", DONE.values(), ids=DONE)
def test_operations(case: tuple[list[dict[str, Any]], Any]) -> None:
    operations, changed = case
    expected = {key: value for key, value in {**DOCUMENT, **changed}.items() if value is not None}
    before = copy.deepcopy((DOCUMENT, operations))
    assert apply_json_patch(DOCUMENT, operations) == expected
    assert (DOCUMENT, operations) == before


def test_what_kubectl_is_lenient_about_is_told() -> None:
    told: list[str] = []
    operations = [
        op("replace", "/m/c", value=1),
        op("copy", "/m/d", **{"from": "/m/z"}),
        op("add", "/m/e"),
    ]
    apply_json_patch(DOCUMENT, operations, told.append)
    assert told == [
        "operation 1 (replace /m/c): there is nothing to replace, so kubectl adds it",
        "operation 2 (copy /m/d): there is nothing to copy, so kubectl sets null",
        "operation 3 (add /m/e): it has no value, which kubectl takes for null",
    ]


REFUSED: dict[str, tuple[Any, str]] = {
    "a map": ({}, "a JSON patch is a list of operations, not an object"),
    "a text": ("x", "a JSON patch is a list of operations, not a string"),
    "no map": ([1], "operation 1 is an integer"),
    "no op": ([{"path": "/m"}], "operation 1 has no op"),
    "an unknown op": ([op("frob", "/m")], "operation 1 has the op 'frob'; it is one of add, copy"),
    "an op that is a list": ([{"op": [], "path": "/m"}], "operation 1 has the op []"),
    "no path": ([{"op": "add", "value": 1}], "operation 1 (add) has no path"),
    "a path that is a number": ([{"op": "remove", "path": 1}], "a path begins with /"),
    "a path without a slash": ([op("remove", "m")], "operation 1 (remove) has the path 'm'"),
    "no from": ([op("move", "/m")], "operation 1 (move) has no from"),
    "no value to test": ([op("test", "/m")], "operation 1 (test /m): the test fails"),
    "a tilde that means nothing": ([op("remove", "/m/~2")], "write ~0 for ~ and ~1 for /"),
    "the second one": (
        [op("remove", "/l/0"), op("remove", "/l/7")],
        "operation 2 (remove /l/7): the index 7 is outside",
    ),
    "nothing there": ([op("remove", "/m/c")], "there is nothing at /m/c"),
    "nothing above": ([op("add", "/n/c", value=1)], "there is nothing at /n"),
    "below a value": ([op("add", "/m/a/c", value=1)], "/m/a is an integer, and nothing can be below it"),
    "an index that is none": ([op("remove", "/l/x")], "/l is a list, and 'x' is no index"),
    "an index with a zero": ([op("remove", "/l/01")], "'01' is no index"),
    "an index that is huge": ([op("remove", f"/l/{'9' * 5000}")], "is no index"),
    "beyond the end": ([op("add", "/l/4", value=1)], "the index 4 is outside of /l, a list of 3"),
    "before the beginning": ([op("remove", "/l/-4")], "the index -4 is outside of /l"),
    "minus zero": ([op("remove", "/l/-0")], "the index -0 is outside of /l"),
    "the end of a list is no element": ([op("remove", "/l/-")], "nothing is there"),
    "replacing beyond the end": ([op("replace", "/l/3", value=1)], "the index 3 is outside"),
    "copying beyond the end": ([op("copy", "/m/c", **{"from": "/l/3"})], "the index 3 is outside"),
    "moving nothing": ([op("move", "/m/c", **{"from": "/m/z"})], "there is nothing at /m/z"),
    "moving into itself": ([op("move", "/m/a", **{"from": "/m"})], "cannot be moved into itself"),
    "removing everything": ([op("remove", "")], "(remove of everything): the whole object cannot be removed"),
    "adding everything": ([op("add", "", value={})], "the whole object can be replaced only"),
    "copying everything": ([op("copy", "/m/c", **{"from": ""})], "the whole object cannot be"),
    "a test of another value": ([op("test", "/m/a", value=2)], "the test fails: another value is there"),
    "true is not 1": ([op("test", "/m/a", value=True)], "the test fails"),
    "a test of nothing": ([op("test", "/m/c", value=1)], "there is nothing at /m/c"),
    "a set": ([op("add", "/m/c", value={1})], "[0].value"),
    "too deep": ([op("copy", "/m/c", **{"from": "/m"})] * 400, "more than 300 levels"),
    "doubled over and over": ([op("copy", "/l/-", **{"from": "/l"})] * 40, "copies more than 2000000 values"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(case: tuple[Any, str]) -> None:
    patch, message = case
    with pytest.raises(engine.MergeError) as found:
        apply_json_patch(DOCUMENT, patch)
    assert message in str(found.value)
    assert "\n" not in str(found.value)


def test_a_server_limits_the_number_of_operations() -> None:
    resource = next(one for one in open_cluster(":memory:").resources() if one.kind == "ConfigMap")
    operations = [op("test", "/m/a", value=1)] * 10_001
    with pytest.raises(TooManyOperations) as found:
        apply_patch(DOCUMENT, operations, "json", resource, lambda: engine.load().schema("v1", "ConfigMap"))
    assert str(found.value).endswith("The allowed maximum operations in a JSON patch is 10000, got 10001")
    assert found.value.code == 413


def test_deeper_than_any_document() -> None:
    deeper = [{"op": "add", "path": "/m" + "/a" * at, "value": {"a": {}}} for at in range(1, 400)]
    with pytest.raises(engine.TooDeep):
        apply_json_patch(DOCUMENT, deeper)


def test_an_error_does_not_hold_the_document() -> None:
    document = {"data": {"password": "c2VjcmV0"}}
    for operation in (op("remove", "/data/x"), op("test", "/data", value={}), op("add", "/data/password/x", value=1)):
        with pytest.raises(BadJsonPatch) as found:
            apply_json_patch(document, [operation])
        assert "c2VjcmV0" not in str(found.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | st.sampled_from(["", "a", "-"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "/", "~"]), inner, max_size=3)
    ),
    max_leaves=8,
)
PATHS = st.lists(st.sampled_from(["", "a", "~0", "~1", "0", "1", "-1", "-", "~", "9"]), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)
OPERATIONS = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]), "path": PATHS},
    optional={"value": JSON, "from": PATHS},
)


@settings(max_examples=150, deadline=None)
@given(JSON, st.lists(OPERATIONS | JSON, max_size=4) | JSON)
def test_nothing_but_our_errors_comes_of_any_patch(document: Any, patch: Any) -> None:
    before = copy.deepcopy((document, patch))
    try:
        apply_json_patch(document, patch)
    except engine.MergeError as error:
        assert str(error)  # noqa: PT017 - that there is an error at all is not the point
    assert (document, patch) == before
