"""The report in SARIF 2.1.0, the format in which code hosts and editors accept findings of any tool."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ...output.addresses import SITE, lint_page
from ..gate.rules import ALL as RULES
from .places import uri_of

if TYPE_CHECKING:
    from engine.linter import LintRule

    from .model import Linted, LintResult, Report, Unread

LEVELS = {"error": "error", "warning": "warning", "info": "note"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(report: Report) -> str:
    """A log with one run: every code as a rule, every finding as a result, every unread file as a notification."""
    seen: Counter[str] = Counter()
    rules = [_rule(rule) for rule in RULES.values()]
    driver = {"name": "kubemerge", "version": _version(), "informationUri": SITE, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": not report.unread, "toolExecutionNotifications": list(map(_notice, report.unread))}
        ],
        "results": [_result(one, found, seen) for one, found in report.findings()],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kubemerge")
    except PackageNotFoundError:
        return "0"


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
                "physicalLocation": _location(one.source, found.line, found.column),
                "logicalLocations": [{"fullyQualifiedName": logical}],
            }
        ],
        "partialFingerprints": {"kubemerge/v1": _fingerprint(one, found, seen)},
    }


def _fingerprint(one: Linted, found: LintResult, seen: Counter[str]) -> str:
    """An identity that stays the same when lines move: the code, the object, the path, and a number for duplicates."""
    words = "\0".join((found.finding.code, uri_of(one.source), *one.id, found.finding.path))
    seen[words] += 1
    return sha256(f"{words}\0{seen[words]}".encode(errors="replace")).hexdigest()[:32]


def _notice(unread: Unread) -> dict[str, Any]:
    where = {"physicalLocation": _location(unread.source, unread.line, 1)}
    about = {"descriptor": {"id": unread.code, "index": list(RULES).index(unread.code)}} if unread.code else {}
    return {**about, "level": "error", "message": {"text": unread.problem}, "locations": [where]}


def _location(source: str, line: int, column: int) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri_of(source)}, "region": {"startLine": line, "startColumn": column}}
