"""Reading files and revisions of a git repository without running anything that the repository configures."""

from __future__ import annotations

import hashlib
import os
import subprocess

from engine import MergeError

_ENDINGS = (".json", ".yaml", ".yml")

_INERT = {
    "core.fsmonitor": "false",  # a program that git starts when it reads the index
    "core.hooksPath": os.devnull,
    "core.alternateRefsCommand": "",
    "core.askPass": "",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "credential.helper": "",  # an empty value clears the list of earlier helpers
    "safe.bareRepository": "explicit",  # a folder in a checkout that looks like a repository is ignored
    "gc.auto": "0",
    "maintenance.auto": "false",
}
"""Settings that take precedence over those of the repository, so that none of its keys starts a program.

Other commands are limited to plumbing that compares no content with the work tree. Filters, text conversions and
external diffs are not used, so their drivers cannot run under any name.
"""
_NO_PROTOCOL = "none"
"""A partial clone must not fetch missing objects. This variable takes precedence over `protocol.NAME.allow`."""
_FETCHED_BY = "https:http:file"
"""The protocols of a fetch: never `ext`, which runs a program, or ssh, whose program may be set by the repository."""
_ENVIRONMENT = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
_TIMEOUT = 60.0
"""Seconds. A repository can point git at a pipe, from which it would read forever."""


class NoGit(MergeError):
    """A query that git cannot complete."""


def asked(*words: str, at: str = ".") -> bytes | None:
    """The output of a git command in a folder; None if it fails or git is not installed."""
    return _run(words, at, _NO_PROTOCOL)


def fetch(commit: str) -> None:
    """Fetch one commit from the remote `origin`, because a checkout of depth 1 lacks it."""
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--depth=1")
    _run(("fetch", *options, "--upload-pack=git-upload-pack", "origin", commit), ".", _FETCHED_BY)


def _run(words: tuple[str, ...], at: str, protocols: str) -> bytes | None:
    git = program()
    if git is None:
        return None
    given = [word for key, value in _INERT.items() for word in ("-c", f"{key}={value}")]
    environment = {**os.environ, "GIT_ALLOW_PROTOCOL": protocols, **_ENVIRONMENT}
    try:
        done = subprocess.run(
            [git, "--no-pager", "--no-replace-objects", *given, "-C", at, *words],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def program() -> str | None:
    """The installed git. Windows would start one in the working directory, which may be a repository's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        found = os.path.join(folder, name)  # noqa: PTH118
        if os.path.isabs(folder) and os.access(found, os.X_OK):  # noqa: PTH117
            return found
    return None


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
    """The files in a revision."""

    def __init__(self, revision: str) -> None:
        found = asked("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if found is None:
            raise NoGit(f"git has no revision {revision!r} here. Use a commit, branch or tag of this repository")
        top = asked("rev-parse", "--show-toplevel") or b""
        self._top = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
        listed = asked("ls-tree", "-r", "-z", "--full-tree", found.decode().strip(), at=self._top) or b""
        self._blobs = dict(_blob(line) for line in listed.split(b"\0") if line)

    def is_changed(self, source: str, data: bytes) -> bool:
        """Whether a file is new or its content has changed since the revision."""
        known = self._blobs.get(self._in_repository(source))
        return known is None or known not in (_hash(data, known), _hash(data.replace(b"\r\n", b"\n"), known))

    def content(self, source: str) -> bytes | None:
        """The content of a file in the revision; None if the file did not exist."""
        known = self._blobs.get(self._in_repository(source))
        return None if known is None else asked("cat-file", "blob", known, at=self._top)

    def _in_repository(self, source: str) -> str:
        return os.path.relpath(os.path.realpath(source), self._top).replace(os.sep, "/")


def _blob(line: bytes) -> tuple[str, str]:
    """The path and the object name in a line of ls-tree."""
    facts, _, path = line.partition(b"\t")
    return os.fsdecode(path), facts.split()[2].decode()


def _hash(data: bytes, like: str) -> str:
    """git's object name for these bytes, in one of two lengths."""
    name = hashlib.sha1(usedforsecurity=False) if len(like) == hashlib.sha1(b"").digest_size * 2 else hashlib.sha256()  # noqa: S324
    name.update(b"blob %d\0" % len(data))
    name.update(data)
    return name.hexdigest()
