"""A config has to be of the kind of its schema, tables find the schema, and live has to be the config's object."""

from __future__ import annotations

from typing import Any

import pytest

import codegen
import engine
from tests.conftest import ROOT

K8S = engine.load("1.31")
CRDS = codegen.read(ROOT / "examples" / "crds")
DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}},
}
SCHEMA = K8S.schema("apps/v1", "Deployment")
LIVE = engine.apply(DEPLOYMENT, None, SCHEMA).merged
NEXT = {**DEPLOYMENT, "spec": {"replicas": 2, **DEPLOYMENT["spec"]}}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "the schema of another kind": (
        {**DEPLOYMENT, "kind": "Service"},
        "has the apiVersion 'apps/v1' and the kind 'Service', but the schema describes apps/v1 Deployment. "
        "Pass the schema of its kind",
    ),
    "another version": (
        {**DEPLOYMENT, "apiVersion": "apps/v1beta1"},
        "has the apiVersion 'apps/v1beta1' and the kind 'Deployment', but the schema describes apps/v1 Deployment. "
        "Pass the schema of its kind",
    ),
    "no object at all": (
        {"foo": 1},
        "has no apiVersion and no kind, but the schema describes apps/v1 Deployment. Add both",
    ),
    "no kind": (
        {"apiVersion": "apps/v1"},
        "has the apiVersion 'apps/v1' and no kind, but the schema describes apps/v1 Deployment. "
        "Pass the schema of its kind",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("live", [None, LIVE], ids=["created", "updated"])
def test_a_config_that_is_not_of_the_schema_is_refused(name: str, live: dict[str, Any] | None) -> None:
    config, said = WRONG[name]
    with pytest.raises(engine.WrongKind) as caught:
        engine.apply(config, live, SCHEMA)
    assert str(caught.value) == f"the config {said}"
    assert caught.value.document == "config"
    assert (caught.value.api_version, caught.value.kind) == (config.get("apiVersion"), config.get("kind"))
    assert caught.value.expected == ("apps/v1", "Deployment")
    with pytest.raises(engine.WrongKind):
        engine.lint(config, SCHEMA, live=live)


def test_a_type_that_is_not_a_kind_is_for_any_config() -> None:
    definition = K8S.definition("io.k8s.api.apps.v1.Deployment")
    assert engine.apply({"metadata": {"name": "x"}}, None, definition).result == "created"


def test_tables_find_the_schema() -> None:
    assert engine.apply(NEXT, LIVE, K8S) == engine.apply(NEXT, LIVE, SCHEMA)
    assert engine.lint(NEXT, K8S, live=LIVE) == engine.lint(NEXT, SCHEMA, live=LIVE)
    assert engine.two_way_patch(LIVE, NEXT, K8S) == engine.two_way_patch(LIVE, NEXT, SCHEMA)
    assert engine.three_way_patch(None, NEXT, LIVE, K8S) == engine.three_way_patch(None, NEXT, LIVE, SCHEMA)
    patch = engine.apply(NEXT, LIVE, SCHEMA).patch
    assert engine.apply_patch(LIVE, patch, K8S) == engine.apply_patch(LIVE, patch, SCHEMA)
    named = {"apiVersion": "apps/v1", "kind": "Deployment", **patch}
    assert engine.merge_patches(named, patch, K8S) == engine.merge_patches(named, patch, SCHEMA)
    assert engine.conflicts(patch, named, K8S) == engine.conflicts(patch, named, SCHEMA) == []


def test_the_tables_of_a_deleted_config_find_it_by_live() -> None:
    assert engine.three_way_patch(LIVE, None, LIVE, K8S) == engine.three_way_patch(LIVE, None, LIVE, SCHEMA)


BACKUP = {"apiVersion": "storage.example.com/v1", "kind": "Backup", "metadata": {"name": "a"}, "spec": {}}


def test_a_custom_resource_needs_no_rules() -> None:
    assert engine.apply(BACKUP, None, K8S) == engine.apply(BACKUP, None, None)
    live = {**BACKUP, "spec": {"a": [1]}}
    assert engine.apply({**BACKUP, "spec": {"a": [2]}}, live, K8S).patch_type == "merge"
    schema = K8S.overlay(CRDS).schema("storage.example.com/v1", "Backup")
    assert engine.apply(BACKUP, live, K8S.overlay(CRDS)) == engine.apply(BACKUP, live, schema)


@pytest.mark.parametrize(
    ("tables", "api_version", "kind"),
    [
        (K8S, "apps/v1", "Deploymnt"),
        (K8S, "extensions/v1beta1", "Deployment"),
        (K8S, "shop/v1", "Shop"),
        (CRDS, "apps/v1", "Deployment"),
    ],
)
def test_a_kind_that_no_server_of_the_release_has_is_unknown(
    tables: engine.Tables, api_version: str, kind: str
) -> None:
    """kubectl refuses it, too; a JSON merge patch would replace its lists."""
    config = {**DEPLOYMENT, "apiVersion": api_version, "kind": kind}
    with pytest.raises(engine.UnknownKind):
        engine.apply(config, None, tables)
    assert "KM027" in {one.code for one in engine.lint(config, K8S)} or tables is CRDS


def test_tables_need_a_kind() -> None:
    for documents in ({}, {"apiVersion": "v1"}, {"kind": 1, "apiVersion": "v1"}):
        with pytest.raises(engine.WrongKind, match=r"tables cannot find its rules\. Add both"):
            engine.apply(documents, None, K8S)
    with pytest.raises(engine.WrongKind, match=r"^the modified has no apiVersion and no kind"):
        engine.two_way_patch({}, {}, K8S)


def test_a_live_object_of_another_kind_is_refused() -> None:
    with pytest.raises(engine.WrongKind) as caught:
        engine.apply(NEXT, {**LIVE, "kind": "StatefulSet"}, SCHEMA)
    assert str(caught.value) == (
        "the live object has the kind 'StatefulSet', and the config 'Deployment'. Pass the live object of the config"
    )
    assert (caught.value.document, caught.value.expected) == ("live", ("apps/v1", "Deployment"))
    for move in engine.hand_over, engine.take_over:
        with pytest.raises(engine.WrongKind, match="the live object has the kind"):
            move(NEXT, {**LIVE, "kind": "StatefulSet"}, "spec.replicas")


def test_live_may_be_of_another_version_and_need_not_say_what_it_is() -> None:
    assert engine.apply(NEXT, {**LIVE, "apiVersion": "apps/v1beta1"}, SCHEMA).warnings == ()
    assert engine.apply(NEXT, {"metadata": {}}, SCHEMA, last_applied=None).result == "configured"


@pytest.mark.parametrize(("field", "there"), [("name", "other"), ("namespace", "elsewhere")])
def test_a_live_object_of_another_name_is_warned_of(field: str, there: str) -> None:
    live = {**LIVE, "metadata": {**LIVE["metadata"], field: there}}
    wanted = DEPLOYMENT["metadata"][field]
    said = (
        f"the {field} of the live object is {there!r}, and that of the config {wanted!r}: "
        "the API server rejects such a patch"
    )
    assert engine.apply(NEXT, live, SCHEMA).warnings == (said,)
    assert engine.apply(NEXT, LIVE, SCHEMA).warnings == ()
