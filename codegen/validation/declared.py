"""Snapshots of declared validation: the validation tags on upstream's Go types, and the kinds that enforce them.

A release declares rules on the types of `k8s.io/api` and of `meta/v1`. They count for the kinds whose strategy enforces
them, which `k8s.io/kubernetes` decides. For all others, handwritten code does, and the tags are only compared with it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import SpecError
from ..snapshots import (
    SourcesEntry,
    add_of_modules,
    compact,
    entry_of_modules,
    listed_bytes,
    load_sources,
    minor_of,
    require_same,
)
from ..sources.go_modules import GoModule, is_module, module
from ..specs.go_source import BUILTIN, DEFAULT, GoPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ..specs.go_source import GoField

FOLDER = "validation"
"""The folder of these snapshots, beside those of the specifications."""
HEADER = """\
# Where each snapshot came from: k8s.io/api, k8s.io/apimachinery and k8s.io/kubernetes.
# release  sha256 of the snapshot  sha256 of the zip files  modules
"""
_TYPES = re.compile(r"(?:[a-z0-9]+/v[0-9][a-z0-9]*|pkg/apis/meta/v1|pkg/types)/(?!zz_|generated)[a-z0-9_]+\.go")
_STRATEGY = re.compile(r"pkg/registry/([a-z]+)/[a-z]+/strategy\.go")
_ENFORCES = re.compile(r"rest\.WithDeclarativeEnforcement\(|rest\.DeclarativeValidation\b")
_VALIDATED = re.compile(r"\) Validate\([^)]*\)[^{]*\{.*?\bobj\.\(\*\w+\.(\w+)\)", re.DOTALL)
_OTHER_FIELD = re.compile(r'dependent\w+\("(\w+)"\)')
_MOST_CONSTANTS = 10
"""The maximum length of a chain of constants that refer to each other."""
_BASE = re.compile(r"[\w./-]+$")


class DeclaredValidation(NamedTuple):
    enforced: list[str]
    """The kinds that enforce their declared rules, such as `apps.Deployment`."""
    types: dict[str, dict[str, Any]]
    """By definition name: `tags` of the type, `values` of an enum, and `fields` as (name, type, tags)."""


def text_of(declared: DeclaredValidation) -> str:
    """The snapshot: one type a line."""
    types = ",\n".join(f"{json.dumps(name)}:{compact(declared.types[name])}" for name in sorted(declared.types))
    return f'{{"enforced":{compact(declared.enforced)},\n"types":{{\n{types}\n}}}}\n'


def load(folder: Path) -> dict[int, DeclaredValidation]:
    """The declared validation of each release that has a snapshot; an error if its sha256 is not the one in SOURCES."""
    return {entry.minor: load_one(folder, entry) for entry in load_sources(folder / FOLDER)}


def load_one(folder: Path, entry: SourcesEntry) -> DeclaredValidation:
    content = json.loads(listed_bytes(folder / FOLDER, entry))
    return DeclaredValidation(content["enforced"], content["types"])


def make(release: str, source: str) -> tuple[SourcesEntry, str]:
    """The SOURCES line and the snapshot text of a release; `source` names the modules, separated by spaces."""
    minor_of(release)
    modules = [module(one) for one in source.split() if is_module(one)]
    if len(modules) != 3 or len(source.split()) != 3:
        raise SpecError(source, "three modules: go:k8s.io/api@V go:k8s.io/apimachinery@V go:k8s.io/kubernetes@V")
    text = text_of(declared_in(modules))
    return entry_of_modules(release, modules, text), text


def add(folder: Path, release: str, source: str, sha256: str | None = None) -> SourcesEntry:
    """Write the snapshot of a release, and list it in SOURCES; `sha256` is the source's, if known."""
    return add_of_modules(folder / FOLDER, *make(release, source), HEADER, sha256)


def remake(entry: SourcesEntry) -> None:
    """Fetch the modules of a snapshot and make the snapshot again; an error if it differs from SOURCES."""
    require_same(entry, make(entry.release, entry.source)[0])


