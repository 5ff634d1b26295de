"""Snapshots: the facts of one release as reviewable text; and SOURCES, the list of their sources.

A snapshot is a small OpenAPI v2 document, with one definition or path per line, in canonical order. Therefore it is
read by the same code as any specification, and a change is a short diff.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .credentials import is_complete, without_credentials
from .errors import SpecError, pointer_of
from .files import lock_folder, write_file
from .reading import checked_rows, facts_of
from .sources.opening import documents, read_bytes
from .sources.packages import is_package
from .specs import plausibility
from .specs.openapi import PATCH_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from .sources.go_modules import GoModule
    from .sources.opening import SourceDocument
    from .sources.packages import PackageFetcher
    from .specs.facts import Facts, Node

SOURCES = "SOURCES"
_SOURCES_WAITING = ".SOURCES.new"
HEADER = """\
# The source of each snapshot. `kubemerge spec check --fetch` verifies it.
# release  sha256 of the snapshot  sha256 of the source  source
"""
_MEDIA_TYPES = {word: media for media, word in PATCH_TYPES.items()}


@dataclass(frozen=True)
class SourcesEntry:
    release: str
    sha256: str
    source_sha256: str
    source: str

    @property
    def minor(self) -> int:
        """The minor of the release: 37 for 1.37."""
        return minor_of(self.release)

    @property
    def file(self) -> str:
        return f"{self.release}.json"

    @property
    def waiting(self) -> str:
        """The temporary name of a new snapshot, until SOURCES lists it."""
        return f".{self.release}.json.new"


def minor_of(release: str) -> int:
    """The minor of a release as users type it, such as 1.38."""
    found = re.fullmatch(r"1\.(0|[1-9][0-9]{0,3})", release)
    if not found:
        raise SpecError("release", "a release such as 1.38", found=ascii(release))
    return int(found[1])


def text_of(facts: Facts) -> str:
    definitions = schemas_of(facts)
    paths = {
        path: {
            "patch": {
                "consumes": [_MEDIA_TYPES[word] for word in facts.patch_types.get(kind, ())],
                "x-kubernetes-group-version-kind": {"group": kind.group, "kind": kind.kind, "version": kind.version},
            }
        }
        for path, kind in facts.paths.items()
    }
    return (
        "{"
        + ",\n".join(f'"{part}":{_block(lines)}' for part, lines in (("definitions", definitions), ("paths", paths)))
        + "}\n"
    )


def schemas_of(facts: Facts) -> dict[str, dict[str, Any]]:
    """The definitions of a release as in OpenAPI v2, with the kinds that they describe."""
    kinds: dict[str, list[dict[str, str]]] = {}
    for kind, definition in sorted(
        facts.kinds.items(), key=lambda item: (item[0].group, item[0].version, item[0].kind)
    ):
        kinds.setdefault(definition, []).append({"group": kind.group, "kind": kind.kind, "version": kind.version})
    definitions = {}
    for name, node in facts.definitions.items():
        schema = _schema(node)
        if name in kinds:
            schema["x-kubernetes-group-version-kind"] = kinds[name]
        definitions[name] = schema
    return definitions


def _block(members: dict[str, Any]) -> str:
    lines = (f"{json.dumps(name)}:{compact(members[name])}" for name in sorted(members))
    return "{\n" + ",\n".join(lines) + "\n}"


def compact(content: Any) -> str:
    """JSON on one line, in canonical order."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _schema(node: Node) -> dict[str, Any]:
    """A schema with the facts of a fact node."""
    schema: dict[str, Any] = dict(node)
    if "$ref" in node:
        schema["$ref"] = "#/definitions" + pointer_of(node["$ref"])
    if "properties" in node:
        schema["properties"] = {name: _schema(part) for name, part in node["properties"].items()}
    for word in ("items", "additionalProperties"):
        if isinstance(node.get(word), dict):
            schema[word] = _schema(node[word])
    return schema


def load_sources(folder: Path) -> list[SourcesEntry]:
    """The entries of SOURCES, oldest release first."""
    file = folder / SOURCES
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(str(file), "a list of snapshots", found=str(error)) from None
    entries: list[SourcesEntry] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            parts = line.split(maxsplit=3)
            if len(parts) != 4:
                raise SpecError(f"{file}, line {number}", "release, two sha256 and a source", found=ascii(line[:60]))
            entry = SourcesEntry(*parts)
            if any(entry.minor == other.minor for other in entries):
                raise SpecError(f"{file}, line {number}", "one line for each release", found="another")
            entries.append(entry)
    return sorted(entries, key=lambda entry: entry.minor)


def load_snapshot(folder: Path, entry: SourcesEntry) -> Facts:
    """The facts of one release; an error if the file does not have the sha256 in SOURCES."""
    return facts_of(read_bytes(listed_bytes(folder, entry), str(folder / entry.file)), str(folder / entry.file))


def listed_bytes(folder: Path, entry: SourcesEntry) -> bytes:
    """The bytes of a snapshot. A file without the sha256 in SOURCES is an error."""
    file = folder / entry.file
    try:
        data = _bytes_of(folder, entry)
    except OSError as error:
        raise SpecError(str(file), "the snapshot that SOURCES lists", found=error.strerror or str(error)) from None
    found = hashlib.sha256(data).hexdigest()
    if found != entry.sha256:
        raise SpecError(str(file), f"the sha256 {entry.sha256} that SOURCES lists", found=found)
    return data


