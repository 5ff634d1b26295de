"""Moves of elements by position, of set values, and of existing fields."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.clientside.last_applied import (
    SentConfig,
    as_sent,
    last_applied_text,
    parse_last_applied,
    read_last_applied,
)
from engine.directives import ANNOTATION
from engine.errors import BadAnnotation

NAMED: dict[str, Any] = {"metadata": {"name": "x"}}


def test_element_in_config_takes_over_live_values() -> None:
    config = {**NAMED, "spec": {"list": [{"name": "a", "v": 1}, {"name": "b"}]}}
    live = {**NAMED, "spec": {"list": [{"name": "a", "v": 2, "w": 3}, {"name": "b"}]}}
    moved = engine.take_over(config, live, "spec.list[name=a]").config
    assert moved == live
    by_position = engine.take_over(config, live, "spec.list[0]").config
    assert by_position == live


def test_a_value_of_a_set_is_handed_over_and_taken_over() -> None:
    config = {"metadata": {"name": "x", "finalizers": ["e/a", "e/b"]}}
    live = {"metadata": {"name": "x", "finalizers": ["e/a", "e/b", "e/c"]}}
    assert engine.hand_over(config, live, 'metadata.finalizers[="e/b"]').config["metadata"]["finalizers"] == ["e/a"]
    assert engine.take_over(config, live, 'metadata.finalizers[="e/c"]').config == live
    bare = engine.take_over(NAMED, live, 'metadata.finalizers[="e/c"]').config
    assert bare["metadata"]["finalizers"] == ["e/c"]


def test_the_last_position_is_handed_over_and_the_one_behind_it_is_not_there() -> None:
    config = {**NAMED, "args": ["a", "b"]}
    assert engine.hand_over(config, config, "args[1]").config["args"] == ["a"]
    with pytest.raises(engine.BadFieldPath):
        engine.hand_over(config, config, "args[2]")


def test_an_element_is_found_by_all_keys_of_the_path() -> None:
    tcp, udp = {"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}
    config = {**NAMED, "ports": [tcp, udp]}
    moved = engine.hand_over(config, config, "ports[port=53,protocol=UDP]").config
    assert moved["ports"] == [tcp]


def test_null_parent_is_replaced() -> None:
    config = {**NAMED, "spec": None}
    assert engine.clear(config, "spec.a.b").config == {**NAMED, "spec": {"a": {"b": None}}}


@pytest.mark.parametrize(("text", "document"), [("", {}), ("null", {}), ("{}", {}), ('{"a":1}', {"a": 1})])
def test_readable_annotation(text: str, document: Any) -> None:
    assert parse_last_applied(text) == document


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "{", None, 1, {}])
def test_unreadable_annotation(text: Any) -> None:
    with pytest.raises(BadAnnotation):
        parse_last_applied(text)


@pytest.mark.parametrize(
    ("annotations", "kept", "dropped"),
    [
        ({"a": "b"}, {"a": "b"}, False),
        ({"a": None}, {"a": ""}, False),
        ({"a": "b", "n": 1}, {}, True),
        ({"a": "b", "n": True}, {}, True),
        ({"a": "b", ANNOTATION: "{}"}, {"a": "b"}, False),
        (None, {}, False),
        ("text", {}, False),
    ],
)
def test_annotations_in_last_applied(annotations: Any, kept: Any, dropped: bool) -> None:
    config = {"metadata": {"name": "x", "annotations": annotations}}
    assert SentConfig(config).dropped == dropped
    document = parse_last_applied(last_applied_text(config))
    assert document == {"metadata": {"name": "x", "annotations": kept}}


@pytest.mark.parametrize(("release", "kept"), [("1.32", {}), ("1.33", {"a": "", "b": "c"})])
def test_null_annotation_by_release(release: str, kept: dict[str, str]) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "annotations": {"a": None, "b": "c"}}}
    outcome = engine.apply(config, None, engine.load(release))
    annotations = dict(outcome.merged["metadata"]["annotations"])
    del annotations[ANNOTATION]
    assert annotations == kept
    assert len(outcome.warnings) == (not kept)


def test_last_applied_is_one_line_of_json() -> None:
    assert last_applied_text({"metadata": {"name": "x"}, "b": 1.0, "a": [2.5]}) == (
        '{"a":[2.5],"b":1,"metadata":{"annotations":{},"name":"x"}}\n'
    )
    assert last_applied_text({}) == '{"metadata":{"annotations":{}}}\n'


@pytest.mark.parametrize("config", [None, [], "text", 1])
def test_only_objects_have_last_applied_text(config: Any) -> None:
    with pytest.raises(engine.NotAnObject, match="the config is"):
        last_applied_text(config)


@pytest.mark.parametrize("metadata", [None, [], "text"])
def test_metadata_that_is_not_a_map_is_rejected_with_its_path(metadata: Any) -> None:
    with pytest.raises(engine.NotAnObject) as caught:
        last_applied_text({"metadata": metadata})
    assert caught.value.path == "metadata"


@pytest.mark.parametrize("live", [{}, {"metadata": {}}, {"metadata": None}, {"metadata": {"annotations": {"a": "b"}}}])
def test_an_object_that_was_never_applied_has_no_last_config(live: Any) -> None:
    assert read_last_applied(live) is None


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"a": 1.0}, {"a": 1}),
        ({"a": [{"b": 2.0}]}, {"a": [{"b": 2}]}),
        ({"a": 1.5, "b": True, "c": None}, {"a": 1.5, "b": True, "c": None}),
        ({"a": 2**63 - 1}, {"a": 2**63 - 1}),
        ({"a": 2**63}, {"a": float(2**63)}),
        ({"a": -(2**63)}, {"a": -(2**63)}),
        ({"a": -(2**63) - 1}, {"a": -float(2**63)}),
    ],
)
def test_numbers_after_they_were_text(given: Any, sent: Any) -> None:
    assert repr(as_sent(given)) == repr(sent)


@pytest.mark.parametrize("given", [{1: "a"}, {"a": {True: 1}}, {"a": [{None: 1}]}])
def test_values_without_json_are_not_sent(given: Any) -> None:
    with pytest.raises(engine.NotJson, match="keys must be strings"):
        as_sent(given)


def test_unchanged_round_trip_is_not_copied() -> None:
    document = {"a": ["x", 1, True, None, {"b": [], "c": {}}]}
    assert as_sent(document) is document
    assert as_sent({"a": [1.0]}) == {"a": [1]}
