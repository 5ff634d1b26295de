"""Lint cases: the files beside this one, and the examples of the rules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import codegen
import engine
from codegen.documents.yaml_text import documents
from engine.linter import RULES
from tests.conftest import ROOT

if TYPE_CHECKING:
    from engine.linter import LintRule

RELEASE = "1.37"
"""The release of the examples, fixed so that the page stays the same with a new release."""

HERE = Path(__file__).parent
_TITLE = re.compile(r"^# (last-applied|config|live|result)$", re.MULTILINE)
_KIND = re.compile(r"^# kind: (\S+) (\S+)$", re.MULTILINE)
_HOW = re.compile(r"^# (server-side|tool): (\S+)$", re.MULTILINE)
_REPEAT = re.compile(r"^# repeat: (\w+)\.(\w+) (\d+)$", re.MULTILINE)


def example(rule: LintRule) -> dict[str, Any]:
    """The example of a rule as a case."""
    titles = [title.replace("last-applied", "last") for title in _TITLE.findall(rule.example)]
    found = dict(zip(titles, documents(rule.example), strict=True))
    for field, key, times in _REPEAT.findall(rule.example):
        found["config"][field][key] *= int(times)
    (kind,) = _KIND.findall(rule.example)
    found |= {key.replace("server-side", "manager"): name for key, name in _HOW.findall(rule.example)}
    return {"name": f"the example of {rule.code}", "release": RELEASE, "kind": kind, **found}


EXAMPLES = {code: example(rule) for code, rule in RULES.items()}
WRITTEN = [case for file in sorted(HERE.glob("*.yaml")) for case in documents(file.read_text(encoding="utf-8")) if case]
CASES = [*WRITTEN, *EXAMPLES.values()]


@cache
def tables(release: str | None) -> engine.Tables:
    loaded = engine.load(release)
    return loaded.overlay(codegen.read(str(ROOT / "examples" / "crds"))) if release is None else loaded


def schema_of(case: dict[str, Any]) -> engine.Schema | None:
    known = tables(case.get("release"))
    return known.schema(*case["kind"]) if tuple(case["kind"]) in known else None


def whole(case: dict[str, Any], name: str) -> Any:
    """A document of a case with its apiVersion, kind and name."""
    found = case.get(name)
    if found is None:
        return None
    metadata = {} if "generateName" in found.get("metadata", {}) else {"name": "x"}
    return {
        "apiVersion": case["kind"][0],
        "kind": case["kind"][1],
        **found,
        "metadata": {**metadata, **found.get("metadata", {})},
    }


def findings(case: dict[str, Any]) -> list[engine.Finding]:
    return engine.lint(
        whole(case, "config"),
        schema_of(case),
        live=whole(case, "live"),
        last_applied=whole(case, "last"),
        tables=tables(case.get("release")),
        manager=case.get("manager"),
        tool=tables(case["tool"]) if "tool" in case else None,
    )


def applied(case: dict[str, Any]) -> engine.Outcome:
    """The outcome of a case's apply; a server-side one is forced."""
    if "manager" in case:
        config, live = whole(case, "config"), whole(case, "live")
        return engine.server_side_apply(config, live, schema_of(case), manager=case["manager"], force=True)
    return engine.apply(whole(case, "config"), whole(case, "live"), schema_of(case), last_applied=whole(case, "last"))
