"""Serialization of file reports, for other processes and later runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine import Finding

from ..apiserver.identity import ObjectId
from .report import FileReport
from .reports.model import Linted, LintResult, Unread

if TYPE_CHECKING:
    from engine.paths import Step


_encoded = json.JSONEncoder(ensure_ascii=False).encode
"""`json.dumps` would make an encoder for each report."""


def to_text(report: FileReport) -> str:
    """Convert the report of a file to JSON."""
    linted = [
        [
            *(one.source, one.title, list(one.id), one.line),
            [_from_found(found) for found in one.found],
            *(one.version, one.namespace, one.template, one.scales),
            one.if_scaled and _from_found(one.if_scaled),
        ]
        for one in report.linted
    ]
    unread = [[one.source, one.line, one.problem, one.code] for one in report.unread]
    return _encoded([linted, unread, report.skipped, report.without_schema, report.needs_definitions])


def from_text(text: str) -> FileReport:
    """Restore a report from JSON."""
    linted, unread, skipped, without_schema, needs_definitions = json.loads(text)
    return FileReport(
        list(map(_to_linted, linted)),
        [Unread(*one) for one in unread],
        skipped,
        without_schema,
        needs_definitions,
    )


def _to_linted(row: list[Any]) -> Linted:
    source, title, identity, line, found, version, namespace, template, scales, if_scaled = row
    return Linted(
        *(source, title, ObjectId(*identity), line, tuple(map(_to_found, found)), version, namespace, template),
        scales and ObjectId(*scales),
        if_scaled and _to_found(if_scaled),
    )


def _from_found(found: LintResult) -> list[Any]:
    one = found.finding
    return [found.line, found.column, one.code, one.name, one.severity, list(one.steps), one.message, one.advice]


def _to_found(row: list[Any]) -> LintResult:
    line, column, code, name, severity, steps, message, advice = row
    return LintResult(Finding(code, name, severity, tuple(map(_step, steps)), message, advice), line, column)


def _step(row: Any) -> Step:
    """Restore a step; one of an element with keys is a tuple of pairs, which JSON stores as lists."""
    return tuple((key, value) for key, value in row) if isinstance(row, list) else row
