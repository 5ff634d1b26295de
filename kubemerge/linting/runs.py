"""Linting files by the same rules any number of times, with the user's cache of results."""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import engine

from .cache import Cache
from .many_files import lint_all
from .pool import processors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .files import LintInputs
    from .one_file import FileLinter
    from .pool import OnProgress
    from .report import FileReport


class Linting:
    """Lints files by the same rules, any number of times."""

    def __init__(
        self, linter: Callable[[], FileLinter], about: Sequence[str] | None, on_progress: OnProgress | None = None
    ) -> None:
        """`about` is everything except the files that determines the findings. None: something else does, so no
        caching.
        """
        self._on_progress = on_progress
        self._make = linter
        self._linter: FileLinter | None = None
        self._about = None if about is None else _digest(about)

    def linter(self) -> FileLinter:
        """The linter for one file."""
        if self._linter is None:
            self._linter = self._make()
        return self._linter

    def reports(self, given: LintInputs) -> list[FileReport]:
        """The report of each file."""
        if self._about is None:
            return [self.linter().lint(source, data) for source, data in given.files]
        return lint_all(given.files, self.linter, Cache(_cache_file()), self._about, processors(), self._on_progress)


def _cache_file() -> str | None:
    from ..client.served.cache import folder

    found = None if os.environ.get("KUBEMERGE_NO_CACHE") else folder("lint")
    return str(found / "files.db") if found else None


def _digest(about: Sequence[str]) -> bytes:
    from ..apiserver.registry.feature_gates import gates_set

    found = blake2b(digest_size=16)
    for word in (*about, repr(gates_set()), engine.__version__, *_code()):
        found.update(word.encode(errors="surrogateescape") + b"\0")
    return found.digest()


@cache
def _code() -> tuple[str, ...]:
    """The modification times of the code, so that edited code never returns stale cached results.

    A process runs the code that was there when it began, so they are read once.
    """
    return tuple(_modified())


def _modified() -> Iterator[str]:
    """An installed package is replaced as a whole, so one file is enough. In a clone, any file may be edited."""
    top = Path(engine.__file__).parent.parent
    yield str((top / "engine" / "__init__.py").stat().st_mtime_ns)
    if not (top / "pyproject.toml").exists():
        return
    for package in ("engine", "codegen", "generated", "kubemerge"):
        for folder, _, names in os.walk(top / package):
            if not folder.endswith("__pycache__"):
                yield str(max((os.stat(f"{folder}/{one}").st_mtime_ns for one in names), default=0))  # noqa: PTH116


def about_paths(paths: Sequence[str]) -> list[str] | None:
    """The names, sizes and modification times of the files in these paths; None without one of them.

    A file below a path may be a link to nothing, or deleted in the meantime: None, too.
    """
    found: list[str] = []
    try:
        for one in paths:
            path = Path(one).expanduser()
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            states = [(part, part.stat()) for part in inside]
            found += [one, *(f"{part}:{state.st_mtime_ns}:{state.st_size}" for part, state in states)]
    except OSError:
        return None
    return found
