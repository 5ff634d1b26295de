"""The files of a lint run, and their contents."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from codegen.credentials import without_credentials
from codegen.trees import tree_of
from engine import MergeError

from ..manifests.files import ENDINGS, BadFile, Files, Tree, expanded, is_address, names
from .reports.model import Unread
from .repository import git
from .repository.patches import kustomized
from .repository.settings import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Hidden(NamedTuple):
    """Files to leave out: by patterns relative to a folder, and those that git does not track."""

    exclude: Sequence[str]
    folder: str
    untracked: bool


class LintInputs(NamedTuple):
    """The files that were read, and the failures."""

    read: list[tuple[str, bytes | Unread]]
    patches: int = 0
    """Number of files left out because they are patches of a kustomization."""
    labelled: frozenset[str] = frozenset()
    """The files whose objects get labels and selectors from a kustomization."""

    @property
    def files(self) -> list[tuple[str, bytes]]:
        """The files that could be read."""
        return [(source, data) for source, data in self.read if isinstance(data, bytes)]

    def with_files(self, files: Sequence[tuple[str, bytes]]) -> LintInputs:
        """A copy with only these files, with their current contents."""
        return self._replace(read=list(files))


def given(paths: Sequence[str], files: Files, hidden: Sequence[Hidden], *, recursive: bool) -> LintInputs:
    """The files of these paths, each read once. A failure is recorded, and the other files are still read."""
    found = LintInputs([])
    untracked = any(one.untracked for one in hidden)
    excluded = [Patterns(one.folder, one.exclude) for one in hidden]
    for path in paths:
        with _past(found, path):
            tree = Tree(path)
            for name in _names(path, untracked, recursive=recursive):
                if not any(one.meaning(name) for one in excluded):
                    with _past(found, name):
                        if name != path:
                            tree.refuse_outside(name)
                        found.read.append(files.content(name))
    return _without_patches(found)


def _without_patches(found: LintInputs) -> LintInputs:
    """The files without those that a kustomization uses as patches."""
    known = kustomized([source for source, data in found.read if isinstance(data, bytes)])
    kept = [(source, data) for source, data in found.read if source not in known.patches]
    return LintInputs(kept, len(found.read) - len(kept), known.labelled)


@contextmanager
def _past(found: LintInputs, at: str) -> Iterator[None]:
    try:
        yield
    except MergeError as error:
        found.read.append((at, Unread(without_credentials(at), 1, without_credentials(str(error)))))


def read_quietly(paths: Sequence[str]) -> list[tuple[str, bytes]]:
    """The readable files of these paths, for callers that only search their contents."""
    found: list[tuple[str, bytes]] = []
    for path in paths:
        if os.path.exists(path):  # noqa: PTH110
            with suppress(MergeError):
                found.extend(Files().contents([path], recursive=True))
    return found


def passed_by(paths: Sequence[str]) -> list[str]:
    """The folders with manifests in subfolders, which are read only with `--recursive`."""
    return [path for path in paths if _is_deep(expanded(path))]


def _is_deep(folder: str) -> bool:
    """Whether a subfolder whose name does not begin with a dot contains a manifest."""
    for at, folders, inside in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith(".")]
        if at != folder and any(one.endswith(ENDINGS) for one in inside):
            return True
    return False


def _refuse_outside(path: str) -> None:
    """Reject a repository's link that leads out of it, even a named one: an untrusted change may have added it."""
    tree = tree_of(os.path.dirname(path))  # noqa: PTH120
    if os.path.lexists(os.path.join(tree, ".git")):  # noqa: PTH118
        Tree(tree).refuse_outside(path)


def _names(path: str, untracked: bool, *, recursive: bool) -> list[str]:
    """The files of a path; for a folder in a repository, those that git tracks."""
    if not is_address(path):
        _refuse_outside(path)
    place = expanded(path)
    if untracked or not os.path.isdir(place):  # noqa: PTH112
        return names(path, recursive=recursive)
    found = git.tracked(place, recursive=recursive)
    if found is None:
        return names(path, recursive=recursive)
    if not found:
        there = names(path, recursive=recursive)
        it = "it" if len(there) == 1 else "them"
        none = "does not track the manifest" if it == "it" else f"tracks none of the {len(there)} manifests"
        raise BadFile(f"{path}: git {none} in it. Run `git add`, or use --untracked to read {it}")
    return found
