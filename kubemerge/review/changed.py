"""The manifests that a change touches, before and after: two folders of files from git."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from engine import MergeError

from ..linting.repository import settings
from ..linting.repository.git import asked, fetch
from ..linting.repository.skip_reasons import skip_reason
from ..manifests.documents import read_documents
from ..manifests.objects import manifests_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from ..apiserver.identity import ObjectId

_ENDINGS = (".yaml", ".yml", ".json")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class Tree(NamedTuple):
    """Manifests in a separate folder."""

    folder: Path
    files: list[str]
    objects: dict[ObjectId, str]
    """The objects in them, each with its display name."""


class Changed(NamedTuple):
    """The manifests that differ, before and after."""

    before: Tree
    after: Tree


def base_of(event: dict[str, Any], wanted: str) -> str | None:
    """The commit to compare with: the requested one, or the base of the change."""
    named = wanted or (event.get("pull_request") or {}).get("base", {}).get("sha") or event.get("before") or ""
    if _COMMIT.fullmatch(named) and asked("cat-file", "-e", f"{named}^{{commit}}") is None:
        fetch(named)  # a checkout has one commit by default
    commit = _line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}") if named else ""
    return (_line("merge-base", commit, "HEAD") or commit) if commit else None


def _line(*words: str) -> str:
    """The line that git prints. Empty if git fails."""
    return os.fsdecode(asked(*words) or b"").strip()


def changed(base: str, paths: Sequence[str], folder: Path) -> Changed:
    """The manifests below these paths that differ between a commit and the current one."""
    words = ("diff-tree", "-r", "--name-only", "--no-renames", "-z", "--relative", base, "HEAD", "--", *paths)
    names = [os.fsdecode(name) for name in (asked(*words) or b"").split(b"\0")]
    names = [name for name in names if name.lower().endswith(_ENDINGS) and not _climbs(name)]
    hidden = _excluded()
    names = [name for name in names if not hidden.meaning(name)]
    return Changed(_tree(base, names, folder / "before"), _tree("HEAD", names, folder / "after"))


def _climbs(name: str) -> bool:
    """Whether a path leads out of its folder, which git itself never writes."""
    return os.path.isabs(name) or ".." in name.replace("\\", "/").split("/")  # noqa: PTH117


def _excluded() -> settings.Patterns:
    """The files that the repository's settings exclude."""
    file = settings.find()
    found = settings.read(file) if file else settings.Settings()
    return settings.Patterns(found.folder, found.exclude)


def _tree(revision: str, names: Sequence[str], folder: Path) -> Tree:
    """The files of a revision that contain objects. Links are left out, because their targets may be anywhere."""
    found = Tree(folder, [], {})
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        data = _content(revision, name)
        objects = {one.id: f"{one.title} in {one.id.namespace}" for one in _objects(data, name)}
        if objects:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            found.files.append(name)
            found.objects.update(objects)
    return found


def _content(revision: str, name: str) -> bytes:
    """The bytes of a file. Empty for anything else."""
    listed = _line("ls-tree", "-z", revision, "--", name)
    return (asked("cat-file", "blob", listed.split()[2]) or b"") if listed.startswith("100") else b""


def _objects(data: bytes, name: str) -> Iterator[Any]:
    """The objects of a file. None if it is meant for another tool, or cannot be read. Lint reports unreadable files."""
    with suppress(MergeError):
        if not any(skip_reason(document, name) for _, document in read_documents(data, name)):
            yield from list(manifests_in(data, name))
