"""Common problems with server-side apply: the messages of the tools, and a check that each fix works."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import engine
from codegen.documents.yaml_text import documents
from kubemerge.migrate import Migration, plan_migration
from tests.conformance.ownership.kinds import BY_NAME, schema_of
from tests.conformance.ownership.recorded import named_cases, played
from tests.conformance.ownership.sequences import answered
from tests.docs.pages import text_of

from ..objects import applied
from ..ownership.samples import created

(PAINS,) = documents((Path(__file__).parent / "pains.yaml").read_text(encoding="utf-8"))
SEQUENCES = {case["name"]: case for case in named_cases()}
LISTS = ("conflicts", "taken", "left", "shared", "removed", "changed")
PAGE = "docs/server-side.md"


def situation(pain: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None, engine.Schema | None, str]:
    """The config, the live object before it is applied, their schema and the manager."""
    if "sequence" in pain:
        case = SEQUENCES[pain["sequence"]]
        writes = [write for write, _ in played(case, answered)]
        write = writes[pain["step"]]
        live = write["live"]
        config = write["object"] if live is None else named(write["object"], live)
        return config, live, schema_of(BY_NAME[case["kind"]]), write["manager"]
    kind = BY_NAME[pain["kind"]]
    schema = schema_of(kind)
    identity = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "n"}}
    live = None
    if "live" in pain:
        live = created(applied({**identity, **pain["live"]["applied"]}), schema, pain["live"]["by"])
    return {**identity, **pain["config"]}, live, schema, pain["manager"]


def named(config: dict[str, Any], live: dict[str, Any]) -> dict[str, Any]:
    """The config of the live object: the sequences do not care for names."""
    return {**config, "metadata": {**config["metadata"], "name": live["metadata"]["name"]}}


def planned(pain: dict[str, Any], config: dict[str, Any], live: dict[str, Any] | None) -> Migration:
    _, _, schema, manager = situation(pain)
    how = pain["migrate"]
    return plan_migration(
        config, live, schema, by=how.get("by", "kubectl"), before=how.get("from", ()), manager=manager
    )


@pytest.mark.parametrize("pain", PAINS, ids=lambda pain: pain["name"])
def test_lint_tells_what_hurts(pain: dict[str, Any]) -> None:
    config, live, schema, manager = situation(pain)
    tool = engine.load(pain["tool"]) if "tool" in pain else None
    found = engine.lint(config, schema, live=live, manager=manager, tool=tool)
    assert sorted(f"{one.code} {one.path}" for one in found) == sorted(pain["lint"])


@pytest.mark.parametrize("pain", PAINS, ids=lambda pain: pain["name"])
def test_migrate_tells_what_would_happen(pain: dict[str, Any]) -> None:
    config, live, _, _ = situation(pain)
    found = planned(pain, config, live)
    said = {name: [place.path for place in getattr(found, name)] for name in LISTS}
    wanted = pain["migrate"]
    assert found.state == wanted["state"]
    assert list(found.refused) == wanted.get("refused", [])
    assert {name: paths for name, paths in said.items() if name in wanted} == {
        name: wanted[name] for name in LISTS if name in wanted
    }


@pytest.mark.parametrize("pain", [pain for pain in PAINS if "fix" in pain], ids=lambda pain: pain["name"])
def test_the_way_out_is_one(pain: dict[str, Any]) -> None:
    config, live, schema, manager = situation(pain)
    ways = pain["fix"]
    found = planned(pain, config, live)
    if "write" in ways:
        assert found.prepared is not None
        then = planned(pain, config, found.prepared)
        assert then.state == ways["write"]
        assert [place.path for place in then.removed] == ways.get(
            "then_removed", [place.path for place in then.removed]
        )
    if "force" in ways:
        outcome = engine.server_side_apply(config, live, schema, manager=manager, force=True)
        assert not planned(pain, config, outcome.merged).conflicts
    if "config" in ways:
        other = {**{key: config[key] for key in ("apiVersion", "kind", "metadata")}, **deepcopy(ways["config"])}
        engine.server_side_apply(other, live, schema, manager=manager)  # is not rejected


@pytest.mark.parametrize("pain", PAINS, ids=lambda pain: pain["name"])
def test_the_page_tells_of_it(pain: dict[str, Any]) -> None:
    assert f"### {pain['name']}\n" in text_of(PAGE)
