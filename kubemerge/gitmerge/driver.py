"""The git merge driver: merge by field if the text allows it, else by line with `git merge-file`."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine import MergeError

from ..apiserver.text.text import how_many
from ..linting.repository import git
from .confirm import is_merge
from .definitions import Definitions
from .merge import Style, merge
from .tree import NotEditable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = ("base", "ours", "theirs")
"""The default labels of conflict markers."""
_PLACEHOLDERS = ("%S", "%X", "%Y", "%P", "%L", "")
"""Labels that an older git passes on instead of a value."""
_KIND = b"kind"
_MOST_SHOWN = 5
_ERROR = 128
"""From this exit code on, git merge-file reports an error instead of a number of conflicts."""


class CannotMerge(MergeError):
    """Files that cannot be read, written or merged."""


class Options(NamedTuple):
    """The options of one run: the path in the repository, the labels, and the length of markers."""

    path: str = ""
    labels: Sequence[str] = NAMES
    size: int = 7


def run(files: Sequence[str], options: Options, say: Callable[[str], None]) -> int:
    """Merge base, ours and theirs into ours. Return 1 if there are conflicts, else 0."""
    _, ours, _ = files
    data = [_read(name) for name in files]
    labels = [name if label in _PLACEHOLDERS else label for label, name in zip(options.labels, NAMES, strict=True)]
    shown = options.path if options.path not in _PLACEHOLDERS else ours
    style = Style(labels, options.size, _conflict_style() in ("diff3", "zdiff3"))
    lookup = Definitions()
    try:
        found = merge(data[0], data[1], data[2], lookup, style)
        by_line = _clean_lines(files, data, style, lookup) if found.conflicts else None
    except NotEditable as reason:
        say(f"{shown}: merged by line, because {reason}")
        return _by_line(files, style, data[1])
    except Exception as error:
        say(f"{shown}: merged by line, because of a bug in kubemerge: {type(error).__name__}: {error}")
        return _by_line(files, style, data[1])
    if by_line is not None:
        _write(ours, by_line, data[1])
        return 0
    _write(ours, found.data, data[1])
    if found.conflicts:
        more = [f"and {len(found.conflicts) - _MOST_SHOWN} more"] if len(found.conflicts) > _MOST_SHOWN else []
        listed = ", ".join([*found.conflicts[:_MOST_SHOWN], *more])
        say(f"{shown}: {how_many(len(found.conflicts), 'conflict')}: {listed}")
    return 1 if found.conflicts else 0


def _by_line(files: Sequence[str], style: Style, before: bytes) -> int:
    """Merge with git's own line merge."""
    code, merged = _merged_by_line(files, style)
    if code >= _ERROR:  # binary content: git's own driver keeps ours too
        return 1
    _write(files[1], merged, before)
    return 1 if code else 0


def _clean_lines(files: Sequence[str], data: Sequence[bytes], style: Style, lookup: Definitions) -> bytes | None:
    """The line merge, if it has no conflict. In a manifest, its values must be a merge too."""
    code, merged = _merged_by_line(files, style)
    if code == 0 and (not any(_KIND in one for one in data) or is_merge(merged, data, lookup)):
        return merged
    return None


def _merged_by_line(files: Sequence[str], style: Style) -> tuple[int, bytes]:
    """The exit code and the result of git's own line merge."""
    base, ours, theirs = files
    labels = [word for at in (1, 0, 2) for word in ("-L", style.labels[at])]
    form = ["--diff3"] if style.base else []
    words = ["merge-file", "-p", "-q", f"--marker-size={style.size}", *form, *labels, "--", ours, base, theirs]
    program = git.program()
    if program is None:
        raise CannotMerge("git is not installed, so the file cannot be merged by line. Install git")
    done = subprocess.run([program, *words], check=False, capture_output=True)
    return done.returncode, done.stdout


def _conflict_style() -> str:
    return (git.asked("config", "--get", "merge.conflictStyle") or b"").decode(errors="replace").strip()


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise CannotMerge(f"{name}: {getattr(error, 'strerror', None) or error}. Pass a readable file") from None


def _write(name: str, data: bytes, before: bytes) -> None:
    """Replace a file as a whole, so that a stopped run leaves the old one."""
    if data == before:
        return
    try:
        target = os.path.realpath(name)  # the file that a link names
        if not _replaced(target, data):
            Path(target).write_bytes(data)
    except OSError as error:
        raise CannotMerge(f"{name}: {error.strerror or error}. Make the file writable") from None


def _replaced(target: str, data: bytes) -> bool:
    """Write a file beside the target and rename it. False if the folder or the file is read-only."""
    if not os.access(target, os.W_OK):
        return False
    other = f"{target}.{os.getpid()}"
    try:
        stream = open(other, "xb")  # noqa: PTH123, SIM115 - a new file, never one that exists
    except OSError:
        return False
    try:
        with stream:
            stream.write(data)
        Path(other).chmod(stat.S_IMODE(Path(target).stat().st_mode))
        Path(other).replace(target)
    except OSError:
        Path(other).unlink(missing_ok=True)
        raise
    return True
