"""Feature gates of a release: their stages and defaults, and the fields behind them, read from upstream's Go source.

A snapshot has the gates of one release. They come from `kube_features.go` of `k8s.io/kubernetes`, `k8s.io/apiserver`
and `k8s.io/apiextensions-apiserver`. Before 1.31, a file lists the values of its release. Since then, it lists the
values of every release since the gate began. Until 1.30, `k8s.io/kubernetes` lists the gates of the others as well.

The fields come from the tags `+featureGate=NAME` in `types.go` of `k8s.io/api`, which exist since 1.21. Upstream
removes a tag with its gate, so the rows combine all releases.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .eras import eras_of
from .errors import SpecError
from .printing import render
from .snapshots import (
    SourcesEntry,
    add_of_modules,
    entry_of_modules,
    listed_bytes,
    load_sources,
    minor_of,
    require_same,
)
from .sources.go_modules import is_module, module

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from .sources.go_modules import GoModule

FOLDER = "gates"
"""The folder of these snapshots, beside those of the specifications."""
HEADER = """\
# Where each snapshot came from: k8s.io/kubernetes, k8s.io/apiserver, k8s.io/apiextensions-apiserver and k8s.io/api.
# release  sha256 of the snapshot  sha256 of the zip files  modules
"""
TYPES = "k8s.io/api"
MODULES = ("k8s.io/kubernetes", "k8s.io/apiserver", "k8s.io/apiextensions-apiserver", TYPES)
NO_FIELDS: Mapping[str, list[str]] = MappingProxyType({})
STAGES = ("Alpha", "Beta", "GA", "Deprecated")

_FILE = re.compile(r"(?:staging/src/k8s\.io/[\w-]+/)?pkg/features/(?:versioned_)?kube_features\.go")
_CONSTANT = re.compile(r'^\s*(\w+)\s+(?:\w+\.)?Feature\s*=\s*"(\w+)"', re.MULTILINE)
_OF_RELEASE = re.compile(r"^\s*(?:\w+\.)?(\w+):\s*\{([^{}]*\bPreRelease:[^{}]*)\}", re.MULTILINE)
_OF_ALL = re.compile(
    r"^\s*(?:\w+\.)?(\w+):\s*\{\s*\n((?:\s*(?://[^\n]*)?\n|\s*\{[^\n]*\},?[^\n]*\n)+?)\s*\},?", re.MULTILINE
)
_VERSION = re.compile(r'\{\s*Version:\s*version\.MustParse\("1\.(\d+)"\)([^{}]*)\}')
_ON = re.compile(r"\bDefault: true")
_COMPATIBLE = re.compile(r'MinCompatibilityVersion:\s*version\.MustParse\("1\.(\d+)"\)')
_STAGE = re.compile(r"PreRelease:\s*(?:\w+\.)?(\w+)")
_TYPES_FILE = re.compile(r"(\w+)/(v\w+)/types\.go")
_STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"((?:^\t//[^\n]*\n)+)^\t\w+\s+[^\n`]+`json:\"(\w+)", re.MULTILINE)
_TAG = re.compile(r"^\t//\s*\+featureGate=(\w+)\s*$", re.MULTILINE)


class Gate(NamedTuple):
    """A feature gate in one release."""

    stage: str
    default: bool
    locked: bool = False
    """Whether a cluster cannot set another value."""


def gates_in(modules: Iterable[GoModule], minor: int) -> dict[str, Gate]:
    """The gates of a release in the source files of modules."""
    texts = [text for one in modules for _, text in one.files(lambda name: bool(_FILE.fullmatch(name)))]
    names = {constant: name for text in texts for constant, name in _CONSTANT.findall(text)}
    found: dict[str, Gate] = {}
    for text in texts:
        for constant, value in _values(text, minor):
            found[names.get(constant, constant)] = _gate(value)
    return found


def _values(text: str, minor: int) -> Iterator[tuple[str, str]]:
    """Each constant with the text of its value in a release."""
    yield from _OF_RELEASE.findall(text)
    for constant, block in _OF_ALL.findall(text):
        values = {int(since): value for since, value in _VERSION.findall(block) if _applies(int(since), value, minor)}
        if values:
            yield constant, values[max(values)]


def _applies(since: int, value: str, minor: int) -> bool:
    """Whether a value belongs to a release, which is compatible with the release before by default."""
    compatible = _COMPATIBLE.search(value)
    return since <= minor and (compatible is None or int(compatible[1]) < minor)


def _gate(value: str) -> Gate:
    stage = _STAGE.search(value)
    if stage is None or stage[1] not in STAGES:
        raise SpecError("kube_features.go", f"a stage: {', '.join(STAGES)}", found=ascii(value.strip()[:80]))
    value = " ".join(value.split())
    return Gate(stage[1], _ON.search(value) is not None, "LockToDefault: true" in value)


def fields_in(modules: Iterable[GoModule]) -> dict[str, list[str]]:
    """The gates of each tagged field, by its type and name: `core_v1.PodSpec.resourceClaims`."""
    found = {}
    for one in modules:
        if one.source.removeprefix("go:").partition("@")[0] != TYPES:
            continue
        for name, text in one.files(lambda name: bool(_TYPES_FILE.fullmatch(name))):
            package = "_".join(name.split("/")[:2])
            for struct, body in _STRUCT.findall(text):
                for comment, field in _TAGGED.findall(body):
                    if gates := _TAG.findall(comment):
                        found[f"{package}.{struct}.{field}"] = sorted({*gates})
    return found


def is_source(source: str) -> bool:
    """Whether a source names the modules of gates: `k8s.io/kubernetes`, since 1.20 with the others.

    `k8s.io/kubernetes` with `k8s.io/api` and no `k8s.io/apiserver` is a source of declared validation.
    """
    paths = [one.removeprefix("go:").partition("@")[0] for one in source.split() if is_module(one)]
    of_gates = MODULES[0] in paths and {*paths} <= {*MODULES} and len(paths) == len(source.split())
    return of_gates and (TYPES not in paths or MODULES[1] in paths)


def make(release: str, source: str) -> tuple[SourcesEntry, str]:
    """The SOURCES line and the snapshot text of a release; `source` names the modules, separated by spaces."""
    minor = minor_of(release)
    modules = [module(one) for one in source.split()]
    found = gates_in(modules, minor)
    if not found:
        raise SpecError(source, "feature gates in kube_features.go", found="none")
    text = text_of(found, fields_in(modules))
    return entry_of_modules(release, modules, text), text


def text_of(gates: Mapping[str, Gate], fields: Mapping[str, list[str]] = NO_FIELDS) -> str:
    """The snapshot: one gate or field a line."""
    parts = (("fields", fields), ("gates", gates))
    return "{\n" + ",\n".join(f'"{part}":{_block(rows)}' for part, rows in parts) + "\n}\n"


def _block(rows: Mapping[str, object]) -> str:
    lines = (f"{json.dumps(name)}:{json.dumps(rows[name], separators=(',', ':'))}" for name in sorted(rows))
    return "{\n" + ",\n".join(lines) + "\n}"


def add(folder: Path, release: str, source: str, sha256: str | None = None) -> SourcesEntry:
    """Write the snapshot of a release, and list it in SOURCES; `sha256` is the source's, if known."""
    return add_of_modules(folder / FOLDER, *make(release, source), HEADER, sha256)


