"""Packages of tables: `generated/` from the snapshots, and a package of the same form from any specification."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from .eras import history, unversioned
from .errors import SpecError
from .files import replace_file
from .names import split
from .printing import print_package
from .rows import rows_of
from .snapshots import load_snapshot, load_sources

if TYPE_CHECKING:
    from pathlib import Path

    from .specs.facts import Facts

MARK = "Printed by `kubemerge generate`; do not edit."


def built_in_files(folder: Path) -> dict[str, str]:
    """The files of `generated/`, made from the snapshots in `folder`."""
    entries = load_sources(folder)
    if not entries:
        raise SpecError(str(folder), "snapshots of releases, and SOURCES that lists them", found="none")
    facts = {entry.minor: load_snapshot(folder, entry) for entry in entries}
    prefixes = {split(name)[0] for found in facts.values() for name in found.definitions}
    rows = {minor: rows_of(found, prefixes, minor) for minor, found in facts.items()}
    return print_package(history(rows), {entry.minor: (entry.file, entry.sha256) for entry in entries})


def files_of(facts: Facts) -> dict[str, str]:
    """The files of a package for one specification, which has no releases."""
    return print_package(unversioned(rows_of(facts)), {})


def differences(folder: Path, files: dict[str, str]) -> list[str]:
    """How a folder differs from these files, one sentence each; empty if it is byte for byte the same."""
    found = []
    for name, text in sorted(files.items()):
        try:
            same = (folder / name).read_bytes() == text.encode()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            found.append(f"{folder / name} is missing")
            continue
        if not same:
            found.append(f"{folder / name} differs")
    return found + [f"{file} is left over" for file in sorted(_stale(folder, files))]


def write_package(folder: Path, files: dict[str, str]) -> int:
    """Write the files and remove stale ones; the number of changed files. Files of others are left alone."""
    if not folder.name.isidentifier() or keyword.iskeyword(folder.name):
        raise SpecError(str(folder), "a folder whose name can be imported as a Python package")
    try:
        foreign = [name for name in files if (folder / name).exists() and not _is_generated(folder / name)]
        if foreign:
            raise SpecError(
                str(folder / min(foreign)), "a file that `kubemerge generate` wrote", found="another; move it away"
            )
        folder.mkdir(parents=True, exist_ok=True)
        changed = sum(replace_file(folder / name, text) for name, text in sorted(files.items()))
        stale = _stale(folder, files)
        for file in stale:
            file.unlink()
    except OSError as error:
        raise SpecError(str(folder), "a folder that can be written to", found=error.strerror or str(error)) from None
    return changed + len(stale)


def _stale(folder: Path, files: dict[str, str]) -> list[Path]:
    """Generated modules that are no longer in the package."""
    return [file for file in folder.glob("*.py") if file.name not in files and _is_generated(file)]


def _is_generated(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return MARK.encode() in stream.read(200)
