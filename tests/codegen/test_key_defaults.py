"""Defaults of list element keys equal those of server-side apply, for tables of any document."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import codegen
import engine

from ..conftest import snapshot

# The contents of `k8s.io/client-go/applyconfigurations/internal` in the named releases: the schema of server-side
# apply. There is one line for each type and key, with its default in runs of releases.
RECORDED = [json.loads(line) for line in Path(__file__).with_name("key_defaults.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: f"{case['type']}.{case['key']}")
def test_key_default_equals_server_side_apply(case: dict[str, Any]) -> None:
    for default, releases in case["defaults"]:
        for release in releases.split():
            tables = engine.load(release)
            if case["type"] in tables.definitions():
                assert tables.definition(case["type"]).type.fields[case["key"]].default == default, release


OWNER = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference"


def as_a_server_says_it(document: dict[str, Any], release: str) -> dict[str, Any]:
    """The document with all key defaults stated, as in the OpenAPI v3 documents of a server."""
    stated = copy.deepcopy(document)
    tables = engine.load(release)
    for name, node in stated["definitions"].items():
        for field, part in node.get("properties", {}).items():
            default = tables.definition(name).type.fields[field].default
            if default is not None:
                part["default"] = default
    stated["definitions"][OWNER]["properties"]["uid"]["default"] = ""
    return stated


def defaults(tables: engine.Tables) -> dict[tuple[str, str], Any]:
    return {
        (name, field): rule.default
        for name in tables.definitions()
        for field, rule in tables.definition(name).type.fields.items()
        if rule.default is not None
    }


def test_stated_and_unstated_defaults_give_the_same_tables() -> None:
    bare = defaults(codegen.read(snapshot("1.37")))
    assert bare == defaults(codegen.read(as_a_server_says_it(snapshot("1.37"), "1.37")))
    assert len(bare) > 70
    assert {default for default in bare.values() if default} == {"TCP"}


def test_stated_defaults_take_precedence() -> None:
    """A key without a default has none, also one that is unknown to this version of kubemerge."""
    document = as_a_server_says_it(snapshot("1.37"), "1.37")
    del document["definitions"]["io.k8s.api.core.v1.EnvVar"]["properties"]["name"]["default"]
    found = defaults(codegen.read(document))
    assert ("io.k8s.api.core.v1.EnvVar", "name") not in found
    assert found["io.k8s.api.core.v1.Container", "name"] == ""


def test_a_key_of_a_custom_resource_has_only_the_default_that_is_stated() -> None:
    def schema(**default: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {
                "parts": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name", "port"],
                    "items": {
                        "type": "object",
                        "required": ["name", "port"],
                        "properties": {"name": {"type": "string"}, "port": {"type": "integer", **default}},
                    },
                }
            },
        }

    def port(**default: Any) -> Any:
        crd = {
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": "api.k8s.io",
                "names": {"kind": "Thing"},
                "versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema(**default)}}],
            },
        }
        rule = codegen.read(crd).schema("api.k8s.io/v1", "Thing").rule("parts.port")
        return rule.default if rule else "no such field"

    assert port() is None
    assert port(default=0) == 0
    assert port(default=80) == 80
