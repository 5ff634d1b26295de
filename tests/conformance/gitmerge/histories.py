"""Compare the driver with git's line merge on releases of real projects.

`python -m tests.conformance.gitmerge.histories [--edits N] RELEASE...`: folders of successive releases. Each group of
three is a merge: base, ours (a patch release, or N random edits of base) and theirs (the next minor release).
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from kubemerge.gitmerge.definitions import Definitions
from kubemerge.gitmerge.merge import Style, merge
from kubemerge.gitmerge.tree import NotEditable

from .draw import edited
from .judge import problems

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOKUP = Definitions(at=None)


def files_of(folder: Path) -> dict[str, bytes]:
    """The YAML files of a release, by path."""
    found = [*folder.rglob("*.yaml"), *folder.rglob("*.yml")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(found) if file.is_file()}


def cases(base: Path, ours: Path | None, theirs: Path, edits: int) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """The files that both sides changed."""
    was, other = files_of(base), files_of(theirs)
    one = files_of(ours) if ours else {}
    for path, data in was.items():
        if path not in other or other[path] == data:
            continue
        if ours is None:
            draw = random.Random(f"{base} {path}")
            mine = edited(data.decode(errors="replace"), draw, edits).encode() if len(data) < 200_000 else data
        else:
            mine = one.get(path, data)
        if mine not in (data, other[path]):
            yield path, data, mine, other[path]


def by_line(base: bytes, ours: bytes, theirs: bytes) -> tuple[int, bytes]:
    """The number of conflicts of git's merge, and its result."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for name, data in zip(names, (ours, base, theirs), strict=True):
            name.write_bytes(data)
        words = ["git", "merge-file", "-p", "-q", *(word for name in names for word in ("-L", name.name))]
        done = subprocess.run([*words, *map(str, names)], check=False, capture_output=True)
    return done.returncode, done.stdout


def count(seen: Counter[str], path: str, base: bytes, ours: bytes, theirs: bytes) -> None:
    """Merge one file in both ways and count the results."""
    git, lines = by_line(base, ours, theirs)
    seen["files"] += 1
    seen["files with conflicts in git"] += git > 0
    seen["conflicts in git"] += git
    try:
        found = merge(base, ours, theirs, LOOKUP, Style())
    except NotEditable as reason:
        seen["by line"] += 1
        seen[f"by line: {reason}"] += 1
        seen["files with conflicts"] += git > 0
        seen["conflicts"] += git
        return
    conflicts = found.data.count(b"<<<<<<< ours\n")
    seen["files with conflicts"] += conflicts > 0
    seen["conflicts"] += conflicts
    wrong = problems(*(text.decode() for text in (base, ours, theirs, found.data)))
    seen["files with problems"] += bool(wrong)
    if wrong:
        sys.stdout.write(f"{path}: {wrong[0][:300]}\n")
    if conflicts and not git:
        seen["only in ours"] += 1
        sys.stdout.write(f"only in ours: {path}: {found.conflicts[:3]}\n")
    if git and not conflicts:
        seen["only in git"] += 1
    if not git and not conflicts and lines != found.data:
        seen["both clean, but different"] += 1


if __name__ == "__main__":
    words = sys.argv[1:]
    edits = 0
    if words[0] == "--edits":
        edits, words = int(words[1]), words[2:]
    seen: Counter[str] = Counter()
    folders = [Path(word) for word in words]
    groups = itertools.pairwise(folders) if edits else zip(folders[::2], folders[1::2], folders[2::2])  # noqa: B905
    for group in groups:
        base, ours, theirs = (group[0], None, group[1]) if edits else group  # type: ignore[misc]
        for one in cases(base, ours, theirs, edits):
            count(seen, *one)
    for name, number in sorted(seen.items()):
        sys.stdout.write(f"{number:6} {name}\n")
