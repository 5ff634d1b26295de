"""The annotation of live objects: view, set, and edit its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.actions import edit
from kubemerge.actions.apply import apply
from kubemerge.actions.last_applied import (
    BadEdit,
    NoAnnotation,
    changes,
    document_of,
    indented,
    set_to,
    text_of,
    text_to_edit,
)
from kubemerge.cluster import Reference
from kubemerge.manifests.objects import BadManifest

from ..objects import ANNOTATION, config_map

if TYPE_CHECKING:
    from kubemerge.cluster import Cluster

WHERE = Reference("v1", "ConfigMap", "settings")


def cm(data: dict[str, Any] | None = None) -> dict[str, Any]:
    return config_map(data=data, namespace="default")


def test_the_text_as_it_is_stored_and_indented(cluster: Cluster) -> None:
    live = apply(cluster, cm({"a": "<é>\u2028", "n": "1"})).content
    text = str(text_of(live))
    assert text.endswith("}\n")
    shown = indented(text)
    assert '    "a": "\\u003cé\\u003e\\u2028",\n    "n": "1"\n' in shown
    assert shown.endswith("}\n")
    assert not shown.endswith("\n\n")
    assert json.loads(shown) == json.loads(text)
    assert indented("{}") == "{}"
    assert indented('{"a":1.0,"b":"\\u00e9<"}') == '{\n  "a": 1.0,\n  "b": "\\u00e9<"\n}'  # as another tool wrote it
    with pytest.raises(MergeError):
        indented('{"a":')


def test_an_object_without_the_annotation(cluster: Cluster) -> None:
    live = cluster.create(cm())
    said = "no last-applied-configuration annotation found on resource: settings"
    assert text_of(live) is None
    with pytest.raises(NoAnnotation, match="--create-annotation") as refused:
        set_to(cluster, live, cm())
    assert str(refused.value).startswith(said)


def test_it_is_set_to_the_plain_text_of_the_document(cluster: Cluster) -> None:
    live = apply(cluster, cm({"a": "1"})).content
    document = cm({"b": "<"})
    document["metadata"]["annotations"] = {ANNOTATION: "what was before"}
    changed, now = set_to(cluster, live, document)
    assert changed
    assert text_of(now) == (
        '{"apiVersion":"v1","data":{"b":"\\u003c"},"kind":"ConfigMap","metadata":{"annotations":'
        f'{{"{ANNOTATION}":"what was before"}},"name":"settings","namespace":"default"}}}}\n'
    )
    assert {**now, "metadata": 0} == {**live, "metadata": 0}
    assert set_to(cluster, now, document) == (False, now)


def test_setting_what_apply_wrote_leaves_out_the_empty_annotations(cluster: Cluster) -> None:
    live = apply(cluster, cm()).content
    changed, now = set_to(cluster, live, cm())
    assert changed
    assert '"annotations":{}' in str(text_of(live))
    assert '"annotations"' not in str(text_of(now))
    assert apply(cluster, cm()).result == "configured"


def test_it_is_created_on_request(cluster: Cluster) -> None:
    live = cluster.create(cm())
    assert set_to(cluster, live, cm(), create=True)[0]
    assert document_of(cluster.get(WHERE)) == cm()


@pytest.mark.parametrize("dry_run", ["client", "server"])
def test_a_dry_run_of_setting(cluster: Cluster, dry_run: str) -> None:
    live = cluster.create(cm())
    changed, now = set_to(cluster, live, cm(), create=True, dry_run=dry_run)
    assert changed
    assert document_of(now) == cm()
    assert cluster.get(WHERE) == live


# ---- editing ---------------------------------------------------------------------------------------------------------

ONE, TWO = config_map("one", {"a": "1"}), config_map("two", {"a": "2"})
FOUND = [({"live": "one"}, ONE), ({"live": "two"}, TWO)]


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_is_shown_reads_back_as_what_it_is(form: str) -> None:
    text = text_to_edit([ONE, TWO], form)
    assert text.startswith("# ")
    assert changes(FOUND, text, unchanged=False) == [({"live": "one"}, None), ({"live": "two"}, None)]
    assert changes(FOUND, "not even YAML: [", unchanged=True) == [({"live": "one"}, None), ({"live": "two"}, None)]
    edited = text.replace('"2"', '"3"')
    assert changes(FOUND, edited, unchanged=False)[1] == ({"live": "two"}, config_map("two", {"a": "3"}))


def test_what_is_taken_out_is_left_as_it_is() -> None:
    text = text_to_edit([config_map("two", {"b": "1"})], "yaml")
    assert changes(FOUND, text, unchanged=False) == [
        ({"live": "one"}, None),
        ({"live": "two"}, config_map("two", {"b": "1"})),
    ]


def test_another_object_is_refused() -> None:
    with pytest.raises(BadEdit, match="the edited text:4: configmap/three was not there before the edit"):
        changes(FOUND, text_to_edit([config_map("three")], "yaml"), unchanged=False)
    with pytest.raises(BadManifest, match="is also in"):
        changes(FOUND, text_to_edit([ONE, ONE], "yaml"), unchanged=False)
    with pytest.raises(BadManifest):
        changes(FOUND, "a: [", unchanged=False)


def test_an_edit_shows_json_as_kubectl_prints_objects() -> None:
    shown = '    "data": {\n        "k": "\\u003ca\\u003e",\n        "n": 1\n    },\n'
    assert shown in text_to_edit([cm({"k": "<a>", "n": 1.0})], "json")
    assert shown in edit.text_to_edit(cm({"k": "<a>", "n": 1.0}), "json")
