"""The files of recorded answers. Equal answers of several releases are stored once."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The answers by release and case, oldest release first."""
    found: dict[str, dict[str, Any]] = {}
    rows = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}
    for case, answers in rows.items():
        for releases, answer in answers:
            for release in releases:
                found.setdefault(release, {})[case] = answer
    return dict(sorted(found.items()))


def write(path: Path, found: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the answers, so that equal ones are equal bytes."""
    rows: dict[str, list[tuple[list[str], Any]]] = {}
    for release, answers in sorted(found.items()):
        for case, answer in answers.items():
            same = [releases for releases, known in rows.setdefault(case, []) if known == answer]
            if same:
                same[0].append(release)
            else:
                rows[case].append(([release], answer))
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
