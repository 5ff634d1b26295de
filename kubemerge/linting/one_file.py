"""Linting one file: its documents, the losses in an apply of each object, and the gate's findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import Finding, MergeError
from engine.clientside.apply import READ
from engine.linter import DEFINITION, findings_if_plain

from ..manifests.documents import IS_TEMPLATE, read_documents
from ..manifests.files import STDIN
from ..manifests.lines import Lines
from ..manifests.objects import TEXTS, BadObject, each_in, is_object
from .autoscalers import ANY, is_about_scaling, scaled, target_of, targets_of
from .definitions import kind_of_definition, kinds_in
from .gate.gate import UNKNOWN, FixableFinding
from .gate.rules.fields import WRONG_TYPE, no_text
from .gate.rules.inputs import NO_OBJECT, RULES, TEMPLATE, UNREADABLE
from .gate.server import Live
from .report import FileReport
from .reports.codes import names_unread, stands_for
from .reports.model import Linted, LintResult, Unread
from .repository.skip_reasons import (
    OTHER,
    Origins,
    is_for_another_tool,
    is_in_a_chart,
    is_template_of_a_chart,
    skip_reason,
)
from .repository.suppressed import by_annotation, by_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Tables
    from engine.paths import Steps

    from ..manifests.objects import Manifest
    from ..offline.pairs import Inputs, Others
    from ..offline.server_objects import ServerObjects
    from .gate.gate import Gate
    from .gate.record import Fix

HELM = "Helm template"
_SPACE = b"\xef\xbb\xbf \t\r\n"
"""Bytes that may precede the first character of a file."""
ONE_OF, NOT_BOTH = "KM004", "KM105"
"""The engine's rule for mutually exclusive fields, and the gate's less detailed one."""


class Fixable(NamedTuple):
    """A finding with its fix: the object, and the change of the file."""

    document: int
    number: int
    fix: Fix
    found: LintResult


class _Read(NamedTuple):
    """An object of the file, its number in its document, and the findings made while reading it."""

    manifest: Manifest
    number: int
    findings: list[FixableFinding]


class FileLinter:
    """Lints files. `tell` is called for each object that is linted; fatal errors are raised.

    `read` returns the documents of a file. Without `autoscaled`, no autoscaler is in these or other files of the run.
    """

    def __init__(
        self,
        others: Others | ServerObjects,
        gate: Gate | None,
        *,
        manager: str | None = None,
        tool: Tables | None = None,
        tell: Callable[[Inputs], None] = lambda _: None,
        fatal: tuple[type[Exception], ...] = (),
        read: Callable[[bytes, str], Iterator[tuple[int, Any]]] = read_documents,
        autoscaled: bool = True,
    ) -> None:
        self.read, self.autoscaled = read, autoscaled
        self._others, self._gate, self._manager, self._tool = others, gate, manager, tool
        self._tell, self._fatal = tell, fatal
        self._autoscaled = targets_of(others.live_objects)
        self.fixable: list[Fixable] = []
        """The findings with a fix in the file that was linted last."""

    def lint(self, source: str, data: bytes) -> FileReport:
        """Lint the contents of a file."""
        return _Linting(self, source, data).report()

    def load(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Read the definitions of all custom resources in these files, before other processes share them."""
        defined = {kind for one in self._others.schemas.definitions if (kind := kind_of_definition(one.content))}
        kinds = defined and defined.intersection(kinds_in(files))
        if kinds:
            self._others.schemas.load(kinds)
            if self._gate is not None:
                self._gate.load(kinds)

    def findings(self, inputs: Inputs) -> list[FixableFinding]:
        """The findings about one object: from the rules about an apply, and from the gate."""
        self._tell(inputs)
        of_plain = self._if_plain(inputs)
        # The values of a definition that may be anything for an apply have types for the server.
        fits = of_plain is not None and inputs.config["kind"] != DEFINITION
        found = self._of_apply(inputs) if of_plain is None else of_plain
        findings = [self._gate.fixable(inputs.config, one) if self._gate else FixableFinding(one) for one in found]
        if not any(map(is_about_scaling, found)):
            findings += self._of_live_autoscalers(inputs)
        live = Live(inputs.live.content, inputs.given, self._manager) if inputs.live else None
        return findings + (
            self._gate.findings(inputs.config, inputs.schema, plain=fits, live=live) if self._gate else []
        )

    def if_scaled(self, config: dict[str, Any], who: str = ANY) -> list[FixableFinding]:
        """The finding that an object has if an autoscaler scales it."""
        found = scaled(config, who, server_side=self._manager is not None)
        return [] if found is None else [FixableFinding(found)]

    def _of_live_autoscalers(self, inputs: Inputs) -> list[FixableFinding]:
        who = self._autoscaled.get(inputs.manifest.id) if self._autoscaled else None
        return [] if who is None else self.if_scaled(inputs.config, who)

    def _if_plain(self, inputs: Inputs) -> list[Finding] | None:
        """The findings about the apply of an object without anything unusual, which take little time."""
        alone = inputs.live is None and self._manager is None and self._tool is None
        alone = alone and (inputs.given is READ or inputs.given is None)
        return findings_if_plain(inputs.config, inputs.schema) if alone and inputs.schema is not None else None

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

    def prefetched(self, manifests: Iterator[Manifest]) -> Iterator[Manifest]:
        """The same objects; a server may be queried for several at once."""
        return self._others.prefetched(manifests)

    def of(self, manifest: Manifest) -> Inputs:
        """The object with the inputs of its apply."""
        return self._others.of(manifest)

    def is_fatal(self, error: Exception) -> bool:
        """Whether an error ends the command, instead of being recorded as one failure."""
        return isinstance(error, self._fatal)


