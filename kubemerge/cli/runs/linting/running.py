"""One run of lint: its files, the findings, and the selection of reported findings."""

from __future__ import annotations

import os
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from codegen.documents.limits import MAX_BYTES
from codegen.trees import read_regular
from engine import MergeError

from ....apiserver.kinds.builtin_kinds import DEFINITION
from ....linting.autoscalers import with_autoscalers
from ....linting.cache import Cache
from ....linting.duplicates import with_duplicates
from ....linting.gate.rules import ALL as RULES
from ....linting.many_files import definitions_in, lint_all
from ....linting.pool import processors
from ....linting.reports import baseline
from ....linting.reports.codes import SEVERITIES, names_unread, stands_for
from ....linting.reports.model import Report, Unread
from ....linting.repository.patches import KUSTOMIZE_PATCH, is_filled_in
from ....linting.repository.settings import Patterns
from ...inputs import files as files_of
from ...terminal.console import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ....linting.files import LintInputs
    from ....linting.one_file import FileLinter
    from ....linting.report import FileReport
    from ....linting.reports.model import Linted, LintResult
    from ....linting.repository.git import Before
    from ....linting.repository.settings import Settings
    from ....offline.pairs import Inputs
    from ....offline.tables import Schemas


class Choice:
    """The findings that are reported, and those that fail a run.

    By default, findings above `info` fail it. With a minimum severity, every reported finding does.
    """

    def __init__(
        self, codes: frozenset[str], severity: str | None, settings: Settings, ignored: Sequence[str] = ()
    ) -> None:
        self.codes = codes
        self._ignored = [word.strip() for text in ignored for word in text.split(",")]
        self._worst = SEVERITIES[SEVERITIES.index(severity) if severity else 0 :]
        self._failing = self._worst if severity else SEVERITIES[1:]
        self._words = dict(settings.per_path)
        self._paths = Patterns(settings.folder, self._words)

    def of(self, one: Linted, read: str) -> Linted:
        """The object with the reported findings."""
        if not one.found:
            return one
        words = [word for pattern in self._paths.meaning(read) for word in self._words[pattern]]
        kept = tuple(
            found
            for found in one.found
            if found.finding.code in self.codes
            and found.finding.severity in self._worst
            and not _is_ignored(found, words)
        )
        return one.with_found(kept)

    def ignores(self, one: Unread, read: str) -> bool:
        """Whether a file or object that cannot be read is suppressed.

        --select does not suppress it, because its findings are unknown.
        """
        words = [word for pattern in self._paths.meaning(read) for word in self._words[pattern]]
        return names_unread((*self._ignored, *words), one.code)

    def fails(self, report: Report) -> bool:
        """Whether anything that was found fails a run."""
        return any(found.finding.severity in self._failing for _, found in report.findings())


def _is_ignored(found: LintResult, words: Sequence[str]) -> bool:
    return any(stands_for(word, found.finding.code, found.finding.name) for word in words)


def gathered(given: LintInputs, reports: Sequence[FileReport], choice: Choice, *, folders: bool) -> Report:
    """All findings as one report. `folders`: each folder is one input."""
    linted: list[Linted] = []
    read: list[str] = []
    unread: list[Unread] = []
    skipped: Counter[str] = Counter({KUSTOMIZE_PATCH: given.patches} if given.patches else {})
    without_schema: Counter[str] = Counter()
    following = iter(reports)
    for source, content in given.read:
        if isinstance(content, Unread):
            unread.append(content)
            continue
        one = next(following)
        linted += map(without_filled_in, one.linted) if source in given.labelled else one.linted
        read += [source] * len(one.linted)
        for problem in one.unread:
            if choice.ignores(problem, source):
                skipped[f"{RULES[problem.code].slug}, ignored"] += 1
            else:
                unread.append(problem)
        skipped.update(one.skipped)
        without_schema.update(one.without_schema)
    checked = with_autoscalers([*with_duplicates(linted, read, folders=folders)], read)
    return Report(
        [choice.of(one, where) for one, where in zip(checked, read, strict=True)], unread, skipped, without_schema
    )


def without_filled_in(one: Linted) -> Linted:
    """The object without findings about labels that a kustomization adds."""
    kept = tuple(found for found in one.found if not is_filled_in(found.finding.code, found.finding.steps))
    return one if len(kept) == len(one.found) else one.with_found(kept)


