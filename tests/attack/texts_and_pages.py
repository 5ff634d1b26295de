"""Operations on an object besides merging it: read, print, compare, mask and report it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import engine
from codegen.documents import reader
from kubemerge.apiserver.identity import ObjectId
from kubemerge.apiserver.printers import jsonpath
from kubemerge.diff.unified import unified
from kubemerge.html.merge import diff_page, merge_page
from kubemerge.linting.reports import facts, github, junit, sarif, text
from kubemerge.linting.reports.model import Linted, LintResult, Report
from kubemerge.manifests.lines import Lines
from kubemerge.manifests.objects import Manifest, manifests_in
from kubemerge.offline.pairs import Inputs, Merged, MergeOptions, merge
from kubemerge.offline.unfolding import unfolded
from kubemerge.output.object_text import object_text
from kubemerge.output.secrets import masked_pair
from kubemerge.printers import custom_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from .shapes import Case

    Call = Callable[[], object]
    Function = Callable[[Case, Schema], Call]


def _manifest(content: dict[str, Any]) -> Manifest:
    (found,) = manifests_in(json.dumps(content).encode(), "m.yaml")
    return found


def _merged(case: Case, schema: Schema) -> Merged:
    return merge(Inputs(_manifest(case.config), _manifest(case.live), schema), MergeOptions())


def _unified(case: Case, _: Schema) -> Call:
    one, other = (object_text(content, "yaml") for content in (case.live, case.config))
    return lambda: list(unified(one, other, "m"))


def _unfolded(case: Case, schema: Schema) -> Call:
    changes = engine.apply(case.config, case.live, schema).changes
    return lambda: [list(unfolded(change, schema)) for change in changes]


def _read(form: str) -> Function:
    def function(case: Case, _: Schema) -> Call:
        data = object_text(case.live, form).encode()
        return lambda: list(reader.read(data))

    return function


def _spots(case: Case, schema: Schema) -> Call:
    data = object_text(case.config, "yaml").encode()
    changes = engine.apply(case.config, case.live, schema).changes

    def call() -> None:
        lines = Lines(data)
        for change in changes:
            lines.spot(0, change.steps, 1)

    return call


def _report(form: Callable[[Report], object]) -> Function:
    def function(case: Case, schema: Schema) -> Call:
        rows = engine.apply(case.config, case.live, schema).changes
        found = [
            LintResult(engine.Finding("KM001", "a", "error", row.steps, "Message.", "Advice."), 1, 1) for row in rows
        ]
        linted = Linted("m.yaml", "configmap/m", ObjectId("", "ConfigMap", "default", "m"), 1, tuple(found))
        report = Report([linted], [])
        return lambda: form(report)

    return function


def _page(form: Callable[[list[Merged]], object]) -> Function:
    def function(case: Case, schema: Schema) -> Call:
        merged = _merged(case, schema)
        return lambda: form([merged])

    return function


def _as_secret(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "kind": "Secret"}


SHOWN: dict[str, Function] = {
    "YAML text": lambda case, _: lambda: object_text(case.live, "yaml"),
    "JSON text": lambda case, _: lambda: object_text(case.live, "json"),
    "reading YAML": _read("yaml"),
    "reading JSON": _read("json"),
    "lines of fields": _spots,
    "a unified difference": _unified,
    "masked secrets": lambda case, _: lambda: masked_pair(_as_secret(case.live), _as_secret(case.config)),
    "unfolded changes": _unfolded,
    "jsonpath": lambda case, _: lambda: jsonpath.template("{..name}{range .spec.*}{@}{end}{.data.*}")(case.live),
    "custom columns": lambda case, _: (
        lambda: list(custom_columns.lines(custom_columns.columns("A:.spec,B:.data,C:..name"), [case.live]))
    ),
}

REPORTS: dict[str, Function] = {
    "a page of a merge": _page(merge_page),
    "a page of a difference": _page(diff_page),
    "a report as text": _report(text.text),
    "a report as JSON": _report(facts.facts),
    "a report as SARIF": _report(sarif.sarif),
    "a report as JUnit": _report(junit.junit),
    "a report for GitHub": _report(github.github),
}
"""Reports that list every change: whatever an object looks like, only the number of changes matters."""
