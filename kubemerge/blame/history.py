"""The commit of each line of a file, by `git blame`.

Git blames the file in HEAD, never the file on disk: to compare that one, git would run the filters that the repository
configures. The lines on disk are matched with the lines of HEAD here. Lines without a match are not committed.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ..diff.matching import edits
from ..linting.repository.git import asked, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 4 * 2**20
"""Maximum size of a file, on disk and in HEAD. Larger files take git minutes."""
_IGNORED = ("mailmap.file=", "mailmap.blob=", "blame.showRoot=false", "core.quotePath=false")
"""Settings by which a repository would make git read any file, or change the output."""

NO_GIT = "git is not installed"
NO_REPOSITORY = "the file is in no git repository that git can read"
NO_COMMIT = "the repository has no commit"
UNTRACKED = "the file is not in the last commit"
NO_TEXT = "in the last commit, this path is a link or a folder"
TOO_LARGE = f"the file is larger than {MAX_BYTES // 2**20} MiB, the limit for git blame"
FAILED = "git blame failed or took too long"


class Commit(NamedTuple):
    """A commit. Its texts come from others and may contain any character."""

    id: str
    author: str
    email: str
    time: int
    zone: str
    """The author's time zone, such as `+0200`."""
    committed: int
    """The time of the commit, which differs from the author's after a rebase."""
    summary: str
    boundary: bool = False
    """Whether earlier commits are missing, because the clone is shallow."""

    @property
    def date(self) -> str:
        """The author's date and time with the zone, or an empty text if the time is invalid."""
        from datetime import datetime, timedelta, timezone

        try:
            minutes = int(self.zone[1:3]) * 60 + int(self.zone[3:5])
            zone = timezone(timedelta(minutes=-minutes if self.zone.startswith("-") else minutes))
            return datetime.fromtimestamp(self.time, zone).isoformat()
        except (ValueError, OverflowError, OSError):
            return ""


class OriginalLine(NamedTuple):
    """The commit of a line, with the file and the line number in that commit."""

    commit: Commit
    file: str
    line: int


class FileHistory(NamedTuple):
    """The commit of each line of a file, None for a line that is not committed; or the reason for having none."""

    lines: tuple[OriginalLine | None, ...] = ()
    problem: str = ""

    def newest(self, lines: Sequence[int]) -> OriginalLine | None:
        """The last change of these lines, counted from 1. None if one of them is not committed."""
        found = [self.lines[line - 1] if 0 < line <= len(self.lines) else None for line in lines]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found):
            return None
        return max(known, key=lambda one: one.commit.committed)


class _Folder(NamedTuple):
    """A folder in a work tree: its files in HEAD, each with its type and size."""

    problem: str = ""
    files: dict[str, tuple[str, int]] = {}  # noqa: RUF012 - never changed
    shallow: bool = False


class Histories:
    """The histories of files. Each folder is listed once, and each file is blamed once."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}

    def of(self, path: str, data: bytes) -> FileHistory:
        """The history of a file with this content. A link counts as the file that it leads to."""
        folder, name = os.path.split(os.path.realpath(path))
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = _listed(folder)
        if known.problem:
            return FileHistory(problem=known.problem)
        kind, size = known.files.get(name, ("", 0))
        if not kind:
            return FileHistory(problem=UNTRACKED)
        if kind != "file":
            return FileHistory(problem=NO_TEXT)
        if max(size, len(data)) > MAX_BYTES:
            return FileHistory(problem=TOO_LARGE)
        given = [word for setting in _IGNORED for word in ("-c", setting)]
        options = ("--porcelain", "--no-textconv", "--encoding=UTF-8", "--no-ignore-revs-file")
        found = asked(*given, "blame", *options, "HEAD", "--", name, at=folder)
        if found is None:
            return FileHistory(problem=FAILED)
        return FileHistory(tuple(_matched(data, [*_parsed(found, shallow=known.shallow)])))


def _listed(folder: str) -> _Folder:
    if program() is None:
        return _Folder(NO_GIT)
    state = asked("rev-parse", "--is-inside-work-tree", "--is-shallow-repository", at=folder)
    if state is None or state.split()[:1] != [b"true"]:
        return _Folder(NO_REPOSITORY)
    listed = asked("ls-tree", "-l", "-z", "HEAD", at=folder)
    if listed is None:
        return _Folder(NO_COMMIT)
    files = {}
    for line in listed.split(b"\0"):
        facts, _, name = line.partition(b"\t")
        parts = facts.split()
        if len(parts) == 4:
            is_file = parts[1] == b"blob" and parts[0] != b"120000" and parts[3].isdigit()
            files[os.fsdecode(name)] = ("file", int(parts[3])) if is_file else ("other", 0)
    return _Folder("", files, state.split()[1:2] == [b"true"])


# ---- the output of git blame ----------------------------------------------------------------------------------------


def _parsed(output: bytes, *, shallow: bool) -> Iterator[tuple[bytes, OriginalLine]]:
    """Each line of the file in HEAD, with its origin. Git prints the facts about a commit once."""
    commits: dict[str, Commit] = {}
    files: dict[str, str] = {}
    head: list[bytes] = []
    for line in output.split(b"\n"):
        if not line.startswith(b"\t"):
            head.append(line)
            continue
        name, original = head[0].decode("ascii", "replace").split(" ")[:2]
        facts = dict(one.partition(b" ")[::2] for one in head[1:])
        if b"filename" in facts:
            files[name] = _text(facts[b"filename"])
        if name not in commits:
            commits[name] = _commit(name, facts, shallow=shallow)
        yield line[1:], OriginalLine(commits[name], files.get(name, ""), int(original))
        head = []


def _commit(name: str, facts: dict[bytes, bytes], *, shallow: bool) -> Commit:
    return Commit(
        name,
        _text(facts.get(b"author", b"")),
        _text(facts.get(b"author-mail", b"")).removeprefix("<").removesuffix(">"),
        _number(facts.get(b"author-time", b"")),
        _text(facts.get(b"author-tz", b"")),
        _number(facts.get(b"committer-time", b"")),
        _text(facts.get(b"summary", b"")),
        shallow and b"boundary" in facts,
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _number(data: bytes) -> int:
    try:
        return int(data)
    except ValueError:
        return 0


def _matched(data: bytes, committed: Sequence[tuple[bytes, OriginalLine]]) -> Iterator[OriginalLine | None]:
    """The origin of each line on disk. Line ends do not count, because git may convert them."""
    before = [line.rstrip(b"\r") for line, _ in committed]
    after = [line.rstrip(b"\r") for line in data.removesuffix(b"\n").split(b"\n")]
    at = 0
    for i1, i2, j1, j2 in [*edits(before, after), (len(before), 0, len(after), len(after))]:
        yield from (origin for _, origin in committed[at:i1])
        yield from (None for _ in range(j2 - j1))
        at = i2