def known_in(file: str) -> Counter[str]:
    """The findings of a baseline."""
    try:
        return baseline.read(read_regular(os.path.realpath(file), MAX_BYTES).decode(), file)
    except UnicodeDecodeError:
        raise baseline.BadBaseline(f"{file}: not a baseline. Write one with --write-baseline") from None
    except OSError as error:
        raise MergeError(f"{file}: {error.strerror or error}. Create it with --write-baseline") from None


def before(given: LintInputs, then: Before) -> LintInputs:
    """The same files as they were in a revision; those that were not there then are left out."""
    old = [(source, data) for source, _ in given.files if (data := then.content(source)) is not None]
    return given.with_files(old)


class Linting:
    """Lints files by the same rules, any number of times."""

    def __init__(self, linter: Callable[[], FileLinter], about: Sequence[str] | None) -> None:
        """`about` is everything except the files that determines the findings. None: something else does, so no
        caching.
        """
        self._make = linter
        self._linter: FileLinter | None = None
        self._about = None if about is None else _digest(about)

    def linter(self) -> FileLinter:
        """The linter for one file."""
        if self._linter is None:
            self._linter = self._make()
        return self._linter

    def reports(self, given: LintInputs) -> list[FileReport]:
        """The report of each file."""
        if self._about is None:
            return [self.linter().lint(source, data) for source, data in given.files]
        return lint_all(given.files, self.linter, Cache(_cache_file()), self._about, processors(), files_of().reading)


def _cache_file() -> str | None:
    from ....client.served.cache import folder

    found = None if os.environ.get("KUBEMERGE_NO_CACHE") else folder("lint")
    return str(found / "files.db") if found else None


def _digest(about: Sequence[str]) -> bytes:
    from ....apiserver.registry.feature_gates import gates_set

    found = blake2b(digest_size=16)
    for word in (*about, repr(gates_set()), engine.__version__, *_code()):
        found.update(word.encode(errors="surrogateescape") + b"\0")
    return found.digest()


def _code() -> Iterator[str]:
    """The modification times of the code, so that edited code never returns stale cached results.

    An installed package is replaced as a whole, so one file is enough. In a clone, any file may be edited.
    """
    top = Path(engine.__file__).parent.parent
    yield str((top / "engine" / "__init__.py").stat().st_mtime_ns)
    if not (top / "pyproject.toml").exists():
        return
    for package in ("engine", "codegen", "generated", "kubemerge"):
        for folder, _, names in os.walk(top / package):
            if not folder.endswith("__pycache__"):
                yield str(max((os.stat(f"{folder}/{one}").st_mtime_ns for one in names), default=0))  # noqa: PTH116


def tell(inputs: Inputs) -> None:
    """Print the places of the config and the live object with -v."""
    at = inputs.live.place if inputs.live else "none"
    console().detail(f"{inputs.title}: config {inputs.manifest.place}, live {at}")


def definitions_of(files: Sequence[tuple[str, bytes]]) -> Iterator[Any]:
    """The CustomResourceDefinitions in files. Errors in a file are reported when it is linted."""
    from contextlib import suppress

    from ....manifests.documents import read_documents
    from ....manifests.objects import objects_in

    for source, data in definitions_in(files):
        with suppress(MergeError):
            for line, document in read_documents(data, source):
                with suppress(MergeError):
                    yield from (one for one in objects_in(document, source, line) if one.key[1] == DEFINITION[1])


def differing_definitions(files: Sequence[tuple[str, bytes]], report: Report) -> Iterator[str]:
    """A line for each kind that has two definitions which differ: which one is used."""
    often = Counter(one.id for one in report.linted if one.id.group_kind == DEFINITION)
    names = {identity.name for identity, count in often.items() if count > 1}
    if not names:
        return
    seen: dict[str, list[Any]] = {}
    for one in definitions_of(files):
        if one.id.name in names:
            seen.setdefault(one.id.name, []).append(one)
    for name, found in seen.items():
        other = next((one for one in found if one.content.get("spec") != found[-1].content.get("spec")), None)
        if other is not None:
            yield (
                f"{name} has different definitions in {other.place} and {found[-1].place}. The last one "
                "is used for all objects. Exclude one of them with --exclude"
            )


def schemas(release: str, specifications: Sequence[str], definitions: Sequence[Any]) -> Schemas:
    """The schemas of the objects: of a release, of specifications, and of definitions among the objects.

    A definition that cannot be read is a finding, which the cache repeats. It is no message as well.
    """
    from ....offline.tables import Schemas, specification
    from ...inputs import tell

    def tell_definition(said: str, is_problem: bool) -> None:
        if not is_problem:
            tell(said, False)

    over = [specification(one, files_of()) for one in specifications]
    return Schemas(engine.load(release), over, definitions, tell_definition)
