"""Packages of tables: `generated/` from the snapshots, and a package of the same form from any specification."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from .eras import rows_with_eras, texts, unversioned
from .errors import SpecError
from .files import FolderSwap, lock_folder
from .gates import load as load_gates
from .gates import print_gates
from .names import modules, split
from .printing import print_package
from .reading import checked_rows
from .rows import rows_of
from .snapshots import compact, load_snapshot, load_sources, schemas_of
from .sources.printed import is_printed
from .validation.declared import load as load_declared
from .validation.printing import print_declared
from .validation.rows import rows_of as declared_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from .specs.facts import Facts

FIRST_DESCRIBED = 16
"""The first minor release whose definitions are kept completely, for a server's OpenAPI documents."""


def built_in_files(folder: Path, on_progress: Callable[[str, int, int], None] = lambda *_: None) -> dict[str, str]:
    """The files of `generated/`, made from the snapshots in `folder`.

    `on_progress` is called before each slow step, with the step's name, its number and the number of steps.
    """
    with lock_folder(folder, reading=True):
        entries = load_sources(folder)
        if not entries:
            raise SpecError(
                str(folder), "a folder with OpenAPI snapshots and their list, the file SOURCES", found="none"
            )
        facts = {}
        for number, entry in enumerate(entries):
            on_progress(entry.file, number, 2 * len(entries))
            facts[entry.minor] = load_snapshot(folder, entry)
    prefixes = {split(name)[0] for found in facts.values() for name in found.definitions}
    rows = {}
    for number, (minor, found) in enumerate(facts.items(), len(facts)):
        on_progress(f"tables of 1.{minor}", number, 2 * len(facts))
        rows[minor] = rows_of(found, prefixes)
    described = {
        minor: {name: compact(schema) for name, schema in schemas_of(found).items()}
        for minor, found in facts.items()
        if minor >= FIRST_DESCRIBED
    }
    listed = {entry.minor: (entry.file, entry.sha256) for entry in entries}
    files = print_package(rows_with_eras(rows), listed, texts(described)) | _declared_files(folder, facts)
    return files | print_gates(load_gates(folder))


def _declared_files(folder: Path, facts: Mapping[int, Facts]) -> dict[str, str]:
    """The modules of declared validation; empty without snapshots."""
    declared = load_declared(folder)
    if not declared:
        return {}
    unknown = sorted(declared.keys() - facts.keys())
    if unknown:
        raise SpecError(str(folder), f"a snapshot of 1.{unknown[0]} beside that of its validation", found="none")
    known = {minor: found.definitions.keys() for minor, found in facts.items()}
    prefixes = modules({split(name)[0] for found in known.values() for name in found})
    return print_declared(declared_rows(declared, known, prefixes, sorted(facts)))


def files_of(facts: Facts) -> dict[str, str]:
    """The files of a package for one specification, which has no releases."""
    return print_package(unversioned(checked_rows(facts)), {})


def differences(folder: Path, files: dict[str, str]) -> list[str]:
    """The differences between a folder and these files, one sentence each; empty if they are identical."""
    found = []
    for name, text in sorted(files.items()):
        try:
            same = (folder / name).read_bytes() == text.encode()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            found.append(f"{folder / name} is missing")
            continue
        if not same:
            found.append(f"{folder / name} differs")
    return found + [f"{file} is not generated any more" for file in sorted(_stale(folder, files))]


def write_package(folder: Path, files: dict[str, str]) -> int:
    """Write the files and remove stale ones, all at once; the number of changed files. Files of others stay."""
    if not folder.name.isidentifier() or keyword.iskeyword(folder.name):
        raise SpecError(str(folder), "a folder whose name can be imported as a Python package")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with lock_folder(folder.parent):
            return _write_alone(folder.resolve(), {name: text.encode() for name, text in sorted(files.items())})
    except OSError as error:
        raise SpecError(str(folder), "a folder that can be replaced", found=error.strerror or str(error)) from None


def _write_alone(folder: Path, files: dict[str, bytes]) -> int:
    """Write the files of a package while its folder is locked."""
    swap = FolderSwap(folder, is_printed)
    swap.clear()
    foreign = [name for name in files if (folder / name).exists() and not is_printed(folder / name)]
    if foreign:
        raise SpecError(
            str(folder / min(foreign)), "a file that `kubemerge generate` wrote", found="another folder. Move it away"
        )
    changed = sum(not _has(folder / name, data) for name, data in files.items()) + len(_stale(folder, files))
    if changed:
        swap.write(files)
    return changed


def _has(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data


def _stale(folder: Path, files: Mapping[str, object]) -> list[Path]:
    """Generated modules that are no longer in the package."""
    return [file for file in folder.glob("*.py") if file.name not in files and is_printed(file)]
