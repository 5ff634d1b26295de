"""Field sets: byte-exact reading and writing, and their contents."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import engine
from engine import FieldSet

# In the API server's order: numbers by value, and the fields of an element after the element itself.
STORED = (
    '{"f:metadata":{"f:labels":{".":{},"f:a.b/c":{}}},'
    '"f:spec":{"f:flags":{"v:1":{},"v:2":{},"v:10":{},"v:\\"x\\"":{},"v:true":{},"v:[1]":{},"v:{\\"a\\":1}":{},"v:null":{}},'
    '"f:list":{"i:2":{},"i:10":{}},'
    '"f:ports":{"k:{\\"port\\":80}":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}},'
    '"k:{\\"port\\":443}":{".":{},"f:name":{}},"k:{\\"port\\":\\"http\\"}":{}}}}'
)
PATHS = (
    "metadata.labels",
    'metadata.labels["a.b/c"]',
    "spec.flags[=1]",
    "spec.flags[=2]",
    "spec.flags[=10]",
    "spec.flags[=x]",
    "spec.flags[=true]",
    "spec.flags[=[1]]",
    'spec.flags[={"a": 1}]',
    "spec.flags[=null]",
    "spec.list[2]",
    "spec.list[10]",
    "spec.ports[port=80]",
    "spec.ports[port=80,protocol=TCP]",
    "spec.ports[port=80,protocol=TCP].port",
    "spec.ports[port=443]",
    "spec.ports[port=443].name",
    "spec.ports[port=http]",
)


def test_a_set_is_written_as_it_was_read() -> None:
    fields = FieldSet.parse(STORED)
    assert fields.to_json() == STORED
    assert json.dumps(fields.to_fields_v1(), separators=(",", ":")) == STORED
    assert FieldSet.parse(json.loads(STORED)) == fields == FieldSet.parse(STORED.encode())
    assert fields.paths() == PATHS


def test_order_is_normalized() -> None:
    def backwards(value: Any) -> Any:
        return {key: backwards(inner) for key, inner in reversed(value.items())}

    assert FieldSet.parse(backwards(json.loads(STORED))).to_json() == STORED


def test_keys_are_normalized() -> None:
    fields = FieldSet.parse({'k:{ "b": 1.0, "a": "x" }': {}, "v:2.0": {}, "i:007": {}})
    assert fields.to_json() == '{"k:{\\"a\\":\\"x\\",\\"b\\":1}":{},"v:2":{},"i:7":{}}'


def test_unknown_path_elements_are_dropped() -> None:
    assert FieldSet.parse({"f:a": {"x:new": {}}, "z:later": {}, ".": {}}).paths() == ("a",)
    assert FieldSet.parse({"f:a": None}).paths() == ("a",)
    assert FieldSet.parse(None).paths() == ()


@pytest.mark.parametrize("path", [path for path in PATHS if "[=[" not in path and "[={" not in path])
def test_a_path_is_in_its_set(path: str) -> None:
    assert path in FieldSet.parse(STORED)
    assert path in FieldSet.of([path])


@pytest.mark.parametrize("path", ["spec", "metadata", "spec.ports", "spec.ports[port=81]", "metadata.labels.x.y", "."])
def test_another_path_is_not(path: str) -> None:
    assert path not in FieldSet.parse(STORED) if path != "." else () not in FieldSet.parse(STORED)


def test_a_path_may_be_given_as_steps() -> None:
    assert ("metadata", "labels", "a.b/c") in FieldSet.parse(STORED)
    assert ("spec", "list", 2) in FieldSet.parse(STORED)


@pytest.mark.parametrize("path", ["a..b", "[", 5])
def test_invalid_path_is_rejected(path: Any) -> None:
    with pytest.raises(engine.BadFieldPath):
        _ = path in FieldSet.parse(STORED)


def test_the_operations_of_sets() -> None:
    one, other = FieldSet.of(["a", "a.b", "a.c", "d.e"]), FieldSet.of(["a", "a.b.x", "d.e", "f"])
    assert one.union(other).paths() == ("a", "a.b", "a.b.x", "a.c", "d.e", "f")
    assert one.intersection(other).paths() == ("a", "d.e")
    assert one.difference(other).paths() == ("a.b", "a.c")
    assert one.leaves().paths() == ("a.b", "a.c", "d.e")
    empty = FieldSet.of([])
    assert one.union(empty) == one == empty.union(one)
    assert one.difference(one) == empty == one.intersection(empty) == empty.difference(one)
    assert one.intersection(one) == one
    assert FieldSet.of(["a.b"]).difference(FieldSet.of(["a"])).paths() == ("a.b",)
    assert not empty
    assert one
    assert len(one) == 4


def test_sets_are_values() -> None:
    fields = FieldSet.parse(STORED)
    assert pickle.loads(pickle.dumps(fields)) == fields == copy.deepcopy(fields)
    assert hash(fields) == hash(FieldSet.parse(STORED))
    assert fields != FieldSet.of(["a"])
    assert fields != "a"
    assert repr(FieldSet.of(["a"])) == "<FieldSet of 1 paths>"


@pytest.mark.parametrize("step", ["f", "", "fx", "k:[]", "k:{", "v:", "v:{", "i:x", "k:5"])
def test_invalid_path_element_is_rejected(step: str) -> None:
    with pytest.raises(engine.MergeError, match="of an owned field"):
        FieldSet.parse({"f:a": {step: {}}})


@pytest.mark.parametrize("fields", [5, [], {"f:a": 5}, {"f:a": ["x"]}, "x", "[]", {5: {}}])
def test_invalid_field_set_is_rejected(fields: Any) -> None:
    with pytest.raises(engine.MergeError):
        FieldSet.parse(fields)
