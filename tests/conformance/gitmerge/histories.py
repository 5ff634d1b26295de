"""Compare the driver with git's line merge on releases of real projects.

`python -m tests.conformance.gitmerge.histories [--local N | --edits N] RELEASE...`: folders of successive releases.
Three releases are a merge: base, ours (the last patch of the line) and theirs (the next minor release). With an option,
each pair is a merge: ours is base after N edits, either those of users (`local`) or random ones.
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

from kubemerge.gitmerge.driver import Options, run

from .draw import edited
from .judge import problems
from .local import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Edit = Callable[[str, random.Random], str]
    """Edits of a text."""

MOST_BYTES = 200_000
"""Larger files are not edited."""


def files_of(folder: Path) -> dict[str, bytes]:
    """The YAML files of a release, by path."""
    found = [*folder.rglob("*.yaml"), *folder.rglob("*.yml")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(found) if file.is_file()}


def cases(base: Path, ours: Path | None, theirs: Path, edit: Edit | None) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """The files that both sides changed."""
    was, other = files_of(base), files_of(theirs)
    one = files_of(ours) if ours else {}
    for path, data in was.items():
        if path not in other or other[path] == data:
            continue
        if edit is not None:
            draw = random.Random(f"{base.name} {path}")
            mine = edit(data.decode(errors="replace"), draw).encode() if len(data) < MOST_BYTES else data
        else:
            mine = one.get(path, data)
        if mine not in (data, other[path]):
            yield path, data, mine, other[path]


def merged(base: bytes, ours: bytes, theirs: bytes) -> tuple[int, bytes, bytes, list[str]]:
    """The number of conflicts of git's merge, its result, the result of the driver, and its messages."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("base", "ours", "theirs")]
        for name, data in zip(names, (base, ours, theirs), strict=True):
            name.write_bytes(data)
        one, two, three = map(str, names)
        labels = ("-L", "ours", "-L", "base", "-L", "theirs")
        done = subprocess.run(
            ["git", "merge-file", "-p", "-q", *labels, two, one, three], check=False, capture_output=True
        )
        said: list[str] = []
        run((one, two, three), Options("file"), said.append)
        return done.returncode, done.stdout, names[1].read_bytes(), said


def count(seen: Counter[str], path: str, base: bytes, ours: bytes, theirs: bytes) -> None:
    """Merge one file in both ways and count the results."""
    git, lines, found, said = merged(base, ours, theirs)
    seen["files"] += 1
    seen["files with conflicts in git"] += git > 0
    seen["conflicts in git"] += git
    conflicts = found.count(b"<<<<<<< ours\n")
    seen["files with conflicts"] += conflicts > 0
    seen["conflicts"] += conflicts
    reason = said[0].partition("merged by line, because ")[2] if said else ""
    if reason:
        seen["by line"] += 1
        seen[f"by line: {reason}"] += 1
        return
    if found == lines and not git:
        seen["clean in both, and equal"] += 1
        return
    wrong = problems(*(text.decode() for text in (base, ours, theirs, found)))
    seen["files with problems"] += bool(wrong)
    if wrong:
        sys.stdout.write(f"{path}: {wrong[0][:300]}\n")
    if conflicts and not git:
        seen["only in ours"] += 1
        sys.stdout.write(f"only in ours: {path}: {said}\n")
    if git and not conflicts:
        seen["only in git"] += 1
    if not git and not conflicts and lines != found:
        seen["both clean, but different"] += 1


def edit_of(option: str, number: int) -> Edit:
    """The edits of an option."""
    edit = {"--local": changed, "--edits": edited}[option]
    return lambda text, draw: edit(text, draw, number)


if __name__ == "__main__":
    words = sys.argv[1:]
    edit = None
    if words[0].startswith("--"):
        edit, words = edit_of(words[0], int(words[1])), words[2:]
    seen: Counter[str] = Counter()
    folders = [Path(word) for word in words]
    if edit:
        groups = [(base, None, theirs) for base, theirs in itertools.pairwise(folders)]
    else:
        groups = list(zip(folders[::2], folders[1::2], folders[2::2]))  # type: ignore[arg-type]  # noqa: B905
    for base, ours, theirs in groups:
        for one in cases(base, ours, theirs, edit):
            count(seen, *one)
    for name, number in sorted(seen.items()):
        sys.stdout.write(f"{number:6} {name}\n")
