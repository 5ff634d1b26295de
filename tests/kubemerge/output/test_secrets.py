"""Secrets are masked as by kubectl: differences are visible, and values are not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.directives import ANNOTATION
from kubemerge.output.secrets import Shown, is_secret, masked, masked_pair


def secret(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}, **fields}


def annotated(text: Any, key: str = ANNOTATION, **fields: Any) -> dict[str, Any]:
    return secret(metadata={"name": "x", "annotations": {key: text}}, **fields)


PAIRS: dict[str, tuple[Any, Any, Any, Any]] = {
    # data before, data after, and the same as shown
    "equal": ({"a": "MQ=="}, {"a": "MQ=="}, {"a": "***"}, {"a": "***"}),
    "different": ({"a": "MQ=="}, {"a": "Mg=="}, {"a": "*** (before)"}, {"a": "*** (after)"}),
    "added and removed": ({"a": "MQ=="}, {"b": "MQ=="}, {"a": "***"}, {"b": "***"}),
    "null": ({"a": None}, {"a": "MQ=="}, {"a": "*** (before)"}, {"a": "*** (after)"}),
    "true is not 1": ({"a": True}, {"a": 1}, {"a": "*** (before)"}, {"a": "*** (after)"}),
    "no map": ("MQ==", {"a": "MQ=="}, "***", {"a": "***"}),
    "no map on either side": (["MQ=="], "MQ==", "*** (before)", "*** (after)"),
    "values that are maps": ({"a": {"b": "MQ=="}}, {"a": {"b": "MQ=="}}, {"a": "***"}, {"a": "***"}),
    "empty": ({}, {"a": "MQ=="}, {}, {"a": "***"}),
}


@pytest.mark.parametrize("field", ["data", "stringData"])
@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_values_are_masked(case: tuple[Any, Any, Any, Any], field: str) -> None:
    before, after, *shown = case
    found = masked_pair(secret(**{field: before}), secret(**{field: after}))
    assert [side[field] for side in found] == shown


def test_a_secret_that_is_new_or_gone() -> None:
    assert masked_pair(None, secret(data={"a": "MQ=="})) == (None, secret(data={"a": "***"}))
    assert masked_pair(secret(data={"a": "MQ=="}), None) == (secret(data={"a": "***"}), None)
    assert masked(secret(stringData={"a": "b"})) == secret(stringData={"a": "***"})


def test_nothing_else_is_touched_and_inputs_stay_as_they_are() -> None:
    given = secret(type="Opaque", data={"a": "MQ=="}, immutable=True)
    kept = json.loads(json.dumps(given))
    assert masked(given) == {**given, "data": {"a": "***"}}
    assert given == kept
    other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}}
    assert masked_pair(other, None) == (other, None)
    assert not is_secret(other)
    assert not is_secret("Secret")


ANNOTATIONS: dict[str, tuple[Any, Any]] = {
    "what apply keeps": (
        '{"apiVersion":"v1","data":{"a":"MQ=="},"kind":"Secret"}\n',
        '{"apiVersion":"v1","data":{"a":"***"},"kind":"Secret"}\n',
    ),
    "text that is no JSON": ("{data: MQ==", "***"),
    "JSON that is no object": ("[1]", "***"),
    "no text": (5, "***"),
    "empty": ("", "***"),
    "in itself": (
        json.dumps({"metadata": {"annotations": {ANNOTATION: '{"data":{"a":"MQ=="}}'}}}),
        '{"metadata":{"annotations":{"' + ANNOTATION + '":"{\\"data\\":{\\"a\\":\\"***\\"}}"}}}',
    ),
}


SECRET = '{"data":{"a":"MQ=="},"stringData":{"b":"hidden"}}'
COPIES = {
    "a list": f"[{SECRET}]",
    "JSON in JSON": json.dumps(SECRET),
    "JSON in a field": json.dumps({"copy": SECRET}),
    "deep in an object": f'{{"object":{{"spec":[{SECRET}]}}}}',
    "cut off": SECRET[:-1],
    "YAML": "kind: Secret\ndata:\n  a: MQ==\nstringData:\n  b: hidden\n",
    "YAML in JSON": json.dumps({"copy": "data: {a: MQ==}\nstringData: {b: hidden}"}),
}


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("key", [ANNOTATION, "note"])
def test_a_copy_in_an_annotation_is_masked_however_it_is_written(copy: str, key: str) -> None:
    for one in masked_pair(annotated(copy, key), annotated(f"{copy} ", key)):
        assert "MQ==" not in str(one)
        assert "hidden" not in str(one)


def test_a_field_that_is_misspelt_is_masked() -> None:
    assert masked(secret(stringdata={"a": "b"})) == secret(stringdata={"a": "***"})


@pytest.mark.parametrize("case", ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_the_copy_that_apply_keeps_is_masked(case: tuple[Any, Any]) -> None:
    text, shown = case
    assert masked(annotated(text)) == annotated(shown)


def test_copies_that_other_tools_keep_are_masked_and_words_are_not() -> None:
    assert masked(annotated('{"data":{"a":"MQ=="}}', "tool/original")) == annotated(
        '{"data":{"a":"***"}}', "tool/original"
    )
    assert masked(annotated("for tests", "note")) == annotated("for tests", "note")


def test_a_copy_that_differs_says_so() -> None:
    before, after = masked_pair(annotated('{"data":{"a":"MQ=="}}'), annotated('{"data":{"a":"Mg=="}}'))
    assert (before, after) == (
        annotated('{"data":{"a":"*** (before)"}}'),
        annotated('{"data":{"a":"*** (after)"}}'),
    )
    before, after = masked_pair(annotated("no JSON"), annotated('{"data":{"a":"Mg=="}}'))
    assert (before, after) == (annotated("*** (before)"), annotated("*** (after)"))


def test_other_states_of_a_secret_are_masked_whatever_they_say_of_themselves() -> None:
    shown = Shown(None, secret(data={"a": "MQ=="}))
    assert shown.other({"data": {"a": "MQ=="}}) == {"data": {"a": "***"}}
    assert shown.other(None) is None
    assert Shown(None, {"kind": "ConfigMap"}).other({"data": {"a": "1"}}) == {"data": {"a": "1"}}
    assert Shown(None, secret(), secrets=True).other({"data": {"a": "MQ=="}}) == {"data": {"a": "MQ=="}}


def test_what_a_patch_clears_is_not_a_value() -> None:
    copy = {"annotations": {ANNOTATION: '{"data":{"a":"MQ=="}}', "tool/copy": None}}
    patch = {"data": {"a": "MQ==", "b": None}, "stringData": None, "metadata": copy}
    assert Shown(None, secret()).patch(patch) == {
        "data": {"a": "***", "b": None},
        "stringData": None,
        "metadata": {"annotations": {ANNOTATION: '{"data":{"a":"***"}}', "tool/copy": None}},
    }
    assert Shown(None, {"kind": "ConfigMap"}).patch(patch) == patch


def test_a_place_shows_what_the_masked_document_has_there() -> None:
    shown = Shown(secret(data=[{"a": "MQ=="}], type="b"), secret(data={"a": "Mg=="}, spec=["c"]))
    assert shown.at(("data", 0, "a"), "MQ==", None) == ("***", None)
    assert shown.at(("data", "a"), None, "Mg==") == (None, "***")
    assert shown.at(("type",), "b", None) == ("b", None)
    assert shown.at(("spec", 0), None, "c") == (None, "***")
    custom = Shown(None, {**secret(spec=["c"]), "apiVersion": "example.com/v1"})
    assert custom.at(("spec", 0), None, "c") == (None, "c")
    assert shown.at((), None, None)[1]["data"] == {"a": "***"}


@pytest.mark.parametrize("kind", ["Secret", "secret", "SECRET", "sEcReT"])
def test_a_kind_in_any_case_is_a_secret(kind: str) -> None:
    assert masked({"kind": kind, "stringData": {"a": "b"}})["stringData"] == {"a": "***"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"immutable": "b"},
        {"type": {"a": "b"}},
        {"type": [{"name": "b"}]},
        {"spec": {"a": "b"}},
        {"status": "b"},
        {"metadata": {"password": "b"}},
        {"metadata": {"password": {"c": ["b"]}}},
        {"metadata": {"labels": {"a": {"c": "b"}}}},
        {"metadata": {"labels": ["b"]}},
        {"metadata": {"finalizers": [{"a": "b"}]}},
        {"metadata": {"finalizers": "b"}},
        {"metadata": {"ownerReferences": [{"name": "x", "password": "b"}]}},
        {"metadata": {"managedFields": [{"manager": "x", "password": "b"}]}},
        {"metadata": {"generation": "b"}},
        {"password": "b"},
    ],
    ids=str,
)
def test_a_value_at_a_wrong_place_is_masked(wrong: dict[str, Any]) -> None:
    before, after = masked_pair({"apiVersion": "v1", "kind": "Secret"}, {"apiVersion": "v1", "kind": "Secret", **wrong})
    assert "b'" not in str(after).replace("***", "")
    assert "***" in str(after)
    assert before == {"apiVersion": "v1", "kind": "Secret"}


def test_names_and_flags_are_shown() -> None:
    metadata = {
        "name": "s",
        "labels": {"a": "b", "c": 1},
        "finalizers": ["a/b"],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1", "controller": True}],
        "managedFields": [{"manager": "m", "operation": "Apply", "fieldsV1": {"f:data": {"f:a": {}}}}],
        "generation": 1,
        "creationTimestamp": None,
    }
    plain = {"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "immutable": True, "metadata": metadata}
    assert masked(plain) == plain
