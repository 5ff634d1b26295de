"""The functions from text to text give the results and errors of those for documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine import texts
from engine.values import kept_annotation
from engine.values.go_json import decode, encode
from engine.values.plain import FLOATS

POD = engine.load().schema("v1", "Pod")
OLD = engine.load("1.10").schema("v1", "Pod")


def pod(*names: Any, **fields: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": name, "image": "x"} for name in names], **fields}}


CASES: dict[str, tuple[Any, Any, Any]] = {
    "nothing": ({}, {}, {}),
    "a removed and a new element": (pod("a", "b"), pod("a", "c"), pod("a", "b", "z")),
    "another order": (pod("a", "b"), pod("b", "a"), pod("a", "b")),
    "all elements removed": (pod("a"), {"spec": {"containers": []}}, pod("a")),
    "a repeated key": (pod("a", "a"), pod("a", "a"), pod("a")),
    "mixed keys": (pod(1), pod("a", 1), pod("a")),
    "keys of another type": (pod(1), pod(True), pod(1.0)),
    "no key": (pod("a"), {"spec": {"containers": [{"image": "x"}]}}, pod("a")),
    "a directive in the config": ({}, {"spec": {"$patch": "delete"}}, pod("a")),
    "Python names": ({}, {"api_version": "v1"}, {}),
    "floats": ({"a": 1.0}, {"a": 1e21, "b": 1.5}, {"a": 1}),
    "a large integer": ({}, {"a": 2**63}, {"a": 2**63 - 1}),
}


def outcome(function: Any, *given: Any) -> str:
    try:
        result = function(*given)
    except engine.MergeError as error:
        return f"{type(error).__name__}: {error}"
    return result if isinstance(result, str) else encode(result)


@pytest.mark.parametrize("schema", [POD, OLD, None], ids=["new", "old", "no schema"])
@pytest.mark.parametrize("documents", CASES.values(), ids=CASES)
def test_results_and_errors_are_those_for_documents(documents: tuple[Any, Any, Any], schema: Any) -> None:
    last, config, live = documents
    words = [json.dumps(document) for document in documents]
    assert outcome(texts.three_way_patch, *words, schema) == outcome(engine.three_way_patch, *documents, schema)
    for one, other, its, others in ((last, config, words[0], words[1]), (live, config, words[2], words[1])):
        assert outcome(texts.two_way_patch, its, others, schema) == outcome(engine.two_way_patch, one, other, schema)
        assert outcome(texts.apply_patch, its, others, schema) == outcome(engine.apply_patch, one, other, schema)


PATCHES: dict[str, dict[str, Any]] = {
    "order and deletion": {
        "containers": [{"name": "a", "$patch": "delete"}],
        "$setElementOrder/containers": [{"name": "b"}],
    },
    "order alone": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]},
    "order that the patch does not follow": {
        "containers": [{"name": "b"}, {"name": "a"}],
        "$setElementOrder/containers": [{"name": "a"}, {"name": "b"}],
    },
    "order of no list": {"$setElementOrder/containers": {}},
    "order of an unknown field": {"$setElementOrder/other": []},
    "order without a name": {"$setElementOrder/": []},
    "order of an order": {"$setElementOrder/$setElementOrder/containers": []},
    "retained keys": {"$retainKeys": ["dnsPolicy"], "dnsPolicy": "Default"},
    "replacement": {"$patch": "replace", "dnsPolicy": "Default"},
    "an unknown directive": {"$patch": "other"},
    "a key before the directives": {"!": 1, "#": "x", "containers": None},
    "null": {"containers": None},
    "another type": {"containers": {"a": 1}},
}


@pytest.mark.parametrize("schema", [POD, OLD], ids=["new", "old"])
@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_patches_with_directives(patch: dict[str, Any], schema: Any) -> None:
    target, changes = pod("a", "b", "c", restartPolicy="Always"), {"spec": patch}
    said = outcome(texts.apply_patch, json.dumps(target), json.dumps(changes), schema)
    assert said == outcome(engine.apply_patch, target, changes, schema)


class Text(str):
    """The text of a library that keeps its quotes."""

    __slots__ = ()


def test_keys_of_deleted_elements_are_plain() -> None:
    config = pod("a")
    for last in (pod("a", Text("b")), pod(Text("a"), Text("b"))):
        patch = engine.three_way_patch(last, config, pod("a", "b"), POD)
        (gone,) = patch["spec"]["containers"]
        assert gone == {"name": "b", "$patch": "delete"}
        assert type(gone["name"]) is str


LAST = '"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":%s}}'
KUBECTLS = r'"{\"a\":1}\n"'
ANNOTATIONS = {
    "kubectl's": KUBECTLS,
    "another": r'"{\"a\":2}\n"',
    "the first in other letters": r'"{\u0022a\u0022:1}\n"',
    "an escaped backslash": r'"{\\\"a\\\":1}\n"',
    "a character that Go escapes": r'"{\"a\":\"<\"}\n"',
    "not ASCII": r'"{\"a\":\"é\"}\n"',
    "a backslash that escapes nothing": r'"{\x\"a\":1}\n"',
    "a backslash apart from its quote": r'"{\,"a\":1}\n"',
    "a quote at the start": r'""{\"a\":1}\n"',
    "a control character": '"{\x01}\\n"',
    "no object": r'"{\"a\":1}"',
    "null": "null",
    "NaN": "NaN",
    "twice": KUBECTLS + r',"kubectl.kubernetes.io\/last-applied-configuration":"{\"a\":3}\n"',
    "twice, and NaN": KUBECTLS + ',"a":NaN',
    "elsewhere too": KUBECTLS + '}},"data":{"kubectl.kubernetes.io/last-applied-configuration":"{}\\n"},"x":{"y":{',
    "elsewhere first": '"","a":{"kubectl.kubernetes.io/last-applied-configuration":"{}\\n"}',
    "a float": KUBECTLS + '},"a":{"b":1.50',
    "text after it": KUBECTLS + '}},"a":"\\ud800"}x',
}


def from_text(function: Any, *texts_and_more: Any) -> str:
    """The result of an engine function for documents that are decoded from texts."""
    try:
        documents = [decode(item) if isinstance(item, bytes) else item for item in texts_and_more]
    except engine.MergeError as error:
        return f"{type(error).__name__}: {error}"
    return outcome(function, *documents)


@pytest.mark.parametrize("schema", [engine.load().schema("v1", "ConfigMap"), None], ids=["schema", "no schema"])
@pytest.mark.parametrize("other", ANNOTATIONS.values(), ids=ANNOTATIONS)
@pytest.mark.parametrize("one", [KUBECTLS, ANNOTATIONS["not ASCII"]], ids=["kubectl's", "not ASCII"])
def test_annotations_that_stay_text(one: str, other: str, schema: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_annotation, "_LEAST", 1)
    first, second = (("{" + LAST % annotation + "}").encode() for annotation in (one, other))
    for left, right in ((first, second), (second, first)):
        three = (b"{}", left, right, schema)
        assert outcome(texts.three_way_patch, *three) == from_text(engine.three_way_patch, *three)
        assert outcome(texts.two_way_patch, left, right, schema) == from_text(engine.two_way_patch, left, right, schema)
        assert outcome(texts.apply_patch, left, right, schema) == from_text(engine.apply_patch, left, right, schema)


def test_an_annotation_of_kubectl_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_annotation, "_LEAST", 1)
    monkeypatch.setattr(kept_annotation, "is_accelerated", lambda: False)
    text = ("{" + LAST % KUBECTLS + "}").encode()
    (value,), traits, kept = kept_annotation.decode_kept(text)
    assert [*kept] == [r"{\"a\":1"]
    assert kept_annotation.encode_kept(value, kept, floats=bool(traits & FLOATS)).encode() == text
    kept_annotation.restore([value], kept)
    assert value == decode(text)


def test_an_annotation_in_a_short_text_stays_text_beside_a_long_one() -> None:
    short = ("{" + LAST % KUBECTLS + "}").encode()
    long = short.replace(b"}}", b'},"labels":{"a":"%s"}}' % (b"b" * 4000), 1)
    _, _, kept = kept_annotation.decode_kept(long, short)
    assert [*kept] == [r"{\"a\":1", r"{\"a\":1"]


@pytest.mark.parametrize("number", ["9223372036854775807", "-9223372036854775808", "9223372036854775296"])
def test_json_merge_patches_round_large_integers_as_go(number: str) -> None:
    one, other = b"{}", f'{{"a":{number}}}'.encode()
    assert texts.two_way_patch(one, other, None) == encode(engine.two_way_patch(decode(one), decode(other), None))
    assert texts.three_way_patch(one, other, one, None) == texts.two_way_patch(one, other, None)
    assert "e" not in texts.two_way_patch(one, other, None)
