"""The report as JSON: findings as objects with stable keys; keys are only ever added."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import Linted, LintResult, Report


def facts(report: Report) -> str:
    """A JSON array with an object for every finding."""
    return json.dumps([_finding(*pair) for pair in report.findings()], indent=2, ensure_ascii=False)


def _finding(one: Linted, found: LintResult) -> dict[str, Any]:
    finding = found.finding
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "object": one.title,
        "reference": {
            "apiVersion": one.version,
            "kind": one.id.kind,
            "namespace": one.namespace,
            "name": one.id.name,
        },
        "file": one.source,
        "line": found.line,
        "column": found.column,
        "template": one.template or None,
        "path": finding.path,
        "message": finding.message,
        "advice": finding.advice,
    }
