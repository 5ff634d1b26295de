"""A page for each release since 1.17: its changes for manifests, compared with the previous release."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import engine
from kubemerge.compare.chain import Side, compare
from kubemerge.compare.reports.facts import by_severity
from kubemerge.compare.reports.markdown import comparison_markdown
from kubemerge.html import compare_page
from kubemerge.kinds.hazards import HAZARDS

from .kind_pages import ORPHAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.kinds.hazard import Hazard

FIRST = "1.16"
"""The release that the first page compares with."""
BEYOND = """
## What no specification shows

| | field | what | since |
|---|---|---|---|
"""


def pages() -> Iterator[tuple[str, str, str]]:
    """The name and the text of each page, and its full report as a separate page; last, the table of all releases."""
    releases = engine.releases()
    found = []
    for left, right in pairwise(releases[releases.index(FIRST) :]):
        comparison = compare([Side(left, engine.load(left)), Side(right, engine.load(right))])
        counts = by_severity(comparison.changes)
        found.append((right, counts))
        yield right, _page(left, right, comparison_markdown(comparison)), compare_page(comparison)
    yield "index", _index(found[::-1]), ""


def _page(left: str, right: str, report: str) -> str:
    counts, _, rest = report.partition("\n\n")[2].partition("\n\n")
    beyond = "".join(map(_row, (one for one in HAZARDS if one.since == right)))
    return f"""{ORPHAN}# What changes for your manifests in {right}

Between Kubernetes {left} and {right}: {counts}

"Breaking" is what makes the same apply give another object, or none; "notable" is what only changes who owns a field in
server-side apply; the rest is new. To see what concerns your own files, with their values and lines, run

```text
kubemerge compare {left}..{right} -R -f FOLDER
```

and see [how to check an upgrade](../how-to/upgrade-check.md), and [all releases](index.md). There is also
<a href="reports/{right}.html">the whole report as a page to search and filter</a>.
{BEYOND + beyond if beyond else ""}
{re.sub("^#", "", rest, flags=re.MULTILINE)}
"""


def _row(hazard: Hazard) -> str:
    kinds = ", ".join(hazard.kinds[:3]) + (" ..." if len(hazard.kinds) > 3 else "")
    place = f"{kinds} `{hazard.path}`" if hazard.path else kinds
    return f"| {hazard.severity} | {place} | {hazard.text} {hazard.advice} | {hazard.source} |\n"


def _index(found: list[tuple[str, dict[str, int]]]) -> str:
    rows = "\n".join(
        f"| [{name}]({name}.md) | {counts['breaking']} | {counts['notable']} | {counts['info']} |"
        for name, counts in found
    )
    return f"""# What changes for your manifests, release by release

Each release beside the one before, from the merge rules that Kubernetes itself publishes. What is breaking in one may
not concern you at all: `kubemerge compare 1.31..1.37 -R -f FOLDER` tells only what concerns your files.

| release | breaking | notable | new |
|---|---|---|---|
{rows}
"""
