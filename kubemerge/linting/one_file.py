"""Linting one file: its documents, what an apply of each object would lose, and what the gate says of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import engine
from engine import MergeError
from engine.clientside.apply import READ
from engine.linter import is_plain

from ..manifests.documents import read_documents
from ..manifests.files import STDIN
from ..manifests.lines import Lines
from ..manifests.objects import objects_in
from .gate.gate import UNKNOWN, Told
from .report import FileReport
from .reports.model import Found, Linted, Unread
from .repository.recognised import OTHER, Origins, is_for_another_tool, is_template_of_a_chart, what_else
from .repository.suppressed import by_annotation, by_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Finding, Tables
    from engine.paths import Steps

    from ..manifests.objects import Manifest
    from ..offline.pairs import Inputs, Others
    from ..offline.server_objects import ServerObjects
    from .gate.gate import Gate
    from .gate.record import Fix

TEMPLATE = "Helm template"
ONE_OF, NOT_BOTH = "KM004", "KM105"
"""The rule of the engine for fields that exclude each other, and that of the gate, which says less of it."""


class Fixable(NamedTuple):
    """A finding with a change of the file that puts it right: which object, and the change."""

    document: int
    number: int
    fix: Fix
    found: Found


class FileLinter:
    """Lints files. `tell` is told of each object that is looked at; errors that end a command are raised."""

    def __init__(
        self,
        others: Others | ServerObjects,
        gate: Gate | None,
        *,
        manager: str | None = None,
        tool: Tables | None = None,
        tell: Callable[[Inputs], None] = lambda _: None,
        fatal: tuple[type[Exception], ...] = (),
    ) -> None:
        self._others, self._gate, self._manager, self._tool = others, gate, manager, tool
        self._tell, self._fatal = tell, fatal
        self.fixable: list[Fixable] = []
        """What can be put right in the file that was linted last."""

    def lint(self, source: str, data: bytes) -> FileReport:
        """What is found in the bytes of a file."""
        return _Linting(self, source, data).report()

    def findings(self, inputs: Inputs) -> list[Told]:
        """What the rules about an apply find in one object, and what the gate does."""
        self._tell(inputs)
        plain = self._is_plain(inputs)
        found = [] if plain else self._of_apply(inputs)
        told = [self._gate.about_kind(inputs.config, one) if self._gate else Told(one) for one in found]
        return told + (self._gate.findings(inputs.config, inputs.schema, plain=plain) if self._gate else [])

    def _is_plain(self, inputs: Inputs) -> bool:
        """Whether it is plain that the rules about an apply find nothing; then they are not asked."""
        alone = inputs.live is None and self._manager is None and self._tool is None
        alone = alone and (inputs.given is READ or inputs.given is None)
        return alone and inputs.schema is not None and is_plain(inputs.config, inputs.schema)

    def _of_apply(self, inputs: Inputs) -> list[Finding]:
        return engine.lint(
            inputs.config,
            inputs.schema,
            live=inputs.live.content if inputs.live else None,
            last_applied=inputs.given,
            tables=self._others.schemas.tables(inputs.manifest.key),
            manager=self._manager,
            tool=self._tool,
        )

    def asked_ahead(self, manifests: Iterator[Manifest]) -> Iterator[Manifest]:
        """The same objects; a server may be asked about several at once."""
        return self._others.asked_ahead(manifests)

    def of(self, manifest: Manifest) -> Inputs:
        """The object with what belongs to it."""
        return self._others.of(manifest)

    def is_fatal(self, error: Exception) -> bool:
        """Whether an error ends the command, and is not one failure of many."""
        return isinstance(error, self._fatal)


class _Linting:
    """One file while it is linted."""

    def __init__(self, linter: FileLinter, source: str, data: bytes) -> None:
        self._linter, self._source, self._data = linter, source, data
        self._lines, self._origins = Lines(data), Origins(data)
        self._ignored = by_line(data)
        self._at = 1
        self._found = FileReport([], [], [], [], needs_definitions=False)
        self._custom = False
        self._fixable: list[Fixable] = []

    def report(self) -> FileReport:
        with self._past():
            for document, (line, content) in enumerate(read_documents(self._data, self._source)):
                self._at = line
                other = what_else(content, self._source)
                if other:
                    self._found.passed_over.append(other)
                    continue
                origin = self._origins.of(line)
                with self._past():
                    ahead = self._linter.asked_ahead(objects_in(content, self._source, line))
                    for number, manifest in enumerate(ahead):
                        self._object(manifest, document, number, origin)
                        self._at = line
        self._linter.fixable = self._fixable
        return self._found._replace(needs_definitions=self._custom)

    @contextmanager
    def _past(self, *about: str) -> Iterator[None]:
        """A context whose failure is kept, with the line that it is about."""
        try:
            yield
        except MergeError as error:
            if self._linter.is_fatal(error):
                raise
            other = self._other(str(error))
            if other:
                self._found.passed_over.append(other)
            else:
                said = ": ".join((*about, str(error)))
                self._found.unread.append(Unread(self._source, self._at, said))

    def _other(self, said: str) -> str:
        """What a file is that cannot be read because it is meant for another tool; empty if it is not."""
        if "this is a template" in said and is_template_of_a_chart(self._source):
            return TEMPLATE
        is_odd = "this is a template" in said or "means nothing in a Kubernetes document" in said
        return OTHER if is_odd and is_for_another_tool(self._data) else ""

    def _object(self, manifest: Manifest, document: int, number: int, origin: tuple[int, str] | None) -> None:
        self._at = manifest.line
        with self._past(manifest.place, manifest.title):
            inputs = self._linter.of(manifest)
            self._custom = self._custom or inputs.schema is None or not inputs.schema.built_in
            if inputs.schema is None and not inputs.unserved:
                self._found.without_schema.append(" ".join(manifest.key))
            told = self._linter.findings(inputs)
            placed = self._placed(told, manifest, document, number, by_annotation(manifest.content))
            self._found.linted.append(self._linted(manifest, inputs.manifest, placed, origin))

    def _linted(
        self, manifest: Manifest, sent: Manifest, placed: list[Found], origin: tuple[int, str] | None
    ) -> Linted:
        """The object and its findings: at their lines in the file, or, of what is piped in, in what a template gave."""
        above, template = origin or (0, "")
        piped = bool(template) and manifest.source == STDIN
        if piped:
            placed = [Found(one.finding, one.line - above, one.column) for one in placed]
        return Linted(
            template if piped else manifest.source,
            manifest.title,
            sent.id,
            manifest.line - above if piped else manifest.line,
            tuple(sorted(placed, key=_place)),
            version=manifest.key[0],
            namespace=sent.content["metadata"].get("namespace"),
            template="" if piped else template,
        )

    def _placed(
        self, told: list[Told], manifest: Manifest, document: int, number: int, ignored: list[str]
    ) -> list[Found]:
        """The findings with their lines, each once, without those that the file asks not to be told."""
        once: dict[tuple[str, int, int], tuple[Found, Fix | None]] = {}
        more = []
        for finding, fix in told:
            found = Found(finding, *self._spot(document, number, finding.steps, manifest.line))
            if self._is_ignored(found, ignored):
                continue
            if finding.code != UNKNOWN:
                more.append((found, fix))
                continue
            key = (finding.code, found.line, found.column)  # the engine and the gate find it, by two paths
            known = once.get(key)
            once[key] = (known[0], known[1] or fix) if known else (found, fix)
        both = {found[:2] for found in (_spot_of(one) for one, _ in more) if found[2] == ONE_OF}
        more = [(one, fix) for one, fix in more if _spot_of(one) not in {(*spot, NOT_BOTH) for spot in both}]
        every = [*once.values(), *more]
        self._fixable += [Fixable(document, number, fix, found) for found, fix in every if fix is not None]
        return [found for found, _ in every]

    def _is_ignored(self, found: Found, ignored: list[str]) -> bool:
        words = [*ignored, *self._ignored.get(found.line, ())]
        return any(_stands_for(word, found.finding) for word in words)

    def _spot(self, document: int, number: int, steps: Steps, otherwise: int) -> tuple[int, int]:
        return self._lines.spot_in(document, number, steps, otherwise)


def _stands_for(word: str, finding: Finding) -> bool:
    from .reports.codes import stands_for

    return stands_for(word, finding.code, finding.name)


def _spot_of(found: Found) -> tuple[int, int, str]:
    return found.line, found.column, found.finding.code


def _place(found: Found) -> tuple[int, int, str]:
    return found.line, found.column, found.finding.code
