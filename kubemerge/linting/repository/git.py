"""What git knows of a folder: the files that it tracks, and what they were in another revision."""

from __future__ import annotations

import os
import subprocess

from engine import MergeError

_ENDINGS = (".json", ".yaml", ".yml")


class NoGit(MergeError):
    """A question that git cannot answer."""


def asked(*words: str, at: str = ".") -> bytes | None:
    """What git prints in a folder; None if it fails, or is not there."""
    try:
        done = subprocess.run(["git", "-C", at, *words], check=False, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S607
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def tracked(folder: str, *, recursive: bool) -> list[str] | None:
    """The manifests of a folder that git tracks, in the order of a walk; None outside of a repository."""
    found = asked("ls-files", "-z", "--cached", "--", ".", at=folder)
    if found is None:
        return None
    names = [os.fsdecode(one) for one in found.split(b"\0") if one]
    wanted = [one for one in names if one.endswith(_ENDINGS) and (recursive or "/" not in one)]
    paths = [os.path.join(folder, one) for one in sorted(wanted, key=lambda one: one.split("/"))]  # noqa: PTH118
    return [one for one in paths if os.path.isfile(one)]  # noqa: PTH113


class Before:
    """The files as they were in a revision."""

    def __init__(self, revision: str) -> None:
        found = asked("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if found is None:
            raise NoGit(f"git knows no revision {revision!r} here; give a commit, branch or tag of this repository")
        self._commit = found.decode().strip()
        top = asked("rev-parse", "--show-toplevel") or b""
        self._top = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
        listed = asked("diff", "--name-only", "-z", "--no-renames", self._commit, "--", at=self._top) or b""
        new = asked("ls-files", "-z", "--others", "--exclude-standard", at=self._top) or b""
        self._changed = {os.fsdecode(one) for one in (*listed.split(b"\0"), *new.split(b"\0")) if one}

    def is_changed(self, source: str) -> bool:
        """Whether a file differs from what it was, or is new."""
        return self._in_repository(source) in self._changed

    def content(self, source: str) -> bytes | None:
        """The bytes of a file in the revision; None if there was no such file."""
        return asked("show", f"{self._commit}:{self._in_repository(source)}", at=self._top)

    def _in_repository(self, source: str) -> str:
        return os.path.relpath(os.path.realpath(source), self._top).replace(os.sep, "/")
