"""The report as text: one line per finding, as compilers print it, and the fix below."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...apiserver.text.text import shown
from ...output.addresses import lint_page
from ..gate.rules import ALL as RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from .model import Linted, LintResult, Report

    Styled = Callable[[str, str], str]
    Linked = Callable[[str, str], str]


def plainly(words: str, about: str) -> str:  # noqa: ARG001 - a style or a link may ask for it
    """The unchanged words, for any severity or address."""
    return words


def text(report: Report, styled: Styled = plainly, linked: Linked = plainly) -> str:
    """Every finding with its position, its effect, and its fix.

    `styled` colours words by severity, and `linked` makes the code a link to its page.
    """
    return "\n".join(_finding(one, found, styled, linked) for one, found in report.findings())


def _finding(one: Linted, found: LintResult, styled: Styled, linked: Linked) -> str:
    finding = found.finding
    at = "" if finding.path == "." else f" {finding.path}"
    code = linked(styled(f"{finding.code} {finding.severity}", finding.severity), lint_page(finding.code))
    message = shown(f"{one.title}{at}: {finding.message}{one.from_template}")
    return f"{shown(one.source)}:{found.line}:{found.column}: {code} {message}\n    {shown(finding.advice)}"


def statistics(report: Report, styled: Styled = plainly, linked: Linked = plainly) -> str:
    """The number of findings of each code, the most frequent first, and of each file, the worst first."""
    counts = Counter(found.finding.code for _, found in report.findings())
    files = Counter(one.source for one, _ in report.findings())
    by_code = [
        f"{count:5}  {linked(styled(code, RULES[code].severity), lint_page(code))}  {RULES[code].slug}"
        for code, count in _sorted(counts)
    ]
    by_file = [f"{count:5}  {shown(source)}" for source, count in _sorted(files)]
    return "\n".join([*by_code, "", *by_file] if by_file else [])


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
