"""What is found in the files together: the same object twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine import Finding

from .gate.rules.inputs import TWICE
from .reports.model import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .reports.model import Linted


def with_twice(linted: Sequence[Linted], inputs: Sequence[str], *, folders: bool) -> Iterator[Linted]:
    """The same objects; one that is in its file, or in its folder, a second time has a finding that says so.

    `inputs` are the files that were read, one for each object: what was rendered from a chart is one input. The files
    of one folder are compared with `folders`, which is for those that are not walked through.
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
        severity = TWICE.severity if where == read else "warning"
        message = f"The same object is already {place}. The second one overwrites the first."
        finding = Finding(TWICE.code, TWICE.slug, severity, (), message, TWICE.way_out)
        yield one.with_found((Found(finding, one.line, 1), *one.found))
