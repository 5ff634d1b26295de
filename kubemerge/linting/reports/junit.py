"""The report as JUnit XML, which every build server shows: one test case per object."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from ...manifests.uris import path_of
from .codes import SEVERITIES

if TYPE_CHECKING:
    from .model import Linted, LintResult, Report, Unread

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """One suite. An object with findings is a failure, and an unreadable one is an error."""
    failed = sum(bool(one.found) for one in report.linted)
    total = len(report.linted) + len(report.unread)
    counts = _attributes(tests=total, failures=failed, errors=len(report.unread))
    cases = [*map(_unread, report.unread), *map(_case, report.linted)]
    suite = [f'  <testsuite name="kubemerge lint"{counts}>', *cases, "  </testsuite>"]
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', f"<testsuites{counts}>", *suite, "</testsuites>"])


def _case(one: Linted) -> str:
    head = f"    <testcase{_attributes(classname=path_of(one.source), name=one.title, line=one.line)}"
    if not one.found:
        return f"{head}/>"
    # Readers of this format look at one failure per test case: it lists all findings, and has the code of the worst.
    worst = max(one.found, key=lambda found: SEVERITIES.index(found.finding.severity)).finding
    more = f" (and {len(one.found) - 1} more)" if len(one.found) > 1 else ""
    attributes = _attributes(type=worst.code, message=f"{worst.path}: {worst.message}{more}")
    lines = "\n".join(_line(one, found) for found in one.found)
    return f"{head}>\n      <failure{attributes}>{_xml(lines)}</failure>\n    </testcase>"


def _line(one: Linted, found: LintResult) -> str:
    finding = found.finding
    place = f"{path_of(one.source)}:{found.line}:{found.column}"
    said = f"{finding.path}: {finding.message} {finding.advice}{one.from_template}"
    return f"{place}: {finding.code} {finding.severity} {said}"


def _unread(unread: Unread) -> str:
    head = _attributes(classname=path_of(unread.source), name="can be read", line=unread.line)
    kind = {"type": unread.code} if unread.code else {}
    return f"    <testcase{head}>\n      <error{_attributes(**kind, message=unread.problem)}/>\n    </testcase>"


def _attributes(**values: object) -> str:
    return "".join(f' {name}="{_xml(str(value))}"' for name, value in values.items())


def _xml(text: str) -> str:
    """Text escaped for XML, without characters that XML does not allow."""
    return escape(_NOT_XML.sub("", text))
