"""The fields of a live object with their owners."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

import engine
from codegen.documents.yaml_text import documents
from kubemerge.ownership.fields import Owned, owned_fields
from kubemerge.ownership.yaml_text import commented, lines
from tests.conformance.ownership.kinds import BY_NAME, schema_of
from tests.conformance.ownership.recorded import RANDOM, recorded

from .samples import CONFIG_MAP, DEPLOYMENT, SECRET, created, updated, web


@cache
def writes() -> list[dict[str, Any]]:
    """The writes that the reference has recorded."""
    return recorded(RANDOM)


def said(owned: Owned) -> dict[str, tuple[str, list[str]]]:
    return {one.path: (one.state, [str(owner) for owner in one.owners]) for one in owned}


def test_each_field_has_its_owners_and_says_how_it_is_owned() -> None:
    found = said(owned_fields(web(), DEPLOYMENT))
    kubectl = "kubectl-client-side-apply (Update since 2026-11-22T08:00:00Z)"
    container = "spec.template.spec.containers[name=web]"
    assert found["spec.replicas"] == ("owned", ["kube-controller-manager (Update through scale)"])
    assert found["spec.revisionHistoryLimit"] == ("nobody", [])
    assert found["spec.selector"] == ("whole", [kubectl])
    assert found["spec.selector.matchLabels.app"] == ("inside", [])
    assert found[container] == ("owned", [kubectl])
    assert found[f"{container}.image"] == ("owned", ["kubectl-set (Update since 2026-11-22T08:02:00Z)"])
    assert found[f"{container}.args"] == ("whole", [kubectl])
    assert found["metadata.name"] == ("identity", [])


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 4))])
@pytest.mark.parametrize("known", [True, False], ids=["with its schema", "without a schema"])
def test_no_owner_is_left_out_and_the_text_is_the_object(part: int, known: bool) -> None:
    """Checks every object that the reference has recorded. Without a schema, only as far as the owners are known."""
    seen = 0
    for line in writes()[part::4]:
        live = line["answer"].get("object")
        if live is None or not isinstance(live.get("metadata"), dict):
            continue
        seen += 1
        schema = schema_of(BY_NAME[line["write"]["kind"]]) if known else None
        owned = owned_fields(live, schema, secrets=True)
        shown = [one for field in owned for one in field.owners]
        if known:
            distinct = {(one.path, str(one)) for one in shown}
            assert distinct == {(one.path, str(one)) for one in engine.field_owners(live)}
        (again,) = documents("\n".join(commented(lines(owned.fields, whole=True))))
        metadata = {key: value for key, value in live["metadata"].items() if key != "managedFields"}
        assert again == {**live, "metadata": metadata}
    assert seen > 50


def test_what_is_owned_and_not_there_is_told() -> None:
    live = web()
    del live["spec"]["replicas"]
    assert [(one.path, one.state) for one in owned_fields(live, DEPLOYMENT).gone] == [("spec.replicas", "gone")]


def test_fields_are_counted_for_each_manager() -> None:
    owned = owned_fields(web(), DEPLOYMENT)
    counts = Counter({one.manager: owned.count(one) for one in owned.managers})
    assert counts["kubectl-set"] == counts["kube-controller-manager"] == 1
    assert counts["kubectl-client-side-apply"] > 5
    assert owned.unowned == 1


def test_a_custom_resource_without_a_schema_tells_lists_apart_as_its_owners_do() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:items": {'k:{"name":"b"}': {".": {}, "f:port": {}}}, "f:tags": {}}}
    entry = {"manager": "m", "operation": "Apply", "apiVersion": "x/v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
    live: dict[str, Any] = {
        "apiVersion": "x/v1",
        "kind": "Thing",
        "metadata": {"name": "t", "managedFields": [entry]},
        "spec": {"items": [{"name": "a"}, {"name": "b", "port": 1}], "tags": ["x"], "others": ["y"]},
    }
    assert said(owned_fields(live, None)) | {} == {
        **{path: ("identity", []) for path in ("apiVersion", "kind", "metadata.name")},
        **{path: ("parent", []) for path in ("metadata", "spec", "spec.items", "spec.items[0]")},
        "spec.items[0].name": ("nobody", []),
        "spec.items[name=b]": ("owned", ["m (Apply)"]),
        "spec.items[name=b].name": ("nobody", []),
        "spec.items[name=b].port": ("owned", ["m (Apply)"]),
        "spec.tags": ("whole", ["m (Apply)"]),
        "spec.tags[0]": ("inside", []),
        "spec.others": ("nobody", []),
        "spec.others[0]": ("inside", []),
    }


def test_values_of_secrets_are_masked_wherever_they_are() -> None:
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "c2VjcmV0"}}
    live = created(config, SECRET)
    live["metadata"]["annotations"] = {"copy": engine.last_applied_text(config)}
    text = "\n".join(commented(lines(owned_fields(live, SECRET).fields, whole=True)))
    assert "c2VjcmV0" not in text
    assert "key: '***'" in text
    assert "c2VjcmV0" in "\n".join(commented(lines(owned_fields(live, SECRET, secrets=True).fields)))


def test_a_value_of_a_secret_is_in_no_path_either() -> None:
    """A custom resource may be called Secret, and own elements of a set by their values."""
    fields: dict[str, Any] = {"f:data": {'v:"hush"': {}, 'v:"gone"': {}}}
    entry = {"manager": "m", "operation": "Apply", "apiVersion": "x/v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
    live: dict[str, Any] = {
        "apiVersion": "x/v1",
        "kind": "Secret",
        "metadata": {"name": "t", "managedFields": [entry]},
        "data": ["hush"],
    }
    everything = repr([(one.path, one.value, one.owners) for one in owned_fields(live, None)])
    assert "hush" not in everything
    assert "gone" not in everything


def test_long_values_are_shortened_unless_all_is_wanted() -> None:
    config = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c"},
        "data": {"a": "x y " * 50, "b": "1\n2\n"},
    }
    owned = owned_fields(created(config, CONFIG_MAP), CONFIG_MAP)
    short = [one.text for one in lines(owned.fields)]
    assert max(map(len, short)) < 70
    assert '  b: "1\\n2\\n"' in short


@pytest.mark.parametrize(
    "value",
    ["", "a\n", "a\n\n\n", "  a\n b", "\n", "# no", "a: b", "x " * 60, "- a\n# b\n", "é\n\tb", "|", "'\"" * 40, "null"],
)
def test_every_text_can_be_read_again(value: str) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": value, "z": "end"}}
    fields = owned_fields(created(config, CONFIG_MAP), CONFIG_MAP).fields
    (whole,) = documents("\n".join(commented(lines(fields, whole=True))))
    assert whole["data"] == config["data"]
    one = {
        "apiVersion": "x/v1",
        "kind": "X",
        "metadata": {"name": "x"},
        "spec": {"list": [value, [value], {"b": value}]},
    }
    (whole,) = documents("\n".join([*commented(lines(owned_fields(one, None).fields, whole=True)), ""]))
    assert whole == one


def test_an_update_of_nothing_owns_nothing() -> None:
    live = updated(web(), DEPLOYMENT, "nobody-much", 3)
    assert "nobody-much" not in repr(owned_fields(live, DEPLOYMENT).managers)