def remake(entry: SourcesEntry) -> None:
    """Fetch the modules of a snapshot and make the snapshot again; an error if it differs from SOURCES."""
    require_same(entry, make(entry.release, entry.source)[0])


class Snapshot(NamedTuple):
    """The contents of a snapshot about one release."""

    gates: dict[str, Gate]
    fields: dict[str, list[str]]


def load(folder: Path) -> dict[int, Snapshot]:
    """The snapshot of each release that has one."""
    return {entry.minor: load_one(folder, entry) for entry in load_sources(folder / FOLDER)}


def load_one(folder: Path, entry: SourcesEntry) -> Snapshot:
    """The snapshot of one release; an error if the sha256 of the file is not the one in SOURCES."""
    found = json.loads(listed_bytes(folder / FOLDER, entry))
    return Snapshot({name: Gate(*one) for name, one in found["gates"].items()}, found["fields"])


def rows_of(releases: Mapping[int, Mapping[str, Gate]]) -> list[tuple[object, ...]]:
    """Rows of (gate, first, last, stage, default, locked); the last release is None if the row is still valid."""
    minors = sorted(releases)
    names = sorted({name for gates in releases.values() for name in gates})
    cells = {name: {minor: tuple(gates[name]) for minor, gates in releases.items() if name in gates} for name in names}
    return [(name, first, last, *row) for name in names for first, last, row in eras_of(minors, cells[name])]


def fields_of(releases: Iterable[Mapping[str, list[str]]]) -> list[tuple[str, str, str]]:
    """Rows of (type, field, gate), from the tags of all releases."""
    tagged = {(name, gate) for fields in releases for name, gates in fields.items() for gate in gates}
    return sorted((*name.rpartition(".")[::2], gate) for name, gate in tagged)


def print_gates(releases: Mapping[int, Snapshot]) -> dict[str, str]:
    """The file of `generated/`; none without snapshots."""
    rows = [ascii(row) for row in rows_of({minor: one.gates for minor, one in releases.items()})]
    fields = [ascii(row) for row in fields_of(one.fields for one in releases.values())]
    return {"feature_gates.py": render("feature_gates.py.j2", rows=rows, fields=fields)} if rows else {}
