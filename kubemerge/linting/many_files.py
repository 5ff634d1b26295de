"""Linting many files: valid cached reports are reused, and the other files are linted and cached."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from .cache import key_of
from .definitions import definitions_in
from .pool import reports
from .serialization import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .cache import Cache
    from .one_file import FileLinter
    from .pool import File, OnProgress
    from .report import FileReport


def lint_all(
    files: Sequence[File],
    linter: Callable[[], FileLinter],
    cache: Cache,
    about: bytes,
    jobs: int,
    on_progress: OnProgress | None = None,
) -> list[FileReport]:
    """The report of each file; `about` is a hash of everything else that affects the reports.

    The linter is created only if a file has to be linted. `on_progress` is called for each linted file with its name,
    the number of files before it, and their total.
    """
    definitions = _digest(definitions_in(files))
    keys = [key_of(about, source, data) for source, data in files]
    known = cache.read(keys)
    found: dict[int, FileReport] = {}
    for at, key in enumerate(keys):
        kept = known.get(key)
        if kept is not None and kept[0] in (b"", definitions):
            found[at] = from_text(kept[1])
    missing = [at for at in range(len(files)) if at not in found]
    if missing:
        wanted = [files[at] for at in missing]
        new = reports(linter(), wanted, jobs, on_progress)
        found.update(zip(missing, (one.report for one in new), strict=True))
        cache.write(
            (keys[at], definitions if report.needs_definitions else b"", text or to_text(report))
            for at, (report, text) in zip(missing, new, strict=True)
        )
    return [found[at] for at in range(len(files))]


def _digest(files: Sequence[File]) -> bytes:
    found = blake2b(digest_size=16)
    for _, data in files:
        found.update(blake2b(data, digest_size=16).digest())
    return found.digest()
