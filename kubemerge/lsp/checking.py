"""Diagnostics: the findings of lint for a document, found again only where its text has changed."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ..linting.files import LintInputs
from ..linting.gate.rules.inputs import TEMPLATE
from ..linting.gathering import gathered
from ..linting.report import FileReport
from ..linting.reports import baseline
from ..linting.reports.model import LintResult
from ..linting.repository.skip_reasons import is_for_another_tool, is_in_a_chart
from .documents import LARGEST, LARGEST_DOCUMENT, data_of, documents, yaml_starts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..linting.one_file import Fixable
    from ..linting.reports.model import Linted, Report
    from .documents import Document
    from .repository import Folder, Repository, Rules

TOO_LARGE = f"The file is larger than {LARGEST // 2**20} MiB, so it is not checked here. Run `kubemerge lint` on it."
_TOKEN = re.compile(r"""["'][^"'\n]*["']|[^\s:,\[\]{}#]+|\S""")

_Reports: TypeAlias = "dict[str, tuple[bytes, FileReport]]"
_OTHERS: WeakKeyDictionary[Rules, _Reports] = WeakKeyDictionary()
"""The reports on whole files, by name, with the bytes of the file. The open documents of a folder share them."""


class Diagnostic(NamedTuple):
    """A finding at a range of offsets."""

    start: int
    end: int
    severity: str
    code: str
    message: str


class Checked(NamedTuple):
    """A document of a text with its findings. Lines count from its first line."""

    report: FileReport
    fixable: tuple[Fixable, ...]


class Superseded(Exception):
    """The text has changed while it was linted."""


class Checker:
    """Lints one open document."""

    def __init__(self, name: str, repository: Repository) -> None:
        self.name = name
        self._repository = repository
        self._rules: Rules | None = None
        self._known: dict[str, Checked] = {}
        self._folder: Folder | None = None
        self._is_stale = True
        self._others: _Reports = {}

    def forget_folder(self) -> None:
        """Read the files of the folder again before the next check."""
        self._is_stale = True

    def knows_the_folder(self) -> bool:
        """Whether all files of the folder have been linted before."""
        files = self._folder.inputs.files if self._folder is not None else [("", b"")]
        return not self._is_stale and all(
            name in self._others or name == self.name or len(data) > LARGEST for name, data in files
        )

    def rules(self) -> Rules:
        """The rules of the last check."""
        return self._rules or self._repository.rules_now(self.name)

    def check(
        self, text: str, opened: Mapping[str, bytes], is_current: Callable[[], bool], *, alone: bool
    ) -> list[Diagnostic]:
        """The findings about a text. `alone` leaves out findings that depend on other files of the folder."""
        if len(text) > LARGEST:
            return [Diagnostic(0, 0, "info", "", TOO_LARGE)]
        rules = self._repository.rules(self.name, opened)
        if rules is not self._rules:
            self._rules, self._known, self._others = rules, {}, _OTHERS.setdefault(rules, {})
            self._is_stale = True  # the excluded files may be others
        if self._folder is None or self._is_stale:
            self._is_stale = False
            self._folder = self._repository.folder(self.name, rules, opened)
        if not self._folder.included:
            return []
        report = self._report(text, rules, is_current)
        if report is None:
            return []
        others = [] if alone else self._reports_of_others(rules, opened, is_current)
        return _placed(self._gathered(text, report, others, rules, self._folder), text, self.name)

    def fixes(self, document: Document) -> tuple[Fixable, ...]:
        """The safe fixes in a document of the text, by the rules of the last check."""
        rules = self.rules()
        known = self._known.get(document.text)
        if known is None and len(document.text) <= LARGEST_DOCUMENT:
            known = self._lint(document, rules)
        fixes = known.fixable if known is not None else ()
        return tuple(one for one in fixes if one.found.finding.code in rules.choice.codes)

    def _report(self, text: str, rules: Rules, is_current: Callable[[], bool]) -> FileReport | None:
        """The report on a text; None for a template, and for broken YAML of another tool."""
        known: dict[str, Checked] = {}
        parts: list[tuple[Document, FileReport]] = []
        for document in documents(text):
            if not is_current():
                self._known.update(known)
                raise Superseded
            checked = self._known.get(document.text) or known.get(document.text) or self._lint(document, rules)
            known[document.text] = checked
            parts.append((document, self._at_its_lines(document, checked.report, rules)))
        self._known = known
        found = _joined(parts)
        data = data_of(text)
        if found.unread and (is_for_another_tool(data) or (b"{{" in data and is_in_a_chart(self.name))):
            return None
        return found._replace(unread=[one for one in found.unread if one.code != TEMPLATE.code])

    def _lint(self, document: Document, rules: Rules) -> Checked:
        with rules.lock:
            linter = rules.linting.linter()
            report = linter.lint(self.name, data_of(document.text))
            return Checked(report, tuple(linter.fixable))

    def _at_its_lines(self, document: Document, report: FileReport, rules: Rules) -> FileReport:
        """The report on a document with the lines of the file."""
        if not document.line:
            return report
        unread = report.unread
        if unread:  # the message has lines, too
            with rules.lock:
                unread = rules.linting.linter().lint(self.name, data_of("\n" * document.line + document.text)).unread
        return report._replace(linted=[_moved(one, document.line) for one in report.linted], unread=unread)

    def _reports_of_others(
        self, rules: Rules, opened: Mapping[str, bytes], is_current: Callable[[], bool]
    ) -> list[tuple[str, FileReport]]:
        """The reports on the other files of the folder, in the order of lint."""
        found = []
        inputs = self._folder.inputs.files if self._folder else []
        for name, data in inputs:
            if name == self.name or len(data) > LARGEST:
                continue
            now = opened.get(name, data)
            known = self._others.get(name)
            if known is None or known[0] != now:
                if not is_current():
                    raise Superseded
                with rules.lock:
                    known = self._others[name] = now, rules.linting.reports(LintInputs([(name, now)]))[0]
            found.append((name, known[1]))
        return found

    def _gathered(
        self, text: str, report: FileReport, others: list[tuple[str, FileReport]], rules: Rules, folder: Folder
    ) -> Report:
        """The findings that lint reports."""
        order = [name for name, _ in folder.inputs.files]
        every = {**dict(others), self.name: report}
        names = [name for name in order if name in every]
        names += [] if self.name in names else [self.name]
        read = [(name, data_of(text) if name == self.name else b"") for name in names]
        inputs = LintInputs([*read], 0, folder.inputs.labelled | ({self.name} if folder.is_labelled else set()))
        found = gathered(inputs, [every[name] for name in names], rules.choice, folders=True)
        return baseline.without(found, rules.baseline) if rules.baseline else found


def _moved(one: Linted, lines: int) -> Linted:
    found = tuple(LintResult(inner.finding, inner.line + lines, inner.column) for inner in one.found)
    scaled = one.if_scaled
    moved = None if scaled is None else LintResult(scaled.finding, scaled.line + lines, scaled.column)
    return replace(one, line=one.line + lines, found=found, if_scaled=moved)


def _joined(parts: list[tuple[Document, FileReport]]) -> FileReport:
    reports = [report for _, report in parts]
    return FileReport(
        [one for report in reports for one in report.linted],
        [one for report in reports for one in report.unread],
        [one for report in reports for one in report.skipped],
        [one for report in reports for one in report.without_schema],
        any(report.needs_definitions for report in reports),
    )


def _placed(report: Report, text: str, name: str) -> list[Diagnostic]:
    """The findings about a document at their offsets."""
    starts = yaml_starts(text)
    found = []
    for linted, result in report.findings():
        if os.path.normpath(linted.source) == name:
            start = _offset(starts, text, result.line, result.column)
            finding = result.finding
            message = f"{finding.message} {finding.advice}{linted.from_template}"
            found.append(Diagnostic(start, _end(text, start), finding.severity, finding.code, message))
    for one in report.unread:
        if os.path.normpath(one.source) == name:
            column, message = _without_place(one.problem, one.source, one.line)
            start = _offset(starts, text, one.line, column)
            found.append(Diagnostic(start, _end(text, start), "error", one.code, message))
    return sorted(found)


def _without_place(problem: str, source: str, line: int) -> tuple[int, str]:
    """The column in a message, and the message without the place."""
    prefix = f"{source}:{line}"
    if not problem.startswith(prefix):
        return 1, problem
    match = re.match(r":(\d+)(?=: )|", problem[len(prefix) :])
    rest = problem[len(prefix) + (match.end() if match else 0) :].removeprefix(": ")
    return (int(match[1]) if match and match[1] else 1), rest[:1].upper() + rest[1:]


def _offset(starts: list[int], text: str, line: int, column: int) -> int:
    start = starts[min(max(line, 1), len(starts)) - 1]
    return min(start + max(column, 1) - 1, len(text))


def _end(text: str, start: int) -> int:
    """The end of the word at an offset, on the same line."""
    found = _TOKEN.match(text, start)
    return found.end() if found else start
