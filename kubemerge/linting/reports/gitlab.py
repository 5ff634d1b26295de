"""The report as GitLab Code Quality: a merge request shows new findings, identified by fingerprints."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ...apiserver.text.text import shown
from ...manifests.uris import path_of
from .baseline import fingerprint

if TYPE_CHECKING:
    from .model import Linted, LintResult, Report, Unread

LEVELS = {"error": "critical", "warning": "major", "info": "info"}
"""Severities in GitLab's words; unreadable files are blockers."""


def gitlab(report: Report) -> str:
    """A JSON array with an object for each file that could not be read, and each finding."""
    seen: Counter[str] = Counter()
    issues = [_unread(one, seen) for one in report.unread]
    issues += [_finding(one, found, seen) for one, found in report.findings()]
    return json.dumps(issues, indent=2)


def _finding(one: Linted, found: LintResult, seen: Counter[str]) -> dict[str, Any]:
    finding = found.finding
    said = one.text(finding)
    known_by = fingerprint(one, found)
    return _issue(finding.code, LEVELS[finding.severity], said, (one.source, found.line), (known_by, seen))


def _unread(unread: Unread, seen: Counter[str]) -> dict[str, Any]:
    return _issue(
        unread.code or "unread", "blocker", unread.problem, (unread.source, unread.line), (path_of(unread.source), seen)
    )


def _issue(
    code: str, severity: str, said: str, place: tuple[str, int], known_by: tuple[str, Counter[str]]
) -> dict[str, Any]:
    """One entry. The fingerprint does not include the line, so that it stays the same when lines move."""
    name, seen = known_by
    seen[name] += 1
    return {
        "check_name": code,
        "description": shown(said),
        "fingerprint": sha256(f"{name}\0{seen[name]}".encode(errors="replace")).hexdigest()[:32],
        "severity": severity,
        "location": {"path": path_of(place[0]), "lines": {"begin": place[1]}},
    }