class _Linting:
    """The state while one file is linted."""

    def __init__(self, linter: FileLinter, source: str, data: bytes) -> None:
        self._linter, self._source, self._data = linter, source, data
        self._lines, self._origins = Lines(data), Origins(data)
        self._ignored = by_line(data)
        self._at = 1
        self._found = FileReport([], [], [], [], needs_definitions=False)
        self._custom = False
        self._fixable: list[Fixable] = []

    def report(self) -> FileReport:
        if is_template_of_a_chart(self._source) and self._data.lstrip(_SPACE).startswith(b"{{"):
            self._found.skipped.append(HELM)
            self._linter.fixable = []
            return self._found
        try:
            for document, (line, content) in enumerate(self._linter.read(self._data, self._source)):
                self._at = line
                other = skip_reason(content, self._source)
                if other:
                    self._found.skipped.append(other)
                    continue
                self._document(document, line, content)
        except MergeError as error:
            self._failed(error, code=UNREADABLE.code)
        self._linter.fixable = self._fixable
        return self._found._replace(needs_definitions=self._custom)

    def _document(self, document: int, line: int, content: Any) -> None:
        """Lint the objects of one document. An invalid object is recorded, and the others are still linted."""
        origin = self._origins.of(line)
        found: list[_Read] = []
        number = 0
        for one in each_in(content, self._source, line):
            known = self._read(one, document, number)
            number += not isinstance(one, BadObject) or one.is_counted
            if known is not None:
                found.append(known)
        try:
            ahead = self._linter.prefetched(read.manifest for read in found)
            for read, manifest in zip(found, ahead, strict=True):
                self._object(read._replace(manifest=manifest), document, origin)
                self._at = line
        except MergeError as error:
            self._failed(error)

    def _read(self, one: Manifest | BadObject, document: int, number: int) -> _Read | None:
        """Read an object, with non-string names read as their text; None for an invalid object."""
        if not isinstance(one, BadObject):
            return _Read(self._lines.own_line(one, document, number), number, [])
        texts = self._texts(one.manifest.content, document, number)
        fixed = one.manifest.with_content(texts[0]) if texts else None
        if fixed is not None and is_object(fixed.content):
            return _Read(self._lines.own_line(fixed, document, number), number, texts[1] if texts else [])
        line = one.manifest.line
        if one.is_counted:
            line, _ = self._spot(document, number, one.field, line)
        at = f"{one.manifest.item}: " if one.manifest.item else ""
        problem = f"{self._source}:{line}: {at}{one.problem}"
        self._unread(Unread(self._source, line, problem, NO_OBJECT.code), by_annotation(one.manifest.content))
        return None

    def _texts(
        self, content: dict[str, Any], document: int, number: int
    ) -> tuple[dict[str, Any], list[FixableFinding]] | None:
        """The object with text for each name that is a number or boolean, and the findings about these."""
        metadata = content.get("metadata")
        if not isinstance(metadata, dict):
            return None
        findings, texts = [], {}
        for name in TEXTS:
            value = metadata.get(name)
            nodes = self._lines.nodes(document, number, ("metadata", name))
            if isinstance(value, (bool, int, float)) and nodes is not None:
                texts[name] = nodes[1].value
                problem = no_text(("metadata", name), value, texts[name])
                rule = WRONG_TYPE
                finding = Finding(rule.code, rule.slug, rule.severity, problem.steps, problem.message, problem.advice)
                findings.append(FixableFinding(finding, problem.fix))
        return ({**content, "metadata": {**metadata, **texts}}, findings) if findings else None

    def _failed(self, error: MergeError, about: Manifest | None = None, code: str = "") -> None:
        """Record a failure with its line."""
        if self._linter.is_fatal(error):
            raise error
        other = self._other(str(error)) if code else ""
        if other:
            if other not in self._found.skipped:
                self._found.skipped.append(other)
            return
        is_template = code and IS_TEMPLATE in str(error)
        said = f"{about.place}: {about.title}: {error}" if about else str(error)
        line = getattr(error, "line", None) or self._at
        self._unread(Unread(self._source, line, said, TEMPLATE.code if is_template else code), [])

    def _unread(self, one: Unread, ignored: Sequence[str]) -> None:
        """Record unreadable content, unless the file suppresses the finding."""
        words = [*ignored, *self._ignored.get(one.line, ())]
        if names_unread(words, one.code):
            self._found.skipped.append(f"{RULES[one.code].slug}, ignored")
        else:
            self._found.unread.append(one)

    def _other(self, said: str) -> str:
        """The purpose of an unreadable file that is meant for another tool; empty for other files."""
        if b"{{" in self._data and is_in_a_chart(self._source):
            return HELM
        is_odd = IS_TEMPLATE in said or "has no meaning in a Kubernetes document" in said
        is_odd = is_odd or self._source.endswith(".json")
        return OTHER if is_odd and is_for_another_tool(self._data) else ""

    def _object(self, read: _Read, document: int, origin: tuple[int, str] | None) -> None:
        manifest = read.manifest
        self._at = manifest.line
        try:
            self._found.linted.append(self._result(read, document, origin))
        except MergeError as error:
            self._failed(error, about=manifest)

    def _result(self, read: _Read, document: int, origin: tuple[int, str] | None) -> Linted:
        manifest = read.manifest
        inputs = self._linter.of(manifest)
        self._custom = self._custom or inputs.schema is None or not inputs.schema.built_in
        if inputs.schema is None and not inputs.unserved:
            self._found.without_schema.append(" ".join(manifest.key))
        findings = [*read.findings, *self._linter.findings(inputs)]
        placed = self._placed(findings, manifest, document, read.number)
        return self._linted(read, inputs, document, placed, origin)

    def _if_scaled(self, read: _Read, inputs: Inputs, document: int) -> LintResult | None:
        """The finding for an autoscaler in another file. Each file is linted by itself."""
        prepared = self._linter.if_scaled(inputs.config)
        return next(iter(self._placed(prepared, read.manifest, document, read.number)), None) if prepared else None

    def _linted(
        self, read: _Read, inputs: Inputs, document: int, placed: list[LintResult], origin: tuple[int, str] | None
    ) -> Linted:
        """The object and its findings: at their lines in the file or, for piped input, in their template."""
        manifest, sent, autoscaled = read.manifest, inputs.manifest, self._linter.autoscaled
        if_scaled = self._if_scaled(read, inputs, document) if autoscaled else None
        above, template = origin or (0, "")
        piped = bool(template) and manifest.source == STDIN
        if piped:
            placed = [_moved(one, -above) for one in placed]
            if_scaled = if_scaled and _moved(if_scaled, -above)
        return Linted(
            template if piped else manifest.source,
            sent.title,
            sent.id,
            manifest.line - above if piped else manifest.line,
            tuple(sorted(placed, key=_place)),
            version=manifest.key[0],
            namespace=sent.content["metadata"].get("namespace"),
            template="" if piped else template,
            scales=target_of(inputs.config) if autoscaled else None,
            if_scaled=if_scaled,
        )

    def _placed(
        self, findings: list[FixableFinding], manifest: Manifest, document: int, number: int
    ) -> list[LintResult]:
        """The findings with their lines, each once, without suppressed ones."""
        if not findings:
            return []
        ignored = by_annotation(manifest.content)
        once: dict[tuple[str, int, int], tuple[LintResult, Fix | None]] = {}
        more = []
        for finding, fix in findings:
            found = LintResult(finding, *self._spot(document, number, finding.steps, manifest.line))
            if self._is_ignored(found, ignored):
                continue
            if finding.code != UNKNOWN:
                more.append((found, fix))
                continue
            key = (finding.code, found.line, found.column)  # the engine and the gate both find it, in two ways
            known = once.get(key)
            once[key] = (known[0], known[1] or fix) if known else (found, fix)
        implied = {(*found[:2], NOT_BOTH) for found in (_spot_of(one) for one, _ in more) if found[2] == ONE_OF}
        more = [(one, fix) for one, fix in more if _spot_of(one) not in implied]
        every = [*once.values(), *more]
        self._fixable += [Fixable(document, number, fix, found) for found, fix in every if fix is not None]
        return [found for found, _ in every]

    def _is_ignored(self, found: LintResult, ignored: list[str]) -> bool:
        words = [*ignored, *self._ignored.get(found.line, ())]
        return any(stands_for(word, found.finding.code, found.finding.name) for word in words)

    def _spot(self, document: int, number: int, steps: Steps, otherwise: int) -> tuple[int, int]:
        return self._lines.spot_in(document, number, steps, otherwise)


def _moved(found: LintResult, lines: int) -> LintResult:
    return LintResult(found.finding, found.line + lines, found.column)


def _spot_of(found: LintResult) -> tuple[int, int, str]:
    return found.line, found.column, found.finding.code


def _place(found: LintResult) -> tuple[int, int, str]:
    return found.line, found.column, found.finding.code