def _bytes_of(folder: Path, entry: SourcesEntry) -> bytes:
    """The bytes of a snapshot, or of a new one that a killed run did not rename."""
    with suppress(OSError):
        data = (folder / entry.waiting).read_bytes()
        if hashlib.sha256(data).hexdigest() == entry.sha256:
            return data
    return (folder / entry.file).read_bytes()


def add_snapshot(folder: Path, release: str, found: Sequence[SourceDocument], source: str) -> SourcesEntry:
    """Write the snapshot of a release and add it to SOURCES; no file is changed on errors."""
    minor_of(release)
    if not source.isprintable():
        raise SpecError(ascii(source), "a source that can be written on one line of SOURCES")
    source = without_credentials(source)
    facts = facts_of(found, source)
    plausibility.check_version(release, found)
    plausibility.check_kinds(release, facts, folder, [other.file for other in load_sources(folder)])
    checked_rows(facts)  # otherwise `generate` would reject it later
    text = text_of(facts)
    entry = SourcesEntry(release, hashlib.sha256(text.encode()).hexdigest(), digest(found), source)
    store(folder, entry, text)
    return entry


def entry_of_modules(release: str, modules: Sequence[GoModule], text: str) -> SourcesEntry:
    """The SOURCES line of a snapshot that was made from Go modules."""
    pinned = hashlib.sha256("\n".join(one.sha256 for one in modules).encode()).hexdigest()
    source = " ".join(one.source for one in modules)
    return SourcesEntry(release, hashlib.sha256(text.encode()).hexdigest(), pinned, source)


def add_of_modules(folder: Path, entry: SourcesEntry, text: str, header: str, sha256: str | None) -> SourcesEntry:
    """Write a snapshot made from Go modules, and list it in SOURCES; `sha256` belongs to the modules, if known."""
    if sha256 and entry.source_sha256 != sha256.lower():
        raise SpecError(entry.source, f"the sha256 {sha256.lower()}", found=entry.source_sha256)
    store(folder, entry, text, header)
    return entry


def require_same(entry: SourcesEntry, again: SourcesEntry) -> None:
    """Raise an error if Go modules, or the snapshot made from them, are not those that SOURCES lists."""
    for name, listed, found in (
        ("modules", entry.source_sha256, again.source_sha256),
        ("snapshot", entry.sha256, again.sha256),
    ):
        if found != listed:
            raise SpecError(entry.source, f"the sha256 {listed} of the {name} that SOURCES lists", found=found)


def store(folder: Path, entry: SourcesEntry, text: str, header: str = HEADER) -> None:
    """Write a snapshot and list it in SOURCES, which begins with `header`. Both are written, or none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with lock_folder(folder):
            _add_alone(folder, entry, text, header)
    except OSError as error:
        raise SpecError(str(folder), "a folder that can be written to", found=error.strerror or str(error)) from None


def _add_alone(folder: Path, entry: SourcesEntry, text: str, header: str) -> None:
    """Write a snapshot, list it, and rename it, in this order: at any moment SOURCES lists one existing file."""
    listed = load_sources(folder)
    for other in listed:  # the remains of a killed run
        _finish(folder, other)
    for left in (*folder.glob(".*.json.new"), folder / _SOURCES_WAITING):
        left.unlink(missing_ok=True)
    try:
        write_file(folder / entry.waiting, text.encode())
        sources = sources_text([*(other for other in listed if other.release != entry.release), entry], header)
        write_file(folder / _SOURCES_WAITING, sources.encode())
        if (folder / entry.file).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        (folder / _SOURCES_WAITING).replace(folder / SOURCES)
        (folder / entry.waiting).replace(folder / entry.file)
    except BaseException:  # interrupts too
        if entry in load_sources(folder):
            _finish(folder, entry)
        for name in (_SOURCES_WAITING, entry.waiting):
            (folder / name).unlink(missing_ok=True)
        raise


def _finish(folder: Path, entry: SourcesEntry) -> None:
    """Rename a snapshot if it is listed and still has its temporary name."""
    waiting = folder / entry.waiting
    if waiting.is_file() and hashlib.sha256(waiting.read_bytes()).hexdigest() == entry.sha256:
        waiting.replace(folder / entry.file)


def remake(entry: SourcesEntry, packages: PackageFetcher) -> None:
    """Fetch the source of a snapshot and make the snapshot again; an error if it differs from SOURCES."""
    if not is_complete(entry.source):
        raise SpecError(entry.source, "an address without a password or a token", found="one that was not stored")
    found = packages.documents(entry.source) if is_package(entry.source) else documents(entry.source)
    if digest(found) != entry.source_sha256:
        raise SpecError(entry.source, f"the sha256 {entry.source_sha256} that SOURCES lists", found=digest(found))
    again = hashlib.sha256(text_of(facts_of(found, entry.source)).encode()).hexdigest()
    if again != entry.sha256:
        raise SpecError(entry.source, f"the snapshot {entry.sha256} that SOURCES lists", found=again)


def sources_text(entries: Iterable[SourcesEntry], header: str = HEADER) -> str:
    lines = (
        f"{entry.release} {entry.sha256} {entry.source_sha256} {entry.source}\n"
        for entry in sorted(entries, key=lambda entry: entry.minor)
    )
    return header + "".join(lines)


def digest(found: Sequence[SourceDocument]) -> str:
    """The sha256 of a source; for several documents, the sha256 of their list."""
    digests = list(dict.fromkeys(document.sha256 for document in found))
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()