def declared_in(modules: Iterable[GoModule]) -> DeclaredValidation:
    """The declared validation in the source files of modules."""
    packages: dict[str, GoPackage] = {}
    enforced = set()
    for one in modules:
        root = one.source.removeprefix("go:").partition("@")[0]
        for name, text in one.files(lambda name: bool(_TYPES.fullmatch(name) or _STRATEGY.fullmatch(name))):
            if strategy := _STRATEGY.fullmatch(name):
                kind = _VALIDATED.search(text)
                if kind and _ENFORCES.search(text):
                    enforced.add(f"{strategy[1]}.{kind[1]}")
            elif not name.endswith(("_test.go", "_swagger_doc_generated.go")):
                path = f"{root}/{name.rpartition('/')[0]}"
                packages.setdefault(path, GoPackage(path)).read(text)
    return DeclaredValidation(sorted(enforced), _types_of(packages))


def _types_of(packages: Mapping[str, GoPackage]) -> dict[str, dict[str, Any]]:
    """The types with tags, and those that lead to them."""
    every = {f"{path}.{name}": fields for path, one in packages.items() for name, fields in one.structs.items()}
    tags = {f"{path}.{name}": list(found) for path, one in packages.items() for name, found in one.tags.items()}
    named = {f"{path}.{name}": type_ for path, one in packages.items() for name, type_ in one.named.items()}
    needed = _needed_types(every, tags)
    types: dict[str, dict[str, Any]] = {}
    for name in sorted(needed):
        path, _, own = name.rpartition(".")
        type_: dict[str, Any] = {"tags": tags[name]} if tags.get(name) else {}
        if name in every:
            others = {found for one in every[name] for tag in one.tags for found in _OTHER_FIELD.findall(tag)}
            kept = [one for one in every[name] if _rules(one) or _base(one.type) in needed or one.name in others]
            type_["fields"] = [[one.name, _definition_type(one.type, named, needed), _facts(one)] for one in kept]
        else:
            names = packages[path].constants.get(own, ())
            type_["values"] = sorted({_value(packages, f"{path}.{one}") for one in names})
        types[_definition(name)] = type_
    return types


def _value(packages: Mapping[str, GoPackage], constant: str) -> str:
    """The text of a constant, which may refer to a constant of another package."""
    waiting = constant
    for _ in range(_MOST_CONSTANTS):
        path, _, name = waiting.rpartition(".")
        value = packages[path].values.get(name) if path in packages else None
        if value is None:
            break
        if not value.startswith("="):
            return value
        waiting = value[1:]
    raise SpecError(constant, "a constant that is a text", found="none")


def _rules(one: GoField) -> list[str]:
    return [tag for tag in one.tags if not tag.startswith(DEFAULT)]


def _facts(one: GoField) -> list[str]:
    """The tags of a field, with its default value if relevant."""
    return one.tags if any("optional" in tag for tag in one.tags) else _rules(one)


def _needed_types(every: Mapping[str, list[GoField]], tags: Mapping[str, list[str]]) -> set[str]:
    """The names of types that have tags, or a field of a type that has; lists of objects are left out."""
    needed = {name for name, found in tags.items() if any(not _is_about_paths(tag) for tag in found)}
    needed |= {name for name, fields in every.items() if any(map(_rules, fields))}
    listed = {name for name, fields in every.items() if any(one.type.endswith("/meta/v1.ListMeta") for one in fields)}
    found: set[str] = set()
    while found != needed:
        found = set(needed)
        needed |= {name for name, fields in every.items() if any(_base(one.type) in found for one in fields)}
        needed -= listed
    return needed


def _is_about_paths(tag: str) -> bool:
    return "ubresource" in tag.partition("=")[0]


def _base(type_: str) -> str:
    """The type without pointers, lists and maps."""
    found = _BASE.search(type_)
    return found[0] if found else type_


def _definition_type(type_: str, named: Mapping[str, str], needed: set[str]) -> str:
    """A type with definition names; `~string` is a named string, which may have a name before it."""

    def one(name: re.Match[str]) -> str:
        whole = name[0]
        if whole in BUILTIN or whole == "map":
            return whole
        base = named.get(whole)
        if base is None:
            return _definition(whole)
        if base in BUILTIN:
            return f"{_definition(whole) if whole in needed else ''}~{base}"
        return _definition_type(base, named, needed)

    return re.sub(r"[\w./-]+", one, type_)


def _definition(name: str) -> str:
    """The OpenAPI name of a Go type."""
    path, _, own = name.rpartition(".")
    return ".".join((*_reverse(path), own))


def _reverse(path: str) -> Iterator[str]:
    host, *rest = path.split("/")
    yield from reversed(host.split("."))
    yield from rest
