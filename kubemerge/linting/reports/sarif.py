"""The report in SARIF 2.1.0, the format in which code hosts and editors accept findings of any tool."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...manifests.uris import uri_of
from ...output.addresses import lint_page
from ...output.sarif import fingerprint, location, log
from ..gate.rules import ALL as RULES

if TYPE_CHECKING:
    from engine.linter import LintRule

    from .model import Linted, LintResult, Report, Unread

LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(report: Report) -> str:
    """A log with one run: every code as a rule, every finding as a result, every unread file as a notification."""
    seen: Counter[str] = Counter()
    rules = [_rule(rule) for rule in RULES.values()]
    return log(
        rules, [_result(one, found, seen) for one, found in report.findings()], list(map(_notice, report.unread))
    )


def _rule(rule: LintRule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.slug.split("-")),
        "shortDescription": {"text": rule.meaning},
        "help": {"text": rule.advice},
        "helpUri": lint_page(rule.code),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _result(one: Linted, found: LintResult, seen: Counter[str]) -> dict[str, Any]:
    finding = found.finding
    logical = f"{one.title} {finding.path}"
    return {
        "ruleId": finding.code,
        "ruleIndex": list(RULES).index(finding.code),
        "level": LEVELS[finding.severity],
        "message": {"text": one.text(finding)},
        "locations": [
            {
                "physicalLocation": location(uri_of(one.source), found.line, found.column),
                "logicalLocations": [{"fullyQualifiedName": logical}],
            }
        ],
        "partialFingerprints": _fingerprint(one, found, seen),
    }


def _fingerprint(one: Linted, found: LintResult, seen: Counter[str]) -> dict[str, str]:
    """An identity that stays the same when lines move: the code, the object, the path, and a number for duplicates."""
    words = "\0".join((found.finding.code, uri_of(one.source), *one.id, found.finding.path))
    seen[words] += 1
    return fingerprint(words, seen[words])


def _notice(unread: Unread) -> dict[str, Any]:
    where = {"physicalLocation": location(uri_of(unread.source), unread.line)}
    about = {"descriptor": {"id": unread.code, "index": list(RULES).index(unread.code)}} if unread.code else {}
    return {**about, "level": "error", "message": {"text": unread.problem}, "locations": [where]}
