"""Linting the objects of files, continuing after those that cannot be read: what was found, and in which lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from codegen.credentials import without_credentials

from ...lint_reports.codes import SEVERITIES
from ...lint_reports.model import Found, Linted, Report, Unread
from ...manifests.files import names
from ...manifests.lines import Lines
from ...manifests.objects import manifests_in
from ..failures import Failures
from ..inputs import files
from ..terminal.console import console

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...manifests.objects import Manifest
    from ...offline.pairs import Inputs, Others
    from ...offline.server_objects import ServerObjects


class _Unread(Failures):
    """Failures, each kept for the report with the line that it is about."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Unread] = []
        self._source, self._line = "", 1

    def at(self, source: str, line: int = 1) -> _Unread:
        """A context whose failures are reported for this line."""
        self._source, self._line = without_credentials(source), line
        return self

    def add(self, error: object, *about: str, doing: str = "", source: str = "") -> None:
        """Report a failure, and keep it."""
        super().add(error, *about, doing=doing, source=source)
        said = without_credentials(": ".join((*about, str(error))))
        self.kept.append(Unread(self._source, self._line, said))


class Linting:
    """Lints files one by one; what cannot be read or linted is reported at once and counted."""

    def __init__(
        self,
        others: Others | ServerObjects,
        codes: frozenset[str],
        severity: str = "info",
        *,
        manager: str | None = None,
        tool: engine.Tables | None = None,
    ) -> None:
        self._others, self._codes = others, codes
        self._manager, self._tool = manager, tool
        self._severities = SEVERITIES[SEVERITIES.index(severity) :]
        self._unread = _Unread()

    def report(self, paths: Sequence[str], *, recursive: bool = False) -> Report:
        """What was found in these files, folders, globs, addresses or `-`."""
        linted = [one for path in paths for name in self._names(path, recursive) for one in self._file(name)]
        return Report(linted, self._unread.kept)

    def _names(self, path: str, recursive: bool) -> Iterator[str]:
        with self._unread.at(path).past():
            yield from names(path, recursive=recursive)

    def _file(self, name: str) -> Iterator[Linted]:
        with self._unread.at(name).past():
            for source, data in files().contents([name]):
                lines = Lines(data)
                for number, manifest in enumerate(self._others.asked_ahead(manifests_in(data, source))):
                    yield from self._object(manifest, number, lines)
                    self._unread.at(name)

    def _object(self, manifest: Manifest, number: int, lines: Lines) -> Iterator[Linted]:
        with self._unread.at(manifest.source, manifest.line).past(manifest.place, manifest.title):
            inputs = self._others.of(manifest)
            _tell(inputs)
            live = inputs.live.content if inputs.live else None
            tables = self._others.schemas.tables(manifest.key)
            found = engine.lint(
                inputs.config,
                inputs.schema,
                live=live,
                last_applied=inputs.given,
                tables=tables,
                manager=self._manager,
                tool=self._tool,
            )
            wanted = [one for one in found if one.code in self._codes and one.severity in self._severities]
            placed = [Found(one, *lines.spot(number, one.steps, manifest.line)) for one in wanted]
            yield Linted(manifest.source, manifest.title, manifest.id, manifest.line, tuple(sorted(placed, key=_place)))


def _place(found: Found) -> tuple[int, int, str]:
    return found.line, found.column, found.finding.code


def _tell(inputs: Inputs) -> None:
    if inputs.schema is None and not inputs.unserved:
        console().say(f"{inputs.title}: no schema is known; only what needs none is checked (see --schema)")
    at = inputs.live.place if inputs.live else "not given"
    console().detail(f"{inputs.title}: config {inputs.manifest.place}; live {at}")
