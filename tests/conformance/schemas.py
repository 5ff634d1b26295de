"""The schemas of cases: as selectors for the oracle, and as `engine.Schema`.

A name is "MergeItem" (the test type), "apps/v1 Deployment" (the newest release), or "apps/v1 Deployment 1.20".
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import codegen
import engine
from engine.clientside.method import NOT_COMPILED_IN
from engine.tables.behaviour import NEWEST
from engine.tables.tables import Tables

if TYPE_CHECKING:
    from engine.tables.behaviour import Behaviour

HERE = Path(__file__).parent
SNAPSHOTS = HERE.parent.parent / "openapi"
OF_THE_ORACLE = "1.37"
"""The release whose Go types are compiled into the oracle, see oracle/go.mod."""

TEST_TYPE = "io.k8s.test.v1.MergeItem"

Selector = dict[str, Any]


def lookups(name: str) -> dict[str, Selector]:
    """Every way in which the reference can look up this schema; the first one gives the expected response.

    Go types come first where they are available, because the API server merges by them.
    """
    if name == "MergeItem":
        return {
            "go": {"go": "MergeItem"},
            "openapi_v2": {"openapi_v2": "mergeitem.json", "definition": TEST_TYPE},
            "openapi_v3": {"openapi_v3": "mergeitem-v3.json", "definition": TEST_TYPE},
        }
    if name == "OddStrategies":
        return {"go": {"go": name}}  # codegen reads no such specification
    api_version, kind, release = parts(name)
    definition = _definitions(release)[api_version, kind]
    by_document = {"openapi_v2": f"../../openapi/{release}.json", "definition": definition}
    group, _, version = api_version.rpartition("/")
    if len(name.split()) > 2 or group in NOT_COMPILED_IN:
        return {"openapi_v2": by_document}  # the available Go types come from the newest kubectl
    return {"go": {"go": {"group": group, "version": version, "kind": kind}}, "openapi_v2": by_document}


def engine_schema(name: str) -> engine.Schema:
    """The same schema for the engine."""
    if name == "MergeItem":
        return _test_tables().definition(TEST_TYPE)
    api_version, kind, release = parts(name)
    return tables_with(release).schema(api_version, kind)


@cache
def tables_with(release: str, behaviour: Behaviour = NEWEST) -> Tables:
    """The merge rules of a release with the algorithms of another one: the oracle has those of its own release."""
    types = engine.load(release)._types
    tables = Tables(types.data, types.minor)
    tables._types.once("behaviour", lambda: behaviour)
    return tables


def parts(name: str) -> tuple[str, str, str]:
    """ApiVersion, kind and release of a name."""
    api_version, kind, *release = name.split()
    return api_version, kind, release[0] if release else OF_THE_ORACLE


@cache
def _test_tables() -> engine.Tables:
    return codegen.read(str(HERE / "mergeitem.json"))


@cache
def _definitions(release: str) -> dict[tuple[str, str], str]:
    """The definition name of every kind. Later names win, as 1.8 to 1.13 list old names beside the new."""
    document = json.loads((SNAPSHOTS / f"{release}.json").read_text(encoding="utf-8"))
    found = {}
    for name, definition in sorted(document["definitions"].items(), reverse=True):
        for key in definition.get("x-kubernetes-group-version-kind", ()):
            api_version = f"{key['group']}/{key['version']}" if key["group"] else key["version"]
            found[api_version, key["kind"]] = name
    return found
