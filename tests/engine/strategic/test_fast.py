"""The fast code gives exactly the result of the plain code, or hands over to it.

Results are compared including the order of their keys, except for three-way patches: those are combined in another
order, which JSON does not show. Of several errors in a document, either code may find another one first.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import texts
from engine.strategic import fast, one_pass
from engine.strategic.diff import Diff
from engine.strategic.merge import Merge
from engine.tables.patch_schema import patch_schema
from engine.values.go_json import encode
from tests.conformance.draw import Draw
from tests.conformance.mutate import edited, grown
from tests.conformance.patching import patch_for
from tests.conformance.schemas import engine_schema
from tests.conformance.spoil import spoiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.tables.patch_schema import PatchSchema

    Documents = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]

SCHEMAS = (
    "MergeItem",
    "apps/v1 Deployment",
    "v1 Pod",
    "v1 Service",
    "v1 ConfigMap",
    "v1 Pod 1.7",
    "v1 Service 1.12",
    "apps/v1 StatefulSet 1.20",
)
DIFFS = [fast.TWO_WAY, fast.DELTA, fast.DELETIONS, fast.CHANGES]
MERGES = [fast.APPLY, fast.COMBINE]


# ---- plain code -----------------------------------------------------------------------------------------------------


def plain_diff(quick: Diff) -> Diff:
    return Diff(adds=quick.adds, drops=quick.drops, orders=quick.orders)


def plain_three_way(last: Any, config: Any, live: Any, top: PatchSchema) -> Any:
    delta = plain_diff(fast.DELTA).maps(live, config, top)
    return Merge(final=False).maps(plain_diff(fast.DELETIONS).maps(last, config, top), delta, top)


def answer(function: Callable[..., Any], *documents: Any, told: Callable[[Any], str] = repr) -> str:
    before = repr(documents)
    try:
        return told(function(*documents))
    except engine.MergeError:
        return "an error"
    except (TypeError, LookupError, AttributeError):
        return "an error"  # of a document that does not fit the schema, which `guard` reads again
    finally:
        assert repr(documents) == before, "an input was changed"


# ---- comparisons ---------------------------------------------------------------------------------------------------


def compare_diffs(before: Any, after: Any, top: PatchSchema) -> None:
    for quick in DIFFS:
        assert answer(quick.maps, before, after, top) == answer(plain_diff(quick).maps, before, after, top)


def compare_merges(target: Any, patch: Any, top: PatchSchema) -> None:
    for quick in MERGES:
        assert answer(quick.maps, target, patch, top) == answer(Merge(final=quick.final).maps, target, patch, top)


def compare_three_way(last: Any, config: Any, live: Any, top: PatchSchema) -> bool:
    """Return True if the fast code was used, too."""
    try:
        quick = encode(one_pass.quick_three_way(last, config, live, top))
    except (one_pass.NeedsGeneralPath, engine.MergeError):
        quick = None
    plain = answer(plain_three_way, last, config, live, top, told=encode)
    if quick is not None:
        assert quick == plain
    assert answer(one_pass.three_way, last, config, live, top, told=encode) == plain
    return quick is not None


# ---- documents ----------------------------------------------------------------------------------------------------


def draws(name: str, seed: int, size: int) -> tuple[Draw, PatchSchema]:
    schema = engine_schema(name)
    return Draw(schema, Random(f"{name} {seed}"), size), patch_schema(schema)


def three(draw: Draw, mishaps: int) -> Documents:
    """Last applied, config and live, normal except for so many mutations."""
    rule = draw.schema.type.rule
    last = draw.document()
    config = edited(draw, last, rule, 0.1)
    live = grown(draw, draw.one((last, config)), rule)
    for _ in range(mishaps):
        spoiled(draw, draw.one((last, config, live)), 1)
    return last, config, live


CASES = {
    "name": st.sampled_from(SCHEMAS),
    "seed": st.integers(0, 10**9),
    "size": st.integers(1, 4),
    "mishaps": st.sampled_from((0, 0, 1, 2)),
}


@settings(max_examples=200, deadline=None)
@given(**CASES)
def test_whole_objects(name: str, seed: int, size: int, mishaps: int) -> None:
    draw, top = draws(name, seed, size)
    last, config, live = three(draw, mishaps)
    compare_diffs(live, config, top)
    compare_diffs(last, config, top)
    compare_three_way(last, config, live, top)
    compare_merges(live, spoiled(draw, patch_for(draw, live, draw.schema.type.rule), mishaps), top)


KEYS = st.sampled_from(("a", "b", "c", "d", "e", "10", "9"))
NUMBERS = st.sampled_from((1, 2, 9, 10, 80))
ODD_KEYS = st.sampled_from(("a", "b", 1, True, 1.0, None))
VALUES = st.sampled_from(("x", "y", 1, True, 1.0, 0, False, None, {}, {"k": "x"}, ["x"]))
WORDS = st.sampled_from(("delete", "delete", "replace", "other"))
FIELDS = ("mergingList", "retainKeysMergingList", "ports", "listOfPointers", "mergingStringList", "mergingIntList")
SOME = {"value": VALUES, "other": VALUES, "simpleMap": VALUES, "retainKeysMap": VALUES, "$patch": WORDS}


@st.composite
def lists(draw: st.DrawFn, field: str) -> list[Any]:
    """Elements mostly with unique keys."""
    keys = NUMBERS if field in ("ports", "mergingIntList") else KEYS
    found: list[Any] = draw(st.lists(draw(st.sampled_from((keys, keys, keys, ODD_KEYS))), max_size=5, unique_by=repr))
    if draw(st.integers(0, 15)) == 0:
        found += draw(st.lists(keys, max_size=2))
    if field not in ("mergingStringList", "mergingIntList"):
        inner = {key: value for key, value in SOME.items() if key != "$patch" or draw(st.integers(0, 3)) == 0}
        name = "port" if field == "ports" else "name"
        found = [{name: key, **draw(st.fixed_dictionaries({}, optional=inner))} for key in found]
    return found


@settings(max_examples=150, deadline=None)
@given(field=st.sampled_from(FIELDS), data=st.data())
def test_lists(field: str, data: st.DataObject) -> None:
    top = patch_schema(engine_schema("MergeItem"))
    a_list = lists(field)
    live = data.draw(a_list)
    config = data.draw(a_list | st.permutations(live))
    last = data.draw(st.sampled_from((config, live)) | a_list)
    compare_diffs({field: live}, {field: config}, top)
    compare_three_way({field: last}, {field: config}, {field: live}, top)
    patch = {field: config}
    if data.draw(st.booleans()):
        key = {"ports": "port", "mergingStringList": None, "mergingIntList": None}.get(field, "name")
        names = [item if key is None else item[key] for item in [*config, *live]]
        order = data.draw(st.permutations(names) | st.just(names[: len(config)]))
        patch[f"$setElementOrder/{field}"] = order if key is None else [{key: name} for name in order]
        if data.draw(st.integers(0, 3)) == 0:
            del patch[field]
    compare_merges({field: live}, patch, top)


@pytest.mark.parametrize("name", SCHEMAS[:5])
def test_fast_code_is_used(name: str) -> None:
    taken = 0
    for seed in range(200):
        draw, top = draws(name, seed, 2)
        taken += compare_three_way(*three(draw, 0), top)
    assert taken > 60


A, B, C = {"name": "a", "image": "1"}, {"name": "b", "image": "1"}, {"name": "c"}
NEW_A = {"name": "a", "image": "2"}
TEXTS = ["x.example/a", "x.example/b"]
EVERYDAY: dict[str, Documents] = {
    # by description: last applied, config and live, the spec of a Pod
    "nothing was applied": ({}, {"containers": [NEW_A, C]}, {"containers": [A, B]}),
    "the list was not there": ({"hostname": "a"}, {"containers": [NEW_A]}, {"containers": [B, A]}),
    "the list was of another type": ({"containers": {}}, {"containers": [NEW_A]}, {"containers": [A]}),
    "nothing was removed": ({"containers": [NEW_A, B]}, {"containers": [NEW_A, B]}, {"containers": [B, A]}),
    "elements and a field were removed": (
        {"containers": [A, B, C]},
        {"containers": [C, {"name": "a"}]},
        {"containers": [A, B, C]},
    ),
    "all elements are new": ({"containers": []}, {"containers": [A]}, {"containers": []}),
    "the list is new": ({}, {"containers": [A]}, {}),
    "ports were removed": (
        {"containers": [{"name": "a", "ports": [{"containerPort": 80}, {"containerPort": 9}]}]},
        {"containers": [{"name": "a", "ports": [{"containerPort": 443}]}]},
        {"containers": [{"name": "a", "ports": [{"containerPort": 9}, {"containerPort": 80}]}]},
    ),
    "scalars are as they were": ({"podCIDRs": TEXTS}, {"podCIDRs": TEXTS}, {"podCIDRs": TEXTS}),
    "scalars are new": ({}, {"podCIDRs": TEXTS}, {"podCIDRs": []}),
    "a list that is replaced changes": ({"tolerations": [A]}, {"tolerations": [B]}, {"tolerations": [A]}),
    "a map is new, or has another type": ({}, {"nodeSelector": {"a": "1"}, "hostname": "a"}, {"hostname": {"a": 1}}),
    "keys of a map are removed": (
        {"nodeSelector": {"a": "1", "b": "2"}},
        {"nodeSelector": {"a": "1"}},
        {"nodeSelector": {"a": "1", "b": "2"}},
    ),
    "an element with retained keys changes": (
        {"volumes": [{"name": "a", "emptyDir": {}}]},
        {"volumes": [{"name": "a", "hostPath": {"path": "/"}}]},
        {"volumes": [{"name": "a", "emptyDir": {}}, {"name": "b"}]},
    ),
}


@pytest.mark.parametrize("documents", EVERYDAY.values(), ids=EVERYDAY)
def test_ordinary_documents_never_need_the_plain_code(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    top = patch_schema(engine_schema("v1 Node" if "podCIDRs" in documents[1] else "v1 Pod"))
    last, config, live = ({"spec": spec} for spec in documents)
    assert compare_three_way(last, config, live, top)
    changes = [answer(quick.maps, last, config, top) for quick in DIFFS]
    if "podCIDRs" not in config["spec"]:
        monkeypatch.setattr(Diff, "_keyed", None)
    assert [repr(quick.maps(last, config, top)) for quick in DIFFS] == changes


def test_lists_handled_by_the_fast_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of elements to change, add and delete, in a given order, never need the plain code."""
    monkeypatch.setattr("engine.strategic.merge.merge_list", None)
    monkeypatch.setattr("engine.strategic.merge.put_in_order", None)
    test_long_lists()


