"""Snapshots: the facts of one release as reviewable text, and SOURCES, which lists where each came from.

A snapshot is a small OpenAPI v2 document, with one definition or path per line, in canonical order. So it is read by
the same code as any specification, and a change is a short diff.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import SpecError, pointer_of
from .files import replace_file
from .reading import facts_of
from .sources.opening import documents, read_bytes
from .sources.packages import is_package
from .specs.openapi import PATCH_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from .sources.opening import Document
    from .sources.packages import Packages
    from .specs.facts import Facts, Node

SOURCES = "SOURCES"
HEADER = """\
# Where each snapshot came from; `kubemerge spec check --fetch` proves it again.
# release  sha256 of the snapshot  sha256 of the source  source
"""
_MEDIA_TYPES = {word: media for media, word in PATCH_TYPES.items()}


@dataclass(frozen=True)
class Entry:
    """One line of SOURCES."""

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
        """The name of the snapshot's file."""
        return f"{self.release}.json"


def minor_of(release: str) -> int:
    """The minor of a release as users type it, such as 1.38."""
    found = re.fullmatch(r"1\.(0|[1-9][0-9]{0,3})", release)
    if not found:
        raise SpecError("release", "a release such as 1.38", found=ascii(release))
    return int(found[1])


def text_of(facts: Facts) -> str:
    """The snapshot of a release's facts."""
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


def _block(members: dict[str, Any]) -> str:
    lines = (
        f"{json.dumps(name)}:{json.dumps(members[name], sort_keys=True, separators=(',', ':'))}"
        for name in sorted(members)
    )
    return "{\n" + ",\n".join(lines) + "\n}"


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


def load_sources(folder: Path) -> list[Entry]:
    """The entries of SOURCES, oldest release first."""
    file = folder / SOURCES
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(str(file), "a list of snapshots", found=str(error)) from None
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            parts = line.split(maxsplit=3)
            if len(parts) != 4:
                raise SpecError(f"{file}, line {number}", "release, two sha256 and a source", found=ascii(line[:60]))
            entry = Entry(*parts)
            if any(entry.minor == other.minor for other in entries):
                raise SpecError(f"{file}, line {number}", "one line for each release", found="another")
            entries.append(entry)
    return sorted(entries, key=lambda entry: entry.minor)


def load_snapshot(folder: Path, entry: Entry) -> Facts:
    """The facts of one release; refused if the file does not have the sha256 in SOURCES."""
    file = folder / entry.file
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SpecError(str(file), "the snapshot that SOURCES lists", found=error.strerror or str(error)) from None
    found = hashlib.sha256(data).hexdigest()
    if found != entry.sha256:
        raise SpecError(str(file), f"the sha256 {entry.sha256} that SOURCES lists", found=found)
    return facts_of(read_bytes(data, str(file)), str(file))


def add_snapshot(folder: Path, release: str, found: Sequence[Document], source: str) -> Entry:
    """Write the snapshot of a release and add it to SOURCES; no file is changed if anything is wrong."""
    minor_of(release)
    if not source.isprintable():
        raise SpecError(ascii(source), "a source that can be written on one line of SOURCES")
    _check_release(release, found)
    text = text_of(facts_of(found, source))
    entry = Entry(release, hashlib.sha256(text.encode()).hexdigest(), digest(found), source)
    others = [other for other in load_sources(folder) if other.release != release]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / entry.file, text)
        replace_file(folder / SOURCES, sources_text([*others, entry]))
    except OSError as error:
        raise SpecError(str(folder), "a folder that can be written to", found=error.strerror or str(error)) from None
    return entry


def remake(entry: Entry, packages: Packages) -> None:
    """Fetch the source of a snapshot and make the snapshot again; refused if it differs from SOURCES."""
    found = packages.documents(entry.source) if is_package(entry.source) else documents(entry.source)
    if digest(found) != entry.source_sha256:
        raise SpecError(entry.source, f"the sha256 {entry.source_sha256} that SOURCES lists", found=digest(found))
    again = hashlib.sha256(text_of(facts_of(found, entry.source)).encode()).hexdigest()
    if again != entry.sha256:
        raise SpecError(entry.source, f"the snapshot {entry.sha256} that SOURCES lists", found=again)


def sources_text(entries: Iterable[Entry]) -> str:
    """The text of SOURCES."""
    lines = (
        f"{entry.release} {entry.sha256} {entry.source_sha256} {entry.source}\n"
        for entry in sorted(entries, key=lambda entry: entry.minor)
    )
    return HEADER + "".join(lines)


def digest(found: Sequence[Document]) -> str:
    """The sha256 of a source; for several documents, the sha256 of the list of theirs."""
    digests = list(dict.fromkeys(document.sha256 for document in found))
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _check_release(release: str, found: Sequence[Document]) -> None:
    """Refuse a document that states another release."""
    for document in found:
        info = document.content.get("info") if isinstance(document.content, dict) else None
        stated = re.match(r"v(1\.[1-9][0-9]*)", str(info.get("version"))) if isinstance(info, dict) else None
        if stated and stated[1] != release:
            raise SpecError(
                document.source, f"a specification of {release}", pointer="/info/version", found=stated.string
            )
