"""The types and functions that only expressions of policies have."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.cel.language.types import DYN
from kubemerge.apiserver.cel.meter import Meter
from kubemerge.apiserver.cel.programs import Refused, compile_expression
from kubemerge.apiserver.policies.values import plain_value

VALUES: dict[str, Any] = {
    "Object{spec: Object.spec{replicas: 1 + 1}}": {"spec": {"replicas": 2}},
    "Object{data: {'a': object.name}}": {"data": {"a": "web"}},
    "Object{?data: object.?data}": {},
    "Object{a: [Object.a.item{b: 1}, Object.a.item{b: 2}]}": {"a": [{"b": 1}, {"b": 2}]},
    "JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('a/~b'), value: {'x': 1}}": {
        "op": "add",
        "path": "/a/a~1~0b",
        "value": {"x": 1},
    },
    "[JSONPatch{op: 'remove', path: '/a'}].map(one, one.op)": ["remove"],
    "has(Object{a: 1}.a) && !has(Object{}.a)": True,
    "Object{a: 1} == Object{a: 1} && Object{a: 1} != Object{a: 2}": True,
}
REJECTED = {
    "JSONPatch{op: 1}": "expected type of field 'op' is 'string' but provided type is 'int'",
    "JSONPatch{nothing: '1'}": "expected type of field 'nothing' is '' but provided type is 'string'",
    "Other{}": "undeclared reference to 'Other'",
    "Object{spec: }": "Syntax error",
}


def value(text: str, *, patches: bool) -> Any:
    program = compile_expression(text, {"object": DYN}, patches=patches)
    return plain_value(program.evaluate({"object": {"name": "web"}}, Meter(10_000)))


@pytest.mark.parametrize("text", VALUES)
def test_mutations_construct_objects_and_patches(text: str) -> None:
    assert value(text, patches=True) == VALUES[text]


@pytest.mark.parametrize("text", REJECTED)
def test_other_types_and_fields_do_not_compile(text: str) -> None:
    with pytest.raises(Refused) as caught:
        value(text, patches=True)
    assert REJECTED[text] in str(caught.value)


@pytest.mark.parametrize("text", ["Object{}", "JSONPatch{op: 'add'}", "jsonpatch.escapeKey('a')"])
def test_other_expressions_have_no_patches(text: str) -> None:
    with pytest.raises(Refused, match="undeclared reference"):
        value(text, patches=False)