def test_long_lists() -> None:
    schema, random = engine_schema("v1 Pod"), Random(7)
    names = [f"v{number}" for number in range(400)]
    for _ in range(20):
        live = random.sample(names, 300)
        patch = random.sample(names, 200)
        gone = set(random.sample(patch, 60))
        order = [name for name in patch if name not in gone]
        target = pod([{"name": name, "value": "live"} for name in live])
        changes = pod(
            [{"name": name, "value": "new"} for name in order] + [{"name": name, "$patch": "delete"} for name in gone]
        )
        changes["spec"]["containers"][0]["$setElementOrder/env"] = [{"name": name} for name in order]
        merged = engine.apply_patch(target, changes, schema)["spec"]["containers"][0]["env"]
        kept = [item["name"] for item in merged]
        assert sorted(kept) == sorted({*live, *order} - gone)
        assert [name for name in kept if name in order] == order
        assert [name for name in kept if name not in order] == [name for name in live if name not in {*order, *gone}]


def pod(env: list[dict[str, Any]]) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "main", "env": env}]}}


def test_text_to_text() -> None:
    schema = engine_schema("v1 ConfigMap")
    one, other = '{"data": {"a": "1", "b": "<"}}', b'{"data": {"b": "<", "c": 1.0}}'
    patch = texts.two_way_patch(one, other, schema)
    assert patch == '{"data":{"a":null,"c":1}}'
    assert texts.three_way_patch(one, other, one, schema) == patch
    assert texts.apply_patch(one, patch, schema) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.apply_patch(one, patch, None) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.three_way_patch(b"", other, "", schema) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.apply_patch("null", '{"data": null}', schema) == "{}"
    for broken in ("", "{", "1", "[]"):
        with pytest.raises((engine.BadText, engine.NotAnObject)):
            texts.apply_patch(one, broken, schema)
