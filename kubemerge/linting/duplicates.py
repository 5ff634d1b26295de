"""Findings across files: duplicate objects."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine import Finding

from .gate.rules.inputs import DUPLICATE_OBJECT
from .reports.model import LintResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .reports.model import Linted


def with_duplicates(linted: Sequence[Linted], inputs: Sequence[str], *, folders: bool) -> Iterator[Linted]:
    """The same objects; a duplicate in a file, or in a folder, gets a finding.

    `inputs` are the files that were read, one for each object: the rendered output of a chart is one input. With
    `folders`, the files of one folder are compared, for folders that are not read recursively.
    """
    first: dict[tuple[object, ...], tuple[Linted, str]] = {}
    for one, read in zip(linted, inputs, strict=True):
        if not one.id.name:
            yield one
            continue
        other, where = first.setdefault((os.path.dirname(read) if folders else read, *one.id), (one, read))  # noqa: PTH120
        if other is one:
            yield one
            continue
        place = f"on line {other.line}" if other.source == one.source else f"in {other.source}:{other.line}"
        severity = DUPLICATE_OBJECT.severity if where == read else "warning"
        message = f"The same object is already {place}. The second one overwrites the first."
        finding = Finding(DUPLICATE_OBJECT.code, DUPLICATE_OBJECT.slug, severity, (), message, DUPLICATE_OBJECT.advice)
        yield one.with_found((LintResult(finding, one.line, 1), *one.found))
