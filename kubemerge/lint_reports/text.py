"""The report that people read: a finding a line, as compilers print it, and the way out below."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from engine.linter import RULES

from ..output.console import console
from ..output.shown import shown

if TYPE_CHECKING:
    from .model import Found, Linted, Report

COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


def text(report: Report) -> str:
    """Every finding with its place, what happens, and the way out."""
    return "\n".join(_finding(one, found) for one, found in report.findings())


def _finding(one: Linted, found: Found) -> str:
    finding = found.finding
    at = "" if finding.path == "." else f" {finding.path}"
    code = _colored(f"{finding.code} {finding.severity}", finding.severity)
    said = shown(f"{one.title}{at}: {finding.message}")
    return f"{shown(one.source)}:{found.line}:{found.column}: {code} {said}\n    {shown(finding.advice)}"


def statistics(report: Report) -> str:
    """How often each code was found, the most frequent first."""
    counts = Counter(found.finding.code for _, found in report.findings())
    return "\n".join(
        f"{count:5}  {_colored(code, RULES[code].severity)}  {RULES[code].slug}"
        for code, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def _colored(words: str, severity: str) -> str:
    return click.style(words, fg=COLORS[severity], bold=True) if console().colored else words
