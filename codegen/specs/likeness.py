"""Whether a specification can be that of a whole Kubernetes release, and of this one, before it becomes a snapshot."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import engine
from engine.tables.types import holds

from ..errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ..sources.opening import Document
    from .facts import Facts

WHOLE = ("Namespace", "Pod", "Deployment", "Job", "ClusterRole", "StorageClass")
"""Kinds of several groups that every release has; the document of one group of a server lacks most of them."""

Fields = dict[str, set[str]]
"""The names of the fields of each definition."""


def check_version(release: str, found: Sequence[Document]) -> None:
    """Refuse a document that states another release."""
    for document in found:
        info = document.content.get("info") if isinstance(document.content, dict) else None
        stated = re.match(r"v(1\.[1-9][0-9]*)", str(info.get("version"))) if isinstance(info, dict) else None
        if stated and stated[1] != release:
            raise SpecError(
                document.source, f"a specification of {release}", pointer="/info/version", found=stated.string
            )


def check_kinds(release: str, facts: Facts, folder: Path, files: Sequence[str]) -> None:
    """Refuse a specification that is only a part of a release, or is plainly that of another one.

    `files` are the snapshots in the folder; of releases without one, the tables that come with the engine are asked.
    It may be like the releases before and after, and the one it replaces.
    """
    lacking = [name for name in WHOLE if name not in {kind.kind for kind in facts.kinds}]
    if lacking:
        raise SpecError(
            facts.source,
            "the specification of a whole release",
            found=f"a part of one, without the kind {lacking[0]}. Pass all documents of a server, as with --server",
        )
    fields = {name: set(node.get("properties", ())) for name, node in facts.definitions.items()}
    apart = {file.removesuffix(".json"): _apart(fields, _fields(folder / file)) for file in files}
    missing = [one for one in engine.releases() if one not in apart]
    apart |= {one: _apart(fields, _fields_of(engine.load(one), fields)) for one in missing}
    neighbours = _neighbours(release, apart)
    nearest = min(apart, key=lambda one: (apart[one], one not in neighbours), default=release)
    if nearest not in neighbours and 2 * apart[nearest] < min(apart[one] for one in neighbours):
        raise SpecError(facts.source, f"a specification of {release}", found=f"one with the fields of {nearest}")


def _neighbours(release: str, known: Mapping[str, int]) -> set[str]:
    """The release itself, the one before and the one after, of those that are known; itself if none is."""
    minors = sorted(int(one.partition(".")[2]) for one in known)
    minor = int(release.partition(".")[2])
    near = [*[one for one in minors if one < minor][-1:], *[one for one in minors if one > minor][:1]]
    return {f"1.{one}" for one in near} | ({release} if release in known or not minors else set())


def _fields(file: Path) -> Fields:
    """The fields of a snapshot; none if it cannot be read, which others complain about."""
    content: Any = {}
    with suppress(OSError, ValueError):
        content = json.loads(file.read_bytes())
    return {name: set(node.get("properties", ())) for name, node in content.get("definitions", {}).items()}


def _fields_of(tables: engine.Tables, names: Iterable[str]) -> Fields:
    """The fields of these definitions in tables."""
    data, minor = tables._types.data, tables._types.minor
    found: Fields = {}
    for name in names:
        prefix, _, rest = name.rpartition(".")
        module = data.prefixes.get(prefix)
        rows = data.types_of(module).get(rest, ()) if module else ()
        found[name] = {row[0] for row in rows if row[0] and holds(row, minor)}
    return found


def _apart(new: Fields, known: Fields) -> int:
    """How many fields differ, in the definitions of the new specification; a server may lack the others.

    A definition without fields may stand for another one, whose fields the tables have below both names.
    """
    return sum(len(fields ^ known.get(name, set())) for name, fields in new.items() if fields)
