"""Linting the objects of a fleet with the usual linter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...linting.gate.gate import Gate
from ...linting.gate.releases import releases_of
from ...linting.one_file import FileLinter
from ...linting.reports.codes import SEVERITIES, selected
from ..rows import Row, row_of
from .base import Check, Rules, error_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ...apiserver.identity import ObjectId
    from ...linting.reports.model import Linted
    from ...offline.pairs import Inputs
    from ..reading.items import Item


class Lint(Check):
    """The findings of `kubemerge lint`."""

    def __init__(
        self,
        rules: Rules,
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        severity: str = "info",
        policies: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__()
        releases = releases_of(rules.release)
        others = rules._replace(release=releases[0]).others()
        self._linter = FileLinter(
            others, Gate(releases, (*rules.dumped, *rules.definitions), policies), tell=self._look
        )
        self._codes, self._severities = selected(select, ignore), SEVERITIES[SEVERITIES.index(severity) :]
        self._content: dict[ObjectId, list[dict[str, Any]]] = {}
        """Objects of the same identity, in order: generated names are not part of it."""

    def _look(self, inputs: Inputs) -> None:
        self._content.setdefault(inputs.manifest.id, []).append(inputs.config)

    def _rows(self, item: Item) -> Iterator[Row]:
        self._content.clear()
        report = self._linter.lint(item.source, item.text)
        for one in report.linted:
            self._count(one.id.kind)
            yield from self._found(item, one)
        for unread in report.unread:
            self._count()
            yield error_row(item, unread.problem)
        for other in report.skipped:
            self._count()
            yield error_row(item, f"not a cluster object: {other}")

    def _found(self, item: Item, one: Linted) -> Iterator[Row]:
        content = self._content[one.id].pop(0)
        for found in one.found:
            finding = found.finding
            if finding.code in self._codes and finding.severity in self._severities:
                words = {"path": finding.path, "what": finding.code, "severity": finding.severity}
                yield row_of(item.cluster, content, item.source, text=finding.message, **words)
