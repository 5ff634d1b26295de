"""The findings of a run as one report: the selection of reported findings, and findings across files."""

from __future__ import annotations

import os
from collections import Counter
from itertools import chain, starmap
from typing import TYPE_CHECKING

from codegen.documents.limits import MAX_BYTES
from codegen.trees import read_regular
from engine import MergeError

from ..offline import tables
from .autoscalers import with_autoscalers
from .duplicates import with_duplicates
from .gate.rules import ALL as RULES
from .reports import baseline
from .reports.codes import SEVERITIES, names_unread, stands_for
from .reports.model import Report, Unread
from .repository.patches import KUSTOMIZE_PATCH, is_filled_in
from .repository.settings import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..manifests.objects import Manifest
    from .files import LintInputs
    from .report import FileReport
    from .reports.model import Linted, LintResult
    from .repository.settings import Settings


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


def definitions_of(files: Iterable[tuple[str, bytes]]) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in files. Errors in a file are reported when it is linted."""
    return chain.from_iterable(starmap(tables.definitions_of, files))
