"""Linting the objects of a fleet, by the linter as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...linting.gate.gate import Gate
from ...linting.gate.releases import releases_of
from ...linting.one_file import FileLinter
from ...linting.reports.codes import SEVERITIES, selected
from ..rows import Row, row_of
from .base import Rules, Work, poisoned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ...linting.reports.model import Linted
    from ...offline.pairs import Inputs
    from ..reading.items import Item


class Lint(Work):
    """What `kubemerge lint` finds."""

    def __init__(
        self, rules: Rules, *, select: Sequence[str] = (), ignore: Sequence[str] = (), severity: str = "info"
    ) -> None:
        super().__init__()
        releases = releases_of(rules.release)
        others = rules._replace(release=releases[0]).others()
        self._linter = FileLinter(others, Gate(releases, rules.definitions), tell=self._look)
        self._codes, self._severities = selected(select, ignore), SEVERITIES[SEVERITIES.index(severity) :]
        self._content: dict[Any, dict[str, Any]] = {}

    def _look(self, inputs: Inputs) -> None:
        self._content[inputs.manifest.id] = inputs.config

    def _rows(self, item: Item) -> Iterator[Row]:
        self._content.clear()
        report = self._linter.lint(item.source, item.text)
        self.objects += len(report.linted) + len(report.unread)
        for one in report.linted:
            yield from self._found(item, one)
        for unread in report.unread:
            yield poisoned(item, unread.problem)
        for other in report.passed_over:
            self.objects += 1
            yield poisoned(item, f"this is not an object of a cluster: {other}")

    def _found(self, item: Item, one: Linted) -> Iterator[Row]:
        for found in one.found:
            finding = found.finding
            if finding.code in self._codes and finding.severity in self._severities:
                words = {"path": finding.path, "what": finding.code, "severity": finding.severity}
                yield row_of(item.cluster, self._content[one.id], item.source, text=finding.message, **words)
